"""Loops: one token, one row, one logit and one example at a time."""

import torch
from torch import nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def pad_sequences(sequences, max_length, pad_id=0):
    padded = torch.zeros(len(sequences), max_length, dtype=torch.long)
    for i in range(len(sequences)):
        for j in range(max_length):
            place = len(sequences[i]) - max_length + j
            padded[i, j] = sequences[i][place] if place >= 0 else pad_id
    return padded


def masked_mean(x, mask):
    means = []
    for b in range(x.shape[0]):
        real = [x[b, t] for t in range(x.shape[1]) if mask[b, t]]
        total = torch.zeros_like(x[b, 0])
        for vector in real:
            total = total + vector
        means.append(total / len(real) if real else total)
    return torch.stack(means)


def binary_cross_entropy(logits, labels):
    loss = 0
    for z, y in zip(logits, labels, strict=True):
        wrong = -z if y else z  # how strongly it speaks for the other label
        loss = loss + (wrong + torch.log1p(torch.exp(-wrong)) if wrong > 0 else torch.log1p(torch.exp(wrong)))
    return loss / len(logits)


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
        x = self.embedding(ids)
        x = self.encoder(x)
        total = x[:, 0]
        for t in range(1, x.shape[1]):
            total = total + x[:, t]
        x = self.dropout1(total / x.shape[1])
        x = self.hidden(x)
        x = x * (x > 0)
        x = self.dropout2(x)
        x = self.output(x)
        return x[:, 0]


def accuracy(logits, labels):
    right = 0
    for i in range(len(logits)):
        if (logits[i] > 0 and labels[i] == 1) or (logits[i] <= 0 and labels[i] == 0):
            right += 1
    return right / len(logits)


def train_epoch(model, batches, optimizer):
    losses = []
    for ids, labels in batches:
        model.train()
        logits = model(ids)
        loss = binary_cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for _ in range(len(ids)):
            losses.append(loss.item())
    model.eval()
    return sum(losses) / len(losses)
