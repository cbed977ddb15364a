"""Own classes: softmax with a backward of its own, a family of score objects, vmap, and a result with names."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.func import vmap


class Softmax(torch.autograd.Function):
    """Own forward and backward, under a name that is ready-made elsewhere."""

    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, dim: int) -> torch.Tensor:
        powers = scores.sub(scores.amax(dim, keepdim=True)).exp_()
        weights = powers.div_(powers.sum(dim, keepdim=True))
        ctx.save_for_backward(weights)
        ctx.dim = dim
        return weights

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (weights,) = ctx.saved_tensors
        return weights * (grad - (weights * grad).sum(ctx.dim, keepdim=True)), None


def softmax(scores: torch.Tensor, dim: int) -> torch.Tensor:
    return Softmax.apply(scores, dim)


class Scores(ABC):
    """Compares one query with one key; called, it compares all with all."""

    @abstractmethod
    def one(self, query: torch.Tensor, key: torch.Tensor, *given: torch.Tensor) -> torch.Tensor: ...

    def __call__(self, q: torch.Tensor, k: torch.Tensor, *given: torch.Tensor) -> torch.Tensor:
        pair = lambda query, key: self.one(query, key, *given)  # noqa: E731
        every = vmap(vmap(pair, in_dims=(None, 0)), in_dims=(0, None))
        for _ in q.shape[:-2]:
            every = vmap(every)
        return every(q, k)


class Dot(Scores):
    def one(self, query, key):
        return torch.dot(query, key)


class ScaledDot(Dot):
    def one(self, query, key):
        return super().one(query, key) / query.numel() ** 0.5


class General(Scores):
    def one(self, query, key, w):
        return query @ (w @ key)


class Cosine(Dot):
    def one(self, query, key):
        return super().one(query, key) / (query.norm() * key.norm())


class Additive(Scores):
    def one(self, query, key, w, v):
        return v @ torch.tanh(w @ torch.hstack((query, key)))


dot_scores, scaled_dot_scores, general_scores = Dot(), ScaledDot(), General()
cosine_scores, additive_scores = Cosine(), Additive()


def location_scores(q: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return torch.tensordot(q, w, dims=([-1], [1]))


class Attended(NamedTuple):
    output: torch.Tensor
    weights: torch.Tensor


def simple_self_attention(x: torch.Tensor) -> torch.Tensor:
    return vmap(lambda sentence: torch.softmax(sentence @ sentence.T, 1) @ sentence)(x)


def scaled_dot_product_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> Attended:
    weights = softmax(scaled_dot_scores(q, k), -1)
    return Attended(output=weights @ v, weights=weights)


class SelfAttention(nn.Module):
    def __init__(self, width: int, keep: bool = True):
        super().__init__()
        self.w_q = nn.Linear(width, width, bias=False)
        self.w_k = nn.Linear(width, width, bias=False)
        self.w_v = nn.Linear(width, width, bias=False)
        self.keep, self.calls = keep, 0

    def project(self, x: torch.Tensor) -> list[torch.Tensor]:
        return [layer(x) for layer in (self.w_q, self.w_k, self.w_v)]

    def forward(self, x: torch.Tensor, give_weights: bool = False) -> torch.Tensor | Attended:
        self.calls += 1
        attended = scaled_dot_product_attention(*self.project(x))
        if self.keep:
            self.attended = attended
        return attended if give_weights else attended.output
