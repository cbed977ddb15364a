"""Axes are called as the docstring of the exercise declares them; where it does not, as they were drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from autograder.compare.declared import Declared, declared, letters
from autograder.compare.describe import Names
from tests.autograder.exercise_doubles import F64, Judging, agreeing, refused

SOURCE = '''
def choose(one_hots, table, mask, first, last, model):
    """The rows of the table (a matrix, as in chapter 1) that (q, k) choose.

    Args:
        one_hots: a row per token, (T, V), see (Elman 1990), (0, 1, ...) and (U, W).
        table: (V, D, 1),
            or (X, Y).
        mask: bool, broadcastable to (B, H, T, T), True = may attend.
        first, last: (..., n) and (m + n, P·P·C, n).
        model: gives logits.

    Returns:
        Output (..., T, D) and weights (B, T), in this order; mask broadcasts to (Q, R).

    Raises:
        ValueError: (T, T) is not square.
    """

def scaled(x):
    """Scale.

    Args:
        x: (..., D).

    Returns:
        Like x. With scale 1 it stays.
    """

def short(a): "Returns: (S,)."

class Layer:
    """Args: x: (A, B)."""

    def forward(self, x, memory):
        """Pass x (B, T, D) through the block, with memory (B, S, D), into logits (B, V)."""
'''


def test_shapes_are_read_from_a_docstring() -> None:
    names = ("one_hots", "table", "mask", "first", "last", "model")
    found = declared(SOURCE, "choose", "", names)
    assert found.arguments == {
        "one_hots": ("T", "V"),
        "table": ("V", "D", "1"),
        "first": ("...", "n"),
        "last": ("", "", "n"),
    }
    assert found.results == (("...", "T", "D"), ("B", "T"))


def test_a_result_may_be_like_an_argument_and_a_method_may_say_all_in_one_sentence() -> None:
    assert declared(SOURCE, "scaled", "", ("x",)).results == (("...", "D"),)
    assert declared(SOURCE, "short", "", ("a",)) == Declared({}, (("S",),))
    found = declared(SOURCE, "Layer", "forward", ("x", "memory"))
    assert found == Declared({"x": ("B", "T", "D"), "memory": ("B", "S", "D")}, (("B", "V"),))
    assert declared(SOURCE, "nothing", "", ()) == Declared()


TABLE = Declared({"one_hots": ("T", "V"), "table": ("V", "D")}, (("T", "D"),))


def placed(*shapes: tuple[int, ...], drawn: dict[int, str], numbers: tuple[int, ...] = ()) -> Any:
    one_hots, table, result = map(torch.zeros, shapes)
    return letters(TABLE, {"one_hots": one_hots, "table": table}, result, drawn, numbers)


def test_a_declared_letter_counts_more_than_a_size_that_coincides() -> None:
    found = placed((7, 4), (4, 5), (7, 5), drawn={7: "V", 5: "D"})
    assert found.results == ((("T", 7), ("D", 5)),)
    assert found.by_size == {4: "V", 5: "D"}  # 7 may be called V or T, and V is 4


def test_a_letter_with_two_sizes_or_a_size_with_two_letters_is_not_used() -> None:
    found = placed((7, 4), (3, 5), (7, 5), drawn={})
    assert found.arguments["one_hots"] == (("T", 7), ("", 4))
    assert found.by_size == {7: "T", 5: "D"}
    same = placed((5, 4), (4, 5), (5, 5), drawn={})
    assert same.results == ((("T", 5), ("D", 5)),)
    assert same.by_size == {4: "V"}


def test_what_the_docstring_does_not_fit_is_called_as_it_was_drawn() -> None:
    found = placed((2, 7, 4), (4,), (2, 7, 5), drawn={7: "N", 2: "B"})
    assert (found.arguments, found.results) == ({"one_hots": (), "table": ()}, ((),))
    assert found.by_size == {7: "N", 2: "B"}
    assert placed((2, 7), (7, 5), (2, 5), drawn={}, numbers=(5,)).by_size == {2: "T", 7: "V"}


STUB = '''
def answer(one_hots, table):
    """Look up.

    Args:
        one_hots: (T, V).
        table: (V, D).

    Returns:
        (T, D).
    """
'''


@pytest.fixture
def judging(tmp_path: Path) -> Callable[[Callable[..., Any]], Judging]:
    def make(answer: Callable[..., Any]) -> Judging:
        agree = agreeing(lambda one_hots, table: one_hots @ table, answer)
        stub = tmp_path / "stub.py"
        stub.write_text(STUB)
        agree.grading.course.__dict__["stub"] = lambda _: stub
        return agree

    return make


def test_a_student_reads_the_letters_of_the_docstring(judging: Callable[[Callable[..., Any]], Judging]) -> None:
    def answer(one_hots: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        made = one_hots @ table
        made[6, 0] += 1
        return made

    def turned(one_hots: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        return (one_hots @ table).T

    x, table = torch.ones(7, 4, dtype=F64), torch.ones(4, 3, dtype=F64)
    agree = judging(answer)
    agree._draw.fix(V=7, D=3)  # a name for 7 that the docstring gives another size
    said = refused(lambda: agree(x, table), "instead of").message
    assert said.headline == "the result[T=6, D=0] is 5 instead of 4; 1 of 21 entries differs"
    assert said.called.startswith("answer(one_hots=float64 (T=7, V=4), table=float64 (V=4, D=3)")
    said = refused(lambda: judging(turned)(x, table), "has shape").message
    assert said.headline == "the result has shape (D=3, T=7) instead of (T=7, D=3)"


def test_an_axis_in_front_has_none_of_the_letters_that_are_declared_for_others() -> None:
    names = Names({5: "Dk", 7: "B"}, placed={"q": (("Tq", 4), ("Dq", 3)), "k": (("Tk", 6), ("Dk", 5))})
    assert names.of_argument("q").shape((5, 4, 3)) == "(5, Tq=4, Dq=3)"
    assert names.of_argument("q").shape((7, 4, 3)) == "(B=7, Tq=4, Dq=3)"
    batched = Names({3: "Dq", 7: "B"}, placed={"q": (("Dq", 3),), "k": (("", 3), ("", 7))})
    assert batched.of_argument("k").shape((3, 7)) == "(3, B=7)"
