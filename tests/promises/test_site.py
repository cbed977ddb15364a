"""What the documentation as a site promises beyond its links, which `make check` holds."""

from __future__ import annotations

import re
from functools import cache
from html import escape

import pytest

from autograder import suite
from autograder.author.chapter import read
from autograder.student.pictures.lesson_picture import stored
from docs.hooks import MISTAKES, SUITES, mistakes
from docs.lessons import LESSONS, LEVELS, RUNS, lessons, with_formulas
from docs.runs import QUICK
from tests.promises.world import COURSE, each_chapter

SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)
FORMULAS = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)


@cache
def pages() -> dict[str, str]:
    """The pages of the lessons by their place."""
    return lessons(COURSE)


def lesson(chapter: str) -> str:
    """The page of a chapter."""
    return pages()[f"{LESSONS}/{chapter}.md"]


def lines_of(text: str) -> set[str]:
    """The lines of a text that say something, without the blanks around them."""
    return {line.strip() for line in text.splitlines() if re.search(r"\w", line)}


def test_its_lessons_begin_with_an_index_of_all_chapters_in_order() -> None:
    index, *chapters = pages().items()
    assert index[0] == f"{LESSONS}/README.md"
    assert re.findall(r"\]\((ch\w+)\.md\)", index[1]) == [*COURSE.chapters]
    assert [place for place, _ in chapters] == [f"{LESSONS}/{chapter}.md" for chapter in COURSE.chapters]


@each_chapter
def test_the_page_of_a_lesson_has_all_of_its_prose_and_each_stub_with_three_hints_and_a_debrief(chapter: str) -> None:
    page, source = lesson(chapter), read(COURSE, chapter)
    for cell in source.cells:
        prose = cell.stub.replace("<details><summary>", '<details markdown="1"><summary markdown="span">')
        assert (prose if cell.kind == "markdown" else f"```python\n{cell.stub}\n```") in page
    for name in source.exercises:
        after = page.partition(f"**Exercise `{name}`**")[2].partition("**Exercise `")[0]
        folded = re.findall(r"<summary>(.*?)</summary>\n\n(.*?)\n\n</details>", after, re.DOTALL)
        told = [text for _, text in folded]
        assert told == [*source.hints[name], source.debriefs[name]]
        assert [title.partition(": ")[2] for title, _ in folded[:3]] == [*LEVELS]


@each_chapter
def test_the_pictures_of_a_lesson_follow_the_prose_that_they_are_of(chapter: str) -> None:
    page, drawn = lesson(chapter), stored(COURSE)
    for cell in (cell for cell in read(COURSE, chapter).cells if cell.picture):
        last = cell.text.splitlines()[-1]
        assert f"{last}\n\n{drawn[cell.picture or '']}\n" in page


@pytest.mark.parametrize("chapter", [chapter for chapter in COURSE.chapters if chapter.startswith(QUICK)])
def test_what_a_lesson_draws_when_it_runs_is_below_the_cell_that_draws_it(chapter: str) -> None:
    cells = [cell.stub for cell in read(COURSE, chapter).cells if cell.stub.startswith(RUNS)]
    for cell in (cell for cell in cells if ".show()" in cell):
        after = lesson(chapter).partition(f"```python\n{cell}\n```\n\n")[2]
        assert after.startswith("<figure")
        titles = re.findall(r'title="([^"{]+)"\)\.show', cell)
        assert [title for title in titles if escape(title) not in after.partition("</figure>")[0]] == []


@each_chapter
def test_no_line_of_an_answer_is_on_the_page_of_a_lesson(chapter: str) -> None:
    answers = lines_of("\n".join(SOLUTION.findall(COURSE.solution(chapter).read_text(encoding="utf-8"))))
    given = lines_of(COURSE.stub(chapter).read_text(encoding="utf-8"))
    assert answers - given
    assert (answers - given) & lines_of(lesson(chapter)) == set()


@each_chapter
def test_every_formula_of_a_lesson_becomes_mathml_without_a_command_left_over(chapter: str) -> None:
    for tex in FORMULAS.findall(lesson(chapter)):
        drawn = with_formulas(f'<div class="arithmatex">\\[{tex}\\]</div>')
        assert drawn.startswith('<div style="overflow-x:auto"><math')
        assert "\\" not in drawn


def test_its_pages_show_every_known_mistake_with_its_nudge_and_no_cure() -> None:
    pages = mistakes(COURSE)
    for chapter in COURSE.chapters:
        known, page = COURSE.misconceptions(chapter), pages[f"{MISTAKES}/{chapter}.md"]
        after = {each.identifier: page.partition(f"{each.says} {{ #{each.identifier} }}\n")[2] for each in known}
        told = {name: text.partition("\n#")[0].strip() for name, text in after.items()}
        assert told == {each.identifier: f"{each.advice} `{each.identifier}`" for each in known}


def test_its_page_on_the_language_of_suites_names_what_a_module_of_the_same_name_hides() -> None:
    modules = {path.stem for path in (COURSE.root / "autograder" / "suite").glob("*.py")}
    hidden = modules & set(suite.__all__)
    assert [name for name in hidden if f"\n::: autograder.suite.{name}.{name}\n" not in SUITES] == []
