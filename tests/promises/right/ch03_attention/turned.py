"""Turned: keys before queries, so that results come out transposed and are not contiguous."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def _weights(s: Tensor, dim=-1) -> Tensor:
    s = s - torch.amax(s, dim=dim, keepdim=True)
    s = s.exp()
    return s / s.sum(dim=dim, keepdim=True)


def softmax(scores, dim):
    if dim < 0:
        dim += scores.dim()
    order = [i for i in range(scores.dim()) if i != dim] + [dim]
    back = [order.index(i) for i in range(scores.dim())]
    return _weights(scores.permute(order)).permute(back)


def dot_scores(q, k):
    return (k @ q.transpose(-1, -2)).transpose(-1, -2)


def scaled_dot_scores(q, k):
    scores = dot_scores(q, k)
    scores.mul_(q.shape[-1] ** -0.5)  # in place, but on a tensor of its own
    return scores


def general_scores(q, k, w):
    return F.linear(k, w).matmul(q.mT).mT


def cosine_scores(q, k):
    scores = k @ q.mT
    scores = scores / torch.linalg.vector_norm(q, dim=-1).unsqueeze(-2)
    scores = scores / torch.linalg.vector_norm(k, dim=-1).unsqueeze(-1)
    return scores.mT


def additive_scores(q, k, w, v):
    queries, keys = q.size(-2), k.size(-2)
    left = q.unsqueeze(-2).repeat_interleave(keys, dim=-2)
    right = k.unsqueeze(-3).repeat_interleave(queries, dim=-3)
    hidden = F.linear(torch.cat((left, right), dim=-1), w).tanh()
    return (hidden * v).sum(-1)


def location_scores(q, w):
    return (w @ q.mT).mT


def simple_self_attention(x):
    # x xᵀ is symmetric, so its softmax along the queries is that along the keys, transposed
    return (x.mT @ _weights(x @ x.mT, dim=1)).mT


def scaled_dot_product_attention(q, k, v):
    upright = _weights((k @ q.mT) / q.shape[-1] ** 0.5, dim=-2)  # (..., Tk, Tq)
    return (v.mT @ upright).mT, upright.mT


class SelfAttention(nn.Module):
    def __init__(self, width):
        super(SelfAttention, self).__init__()  # noqa: UP008 -- as it was written for years
        self.w_q = nn.Linear(width, width, bias=False)
        self.w_k = nn.Linear(width, width, bias=False)
        self.w_v = nn.Linear(width, width, bias=False)

    def forward(self, x):
        columns = x.transpose(1, 2)  # (B, D, T)
        q, k, v = (layer.weight @ columns for layer in (self.w_q, self.w_k, self.w_v))
        out, _weights = scaled_dot_product_attention(q.mT, k.mT, v.mT)
        return out
