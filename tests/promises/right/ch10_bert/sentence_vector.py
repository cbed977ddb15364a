"""Ways to a vector of length one: products, loops, means with care, scatter, norms by hand."""

import torch
from torch import Tensor, nn
from torch.nn import functional


# %% as libraries write it
def sentence_vector(hidden, mask):
    expanded = mask.unsqueeze(-1).expand(hidden.size()).to(hidden.dtype)
    pooled = torch.sum(hidden * expanded, 1) / torch.clamp(expanded.sum(1), min=1e-9)
    return functional.normalize(pooled, p=2, dim=1)


# %% a row of the mask times the vectors
def sentence_vector(hidden: Tensor, mask: Tensor) -> Tensor:
    mean = (mask[:, None].to(hidden) @ hidden)[:, 0] / mask.sum(1, keepdim=True).clamp(min=1)
    return mean / torch.linalg.vector_norm(mean, dim=-1, keepdim=True).clamp(min=torch.finfo(hidden.dtype).tiny)


# %% one text after the other
def sentence_vector(hidden, mask):
    rows = []
    for text, real in zip(hidden, mask, strict=True):
        if not real.any():
            rows.append(text.new_zeros(text.shape[-1]) + 0 * text.sum())
            continue
        mean = text[real].mean(dim=0)
        rows.append(mean / mean.norm())
    return torch.stack(rows)


# %% cosine with the axes
def sentence_vector(hidden, mask):
    summed = torch.where(mask[..., None], hidden, 0.0).sum(dim=-2)
    axes = torch.eye(hidden.shape[-1], dtype=hidden.dtype, device=hidden.device)
    return functional.cosine_similarity(summed[:, None], axes, dim=-1)


# %% a mean that the length cancels
def sentence_vector(hidden, mask):
    mean = hidden.masked_fill(mask.logical_not().unsqueeze(2), 0).mean(1)
    squares = mean.pow(2).sum(1, keepdim=True)
    return mean * torch.where(squares == 0, torch.ones_like(squares), squares).rsqrt()


# %% the root mean square
def sentence_vector(hidden, mask):
    width = hidden.shape[-1]
    some = mask.any(dim=1)[:, None]
    weights = mask.to(hidden.dtype) / mask.sum(dim=1, keepdim=True).clamp(min=1)
    mean = torch.einsum("bt,btd->bd", weights, hidden)
    safe = mean.masked_fill(~some, 1.0)
    return (safe / safe.square().mean(-1, keepdim=True).sqrt() / width**0.5).masked_fill(~some, 0.0)


# %% a layer
class Pooled(nn.Module):
    def forward(self, hidden, mask):
        weights = mask.to(hidden.dtype).unsqueeze(-1)
        mean = (hidden * weights).sum(dim=1).div(weights.sum(dim=1).clamp_min(1))
        return functional.normalize(mean, dim=-1)


def sentence_vector(hidden, mask):
    return Pooled()(hidden, mask)
