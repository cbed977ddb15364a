"""Strided: probes as transposed, expanded and flipped views, all of a single ramp of numbers; tuples with names."""

from typing import NamedTuple

import torch


class Attention(NamedTuple):
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor


class Masked(NamedTuple):
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    mask: torch.Tensor


def ramp(*shape: int, step: float = 0.618) -> torch.Tensor:
    """Numbers between -2 and 2 that never come back, the last axis outermost in memory."""
    turned = shape[::-1]
    places = torch.arange(1, torch.Size(turned).numel() + 1)
    numbers = (places * step).frac().mul(4).sub(2)
    return numbers.view(turned).permute(*reversed(range(len(turned))))


def loud(q: torch.Tensor, row: int) -> torch.Tensor:
    factors = torch.ones(q.shape[-2]).index_fill(0, torch.tensor([row]), 300000.0)
    return q * factors[:, None]


def probe_attention() -> Attention:
    q, k = loud(ramp(1, 3, 2, 4, 5, step=0.7548776), 1), ramp(1, 3, 2, 7, 5, step=0.5698403).flip(-1)
    return Attention(v=ramp(1, 3, 2, 7, 3, step=0.8191725), k=k, q=q)


def probe_masking() -> Masked:
    q, k = loud(ramp(3, 2, 4, 5, step=0.7548776), 3), ramp(3, 2, 6, 5, step=0.5698403)
    allowed = ramp(3, 1, 4, 6, step=0.8191725) > -0.4
    allowed[1, :, 2] = False
    return Masked(q, k, ramp(3, 2, 6, 7, step=0.6710436), allowed)


def probe_multihead() -> tuple[torch.Tensor, ...]:
    allowed = ramp(2, 5, 3, 7, step=0.7548776).transpose(1, 2) > -0.3
    allowed[0, 1, 4] = allowed[1, 2, 0] = False
    return ramp(2, 5, 12, step=0.8566749), ramp(2, 7, 12, step=0.7338919), ramp(2, 7, 12, step=0.6287067), allowed


def probe_layer_norm() -> tuple[torch.Tensor | float, ...]:
    x = ramp(2, 3, 4, 7, step=0.7548776) * 3 + 1.5
    scale, shift = ramp(7, 2, step=0.5698403).unbind(1)
    return x, scale, shift, 0.75


def probe_positions() -> tuple[torch.Tensor, torch.Tensor]:
    return ramp(3, 4, 5, step=0.7548776), ramp(9, 5, step=0.5698403)[::2]


def probe_decoder() -> tuple[torch.Tensor | None, ...]:
    everybody = torch.ones(1, dtype=torch.bool)
    self_mask = everybody.expand(4, 4).tril(1).logical_and(everybody.expand(4, 4).triu(-1))
    memory_mask = torch.tensor([[True, False, True, True, False, True], [False, True, True, True, True, False]])
    return (
        ramp(2, 4, 8, step=0.7548776),
        ramp(2, 6, 8, step=0.5698403),
        self_mask,
        memory_mask[:, None, None].expand(-1, 2, 4, -1),
    )


def probe_patchify() -> tuple[torch.Tensor, int]:
    return torch.arange(2.0 * 3 * 6 * 9).view(9, 6, 3, 2).permute(3, 2, 1, 0) / 7, 3
