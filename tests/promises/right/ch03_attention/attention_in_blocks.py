"""Right answers to `attention_in_blocks`, a cell each, unlike each other and the solution."""

import functools
import math

import torch
from einops import einsum


# %% slices and the first block apart
def attention_in_blocks(q, k, v, size):
    keys = k.size(-2)
    scale = 1 / math.sqrt(q.size(-1))
    scores = torch.matmul(q, k[..., :size, :].transpose(-1, -2)) * scale
    m = scores.max(dim=-1, keepdim=True).values
    p = (scores - m).exp()
    total = p.sum(-1, keepdim=True)
    acc = p @ v[..., :size, :]
    for start in range(size, keys, size):
        end = min(start + size, keys)
        scores = torch.matmul(q, k[..., start:end, :].transpose(-1, -2)) * scale
        m_new = torch.maximum(m, scores.max(dim=-1, keepdim=True).values)
        p = (scores - m_new).exp()
        alpha = (m - m_new).exp()
        total = alpha * total + p.sum(-1, keepdim=True)
        acc = alpha * acc + p @ v[..., start:end, :]
        m = m_new
    return acc / total


# %% halves of the keys until they fit and then joined
def attention_in_blocks(q, k, v, size):
    def attend(k, v):
        if k.shape[-2] <= size:
            scores = einsum(q, k, "... i d, ... j d -> ... i j") / q.shape[-1] ** 0.5
            return scores.softmax(-1) @ v, scores.logsumexp(-1, keepdim=True)
        half = k.shape[-2] // 2
        (left, mass), (right, other) = (
            attend(*part) for part in ((k[..., :half, :], v[..., :half, :]), (k[..., half:, :], v[..., half:, :]))
        )
        share = torch.sigmoid(mass - other)
        return share * left + (1 - share) * right, torch.logaddexp(mass, other)

    return attend(k, v)[0]


# %% always a mean by a moving average
def attention_in_blocks(q, k, v, size):
    q = q * q.shape[-1] ** -0.5

    def step(state, block):
        mean, mass = state
        keys, values = block
        scores = q @ keys.mT
        grown = torch.cat([mass, scores], -1).logsumexp(-1, keepdim=True)
        return (mass - grown).exp() * mean + (scores - grown).exp() @ values, grown

    start = q.new_zeros(*q.shape[:-1], v.shape[-1]), q.new_full((*q.shape[:-1], 1), -torch.inf)
    return functools.reduce(step, zip(k.split(size, -2), v.split(size, -2), strict=True), start)[0]


# %% twice through the keys
def attention_in_blocks(q, k, v, size):
    places = range(0, k.shape[-2], size)

    def scores(start):
        return q @ k.narrow(-2, start, min(size, k.shape[-2] - start)).transpose(-1, -2) / math.sqrt(q.shape[-1])

    with torch.no_grad():
        top = functools.reduce(torch.maximum, [scores(start).amax(-1) for start in places]).unsqueeze(-1)
    total = output = 0
    for start in places:
        weights = torch.exp(scores(start) - top)
        total = total + weights.sum(-1, keepdim=True)
        output = output + weights @ v[..., start : start + size, :]
    return output / total


# %% a last block filled up with keys that are hidden and a sum as one more value
def attention_in_blocks(q, k, v, size):
    missing = -k.shape[-2] % size
    real = torch.arange(k.shape[-2] + missing, device=k.device) < k.shape[-2]
    k = torch.nn.functional.pad(k, (0, 0, 0, missing))
    v = torch.nn.functional.pad(torch.cat([v, torch.ones_like(v[..., :1])], -1), (0, 0, 0, missing))
    top, sums = None, torch.zeros_like(q[..., :1] + v[..., :1, :])
    for start in range(0, k.shape[-2], size):
        end = start + size
        scores = (q[..., None, :] * k[..., None, start:end, :]).sum(-1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~real[start:end], float("-inf"))
        best = scores.detach().amax(-1, keepdim=True)
        higher = best if top is None else torch.max(top, best)
        if top is not None:
            sums = sums * (top - higher).exp()
        sums = sums + (scores - higher).exp() @ v[..., start:end, :]
        top = higher
    return sums[..., :-1] / sums[..., -1:]


# %% one query after the other
def attention_in_blocks(q, k, v, size):
    flat = [each.reshape(-1, *each.shape[-2:]) for each in (q, k, v)]
    outputs = []
    for rows, keys, values in zip(*flat, strict=True):
        for row in rows:
            m, total, output = -math.inf, 0.0, torch.zeros_like(values[0])
            for start in range(0, len(keys), size):
                scores = keys[start : start + size].mv(row) / math.sqrt(len(row))
                m_new = torch.clamp(scores.max(), min=m)
                total = total * torch.exp(m - m_new) + torch.exp(scores - m_new).sum()
                output = output * torch.exp(m - m_new) + torch.exp(scores - m_new) @ values[start : start + size]
                m = m_new
            outputs.append(output / total)
    return torch.stack(outputs).reshape(*q.shape[:-1], v.shape[-1])
