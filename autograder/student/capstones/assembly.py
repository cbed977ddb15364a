"""A capstone's recipe, the pieces it is built from, and its model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any

from torch import nn

from autograder.calls.records import PARTS
from autograder.core import files
from autograder.core.errors import AttendError, UsageError
from autograder.core.reading import contents
from autograder.course.course import Course
from autograder.student.capstones.capstone_names import one_named
from autograder.student.capstones.published import FETCH, FOLDER, MissingModelError, PublishedModel, published
from autograder.student.capstones.recipe import Recipe
from autograder.student.capstones.training import LOOP, Tools
from autograder.student.lesson_pieces import LessonPiece, take_up

KEPT = ".attend"
"""The folder of a copy for what is kept between commands."""


def recipes(course: Course) -> Sequence[type[Recipe]]:
    """Return the capstones of the course.

    Raises:
        UsageError: it has none.
    """
    course.lead()
    names, found = {exercise.name for exercise in course.exercises}, list[type[Recipe]]()
    with suppress(ModuleNotFoundError):
        found = [each for each in import_module("reference.capstones").CAPSTONES if each.exercise in names]
    if not found:
        raise UsageError("this course has no capstones to train")
    return found


def recipe_named(course: Course, name: str) -> type[Recipe]:
    """Return the capstone whose name begins with `name`.

    Raises:
        UsageError: there is none, or more than one.
    """
    known = {each.name: each for each in recipes(course)}
    return known[one_named([*known], name)]


def take_pieces(course: Course, kind: type[Recipe]) -> tuple[Any, list[LessonPiece]]:
    """Return `mine`, which hands out the student's answers where they have passed, and whose each piece is."""
    mine = import_module(PARTS).mine
    names = {exercise.name for exercise in course.exercises}
    wanted = [name for name in dict.fromkeys((kind.exercise, *kind.pieces, *kind.tools, *LOOP)) if name in names]
    return mine, used(take_up(course, mine, wanted, even=[kind.exercise]))


def used(pieces: Sequence[LessonPiece]) -> list[LessonPiece]:
    """Return the pieces without those that have no work: the student's own `fit` clips gradients by itself."""
    idle = {"clip_gradients"} if any(each.yours and each.exercise.name == "fit" for each in pieces) else set[str]()
    return [each for each in pieces if each.exercise.name not in idle]


def taken_tools(mine: Any, kind: type[Recipe], pieces: Sequence[LessonPiece]) -> Tools:
    """Return what trains the model: the capstone's tools, and of the loop what is the student's."""
    whose = {piece.exercise.name: piece.yours for piece in pieces}
    names = [name for name in kind.tools if name in whose] + [name for name in LOOP if whose.get(name)]
    return {name: getattr(mine, name) for name in names}


def built_model(mine: Any, recipe: Recipe) -> nn.Module:
    """Return the model that the student's `build_` function makes.

    Raises:
        UsageError: it raises, or returns something else.
    """
    build = getattr(mine, recipe.exercise)
    try:
        model = recipe.built(build)
    except AttendError:
        raise
    except Exception as error:  # the student's code may raise anything
        raise UsageError(f"{recipe.exercise} builds no model: {type(error).__name__}: {error}") from error
    if not isinstance(model, nn.Module):
        raise UsageError(f"{recipe.exercise} returns a {type(model).__name__}; return a torch.nn.Module")
    return model


def pretrained(course: Course, kind: Any, place: Path | None) -> Any:
    """Return a recipe with its published model, which lies at `place`, or where it lay the last time.

    Raises:
        UsageError: there is no such model.
    """
    folder = files.inside(course.root, Path(KEPT, kind.name))
    note = files.inside(folder, "weights.txt")
    again = f"{FETCH}, then attend train {kind.name} --weights {FOLDER}"
    if place is None and not note.is_file():
        raise UsageError(f"{kind.name} needs a published model (83 MB): {again}")
    model = published(place) if place is not None else _last_model(note, again)
    if place is not None:
        files.write(note, str(place.resolve()).encode())
    return kind(model, folder)


def _last_model(note: Path, again: str) -> PublishedModel:
    """Return the published model that was read the last time."""
    place = Path(contents(note).decode("utf-8", "replace"))
    try:
        return published(place)
    except MissingModelError as error:
        raise UsageError(f"the published model was read from {place}, and is gone from there: {again}") from error


@contextmanager
def in_one_sentence(what: str, exercise: str) -> Iterator[None]:
    """Report an error in the student's pieces as a sentence with its line; `what` is what it breaks off.

    Raises:
        UsageError: the code inside raised an exception.
    """
    try:
        yield
    except AttendError:
        raise
    except Exception as error:
        own = [each for each in extract_tb(error.__traceback__) if not Path(each.filename).is_absolute()]
        where = f" in line {own[-1].lineno} of {own[-1].filename}: {own[-1].line}" if own else ""
        says = f"{what} broke off: {type(error).__name__}: {error}{where}"
        raise UsageError(f"{says}\n`attend check {exercise}` shows what it asks of your model") from error
