"""Loops: masks written entry by entry, a softmax per query, keys visited one at a time."""

import math

import torch


def padding_mask(ids, pad_id):
    mask = torch.ones(ids.shape[0], 1, 1, ids.shape[1], dtype=torch.bool, device=ids.device)
    for b in range(ids.shape[0]):
        for t in range(ids.shape[1]):
            mask[b, 0, 0, t] = ids[b, t] != pad_id
    return mask


def causal_mask(length, past=0):
    mask = torch.zeros(length, past + length, dtype=torch.bool)
    for i in range(length):
        mask[i, : past + i + 1] = True
    return mask


def combine_masks(*masks):
    result = None
    for mask in masks:
        if mask is not None:
            result = mask if result is None else torch.logical_and(result, mask)
    return result  # a single mask is handed back itself


def additive_mask(mask, dtype):
    result = torch.zeros_like(mask, dtype=dtype)
    result[~mask] = -math.inf
    return result


def masked_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    rows = []
    for i in range(scores.shape[-2]):
        row, allowed = scores[..., i, :], mask[..., i, :]
        largest = row.masked_fill(~allowed, torch.finfo(row.dtype).min).max(dim=-1, keepdim=True)[0]
        powers = torch.exp((row - largest).masked_fill(~allowed, -math.inf))
        total = powers.sum(dim=-1, keepdim=True)
        rows.append(powers / total.masked_fill(total == 0, 1.0))
    return torch.stack(rows, dim=-2)


def masked_attention(q, k, v, mask=None):
    columns = []
    for j in range(k.shape[-2]):
        columns.append((q * k[..., j : j + 1, :]).sum(-1) / math.sqrt(q.shape[-1]))
    scores = torch.stack(columns, dim=-1)
    if mask is None:
        mask = torch.ones(scores.shape, dtype=torch.bool, device=scores.device)
    weights = masked_softmax(scores, mask)
    output = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=v.dtype, device=v.device)
    for j in range(k.shape[-2]):
        output = output + weights[..., j : j + 1] * v[..., j : j + 1, :]
    return output, weights
