"""Ready-made: boolean indexing, torch's distributions and losses, embedding bags, layers in a Sequential."""

from __future__ import annotations

import itertools

import torch
from torch import Tensor, nn
from torch.distributions import Categorical, Geometric
from torch.nn import functional

from reference.blocks import BertEmbedding as GivenEmbedding
from reference.blocks import EncoderBlock


def mask_tokens(
    ids: Tensor, maskable: Tensor, select: Tensor, action: Tensor, random_ids: Tensor, mask_id: int
) -> tuple[Tensor, Tensor]:
    inputs, labels = ids.clone(), ids.clone()
    chosen = (select < 0.15).logical_and(maskable)
    labels[~chosen] = -100
    kept = action.ge(0.9)
    noise = chosen & ~kept & action.ge(0.8)
    inputs[noise] = random_ids[noise]
    inputs[chosen & ~kept & ~noise] = mask_id
    return inputs, labels


def span_length_probabilities(p: float = 0.2, max_length: int = 10) -> Tensor:
    failures = torch.arange(max_length, dtype=torch.get_default_dtype())
    log_weights = Geometric(torch.tensor(p)).log_prob(failures)
    return Categorical(logits=log_weights).probs


def mask_spans(ids: Tensor, starts: Tensor, lengths: Tensor, budget: float) -> Tensor:
    places = torch.arange(ids.numel(), device=ids.device)
    spans = (places >= starts[:, None]) & (places < (starts + lengths)[:, None])  # (n, T)
    covered = spans.cumsum(0).bool()  # after each span
    enough = covered.sum(1) >= budget * ids.numel()
    last = int(enough.int().argmax()) if enough.any() else -1
    return covered[last]


def span_boundary_loss(boundary_logits: Tensor, token_logits: Tensor, targets: Tensor) -> Tensor:
    loss = nn.CrossEntropyLoss()
    return loss(token_logits, targets) + loss(boundary_logits, targets)


def sentence_pair(first: Tensor, second: Tensor, cls_id: int, sep_id: int) -> tuple[Tensor, Tensor]:
    left = functional.pad(functional.pad(first, (1, 0), value=cls_id), (0, 1), value=sep_id)
    right = functional.pad(second, (0, 1), value=sep_id)
    segments = functional.pad(torch.zeros_like(left), (0, len(right)), value=1)
    return torch.hstack([left, right]), segments


class BertEmbedding(nn.Module):
    def __init__(self, vocab_size: int, max_length: int, num_segments: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        self.segment = nn.Embedding(num_segments, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        x = functional.embedding(ids, self.token.weight) + functional.embedding(segments, self.segment.weight)
        x = x + self.position.weight[: ids.size(1)]
        return functional.layer_norm(x, self.norm.normalized_shape, self.norm.weight, self.norm.bias, self.norm.eps)


def masked_lm_loss(logits: Tensor, labels: Tensor) -> Tensor:
    asked = labels.ne(-100)
    return functional.nll_loss(functional.log_softmax(logits[asked], dim=-1), labels[asked])


def next_sentence_examples(
    documents: list[list[str]], swap: Tensor, random_pick: Tensor
) -> tuple[list[tuple[str, str]], Tensor]:
    everything = list(itertools.chain.from_iterable(documents))
    firsts = [sentence for document in documents for sentence in document[:-1]]
    seconds = [sentence for document in documents for sentence in document[1:]]
    for i in swap.nonzero().flatten().tolist():
        seconds[i] = everything[random_pick[i].item()]
    return list(zip(firsts, seconds, strict=True)), swap.logical_not()


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
        self.blocks = nn.ModuleList(
            [EncoderBlock(width, num_heads, hidden, dropout, False, "gelu") for _ in range(num_blocks)]
        )
        self.pooler = nn.Linear(width, width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.embedding(ids, segments=segments)
        for block in self.blocks:
            x = block(x, mask=mask)
        return nn.Sequential(self.pooler, nn.Tanh(), self.head)(x.narrow(1, 0, 1).squeeze(1))


def freeze_all_but_head(model: nn.Module) -> nn.Module:
    model.requires_grad_(False)
    for parameter in model.get_submodule("head").parameters():
        parameter.requires_grad_()
    return model
