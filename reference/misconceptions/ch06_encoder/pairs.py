"""Two mistakes in one answer to `layer_norm`."""

import torch

from reference.misconceptions import misconception


@misconception("layer_norm", "layer-norm-unbiased", "layer-norm-no-eps")
def unbiased_without_eps(x, scale, shift, eps):
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True) * scale + shift


@misconception("layer_norm", "layer-norm-unbiased", "layer-norm-not-centred")
def unbiased_and_not_centred(x, scale, shift, eps):
    return x / torch.sqrt(x.var(-1, keepdim=True) + eps) * scale + shift


@misconception("layer_norm", "layer-norm-unbiased", "layer-norm-eps-fixed")
def unbiased_with_an_eps_of_its_own(x, scale, shift, eps):
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + 1e-5) * scale + shift


@misconception("layer_norm", "layer-norm-eps-outside", "layer-norm-shift-scaled")
def eps_outside_and_shift_scaled(x, scale, shift, eps):
    centred = x - x.mean(-1, keepdim=True)
    return (centred / (x.std(-1, keepdim=True, correction=0) + eps) + shift) * scale
