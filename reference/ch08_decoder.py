"""The oracle of chapter 8: frames in a loop, positions as complex numbers, the loss as its formula, rows one by one."""

import functools
import math

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import EncoderBlock, MultiHeadAttention


def shift_right(targets: torch.Tensor, bos_id: int) -> torch.Tensor:
    """One column of `bos_id` added in front, one cut off behind."""
    return functional.pad(targets, (1, -1), value=bos_id)


class DecoderBlock(nn.Module):
    """Self-attention, cross-attention, feed-forward network; post-norm (Vaswani et al. 2017, 3.1)."""

    def __init__(self, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(width, num_heads)
        self.cross_attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2, self.dropout3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        self_mask: torch.Tensor | None = None,
        memory_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """x (B, T, D), memory (B, S, D) -> (B, T, D)."""
        first, last = self.feed_forward[0], self.feed_forward[2]
        sublayers = (
            lambda y: self.self_attention(query=y, key=y, value=y, mask=self_mask)[0],
            lambda y: self.cross_attention(query=y, key=memory, value=memory, mask=memory_mask)[0],
            lambda y: functional.linear(functional.linear(y, first.weight, first.bias).relu(), last.weight, last.bias),
        )
        frames = ((self.norm1, self.dropout1), (self.norm2, self.dropout2), (self.norm3, self.dropout3))
        for sublayer, (norm, drop) in zip(sublayers, frames, strict=True):
            change = functional.dropout(sublayer(x), drop.p, self.training)
            x = functional.layer_norm(torch.add(x, change), x.shape[-1:], norm.weight, norm.bias, norm.eps)
        return x


class Decoder(nn.Module):
    """Blocks in a row, no last norm."""

    def __init__(self, num_blocks: int, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([DecoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)])

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        self_mask: torch.Tensor | None = None,
        memory_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """x (B, T, D), memory (B, S, D) -> (B, T, D)."""
        return functools.reduce(lambda y, block: block(y, memory, self_mask, memory_mask), self.blocks, x)


class Transformer(nn.Module):
    """The model of Vaswani et al. 2017, figure 1."""

    def __init__(
        self,
        source_vocab: int,
        target_vocab: int,
        max_length: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        pad_id: int = 0,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.source_embedding = nn.Embedding(source_vocab, width)
        self.target_embedding = nn.Embedding(target_vocab, width)
        for table in (self.source_embedding, self.target_embedding):
            nn.init.normal_(table.weight, std=0.02)
        self.encoder_blocks = nn.ModuleList(
            [EncoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)]
        )
        self.decoder = Decoder(num_blocks, width, num_heads, hidden, dropout)
        self.output = nn.Linear(width, target_vocab)
        self.pad_id, self.max_length, self.width = pad_id, max_length, width

    def _embed(self, ids: torch.Tensor, embedding: nn.Embedding) -> torch.Tensor:
        """√D times the token's vector, plus the position's: pair i is turned by 10000^(-2i/D) per step."""
        table = embedding.weight
        half = self.width // 2
        steps = torch.tensor([10000.0 ** (-2 * i / self.width) for i in range(half)], dtype=torch.float64)
        turned = torch.outer(torch.arange(ids.shape[1], dtype=torch.float64), steps)
        waves = torch.view_as_real(torch.polar(torch.ones_like(turned), math.pi / 2 - turned))  # sine, cosine
        return torch.add(waves.flatten(1).to(table), functional.embedding(ids, table), alpha=self.width**0.5)

    def encode(self, source: torch.Tensor) -> torch.Tensor:
        """source (B, S) -> memory (B, S, D)."""
        real = source.ne(self.pad_id)[:, None, None]
        return functools.reduce(
            lambda y, block: block(y, real), self.encoder_blocks, self._embed(source, self.source_embedding)
        )

    def decode(self, target_in: torch.Tensor, memory: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        """target_in (B, T), memory (B, S, D), source (B, S) -> logits (B, T, V)."""
        places = torch.arange(target_in.shape[1], device=target_in.device)
        seen = torch.logical_and(places[:, None] >= places, target_in.ne(self.pad_id)[:, None, None])
        states = self.decoder(
            self._embed(target_in, self.target_embedding), memory, seen, source.ne(self.pad_id)[:, None, None]
        )
        return torch.einsum("btd,vd->btv", states, self.output.weight) + self.output.bias

    def forward(self, source: torch.Tensor, target_in: torch.Tensor) -> torch.Tensor:
        """source (B, S), target_in (B, T) -> logits (B, T, V)."""
        return self.decode(target_in, self.encode(source), source)


def sequence_loss(
    logits: torch.Tensor, targets: torch.Tensor, pad_id: int, label_smoothing: float = 0.0
) -> torch.Tensor:
    """(1 - ε) · -log p(right) + ε · mean of -log p, averaged over what is not padding."""
    surprise = -torch.log_softmax(logits, dim=-1)
    real = targets.ne(pad_id)
    right = surprise.gather(-1, targets[..., None]).squeeze(-1)
    each = (1 - label_smoothing) * right + label_smoothing * surprise.mean(dim=-1)
    return torch.where(real, each, torch.zeros_like(each)).sum() / real.sum()


def greedy_decode(model: nn.Module, source: torch.Tensor, bos_id: int, eos_id: int, max_length: int) -> torch.Tensor:
    """Every row by itself, and only then filled up to the longest."""
    texts = []
    for row in source.split(1):
        text = [bos_id]
        while len(text) <= max_length and text[-1] != eos_id:
            text.append(int(model(row, row.new_tensor([text]))[0, -1].argmax()))
        texts.append(row.new_tensor(text[1:]))
    return nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=model.pad_id)
