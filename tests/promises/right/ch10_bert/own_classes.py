"""Own classes and functions: fates as an enumeration, a set of places that grows, a stack of tables, named steps."""

from __future__ import annotations

import itertools
from enum import Enum

import torch
from torch import Tensor, nn

from reference import blocks


class Fate(Enum):
    MASK = (0.0, 0.8)
    RANDOM = (0.8, 0.9)

    def meets(self, action: Tensor) -> Tensor:
        low, high = self.value
        return action.ge(low).logical_and(action.lt(high))


def mask_tokens(ids, maskable, select, action, random_ids, mask_id):
    chosen = select.lt(0.15) * maskable
    inputs = ids
    for fate, token in ((Fate.MASK, torch.full_like(ids, mask_id)), (Fate.RANDOM, random_ids)):
        inputs = torch.where(chosen * fate.meets(action), token, inputs)
    return inputs, ids * chosen - 100 * ~chosen


class SpanLengths:
    """Geometric lengths, by the chance to get beyond each of them."""

    def __init__(self, p: float) -> None:
        self.p = p

    def beyond(self, length: int) -> float:
        return (1 - self.p) ** length

    def exactly(self, length: int) -> float:
        return self.beyond(length - 1) - self.beyond(length)


def span_length_probabilities(p=0.2, max_length=10):
    lengths = SpanLengths(p)
    total = 1 - lengths.beyond(max_length)
    return torch.stack([torch.tensor(lengths.exactly(k) / total) for k in range(1, max_length + 1)])


class Hidden:
    def __init__(self, size: int) -> None:
        self.size, self.places = size, set()

    def add(self, start: int, length: int) -> None:
        self.places |= set(range(start, start + length)) & set(range(self.size))

    @property
    def share(self) -> float:
        return len(self.places) / self.size


def mask_spans(ids, starts, lengths, budget):
    hidden, spans = Hidden(len(ids)), list(zip(starts.tolist(), lengths.tolist(), strict=True))
    while spans and hidden.share < budget:
        hidden.add(*spans.pop(0))
    result = torch.zeros(len(ids), dtype=torch.bool, device=ids.device)
    result[sorted(hidden.places)] = True
    return result


class Surprise(nn.Module):
    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        right = logits[torch.arange(len(targets), device=logits.device), targets]
        shifted = logits - right[:, None]
        return shifted.logsumexp(-1).mean()


def span_boundary_loss(boundary_logits, token_logits, targets):
    surprise = Surprise()
    return torch.add(surprise(token_logits, targets), surprise(boundary_logits, targets))


class Text:
    def __init__(self, like: Tensor) -> None:
        self.like, self.ids, self.segments = like, [], []

    def put(self, tokens: Tensor | int, segment: int) -> Text:
        piece = tokens if isinstance(tokens, Tensor) else self.like.new_full((1,), tokens)
        self.ids.append(piece)
        self.segments.append(torch.full_like(piece, segment))
        return self

    def done(self) -> tuple[Tensor, Tensor]:
        return torch.cat(self.ids), torch.cat(self.segments)


def sentence_pair(first, second, cls_id, sep_id):
    return Text(first).put(cls_id, 0).put(first, 0).put(sep_id, 0).put(second, 1).put(sep_id, 1).done()


class BertEmbedding(nn.Module):
    def __init__(self, vocab_size, max_length, num_segments, width):
        super().__init__()
        for name, rows in (("token", vocab_size), ("position", max_length), ("segment", num_segments)):
            setattr(self, name, nn.Embedding(rows, width))
        self.norm = nn.LayerNorm(width)

    def numbers(self, ids: Tensor, segments: Tensor) -> dict[str, Tensor]:
        places = torch.ones_like(ids).cumsum(-1) - 1
        return {"segment": segments, "position": places, "token": ids}

    def forward(self, ids, segments):
        found = [getattr(self, name)(numbers) for name, numbers in self.numbers(ids, segments).items()]
        return self.norm(torch.stack(found).sum(dim=0))


def masked_lm_loss(logits, labels):
    where = (labels + 100).nonzero(as_tuple=True)
    return Surprise()(logits[where], labels[where])


def next_sentence_examples(documents, swap, random_pick):
    everything = tuple(itertools.chain(*documents))
    choose = iter(zip(swap, random_pick, strict=True))

    def second(sentence: str) -> str:
        swapped, number = next(choose)
        return everything[number] if swapped else sentence

    pairs = [(a, second(b)) for document in documents for a, b in itertools.pairwise(document)]
    return pairs, swap == 0


class BertClassifier(nn.Module):
    def __init__(
        self,
        vocab_size,
        max_length,
        num_segments,
        width,
        num_heads,
        hidden,
        num_blocks,
        num_classes,
        dropout=0.1,
    ):
        super().__init__()
        self.head = nn.Linear(width, num_classes)
        self.pooler = nn.Linear(width, width)
        made = (blocks.EncoderBlock(width, num_heads, hidden, dropout, activation="gelu") for _ in range(num_blocks))
        self.blocks = nn.ModuleList(made)
        self.embedding = blocks.BertEmbedding(vocab_size, max_length, num_segments, width)

    def encode(self, ids, segments, mask):
        x = self.embedding(ids, segments)
        for block in self.blocks.children():
            x = block(x, mask)
        return x

    def pool(self, x):
        first, *_ = x.unbind(1)
        return 2 * torch.sigmoid(2 * self.pooler(first)) - 1

    def forward(self, ids, segments, mask=None):
        return self.head(self.pool(self.encode(ids, segments, mask)))


def freeze_all_but_head(model):
    head = set(model.head.parameters())
    for parameter in model.parameters():
        parameter.requires_grad_(parameter in head)
    return model
