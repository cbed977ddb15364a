"""A piece of a wrong answer goes with its result: small, of single numbers only, and drawn as a table that is read."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import torch

from autograder.calls.records import Call, Observation
from autograder.compare.patch import MOST, patch_of
from autograder.compare.sight import Sight
from autograder.core.records import CheckResult, Patch
from autograder.report.filters import heat_of, is_crowded
from tests.autograder.conftest import CHAPTER, TOY, Grade

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")


def seen(expected: object, got: object) -> Patch | None:
    return patch_of(Sight(Call("f", (1,)), Observation(expected), Observation(got)))  # type: ignore[arg-type]


def judged(grade: Grade, text: str) -> dict[str, list[CheckResult]]:
    return {each.exercise: list(each.checks) for each in grade(text).exercises}


def test_the_first_check_whose_numbers_are_wrong_keeps_a_piece_and_no_other_does(grade: Grade) -> None:
    assert "return 2 * x" in RIGHT
    checks = judged(grade, RIGHT.replace("return 2 * x", "return 3 * x"))
    kept = [check for check in checks["double"] if check.patch]
    assert len(kept) == 1
    assert kept[0].status == "failed"
    assert len([check for check in checks["double"] if check.status != "passed"]) > 1
    expected, got = (float(rows[0].split()[0]) for rows in (kept[0].patch.expected, kept[0].patch.got))  # type: ignore[union-attr]
    assert got == pytest.approx(1.5 * expected, rel=0.01)
    assert all(check.patch is None for name, each in checks.items() if name != "double" for check in each)


def test_an_error_a_shape_and_a_property_keep_none(grade: Grade) -> None:
    for wrong in ("raise ValueError", "return x[:-1]", "return 2 * x + 1 * (x == 0)"):
        checks = judged(grade, RIGHT.replace("return 2 * x", wrong))["double"]
        assert any(check.status != "passed" for check in checks), wrong
        assert all(check.patch is None for check in checks), wrong


def test_of_a_large_answer_only_the_surroundings_of_the_first_wrong_number_are_kept() -> None:
    expected = torch.zeros(2, 100, 300)
    got = expected.clone()
    got[1, 50, 200] = 1
    patch = seen(expected, got)
    assert patch
    assert (len(patch.expected), len(patch.expected[0].split())) == (MOST, MOST)
    assert patch.title == "result, slice [1] of 2, rows 46 to 53 of 100, columns 196 to 203 of 300"
    assert [row.count("1") for row in patch.wrong] == [0, 0, 0, 0, 1, 0, 0, 0]
    assert patch.got[4].split()[4] == "1"


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (torch.tensor(1.0), torch.tensor(2.0)),
        (torch.ones(2, 2), torch.ones(2, 3)),
        (torch.ones(2, 2), "no numbers"),
        (torch.ones(2, 2), torch.ones(2, 2)),
        ("words", "others"),
    ],
)
def test_where_there_is_nothing_to_compare_at_a_glance_nothing_is_kept(expected: object, got: object) -> None:
    assert seen(expected, got) is None


def test_numbers_that_are_none_are_kept_and_drawn() -> None:
    patch = seen(torch.tensor([[0.0, 1.0]]), torch.tensor([[float("nan"), float("inf")]]))
    assert patch
    assert patch.got == ("nan inf",)
    _, got = heat_of(patch)
    assert [(cell.text, cell.share) for cell in got.rows[0]] == [("nan", 0.0), ("inf", 1.0)]


def test_both_tables_have_one_scale_and_frame_what_is_wrong_unless_it_is_most() -> None:
    patch = Patch("result", ("0 1", "2 3"), ("0 1", "2 4"), ("00", "01"))
    expected, got = heat_of(patch)
    assert [cell.share for row in expected.rows for cell in row] == [0, 0.25, 0.5, 0.75]
    assert [cell.wrong for row in got.rows for cell in row] == [False, False, False, True]
    assert not any(cell.wrong for row in expected.rows for cell in row)
    crowded = replace(patch, wrong=("11", "01"))
    assert is_crowded(crowded)
    assert not any(cell.wrong for row in heat_of(crowded)[1].rows for cell in row)


def test_numbers_that_are_all_the_same_have_a_shade_too() -> None:
    same = heat_of(Patch("r", ("1",), ("1",), ("0",)))
    assert {cell.share for heat in same for row in heat.rows for cell in row} == {0}


def test_what_a_row_holds_is_numbers_and_nothing_else() -> None:
    patch = seen(torch.randn(5, 5), torch.randn(5, 5))
    assert patch
    assert all(re.fullmatch(r"[-+.\de ]+", row) for row in (*patch.expected, *patch.got))
