"""Wrong ways to let query heads share keys and values."""

import math

import torch

from reference.ch05_multihead import grouped_query_attention
from reference.misconceptions import misconception


@misconception("grouped_query_attention", "gqa-tiled")
def groups_in_turns(q, k, v, mask=None):
    """Your query heads take the key heads in turns, 0 1 2 0 1 2, instead of sharing with their neighbours, 0 0 1 1 2 2.

    `repeat` repeats the whole row of heads, `repeat_interleave(..., dim=1)` each head on its own.
    """
    sharing = q.shape[1] // k.shape[1]
    return grouped_query_attention(q, k.repeat(1, sharing, 1, 1), v.repeat(1, sharing, 1, 1), mask)


@misconception("grouped_query_attention", "gqa-unrepeated")
def left_to_broadcasting(q, k, v, mask=None):
    """You do not make H heads of the G key heads, and broadcasting does it only for G = 1 and G = H.

    Repeat each key head and each value head H / G times in a row, along axis 1: `repeat_interleave(H // G, dim=1)`.
    """
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
    return weights @ v


@misconception("grouped_query_attention", "gqa-unscaled")
def unscaled(q, k, v, mask=None):
    """Your scores are not divided by √d.

    Divide q kᵀ by the root of `q.shape[-1]` before the softmax.
    """
    return grouped_query_attention(q * math.sqrt(q.shape[-1]), k, v, mask)


@misconception("grouped_query_attention", "gqa-by-d")
def divided_by_d(q, k, v, mask=None):
    """Your scores are divided by d, not by its square root.

    The standard deviation of a sum of d products is √d; divide once by that.
    """
    return grouped_query_attention(q / math.sqrt(q.shape[-1]), k, v, mask)


@misconception("grouped_query_attention", "gqa-by-model-width")
def divided_by_the_root_of_the_width(q, k, v, mask=None):
    """Your scores are divided by √(H·d), the root of the model's width.

    A score of one head is a sum of d products: divide by the root of `q.shape[-1]`.
    """
    return grouped_query_attention(q / math.sqrt(q.shape[1]), k, v, mask)


@misconception("grouped_query_attention", "gqa-hard-coded")
def divided_by_eight(q, k, v, mask=None):
    """Your scores are divided by 8 = √64 however wide the heads are; in the paper a head has 64 columns.

    Divide by the root of `q.shape[-1]`.
    """
    return grouped_query_attention(q * math.sqrt(q.shape[-1]) / 8.0, k, v, mask)


@misconception("grouped_query_attention", "gqa-values-tiled")
def only_keys_repeated_right(q, k, v, mask=None):
    """Your keys are shared by neighbours, but your values in turns.

    Key and value belong together: repeat both in the same way, with `repeat_interleave`.
    """
    units = torch.eye(k.shape[2], dtype=k.dtype, device=k.device).expand(*k.shape[:2], -1, -1)
    weights = grouped_query_attention(q, k, units, mask)
    return weights @ v.repeat(1, q.shape[1] // v.shape[1], 1, 1)


@misconception("grouped_query_attention", "gqa-count-for-size")
def repeated_by_the_number_of_groups(q, k, v, mask=None):
    """You repeat each key head G times instead of H / G times.

    G is how many key heads there are; each must serve H / G query heads.
    """
    k, v = k.repeat_interleave(k.shape[1], dim=1), v.repeat_interleave(v.shape[1], dim=1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
    return weights @ v


@misconception("grouped_query_attention", "gqa-first-group")
def one_group_for_all(q, k, v, mask=None):
    """All your query heads use the first key head: that is multi-query attention.

    With G key heads, query head h belongs to key head h·G // H.
    """
    return grouped_query_attention(q, k[:, :1], v[:, :1], mask)


@misconception("grouped_query_attention", "gqa-queries-averaged")
def queries_averaged(q, k, v, mask=None):
    """You average the queries that share a key head, so these heads all give the same.

    Keys and values are shared, the queries are not: H different questions to G stores.
    """
    sharing = q.shape[1] // k.shape[1]
    mean = q.unflatten(1, (k.shape[1], sharing)).mean(2)
    return grouped_query_attention(mean.repeat_interleave(sharing, dim=1), k, v, mask)


@misconception("grouped_query_attention", "gqa-groups-remain")
def one_output_per_group(q, k, v, mask=None):
    """You return one result per key head, (B, G, T, d).

    Every query head has a result of its own: (B, H, T, d).
    """
    sharing = q.shape[1] // k.shape[1]
    return grouped_query_attention(q, k, v, mask).unflatten(1, (k.shape[1], sharing)).mean(2)


@misconception("grouped_query_attention", "gqa-merged")
def merged(q, k, v, mask=None):
    """You merge the heads, (B, T, H·d).

    Here they keep their axis, (B, H, T, d); merging comes later, outside of this function.
    """
    return grouped_query_attention(q, k, v, mask).transpose(1, 2).flatten(2)


@misconception("grouped_query_attention", "gqa-pair")
def weights_returned_too(q, k, v, mask=None):
    """You return output and weights; only the output is asked for here.

    Return `weights @ v` alone.
    """
    units = torch.eye(k.shape[2], dtype=k.dtype, device=k.device).expand(*k.shape[:2], -1, -1)
    return grouped_query_attention(q, k, v, mask), grouped_query_attention(q, k, units, mask)


@misconception("grouped_query_attention", "gqa-query-axis")
def softmax_over_queries(q, k, v, mask=None):
    """Your softmax runs over the queries, so the columns of your weights sum to 1 and the rows do not.

    Each query shares its weight out among the keys: the last axis, dim=-1.
    """
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -2).masked_fill(hidden, 0.0)
    return weights @ v


@misconception("grouped_query_attention", "gqa-mixes-keys")
def keys_mixed(q, k, v, mask=None):
    """You mix the keys; the values are not used.

    The weights come from queries and keys; what they mix is v.
    """
    return grouped_query_attention(q, k, k, mask)


@misconception("grouped_query_attention", "gqa-mask-inverted")
def mask_inverted(q, k, v, mask=None):
    """Your mask works the wrong way round: you hide what is allowed.

    True = may attend; fill where `~mask`.
    """
    return grouped_query_attention(q, k, v, None if mask is None else ~mask)


@misconception("grouped_query_attention", "gqa-mask-ignored")
def mask_ignored(q, k, v, mask=None):
    """Your mask has no effect.

    Is `mask` used at all? `masked_fill` and `torch.where` return a new tensor: keep it and pass it to the softmax.
    """
    return grouped_query_attention(q, k, v)


@misconception("grouped_query_attention", "gqa-mask-afterwards")
def masked_after_the_softmax(q, k, v, mask=None):
    """You clear the forbidden weights after the softmax, so that rows no longer sum to 1.

    The forbidden keys have taken their share by then; hide their scores before the softmax.
    """
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)
    return (weights if mask is None else weights * mask) @ v


@misconception("grouped_query_attention", "gqa-dead-uniform")
def mean_for_dead_rows(q, k, v, mask=None):
    """A query that may attend to nothing gets the mean of all values.

    Where every score is the same low number, all weights are equal; clear the forbidden ones after the softmax as well.
    """
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return torch.softmax(scores if mask is None else scores.masked_fill(~mask, -1e9), -1) @ v


@misconception("grouped_query_attention", "gqa-dead-nan")
def nan_for_dead_rows(q, k, v, mask=None):
    """A query that may attend to nothing gets NaN.

    Softmax of nothing but -inf is 0/0: fill with `torch.finfo(scores.dtype).min`, and clear forbidden weights after it.
    """
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), -1) @ v


@misconception("grouped_query_attention", "gqa-dead-gradient")
def nan_gradients_for_dead_rows(q, k, v, mask=None):
    """Where a query may attend to nothing, your output is right and the gradients are NaN: you repair them too late.

    A NaN that is repaired after the softmax comes back in the gradients. Where does your first NaN come from: from -inf
    that is added to the scores, or from a division by a sum of 0?

    Hide the scores with `masked_fill(~mask, torch.finfo(scores.dtype).min)` and clear the forbidden weights after the
    softmax: then there is no NaN to repair.
    """
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    added = scores if mask is None else scores + torch.log(mask.to(scores.dtype))
    return torch.nan_to_num(torch.softmax(added, -1)) @ v


@misconception("grouped_query_attention", "gqa-fill-1e4")
def fill_of_minus_ten_thousand(q, k, v, mask=None):
    """You fill forbidden scores with a number like -10000; where allowed ones are lower still, the forbidden keys win.

    Fill with `torch.finfo(scores.dtype).min`, below every score; -inf would give NaN to a query that sees nothing.
    """
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    return (torch.softmax(scores.masked_fill(hidden, -1e4), -1) * ~hidden.all(-1, keepdim=True)) @ v


@misconception("grouped_query_attention", "gqa-float32")
def softmax_in_float32(q, k, v, mask=None):
    """Your softmax is computed in float32, which costs float64 inputs half of their digits.

    Half precision needs that, float64 does not: compute in the dtype of the inputs.
    """
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    weights = torch.softmax(scores.masked_fill(hidden, -1e9), -1, dtype=torch.float32).to(q.dtype)
    return weights.masked_fill(hidden, 0.0) @ v


@misconception("grouped_query_attention", "gqa-overwrites-queries")
def queries_scaled_in_place(q, k, v, mask=None):
    """You scale the caller's queries in place.

    `q /= ...` writes into the tensor you were given; `q = q / ...` makes a new one.
    """
    q /= math.sqrt(q.shape[-1])
    return grouped_query_attention(q * math.sqrt(q.shape[-1]), k, v, mask)


@misconception("grouped_query_attention", "gqa-detached")
def weights_detached(q, k, v, mask=None):
    """No gradient reaches q and k: the weights are cut off (detach, .data, no_grad or NumPy).

    Queries and keys learn through the weights alone; leave them attached.
    """
    return grouped_query_attention(q.detach(), k.detach(), v, mask)
