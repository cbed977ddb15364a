"""Wide: everything at once by tables and products, float64 inside and cast back, results that are views."""

from __future__ import annotations

import torch
from torch import Tensor, einsum, nn

from reference.blocks import BertEmbedding as GivenEmbedding
from reference.blocks import EncoderBlock


def mask_tokens(
    ids: Tensor, maskable: Tensor, select: Tensor, action: Tensor, random_ids: Tensor, mask_id: int
) -> tuple[Tensor, Tensor]:
    chosen = (maskable & (select < 0.15)).long()
    mask = chosen * (action < 0.8)
    noise = chosen * (action < 0.9) - mask
    inputs = mask * mask_id + noise * random_ids + (1 - mask - noise) * ids
    return inputs.mT.contiguous().mT, chosen * (ids + 100) - 100


def span_length_probabilities(p: float = 0.2, max_length: int = 10) -> Tensor:
    steps = torch.full((max_length,), 1 - p, dtype=torch.float64)
    steps[0] = 1
    weights = steps.cumprod(0)
    return (weights / weights.sum()).to(torch.get_default_dtype())


def mask_spans(ids: Tensor, starts: Tensor, lengths: Tensor, budget: float) -> Tensor:
    size, reach = len(ids), int(lengths.max())
    hidden = torch.zeros(size + reach, dtype=torch.bool, device=ids.device)
    for start, end in torch.stack([starts, starts + lengths], dim=1).tolist():
        if int(hidden[:size].count_nonzero()) < budget * size:
            hidden[start:end] |= True
    return hidden[:size]


def surprise(logits: Tensor, targets: Tensor) -> Tensor:
    wide = logits.double()
    hot = nn.functional.one_hot(targets, logits.shape[-1]).bool()
    return wide.logsumexp(-1) - wide.masked_fill(~hot, 0).sum(-1)


def span_boundary_loss(boundary_logits: Tensor, token_logits: Tensor, targets: Tensor) -> Tensor:
    both = surprise(torch.cat([boundary_logits, token_logits]), targets.repeat(2))
    return (2 * both.mean()).to(token_logits.dtype)


def sentence_pair(first: Tensor, second: Tensor, cls_id: int, sep_id: int) -> tuple[Tensor, Tensor]:
    n, m = len(first), len(second)
    both = first.new_empty(2, n + m + 3)
    ids, segments = both
    ids.fill_(sep_id)
    ids[:1].fill_(cls_id)
    ids[1 : n + 1].copy_(first)
    ids[n + 2 : n + m + 2].copy_(second)
    segments.copy_(torch.arange(n + m + 3, device=first.device) // (n + 2)).clamp_(max=1)
    return both[0], both[1]


class BertEmbedding(nn.Module):
    def __init__(self, vocab_size: int, max_length: int, num_segments: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        self.segment = nn.Embedding(num_segments, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        hot = (segments[..., None] == torch.arange(self.segment.num_embeddings, device=ids.device)).double()
        sides = einsum("bts,sd->tbd", hot, self.segment.weight.double())
        summed = sides + self.token(ids.mT).double() + self.position.weight[: ids.shape[1], None].double()
        centred = summed - summed.mean(-1, keepdim=True)
        unit = centred * (centred.square().mean(-1, keepdim=True) + self.norm.eps).rsqrt()
        return (unit * self.norm.weight + self.norm.bias).to(self.norm.weight.dtype).transpose(0, 1)


def masked_lm_loss(logits: Tensor, labels: Tensor) -> Tensor:
    counts = (labels >= 0).double()
    losses = surprise(logits, labels.clamp(min=0))
    return (einsum("bt,bt->", losses, counts) / counts.sum()).to(logits.dtype)


def next_sentence_examples(
    documents: list[list[str]], swap: Tensor, random_pick: Tensor
) -> tuple[list[tuple[str, str]], Tensor]:
    everything = [sentence for document in documents for sentence in document]
    ends = torch.tensor([len(document) for document in documents]).cumsum(0)
    first = torch.tensor([n for n in range(len(everything)) if n + 1 not in ends])
    second = torch.where(swap, random_pick, first + 1)
    pairs = [(everything[a], everything[b]) for a, b in torch.stack([first, second], 1).tolist()]
    return pairs, torch.ones_like(swap) ^ swap


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
        self.embedding = GivenEmbedding(vocab_size, max_length, num_segments, width)
        stack = [EncoderBlock(width, num_heads, hidden, dropout, activation="gelu") for _ in range(num_blocks)]
        self.blocks = nn.ModuleList(stack)
        self.pooler = nn.Linear(width, width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor | None = None) -> Tensor:
        states = [self.embedding(ids, segments)]
        for block in self.blocks:
            states.append(block(states[-1], mask))
        pooled = torch.tanh(self.pooler(states[-1]))  # every position, although one is read
        return (pooled @ self.head.weight.mT + self.head.bias).select(1, 0)


def freeze_all_but_head(model: nn.Module) -> nn.Module:
    for part in model.modules():
        for parameter in part.parameters(recurse=False):
            parameter.requires_grad = any(parameter is own for own in model.head.parameters())
    return model
