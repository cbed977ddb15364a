"""What goes wrong in `depthwise_conv1d`."""

import torch
from torch.nn import functional

from reference.ch12_mixing import depthwise_conv1d
from reference.misconceptions import misconception


@misconception("depthwise_conv1d", "depthwise-flipped")
def flipped(x, filters):
    """You flip the filter, as a convolution in mathematics would.

    What PyTorch calls a convolution lays the filter on the text as it is: its first number meets the position furthest
    to the left. Leave out `flip`, or swap t + k and t − k.
    """
    return depthwise_conv1d(x, filters.flip(1))


@misconception("depthwise_conv1d", "depthwise-causal")
def causal(x, filters):
    """You pad in front only, so that position t sees nothing that comes after it (a causal convolution).

    The middle of the filter belongs on t: put (K − 1) / 2 rows of zeros at either end.
    """
    size = filters.shape[1]
    windows = functional.pad(x, (0, 0, size - 1, 0)).unfold(1, size, 1)
    return (windows * filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-anticausal")
def anticausal(x, filters):
    """You pad at the end only, so that the first number of the filter meets t itself.

    The middle of the filter belongs on t: put (K − 1) / 2 rows of zeros at either end.
    """
    size = filters.shape[1]
    windows = functional.pad(x, (0, 0, 0, size - 1)).unfold(1, size, 1)
    return (windows * filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-no-padding")
def no_padding(x, filters):
    """You do not pad, and the text becomes K − 1 positions shorter.

    Put (K − 1) / 2 rows of zeros in front of the text and as many after it, so that T positions come out.
    """
    windows = x.unfold(1, filters.shape[1], 1)
    return (windows * filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-circular")
def circular(x, filters):
    """At the ends your filter reads on from the other end of the text: the padding is circular.

    `torch.roll` and negative indices do that. Beyond the ends there are zeros.
    """
    half = filters.shape[1] // 2
    rolled = [x.roll(half - k, 1) * filters[:, k] for k in range(filters.shape[1])]
    return torch.stack(rolled).sum(0)


@misconception("depthwise_conv1d", "depthwise-replicated")
def replicated(x, filters):
    """Beyond the ends you repeat the first and the last vector of the text.

    Pad with zeros: what is not there adds nothing.
    """
    half, length = filters.shape[1] // 2, x.shape[1]
    places = torch.arange(-half, length + half, device=x.device).clamp(0, length - 1)
    windows = x[:, places].unfold(1, filters.shape[1], 1)
    return (windows * filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-reflected")
def reflected(x, filters):
    """Beyond the ends you mirror the text.

    Pad with zeros: what is not there adds nothing.
    """
    half = filters.shape[1] // 2
    padded = functional.pad(x.transpose(1, 2), (half, half), mode="reflect").transpose(1, 2)
    return (padded.unfold(1, filters.shape[1], 1) * filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-full")
def full(x, filters):
    """You pad K − 1 rows at either end, and the text becomes longer.

    That is (K − 1) / 2 rows too many at each end; T positions go in and T come out.
    """
    size = filters.shape[1]
    windows = functional.pad(x, (0, 0, size - 1, size - 1)).unfold(1, size, 1)
    return (windows * filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-shared-filter")
def shared_filter(x, filters):
    """You use the first filter for all features.

    Row d of `filters` belongs to feature d: multiply the windows (B, T, D, K) by the whole of `filters`.
    """
    return depthwise_conv1d(x, filters[:1].expand_as(filters))


@misconception("depthwise_conv1d", "depthwise-features-summed")
def features_summed(x, filters):
    """You add up the filtered features, so that every one of them is the same mixture of all.

    An ordinary convolution sums over features too. In a depthwise one each feature stays alone: sum over the K numbers
    of its filter only.
    """
    return depthwise_conv1d(x, filters).sum(-1, keepdim=True).expand_as(x)


@misconception("depthwise_conv1d", "depthwise-one-plane")
def one_plane(x, filters):
    """You sum over the features as well, and (B, T) is all that is left.

    Sum over the K numbers of the filter alone; the result is (B, T, D).
    """
    return depthwise_conv1d(x, filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-along-features")
def along_features(x, filters):
    """You slide the filter along the features instead of the positions.

    In (B, T, D) the positions are axis 1. `functional.pad` begins with the last axis: its first two numbers are for D.
    """
    size = filters.shape[1]
    windows = functional.pad(x, (size // 2, size // 2)).unfold(2, size, 1)
    return (windows * filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-mean")
def mean(x, filters):
    """You take the mean over the filter's numbers instead of the sum.

    The filter holds the weights as they are; divide by nothing.
    """
    return depthwise_conv1d(x, filters) / filters.shape[1]


@misconception("depthwise_conv1d", "depthwise-softmax")
def softmax(x, filters):
    """You send the filters through a softmax.

    Attention's weights sum to 1, a filter's need not, and they may be negative; use them as they are.
    """
    return depthwise_conv1d(x, filters.softmax(-1))


@misconception("depthwise_conv1d", "depthwise-residual")
def residual(x, filters):
    """You add x to the result.

    The residual belongs to the block around it; return only the filtered text.
    """
    return x + depthwise_conv1d(x, filters)


@misconception("depthwise_conv1d", "depthwise-filters-transposed")
def filters_transposed(x, filters):
    """You take row k of `filters` where you need column k.

    `filters` is (D, K): `filters[:, k]` holds every feature's weight for neighbour k; `filters[k]` is the whole filter
    of one feature.
    """
    size = filters.shape[1]
    padded = functional.pad(x, (0, 0, size // 2, size // 2))
    result = torch.zeros_like(x)
    for k in range(size):
        result = result + padded[:, k : k + x.shape[1]] * filters[k]
    return result


@misconception("depthwise_conv1d", "depthwise-ends-skipped")
def ends_skipped(x, filters):
    """You leave out the positions at the ends, where the filter sticks out.

    They get what the rest of the filter gives: pad with zeros, and treat all T positions alike.
    """
    half = filters.shape[1] // 2
    inside = torch.arange(x.shape[1], device=x.device)
    kept = (inside >= half) & (inside < x.shape[1] - half)
    return depthwise_conv1d(x, filters) * kept[:, None]


@misconception("depthwise_conv1d", "depthwise-reads-results")
def reads_results(x, filters):
    """You write the results over the text that you are still reading from.

    Position t then sees its left neighbour after filtering. Read from x, or from x padded, and write to another tensor.
    """
    half, length = filters.shape[1] // 2, x.shape[1]
    rows = list(x.unbind(1))
    for t in range(length):
        seen = [k for k in range(filters.shape[1]) if 0 <= t + k - half < length]
        rows[t] = sum(rows[t + k - half] * filters[:, k] for k in seen)
    return torch.stack(rows, dim=1)


@misconception("depthwise_conv1d", "depthwise-neighbours-only")
def neighbours_only(x, filters):
    """You use the middle of the filter and one number on either side, whatever K is.

    A filter of K numbers reaches (K − 1) / 2 places to the left and to the right; loop over all of them.
    """
    half = filters.shape[1] // 2
    kept = torch.zeros_like(filters)
    kept[:, max(half - 1, 0) : half + 2] = filters[:, max(half - 1, 0) : half + 2]
    return depthwise_conv1d(x, kept)


@misconception("depthwise_conv1d", "depthwise-squeezed")
def squeezed(x, filters):
    """You squeeze the result, so an axis of size 1 is gone: that of a single text, position or feature.

    An axis of size 1 is an axis; leave out `squeeze()`.
    """
    return depthwise_conv1d(x, filters).squeeze()


@misconception("depthwise_conv1d", "depthwise-float32")
def float32(x, filters):
    """You collect the result in a tensor of the default dtype, float32.

    Make it with `torch.zeros_like(x)`: then dtype and device are those of the text.
    """
    result = torch.zeros(x.shape)
    result += depthwise_conv1d(x, filters)
    return result


@misconception("depthwise_conv1d", "depthwise-detached")
def detached(x, filters):
    """No gradient comes back through your result: it is detached, or went through NumPy.

    The filters must learn; use only torch operations on the given tensors.
    """
    return depthwise_conv1d(x.detach(), filters.detach())


@misconception("depthwise_conv1d", "depthwise-one-place-late")
def one_place_late(x, filters):
    """Your result is shifted by one position: the number after the middle of the filter meets the position itself.

    The number in the middle, at (K − 1) / 2, meets t. Pad as many rows in front as at the end.
    """
    half = filters.shape[1] // 2
    windows = functional.pad(x, (0, 0, half + 1, half - 1)).unfold(1, filters.shape[1], 1)
    return (windows * filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-one-place-early")
def one_place_early(x, filters):
    """Your result is shifted by one position: the number before the middle of the filter meets the position itself.

    The number in the middle, at (K − 1) / 2, meets t. Pad as many rows in front as at the end.
    """
    half = filters.shape[1] // 2
    windows = functional.pad(x, (0, 0, half - 1, half + 1)).unfold(1, filters.shape[1], 1)
    return (windows * filters).sum(-1)


@misconception("depthwise_conv1d", "depthwise-channels-first")
def channels_first(x, filters):
    """Your result is (B, D, T), channels first as nn.Conv1d has it.

    In this course the features come last: swap the axes back with `transpose(1, 2)`.
    """
    return depthwise_conv1d(x, filters).transpose(1, 2)


@misconception("depthwise_conv1d", "depthwise-pads-features")
def pads_features(x, filters):
    """You put the zeros around the features, not around the positions.

    `functional.pad` counts from the last axis: its first pair of numbers is for D, the second one for T.
    """
    size = filters.shape[1]
    padded = torch.nn.functional.pad(x, (size // 2, size // 2))
    return (padded.unfold(1, size, 1) * filters).sum(dim=-1)
