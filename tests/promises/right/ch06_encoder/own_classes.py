"""Own classes: a standardiser under vmap, a network called with foreign weights, wrapped layers, a counted model."""

import dataclasses

import torch
from torch import nn
from torch.func import functional_call, vmap

from reference import blocks


class Standardiser:
    """Takes one vector of any length to mean 0 and variance 1."""

    def __init__(self, eps):
        self.eps = eps

    def __call__(self, vector):
        centred = vector - torch.mean(vector)
        return centred / torch.sqrt(torch.dot(centred, centred) / len(vector) + self.eps)


def layer_norm(x, scale, shift, eps):
    function = Standardiser(eps)
    for _ in range(x.dim() - 1):
        function = vmap(function)
    return shift + scale * function(x)


def network(width, hidden, **where):
    return nn.Sequential(nn.Linear(width, hidden, **where), nn.ReLU(), nn.Linear(hidden, width, **where))


def feed_forward(x, w1, b1, w2, b2):
    empty = network(*w1.shape, device="meta")  # only its structure is wanted
    weights = {"0.weight": w1.mT, "0.bias": b1, "2.weight": w2.mT, "2.bias": b2}
    return functional_call(empty, weights, x)


class RateError(ValueError):
    def __init__(self, rate):
        super().__init__(f"a rate of {rate!r} is no probability below 1")


@dataclasses.dataclass
class Dropper:
    rate: float

    def __post_init__(self):
        if self.rate < 0.0 or self.rate >= 1.0:
            raise RateError(self.rate)

    def __call__(self, x):
        coin = torch.distributions.Bernoulli(1.0 - self.rate)
        survives = coin.sample(x.shape).to(x.device) == 1
        return torch.where(survives, x.mul(1.0 / (1.0 - self.rate)), torch.zeros_like(x))


def dropout(x, rate, training):
    dropper = Dropper(rate)
    return dropper(x) if training else x.view_as(x)


class Wrapped(nn.Module):
    """A layer with its dropout, residual connection and norm."""

    def __init__(self, layer, drop, norm, norm_first):
        super().__init__()
        self.layer, self.drop, self.norm, self.norm_first = layer, drop, norm, norm_first

    def forward(self, x):
        if self.norm_first:
            return x + self.drop(self.layer(self.norm(x)))
        return self.norm(x + self.drop(self.layer(x)))


class Selfish(nn.Module):
    """Attention of x to itself, with a mask that was fixed before."""

    def __init__(self, attention, mask):
        super().__init__()
        self.attention, self.mask = attention, mask

    def forward(self, x):
        return self.attention(x, x, x, self.mask)[0]


class EncoderBlock(nn.Module):
    def __init__(self, width, num_heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        self.attention = blocks.MultiHeadAttention(width, num_heads)
        self.feed_forward = network(width, hidden)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.norm_first = norm_first
        self.calls = 0
        self.second = (Wrapped(self.feed_forward, self.dropout2, self.norm2, norm_first),)  # in a tuple: not registered

    def forward(self, x, mask=None):
        self.calls += 1
        first = Wrapped(Selfish(self.attention, mask), self.dropout1, self.norm1, self.norm_first)
        return nn.Sequential(first, *self.second)(x)


class Encoder(nn.Module):
    """With my own blocks, as the chapter invites one to."""

    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        self.blocks = nn.ModuleList(
            [EncoderBlock(width, num_heads, hidden, dropout, norm_first) for _ in range(num_blocks)]
        )
        self.norm_first = norm_first
        if norm_first:
            self.norm = nn.LayerNorm(width)

    def states(self, x, mask):
        """What each block writes, x first."""
        yield x
        for block in self.blocks:
            x = block.forward(x, mask)
            yield x

    def forward(self, x, mask=None):
        *_, last = self.states(x, mask)
        return getattr(self, "norm", nn.Identity())(last)


def encoder_parameters(num_blocks, width, hidden, vocab_size=0, max_length=0):
    with torch.device("meta"):  # shapes without numbers
        parts = [Encoder(num_blocks, width, 1, hidden)]
        parts += [nn.Embedding(rows, width) for rows in (vocab_size, max_length) if rows]
    return sum(p.numel() for part in parts for p in part.parameters())
