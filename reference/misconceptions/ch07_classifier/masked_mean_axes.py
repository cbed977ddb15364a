"""Means over real tokens, continued: axes that do not meet, and positions that are not those of the mask."""

import torch

from reference.ch07_classifier import masked_mean
from reference.misconceptions import misconception


@misconception("masked_mean", "masked-mean-mask-of-two-axes")
def mask_of_two_axes(x, mask):
    """You multiply x by the mask as it is: (B, T, D) by (B, T), so that T meets D.

    Give the mask an axis of size 1 for the features: `mask[:, :, None]`.
    """
    weights = mask.to(x.dtype)
    return (x * weights).sum(dim=1) / weights.sum(dim=1, keepdim=True).clamp(min=1)


@misconception("masked_mean", "masked-mean-mask-axis-in-the-middle")
def mask_axis_in_the_middle(x, mask):
    """You give the mask the shape (B, 1, T), so that its positions meet the features of x.

    Its positions are axis 1, as in x: `mask[:, :, None]`, (B, T, 1).
    """
    weights = mask.to(x.dtype)
    return (x * weights[:, None, :]).sum(dim=1) / weights.sum(dim=1, keepdim=True).clamp(min=1)


@misconception("masked_mean", "masked-mean-count-without-axis")
def count_without_axis(x, mask):
    """Your number of tokens has the shape (B,), and divides (B, D) along the wrong axis.

    Keep an axis of size 1 for the features: (B, 1).
    """
    weights = mask.to(x.dtype)
    return (x * weights[:, :, None]).sum(dim=1) / weights.sum(dim=1).clamp(min=1)


@misconception("masked_mean", "masked-mean-equal-pieces")
def equal_pieces(x, mask):
    """You pick the real tokens of all rows with `x[mask]` and cut them into B equal pieces.

    Rows have different numbers of real tokens: multiply by the mask, sum over dim 1, and divide by each row's number.
    """
    return x[mask].view(x.shape[0], -1, x.shape[-1]).mean(dim=1)


@misconception("masked_mean", "masked-mean-root")
def over_the_root(x, mask):
    """You divide by the root of the number of real tokens.

    A mean divides by the number itself.
    """
    count = mask.sum(dim=1, keepdim=True).clamp(min=1)
    return masked_mean(x, mask) * count.to(x.dtype).sqrt()


@misconception("masked_mean", "masked-mean-empty-row-is-one")
def empty_row_of_all(x, mask):
    """You divide by the largest number of real tokens in the batch.

    Every row has its own number: `mask.sum(dim=1, keepdim=True)`.
    """
    count = mask.sum(dim=1, keepdim=True).clamp(min=1)
    return masked_mean(x, mask) * (count / count.max()).to(x.dtype)


@misconception("masked_mean", "masked-mean-over-the-batch")
def over_the_batch(x, mask):
    """You average over the texts of the batch instead of the positions.

    x is (B, T, D) and (B, D) is wanted: the axis that goes is dim 1.
    """
    weights = mask.to(x.dtype)[:, :, None]
    return (x * weights).sum(dim=0) / weights.sum(dim=0).clamp(min=1)


@misconception("masked_mean", "masked-mean-padding-subtracted")
def padding_subtracted(x, mask):
    """You add up all tokens and subtract the padding: where its numbers are large, the real ones lose their digits.

    A sum has only so many digits, and the largest number takes the first of them. Leave the padding out from the start.
    """
    padding = x.masked_fill(mask.unsqueeze(-1), 0).sum(dim=1)
    total = (x.sum(dim=1) - padding).masked_fill(~mask.any(dim=1, keepdim=True), 0)
    return total / mask.sum(dim=1, keepdim=True).clamp(min=1)


@misconception("masked_mean", "masked-mean-last-positions")
def last_positions(x, mask):
    """You average the last positions of a row, as many as are real, not those at which the mask is True.

    Real tokens may stand anywhere, before padding and between it. What does the mask say beside their number?
    """
    length, counts = mask.shape[1], mask.sum(dim=1, keepdim=True)
    last = torch.arange(length, device=x.device) >= length - counts
    return masked_mean(x, last)


@misconception("masked_mean", "masked-mean-first-positions")
def first_positions(x, mask):
    """You average the first positions of a row, as many as are real, not those at which the mask is True.

    Real tokens may stand anywhere, behind padding and between it. What does the mask say beside their number?
    """
    return masked_mean(x, torch.arange(mask.shape[1], device=x.device) < mask.sum(dim=1, keepdim=True))
