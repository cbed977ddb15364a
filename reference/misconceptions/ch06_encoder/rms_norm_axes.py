"""What goes wrong in `rms_norm`, continued: the axis, the scale and the tensors."""

import torch

from reference.ch06_encoder import rms_norm
from reference.misconceptions import misconception


@misconception("rms_norm", "rms-norm-keepdim")
def no_keepdim(x, scale, eps):
    """Your mean square has lost the last axis and meets the wrong vectors, or nothing.

    Use `keepdim=True`: (..., 1) broadcasts against (..., D), and (...) does not, or along the wrong axis.
    """
    return x / torch.sqrt(x.square().mean(-1) + eps) * scale


@misconception("rms_norm", "rms-norm-third-axis")
def third_axis(x, scale, eps):
    """You take the mean along axis 2.

    That is the last axis of (B, T, D) only; `dim=-1` is the last one of any x.
    """
    return x / torch.sqrt(x.square().mean(2, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-positions")
def over_positions(x, scale, eps):
    """You take the mean along the positions, the last axis but one.

    Each vector is divided by the root mean square of its own D features: `dim=-1`, or words would change each other.
    """
    return x / torch.sqrt(x.square().mean(-2, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-last-two")
def over_the_last_two(x, scale, eps):
    """You take one mean square of a whole sentence, over positions and features together.

    Each vector has a root mean square of its own; take the mean along the last axis alone.
    """
    return x / torch.sqrt(x.square().mean((-2, -1), keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-first-axis")
def over_the_first_axis(x, scale, eps):
    """You take the mean along the first axis, across the sentences of the batch.

    What a sentence means must not depend on its neighbours: `dim=-1`, the features.
    """
    return x / torch.sqrt(x.square().mean(0, keepdim=True) + eps) * scale


@misconception("rms_norm", "rms-norm-everything")
def over_everything(x, scale, eps):
    """You take one mean square of the whole tensor.

    Each vector has its own: `dim=-1, keepdim=True`.
    """
    return x / torch.sqrt(x.square().mean() + eps) * scale


@misconception("rms_norm", "rms-norm-no-scale")
def no_scale(x, scale, eps):
    """You do not multiply by scale.

    The normalised vector times scale, feature by feature.
    """
    return rms_norm(x, torch.ones_like(scale), eps)


@misconception("rms_norm", "rms-norm-scale-plus-one")
def scale_plus_one(x, scale, eps):
    """You multiply by 1 + scale.

    Some models store their scale that way; here scale itself is the factor.
    """
    return rms_norm(x, 1 + scale, eps)


@misconception("rms_norm", "rms-norm-scaled-before")
def scaled_before(x, scale, eps):
    """You multiply by scale before you take the mean square, so its size is normalised away again.

    The mean square is of x alone; scale comes last.
    """
    return rms_norm(x * scale, torch.ones_like(scale), eps)


@misconception("rms_norm", "rms-norm-scale-added")
def scale_added(x, scale, eps):
    """You add scale instead of multiplying by it.

    It is γ, a factor for each feature; an RMSNorm has no shift.
    """
    return rms_norm(x, torch.ones_like(scale), eps) + scale


@misconception("rms_norm", "rms-norm-scale-divides")
def scale_divides(x, scale, eps):
    """You divide by scale: it stands in the denominator, with the root.

    Missing brackets can do this: x / (root · scale) and x / root · scale differ. Multiply the result by scale.
    """
    return rms_norm(x, 1 / scale, eps)


@misconception("rms_norm", "rms-norm-constant-statistics")
def constant_statistics(x, scale, eps):
    """Your mean square is cut off from the gradient (detach, .data, no_grad or .item()).

    It depends on x, and the gradient of x has to go through it as well.
    """
    mean_square = x.square().mean(-1, keepdim=True).detach()
    return x / torch.sqrt(mean_square + eps) * scale


@misconception("rms_norm", "rms-norm-detached")
def detached(x, scale, eps):
    """No gradient comes back through your result (detach, .data, no_grad or NumPy).

    Nothing before a norm could learn; compute with x itself.
    """
    return rms_norm(x, scale, eps).detach()


@misconception("rms_norm", "rms-norm-overwrites")
def overwrites_x(x, scale, eps):
    """You divide x in place, and the caller's x changes with it.

    A residual connection still needs it; write `x / ...` instead of `x /= ...`.
    """
    x /= torch.sqrt(x.square().mean(-1, keepdim=True) + eps)
    return x * scale


@misconception("rms_norm", "rms-norm-float")
def always_float32(x, scale, eps):
    """You compute in float32, as many models do to save their half precision, and that loses digits of float64.

    The result has the dtype and the precision of x; leave out `.float()` and `dtype=torch.float32`.
    """
    return rms_norm(x.float(), scale.float(), eps)


@misconception("rms_norm", "rms-norm-device")
def on_the_default_device(x, scale, eps):
    """You make a tensor on the default device instead of the device of x.

    On a GPU the two cannot be combined; derive everything from x, or pass `device=x.device`.
    """
    mean_square = torch.full((*x.shape[:-1], 1), eps, dtype=x.dtype)
    mean_square += x.square().mean(-1, keepdim=True)
    return x / torch.sqrt(mean_square) * scale


@misconception("rms_norm", "rms-norm-squeezed")
def squeezed(x, scale, eps):
    """You squeeze the result, which drops every axis of size 1.

    An axis of size 1 is an axis like any other, whether batch, positions or features; leave out `squeeze()`.
    """
    return rms_norm(x, scale, eps).squeeze()


@misconception("rms_norm", "rms-norm-nan-gradient")
def nan_gradient(x, scale, eps):
    """Where a vector is all zeros, your gradient is NaN: before eps comes a root, a logarithm or a division by 0.

    The slope of each of them is infinite at 0, and eps is there to keep you away from it. Which step comes too early?
    """
    root = x.square().mean(-1, keepdim=True).sqrt()
    return x / (root.square() + eps).sqrt() * scale
