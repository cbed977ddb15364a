"""Masks, scores and caches that are joined, filled or kept wrongly."""

import math

import torch

from reference.misconceptions import misconception


@misconception("attend_with_cache", "attend-cache-detached")
def cache_detached(q, k, v, cache=None):
    """You cut old keys and values off, as they go into the cache or come out of it, so later positions send no
    gradient back to earlier ones.

    A text that is read in chunks must teach as much as one read at once: keep keys and values as they are, and read
    them so, without `detach()`.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k.detach(), v.detach())


@misconception("attend_with_cache", "attend-past-keys-only")
def past_keys_only(q, k, v, cache=None):
    """You join old and new keys, but not old and new values.

    Every key has its value: the cache holds both, and both are joined.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), v
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-mask-inverted")
def mask_inverted(q, k, v, cache=None):
    """Your mask is the wrong way round: the keys that a position may see are hidden.

    In a mask True means "may attend", and `masked_fill` fills where it is given True.

    Fill with -inf where a key comes after the query: `masked_fill(~mask, -torch.inf)`.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-strict-past")
def strict_upper(q, k, v, cache=None):
    """Your triangle is the upper one with its diagonal: a position sees itself and what comes after it.

    Query i sees the keys up to past + i: the lower triangle, `tril(past)`.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).triu(past)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-weights-masked")
def weights_masked(q, k, v, cache=None):
    """You set weights to 0 after the softmax, so the weights of a query do not sum to 1.

    Hide scores before the softmax, with -inf: then the keys that are seen share all the weight.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) * mask
    return weights @ v, (k, v)


@misconception("attend_with_cache", "attend-scores-zeroed")
def scores_zeroed(q, k, v, cache=None):
    """You set hidden scores to 0, which is a score like any other.

    e to the power of 0 is 1: fill with -inf, and the softmax makes 0 of that.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, 0.0)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-plain-triangle")
def plain_triangle(q, k, v, cache=None):
    """Your mask is the size of the new positions alone, and the scores have a column for every old one too.

    How many keys are there, and how many queries? The mask has a row for each query and a column for each key.

    t rows and past + t columns: `torch.ones(t, past + t, dtype=torch.bool, device=q.device).tril(past)`.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], q.shape[2], dtype=torch.bool, device=q.device).tril()
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-scaled-by-positions")
def scaled_by_positions(q, k, v, cache=None):
    """You divide the scores by the root of a length other than d.

    d is the last axis of the queries: `math.sqrt(q.shape[-1])`.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k.mT / math.sqrt(k.shape[2])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-not-transposed")
def not_transposed(q, k, v, cache=None):
    """You multiply queries by keys without turning the keys round.

    The scores are q kᵀ: `q @ k.transpose(-2, -1)`.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-axes-swapped")
def all_axes_swapped(q, k, v, cache=None):
    """You use `.T`, which reverses all four axes of the keys.

    Only positions and columns change places: `k.transpose(-2, -1)`, or `k.mT`.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k.T / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-weights-of-values")
def cache_of_output(q, k, v, cache=None):
    """Your cache holds the output in place of the values.

    The next call needs the values themselves: keep `(k, v)`.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    output = scores.softmax(-1) @ v
    old = v[:, :, : k.shape[2] - q.shape[2]]
    return output, (k, torch.cat([old, output], dim=2))


@misconception("attend_with_cache", "attend-first-call-unmasked")
def first_unmasked(q, k, v, cache=None):
    """Your first call has no mask: where there is no cache, every position sees those after it.

    Without a cache `past` is 0, and the triangle is the plain one of a causal model.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past if past else k.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-window")
def one_new_only(q, k, v, cache=None):
    """With a cache you return the output of the last new position only.

    A chunk may hold several: the output is (B, H, t, d), one row for each new position.
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    output = scores.softmax(-1) @ v
    return output[:, :, -1:] if past else output, (k, v)


@misconception("attend_with_cache", "attend-batch-squeezed")
def batch_squeezed(q, k, v, cache=None):
    """You drop the batch axis of the output where there is one text.

    The output is (B, H, t, d), whatever the four are: leave out `squeeze`.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return (scores.softmax(-1) @ v).squeeze(0), (k, v)


@misconception("attend_with_cache", "attend-heads-and-positions-swapped")
def heads_and_positions_swapped(q, k, v, cache=None):
    """You swap axes 1 and 2 of the keys, heads and positions, instead of the last two.

    A score is a product over d. Which two axes of the keys must change places for that?
    """
    past = 0
    if cache is not None:
        past = cache[0].shape[2]
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)
