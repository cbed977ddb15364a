"""Own classes: a queue for tokens, a running mean, a head as a module without parameters, an epoch as an object."""

from collections import deque
from dataclasses import dataclass

import torch
from torch import nn

from reference import blocks


class Window:
    """The last tokens of a text, in a queue that is full of padding at first."""

    def __init__(self, length, filler):
        self.tokens = deque([filler] * length, maxlen=length)

    def read(self, text):
        self.tokens.extend(text)
        return list(self.tokens)


def pad_sequences(sequences, max_length, pad_id=0):
    return torch.stack([torch.tensor(Window(max_length, pad_id).read(text)) for text in sequences])


@dataclass
class RunningMean:
    """A mean that is told its parts, each with its weight."""

    total: object = 0.0
    weight: object = 0.0

    def add(self, value, weight):
        self.total = self.total + value * weight
        self.weight = self.weight + weight

    @property
    def value(self):
        return self.total / self.weight


def masked_mean(x, mask):
    mean = RunningMean()
    for vectors, real in zip(x.unbind(1), mask.unbind(1), strict=True):
        mean.add(vectors, real.to(x.dtype).unsqueeze(-1))
    nothing = mean.weight == 0
    mean.weight = mean.weight + nothing
    return mean.value


class Bernoulli:
    def __init__(self, logits):
        self.logits = logits

    def log_prob(self, labels):
        signs = labels.to(self.logits.dtype) * 2 - 1
        return torch.nn.LogSigmoid()(signs * self.logits)


def binary_cross_entropy(logits, labels):
    return torch.neg(Bernoulli(logits).log_prob(labels)).mean()


class Base(nn.Module):
    """What is made, apart from what is done with it."""

    def __init__(self, vocab_size, max_length, width, num_heads, hidden, dropout):
        super().__init__()
        self.output = nn.Linear(100, 1)
        self.dropout2 = nn.Dropout(dropout)
        self.hidden = nn.Linear(width, 100)
        self.dropout1 = nn.Dropout(dropout)
        self.encoder = blocks.EncoderBlock(width, num_heads, hidden, dropout=dropout, key_width=width)
        self.embedding = blocks.TokenAndPositionEmbedding(vocab_size, max_length, width)

    def encode(self, ids):
        return self.encoder(self.embedding(ids), mask=None)

    def head(self, pooled):
        return self.output(self.dropout2(nn.functional.relu(self.hidden(self.dropout1(pooled)))))


class SentimentClassifier(Base):
    def __init__(self, vocab_size=20000, max_length=200, width=32, num_heads=2, hidden=32, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, dropout)

    def forward(self, ids):
        (logits,) = self.head(self.encode(ids).sum(1).div(ids.size(1))).unbind(-1)
        return logits


def accuracy(logits, labels):
    mean = RunningMean()
    for logit, label in zip(logits.tolist(), labels.tolist(), strict=True):
        mean.add((logit > 0) == label, 1)
    return mean.value


class Epoch:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.loss = model.train(), optimizer, RunningMean()

    def step(self, ids, labels):
        loss = binary_cross_entropy(self.model(ids), labels)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()  # nothing is left over for the next batch
        self.loss.add(loss.item(), ids.shape[0])


def train_epoch(model, batches, optimizer):
    epoch = Epoch(model, optimizer)
    optimizer.zero_grad()
    for batch in batches:
        epoch.step(*batch)
    return epoch.loss.value
