"""The chapter's parameters put into a student's module, or how its own differ, in words; it runs in the worker too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import torch

Shape: TypeAlias = tuple[int, ...]
Groups: TypeAlias = dict[str, dict[str, Shape]]
"""Parameters by the submodule in which they are: its name to what is inside, by name and shape."""

Renamed: TypeAlias = tuple[Sequence[str], Sequence[str]]
"""The student's names of groups, and the chapter's."""

FEW = 4


class StateMismatchError(Exception):
    """The class's parameters are not those the chapter names."""


def load(module: torch.nn.Module, state: Mapping[str, torch.Tensor]) -> None:
    """Put a state into a module, with its dtype and device.

    Raises:
        StateMismatchError: they have other parameters.
    """
    floats = [value for value in state.values() if value.is_floating_point()]
    own_names = [name for name, _ in module.named_parameters()]  # before it moves: on meta, tied ones part company
    if floats:
        module.to(device=floats[0].device, dtype=floats[0].dtype)
    own = module.state_dict(keep_vars=True)
    wanted, there = (
        {name: tuple(value.shape) for name, value in each.items() if isinstance(value, torch.Tensor)}
        for each in (state, own)
    )
    if trouble := mismatch(wanted, there, own_names):
        raise StateMismatchError(f"the parameters differ from those of the chapter: {trouble}")
    with torch.no_grad():
        for name, value in state.items():
            own[name].copy_(value)


def mismatch(wanted: Mapping[str, Shape], own: Mapping[str, Shape], learned: Iterable[str]) -> str:
    """What should be called otherwise, what is missing or too much, what has another shape; "" if all is as it should.

    Args:
        own: all that the module's state has; `learned` are the names of its parameters.
    """
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
    """`names`, each under the shortest beginning that none of `others` has."""
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
    """The student's names and the chapter's, of groups that are alike, as many of the one as of the other.

    They stand at the same place, and are no numbers: what has a number was given it by where it stands.
    """
    alike: dict[object, tuple[list[str], list[str]]] = {}
    for side, groups in enumerate((extra, missing)):
        for top, inner in groups.items():
            place, _, name = top.rpartition(".")
            if not name.isdigit():
                alike.setdefault((place, frozenset(inner.items())), ([], []))[side].append(top)
    return [(mine, theirs) for mine, theirs in alike.values() if len(mine) == len(theirs)]


def _other_names(renamed: Iterable[Renamed]) -> str:
    """Each change of names once, however many blocks need it; of several groups that look alike all names together."""
    once: dict[Renamed, list[Renamed]] = {}
    for pair in renamed:
        mine, theirs = (tuple(re.sub(r"(?<![^.])\d+(?=\.)", "*", name) for name in names) for names in pair)
        once.setdefault((mine, theirs), []).append(pair)
    pairs = [same[0] if len(same) == 1 else starred for starred, same in once.items()]
    single = [(mine[0], theirs[0]) for mine, theirs in pairs if len(mine) == 1]
    said = [f"`{mine}`{' ' if number else ' should be called '}`{his}`" for number, (mine, his) in enumerate(single)]
    several = [f"instead of {_quoted(mine)} there should be {_quoted(theirs)}" for mine, theirs in pairs if mine[1:]]
    return "; ".join(filter(None, [_few(said, ", and "), *several]))


def _quoted(names: Iterable[str]) -> str:
    return _few([f"`{name}`" for name in names])


def _lone(groups: Groups, known: set[str], one: str, several: str) -> str:
    """Groups that are not `known`, by name; one of a single parameter by that."""
    names = [
        f"{top}.*" if len(inner) > 1 else top + next(iter(inner)) for top, inner in groups.items() if top not in known
    ]
    return f"{_few(names)} {several if names[1:] else one}" if names else ""


def _few(texts: Sequence[str], last: str = " and ") -> str:
    """The first of them in a row, and how many more there are."""
    more = len(texts) - FEW
    shown = [*texts[:FEW], f"{more} more"] if more > 1 else [*texts]
    return last.join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
