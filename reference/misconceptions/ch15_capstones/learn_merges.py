"""What goes wrong in `learn_merges`."""

from collections import Counter
from itertools import pairwise

from reference.ch15_capstones import merge_pair
from reference.misconceptions import misconception


@misconception("learn_merges", "learn-merges-words-count-once")
def words_count_once(words, count):
    """Every word counts once, however often it occurs.

    A pair in a word that occurs four times occurs four times. Add the word's number, not 1.
    """
    spelt = [tuple(word) for word in words]
    merges = []
    while len(merges) < count:
        pairs = Counter(pair for symbols in spelt for pair in pairwise(symbols))
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = [merge_pair(symbols, merges[-1]) for symbols in spelt]
    return merges


@misconception("learn_merges", "learn-merges-words-with-the-pair")
def words_with_the_pair(words, count):
    """You count a pair once in each word, however often it occurs in it.

    `banana` has (a, n) twice. Count every two neighbours, each as often as the word occurs.
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in set(pairwise(symbols)):
                pairs[pair] += times
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-overlaps-not-counted")
def overlaps_not_counted(words, count):
    """You do not count pairs that overlap: `a a a` has (a, a) twice, though only one of them can be merged.

    Count all neighbours: `zip(symbols, symbols[1:])`.
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt.items():
            used = {}
            for place, pair in enumerate(pairwise(symbols)):
                if used.get(pair) != place - 1:
                    pairs[pair] += times
                    used[pair] = place
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-counted-once")
def counted_once(words, count):
    """You count the pairs of the letters once and take the most frequent ones from that table.

    After a merge the neighbours have changed, and longer symbols appear. Merge in all words, then count again.
    """
    pairs = Counter()
    for word, times in words.items():
        for pair in pairwise(word):
            pairs[pair] += times
    return sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:count]


@misconception("learn_merges", "learn-merges-words-not-merged")
def words_not_merged(words, count):
    """You never merge the pair in the words, so every round finds the same one.

    After choosing, apply `merge_pair` to the symbols of every word and keep what it returns.
    """
    pairs = Counter()
    for word, times in words.items():
        for pair in pairwise(word):
            pairs[pair] += times
    return [min(pairs, key=lambda pair: (-pairs[pair], pair))] * count if pairs else []


@misconception("learn_merges", "learn-merges-counts-kept")
def counts_kept(words, count):
    """You go on adding to the counts of earlier rounds.

    Pairs that have been merged would still count. Begin every round with an empty counter.
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges, pairs = [], Counter()
    while len(merges) < count:
        found = False
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
                found = True
        if not found:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-ties-first-seen")
def ties_first_seen(words, count):
    """Of equally frequent pairs you take the one that was counted first, as `most_common` and `max` do.

    The result would depend on the order of the words. Take the pair that sorts first: the smallest of (-count, pair).
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        merges.append(max(pairs, key=pairs.get))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-ties-last")
def ties_last(words, count):
    """Of equally frequent pairs you take the one that sorts last.

    `max` over (count, pair) prefers the larger pair. Take the smallest of (-count, pair).
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        merges.append(max(pairs, key=lambda pair: (pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-ties-by-spelling")
def ties_by_spelling(words, count):
    """Of equally frequent pairs you take the one whose joined letters sort first, not the pair that does.

    ("a", "d") sorts before ("ab", "c"), though `abc` sorts before `ad`. Compare the pairs themselves.
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], "".join(pair))))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-rarest")
def rarest(words, count):
    """You learn the rarest pair of each round.

    Take the largest count: `min` needs minus the count, `max` the count itself.
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-no-early-end")
def no_early_end(words, count):
    """When no pair is left, you look for the best of none, which raises an error.

    Check before you choose: if there is nothing to count, learning has ended.
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    for _ in range(count):
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-ends-with-single-pairs")
def ends_with_single_pairs(words, count):
    """You stop as soon as no pair occurs more than once.

    Learning ends when no pair is left at all, or when `count` pairs are learned.
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs or max(pairs.values()) < 2:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-one-more")
def one_more(words, count):
    """You learn one pair too many.

    Stop when there are `count` pairs: with a `count` of 0, before the first round.
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    while len(merges) <= count:
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-across-words")
def across_words(words, count):
    """You count pairs across the ends of words: the last letter of one with the first of the next.

    Words have no neighbours here. Count within each word.
    """
    text = tuple(letter for word, times in words.items() for letter in word * times)
    merges = []
    while len(merges) < count:
        pairs = Counter(pairwise(text))
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        text = merge_pair(text, merges[-1])
    return merges


@misconception("learn_merges", "learn-merges-joined")
def joined(words, count):
    """You return joined symbols instead of pairs.

    You can no longer see whether `abc` came from (a, bc) or from (ab, c), and `apply_merges` needs the pairs.
    """
    spelt = {tuple(word): times for word, times in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append("".join(best))
        spelt = {merge_pair(symbols, best): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-end-of-word")
def end_of_word(words, count):
    """You put a mark such as `</w>` after each word, and learn pairs with it.

    The paper does so; here a word is only its letters.
    """
    spelt = {(*word, "</w>"): times for word, times in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges
