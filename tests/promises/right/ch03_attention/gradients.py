"""Gradients: softmax is that of logsumexp, and a mixed word is one too; scores from distances and from all pairs."""

import torch
from torch import nn
from torch.func import grad


def softmax(scores, dim):
    return grad(lambda s: s.logsumexp(dim).sum())(scores)


def squares(x):
    return x.square().sum(dim=-1)


def dot_scores(q, k):
    # |q - k|² = |q|² + |k|² - 2 q · k
    distances = torch.cdist(q, k, compute_mode="donot_use_mm_for_euclid_dist")
    return (squares(q)[..., :, None] + squares(k)[..., None, :] - distances.square()) / 2


def scaled_dot_scores(q, k):
    return torch.matmul(q, k.transpose(-2, -1)).mul(torch.full((), q.shape[-1], dtype=q.dtype, device=q.device).rsqrt())


def general_scores(q, k, w):
    products = q[..., :, None, :, None] * k[..., None, :, None, :]  # (..., Tq, Tk, Dq, Dk)
    return products.flatten(start_dim=-2) @ w.flatten()


def cosine_scores(q, k):
    scores = q @ k.transpose(-2, -1)
    scores /= torch.sqrt(squares(q)).unsqueeze(-1)
    scores /= torch.sqrt(squares(k)).unsqueeze(-2)
    return scores


def additive_scores(q, k, w, v):
    shape = (*q.shape[:-1], k.shape[-2])
    left = q.unsqueeze(-2).expand(*shape, q.shape[-1])
    right = k.unsqueeze(-3).expand(*shape, k.shape[-1])
    return torch.tanh(torch.cat([left, right], dim=-1) @ w.mT).matmul(v)


def location_scores(q, w):
    return (w @ q.mT).mT


def simple_self_attention(x):
    keys = x  # they stay, while the gradient is that of the queries
    return grad(lambda queries: torch.logsumexp(queries @ keys.mT, dim=-1).sum())(x)


def scaled_dot_product_attention(q, k, v):
    weights = softmax(scaled_dot_scores(q, k), dim=-1)
    return torch.matmul(weights, v), weights


class SelfAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        make = lambda: nn.Linear(width, width, bias=False)  # noqa: E731
        self.w_q, self.w_k, self.w_v = make(), make(), make()
        for parameter in self.parameters():
            nn.init.xavier_uniform_(parameter)

    def forward(self, x):
        output, _ = scaled_dot_product_attention(q=self.w_q(x), k=self.w_k(x), v=self.w_v(x))
        return output
