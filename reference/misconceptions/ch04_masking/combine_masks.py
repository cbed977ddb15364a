"""What goes wrong in `combine_masks`."""

import torch

from reference.ch04_masking import (
    combine_masks,
)
from reference.misconceptions import misconception


@misconception("combine_masks", "combine-masks-or")
def combine_with_or(*masks):
    """You join the masks with "or": a pair passes if any one mask allows it.

    All must allow, so join them with `&`; the sum and the maximum of booleans are an "or" too.
    """
    present = [mask for mask in masks if mask is not None]
    return torch.stack(torch.broadcast_tensors(*present)).any(dim=0) if present else None


@misconception("combine_masks", "combine-masks-last")
def combine_keeps_the_last(*masks):
    """Only your last mask counts; it takes the place of those before it.

    Follow the result through a loop over two masks. What of the first one is left after the second turn?

    Combine each mask with the result so far: `combined & mask`.
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
    """You join the masks with `==`: where two of them forbid a pair they agree, so it passes.

    All must allow. Try two masks, and then three, that all forbid a pair: what comes out?

    Use `&`, not `==`.
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
    """One `None` among the masks makes you forbid everything.

    "No mask" forbids nothing: skip it, and if you count masks, do not count it.
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
    """You ask a whole mask for its truth value, as `if mask` does.

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
    """Your mask holds the numbers 1 and 0 instead of True and False, as when masks are multiplied as numbers.

    Its ones and zeros are in the right places, but `~mask` needs True and False: use `&`.
    """
    combined = combine_masks(*masks)
    return None if combined is None else combined.to(torch.get_default_dtype())


@misconception("combine_masks", "combine-masks-in-place")
def combine_in_place(*masks):
    """You combine in place, which overwrites the caller's first mask and cannot broadcast it.

    Which tensor does an operator like `&=` write into, and to whom does that tensor belong?

    `combined &= mask` writes into the tensor on the left; `combined = combined & mask` makes a new one.
    """
    present = [mask for mask in masks if mask is not None]
    combined = present[0] if present else None
    for mask in present[1:]:
        combined &= mask
    return combined


@misconception("combine_masks", "combine-masks-device")
def combine_on_the_default_device(*masks):
    """You start from a mask on the default device instead of the device of the masks.

    On a GPU the two cannot be combined; start with the first mask that is there.
    """
    present = [mask for mask in masks if mask is not None]
    if not present:
        return None
    combined = torch.ones(torch.broadcast_shapes(*[mask.shape for mask in present]), dtype=torch.bool)
    for mask in present:
        combined = combined & mask
    return combined


@misconception("combine_masks", "combine-masks-and")
def combine_with_pythons_and(*masks):
    """You ask a whole mask for its truth value: Python's `and` does that, and so does `if combined`.

    A tensor of many entries has none. `&` joins masks entry by entry; `is None` asks whether there is one yet.
    """
    present = [mask for mask in masks if mask is not None]
    combined = present[0] if present else None
    for mask in present[1:]:
        combined = combined and mask
    return combined


@misconception("combine_masks", "combine-masks-starts-from-none")
def combine_starts_from_none(*masks):
    """You start from the first argument even if it is `None`.

    Leave out every `None` first, then start from the first mask that is left, if there is one.
    """
    combined = masks[0]
    for mask in masks[1:]:
        if mask is not None:
            combined = combined & mask
    return combined


@misconception("combine_masks", "combine-masks-empty")
def combine_takes_the_first_of_nothing(*masks):
    """You take the first of the masks that are not `None`, even if there is none.

    If every argument is `None`, or there is no argument, return `None`.
    """
    present = [mask for mask in masks if mask is not None]
    combined = present[0]
    for mask in present[1:]:
        combined = combined & mask
    return combined


@misconception("combine_masks", "combine-masks-stops-at-none")
def combine_stops_at_none(*masks):
    """You stop at the first `None`: the masks after it do not count.

    `None` means "no mask here"; skip it and go on, with `continue` instead of `break`.
    """
    present = list(masks)
    return combine_masks(*present[: present.index(None)] if any(mask is None for mask in masks) else present)


@misconception("combine_masks", "combine-masks-forgets-at-none")
def combine_forgets_at_none(*masks):
    """A `None` makes you forget the masks before it.

    `None` means "no mask here" and is skipped: the result so far stays as it is.
    """
    combined = None
    for mask in masks:
        combined = mask if combined is None or mask is None else combined & mask
    return combined


@misconception("combine_masks", "combine-masks-single")
def combine_needs_two(*masks):
    """A single mask gets lost: you return `None` unless there are at least two.

    One mask is the answer by itself; only if none is left is the result `None`.
    """
    present = [mask for mask in masks if mask is not None]
    return combine_masks(*present) if len(present) > 1 else None


@misconception("combine_masks", "combine-masks-one-answer")
def combine_to_a_single_truth(*masks):
    """You join all pairs too: the result is a single truth value for the whole table.

    Each pair has an answer of its own; if you stack the masks, use `.all(dim=0)`.
    """
    combined = combine_masks(*masks)
    return None if combined is None else combined.all()


@misconception("combine_masks", "combine-masks-last-lost")
def combine_loses_the_last(*masks):
    """With two masks or more, the last one does not count.

    A loop over the rest runs to the end of the list: `for mask in present[1:]`.
    """
    present = [mask for mask in masks if mask is not None]
    return combine_masks(*(present[:-1] if len(present) > 1 else present))


@misconception("combine_masks", "combine-masks-joined")
def combine_puts_them_behind_each_other(*masks):
    """You put the masks one behind the other with `torch.cat`, which makes a longer table of their rows.

    The masks must lie on top of each other, entry on entry: join them with `&`.
    """
    present = [mask for mask in masks if mask is not None]
    return torch.cat(present).all(dim=0) if present else None


@misconception("combine_masks", "combine-masks-first-shape")
def combine_into_the_shape_of_the_first(*masks):
    """You combine into a table of the first mask's shape, which cannot grow.

    Write down the shape that (B, 1, 1, T) and (T, T) make together. Has your table room for it?

    `combined & mask` makes a new, larger table; `&=` cannot.
    """
    present = [mask for mask in masks if mask is not None]
    if not present:
        return None
    combined = torch.ones_like(present[0])
    for mask in present:
        combined &= mask
    return combined


@misconception("combine_masks", "combine-masks-four")
def combine_four(*masks):
    """You take in only the first four masks.

    `*masks` may hold any number of them. What goes through all of them, however many there are?
    """
    return combine_masks(*masks[:4])


@misconception("combine_masks", "combine-masks-bool-sum")
def combine_by_a_sum_of_booleans(*masks):
    """With two or more masks nothing passes: the sum of booleans is a boolean, which is never equal to 2.

    In torch True + True is True. Count with whole numbers, or ask for the logical and.
    """
    kept = [mask for mask in masks if mask is not None]
    if not kept:
        return None
    total = kept[0]
    for mask in kept[1:]:
        total = total + mask
    return total == len(kept)


@misconception("combine_masks", "combine-masks-majority")
def combine_by_majority(*masks):
    """With three or more masks you let a pair pass that most of them allow: a majority, not an and.

    One mask that forbids a pair is enough, however many allow it. What does rounding a mean do to 2 of 3?
    """
    kept = [mask for mask in masks if mask is not None]
    if not kept:
        return None
    return torch.stack(torch.broadcast_tensors(*kept)).float().mean(dim=0).round().bool()


@misconception("combine_masks", "combine-masks-none-for-all")
def none_where_all_is_allowed(*masks):
    """Where the masks allow everything you return None.

    A caller that gave a mask expects one back, of the shape to which all broadcast. When alone is the answer None?
    """
    joint = combine_masks(*masks)
    return None if joint is None or bool(joint.all()) else joint
