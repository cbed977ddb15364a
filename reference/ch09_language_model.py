"""The oracle of chapter 9: columns taken one by one, ranks counted instead of sorted, every query on its own."""

from collections.abc import Callable
from functools import reduce

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding

Cache = tuple[torch.Tensor, torch.Tensor]


def next_token_pairs(ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """All windows of two: what stands on the left is read, what stands on the right is asked for."""
    read, asked = ids.unfold(1, 2, 1).unbind(-1)
    return read, asked


class CausalLM(nn.Module):
    """Learned positions, pre-norm blocks with GELU, a last norm, the token table once more (Radford et al. 2019)."""

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
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.blocks = nn.ModuleList(
            [
                EncoderBlock(width, num_heads, hidden, dropout, norm_first=True, activation="gelu")
                for _ in range(num_blocks)
            ]
        )
        self.norm = nn.LayerNorm(width)
        self.max_length = max_length

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids (B, T) -> logits (B, T, V)."""
        places = torch.arange(ids.shape[1], device=ids.device)
        past = places[:, None] >= places
        states = reduce(lambda x, block: block(x, past), self.blocks, self.embedding(ids))
        return torch.einsum("btd,vd->btv", self.norm(states), self.embedding.token.weight)


def perplexity(logits: torch.Tensor, labels: torch.Tensor, ignore_id: int = -100) -> torch.Tensor:
    """exp of the mean of -log p(right) over what is not ignored."""
    real = labels.ne(ignore_id)
    right = logits.gather(-1, labels.where(real, 0)[..., None]).squeeze(-1)
    surprise = torch.logsumexp(logits, dim=-1) - right
    return torch.where(real, surprise, torch.zeros_like(surprise)).sum().div(real.sum()).exp()


def next_token_distribution(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """A token stays if fewer than k are likelier, and if those that are likelier have less than p together."""
    if temperature == 0:
        return functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits)
    scores = logits / temperature
    likelier = scores[:, None, :] > scores[:, :, None]  # (B, V, V): is the one in the column before the one in the row
    if top_k is not None:
        scores = scores.masked_fill(likelier.sum(-1) >= top_k, -torch.inf)
    if top_p is not None:
        before = (likelier * scores.softmax(-1)[:, None, :]).sum(-1)
        scores = scores.masked_fill(before >= top_p, -torch.inf)
    return scores.softmax(-1)


def generate(
    model: nn.Module, prompt: torch.Tensor, steps: int, choose: Callable[[torch.Tensor], torch.Tensor]
) -> torch.Tensor:
    """The text as a list of columns, which grows by one at a time."""
    text = list(prompt.unbind(1))
    for _ in range(steps):
        seen = torch.stack(text[-model.max_length :], dim=1)
        text.append(choose(model(seen)[:, -1]))
    return torch.stack(text, dim=1)


def attend_with_cache(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, cache: Cache | None = None
) -> tuple[torch.Tensor, Cache]:
    """Each query alone, with all keys up to its own."""
    keys, values = (k, v) if cache is None else (torch.cat(pair, dim=2) for pair in zip(cache, (k, v), strict=True))
    past = keys.shape[2] - k.shape[2]

    def answer(number: int) -> torch.Tensor:
        seen = past + number + 1
        scores = torch.einsum("bhd,bhkd->bhk", q[:, :, number], keys[:, :, :seen]) / q.shape[-1] ** 0.5
        return torch.einsum("bhk,bhkd->bhd", scores.softmax(-1), values[:, :, :seen])

    return torch.stack([answer(number) for number in range(q.shape[2])], dim=2), (keys, values)


def summarization_example(
    article: torch.Tensor, summary: torch.Tensor, separator_id: int, eos_id: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Both texts with one token added behind; the loss counts from the second one on."""
    ids = torch.cat(
        [functional.pad(text, (0, 1), value=end) for text, end in ((article, separator_id), (summary, eos_id))]
    )
    return ids, torch.arange(len(ids), device=ids.device) > len(article)
