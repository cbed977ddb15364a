"""Wide: computed in float64 and handed back in the dtype that came in; scaled by the fourth root on both sides."""

from __future__ import annotations

import torch
from torch import Tensor, nn

WIDE = torch.float64


def softmax(scores: Tensor, dim: int) -> Tensor:
    wide = scores.to(WIDE)
    top, _ = wide.max(dim=dim, keepdim=True)
    powers = (wide - top).exp()
    total = powers.sum(dim=dim, keepdim=True)
    weights = torch.where(powers > 0, powers / total, torch.zeros_like(powers))
    return weights.to(scores.dtype)


def dot_scores(q: Tensor, k: Tensor) -> Tensor:
    products = q.double().unsqueeze(-2) * k.double().unsqueeze(-3)  # (..., Tq, Tk, d)
    return products.sum(-1).to(q.dtype)


def scaled_dot_scores(q: Tensor, k: Tensor) -> Tensor:
    root = q.shape[-1] ** 0.25
    return ((q.double() / root) @ (k.double() / root).mT).type_as(q)


def general_scores(q: Tensor, k: Tensor, w: Tensor) -> Tensor:
    return (q.double() @ (w.double() @ k.double().mT)).to(q.dtype)


def cosine_scores(q: Tensor, k: Tensor) -> Tensor:
    q64, k64 = q.to(WIDE), k.to(WIDE)
    smallest = 1e-12
    inverse_q = (q64.square().sum(-1, keepdim=True) + smallest).rsqrt()
    inverse_k = (k64.square().sum(-1, keepdim=True) + smallest).rsqrt()
    return ((q64 * inverse_q) @ (k64 * inverse_k).mT).to(q.dtype)


def additive_scores(q: Tensor, k: Tensor, w: Tensor, v: Tensor) -> Tensor:
    width = q.shape[-1]
    hidden_q = q.double() @ w[:, :width].t().double()
    hidden_k = k.double() @ w[:, width:].t().double()
    hidden = torch.tanh(hidden_q[..., None, :] + hidden_k[..., None, :, :])
    return torch.matmul(hidden, v.double()[:, None])[..., 0].to(q.dtype)


def location_scores(q: Tensor, w: Tensor) -> Tensor:
    return torch.mv(w.double(), q.double().flatten()).to(q) if q.dim() == 1 else (q.double() @ w.double().t()).to(q)


def simple_self_attention(x: Tensor) -> Tensor:
    wide = x.double()
    return torch.matmul(softmax(wide.bmm(wide.transpose(1, 2)), 2), wide).to(x)


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    weights = softmax(scaled_dot_scores(q.double(), k.double()), -1)
    output = weights @ v.double()
    return output.to(v.dtype), weights.to(q.dtype)


class SelfAttention(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.w_q = nn.Linear(width, width, bias=False)
        self.w_k = nn.Linear(width, width, bias=False)
        self.w_v = nn.Linear(width, width, bias=False)
        self.register_buffer("root", torch.tensor(float(width)).sqrt(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        # (x Wq') (x Wk')' is x (Wq' Wk) x', and weights (x Wv') is (weights x) Wv'
        between = self.w_q.weight.double().T @ self.w_k.weight.double()
        wide = x.double()
        weights = softmax(wide @ between @ wide.mT / wide.size(-1) ** 0.5, dim=2)
        return ((weights @ wide) @ self.w_v.weight.double().T).to(x.dtype)
