"""Tensordot: the given layers' weights in baddbmm and bmm, -1e30 where hidden, waves kept in a dict, a loss by KL."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from reference.blocks import EncoderBlock, MultiHeadAttention

HIDDEN = -1e30
WAVES = {}


def shift_right(targets, bos_id):
    return targets.roll(shifts=1, dims=-1).index_fill(-1, torch.tensor([0], device=targets.device), bos_id)


def linear(*, layer, x):
    return torch.tensordot(x, layer.weight, dims=([-1], [1])) + layer.bias


def attend(layer, *, asking, seen, mask=None):
    batch, queries, keys, heads = len(asking), asking.shape[1], seen.shape[1], layer.num_heads

    def split(part, x):
        return linear(layer=part, x=x).unflatten(-1, (heads, -1)).transpose(1, 2).flatten(0, 1)  # (B·H, T, d)

    q, k, v = split(layer.w_q, asking), split(layer.w_k, seen), split(layer.w_v, seen)
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=q.device)
    allowed = mask.expand(batch, heads, queries, keys).flatten(0, 1)
    low = (~allowed).to(q.dtype) * HIDDEN
    weights = torch.baddbmm(low, q, k.mT, alpha=1 / math.sqrt(q.shape[-1])).softmax(dim=-1)
    mixed = torch.bmm(weights * allowed.any(dim=-1, keepdim=True), v)
    return linear(layer=layer.w_o, x=mixed.unflatten(0, (batch, heads)).transpose(1, 2).flatten(2))


def norm(*, layer, x):
    return torch.layer_norm(x, list(layer.normalized_shape), layer.weight, layer.bias, layer.eps)


def think(network, x):
    up, _, down = network
    return linear(layer=down, x=linear(layer=up, x=x).clamp_min(0))


class DecoderBlock(nn.Module):
    def __init__(self, width, num_heads, hidden, dropout=0.1):
        super().__init__()
        self.self_attention = MultiHeadAttention(width, num_heads)
        self.cross_attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2, self.dropout3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout1(attend(self.self_attention, asking=x, seen=x, mask=self_mask))
        x = norm(layer=self.norm1, x=x)
        x = x + self.dropout2(attend(self.cross_attention, asking=x, seen=memory, mask=memory_mask))
        x = norm(layer=self.norm2, x=x)
        return norm(layer=self.norm3, x=x + self.dropout3(think(self.feed_forward, x)))


class Decoder(nn.Module):
    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1):
        super().__init__()
        self.blocks = nn.ModuleList([DecoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks:
            x = block(x=x, memory=memory, self_mask=self_mask, memory_mask=memory_mask)
        return x


def waves(length, width, like):
    """Made once per size, dtype and device."""
    key = (length, width, like.dtype, like.device)
    if key not in WAVES:
        columns = torch.arange(width, device=like.device)
        rates = (columns.div(2, rounding_mode="floor").double() * (-2 * math.log(10000) / width)).exp()
        angles = torch.tensordot(torch.arange(length, device=like.device).double(), rates, dims=0)
        WAVES[key] = torch.where(columns % 2 == 0, angles.sin(), angles.cos()).to(like.dtype)
    return WAVES[key]


class Transformer(nn.Module):
    def __init__(
        self,
        source_vocab,
        target_vocab,
        max_length,
        width,
        num_heads,
        hidden,
        num_blocks,
        pad_id=0,
        dropout=0.1,
    ):
        super().__init__()
        self.source_embedding = nn.Embedding(source_vocab, width)
        self.target_embedding = nn.Embedding(target_vocab, width)
        self.encoder_blocks = nn.ModuleList(
            [EncoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)]
        )
        self.decoder = Decoder(num_blocks, width, num_heads, hidden, dropout)
        self.output = nn.Linear(width, target_vocab)
        self.pad_id, self.max_length, self.width = pad_id, max_length, width

    def _embed(self, ids, embedding):
        x = F.embedding(ids, embedding.weight)
        x *= math.sqrt(self.width)
        x += waves(self.max_length, self.width, x)[: ids.shape[1]]
        return x

    def _real(self, ids):
        return ids.not_equal(self.pad_id)[:, None, None]

    def encode(self, source):
        x, mask = self._embed(source, self.source_embedding), self._real(source)
        for block in self.encoder_blocks:
            heard = attend(block.attention, asking=x, seen=x, mask=mask)
            x = norm(layer=block.norm1, x=x + block.dropout1(heard))
            x = norm(layer=block.norm2, x=x + block.dropout2(think(block.feed_forward, x)))
        return x

    def decode(self, target_in, memory, source):
        order = torch.ones_like(target_in).cumsum(dim=-1)[:, None]
        self_mask = (order.mT >= order)[:, None] * self._real(target_in)
        x = self._embed(target_in, self.target_embedding)
        return linear(layer=self.output, x=self.decoder(x, memory, self_mask, self._real(source)))

    def forward(self, source, target_in):
        return self.decode(target_in=target_in, memory=self.encode(source), source=source)


def sequence_loss(logits, targets, pad_id, label_smoothing=0.0):
    """A cross-entropy is a divergence plus the entropy of the goal."""
    goal = F.one_hot(targets, logits.shape[-1]).to(logits) * (1 - label_smoothing) + label_smoothing / logits.shape[-1]
    each = F.kl_div(F.log_softmax(logits, -1), goal, reduction="none") + torch.special.entr(goal)
    real = targets != pad_id
    return torch.tensordot(each.sum(-1), real.to(logits), dims=2) / real.sum()


@torch.no_grad()
def greedy_decode(model, source, bos_id, eos_id, max_length):
    memory, columns = model.encode(source=source), [source.new_full(source.shape[:1], bos_id)]
    ended = torch.zeros_like(columns[0], dtype=torch.bool)
    while len(columns) <= max_length and not ended.all():
        logits = model.decode(target_in=torch.stack(columns, -1), memory=memory, source=source)
        columns.append(logits.argmax(-1)[:, -1].masked_fill(ended, model.pad_id))
        ended |= columns[-1] == eos_id
    return torch.stack(columns[1:]).t()
