"""Wide: float64 inside, the row of weights through its logarithm, the sum divided out last of all."""

from __future__ import annotations

import torch

NEGATIVE, POSITIVE = -1e300, 1e-300


def padding_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    distance = (ids - pad_id).abs()
    return (distance > 0)[:, None, None]


def causal_mask(length: int, past: int = 0) -> torch.Tensor:
    queries, keys = torch.meshgrid(torch.arange(length) + past, torch.arange(length + past), indexing="ij")
    return queries - keys >= 0


def combine_masks(*masks: torch.Tensor | None) -> torch.Tensor | None:
    match [mask for mask in masks if mask is not None]:
        case []:
            return None
        case [one]:
            return one.clone()
        case [first, *others]:
            return first * combine_masks(*others)  # a product of truths


def additive_mask(mask: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return mask.double().log().to(dtype)


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    allowed = mask.double()
    wide = torch.where(mask, scores.double(), NEGATIVE)
    shifted = (wide - wide.amax(-1, keepdim=True).detach()).clamp(min=-1e5)
    powers = shifted.exp() * allowed
    return (powers / powers.sum(-1, keepdim=True).clamp(min=POSITIVE)).to(scores.dtype)


def masked_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    scores = q.double() @ (k.double() / float(q.shape[-1]) ** 0.5).transpose(-2, -1)
    if mask is None:
        mask = torch.ones_like(scores[..., :1, :], dtype=torch.bool)
    weights = masked_softmax(scores, mask)
    return (weights @ v.double()).type_as(v), weights.type_as(q)
