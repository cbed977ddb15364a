"""What a working copy remembers of its checks, and what it shows of it."""

from __future__ import annotations

import io
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.answers import reset, solution
from autograder.student.check import check
from autograder.student.explain import explain
from autograder.student.map import show_map
from autograder.student.saved_progress import PLACE
from tests.autograder.conftest import TOY, answer

RIGHT = (TOY / "solutions" / "ch01_toy.py").read_text(encoding="utf-8")
SQUARED = RIGHT.replace("return 2 * x", "return x * x")
AGAIN = "not changed since it was checked"


def console(width: int = 80) -> Console:
    return Console(file=io.StringIO(), width=width, color_system=None, highlight=False)


def said(screen: Console) -> str:
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def checked(course: Course, *, seed: int | None = None, again: bool = False) -> str:
    screen = console()
    folder = course.exercises_dir if course.is_copy else course.solutions_dir
    check(course, course.exercises, folder, seed, screen, again=again)
    return said(screen)


def remembered(text: str) -> list[str]:
    return [line.split()[1] for line in text.splitlines() if AGAIN in line]


def test_only_what_has_changed_is_checked_again(mine: Course) -> None:
    assert remembered(checked(mine)) == []
    assert remembered(checked(mine)) == ["double", "mean_and_sum", "Scale"]
    answer(mine, SQUARED)
    assert remembered(checked(mine)) == ["mean_and_sum", "Scale"]


def test_a_mistake_is_told_from_memory_as_it_was_told_first(mine: Course) -> None:
    answer(mine, SQUARED)
    first, second = checked(mine), checked(mine)
    assert "You squared the numbers." in first
    assert "double" in remembered(second)
    assert second.replace(f"  {AGAIN}", "").startswith(first[: first.index("Scale: ")])


def test_a_mistake_is_looked_for_anew_when_its_lines_have_moved(mine: Course) -> None:
    answer(mine, SQUARED)
    checked(mine)
    answer(mine, "# a comment\n" + SQUARED)
    assert remembered(checked(mine)) == ["mean_and_sum", "Scale"]


@pytest.mark.parametrize("how", [{"seed": 3}, {"again": True}])
def test_everything_is_checked_again_on_request(mine: Course, how: dict[str, int]) -> None:
    checked(mine)
    assert remembered(checked(mine, **how)) == []


def test_a_file_that_is_gone_is_told_with_where_it_can_be_had(mine: Course) -> None:
    for path in mine.exercises_dir.glob("ch01*"):
        path.unlink()
    assert checked(mine).count("there is no ch01_toy.py; copy it back from .attend/stubs") == 3


def test_ctrl_c_while_torch_is_loaded_only_ends_the_check(mine: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.student.check.load", stop)
    with pytest.raises(KeyboardInterrupt):
        checked(mine)


def test_another_suite_makes_everything_new(mine: Course) -> None:
    checked(mine)
    suite = mine.suite("ch01_toy")
    suite.write_text(suite.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert remembered(checked(mine)) == []


def test_progress_moves_with_the_folder(mine: Course, tmp_path: Path) -> None:
    checked(mine)
    moved = Course(Path(shutil.move(mine.root, tmp_path / "elsewhere")))
    assert remembered(checked(moved)) == ["double", "mean_and_sum", "Scale"]


@pytest.mark.parametrize("spoilt", ["", "{", "[]", '{"double": 1}', '{"double": {"result": {"status": "won"}}}'])
def test_a_spoilt_record_costs_no_more_than_a_check(mine: Course, spoilt: str) -> None:
    checked(mine)
    (mine.root / PLACE).write_text(spoilt, encoding="utf-8")
    assert remembered(checked(mine)) == []
    assert remembered(checked(mine)) != []


def test_the_course_itself_remembers_nothing(toy_copy: Course) -> None:
    checked(toy_copy)
    assert not (toy_copy.root / PLACE).exists()


def test_the_map_shows_what_is_done_and_what_is_next(mine: Course) -> None:
    answer(mine, SQUARED)
    checked(mine)
    screen = console()
    show_map(mine, screen)
    text = said(screen)
    assert "10/13  1 to do" in text  # the mistake costs three of the five points of `double`
    assert "next: double" in text


def test_the_map_says_when_a_verdict_is_out_of_date(mine: Course) -> None:
    checked(mine)
    before, after = console(), console()
    show_map(mine, before)
    answer(mine, SQUARED)
    show_map(mine, after)
    assert "✓ done" in said(before)
    assert "changed" not in said(before)
    assert "1 changed" in said(after)
    assert "changed: since the last check, so the points may be others now" in said(after)


def test_an_answer_in_the_notebook_changes_no_other(mine: Course) -> None:
    answer(mine, mine.stub("ch01_toy").read_text(encoding="utf-8") + "\nif __name__ == '__main__':\n    double(1)\n")
    checked(mine)
    notebook = mine.exercises_dir / "ch01_toy.ipynb"
    for name in ("double", "mean_and_sum"):
        text = notebook.read_text(encoding="utf-8")
        notebook.write_text(text.replace(f'raise NotImplementedError(\\"{name}\\")', "return x"), encoding="utf-8")
        screen = console()
        show_map(mine, screen)
        assert "3 to do, 1 changed" in said(screen), name
        checked(mine)


def test_what_is_not_begun_is_not_changed_by_work_on_another_answer(mine: Course) -> None:
    stub = mine.stub("ch01_toy").read_text(encoding="utf-8")
    answer(mine, stub)
    checked(mine)
    answer(mine, stub.replace('raise NotImplementedError("double")', "return 2 * x"))
    screen = console()
    show_map(mine, screen)
    assert "3 to do, 1 changed" in said(screen)
    assert "✓ double" in checked(mine)


@pytest.mark.parametrize("width", [24, 40, 60, 80])
def test_no_line_of_the_map_is_wider_than_the_terminal(mine: Course, width: int) -> None:
    screen = console(width)
    show_map(mine, screen)
    lines = said(screen).splitlines()
    assert max(map(len, lines)) <= width
    row = next(line for line in lines if line.startswith("ch01 "))
    assert "0/13" in row
    assert "3 to do" in row


@pytest.mark.parametrize("name", ["double", "ch01.double", "double-squared", "squar"])
def test_a_mistake_is_explained_by_its_id_or_by_what_was_checked_last(mine: Course, name: str) -> None:
    answer(mine, SQUARED)
    assert "`attend explain double-squared`" in checked(mine)
    screen = console()
    explain(mine, name, screen)
    assert "You squared the numbers." in said(screen)
    assert "The smallest example of it that was found, with your answer:" in said(screen)


def test_before_a_check_there_is_no_mistake_to_explain(mine: Course) -> None:
    with pytest.raises(UsageError, match="double was not checked here yet; `attend check double` names the mistake"):
        explain(mine, "double", console())


def test_where_no_mistake_was_named_it_is_told_what_the_check_said_with_the_smallest_example(mine: Course) -> None:
    answer(mine, RIGHT.replace("return 2 * x", "return 7 * x"))
    checked(mine, seed=1)
    screen = console()
    explain(mine, "double", screen)
    text = " ".join(said(screen).split())
    assert "entries differ" in text
    shown = re.search(r"x \[+(-?\d)\]+ expected \[+(-?\d)\]+ got \[+(-?\d+)\]+", text)
    assert shown, text
    x, expected, got = map(int, shown.groups())
    assert (expected, got) == (2 * x, 7 * x)


def test_a_mistake_that_is_not_known_is_no_mistake_to_explain(mine: Course) -> None:
    answer(mine, RIGHT.replace("return 2 * x", "return 7 * x"))
    checked(mine)
    for name, says in [("doubel-squared", "double-squared"), ("ch01/doubel", "mean double"), ("x!", "names")]:
        with pytest.raises(UsageError, match=says):
            explain(mine, name, console())
    answer(mine, RIGHT.replace("def double", "def triple"))
    checked(mine)
    with pytest.raises(UsageError, match="does not define double; `attend hint double` helps"):
        explain(mine, "double", console())
    reset(mine, "mean_and_sum")
    checked(mine)
    with pytest.raises(UsageError, match="mean_and_sum is still to do; `attend hint mean_and_sum` helps to begin"):
        explain(mine, "mean_and_sum", console())


def test_the_solution_opens_after_a_pass_or_on_a_second_request(mine: Course) -> None:
    answer(mine, SQUARED)
    checked(mine)
    with pytest.raises(UsageError, match=r"attend hint double.*attend solution double --anyway"):
        solution(mine, "double", anyway=False)
    assert solution(mine, "double", anyway=True)
    mine.source.solution("ch01_toy").unlink()
    with pytest.raises(UsageError, match="without its solutions"):
        solution(mine, "double", anyway=True)


def test_a_solution_is_shown_without_its_markers(mine: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Course, "installed", lambda: Course(TOY))
    text = solution(mine, "double", anyway=True)
    assert "return 2 * x" in text
    assert "SOLUTION" not in text


def test_a_reset_gives_back_the_stub_in_both_forms_and_keeps_the_answers(mine: Course) -> None:
    notebook = mine.exercises_dir / "ch01_toy.ipynb"
    stub = notebook.read_text(encoding="utf-8")
    content = json.loads(stub)
    cell = next(cell for cell in content["cells"] if cell["metadata"].get("exercise") == "double")
    cell["source"] = ["def double(x):\n", "    return 3 * x"]
    notebook.write_text(json.dumps(content), encoding="utf-8")
    done = reset(mine, "double")
    assert [json.loads(text)["cells"] for text in (notebook.read_text(encoding="utf-8"), stub)] == [
        json.loads(stub)["cells"]
    ] * 2
    module = (mine.exercises_dir / "ch01_toy.py").read_text(encoding="utf-8")
    assert 'raise NotImplementedError("double")' in module
    assert "return 2 * x" not in module
    assert "total / x.shape[-1], total" in module  # the other answers stay
    kept = [(mine.root / path).read_text(encoding="utf-8") for path in done.kept]
    assert ["return 2 * x" in text for text in kept] == [True, False]
    assert "return 3 * x" in kept[1]
    assert reset(mine, "double") == replace(done, changed=(), kept=())


def test_without_any_file_of_it_nothing_is_reset_and_the_stub_is_named(mine: Course) -> None:
    for path in mine.exercises_dir.glob("ch01*"):
        path.unlink()
    with pytest.raises(UsageError, match=r"there is no file of ch01_toy to reset; copy one from \.attend/stubs"):
        reset(mine, "double")


def test_a_reset_takes_back_the_points_on_the_map(mine: Course) -> None:
    checked(mine)
    reset(mine, "double")
    screen = console()
    show_map(mine, screen)
    assert "8/13" in said(screen)
    assert "next: double" in said(screen)
    assert "changed" not in said(screen)


def test_an_answer_by_assignment_is_reset_like_any_other(mine: Course) -> None:
    start_of, end_of = RIGHT.index("def double"), RIGHT.index('# %% [markdown] hints="double"')
    answer(mine, RIGHT[:start_of] + "double = lambda x: 2 * x\n\n" + RIGHT[end_of:])
    assert reset(mine, "double").changed == (Path("exercises", "ch01_toy.py"),)
    module = (mine.exercises_dir / "ch01_toy.py").read_text(encoding="utf-8")
    assert "lambda" not in module
    assert "def double(x: torch.Tensor)" in module


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_reset_leaves_the_ends_of_lines_as_they_are(mine: Course, end: str) -> None:
    files = [mine.exercises_dir / f"ch01_toy{suffix}" for suffix in (".py", ".ipynb")]
    files[1].write_text(files[1].read_text(encoding="utf-8").replace("raise NotImpl", "raise OwnNotImpl"), "utf-8")
    for path in files:
        path.write_bytes(path.read_text(encoding="utf-8").replace("\n", end).encode())
    assert len(reset(mine, "double").changed) == 2
    for data in (path.read_bytes() for path in files):
        assert data.count(b"\n") == data.count(end.encode())
        assert (b"\r" in data) == ("\r" in end)


def test_a_file_that_does_not_compile_is_left_as_it_is(mine: Course) -> None:
    answer(mine, "def double(x:\n")
    with pytest.raises(UsageError, match="does not compile"):
        reset(mine, "double")
    assert (mine.exercises_dir / "ch01_toy.py").read_text(encoding="utf-8") == "def double(x:\n"
