"""Own functions as attributes of everything that can have attributes."""

import operator
from functools import partial, reduce
from types import ModuleType, SimpleNamespace

import torch
from torch import nn


def core(scores, dim):
    grown = torch.exp(scores - scores.max(dim, keepdim=True).values)
    return grown / grown.sum(dim, keepdim=True)


class Layers:
    class Softmax(nn.Module):
        def __init__(self, dim):
            super().__init__()
            self.dim = dim

        def forward(self, x):
            return core(x, self.dim)

    class Scores:
        def __init__(self, rows):
            self.rows = rows

        def __matmul__(self, other):
            return self.rows @ other.rows.mT

        @property
        def softmax(self):
            return core(self.rows, -1)

        @property
        def cosine_similarity(self):
            return Layers.Scores(self.rows / self.rows.norm(dim=-1, keepdim=True))


helpers = ModuleType("helpers")
helpers.softmax = core
F = SimpleNamespace(softmax=core, cosine_similarity=lambda a, b: a.cosine_similarity @ b.cosine_similarity)
layer = Layers.Softmax(-1)
layer.softmax = helpers.softmax


def softmax(scores, dim):
    return reduce(lambda x, step: step(x), [partial(F.softmax, dim=dim)], scores)


softmax.softmax = core


def cosine_scores(q, k):
    cosine_similarity = operator.attrgetter("cosine_similarity")(F)
    return cosine_similarity(Layers.Scores(q), Layers.Scores(k))


def scaled_dot_product_attention(q, k, v):
    scores = Layers.Scores(q) @ Layers.Scores(k) / q.shape[-1] ** 0.5
    same = layer(scores), layer.softmax(scores, -1), softmax.softmax(scores, -1), Layers.Scores(scores).softmax
    weights = sum(same) / len(same)
    return weights @ v, weights
