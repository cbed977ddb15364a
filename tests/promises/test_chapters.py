"""What every chapter promises. The next chapter is held to it without a word here."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from autograder.author.build import stale
from autograder.author.chapter import read
from autograder.author.misconceptions import known, refuse_shared_ids
from autograder.author.proof.promises import complete_exercises, untouched_stub
from autograder.core.records import SubmissionResult
from tests.promises.world import COURSE, DRAFTS, PROVEN, each_chapter, grade


@each_chapter
def test_what_the_files_of_a_chapter_say_of_its_exercises_fits(chapter: str) -> None:
    assert read(COURSE, chapter).stem == chapter


@cache
def graded_stub(chapter: str) -> SubmissionResult:
    return grade(chapter, {"stub": COURSE.stub(chapter).read_text(encoding="utf-8")})["stub"]


@each_chapter
def test_the_untouched_stub_earns_nothing_and_is_called_missing(chapter: str) -> None:
    assert [*untouched_stub(COURSE, chapter)] == []


def test_every_known_mistake_has_a_name_of_its_own() -> None:
    refuse_shared_ids(mistake for chapter in COURSE.chapters for mistake in known(COURSE, chapter))


@each_chapter
def test_every_exercise_has_three_levels_and_known_mistakes(chapter: str) -> None:
    assert [*complete_exercises(COURSE, chapter)] == []


def definitions(path: Path) -> list[ast.FunctionDef | ast.ClassDef]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]


def twice(path: Path) -> list[str]:
    """Names that a file defines more than once, so that the first is lost."""
    return [name for name, count in Counter(node.name for node in definitions(path)).items() if count > 1]


@each_chapter
def test_no_check_and_no_mistake_is_lost_to_another_of_its_name(chapter: str) -> None:
    for path in (COURSE.suite(chapter), *COURSE.misconception_files(chapter)):
        assert twice(path) == [], f"{path}: of these names the file has several, and the last alone counts"


def test_a_name_that_is_given_twice_would_be_noticed(tmp_path: Path) -> None:
    (tmp_path / "suite.py").write_text("def test_a(): ...\ndef test_b(): ...\ndef test_a(): ...\n")
    assert twice(tmp_path / "suite.py") == ["test_a"]


@each_chapter
def test_every_check_has_a_sentence_for_the_student(chapter: str) -> None:
    suite = COURSE.suite(chapter)
    written = {node.name: node for node in definitions(suite)}
    for check in (check for exercise in graded_stub(chapter).exercises for check in exercise.checks):
        node = written[check.name]
        assert ast.get_docstring(node), f"{suite.name}:{node.lineno}: {check.name} has no docstring for the student"


@each_chapter
def test_a_chapter_ends_with_cells_that_run_its_own_pieces_and_show_something(chapter: str) -> None:
    cells = read(COURSE, chapter).cells
    closing = next((place for place, cell in enumerate(cells) if "## See it run" in cell.text), len(cells))
    assert not any(cell.exercise for cell in cells[closing:])
    code = [cell.text for cell in cells[closing:] if cell.kind == "code"]
    assert code, f'solutions/{chapter}.py: end with "## See it run" and a cell'
    assert all(text.startswith('if __name__ == "__main__":') for text in code)
    calls = [node for text in code for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    asked = {word.value for call in calls if ast.unparse(call.func) == "mine" for word in call.args}  # type: ignore[attr-defined]
    assert asked & {exercise.name for exercise in COURSE.of(chapter)}
    assert any(ast.unparse(call.func) == "print" or ast.unparse(call.func).endswith(".show") for call in calls)


def unfolded(text: str) -> int:
    """How many boxes of a text would not fold: not closed, without a summary or without empty lines around the text."""
    whole = re.findall(r"<details><summary>[^\n]+</summary>\n\n(?:(?!<details>).)+?\n\n</details>", text, re.DOTALL)
    return max(text.count("<details"), text.count("</details>")) - len(whole)


@each_chapter
def test_boxes_that_fold_are_closed_and_hold_markdown(chapter: str) -> None:
    assert [cell.line for cell in read(COURSE, chapter).cells if unfolded(cell.text)] == []


def test_a_box_that_does_not_fold_would_be_noticed() -> None:
    box = "<details><summary>A</summary>\n\n*text*\n\n</details>\n"
    assert unfolded(box + box) == 0
    assert [unfolded(bad) for bad in (box[:-11], box.replace("\n\n*", "\n*"), box[9:])] == [1, 1, 1]


ITEM = re.compile(r"[0-9]+\. |[0-9]+\.$")


def broken_sentences(text: str) -> list[str]:
    """Lines that Markdown takes for the item of a list because a sentence was broken before a number with a point."""
    pairs = zip(["", *text.split("\n")], text.split("\n"), strict=False)
    return [
        line for before, line in pairs if ITEM.match(line) and before.strip() and not re.match(r"   |[0-9]", before)
    ]


@each_chapter
def test_no_sentence_of_a_lesson_becomes_a_list(chapter: str) -> None:
    assert [line for cell in read(COURSE, chapter).cells for line in broken_sentences(cell.text)] == []


def test_a_sentence_that_becomes_a_list_would_be_noticed() -> None:
    assert broken_sentences("BERT, as in chapter\n10. It reads.") == ["10. It reads."]
    assert broken_sentences("Read section\n1.\n") == ["1."]
    assert broken_sentences("Two steps:\n\n1. Read,\n   twice.\n2. Write.") == []


def test_the_readme_counts_the_chapters_and_exercises_that_there_are() -> None:
    readme = (COURSE.root / "README.md").read_text(encoding="utf-8")
    assert f"the {len(COURSE.exercises)} exercises" in readme
    assert f"{len(COURSE.chapters)} chapters" in readme


def test_the_readme_counts_what_is_proven_so_that_no_proof_is_lost_unseen() -> None:
    counted = f"proven: {len(PROVEN)}, drafts: {len(DRAFTS)}"
    readme = (COURSE.root / "README.md").read_text(encoding="utf-8")
    assert counted in readme, f"the README must say '{counted}'; the drafts are {sorted(DRAFTS)}"


def test_the_table_of_coverage_has_a_row_for_each_exercise_and_an_empty_cell_for_drafts_alone() -> None:
    page = (COURSE.root / "docs" / "coverage.md").read_text(encoding="utf-8")
    lines = page.partition("\n## What ch")[0].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]
    names = [f"`{each.name}`" + " (draft)" * (each.name in DRAFTS) for each in COURSE.exercises]
    assert [row[0] for row in rows] == names
    proven = [row for row in rows if not row[0].endswith("(draft)")]
    assert [row[0] for row in proven if "0" in row[2:6]] == []  # the last column counts mutants that are right too


def test_stubs_notebooks_and_hints_are_those_of_the_solutions() -> None:
    assert [f"{path.name}: {reason}" for path, reason in stale(COURSE)] == []
