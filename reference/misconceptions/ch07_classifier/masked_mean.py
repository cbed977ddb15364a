"""Means that count what is no token, or divide by what is none."""

import torch

from reference.ch07_classifier import masked_mean
from reference.misconceptions import misconception


@misconception("masked_mean", "masked-mean-all")
def over_all(x, mask):
    """You take the mean over all positions, padding included.

    Use the mask twice: for what goes into the sum, and for what it is divided by.
    """
    return x.mean(dim=1)


@misconception("masked_mean", "masked-mean-divided-by-all")
def divided_by_all(x, mask):
    """You leave the padding out of the sum, but divide by the number of all positions.

    Divide by the number of real tokens of the row, or short texts get small vectors.
    """
    return (x * mask[..., None]).mean(dim=1)


@misconception("masked_mean", "masked-mean-inverted")
def inverted(x, mask):
    """Your mask is inverted: you average the padding.

    True is a real token here; `masked_fill` wants the positions to overwrite, which are `~mask`.
    """
    return masked_mean(x, ~mask)


@misconception("masked_mean", "masked-mean-sum")
def summed(x, mask):
    """You add up the real tokens without dividing by their number.

    A mean is asked for: a long text should not give a longer vector than a short one.
    """
    return (x * mask[..., None]).sum(dim=1)


@misconception("masked_mean", "masked-mean-padding-counts")
def padding_counts(x, mask):
    """You add up all positions, but divide by the number of real tokens.

    The mask belongs in the sum too: multiply x by it first.
    """
    return x.sum(dim=1) / mask.sum(dim=1, keepdim=True).clamp(min=1)


@misconception("masked_mean", "masked-mean-whole-batch")
def whole_batch(x, mask):
    """You divide by the number of real tokens in the whole batch.

    Every row has a count of its own: `mask.sum(dim=1, keepdim=True)`.
    """
    return (x * mask[..., None]).sum(dim=1) / mask.sum().clamp(min=1)


@misconception("masked_mean", "masked-mean-first-mask")
def first_mask(x, mask):
    """You use the first row's mask for all rows.

    Every text has its own padding: row b of x belongs to row b of the mask.
    """
    return masked_mean(x, mask[:1].expand_as(mask))


@misconception("masked_mean", "masked-mean-flat")
def flat(x, mask):
    """You pick the real tokens of all rows with `x[mask]`, which throws the rows together.

    `x[mask]` is (number of tokens, D): which row a token belongs to is lost. Multiply by the mask, and sum over dim 1.
    """
    return x[mask].mean(dim=0)


@misconception("masked_mean", "masked-mean-features")
def over_features(x, mask):
    """You average over the features instead of the positions.

    x is (B, T, D) and (B, D) is wanted: the axis that goes is dim 1.
    """
    return (x * mask[..., None]).mean(dim=2)


@misconception("masked_mean", "masked-mean-largest")
def largest(x, mask):
    """You take the largest number of each feature instead of the mean.

    That is max pooling. The mean is the sum over the real tokens, divided by their number.
    """
    return x.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)


@misconception("masked_mean", "masked-mean-one-more")
def one_more(x, mask):
    """You add 1 to the number of tokens.

    The count should be at least 1, which changes empty rows alone: `clamp(min=1)`.
    """
    return (x * mask[..., None]).sum(dim=1) / (mask.sum(dim=1, keepdim=True) + 1)


@misconception("masked_mean", "masked-mean-plus-1e-8")
def plus_1e_8(x, mask):
    """You add a small number (1e-8) to the count, which pulls every mean a little towards 0.

    Only empty rows need help: `clamp(min=1)` leaves all others as they are.
    """
    count = mask.sum(dim=1, keepdim=True).double() + 1e-8  # in half precision 1e-8 is 0
    return ((x * mask[..., None]).sum(dim=1) / count).to(x.dtype)


@misconception("masked_mean", "masked-mean-plus-1e-6")
def plus_1e_6(x, mask):
    """You add a small number (1e-6) to the count, which pulls every mean a little towards 0.

    Only empty rows need help: `clamp(min=1)` leaves all others as they are.
    """
    return (x * mask[..., None]).sum(dim=1) / (mask.sum(dim=1, keepdim=True).to(x.dtype) + 1e-6)


@misconception("masked_mean", "masked-mean-nan")
def nothing_by_nothing(x, mask):
    """A row without a real token is 0 / 0 in your mean, which is NaN.

    Let the count be at least 1, `clamp(min=1)`: zero divided by one is zero.
    """
    return (x * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)


@misconception("masked_mean", "masked-mean-nan-repaired")
def repaired(x, mask):
    """A row without a real token gets zeros, but NaN in its gradients.

    Where 0 is divided by 0 and the NaN replaced, the backward pass still goes through the division. Let the count be at
    least 1, and there is nothing to repair.
    """
    return torch.nan_to_num((x * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True))


@misconception("masked_mean", "masked-mean-plain-if-empty")
def plain_if_empty(x, mask):
    """For a row without a real token you return the mean over its padding.

    Such a row has nothing to say and gives zeros.
    """
    return masked_mean(x, mask | ~mask.any(dim=1, keepdim=True))


@misconception("masked_mean", "masked-mean-detached")
def detached(x, mask):
    """Your mean is cut off from x: no gradient comes back (detach, .data, no_grad or a tensor made anew).

    The encoder in front of it learns through this mean; compute with x itself.
    """
    return masked_mean(x.detach(), mask)


@misconception("masked_mean", "masked-mean-squeeze")
def squeezed(x, mask):
    """You squeeze the result, which drops every axis of size 1: that of a single text, or of a single feature.

    Sum the vectors over dim 1 without `keepdim`: the axis of the positions is gone, and nothing is left to squeeze.
    """
    return masked_mean(x, mask).squeeze()


@misconception("masked_mean", "masked-mean-kept-axis")
def kept_axis(x, mask):
    """You keep the axis of the positions: (B, 1, D) instead of (B, D).

    Sum the vectors without `keepdim=True`. Only the count may keep its axis: (B, D) divided by (B, 1) is (B, D).
    """
    return masked_mean(x, mask)[:, None]


@misconception("masked_mean", "masked-mean-double")
def double(x, mask):
    """Your result is float64, whatever x is.

    A mask or a count in float64 pulls x along; convert the mask with `mask.to(x.dtype)`.
    """
    return masked_mean(x.double(), mask)


@misconception("masked_mean", "masked-mean-single")
def single(x, mask):
    """Your weights are float32, whatever x is.

    So a mean in half precision comes back in float32, and shares such as 1/3 have seven digits. Convert the mask to
    the dtype of x.
    """
    weights = mask.float() / mask.float().sum(dim=1, keepdim=True).clamp(min=1)
    return (x * weights[..., None]).sum(dim=1)


@misconception("masked_mean", "masked-mean-in-place")
def in_place(x, mask):
    """You set the padding to zero in the caller's x.

    `x *= ...`, `x[~mask] = 0` and `masked_fill_` write into the tensor you were given; make a new one.
    """
    with torch.no_grad():
        x.masked_fill_(~mask[..., None], 0.0)
    return masked_mean(x, mask)


@misconception("masked_mean", "masked-mean-of-counts")
def divided_by_the_mean_count(x, mask):
    """You divide every row by the same number: the mean number of real tokens in the batch.

    Each text is divided by its own number of real tokens. Along which axis do you still average them?
    """
    counts = mask.to(x.dtype).sum(dim=1)
    return (x * mask[..., None]).sum(dim=1) / counts.mean().clamp(min=1)
