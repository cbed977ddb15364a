"""Ready-made functions wherever the chapter allows them: padding, nanmean, pooling layers, losses for many classes."""

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def pad_sequences(sequences, max_length, pad_id=0):
    rows = [torch.tensor(tokens, dtype=torch.int64)[-max_length:] for tokens in sequences]
    return torch.stack([functional.pad(row, (max_length - len(row), 0), value=pad_id) for row in rows])


def masked_mean(x, mask):
    real = mask.unsqueeze(-1)
    mean = torch.where(real, x, torch.nan).nanmean(dim=1)
    return torch.where(real.any(dim=1), mean, torch.zeros_like(mean))


def binary_cross_entropy(logits, labels):
    return functional.cross_entropy(torch.stack([torch.zeros_like(logits), logits], dim=-1), labels.long())


class SentimentClassifier(nn.Module):
    def __init__(self, vocab_size=20000, max_length=200, width=32, num_heads=2, hidden=32, dropout=0.1):
        super().__init__()
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.encoder = EncoderBlock(width, num_heads, hidden, dropout, key_width=width)
        self.dropout1 = nn.Dropout(dropout)
        self.hidden = nn.Linear(width, 100)
        self.dropout2 = nn.Dropout(dropout)
        self.output = nn.Linear(100, 1)
        self.pool, self.activation, self.flat = nn.AdaptiveAvgPool1d(1), nn.ReLU(), nn.Flatten(0)

    def forward(self, ids):
        pooled = self.pool(self.encoder(self.embedding(ids)).transpose(1, 2)).squeeze(2)
        head = nn.Sequential(self.dropout1, self.hidden, self.activation, self.dropout2, self.output, self.flat)
        return head(pooled)


def accuracy(logits, labels):
    answers = torch.heaviside(logits, torch.zeros_like(logits))
    return answers.eq(labels).float().mean().item()


def train_epoch(model, batches, optimizer):
    model.train()
    losses, sizes = [], []
    for ids, labels in batches:
        logits = model(ids)
        loss = functional.binary_cross_entropy_with_logits(logits, labels.to(logits))
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        sizes.append(len(labels))
    return (torch.stack(losses) * torch.tensor(sizes)).sum().div(sum(sizes)).item()
