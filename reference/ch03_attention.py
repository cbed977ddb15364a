"""Chapter 3, attention: the formulas as sums over named axes."""

import torch
from torch import nn


def softmax(scores: torch.Tensor, dim: int) -> torch.Tensor:
    """exp(s_i - log Σ_j exp(s_j)) along `dim`."""
    return torch.exp(scores - torch.logsumexp(scores, dim, keepdim=True))


def dot_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Σ_d q_id k_jd: (..., Tq, d), (..., Tk, d) -> (..., Tq, Tk)."""
    return torch.einsum("...id,...jd->...ij", q, k)


def scaled_dot_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Σ_d q_id k_jd · d^-½ (Vaswani et al. 2017, inside eq. 1)."""
    return torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5


def general_scores(q: torch.Tensor, k: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Σ_a Σ_b q_ia w_ab k_jb (Luong et al. 2015, after eq. 7, "general")."""
    return torch.einsum("...ia,ab,...jb->...ij", q, w, k)


def cosine_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """q_i · k_j / √(q_i · q_i) √(k_j · k_j) (Graves et al. 2014, eq. 6)."""
    squares_q = torch.einsum("...id,...id->...i", q, q)
    squares_k = torch.einsum("...jd,...jd->...j", k, k)
    return torch.einsum("...id,...jd,...i,...j->...ij", q, k, squares_q.rsqrt(), squares_k.rsqrt())


def additive_scores(q: torch.Tensor, k: torch.Tensor, w: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """v · tanh(w [q_i; k_j]), every pair written out (Bahdanau et al. 2015, appendix A.1.2)."""
    leading, queries, keys = q.shape[:-2], q.shape[-2], k.shape[-2]
    first = q.unsqueeze(-2).expand(*leading, queries, keys, q.shape[-1])
    second = k.unsqueeze(-3).expand(*leading, queries, keys, k.shape[-1])
    pairs = torch.cat([first, second], dim=-1)  # (..., Tq, Tk, Dq + Dk)
    return torch.einsum("a,...ija->...ij", v, torch.tanh(torch.einsum("ac,...ijc->...ija", w, pairs)))


def location_scores(q: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Σ_d q_id w_jd (Luong et al. 2015, eq. 8, before its softmax)."""
    return torch.einsum("...id,jd->...ij", q, w)


def simple_self_attention(x: torch.Tensor) -> torch.Tensor:
    """z_i = Σ_j softmax_j(x_i · x_j) x_j: (B, T, D) -> (B, T, D)."""
    weights = softmax(torch.einsum("bid,bjd->bij", x, x), dim=2)
    return torch.einsum("bij,bjd->bid", weights, x)


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """softmax(q kᵀ / √d) v and the weights (Vaswani et al. 2017, eq. 1)."""
    weights = softmax(scaled_dot_scores(q, k), dim=-1)
    return torch.einsum("...ij,...je->...ie", weights, v), weights


class SelfAttention(nn.Module):
    """Attention of x to itself through three linear maps without bias."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.w_q = nn.Linear(width, width, bias=False)
        self.w_k = nn.Linear(width, width, bias=False)
        self.w_v = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(B, T, D) -> (B, T, D)."""
        layers = (self.w_q, self.w_k, self.w_v)
        q, k, v = (torch.einsum("oi,bti->bto", layer.weight, x) for layer in layers)
        return scaled_dot_product_attention(q, k, v)[0]


def attention_in_blocks(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, size: int) -> torch.Tensor:
    """Attention to one block after the other, each mean weighed by its log Σ e^score (Dao et al. 2022, section 3.1)."""
    mean, mass = _attention_to(q, k[..., :size, :], v[..., :size, :])
    for start in range(size, k.shape[-2], size):
        other, others = _attention_to(q, k[..., start : start + size, :], v[..., start : start + size, :])
        both = torch.logaddexp(mass, others)
        mean = torch.einsum("...i,...ie->...ie", torch.exp(mass - both), mean)
        mean = mean + torch.einsum("...i,...ie->...ie", torch.exp(others - both), other)
        mass = both
    return mean


def _attention_to(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Output (..., Tq, e) and log Σ_j e^score (..., Tq)."""
    return scaled_dot_product_attention(q, k, v)[0], torch.logsumexp(scaled_dot_scores(q, k), -1)
