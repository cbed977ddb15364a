"""Filled: minus infinity by where or in place on a copy, and nan_to_num for the rows that are dead."""

import torch
import torch.nn.functional as F
from numpy import tri

torch.set_printoptions(sci_mode=False)


def padding_mask(ids, pad_id):
    keep = torch.full_like(ids, True, dtype=torch.bool)
    keep[ids == pad_id] = False
    return keep.unsqueeze(1).unsqueeze(1)


def causal_mask(length, past=0):
    return torch.tensor(tri(length, past + length, past, dtype=bool))


def combine_masks(*masks):
    masks = [m for m in masks if m is not None]
    if len(masks) == 0:
        return None
    return torch.all(torch.stack(torch.broadcast_tensors(*masks)), dim=0)


def additive_mask(mask, dtype):
    result = torch.full(mask.size(), float("-inf"), dtype=dtype, device=mask.device)
    result[mask] = 0
    return result


def masked_softmax(scores, mask):
    filled = torch.where(mask, scores, float("-inf"))
    return torch.nan_to_num(F.softmax(filled, dim=-1), nan=0.0)


def masked_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores.masked_fill_(mask.logical_not(), -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ v, weights


print(causal_mask(3, past=2))
