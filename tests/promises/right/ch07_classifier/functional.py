"""Functional: index arithmetic, einsum, softplus, weights taken out of the modules, a closure for every step."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def pad_sequences(sequences: list[list[int]], max_length: int, pad_id: int = 0) -> Tensor:
    missing = [pad_id] * max_length
    return torch.tensor([[*missing, *tokens][-max_length:] for tokens in sequences], dtype=torch.int64)


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    weights = F.normalize(mask.to(x.dtype), p=1.0, dim=1)
    return torch.bmm(weights.unsqueeze(1), x).squeeze(1)


def binary_cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    return F.softplus(torch.where(labels == 1, -logits, logits)).mean()


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
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.encoder = EncoderBlock(width, num_heads, hidden, dropout, key_width=width)
        self.dropout1 = nn.Dropout(dropout)
        self.hidden = nn.Linear(width, 100)
        self.dropout2 = nn.Dropout(dropout)
        self.output = nn.Linear(100, 1)

    def forward(self, ids: Tensor) -> Tensor:
        read = self.encoder(self.embedding(ids))
        average = read.new_full((read.shape[1],), 1 / read.shape[1])
        pooled = F.dropout(torch.einsum("btd,t->bd", read, average), self.dropout1.p, self.training)
        before = torch.addmm(self.hidden.bias, pooled, self.hidden.weight.T)
        found = torch.maximum(F.dropout(before, self.dropout2.p, self.training), torch.zeros_like(before))
        return torch.einsum("bh,oh->bo", found, self.output.weight).add(self.output.bias).view(-1)


def accuracy(logits: Tensor, labels: Tensor) -> float:
    return 1 - float(torch.logical_xor(logits.gt(0), labels).double().mean())


def train_epoch(model: nn.Module, batches: list[tuple[Tensor, Tensor]], optimizer: torch.optim.Optimizer) -> float:
    was_training = model.training
    model.train()

    def closure(ids: Tensor, labels: Tensor) -> Tensor:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        return loss

    steps = [
        (len(labels), float(optimizer.step(lambda ids=ids, labels=labels: closure(ids, labels))))
        for ids, labels in batches
    ]
    model.train(was_training)
    return sum(size * loss for size, loss in steps) / sum(size for size, _ in steps)
