"""What goes wrong in `filter_matrix`."""

import torch
from torch.nn import functional

from reference.ch12_mixing import filter_matrix
from reference.misconceptions import misconception


@misconception("filter_matrix", "filter-matrix-transposed")
def transposed(filters, length):
    """Your matrices are transposed, which is the same as flipping the filters.

    Row i holds what position i takes: the first number of the filter is to the left of the diagonal, in column i − (K −
    1) / 2. Count j − i, not i − j.
    """
    return filter_matrix(filters, length).transpose(1, 2)


@misconception("filter_matrix", "filter-matrix-clamped")
def clamped(filters, length):
    """Outside the band you repeat the first and the last number of the filter.

    `clamp` keeps the index legal, no more. Where j − i lies beyond the filter there must be zeros.
    """
    size = filters.shape[1]
    places = torch.arange(length, device=filters.device)
    tap = places - places[:, None] + size // 2
    return filters[:, tap.clamp(0, size - 1)]


@misconception("filter_matrix", "filter-matrix-repeated")
def repeated(filters, length):
    """Outside the band the filter starts again: your indices are taken modulo K.

    Negative indices wrap around in Python. Where j − i lies beyond the filter there must be zeros.
    """
    size = filters.shape[1]
    places = torch.arange(length, device=filters.device)
    tap = places - places[:, None] + size // 2
    return filters[:, tap % size]


@misconception("filter_matrix", "filter-matrix-circular")
def circular(filters, length):
    """What sticks out at one end comes back at the other: your matrices are circulant.

    Beyond the ends of the text there are zeros, so in the first and the last rows a part of the filter is cut off.
    """
    half = filters.shape[1] // 2
    unit = torch.eye(length, dtype=filters.dtype, device=filters.device)
    rolled = [unit.roll(k - half, 1) * filters[:, k, None, None] for k in range(filters.shape[1])]
    return torch.stack(rolled).sum(0)


@misconception("filter_matrix", "filter-matrix-piled-up")
def piled_up(filters, length):
    """What sticks out at an end is added to the first or the last column.

    That repeats the first and the last vector beyond the ends of the text, where there are zeros: drop the numbers that
    stick out.
    """
    half = filters.shape[1] // 2
    unit = torch.eye(length, dtype=filters.dtype, device=filters.device)
    places = torch.arange(length, device=filters.device)
    taken = [unit[(places + k - half).clamp(0, length - 1)] for k in range(filters.shape[1])]
    return sum(rows * filters[:, k, None, None] for k, rows in enumerate(taken))


@misconception("filter_matrix", "filter-matrix-causal")
def causal(filters, length):
    """Your band ends at the diagonal, so that no position sees what comes after it.

    The middle of the filter belongs on the diagonal: entry [i, j] is number j − i + (K − 1) / 2.
    """
    half = filters.shape[1] // 2
    return filter_matrix(functional.pad(filters, (0, 2 * half)), length)


@misconception("filter_matrix", "filter-matrix-not-centred")
def not_centred(filters, length):
    """Your band begins at the diagonal: the first number of the filter stands there.

    Its middle belongs on the diagonal: entry [i, j] is number j − i + (K − 1) / 2.
    """
    half = filters.shape[1] // 2
    return filter_matrix(functional.pad(filters, (2 * half, 0)), length)


@misconception("filter_matrix", "filter-matrix-distance")
def distance(filters, length):
    """You count the distance |j − i|, so left and right get the same numbers.

    A filter knows left from right: number (K − 1) / 2 is the middle, those before it lie to the left, those after it to
    the right.
    """
    size = filters.shape[1]
    places = torch.arange(length, device=filters.device)
    tap = (places - places[:, None]).abs()
    return filters[:, tap.clamp(max=size - 1)].masked_fill(tap >= size, 0)


@misconception("filter_matrix", "filter-matrix-narrow")
def narrow(filters, length):
    """Your band is too narrow: the outermost numbers of the filter are missing.

    All K numbers count: zeros begin where j − i + (K − 1) / 2 is below 0 or at least K.
    """
    kept = filters.clone()
    kept[:, 0] = kept[:, -1] = 0
    return filter_matrix(kept, length)


@misconception("filter_matrix", "filter-matrix-last-missing")
def last_missing(filters, length):
    """The last number of the filter is missing from your band.

    A range or a comparison stops one too early: indices run from 0 to K − 1, both included.
    """
    kept = filters.clone()
    kept[:, -1] = 0
    return filter_matrix(kept, length)


@misconception("filter_matrix", "filter-matrix-ends-skipped")
def ends_skipped(filters, length):
    """You leave the first and the last rows empty, where the filter sticks out.

    These positions get what the rest of the filter gives: cut the filter off, not the row.
    """
    half = filters.shape[1] // 2
    rows = torch.arange(length, device=filters.device)
    kept = (rows >= half) & (rows < length - half)
    return filter_matrix(filters, length) * kept[:, None]


@misconception("filter_matrix", "filter-matrix-features-last")
def features_last(filters, length):
    """You return (T, T, D), the features last.

    Return one matrix per feature, (D, T, T), so that `matrix[d]` is one of them.
    """
    return filter_matrix(filters, length).permute(1, 2, 0)


@misconception("filter_matrix", "filter-matrix-features-between")
def features_between(filters, length):
    """You return (T, D, T): the features stand between rows and columns.

    Return one matrix per feature, (D, T, T): stack the rows along axis 1.
    """
    return filter_matrix(filters, length).transpose(0, 1)


@misconception("filter_matrix", "filter-matrix-shared-filter")
def shared_filter(filters, length):
    """All your matrices hold the first filter.

    Row d of `filters` makes matrix d.
    """
    return filter_matrix(filters[:1].expand_as(filters), length)


@misconception("filter_matrix", "filter-matrix-one-matrix")
def one_matrix(filters, length):
    """You return a single matrix (T, T).

    Each feature has a filter of its own, and so a matrix of its own: (D, T, T).
    """
    return filter_matrix(filters, length)[0]


@misconception("filter_matrix", "filter-matrix-not-cut")
def not_cut(filters, length):
    """Your matrices have T + K − 1 columns: the zeros around the text are counted as positions.

    They add nothing. Leave their columns out, so that T × T is left.
    """
    half = filters.shape[1] // 2
    return filter_matrix(filters, length + 2 * half)[:, half : half + length]


@misconception("filter_matrix", "filter-matrix-rows-divided")
def rows_divided(filters, length):
    """You divide each row by its sum, as if it held attention weights.

    A filter's numbers need not sum to 1, at the ends even less. Enter them as they are.
    """
    matrix = filter_matrix(filters, length)
    return matrix / matrix.sum(-1, keepdim=True)


@misconception("filter_matrix", "filter-matrix-softmax")
def softmax(filters, length):
    """You send the rows through a softmax.

    That is what attention does with scores. A filter's numbers are the weights already: enter them as they are.
    """
    return filter_matrix(filters, length).softmax(-1)


@misconception("filter_matrix", "filter-matrix-squeezed")
def squeezed(filters, length):
    """You squeeze the result, so an axis of size 1 is gone: that of a single feature, or the two of a single position.

    An axis of size 1 is an axis; leave out `squeeze()`.
    """
    return filter_matrix(filters, length).squeeze()


@misconception("filter_matrix", "filter-matrix-float32")
def float32(filters, length):
    """You fill a tensor of the default dtype, float32.

    Make it with the dtype and the device of the filters: `filters.new_zeros(D, T, T)`.
    """
    matrix = torch.zeros(len(filters), length, length)
    matrix += filter_matrix(filters, length)
    return matrix


@misconception("filter_matrix", "filter-matrix-detached")
def detached(filters, length):
    """No gradient reaches the filters: their numbers were taken out with `item()`, `tolist()` or `detach()`.

    The filters must learn; use only torch operations on the given tensor.
    """
    return filter_matrix(filters.detach(), length)
