"""The object of a call: built, loaded with the parameters of the chapter, and looked at afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import torch

from autograder.calls.device_transfer import there
from autograder.calls.records import Build, copied
from autograder.calls.unfit import StateMismatchError
from autograder.internals.classes import without_first_parameters
from autograder.internals.modes import same_modes

Shape: TypeAlias = tuple[int, ...]
Groups: TypeAlias = dict[str, dict[str, Shape]]
"""Parameters by submodule: its name, then the names and shapes inside it."""

Renamed: TypeAlias = tuple[Sequence[str], Sequence[str]]
"""The student's names of equal groups, and the chapter's."""

FEW = 4
"""A message names this many parameters, and counts the others."""


@dataclass(frozen=True)
class Callee:
    """The callable of a call: a function, or a method of `owner`.

    `modes` and `learning` say of each module and parameter that `owner` had before the call whether it was in training
    mode, and whether it was not frozen.
    """

    function: Callable[..., Any]
    owner: Any = None
    modes: tuple[tuple[torch.nn.Module, bool], ...] = ()
    learning: Mapping[str, bool] = field(default_factory=dict)


def built(target: Callable[..., Any], build: Build | None) -> Callee:
    """Return the callable of a call of `target`; if it has a build, that of a new object with its state.

    No mode of torch that the object switches on outlives this.
    """
    if build is None:
        return Callee(target)
    with same_modes():
        owner = _made(target, build)
    modes = tuple((module, module.training) for module in _modules(owner))
    return Callee(getattr(owner, build.method) if build.method else owner, owner, modes, _learning(owner))


def _made(target: Callable[..., Any], build: Build) -> Any:
    """Return a new object with its state, which has answered the earlier calls."""
    with default_dtype(_dtype_to_build_in(build)), without_first_parameters() if build.state else nullcontext():
        owner = target(*build.args, **build.kwargs)
    if isinstance(owner, torch.nn.Module):
        if not build.state:
            there(owner)
        for method, training, args, kwargs, dtype in build.earlier:
            load(owner, _other_state(build, dtype))
            _ask(owner, method, training, args, kwargs)
        if build.state:
            load(owner, build.state)
        owner.train(build.training)
    return owner


def _other_state(build: Build, dtype: str) -> dict[str, torch.Tensor]:
    """Return other parameters of the same shapes, in `dtype` if one is named; also the products of two are others."""
    wanted: torch.dtype | None = getattr(torch, dtype, None) if dtype else None
    return {
        name: (1.5 * value.flatten().flip(0).reshape(value.shape)).to(wanted or value.dtype)
        if value.is_floating_point()
        else value
        for name, value in build.state.items()
    }


def _modules(owner: Any) -> Iterable[torch.nn.Module]:
    return owner.modules() if isinstance(owner, torch.nn.Module) else ()


def _learning(owner: Any) -> dict[str, bool]:
    """Return for each parameter whether it is not frozen."""
    named = owner.named_parameters() if isinstance(owner, torch.nn.Module) else ()
    return {name: parameter.requires_grad for name, parameter in named}


def _dtype_to_build_in(build: Build) -> torch.dtype | None:
    """Return the dtype of the state; float32 for half precision, in which not every initialiser of torch works."""
    dtype = next((value.dtype for value in build.state.values() if value.is_floating_point()), None)
    return torch.float32 if dtype in (torch.bfloat16, torch.float16) else dtype


def _ask(owner: torch.nn.Module, method: str, training: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Make a call whose answer does not count; what it leaves in the object may show in later ones.

    The object has other parameters then, so that what was computed from them shows too.
    """
    owner.train(training)
    args, kwargs = copied((args, kwargs), torch.clone, lambda part: there(part.make()))
    with suppress(Exception), torch.enable_grad():  # an error shows in a call that counts
        (getattr(owner, method) if method else owner)(*args, **kwargs)


def changed_in(made: Callee, build: Build | None) -> tuple[str, ...]:
    """Return what the call changed of the object: entries of its state, its mode, and which parameters learn.

    What the call adds to the object, such as a layer or a buffer, changes nothing that was there.
    """
    owner = made.owner
    if build is None or not isinstance(owner, torch.nn.Module):
        return ()
    now = owner.state_dict()
    kept = {
        name for name, value in build.state.items() if name in now and (value.is_meta or torch.equal(now[name], value))
    }
    found = [name for name in build.state if name not in kept]
    now_learning = _learning(owner)
    if any(module.training != before for module, before in made.modes):
        found.append("its mode (training or evaluation)")
    if any(now_learning.get(name) != before for name, before in made.learning.items()):
        found.append("which of its parameters learn")
    return tuple(found)


@contextmanager
def default_dtype(dtype: torch.dtype | None) -> Iterator[None]:
    """Set torch's default dtype; None leaves it."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype or before)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def load(module: torch.nn.Module, state: Mapping[str, torch.Tensor]) -> None:
    """Load a state into a module, which also gets its dtype and device.

    Raises:
        StateMismatchError: the module has other parameters.
    """
    floats = [value for value in state.values() if value.is_floating_point()]
    own_names = [name for name, _ in module.named_parameters()]  # before it moves: on meta, tied parameters become two
    if floats and not _is_in_place(module, floats[0]):
        module.to(device=floats[0].device, dtype=floats[0].dtype)
    own = module.state_dict(keep_vars=True)
    wanted, present = (
        {name: tuple(value.shape) for name, value in each.items() if isinstance(value, torch.Tensor)}
        for each in (state, own)
    )
    if trouble := mismatch(wanted, present, own_names):
        raise StateMismatchError(f"the parameters differ from those of the chapter: {trouble}")
    with torch.no_grad():
        for name, value in state.items():
            own[name].copy_(value)


def _is_in_place(module: torch.nn.Module, like: torch.Tensor) -> bool:
    """Return whether all numbers of a module have the dtype and device of `like`."""
    own = [*module.parameters(), *module.buffers()]
    stays = [each.dtype == like.dtype or not (each.is_floating_point() or each.is_complex()) for each in own]
    return all(stays) and all(each.device == like.device for each in own)


def mismatch(wanted: Mapping[str, Shape], own: Mapping[str, Shape], learned: Iterable[str]) -> str:
    """Return which parameters have a wrong name or shape, are missing or too many; "" if they match.

    Args:
        own: the shapes in the module's state; `learned` are the names of its parameters.
    """
    if wanted == own:
        return ""
    missing = _groups({name: shape for name, shape in wanted.items() if name not in own}, own)
    extra = _groups({name: own.get(name, ()) for name in learned if name not in wanted}, wanted)
    renamed = _renamed(missing, extra)
    known = {name for pair in renamed for names in pair for name in names}
    shapes = [
        f"{name} has shape {own[name]} instead of {shape}"
        for name, shape in wanted.items()
        if name in own and own[name] != shape
    ]
    found = [_other_names(renamed), _lone(missing, known, "is missing", "are missing")]
    found += [_lone(extra, known, "is not one of them", "are not among them"), _few(shapes)]
    return "; ".join(filter(None, found))


def _groups(names: Mapping[str, Shape], others: Iterable[str]) -> Groups:
    """Group `names` under their shortest beginnings that none of `others` has."""
    taken = {beginning for name in others for beginning in _beginnings(name)}
    found: Groups = {}
    for name, shape in names.items():
        top = next((each for each in _beginnings(name) if each not in taken), name)
        found.setdefault(top, {})[name.removeprefix(top)] = shape
    return found


def _beginnings(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _renamed(missing: Groups, extra: Groups) -> list[Renamed]:
    """Return the names, the student's and the chapter's, of equal groups at one place, if there are as many of each.

    Numbers are not renamed: they come from the position in a list.
    """
    equal: dict[object, tuple[list[str], list[str]]] = {}
    for side, groups in enumerate((extra, missing)):
        for top, inner in groups.items():
            place, _, name = top.rpartition(".")
            if not name.isdigit():
                equal.setdefault((place, frozenset(inner.items())), ([], []))[side].append(top)
    return [(mine, theirs) for mine, theirs in equal.values() if len(mine) == len(theirs)]


def _other_names(renamed: Iterable[Renamed]) -> str:
    """Describe each renaming once, however many blocks need it; names of several equal groups stand together."""
    once: dict[Renamed, list[Renamed]] = {}
    for pair in renamed:
        mine, theirs = (tuple(re.sub(r"(?<![^.])\d+(?=\.)", "*", name) for name in names) for names in pair)
        once.setdefault((mine, theirs), []).append(pair)
    pairs = [same[0] if len(same) == 1 else starred for starred, same in once.items()]
    single = [(mine[0], theirs[0]) for mine, theirs in pairs if len(mine) == 1]
    renames = [f"`{mine}`{' ' if number else ' should be called '}`{his}`" for number, (mine, his) in enumerate(single)]
    several = [f"instead of {_quoted(mine)} there should be {_quoted(theirs)}" for mine, theirs in pairs if mine[1:]]
    return "; ".join(filter(None, [_few(renames, ", and "), *several]))


def _quoted(names: Iterable[str]) -> str:
    return _few([f"`{name}`" for name in names])


def _lone(groups: Groups, known: set[str], one: str, several: str) -> str:
    """Name the groups that are not `known`; a group of one parameter by that parameter."""
    names = [
        f"{top}.*" if len(inner) > 1 else top + next(iter(inner)) for top, inner in groups.items() if top not in known
    ]
    return f"{_few(names)} {several if names[1:] else one}" if names else ""


def _few(texts: Sequence[str], last: str = " and ") -> str:
    """Join the first few texts, and count the rest."""
    more = len(texts) - FEW
    named = [*texts[:FEW], f"{more} more"] if more > 1 else [*texts]
    return last.join(filter(None, [", ".join(named[:-1]), *named[-1:]]))
