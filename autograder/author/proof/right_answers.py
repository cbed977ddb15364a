"""Right answers, written independently of the solution: `tests/promises/right/chNN_name/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.author.parsed import parsed
from autograder.core.errors import AttendError
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.intake.artefacts import of_course
from autograder.source.stub import defines

FOLDER = Path("tests", "promises", "right")
ENOUGH = 3
"""The fewest right answers that an exercise must have."""
_CELL = re.compile(r"^# %% (?!exercise=)(\w.*?)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class RightAnswer:
    """A right answer to the `exercises` of a chapter that it defines; each answer to a chapter has its own `style`."""

    chapter: str
    style: str
    path: Path
    text: str
    exercises: tuple[str, ...]

    def submission(self, course: Course) -> Submission:
        """Return the answer as a submission, which is graded on the exercises that it defines."""
        made = one_chapter(self.style, self.chapter, self.text, of_course(course, self.chapter))
        return Submission(made.student, made.chapters, only=self.exercises)


def answers(course: Course, chapter: str) -> list[RightAnswer]:
    """Return the right answers to a chapter, file by file.

    Raises:
        AttendError: a file is not Python or has two cells of the same name, or an answer defines no exercise.
    """
    paths = sorted((course.root / FOLDER / chapter).glob("*.py"))
    return [answer for path in paths for answer in _of_file(course, chapter, path)]


def _of_file(course: Course, chapter: str, path: Path) -> Iterator[RightAnswer]:
    """Yield the file's answer; or one for each cell `# %% style`, with the code above the first cell."""
    origin = path.relative_to(course.root).as_posix()
    parsed(path, origin)
    top, *cells = _CELL.split(path.read_text(encoding="utf-8"))
    named = zip(cells[::2], cells[1::2], strict=True)
    texts = {f"{path.stem}-{name}": f"{top}\n{cell}" for name, cell in named} or {path.stem: top}
    if len(texts) < len(cells) // 2:
        raise AttendError(f"{origin} has two cells of one name; rename one of the two")
    for style, text in texts.items():
        own = tuple(each.name for each in course.of(chapter) if defines(text, each.name))
        if not own:
            raise AttendError(f"{origin}: {style} defines no exercise of {chapter}; correct the name, or take it out")
        yield RightAnswer(chapter, style, path, text, own)
