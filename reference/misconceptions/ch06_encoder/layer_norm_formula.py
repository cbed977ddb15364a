"""What goes wrong in `layer_norm`, continued: the formula."""

import torch

from reference.ch06_encoder import layer_norm
from reference.misconceptions import misconception


@misconception("layer_norm", "layer-norm-difference-of-squares")
def difference_of_squares(x, scale, shift, eps):
    """Your variance is the mean of x² minus the squared mean, which loses all its digits where the mean is large.

    Subtract the mean first, then square: (x - mean)².
    """
    mean = x.mean(-1, keepdim=True)
    variance = x.square().mean(-1, keepdim=True) - mean.square()
    return (x - mean) / torch.sqrt(variance + eps) * scale + shift


@misconception("layer_norm", "layer-norm-multiplied")
def multiplied(x, scale, shift, eps):
    """You multiply by the root of variance plus eps what you should divide by it.

    Dividing by the standard deviation brings every vector to variance 1.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred * torch.sqrt(centred.square().mean(-1, keepdim=True) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-centred-only")
def centred_only(x, scale, shift, eps):
    """You subtract the mean but do not divide by the standard deviation.

    Divide by √(variance + eps), so that every vector has variance 1.
    """
    return (x - x.mean(-1, keepdim=True)) * scale + shift


@misconception("layer_norm", "layer-norm-precedence")
def only_the_mean_divided(x, scale, shift, eps):
    """You divide only the mean by the standard deviation: brackets are missing around x - mean.

    `/` binds before `-`: write (x - mean) / √(variance + eps).
    """
    mean = x.mean(-1, keepdim=True)
    return (x - mean / torch.sqrt(x.var(-1, keepdim=True, correction=0) + eps)) * scale + shift


@misconception("layer_norm", "layer-norm-root-of-deviation")
def root_of_the_deviation(x, scale, shift, eps):
    """You take the root of the standard deviation plus eps: that is one root too many.

    Under the root stands the variance: √(variance + eps).
    """
    deviation = x.std(-1, keepdim=True, correction=0)
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(deviation + eps) * scale + shift


@misconception("layer_norm", "layer-norm-affine-first")
def scaled_before_the_division(x, scale, shift, eps):
    """You scale and shift before you divide by the standard deviation, so that shift is divided too.

    Normalise first; scale and shift come last.
    """
    centred = x - x.mean(-1, keepdim=True)
    return (centred * scale + shift) / torch.sqrt(centred.square().mean(-1, keepdim=True) + eps)


@misconception("layer_norm", "layer-norm-absolute")
def absolute_deviations(x, scale, shift, eps):
    """You divide by the mean absolute deviation (plus eps), not by the root of variance plus eps.

    The variance is the mean of the squared deviations, and its root is what you divide by.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.abs().mean(-1, keepdim=True) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-range")
def brought_into_a_range(x, scale, shift, eps):
    """You bring every vector into the range from 0 to 1, by its smallest and largest entry.

    Layer norm subtracts the mean and divides by √(variance + eps).
    """
    low, high = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
    return (x - low) / (high - low + eps) * scale + shift


@misconception("layer_norm", "layer-norm-eps-of-bert")
def with_the_eps_of_bert(x, scale, shift, eps):
    """You use 1e-12, whatever eps says.

    That is BERT's number; here it is an argument.
    """
    centred = x - x.mean(-1, keepdim=True)
    return centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + 1e-12) * scale + shift


@misconception("layer_norm", "layer-norm-all-but-first")
def over_all_axes_but_the_first(x, scale, shift, eps):
    """You take one mean and one variance over all axes but the first, so whole texts are normalised at once.

    Then the words of a text change each other's numbers. Which axis holds the features of a single word?

    Each vector has a mean and a variance of its own: take both along the last axis alone, `dim=-1`.
    """
    axes = tuple(range(1, x.dim())) or (0,)
    centred = x - x.mean(axes, keepdim=True)
    return centred / torch.sqrt(x.var(axes, keepdim=True, correction=0) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-mean-not-squared")
def mean_not_squared(x, scale, shift, eps):
    """You take the mean of the squares minus the mean; the mean is not squared.

    The variance is E[x²] − E[x]². Computed as the mean of (x − E[x])² it cannot become negative by rounding, either.
    """
    mean = x.mean(-1, keepdim=True)
    variance = (x**2).mean(-1, keepdim=True) - mean
    return scale * (x - mean) / torch.sqrt(variance + eps) + shift


@misconception("layer_norm", "layer-norm-scale-for-shift")
def scale_and_shift_exchanged(x, scale, shift, eps):
    """You have exchanged scale and shift: you multiply by shift and add scale.

    A fresh layer has a scale of ones and a shift of zeros. What would yours make of every x?
    """
    return layer_norm(x, shift, scale, eps)


@misconception("layer_norm", "layer-norm-eps-at-least")
def eps_at_least(x, scale, shift, eps):
    """You use an eps of at least 1e-5, even where a smaller one is given.

    Where all numbers of a vector are tiny, so is its variance, and an eps of 1e-5 drowns it. Any eps above 0 is fine.
    """
    return layer_norm(x, scale, shift, max(eps, 1e-5))


@misconception("layer_norm", "layer-norm-root-squared")
def root_squared(x, scale, shift, eps):
    """Where all entries are equal, your gradient is NaN: before eps comes a root, a logarithm or a division by 0.

    The slope of each of them is infinite at 0, and eps is there to keep you away from it. Which step comes too early?
    """
    centred = x - x.mean(-1, keepdim=True)
    deviation = centred.square().mean(-1, keepdim=True).sqrt()
    return centred / (deviation**2 + eps).sqrt() * scale + shift


@misconception("layer_norm", "layer-norm-mean-for-variance")
def mean_and_variance_exchanged(x, scale, shift, eps):
    """You have exchanged mean and variance: you subtract the variance and take the root of the mean plus eps.

    `torch.var_mean` returns a pair, and its name says in which order.
    """
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return (x - variance) / torch.sqrt(mean + eps) * scale + shift


@misconception("layer_norm", "layer-norm-eps-of-the-dtype")
def eps_of_the_dtype(x, scale, shift, eps):
    """You raise an eps that is smaller than the rounding unit of the dtype (`torch.finfo`).

    A vector of tiny numbers has a tiny variance, and a larger eps drowns it. Use the eps that you are given, as it is.
    """
    return layer_norm(x, scale, shift, max(eps, torch.finfo(x.dtype).eps))


@misconception("layer_norm", "layer-norm-mean-for-deviation")
def mean_and_deviation_exchanged(x, scale, shift, eps):
    """You have exchanged mean and standard deviation: you subtract the deviation, and square the mean under the root.

    `torch.std_mean` returns a pair, and its name says in which order.
    """
    deviation, mean = torch.std_mean(x, dim=-1, correction=0, keepdim=True)
    return (x - deviation) / torch.sqrt(mean.square() + eps) * scale + shift
