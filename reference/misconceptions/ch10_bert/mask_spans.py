"""What goes wrong in `mask_spans`."""

import torch

from reference.ch10_bert import mask_spans
from reference.misconceptions import misconception


@misconception("mask_spans", "mask-spans-overlaps-twice")
def overlaps_twice(ids, starts, lengths, budget):
    """You add up the lengths of the spans, so a place that two of them share counts twice, and you stop too early.

    Count the places that are True: `masked.sum()`. Then what lies past the end of the text does not count, either.
    """
    masked, used = torch.zeros_like(ids, dtype=torch.bool), 0
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if used >= budget * len(ids):
            break
        masked[start : start + length] = True
        used += length
    return masked


@misconception("mask_spans", "mask-spans-trimmed")
def trimmed(ids, starts, lengths, budget):
    """You cut the last span where the budget is reached.

    A span is hidden whole: look at the budget between two spans only, even if a few more places are hidden in the end.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        for place in range(start, min(start + length, len(ids))):
            if masked.sum() >= budget * len(ids):
                return masked
            masked[place] = True
    return masked


@misconception("mask_spans", "mask-spans-rounded-down")
def rounded_down(ids, starts, lengths, budget):
    """You round the budget down to whole places, and so you stop too early.

    A budget of 3.5 places needs 4: compare with `budget * len(ids)` itself, or round up.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if masked.sum() >= int(budget * len(ids)):
            break
        masked[start : start + length] = True
    return masked


@misconception("mask_spans", "mask-spans-stops-before")
def stops_before(ids, starts, lengths, budget):
    """You stop before the span that would exceed the budget, so too little is hidden.

    At least the budget must be hidden: the span that reaches it belongs to the answer.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        longer = masked.clone()
        longer[start : start + length] = True
        if longer.sum() > budget * len(ids):
            break
        masked = longer
    return masked


@misconception("mask_spans", "mask-spans-skips-what-does-not-fit")
def skips_misfits(ids, starts, lengths, budget):
    """You leave out a span that would exceed the budget, and go on with later ones that still fit.

    Spans are taken in the given order, and the one that reaches the budget may exceed it.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        longer = masked.clone()
        longer[start : start + length] = True
        if longer.sum() <= budget * len(ids):
            masked = longer
    return masked


@misconception("mask_spans", "mask-spans-one-more")
def one_more(ids, starts, lengths, budget):
    """You take one more span after the budget has been reached.

    First check whether enough is hidden, and hide the next span only if not.
    """
    masked, enough = torch.zeros_like(ids, dtype=torch.bool), False
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if enough:
            break
        enough = bool(masked.sum() >= budget * len(ids))
        masked[start : start + length] = True
    return masked


@misconception("mask_spans", "mask-spans-beyond-the-budget")
def beyond_the_budget(ids, starts, lengths, budget):
    """You stop only when more than the budget is hidden: a budget that is met exactly does not stop you.

    "At least" includes equality. Take 4 places, a budget of 0.5 and a first span of 2: is a second one needed?

    Stop where `masked.sum() >= budget * len(ids)`.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if masked.sum() > budget * len(ids):
            break
        masked[start : start + length] = True
    return masked


@misconception("mask_spans", "mask-spans-budget-as-count")
def budget_as_count(ids, starts, lengths, budget):
    """Only your first span is hidden: you take the budget for a number of places, or your loop ends too early.

    It is a share of the text: compare with `budget * len(ids)`.
    """
    return mask_spans(ids, starts, lengths, budget / len(ids))


@misconception("mask_spans", "mask-spans-all")
def all_spans(ids, starts, lengths, budget):
    """You hide all spans of the list, whatever the budget is.

    Stop as soon as `budget * len(ids)` places are hidden.
    """
    return mask_spans(ids, starts, lengths, 2.0)


@misconception("mask_spans", "mask-spans-raises-at-the-end")
def raises_at_the_end(ids, starts, lengths, budget):
    """You write past the end of the text, by the numbers of its places.

    A span that is too long is cut at the end: a slice does that by itself; a loop, a list or an `arange` of places
    must end at `min(start + length, len(ids))`.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if masked.sum() >= budget * len(ids):
            break
        for place in range(start, start + length):
            masked[place] = True
    return masked


@misconception("mask_spans", "mask-spans-goes-round")
def goes_round(ids, starts, lengths, budget):
    """A span that runs past the end of the text goes on at its beginning.

    A span that is too long is cut at the end. What does Python's slice `[8:12]` give of a list of ten?

    The slice `start : start + length` cuts by itself.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if masked.sum() >= budget * len(ids):
            break
        for place in range(start, start + length):
            masked[place % len(ids)] = True
    return masked


@misconception("mask_spans", "mask-spans-moved-to-fit")
def moved_to_fit(ids, starts, lengths, budget):
    """You move a span that runs past the end of the text to the left, until it fits.

    It begins where its start says, and is cut at the end of the text.
    """
    fitting = torch.minimum(starts, (len(ids) - lengths).clamp(min=0))
    return mask_spans(ids, fitting, lengths, budget)


@misconception("mask_spans", "mask-spans-leaves-out-the-cut")
def leaves_out_the_cut(ids, starts, lengths, budget):
    """You leave out spans that go beyond the end of the text.

    Such a span is cut there, and what lies within the text is hidden.
    """
    fits = starts + lengths <= len(ids)
    return mask_spans(ids, starts[fits], lengths[fits], budget)


@misconception("mask_spans", "mask-spans-leaves-out-overlaps")
def leaves_out_overlaps(ids, starts, lengths, budget):
    """You leave out spans that share a place with an earlier one.

    They are hidden like any other; the shared place just does not count twice.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if masked.sum() >= budget * len(ids):
            break
        if not masked[start : start + length].any():
            masked[start : start + length] = True
    return masked


@misconception("mask_spans", "mask-spans-sorted")
def in_reading_order(ids, starts, lengths, budget):
    """You sort the spans by their start, so the beginning of the text is hidden most often.

    Take them in the order of the list, which is random: the budget decides how many of them count.
    """
    order = starts.argsort(stable=True)
    return mask_spans(ids, starts[order], lengths[order], budget)


@misconception("mask_spans", "mask-spans-one-place-more")
def one_place_more(ids, starts, lengths, budget):
    """Your spans are one place too long: the place `start + length` is no longer part of them.

    Write down the places of a span that starts at 4 and has the length 2. Is 6 one of them?

    A span covers `start` to `start + length - 1`, which is the slice `start : start + length`.
    """
    return mask_spans(ids, starts, lengths + 1, budget)


@misconception("mask_spans", "mask-spans-length-as-end")
def length_as_end(ids, starts, lengths, budget):
    """You take the length for the place where a span ends.

    Write down the places of a span that starts at 4 and has the length 2. Where does it end?

    It ends `length` places after its start: `masked[start : start + length]`.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, end in zip(starts.tolist(), lengths.tolist(), strict=True):
        if masked.sum() >= budget * len(ids):
            break
        masked[start:end] = True
    return masked


@misconception("mask_spans", "mask-spans-inverted")
def inverted(ids, starts, lengths, budget):
    """Your result is inverted: True where a place stays.

    Here True means hidden; begin with zeros and set the spans to True.
    """
    return ~mask_spans(ids, starts, lengths, budget)


@misconception("mask_spans", "mask-spans-numbers")
def as_numbers(ids, starts, lengths, budget):
    """You return 0 and 1 as numbers instead of a boolean tensor.

    The result is used as a mask, and the task names its dtype. Which dtype does the tensor have that you begin with?

    Begin with `torch.zeros_like(ids, dtype=torch.bool)`.
    """
    return mask_spans(ids, starts, lengths, budget).long()


@misconception("mask_spans", "mask-spans-spares-token-0")
def spares_token_0(ids, starts, lengths, budget):
    """You never hide token 0, as if it were padding.

    It does not matter which tokens are there: only the length of `ids` counts.
    """
    return mask_spans(ids, starts, lengths, budget) & (ids != 0)


@misconception("mask_spans", "mask-spans-budget-without-token-0")
def budget_without_token_0(ids, starts, lengths, budget):
    """Your budget does not count token 0, because you take it for padding.

    It is a share of all T places: `budget * len(ids)`.
    """
    return mask_spans(ids, starts, lengths, budget * int((ids != 0).sum()) / len(ids))


@misconception("mask_spans", "mask-spans-budget-rounded-down")
def budget_rounded_down(ids, starts, lengths, budget):
    """You round budget · T down to a whole number, so too few places are hidden.

    At least budget · T places must be hidden: where that is 3.6, three are too few. Compare with the number as it is.
    """
    hidden = torch.zeros(ids.shape[0], dtype=torch.bool, device=ids.device)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if int(hidden.sum()) >= max(1, int(budget * ids.shape[0])):
            break
        hidden[start : start + length] = True
    return hidden
