"""Pictures of answers: what is shown where, what is marked, and what cannot be drawn."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from rich.console import Console
from typer.testing import CliRunner

from autograder.calls.records import Call
from autograder.commands import cli
from autograder.compare.grid import Axis, Picture, cut, drawable
from autograder.core.errors import CheckFailed, UsageError
from autograder.core.records import CheckResult
from autograder.course.course import Course
from autograder.student.pictures import notebook_picture
from autograder.student.pictures.look import Recorder
from autograder.student.pictures.picture_png import as_png
from autograder.student.pictures.picture_svg import as_html
from autograder.student.pictures.picture_text import as_text
from tests.autograder.conftest import CHAPTER


def picture(expected: torch.Tensor, got: torch.Tensor | None, says: str = "it differs", **more: object) -> Picture:
    want, have = drawable(expected), drawable(got)
    assert want is not None
    axes = {"rows": Axis("query"), "columns": Axis("key"), **more}
    return Picture("f(x)", says, "", *cut(want, have, 1e-9), **axes)  # type: ignore[arg-type]


def lines(picture: Picture, width: int = 80) -> list[str]:
    console = Console(width=width, no_color=True)
    with console.capture() as caught:
        console.print(as_text(picture, width))
    return caught.get().splitlines()


def test_both_answers_stand_side_by_side_with_the_first_wrong_cell_marked() -> None:
    want = torch.eye(3, dtype=torch.bool)
    shown = lines(picture(want, want.roll(1, 1), boolean=True))
    assert shown[0] == "f(x)"
    assert shown[4].rstrip() == "query  0 1 2   query  0 1 2"
    assert shown[5].rstrip() == "0     ▶■ · ·   0     ▶· ■ ·"
    assert shown[-1] == "▶ the first of 6 wrong cells (of 9); ■ True, · False"


def test_a_few_wrong_cells_are_all_marked() -> None:
    want = torch.arange(12.0).reshape(3, 4)
    got = want.clone()
    got[1, 2], got[2, 0] = 50.0, 60.0
    shown = "\n".join(lines(picture(want, got)))
    assert "▶ 50" in shown
    assert "* 60" in shown
    assert "▶ the first of 2 wrong cells, * the others" in shown


def test_an_answer_that_is_right_is_shown_once() -> None:
    shown = lines(picture(torch.eye(2), torch.eye(2), ""))
    assert shown[1] == "as expected"
    assert sum("query" in line for line in shown) == 1
    assert "wrong" not in shown[-1]


def test_of_many_slices_the_first_wrong_one_is_shown() -> None:
    want = torch.zeros(2, 3, 2, 2)
    got = want.clone()
    got[1, 0, 1, 0] = 7
    drawn = picture(want, got)
    assert drawn.place == "[1, 0] of 2 × 3"
    assert drawn.first_wrong == (1, 0)
    assert "shown: [1, 0] of 2 × 3" in lines(drawn)


def test_a_large_answer_is_cut_to_the_terminal_around_the_wrong_cell() -> None:
    want = torch.rand(60, 200, dtype=torch.float64)
    got = want.clone()
    got[40, 150] += 5
    for width in (40, 80):
        shown = lines(picture(want, got, columns=Axis("key")), width)
        assert max(map(len, shown)) <= width
        assert any("▶" in line for line in shown)
        assert any("of 60, columns" in line for line in shown)


def test_another_shape_is_shown_without_names_of_places() -> None:
    drawn = picture(torch.zeros(2, 2), torch.ones(3, 2), rows=Axis("word", ("cat", "sat")))
    assert not drawn.wrong.any()
    shown = "\n".join(lines(drawn))
    assert shown.count("cat") == 1
    assert "1  1" in shown.replace("   ", "  ")


@pytest.mark.parametrize("value", [None, "text", 3, torch.zeros(0, 2), torch.zeros(2, device="meta"), ["a"]])
def test_what_is_no_array_of_numbers_is_not_drawn(value: object) -> None:
    assert drawable(value) is None


def test_numbers_by_name_become_a_row() -> None:
    found = drawable({"next": 0.5, "previous": 0.25})
    assert found is not None
    assert found.tolist() == [[0.5, 0.25]]


@pytest.mark.parametrize("extra", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_can_be_drawn_too(extra: float) -> None:
    want = torch.tensor([[1.0, 2.0], [3.0, extra]], dtype=torch.float64)
    got = torch.tensor([[1.0, extra], [3.0, extra]], dtype=torch.float64)
    drawn = picture(want, got)
    assert np.argwhere(drawn.wrong).tolist() == [[0, 1]]
    assert str(extra) in "\n".join(lines(drawn))
    assert as_png(drawn).startswith(b"\x89PNG")


def test_a_page_frames_the_wrong_cells_and_says_so_to_who_cannot_see_them() -> None:
    want = torch.arange(12.0).reshape(3, 4)
    got = want.clone()
    got[1, 2], got[2, 0] = 50.0, float("nan")
    page = as_html(picture(want, got))
    assert (page.count('class="first"'), page.count('class="other"')) == (1, 1)
    assert "first of 2 wrong cells, dotted frames: the others" in page
    assert 'aria-label="yours, 3 × 4: [1, 2] is 50 instead of 6; 2 of 12 cells differ"' in page
    assert as_html(picture(want, want, "")).count("<svg") == 1
    assert 'class="first"' not in as_html(picture(want, want, ""))


def test_a_page_shows_a_part_of_a_large_answer_around_the_wrong_cell() -> None:
    want = torch.rand(60, 200, dtype=torch.float64)
    got = want.clone()
    got[40, 150] += 5
    page = as_html(picture(want, got))
    assert "60 × 200, rows 28 to 51, columns 134 to 165" in page
    assert page.count('class="cell"') == 2 * 24 * 32
    assert page.count('class="first"') == 1


def test_names_of_places_are_no_markup_on_a_page() -> None:
    page = as_html(picture(torch.eye(2), torch.ones(2, 2), columns=Axis("<key>", ('<b a="', "&"))))
    assert "<b" not in page
    assert "&lt;b a=&quot;" in page


WRONG = "def double(x):\n    return x + 1\n"


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli.app, ["show", "--target", "mine", *words], env={"COLUMNS": "80"})
    error = f"{done.exception}" if done.exception and not isinstance(done.exception, SystemExit) else ""
    return done.exit_code, done.output + error


@pytest.fixture
def wrong(toy_copy: Course, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A toy course with a folder `mine` in which `double` is wrong."""
    monkeypatch.chdir(toy_copy.root)
    (toy_copy.root / "mine").mkdir()
    (toy_copy.root / "mine" / f"{CHAPTER}.py").write_text(WRONG, encoding="utf-8")
    return toy_copy


def test_the_command_shows_what_the_first_failed_check_saw(wrong: Course) -> None:
    code, text = run("double", "--png", "double.png", "--seed", "1")
    assert code == 1, text
    for words in ("expected", "yours", "▶", "`attend check double` says: "):
        assert words in text
    assert (wrong.root / "double.png").read_bytes().startswith(b"\x89PNG")


def test_the_command_says_what_to_do_where_it_cannot_draw(wrong: Course) -> None:
    code, text = run("mean_and_sum")
    assert (code, "does not define" in text) == (1, True)
    assert "name a file in a folder that exists" in run("double", "--png", "no/such/folder.png")[1]
    assert "there is no chapter or exercise 'dubble'" in run("dubble")[1]
    assert "this is about one" in run(CHAPTER)[1]


def double(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def test_a_notebook_shows_a_picture_of_what_is_defined_in_it(toy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toy.root)
    shown = notebook_picture.show(double)
    assert '<svg role="img"' in (shown._repr_html_() or "")
    assert "yours" in repr(shown)
    with pytest.raises(UsageError, match="no chapter or exercise 'nothing'"):
        notebook_picture.show(type("nothing", (), {}))


def test_a_notebook_is_told_what_is_still_to_do(toy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toy.root)

    def double(x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("double is still to do")

    with pytest.raises(CheckFailed):
        notebook_picture.show(double)


def test_the_line_above_speaks_of_the_cell_that_is_marked() -> None:
    want = torch.zeros(2, 1, 2, 2)
    got = want.clone()
    got[1, 0, 0, 1], got[1, 0, 1, 1] = 1, 100
    assert picture(want, got).verdict.splitlines()[0] == "[1, 0, 0, 1] is 1 instead of 0; 2 of 8 cells differ"


def test_what_a_check_does_to_its_inputs_later_does_not_reach_the_picture() -> None:
    recorder, x = Recorder(notebook_picture._Here(double)), torch.ones(2, 2)
    recorder.observe(CHAPTER, Call("double", (x,)))
    x.zero_()
    recorder.keep(CheckResult("test", "", "values", 1, 1, "passed"))
    [(_, [(call, _)])] = recorder.rows
    assert torch.equal(call.args[0], torch.ones(2, 2))


def test_a_picture_has_a_name_that_pictures_have(wrong: Course) -> None:
    assert "let it end in .png" in run("double", "--png", "double.txt")[1]
    assert not (wrong.root / "double.txt").exists()
