"""What makes numbers right to a few digits only: float32, an added number, a rounded constant, a rounded result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import torch

from autograder.compare.rounding import GRID, on_grid

FEW_DIGITS: Final = "few-digits"
"""How the identifiers of all of them begin."""

FEWEST: Final = 3
"""So many numbers have no error in common by chance."""
EVEN: Final = 1e-3
"""How far apart, relative to their size, errors may be that are one."""
APART: Final = 1e-2
"""How far apart those of two rows must be that are not one."""
SAME: Final = 1e-5
"""How far apart, relative to its error, two rounded constants may be that are one."""
DECIMALS: Final = range(3, 9)

CONSTANTS: Final = {
    "π": math.pi, "e": math.e, "√2": math.sqrt(2), "√3": math.sqrt(3), "√π": math.sqrt(math.pi),
    "√(2π)": math.sqrt(2 * math.pi), "√(2/π)": math.sqrt(2 / math.pi), "ln 2": math.log(2), "ln 10": math.log(10),
}  # fmt: skip

Pair: TypeAlias = tuple[torch.Tensor, torch.Tensor]
"""The right numbers, and those of an answer, in float64."""


class Precision(NamedTuple):
    """Why an answer has few digits: an identifier, what to say, and advice."""

    identifier: str
    says: str
    advice: str


NOT_KNOWN: Final = Precision(
    FEW_DIGITS,
    "Your numbers are right, but to four digits or a few more only: float64 has fifteen.",
    "Is something computed in float32, rounded, or is a small constant added where nothing divides by zero?",
)
NOT_FLOAT32: Final = NOT_KNOWN._replace(
    advice="Is a constant rounded, or a small one added where nothing divides by zero? A tensor that you make without "
    "`dtype=` is float32: what it holds is rounded, too.",
)
FLOAT32: Final = Precision(
    f"{FEW_DIGITS}-float32",
    "You compute in float32 inside: your numbers are right to about seven digits, and float64 has fifteen.",
    "Compute in the input's dtype: leave out `dtype=torch.float32` and `.float()`, and give a tensor that you make "
    "`dtype=x.dtype`, as torch's usual one is float32. The checks compare in float64, in which small mistakes show.",
)
DIVISOR: Final = Precision(
    f"{FEW_DIGITS}-epsilon",
    "You add a small number to what you divide by: each row is too small by a tiny share of its own.",
    "Divide by the sum or the norm itself, and add a small number only where the exercise says so.",
)
ADDED: Final = Precision(
    f"{FEW_DIGITS}-epsilon",
    "You add a small number, about {}, to the result.",
    "Leave it out, or add it only where the exercise says so.",
)
DECIMAL: Final = Precision(
    f"{FEW_DIGITS}-rounded",
    "You round the result to {} decimals.",
    "Return the numbers as they are: rounding is for what you print.",
)
CONSTANT: Final = Precision(
    f"{FEW_DIGITS}-constant",
    "A constant is rounded: your numbers fit {} in place of {}.",
    "Let Python compute it to all its digits, as in `math.sqrt(2)` or `math.pi`.",
)


def precision(pairs: Sequence[Pair], is_rounded: bool | None) -> Precision:
    """Return why numbers that are nearly right have few digits; one of several only where the numbers say so.

    Args:
        is_rounded: whether the answer was seen to round to float32; None if nobody looked.
    """
    pairs = [(want.double(), have.double()) for want, have in pairs if not torch.equal(want, have)]
    if not pairs:
        return FLOAT32 if is_rounded else NOT_KNOWN
    found = _decimals(pairs)
    if found is None and (_is_float32(pairs) if is_rounded is None else is_rounded):
        return FLOAT32
    found = found or _added(pairs) or _divisor(pairs) or _constant(pairs)
    return found or (NOT_FLOAT32 if is_rounded is False else NOT_KNOWN)


def _is_float32(pairs: Sequence[Pair]) -> bool:
    near = ((have - want).abs().max() <= GRID * want.abs().max() for want, have in pairs)
    return all(near) and all(on_grid(have) for _, have in pairs)


def _decimals(pairs: Sequence[Pair]) -> Precision | None:
    """Recognise numbers that have a few decimals each, which are those of the right numbers."""
    for places in DECIMALS:
        rounded = [want.mul(10**places).round().div(10**places) for want, _ in pairs]
        same = all(map(_is_same, rounded, (have for _, have in pairs)))
        if same and len({number for each in rounded for number in each.flatten().tolist()}) > FEWEST:
            return DECIMAL._replace(says=DECIMAL.says.format(places))
    return None


def _is_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return torch.allclose(one, other, rtol=1e-14, atol=1e-14)


def _added(pairs: Sequence[Pair]) -> Precision | None:
    errors = torch.cat([(have - want).flatten() for want, have in pairs])
    wants = {number for want, _ in pairs for number in want.flatten().tolist()}
    if len(wants) < FEWEST or not _is_even(errors) or errors.mean() <= 0:
        return None
    return ADDED._replace(says=ADDED.says.format(f"{float(errors.mean()):.0e}".replace("e-0", "e-")))


def _divisor(pairs: Sequence[Pair]) -> Precision | None:
    """Recognise rows of which each is too small by one share, along some axis, which is not that of all rows."""
    rows = [min(_rows(pair), key=lambda rows: sum(not _is_even(row) for row in rows)) for pair in pairs]
    told = [row for each in rows for row in each if row.numel() >= FEWEST]
    if not told or not all(_is_even(row) and bool((row < 0).all()) for row in told):
        return None
    shares = torch.stack([row.mean() for row in told])
    return DIVISOR if float(shares.max() - shares.min()) > APART * float(shares.abs().max()) else None


def _rows(pair: Pair) -> list[list[torch.Tensor]]:
    """Return, for each axis, the relative errors of each row along it, without those of numbers near 0."""
    want, have = pair
    known = want.abs() > 1e-6 * want.abs().max()
    ratios = torch.where(known, (have - want) / want, torch.nan)
    axes = [ratios.movedim(axis, -1).reshape(-1, ratios.shape[axis]) for axis in range(ratios.dim())]
    return [[row[~row.isnan()] for row in axis] for axis in axes] or [[ratios.reshape(1)]]


def _constant(pairs: Sequence[Pair]) -> Precision | None:
    """Recognise a factor that a known constant has when it is rounded."""
    errors = torch.cat([row for pair in pairs for row in _rows(pair)[0]])
    if errors.numel() < FEWEST or not _is_even(errors):
        return None
    factor = 1 + float(errors.mean())
    for name, exact in CONSTANTS.items():
        for text in dict.fromkeys(text for places in DECIMALS for text in _shortened(exact, places)):
            ratio = float(text) / exact
            if any(abs(factor - each) <= SAME * abs(1 - each) + 1e-14 for each in (ratio, 1 / ratio)):
                return CONSTANT._replace(says=CONSTANT.says.format(text, name))
    return None


def _shortened(exact: float, places: int) -> tuple[str, str]:
    """Return a number rounded to some decimals, and cut off after them."""
    return f"{exact:.{places}f}", f"{math.floor(exact * 10**places) / 10**places:.{places}f}"


def _is_even(errors: torch.Tensor) -> bool:
    """Return whether errors are one and the same, which is not 0."""
    middle = errors.mean() if errors.numel() else errors.sum()
    return bool(middle != 0) and bool(((errors - middle).abs() <= EVEN * middle.abs()).all())
