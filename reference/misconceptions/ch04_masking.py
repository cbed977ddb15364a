"""What goes wrong in chapter 4: masks, and what a softmax makes of them."""

import math

import torch

from reference.ch04_masking import (
    additive_mask,
    causal_mask,
    combine_masks,
    masked_attention,
    masked_softmax,
)
from reference.misconceptions import misconception


@misconception("padding_mask", "padding-mask-inverted")
def padding_inverted(ids, pad_id):
    """Your mask is upside down: True stands at the padding and False at the words.

    True means "may attend" everywhere in this course, so True belongs where the id is *not* `pad_id`.
    """
    return (ids == pad_id)[:, None, None, :]


@misconception("padding_mask", "padding-mask-query-axis")
def padding_on_the_query_axis(ids, pad_id):
    """Your mask lies on the axis of the queries: its shape is (B, 1, T, 1).

    It would silence what padded positions ask and let everyone listen to padding; keys are the last axis, (B, 1, 1, T).
    """
    return (ids != pad_id)[:, None, :, None]


@misconception("padding_mask", "padding-mask-two-axes")
def padding_of_two_axes(ids, pad_id):
    """Your mask is right, but has only the axes (B, T).

    Beside scores (B, H, Tq, Tk) its B would be taken for the queries; insert axes of size 1 for heads and queries.
    """
    return ids != pad_id


@misconception("padding_mask", "padding-mask-three-axes")
def padding_of_three_axes(ids, pad_id):
    """Your mask has three axes, (B, 1, T), and one is missing.

    Beside scores (B, H, Tq, Tk) its B would be taken for the heads; heads and queries need an axis of size 1 each.
    """
    return (ids != pad_id)[:, None, :]


@misconception("padding_mask", "padding-mask-both-axes")
def padding_on_both_axes(ids, pad_id):
    """Your mask forbids padded queries as well as padded keys, and has the shape (B, 1, T, T).

    Hiding padding as a key is enough; rows of padded queries would be empty for nothing.
    """
    real = ids != pad_id
    return real[:, None, :, None] & real[:, None, None, :]


@misconception("padding_mask", "padding-mask-one-for-all")
def padding_of_the_first_sentence(ids, pad_id):
    """You use the padding of the first sentence for the whole batch.

    Every row of ids has its own length; compare all of ids with `pad_id`, not `ids[0]`.
    """
    return (ids[0] != pad_id).expand(ids.shape[0], 1, 1, ids.shape[1])


@misconception("padding_mask", "padding-mask-zero")
def padding_is_always_zero(ids, pad_id):
    """You take 0 for the padding, whatever `pad_id` says.

    The filler id is a choice of the tokenizer; compare with the argument `pad_id`.
    """
    return (ids != 0)[:, None, None, :]


@misconception("padding_mask", "padding-mask-larger")
def padding_is_the_smallest_id(ids, pad_id):
    """You keep only ids that are larger than `pad_id`.

    That works while padding is 0; words may have smaller ids than the filler, so ask `!=`.
    """
    return (ids > pad_id)[:, None, None, :]


@misconception("padding_mask", "padding-mask-behind")
def padding_always_stands_behind(ids, pad_id):
    """You count the words of a row and allow that many positions from the left.

    Padding may stand in front or in between (chapter 7 pads in front); mark each token by its own id.
    """
    lengths = (ids != pad_id).sum(dim=1, keepdim=True)
    return (torch.arange(ids.shape[1], device=ids.device) < lengths)[:, None, None, :]


@misconception("padding_mask", "padding-mask-numbers")
def padding_as_numbers(ids, pad_id):
    """Your mask holds the numbers 1 and 0 instead of True and False.

    `~mask` and `masked_fill` need booleans, and that is what a comparison gives; leave out the conversion.
    """
    return (ids != pad_id)[:, None, None, :].to(torch.get_default_dtype())


@misconception("padding_mask", "padding-mask-additive")
def padding_as_summand(ids, pad_id):
    """Your mask holds 0 and -inf: that is the additive kind, made to be added to scores.

    This course's masks are boolean, True = may attend; `additive_mask` turns one into the other.
    """
    return torch.zeros(ids.shape, device=ids.device).masked_fill(ids == pad_id, -math.inf)[:, None, None, :]


@misconception("padding_mask", "padding-mask-overwrites")
def padding_overwrites_ids(ids, pad_id):
    """You write into the ids you were given while making the mask.

    The caller still needs them; a comparison makes a new tensor and leaves ids alone.
    """
    ids.sub_(pad_id)
    return ids.bool()[:, None, None, :]


@misconception("padding_mask", "padding-mask-device")
def padding_on_the_default_device(ids, pad_id):
    """You build the mask on the default device instead of the one where ids lies.

    On a GPU the two don't meet; derive the mask from ids, or pass `device=ids.device`.
    """
    real = torch.zeros(ids.shape, dtype=torch.bool)
    real[ids != pad_id] = True
    return real[:, None, None, :]


@misconception("causal_mask", "causal-mask-inverted")
def causal_inverted(length, past=0):
    """Your mask is upside down: True stands at the future, which must not be seen.

    True means "may attend": a query sees itself and what came before. `triu(1)` would be what to hide.
    """
    return ~causal_mask(length, past)


@misconception("causal_mask", "causal-mask-no-self")
def causal_without_itself(length, past=0):
    """In your mask a query does not see its own position.

    It may: position i predicts word i + 1, so word i is known. Compare with <=, or keep the diagonal.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril(past - 1)


@misconception("causal_mask", "causal-mask-peeks")
def causal_peeks_ahead(length, past=0):
    """Your queries see one position too many: the very word they are to predict.

    Query i stands at position past + i and sees keys up to past + i, itself the last; move the diagonal left by one.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril(past + 1)


@misconception("causal_mask", "causal-mask-future")
def causal_sees_the_future(length, past=0):
    """Your triangle is flipped: a query sees itself and what comes after it, not what came before.

    Rows are queries, columns are keys; key <= query is allowed. Look for `triu`, a transpose or a >=.
    """
    return torch.ones(length, past + length, dtype=torch.bool).triu(past)


@misconception("causal_mask", "causal-mask-top-left")
def causal_aligned_top_left(length, past=0):
    """Your triangle starts in the upper left corner, as if query 0 stood at position 0.

    With `past` earlier keys, query i stands at position past + i; move the diagonal right by `past`.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril()


@misconception("causal_mask", "causal-mask-past-ignored")
def causal_without_past(length, past=0):
    """Your mask is (length, length): the `past` earlier keys have no column.

    Queries are the new positions only, keys are the old and the new ones: (length, past + length).
    """
    return torch.ones(length, length, dtype=torch.bool).tril()


@misconception("causal_mask", "causal-mask-past-on-queries")
def causal_with_past_on_the_query_axis(length, past=0):
    """You add `past` to the rows, but the earlier positions are keys, not queries.

    They were asked long ago and only their keys are kept: the shape is (length, past + length).
    """
    return torch.ones(past + length, length, dtype=torch.bool).tril()


@misconception("causal_mask", "causal-mask-past-on-both")
def causal_with_past_on_both_axes(length, past=0):
    """Your mask is square: it has a row for every earlier position too.

    Only the new positions are queries; the last `length` rows of your mask are the answer.
    """
    return torch.ones(past + length, past + length, dtype=torch.bool).tril()


@misconception("causal_mask", "causal-mask-past-hidden")
def causal_hides_the_past(length, past=0):
    """Your queries do not see the `past` earlier keys at all.

    What came before is what a causal query lives on: the first `past` columns are all True.
    """
    return torch.cat([torch.zeros(length, past, dtype=torch.bool), causal_mask(length)], dim=1)


@misconception("causal_mask", "causal-mask-past-behind")
def causal_with_past_behind(length, past=0):
    """You put the columns of the `past` earlier keys behind the new ones.

    Keys stand in the order of the text: the old ones first, then the triangle of the new ones.
    """
    return torch.cat([causal_mask(length), torch.ones(length, past, dtype=torch.bool)], dim=1)


@misconception("causal_mask", "causal-mask-everything")
def causal_hides_nothing(length, past=0):
    """Your mask allows everything.

    That is right for a single new query, but with more of them the earlier ones must not see the later ones.
    """
    return torch.ones(length, past + length, dtype=torch.bool)


@misconception("causal_mask", "causal-mask-numbers")
def causal_as_numbers(length, past=0):
    """Your mask holds the numbers 1 and 0 instead of True and False.

    `~mask` and `masked_fill` need booleans: build it with `dtype=torch.bool`, or by a comparison.
    """
    return torch.ones(length, past + length).tril(past)


@misconception("causal_mask", "causal-mask-additive")
def causal_as_summand(length, past=0):
    """Your mask holds 0 and -inf: that is the additive kind, made to be added to scores.

    This course's masks are boolean, True = may attend; `additive_mask` turns one into the other.
    """
    return torch.full((length, past + length), -math.inf).triu(past + 1)


@misconception("causal_mask", "causal-mask-four-axes")
def causal_of_four_axes(length, past=0):
    """Your mask has two axes of size 1 in front that nobody asked for.

    Broadcasting adds them by itself, in front; return (length, past + length).
    """
    return causal_mask(length, past)[None, None]


@misconception("causal_mask", "causal-mask-fixed-table")
def causal_from_a_fixed_table(length, past=0):
    """You cut the mask out of a table of fixed size, so a longer text does not fit.

    Build it for `length` and `past`, or let the table grow.
    """
    return torch.ones(64, 64, dtype=torch.bool).tril()[past : past + length, : past + length]


@misconception("combine_masks", "combine-masks-or")
def combine_with_or(*masks):
    """You join the masks with *or*: a pair passes if any one mask allows it.

    All must allow, so join them by `&`; the sum and the maximum of booleans are an *or* too.
    """
    present = [mask for mask in masks if mask is not None]
    return torch.stack(torch.broadcast_tensors(*present)).any(dim=0) if present else None


@misconception("combine_masks", "combine-masks-last")
def combine_keeps_the_last(*masks):
    """Only your last mask counts; it takes the place of those before it.

    Keep what the others forbid: combine each mask with the result so far, `combined & mask`.
    """
    present = [mask for mask in masks if mask is not None]
    return present[-1] if present else None


@misconception("combine_masks", "combine-masks-first")
def combine_keeps_the_first(*masks):
    """Only your first mask counts.

    A loop that returns too early does this, or an `&` whose result is not kept; take in every mask.
    """
    present = [mask for mask in masks if mask is not None]
    return present[0] if present else None


@misconception("combine_masks", "combine-masks-two")
def combine_two_at_most(*masks):
    """You take in only the first two masks.

    There may be any number, `*masks`; go through all of them.
    """
    return combine_masks(*[mask for mask in masks if mask is not None][:2])


@misconception("combine_masks", "combine-masks-same")
def combine_where_masks_agree(*masks):
    """You allow a pair where the masks agree, even where all of them forbid it.

    All must allow: use `&`, not `==`.
    """
    present = [mask for mask in masks if mask is not None]
    combined = present[0] if present else None
    for mask in present[1:]:
        combined = combined == mask
    return combined


@misconception("combine_masks", "combine-masks-none-wins")
def combine_gives_up_at_none(*masks):
    """One `None` among the masks makes you return `None`, so the other masks are lost.

    `None` means "no mask here" and is skipped; only if nothing else is left is the result `None`.
    """
    return None if any(mask is None for mask in masks) else combine_masks(*masks)


@misconception("combine_masks", "combine-masks-none-forbids")
def combine_takes_none_for_false(*masks):
    """You treat `None` as a mask that forbids everything.

    "No mask" forbids nothing: skip it.
    """
    combined = combine_masks(*masks)
    some_missing = any(mask is None for mask in masks)
    return combined & False if combined is not None and some_missing else combined


@misconception("combine_masks", "combine-masks-none-unhandled")
def combine_does_not_expect_none(*masks):
    """You use `None` like a tensor.

    `None` stands for "no mask": leave those out before you combine the rest.
    """
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined


@misconception("combine_masks", "combine-masks-true")
def combine_nothing_to_true(*masks):
    """Without any mask you return True as a tensor instead of `None`.

    "No mask" stays "no mask", so that attention need not apply one: return `None`.
    """
    combined = combine_masks(*masks)
    return torch.tensor(True) if combined is None else combined


@misconception("combine_masks", "combine-masks-stacked")
def combine_stacks(*masks):
    """You stack the masks, which only works while all have the same shape.

    (B, 1, 1, T) and (T, T) must broadcast: `&` does that by itself, or call `torch.broadcast_tensors` first.
    """
    present = [mask for mask in masks if mask is not None]
    return torch.stack(present).all(dim=0) if present else None


@misconception("combine_masks", "combine-masks-truth")
def combine_asks_for_truth(*masks):
    """You ask a whole mask for its truth value, as `if mask` and `a and b` do.

    A tensor of many entries has none; ask `mask is not None`, and combine with `&`.
    """
    present = [mask for mask in masks if mask]
    return combine_masks(*present)


@misconception("combine_masks", "combine-masks-count")
def combine_counts(*masks):
    """You add the masks up as numbers and return how many allow a pair.

    The result is a mask again: a boolean, True where all allow. Use `&`.
    """
    present = [mask for mask in masks if mask is not None]
    return sum(mask.long() for mask in present) if present else None


@misconception("combine_masks", "combine-masks-product")
def combine_multiplies(*masks):
    """You multiply the masks as numbers, so the result is no longer boolean.

    Where it is 1 and where 0 is right, but `~mask` needs True and False: use `&`.
    """
    combined = combine_masks(*masks)
    return None if combined is None else combined.to(torch.get_default_dtype())


@misconception("combine_masks", "combine-masks-in-place")
def combine_in_place(*masks):
    """You combine in place, which overwrites the caller's first mask and cannot broadcast it.

    `combined &= mask` writes into the tensor on the left; `combined = combined & mask` makes a new one.
    """
    present = [mask for mask in masks if mask is not None]
    combined = present[0] if present else None
    for mask in present[1:]:
        combined &= mask
    return combined


@misconception("combine_masks", "combine-masks-device")
def combine_on_the_default_device(*masks):
    """You start from a mask on the default device instead of the one where the masks lie.

    On a GPU the two don't meet; start with the first mask that is there.
    """
    present = [mask for mask in masks if mask is not None]
    if not present:
        return None
    combined = torch.ones(torch.broadcast_shapes(*[mask.shape for mask in present]), dtype=torch.bool)
    for mask in present:
        combined = combined & mask
    return combined


@misconception("additive_mask", "additive-mask-inverted")
def additive_inverted(mask, dtype):
    """Your additive mask is upside down: -inf where attending is allowed, 0 where it is not.

    True means "may attend" and must leave the score alone: 0 there. Fill where `~mask`.
    """
    return additive_mask(~mask, dtype)


@misconception("additive_mask", "additive-mask-ones")
def additive_of_ones_and_zeros(mask, dtype):
    """You return 1 where allowed and 0 where not: the boolean mask in numbers.

    Added to a score, 1 and 0 hide nothing; it takes 0 where allowed and -inf where not.
    """
    return mask.to(dtype)


@misconception("additive_mask", "additive-mask-1e9")
def additive_with_minus_1e9(mask, dtype):
    """Your additive mask holds -1e9 instead of -inf.

    A large negative number hides most of the time; -inf hides always, and says what is meant.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, -1e9)


@misconception("additive_mask", "additive-mask-1e4")
def additive_with_minus_1e4(mask, dtype):
    """Your additive mask holds -10000 instead of -inf.

    That was a habit of half precision; scores below -10000 would lose against it. Use `float("-inf")`.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, -1e4)


@misconception("additive_mask", "additive-mask-lowest")
def additive_with_the_lowest_number(mask, dtype):
    """Your additive mask holds the lowest finite number of the dtype instead of -inf.

    It hides, but it is another number, and two of them added overflow; use `float("-inf")`.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, torch.finfo(dtype).min)


@misconception("additive_mask", "additive-mask-plus")
def additive_with_plus_infinity(mask, dtype):
    """Your additive mask holds +inf where attending is forbidden.

    Softmax would give such a key everything; a score that must vanish needs -inf.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, math.inf)


@misconception("additive_mask", "additive-mask-product")
def additive_by_product(mask, dtype):
    """You multiply by -inf, which makes 0 · ∞ = NaN where attending is allowed.

    Fill instead: zeros with -inf at `~mask`, by `masked_fill` or `torch.where`.
    """
    return (1 - mask.to(dtype)) * -math.inf


@misconception("additive_mask", "additive-mask-log")
def additive_by_log_of_almost_zero(mask, dtype):
    """You take the logarithm of the mask plus a small number, so forbidden pairs only get about -21.

    log 0 = -inf is just what is wanted here; leave the small number out.
    """
    return torch.log(mask.to(dtype) + 1e-9)


@misconception("additive_mask", "additive-mask-fill-lost")
def additive_loses_the_fill(mask, dtype):
    """The result of your `masked_fill` is lost, and all zeros are returned.

    `masked_fill` returns a new tensor; keep it. Only `masked_fill_`, with an underscore, works in place.
    """
    return torch.zeros_like(mask, dtype=dtype)


@misconception("additive_mask", "additive-mask-default-dtype")
def additive_in_the_default_dtype(mask, dtype):
    """You ignore `dtype`: the result always is float32, torch's default.

    Scores are not always float32, and a mask should not decide their precision; create it with `dtype=dtype`.
    """
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -math.inf)


@misconception("additive_mask", "additive-mask-device")
def additive_on_the_default_device(mask, dtype):
    """You create the result on the default device instead of the one where the mask lies.

    On a GPU the two don't meet; create it with `device=mask.device`.
    """
    result = torch.zeros(mask.shape, dtype=dtype)
    result[~mask] = -math.inf
    return result


@misconception("additive_mask", "additive-mask-overwrites")
def additive_overwrites_the_mask(mask, dtype):
    """You turn the caller's mask around in place.

    The mask is used again after this; `~mask` makes a new one, `logical_not_` does not.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(mask.logical_not_(), -math.inf)


@misconception("masked_softmax", "masked-softmax-inverted")
def masked_softmax_inverted(scores, mask):
    """You hide the keys that are allowed and keep the forbidden ones.

    True = may attend, so what is filled is `~mask`; a mask from elsewhere may mean the opposite.
    """
    return masked_softmax(scores, ~mask)


@misconception("masked_softmax", "masked-softmax-unmasked")
def masked_softmax_loses_the_mask(scores, mask):
    """Your weights are those of a softmax without any mask.

    `masked_fill` and `torch.where` return a new tensor: keep it and pass it to the softmax.
    """
    return torch.softmax(scores, dim=-1)


@misconception("masked_softmax", "masked-softmax-afterwards")
def masked_softmax_afterwards(scores, mask):
    """You take the softmax of all scores and clear the forbidden weights afterwards, so rows no longer sum to 1.

    The forbidden keys have taken their share by then; hide their scores before the softmax.
    """
    return torch.softmax(scores, dim=-1) * mask


@misconception("masked_softmax", "masked-softmax-1e4")
def masked_softmax_fill_of_minus_ten_thousand(scores, mask):
    """You fill the forbidden scores with -10000, and where honest scores lie lower, the forbidden keys win.

    Scores may be as low as -1e6; fill with -inf, or with the lowest number of the dtype.
    """
    return torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1) * mask.any(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-product")
def masked_softmax_of_product(scores, mask):
    """You set the forbidden scores to 0 (or to a tiny number such as 1e-9), but exp(0) = 1 hides nothing.

    What must vanish in the softmax needs a score of -inf, or far below all others.
    """
    return torch.softmax(scores * mask, dim=-1)


@misconception("masked_softmax", "masked-softmax-sum")
def masked_softmax_of_sum(scores, mask):
    """You add the boolean mask to the scores, which raises the allowed ones by 1 and hides none.

    A mask to be added holds 0 and -inf (`additive_mask`); with a boolean one, fill.
    """
    return torch.softmax(scores + mask, dim=-1)


@misconception("masked_softmax", "masked-softmax-minus-ten")
def masked_softmax_fill_of_minus_ten(scores, mask):
    """You fill the forbidden scores with -10, which is not low enough: they keep a little weight.

    The weight must be exactly 0; fill with -inf, or with the lowest number of the dtype.
    """
    return torch.softmax(scores.masked_fill(~mask, -10.0), dim=-1) * mask.any(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-dead-uniform")
def masked_softmax_uniform_for_dead_rows(scores, mask):
    """A row in which nothing is allowed becomes uniform: all its keys get the same weight.

    One finite fill repeated makes equal scores; clear the forbidden weights after the softmax as well.
    """
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)


@misconception("masked_softmax", "masked-softmax-dead-unmasked")
def masked_softmax_ordinary_for_dead_rows(scores, mask):
    """A row in which nothing is allowed gets the weights it would have without a mask.

    Adding one and the same -1e9 to a whole row cancels in the softmax; clear the forbidden weights afterwards as well.
    """
    return torch.softmax(scores - 1e9 * ~mask, dim=-1)


@misconception("masked_softmax", "masked-softmax-dead-gradient")
def masked_softmax_nan_on_the_way_back(scores, mask):
    """Your weights are right, but a row in which nothing is allowed has NaN gradients.

    You repair NaN after the softmax, having *added* -inf: on the way back the NaN passes the sum. Fill, it stops NaN.
    """
    return torch.nan_to_num(torch.softmax(scores + additive_mask(mask, scores.dtype), dim=-1))


@misconception("masked_softmax", "masked-softmax-all-for-any")
def masked_softmax_clears_every_masked_row(scores, mask):
    """You clear every row in which something is forbidden.

    Only a row in which *everything* is forbidden becomes zero: ask `mask.any(-1)`, not `mask.all(-1)`.
    """
    return masked_softmax(scores, mask) * mask.all(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-dead-nan")
def masked_softmax_nan_for_dead_rows(scores, mask):
    """A row in which nothing is allowed becomes NaN.

    Softmax of nothing but -inf is 0/0; such a row must be all zeros, and NaN · 0 is still NaN: fill.
    """
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


@misconception("masked_softmax", "masked-softmax-renormalised")
def masked_softmax_renormalised(scores, mask):
    """You remove the forbidden weights after the softmax and divide by what is left, which may be nothing.

    A large forbidden score leaves the allowed weights no digits at all, then 0/0; hide the scores first.
    """
    weights = torch.softmax(scores, dim=-1) * mask
    return weights / weights.sum(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-forbidden-max")
def masked_softmax_shifts_by_a_forbidden_score(scores, mask):
    """You subtract the maximum of all scores of a row, the forbidden ones included.

    If a forbidden one is far above the rest, every allowed exponential vanishes; hide first, then take the maximum.
    """
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * mask
    return powers / powers.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)


@misconception("masked_softmax", "masked-softmax-unstable")
def masked_softmax_without_shift(scores, mask):
    """You exponentiate the scores as they are, so large ones overflow and very low ones vanish.

    Subtract the maximum of each row's allowed scores first, or leave it to `torch.softmax`.
    """
    powers = torch.exp(scores.masked_fill(~mask, -math.inf))
    return powers / powers.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)


@misconception("masked_softmax", "masked-softmax-global-max")
def masked_softmax_global_max(scores, mask):
    """You subtract the largest score of the whole tensor, so rows that lie far below it are lost.

    Each row has its own maximum: `amax(dim=-1, keepdim=True)` over its allowed scores.
    """
    filled = scores.masked_fill(~mask, -math.inf)
    powers = torch.exp(filled - filled.max())
    return powers / powers.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)


@misconception("masked_softmax", "masked-softmax-epsilon")
def masked_softmax_with_epsilon(scores, mask):
    """You add a small number to the sum you divide by, so rows no longer sum to 1.

    It saves dead rows at the cost of all others; treat the dead ones by `where`, `masked_fill` or `clamp_min`.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    powers = torch.exp(filled - filled.amax(dim=-1, keepdim=True)) * mask
    return powers / (powers.sum(dim=-1, keepdim=True) + 1e-6)


@misconception("masked_softmax", "masked-softmax-unnormalised")
def masked_softmax_unnormalised(scores, mask):
    """Your weights are exponentials that nobody has divided by their sum.

    Divide every row by its sum, so that the allowed weights sum to 1.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.exp(filled - filled.amax(dim=-1, keepdim=True)) * mask


@misconception("masked_softmax", "masked-softmax-hard")
def masked_softmax_hard(scores, mask):
    """Your weights are 1 at the highest allowed score and 0 elsewhere: an arg-max, not a softmax.

    Every allowed key gets its share, exp(score) over the sum of the allowed ones.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    best = torch.nn.functional.one_hot(filled.argmax(dim=-1), scores.shape[-1])
    return best.to(scores.dtype).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-query-axis")
def masked_softmax_over_queries(scores, mask):
    """Your softmax runs over the queries: columns sum to 1 instead of rows.

    Each query shares its attention out among the keys, and those are the last axis, dim=-1.
    """
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(~mask, lowest), dim=-2).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-head-axis")
def masked_softmax_over_heads(scores, mask):
    """Your softmax runs over axis 1, the heads, or over the first axis where there is none.

    Without `dim`, torch guesses an axis, and with a fixed one it depends on the rank; the keys are dim=-1.
    """
    lowest = torch.finfo(scores.dtype).min
    dim = 1 if scores.dim() > 3 else 0
    return torch.softmax(scores.masked_fill(~mask, lowest), dim=dim).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-flattened")
def masked_softmax_over_everything(scores, mask):
    """Your softmax runs over all queries and keys at once, so that only all weights together sum to 1.

    Every query has a softmax of its own over the last axis, dim=-1.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(filled.flatten(start_dim=-2), dim=-1).reshape(scores.shape)
    return weights.masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-one-for-all")
def masked_softmax_with_the_first_mask(scores, mask):
    """You use only the first slice of the mask, `mask[0]`, for everything.

    That is the mask of the first sentence (or of the first query); let the whole mask broadcast by itself.
    """
    return masked_softmax(scores, mask[0])


@misconception("masked_softmax", "masked-softmax-indexed")
def masked_softmax_by_indexing(scores, mask):
    """You index the scores with the mask, which works only if both have the same shape.

    A mask (B, 1, 1, Tk) or (Tq, Tk) must broadcast; `masked_fill` and `torch.where` do that.
    """
    filled = scores.clone()
    filled[~mask] = torch.finfo(scores.dtype).min
    weights = torch.softmax(filled, dim=-1)
    weights[~mask] = 0.0
    return weights


@misconception("masked_softmax", "masked-softmax-detached")
def masked_softmax_detached(scores, mask):
    """Your weights are right, but no gradient comes back to the scores.

    `detach`, `.data`, `no_grad`, `numpy` or a new `torch.tensor` cut it off; compute with the scores themselves.
    """
    return masked_softmax(scores.detach(), mask)


@misconception("masked_softmax", "masked-softmax-in-place")
def masked_softmax_in_place(scores, mask):
    """You write into the caller's scores.

    `masked_fill_` with an underscore, and assignment to `scores[...]`, change them; `masked_fill` makes a new tensor.
    """
    scores.masked_fill_(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-float32")
def masked_softmax_in_float32(scores, mask):
    """You convert to float32, torch's default dtype, whatever the scores are.

    Results take the dtype of the inputs; leave out `.float()`, and give new tensors the dtype of the scores.
    """
    return masked_softmax(scores.float(), mask)


@misconception("masked_softmax", "masked-softmax-float64")
def masked_softmax_in_float64(scores, mask):
    """You return float64, whatever the scores are.

    float32 scores give float32 weights; leave out `.double()` and write no dtype into the code.
    """
    return masked_softmax(scores.double(), mask)


@misconception("masked_softmax", "masked-softmax-device")
def masked_softmax_on_the_default_device(scores, mask):
    """You create a tensor on the default device instead of the one where the scores lie.

    On a GPU the two don't meet; use `masked_fill`, `torch.zeros_like`, or pass `device=scores.device`.
    """
    lowest = torch.full(scores.shape, torch.finfo(scores.dtype).min, dtype=scores.dtype)
    return torch.softmax(torch.where(mask, scores, lowest), dim=-1).masked_fill(~mask, 0.0)


@misconception("masked_attention", "masked-attention-unmasked")
def attention_loses_the_mask(q, k, v, mask=None):
    """Your attention takes no notice of the mask.

    `masked_fill` returns a new tensor: keep it. If you use `masked_softmax`, pass it the mask.
    """
    return masked_attention(q, k, v)


@misconception("masked_attention", "masked-attention-inverted")
def attention_inverted(q, k, v, mask=None):
    """Your queries attend to exactly what is forbidden, and to nothing else.

    True = may attend, so what is hidden is `~mask`; a mask from elsewhere may mean the opposite.
    """
    return masked_attention(q, k, v, None if mask is None else ~mask)


@misconception("masked_attention", "masked-attention-required")
def attention_needs_a_mask(q, k, v, mask=None):
    """Your attention cannot do without a mask.

    `mask=None` means that every pair is allowed: take the ordinary softmax then.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask, torch.finfo(q.dtype).min), dim=-1).masked_fill(~mask, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-unscaled")
def attention_unscaled(q, k, v, mask=None):
    """Your scores are not divided by √d.

    Divide q kᵀ by √d, d the last size of q, before the softmax: unscaled ones saturate it.
    """
    return masked_attention(q * math.sqrt(q.shape[-1]), k, v, mask)


@misconception("masked_attention", "masked-attention-by-d")
def attention_scaled_by_d(q, k, v, mask=None):
    """You divide the scores by d instead of √d.

    The standard deviation of a sum of d products grows with √d, so that is what takes it back to 1.
    """
    return masked_attention(q / math.sqrt(q.shape[-1]), k, v, mask)


@misconception("masked_attention", "masked-attention-multiplied")
def attention_scaled_up(q, k, v, mask=None):
    """You multiply the scores by √d instead of dividing by it.

    Wide vectors make large scores; dividing by √d takes that back.
    """
    return masked_attention(q * q.shape[-1], k, v, mask)


@misconception("masked_attention", "masked-attention-by-length")
def attention_scaled_by_length(q, k, v, mask=None):
    """You divide the scores by the square root of the number of keys.

    A score is a sum over the d entries of a query, so √d is the measure: `q.shape[-1]`.
    """
    return masked_attention(q * math.sqrt(q.shape[-1] / k.shape[-2]), k, v, mask)


@misconception("masked_attention", "masked-attention-by-eight")
def attention_scaled_by_eight(q, k, v, mask=None):
    """You divide the scores by 8, which is √d only for the paper's heads of width 64.

    Take d from the queries themselves, `q.shape[-1]`.
    """
    return masked_attention(q * math.sqrt(q.shape[-1]) / 8, k, v, mask)


@misconception("masked_attention", "masked-attention-by-value-width")
def attention_scaled_by_value_width(q, k, v, mask=None):
    """You divide the scores by the square root of the values' width.

    Values may be wider or narrower than queries and keys; d is the last size of q.
    """
    return masked_attention(q * math.sqrt(q.shape[-1] / v.shape[-1]), k, v, mask)


@misconception("masked_attention", "masked-attention-scaled-late")
def attention_scaled_late(q, k, v, mask=None):
    """You divide by √d after the softmax, so the weights no longer sum to 1.

    Scale the scores first, then mask, then take the softmax.
    """
    _, weights = masked_attention(q * math.sqrt(q.shape[-1]), k, v, mask)
    weights = weights / math.sqrt(q.shape[-1])
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-afterwards")
def attention_masked_afterwards(q, k, v, mask=None):
    """You mask the weights after the softmax, so rows no longer sum to 1.

    The forbidden keys have taken their share by then; mask the scores, before the softmax.
    """
    _, weights = masked_attention(q, k, v)
    weights = weights if mask is None else weights * mask
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-1e4")
def attention_fill_of_minus_ten_thousand(q, k, v, mask=None):
    """You fill the forbidden scores with -10000, and where honest scores lie lower, the forbidden keys win.

    Large vectors make such scores; fill with -inf or the lowest number, or use `masked_softmax`.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    weights = torch.softmax(scores.masked_fill(~allowed, -1e4), dim=-1) * allowed.any(dim=-1, keepdim=True)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-product")
def attention_of_product(q, k, v, mask=None):
    """You set forbidden scores to 0 (or to a tiny number such as 1e-9), but exp(0) = 1 hides nothing.

    What must vanish in the softmax needs a score of -inf, or far below all others.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores * mask, dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-sum")
def attention_of_sum(q, k, v, mask=None):
    """You add the boolean mask to the scores, which raises the allowed ones by 1 and hides none.

    A mask to be added holds 0 and -inf (`additive_mask`); with a boolean one, use `masked_softmax`.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores + mask, dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-minus-ten")
def attention_fill_of_minus_ten(q, k, v, mask=None):
    """You fill the forbidden scores with -10, which is not low enough: what is forbidden leaks into the output.

    The weight must be exactly 0; fill with -inf or the lowest number, or use `masked_softmax`.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    weights = torch.softmax(scores.masked_fill(~allowed, -10.0), dim=-1) * allowed.any(dim=-1, keepdim=True)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-nan")
def attention_nan_for_dead_rows(q, k, v, mask=None):
    """A query that may attend to nothing gets NaN.

    Softmax of nothing but -inf is 0/0; its weights and its output must be zero. `masked_softmax` knows that rule.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-renormalised")
def attention_renormalised(q, k, v, mask=None):
    """You remove the forbidden weights after the softmax and divide by what is left, which may be nothing.

    A large forbidden score leaves the allowed weights no digits at all, then 0/0; hide the scores first.
    """
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-unstable")
def attention_without_shift(q, k, v, mask=None):
    """You exponentiate the scores as they are, so large ones overflow and very low ones vanish.

    Subtract the maximum of each row's allowed scores first, or leave it to `masked_softmax`.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    powers = torch.exp(scores if mask is None else scores.masked_fill(~mask, -math.inf))
    weights = powers / powers.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(q.dtype).tiny)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-uniform")
def attention_uniform_for_dead_rows(q, k, v, mask=None):
    """A query that may attend to nothing gets the plain average of all values.

    One finite fill repeated makes equal scores; weights and output must be zero. `masked_softmax` knows that rule.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -1e9), dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-unmasked")
def attention_ordinary_for_dead_rows(q, k, v, mask=None):
    """A query that may attend to nothing attends as if there were no mask.

    Adding one and the same -1e9 to a whole row cancels in the softmax; its weights must be zero.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores - 1e9 * ~mask, dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-output-only")
def attention_clears_only_the_output(q, k, v, mask=None):
    """A query that may attend to nothing has the right output, zero, but its weights are not zero.

    Clear the weights instead of the output; the output follows by itself.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return masked_attention(q, k, v)
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    return (weights @ v) * mask.any(dim=-1, keepdim=True), weights


@misconception("masked_attention", "masked-attention-dead-weights-only")
def attention_repairs_only_the_weights(q, k, v, mask=None):
    """A query that may attend to nothing has the right weights, zero, but its output was computed before that.

    Repair the weights first, then multiply them by the values.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)
    return weights @ v, torch.nan_to_num(weights)


@misconception("masked_attention", "masked-attention-dead-gradient")
def attention_nan_on_the_way_back(q, k, v, mask=None):
    """Your output is right, but a query that may attend to nothing has NaN gradients.

    You repair NaN after the softmax, having *added* -inf: on the way back the NaN passes the sum. Fill, it stops NaN.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores if mask is None else scores + additive_mask(mask, q.dtype)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-value-gradient")
def attention_repairs_the_results(q, k, v, mask=None):
    """Your results are right, but you repair their NaN too late: the values get NaN gradients.

    In between, NaN weights met the values; repair the weights first, then multiply.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)
    return torch.nan_to_num(weights @ v), torch.nan_to_num(weights)


@misconception("masked_attention", "masked-attention-query-axis")
def attention_over_queries(q, k, v, mask=None):
    """Your softmax runs over the queries: columns of the weights sum to 1 instead of rows.

    Each query shares its attention out among the keys, dim=-1; k qᵀ, turned around later, does this too.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    weights = torch.softmax(scores.masked_fill(~allowed, torch.finfo(q.dtype).min), dim=-2).masked_fill(~allowed, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-head-axis")
def attention_over_heads(q, k, v, mask=None):
    """Your softmax runs over axis 1, the heads, or over the first axis where there is none.

    Without `dim`, torch guesses an axis, and with a fixed one it depends on the rank; the keys are dim=-1.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    filled = scores.masked_fill(~allowed, torch.finfo(q.dtype).min)
    weights = torch.softmax(filled, dim=1 if scores.dim() > 3 else 0).masked_fill(~allowed, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-flattened")
def attention_over_everything(q, k, v, mask=None):
    """Your softmax runs over all queries and keys at once, so that only all weights together sum to 1.

    Every query has a softmax of its own over the last axis, dim=-1.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    filled = scores.masked_fill(~allowed, torch.finfo(q.dtype).min)
    weights = torch.softmax(filled.flatten(start_dim=-2), dim=-1).reshape(scores.shape).masked_fill(~allowed, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-no-softmax")
def attention_without_softmax(q, k, v, mask=None):
    """You mix the values with the scores themselves; there is no softmax.

    Scores may be negative and sum to anything; the softmax makes shares of them that sum to 1.
    """
    weights = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = weights if mask is None else weights.masked_fill(~mask, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-unnormalised")
def attention_unnormalised(q, k, v, mask=None):
    """Your weights are exponentials that nobody has divided by their sum.

    Divide every row by its sum, so that a query's weights sum to 1.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.exp(scores if mask is None else scores.masked_fill(~mask, -math.inf))
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-hard")
def attention_hard(q, k, v, mask=None):
    """Your queries attend to the best allowed key alone: an arg-max, not a softmax.

    Every allowed key gets its share, exp(score) over the sum of the allowed ones.
    """
    return masked_attention(q * 1e6, k, v, mask)


@misconception("masked_attention", "masked-attention-mixes-keys")
def attention_mixes_keys(q, k, v, mask=None):
    """You multiply the weights by the keys instead of the values.

    Keys say who is meant, values say what is handed on: output = weights @ v.
    """
    _, weights = masked_attention(q, k, v, mask)
    return weights @ k, weights


@misconception("masked_attention", "masked-attention-order")
def attention_in_the_wrong_order(q, k, v, mask=None):
    """You return the weights first and the output second.

    The order is (output, weights).
    """
    output, weights = masked_attention(q, k, v, mask)
    return weights, output


@misconception("masked_attention", "masked-attention-output-only")
def attention_output_only(q, k, v, mask=None):
    """You return the output alone; the weights are asked for too.

    Return the pair: output, weights.
    """
    return masked_attention(q, k, v, mask)[0]


@misconception("masked_attention", "masked-attention-returns-scores")
def attention_returns_scores(q, k, v, mask=None):
    """Your second result is the masked scores, not the weights.

    Weights are what comes out of the softmax, what the values are multiplied by.
    """
    output, _ = masked_attention(q, k, v, mask)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return output, scores if mask is None else scores.masked_fill(~mask, -math.inf)


@misconception("masked_attention", "masked-attention-returns-unmasked")
def attention_returns_unmasked_weights(q, k, v, mask=None):
    """Your output is right, but the weights you return are those without the mask.

    Return the very weights that the output was made with.
    """
    return masked_attention(q, k, v, mask)[0], masked_attention(q, k, v)[1]


@misconception("masked_attention", "masked-attention-mean-weights")
def attention_averages_the_heads(q, k, v, mask=None):
    """You return weights averaged over the heads.

    torch's own layer does that on request; here each head's weights are wanted, (..., Tq, Tk).
    """
    output, weights = masked_attention(q, k, v, mask)
    return output, weights.mean(dim=1) if weights.dim() > 3 else weights


@misconception("masked_attention", "masked-attention-one-for-all")
def attention_with_the_first_mask(q, k, v, mask=None):
    """You use only the first slice of the mask, `mask[0]`, for everything.

    That is the mask of the first sentence (or of the first query); let the whole mask broadcast by itself.
    """
    return masked_attention(q, k, v, None if mask is None else mask[0])


@misconception("masked_attention", "masked-attention-indexed")
def attention_by_indexing(q, k, v, mask=None):
    """You index the scores with the mask, which works only if both have the same shape.

    A mask (B, 1, 1, Tk) or (Tq, Tk) must broadcast; `masked_fill`, `torch.where` and `masked_softmax` do that.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return masked_attention(q, k, v)
    scores[~mask] = torch.finfo(q.dtype).min
    weights = masked_softmax(scores, mask)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-four-axes")
def attention_of_four_axes(q, k, v, mask=None):
    """Your attention works with four axes only.

    Queries may come without heads, or without a batch: address the last two axes as -2 and -1.
    """
    scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-squeezed")
def attention_squeezed(q, k, v, mask=None):
    """You squeeze the results, which drops every axis of size 1.

    A batch of one, a single head or a single query is a real axis; leave out `squeeze()`.
    """
    output, weights = masked_attention(q, k, v, mask)
    return output.squeeze(), weights.squeeze()


@misconception("masked_attention", "masked-attention-detached")
def attention_detached(q, k, v, mask=None):
    """Your results are right, but no gradient comes back to queries and keys.

    `detach`, `.data`, `no_grad`, `numpy` or a new `torch.tensor` cut it off between scores and weights.
    """
    return masked_attention(q.detach(), k.detach(), v, mask)


@misconception("masked_attention", "masked-attention-in-place")
def attention_in_place(q, k, v, mask=None):
    """You scale the caller's queries in place.

    `q /= ...` writes into the tensor you were given; divide the scores, or make a new tensor with `q / ...`.
    """
    q /= math.sqrt(q.shape[-1])
    return masked_attention(q * math.sqrt(q.shape[-1]), k, v, mask)


@misconception("masked_attention", "masked-attention-turns-the-mask")
def attention_turns_the_mask(q, k, v, mask=None):
    """You turn the caller's mask around in place.

    The next block uses the same mask; `~mask` makes a new one, `logical_not_` and `mask[...] =` do not.
    """
    if mask is None:
        return masked_attention(q, k, v)
    return masked_attention(q, k, v, ~mask.logical_not_())


@misconception("masked_attention", "masked-attention-float32")
def attention_in_float32(q, k, v, mask=None):
    """You convert to float32, torch's default dtype, whatever the inputs are.

    Results take the dtype of the inputs; leave out `.float()`, and take dtype and device of new tensors from q.
    """
    return masked_attention(q.float(), k.float(), v.float(), mask)


@misconception("masked_attention", "masked-attention-float64")
def attention_in_float64(q, k, v, mask=None):
    """You return float64, whatever the inputs are.

    float32 inputs give float32 results; leave out `.double()` and write no dtype into the code.
    """
    return masked_attention(q.double(), k.double(), v.double(), mask)


@misconception("masked_attention", "masked-attention-device")
def attention_on_the_default_device(q, k, v, mask=None):
    """You create a tensor on the default device instead of the one where the inputs lie.

    On a GPU the two don't meet; use `masked_fill` or `zeros_like`, or pass `device=q.device`.
    """
    allowed = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool)
    return masked_attention(q, k, v, allowed if mask is None else mask & allowed)
