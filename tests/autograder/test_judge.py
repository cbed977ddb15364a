"""The judge on the toy course: what becomes of right, wrong and absent answers."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from autograder.calls.records import Call, Observation
from autograder.core.errors import UsageError, WorkerLost
from autograder.core.message import Line
from autograder.core.records import Status
from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.course.model import Misconception
from autograder.judging.judge import judge
from autograder.source.stub import renamed
from tests.autograder.conftest import CHAPTER, TOY, Grade, exercise, failed, grade_in

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
UNDONE = RIGHT.replace("def double(", "def _right(")
DOUBLE = "def double(x):\n    return 2 * x\n"


def with_double(body: str) -> str:
    return UNDONE + f"\n\ndef double(x):\n    {body}\n"


def test_a_right_answer_earns_every_point(grade: Grade) -> None:
    result = grade(RIGHT)
    assert result.score == result.max_score == sum(e.max_score for e in result.exercises) > 0
    assert all(check.message.text == "" for e in result.exercises for check in e.checks)


def test_known_mistakes_are_loaded_only_where_a_check_fails(grade: Grade, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    known = Course.misconceptions

    def misconceptions(course: Course, chapter: str) -> tuple[Misconception, ...]:
        asked.append(chapter)
        return known(course, chapter)

    monkeypatch.setattr(Course, "misconceptions", misconceptions)
    grade(RIGHT)
    before = list(asked)
    grade(with_double("return 3 * x"))
    assert (before, set(asked)) == ([], {CHAPTER})


def test_a_wrong_answer_loses_only_its_own_exercise(grade: Grade) -> None:
    result = grade(with_double("return 3 * x"))
    assert exercise(result, "double").status == "failed"
    assert exercise(result, "mean_and_sum").status == "passed"


def test_an_unknown_mistake_is_not_given_a_name(grade: Grade) -> None:
    checks = failed(grade(with_double("return 2 * x + x.tanh()")), "double")
    assert checks
    assert all(check.misconceptions == () for check in checks)


def test_a_known_mistake_written_differently_is_still_named(grade: Grade) -> None:
    checks = failed(grade(with_double("return x ** 2")), "double")
    assert checks[0].misconceptions == ("double-squared",)


def test_the_message_has_its_four_parts_and_the_axis_by_name(grade: Grade) -> None:
    message = failed(grade(with_double("return 3.0 * x")), "double")[0].message.text
    assert [line.split()[0] for line in message.splitlines()[1:]] == ["called", "expected", "got", "try"]
    assert "B=" in message.splitlines()[0]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return None", "it returned None"),
        ("return [x]", "it should be a torch tensor, not a list"),
        ("return (2 * x)[0]", "the result has shape"),
        ("return (2 * x).float().double().to(torch.float32)", "the result is float32 instead of bfloat16"),
        ("return 2 * x + x.sin() * x.exp() - 3 * x.cos()", "instead of"),
        ("return (2 * x + 1) / 0 * 0 - 2", "is NaN"),
        ("return 2 * x.detach()", "cuts the gradient"),
        ("x += x; return x", "it changed its argument x"),
        ("return 2 * x + torch.rand(())", "has a part too many"),
        ("raise ValueError('no')", "it raised ValueError: no"),
    ],
)
def test_the_first_line_says_what_differs_first(grade: Grade, body: str, says: str) -> None:
    checks = failed(grade("import torch\n" + with_double(body)), "double")
    assert any(says in check.message.text.splitlines()[0] for check in checks), checks[0].message.text


SECOND = """

seen = []

def double(x):
    seen.append(x.shape)
    again = seen.count(x.shape) > 1
"""


def test_an_answer_that_changes_from_call_to_call_is_noticed(grade: Grade) -> None:
    checks = failed(grade(UNDONE + SECOND + "    return 2 * x + again\n"), "double")
    assert "called twice, it answers differently" in checks[0].message.text


def test_what_stays_between_calls_is_told_where_a_call_alone_comes_out_right(grade: Grade) -> None:
    text = "\n\nmade = []\n\ndef double(x):\n    made.append(2 * x)\n"
    text = UNDONE + text + "    return made[0] if made[0].dim() == 2 else made[-1]\n"
    assert all("right when called alone" in each.message.headline for each in failed(grade(text), "double"))


def test_two_answers_of_the_students_own_are_told_as_such_and_nan_by_its_name(grade: Grade) -> None:
    checks = failed(grade(UNDONE + SECOND + "    return x * float('nan') if again else 2 * x\n"), "double")
    message = checks[0].message.text
    assert re.search(r"answers differently: first the result.* = \S+, then the result.* = NaN\n", message), message
    assert "instead of" not in message
    assert "the same answer both times" in message


def test_the_line_of_an_exception_is_shown(grade: Grade) -> None:
    assert "return x.nope" in failed(grade(with_double("return x.nope")), "double")[0].message.text


def test_a_forbidden_function_is_named_with_its_line(grade: Grade) -> None:
    text = RIGHT + "\n\ndef mean_and_sum(x):\n    _, mean = torch.var_mean(x, -1)\n    return mean, x.sum(-1)\n"
    result = exercise(grade(text), "mean_and_sum")
    assert (result.status, result.score) == ("forbidden", 0)
    assert "the ready-made var_mean, which is" in result.checks[0].message.text
    forbidden = "    _, mean = torch.var_mean(x, -1)"
    assert result.checks[0].message.line == Line(text.split("\n").index(forbidden) + 1, forbidden.strip())


def test_a_forbidden_function_is_found_behind_an_alias_while_it_runs(grade: Grade) -> None:
    hidden = "getattr(torch, 'var' + '_mean')"
    text = RIGHT + f"\n\ndef mean_and_sum(x):\n    _, mean = {hidden}(x, -1)\n    return mean, x.sum(-1)\n"
    assert exercise(grade(text), "mean_and_sum").status == "forbidden"


def test_an_exit_is_an_answer_like_any_other(grade: Grade) -> None:
    assert exercise(grade(with_double("raise SystemExit(0)")), "double").status == "error"


def test_what_fails_when_a_file_is_loaded_costs_nothing_and_is_said(grade: Grade) -> None:
    result = grade(RIGHT + "\n\n1 / 0\n")
    assert {e.status for e in result.exercises} == {"passed"}
    number = len(RIGHT.splitlines()) + 3
    assert result.notes == (f"line {number} of ch01_toy.py was passed over: ZeroDivisionError: division by zero",)


def test_a_missing_function_is_missing_and_the_others_count(grade: Grade) -> None:
    result = grade(DOUBLE)
    assert [(e.exercise, e.status) for e in result.exercises] == [
        ("double", "passed"),
        ("mean_and_sum", "missing"),
        ("Scale", "missing"),
    ]


@pytest.mark.parametrize("other", ["Double", "doubles", "my_double"])
def test_a_function_under_a_like_name_is_asked_about(grade: Grade, other: str) -> None:
    (check, *_) = failed(grade(RIGHT.replace("def double", f"def {other}")), "double")
    assert check.message.text == f"ch01_toy.py does not define double; it defines {other}: is that double?"


def test_what_the_stub_has_too_or_is_another_word_is_no_guess() -> None:
    stub = "def score(): ...\n\ndef scores(): ...\n"
    found = {own: renamed(f"def {own}(): ...\n", stub, "scores") for own in ("my_scores", "score", "shores", "scale")}
    assert found == {"my_scores": "my_scores", "score": "", "shores": "shores", "scale": ""}


def test_a_stub_that_was_only_touched_is_still_missing(grade: Grade) -> None:
    double = exercise(grade(with_double("x = x + 1\n    raise NotImplementedError('double')")), "double")
    assert double.status == "missing"
    assert double.checks[0].message.headline == "double still raises NotImplementedError"
    assert double.checks[0].message.line


def test_torchs_own_not_implemented_is_an_error_and_not_a_stub(grade: Grade) -> None:
    checks = failed(grade(with_double("return (2 * x).to('cpu')")), "double")
    assert checks
    assert "missing" not in {check.status for check in checks}
    assert "meta" in checks[-1].message.text


def test_numbers_that_differ_late_are_shown_with_all_their_digits(grade: Grade) -> None:
    message = failed(grade(with_double("return 2 * x * 1.00000001")), "double")[0].message.text
    _, one, other = re.search(r"(\S+) is (\S+) instead of (\S+);", message).groups()  # type: ignore[union-attr]
    assert one != other


def test_the_same_seed_gives_the_same_messages_and_another_seed_other_inputs(grade: Grade) -> None:
    wrong = with_double("return 3 * x")
    first, again, other = grade(wrong, seed=7), grade(wrong, seed=7), grade(wrong, seed=8)
    texts = [[check.message.text for check in failed(result, "double")] for result in (first, again, other)]
    assert texts[0] == texts[1] != texts[2]


def test_a_broken_check_is_the_graders_fault(toy_copy: Course) -> None:
    suite = toy_copy.suite(CHAPTER)
    suite.write_text(suite.read_text(encoding="utf-8").replace("0 * draw", "draw", 1), encoding="utf-8")
    double = exercise(grade_in(toy_copy, RIGHT), "double")
    assert double.status == "grader_error"
    assert "the reference itself does not satisfy" in double.checks[0].message.text


def test_known_mistakes_that_cannot_be_loaded_are_one_sentence(toy_copy: Course) -> None:
    (mistakes,) = toy_copy.misconception_files(CHAPTER)
    mistakes.write_text(mistakes.read_text(encoding="utf-8") + "raise ValueError('broken')\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"misconceptions/ch01_toy\.py:\d+ cannot be loaded: ValueError: broken"):
        grade_in(toy_copy, with_double("return 3 * x"))


def test_a_suite_that_cannot_be_imported_is_one_sentence(toy_copy: Course) -> None:
    known = toy_copy.exercises
    toy_copy.suite(CHAPTER).write_text("import nowhere_to_be_found\n", encoding="utf-8")
    with pytest.raises(UsageError, match="nowhere_to_be_found"):
        judge(toy_copy, known, [], 1, lambda result: None)


class Stuck:
    """A target whose calls never come back."""

    name = "stuck"

    def __init__(self, status: Status) -> None:
        self.calls: list[str] = []
        self._status = status

    def observe(self, chapter: str, call: Call) -> Observation:
        self.calls.append(call.name)
        raise WorkerLost(self._status, f"{call.name} gave no answer")

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("status", "words"), [("timeout", "ran out of time"), ("memory", "ran out of memory"), ("crash", "crashed")]
)
def test_an_exercise_that_is_lost_twice_is_not_tried_again_and_the_others_are(
    toy: Course, status: Status, words: str
) -> None:
    target, results = Stuck(status), []
    submission = Submission("someone", {CHAPTER: ChapterSource(CHAPTER, RIGHT, f"{CHAPTER}.py")})
    judge(toy, toy.exercises, [(submission, target)], 1, results.append)
    assert [target.calls.count(name) for name in ("double", "mean_and_sum", "Scale")] == [2, 2, 2]
    assert {check.status for each in results[0].exercises for check in each.checks} == {status}
    assert f"not tried: 2 checks of double {words} before" in exercise(results[0], "double").checks[2].message.text


def test_an_exercise_that_calls_one_still_to_do_is_not_called_so_itself(grade: Grade) -> None:
    text = "def double(x):\n    raise NotImplementedError('double')\n\n\ndef mean_and_sum(x):\n    return double(x)\n"
    (first, *_) = failed(grade(text), "mean_and_sum")
    assert first.status == "missing"
    assert first.message.text.startswith("mean_and_sum calls double, which is still to do")
    assert "`attend hint double`" in first.message.text


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("def test_(", "SyntaxError: '(' was never closed"),
        ("nothing.here", "NameError: name 'nothing' is not defined"),
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
    ],
)
def test_a_suite_that_cannot_be_loaded_is_told_by_its_line(toy_copy: Course, line: str, says: str) -> None:
    suite = toy_copy.suite("ch01_toy")
    before = suite.read_text(encoding="utf-8")
    suite.write_text(f"{before}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="fix it first") as told:
        grade_in(toy_copy, "")
    assert f": tests/exercises/test_ch01_toy.py:{len(before.splitlines()) + 3}: {says}" in str(told.value)
    assert len(str(told.value).splitlines()) == 1


def test_an_interruption_while_a_suite_is_loaded_is_none_of_the_suites_faults(toy_copy: Course) -> None:
    toy_copy.suite(CHAPTER).write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        judge(toy_copy, Course(TOY).exercises, [], 1, lambda _: None)


def test_a_suite_that_needs_a_broken_reference_blames_the_reference(toy_copy: Course) -> None:
    suite = toy_copy.suite(CHAPTER)
    suite.write_text(f"from reference import {CHAPTER}\n" + suite.read_text(encoding="utf-8"), encoding="utf-8")
    (toy_copy.root / "reference" / f"{CHAPTER}.py").write_text("import torch\n\nx = (\n", encoding="utf-8")
    with pytest.raises(
        UsageError, match=r": reference/ch01_toy\.py:3: SyntaxError: '\(' was never closed; fix it first"
    ):
        grade_in(toy_copy, RIGHT)


@pytest.mark.parametrize("name", ["PYTEST_ADDOPTS", "PYTEST_PLUGINS"])
def test_what_the_environment_tells_pytest_has_no_part(
    grade: Grade, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "--there_is_no_such_thing")
    assert grade(RIGHT).score == grade(RIGHT).max_score
    assert os.environ[name] == "--there_is_no_such_thing"


def test_a_plugin_of_pytest_that_is_installed_has_no_part(
    grade: Grade, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "meddler.py").write_text("raise RuntimeError('a plugin was loaded')\n", encoding="utf-8")
    facts = tmp_path / "meddler-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: meddler\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text("[pytest11]\nmeddler = meddler\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", raising=False)
    pytest.main([str(tmp_path)])
    assert "a plugin was loaded" in capsys.readouterr().err
    assert grade(RIGHT).score == grade(RIGHT).max_score
