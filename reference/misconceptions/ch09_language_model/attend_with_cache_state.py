"""Caches that are written into, and answers of the wrong dtype, device or stability."""

import math

import torch

from reference.misconceptions import misconception


@misconception("attend_with_cache", "attend-cache-in-place")
def cache_in_place(q, k, v, cache=None):
    """You write the new keys and values into the cache you were given (`append`, or an assignment into it).

    A second continuation from that cache would then read the first one's words. Make a new one and return that.
    """
    cache = [] if cache is None else cache
    cache.append((k, v))
    k, v = (torch.cat(pieces, dim=2) for pieces in zip(*cache, strict=True))
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, cache


@misconception("attend_with_cache", "attend-shared-buffer")
def shared_buffer(q, k, v, cache=None):
    """Two calls that go on from one cache write into the same memory: the second overwrites what the first has stored.

    A cache is never changed once it is handed out: join old and new into new tensors, and return those.
    """
    room, new = (*k.shape[:2], 64, k.shape[3]), q.shape[2]
    keys, values, past = (k.new_zeros(room), v.new_zeros(room), 0) if cache is None else cache
    keys[:, :, past : past + new], values[:, :, past : past + new] = k, v
    seen, given = keys[:, :, : past + new], values[:, :, : past + new]
    mask = torch.ones(new, past + new, dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ seen.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ given, (keys, values, past + new)


@misconception("attend_with_cache", "attend-detached")
def detached(q, k, v, cache=None):
    """You detach keys and values before you use them, so they get no gradient.

    Compute with the tensors as they are: a model is trained through this attention, too.
    """
    k, v = k.detach(), v.detach()
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-no-gradient-later")
def no_gradient_later(q, k, v, cache=None):
    """Once there is a cache, the new queries, keys and values get no gradient (detach or no_grad).

    A text that is read in chunks must teach as much as one read at once: cut nothing off.
    """
    if cache is not None:
        q, k, v = q.detach(), torch.cat([cache[0], k], dim=2).detach(), torch.cat([cache[1], v], dim=2).detach()
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-unstable")
def unstable(q, k, v, cache=None):
    """You take the exponential of the scores as they are, which overflows for large ones.

    Subtract each query's largest score first, or use `softmax`, which does.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).exp() * mask
    return weights / weights.sum(-1, keepdim=True) @ v, (k, v)


@misconception("attend_with_cache", "attend-small-fill")
def small_fill(q, k, v, cache=None):
    """You hide keys with a score like -1e4, which is not small enough where real scores are lower.

    Scores have no lower limit. Which number is below all of them?

    -inf is below all of them: `masked_fill(~mask, -math.inf)`.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -1e4)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-float64")
def always_float64(q, k, v, cache=None):
    """You return float64, whatever the queries are.

    Computing in float64 is fine, but the output has the dtype of q.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q.double() @ k.double().mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v.double(), (k, v)


@misconception("attend_with_cache", "attend-mask-device")
def mask_device(q, k, v, cache=None):
    """You make the mask on the default device instead of the one where the queries lie.

    On a GPU the two don't meet: pass `device=q.device`.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-squeezed")
def squeezed(q, k, v, cache=None):
    """You squeeze the output, and with one position, one head or one sentence an axis is gone.

    The output is (B, H, t, d), whatever the four are.
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return (scores.softmax(-1) @ v).squeeze(), (k, v)


@misconception("attend_with_cache", "attend-old-keys-scaled-again")
def old_keys_scaled_again(q, k, v, cache=None):
    """You keep keys that are divided by √d already, and divide them once more in the next call.

    Decide what is scaled: the queries or scores of this call, or the new keys before they join the old ones.
    """
    if cache is not None:
        k, v = (torch.cat(pair, dim=2) for pair in zip(cache, (k, v), strict=True))
    k = k / math.sqrt(q.shape[-1])
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril(k.shape[2] - q.shape[2])
    return (q @ k.mT).masked_fill(~mask, -torch.inf).softmax(-1) @ v, (k, v)


@misconception("attend_with_cache", "attend-shared-growing-buffer")
def shared_growing_buffer(q, k, v, cache=None):
    """Two calls that go on from one cache write into its spare room: the second overwrites what the first has stored.

    A cache is never changed once it is handed out: join old and new into new tensors, and return those.
    """
    room_k, room_v, past = (None, None, 0) if cache is None else cache
    total, rooms = past + q.shape[2], []
    for room, new in ((room_k, k), (room_v, v)):
        if room is None or room.shape[2] < total:
            larger = new.new_zeros(*new.shape[:2], 2 * total, new.shape[3])
            if room is not None:
                larger[:, :, :past] = room[:, :, :past]
            room = larger
        room[:, :, past:total] = new
        rooms.append(room)
    keys, values = (room[:, :, :total].clone() for room in rooms)
    mask = torch.ones(q.shape[2], total, dtype=torch.bool, device=q.device).tril(past)
    scores = (q @ keys.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ values, (*rooms, total)


@misconception("attend_with_cache", "attend-zero-scores-hidden")
def zero_scores_hidden(q, k, v, cache=None):
    """You hide every score that is 0, also that of a key that may be seen.

    Queries and keys at right angles have a score of 0 too. Decide by the places who sees whom, not by the scores.
    """
    past = 0 if cache is None else cache[0].shape[2]
    keys, values = (k, v) if cache is None else (torch.cat(pair, dim=2) for pair in zip(cache, (k, v), strict=True))
    scores = (q @ keys.mT / math.sqrt(q.shape[-1])).tril(past)
    return scores.masked_fill(scores == 0, -torch.inf).softmax(-1) @ values, (keys, values)
