"""Points in decimal, as a person computes them: 14.625 becomes 14.63."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def half_up(number: float | Decimal, digits: int) -> Decimal:
    """Return a number with this many digits after the point, halves away from zero, by its shortest decimal form."""
    exact = number if isinstance(number, Decimal) else Decimal(repr(float(number)))
    return exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def scaled(points: float, most: float, to: float) -> Decimal:
    """Return points out of `most` as points out of `to`, not rounded; `most` is not 0."""
    got, of, out_of = (Decimal(repr(float(number))) for number in (points, most, to))
    return got * out_of / of
