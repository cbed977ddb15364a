"""What goes wrong in `pointwise_conv1d`."""

import torch

from reference.ch12_mixing import pointwise_conv1d
from reference.misconceptions import misconception


@misconception("pointwise_conv1d", "pointwise-transposed")
def transposed(x, w):
    """You multiply by w transposed (as `functional.linear` does).

    Here w is (D, E), inputs in rows: `x @ w`, or `functional.linear(x, w.T)`.
    """
    return x @ w.T


@misconception("pointwise_conv1d", "pointwise-reshaped")
def reshaped(x, w):
    """You reshape to swap axes, and so vectors are mixed with parts of others.

    A reshape cannot move an axis, and none needs to be moved: `x @ w` works on the last axis.
    """
    batch, length, width = x.shape
    return (w.T @ x.reshape(batch, width, length)).reshape(batch, length, -1)


@misconception("pointwise_conv1d", "pointwise-channels-first")
def channels_first(x, w):
    """Your result is (B, E, T), channels first as nn.Conv1d has it.

    In this course the features come last: (B, T, E).
    """
    return (x @ w).transpose(1, 2)


@misconception("pointwise_conv1d", "pointwise-pooled")
def pooled(x, w):
    """You average over the positions before you multiply.

    A pointwise map answers at every position on its own: `x @ w`, (B, T, E).
    """
    return (x.mean(dim=1, keepdim=True) @ w).expand(-1, x.shape[1], -1)


@misconception("pointwise_conv1d", "pointwise-along-positions")
def along_positions(x, w):
    """You multiply along the positions instead of the features.

    w is (D, E) and belongs to the last axis of x: `x @ w`, without swapping any axes.
    """
    return (x.transpose(1, 2) @ w).transpose(1, 2)


@misconception("pointwise_conv1d", "pointwise-mean")
def mean(x, w):
    """You take the mean over the D features instead of the sum.

    A matrix product adds up: `x @ w`.
    """
    return x @ w / x.shape[-1]


@misconception("pointwise_conv1d", "pointwise-relu")
def relu(x, w):
    """You apply a ReLU to the result.

    There is no activation: the convolution is the linear map alone.
    """
    return (x @ w).relu()


@misconception("pointwise_conv1d", "pointwise-softmax")
def softmax(x, w):
    """You send w through a softmax, as if it held attention weights.

    w is learned and used as it is: `x @ w`.
    """
    return x @ w.softmax(dim=0)


@misconception("pointwise_conv1d", "pointwise-scaled")
def scaled(x, w):
    """You divide by √D, as attention does with its scores.

    No scores are computed here: `x @ w` is all.
    """
    return x @ w / x.shape[-1] ** 0.5


@misconception("pointwise_conv1d", "pointwise-squeezed")
def squeezed(x, w):
    """You squeeze the result, so an axis of size 1 is gone: that of a single text, position or feature.

    An axis of size 1 is an axis; leave out `squeeze()`.
    """
    return (x @ w).squeeze()


@misconception("pointwise_conv1d", "pointwise-float32")
def float32(x, w):
    """You collect the result in a tensor of the default dtype, float32.

    `x @ w` needs no such tensor; if you want one, make it with the dtype and the device of x.
    """
    result = torch.zeros(*x.shape[:2], w.shape[1])
    result += x @ w
    return result


@misconception("pointwise_conv1d", "pointwise-detached")
def detached(x, w):
    """No gradient comes back through your result: it is detached, or went through NumPy.

    w must learn; multiply the tensors as they are.
    """
    return pointwise_conv1d(x.detach(), w.detach())


@misconception("pointwise_conv1d", "pointwise-reshaped-before")
def reshaped_before(x, w):
    """You bring x to (B, D, T) by `reshape` or `view`, which mixes numbers of different positions and features.

    A reshape cannot move an axis: `x.transpose(1, 2)` can. And `x @ w` needs neither.
    """
    batch, length, width = x.shape
    return (w.T @ x.reshape(batch, width, length)).transpose(1, 2)


@misconception("pointwise_conv1d", "pointwise-reshaped-after")
def reshaped_after(x, w):
    """You bring the result back to (B, T, E) by `reshape` or `view`, which mixes positions and features.

    A reshape cannot move an axis: `transpose(1, 2)` can. And `x @ w` needs neither.
    """
    return (x @ w).transpose(1, 2).reshape(*x.shape[:2], -1)


@misconception("pointwise_conv1d", "pointwise-residual")
def with_a_residual(x, w):
    """You add x to the product.

    There is no bias and no residual here: `x @ w` is all.
    """
    return x + x @ w


@misconception("pointwise_conv1d", "pointwise-elementwise")
def elementwise(x, w):
    """You multiply entry by entry instead of matrices.

    `*` multiplies entries, `@` adds up products over the features: `x @ w`.
    """
    return x * w


@misconception("pointwise_conv1d", "pointwise-gelu")
def gelu(x, w):
    """You apply a GELU to the result.

    This is a linear map: nothing follows the product.
    """
    return torch.nn.functional.gelu(pointwise_conv1d(x, w))


@misconception("pointwise_conv1d", "pointwise-first-text")
def first_text(x, w):
    """Your result holds the first text only.

    Keep the axis of the texts: `x @ w` maps all of them.
    """
    return pointwise_conv1d(x[:1], w)


@misconception("pointwise_conv1d", "pointwise-matrix-squeezed")
def matrix_squeezed(x, w):
    """You squeeze `w`, so where D or E is 1 it is a vector and no matrix any more.

    An axis of size 1 is an axis: a matrix with one column makes one feature of all. Leave out `squeeze()`.
    """
    return x @ w.squeeze()


@misconception("pointwise_conv1d", "pointwise-new-parameter")
def new_parameter(x, w):
    """No gradient reaches w: you make a new tensor or parameter of it, which is cut off from the one that you got.

    `nn.Parameter(w)` gets a gradient of its own, and w gets none; so do `torch.tensor(w)` and `w.detach()`. Multiply by
    w itself.
    """
    layer = torch.nn.Linear(*w.shape, bias=False, dtype=w.dtype, device=w.device)
    layer.weight = torch.nn.Parameter(w.T)
    return layer(x)
