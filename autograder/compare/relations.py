"""What wrong numbers have to do with the right ones, where no mistake explains them: few digits, a factor, places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import torch

from autograder.calls.records import Data, leaves
from autograder.compare.compare import LENIENT, apart, tensor
from autograder.compare.moved import ways_moved
from autograder.compare.precision import FEW_DIGITS, precision
from autograder.course.model import Misconception

CLOSE = 1e-6
SMALL = 1e-5
"""A larger error, relative to the largest number, is not float32's rounding."""
FEWEST = 3
"""So many numbers in a row, or so many rows, have no common factor by chance."""

LAST = "What do you multiply or divide by last? Write its value down for these sizes."
TERM = "What do you add or subtract last, and which part of it is missing, or one too many?"
PLACES = "Follow one number from where it is computed to where it ends up: which step takes it elsewhere?"
OVER = "What do you divide or multiply by, and over which axis is it taken? Write it down for one row."


ELSEWHERE = "elsewhere"
RELATED = (
    "one-factor",
    "row-factors",
    "column-factors",
    "both-factors",
    "one-term",
    "row-terms",
    "column-terms",
    ELSEWHERE,
)
"""The identifiers of relations that say what is so of the numbers, and not why."""

Floats: TypeAlias = tuple[torch.Tensor, torch.Tensor]


def unexplained(*_: Any) -> None:
    """Stand in for the function of a relation, which makes no calls."""


def relation(exercise: str, expected: Data, got: Data, is_rounded: bool | None = None) -> Misconception | None:
    """Return what the numbers of two results have to do with each other, as a mistake; None if nothing.

    Args:
        expected, got: results of one structure, shape and dtype.
        is_rounded: whether the answer was seen to round to float32; None if nobody looked.
    """
    floats = _floats(expected, got)
    if floats is None:
        return _elsewhere_of(exercise, _whole_numbers(expected, got))
    if any(want.dtype == torch.float64 for want, _ in floats) and _few(floats) and not apart(expected, got, LENIENT):
        return lacking_digits(exercise, floats, is_rounded)
    differing = _differing(floats)
    for identifier, says, advice, holds in _RELATIONS:
        if differing and all(holds(want, have) for want, have in differing):
            return Misconception(identifier, exercise, unexplained, says, advice)
    return _elsewhere_of(exercise, differing)


def _differing(floats: Sequence[Floats]) -> list[Floats]:
    return [(want.double(), have.double()) for want, have in floats if not torch.allclose(want, have)]


def _elsewhere_of(exercise: str, differing: Sequence[Floats]) -> Misconception | None:
    """Return that numbers are the right ones in other places, and how they have moved; None if they are not."""
    if not differing or not all(_elsewhere(want, have) for want, have in differing):
        return None
    first, *others = (ways_moved(want, have) for want, have in differing)
    how = next((way for way in first if all(way in ways for ways in others)), "")
    says = f"Your numbers are the right ones, in other places{how}."
    return Misconception(ELSEWHERE, exercise, unexplained, says, PLACES)


def lacking_digits(exercise: str, floats: Sequence[Floats], is_rounded: bool | None = None) -> Misconception:
    """Return why numbers are right to a few digits only, as a mistake."""
    found = precision(floats, is_rounded)
    return Misconception(found.identifier, exercise, unexplained, found.says, found.advice)


def common_relation(
    exercise: str, results: Sequence[tuple[Data, Data]], is_rounded: bool | None = None
) -> Misconception | None:
    """Return the relation of the first expected and given result, if all others have it too."""
    found = relation(exercise, *results[0], is_rounded)
    if found and found.identifier.startswith(FEW_DIGITS):
        if any(apart(want, have, LENIENT) for want, have in results[1:]):
            return None
        every = [pair for each in results for pair in _floats(*each) or ()]
        return lacking_digits(exercise, every, is_rounded)
    others = [relation(exercise, want, have) for want, have in results[1:]] if found else []
    if not found or not all(each and each.identifier == found.identifier for each in others):
        return None
    return _elsewhere_of(exercise, [*_all_differing(results)]) if found.identifier == ELSEWHERE else found


def _all_differing(results: Sequence[tuple[Data, Data]]) -> Iterator[Floats]:
    """Yield the numbers of results in pairs, those that differ."""
    for each in results:
        floats = _floats(*each)
        yield from _whole_numbers(*each) if floats is None else _differing(floats)


def _floats(expected: Data, got: Data) -> list[Floats] | None:
    """Return the floats of two results in pairs; None where anything else differs."""
    floats = []
    for want, have in zip(leaves(expected), leaves(got), strict=False):
        right, wrong = tensor(want), tensor(have)
        if right is not None and wrong is not None and _is_plain(right, wrong):
            floats.append((right, wrong))
        elif apart(want, have):
            return None
    return floats


def _whole_numbers(expected: Data, got: Data) -> list[Floats]:
    """Return the whole numbers of two results in pairs, those that differ; none where anything else does."""
    found = []
    for want, have in zip(leaves(expected), leaves(got), strict=False):
        right, wrong = tensor(want), tensor(have)
        if right is None or wrong is None or right.shape != wrong.shape:
            if apart(want, have):
                return []
        elif not {right.dtype, wrong.dtype} <= {torch.int64} or right.is_meta:
            return []
        elif not torch.equal(right, wrong):
            found.append((right.double(), wrong.double()))
    return found


def _is_plain(want: torch.Tensor, have: torch.Tensor) -> bool:
    alike = want.shape == have.shape and want.is_floating_point() and have.is_floating_point()
    return alike and not want.is_meta and bool(want.isfinite().all() and have.isfinite().all())


def _few(floats: list[tuple[torch.Tensor, torch.Tensor]]) -> bool:
    """Return whether small errors come from rounding or a small constant, not from a part that counts for little."""
    pairs = [(want.double(), have.double()) for want, have in floats if want.numel()]
    return all(
        bool(((have - want).abs() <= SMALL * want.abs().max()).all())
        or torch.equal(have, have.float().double())
        or any(torch.allclose(have * 10**digits, (have * 10**digits).round(), rtol=0, atol=CLOSE) for digits in (4, 5))
        or _even(have - want)
        or _even((have - want)[want != 0] / want[want != 0])
        for want, have in pairs
    )


def _even(errors: torch.Tensor) -> bool:
    """Return whether errors are the same everywhere, up to a tenth."""
    middle = errors.mean() if errors.numel() else errors.sum()
    return bool(((errors - middle).abs() <= middle.abs() / 10).all())


def _ratios(want: torch.Tensor, have: torch.Tensor) -> torch.Tensor | None:
    """Return have / want, NaN where both are 0; None where one alone is, or where the numbers are too few to tell."""
    nothing = want.abs() <= CLOSE * want.abs().max()
    if bool(((have.abs() <= CLOSE * have.abs().max()) != nothing).any()) or len(set(want[~nothing].tolist())) < FEWEST:
        return None
    return torch.where(nothing, torch.nan, have / want)


def _one(want: torch.Tensor, have: torch.Tensor) -> bool:
    ratios = _ratios(want, have)
    return ratios is not None and _constant(ratios.reshape(1, -1))


def _by_row(want: torch.Tensor, have: torch.Tensor) -> bool:
    ratios = _ratios(want, have) if _tells_by_row(want, have) else None
    return ratios is not None and _constant(ratios.reshape(-1, want.shape[-1]))


def _tells_by_row(want: torch.Tensor, have: torch.Tensor) -> bool:
    """Return whether in each row with wrong numbers the right ones differ: equal ones have all relations at once."""
    if want.dim() < 2 or want.shape[-1] < FEWEST:
        return False
    right, wrong = want.reshape(-1, want.shape[-1]), have.reshape(-1, want.shape[-1])
    spread = right.amax(-1) - right.amin(-1) > CLOSE * right.abs().amax(-1)
    return bool((spread | ((wrong - right).abs().amax(-1) <= CLOSE * right.abs().amax(-1))).all())


def _by_column(want: torch.Tensor, have: torch.Tensor) -> bool:
    return want.dim() > 1 and _by_row(want.mT.contiguous(), have.mT.contiguous())


def _by_both(want: torch.Tensor, have: torch.Tensor) -> bool:
    if want.dim() < 2 or not (_tells_by_row(want, have) and _tells_by_row(want.mT, have.mT)):
        return False
    ratios = _ratios(want, have)
    return (
        ratios is not None
        and not bool(ratios.isnan().any())
        and _constant((ratios / ratios[..., :1] * ratios[..., :1, :1] / ratios[..., :1, :]).reshape(1, -1))
    )


def _shifted(want: torch.Tensor, have: torch.Tensor) -> bool:
    terms = _terms(want, have)
    return terms is not None and _constant(terms.reshape(1, -1))


def _shifted_by_row(want: torch.Tensor, have: torch.Tensor) -> bool:
    terms = _terms(want, have) if _tells_by_row(want, have) else None
    return terms is not None and _constant(terms.reshape(-1, want.shape[-1]))


def _shifted_by_column(want: torch.Tensor, have: torch.Tensor) -> bool:
    return want.dim() > 1 and _shifted_by_row(want.mT.contiguous(), have.mT.contiguous())


def _terms(want: torch.Tensor, have: torch.Tensor) -> torch.Tensor | None:
    """Return have - want; None where the numbers are too few to tell."""
    return None if len(set(want.flatten().tolist())) < FEWEST else have - want


def _elsewhere(want: torch.Tensor, have: torch.Tensor) -> bool:
    """Return whether all right numbers are there, in other places."""
    right, wrong = want.flatten().sort().values, have.flatten().sort().values
    return len(set(right.tolist())) > FEWEST and torch.allclose(right, wrong, rtol=CLOSE, atol=0)


def _constant(rows: torch.Tensor) -> bool:
    """Return whether each row has one number again and again; rows with fewer than two tell nothing, but one must."""
    known = ~rows.isnan()
    filled = rows.nan_to_num()
    middle = filled.sum(-1) / known.sum(-1).clamp(min=1)
    spread = torch.where(known, (filled - middle[:, None]).abs(), 0).amax(-1)
    return bool((spread <= CLOSE * middle.abs()).all()) and bool((known.sum(-1) >= FEWEST).any())


_RELATIONS: tuple[tuple[str, str, str, Callable[[torch.Tensor, torch.Tensor], bool]], ...] = (
    ("one-factor", "Your numbers are right but for one factor, the same everywhere.", LAST, _one),
    ("row-factors", "Your numbers are right but for one factor in each row (along the last axis).", OVER, _by_row),
    ("column-factors", "Your numbers are right but for one factor in each column.", OVER, _by_column),
    ("both-factors", "Your numbers are right but for one factor in each row and one in each column.", OVER, _by_both),
    ("one-term", "Your numbers are right but for one number that is added, the same everywhere.", TERM, _shifted),
    ("row-terms", "Your numbers are right but for one number added to each row.", TERM, _shifted_by_row),
    ("column-terms", "Your numbers are right but for one number added to each column.", TERM, _shifted_by_column),
)
