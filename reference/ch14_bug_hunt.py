"""The oracle of chapter 14: inputs as formulas. Cosines of squares for numbers, rules about pairs for masks."""

import math

import torch

Probe = tuple[torch.Tensor | float | None, ...]


def _waves(*shape: int, start: int) -> torch.Tensor:
    """2 cos(n²) for n from `start` on, in this shape: numbers of both signs without any pattern."""
    count = torch.arange(start, start + math.prod(shape), dtype=torch.float64)
    return torch.cos(count.square()).mul(2).reshape(shape)


def _rule(rows: int, columns: int, step: int) -> torch.Tensor:
    """Query i sees key j if step · i + j leaves 0 or 3 on division by 4; the last query sees nothing."""
    found = torch.tensor([[(step * i + j) % 4 in (0, 3) for j in range(columns)] for i in range(rows)])
    return found.index_fill(0, torch.tensor([rows - 1]), False)


def probe_attention() -> Probe:
    """Four axes of four sizes, values of width 1, and one query that is far longer than the others."""
    lengths = torch.tensor([1.0, 1e5, 1.0, 1.0], dtype=torch.float64)
    q = torch.einsum("bhid,i->bhid", _waves(2, 3, 4, 6, start=100), lengths)
    return q, _waves(2, 3, 5, 6, start=300), _waves(2, 3, 5, 1, start=500)


def probe_masking() -> Probe:
    """A mask per sentence; one query looks away from the only key it may see, and one may see none."""
    k = _waves(2, 3, 5, 6, start=200)
    q = torch.cat([_waves(2, 3, 2, 6, start=400), k[..., 1:2, :] * -1e5, _waves(2, 3, 1, 6, start=600)], dim=-2)
    only = torch.arange(5).eq(1)
    mask = torch.stack([_rule(4, 5, step).index_put((torch.tensor([2]),), only) for step in (1, 2)])
    return q, k, _waves(2, 3, 5, 7, start=700), mask.unsqueeze(1)


def probe_multihead() -> Probe:
    """A mask per sentence and head; the last query sees nothing; two that see one key are long and opposite."""
    lengths = torch.tensor([1.0, 1e5, -1e5, 1.0, 1.0], dtype=torch.float64)
    query = torch.einsum("bic,i->bic", _waves(2, 1, 12, start=100).expand(-1, 5, -1), lengths)
    query = query + _waves(2, 5, 12, start=200)
    steps = torch.arange(6).reshape(2, 3).tolist()
    mask = torch.stack([torch.stack([_rule(5, 7, step) for step in row]) for row in steps])
    mask[:, :, 1:3] = torch.arange(7).eq(4)
    return query, _waves(2, 7, 12, start=400), _waves(2, 7, 12, start=700), mask


def probe_layer_norm() -> Probe:
    """Four axes, rows far from zero, one of them constant, and an eps that counts."""
    x = _waves(2, 3, 4, 5, start=50) + 3
    x[1, 2, 3] = 2.0
    return x, _waves(5, start=10), _waves(5, start=20), 0.25


def probe_positions() -> Probe:
    """Two sentences of three words, five numbers wide, and a table that has room for seven."""
    return _waves(2, 3, 5, start=10), _waves(7, 5, start=60)


def probe_decoder() -> Probe:
    """Masks without a pattern, of other lengths: who looks ahead is not always hidden."""
    self_mask = torch.stack([_rule(4, 4, step) for step in (1, 2)]).unsqueeze(1)
    memory_mask = torch.stack([torch.arange(6).ne(place) for place in (1, 4)])[:, None, None]
    return _waves(2, 4, 8, start=30), _waves(2, 6, 8, start=130), self_mask, memory_mask


def probe_patchify() -> Probe:
    """Three rows of two patches of 2 x 2 pixels; every number is another."""
    return _waves(2, 3, 6, 4, start=10), 2
