"""Inputs that tell little about a layer norm."""

import torch

from reference.misconceptions import misconception


@misconception("probe_layer_norm", "probe-layer-norm-ones")
def ones():
    """Your x is all ones, and so is scale.

    Once its mean is subtracted, nothing is left of a constant row; give x, scale and shift numbers that differ.
    """
    return torch.ones(1, 2, 2), torch.ones(2), torch.zeros(2), 1e-5


@misconception("probe_layer_norm", "probe-layer-norm-constant-rows")
def constant_rows():
    """Every row of your x is one number repeated.

    Nothing varies along the last axis, so every answer is `shift`; one such row is enough.
    """
    x = torch.arange(24.0).reshape(2, 3, 4, 1).expand(2, 3, 4, 5)
    return x, torch.arange(1.0, 6.0), torch.arange(5.0) - 2, 0.5


@misconception("probe_layer_norm", "probe-layer-norm-fresh")
def scale_and_shift_as_they_begin():
    """Your scale is all ones and your shift all zeros, as in a fresh layer.

    Code that forgets either is then right; a trained layer has other numbers, a different one for every column.
    """
    return torch.sin(torch.arange(120.0)).reshape(2, 3, 4, 5) + 3, torch.ones(5), torch.zeros(5), 0.5


@misconception("probe_layer_norm", "probe-layer-norm-scale-is-shift")
def scale_that_is_the_shift():
    """Your scale and shift are the same numbers.

    Code that takes one for the other is then right by accident; give them numbers that have nothing in common.
    """
    numbers = torch.arange(1.0, 6.0)
    return torch.sin(torch.arange(120.0)).reshape(2, 3, 4, 5) + 3, numbers, numbers.clone(), 0.5


@misconception("probe_layer_norm", "probe-layer-norm-usual-eps")
def usual_eps():
    """Your eps is 1e-5, the usual one.

    Code with a hard-coded 1e-5 is right by accident; give one that no one would choose.
    """
    x = torch.sin(torch.arange(120.0)).reshape(2, 3, 4, 5) + 3
    return x, torch.arange(1.0, 6.0), torch.arange(5.0) - 2, 1e-5


@misconception("probe_layer_norm", "probe-layer-norm-no-eps")
def no_eps():
    """Your eps is zero.

    You cannot see where it is, or whether it is there at all; let it be large enough to count.
    """
    x = torch.sin(torch.arange(120.0)).reshape(2, 3, 4, 5) + 3
    return x, torch.arange(1.0, 6.0), torch.arange(5.0) - 2, 0.0


@misconception("probe_layer_norm", "probe-layer-norm-huge")
def huge():
    """Your numbers are so large that eps is nothing beside their variance.

    Inside the root, outside it or left out: the answer is the same. Take numbers around 1 and an eps about as large.
    """
    x = torch.sin(torch.arange(120.0)).reshape(2, 3, 4, 5) * 1e6
    return x, torch.arange(1.0, 6.0), torch.arange(5.0) - 2, 1e-3


@misconception("probe_layer_norm", "probe-layer-norm-centred")
def centred():
    """Each row of your x has mean zero already.

    Code that forgets to subtract the mean is right by accident; move the rows away from zero.
    """
    x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0]) * torch.arange(1.0, 25.0).reshape(2, 3, 4, 1)
    return x, torch.arange(1.0, 6.0), torch.arange(5.0) - 2, 0.5


@misconception("probe_layer_norm", "probe-layer-norm-three-axes")
def three_axes():
    """Your x is (B, T, D), as always.

    Axis 2 is then the last one, and code that counts from the left is right by accident; take four axes, or two.
    """
    x = torch.sin(torch.arange(30.0)).reshape(2, 3, 5) + 3
    return x, torch.arange(1.0, 6.0), torch.arange(5.0) - 2, 0.5


@misconception("probe_layer_norm", "probe-layer-norm-width-one")
def width_one():
    """Your vectors hold a single number each.

    One number is its own mean: nothing is left to normalise. Take several in each vector, and let them differ.
    """
    return torch.arange(24.0).reshape(2, 3, 4, 1), torch.full((1,), 3.0), torch.full((1,), -2.0), 0.5


@misconception("probe_layer_norm", "probe-layer-norm-scale-of-positions")
def scale_for_each_row():
    """Your scale and shift have a number for each position, not for each feature.

    They belong to the last axis: both are (D,), as long as one vector.
    """
    x = torch.sin(torch.arange(60.0)).reshape(3, 4, 5) + 3
    return x, torch.arange(1.0, 5.0), torch.arange(4.0) - 2, 0.5


@misconception("probe_layer_norm", "probe-layer-norm-eps-missing")
def eps_missing():
    """You give three arguments; eps is missing.

    The function has no default for it: `return x, scale, shift, eps`.
    """
    return torch.sin(torch.arange(120.0)).reshape(2, 3, 4, 5) + 3, torch.arange(1.0, 6.0), torch.arange(5.0) - 2
