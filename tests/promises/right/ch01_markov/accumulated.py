"""Accumulated: words by bisection, codes of n-grams counted at once, long double inside, features as clipped counts."""
# ruff: noqa: F722 -- shapes in annotations are no Python

from bisect import bisect_left, insort

import numpy as np
import numpy.typing as npt

WIDE = np.longdouble


def vocabulary(sentences: list[list[str]]) -> list[str]:
    known: list[str] = []
    for sentence in sentences:
        for word in sentence:
            place = bisect_left(known, word)
            if known[place : place + 1] != [word]:
                insort(known, word)
    return known


def ids_of(words: list[str], vocab: list[str]) -> "Int[ndarray, 'T']":  # noqa: F821
    """By bisection: a vocabulary is sorted."""
    found = np.zeros(len(words), dtype=np.intp)
    for position, word in enumerate(words):
        place = bisect_left(vocab, word)
        if place == len(vocab) or vocab[place] != word:
            raise KeyError(word)
        found[position] = place
    return found


def one_hot(tokens: list[str], vocab: list[str]) -> npt.NDArray[np.float64]:
    return np.eye(len(vocab))[ids_of(tokens, vocab)]


def lookup(one_hots: "Float[ndarray, 'T V']", table: "Float[ndarray, 'V D']") -> "Float[ndarray, 'T D']":  # noqa: F821
    return (one_hots.astype(WIDE) @ table.astype(WIDE)).astype(np.float64)


def similarity(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    result = np.empty((b.shape[0], a.shape[0]))
    np.matmul(b, np.transpose(a), out=result)
    return np.swapaxes(result, 0, 1)


def shares(codes: list[npt.NDArray[np.intp]], size: int, order: int) -> npt.NDArray[np.float64]:
    """Codes of n-grams, one array per sentence, to shares [..., next]."""
    different, counts = np.unique(np.concatenate([np.empty(0, np.intp), *codes]), return_counts=True)
    table = np.zeros(size**order, dtype=WIDE)
    np.put(table, different, counts)
    rows = table.reshape(-1, size)
    totals = np.add.reduce(rows, axis=1)
    rows /= np.maximum(totals, 1)[:, np.newaxis]
    return np.asarray(rows, dtype=np.float64).reshape((size,) * order)


def transition_matrix(sentences: list[list[str]], vocab: list[str]) -> npt.NDArray[np.float64]:
    size, codes = len(vocab), []
    for ids in (ids_of(sentence, vocab) for sentence in sentences):
        codes.append(np.ravel_multi_index((ids[:-1], ids[1:]), (size, size)))
    return shares(codes=codes, size=size, order=2)


def next_word(word: str, transitions: npt.NDArray[np.float64], vocab: list[str]) -> npt.NDArray[np.float64]:
    [row] = lookup(one_hots=one_hot(tokens=[word], vocab=vocab), table=transitions)
    return row


def second_order_matrix(sentences: list[list[str]], vocab: list[str]) -> npt.NDArray[np.float64]:
    size, codes = len(vocab), []
    for ids in (ids_of(sentence, vocab) for sentence in sentences):
        codes.append((ids[:-2] * size + ids[1:-1]) * size + ids[2:] if len(ids) > 2 else ids[:0])
    return shares(codes=codes, size=size, order=3)


def skip_matrix(sentences: list[list[str]], vocab: list[str]) -> npt.NDArray[np.float64]:
    size, codes = len(vocab), []
    for ids in (ids_of(sentence, vocab) for sentence in sentences):
        said = np.eye(size, dtype=bool)[ids]  # (T, V)
        before = np.logical_or.accumulate(said, axis=0)[:-2]  # row t: what stands before position t + 1
        t, earlier = np.nonzero(before)
        codes.append(np.ravel_multi_index((earlier, ids[t + 1], ids[t + 2]), (size,) * 3))
    return shares(codes=codes, size=size, order=3)


def skip_features(context: list[str], vocab: list[str]) -> npt.NDArray[np.float64]:
    return np.bincount(ids_of(context[:-1], vocab), minlength=len(vocab)).clip(0, 1).astype(np.float64)


def vote(context: list[str], skips: npt.NDArray[np.float64], vocab: list[str]) -> npt.NDArray[np.float64]:
    (last,) = ids_of(context[-1:], vocab)
    active = skip_features(context, vocab) == 1
    return np.add.reduce(np.compress(active, skips[:, last], axis=0), axis=0)


def selective_vote(
    context: list[str], skips: npt.NDArray[np.float64], mask: npt.NDArray[np.float64], vocab: list[str]
) -> npt.NDArray[np.float64]:
    activities = skip_features(context, vocab)
    activities *= mask  # my own array
    by_current = skips.transpose(1, 2, 0)  # [current, next, earlier]
    return (by_current @ activities)[ids_of(context, vocab)[-1]]


def mask_for(context: list[str], masks: npt.NDArray[np.float64], vocab: list[str]) -> npt.NDArray[np.float64]:
    query = one_hot(context[-1:], vocab).T  # (V, 1)
    return np.sum(masks, axis=0, where=query.astype(bool))


def complete(
    prompt: list[str],
    skips: npt.NDArray[np.float64],
    masks: npt.NDArray[np.float64],
    vocab: list[str],
    steps: int,
) -> list[str]:
    text = prompt.copy()
    while steps > 0 and (votes := selective_vote(text, skips, mask_for(text, masks, vocab), vocab)).any():
        first, *_ = np.argsort(-votes, kind="stable")
        text.append(vocab[first])
        steps -= 1
    return text
