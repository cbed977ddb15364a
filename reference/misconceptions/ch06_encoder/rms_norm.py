"""What goes wrong in `rms_norm`."""

import torch

from reference.ch06_encoder import rms_norm
from reference.misconceptions import misconception


@misconception("rms_norm", "rms-norm-layer-norm")
def centred(x, scale, eps):
    """You subtract the mean: that is a layer norm.

    An RMSNorm leaves the mean where it is, in what is squared and in what is divided.
    """
    moved = x - x.mean(-1, keepdim=True)
    return moved / torch.sqrt(moved.square().mean(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-variance")
def by_the_deviation(x, scale, eps):
    """You divide by the root of the variance, in which the mean is subtracted.

    A root mean square is of x itself: square x as it is. The two agree only if the mean is 0.
    """
    return x / torch.sqrt(x.var(-1, keepdim=True, correction=0) + eps) * scale


@misconception("rms_norm", "rms-norm-unbiased-variance")
def by_the_unbiased_deviation(x, scale, eps):
    """You divide by the root of the unbiased variance (`x.var(-1)` or `x.std(-1)`): the mean is subtracted in it.

    A root mean square is of x itself: square x as it is, take the mean over all D entries, then the root.
    """
    return x / torch.sqrt(x.var(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-centred-only")
def only_the_numerator_centred(x, scale, eps):
    """You divide by the root mean square of x, but what you divide is x minus its mean.

    Nothing is subtracted in an RMSNorm: divide x itself.
    """
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-no-eps")
def no_eps(x, scale, eps):
    """You leave out eps.

    A vector of zeros has a mean square of 0, and 0/0 is NaN; add eps to the mean square, under the root.
    """
    return x / x.square().mean(-1, keepdim=True).sqrt() * scale


@misconception("rms_norm", "rms-norm-eps-outside")
def eps_outside(x, scale, eps):
    """You add eps to the root mean square, outside the root.

    It belongs to the mean square, under the root; there the gradient stays finite at a vector of zeros as well.
    """
    return x / (x.square().mean(-1, keepdim=True).sqrt() + eps) * scale


@misconception("rms_norm", "rms-norm-eps-squared")
def eps_squared(x, scale, eps):
    """You add the square of eps under the root.

    eps is added to the mean square as it is; only x is squared.
    """
    return rms_norm(x, scale, eps * eps)


@misconception("rms_norm", "rms-norm-eps-subtracted")
def eps_subtracted(x, scale, eps):
    """You subtract eps under the root.

    It keeps the root above zero, so add it.
    """
    return x / torch.sqrt(x.square().mean(-1, keepdim=True) - eps) * scale


@misconception("rms_norm", "rms-norm-eps-before-squaring")
def eps_in_x(x, scale, eps):
    """You add eps to x before you square.

    Square x as it is, take the mean, and add eps to that mean.
    """
    return x / torch.sqrt((x + eps).square().mean(-1, keepdim=True)) * scale


@misconception("rms_norm", "rms-norm-eps-fixed")
def eps_of_llama(x, scale, eps):
    """You use 1e-5, whatever eps says.

    Many models set this number; here eps is an argument, so use it.
    """
    return rms_norm(x, scale, 1e-5)


@misconception("rms_norm", "rms-norm-eps-millionth")
def eps_of_t5(x, scale, eps):
    """You use 1e-6, whatever eps says.

    Many models set this number; here eps is an argument, so use it.
    """
    return rms_norm(x, scale, 1e-6)


@misconception("rms_norm", "rms-norm-eps-floor")
def eps_as_floor(x, scale, eps):
    """You use eps as the least mean square (max or clamp) instead of adding it.

    The formula has √(mean square + eps), for small and for large vectors.
    """
    return x / x.square().mean(-1, keepdim=True).clamp(min=eps).sqrt() * scale


@misconception("rms_norm", "rms-norm-normalize")
def by_normalize(x, scale, eps):
    """Your eps is the least length of a vector, as in `F.normalize`, instead of being added to the mean square.

    The formula has √(mean square + eps), for small and for large vectors.
    """
    return torch.nn.functional.normalize(x, dim=-1, eps=eps) * x.shape[-1] ** 0.5 * scale


@misconception("rms_norm", "rms-norm-no-root")
def by_the_mean_square(x, scale, eps):
    """You divide by the mean square plus eps and forget the root.

    The mean square is in squared units; only its root brings x to size 1.
    """
    return x / (x.square().mean(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-two-roots")
def root_of_the_root(x, scale, eps):
    """You take the root of the root mean square plus eps: that is one root too many.

    Under the only root stands the mean square: √(mean of x² + eps).
    """
    return x / torch.sqrt(x.square().mean(-1, keepdim=True).sqrt() + eps) * scale


@misconception("rms_norm", "rms-norm-length")
def by_the_length(x, scale, eps):
    """You add up the squares without dividing by D, so each vector gets length 1.

    Take their mean; a normalised vector has length √D, and its entries are about 1.
    """
    return x / torch.sqrt(x.square().sum(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-divided-after-the-root")
def divided_after_the_root(x, scale, eps):
    """You divide by D after the root, and not under it.

    Root of mean of square: the mean comes before the root, so D stands under it.
    """
    return x / (torch.sqrt(x.square().sum(-1, keepdim=True) + eps) / x.shape[-1]) * scale


@misconception("rms_norm", "rms-norm-one-less")
def by_one_less(x, scale, eps):
    """You divide the sum of the squares by D - 1.

    Only an estimate of a variance does so; a mean of D squares is their sum divided by D.
    """
    return x / torch.sqrt(x.square().sum(-1, keepdim=True) / (x.shape[-1] - 1) + eps) * scale


@misconception("rms_norm", "rms-norm-absolute")
def by_the_mean_size(x, scale, eps):
    """You divide by the mean of |x|.

    That is another average of the sizes; square x, take the mean, add eps, then take the root.
    """
    return x / (x.abs().mean(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-square-of-the-mean")
def square_of_the_mean(x, scale, eps):
    """You square the mean of x instead of taking the mean of the squares.

    Squares first: otherwise large entries of both signs cancel.
    """
    return x / torch.sqrt(x.mean(-1, keepdim=True).square() + eps) * scale


@misconception("rms_norm", "rms-norm-not-squared")
def not_squared(x, scale, eps):
    """You take the root of the mean of x itself, so nothing is squared.

    Square x first. A mean may be negative, and then its root is NaN; a mean of squares never is.
    """
    return x / torch.sqrt(x.mean(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-largest")
def by_the_largest(x, scale, eps):
    """You divide by the largest |x| of a vector instead of its root mean square.

    All entries count: take the mean of their squares, add eps, then take the root.
    """
    return x / (x.abs().amax(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-multiplied")
def multiplied(x, scale, eps):
    """You multiply by the root mean square instead of dividing by it (or divide by `torch.rsqrt`, which does the same).

    Large vectors should shrink: x divided by the root. `torch.rsqrt` is 1 / root already.
    """
    return x * torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-standard-deviation")
def by_the_deviation_plus_eps(x, scale, eps):
    """You divide by `x.std(-1) + eps`: the mean is subtracted in it, and eps is outside the root.

    Square x as it is, take the mean over all D entries, add eps to it, and then take the root.
    """
    return x / (x.std(-1, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-eps-divided")
def eps_divided(x, scale, eps):
    """You add eps to the sum of the squares, so it is divided by D too.

    First the mean of the squares, then plus eps, as it is.
    """
    return x / torch.sqrt((x.square().sum(-1, keepdim=True) + eps) / x.shape[-1]) * scale


@misconception("rms_norm", "rms-norm-root-floor")
def eps_as_floor_of_the_root(x, scale, eps):
    """You use eps as the least root mean square (max or clamp after the root) instead of adding it under the root.

    The formula has √(mean square + eps), for small and for large vectors.
    """
    return x / x.square().mean(-1, keepdim=True).sqrt().clamp(min=eps) * scale


@misconception("rms_norm", "rms-norm-eps-of-the-dtype")
def eps_of_the_dtype(x, scale, eps):
    """You raise an eps that is smaller than the rounding unit of the dtype (`torch.finfo`).

    A tiny vector has a tiny mean square, and a larger eps drowns it. Use the eps that you are given, as it is.
    """
    return rms_norm(x, scale, max(eps, torch.finfo(x.dtype).eps))
