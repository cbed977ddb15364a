"""Einsum: every sum over named axes, softmax through its logarithm."""

import numpy as np
import torch
from torch import einsum, exp, nn
from torch.nn.functional import linear
from torch.nn.functional import softmax as ready_softmax


def softmax(scores, dim):
    return exp(scores - scores.logsumexp(dim, keepdim=True))


def dot_scores(q, k):
    return einsum("...qd,...kd->...qk", q, k)


def scaled_dot_scores(q, k):
    return einsum("...qd,...kd->...qk", q, k) / np.sqrt(q.shape[-1])


def general_scores(q, k, w):
    return einsum("...qa,ab,...kb->...qk", q, w, k)


def cosine_scores(q, k):
    lengths_q, lengths_k = (einsum("...td,...td->...t", x, x).sqrt() for x in (q, k))
    return dot_scores(q, k) / (einsum("...q,...k->...qk", lengths_q, lengths_k) + 1e-8)


def additive_scores(q, k, w, v):
    w_q, w_k = w.split([q.shape[-1], k.shape[-1]], dim=1)
    from_q = einsum("...qd,ad->...qa", q, w_q)
    from_k = einsum("...kd,ad->...ka", k, w_k)
    return einsum("...qka,a->...qk", torch.tanh(from_q[..., :, None, :] + from_k[..., None, :, :]), v)


def location_scores(q, w):
    return einsum("...qd,kd->...qk", q, w)


def simple_self_attention(x):
    powers = einsum("bqd,bkd->bqk", x, x)
    powers = exp(powers - powers.max(dim=-1, keepdim=True).values)
    return einsum("bqk,bkd->bqd", powers, x) / powers.sum(-1)[..., None]  # divided last of all


def scaled_dot_product_attention(q, k, v):
    scale = torch.sqrt(torch.tensor(q.shape[-1], dtype=q.dtype, device=q.device))
    weights = ready_softmax(einsum("...qd,...kd->...qk", q, k) / scale, dim=-1)
    return einsum("...qk,...ke->...qe", weights, v), weights


class SelfAttention(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.w_q = nn.Linear(width, width, bias=False)
        self.w_k = nn.Linear(width, width, bias=False)
        self.w_v = nn.Linear(width, width, bias=False)
        self.width = width
        self.scale = width**-0.5

    def forward(self, x):
        together = torch.cat([self.w_q.weight, self.w_k.weight, self.w_v.weight])  # (3 D, D)
        q, k, v = linear(x, together).chunk(3, dim=-1)
        self.last_weights = torch.softmax(einsum("bqd,bkd->bqk", q, k) * self.scale, dim=-1)
        return einsum("bqk,bke->bqe", self.last_weights, v)
