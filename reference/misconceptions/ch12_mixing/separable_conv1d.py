"""What goes wrong in `separable_conv1d`."""

import torch
from torch.nn import functional

from reference.ch12_mixing import depthwise_conv1d, pointwise_conv1d, separable_conv1d
from reference.misconceptions import misconception


@misconception("separable_conv1d", "separable-pointwise-first")
def pointwise_first(x, filters, w):
    """You mix the features first and filter what comes out.

    The filters belong to the D features that come in: first the depthwise convolution, then the pointwise one.
    """
    mixed = x @ w
    size = filters.shape[1]
    windows = functional.pad(mixed, (0, 0, size // 2, size // 2)).unfold(1, size, 1)
    return (windows * filters).sum(-1)


@misconception("separable_conv1d", "separable-relu-between")
def relu_between(x, filters, w):
    """There is a ReLU between your two convolutions.

    They follow each other without an activation; an activation belongs to the block around them.
    """
    return depthwise_conv1d(x, filters).relu() @ w


@misconception("separable_conv1d", "separable-relu-after")
def relu_after(x, filters, w):
    """You apply a ReLU to the result.

    Return the two convolutions and nothing else; an activation belongs to the block around them.
    """
    return separable_conv1d(x, filters, w).relu()


@misconception("separable_conv1d", "separable-gelu-between")
def gelu_between(x, filters, w):
    """There is a GELU between your two convolutions.

    They follow each other without an activation; an activation belongs to the block around them.
    """
    return functional.gelu(depthwise_conv1d(x, filters)) @ w


@misconception("separable_conv1d", "separable-no-pointwise")
def no_pointwise(x, filters, w):
    """You return the depthwise convolution; w is not used.

    Send its result through `pointwise_conv1d` with w.
    """
    return depthwise_conv1d(x, filters)


@misconception("separable_conv1d", "separable-no-depthwise")
def no_depthwise(x, filters, w):
    """Your result is the pointwise convolution of x itself: the filters are not used.

    The pointwise step takes what the depthwise step gave, not x.
    """
    return pointwise_conv1d(x, w)


@misconception("separable_conv1d", "separable-parallel")
def parallel(x, filters, w):
    """You add up the two convolutions instead of applying one to the result of the other.

    The two are steps, not branches. What does the pointwise step read?

    It takes what the depthwise step gave: `pointwise_conv1d(depthwise_conv1d(x, filters), w)`.
    """
    size = filters.shape[1]
    windows = functional.pad(x, (0, 0, size // 2, size // 2)).unfold(1, size, 1)
    return (windows * filters).sum(-1) + x @ w


@misconception("separable_conv1d", "separable-residual")
def residual(x, filters, w):
    """You add x to the result.

    The residual belongs to the block around it, and would need E = D.
    """
    size = filters.shape[1]
    windows = functional.pad(x, (0, 0, size // 2, size // 2)).unfold(1, size, 1)
    return x + (windows * filters).sum(-1) @ w


@misconception("separable_conv1d", "separable-residual-between")
def residual_between(x, filters, w):
    """You add x to what the depthwise convolution gives.

    Nothing comes between the two convolutions; a residual belongs to the block around them.
    """
    return (x + depthwise_conv1d(x, filters)) @ w


@misconception("separable_conv1d", "separable-transposed")
def transposed(x, filters, w):
    """You multiply by w transposed.

    Here w is (D, E), inputs in rows: `... @ w`.
    """
    size = filters.shape[1]
    windows = functional.pad(x, (0, 0, size // 2, size // 2)).unfold(1, size, 1)
    return (windows * filters).sum(-1) @ w.T


@misconception("separable_conv1d", "separable-flipped")
def flipped(x, filters, w):
    """You flip the filters.

    Their first number meets the position furthest to the left, t − (K − 1) / 2: leave out `flip`, or swap t + k and t −
    k.
    """
    return separable_conv1d(x, filters.flip(1), w)


@misconception("separable_conv1d", "separable-causal")
def causal(x, filters, w):
    """Your depthwise step pads in front only, so that position t sees nothing that comes after it.

    The middle of the filter belongs on t: put (K − 1) / 2 rows of zeros at either end.
    """
    size = filters.shape[1]
    windows = functional.pad(x, (0, 0, size - 1, 0)).unfold(1, size, 1)
    return (windows * filters).sum(-1) @ w


@misconception("separable_conv1d", "separable-circular")
def circular(x, filters, w):
    """At the ends your filters read on from the other end of the text.

    Beyond the ends there are zeros; `torch.roll` does not know that.
    """
    half = filters.shape[1] // 2
    rolled = [x.roll(half - k, 1) * filters[:, k] for k in range(filters.shape[1])]
    return torch.stack(rolled).sum(0) @ w


@misconception("separable_conv1d", "separable-no-padding")
def no_padding(x, filters, w):
    """Your depthwise step does not pad, and the text becomes K − 1 positions shorter.

    Put (K − 1) / 2 rows of zeros at either end, so that T positions come out.
    """
    return (x.unfold(1, filters.shape[1], 1) * filters).sum(-1) @ w


@misconception("separable_conv1d", "separable-shared-filter")
def shared_filter(x, filters, w):
    """You use the first filter for all features.

    Row d of `filters` belongs to feature d.
    """
    return separable_conv1d(x, filters[:1].expand_as(filters), w)


@misconception("separable_conv1d", "separable-squeezed")
def squeezed(x, filters, w):
    """You squeeze the result, so an axis of size 1 is gone: that of a single text, position or feature.

    An axis of size 1 is an axis; leave out `squeeze()`.
    """
    return separable_conv1d(x, filters, w).squeeze()


@misconception("separable_conv1d", "separable-float32")
def float32(x, filters, w):
    """You collect the result in a tensor of the default dtype, float32.

    If you want a tensor to fill, make it with the dtype and the device of x.
    """
    result = torch.zeros(*x.shape[:2], w.shape[1])
    result += separable_conv1d(x, filters, w)
    return result


@misconception("separable_conv1d", "separable-frozen-filters")
def frozen_filters(x, filters, w):
    """No gradient comes back through your depthwise step: its result is detached, or went through NumPy.

    Filters and w are learned together; hand the tensor on as it is.
    """
    return depthwise_conv1d(x, filters).detach() @ w


@misconception("separable_conv1d", "separable-anticausal")
def anticausal(x, filters, w):
    """Your depthwise step pads at the end only, so that the first number of the filter meets t itself.

    The number in the middle meets t: pad (K − 1) / 2 rows at either end.
    """
    padded = torch.nn.functional.pad(filters, (filters.shape[1] - 1, 0))
    return separable_conv1d(x, padded, w)


@misconception("separable_conv1d", "separable-softmax")
def softmax_of_filters(x, filters, w):
    """You send the filters through a softmax.

    They are used as they are: negative numbers, and any sum.
    """
    return separable_conv1d(x, filters.softmax(-1), w)


@misconception("separable_conv1d", "separable-mean")
def mean_over_the_filter(x, filters, w):
    """You take the mean over the filter's numbers instead of the sum.

    Both steps are plain sums of products.
    """
    return separable_conv1d(x, filters, w) / filters.shape[1]


@misconception("separable_conv1d", "separable-channels-first")
def channels_first(x, filters, w):
    """Your result is (B, E, T), channels first as nn.Conv1d has it.

    In this course the features come last: (B, T, E).
    """
    return separable_conv1d(x, filters, w).transpose(1, 2)


@misconception("separable_conv1d", "separable-norm-between")
def norm_between(x, filters, w):
    """You normalise between the two convolutions.

    Nothing comes between them: no norm, no activation, no residual.
    """
    along = separable_conv1d(x, filters, torch.eye(x.shape[-1], dtype=x.dtype, device=x.device))
    return torch.nn.functional.layer_norm(along, along.shape[-1:]) @ w


@misconception("separable_conv1d", "separable-gelu-after")
def gelu_after(x, filters, w):
    """You apply a GELU to the result.

    Both steps are linear, and nothing follows them.
    """
    return torch.nn.functional.gelu(separable_conv1d(x, filters, w))


@misconception("separable_conv1d", "separable-depthwise-twice")
def depthwise_twice(x, filters, w):
    """You apply the depthwise convolution twice.

    Filter once along the positions, then multiply by w.
    """
    unit = torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    return separable_conv1d(separable_conv1d(x, filters, unit), filters, w)


@misconception("separable_conv1d", "separable-matrix-squeezed")
def matrix_squeezed(x, filters, w):
    """You squeeze `w`, so where D or E is 1 it is a vector and no matrix any more.

    An axis of size 1 is an axis: a matrix with one column makes one feature of all. Leave out `squeeze()`.
    """
    return depthwise_conv1d(x, filters) @ w.squeeze()
