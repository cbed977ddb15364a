"""Loops: tables written number by number, texts read word by word, pairs turned one after the other."""

import math

import torch
from torch import nn


def embed(ids, table):
    if ids.dim() > 1:
        return torch.stack([embed(row, table) for row in ids])
    rows = []
    for t in range(ids.shape[0]):
        rows.append(table.index_select(0, ids[t : t + 1]))
    return torch.cat(rows)


def sinusoidal_positions(length, width):
    table = torch.zeros(length, width)
    for p in range(length):
        for column in range(width):
            even = column - column % 2
            angle = p / math.pow(10000, even / width)
            table[p, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return table


def add_positions(x, positions):
    longest = positions.size(0)
    if x.size(1) > longest:
        raise ValueError("text too long: " + str(x.size(1)) + " words, " + str(longest) + " places")
    result = x.clone()
    result *= x.size(2) ** 0.5  # the copy, not the caller's
    for t in range(x.size(1)):
        result[:, t] += positions[t]
    return result


def shift_matrix(offset, width):
    matrix = torch.zeros(width, width)
    for i in range(0, width, 2):
        angle = offset * 10000 ** (-i / width)
        matrix[i, i] = math.cos(angle)
        matrix[i, i + 1] = math.sin(angle)
        matrix[i + 1, i] = -math.sin(angle)
        matrix[i + 1, i + 1] = math.cos(angle)
    return matrix


class TokenAndPositionEmbedding(nn.Module):
    def __init__(self, vocab_size, max_length, width):
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)

    def forward(self, ids):
        columns = []
        for t in range(ids.shape[1]):
            columns.append(self.token(ids[:, t]) + self.position.weight[t])
        return torch.stack(columns, dim=1)


def rotary(x, positions):
    d = x.shape[-1]
    if d % 2 == 1:
        raise ValueError("cannot make pairs of " + str(d) + " numbers")
    result = torch.empty_like(x)
    for i in range(0, d, 2):
        angle = positions.to(x.dtype) * 10000 ** (-i / d)
        result[..., i] = x[..., i] * torch.cos(angle) - x[..., i + 1] * torch.sin(angle)
        result[..., i + 1] = x[..., i] * torch.sin(angle) + x[..., i + 1] * torch.cos(angle)
    return result
