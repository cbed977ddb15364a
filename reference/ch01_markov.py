"""Chapter 1, the oracle: from counting words to attention, with loops and counters.

The example and its numbers are those of B. Rohrer, "Transformers from Scratch" (2021).
"""

import itertools
from collections import Counter

import numpy as np

# The published sentences, in their proportions 2 : 3 : 5, 40 : 60 and 1 : 1.
PHOTOS = [f"show me my {what} please".split() for what in 2 * ["directories"] + 3 * ["files"] + 5 * ["photos"]]
RUNS = [f"check whether the {what} please".split() for what in 4 * ["battery ran down"] + 6 * ["program ran"]]
LOGS = [
    "check the program log and find out whether it ran please".split(),
    "check the battery log and find out whether it ran down please".split(),
]


def vocabulary(sentences: list[list[str]]) -> list[str]:
    """The distinct words of all sentences, sorted."""
    words: list[str] = []
    for sentence in sentences:
        words += [word for word in dict.fromkeys(sentence) if word not in words]
    words.sort()
    return words


def one_hot(tokens: list[str], vocab: list[str]) -> np.ndarray:
    """(T, V): 1 in the column of each token's word. A word outside `vocab` raises KeyError."""
    rows = np.zeros((len(tokens), len(vocab)))
    for position, token in enumerate(tokens):
        if token not in vocab:
            raise KeyError(f"{token} is not in the vocabulary")
        rows[position, vocab.index(token)] = 1.0
    return rows


def lookup(one_hots: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(T, D): the rows of `table` (V, D), weighted by each row of `one_hots` (T, V) and added up."""
    rows = np.zeros((len(one_hots), table.shape[1]))
    for position, weights in enumerate(one_hots):
        for weight, row in zip(weights, table, strict=True):
            rows[position] += weight * row
    return rows


def similarity(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(T, S): the dot product of every row of `a` (T, D) with every row of `b` (S, D)."""
    return np.array([[sum(x * y for x, y in zip(left, right, strict=True)) for right in b] for left in a])


def _shares(counts: Counter[tuple[str, ...]], vocab: list[str], order: int) -> np.ndarray:
    """Each count of (word, ..., next) divided by the count of all that share its words but the next."""
    totals: Counter[tuple[str, ...]] = Counter()
    for words, count in counts.items():
        totals[words[:-1]] += count
    shares = np.zeros((len(vocab),) * order)
    for words, count in counts.items():
        shares[tuple(vocab.index(word) for word in words)] = count / totals[words[:-1]]
    return shares


def transition_matrix(sentences: list[list[str]], vocab: list[str]) -> np.ndarray:
    """(V, V), [current, next]: the share of each next word; a word never followed has a zero row."""
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        counts.update(itertools.pairwise(sentence))
    return _shares(counts, vocab, order=2)


def next_word(word: str, transitions: np.ndarray, vocab: list[str]) -> np.ndarray:
    """(V,): the row of `word`."""
    return np.array([transitions[vocab.index(word), number] for number in range(len(vocab))])


def second_order_matrix(sentences: list[list[str]], vocab: list[str]) -> np.ndarray:
    """(V, V, V), [previous, current, next]: the share of each next word after a pair of neighbours."""
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        counts.update(zip(sentence, sentence[1:], sentence[2:], strict=False))
    return _shares(counts, vocab, order=3)


def skip_matrix(sentences: list[list[str]], vocab: list[str]) -> np.ndarray:
    """(V, V, V), [earlier, current, next]: the share of each next word where `earlier` stood anywhere before."""
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        for position in range(1, len(sentence) - 1):
            for earlier in set(sentence[:position]):
                counts[earlier, sentence[position], sentence[position + 1]] += 1
    return _shares(counts, vocab, order=3)


def skip_features(context: list[str], vocab: list[str]) -> np.ndarray:
    """(V,): 1 for each word before the last position of the context, else 0."""
    return np.array([1.0 if word in context[:-1] else 0.0 for word in vocab])


def vote(context: list[str], skips: np.ndarray, vocab: list[str]) -> np.ndarray:
    """(V,): the rows of all words before the last one, each once, added up."""
    return selective_vote(context, skips, np.ones(len(vocab)), vocab)


def selective_vote(context: list[str], skips: np.ndarray, mask: np.ndarray, vocab: list[str]) -> np.ndarray:
    """(V,): the rows of all words before the last one, each once and times its mask (V,), added up."""
    votes = np.zeros(len(vocab))
    for earlier in sorted(set(context[:-1])):
        number = vocab.index(earlier)
        votes += mask[number] * skips[number, vocab.index(context[-1])]
    return votes


def mask_for(context: list[str], masks: np.ndarray, vocab: list[str]) -> np.ndarray:
    """(V,): the row of `masks` (V, V) that belongs to the last word."""
    return np.array([masks[vocab.index(context[-1]), number] for number in range(len(vocab))])


def complete(prompt: list[str], skips: np.ndarray, masks: np.ndarray, vocab: list[str], steps: int) -> list[str]:
    """The prompt and up to `steps` winners of the masked vote; ends where all votes are zero."""
    text = prompt[:]
    while len(text) < len(prompt) + steps:
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        winner = sorted(zip(-votes, vocab, strict=True))[0]
        if winner[0] == 0:
            return text
        text = [*text, winner[1]]
    return text
