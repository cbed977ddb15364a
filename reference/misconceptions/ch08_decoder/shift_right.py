"""Targets that do not become what the decoder should read."""

import torch

from reference.ch08_decoder import shift_right
from reference.misconceptions import misconception


@misconception("shift_right", "shift-right-roll")
def roll(targets, bos_id):
    """The last token comes back at the front, where `bos_id` belongs: `torch.roll` wraps around, as does index -1.

    The last token must fall off, or the first position reads the end of its own answer; put `bos_id` in its place.
    """
    return torch.roll(targets, 1, dims=1)


@misconception("shift_right", "shift-right-keeps-all")
def keeps_all(targets, bos_id):
    """You put `bos_id` in front and keep the last token too: the result is one token too long.

    Inputs and labels need the same length. Which of the tokens does no position have to read?

    No position is asked for what comes after the last token, so drop it: take `targets[:, :-1]`.
    """
    return torch.cat([torch.full_like(targets[:, :1], bos_id), targets], dim=1)


@misconception("shift_right", "shift-right-no-bos")
def no_bos(targets, bos_id):
    """You drop the last token, but nothing comes in front: the result is one token short, and nothing has moved.

    Position 0 would read its own answer. What must every sentence begin with instead?

    Put a column of `bos_id` before `targets[:, :-1]`.
    """
    return targets[:, :-1]


@misconception("shift_right", "shift-right-left")
def left(targets, bos_id):
    """You shift to the left: each position reads the token after the one it is asked for.

    The decoder reads what came before: `bos_id` first, the last token gone.
    """
    return torch.cat([targets[:, 1:], torch.full_like(targets[:, :1], bos_id)], dim=1)


@misconception("shift_right", "shift-right-overwrites-first")
def overwrites_first(targets, bos_id):
    """You write `bos_id` over the first token, and nothing moves: every later position reads its own answer.

    Shift first: token t goes to position t + 1, then there is room for `bos_id` at position 0.
    """
    return torch.cat([torch.full_like(targets[:, :1], bos_id), targets[:, 1:]], dim=1)


@misconception("shift_right", "shift-right-zero")
def zero(targets, bos_id):
    """You begin with 0, whatever `bos_id` says.

    The shift itself is right. Where does the number in your first column come from?

    Fill the first column with `bos_id`: `torch.full_like(targets[:, :1], bos_id)`.
    """
    return torch.cat([torch.zeros_like(targets[:, :1]), targets[:, :-1]], dim=1)


@misconception("shift_right", "shift-right-batch-axis")
def batch_axis(targets, bos_id):
    """You shift from row to row: each sentence gets the tokens of the sentence above it.

    Rows are the batch. Shift along the positions, the last axis (`dim=1`).
    """
    return torch.cat([torch.full_like(targets[:1], bos_id), targets[:-1]], dim=0)


@misconception("shift_right", "shift-right-in-place")
def in_place(targets, bos_id):
    """You shift the caller's targets in place.

    They are still needed as the labels of the loss; build a new tensor with `torch.cat`, or clone first.
    """
    targets[:, 1:] = targets[:, :-1].clone()
    targets[:, 0] = bos_id
    return targets


@misconception("shift_right", "shift-right-float")
def as_float(targets, bos_id):
    """Your ids have become floating-point numbers.

    An embedding needs int64. Which dtype does each tensor that you make have?

    `torch.full_like(targets[:, :1], bos_id)` takes over the dtype of the targets.
    """
    return torch.cat([torch.ones_like(targets[:, :1]) * float(bos_id), targets[:, :-1]], dim=1)


@misconception("shift_right", "shift-right-device")
def default_device(targets, bos_id):
    """You make the column of `bos_id` on the default device instead of the one where the targets lie.

    On a GPU the two cannot be joined. Which of torch's functions make a tensor like a given one?

    Use `torch.full_like(targets[:, :1], bos_id)`, or pass `device=targets.device`.
    """
    return torch.cat([torch.full((len(targets), 1), bos_id), targets[:, :-1]], dim=1)


@misconception("shift_right", "shift-right-squeezed")
def squeezed(targets, bos_id):
    """You squeeze the result, and with one text or one token an axis is gone.

    The answer is (B, T), whatever B and T are: leave out `squeeze()`.
    """
    return torch.cat([torch.full_like(targets[:, :1], bos_id), targets[:, :-1]], dim=1).squeeze()


@misconception("shift_right", "shift-right-flat-bos")
def flat_bos(targets, bos_id):
    """Your `bos_id` has one axis, and the targets have two: they cannot be joined.

    How many axes must a column have that stands in front of (B, T - 1)?

    Make a column, (B, 1): `torch.full_like(targets[:, :1], bos_id)`.
    """
    bos = torch.tensor([bos_id], device=targets.device)
    return torch.cat([bos, targets[:, :-1]], dim=1)


@misconception("shift_right", "shift-right-single-bos")
def single_bos(targets, bos_id):
    """You put a single row, such as `[[bos_id]]`, in front of a batch of B rows: they cannot be joined.

    Every row begins with its own. `torch.cat` does not broadcast, so which shape does the column need?

    Make a column (B, 1), such as `torch.full_like(targets[:, :1], bos_id)`.
    """
    bos = torch.tensor([[bos_id]], device=targets.device)
    return torch.cat([bos, targets[:, :-1]], dim=1)


@misconception("shift_right", "shift-right-within-words")
def within_words(targets, bos_id):
    """You take 0 for padding and leave it where it is: wherever a target is 0, your result is 0 too.

    Padding moves like any other token, and 0 is an id like any other: shift the whole row.
    """
    shifted = torch.cat([torch.full_like(targets[:, :1], bos_id), targets[:, :-1]], dim=1)
    return shifted.masked_fill(targets == 0, 0)


@misconception("shift_right", "shift-right-spread")
def spread(targets, bos_id):
    """You copy from left to right within one tensor, so the first token spreads over the whole row.

    Each copy overwrites what the next one needs: copy from `targets` into a new tensor, or use `torch.cat`.
    """
    return torch.cat([torch.full_like(targets[:, :1], bos_id), targets[:, :1].expand_as(targets[:, 1:])], dim=1)


@misconception("shift_right", "shift-right-first-row-only")
def first_row_only(targets, bos_id):
    """You put `bos_id` in front of the first row only.

    Every row begins with it: the whole first column, `[:, 0]`, and not `[0, 0]`.
    """
    shifted = torch.cat([torch.zeros_like(targets[:, :1]), targets[:, :-1]], dim=1)
    shifted[0, 0] = bos_id
    return shifted


@misconception("shift_right", "shift-right-row-of-bos")
def row_of_bos(targets, bos_id):
    """You fill the first row with `bos_id`, not the first column.

    Rows are texts: the first place of every text is the column `[:, 0]`.
    """
    shifted = torch.cat([torch.zeros_like(targets[:, :1]), targets[:, :-1]], dim=1)
    shifted[0] = bos_id
    return shifted


@misconception("shift_right", "shift-right-one")
def one(targets, bos_id):
    """You begin with 1, whatever `bos_id` says.

    The shift itself is right. Which argument says what every row begins with?

    Fill the first column with `bos_id`: `torch.full_like(targets[:, :1], bos_id)`.
    """
    return torch.cat([torch.ones_like(targets[:, :1]), targets[:, :-1]], dim=1)


@misconception("shift_right", "shift-right-two-places")
def two_places(targets, bos_id):
    """You shift by two places, with two `bos_id` in front.

    One place is enough: position t reads token t - 1.
    """
    bos = torch.full_like(targets, bos_id)
    return torch.cat([bos[:, :2], targets], dim=1)[:, : targets.shape[1]]


@misconception("shift_right", "shift-right-single-token-kept")
def single_token_kept(targets, bos_id):
    """A row of one token stays as it is in your answer.

    It gives way to `bos_id` like the first token of any other row; one token needs no case of its own.
    """
    if targets.shape[1] == 1:
        return targets.clone()
    return torch.cat([torch.full_like(targets[:, :1], bos_id), targets[:, :-1]], dim=1)


@misconception("shift_right", "shift-right-new-tensor")
def new_tensor(targets, bos_id):
    """You copy the numbers into a new tensor on the default device, by Python lists or by an assignment.

    Join tensors: `torch.cat` of a column of `bos_id` and `targets[:, :-1]` stays where the targets are.
    """
    return torch.tensor([[bos_id, *row[:-1]] for row in targets.tolist()])


@misconception("shift_right", "shift-right-bos-kept")
def bos_kept(targets, bos_id):
    """You leave a row as it is where it begins with `bos_id` already.

    That is a target like any other, and position 0 would read its own answer. Every row moves by one place.
    """
    return torch.where(targets[:, :1] == bos_id, targets, shift_right(targets, bos_id))


@misconception("shift_right", "shift-right-bos-spreads")
def bos_spreads(targets, bos_id):
    """Your rows hold nothing but `bos_id`; perhaps you write it first, and then copy it on from left to right.

    Only the first place is for `bos_id`. If you copy within one tensor, each copy reads a place that has just been
    overwritten: copy from `targets` into a new tensor, or use `torch.cat`.
    """
    shifted = targets.clone()
    shifted[:, 0] = bos_id
    for place in range(1, targets.shape[1]):
        shifted[:, place] = shifted[:, place - 1]
    return shifted


@misconception("shift_right", "shift-right-through-float32")
def through_float32(targets, bos_id):
    """Your ids go through float32, which rounds them from 2²⁴ on.

    float32 has 24 binary digits for a number. Ids are moved, not computed with: keep their dtype on the whole way.
    """
    bos = torch.full_like(targets[:, :1], bos_id)
    return torch.cat([bos, targets[:, :-1].float().to(targets.dtype)], dim=1)
