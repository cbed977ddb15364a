"""What goes wrong in `layer_norm`."""

import torch

from reference.ch06_encoder import layer_norm
from reference.misconceptions import misconception


@misconception("layer_norm", "layer-norm-unbiased")
def unbiased(x, scale, shift, eps):
    """You divide the squared deviations by D - 1: that is the unbiased variance.

    A layer norm describes this vector and estimates nothing. What is the sum divided by in the formula, and in `x.var`?

    Divide by D: `x.var(-1, keepdim=True, correction=0)`.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred / torch.sqrt(x.var(-1, keepdim=True) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-eps-outside")
def eps_outside(x, scale, shift, eps):
    """You add eps to the standard deviation, outside the root.

    It belongs to the variance, under the root; there the gradient stays finite at variance 0 as well.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred / (x.var(-1, keepdim=True, correction=0).sqrt() + eps) * scale + shift


@misconception("layer_norm", "layer-norm-unbiased-eps-outside")
def unbiased_and_eps_outside(x, scale, shift, eps):
    """You divide by `x.std(-1) + eps`: that is off twice, unbiased, and eps is outside the root.

    Take the variance divided by D (`correction=0`), add eps to it, and then take the root.
    """
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-no-eps")
def no_eps(x, scale, shift, eps):
    """You leave out eps.

    A vector of equal entries has variance 0, and 0/0 is NaN; add eps to the variance, under the root.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred / x.var(-1, keepdim=True, correction=0).sqrt() * scale + shift


@misconception("layer_norm", "layer-norm-eps-fixed")
def eps_fixed(x, scale, shift, eps):
    """You use 1e-5, whatever eps says.

    That is the default of `nn.LayerNorm`; here eps is an argument, so use it.
    """
    return layer_norm(x, scale, shift, 1e-5)


@misconception("layer_norm", "layer-norm-eps-of-keras")
def eps_of_keras(x, scale, shift, eps):
    """You use 1e-6, whatever eps says.

    Many Keras models set this number; here eps is an argument, so use it.
    """
    return layer_norm(x, scale, shift, 1e-6)


@misconception("layer_norm", "layer-norm-variance")
def by_variance(x, scale, shift, eps):
    """You divide by the variance plus eps and forget the root.

    The variance is in squared units; only its root, the standard deviation, brings x to size 1.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred / (x.var(-1, keepdim=True, correction=0) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-not-centred")
def not_centred(x, scale, shift, eps):
    """You divide by the standard deviation but do not subtract the mean.

    Subtract the mean first: the result has mean 0 before scale and shift.
    """
    return x / torch.sqrt(x.var(-1, keepdim=True, correction=0) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-rms")
def root_mean_square(x, scale, shift, eps):
    """You divide x by its root mean square: that is RMS norm.

    Later models do so; a layer norm subtracts the mean first, in the variance and in what is divided.
    """
    return x / torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-second-moment")
def second_moment(x, scale, shift, eps):
    """You subtract the mean, but your variance is the mean of x² itself.

    Take the mean of (x - mean)²; the two agree only if the mean is 0.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred / torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-length")
def unit_length(x, scale, shift, eps):
    """You add up the squared deviations without dividing by D, so each vector gets length 1.

    The variance is their mean; a normalised vector has length √D, and its entries are about 1.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred / torch.sqrt(centred.square().sum(-1, keepdim=True) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-eps-floor")
def eps_as_floor(x, scale, shift, eps):
    """You use eps as the least variance (max or clamp) instead of adding it.

    The formula has √(variance + eps), for small and for large variances.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred / x.var(-1, keepdim=True, correction=0).clamp(min=eps).sqrt() * scale + shift


@misconception("layer_norm", "layer-norm-keepdim")
def no_keepdim(x, scale, shift, eps):
    """Your mean or your variance, or both, have lost the last axis and meet the wrong vectors, or nothing.

    Use `keepdim=True`: (..., 1) broadcasts against (..., D), and (...) does not, or along the wrong axis.
    """
    mean, variance = x.mean(-1), x.var(-1, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * scale + shift


@misconception("layer_norm", "layer-norm-third-axis")
def third_axis(x, scale, shift, eps):
    """You normalise along axis 2.

    That is the last axis of (B, T, D) only; `dim=-1` is the last one of any x.
    """
    centred = x - x.mean(2, keepdim=True)
    return centred / torch.sqrt(x.var(2, keepdim=True, correction=0) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-positions")
def over_positions(x, scale, shift, eps):
    """You normalise along the positions, the last axis but one.

    Each vector is normalised by its own D features: `dim=-1`, or words would change each other's numbers.
    """
    centred = x - x.mean(-2, keepdim=True)
    return centred / torch.sqrt(x.var(-2, keepdim=True, correction=0) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-last-two")
def over_the_last_two(x, scale, shift, eps):
    """You normalise a whole sentence at once, over positions and features together.

    Each vector has a mean and a variance of its own; take both along the last axis alone.
    """
    centred = x - x.mean((-2, -1), keepdim=True)
    return centred / torch.sqrt(x.var((-2, -1), keepdim=True, correction=0) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-first-axis")
def over_the_first_axis(x, scale, shift, eps):
    """You normalise along the first axis, across the sentences of the batch.

    What a sentence means must not depend on its neighbours: `dim=-1`, the features.
    """
    centred = x - x.mean(0, keepdim=True)
    return centred / torch.sqrt(x.var(0, keepdim=True, correction=0) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-batch-norm")
def batch_norm(x, scale, shift, eps):
    """You normalise each feature over batch and positions: that is batch norm.

    A layer norm goes the other way: each vector by itself, over its features, `dim=-1`.
    """
    rows = x.reshape(-1, x.shape[-1])
    centred = x - rows.mean(0)
    return centred / torch.sqrt(rows.var(0, correction=0) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-everything")
def over_everything(x, scale, shift, eps):
    """You take one mean and one variance of the whole tensor.

    Both belong to a single vector: `dim=-1, keepdim=True`.
    """
    return (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-no-affine")
def no_affine(x, scale, shift, eps):
    """You use neither scale nor shift.

    After normalising, multiply by scale and add shift, feature by feature.
    """
    return layer_norm(x, torch.ones_like(scale), torch.zeros_like(shift), eps)


@misconception("layer_norm", "layer-norm-no-scale")
def no_scale(x, scale, shift, eps):
    """You do not multiply by scale.

    The normalised vector times scale, feature by feature, plus shift.
    """
    return layer_norm(x, torch.ones_like(scale), shift, eps)


@misconception("layer_norm", "layer-norm-no-shift")
def no_shift(x, scale, shift, eps):
    """You do not add shift.

    The normalised vector times scale, feature by feature, plus shift.
    """
    return layer_norm(x, scale, torch.zeros_like(shift), eps)


@misconception("layer_norm", "layer-norm-shift-scaled")
def shift_before_scale(x, scale, shift, eps):
    """You add shift before you multiply, so that it is scaled as well.

    First times scale, then plus shift.
    """
    return layer_norm(x, torch.ones_like(scale), shift, eps) * scale


@misconception("layer_norm", "layer-norm-scale-plus-one")
def scale_plus_one(x, scale, shift, eps):
    """You multiply by 1 + scale.

    Some models store their scale that way; here scale itself is the factor.
    """
    return layer_norm(x, 1 + scale, shift, eps)


@misconception("layer_norm", "layer-norm-constant-statistics")
def constant_statistics(x, scale, shift, eps):
    """Your mean and variance are cut off from the gradient (detach, .data, no_grad or .item()).

    They depend on x, and the gradient of x has to go through them as well.
    """
    mean = x.mean(-1, keepdim=True).detach()
    variance = x.var(-1, keepdim=True, correction=0).detach()
    return (x - mean) / torch.sqrt(variance + eps) * scale + shift


@misconception("layer_norm", "layer-norm-detached")
def detached(x, scale, shift, eps):
    """No gradient comes back through your result (detach, .data, no_grad or NumPy).

    Nothing before a norm could learn; compute with x itself.
    """
    return layer_norm(x, scale, shift, eps).detach()


@misconception("layer_norm", "layer-norm-overwrites")
def overwrites_x(x, scale, shift, eps):
    """You subtract the mean from x in place, and the caller's x changes with it.

    A residual connection still needs it; write `x = x - ...` instead of `x -= ...`.
    """
    variance = x.var(-1, keepdim=True, correction=0)
    x -= x.mean(-1, keepdim=True)
    return x / torch.sqrt(variance + eps) * scale + shift


@misconception("layer_norm", "layer-norm-float")
def always_float32(x, scale, shift, eps):
    """You convert to float32 on the way.

    The result has the dtype of x; leave out `.float()` and `dtype=torch.float32`.
    """
    return layer_norm(x.float(), scale.float(), shift.float(), eps)


@misconception("layer_norm", "layer-norm-device")
def on_the_default_device(x, scale, shift, eps):
    """You make a tensor on the default device instead of the device of x.

    On a GPU the two cannot be combined; derive everything from x, or pass `device=x.device`.
    """
    mean = torch.zeros((*x.shape[:-1], 1), dtype=x.dtype)
    mean += x.mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt((x - mean).square().mean(-1, keepdim=True) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-squeezed")
def squeezed(x, scale, shift, eps):
    """You squeeze the result, which drops every axis of size 1.

    An axis of size 1 is an axis like any other, whether batch, positions or features; leave out `squeeze()`.
    """
    return layer_norm(x, scale, shift, eps).squeeze()


@misconception("layer_norm", "layer-norm-scaled-before")
def scaled_before(x, scale, shift, eps):
    """You apply scale and shift before you normalise, and normalising takes most of them out again.

    First mean 0 and variance 1, then scale and shift: they are there to give a vector another mean and spread.
    """
    moved = x * scale + shift
    centred = moved - moved.mean(-1, keepdim=True)
    return centred / torch.sqrt(moved.var(-1, correction=0, keepdim=True) + eps)
