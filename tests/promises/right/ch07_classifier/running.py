"""Running: means kept up to date, logaddexp, own dice for dropout, gradients from autograd.grad, generators."""
# ruff: noqa: F722, F821 -- shapes in annotations are no Python

import math
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain, repeat
from statistics import fmean

import torch
from torch import Tensor, nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def from_the_end(sequence: list[int], pad_id: int) -> Iterator[int]:
    yield from chain(reversed(sequence), repeat(pad_id))


def pad_sequences(sequences: list[list[int]], max_length: int, pad_id: int = 0) -> "Int[Tensor, 'B max_length']":
    backwards = [
        [token for token, _ in zip(from_the_end(sequence, pad_id), range(max_length), strict=False)]
        for sequence in sequences
    ]
    return torch.tensor(backwards, dtype=torch.long).flip(dims=[1])


def masked_mean(x: "Float[Tensor, 'B T D']", mask: "Bool[Tensor, 'B T']") -> "Float[Tensor, 'B D']":
    counts = mask.to(x.dtype).cumsum(dim=1).clamp(min=1)  # (B, T): real tokens so far
    mean = torch.zeros_like(x[:, 0])
    for t, vectors in enumerate(x.unbind(dim=1)):
        step = (mask[:, t] / counts[:, t]).to(x.dtype).unsqueeze(-1)
        mean = torch.lerp(mean, vectors, step.expand_as(mean))
    return mean


def binary_cross_entropy(logits: "Float[Tensor, 'B']", labels: "Shaped[Tensor, 'B']") -> "Float[Tensor, '']":
    y = labels.to(logits.dtype)
    losses = torch.logaddexp(logits, torch.zeros_like(logits)) - y * logits
    return torch.dot(losses, torch.full_like(losses, 1 / losses.numel()))


class SentimentClassifier(nn.Module):
    def __init__(
        self,
        vocab_size: int = 20000,
        max_length: int = 200,
        width: int = 32,
        num_heads: int = 2,
        hidden: int = 32,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.embedding = TokenAndPositionEmbedding(vocab_size=vocab_size, max_length=max_length, width=width)
        self.encoder = EncoderBlock(
            width=width, num_heads=num_heads, hidden=hidden, dropout=dropout, norm_first=False, key_width=width
        )
        self.dropout1, self.dropout2 = (nn.Dropout(p=dropout) for _ in range(2))
        self.hidden, self.output = nn.Linear(width, 100), nn.Linear(100, 1)
        nn.init.normal_(self.output.weight, std=0.02)

    def drop(self, x: Tensor, layer: nn.Dropout) -> Tensor:
        if not self.training or layer.p == 0:
            return x
        return x * torch.bernoulli(torch.full_like(x, 1 - layer.p)) / (1 - layer.p)

    def forward(self, ids: "Int[Tensor, 'B T']") -> "Float[Tensor, 'B']":
        read = self.encoder(self.embedding(ids))
        total = read.cumsum(dim=1)[:, -1]
        found = self.hidden(self.drop(total / ids.size(-1), self.dropout1)).relu()
        return torch.tensordot(self.drop(found, self.dropout2), self.output.weight[0], dims=1) + self.output.bias


def accuracy(logits: "Float[Tensor, 'B']", labels: "Shaped[Tensor, 'B']") -> float:
    return fmean((z > 0) is bool(y) for z, y in zip(logits.tolist(), labels.tolist(), strict=True))


def train_epoch(model: nn.Module, batches: Iterable[tuple[Tensor, Tensor]], optimizer: torch.optim.Optimizer) -> float:
    model.train(True)

    def losses() -> Iterator[tuple[int, float]]:
        for ids, labels in batches:
            loss = binary_cross_entropy(logits=model(ids), labels=labels)
            parameters = [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad]
            gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter.grad = gradient
            optimizer.step()
            yield len(labels), loss.item()

    def longer(so_far: tuple[int, float], new: tuple[int, float]) -> tuple[int, float]:
        count = so_far[0] + new[0]
        return count, so_far[1] + (new[1] - so_far[1]) * new[0] / count

    _, mean = reduce(longer, losses(), (0, math.fsum(())))
    return mean
