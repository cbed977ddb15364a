"""Ready-made: whatever torch offers and the exercise does not forbid, down to attention itself where it may be used."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
torch.set_printoptions(precision=2, sci_mode=False)


def softmax(scores, dim):
    return torch.exp(scores - torch.logsumexp(scores, dim=dim, keepdim=True))


def dot_scores(q, k):
    if q.dim() == 2:
        return torch.addmm(torch.zeros((), dtype=q.dtype, device=q.device), q, k.t())
    flat_q, flat_k = q.flatten(0, -3), k.flatten(0, -3)
    return torch.bmm(flat_q, flat_k.transpose(1, 2)).unflatten(0, q.shape[:-2])


def scaled_dot_scores(q, k):
    flat_q, flat_k = q.reshape(-1, *q.shape[-2:]), k.reshape(-1, *k.shape[-2:])
    empty = torch.empty(1, 1, 1, dtype=q.dtype, device=q.device)
    scores = torch.baddbmm(empty, flat_q, flat_k.transpose(1, 2), beta=0, alpha=q.shape[-1] ** -0.5)
    return scores.view(*q.shape[:-1], k.shape[-2])


def general_scores(q, k, w):
    left = q.unsqueeze(-2).expand(*q.shape[:-1], k.shape[-2], q.shape[-1]).contiguous()
    right = k.unsqueeze(-3).expand(*k.shape[:-2], q.shape[-2], *k.shape[-2:]).contiguous()
    return F.bilinear(left, right, w[None])[..., 0]


def cosine_scores(q, k):
    return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT


def additive_scores(q, k, w, v):
    width = q.shape[-1]
    hidden = F.linear(q, w[:, :width]).unsqueeze(-2) + F.linear(k, w[:, width:]).unsqueeze(-3)
    return F.linear(F.tanh(hidden), v.unsqueeze(0)).squeeze(-1)


def location_scores(q, w):
    return F.linear(q, w)


def simple_self_attention(x):
    return F.scaled_dot_product_attention(x, x, x, scale=1.0)


def scaled_dot_product_attention(q, k, v):
    logits = torch.matmul(q, k.swapaxes(-2, -1)).div(torch.sqrt(torch.as_tensor(q.size(-1))).item())
    weights = torch.exp(F.log_softmax(logits, dim=-1))
    return torch.matmul(weights, v), weights


class SelfAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(width, width, bias=False) for _ in range(3))
        self.attend = nn.Softmax(dim=-1)
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        scores = torch.bmm(self.w_q(x), self.w_k(x).transpose(1, 2)) / x.size(-1) ** 0.5
        return torch.bmm(self.dropout(self.attend(scores)), self.w_v(x))


if __name__ == "__main__":
    print(SelfAttention(8)(torch.randn(2, 3, 8)))
