"""Whether wrong digits are those that float32 loses, which an answer shows when its inputs move by next to nothing.

A mistake, however small, moves on smoothly with the inputs. Rounding to float32 does not: it jumps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np
import torch

from autograder.calls.records import Call, Data, Observation, leaves, mapped
from autograder.compare.compare import difference, tensor

MOVE: Final = 3e-7
"""How far an input moves in a step, relative to its size: a few numbers of float32."""
LARGE: Final = 1e3
"""A larger input moves no farther, as what a mistake adds would no longer be smooth."""
MOVES: Final = 4
MORE_MOVES: Final = 12
"""Steps where an answer has fewer than `FEW` numbers, whose jumps may be small by chance."""
FEW: Final = 16
TINY: Final = 1e-13
"""A step so small that float32 does not see it: what jumps here too is float64 itself, where a formula loses digits."""
CLOSE: Final = 1e-5
"""A larger error, relative to the largest number of an answer and to that of its inputs, is no rounding to float32."""
CLOSEST: Final = 1e-3
"""A larger one is none, however large the inputs are."""
MOST_JUMP: Final = 16
"""The fourth difference of numbers that are off by 1 either way."""
EXACT: Final = 1e-12
"""What float64 itself may leave of an error."""
GRID: Final = 1e-6
"""How far numbers of float32 may be off where no input can be moved, or by chance none jumps."""

Key: TypeAlias = int | str
Noise: TypeAlias = Mapping[Key, float]
"""How far each part of an answer, and each gradient, may be off by rounding alone."""
Glimpse: TypeAlias = Callable[[Call], Observation | None]


def is_close(call: Call, right: Observation, got: Observation) -> bool:
    """Return whether two observations of one form differ somewhere, and nowhere by more than rounding explains."""
    pairs, limit = _pairs(right, got), _limit(call)
    apart = any(not torch.equal(want, have) for want, have in pairs.values())
    sizes = _sizes({key: want for key, (want, _) in pairs.items()})
    return apart and all(bool((_gap(key, pair) <= limit * sizes[key]).all()) for key, pair in pairs.items())


def noise(call: Call, got: Observation, glimpse: Glimpse) -> Noise:
    """Return how far an answer may be off by rounding to float32, of which it has the signs; zeros where it has not.

    That is the largest jump, relative to the size of the part that jumps: a fourth difference, so several times what
    the rounding itself is. What is returned in float32 is rounded, with its gradients, however little it jumps.

    Args:
        glimpse: makes a call of the same answer.
    """
    own = _floats(got)
    if not can_move(call):
        return {key: GRID * size if on_grid(own[key]) else 0.0 for key, size in _sizes(own).items()}
    jump = _largest_jump(call, own, glimpse, MOVE)
    if jump and _largest_jump(call, own, glimpse, TINY) > jump / MOST_JUMP:
        jump = 0.0
    least = GRID if any(part.dtype == torch.float32 for part in own.values()) else 0.0
    return {key: max(jump, least) * size for key, size in _sizes(own).items()}


def _largest_jump(call: Call, own: Mapping[Key, torch.Tensor], glimpse: Glimpse, move: float) -> float:
    """Return the largest jump of a part as its inputs move, relative to its largest number."""
    most = MOVES if sum(part.numel() for part in own.values()) >= FEW else MORE_MOVES
    moved = [_moved(call, number * move) for number in range(1, most + 1)]
    seen = [own, *(_floats(shown) if each and (shown := glimpse(each)) else {} for each in moved)]
    jumps = [_jump([each.get(key) for each in seen]) for key in own]
    limit = _limit(call)
    return min(limit, max((jump for jump in jumps if EXACT < jump / MOST_JUMP <= limit), default=0.0))


def _limit(call: Call) -> float:
    """Return how far numbers may be off by rounding, relative to the largest: large inputs leave fewer digits."""
    floats = (_float(leaf) for leaf in leaves((call.args, dict(call.kwargs))))
    largest = max((_scale(each) for each in floats if each is not None), default=1.0)
    return min(CLOSEST, CLOSE * max(1.0, largest))


def unrounded(right: Observation, got: Observation, allowed: Noise) -> Observation:
    """Return what a call showed, with the right numbers where they differ by no more than what is allowed."""
    near = (_is_within(key, pair, allowed.get(key, 0.0)) for key, pair in _pairs(right, got).items())
    same = all(near) and _has_same_form(right.result, got.result)
    result = right.result if same else got.result
    again = result if got.again is got.result else _again(right, got, allowed)
    gradients = right.gradients if same and isinstance(got.gradients, Mapping) else got.gradients
    return replace(got, result=result, again=again, gradients=gradients)


def on_grid(part: torch.Tensor) -> bool:
    """Return whether numbers are those of float32, by their dtype or as they are too many for that to be chance."""
    if part.dtype == torch.float32:
        return True
    long = part[part.bfloat16().double() != part.double()]
    return len(set(long.tolist())) >= 3 and torch.equal(part.double(), part.float().double())


def _again(right: Observation, got: Observation, allowed: Noise) -> Data:
    """Return the second answer, with the right numbers where it is as near to them as the first may be."""
    second = replace(got, result=got.again, again=got.again, gradients=None)
    return unrounded(replace(right, result=right.again, gradients=None), second, allowed).result


def _has_same_form(want: Data, have: Data) -> bool:
    """Return whether two results differ in nothing but floats."""
    if difference(Observation(want), Observation(have), until="dtype"):
        return False
    one, other = ([leaf for leaf in leaves(each) if _float(leaf) is None] for each in (want, have))
    return len(one) == len(other) and all(map(_is_same, one, other))


def _is_same(one: Data, other: Data) -> bool:
    first, second = tensor(one), tensor(other)
    if first is None or second is None:
        return type(one) is type(other) and bool(np.all(one == other))
    return first.is_meta == second.is_meta and (first.is_meta or torch.equal(first, second))


def _float(leaf: Data) -> torch.Tensor | None:
    found = torch.tensor(leaf, dtype=torch.float64) if isinstance(leaf, float) else tensor(leaf)
    return found if found is not None and found.is_floating_point() and not found.is_meta else None


def _floats(seen: Observation) -> dict[Key, torch.Tensor]:
    """Return the floats of an answer by their number, and its gradients by their names."""
    found: dict[Key, torch.Tensor] = {
        number: part for number, leaf in enumerate(leaves(seen.result)) if (part := _float(leaf)) is not None
    }
    gradients = seen.gradients if isinstance(seen.gradients, Mapping) else {}
    return found | {name: part for name, part in gradients.items() if part is not None and not part.is_meta}


def _pairs(right: Observation, got: Observation) -> dict[Key, tuple[torch.Tensor, torch.Tensor]]:
    """Return the floats of two observations side by side; where only one has them, beside infinity."""
    wanted, seen = _floats(right), _floats(got)
    nothing = torch.full((), torch.inf)
    return {key: (wanted.get(key, nothing), seen.get(key, nothing)) for key in {**wanted, **seen}}


def _gap(key: Key, pair: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return how far apart two parts are: infinitely where one is no number, or where a result should be exactly 0."""
    if pair[0].shape != pair[1].shape:
        return torch.full((), torch.inf)
    want, have = (part.detach().double() for part in pair)
    same = (want == have) | (want.isnan() & have.isnan())
    gap = (want - have).abs().nan_to_num(nan=torch.inf)
    is_result = isinstance(key, int)  # there a 0 is meant, as for what is masked; in a gradient it may cancel out
    return torch.where(same, 0.0, torch.where((want == 0) & is_result, torch.inf, gap))


def _is_within(key: Key, pair: tuple[torch.Tensor, torch.Tensor], allowed: float) -> bool:
    scale = _scale(pair[0])
    return bool((_gap(key, pair) <= max(allowed, EXACT * scale)).all())


def _sizes(parts: Mapping[Key, torch.Tensor]) -> dict[Key, float]:
    """Return the largest number of each part; of a gradient that of all gradients, as in one of them all may cancel."""
    sizes = {key: _scale(part) for key, part in parts.items()}
    of_all = max((size for key, size in sizes.items() if isinstance(key, str)), default=0.0)
    return {key: of_all if isinstance(key, str) else size for key, size in sizes.items()}


def _scale(part: torch.Tensor) -> float:
    finite = part[part.isfinite()].abs()
    return float(finite.max()) if finite.numel() else 0.0


def _jump(parts: Sequence[torch.Tensor | None]) -> float:
    """Return the largest fourth difference of numbers whose inputs move in equal steps, relative to the largest."""
    known = [part.detach().double() for part in parts if part is not None]
    if len(known) < len(parts) or len({part.shape for part in known}) > 1 or not _scale(known[0]):
        return 0.0
    return float(torch.stack(known).diff(4, 0).abs().max()) / _scale(known[0])


def can_move(call: Call) -> bool:
    """Return whether a call has inputs that can move by less than float32 sees."""
    return _moved(call, MOVE) is not None


def _moved(call: Call, step: float) -> Call | None:
    """Return a call whose floats have moved by a step relative to their size; None if it has none in float64."""
    floats: list[Data] = []  # those that move

    def move(leaf: Data) -> Data:
        part = _float(leaf) if isinstance(leaf, torch.Tensor | np.ndarray) else None
        if part is None or part.dtype != torch.float64:
            return leaf
        floats.append(leaf)
        ways = torch.arange(part.numel(), dtype=part.dtype).add(1).cos().reshape(part.shape)
        moved = part + step * ways * part.abs().clamp(max=LARGE)
        return moved.numpy() if isinstance(leaf, np.ndarray) else moved

    args, kwargs = mapped((call.args, dict(call.kwargs)), move)
    weights = call.cotangents and tuple(weight if weight is None else move(weight) for weight in call.cotangents)
    build = call.build and replace(call.build, state={name: move(each) for name, each in call.build.state.items()})
    return replace(call, args=args, kwargs=kwargs, build=build, cotangents=weights, once=True) if floats else None
