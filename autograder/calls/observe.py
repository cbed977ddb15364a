"""Call a student's function or class and record what it shows, as data.

The same code observes the student's answer (in the student's process), the reference and the known mistakes (in the
judge's), so that two observations can be compared field by field. It knows no right answer and gives no verdict.
"""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch

from autograder.calls.as_data import as_data, state_of
from autograder.calls.built import Callee, built, changed_in, default_dtype
from autograder.calls.device_transfer import all_home, carried, home, one_device, seed_there, there
from autograder.calls.raised import describe
from autograder.calls.records import (
    Absent,
    Call,
    Data,
    Observation,
    Part,
    Raised,
    copied,
    identical,
    leaves,
    matches,
    tensors,
)
from autograder.calls.side_effects import (
    EARLIER_ANSWER,
    KEPT_FOR_AN_OBJECT,
    MODES_LEFT_ON,
    ask_with_other_numbers,
    gradients_left,
    other_calls,
    shares_memory,
)
from autograder.calls.unfit import NoPairError
from autograder.internals.forbid import codes_of, forbid
from autograder.internals.modes import same_modes

PLAIN = (bool, int, float, complex, str, bytes)
"""Values without parts."""
SURE = 12
"""So many answers that are equal are so for a reason, even if each is one of two."""

GRADIENTS_LEFT_OFF = "whether torch records gradients"


class Returned(NamedTuple):
    """What a call returned: the object itself, as data, whether torch still recorded gradients, and had a new mode."""

    itself: Any
    data: Data
    records_gradients: bool
    leaves_modes_on: bool


def observe(namespace: Mapping[str, Any], call: Call, on_repeat: Callable[[], None] = lambda: None) -> Observation:
    """Make `call` on what `namespace` defines: plainly, and after `on_repeat` again, for gradients or to compare."""
    call = carried(call)
    target = namespace.get(call.name)
    if not callable(target):
        found = "nothing" if target is None else f"a value of type {type(target).__name__}"
        return Observation(result=Absent(found))
    with defaults(call), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # their lines would be those of the engine, or of a known mistake
        made = attempt(lambda: built(target, call.build))
        seen = made if isinstance(made, Raised) else attempt(lambda: _first(target, call, made))
        if isinstance(seen, Raised):
            return Observation(result=seen)
        first, answer = seen
        if _has_no_data(first.result) or (call.once and call.cotangents is None):
            again, gradients = first.result, None
        else:
            on_repeat()
            # The same object is asked again, unless the first call has changed it.
            made = None if first.changed else made
            again, gradients, overwrites = _repeat(target, call, made, answer)
            if overwrites:
                first = replace(first, changed=(*first.changed, EARLIER_ANSWER))
            if identical(first.result, again):
                again = first.result
                if not (first.changed or call.turns or call.cotangents is not None):
                    on_repeat()
                    first = replace(first, changed=(KEPT_FOR_AN_OBJECT,) * _keeps_for_an_object(target, call, again))
    observed: Observation = replace(first, again=again, gradients=gradients)
    return observed


def _has_no_data(result: Data) -> bool:
    leaves = list(tensors(result))
    return bool(leaves) and all(leaf.is_meta for leaf in leaves)


@contextmanager
def defaults(call: Call) -> Iterator[None]:
    """Set torch's defaults to those of the call, and the seeds before its object is built."""
    if call.build:
        _seed(call)
    with torch.device(call.device) if call.device else nullcontext(), default_dtype(call.dtype):
        yield


def _seed(call: Call) -> None:
    seed_there(call.seed)
    random.seed(call.seed)
    np.random.seed(call.seed % 2**32)


def _first(target: Callable[..., Any], call: Call, made: Callee) -> tuple[Observation, Any]:
    """Make the call, with random numbers that do not depend on how the object was built; return its answer as well."""
    _seed(call)
    args, kwargs = _fresh(call, requires_grad=False)
    given = (*args, *kwargs.values())
    modes = [value.training if isinstance(value, torch.nn.Module) else None for value in given]
    if call.build and call.build.earlier:
        ask_with_other_numbers(made, args, kwargs, records=True)
        _seed(call)
    answer = _called(target, call, made, args, kwargs)
    after = tuple(_after(value, mode) for value, mode in zip(given, modes, strict=True))
    changed = (*_overwritten(call, after), *changed_in(made, call.build), *gradients_left(given, made))
    changed = changed if answer.records_gradients else (GRADIENTS_LEFT_OFF,)
    changed = (MODES_LEFT_ON,) if answer.leaves_modes_on else changed
    return Observation(answer.data, arguments=after, changed=changed), answer.itself


def plain_result(target: Callable[..., Any], call: Call, made: Callee) -> Data:
    """Return the result of the call alone, with the random numbers of `_first`."""
    _seed(call)
    return _answered(target, call, made).data


def _answered(target: Callable[..., Any], call: Call, made: Callee | None, *, records: bool = True) -> Returned:
    """Return the answer to the call alone, whatever it changes; of a new object, if none is `made`."""
    fresh = _fresh(call, requires_grad=False)
    return _called(target, call, made or built(target, call.build), *fresh, records=records)


def _called(
    target: Callable[..., Any],
    call: Call,
    made: Callee,
    args: tuple[Data, ...],
    kwargs: dict[str, Data],
    *,
    records: bool = True,
) -> Returned:
    with (
        torch.set_grad_enabled(records),
        forbid(call.forbidden, codes_of(target, call.welcome)),
        one_device(args, kwargs),
    ):
        with same_modes() as left:
            answer = _answer(made.function, args, kwargs, call.turns)
        data = as_data(answer)  # which may run more of the student's code
        return Returned(answer, data, torch.is_grad_enabled(), left.found)


def _overwritten(call: Call, after: Sequence[Data]) -> Iterator[str]:
    """Yield the arguments whose numbers the call changed, however little. Modules and other objects do not count."""
    for index, (before, now) in enumerate(zip(all_home((*call.args, *call.kwargs.values())), after, strict=True)):
        kept = matches(before, now, _has_the_same_numbers) or any(isinstance(leaf, Part) for leaf in leaves(before))
        if not kept:
            yield f"argument {index}"


def _has_the_same_numbers(before: Data, now: Data) -> bool:
    """Return whether two leaves of one type hold the same; objects that are no data always do."""
    if isinstance(before, torch.Tensor):
        same = before.is_meta or torch.equal(before, now)
        return same or torch.equal(before.nan_to_num(), now.nan_to_num())
    if isinstance(before, np.ndarray):
        return bool(before.tobytes() == now.tobytes())
    return not isinstance(before, PLAIN) or bool(before == now or before != before)


def _answer(function: Callable[..., Any], args: Any, kwargs: Mapping[str, Any], turns: tuple[int, ...]) -> Any:
    """Return the answer of `function`; for a call in turns, the list of first halves."""
    if not turns:
        return function(*args, **kwargs)
    pairs: list[tuple[Any, Any]] = []
    for own, before in zip(args, turns, strict=True):
        answer = function(*own, *([pairs[before][1]] if before >= 0 else []), **kwargs)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise NoPairError("it should return a pair, and the second half is handed on to the next call")
        pairs.append((answer[0], answer[1]))
    return [first for first, _ in pairs]


def _repeat(
    target: Callable[..., Any], call: Call, made: Callee | None, answer: Any
) -> tuple[Data, Mapping[str, Any] | Raised | None, bool]:
    """Return the second answer, the gradients, and whether a later call writes into the first `answer`."""
    if call.cotangents is None:
        second = attempt(lambda: _answered(target, call, made))
        if isinstance(second, Raised):
            return second, None, False
        shared = shares_memory(answer, second.itself) and _overwrites(target, call, made, answer)
        return second.data, None, shared
    seen = attempt(lambda: _with_gradients(target, call, made))
    if isinstance(seen, Raised):
        return None, seen, False
    again, gradients = seen
    return again, gradients, False


def _keeps_for_an_object(target: Callable[..., Any], call: Call, answer: Data) -> bool:
    """Return whether the answer is another one after a call with the same objects of the caller.

    These hold other numbers in that call, and so do the parameters of the new object that is asked. No gradients are
    recorded, unless the call needs them: what is kept may be kept then only.
    """
    given: list[Any] = []  # they stay alive, so that no later object has the address of one of them
    records = False

    def later() -> Data:
        _seed(call)
        made, (args, kwargs) = built(target, call.build), _fresh(call, requires_grad=False)
        given.append((args, kwargs))
        ask_with_other_numbers(made, *_with_new_parts(call, args, kwargs), records=records)
        _seed(call)
        return _called(target, call, made, args, kwargs, records=records).data

    def plain() -> Data:
        return _answered(target, call, None, records=records).data

    seen = attempt(later)
    if isinstance(seen, Raised):
        records = True
        seen = attempt(later)
    if matches(answer, seen, _is_near):
        return False
    # Random answers of a few numbers may be equal twice by chance, with random numbers of their own.
    same = all(matches(answer, attempt(plain), _is_near) for _ in range(SURE))
    return same and all(matches(seen, attempt(later), _is_near) for _ in range(SURE // 2))


def _with_new_parts(
    call: Call, args: tuple[Data, ...], kwargs: Mapping[str, Data]
) -> tuple[tuple[Data, ...], dict[str, Data]]:
    """Return the same arguments, but new ones for modules, optimizers and streams: a call may exist to change these."""
    new, new_by_name = _fresh(call, requires_grad=False)

    def stay(given: Data) -> bool:
        return not any(isinstance(leaf, Part) for leaf in leaves(given))

    kept = tuple(own if stay(given) else other for given, own, other in zip(call.args, args, new, strict=True))
    return kept, {name: kwargs[name] if stay(given) else new_by_name[name] for name, given in call.kwargs.items()}


def _is_near(one: Data, other: Data) -> bool:
    """Return whether two leaves of one type hold the same but for rounding."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-3, abs_tol=1e-6) or (one != one and other != other)
    if isinstance(one, np.ndarray) and one.dtype.kind in "fc":
        return one.shape == other.shape and np.allclose(one, other, rtol=1e-3, atol=1e-6, equal_nan=True)
    if isinstance(one, torch.Tensor) and (one.is_floating_point() or one.is_complex()) and one.shape == other.shape:
        return torch.allclose(one, other.to(one), rtol=1e-3, atol=1e-6, equal_nan=True)
    return _has_the_same_numbers(one, other)


def _overwrites(target: Callable[..., Any], call: Call, made: Callee | None, answer: Any) -> bool:
    """Return whether a call with other numbers changes an answer that was given before."""
    before = as_data(answer)
    for other in other_calls(call):
        attempt(partial(_answered, target, other, made))
        if not matches(before, as_data(answer), _has_the_same_numbers):
            return True
    return False


def _with_gradients(
    target: Callable[..., Any], call: Call, made: Callee | None
) -> tuple[Data, dict[str, torch.Tensor | None]]:
    assert call.cotangents is not None
    args, kwargs = _fresh(call, requires_grad=True)
    leaves = dict(_tensors_by_name((*args, *kwargs.values())))
    sources = {name: leaf for name, leaf in leaves.items() if leaf.requires_grad}
    # The function gets copies, because it may change them in place, which the first call notices.
    handed = copied((args, kwargs), torch.clone, _make)
    made = made or built(target, call.build)
    frozen: dict[str, torch.Tensor | None] = {}
    if isinstance(made.owner, torch.nn.Module):
        own = {f"parameter {name}": value for name, value in made.owner.named_parameters()}
        sources.update({name: value for name, value in own.items() if value.requires_grad})
        frozen = dict.fromkeys(name for name in own if name not in sources)
    with ExitStack() as watched:
        watched.enter_context(forbid(call.forbidden, codes_of(target, call.welcome)))
        with torch.enable_grad(), one_device(args, kwargs), same_modes():
            result = _answer(made.function, handed[0], handed[1], call.turns)
        if call.welcome:  # the backward pass cannot tell kernels of a welcome function from others
            watched.close()
        pairs = zip(tensors(result), call.cotangents, strict=False)
        wanted = [(leaf, weight) for leaf, weight in pairs if weight is not None and leaf.requires_grad]
        if not wanted:
            return as_data(result), dict.fromkeys([*sources, *frozen])
        gradients = torch.autograd.grad(
            [leaf for leaf, _ in wanted],
            list(sources.values()),
            [weight for _, weight in wanted],
            allow_unused=True,
        )
        return as_data(result), dict(zip(sources, map(_dense, gradients), strict=True)) | frozen


def _dense(gradient: torch.Tensor | None) -> torch.Tensor | None:
    """Return a gradient as a dense tensor on the CPU: an embedding's may be sparse."""
    return None if gradient is None else home(gradient if gradient.layout is torch.strided else gradient.to_dense())


def attempt(action: Callable[[], Any]) -> Any:
    """Return what `action` returns, or a `Raised` that says what it raised."""
    try:
        return action()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: it is an answer like any other
        return describe(error)


def _fresh(call: Call, *, requires_grad: bool) -> tuple[tuple[Data, ...], dict[str, Data]]:
    """Return copies of the arguments; one object passed twice stays one object."""

    def leaf(tensor: torch.Tensor) -> torch.Tensor:
        copy = tensor.detach().clone()
        return copy.requires_grad_(requires_grad and copy.is_floating_point())

    args, kwargs = copied((tuple(call.args), dict(call.kwargs)), leaf, _make)
    return args, kwargs


def _make(part: Part) -> Any:
    return there(part.make())


def _tensors_by_name(values: tuple[Data, ...]) -> Iterator[tuple[str, torch.Tensor]]:
    for index, value in enumerate(values):
        for inner, leaf in enumerate(tensors(value)):
            yield (f"argument {index}" if inner == 0 else f"argument {index}.{inner}"), leaf


def _after(value: Any, mode: bool | None) -> Data:
    """Return an argument after the call; for a module, its state and whether it kept its `mode`."""
    if not isinstance(value, torch.nn.Module):
        return as_data(value)
    now = "training" if value.training else "evaluation"
    return {"mode": "kept" if value.training == mode else now, **state_of(value)}
