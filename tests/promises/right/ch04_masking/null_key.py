"""Null key: one more key with nothing to say, which takes the weight that nobody else may have."""

import functools

import torch


def padding_mask(ids, pad_id):
    return torch.einsum("bt->bt", ids).not_equal(pad_id).reshape(ids.shape[0], 1, 1, -1)


def causal_mask(length, past=0):
    own_place = torch.cat([torch.zeros(length, past), torch.eye(length)], dim=1)
    return own_place.flip(1).cumsum(1).flip(1).to(torch.bool)


def combine_masks(*masks):
    def both(one, other):
        if one is None or other is None:
            return one if other is None else other
        return torch.bitwise_and(one, other)

    return functools.reduce(both, masks, None)


def additive_mask(mask, dtype):
    levels = torch.tensor([float("-inf"), 0.0], dtype=dtype, device=mask.device)
    return levels[mask.long()]


def masked_softmax(scores, mask):
    walls = scores.masked_fill(torch.logical_not(mask), -torch.inf)
    nobody = torch.full_like(walls[..., :1], torch.finfo(scores.dtype).min / 2)
    return torch.softmax(torch.cat([walls, nobody], dim=-1), dim=-1)[..., :-1]


def masked_attention(q, k, v, mask=None):
    d = k.shape[-1]
    scores = torch.einsum("...id,...jd->...ij", q, k) / torch.tensor(d, dtype=q.dtype, device=q.device).sqrt()
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=q.device)
    weights = masked_softmax(scores, mask)
    silent = torch.zeros_like(v[..., :1, :])
    missing = 1 - weights.sum(dim=-1, keepdim=True)
    return torch.cat([weights, missing], dim=-1) @ torch.cat([v, silent], dim=-2), weights
