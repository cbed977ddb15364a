"""The lessons as pages of the site, made of exercises/: prose, stubs, hints and debriefs, and no answer."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from latex2mathml.converter import convert

from autograder.core.reading import contents, decoded
from autograder.course.course import Course
from autograder.course.debriefs import debriefs
from autograder.course.effort import Effort, duration, efforts, is_core, minutes
from autograder.course.model import Exercise
from autograder.course.titles import Titles
from autograder.source.notebook import PICTURE
from autograder.student.pictures.lesson_picture import stored
from docs.runs import drawings

LESSONS = "exercises"
LEVELS = ("a nudge", "the idea", "nearly the code")
RUNS = 'if __name__ == "__main__":'
FORMULA = re.compile(r'<(div|span) class="arithmatex">\\[\[(](.*?)\\[\])]</\1>', re.DOTALL)
INDEX = """# The lessons

Read the whole course here, before you install anything. You write short functions, from counting words to a whole
Transformer, and every lesson ends with something that runs on your own answers.

It takes about {hours} hours. The core path is {core} exercises, about {short}, and leads straight to a small language
model made of your own answers. You need Python, matrix products and a first look at PyTorch.

To begin, [install Attend](../docs/students.md#install), make a copy of the course with `attend start my-attend`, and
write your first answer into `exercises/{first}.py`, or into the notebook of that name. `attend check` tells you what is
wrong with it. Later chapters never need your earlier answers, so you may begin where you like.

| chapter | after it | exercises | time |
|---|---|---:|---:|
{rows}
"""


def lessons(course: Course) -> dict[str, str]:
    """Return a page for each chapter, by its place in the repository; first an index."""
    lesson = _Lessons(course)
    pages = {f"{LESSONS}/{chapter}.md": lesson.page(chapter) for chapter in course.chapters}
    return {f"{LESSONS}/README.md": lesson.index(), **pages}


def with_formulas(page: str) -> str:
    """Return the HTML of a page with its formulas as MathML, which browsers draw and screen readers read."""
    return FORMULA.sub(lambda found: _formula(html.unescape(found[2]), found[1] == "div"), page)


def _formula(tex: str, is_display: bool) -> str:
    """Return a formula as MathML; a wide one can be scrolled where the page is narrow."""
    if is_display:
        return f'<div style="overflow-x:auto">{convert(tex, display="block")}</div>'
    return convert(tex)


class _Lessons:
    """What the pages are made of: the notebooks as they are handed out, and the tables beside them."""

    def __init__(self, course: Course) -> None:
        self._course, self._titles = course, Titles.of(course)
        self._efforts, self._debriefs = efforts(course), debriefs(course)
        self._pictures = stored(course)
        self._hints = decoded(contents(course.table("hints.json")), dict[str, list[str]])

    def index(self) -> str:
        core = [each for each in self._course.exercises if is_core(each, self._efforts)]
        return INDEX.format(
            hours=round(minutes(self._course.exercises, self._efforts) / 60),
            core=len(core),
            short=duration(minutes(core, self._efforts)),
            first=self._course.chapters[0],
            rows="\n".join(map(self._row, self._course.chapters)),
        )

    def _row(self, chapter: str) -> str:
        exercises = self._course.of(chapter)
        after = self._debriefs.get(chapter, "").replace("|", "\\|")
        time = duration(minutes(exercises, self._efforts))
        return f"| [{self._titles.chapter(chapter)}]({chapter}.md) | {after} | {len(exercises)} | {time} |"

    def page(self, chapter: str) -> str:
        notebook = json.loads(contents(self._course.exercises_dir / f"{chapter}.ipynb"))
        known = {exercise.name: exercise for exercise in self._course.of(chapter)}
        drawn = drawings(self._course, chapter, notebook["cells"])
        parts = (part for cell in notebook["cells"] for part in (*self._parts(cell, known), drawn.get(cell["id"], "")))
        return "\n\n".join(filter(None, parts)) + "\n"

    def _parts(self, cell: Mapping[str, Any], known: Mapping[str, Exercise]) -> Iterator[str]:
        source, marks = "".join(cell["source"]), cell["metadata"]
        if marks.get("attend") or cell["id"].endswith("-how-to-check"):
            if source.startswith(PICTURE):
                yield self._pictures[source.removeprefix(PICTURE).strip()]
            return
        if cell["cell_type"] == "markdown":
            yield _unfolded(source)
            return
        name = marks.get("exercise")
        if name:
            yield _heading(known[name], self._efforts.get(name))
        elif source.startswith(RUNS):
            yield "You will run this, with your own answers where they have passed:"
        yield _fenced(source)
        if name:
            yield from self._help(name)

    def _help(self, name: str) -> Iterator[str]:
        for number, (level, hint) in enumerate(zip(LEVELS, self._hints[name], strict=True), 1):
            yield _folded(f"Hint {number}: {level}", hint)
        if name in self._debriefs:
            yield _folded("After your answer has passed", self._debriefs[name])


def _heading(exercise: Exercise, effort: Effort | None) -> str:
    guess = f" · {effort.marks} about {duration(effort.minutes)}" if effort else ""
    core = " · on the core path" if effort and effort.core else ""
    return f"**Exercise `{exercise.name}`**{guess} · {exercise.points:g} points{core}"


def _fenced(code: str) -> str:
    return f"```python\n{code}\n```"


def _folded(title: str, text: str) -> str:
    return f'<details markdown="1"><summary>{title}</summary>\n\n{text}\n\n</details>'


def _unfolded(prose: str) -> str:
    """Return prose whose boxes hold Markdown for mkdocs too, which leaves HTML as it is unless told otherwise."""
    return prose.replace("<details><summary>", '<details markdown="1"><summary markdown="span">')
