"""What a student builds and trains is graded by what it answers, each by its own numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from autograder.calls.artefact import score_of
from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Observation
from autograder.classroom import similar
from autograder.compare.grid import Picture
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.submission import ChapterSource, Submission, one_chapter
from autograder.course.course import Course
from autograder.intake.submissions import read_folder
from autograder.judging.judge import judge
from autograder.sandbox.handles import Template
from autograder.sandbox.target import SandboxTarget
from autograder.student.pictures.look import look
from autograder.suite.check import Grading, trained_digest
from autograder.suite.trained import ANSWERS
from tests.autograder.processes import AT_EASE

pytestmark = pytest.mark.usefixtures("warm")

CHAPTER = "ch02_built"
SUITE = '''
import torch
from autograder.suite import Fact, Facts, Trained, Agree, exercise

ARTEFACTS = {"build": "line"}
ROWS = torch.ones(2, 3)


def one_number(answer):
    return "" if answer.shape == (2,) else f"numbers of shape {tuple(answer.shape)}"


@exercise("build", points=1, level="property")
def test_form(facts: Facts) -> None:
    """a number for each row"""
    facts(
        Fact("a number for each row", lambda ask: one_number(ask(ROWS)), "take the last axis off"),
        Fact("the same for equal rows", lambda ask: "" if ask(ROWS)[0] == ask(ROWS.clone())[1] else "others"),
        Fact("no more without a row", lambda ask: "" if len(ask(ROWS[:1])) < len(ask(ROWS)) else "more"),
    )


@exercise("build", points=1, level="edges")
def test_nothing(facts: Facts) -> None:
    """no rows, no numbers"""
    facts(Fact("no rows have no numbers", lambda ask: "" if len(ask(ROWS[:0])) == 0 else "some"))


@exercise("build", points=2, level="values")
def test_sum(trained: Trained, agree: Agree) -> None:
    """the trained model adds a row up"""
    got = float(trained("line", ROWS)[0])
    agree.require(abs(got - 3) < 0.1, expected="3", got=f"{got:.2f}")
'''
RIGHT = """
import torch
from torch import nn


class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 1, bias=False)

    def forward(self, x):
        return self.line(x)[:, 0]


def build():
    return Line()
"""
WIDE = RIGHT.replace("[:, 0]", "")
MISTAKE = '''
from reference.misconceptions import misconception
from torch import nn

@misconception("build", "line-column")
def column():
    """You leave the last axis.

    Take it off.
    """
    return nn.Linear(3, 1, bias=False)
'''


@pytest.fixture(autouse=True)
def nothing_asked() -> Iterator[None]:
    """No test has the answers of another one."""
    ANSWERS.clear()
    yield
    ANSWERS.clear()


@pytest.fixture
def course(toy_copy: Course) -> Course:
    """The toy course with a second chapter, whose exercise builds a model."""
    texts = {
        f"tests/exercises/test_{CHAPTER}.py": SUITE,
        f"reference/{CHAPTER}.py": RIGHT,
        f"reference/misconceptions/{CHAPTER}.py": MISTAKE,
        f"exercises/{CHAPTER}.py": RIGHT.replace("return Line()", 'raise NotImplementedError("build")'),
    }
    for place, text in texts.items():
        (toy_copy.root / place).write_text(text, encoding="utf-8")
    return Course(toy_copy.root, only=(CHAPTER,))


def numbers(value: float, columns: int = 3, score: str = "") -> dict[str, bytes]:
    return {"line": save({"line.weight": torch.full((1, columns), value)}, {"score": score} if score else None)}


def graded(course: Course, submission: Submission) -> ExerciseResult:
    results: list[SubmissionResult] = []
    judge(course, course.exercises, [(submission, LocalTarget(submission))], 1, results.append)
    return results[0].exercises[0]


def only_message(result: ExerciseResult) -> str:
    (message,) = [check.message.text for check in result.checks if check.status != "passed"]
    return message


@pytest.mark.parametrize(
    ("artefacts", "says"),
    [
        ({}, "there is no trained model yet: capstones/line.safetensors"),
        ({"line": b"no numbers at all"}, "line.safetensors cannot be used: it is not a file of safetensors"),
        ({"line": b""}, "line.safetensors cannot be used"),
        ({"line": save({})}, "it holds no numbers"),
        ({"line": save({"line.weight": torch.zeros(1, 3, dtype=torch.complex64)})}, "numbers of a kind that no model"),
        ({"line": save({"line.weight": torch.zeros([1] * 9)})}, "or one of more than 8 axes"),
        (numbers(1, columns=4), "the model that build builds is not the one in line.safetensors"),
        (numbers(1, columns=4), "line.weight has shape"),
        (numbers(0.5), "1.50"),
    ],
)
def test_a_model_that_is_missing_or_does_no_good_costs_the_points_of_training_alone(
    course: Course, artefacts: Mapping[str, bytes], says: str
) -> None:
    result = graded(course, one_chapter("ada", CHAPTER, RIGHT, artefacts))
    assert (result.score, result.max_score) == (2, 4)
    assert says in only_message(result)


def test_a_trained_model_earns_everything(course: Course) -> None:
    assert graded(course, one_chapter("ada", CHAPTER, RIGHT, numbers(1))).status == "passed"


def test_a_tensor_without_numbers_is_no_answer(course: Course) -> None:
    hollow = RIGHT.replace("[:, 0]", '[:, 0].to("meta")')
    result = graded(course, one_chapter("ada", CHAPTER, hollow, numbers(1)))
    assert {check.status for check in result.checks} == {"failed"}
    assert all("a tensor without numbers" in check.message.text for check in result.checks)


def test_a_fact_that_does_not_hold_is_told_and_its_mistake_named(course: Course) -> None:
    (first, *_) = graded(course, one_chapter("ada", CHAPTER, WIDE)).checks
    assert first.misconceptions == ("line-column",)
    assert "You leave the last axis." in first.message.text
    assert "numbers of shape (2, 1)" in first.message.text


def two_behind_the_wall(course: Course) -> list[str]:
    found: list[str] = []

    def jobs(template: Template) -> Iterator[tuple[Submission, SandboxTarget]]:
        for name, value in (("ada", 1.0), ("ben", 0.2)):
            submission = one_chapter(name, CHAPTER, RIGHT, numbers(value))
            with SandboxTarget(template, submission, AT_EASE, name="full") as target:
                yield submission, target

    with Template(course.root) as template:
        judge(course, course.exercises, jobs(template), 1, lambda result: found.append(result.exercises[0].status))
    return found


def test_what_comes_first_is_asked_twice_and_other_facts_and_a_trained_model_once(course: Course) -> None:
    calls: list[Call] = []

    class Counted(LocalTarget):
        def observe(self, chapter: str, call: Call) -> Observation:
            calls.append(call)
            return super().observe(chapter, call)

    submission = one_chapter("ada", CHAPTER, RIGHT, numbers(1))
    judge(course, course.exercises, [(submission, Counted(submission))], 1, lambda _: None)
    assert [(len(call.args[0]), call.once) for call in calls] == [(2, False), (1, True), (0, False), (2, True)]


def test_everyone_is_judged_by_the_numbers_that_they_handed_in(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    assert two_behind_the_wall(course) == ["passed", "failed"]
    monkeypatch.setattr(Grading, "artefacts", lambda *_: ())  # as if what was asked before could be asked again
    assert two_behind_the_wall(course) == ["passed", "passed"]


def test_equal_modules_under_other_names_are_other_code() -> None:
    source = one_chapter("ada", CHAPTER, RIGHT, numbers(1.0)).chapters[CHAPTER]
    beside = [dict(zip(names, ("x = 1", "x = 2"), strict=True)) for names in ("ab", "ba", "bc")]
    digests = [trained_digest(replace(source, beside=each)) for each in (*beside, dict(sorted(beside[1].items())))]
    assert len(set(digests)) == 3
    assert digests[1] == digests[3]  # in whatever order they were read


def test_what_was_asked_before_can_still_be_drawn(course: Course) -> None:
    submission = one_chapter("ada", CHAPTER, RIGHT, numbers(1.0))
    graded(course, submission)
    picture, failed = look(course, course.exercises[0], submission, LocalTarget(submission), 1)
    assert isinstance(picture, Picture)
    assert failed is None


def test_of_two_files_that_in_its_folder_counts_and_the_other_is_noted(course: Course, tmp_path: Path) -> None:
    for name, value in (("line.safetensors", 0.0), ("capstones/line.safetensors", 1.0), ("line (1).safetensors", 2.0)):
        (tmp_path / "ada" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "ada" / name).write_bytes(numbers(value)["line"])
    (tmp_path / "ada" / f"{CHAPTER}.py").write_text(RIGHT, encoding="utf-8")
    read = read_folder(tmp_path / "ada", course)
    assert read.chapters[CHAPTER].artefacts == numbers(1.0)
    assert any("line.safetensors and line (1).safetensors" in note and "not read" in note for note in read.notes)


def test_the_same_numbers_of_two_students_are_a_reason_to_look(course: Course) -> None:
    class_of_three = [
        one_chapter(name, CHAPTER, RIGHT + f"\n{name} = 1\n", numbers(value, score=name))
        for name, value in (("ada", 1.0), ("ben", 1.0), ("cem", 2.0))
    ]
    found = [pair for pair in similar.similar_pairs(class_of_three, course) if pair.model]
    assert [(pair.students, pair.model) for pair in found] == [(("ada", "ben"), "line")]


@pytest.mark.parametrize("name", ["line.safetensors", "capstones/line.safetensors", "a/b/line-1.safetensors"])
def test_a_model_is_found_wherever_a_platform_puts_it(course: Course, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "ada"
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / f"{CHAPTER}.py").write_text(RIGHT, encoding="utf-8")
    (folder / name).write_bytes(numbers(1)["line"])
    (folder / "other.safetensors").write_bytes(b"1")
    source = read_folder(folder, course).chapters[CHAPTER]
    assert source == ChapterSource(CHAPTER, RIGHT, f"{CHAPTER}.py", artefacts=numbers(1))


def test_a_model_that_is_too_large_is_not_read_and_that_is_said(course: Course, tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / f"{CHAPTER}.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "ada" / "line.safetensors").write_bytes(bytes(17 << 20))
    read = read_folder(tmp_path / "ada", course)
    assert read.chapters[CHAPTER].artefacts == {}
    assert any("line.safetensors is larger than 16 MiB" in note for note in read.notes)


def test_a_fact_that_does_not_hold_of_the_reference_is_our_fault(course: Course) -> None:
    (course.root / "reference" / f"{CHAPTER}.py").write_text(WIDE, encoding="utf-8")
    (first, *_) = graded(course, one_chapter("ada", CHAPTER, WIDE)).checks
    assert first.status == "grader_error"


@pytest.mark.parametrize(
    ("data", "score"),
    [
        (save({"a": torch.ones(1)}, {"score": "0.93"}), 0.93),
        (save({"a": torch.ones(1)}, {"score": "nan"}), None),
        (save({"a": torch.ones(1)}, {"score": "much"}), None),
        (save({"a": torch.ones(1)}), None),
        (b"\xff" * 9, None),
        (b"\x02" + bytes(7) + b"[]", None),
        (b"", None),
    ],
)
def test_a_file_may_name_its_score_and_any_other_bytes_name_none(data: bytes, score: float | None) -> None:
    assert score_of(data) == score
