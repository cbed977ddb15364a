"""A layer of one's own called Conv1d; the convolution that is allowed, in a pool of threads."""

from concurrent.futures import ThreadPoolExecutor

from torch import nn
from torch.nn import functional


class Conv1d(nn.Module):
    def __init__(self, filters):
        super().__init__()
        self.conv1d = filters

    def forward(self, x):
        size = self.conv1d.shape[1]
        padded = functional.pad(x, (0, 0, size // 2, size // 2))
        return sum(padded[:, k : k + x.shape[1]] * self.conv1d[:, k] for k in range(size))


def depthwise_conv1d(x, filters):
    return Conv1d(filters)(x)


def convolve(x, kernel):
    return functional.conv1d(x.mT, kernel).mT


def pointwise_conv1d(x, w):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(apply, x, w).result()


def apply(x, w):
    return convolve(x, w.T[..., None])


def separable_conv1d(x, filters, w):
    return pointwise_conv1d(depthwise_conv1d(x, filters), w)
