"""`attend explain`: a known mistake in full, with an example; for a passed exercise, its debrief."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.core.errors import CheckFailed, UsageError
from autograder.core.message import Example
from autograder.core.records import Cause, causes
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.course.folders import require_copy
from autograder.course.lookup import bare
from autograder.course.model import Exercise, Misconception
from autograder.student.debrief import debrief, print_debrief
from autograder.student.saved_progress import Progress

if TYPE_CHECKING:
    from autograder.compare.grid import Picture

SEED = 1
_MARK = re.compile(r'^@misconception\(\s*"(\w+)",\s*((?:"[^"]+",?\s*)+)\)', re.MULTILINE)


def explain(course: Course, name: str, console: Console) -> None:
    """Print what is known of a mistake, or the debrief of an exercise that has passed.

    Args:
        name: the mistake's id or a part of it, or an exercise: then what its last check here said.

    Raises:
        UsageError: there is no such mistake, or the exercise's last check named none.
    """
    known = {identifier: (chapter, exercise) for chapter, exercise, identifier in _identifiers(course)}
    wanted = _meant(course, name, known)
    passed = passed_exercise(course, wanted)
    if wanted not in known and passed and (found := debrief(course, passed)):
        print_debrief(found, console)
        return
    if told := _told_last(course, wanted, known):
        _print_told(*told, console)
        return
    identifier = wanted if wanted in known else _named_last(course, course.one(wanted), known)
    chapter, exercise = known[identifier]
    chosen = next(e for e in course.of(chapter) if e.name == exercise)
    mistake = next(each for each in _mistakes_of(course, chapter) if each.identifier == identifier)
    console.print(Text(f"{exercise}: {identifier}", style="dim"))
    console.print(Text(mistake.says, style="bold"))
    console.print(Text(mistake.advice))
    if mistake.cure:
        console.print(Text(mistake.cure))
    own = _example_of(course, chosen, identifier)
    if own:
        _print_example(own, console)
    else:
        _example(course, chosen, mistake, console)
    console.print(Text(f"next: attend hint {exercise}, attend check {exercise}", style="dim"))


def passed_exercise(course: Course, name: str) -> Exercise | None:
    """Return the exercise of that name if it has passed."""
    wanted, passed = bare(name), Progress.load(course).passed
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


def _meant(course: Course, name: str, known: Collection[str]) -> str:
    """Return the mistake's id, or the exercise's name in lower case, that `name` stands for.

    Raises:
        UsageError: it stands for neither, or for several; the error offers the nearest ones.
    """
    wanted = name.strip().lower()
    told = {each.lower() for last in Progress.load(course).last.values() for each in last.result.misconceptions}
    exercises = {each.name.lower(): each.name for each in course.exercises}
    if wanted in known or wanted in told:
        return wanted
    if bare(name) in exercises:
        return bare(name)
    parts = [identifier for identifier in known if wanted in identifier and "+" not in identifier]
    if len(parts) == 1:
        return parts[0]
    try:
        if not parts:
            return course.one(name).name.lower()
    except UsageError:
        parts = difflib.get_close_matches(bare(name), [*known, *exercises], n=3)
        if not parts:
            raise
    near = join_names((exercises.get(each, each) for each in parts[:6]), last="or")
    raise UsageError(f"there is no known mistake or exercise '{name}'; did you mean {near}?")


def _told_last(course: Course, wanted: str, known: Collection[str]) -> tuple[str, Cause] | None:
    """Return the exercise and the failed checks that `wanted` stands for, where no known mistake does."""
    for name, last in Progress.load(course).last.items():
        failed = [check for check in last.result.checks if check.status not in ("passed", "missing")]
        named = [check for check in failed if wanted in map(str.lower, check.misconceptions)]
        if named and wanted not in known:
            return name, causes(named)[0]
        if failed and wanted == name.lower() and not {*last.result.misconceptions} & {*known}:
            return name, causes(failed)[0]
    return None


def _print_told(exercise: str, cause: Cause, console: Console) -> None:
    check = cause.first
    console.print(Text(f"{exercise}: {check.sentence}", style="dim"))
    console.print(Text(check.message.headline, style="bold"))
    if check.message.advice:
        console.print(Text(check.message.advice))
    if cause.example:
        _print_example(cause.example, console)
    console.print(Text(f"next: attend show {exercise}, attend hint {exercise}, attend check {exercise}", style="dim"))


def _example_of(course: Course, exercise: Exercise, identifier: str) -> Example | None:
    """Return the smallest example that was found when the exercise was last checked and the mistake was named."""
    last = Progress.load(course).last.get(exercise.name)
    checks = last.result.checks if last else ()
    found = (check.message.example for check in checks if identifier in check.misconceptions)
    return next(filter(None, found), None)


def _print_example(example: Example, console: Console) -> None:
    """Print an example, a row for each argument."""
    console.print()
    console.print(Text("The smallest example of it that was found, with your answer:", style="dim"))
    table = Table.grid(padding=(0, 2))
    for name, text in example.rows:
        table.add_row(Text(name, style="dim"), Text(text))
    console.print(Padding(table, (0, 0, 1, 2)))


def _named_last(course: Course, exercise: Exercise, known: Collection[str]) -> str:
    require_copy(course)
    last = Progress.load(course).last.get(exercise.name)
    named = [identifier for identifier in last.result.misconceptions if identifier in known] if last else []
    if named:
        return named[0]
    name = exercise.name
    if last is None:
        raise UsageError(f"{name} was not checked here yet; `attend check {name}` names the mistake, if it knows it")
    if last.result.status == "missing":
        why = last.result.checks[0].message
        raise UsageError("; ".join(filter(None, (why.headline, why.advice))))
    help_ = f"`attend show {name}` and `attend hint {name}` may help"
    raise UsageError(f"no known mistake was named when {name} was last checked here; {help_}")


def _example(course: Course, exercise: Exercise, mistake: Misconception, console: Console) -> None:
    """Print what the mistake returns beside what is right, on an input where they differ."""
    picture = _recorded(course, exercise, mistake) if course.is_sealed else _observed(course, exercise, mistake)
    if picture is None:
        return
    from autograder.student.pictures.picture_text import as_text

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
