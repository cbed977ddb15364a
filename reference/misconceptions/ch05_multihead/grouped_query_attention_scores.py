"""Wrong scores, masks and groups in attention with shared keys and values."""

import math

import torch

from reference.ch05_multihead import grouped_query_attention
from reference.misconceptions import misconception


@misconception("grouped_query_attention", "gqa-head-over-groups")
def divided_by_the_number_of_groups(q, k, v, mask=None):
    """Your query head h uses the key head h // G, not h // (H / G).

    H / G neighbours share a key head, so the number to divide by is how many share, not how many key heads there are.
    """
    index = [head // k.shape[1] for head in range(q.shape[1])]
    return grouped_query_attention(q, k[:, index], v[:, index], mask)


@misconception("grouped_query_attention", "gqa-keys-tiled")
def only_values_repeated_right(q, k, v, mask=None):
    """Your values are shared by neighbours, but your keys in turns.

    Key and value belong together: repeat both in the same way, with `repeat_interleave`.
    """
    sharing = q.shape[1] // k.shape[1]
    return grouped_query_attention(q, k.repeat(1, sharing, 1, 1), v.repeat_interleave(sharing, dim=1), mask)


@misconception("grouped_query_attention", "gqa-last-group")
def last_group_for_all(q, k, v, mask=None):
    """All your query heads use the last key head.

    With G key heads, query head h belongs to key head h·G // H; perhaps a loop overwrites what it found before.
    """
    return grouped_query_attention(q, k[:, -1:], v[:, -1:], mask)


@misconception("grouped_query_attention", "gqa-groups-averaged")
def key_heads_averaged(q, k, v, mask=None):
    """You average all key heads and value heads, and every query head uses the average.

    Each key head stays as it is and serves H / G neighbours: `repeat_interleave(H // G, dim=1)`.
    """
    return grouped_query_attention(q, k.mean(1, keepdim=True), v.mean(1, keepdim=True), mask)


@misconception("grouped_query_attention", "gqa-expanded")
def expanded_to_all_heads(q, k, v, mask=None):
    """You call `expand` for H heads, which only works for one key head or for H of them.

    `expand` can only stretch an axis of size 1; repeat each key head H / G times with `repeat_interleave`.
    """
    shape = (-1, q.shape[1], -1, -1)
    return grouped_query_attention(q, k.expand(shape), v.expand(shape), mask)


@misconception("grouped_query_attention", "gqa-mask-five-axes")
def mask_on_five_axes(q, k, v, mask=None):
    """Your scores have five axes, (B, G, H/G, T, T), and the mask meets the wrong ones.

    From the right, your mask's heads meet H/G and its batch meets G: give the mask the same axes, or repeat k and v.
    """
    grouped = q.unflatten(1, (k.shape[1], -1))
    scores = grouped @ k.unsqueeze(2).mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
    return (weights @ v.unsqueeze(2)).flatten(1, 2)


@misconception("grouped_query_attention", "gqa-mask-required")
def mask_required(q, k, v, mask=None):
    """Without a mask your attention fails: `mask` may be None.

    Nothing is hidden then: take the plain softmax if `mask is None`.
    """
    sharing = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(sharing, dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = ~mask
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
    return weights @ v


@misconception("grouped_query_attention", "gqa-causal")
def always_causal(q, k, v, mask=None):
    """Your queries do not see what comes after them: you hide the future without being asked to.

    Only `mask` says what is hidden, and None allows everything.
    """
    past = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril()
    return grouped_query_attention(q, k, v, past if mask is None else mask & past)


@misconception("grouped_query_attention", "gqa-mask-first-sentence")
def mask_of_the_first_sentence(q, k, v, mask=None):
    """You use the first slice of the mask, `mask[0]`, for everything.

    Let the whole mask broadcast by itself.
    """
    return grouped_query_attention(q, k, v, None if mask is None else mask[0])


@misconception("grouped_query_attention", "gqa-mask-product")
def mask_as_factor(q, k, v, mask=None):
    """You set the forbidden scores to 0 (or to a tiny number such as 1e-9), but exp(0) = 1 hides nothing.

    What must vanish in the softmax needs a score far below all others.
    """
    sharing = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(sharing, dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return torch.softmax(scores if mask is None else scores * mask, -1) @ v


@misconception("grouped_query_attention", "gqa-mask-added")
def mask_as_summand(q, k, v, mask=None):
    """You add the boolean mask to the scores, which raises the allowed ones by 1 and hides none.

    A mask that is added holds 0 and very low numbers; a boolean one says where to fill: `masked_fill(~mask, ...)`.
    """
    sharing = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(sharing, dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return torch.softmax(scores if mask is None else scores + mask, -1) @ v


@misconception("grouped_query_attention", "gqa-dead-unmasked")
def dead_rows_unmasked(q, k, v, mask=None):
    """A query that may attend to nothing attends as if there were no mask.

    A softmax never gives zero weight to a whole row, whatever is added to it; clear the forbidden weights after it.
    """
    sharing = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(sharing, dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return torch.softmax(scores if mask is None else scores - 1e9 * ~mask, -1) @ v


@misconception("grouped_query_attention", "gqa-scaled-up")
def multiplied_by_the_root(q, k, v, mask=None):
    """Your scores are multiplied by √d instead of divided.

    The root takes back what summing d products adds: divide.
    """
    return grouped_query_attention(q * q.shape[-1], k, v, mask)


@misconception("grouped_query_attention", "gqa-scale-positions")
def divided_by_the_root_of_the_length(q, k, v, mask=None):
    """Your scores are divided by the root of the number of positions.

    A score is a sum of d products; T has no part in it: divide by the root of `q.shape[-1]`.
    """
    return grouped_query_attention(q * math.sqrt(q.shape[-1] / q.shape[-2]), k, v, mask)


@misconception("grouped_query_attention", "gqa-scale-heads")
def divided_by_the_root_of_the_heads(q, k, v, mask=None):
    """Your scores are divided by the root of the number of query heads.

    A score is a sum of d products: divide by the root of `q.shape[-1]`, not of `q.shape[1]`.
    """
    return grouped_query_attention(q * math.sqrt(q.shape[-1] / q.shape[1]), k, v, mask)


@misconception("grouped_query_attention", "gqa-head-axis")
def softmax_over_heads(q, k, v, mask=None):
    """Your softmax runs over axis 1, the heads.

    Each query shares its weight out among the keys: the last axis, dim=-1. `F.softmax` without `dim` takes axis 1 here.
    """
    sharing = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(sharing, dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), 1).masked_fill(hidden, 0.0)
    return weights @ v


@misconception("grouped_query_attention", "gqa-weights-turned")
def values_mixed_by_transposed_weights(q, k, v, mask=None):
    """You mix the values with the transposed weights.

    Rows are queries: multiply the values from the left by the weights as they are.
    """
    sharing = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(sharing, dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
    return weights.mT @ v


@misconception("grouped_query_attention", "gqa-scores-turned")
def scores_turned(q, k, v, mask=None):
    """Your scores are k qᵀ: keys in the rows, queries in the columns.

    Rows are queries, columns are keys: q kᵀ.
    """
    sharing = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(sharing, dim=1) for x in (k, v))
    scores = k @ q.mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
    return weights @ v


@misconception("grouped_query_attention", "gqa-squeezed")
def without_axes_of_size_one(q, k, v, mask=None):
    """You drop axes of size 1.

    A batch of one, a single head or a single word is a real axis; leave out `squeeze()`.
    """
    return grouped_query_attention(q, k, v, mask).squeeze()


@misconception("grouped_query_attention", "gqa-flattened-keys")
def repeated_without_an_axis(q, k, v, mask=None):
    """You call `repeat_interleave` without `dim`, which flattens keys and values into one long row.

    Say along which axis it repeats: `repeat_interleave(H // G, dim=1)`.
    """
    sharing = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(sharing) for x in (k, v))
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v


@misconception("grouped_query_attention", "gqa-renormalised")
def masked_and_renormalised(q, k, v, mask=None):
    """You remove the forbidden weights after the softmax and divide by what is left, which may be nothing.

    A large forbidden score leaves the allowed weights no digits at all, then 0/0; hide the scores first.
    """
    sharing = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(sharing, dim=1) for x in (k, v))
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True)
    return weights @ v


@misconception("grouped_query_attention", "gqa-wrong-axes-transposed")
def wrong_axes_transposed(q, k, v, mask=None):
    """You transpose the wrong axes of the keys: 1 and 2, heads and positions, or all four, as `.T` does.

    A score is a product over d. Which two axes of the keys must change places for that?
    """
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
    return weights @ v


@misconception("grouped_query_attention", "gqa-mask-not-grouped")
def mask_not_cut_into_groups(q, k, v, mask=None):
    """Your scores have the heads in groups, (B, G, H/G, T, T), but a mask with its H heads is not cut into groups.

    A mask (B, H, T, T) has a page for each head. If the heads of the scores take two axes, how many must its own take?
    """
    scores = q.unflatten(1, (k.shape[1], -1)) @ k.unsqueeze(2).mT / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.unsqueeze(-3)
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
    return (weights @ v.unsqueeze(2)).flatten(1, 2)


@misconception("grouped_query_attention", "gqa-mask-first-head")
def mask_of_the_first_head(q, k, v, mask=None):
    """You use the mask of the first head for all heads.

    A mask may have an axis for the heads, and broadcasts by itself. Why index it at all?
    """
    return grouped_query_attention(q, k, v, mask[..., :1, :, :] if mask is not None and mask.dim() > 2 else mask)


@misconception("grouped_query_attention", "gqa-mask-turned")
def mask_on_the_queries(q, k, v, mask=None):
    """Your mask lies on the axis of the queries: you transpose its last two axes.

    Which axis of the scores counts keys? A mask that broadcasts to the scores needs no other order.
    """
    return grouped_query_attention(q, k, v, mask if mask is None or mask.dim() < 2 else mask.mT)


@misconception("grouped_query_attention", "gqa-whole-root")
def divided_by_a_whole_root(q, k, v, mask=None):
    """You divide by √d rounded to a whole number.

    `math.isqrt` and `int` drop what follows the point: √11 is 3.32, not 3.
    """
    return grouped_query_attention(q * (math.sqrt(q.shape[-1]) / math.isqrt(q.shape[-1])), k, v, mask)


@misconception("grouped_query_attention", "gqa-global-max")
def largest_score_of_all(q, k, v, mask=None):
    """You subtract the largest allowed score of many queries at once, so one with scores far below it gets no weights.

    Each query has a maximum of its own. Along which axis must you look for it, and with which `keepdim`?
    """
    k, v = (x.repeat_interleave(q.shape[1] // k.shape[1], dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    powers = torch.exp(scores - scores.detach().amax().clamp_min(torch.finfo(scores.dtype).min))
    total = powers.sum(dim=-1, keepdim=True)
    return powers / total.masked_fill(total == 0, 1.0) @ v


@misconception("grouped_query_attention", "gqa-zero-hidden")
def scores_of_zero_hidden(q, k, v, mask=None):
    """An allowed key whose score is exactly 0 is hidden too: you take every 0 for a forbidden score.

    A product of score and mask is 0 for two reasons. Only the mask tells them apart: ask it.
    """
    k, v = (x.repeat_interleave(q.shape[1] // k.shape[1], dim=1) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = (scores if mask is None else scores * mask) == 0
    return torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0) @ v


@misconception("grouped_query_attention", "gqa-mask-in-turns")
def mask_in_turns(q, k, v, mask=None):
    """Where heads have masks of their own they get one another's: you cut the mask's heads as (H/G, G), not (G, H/G).

    Query heads that share a key head are neighbours. The mask's axis of heads must be cut as that of the queries is.
    """
    groups, heads, length = k.shape[1], *q.shape[1:3]
    if mask is not None:
        mask = mask.expand(q.shape[0], heads, length, length).unflatten(1, (heads // groups, groups))
        mask = mask.transpose(1, 2).flatten(1, 2)
    return grouped_query_attention(q, k, v, mask)
