"""Recursive: generators and recursion, waves by turning on and on, dropout by hand, another order of construction."""

# ruff: noqa: F722
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from reference.blocks import EncoderBlock, MultiHeadAttention


def shift_right(targets: "int64 B T", bos_id: int) -> "int64 B T":
    *read, _ = torch.full_like(targets[:, 0], bos_id), *targets.unbind(1)
    return torch.stack(read, -1)


class Sublayer(NamedTuple):
    norm: nn.LayerNorm
    dropout: nn.Dropout
    run: Any

    def __call__(self, x: "B T D") -> "B T D":
        change, rate = self.run(x), self.dropout.p
        if self.dropout.training and rate:
            change = change * torch.bernoulli(torch.full_like(change, 1 - rate)) / (1 - rate)
        change += x
        return self.norm(change)


def through(layers: list, x: "B T D", *rest: Any) -> "B T D":
    match layers:
        case []:
            return x
        case [first, *others]:
            return through(others, first(x, *rest), *rest)


class DecoderBlock(nn.Module):
    def __init__(self, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.dropout3, self.dropout2, self.dropout1 = (nn.Dropout(p=dropout) for _ in range(3))
        self.norm3, self.norm2, self.norm1 = (nn.LayerNorm(width) for _ in range(3))
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.cross_attention = MultiHeadAttention(width, num_heads)
        self.self_attention = MultiHeadAttention(width, num_heads)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)

    def sublayers(self, memory: "B S D", masks: tuple) -> "Iterator[Sublayer]":
        def listen(x: "B T D") -> "B T D":
            return self.self_attention(x, x, x, masks[0])[0]

        def ask(x: "B T D") -> "B T D":
            return self.cross_attention(x, memory, memory, masks[1])[0]

        yield Sublayer(self.norm1, self.dropout1, listen)
        yield Sublayer(self.norm2, self.dropout2, ask)
        yield Sublayer(run=self.feed_forward, dropout=self.dropout3, norm=self.norm3)

    def forward(self, x: "B T D", memory: "B S D", self_mask: Any = None, memory_mask: Any = None) -> "B T D":
        return through([*self.sublayers(memory, (self_mask, memory_mask))], x)


class Decoder(nn.Module):
    def __init__(self, num_blocks: int, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(DecoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks))

    def forward(self, x: "B T D", memory: "B S D", self_mask: Any = None, memory_mask: Any = None) -> "B T D":
        return through([*self.blocks], x, memory, self_mask, memory_mask)


def waves(length: int, width: int, device: torch.device) -> "float64 T D":
    """Each pair of columns is a point on the circle that goes on by the same angle from place to place."""
    rates = 10000 ** (-torch.arange(0, width, 2, dtype=torch.float64, device=device) / width)
    turns = torch.polar(torch.ones_like(rates), rates).repeat(length, 1)
    turns[0] = 1
    turns = turns.cumprod(dim=0)
    return torch.stack([turns.imag, turns.real], dim=-1).flatten(1)[:, :width]


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
        self.output = nn.Linear(width, target_vocab)
        self.decoder = Decoder(num_blocks, width, num_heads, hidden, dropout)
        self.encoder_blocks = nn.ModuleList(
            [EncoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)]
        )
        self.target_embedding = nn.Embedding(target_vocab, width)
        self.source_embedding = nn.Embedding(source_vocab, width)
        nn.init.normal_(self.target_embedding.weight, std=0.02)
        self.pad_id, self.max_length, self.width = pad_id, max_length, width

    def _embed(self, ids: "int64 B T", embedding: nn.Embedding) -> "B T D":
        x = embedding(ids)
        return torch.addcmul(waves(ids.shape[-1], self.width, ids.device).to(x.dtype), x, x.new_tensor(self.width**0.5))

    def _mask(self, kind: str, ids: "int64 B T") -> "bool B 1 1-or-T T":
        match kind:
            case "padding":
                return (ids != self.pad_id).view(-1, 1, 1, ids.size(1))
            case "causal":
                return self._mask("padding", ids).repeat(1, 1, ids.size(1), 1).tril_()
            case _:
                raise AssertionError(kind)

    def encode(self, source: "int64 B S") -> "B S D":
        return through(
            [*self.encoder_blocks], self._embed(source, self.source_embedding), self._mask("padding", source)
        )

    def decode(self, target_in: "int64 B T", memory: "B S D", source: "int64 B S") -> "B T V":
        masks = self._mask("causal", target_in), self._mask("padding", source)
        return self.output(self.decoder(self._embed(target_in, self.target_embedding), memory, *masks))

    def forward(self, source: "int64 B S", target_in: "int64 B T") -> "B T V":
        return self.decode(source=source, memory=self.encode(source), target_in=target_in)


def sequence_loss(logits: "B T V", targets: "int64 B T", pad_id: int, label_smoothing: float = 0.0) -> "()":
    right = logits.gather(-1, targets[..., None])[..., 0]
    goal = (1 - label_smoothing) * right + label_smoothing * logits.mean(-1)  # the goal's share of the logits
    real = targets.ne(pad_id)
    return torch.where(real, logits.logsumexp(-1) - goal, 0).sum().div(real.count_nonzero())


def greedy_decode(model: nn.Module, source: "int64 B S", bos_id: int, eos_id: int, max_length: int) -> "int64 B n":
    def write(text: "int64 1 t", memory: "1 S D", row: "int64 1 S") -> Iterator[torch.Tensor]:
        if text.numel() > max_length:
            return
        yield (token := model.decode(text, memory, row)[:, -1].argmax(-1))
        if token.item() != eos_id:
            yield from write(torch.column_stack([text, token]), memory, row)

    with torch.no_grad():
        start = source.new_tensor([[bos_id]])
        rows = [torch.cat([*write(start, model.encode(row), row)]) for row in source.split(1)]
    return pad_sequence(rows, padding_value=model.pad_id).T
