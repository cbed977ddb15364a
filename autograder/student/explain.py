"""`attend explain`: a known mistake in full, with an example; for a passed exercise, its debrief."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from autograder.core.errors import CheckFailed, UsageError
from autograder.course.course import Course
from autograder.course.model import Exercise, Misconception
from autograder.student.debrief import debrief, print_debrief
from autograder.student.progress import Progress

if TYPE_CHECKING:
    from autograder.compare.grid import Picture

SEED = 1
_MARK = re.compile(r'^@misconception\(\s*"(\w+)",\s*((?:"[^"]+",?\s*)+)\)', re.MULTILINE)


def explain(course: Course, name: str, console: Console) -> None:
    """Print what is known of a mistake, or the debrief of an exercise that has passed.

    Args:
        name: the mistake's id or a part of it, or an exercise.

    Raises:
        UsageError: there is no such mistake, or the exercise's last check named none.
    """
    known = {identifier: (chapter, exercise) for chapter, exercise, identifier in _identifiers(course)}
    passed = passed_exercise(course, name)
    if name not in known and passed and (found := debrief(course, passed)):
        print_debrief(found, console)
        return
    for identifier in _matching(course, name, known):
        chapter, exercise = known[identifier]
        chosen = next(e for e in course.of(chapter) if e.name == exercise)
        every = _mistakes_of(course, chapter)
        mistake = next(each for each in every if each.identifier == identifier)
        console.print(Text(f"{exercise}: {identifier}", style="dim"))
        console.print(Text(mistake.says, style="bold"))
        console.print(Text(mistake.advice))
        _example(course, chosen, mistake, console)
        console.print(Text(f"next: attend hint {exercise}, attend check {exercise}", style="dim"))


def passed_exercise(course: Course, name: str) -> Exercise | None:
    """Return the exercise of that name if it has passed."""
    wanted, passed = name.strip().lower(), Progress.load(course).passed
    return next((each for each in course.exercises if each.name in passed and each.name.lower() == wanted), None)


def _identifiers(course: Course) -> Iterator[tuple[str, str, str]]:
    """Yield chapter, exercise and id of every known mistake and pair, read as text: loading all takes seconds."""
    for chapter in course.chapters:
        if course.is_sealed:
            yield from ((chapter, each.exercise, each.identifier) for each in _mistakes_of(course, chapter))
            continue
        for path in course.misconception_files(chapter):
            for exercise, names in _MARK.findall(path.read_text(encoding="utf-8")):
                yield chapter, exercise, "+".join(re.findall(r'"([^"]+)"', names))


def _mistakes_of(course: Course, chapter: str) -> Sequence[Misconception]:
    """Return the chapter's known mistakes and pairs; of a sealed course, those that the copy's answers have shown."""
    if not course.is_sealed:
        return (*course.misconceptions(chapter), *course.pairs(chapter))
    from autograder.compare.sealed import SealedOracle

    return SealedOracle(course).opened(chapter)


def _matching(course: Course, name: str, known: dict[str, tuple[str, str]]) -> tuple[str, ...]:
    wanted = name.strip().lower()
    if wanted in known:
        return (wanted,)
    if any(wanted == exercise.name.lower() for exercise in course.exercises):
        return _named_last(course, course.one(wanted), known)
    parts = [identifier for identifier in known if wanted in identifier and "+" not in identifier]
    if len(parts) == 1:
        return (parts[0],)
    near = parts[:6] or difflib.get_close_matches(wanted, known, n=3)
    offer = f"did you mean {', '.join(near)}?" if near else "`attend check` names the mistakes that it finds"
    raise UsageError(f"there is no known mistake '{name}'; {offer}")


def _named_last(course: Course, exercise: Exercise, known: dict[str, tuple[str, str]]) -> tuple[str, ...]:
    last = Progress.load(course).last.get(exercise.name)
    named = [identifier for identifier in last.result.misconceptions if identifier in known] if last else []
    if named:
        return (named[0],)
    name = exercise.name
    if last is None:
        raise UsageError(f"{name} was not checked here yet; `attend check {name}` names the mistake, if it knows it")
    help_ = f"`attend show {name}` and `attend hint {name}` may help"
    raise UsageError(f"no known mistake was named when {name} was last checked here; {help_}")


def _example(course: Course, exercise: Exercise, mistake: Misconception, console: Console) -> None:
    """Print what the mistake returns beside what is right, on an input where they differ."""
    picture = _recorded(course, exercise, mistake) if course.is_sealed else _observed(course, exercise, mistake)
    if picture is None:
        return
    from autograder.student.pictures.text import as_text

    console.print()
    console.print(Text("An example, with this mistake in the place of your answer:", style="dim"))
    shown = Text(picture) if isinstance(picture, str) else as_text(picture, console.width - 2)
    console.print(Padding(shown, (0, 0, 1, 2)))


def _observed(course: Course, exercise: Exercise, mistake: Misconception) -> Picture | str | None:
    from autograder.compare.mistaken import Mistaken
    from autograder.compare.oracles import oracle_of
    from autograder.core.submission import one_chapter
    from autograder.student.pictures.look import look

    handed_in = one_chapter("example", exercise.chapter, f"{exercise.name} = None\n")
    try:
        return look(course, exercise, handed_in, Mistaken(oracle_of(course), mistake), SEED)[0]
    except CheckFailed:
        return None


def _recorded(course: Course, exercise: Exercise, mistake: Misconception) -> Picture | str | None:
    """Return the picture of the example that a sealed course holds for the mistake."""
    from autograder.compare.sealed import SealedOracle
    from autograder.compare.sight import Sight, picture_of
    from autograder.student.pictures.look import names_of

    oracle = SealedOracle(course)
    example = oracle.example(mistake)
    return example and picture_of(Sight(*example, names_of(oracle, exercise, example[0].build)))
