"""Chunked: queries two at a time, a triangle built by recursion, strides, log_softmax and then exp."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    batch, length = ids.shape
    real = torch.ne(ids, pad_id).contiguous()
    return torch.as_strided(real, size=(batch, 1, 1, length), stride=(length, length, length, 1))


def causal_mask(length: int, past: int = 0) -> Tensor:
    if length == 1:
        return torch.ones(1, past + 1, dtype=torch.bool)
    above = F.pad(causal_mask(length - 1, past=past), (0, 1), value=False)
    return torch.cat((above, torch.ones(1, past + length, dtype=torch.bool)), dim=0)


def combine_masks(*masks: Tensor | None) -> Tensor | None:
    match masks:
        case ():
            return None
        case (None, *rest):
            return combine_masks(*rest)
        case (first, *rest):
            others = combine_masks(*rest)
            return first if others is None else torch.where(first, others, False)


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    return 1 - mask.to(dtype).reciprocal()  # 1 - 1/1 and 1 - 1/0


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    lowest = torch.finfo(scores.dtype).min
    logs = F.log_softmax(torch.where(mask, scores, lowest), dim=-1)
    return torch.exp(logs) * mask


def chunks(q: Tensor, k: Tensor, mask: Tensor | None) -> Iterator[Tensor]:
    """Weights (..., ≤2, Tk) of two queries after the other."""
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], k.shape[-2])
    for start in range(0, q.shape[-2], 2):
        some = slice(start, start + 2)
        scores = (q[..., some, :] @ k.mT) / q.shape[-1] ** 0.5
        yield F.softmax(scores, dim=-1) if mask is None else masked_softmax(scores=scores, mask=mask[..., some, :])


def masked_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    parts = [(weights @ v, weights) for weights in chunks(q, k, mask)]
    output, weights = (torch.cat(each, dim=-2) for each in zip(*parts, strict=True))
    return output, weights
