"""The oracle of chapter 4: masks written as rules about pairs, softmax written as its formula."""

import math

import torch


def padding_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    """True at every token that is not `pad_id`: (B, T) -> (B, 1, 1, T)."""
    rows = [torch.stack([torch.logical_not(token.eq(pad_id)) for token in row]) for row in ids]
    batch, length = ids.shape
    return torch.stack(rows).reshape(batch, 1, 1, length)


def causal_mask(length: int, past: int = 0) -> torch.Tensor:
    """Query i sees keys 0 to past + i: (length, past + length)."""
    return torch.tensor([[key <= past + query for key in range(past + length)] for query in range(length)])


def combine_masks(*masks: torch.Tensor | None) -> torch.Tensor | None:
    """True where every mask is True; None when there is none."""
    present = [mask for mask in masks if mask is not None]
    return torch.stack(torch.broadcast_tensors(*present)).all(dim=0) if present else None


def additive_mask(mask: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """log 1 = 0 where allowed, log 0 = -inf where not."""
    return torch.log(mask.to(dtype))


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """e^score over the sum of the allowed e^score; a row that allows nothing is zero."""
    allowed = mask.broadcast_to(scores.shape)
    zero = torch.zeros_like(scores)
    alive = allowed.any(dim=-1, keepdim=True)
    top = torch.where(allowed, scores, zero - math.inf).amax(dim=-1, keepdim=True)
    top = torch.where(alive, top, torch.zeros_like(top)).detach()
    powers = torch.where(allowed, torch.exp(torch.where(allowed, scores - top, zero)), zero)
    total = powers.sum(dim=-1, keepdim=True)
    return powers / torch.where(alive, total, torch.ones_like(total))


def masked_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Each output is the average of the values, weighted by the masked softmax of q · k / √d."""
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    everyone = torch.ones_like(scores, dtype=torch.bool)
    weights = masked_softmax(scores, everyone if mask is None else mask)
    return torch.einsum("...ij,...je->...ie", weights, v), weights


def alibi(num_heads: int, length: int) -> torch.Tensor:
    """Each entry by itself, price times distance or -inf (Press et al. 2022, section 3): (H, T, T)."""
    slopes = [math.exp2(-8 * head / num_heads) for head in range(1, num_heads + 1)]
    return torch.tensor(
        [[[slope * (j - i) if j <= i else -math.inf for j in range(length)] for i in range(length)] for slope in slopes]
    )
