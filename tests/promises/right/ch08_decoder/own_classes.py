"""Own classes: a frame for sublayers, a table of positions made once, a writer; ended rows go on reading eos."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from reference.blocks import EncoderBlock, MultiHeadAttention


class Sublayer:
    """What stands around each of the three; it owns no parameters."""

    def __init__(self, norm, dropout):
        self.norm, self.dropout = norm, dropout

    def __call__(self, x, change):
        return self.norm(torch.add(self.dropout(change), x))


class Positions:
    """Sines and cosines in float64; NumPy knows nothing of default dtypes and devices."""

    def __init__(self, length, width):
        columns = np.arange(width)
        angles = np.arange(length)[:, None] * 10000.0 ** (-(columns // 2 * 2) / width)
        self.table = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))

    def like(self, x):
        return torch.as_tensor(self.table[: x.shape[1]], dtype=x.dtype, device=x.device)


@dataclass
class Masks:
    pad_id: int

    def padding(self, ids):
        return (ids != self.pad_id)[:, None, None, :]

    def causal(self, ids):
        future = torch.ones(ids.shape[1], ids.shape[1], device=ids.device).triu(1).bool()
        return self.padding(ids).logical_and(~future[None, None])


class Writer:
    def __init__(self, model, source, bos_id, eos_id):
        self.model, self.source, self.eos_id = model, source, eos_id
        self.memory = model.encode(source)
        self.texts = torch.full((source.shape[0], 1), bos_id, dtype=torch.long, device=source.device)

    @property
    def written(self):
        return self.texts[:, 1:]

    @property
    def ended(self):
        return (self.written == self.eos_id).any(dim=1)

    def step(self):
        token = self.model.decode(self.texts, self.memory, self.source).argmax(dim=-1)[:, -1]
        token = torch.where(self.ended, self.eos_id, token)
        self.texts = torch.column_stack([self.texts, token])

    def result(self):
        ends = self.written == self.eos_id
        return torch.where(ends.cumsum(dim=1) - ends.long() > 0, self.model.pad_id, self.written)


def shift_right(targets: torch.Tensor, bos_id: int) -> torch.Tensor:
    shifted = targets.roll(1, dims=1)
    shifted[:, 0] = bos_id
    return shifted


class DecoderBlock(nn.Module):
    def __init__(self, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(width, num_heads)
        self.cross_attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2, self.dropout3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        one, two = Sublayer(self.norm1, self.dropout1), Sublayer(self.norm2, self.dropout2)
        three = Sublayer(self.norm3, self.dropout3)
        x = one(x, self.self_attention(x, x, x, self_mask)[0])
        x = two(x, self.cross_attention(x, memory, memory, memory_mask)[0])
        return three(x, self.feed_forward(x))


class Decoder(nn.Module):
    def __init__(self, num_blocks: int, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([DecoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        layers = iter(self.blocks)
        while (layer := next(layers, None)) is not None:
            x = layer(x, memory, self_mask=self_mask, memory_mask=memory_mask)
        return x


class Transformer(nn.Module):
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
        self.encoder_blocks = nn.ModuleList(
            [EncoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)]
        )
        self.decoder = Decoder(num_blocks, width, num_heads, hidden, dropout)
        self.output = nn.Linear(width, target_vocab)
        self.pad_id, self.max_length, self.width = pad_id, max_length, width
        self.positions, self.masks = Positions(max_length, width), Masks(pad_id)

    def _embed(self, ids, embedding):
        x = embedding(ids).mul(np.sqrt(self.width).item())
        return x + self.positions.like(x)

    def encode(self, source):
        x, mask = self._embed(source, self.source_embedding), self.masks.padding(source)
        for block in self.encoder_blocks:
            x = block(x, mask)
        return x

    def decode(self, target_in, memory, source):
        x = self._embed(target_in, self.target_embedding)
        x = self.decoder(x, memory, self.masks.causal(target_in), self.masks.padding(source))
        return self.output(x)

    def forward(self, source, target_in):
        return self.decode(target_in, memory=self.encode(source), source=source)


class SequenceLoss(nn.Module):
    def __init__(self, pad_id, smoothing):
        super().__init__()
        self.pad_id = pad_id
        self.each = nn.CrossEntropyLoss(reduction="none", label_smoothing=smoothing)

    def forward(self, logits, targets):
        real = targets != self.pad_id
        return self.each(logits.mT, targets).masked_fill(~real, 0).sum() / real.sum()


def sequence_loss(logits, targets, pad_id, label_smoothing=0.0):
    return SequenceLoss(pad_id, label_smoothing)(logits, targets)


def greedy_decode(model, source, bos_id, eos_id, max_length):
    writer = Writer(model, source, bos_id, eos_id)
    for _ in range(max_length):
        if writer.ended.all():
            break
        writer.step()
    return writer.result()
