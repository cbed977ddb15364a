"""Wide: float64 inside and cast back, results that are views, numpy for what is no tensor yet."""

import numpy as np
import torch
from torch import nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def pad_sequences(sequences, max_length, pad_id=0):
    wide = np.full((len(sequences), max_length), pad_id)
    for row, tokens in enumerate(sequences):
        kept = tokens[max(0, len(tokens) - max_length) :]
        wide[row, max_length - len(kept) :] = kept
    return torch.tensor(wide, dtype=torch.int64)


def masked_mean(x, mask):
    kept = x.double().movedim(2, 0).masked_fill(~mask, 0.0)  # (D, B, T)
    return (kept.sum(-1) / mask.double().sum(-1).clamp(min=1e-9)).to(x.dtype).mT


def binary_cross_entropy(logits, labels):
    z, y = logits.double(), labels.double()
    beyond = torch.where(z < 0, z, -z)  # -|z|, with a slope at 0
    losses = torch.where(z < 0, 0, z) - z * y + torch.log1p(torch.exp(beyond))
    return losses.mean().to(logits.dtype)


class SentimentClassifier(nn.Module):
    def __init__(self, vocab_size=20000, max_length=200, width=32, num_heads=2, hidden=32, dropout=0.1):
        super().__init__()
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.encoder = EncoderBlock(width, num_heads, hidden, dropout, key_width=width)
        self.dropout1 = nn.Dropout(dropout)
        self.hidden = nn.Linear(width, 100)
        self.dropout2 = nn.Dropout(dropout)
        self.output = nn.Linear(100, 1)

    def forward(self, ids):
        texts = self.encoder(self.embedding(ids)).mT  # (B, D, T)
        pooled = texts.double().mean(-1).to(texts.dtype)
        found = self.dropout2(self.hidden(self.dropout1(pooled)).clamp(min=0))
        both = torch.cat([self.output(found), torch.zeros_like(found[:, :1])], dim=1)
        return both[:, 0]


def accuracy(logits, labels):
    truth, answers = labels.detach().cpu().numpy().astype(bool), logits.detach().cpu().numpy() > 0
    return np.mean(truth == answers)


def train_epoch(model, batches, optimizer):
    model.train()
    total, count = torch.zeros((), dtype=torch.float64), 0
    for ids, labels in batches:
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                parameter.grad = None
        logits = model(ids)
        loss = binary_cross_entropy(logits, labels)
        loss.backward()
        optimizer.step()
        total += loss.detach() * logits.shape[0]
        count += logits.shape[0]
    return float(total) / count
