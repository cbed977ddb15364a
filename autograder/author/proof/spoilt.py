"""Ways to break what every exercise promises, whatever it computes; this text is written below a right answer.

It is given to a student's module, so it uses nothing of the engine. `spoil` wraps a function, or the methods of a class.
"""

import functools
import inspect

import numpy as np
import torch


def spoil(right, around):
    """Return `right` with `around(bound, call, memory, owner)` in place of each call.

    `bound` holds the arguments, `call` makes the call with what `bound` holds then, `memory` is a dictionary that the
    function or the object keeps, `owner` the object or None.
    """
    if not isinstance(right, type):
        return _wrapped(right, around, lambda _: ({}, None), {})
    methods = {
        name: _wrapped(value, around, lambda args: (vars(args[0]).setdefault("_memory", {}), args[0]), None)
        for name, value in vars(right).items()
        if inspect.isfunction(value) and (name == "__call__" or not name.startswith("_"))
    }
    return type(right.__name__, (right,), {"__module__": right.__module__, **methods})


def _wrapped(function, around, state_of, memory):
    signature = inspect.signature(function)

    @functools.wraps(function)
    def spoilt(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        own, owner = (memory, None) if memory is not None else state_of(args)
        return around(bound, lambda: function(*bound.args, **bound.kwargs), own, owner)

    return spoilt


def _wrong(value):
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


def _form(value):
    """Return what equal shapes and equal other values share."""
    if isinstance(value, torch.Tensor | np.ndarray):
        return (str(value.dtype), tuple(value.shape), str(getattr(value, "device", "")))
    if isinstance(value, list | tuple):
        return tuple(map(_form, value))
    return repr(value)


def _is_float(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _wrong_where(holds):
    """Return a spoiler whose calls answer wrongly where `holds(bound, owner)`."""

    def around(bound, call, memory, owner):
        answer = call()
        return _wrong(answer) if holds(bound, owner) else answer

    return lambda right: spoil(right, around)


def kept_by_shape():
    """The answer is kept, and given again to arguments of the same shapes."""

    def around(bound, call, memory, owner):
        key = "answer", tuple(_form(value) for name, value in bound.arguments.items() if name != "self")
        if key not in memory:
            memory[key] = call()
        return memory[key]

    return lambda right: spoil(right, around)


def first_kept(name):
    """The object keeps the first value of an argument, and uses it for later ones of the same form."""

    def around(bound, call, memory, owner):
        if name in bound.arguments:
            value = bound.arguments[name]
            bound.arguments[name] = memory.setdefault((name, _form(value)), value)
        return call()

    return lambda right: spoil(right, around)


def last_kept(name):
    """The object keeps an argument, and uses it in calls that leave it out."""

    def around(bound, call, memory, owner):
        if name in bound.arguments:
            if bound.arguments[name] is None:
                bound.arguments[name] = memory.get(name)
            else:
                memory[name] = bound.arguments[name]
        return call()

    return lambda right: spoil(right, around)


def wrong_in(training):
    """It is wrong in training, or in evaluation."""
    return _wrong_where(lambda bound, owner: owner.training == training)


def half_lost():
    """In half precision, the answer is in single precision."""

    def single(value):
        if isinstance(value, tuple | list):
            return type(value)(map(single, value))
        return value.float() if _is_float(value) and value.dtype == torch.bfloat16 else value

    def around(bound, call, memory, owner):
        return single(call())

    return lambda right: spoil(right, around)


def without_gradient(name):
    """No gradient reaches an argument."""

    def around(bound, call, memory, owner):
        if _is_float(bound.arguments.get(name)):
            bound.arguments[name] = bound.arguments[name].detach()
        return call()

    return lambda right: spoil(right, around)


def frozen(name):
    """No gradient reaches a parameter of the object, or those of one of its parts."""

    def around(bound, call, memory, owner):
        own = [value for key, value in owner.named_parameters() if f"{key}.".startswith(f"{name}.")]
        for each in own:
            each.requires_grad_(False)
        answer = call()
        for each in own:
            each.requires_grad_(True)
        return answer

    return lambda right: spoil(right, around)


def wrong_for_one(name, axis):
    """It is wrong where an axis of an argument has size 1."""
    return _wrong_where(lambda bound, _: _size(bound.arguments.get(name), axis) == 1)


def has_axis(name, axis):
    """It is wrong where an argument has an axis."""
    return _wrong_where(lambda bound, _: _size(bound.arguments.get(name), axis) > 0)


def _size(value, axis):
    shape = getattr(value, "shape", ())
    return shape[axis] if axis < len(shape) else 0


def wrong_for_first_zero(name):
    """It is wrong where a row of ids begins with 0."""

    def holds(bound, _):
        value = bound.arguments.get(name)
        return _are_ids(value) and not value.is_meta and bool((value[..., 0] == 0).any())

    return _wrong_where(holds)


def has_ids(name):
    """It is wrong where an argument holds ids."""
    return _wrong_where(lambda bound, _: _are_ids(bound.arguments.get(name)))


def _are_ids(value):
    return isinstance(value, torch.Tensor) and value.dtype == torch.int64 and value.dim() > 0 and value.numel() > 0


def has_float(name):
    """It is wrong where an argument holds floats."""
    return _wrong_where(lambda bound, _: _is_float(bound.arguments.get(name)))


def is_given(name):
    """It is wrong where an argument is given."""
    return _wrong_where(lambda bound, _: bound.arguments.get(name) is not None)


def has_half():
    """It is wrong in half precision."""
    return _wrong_where(_halved)


def _halved(bound, owner):
    held = [*bound.arguments.values(), *(owner.parameters() if isinstance(owner, torch.nn.Module) else ())]
    return any(_is_float(value) and value.dtype == torch.bfloat16 for value in held)


def has_part(name):
    """It is wrong where the object holds a part with parameters."""
    return _wrong_where(lambda _, owner: any(f"{key}.".startswith(f"{name}.") for key, _ in owner.named_parameters()))


def is_called():
    """It is wrong at once."""
    return _wrong_where(lambda *_: True)
