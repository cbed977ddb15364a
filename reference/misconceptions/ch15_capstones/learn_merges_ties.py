"""Pairs of `learn_merges` that are chosen from equally frequent ones by something else than their order."""

from collections import Counter
from itertools import pairwise

from reference.ch15_capstones import merge_pair
from reference.misconceptions import misconception


@misconception("learn_merges", "learn-merges-ties-last-seen")
def ties_last_seen(words, count):
    """Of equally frequent pairs you take the one that was counted last, as the end of a list sorted by count is.

    The result would depend on the order of the words. Let the pairs themselves decide: which one sorts first?
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
        merges.append(sorted(pairs, key=pairs.get)[-1])
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-ties-by-right-symbol")
def ties_by_right_symbol(words, count):
    """Of equally frequent pairs you compare the right symbols first, and the left ones only after that.

    Pairs are compared as Python compares tuples. Which of the two symbols comes first there?
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
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair[::-1])))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-ties-longer-symbol")
def ties_longer_symbol(words, count):
    """Of two symbols of which one begins with the other you let the longer one sort first.

    Texts are compared letter by letter, and where one of them ends, it comes first: `a` sorts before `ab`.
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
        backwards = {pair: [[-ord(letter) for letter in symbol] for symbol in pair] for pair in pairs}
        merges.append(max(pairs, key=lambda pair: (pairs[pair], backwards[pair])))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-ties-shortest")
def ties_shortest(words, count):
    """Of equally frequent pairs you take the shortest.

    How many letters a pair has plays no part: only the order of the pairs does.
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
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], len("".join(pair)), pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges
