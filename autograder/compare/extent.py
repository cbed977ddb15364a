"""Where the wrong entries of an array lie, if they all lie in one part of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch

FEW = 2
"""One wrong entry has its index already."""

SQUARE = 3
"""Of fewer rows and columns, entries lie beside the diagonal by chance."""


def extent(bad: torch.Tensor, letters: Sequence[str]) -> str:
    """Return where the wrong entries of an array lie, as "all of them at T=3"; "" if they have no part in common.

    Args:
        bad: True where an entry is wrong, of any shape.
        letters: the names of its axes; "" for one without.
    """
    count = int(bad.sum())
    if count < FEW or count == bad.numel():
        return ""
    parts = [*_beside_diagonal(bad), *_along_axes(bad, letters)]
    if not parts:
        return ""
    _, where = min(parts, key=lambda part: part[0])
    return f"all of them {where}"


def _beside_diagonal(bad: torch.Tensor) -> Iterator[tuple[float, str]]:
    """Yield the sides of the diagonal of the last two axes on which all wrong entries lie, each with its share."""
    if bad.dim() < 2 or bad.shape[-1] != bad.shape[-2] or bad.shape[-1] < SQUARE:
        return
    size = bad.shape[-1]
    below = torch.ones(size, size, dtype=torch.bool).tril(-1)
    on = torch.eye(size, dtype=torch.bool)
    for part, where in (on, "on the diagonal"), (below, "below the diagonal"), (below.T, "above the diagonal"):
        if not bool((bad & ~part).any()):
            yield float(part.double().mean()), where


def _along_axes(bad: torch.Tensor, letters: Sequence[str]) -> Iterator[tuple[float, str]]:
    """Yield the first, the last or the one place of an axis at which all wrong entries lie, each with its share."""
    for axis, size in enumerate(bad.shape):
        others = [other for other in range(bad.dim()) if other != axis]
        hit = bad.sum(dim=others) > 0 if others else bad
        places = hit.nonzero().flatten().tolist()
        name = f"{letters[axis]}=" if letters[axis] else f"axis {axis}=" if bad.dim() > 1 else ""
        first, last = places[0], places[-1]
        if len(places) == 1 and size > 1:
            yield 1 / size, f"at {name}{first}"
        elif last - first + 1 == len(places) < size and (first == 0 or last == size - 1):
            where = f"from {name}{first} on" if last == size - 1 else f"up to {name}{last}"
            yield len(places) / size, where
