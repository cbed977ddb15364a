"""Own classes: a mask with operators, softmax with a backward of its own, a module for attention, a named result."""

from collections import namedtuple
from dataclasses import dataclass

import torch
from torch import nn

Attended = namedtuple("Attended", ["output", "weights"])


@dataclass(frozen=True)
class Mask:
    """Who may attend to whom; `None` stands for everybody to everybody."""

    allowed: torch.Tensor | None = None

    def __and__(self, other: "Mask") -> "Mask":
        if self.allowed is None or other.allowed is None:
            return self if other.allowed is None else other
        return Mask(torch.minimum(*torch.broadcast_tensors(self.allowed, other.allowed)))

    def over(self, scores: torch.Tensor) -> torch.Tensor:
        if self.allowed is None:
            return scores.new_ones(()).bool().expand_as(scores)
        return self.allowed.expand_as(scores)


class MaskedSoftmax(torch.autograd.Function):
    """Zeros stay zeros on the way back: nothing there depends on the scores."""

    @staticmethod
    def forward(ctx, scores, mask):
        top = scores.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True)
        powers = torch.exp(scores - top).masked_fill_(~mask, 0)
        weights = powers / powers.sum(-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, grad):
        (weights,) = ctx.saved_tensors
        return weights * (grad - torch.linalg.vecdot(weights, grad).unsqueeze(-1)), None


class Attention(nn.Module):
    """Attention as a layer without parameters."""

    def forward(self, q, k, v, mask: Mask) -> Attended:
        shape = (*q.shape[:-1], k.shape[-2])
        flat = [x.reshape(-1, *x.shape[-2:]) for x in (q, k, v)]
        scores = torch.bmm(flat[0], flat[1].transpose(1, 2)).reshape(shape) / q.shape[-1] ** 0.5
        weights = MaskedSoftmax.apply(scores, mask.over(scores))
        output = torch.bmm(weights.reshape(-1, *shape[-2:]), flat[2])
        return Attended(output.unflatten(0, shape[:-2]) if len(shape) > 2 else output[0], weights)


def padding_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    return torch.logical_not(torch.eq(ids, pad_id))[(slice(None), None, None)]


def causal_mask(length: int, past: int = 0) -> torch.Tensor:
    old = torch.ones(length, past, dtype=torch.bool)
    new = torch.arange(length).unsqueeze(-1).ge(torch.arange(length))
    return torch.cat([old, new], dim=1)


def combine_masks(*masks: torch.Tensor | None) -> torch.Tensor | None:
    together = Mask()
    for mask in masks:
        together &= Mask(mask)
    return together.allowed


def additive_mask(mask: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    zero, wall = torch.tensor([0.0, -torch.inf], dtype=dtype, device=mask.device)
    return torch.where(mask, zero, wall)


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return MaskedSoftmax.apply(scores, Mask(mask).over(scores))


def masked_attention(q, k, v, mask=None) -> Attended:
    return Attention()(q, k, v, Mask(mask))
