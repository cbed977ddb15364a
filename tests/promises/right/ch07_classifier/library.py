"""Library: rnn.pad_sequence, torch.masked, log-sigmoids, pooling and unsqueezing, sums of losses, hooks."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.masked import mean as mean_of_allowed
from torch.nn.utils.rnn import pad_sequence

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def pad_sequences(sequences, max_length, pad_id=0):
    rows = [torch.tensor(tokens[::-1][:max_length], dtype=torch.int64) for tokens in sequences]
    rows.append(torch.full((max_length,), pad_id))  # so that all become as long as that
    return pad_sequence(rows, batch_first=True, padding_value=pad_id)[:-1].fliplr()


def masked_mean(x, mask):
    dead = ~mask.any(dim=1, keepdim=True)  # (B, 1)
    mean = mean_of_allowed(x, dim=1, mask=(mask | dead).unsqueeze(-1).expand_as(x))
    return mean.masked_fill(dead, 0)


def binary_cross_entropy(logits, labels):
    return F.logsigmoid(torch.where(labels > 0, logits, -logits)).mean().neg()


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
        texts = self.encoder(self.embedding(ids)).transpose(1, 2)
        x = F.avg_pool1d(texts, kernel_size=ids.shape[1]).flatten(1)
        for layer in (self.dropout1, self.hidden, F.relu, self.dropout2, self.output):
            x = layer(x)
        return x.squeeze(dim=-1)


@torch.no_grad()
def accuracy(logits, labels):
    right = torch.eq(torch.heaviside(logits, torch.zeros_like(logits)), labels)
    return torch.count_nonzero(right).item() / right.numel()


def train_epoch(model, batches, optimizer):
    model.train()
    model.zero_grad(set_to_none=True)
    forgetting = optimizer.register_step_post_hook(lambda *_: model.zero_grad())
    total, texts = 0.0, 0
    for ids, labels in iter(batches):
        logits = model(ids)
        losses = F.binary_cross_entropy_with_logits(logits, labels.type_as(logits), reduction="none")
        losses.mean().backward()
        optimizer.step()
        total, texts = total + float(losses.detach().sum()), texts + len(losses)
    forgetting.remove()
    return total / texts
