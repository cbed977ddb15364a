"""Recursive: spans by recursion over places, texts as generators, results with names, another order of construction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from typing import Annotated, NamedTuple

import torch
from torch import Tensor, nn

from reference.blocks import BertEmbedding as GivenEmbedding
from reference.blocks import EncoderBlock

Ids = Annotated[Tensor, "int64 B T"]
NOT_ASKED = nn.CrossEntropyLoss().ignore_index


class Riddle(NamedTuple):
    inputs: Ids
    labels: Ids


def mask_tokens(
    ids: Ids,
    maskable: Annotated[Tensor, "bool B T"],
    select: Annotated[Tensor, "B T"],
    action: Annotated[Tensor, "B T"],
    random_ids: Ids,
    mask_id: int,
) -> Riddle:
    def hide(token: Tensor, action: Tensor, other: Tensor) -> Tensor:
        return torch.where(action >= 0.9, token, torch.where(action >= 0.8, other, mask_id))

    chosen = (1 - select > 0.85) & maskable
    read = torch.vmap(torch.vmap(hide))(ids, action, random_ids)
    return Riddle(inputs=read.where(chosen, ids), labels=ids.masked_fill(chosen.bitwise_not(), NOT_ASKED))


def span_length_probabilities(p: float = 0.2, max_length: int = 10) -> Annotated[Tensor, "max_length"]:
    def shares(length: int, left: float) -> Iterator[float]:
        """Stop here, or go on: how likely that is, if no length above the largest can be drawn."""
        stop = p / (1 - (1 - p) ** (max_length - length + 1))
        yield left * stop
        if length < max_length:
            yield from shares(length + 1, left * (1 - stop))

    return torch.tensor([*shares(1, 1.0)])


def mask_spans(
    ids: Annotated[Tensor, "T"], starts: Annotated[Tensor, "n"], lengths: Annotated[Tensor, "n"], budget: float
) -> Annotated[Tensor, "bool T"]:
    def hide(places: frozenset[int], spans: Sequence[tuple[int, int]]) -> frozenset[int]:
        match spans:
            case [(start, length), *others] if len(places) < budget * len(ids):
                return hide(places.union(range(start, min(start + length, len(ids)))), others)
        return places

    hidden = hide(frozenset(), [*zip(starts.tolist(), lengths.tolist(), strict=True)])
    return torch.tensor([place in hidden for place in range(len(ids))], device=ids.device)


def span_boundary_loss(
    boundary_logits: Annotated[Tensor, "S V"], token_logits: Annotated[Tensor, "S V"], targets: Annotated[Tensor, "S"]
) -> Annotated[Tensor, ""]:
    """Two chances in a row: their logarithms add."""
    together = boundary_logits.log_softmax(1) + token_logits.log_softmax(1)
    return together.index_select(1, targets).diagonal().mean().neg()


class Pair(NamedTuple):
    ids: Annotated[Tensor, "n+m+3"]
    segments: Annotated[Tensor, "n+m+3"]


def sentence_pair(first: Annotated[Tensor, "n"], second: Annotated[Tensor, "m"], cls_id: int, sep_id: int) -> Pair:
    def text() -> Iterator[tuple[Tensor, int]]:
        yield first.new_full((1,), cls_id), 0
        for side, sentence in enumerate((first, second)):
            yield sentence, side
            yield sentence.new_full((1,), sep_id), side

    pieces, sides = zip(*text(), strict=True)
    sizes = torch.tensor([*map(len, pieces)], device=first.device)
    ids, sides = torch.hstack(pieces), torch.tensor(sides, device=first.device)
    return Pair(ids, torch.repeat_interleave(sides, sizes, output_size=len(ids)))


class BertEmbedding(nn.Module):
    def __init__(self, vocab_size: int, max_length: int, num_segments: int, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.segment, self.position, self.token = (
            nn.Embedding(rows, width) for rows in (num_segments, max_length, vocab_size)
        )
        for table in (self.token, self.position, self.segment):
            nn.init.trunc_normal_(table.weight, std=0.02)

    def forward(self, ids: Ids, segments: Ids) -> Annotated[Tensor, "B T D"]:
        x = self.segment(segments)
        x += self.token(ids)
        places = self.position.weight.narrow(0, 0, ids.size(-1))
        return self.norm(x.add_(places))


def masked_lm_loss(logits: Annotated[Tensor, "B T V"], labels: Ids) -> Annotated[Tensor, ""]:
    asked = [
        row.log_softmax(0)[label]
        for row, label in zip(logits.flatten(0, 1), labels.flatten(), strict=True)
        if label >= 0
    ]
    return -torch.stack(asked).mean()


class Neighbours(NamedTuple):
    first: str
    second: str


def next_sentence_examples(
    documents: list[list[str]], swap: Annotated[Tensor, "bool N"], random_pick: Annotated[Tensor, "int64 N"]
) -> tuple[list[Neighbours], Annotated[Tensor, "bool N"]]:
    every = [sentence for document in documents for sentence in document]
    draws = zip(swap.tolist(), random_pick.tolist(), strict=True)

    def neighbours(document: Sequence[str]) -> Iterator[Neighbours]:
        match document:
            case [first, second, *others]:
                swapped, number = next(draws)
                yield Neighbours(first, every[number] if swapped else second)
                yield from neighbours([second, *others])

    return [pair for document in documents for pair in neighbours(document)], swap ^ True


class BertClassifier(nn.Module):
    def __init__(
        self,
        vocab_size: int,
        max_length: int,
        num_segments: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        num_classes: int,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.head, self.pooler = nn.Linear(width, num_classes), nn.Linear(width, width)
        made = [EncoderBlock(width, num_heads, hidden, dropout, activation="gelu") for _ in range(num_blocks)]
        self.blocks = nn.ModuleList(made)
        self.embedding = GivenEmbedding(
            width=width, num_segments=num_segments, max_length=max_length, vocab_size=vocab_size
        )
        nn.init.zeros_(self.head.weight)

    @cached_property
    def reader(self) -> nn.Sequential:
        return nn.Sequential(self.pooler, nn.Tanh())

    def forward(self, ids: Ids, segments: Ids, mask: Tensor | None = None) -> Annotated[Tensor, "B classes"]:
        *before, last = self.blocks
        x = reduce(lambda y, block: block(y, mask), before, self.embedding(ids, segments))
        if mask is None:
            mask = ids.new_ones((1,)).bool()
        mask = mask.expand(len(ids), last.attention.num_heads, ids.size(1), ids.size(1))
        heard, _ = last.attention(x[:, :1], x, x, mask[:, :, :1])  # of the last block one place is read
        x = last.norm1(last.dropout1(heard) + x[:, :1])
        x = last.norm2(last.dropout2(last.feed_forward(x)) + x)
        return self.head(self.reader(x.squeeze(1)))


def freeze_all_but_head(model: nn.Module) -> nn.Module:
    def visit(part: nn.Module, learns: bool) -> None:
        for own in part.parameters(recurse=False):
            own.requires_grad_(learns)
        for name, child in part.named_children():
            visit(child, learns or (part is model and name == "head"))

    visit(model, learns=False)
    return model
