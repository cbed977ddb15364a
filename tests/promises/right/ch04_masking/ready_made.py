"""Ready-made: what torch offers for masks, functions without gradients, results remembered, expanded or inverted."""

from functools import lru_cache

import torch
from torch import nn
from torch.masked import softmax as softmax_of_allowed
from torch.nn import functional as F

torch.manual_seed(1)


@torch.no_grad()
def padding_mask(ids, pad_id):
    padded = torch.isin(ids, torch.tensor([pad_id], device=ids.device))
    return ~padded.unflatten(0, (-1, 1, 1))


@lru_cache
@torch.inference_mode()
def causal_mask(length, past=0):
    triangle = nn.Transformer.generate_square_subsequent_mask(length).isfinite()
    return F.pad(triangle, (past, 0), value=True)


@torch.no_grad()
def combine_masks(*masks):
    forbidden = [mask.logical_not() for mask in masks if mask is not None]
    if not forbidden:
        return None
    shape = torch.broadcast_shapes(*(mask.shape for mask in forbidden))
    return ~torch.stack([mask.expand(shape) for mask in forbidden], dim=-1).any(dim=-1)


def additive_mask(mask, dtype):
    nothing = torch.zeros(1, dtype=dtype, device=mask.device).expand(mask.shape)
    return torch.masked_fill(nothing, mask.bitwise_not(), -torch.inf)


def masked_softmax(scores, mask):
    mask = mask.broadcast_to(scores.shape)
    alive = mask.any(-1, keepdim=True)
    weights = softmax_of_allowed(scores, -1, mask=mask | ~alive)
    return torch.where(mask, weights, torch.zeros_like(weights))


def masked_attention(q, k, v, mask=None):
    scores = F.linear(q, k) if q.dim() == 2 else torch.matmul(q, k.adjoint())
    scores = scores * torch.tensor(q.shape[-1], dtype=torch.float64).rsqrt().item()
    weights = nn.Softmax(dim=-1)(scores) if mask is None else masked_softmax(scores, mask)
    return torch.matmul(F.dropout(weights, 0.1, training=False), v), weights
