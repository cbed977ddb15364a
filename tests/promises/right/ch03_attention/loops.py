"""Loops: pair by pair and sentence by sentence, results stacked or written into new_zeros."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def softmax(scores, dim):
    moved = scores.movedim(dim, -1)
    largest = torch.max(moved, -1)[0].unsqueeze(-1).detach()
    powers = torch.exp(moved - largest)
    return (powers / torch.sum(powers, -1, True)).movedim(-1, dim)


def dot_scores(q, k):
    rows = []
    for i in range(q.shape[-2]):
        row = []
        for j in range(k.shape[-2]):
            row.append((q[..., i, :] * k[..., j, :]).sum(-1))
        rows.append(torch.stack(row, dim=-1))
    return torch.stack(rows, dim=-2)


def scaled_dot_scores(q, k):
    scores = q.new_empty(*q.shape[:-1], k.shape[-2])
    for j in range(k.shape[-2]):
        scores[..., j] = (q * k[..., j : j + 1, :]).sum(-1) / math.sqrt(q.size(-1))
    return scores


def general_scores(q, k, w):
    total = 0
    for a in range(w.shape[0]):
        for b in range(w.shape[1]):
            total = total + w[a, b] * q[..., :, None, a] * k[..., None, :, b]
    return total


def cosine_scores(q, k):
    rows = []
    for i in range(q.shape[-2]):
        one = q[..., i, :]
        row = []
        for j in range(k.shape[-2]):
            other = k[..., j, :]
            row.append((one * other).sum(-1) / (one.norm(dim=-1) * other.norm(dim=-1)))
        rows.append(torch.stack(row, -1))
    return torch.stack(rows, -2)


def additive_scores(q, k, w, v):
    scores = q.new_zeros(*q.shape[:-1], k.shape[-2])
    for i in range(q.shape[-2]):
        for j in range(k.shape[-2]):
            pair = torch.cat([q[..., i, :], k[..., j, :]], -1)
            scores[..., i, j] = torch.tanh(pair @ w.T) @ v
    return scores


def location_scores(q, w):
    return torch.stack([(q * row).sum(-1) for row in w], dim=-1)


def simple_self_attention(x):
    results = []
    for sentence in x:  # (T, D)
        weights = softmax(sentence @ sentence.T, 1)
        results.append(weights @ sentence)
    return torch.stack(results)


def scaled_dot_product_attention(q, k, v):
    weights = F.softmax(scaled_dot_scores(q, k), dim=-1)
    output = 0
    for j in range(k.shape[-2]):
        output += weights[..., j].unsqueeze(-1) * v[..., j, :].unsqueeze(-2)
    return output, weights


class SelfAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.w_q = nn.Linear(width, width, bias=False)
        self.w_k = nn.Linear(width, width, bias=False)
        self.w_v = nn.Linear(width, width, bias=False)

    def forward(self, x):
        outputs = []
        for b in range(x.shape[0]):
            q, k, v = self.w_q(x[b]), self.w_k(x[b]), self.w_v(x[b])
            words = []
            for t in range(x.shape[1]):
                scores = torch.stack([torch.dot(q[t], k[s]) for s in range(x.shape[1])]) / math.sqrt(x.shape[-1])
                words.append(torch.softmax(scores, 0) @ v)
            outputs.append(torch.stack(words))
        return torch.stack(outputs)
