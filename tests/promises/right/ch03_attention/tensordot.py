"""Tensordot: leading axes taken apart by recursion, products by tensordot and addmm, powers of 2, queries in parts."""
# ruff: noqa: F722, F821 -- shapes in annotations are no Python

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def softmax(scores: "Float[Tensor, '...']", dim: int) -> "Float[Tensor, '...']":
    below = scores - scores.amax(dim=dim, keepdim=True)
    return F.normalize(torch.exp2(below * math.log2(math.e)), p=1, dim=dim)


def dot_scores(q: "Float[Tensor, '... Tq d']", k: "Float[Tensor, '... Tk d']") -> "Float[Tensor, '... Tq Tk']":
    if q.dim() == 2:
        return torch.tensordot(q, k, dims=([1], [1]))
    return torch.stack([dot_scores(q=each, k=other) for each, other in zip(q, k, strict=True)])


def scaled_dot_scores(q: Tensor, k: Tensor) -> Tensor:
    return dot_scores(q=q * math.pow(q.shape[-1], -0.5), k=k)


def general_scores(q: Tensor, k: Tensor, w: Tensor) -> Tensor:
    return dot_scores(q=q, k=torch.tensordot(k, w, dims=([-1], [1])))


def cosine_scores(q: Tensor, k: Tensor) -> Tensor:
    lengths = torch.linalg.vector_norm(q, dim=-1).unsqueeze(-1) * torch.linalg.vector_norm(k, dim=-1).unsqueeze(-2)
    return dot_scores(q=q, k=k).mul(lengths.reciprocal())


def additive_scores(q: Tensor, k: Tensor, w: Tensor, v: Tensor) -> Tensor:
    columns = torch.tensor_split(w, [q.shape[-1]], dim=1)
    asked, found = (torch.tensordot(x, part, dims=([-1], [-1])) for x, part in zip((q, k), columns, strict=True))
    return torch.tensordot(asked.unsqueeze(-2).add(found.unsqueeze(-3)).tanh(), v, dims=1)


def location_scores(q: Tensor, w: Tensor) -> Tensor:
    flat = q.flatten(end_dim=-2)
    return torch.addmm(torch.zeros_like(flat[:, :1]), flat, w.t()).unflatten(0, q.shape[:-1])


def simple_self_attention(x: "Float[Tensor, 'B T D']") -> "Float[Tensor, 'B T D']":
    return torch.baddbmm(x, softmax(dot_scores(q=x, k=x), dim=-1), x, beta=0)


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    weights = torch.cat([softmax(scaled_dot_scores(part, k), dim=-1) for part in q.split(2, dim=-2)], dim=-2)
    return torch.einsum("...qk,...ke->...qe", weights, v), weights


class SelfAttention(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.w_v = nn.Linear(width, width, bias=False)
        self.w_k = nn.Linear(width, width, bias=False)
        self.w_q = nn.Linear(width, width, bias=False)
        for layer in self.children():
            nn.init.orthogonal_(layer.weight)

    def forward(self, x: "Float[Tensor, 'B T D']") -> "Float[Tensor, 'B T D']":
        weights = torch.stack([self.w_q.weight, self.w_k.weight, self.w_v.weight])  # (3, D, D)
        q, k, v = torch.tensordot(x, weights, dims=([2], [2])).unbind(dim=2)
        return scaled_dot_product_attention(q=q, k=k, v=v)[0]
