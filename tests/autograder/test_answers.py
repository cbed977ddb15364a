"""Right answers may answer a whole chapter, one exercise, or one exercise several times, a cell for each."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from autograder.author.chapter import read_all
from autograder.author.coverage import coverage
from autograder.author.proof import gallery, proof_record
from autograder.author.proof.right_answers import FOLDER, answers
from autograder.core.errors import AttendError
from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.editing import edit

DOUBLE = (TOY / FOLDER / CHAPTER / "double.py").read_text(encoding="utf-8")


@pytest.fixture
def bare(toy_copy: Course) -> Course:
    """Without the right answers that it has."""
    shutil.rmtree(toy_copy.root / FOLDER)
    return toy_copy


def write(course: Course, name: str, text: str) -> Path:
    path = course.root / FOLDER / CHAPTER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def graded(course: Course, *names: str) -> dict[str, proof_record.Gallery]:
    return dict(gallery.run(course, gallery.wanted(course, names), 1, 2, Console(file=io.StringIO())))


def test_a_file_answers_the_exercises_that_it_defines(bare: Course) -> None:
    write(bare, "whole.py", bare.solution(CHAPTER).read_text(encoding="utf-8"))
    write(bare, "one.py", "import operator\n\ndouble = lambda x: operator.add(x, x)\n")
    assert [(each.style, each.exercises) for each in answers(bare, CHAPTER)] == [
        ("one", ("double",)),
        ("whole", ("double", "mean_and_sum", "Scale")),
    ]


def test_each_cell_of_a_file_is_an_answer_with_what_stands_above_all_of_them(bare: Course) -> None:
    write(bare, "double.py", DOUBLE)
    found = answers(bare, CHAPTER)
    assert [each.style for each in found] == ["double-added", "double-stacked", "double-halved"]
    assert all("import torch\n" in each.text for each in found)
    assert [each.text.count("def double") for each in found] == [1, 1, 1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def duoble(x):\n    return x\n", "one.py: one defines no exercise of ch01_toy; correct the name"),
        ("# %% a\ndef double(x): ...\n# %% b\ndef other(x): ...\n", "one.py: one-b defines no exercise"),
        ("# %% a\ndef double(x): ...\n# %% a\ndef double(x): ...\n", "one.py has two cells of one name"),
        ("def double(x:\n", "one.py:1: this is no Python"),
    ],
)
def test_a_file_or_a_cell_that_answers_nothing_is_refused(bare: Course, text: str, says: str) -> None:
    write(bare, "one.py", text)
    with pytest.raises(AttendError, match=says):
        answers(bare, CHAPTER)


def test_the_table_counts_the_right_answers_of_each_exercise(bare: Course) -> None:
    write(bare, "double.py", DOUBLE)
    rows = [line for line in coverage(bare, read_all(bare)).splitlines() if line.startswith("| `")]
    assert [row.split(" | ")[4] for row in rows] == ["3", "0", "0"]


@pytest.mark.usefixtures("quick_processes")
def test_a_gallery_grades_one_exercise_alone_and_proves_it_with_three_right_answers(bare: Course) -> None:
    write(bare, "double.py", DOUBLE)
    write(bare, "sums.py", "def mean_and_sum(x):\n    return x.mean(-1), x.sum(-1)\n")
    found = graded(bare, "double", "mean_and_sum")
    assert {name: each.exercises for name, each in found.items()} == {"double": ("double",), "mean_and_sum": ()}
    assert (found["double"].answers, found["double"].gradings, found["double"].checks) == (3, 6, 24)
    assert found["double"].lost == 0


@pytest.mark.usefixtures("quick_processes")
def test_an_answer_in_a_cell_that_is_wrong_loses_checks(bare: Course) -> None:
    write(bare, "double.py", DOUBLE.replace("x / 0.5", "x / 0.25"))
    assert graded(bare, "double")["double"].lost == 2 * 2


def test_the_gallery_of_a_chapter_takes_the_place_of_those_of_its_exercises() -> None:
    double, whole = proof_record.Gallery(exercises=("double",)), proof_record.Gallery(exercises=("double", "Scale"))
    both = proof_record.ProofRecord().with_gallery("double", double).with_gallery(CHAPTER, whole)
    assert both.galleries == {CHAPTER: whole}
    assert both.with_gallery("double", double).galleries == {CHAPTER: whole, "double": double}


NEW = '''

@exercise("halve", points=1, level="values")
def test_halves(agree: Agree, draw: Draw) -> None:
    """halves"""
    agree(half(draw), part())


def half(draw: Draw) -> torch.Tensor:
    return draw("B T")
'''


def test_a_further_exercise_leaves_the_proofs_of_the_others_as_they_are(toy_copy: Course) -> None:
    double = toy_copy.exercises[0]
    before = proof_record.digest(toy_copy, double), proof_record.gallery_digest(toy_copy, CHAPTER, ["double"])
    suite, reference = toy_copy.suite(CHAPTER), toy_copy.root / "reference" / f"{CHAPTER}.py"
    edit(suite, "Draw, exercise\n", "Draw, exercise, part\n")
    edit(suite, "FORBIDDEN = {", 'FORBIDDEN = {"halve": ("div",), ')
    suite.write_text(suite.read_text(encoding="utf-8") + NEW, encoding="utf-8")
    reference.write_text(reference.read_text(encoding="utf-8") + "\n\ndef halve(x):\n    return x / 2\n", "utf-8")
    (known,) = toy_copy.misconception_files(CHAPTER)
    wrong = '\n\n@misconception("halve", "halve-not")\ndef not_at_all(x):\n    """No."""\n    return x\n'
    known.write_text(known.read_text(encoding="utf-8") + wrong, encoding="utf-8")
    write(toy_copy, "halve.py", "def halve(x):\n    return x * 0.5\n")
    grown = Course(toy_copy.root)
    assert [each.name for each in grown.exercises] == ["double", "mean_and_sum", "Scale", "halve"]
    assert (proof_record.digest(grown, double), proof_record.gallery_digest(grown, CHAPTER, ["double"])) == before


@pytest.mark.parametrize(
    ("file", "old", "new", "proof", "pictures"),
    [
        ("reference", "return x + x", "return 2 * x", True, True),
        ("reference", "`x` (any shape) and `x` once more.", "Twice `x`.", False, False),
        (
            "suite",
            'agree(draw("B T D"))\n\n\n@exercise("double"',
            'agree(draw("T D"))\n\n\n@exercise("double"',
            True,
            True,
        ),
        ("suite", 'agree(draw("B T D"), build', 'agree(draw("T D"), build', False, False),
        ("suite", "RETURNS = {", 'RETURNS = {"double": ("a", "b"), ', True, True),
        ("mistakes", "return x * x", "return x * x * x", True, False),
        ("mistakes", "return x * 1", "return x * 1.0", False, False),
        ("solution", "return 2 * x", "return x * 2", True, False),
        ("right", "x / 0.5", "x / (1 / 2)", False, True),
    ],
)
def test_a_proof_hangs_on_the_exercises_own_parts_alone(
    toy_copy: Course, file: str, old: str, new: str, proof: bool, pictures: bool
) -> None:
    double = toy_copy.exercises[0]
    paths = {
        "reference": toy_copy.root / "reference" / f"{CHAPTER}.py",
        "suite": toy_copy.suite(CHAPTER),
        "mistakes": toy_copy.misconception_files(CHAPTER)[0],
        "solution": toy_copy.solution(CHAPTER),
        "right": toy_copy.root / FOLDER / CHAPTER / "double.py",
    }
    before = proof_record.digest(toy_copy, double), proof_record.gallery_digest(toy_copy, CHAPTER, ["double"])
    edit(paths[file], old, new)
    assert (proof_record.digest(toy_copy, double) != before[0]) is proof
    assert (proof_record.gallery_digest(toy_copy, CHAPTER, ["double"]) != before[1]) is pictures


def test_a_proof_hangs_on_what_a_known_mistake_borrows_from_the_reference(toy_copy: Course) -> None:
    (known,) = toy_copy.misconception_files(CHAPTER)
    edit(known, "import Scale", "import Scale, mean_and_sum")
    edit(known, "return x * x", "return x * mean_and_sum(x)[0]")
    before = proof_record.digest(toy_copy, toy_copy.exercises[0])
    edit(toy_copy.root / "reference" / f"{CHAPTER}.py", "x.mean(-1)", "x.mean(dim=-1)")
    assert proof_record.digest(toy_copy, toy_copy.exercises[0]) != before
