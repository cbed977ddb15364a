"""The walk over `Data`: leaves in lists, tuples and dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, TypeAlias

Seen: TypeAlias = dict[int, tuple[Any, Any]]
"""By id, each object of a walk and its copy; the object is kept so that no other one can get its id."""


def leaves(value: Any) -> Iterator[Any]:
    """Yield every leaf of `value`, in order."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    else:
        yield value


def mapped(value: Any, change: Callable[[Any], Any], seen: Seen | None = None) -> Any:
    """Return `value` in new containers, with `change` applied to each leaf; one object passed twice stays one.

    But for strings: only Python decides which equal ones are one object.

    Args:
        seen: what earlier walks met, where objects may be shared between walks.
    """
    seen = {} if seen is None else seen
    if id(value) in seen:
        return seen[id(value)][1]
    made: Any
    if isinstance(value, list | tuple):
        made = type(value)(mapped(item, change, seen) for item in value)
    elif isinstance(value, dict):
        made = {key: mapped(item, change, seen) for key, item in value.items()}
    else:
        made = change(value)
    if type(value) is not str:
        seen[id(value)] = value, made
    return made


def matches(first: Any, second: Any, same: Callable[[Any, Any], bool]) -> bool:
    """Return whether two values have the same structure, and leaves of the same types for which `same` holds."""
    if isinstance(first, list | tuple):
        same_form = isinstance(second, list if isinstance(first, list) else tuple) and len(first) == len(second)
        return same_form and all(map(matches, first, second, repeat(same)))
    if isinstance(first, dict):
        same_form = isinstance(second, dict) and [*first] == [*second]
        return same_form and all(map(matches, first.values(), second.values(), repeat(same)))
    return type(first) is type(second) and same(first, second)
