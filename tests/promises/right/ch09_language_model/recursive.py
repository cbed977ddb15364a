"""Recursive: a text that writes itself, a cache linked back to its past, knobs turned by `match`, tuples with names."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Annotated, NamedTuple

import torch
from torch import Tensor, nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding

Ids = Annotated[Tensor, "B T", torch.int64]
Logits = Annotated[Tensor, "B T V"]


class Pairs(NamedTuple):
    inputs: Ids
    labels: Ids


def next_token_pairs(ids: Ids) -> Pairs:
    return Pairs(*ids.unfold(-1, ids.size(-1) - 1, 1).unbind(-2))


class CausalLM(nn.Module):
    def __init__(
        self,
        vocab_size: int,
        max_length: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.max_length, self.norm = max_length, nn.LayerNorm(width, elementwise_affine=True)
        block = functools.partial(EncoderBlock, activation="gelu", norm_first=True, dropout=dropout)
        self.blocks = nn.ModuleList(block(width, num_heads, hidden) for _ in range(num_blocks))
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.apply(self._start)

    @staticmethod
    def _start(part: nn.Module) -> None:
        match part:
            case nn.Linear(weight=weight, bias=bias):
                nn.init.trunc_normal_(weight, std=0.02)
                nn.init.zeros_(bias)
            case nn.Embedding(weight=weight):
                nn.init.normal_(weight, std=0.02)

    def after(self, number: int, ids: Ids, mask: Tensor) -> Annotated[Tensor, "B T D"]:
        """The states after so many blocks."""
        if number == 0:
            return self.embedding(ids)
        return self.blocks[number - 1](self.after(number - 1, ids, mask), mask)

    def forward(self, ids: Ids) -> Logits:
        mask = torch.ones(2 * [ids.shape[-1]], device=ids.device).tril().to(torch.bool)
        states = self.norm(self.after(len(self.blocks), ids, mask))
        return (self.embedding.token.weight @ states.transpose(-1, -2)).transpose(-1, -2)


def perplexity(logits: Logits, labels: Ids, ignore_id: int = -100) -> Tensor:
    def surprises() -> Iterator[Tensor]:
        for text, asked in zip(logits, labels, strict=True):
            counts = asked != ignore_id
            yield from -text[counts].log_softmax(-1)[range(int(counts.sum())), asked[counts]]

    bits = torch.stack([*surprises()]) / torch.tensor(2.0, dtype=torch.float64).log().item()
    return bits.mean().exp2()


class Knobs(NamedTuple):
    temperature: float
    top_k: int | None
    top_p: float | None


def next_token_distribution(
    logits: Annotated[Tensor, "B V"], temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> Annotated[Tensor, "B V"]:
    match Knobs(temperature, top_k, top_p):
        case Knobs(temperature=0):
            return torch.zeros_like(logits).index_put_(
                (torch.arange(len(logits), device=logits.device), logits.argmax(-1)), logits.new_ones(())
            )
        case Knobs(top_k=None, top_p=None):
            return (logits / temperature).log_softmax(-1).exp()
        case Knobs(top_p=None, top_k=int(k)):
            shares = next_token_distribution(logits, temperature)
            least = shares.kthvalue(logits.size(-1) - min(k, logits.size(-1)) + 1, keepdim=True).values
            kept = shares * (shares >= least)
        case Knobs(top_p=p):
            shares = next_token_distribution(logits, temperature, top_k)
            likelier = shares[:, None, :] > shares[:, :, None]  # [b, v, u]: u is likelier than v
            kept = shares * (torch.where(likelier, shares[:, None], 0.0).sum(-1) < p)
    return kept / kept.sum(-1, keepdim=True)


def generate(model: nn.Module, prompt: Ids, steps: int, choose: Callable[[Tensor], Tensor]) -> Ids:
    if not steps:
        return prompt
    with torch.no_grad():
        *_, logits = model(prompt[:, -model.max_length :]).unbind(1)
    return generate(model, torch.cat([prompt, choose(logits)[:, None]], -1), steps - 1, choose)


class Cache(NamedTuple):
    """What one call brought, and the cache of the calls before it."""

    keys: Tensor
    values: Tensor
    before: Cache | None

    def chunks(self) -> Iterator[tuple[Tensor, Tensor]]:
        if self.before:
            yield from self.before.chunks()
        yield self.keys, self.values


def attend_with_cache(q: Tensor, k: Tensor, v: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
    """Each chunk has a sum of its own; together they make a softmax."""
    cache = Cache(k, v, cache)
    scores = [q / q.size(-1) ** 0.5 @ keys.mT for keys, _ in cache.chunks()]
    now = torch.arange(q.size(2), device=q.device)
    scores[-1] = torch.where(now <= now.unsqueeze(-1), scores[-1], torch.finfo(q.dtype).min)
    total = torch.stack([part.logsumexp(-1) for part in scores]).logsumexp(0).unsqueeze(-1)
    pairs = zip(scores, cache.chunks(), strict=True)
    return sum((part - total).exp() @ values for part, (_, values) in pairs), cache


class Example(NamedTuple):
    ids: Annotated[Tensor, "A+S+2"]
    loss_mask: Annotated[Tensor, "A+S+2"]


def summarization_example(article: Tensor, summary: Tensor, separator_id: int, eos_id: int) -> Example:
    pieces = article, article.new_full([1], separator_id), summary, article.new_full([1], eos_id)
    sizes = torch.tensor([len(article) + 1, len(summary) + 1], device=article.device)
    said = torch.tensor([False, True], device=article.device).repeat_interleave(sizes)
    return Example(loss_mask=said, ids=torch.cat(pieces))
