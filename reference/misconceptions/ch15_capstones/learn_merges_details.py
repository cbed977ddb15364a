"""What goes wrong in `learn_merges`: ties, the end, and the form of the answer."""

from collections import Counter
from itertools import pairwise

from reference.ch15_capstones import learn_merges, merge_pair
from reference.misconceptions import misconception


@misconception("learn_merges", "learn-merges-lists")
def lists(words, count):
    """Your pairs are lists, not tuples.

    Return the pairs as they were counted: tuples of two symbols.
    """
    spelt = [(tuple(word), times) for word, times in words.items()]
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt:
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(list(best))
        spelt = [(merge_pair(symbols, best), times) for symbols, times in spelt]
    return merges


@misconception("learn_merges", "learn-merges-with-counts")
def with_counts(words, count):
    """You return each pair together with its count.

    Return the pairs alone, the first one first.
    """
    spelt = [(tuple(word), times) for word, times in words.items()]
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt:
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append((best, pairs[best]))
        spelt = [(merge_pair(symbols, best), times) for symbols, times in spelt]
    return merges


@misconception("learn_merges", "learn-merges-ties-by-left-symbol")
def ties_by_left_symbol(words, count):
    """Of equally frequent pairs you compare the left symbols only.

    If these are equal the right ones decide: compare whole pairs.
    """
    spelt = [(tuple(word), times) for word, times in words.items()]
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt:
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair[0]))
        merges.append(best)
        spelt = [(merge_pair(symbols, best), times) for symbols, times in spelt]
    return merges


@misconception("learn_merges", "learn-merges-ties-longest")
def ties_longest(words, count):
    """Of equally frequent pairs you take the longest.

    Take the pair that sorts first, whatever its length.
    """
    spelt = [(tuple(word), times) for word, times in words.items()]
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt:
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], -len("".join(pair)), pair))
        merges.append(best)
        spelt = [(merge_pair(symbols, best), times) for symbols, times in spelt]
    return merges


@misconception("learn_merges", "learn-merges-last-pair-left")
def last_pair_left(words, count):
    """You stop when only one pair is left.

    Learning ends when none is left: the last pair is learned too.
    """
    spelt = [(tuple(word), times) for word, times in words.items()]
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt:
            for pair in pairwise(symbols):
                pairs[pair] += times
        if len(pairs) < 2:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        spelt = [(merge_pair(symbols, best), times) for symbols, times in spelt]
    return merges


@misconception("learn_merges", "learn-merges-text-replaced")
def text_replaced(words, count):
    """You merge by `replace` or `re.sub` in a text with spaces, which finds the ends of longer symbols, too.

    In `ca b` it finds `a b`. Use `merge_pair` on the symbols.
    """
    spelt = [(tuple(word), times) for word, times in words.items()]
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for symbols, times in spelt:
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        spelt = [
            (tuple(" ".join(symbols).replace(" ".join(best), "".join(best)).split()), times) for symbols, times in spelt
        ]
    return merges


@misconception("learn_merges", "learn-merges-words-overwritten")
def words_overwritten(words, count):
    """You change the caller's dictionary.

    Keep the symbols in a dictionary of your own.
    """
    merges = learn_merges(words, count)
    words.clear()
    return merges


@misconception("learn_merges", "learn-merges-ends-empty")
def none_at_the_end(words, count):
    """Where no pair is left you return nothing.

    Return the pairs that were learned until then.
    """
    merges = learn_merges(words, count)
    return merges if len(merges) == count else None


@misconception("learn_merges", "learn-merges-words-count-once", "learn-merges-no-early-end")
def words_count_once_no_early_end(words, count):
    spelt = [tuple(word) for word in words]
    merges = []
    for _ in range(count):
        pairs = Counter(pair for symbols in spelt for pair in pairwise(symbols))
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = [merge_pair(symbols, merges[-1]) for symbols in spelt]
    return merges


@misconception("learn_merges", "learn-merges-pairs-apart")
def pairs_apart(words, count):
    """You cut a word into pairs that do not overlap, so every second pair of neighbours is not counted.

    Which pairs does `abc` have? A symbol that ends one pair begins the next one too.
    """
    spelt, merges = [(tuple(word), times) for word, times in words.items()], []
    for _ in range(count):
        pairs = Counter()
        for symbols, times in spelt:
            each = iter(symbols)
            for pair in zip(each, each):  # noqa: B905
                pairs[pair] += times
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = [(merge_pair(symbols, merges[-1]), times) for symbols, times in spelt]
    return merges


@misconception("learn_merges", "learn-merges-counts-not-reduced")
def counts_not_reduced(words, count):
    """You add the pairs that a merge makes to the counts, but never take off those that it destroys.

    After (a, d) in `r e a d` there is no (e, a) any more. Which neighbours does a joined pair lose?
    """
    spelt = {word: tuple(word) for word in words}
    pairs = Counter()
    for word, times in words.items():
        for pair in pairwise(spelt[word]):
            pairs[pair] += times
    merges = []
    while pairs and len(merges) < count:
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        del pairs[best]
        for word, times in words.items():
            merged = merge_pair(spelt[word], best)
            if merged != spelt[word]:
                for pair in pairwise(merged):
                    if best[0] + best[1] in pair:
                        pairs[pair] += times
            spelt[word] = merged
    return merges
