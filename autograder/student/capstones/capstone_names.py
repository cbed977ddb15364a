"""The names of the capstones, without loading them and torch: a typo is told at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.core import reading
from autograder.core.errors import UsageError
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.course.folders import require_copy

_NAMED = re.compile(r'^    name = "([\w-]+)"', re.MULTILINE)


def require_known(course: Course, name: str) -> None:
    """Refuse what is no working copy, and a name that begins no name of a capstone; "" stands for all.

    Raises:
        UsageError: it is refused.
    """
    require_copy(course)
    files = sorted((course.home / "reference" / "capstones").glob("*.py"))
    names = [found for path in files for found in _NAMED.findall(reading.text(path))]
    if name and names:
        one_named(names, name)


def one_named(names: Sequence[str], name: str) -> str:
    """Return the one of `names` that begins with `name`.

    Raises:
        UsageError: none does, or more than one.
    """
    near = [each for each in names if name and each.startswith(name.lower())]
    if len(near) > 1:
        raise UsageError(f"'{name}' could be {join_names(near, last='or')}; give one more letter or two")
    if not near:
        raise UsageError(f"there is no capstone '{name}'; there is {join_names(names, limit=12, last='and')}")
    return near[0]
