"""Counts of `learn_merges` that are overwritten, or corrected instead of taken anew."""

from collections import Counter
from itertools import pairwise

from reference.ch15_capstones import merge_pair
from reference.misconceptions import misconception


@misconception("learn_merges", "learn-merges-count-overwritten")
def count_overwritten(words, count):
    """You learn as many pairs as the last word is frequent: a loop over the words gives its numbers the name `count`.

    Then the argument is lost after the first round. Give the number of a word another name.
    """
    spelt = {word: tuple(word) for word in words}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for word, count in words.items():
            for pair in pairwise(spelt[word]):
                pairs[pair] += count
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        spelt = {word: merge_pair(symbols, best) for word, symbols in spelt.items()}
    return merges


@misconception("learn_merges", "learn-merges-counts-patched")
def counts_patched(words, count):
    """You correct the counts around each merge instead of counting anew, and go wrong where two merges touch.

    In `abab` the letter before the second merge is no longer a symbol: the first merge has taken it. Which pairs does
    such a word have before a round, and which after it?
    """
    spelt = {word: tuple(word) for word in words}
    pairs = Counter()
    for word, times in words.items():
        for pair in pairwise(word):
            pairs[pair] += times
    merges = []
    while len(merges) < count and any(len(symbols) > 1 for symbols in spelt.values()):
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        left, right = best
        merges.append(best)
        for word, times in words.items():
            symbols, place = spelt[word], 0
            while place < len(symbols) - 1:
                if symbols[place : place + 2] == best:
                    pairs[best] -= times
                    for before in symbols[:place][-1:]:
                        pairs[before, left] -= times
                        pairs[before, left + right] += times
                    for behind in symbols[place + 2 : place + 3]:
                        pairs[right, behind] -= times
                        pairs[left + right, behind] += times
                    place += 1
                place += 1
            spelt[word] = merge_pair(symbols, best)
    return merges
