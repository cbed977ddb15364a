"""The object of a call: built, given its state, and looked at afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch

from autograder.calls.as_data import learning_of
from autograder.calls.device_transfer import there
from autograder.calls.parameters import load
from autograder.calls.records import Build
from autograder.internals.classes import without_first_parameters


@dataclass(frozen=True)
class Callee:
    """The callable of a call: a function, or a method of `owner`, whose unfrozen parameters are `learning`."""

    function: Callable[..., Any]
    owner: Any = None
    learning: tuple[str, ...] = ()


def built(target: Callable[..., Any], build: Build | None) -> Callee:
    """Return the callable of a call of `target`; if it has a build, that of a new object with its state."""
    if build is None:
        return Callee(target)
    dtype = next((value.dtype for value in build.state.values() if value.is_floating_point()), None)
    with default_dtype(dtype), without_first_parameters() if build.state else nullcontext():
        owner = target(*build.args, **build.kwargs)
    if isinstance(owner, torch.nn.Module):
        if build.state:
            load(owner, build.state)
        else:
            there(owner)
        owner.train(build.training)
    return Callee(getattr(owner, build.method) if build.method else owner, owner, learning_of(owner))


def changed_in(made: Callee, build: Build | None) -> tuple[str, ...]:
    """Return what the call changed of the object: entries of its state, its mode, and which parameters learn."""
    owner = made.owner
    if build is None or not isinstance(owner, torch.nn.Module):
        return ()
    now = owner.state_dict()
    kept = {
        name for name, value in build.state.items() if name in now and (value.is_meta or torch.equal(now[name], value))
    }
    found = [name for name in build.state if name not in kept]
    modes = {module.training for module in owner.modules()}
    mode = [] if modes == {build.training} else ["its mode (training or evaluation)"]
    frozen = [] if set(learning_of(owner)) == set(made.learning) else ["which of its parameters learn"]
    return (*found, *mode, *frozen)


@contextmanager
def default_dtype(dtype: torch.dtype | None) -> Iterator[None]:
    """Set torch's default dtype; None leaves it."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype or before)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
