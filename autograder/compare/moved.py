"""How right numbers have come to stand in other places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import torch

MOST = 64
"""Along longer axes no order of slices is looked for."""


def ways_moved(want: torch.Tensor, have: torch.Tensor) -> list[str]:
    """Return in which ways the numbers of `want` may have moved to give `have`, each as the end of a sentence.

    Axes are counted from the end, so that arrays with other leading axes may have moved in the same way.

    Args:
        want, have: arrays of one shape that hold the same numbers.
    """
    found = [says for says, moved in _moves(want) if torch.allclose(moved, have, rtol=1e-6, atol=0)]
    axes = range(-have.dim(), 0) if have.dim() > 1 else ()
    found += [f": along axis {axis}, whole slices are in another order" for axis in axes if _shuffled(want, have, axis)]
    return found


def _moves(want: torch.Tensor) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield ways to move numbers, the plainest first."""
    pairs = [*combinations(range(-want.dim(), 0), 2)]
    for one, other in pairs:
        if want.shape[one] == want.shape[other]:
            yield f": axes {one} and {other} are exchanged", want.transpose(one, other)
    for axis in range(-want.dim(), 0):
        yield f": in reverse along axis {axis}", want.flip(axis)
        for places in range(1, min(want.shape[axis] // 2 + 1, MOST)):
            for way, step in ("on", places), ("back", -places):
                yield f": moved {way} by {places} along axis {axis}, the ends joined", want.roll(step, axis)
    for one, other in pairs:
        says = f": as if axes {one} and {other} were exchanged and all was then cut into rows again"
        yield says, want.transpose(one, other).reshape(want.shape)
        yield says, want.reshape(want.transpose(one, other).shape).transpose(one, other)


def _shuffled(want: torch.Tensor, have: torch.Tensor, axis: int) -> bool:
    """Return whether the slices along an axis are those of the right numbers, in another order."""
    size = want.shape[axis]
    if not 1 < size <= MOST:
        return False
    one, other = (each.movedim(axis, 0).reshape(size, -1) for each in (want, have))
    among_right, among_own = ((each[:, None] - other).abs().amax(-1) <= 1e-6 * one.abs().max() for each in (one, other))
    return torch.equal(among_right.sum(0), among_own.sum(0)) and not bool(among_own.all())
