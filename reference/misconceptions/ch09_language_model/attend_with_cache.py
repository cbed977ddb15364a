"""Caches that forget, mix up or are written into, and attention that sees too much or too little."""

import math

import torch

from reference.misconceptions import misconception


@misconception("attend_with_cache", "attend-no-mask")
def no_mask(q, k, v, cache=None):
    """Your new positions see each other without a mask, those that come later included.

    One at a time, that works. In a chunk each position sees the past, itself, and nothing after it.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-mask-top-left")
def mask_top_left(q, k, v, cache=None):
    """Your triangle stands at the left end, so the new positions do not even see the whole past.

    Query i of the chunk stands at place past + i: `tril(past)` for a mask of t rows and past + t columns.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril()
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-mask-at-first-only")
def mask_at_first_only(q, k, v, cache=None):
    """You mask the first call only, and with a cache the new positions see those after them.

    A cache does not mean that there is one new position: a chunk needs its triangle, `past` columns further right.
    """
    new, first = q.shape[2], cache is None
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if first:
        mask = torch.ones(new, new, dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-no-self")
def no_self(q, k, v, cache=None):
    """Your new positions do not see themselves.

    A position may look at its own key: query i sees the keys up to and including past + i, `tril(past)`.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2] - 1)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-peeks")
def peeks(q, k, v, cache=None):
    """Your new positions see one key too many, that of the position after them.

    Query i sees the keys up to past + i: `tril(past)`, not `tril(past + 1)`.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2] + 1)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-not-scaled")
def not_scaled(q, k, v, cache=None):
    """You do not divide the scores by √d.

    It is still the attention of equation 1, with or without a cache: `/ math.sqrt(q.shape[-1])`.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    return (q @ k.mT).masked_fill(~mask, -torch.inf).softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-scaled-by-width")
def scaled_by_width(q, k, v, cache=None):
    """You divide the scores by d, not by its root; perhaps you scale by √d twice.

    `math.sqrt(q.shape[-1])`: the sum of d products spreads like √d.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    return (q @ k.mT / q.shape[-1]).masked_fill(~mask, -torch.inf).softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-over-queries")
def over_queries(q, k, v, cache=None):
    """Your softmax runs over the queries.

    The weights of one query sum to 1 over the keys, the last axis: `softmax(dim=-1)`.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    return (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf).softmax(-2) @ v, (k, v)


@misconception("attend_with_cache", "attend-cache-ignored")
def cache_ignored(q, k, v, cache=None):
    """Your new positions attend only to each other: what is in the cache is not used.

    Put the keys of the cache in front of the new ones, and the values as well, before you compute scores.
    """
    mask = torch.ones(q.shape[2], q.shape[2], dtype=torch.bool, device=q.device).tril()
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    old = (k[:, :, :0], v[:, :, :0]) if cache is None else cache
    return scores.softmax(-1) @ v, (torch.cat([old[0], k], dim=2), torch.cat([old[1], v], dim=2))


@misconception("attend_with_cache", "attend-past-only")
def past_only(q, k, v, cache=None):
    """With a cache, your new positions see the past but not themselves or each other.

    A position sees itself too: join the new keys and values to the old ones before you compute scores.
    """
    new, seen = (k, v), (k, v) if cache is None else cache
    mask = torch.ones(q.shape[2], seen[0].shape[2], dtype=torch.bool, device=q.device)
    mask = mask.tril() if cache is None else mask
    scores = (q @ seen[0].mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    joined = new if cache is None else tuple(torch.cat(pair, dim=2) for pair in zip(cache, new, strict=True))
    return scores.softmax(-1) @ seen[1], joined


@misconception("attend_with_cache", "attend-in-front")
def in_front(q, k, v, cache=None):
    """You put the new keys and values in front of the old ones.

    Time runs from left to right, and so does the triangle: `torch.cat([old, new], dim=2)`.
    """
    if cache is not None:
        k, v = torch.cat([k, cache[0]], dim=2), torch.cat([v, cache[1]], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-wrong-axis")
def wrong_axis(q, k, v, cache=None):
    """You join old and new keys along the heads.

    Positions are the third axis of (B, H, t, d): `dim=2`, or -2.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=1), torch.cat([cache[1], v], dim=1)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-only-newest-kept")
def only_newest_kept(q, k, v, cache=None):
    """You return a cache of the new positions only, and the next call has forgotten all that was before.

    The cache holds everything so far: old keys and values, and the new ones.
    """
    new = (k, v)
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, new


@misconception("attend_with_cache", "attend-not-extended")
def not_extended(q, k, v, cache=None):
    """You return the cache as you got it, without the new keys and values.

    The next call has to know of these positions, too: return the joined pair.
    """
    handed_on = (k, v) if cache is None else cache
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, handed_on


@misconception("attend_with_cache", "attend-values-as-keys")
def keys_as_values(q, k, v, cache=None):
    """You take cached keys for values: the cache holds the keys twice, or you read them twice.

    A key says what a position offers, its value what it gives. Both are kept, and each is read from its own place.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, k)


@misconception("attend_with_cache", "attend-queries-kept")
def queries_kept(q, k, v, cache=None):
    """You keep the queries as well and answer the old ones again.

    The output is about the t new positions; old queries have had their answer and are not needed any more.
    """
    if cache is not None:
        q, k, v = (torch.cat(pair, dim=2) for pair in zip(cache, (q, k, v), strict=True))
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril()
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (q, k, v)


@misconception("attend_with_cache", "attend-output-only")
def output_only(q, k, v, cache=None):
    """You return the output without a cache.

    The next call needs it: return the pair `output, cache`.
    """
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    return (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf).softmax(-1) @ v
