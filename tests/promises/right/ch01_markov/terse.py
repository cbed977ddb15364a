"""Terse: one expression each, lambdas among them; 0 / 0 is divided with a warning and mended afterwards."""
# ruff: noqa: E731, RUF017 -- a function may be a lambda with a name, a list the sum of lists

import numpy as np

vocabulary = lambda sentences: [*np.unique(sum(sentences, []))]  # numpy.str_, each of them a str
hot = lambda words, vocab: np.array(words, dtype=object).reshape(-1, 1) == np.array(vocab, dtype=object)
shares = lambda counts: np.nan_to_num(counts / counts.sum(-1, keepdims=True))
lookup = np.dot
similarity = lambda a, b: a @ b.T


def one_hot(tokens, vocab):
    if lost := {*tokens} - {*vocab}:
        raise KeyError(*lost)
    return hot(tokens, vocab) * 1.0


def transition_matrix(sentences, vocab):
    return shares(sum(1.0 * hot(s[:-1], vocab).T @ (1.0 * hot(s[1:], vocab)) for s in sentences))


def second_order_matrix(sentences, vocab):
    h = [1.0 * hot(s, vocab) for s in sentences if s[2:]]
    return shares(sum(np.einsum("ti,tj,tk", x[:-2], x[1:-1], x[2:]) for x in h))


def skip_matrix(sentences, vocab):
    h = [1.0 * hot(s, vocab) for s in sentences if s[1:]]
    return shares(sum(np.einsum("ti,tj,tk", np.sign(np.tri(len(x), k=-1) @ x)[:-1], x[:-1], x[1:]) for x in h))


next_word = mask_row = lambda word, rows, vocab: dict(zip(vocab, rows, strict=True))[word]
skip_features = lambda context, vocab: np.isin(vocab, context[:-1]).astype(float)
mask_for = lambda context, masks, vocab: mask_row(context[-1], masks, vocab)
selective_vote = lambda context, skips, mask, vocab: (
    (mask * skip_features(context, vocab)) @ skips[:, vocab.index(context[-1])]
)
vote = lambda context, skips, vocab: selective_vote(context, skips, 1, vocab)


def complete(prompt, skips, masks, vocab, steps):
    v = selective_vote(prompt, skips, mask_for(prompt, masks, vocab), vocab) if steps else np.zeros(1)
    return complete([*prompt, vocab[v.argmax()]], skips, masks, vocab, steps - 1) if v.any() else prompt[:]
