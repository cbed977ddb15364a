"""Vectorised: no loop over words; unique, searchsorted, bincount, add.at and broadcasting do the work."""
# ruff: noqa: N806 -- capital letters for sizes, as in the text of the chapter

import numpy as np
from numpy import add, bincount, einsum, searchsorted, unique, where

np.set_printoptions(precision=3, suppress=True)


def vocabulary(sentences):
    return unique(np.concatenate([np.array(s, dtype=str) for s in sentences])).tolist()


def place(words, vocab):
    """Numbers of words; -1 for what is not there."""
    sorted_words, words = np.array(vocab), np.array(words, dtype=str)
    i = searchsorted(sorted_words, words).clip(max=len(vocab) - 1)
    return where(sorted_words[i] == words, i, -1)


def one_hot(tokens, vocab):
    i = place(tokens, vocab)
    if (i < 0).any():
        raise KeyError("unknown: " + ", ".join(np.array(tokens)[i < 0]))
    return (i[:, np.newaxis] == np.arange(len(vocab))).astype("float64")


def lookup(one_hots, table):
    return np.matmul(one_hots, table)


def similarity(a, b):
    return (a[:, None, :] * b[None, :, :]).sum(axis=-1)


def divided(counts):
    total = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, total, out=np.zeros(counts.shape), where=total > 0)


def transition_matrix(sentences, vocab):
    V = len(vocab)
    flat = [place(s[:-1], vocab) * V + place(s[1:], vocab) for s in sentences if len(s) > 1]
    return divided(bincount(np.concatenate(flat), minlength=V * V).reshape(V, V))


def next_word(word, transitions, vocab):
    return transitions[vocab.index(word), :].copy()


def second_order_matrix(sentences, vocab):
    V = len(vocab)
    counts = np.zeros((V, V, V), dtype=int)
    for s in sentences:
        if len(s) >= 3:
            i = place(s, vocab)
            windows = np.lib.stride_tricks.sliding_window_view(i, 3)
            add.at(counts, tuple(windows.T), 1)
    return divided(counts)


def skip_matrix(sentences, vocab):
    V = len(vocab)
    counts = np.zeros((V, V, V))
    for s in filter(lambda s: len(s) > 2, sentences):
        i = place(s, vocab)
        t, e = np.nonzero(np.tril(np.ones((len(s) - 1, len(s) - 1)), -1))  # every position with all before it
        once = unique(np.stack([t, i[e]]), axis=1)
        add.at(counts, (once[1], i[once[0]], i[once[0] + 1]), 1.0)
    return divided(counts)


def skip_features(context, vocab):
    features = np.zeros(len(vocab))
    features[place(context[:-1], vocab)] = 1.0
    return features


def vote(context, skips, vocab):
    return einsum("e,en->n", skip_features(context, vocab), skips[:, vocab.index(context[-1]), :])


def selective_vote(context, skips, mask, vocab):
    last = one_hot(context[-1:], vocab)[0]
    return einsum("e,e,c,ecn->n", skip_features(context, vocab), mask, last, skips, optimize=True)


def mask_for(context, masks, vocab):
    return np.squeeze(masks.T @ one_hot(context[-1:], vocab).T, axis=1)


def complete(prompt, skips, masks, vocab, steps):
    words, text = np.array(vocab), list(prompt)
    for _ in range(steps):
        v = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        if not np.any(v):
            break
        text += [words[np.flatnonzero(v == v.max())[0]]]  # a numpy.str_, which is a str
    return text
