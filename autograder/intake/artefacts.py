"""Trained models that are handed in with a chapter: the ones its suite asks for, and their files."""

from __future__ import annotations

import ast
import contextlib
import json
import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from autograder.core.errors import UsageError
from autograder.core.reading import contents, text
from autograder.core.text import one_line
from autograder.course.course import Course
from autograder.intake.archive import READ_LIMIT, Found, UnreadableError, unread
from autograder.intake.misnamed import copies

SUFFIX = ".safetensors"
FOLDER = "capstones"
METADATA = "__metadata__"
_NAMED = re.compile(r"^ARTEFACTS = (\{.*?\})$", re.MULTILINE | re.DOTALL)


def asked_for(suite: Path) -> dict[str, str]:
    """Return the trained models that a suite asks for, by the exercises that build them: its `ARTEFACTS`.

    Raises:
        UsageError: `ARTEFACTS` is not a dictionary of names.
    """
    return _read(suite.name, text(suite))


@lru_cache(maxsize=64)
def _read(name: str, text: str) -> dict[str, str]:
    found = _NAMED.search(text)
    if found is None:
        return {}
    try:
        pairs = ast.literal_eval(found[1])
    except (SyntaxError, ValueError):
        pairs = {"": ""}
    if not all(isinstance(each, str) and each.isidentifier() for pair in pairs.items() for each in pair):
        raise UsageError(f'{name}: write ARTEFACTS = {{"EXERCISE": "MODEL", ...}}, with names')
    return dict(pairs)


def numbers_digest(data: bytes) -> bytes:
    """Return a digest of the tensors in a file of safetensors, whatever else its header says; of all bytes of another.

    Equal tensors under equal names have one digest, in whatever order the file has them.
    """
    end = 8 + int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8:end])
        numbers = memoryview(data)[end:]
        tensors = {
            name: (each["dtype"], each["shape"], sha256(numbers[slice(*each["data_offsets"])]).digest())
            for name, each in header.items()
            if name != METADATA
        }
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return sha256(data).digest()
    return sha256(repr(sorted(tensors.items())).encode("utf-8", "backslashreplace")).digest()


def handed_in(suite: Path, files: Sequence[Found]) -> tuple[dict[str, bytes], list[str]]:
    """Return the bytes of each model that a suite asks for, and notes on files that do not count."""
    found, notes = dict[str, bytes](), list[str]()
    for name in asked_for(suite).values():
        by_path = {each.path: each for each in files}
        exact = [each for each in files if each.path.name == name + SUFFIX]
        exact.sort(key=lambda each: (each.path.parent.name != FOLDER, len(each.path.parts), each.path))
        named = exact + [by_path[path] for path in copies(name + SUFFIX, by_path)]
        notes += unread(named)
        if named:
            try:
                found[name] = named[0].load()
            except UnreadableError as why:
                notes.append(f"{one_line(str(named[0].path))} {why}")
    return found, notes


def of_course(course: Course, chapter: str) -> dict[str, bytes]:
    """Return the models of the course's own answers."""
    return _beside(course, chapter, course.solutions_dir)


def of_copy(course: Course, chapter: str) -> dict[str, bytes]:
    """Return the models trained in a working copy."""
    return _beside(course, chapter, course.exercises_dir)


def _beside(course: Course, chapter: str, folder: Path) -> dict[str, bytes]:
    found = dict[str, bytes]()
    for name in asked_for(course.suite(chapter)).values():
        with contextlib.suppress(OSError):  # what cannot be handed in is no model here either
            found[name] = contents(folder / FOLDER / f"{name}{SUFFIX}", READ_LIMIT[SUFFIX])
    return found
