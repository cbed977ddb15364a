"""Exact: shares as fractions, sentences as padded windows, answers remembered, results read-only or transposed."""

from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest
from operator import itemgetter

import numpy as np

END = None  # stands after the last word of a sentence


def vocabulary(sentences):
    text = "\n".join("\n".join(sentence) for sentence in sentences)
    return sorted(set(text.split("\n")) - {""})


def one_hot(tokens, vocab):
    columns = np.zeros((len(vocab), len(tokens)))
    for t, token in enumerate(tokens):
        try:
            columns[vocab.index(token), t] = 1
        except ValueError as error:
            raise KeyError(f"no such word: {token}") from error
    return columns.T  # in Fortran's order


def lookup(one_hots, table):
    return np.tensordot(one_hots, table, axes=1)


def similarity(a, b):
    return np.apply_along_axis(lambda row: b @ row, 1, a)


def from_windows(windows, vocab, order):
    """Windows (..., next) with END where there is none; counted as integers, divided exactly."""
    table = {}
    for *words, following in windows:
        if following is not END:
            row = table.setdefault(tuple(words), {})
            row[following] = row.get(following, 0) + 1
    result = np.zeros((len(vocab),) * order)
    for words, row in table.items():
        for following, count in row.items():
            share = Fraction(count, sum(row.values()))
            result[tuple(vocab.index(word) for word in (*words, following))] = float(share)
    result.flags.writeable = False
    return result


def transition_matrix(sentences, vocab):
    return from_windows((w for s in sentences for w in zip_longest(s, s[1:])), vocab, 2)


def next_word(word, transitions, vocab):
    column = one_hot([word], vocab).T  # (V, 1)
    return (transitions.T @ column).ravel()


def second_order_matrix(sentences, vocab):
    return from_windows((w for s in sentences for w in zip_longest(s, s[1:], s[2:]) if w[1] is not END), vocab, 3)


def skip_matrix(sentences, vocab):
    windows = []
    for s in sentences:
        for t, (current, following) in enumerate(zip_longest(s, s[1:])):
            windows += [(earlier, current, following) for earlier in sorted(set(s[:t]))]
    return from_windows(windows, vocab, 3)


@lru_cache(maxsize=None)  # noqa: UP033 -- the older spelling
def remembered_features(before, vocab):
    return tuple(float(before.count(word) > 0) for word in vocab)


def skip_features(context, vocab):
    return np.array(remembered_features(tuple(context[:-1]), tuple(vocab)))


def vote(context, skips, vocab):
    rows = [skips[vocab.index(word), vocab.index(context[-1])] for word in set(context[:-1])]
    return np.sum(rows, axis=0) if rows else np.zeros_like(vocab, dtype=np.float64)


def selective_vote(context, skips, mask, vocab):
    last = vocab.index(context[-1])
    return np.where(skip_features(context, vocab)[:, None] > 0, mask[:, None] * skips[:, last], 0).sum(axis=0)


def mask_for(context, masks, vocab):
    return np.take(masks, vocab.index(context[len(context) - 1]), axis=0)


def complete(prompt, skips, masks, vocab, steps):
    def words():
        text = list(prompt)
        yield from prompt
        for _ in range(steps):
            votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
            if not np.any(votes != 0):
                return
            number, _ = max(enumerate(votes), key=itemgetter(1))  # the first of equals
            text.append(vocab[number])
            yield text[-1]

    return list(words())
