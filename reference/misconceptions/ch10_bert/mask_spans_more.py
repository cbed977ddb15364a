"""Spans that are too short, too few or in another order."""

import torch

from reference.ch10_bert import mask_spans
from reference.misconceptions import misconception


@misconception("mask_spans", "mask-spans-one-place-less")
def one_place_less(ids, starts, lengths, budget):
    """Your spans are one place too short.

    A span covers `length` places: `start` to `start + length - 1`, the slice `start : start + length`.
    """
    return mask_spans(ids, starts, lengths - 1, budget)


@misconception("mask_spans", "mask-spans-starts-late")
def starts_late(ids, starts, lengths, budget):
    """Your spans begin one place too late.

    The first place of a span is `start` itself, counted from 0.
    """
    masked = torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if masked.sum() >= budget * len(ids):
            break
        masked[start + 1 : start + 1 + length] = True
    return masked


@misconception("mask_spans", "mask-spans-starts-only")
def starts_only(ids, starts, lengths, budget):
    """You hide only the first place of each span.

    A span covers `length` places from `start` on.
    """
    return mask_spans(ids, starts, torch.ones_like(lengths), budget)


@misconception("mask_spans", "mask-spans-counts-spans")
def counts_spans(ids, starts, lengths, budget):
    """You count spans where places should be counted: you stop after `budget` · T spans.

    Count the places that are True: `masked.sum()`.
    """
    needed = -int(-budget * len(ids) // 1)
    return mask_spans(ids, starts[:needed], lengths[:needed], 2.0)


@misconception("mask_spans", "mask-spans-share-of-spans")
def share_of_spans(ids, starts, lengths, budget):
    """You take the budget for a share of the spans.

    It is a share of the text's places: stop when `masked.sum() >= budget * len(ids)`.
    """
    needed = -int(-budget * len(starts) // 1)
    return mask_spans(ids, starts[:needed], lengths[:needed], 2.0)


@misconception("mask_spans", "mask-spans-rounded")
def rounded_to_nearest(ids, starts, lengths, budget):
    """You round the budget to the nearest whole number of places: where that rounds down, you stop too early.

    A budget of 3.3 places needs 4: compare with `budget * len(ids)` itself, or round up.
    """
    return mask_spans(ids, starts, lengths, round(budget * len(ids)) / len(ids))


@misconception("mask_spans", "mask-spans-rounded-at-least-one")
def rounded_at_least_one(ids, starts, lengths, budget):
    """You round the budget to the nearest whole number of places, at least one: where it rounds down, you stop early.

    At least the budget must be hidden, and 3.3 places need 4: compare with `budget * len(ids)` itself, or round up.
    """
    return mask_spans(ids, starts, lengths, max(1, round(budget * len(ids))) / len(ids))


@misconception("mask_spans", "mask-spans-longest-first")
def longest_first(ids, starts, lengths, budget):
    """You sort the spans by their length.

    Take them in the order of the list, which is random: the budget decides how many of them count.
    """
    order = lengths.argsort(descending=True, stable=True)
    return mask_spans(ids, starts[order], lengths[order], budget)


@misconception("mask_spans", "mask-spans-as-ids")
def as_ids(ids, starts, lengths, budget):
    """You return the text with hidden places changed, not a mask.

    Return where places are hidden: (T,), bool.
    """
    return ids.masked_fill(mask_spans(ids, starts, lengths, budget), 0)


@misconception("mask_spans", "mask-spans-as-places")
def as_places(ids, starts, lengths, budget):
    """You return the hidden places' numbers, not a mask.

    Return a True or False for every place: (T,), bool.
    """
    return mask_spans(ids, starts, lengths, budget).nonzero()[:, 0]


@misconception("mask_spans", "mask-spans-refuses-when-used-up")
def runs_out(ids, starts, lengths, budget):
    """You go on looking for spans when the list is used up.

    If the spans run out before the budget is reached, return what they hide: loop over the list, and break when it is
    enough.
    """
    masked, number = torch.zeros_like(ids, dtype=torch.bool), 0
    while masked.sum() < budget * len(ids):
        masked[starts[number] : starts[number] + lengths[number]] = True
        number += 1
    return masked


@misconception("mask_spans", "mask-spans-single-span-left-out")
def single_span_left_out(ids, starts, lengths, budget):
    """You hide nothing where there is a single span; perhaps your loop ends before the last one.

    Too few spans hide what they can. How often does your loop run for one span?
    """
    return mask_spans(ids, starts, lengths, budget) & (len(starts) > 1)
