"""The oracle of chapter 10: fates looked up in a table, spans as sets of places, embeddings as bags, losses by hand."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Collection, Mapping, Sequence

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import BertEmbedding as GivenEmbedding
from reference.blocks import EncoderBlock

SELECTED = 0.15
FATES = (0.8, 0.9)  # up to here masked, up to here random, beyond it kept
IGNORED = -100


def mask_tokens(
    ids: torch.Tensor,
    maskable: torch.Tensor,
    select: torch.Tensor,
    action: torch.Tensor,
    random_ids: torch.Tensor,
    mask_id: int,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Every token has three futures, one of which is picked: that of its own number, or the last."""
    fate = torch.bucketize(action, torch.tensor(FATES, dtype=action.dtype, device=action.device), right=True)
    chosen = torch.logical_and(maskable, torch.lt(select, SELECTED))
    futures = torch.stack([torch.full_like(ids, mask_id), random_ids, ids], dim=-1)
    fate = torch.where(chosen, fate, len(FATES))
    inputs = futures.gather(-1, fate[..., None]).squeeze(-1)
    return inputs, torch.where(chosen, ids, IGNORED)


def span_length_probabilities(p: float = 0.2, max_length: int = 10) -> torch.Tensor:
    """Shares of 1 - (1 - p)^n, which the lengths up to n have together, with powers taken as exponentials."""
    going_on = math.log1p(-p)
    together = -math.expm1(max_length * going_on)
    return torch.tensor([p * math.exp(k * going_on) / together for k in range(max_length)])


def mask_spans(ids: torch.Tensor, starts: torch.Tensor, lengths: torch.Tensor, budget: float) -> torch.Tensor:
    """A set of places that takes in span after span."""
    size = len(ids)
    masked: set[int] = set()
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if len(masked) >= budget * size:
            break
        masked.update(place for place in range(start, start + length) if place < size)
    return torch.tensor([place in masked for place in range(size)], device=ids.device)


def span_boundary_loss(
    boundary_logits: torch.Tensor, token_logits: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """All words' log-sum-exp less the right word's logit, of both predictions at once."""
    logits = torch.stack([boundary_logits, token_logits])  # (2, S, V)
    right = logits.gather(2, targets.expand(2, -1)[..., None])[..., 0]  # (2, S)
    return (logits.logsumexp(dim=2) - right).sum() / len(targets)


def sentence_pair(
    first: torch.Tensor, second: torch.Tensor, cls_id: int, sep_id: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """A text of nothing but [SEP], into which the rest is written."""
    middle = 1 + len(first)
    ids = first.new_full((middle + 1 + len(second) + 1,), sep_id)
    ids[0], ids[1:middle], ids[middle + 1 : -1] = cls_id, first, second
    segments = torch.ones_like(ids)
    segments[: middle + 1] = 0
    return ids, segments


class BertEmbedding(nn.Module):
    """One table of all tokens, places and segments; each word is a bag of three of its rows, then normalised."""

    def __init__(self, vocab_size: int, max_length: int, num_segments: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        self.segment = nn.Embedding(num_segments, width)
        for table in (self.token, self.position, self.segment):
            nn.init.normal_(table.weight, std=0.02)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """ids and segments (B, T) -> (B, T, D)."""
        tables = [self.token.weight, self.position.weight, self.segment.weight]
        words, places = len(tables[0]), len(tables[1])
        here = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        numbers = torch.stack([ids, words + here, words + places + segments], dim=-1)  # (B, T, 3)
        summed = torch.cat(tables)[numbers].sum(dim=2)
        variance, mean = torch.var_mean(summed, dim=-1, correction=0, keepdim=True)
        unit = (summed - mean) / torch.sqrt(variance + self.norm.eps)
        return torch.addcmul(self.norm.bias, unit, self.norm.weight)


def masked_lm_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Surprise at each position, weighted 1 where there is a label and 0 elsewhere."""
    counts = labels.ne(IGNORED)
    asked = torch.where(counts, labels, 0)
    surprise = logits.logsumexp(dim=-1) - logits.gather(-1, asked[..., None])[..., 0]
    return torch.where(counts, surprise, 0).sum() / counts.sum()


def next_sentence_examples(
    documents: Sequence[Sequence[str]], swap: torch.Tensor, random_pick: torch.Tensor
) -> tuple[list[tuple[str, str]], torch.Tensor]:
    """Neighbours by pairwise, strangers out of one long list."""
    everything = list(itertools.chain.from_iterable(documents))
    neighbours = itertools.chain.from_iterable(map(itertools.pairwise, documents))
    draws = zip(neighbours, swap.tolist(), random_pick.tolist(), strict=True)
    pairs = [(one, everything[pick] if swapped else two) for (one, two), swapped, pick in draws]
    return pairs, ~swap


class BertClassifier(nn.Module):
    """Embedding, post-norm blocks one after the other, [CLS] singled out, pooled and classified."""

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
        self.blocks = nn.ModuleList(
            EncoderBlock(width, num_heads, hidden, dropout, norm_first=False, activation="gelu")
            for _ in range(num_blocks)
        )
        self.pooler = nn.Linear(width, width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, ids: torch.Tensor, segments: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """ids and segments (B, T) -> logits (B, classes)."""
        steps = (functools.partial(block, mask=mask) for block in self.blocks)
        last = functools.reduce(lambda x, step: step(x), steps, self.embedding(ids, segments))
        pooled = functional.linear(last.select(1, 0), self.pooler.weight, self.pooler.bias).tanh()
        return functional.linear(pooled, self.head.weight, self.head.bias)


def freeze_all_but_head(model: nn.Module) -> nn.Module:
    """Every parameter learns exactly if it lies under `head`."""
    for name, parameter in model.named_parameters():
        parameter.requires_grad = name.partition(".")[0] == "head"
    return model


def word_pieces(word: str, vocabulary: Collection[str]) -> list[str]:
    """The piece that begins here, and the pieces of the rest, as long as there are any."""

    def cut(rest: str, mark: str) -> list[str] | None:
        if not rest:
            return []
        fits = [piece for piece in itertools.accumulate(rest) if mark + piece in vocabulary]
        if not fits or (after := cut(rest[len(fits[-1]) :], "##")) is None:
            return None
        return [mark + fits[-1], *after]

    return cut(word, "") or ["[UNK]"]


# Names in Hugging Face's `BertModel` and in `BertClassifier`: `#` is a block's number, `*` is weight and bias.
HUGGING_FACE = """
embeddings.word_embeddings.weight       embedding.token.weight
embeddings.position_embeddings.weight   embedding.position.weight
embeddings.token_type_embeddings.weight embedding.segment.weight
embeddings.LayerNorm.*                  embedding.norm.*
encoder.layer.#.attention.self.query.*  blocks.#.attention.w_q.*
encoder.layer.#.attention.self.key.*    blocks.#.attention.w_k.*
encoder.layer.#.attention.self.value.*  blocks.#.attention.w_v.*
encoder.layer.#.attention.output.dense.* blocks.#.attention.w_o.*
encoder.layer.#.attention.output.LayerNorm.* blocks.#.norm1.*
encoder.layer.#.intermediate.dense.*    blocks.#.feed_forward.0.*
encoder.layer.#.output.dense.*          blocks.#.feed_forward.2.*
encoder.layer.#.output.LayerNorm.*      blocks.#.norm2.*
pooler.dense.*                          pooler.*
"""


def course_weights(published: Mapping[str, torch.Tensor], num_blocks: int) -> dict[str, torch.Tensor]:
    """Each row of the table, once for each block and each part that it stands for."""
    renamed: dict[str, torch.Tensor] = {}
    for row in HUGGING_FACE.strip().splitlines():
        for number, part in itertools.product(range(num_blocks if "#" in row else 1), ("weight", "bias")):
            theirs, own = row.replace("#", str(number)).replace("*", part).split()
            renamed[own] = published[theirs]
    return renamed


def sentence_vector(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The mean as a product with equal weights, divided by its length where it has one."""
    count = mask.sum(dim=1, keepdim=True).clamp(min=1)
    weights = mask.to(hidden.dtype) / count  # (B, T)
    mean = torch.einsum("bt,btd->bd", weights, hidden)
    empty = ~mask.any(dim=1, keepdim=True)
    square = mean.square().sum(dim=1, keepdim=True)
    return torch.where(empty, 0, mean) / torch.where(empty, 1, square).sqrt()
