"""Ready-made: the convolution theorem, Tensor.unfold, true convolutions where they are welcome, ifft2, vmap."""

import torch
from torch import nn
from torch.func import vmap
from torch.nn import functional as F

torch.manual_seed(12)


def depthwise_conv1d(x, filters):
    length, size = x.shape[1], filters.shape[1]
    room = length + size - 1
    spectrum = torch.fft.rfft(x, n=room, dim=1) * torch.fft.rfft(filters.flip(1).mT, n=room, dim=0)
    return torch.fft.irfft(spectrum, n=room, dim=1)[:, size // 2 : size // 2 + length]


def pointwise_conv1d(x, w):
    return F.conv1d(x.mT, w.mT.unsqueeze(-1)).mT


def separable_conv1d(x, filters, w):
    half = filters.shape[1] // 2
    padded = nn.ZeroPad2d((0, 0, half, half))(x)
    windows = padded.unfold(1, filters.shape[1], 1)
    return pointwise_conv1d(torch.linalg.vecdot(windows, filters), w)


def filter_matrix(filters, length):
    units = torch.eye(length, dtype=filters.dtype, device=filters.device)
    texts = units[:, None].expand(-1, len(filters), -1)  # (T, D, T): in text j all features are 1 at j
    answers = F.conv1d(texts, filters[:, None], padding="same", groups=len(filters))
    return answers.permute(1, 2, 0)


def fourier_mixing(x):
    return torch.real(torch.fft.ifft2(x, norm="forward"))  # the sign of the exponent shows in the imaginary part only


class MixerBlock(nn.Module):
    def __init__(self, num_tokens, width, token_hidden, channel_hidden):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.token_mixing = nn.Sequential(
            nn.Linear(num_tokens, token_hidden), nn.GELU(), nn.Linear(token_hidden, num_tokens)
        )
        self.norm2 = nn.LayerNorm(width)
        self.channel_mixing = nn.Sequential(
            nn.Linear(width, channel_hidden), nn.GELU(), nn.Linear(channel_hidden, width)
        )

    def forward(self, x):
        x = x + vmap(self.token_mixing, in_dims=2, out_dims=2)(self.norm1(x))
        normed = F.layer_norm(x, x.shape[-1:], self.norm2.weight, self.norm2.bias, self.norm2.eps)
        return torch.add(x, vmap(self.channel_mixing)(normed))
