"""`attend ask`: questions about an answer of one's own that has passed."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from autograder.asking.ask import THREE, chosen
from autograder.asking.question import CodeQuestion
from autograder.commands import cli
from autograder.core.errors import UsageError
from autograder.core.text import plain
from autograder.course.course import Course
from autograder.student import ask_dialogue
from autograder.student.ask_dialogue import ask
from autograder.student.asked_before import PLACE
from autograder.student.check import check
from autograder.student.map import show_map
from autograder.student.questions import QuestionRound, letters_of, new_round
from tests.autograder.conftest import TOY, answer
from tests.autograder.in_notebook import Run, fresh_shell, ran

RIGHT = (TOY / "solutions" / "ch01_toy.py").read_text(encoding="utf-8")


def screen(width: int = 80) -> Console:
    return Console(file=io.StringIO(), width=width, color_system=None, highlight=False)


def said(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.fixture
def passed(mine: Course) -> Course:
    """A copy in which everything has passed."""
    return with_answer(mine, RIGHT)


def with_answer(mine: Course, text: str) -> Course:
    answer(mine, text)
    check(mine, mine.exercises, mine.exercises_dir, None, screen(), again=False)
    return mine


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the student types at a terminal, line by line."""
    lines = list[str]()

    def read(_: str) -> str:
        if not lines:
            raise EOFError
        line = lines.pop(0)
        if line == "Ctrl-C":
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr("builtins.input", read)
    monkeypatch.setattr(ask_dialogue, "at_terminal", lambda: True)
    return lines


def keys(round_: QuestionRound) -> list[tuple[str, tuple[str, ...], int]]:
    return [(each.key, each.choices, each.right) for each in round_.questions]


def wrong_letter(question: CodeQuestion) -> str:
    return next(letter for letter in "abcd" if letter != question.letter)


def record(course: Course) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = json.loads((course.root / PLACE).read_text(encoding="utf-8"))
    return found


def test_questions_are_asked_one_at_a_time_and_counted(passed: Course, typed: list[str]) -> None:
    round_, console = new_round(passed, "mean_and_sum", 5), screen()
    first, *others = round_.questions
    typed += [wrong_letter(first), *(each.letter for each in others)]
    ask(passed, "mean_and_sum", 5, console)
    assert f"question 1 of {len(round_.questions)}" in said(console)
    assert f"{len(others)} of {len(round_.questions)} right" in said(console)
    known = record(passed)["exercises"]["mean_and_sum"]
    assert (known["asked"], known["right"]) == (len(round_.questions), len(others))


def test_a_wrong_answer_gets_the_run_that_shows_it(passed: Course, typed: list[str]) -> None:
    first, console = new_round(passed, "mean_and_sum", 5).questions[0], screen()
    typed.append(wrong_letter(first))
    ask(passed, "mean_and_sum", 5, console)
    assert f"it is {first.letter}: {first.choices[first.right]}" in said(console)
    for _, text in first.run:
        assert text in said(console)


def test_a_right_answer_gets_no_run(passed: Course, typed: list[str]) -> None:
    console = screen()
    typed.append(new_round(passed, "mean_and_sum", 5).questions[0].letter)
    ask(passed, "mean_and_sum", 5, console)
    assert "a run of your code shows" not in said(console)


def test_who_answers_nothing_gets_no_count(passed: Course, typed: list[str]) -> None:
    for typing in ([], [""]):
        typed += typing
        console = screen()
        assert ask(passed, "mean_and_sum", 5, console) == 0
        assert "nothing answered; other questions: attend ask mean_and_sum" in said(console)
        assert "0 of 0" not in said(console)


@pytest.mark.parametrize("command", ["ask", "check", "train", "sample"])
def test_a_seed_that_is_no_number_is_told_plainly(command: str) -> None:
    told = " ".join(plain(CliRunner().invoke(cli.app, [command, "x", "--seed", "1x"]).output).split())
    assert "--seed" in told
    assert "1x is no whole number" in told
    assert "parse" not in told


def test_what_is_no_choice_is_asked_for_again(
    passed: Course, capsys: pytest.CaptureFixture[str], typed: list[str]
) -> None:
    first, console = new_round(passed, "mean_and_sum", 5).questions[0], screen()
    typed += ["e", "yes", f"({first.letter.upper()})"]
    ask(passed, "mean_and_sum", 5, console)
    assert "1 of 1 right" in said(console)
    choices = ", ".join(letters_of(first))
    assert capsys.readouterr().out.splitlines()[:2] == [f"answer with one of {choices}; Enter ends"] * 2


def test_ctrl_c_keeps_the_answers_before(passed: Course, typed: list[str]) -> None:
    typed += [new_round(passed, "mean_and_sum", 5).questions[0].letter, "Ctrl-C"]
    console = screen()
    assert ask(passed, "mean_and_sum", 5, console) == 130
    assert "stopped; what you answered is kept" in said(console)
    assert record(passed)["exercises"]["mean_and_sum"]["asked"] == 1
    assert new_round(passed, "mean_and_sum", None).questions


def test_without_a_terminal_all_questions_are_printed_and_nothing_is_remembered(passed: Course) -> None:
    console = screen()
    ask(passed, "mean_and_sum", 5, console)
    for question in new_round(passed, "mean_and_sum", 5).questions:
        for choice in question.choices:
            assert choice in said(console)
    assert "attend ask mean_and_sum --seed 5` in a terminal" in " ".join(said(console).split())
    assert not (passed.root / PLACE).exists()


def test_what_goes_into_a_file_asks_for_nothing(
    passed: Course, typed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)  # and pytest's own output is no terminal
    typed.append("a")
    ask(passed, "mean_and_sum", 5, screen())
    assert typed == ["a"]


def test_a_seed_repeats_the_questions_whatever_was_asked(passed: Course) -> None:
    before = new_round(passed, "mean_and_sum", 5)
    for question in before.questions:
        before.answer(question.letter)
    assert keys(new_round(passed, "mean_and_sum", 5)) == keys(before)


def test_no_question_is_asked_twice_in_a_row(passed: Course) -> None:
    last: set[str] = set()
    for _ in range(4):
        round_ = new_round(passed, "mean_and_sum", None)
        now = {each.key for each in round_.questions}
        assert now
        assert not now & last
        for question in round_.questions:
            round_.answer(question.letter)
        last = now


def test_what_was_asked_last_is_left_out_even_where_nothing_else_is_left(passed: Course) -> None:
    first, *others = new_round(passed, "mean_and_sum", 5).questions
    assert chosen([first, *others], THREE, [], {}, [first.key]) == others
    assert chosen([first], THREE, [], {}, [first.key]) == []


def test_all_outcomes_that_an_answer_has_come_up(mine: Course) -> None:
    passed = with_answer(mine, RIGHT.replace("x.sum(dim=-1)", "x.sum(dim=-1).contiguous()"))
    seen: set[str] = set()
    for _ in range(6):
        round_ = new_round(passed, "mean_and_sum", None)
        for question in round_.questions:
            seen.add(question.outcome)
            round_.answer("a")
    assert {"shape", "numbers", "same"} <= seen


def test_without_a_name_what_was_not_asked_comes_first(passed: Course) -> None:
    names = set()
    for _ in passed.exercises:
        round_ = new_round(passed, "", None)
        names.add(round_.exercise)
        round_.answer("a")
    assert names == {each.name for each in passed.exercises}


def test_a_new_copy_is_told_what_to_do_first(mine: Course) -> None:
    with pytest.raises(UsageError, match="nothing has passed yet"):
        new_round(mine, "", None)


def test_an_exercise_must_have_passed(mine: Course) -> None:
    with pytest.raises(UsageError, match=r"double has not passed yet.*`attend check double`"):
        new_round(mine, "double", None)


def test_an_answer_that_has_changed_since_is_checked_first(passed: Course) -> None:
    answer(passed, RIGHT.replace("return 2 * x", "return x + x"))
    with pytest.raises(UsageError, match="your double has changed since it passed; `attend check double`"):
        new_round(passed, "double", None)
    assert new_round(passed, "Scale", None).questions


def test_a_name_that_does_not_exist_is_told_as_elsewhere(passed: Course) -> None:
    with pytest.raises(UsageError, match="there is no chapter or exercise 'dubble'"):
        new_round(passed, "dubble", None)


def test_the_map_says_how_many_were_right(passed: Course) -> None:
    round_, console = new_round(passed, "mean_and_sum", 5), screen()
    round_.answer(round_.questions[0].letter)
    show_map(passed, console)
    assert "questions about your own code: 1 of 1 right" in said(console)


@pytest.mark.parametrize("text", ["", "[]", '{"exercises": {"double": 3}, "outcomes": {}}', '{"exercises": {}'])
def test_a_damaged_record_counts_as_empty(passed: Course, text: str) -> None:
    (passed.root / PLACE).write_text(text, encoding="utf-8")
    round_ = new_round(passed, "mean_and_sum", None)
    round_.answer("a")
    assert record(passed)["exercises"]["mean_and_sum"]["asked"] == 1


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_terminal_shows_every_choice_on_a_line_of_its_own(passed: Course, width: int) -> None:
    console = screen(width)
    ask(passed, "mean_and_sum", 5, console)
    lines = said(console).splitlines()
    assert max(map(len, lines)) <= width
    for question in new_round(passed, "mean_and_sum", 5).questions:
        starts = [line.split()[0] for line in lines if line.split() and line.split()[0] in "abcd"]
        assert {"a", "b", question.letter} <= {*starts}


def test_comments_are_not_shown_as_they_may_hold_the_answer(passed: Course) -> None:
    console = screen()
    ask(passed, "mean_and_sum", 5, console)
    assert "total = x.sum(dim=-1)" in said(console)
    assert "# (...)" not in said(console)


@pytest.fixture
def in_notebook(mine: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """A notebook in a working copy, in which mean_and_sum has passed."""
    with fresh_shell(tmp_path / "ipython", mine.root, monkeypatch) as shell:
        run = partial(ran, shell)
        run("import torch\ndef mean_and_sum(x):\n    total = x.sum(dim=-1)\n    return total / x.shape[-1], total")
        run("%check mean_and_sum")
        yield run


def test_in_a_notebook_a_letter_is_the_answer(in_notebook: Run) -> None:
    first = in_notebook("%ask mean_and_sum --seed 5").printed
    assert "question 1 of" in first
    assert "answer with %ask a" in first
    second = in_notebook("%ask a").printed
    assert second.startswith(("✓", "✗"))
    assert "question 2 of" in second


def test_in_a_notebook_a_letter_without_a_question_is_told(in_notebook: Run) -> None:
    assert "%ask NAME asks about an exercise that has passed" in in_notebook("%ask b").printed


def test_in_a_notebook_an_exercise_must_have_passed(in_notebook: Run) -> None:
    assert "double has not passed yet" in in_notebook("%ask double").printed
    assert "%check double" in in_notebook("%ask double").printed
