"""Additive: minus infinity is added, or a number so negative that the outcome is the same."""

import torch
from torch import Tensor

INF = float("inf")


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    return ids.ne(pad_id).view(ids.size(0), 1, 1, ids.size(1))


def causal_mask(length: int, past: int = 0) -> Tensor:
    return torch.triu(torch.full((length, past + length), -INF), diagonal=past + 1) == 0


def combine_masks(*masks: Tensor | None) -> Tensor | None:
    summands = [additive_mask(mask, torch.float32) for mask in masks if mask is not None]
    return sum(summands) == 0 if summands else None


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.where(mask, 0.0, -INF).to(dtype)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    lowered = scores + (~mask).to(scores.dtype) * -1e30
    return torch.softmax(lowered, dim=-1) * mask


def masked_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    scores = torch.matmul(q, k.transpose(-1, -2)) * (1.0 / q.size(-1) ** 0.5)
    if mask is not None:
        alive = mask.any(dim=-1, keepdim=True)  # a dead row may see everything for now
        scores = scores + additive_mask(mask | ~alive, scores.dtype)
        weights = scores.softmax(dim=-1) * alive.to(scores.dtype)
    else:
        weights = scores.softmax(dim=-1)
    return torch.matmul(weights, v), weights
