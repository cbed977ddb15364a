"""Online: keys come one after the other, with a running maximum and a running sum; scores from distances and angles."""

from typing import overload

import torch
from torch import nn


def running(scores, values=None):
    """Largest score, sum of powers and weighted sum of values so far, over the last axis."""
    largest = torch.full_like(scores[..., 0], torch.finfo(scores.dtype).min)
    total, mixed = torch.zeros_like(largest), 0.0
    for j in range(scores.shape[-1]):
        new = torch.maximum(largest, scores[..., j]).detach()
        shrink, power = torch.exp(largest - new), torch.exp(scores[..., j] - new)
        total = total * shrink + power
        if values is not None:
            mixed = mixed * shrink[..., None] + power[..., None] * values[..., j, :].unsqueeze(-2)
        largest = new
    return largest.unsqueeze(-1), total.unsqueeze(-1), mixed


def softmax(scores, dim):
    last = scores.transpose(dim, -1)
    largest, total, _ = running(last)
    return ((last - largest).exp() / total).transpose(dim, -1)


def dot_scores(q, k):
    # |q + k|² - |q - k|² = 4 q · k
    q, k = q.unsqueeze(-2), k.unsqueeze(-3)
    return ((q + k).pow(2).sum(-1) - (q - k).pow(2).sum(-1)) / 4


def scaled_dot_scores(q, k):
    return dot_scores(q, k).true_divide(float(q.shape[-1]) ** 0.5)


def general_scores(q, k, w):
    return torch.matmul(torch.tensordot(q, w, dims=1), k.movedim(-1, -2))


def cosine_scores(q, k):
    # unit vectors: |a - b|² = 2 - 2 cos
    a = q / (q * q).sum(-1, keepdim=True) ** 0.5
    b = k / (k * k).sum(-1, keepdim=True) ** 0.5
    return 1 - (a.unsqueeze(-2) - b.unsqueeze(-3)).square().sum(-1) / 2


def additive_scores(q, k, w, v):
    inner = torch.zeros((), dtype=q.dtype, device=q.device)
    for row, weight in zip(w, v, strict=True):
        u = (q @ row[: q.shape[-1]]).unsqueeze(-1) + (k @ row[q.shape[-1] :]).unsqueeze(-2)
        inner = inner + weight * (2 * torch.sigmoid(2 * u) - 1)
    return inner


def location_scores(q, w):
    return torch.nn.functional.conv1d(q.flatten(0, -2).unsqueeze(-1), w.unsqueeze(-1)).view(*q.shape[:-1], -1)


def simple_self_attention(x):
    _, total, mixed = running(x @ x.mT, x)
    return mixed / total


@overload
def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]: ...
@overload
def scaled_dot_product_attention(q: None, k: None, v: None) -> None: ...
def scaled_dot_product_attention(q, k, v):
    scores = torch.matmul(q, k.mT) / q.shape[-1] ** 0.5
    largest, total, mixed = running(scores, v)
    return mixed / total, torch.exp(scores - largest - total.log())


class Projected(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.w_q = nn.Linear(width, width, bias=False)
        self.w_k = nn.Linear(width, width, bias=False)
        self.w_v = nn.Linear(width, width, bias=False)

    def projections(self, x):
        yield from (getattr(self, f"w_{letter}")(x) for letter in "qkv")


class SelfAttention(Projected):
    """Its three layers are made by the class it derives from."""

    def forward(self, x):
        return scaled_dot_product_attention(*self.projections(x))[0]


def forward_of_one(model, sentence):
    with torch.no_grad():
        return model(sentence[None])[0]


forward_of_one(SelfAttention(2), torch.eye(2))
