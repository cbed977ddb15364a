"""A known mistake that is marked for other exercises of its chapter too is written once and known in each of them."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import nn

from autograder.author.proof.proof_record import digest
from autograder.author.splice import misconception_source
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.course.mistakes import singles_and_pairs, twin
from autograder.report.known import KnownMistakes
from reference.misconceptions import misconception
from tests.autograder.conftest import in_place_of_the_real
from tests.autograder.editing import edit, toy_in

KNOWN = "reference/misconceptions/ch01_toy.py"
MARK = '@misconception("Scale", "scale-ignored")'


class Once(nn.Module):
    """What the mistakes below are written for: it adds one."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1


class Twice(Once):
    """Its sibling, which adds two."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 2


def more(x: int, by: int = 1) -> int:
    return x + by


def less(x: int, by: int = 1) -> int:
    return x - by


@misconception("Once", "once-negated")
@misconception("Twice", "twice-negated")
class Negated(Once):
    """You return it with the opposite sign.

    Leave the sign as it is.
    """

    shift = 0.5

    def __init__(self, width: int) -> None:
        super().__init__(2 * width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return -super().forward(x) + self.shift


@misconception("more", "more-again")
@misconception("less", "less-again")
def again(x: int, *, by: int = 3) -> int:
    """You do it twice.

    Once is enough.
    """
    return more(more(x, by), by)


@misconception("Once", "once-graph")
@misconception("Twice", "twice-graph")
class WithoutGraph(Once):
    """You cut the graph.

    Leave gradients alone.
    """

    @torch.no_grad()
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x)


@pytest.fixture
def reference() -> ModuleType:
    module = ModuleType("reference.ch01_toy")
    vars(module).update({"Once": Once, "Twice": Twice, "more": more, "less": less})
    return module


@pytest.fixture
def course(tmp_path: Any) -> Iterator[Course]:
    """The toy course with a sibling of `Scale`, `Shift`, of whose mistakes one is a mistake in `Scale` too."""
    made = toy_in(tmp_path)
    more_of_it = "\n\nclass Shift(Scale):\n    def forward(self, x):\n        return x + self.weight\n"
    path = made.root / "reference" / "ch01_toy.py"
    path.write_text(path.read_text(encoding="utf-8") + more_of_it, encoding="utf-8")
    edit(made.root / KNOWN, MARK, f'{MARK}\n@misconception("Shift", "shift-ignored")')
    with in_place_of_the_real(made):
        yield made


def test_the_twin_of_a_class_derives_from_the_other_exercise_and_is_else_the_same(reference: ModuleType) -> None:
    other = twin(Negated, "Twice", reference)
    assert (other.__bases__, other.__name__, other.__module__) == ((Twice,), "Negated", __name__)
    assert (other(3).width, float(other(3)(torch.tensor(1.0)))) == (6, -2.5)
    assert float(Negated(3)(torch.tensor(1.0))) == -1.5


def test_the_twin_of_a_function_calls_the_other_exercise_with_the_same_defaults(reference: ModuleType) -> None:
    other = twin(again, "less", reference)
    assert (other(10), other(10, by=1), again(10)) == (4, 8, 16)
    assert (other.__doc__, other.__qualname__) == (again.__doc__, "again")


def test_twins_come_after_the_mistakes_they_are_written_as_with_the_same_words(reference: ModuleType) -> None:
    singles, _ = singles_and_pairs([Negated, again], "ch01_toy", lambda: reference)
    assert [(each.exercise, each.identifier) for each in singles] == [
        ("Once", "once-negated"),
        ("more", "more-again"),
        ("Twice", "twice-negated"),
        ("less", "less-again"),
    ]
    assert {each.says for each in singles[1::2]} == {"You do it twice."}
    assert len({each.function for each in singles}) == 4


def test_a_twin_in_what_is_no_exercise_is_refused(reference: ModuleType) -> None:
    with pytest.raises(UsageError, match=r"py: Negated is marked for 'Thrice', which reference\.ch01_toy does not def"):
        twin(Negated, "Thrice", reference)


def test_a_mistake_whose_decorator_hides_its_code_has_no_twin(reference: ModuleType) -> None:
    with pytest.raises(UsageError, match="WithoutGraph has a decorator, so it has no twin in 'Twice'; write that one"):
        twin(WithoutGraph, "Twice", reference)


def test_the_source_of_a_twin_has_its_own_mark_and_the_name_of_its_exercise(course: Course) -> None:
    sources = {
        each.identifier: misconception_source(course, "ch01_toy", each) for each in course.misconceptions("ch01_toy")
    }
    assert sources["scale-ignored"].startswith(f"{MARK}\nclass Ignored(Scale):")
    assert sources["shift-ignored"].startswith('@misconception("Shift", "shift-ignored")\nclass Ignored(Shift):')
    assert sources["shift-ignored"].replace("Shift", "Scale").replace("shift", "scale") == sources["scale-ignored"]


def test_reports_say_of_a_twin_what_the_mistake_says(course: Course) -> None:
    known = KnownMistakes(course)
    assert known["shift-ignored"] == known["scale-ignored"]
    assert len(known) == len(course.misconceptions("ch01_toy"))


def test_a_twin_leaves_the_proof_of_the_exercise_that_it_is_written_for_valid(course: Course) -> None:
    exercise = course.one("Scale")
    with_twin = digest(course, exercise)
    edit(course.root / KNOWN, '\n@misconception("Shift", "shift-ignored")', "")
    assert digest(course, exercise) == with_twin
