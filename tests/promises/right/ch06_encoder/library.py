"""Library: length and hypot of what is centred, torch's multi-head function, sums in place, hooks for a stack."""

import torch
import torch.nn.functional as F
from torch import nn

from reference.blocks import EncoderBlock as GivenBlock
from reference.blocks import MultiHeadAttention


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(-1, keepdim=True)
    deviation = torch.linalg.vector_norm(centred, dim=-1, keepdim=True) / x.size(-1) ** 0.5
    return torch.addcmul(shift, scale, centred / torch.hypot(deviation, torch.full_like(deviation, eps**0.5)))


def feed_forward(x, w1, b1, w2, b2):
    batch = x.size(0)
    hidden = torch.baddbmm(b1.expand(batch, 1, -1), x, w1.expand(batch, -1, -1))
    return torch.baddbmm(b2.expand(batch, 1, -1), F.threshold(hidden, 0, 0), w2.expand(batch, -1, -1))


def dropout(x, rate, training):
    keep = 1 - rate
    if not 0 < keep <= 1:
        raise ValueError(f"{rate=}")
    if training:
        mask = torch.rand_like(x) < keep
        x = x.div(keep)
        x[~mask] = 0  # a tensor of my own since the division
    return x


class EncoderBlock(nn.Module):
    def __init__(self, width, num_heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        self.attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.norm_first = norm_first

    def listen(self, x, mask):
        a, blind = self.attention, None
        batch, length, width = x.shape
        if mask is not None:
            mask = mask.expand(batch, a.num_heads, length, length)
            blind = ~mask.any(-1).transpose(1, 2)  # (B, T, H): they see everything first, and then nothing
            mask = ~(mask | ~mask.any(-1, keepdim=True)).flatten(0, 1)
        rows = x.transpose(0, 1)
        context, _ = F.multi_head_attention_forward(
            *(rows, rows, rows, width, a.num_heads, None),
            *(torch.cat([a.w_q.bias, a.w_k.bias, a.w_v.bias]), None, None, False, 0.0),
            *(torch.eye(width, dtype=x.dtype, device=x.device), None),  # w_o comes later
            *(self.training, None, False, mask, True),
            *(a.w_q.weight, a.w_k.weight, a.w_v.weight),
        )
        context = context.transpose(0, 1).unflatten(2, (a.num_heads, -1))
        if blind is not None:
            context = context.masked_fill(blind.unsqueeze(-1), 0)
        return F.linear(context.flatten(2), a.w_o.weight, a.w_o.bias)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.dropout1(self.listen(self.norm1(x), mask))
            result = self.dropout2(self.feed_forward(self.norm2(x)))
            result += x  # not x += result: the norm still needs x on the way back
            return result
        x = self.norm1(self.dropout1(self.listen(x, mask)) + x)
        return self.norm2(self.dropout2(self.feed_forward(x)) + x)


class Encoder(nn.Module):
    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (width, num_heads, hidden, dropout, norm_first)
        self.blocks = nn.ModuleList([GivenBlock(*sizes) for _ in range(num_blocks)])
        self.norm_first = norm_first
        if norm_first:
            self.norm = nn.LayerNorm(width)

    def forward(self, x, mask=None):
        handles = [  # each block is told of the mask when it is called
            block.register_forward_pre_hook(lambda _, given: (*given, mask)) for block in self.blocks
        ]
        x = nn.Sequential(*self.blocks)(x)
        for handle in handles:
            handle.remove()
        if self.norm_first:
            x = self.norm(x)
        return x


def encoder_parameters(num_blocks, width, hidden, vocab_size=0, max_length=0):
    layers = [nn.Linear(width, width, device="meta")] * 4
    layers += [nn.Linear(width, hidden, device="meta"), nn.Linear(hidden, width, device="meta")]
    layers += [nn.LayerNorm(width, device="meta")] * 2
    block = sum(parameter.numel() for layer in layers for parameter in layer.parameters())
    return num_blocks * block + width * vocab_size + width * max_length
