"""The oracle of chapter 7: rows padded backwards, weights that sum to 1, logaddexp, gradients put in place by hand."""

from collections.abc import Iterable

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def pad_sequences(sequences: list[list[int]], max_length: int, pad_id: int = 0) -> torch.Tensor:
    """Every text read backwards, filled up behind, and all of it turned round again."""
    backwards = [torch.tensor(tokens[::-1][:max_length], dtype=torch.int64) for tokens in sequences]
    filled = nn.utils.rnn.pad_sequence(backwards, batch_first=True, padding_value=pad_id)
    return functional.pad(filled, (0, max_length - filled.shape[1]), value=pad_id).flip(1)


def masked_mean(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """A weighted sum: each real token weighs one over their number, in an empty row nothing weighs anything."""
    weights = mask.to(x.dtype)
    return torch.einsum("btd,bt->bd", x, weights / weights.sum(1, keepdim=True).clamp_min(1))


def binary_cross_entropy(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """log(1 + e^z) - z·y, averaged; logaddexp never forms e^z alone."""
    return (torch.logaddexp(logits, torch.zeros_like(logits)) - logits * labels.to(logits.dtype)).mean()


class SentimentClassifier(nn.Module):
    """Embedding, encoder block, average over all positions, two dense layers."""

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
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.encoder = EncoderBlock(width, num_heads, hidden, dropout, key_width=width)
        self.dropout1 = nn.Dropout(dropout)
        self.hidden = nn.Linear(width, 100)
        self.dropout2 = nn.Dropout(dropout)
        self.output = nn.Linear(100, 1)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids (B, T) -> logits (B,)."""
        read = self.encoder.forward(self.embedding.forward(ids))
        pooled = torch.einsum("btd->bd", read) / ids.shape[1]
        kept = functional.dropout(pooled, self.dropout1.p, self.training)
        found = functional.linear(kept, self.hidden.weight, self.hidden.bias).clamp_min(0)
        kept = functional.dropout(found, self.dropout2.p, self.training)
        return torch.mv(kept, self.output.weight[0]) + self.output.bias


def accuracy(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """The share of the answers, as Python numbers, that are right."""
    answers = [bool(logit > 0) == bool(label) for logit, label in zip(logits.tolist(), labels.tolist(), strict=True)]
    return sum(answers) / len(answers)


def train_epoch(
    model: nn.Module, batches: Iterable[tuple[torch.Tensor, torch.Tensor]], optimizer: torch.optim.Optimizer
) -> float:
    """One step after the other, on gradients that are asked for and put in place; the loss of every example is kept."""
    model.train()
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    losses: list[float] = []
    for ids, labels in batches:
        loss = binary_cross_entropy(model(ids), labels)
        for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
            parameter.grad = gradient
        optimizer.step()
        losses += [loss.item()] * len(labels)
    return sum(losses) / len(losses)
