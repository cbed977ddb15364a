"""What goes wrong in `linear_from_conv`."""

import torch

from reference.ch11_vision import linear_from_conv
from reference.misconceptions import misconception


@misconception("linear_from_conv", "linear-from-conv-flattened")
def flattened(weight):
    """You flatten (or reshape) each filter as it is, in the order (C, P, P).

    Patches are flattened as (P, P, C); the numbers of the filter must stand in the same order, so permute first.
    """
    return weight.flatten(1)


@misconception("linear_from_conv", "linear-from-conv-transposed")
def transposed(weight):
    """Your matrix is transposed: (P·P·C, D).

    An `nn.Linear` keeps its weight as (outputs, inputs), a row per filter.
    """
    return linear_from_conv(weight).T


@misconception("linear_from_conv", "linear-from-conv-turned")
def turned(weight):
    """You swap the two sides of the kernel on the way.

    The third axis of the weight counts pixel rows, the fourth pixel columns, and so does a patch: keep them in order.
    """
    return linear_from_conv(weight.transpose(2, 3))


@misconception("linear_from_conv", "linear-from-conv-row-wise")
def row_wise(weight):
    """You put the channels between the two sides of the kernel: the order is (P, C, P).

    They belong after both of them, (P, P, C), as in a patch.
    """
    return weight.transpose(1, 2).flatten(1)


@misconception("linear_from_conv", "linear-from-conv-filters-last")
def filters_last(weight):
    """You move the filters to the end, (P, P, C, D), and reshape to D rows, which mixes all filters.

    A reshape cannot move an axis; let the filters stay in front: permute to (D, P, P, C), then flatten.
    """
    return weight.permute(2, 3, 1, 0).reshape(len(weight), -1)


@misconception("linear_from_conv", "linear-from-conv-flipped")
def flipped(weight):
    """You turn the kernel upside down, as a convolution in mathematics would.

    What PyTorch calls a convolution multiplies with the kernel as it is (a cross-correlation); leave out `flip`.
    """
    return linear_from_conv(weight.flip(2, 3))


@misconception("linear_from_conv", "linear-from-conv-unflattened")
def unflattened(weight):
    """Your axes are in the right order, (D, P, P, C), but not flattened.

    A linear layer wants a matrix: flatten all axes but the first.
    """
    return weight.permute(0, 2, 3, 1)


@misconception("linear_from_conv", "linear-from-conv-squeezed")
def squeezed(weight):
    """You squeeze the matrix, which drops every axis of size 1.

    One filter alone still makes a matrix, with one row; leave out `squeeze()`.
    """
    return linear_from_conv(weight).squeeze()


@misconception("linear_from_conv", "linear-from-conv-kernel-squeezed")
def kernel_squeezed(weight):
    """You drop the axes of size 1 before you move the channels: with one filter or one channel another axis is moved.

    An axis of size 1 is an axis: the kernel has four, whatever their sizes. Where does `squeeze()` count them wrongly?
    """
    return weight.squeeze().movedim(1, -1).flatten(1)


@misconception("linear_from_conv", "linear-from-conv-detached")
def detached(weight):
    """Your matrix is cut off from the weight: no gradient comes back (detach, .data, nn.Parameter or no_grad).

    It holds the very same numbers in another order, so training one should train the other; return what permute gives.
    """
    return linear_from_conv(weight.detach())


@misconception("linear_from_conv", "linear-from-conv-float32")
def float32(weight):
    """Your matrix is float32 whatever the weight is.

    Nothing is computed here; moving axes keeps the dtype, so leave out `.float()`.
    """
    return linear_from_conv(weight.float())


@misconception("linear_from_conv", "linear-from-conv-device")
def device(weight):
    """You collect the numbers in a matrix on the default device instead of the one where the weight lies.

    On a GPU the two cannot be combined; permute and flatten need no new tensor.
    """
    return torch.cat([torch.empty(len(weight), 0, dtype=weight.dtype), linear_from_conv(weight)], dim=1)


@misconception("linear_from_conv", "linear-from-conv-channels-rows")
def channels_then_columns(weight):
    """Your order is pixel column, channel, pixel row: you move the last axis forward, and not the channels to the end.

    Rows, then columns, then channels: `weight.permute(0, 2, 3, 1)`, then flatten.
    """
    return weight.permute(0, 3, 1, 2).flatten(1)


@misconception("linear_from_conv", "linear-from-conv-reshaped-rows")
def reshaped_rows(weight):
    """You reshape the weight to (D, P, P, C), which moves no axis, and bring its last axis to the front afterwards.

    A `reshape` swaps no axes: `weight.permute(0, 2, 3, 1)`, then flatten.
    """
    outputs, channels, side, _ = weight.shape
    return weight.reshape(outputs, side, side, channels).permute(0, 3, 1, 2).flatten(1)


@misconception("linear_from_conv", "linear-from-conv-view")
def view_of_permuted(weight):
    """You call `view` after `permute`, which torch refuses: the numbers are not in that order in memory.

    Use `reshape` or `flatten`, or `contiguous()` first.
    """
    return weight.permute(0, 2, 3, 1).view(len(weight), -1)


@misconception("linear_from_conv", "linear-from-conv-layer")
def one_row(weight):
    """You flatten everything into one row.

    Keep the filters apart: one row for each, (D, P·P·C).
    """
    return linear_from_conv(weight).flatten()


@misconception("linear_from_conv", "linear-from-conv-averaged")
def averaged(weight):
    """You add up or average over the channels.

    Every channel of every pixel has a number of its own: (D, P·P·C).
    """
    return weight.mean(dim=1).flatten(1)


@misconception("linear_from_conv", "linear-from-conv-scaled")
def transposed_filters(weight):
    """You exchange filters and channels: `permute(1, 2, 3, 0)`.

    The first axis is D, the filters; it stays in front.
    """
    return weight.permute(1, 2, 3, 0).flatten(1)
