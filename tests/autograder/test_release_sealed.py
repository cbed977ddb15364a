"""`attend release --sealed`: mistakes are named from recorded answers, and no reference is handed out."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from rich.console import Console

from autograder.author.proof.drafts import outdated
from autograder.author.release import seal
from autograder.author.release.bundle import Released, release
from autograder.author.release.cut import RULES, only
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.calls.records import Call, Observation
from autograder.compare.draw import Draw
from autograder.compare.oracle import NOT_RECORDED
from autograder.compare.oracles import oracle_of
from autograder.compare.recording import Reader
from autograder.compare.sealed import SealedOracle
from autograder.compare.vault import PLACE
from autograder.core.errors import CheckFailed, UsageError
from autograder.core.records import SubmissionResult
from autograder.course import sealed_facts as facts
from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER, TOY, exercise, grade_in, in_place_of_the_real
from tests.autograder.test_release import attend, contents

QUIET = Console(quiet=True)
RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
SUITE = (TOY / "tests" / "exercises" / f"test_{CHAPTER}.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Released:
    with in_place_of_the_real(Course(TOY)) as course:
        return release(course, tmp_path_factory.mktemp("sealed") / "out", [], sealed=True, console=QUIET)


@pytest.fixture
def copy(made: Released, tmp_path: Path) -> Iterator[Course]:
    """The sealed toy course, in a folder of one's own, where no reference can be found."""
    root = Path(shutil.copytree(made.placed.root, tmp_path / "mine"))
    with in_place_of_the_real(Course(root)) as course:
        yield course


@pytest.fixture
def changed(tmp_path: Path) -> Iterator[Course]:
    """A toy course of one's own, to change and release."""
    root = Path(shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__")))
    with in_place_of_the_real(Course(root)) as course:
        yield course


def verdicts(result: SubmissionResult) -> dict[str, tuple[str, tuple[str, ...], str]]:
    rows = [check for each in result.exercises for check in each.checks]
    return {check.name: (check.status, check.misconceptions[:1], check.message.text.split("\n")[0]) for check in rows}


@pytest.fixture(scope="module")
def wrong_answers() -> dict[str, str]:
    with in_place_of_the_real(Course(TOY)) as course:
        return {
            each.identifier: with_wrong_answer(RIGHT, misconception_source(course, CHAPTER, each), each.exercise)
            for each in course.misconceptions(CHAPTER)
        }


def test_neither_reference_nor_known_mistakes_are_in_it(made: Released) -> None:
    files = contents(made.placed.root)
    assert [name for name in files if name.startswith("reference/")] == ["reference/__init__.py"]
    assert {name for name in files if name.startswith("recorded/")} == {
        f"recorded/{CHAPTER}.{s}" for s in ("json", "bin")
    }
    telling = [
        line.strip() for line in (TOY / "reference" / f"{CHAPTER}.py").read_text().split("\n") if "return" in line
    ]
    assert telling
    text = b"\n".join(data for name, data in files.items() if not name.startswith("autograder/")).decode(
        errors="replace"
    )
    assert [line for line in telling if line in text] == []
    assert "@misconception" not in text


def test_no_word_and_no_answer_of_a_known_mistake_can_be_read(made: Released) -> None:
    files = contents(made.placed.root)
    with in_place_of_the_real(Course(TOY)) as toy:
        known = (*toy.misconceptions(CHAPTER), *toy.pairs(CHAPTER))
    words = [word.encode() for each in known for word in (each.identifier, each.says, each.advice) if word]
    assert words
    assert [(name, word) for name, data in files.items() for word in words if word in data] == []
    reader = Reader(files[f"recorded/{CHAPTER}.bin"])
    read = [reader.seen(asked.right).result for notes in reader.sheet.exercises.values() for asked in notes.asked]
    drawn = [number for numbers in reader.sheet.drawn.values() for number in numbers.values()]
    told = {
        number
        for notes in reader.sheet.exercises.values()
        for asked in notes.asked
        for number in (asked.call, asked.right)
    }
    assert {*range(len(reader.sheet.entries))} == told | {*drawn}
    assert read


def test_a_mistake_is_explained_only_to_those_who_made_it(copy: Course) -> None:
    answers = copy.root / "exercises" / f"{CHAPTER}.py"
    answers.write_text("def double(x):\n    return 2 * x\n")
    said = attend(copy.root, "check double", "explain double-squared")
    assert "there is no known mistake or exercise 'double-squared'" in said
    assert not (copy.root / PLACE).exists()
    answers.write_text("def double(x):\n    return x * x\n")
    assert "You squared the numbers." in attend(copy.root, "check double")
    assert "Doubling multiplies by two" in attend(copy.root, "explain double-squared")
    (copy.root / PLACE).write_text('{"ch01_toy/0": "spoilt", "ch01_toy/99": "00", "x": 1}')
    (copy.root / ".attend" / "progress.json").unlink()  # the words of the last check
    assert "there is no known mistake" in attend(copy.root, "explain double-squared")


def test_an_opened_mistake_is_known_whatever_is_said_of_it(copy: Course) -> None:
    answers = copy.root / "exercises" / f"{CHAPTER}.py"
    answers.write_text("def double(x):\n    return x * x\n")
    attend(copy.root, "check double")
    sealed = oracle_of(copy)
    (opened,) = sealed.opened(CHAPTER)
    call, _, seen = sealed.example(opened)
    (shown,) = sealed.shown([replace(opened, says="Only with two axes: you squared them.")], call, seen, rounded=False)
    assert shown is seen


def test_a_pass_is_debriefed_without_the_courses_answer(copy: Course) -> None:
    (copy.root / "exercises" / f"{CHAPTER}.py").write_text("def double(x):\n    return 2 * x\n")
    said = " ".join(attend(copy.root, "check double", "explain double").split())
    assert "twos on its diagonal. more: attend explain double" in said
    assert "Read: any book on linear algebra" in said
    assert "the course's" not in said


def test_checks_of_edges_stay_with_the_instructor(made: Released) -> None:
    here = [each._replace(line=0) for each in Course(made.placed.root).checks[CHAPTER]]
    assert {check.level for check in here} == {"property", "values"}
    assert here == [each._replace(line=0) for each in Course(TOY).checks[CHAPTER] if each.level != "edges"]
    assert made.held_back == {"double": 2, "mean_and_sum": 1, "Scale": 1}
    assert "4 checks of 3 exercises stay with you" in made.text()
    assert made.remarks == (*outdated(Course(TOY), Course(TOY).exercises),)


def test_every_known_mistake_gets_the_verdict_and_the_name_that_it_gets_of_the_course(
    copy: Course, wrong_answers: dict[str, str]
) -> None:
    sealed = {name: verdicts(grade_in(copy, text, seed=1)) for name, text in wrong_answers.items()}
    cut = only(SUITE, RULES | {each.function for each in Course(TOY).checks[CHAPTER] if each.level != "edges"})
    assert cut == copy.suite(CHAPTER).read_text(encoding="utf-8")
    named = {name for rows in sealed.values() for _, causes, _ in rows.values() for name in causes}
    assert {"double-squared", "mean-swapped-pair", "scale-ignored"} <= named
    with in_place_of_the_real(Course(TOY)) as toy:
        whole = {name: verdicts(grade_in(toy, text, left_out="edges")) for name, text in wrong_answers.items()}
    for name, rows in sealed.items():
        assert rows == {check: whole[name][check] for check in rows}, name


@pytest.mark.parametrize(
    "body",
    [
        "total = x.sum(-1)\n    return [total / x.shape[-1], total]",
        "y = x.clone()\n    x.zero_()\n    total = y.sum(-1)\n    return total / y.shape[-1], total",
        "total = x.float().sum(-1)\n    return (total / x.shape[-1]).to(x.dtype), total.to(x.dtype)",
        "total = x.sum(-1) * 1.00001\n    return [total / x.shape[-1], total]",
    ],
)
def test_a_fault_of_form_costs_in_a_copy_what_it_costs_of_the_course(copy: Course, body: str) -> None:
    text = f"{RIGHT}\n\ndef mean_and_sum(x):\n    {body}\n"
    here = exercise(grade_in(copy, text), "mean_and_sum").checks
    with in_place_of_the_real(Course(TOY)) as toy:
        there = exercise(grade_in(toy, text, left_out="edges"), "mean_and_sum").checks
    assert any(check.status == "failed" for check in here)
    assert [(each.status, each.forms) for each in here] == [(each.status, each.forms) for each in there]


@pytest.mark.parametrize("seed", [3, 20300])
def test_the_solution_passes_with_every_seed(copy: Course, seed: int) -> None:
    result = grade_in(copy, RIGHT, seed)
    assert result.score == result.max_score > 0


def test_a_student_sees_names_examples_and_what_is_left_to_the_instructor(copy: Course) -> None:
    copy.root.joinpath("exercises", f"{CHAPTER}.py").write_text("def double(x):\n    return x * x\n")
    said = attend(copy.root, "check double", "explain double", "show double", "hint double", "solution double")
    assert "You squared the numbers." in said
    assert "your instructor runs 2 more checks of this, worth 2 points" in said
    assert "An example, with this mistake in the place of your answer" in said
    assert "expected yours" in said
    assert "ask your instructor" in said


def test_the_map_says_what_its_points_leave_out(copy: Course) -> None:
    assert "your instructor runs 4 more checks of this, worth" in attend(copy.root, "")


def test_the_reference_is_not_looked_for(copy: Course) -> None:
    def loaded() -> list[str]:
        return [name for name in sys.modules if name.split(".")[0] == "reference"]

    grade_in(copy, RIGHT.replace("2 * x", "x * x"))
    assert loaded() == []
    with in_place_of_the_real(Course(TOY)) as toy:
        grade_in(toy, RIGHT)
        assert f"reference.{CHAPTER}" in loaded()


@pytest.mark.parametrize("name", [f"{CHAPTER}.bin", f"{CHAPTER}.json"])
@pytest.mark.parametrize("harm", ["changed", "missing"])
def test_a_record_that_is_not_as_it_was_handed_out_is_refused(copy: Course, name: str, harm: str) -> None:
    path = copy.root / "recorded" / name
    data = path.read_bytes()
    path.unlink()
    if harm == "changed":
        path.write_bytes(data[:-9] + b"x" * 8)
    facts._read.cache_clear()
    with pytest.raises(UsageError, match="unpack what you were given once more"):
        SealedOracle(copy).draw(1, f"{CHAPTER}/test_zero_stays_zero")
    path.write_bytes(data)
    SealedOracle(copy).draw(1, f"{CHAPTER}/test_zero_stays_zero")


def test_other_random_numbers_of_another_machine_change_nothing(
    copy: Course, wrong_answers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = {name: wrong_answers[name] for name in ("double-squared", "scale-ignored")}
    here = {name: verdicts(grade_in(copy, text)) for name, text in some.items()}
    drawn = torch.randn
    monkeypatch.setattr(torch, "randn", lambda *args, **kwargs: drawn(*args, **kwargs) * 1.5)
    assert {name: verdicts(grade_in(copy, text)) for name, text in some.items()} == here


def test_a_check_that_asks_more_than_was_recorded_is_no_verdict(copy: Course) -> None:
    suite = copy.suite(CHAPTER)
    text = suite.read_text(encoding="utf-8")
    asks = '    agree(draw("B T D"), build=(draw.size("D"),))\n'
    suite.write_text(text.replace(asks, 2 * asks, 1), encoding="utf-8")
    (value,) = [check for check in exercise(grade_in(copy, RIGHT), "Scale").checks if check.level == "values"]
    assert (value.status, value.message.text) == ("grader_error", NOT_RECORDED)


def test_a_property_holds_of_the_numbers_that_were_recorded(changed: Course, tmp_path: Path) -> None:
    suite = changed.suite(CHAPTER)
    more = '''

@exercise("double", points=1, level="property")
def test_half_of_it_is_x(agree: Agree, draw: Draw) -> None:
    """half of it is x"""
    x = draw("B D")
    agree.satisfies("half of it is x", lambda r: torch.allclose(r / 2, x), x)
'''
    suite.write_text(SUITE + more, encoding="utf-8")
    made = release(changed, tmp_path / "out", [], sealed=True, console=QUIET)
    with in_place_of_the_real(Course(made.placed.root)) as course, pytest.MonkeyPatch.context() as patch:
        assert grade_in(course, RIGHT).score == grade_in(course, RIGHT).max_score
        drawn = torch.randn
        patch.setattr(torch, "randn", lambda *args, **kwargs: drawn(*args, **kwargs) * 1.5)
        assert grade_in(course, RIGHT).score == grade_in(course, RIGHT).max_score
        patch.setattr(SealedOracle, "draw", lambda _, seed, check: Draw(seed, check))
        assert grade_in(course, RIGHT).score < grade_in(course, RIGHT).max_score


def test_answers_written_down_from_the_record_pass_here_and_fail_with_the_instructor(copy: Course) -> None:
    oracle = SealedOracle(copy)
    table = {}
    for asked, call in oracle._record(CHAPTER)._all("double"):
        result = oracle._record(CHAPTER).reader.seen(asked.right).result
        table[f"{[*call.args[0].shape]} {call.args[0].sum():.9f}"] = result.tolist()
    cheat = RIGHT.replace(
        "def double(x",
        f"import torch\nTABLE = {table!r}\ndef double(x):\n"
        "    kept = TABLE.get(f'{[*x.shape]} {x.sum():.9f}')\n"
        "    return torch.zeros_like(x) if kept is None else torch.tensor(kept, dtype=x.dtype)\n\n\ndef other(x",
        1,
    )
    here = exercise(grade_in(copy, cheat), "double")
    assert here.status == "passed"
    with in_place_of_the_real(Course(TOY)) as toy:
        there = exercise(grade_in(toy, cheat, seed=987654), "double")
    assert there.status == "failed"
    assert {check.name for check in there.checks if check.status != "passed"} >= {"test_every_number_is_doubled"}


def test_a_check_that_computes_with_the_reference_stays_with_the_instructor(changed: Course, tmp_path: Path) -> None:
    suite = changed.suite(CHAPTER)
    more = '''

@exercise("double", points=1, level="values")
def test_four_times_is_twice_twice(agree: Agree, draw: Draw) -> None:
    """twice twice"""
    agree(reference.double(draw("B D")))
'''
    text = SUITE.replace("import torch\n", f"import torch\n\nfrom reference import {CHAPTER} as reference\n", 1)
    suite.write_text(text + more, encoding="utf-8")
    made = release(changed, tmp_path / "out", [], sealed=True, console=QUIET)
    assert made.held_back["double"] == 3
    told = f"{CHAPTER}, kept back besides the edges: test_four_times_is_twice_twice"
    assert made.remarks == (told, *outdated(changed, changed.exercises))
    assert (made.placed.root / "tests" / "exercises" / suite.name).read_text(encoding="utf-8").count("reference") == 0


def test_a_check_that_says_something_else_from_the_record_is_kept_back(
    changed: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(SealedOracle):
        def right(self, chapter: str, call: Call) -> Observation:
            if call.name == "double":
                raise CheckFailed("grader_error", NOT_RECORDED)
            return super().right(chapter, call)

    monkeypatch.setattr("autograder.compare.sealed.SealedOracle", Forgetful)
    made = release(changed, tmp_path / "out", [], sealed=True, console=QUIET)
    assert made.held_back == {"double": 4, "mean_and_sum": 1, "Scale": 1}
    monkeypatch.undo()
    with in_place_of_the_real(Course(made.placed.root)) as course:
        double = course.one("double")
        assert (double.points, double.checks) == (0, 0)
        with pytest.raises(UsageError, match="all checks of double are with your instructor"):
            facts.checked_here([double])
        assert len(facts.checked_here(course.exercises)) == 2


def test_an_interrupted_recording_leaves_nothing_behind(
    changed: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(seal, "notes", stopped)
    with pytest.raises(KeyboardInterrupt):
        release(changed, tmp_path / "out", [], sealed=True, console=QUIET)
    assert [path.name for path in tmp_path.iterdir()] == ["toy"]


def test_an_open_release_that_is_sealed_loses_its_reference_and_is_like_any_sealed_one(
    made: Released, changed: Course, tmp_path: Path
) -> None:
    root = release(changed, tmp_path / "out", [], sealed=False, console=QUIET).placed.root
    assert (root / "reference" / f"{CHAPTER}.py").is_file()
    release(changed, tmp_path / "out", [], sealed=True, console=QUIET)
    assert [path.name for path in (root / "reference").rglob("*.py")] == ["__init__.py"]
    assert (tmp_path / "out.zip").read_bytes() == made.placed.archive.read_bytes()
