"""Ways to break what every exercise promises, whatever it computes; this text is written below a right answer.

It is put into a student's module, so it uses nothing of the engine. `spoil` wraps a function or a class's methods.
"""

import functools
import inspect
from typing import Any

import numpy as np
import torch


def spoil(right: Any, around: Any) -> Any:
    """Return `right` with `around(made)` in place of each call.

    `made.given` holds the arguments, `made()` makes the call with what that holds then, `made.memory` is a dictionary
    that the function or the object keeps, `made.owner` the object or None.
    """
    if not isinstance(right, type):
        return _wrapped(right, around, lambda _: ({}, None), {})
    methods = {
        name: _wrapped(value, around, lambda args: (vars(args[0]).setdefault("_memory", {}), args[0]), None)
        for name, value in vars(right).items()
        if inspect.isfunction(value) and (name == "__call__" or not name.startswith("_"))
    }
    return type(right.__name__, (right,), {"__module__": right.__module__, **methods})


class _Made:
    """A call that is being made."""

    def __init__(self, function: Any, bound: Any, memory: Any, owner: Any) -> None:
        self.function, self.bound, self.memory, self.owner = function, bound, memory, owner
        self.given = bound.arguments

    def __call__(self) -> Any:
        return self.function(*self.bound.args, **self.bound.kwargs)


def _wrapped(function: Any, around: Any, state_of: Any, memory: Any) -> Any:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def spoilt(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        own, owner = (memory, None) if memory is not None else state_of(args)
        return around(_Made(function, bound, own, owner))

    return spoilt


def _wrong(value: Any) -> Any:
    """Return an answer of the same form with other numbers."""
    if isinstance(value, tuple | list) and value:
        return type(value)([_wrong(value[0]), *value[1:]])
    if isinstance(value, dict):
        return {key: _wrong(item) for key, item in value.items()}
    if isinstance(value, torch.Tensor):
        return ~value if value.dtype == torch.bool else value + 1
    if isinstance(value, np.ndarray):
        return ~value if value.dtype == bool else value + 1
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "."
    return value + 1 if isinstance(value, int | float) else value


def _form(value: Any) -> Any:
    """Return what equal shapes and equal other values share."""
    if isinstance(value, torch.Tensor | np.ndarray):
        return (str(value.dtype), tuple(value.shape), str(getattr(value, "device", "")))
    if isinstance(value, list | tuple):
        return tuple(map(_form, value))
    return repr(value)


def _is_float(value: Any) -> Any:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _wrong_where(holds: Any) -> Any:
    """Return a spoiler whose calls answer wrongly where `holds(made)`."""

    def around(made: Any) -> Any:
        answer = made()
        return _wrong(answer) if holds(made) else answer

    return lambda right: spoil(right, around)


def kept_by_shape() -> Any:
    """The answer is kept, and given again to arguments of the same shapes."""

    def around(made: Any) -> Any:
        key = "answer", tuple(_form(value) for name, value in made.given.items() if name != "self")
        if key not in made.memory:
            made.memory[key] = made()
        return made.memory[key]

    return lambda right: spoil(right, around)


def one_buffer() -> Any:
    """All answers of a form are one object, whose numbers each call writes anew."""

    def around(made: Any) -> Any:
        return _written(made.memory, made(), ())

    return lambda right: spoil(right, around)


def _written(memory: Any, value: Any, place: Any) -> Any:
    """Return the object that holds all values of this form at this place, with the value in it."""
    if isinstance(value, tuple):
        return tuple(_written(memory, item, (*place, number)) for number, item in enumerate(value))
    if not _has_memory(value):
        return value
    kept = memory.setdefault((place, type(value), "" if isinstance(value, list) else _form(value)), value)
    with torch.no_grad():
        kept[slice(None) if isinstance(value, list) else ...] = value
    return kept


def has_memory() -> Any:
    """It is wrong where an answer can be written to."""

    def around(made: Any) -> Any:
        answer = made()
        parts = answer if isinstance(answer, tuple) else [answer]
        return _wrong(answer) if any(map(_has_memory, parts)) else answer

    return lambda right: spoil(right, around)


def _has_memory(value: Any) -> Any:
    return isinstance(value, torch.Tensor | np.ndarray | list)


def gradient_left(name: str) -> Any:
    """It leaves a gradient in an argument."""

    def around(made: Any) -> Any:
        answer, value = made(), made.given.get(name)
        if _is_float(value) and value.is_leaf:
            value.grad = torch.ones_like(value)
        return answer

    return lambda right: spoil(right, around)


def first_kept(name: str) -> Any:
    """The object keeps the first value of an argument, and uses it for later ones of the same form."""

    def around(made: Any) -> Any:
        if name in made.given:
            value = made.given[name]
            made.given[name] = made.memory.setdefault((name, _form(value)), value)
        return made()

    return lambda right: spoil(right, around)


def last_kept(name: str) -> Any:
    """The object keeps an argument, and uses it in calls that leave it out."""

    def around(made: Any) -> Any:
        if name in made.given:
            if made.given[name] is None:
                made.given[name] = made.memory.get(name)
            else:
                made.memory[name] = made.given[name]
        return made()

    return lambda right: spoil(right, around)


def wrong_in(training: bool) -> Any:
    """It is wrong in training, or in evaluation."""
    return _wrong_where(lambda made: made.owner.training == training)


def half_lost() -> Any:
    """In half precision, the answer is in single precision."""

    def single(value: Any) -> Any:
        if isinstance(value, tuple | list):
            return type(value)(map(single, value))
        return value.float() if _is_float(value) and value.dtype == torch.bfloat16 else value

    def around(made: Any) -> Any:
        return single(made())

    return lambda right: spoil(right, around)


def without_gradient(name: str) -> Any:
    """No gradient reaches an argument."""

    def around(made: Any) -> Any:
        if _is_float(made.given.get(name)):
            made.given[name] = made.given[name].detach()
        return made()

    return lambda right: spoil(right, around)


def frozen(name: str) -> Any:
    """No gradient reaches a parameter of the object, or those of one of its parts."""

    def around(made: Any) -> Any:
        own = [value for key, value in made.owner.named_parameters() if f"{key}.".startswith(f"{name}.")]
        for each in own:
            each.requires_grad_(False)
        answer = made()
        for each in own:
            each.requires_grad_(True)
        return answer

    return lambda right: spoil(right, around)


def wrong_for_one(name: str, axis: int) -> Any:
    """It is wrong where an axis of an argument has size 1."""
    return _wrong_where(lambda made: _size(made.given.get(name), axis) == 1)


def has_axis(name: str, axis: int) -> Any:
    """It is wrong where an argument has an axis."""
    return _wrong_where(lambda made: _size(made.given.get(name), axis) > 0)


def _size(value: Any, axis: int) -> Any:
    shape = getattr(value, "shape", ())
    return shape[axis] if axis < len(shape) else 0


def wrong_for_first_zero(name: str) -> Any:
    """It is wrong where a row of ids begins with 0."""

    def holds(made: Any) -> Any:
        value = made.given.get(name)
        return _are_ids(value) and not value.is_meta and bool((value[..., 0] == 0).any())

    return _wrong_where(holds)


def has_ids(name: str) -> Any:
    """It is wrong where an argument holds ids."""
    return _wrong_where(lambda made: _are_ids(made.given.get(name)))


def _are_ids(value: Any) -> Any:
    return isinstance(value, torch.Tensor) and value.dtype == torch.int64 and value.dim() > 0 and value.numel() > 0


def has_float(name: str) -> Any:
    """It is wrong where an argument holds floats."""
    return _wrong_where(lambda made: _is_float(made.given.get(name)))


def is_given(name: str) -> Any:
    """It is wrong where an argument is given."""
    return _wrong_where(lambda made: made.given.get(name) is not None)


def has_half() -> Any:
    """It is wrong in half precision."""
    return _wrong_where(_halved)


def _halved(made: Any) -> Any:
    held = [*made.given.values(), *(made.owner.parameters() if isinstance(made.owner, torch.nn.Module) else ())]
    return any(_is_float(value) and value.dtype == torch.bfloat16 for value in held)


def has_part(name: str) -> Any:
    """It is wrong where the object holds a part with parameters."""
    return _wrong_where(lambda made: any(f"{key}.".startswith(f"{name}.") for key, _ in made.owner.named_parameters()))


def is_called() -> Any:
    """It is wrong at once."""
    return _wrong_where(lambda _: True)
