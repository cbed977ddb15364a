"""What a probe is worth: the share of known mistakes that its arguments bring to light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.calls.observe import observe
from autograder.calls.records import Call, Observation
from autograder.compare.oracle import Oracle
from autograder.core.errors import BrokenCheckError, CheckFailed
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.model import Misconception
from autograder.suite import Agree, Draw, ProbeTarget, module
from autograder.suite.check import Check, Grading
from autograder.suite.plan import Plan
from autograder.suite.play import play
from autograder.suite.traits import peculiar, traits_of


def double(x: torch.Tensor, twice: bool = True) -> torch.Tensor:
    """What the probes are fired at."""
    return 2 * x


WRONG = {
    "adds": lambda x: 2 + x,
    "squares": lambda x: x * x,
    "rows": lambda x: 2 * x.mT,
    "breaks": lambda x: 2 * x if x.shape[0] == x.shape[1] else x @ x,
}
GOOD = torch.tensor([[1.0, 3.0, 5.0], [0.5, 7.0, 11.0]])
TARGET = ProbeTarget(
    "ch02_two", "double", "x (N, M)", {"what is done": ("adds", "squares"), "axes": ("rows",)}, others=("breaks",)
)


class Field(Course):
    """A course in which `probe` is the exercise and `double` what it is fired at."""

    def __init__(self, target: Callable[..., Any], probe: Callable[..., Any]) -> None:
        known = [Misconception(name, "double", each, name, "") for name, each in WRONG.items()]
        known.append(Misconception("twos", "probe", lambda: (torch.full((2, 2), 2.0),), "Only twos.", "Do."))
        right = SimpleNamespace(double=target, probe=probe)
        self.__dict__.update(known=tuple(known), right=right)

    def reference(self, chapter: str) -> Any:
        return self.__dict__["right"]

    def stub(self, chapter: str) -> Path:
        return Path("no stub")

    def misconceptions(self, chapter: str) -> tuple[Misconception, ...]:
        return tuple(self.__dict__["known"])

    def pairs(self, chapter: str) -> tuple[Misconception, ...]:
        return ()


class Here:
    name = "here"

    def __init__(self, answer: Callable[..., Any]) -> None:
        self.answer = answer

    def observe(self, chapter: str, call: Call) -> Observation:
        return observe({"probe": self.answer}, call)

    def close(self) -> None:
        pass


def firing(
    answer: Callable[..., Any], target: Any = double, best: Callable[..., Any] = lambda: (GOOD,), seed: int = 1
) -> Agree:
    course = Field(target, best)
    check = Check("ch03_three", "probe", "test_it", "it finds them", "values", 1)
    grading = Grading(course, Submission("ada", {}), Here(answer), seed, Oracle(course))
    return Agree(grading.oracle, check, Draw(seed, "it"), lambda step: play(Plan((step,)), check, grading))


def said(answer: Callable[..., Any], **options: Any) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        firing(answer).exposes(TARGET, **options)
    return caught.value


def test_an_input_on_which_all_known_mistakes_differ_passes() -> None:
    firing(lambda: (GOOD + 1,)).exposes(TARGET)
    firing(lambda: [GOOD, False]).exposes(TARGET)
    firing(lambda: (GOOD,)).exposes(TARGET, listed=False)


def test_what_slips_through_is_told_by_family_and_not_by_name() -> None:
    text = said(lambda: (torch.full((2, 2), 3.0),)).message.text
    assert "these slip through: axes (1 of 1)" in text
    assert "what is done" not in text
    assert "rows" not in text


def test_a_known_mistake_gets_the_arguments_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[torch.Tensor] = []
    monkeypatch.setitem(WRONG, "adds", lambda x: asked.append(x) or 2 + x)
    firing(lambda: (GOOD + 1,)).exposes(TARGET)
    assert len(asked) == 2, "the reference's arguments, and the student's"


def test_a_share_may_be_enough() -> None:
    symmetric = lambda: (torch.full((2, 2), 3.0),)  # noqa: E731
    firing(symmetric).exposes(TARGET, share=0.5)
    text = said(symmetric, share=0.7).message.text
    assert text.startswith("`x` is 3 everywhere, which hides mistakes; 2 of 3 listed mistakes show, and 3 should")
    assert "3 of 3 broken versions give another answer than the right one" in text


def test_the_mistakes_in_no_family_are_counted_and_not_told() -> None:
    text = said(lambda: (GOOD[:, :2],), listed=False).message.text
    assert text.startswith(
        "axes 0 and 1 of `x` have the same size; 0 of the 1 mistakes in no family show, and 1 should"
    )
    assert "slip" not in text
    firing(lambda: (GOOD,)).exposes(TARGET, listed=False)


def test_a_mistake_that_is_known_and_not_listed_need_not_show() -> None:
    twos = lambda: (torch.full((2, 3), 2.0),)  # noqa: E731
    few = replace(TARGET, families={}, others=("breaks",))
    firing(twos).exposes(few, listed=False)
    with pytest.raises(CheckFailed, match="1 of the 2 mistakes in no family show"):
        firing(twos).exposes(replace(few, others=("breaks", "squares")), listed=False)


def test_a_mistake_that_nobody_knows_cannot_be_listed() -> None:
    with pytest.raises(BrokenCheckError, match="no known mistakes cubes"):
        firing(lambda: (GOOD,)).exposes(replace(TARGET, others=("cubes",)))


def test_a_known_bad_probe_is_named() -> None:
    failed = said(lambda: (torch.full((2, 2), 2.0),))
    assert failed.misconceptions == ("twos",)
    assert failed.message.text.startswith("Only twos.")


UNFIT = {
    "a probe returns the arguments of one call, as a tuple": lambda: GOOD,
    "it returned None": lambda: None,
    "it raised ValueError: no": lambda: (_ for _ in ()).throw(ValueError("no")),
    "double wants x (N, M), and refuses these": lambda: (GOOD, True, 3),
    "at most 4096 numbers": lambda: (torch.zeros(65, 64),),
    "with at most 6 axes": lambda: (torch.zeros(1, 1, 1, 1, 1, 1, 1),),
    "numbers lie between": lambda: (torch.tensor([[torch.nan]]),),
    "plain numbers lie between": lambda: (10**9,),
    "tensors are of": lambda: (torch.zeros(2, 2, device="meta"),),
    "arguments are tensors, numbers or None": lambda: ("GOOD",),
    "arguments are tensors, numbers": lambda: (np.ones((2, 3)),),
    "arguments are tensors": lambda: ([GOOD],),
}


@pytest.mark.parametrize("says", UNFIT)
def test_what_could_harm_the_judge_or_is_no_call_is_refused_in_words(says: str) -> None:
    assert says in said(UNFIT[says]).message.text


def test_what_a_library_says_of_the_references_own_lines_is_not_quoted() -> None:
    def summed(x):
        return torch.einsum("ij->j", x)

    with pytest.raises(CheckFailed, match="refuses these: their shapes do not fit together") as caught:
        firing(lambda: (torch.zeros(3),), summed).exposes(TARGET)
    assert "einsum" not in caught.value.message.text


def test_dtypes_that_the_reference_refuses_are_not_called_shapes() -> None:
    with pytest.raises(CheckFailed, match="refuses these: `x` is bool and should be float32"):
        firing(lambda: (torch.zeros(3, dtype=torch.bool),), lambda x: x - x).exposes(TARGET)
    with pytest.raises(CheckFailed, match="refuses these: their dtypes do not fit together"):
        firing(lambda: (GOOD, torch.ones(3, dtype=torch.float64)), lambda x, y=GOOD[0]: x @ y).exposes(TARGET)


def test_sizes_that_the_reference_refuses_are_told_by_argument() -> None:
    best = lambda: (GOOD, torch.rand(3))  # noqa: E731
    refused = r"refuses these: `x.shape\[-1\]` is 3 and `y.shape\[-1\]` is 4; make them equal"
    with pytest.raises(CheckFailed, match=refused) as caught:
        firing(lambda: (GOOD, torch.ones(4)), lambda x, y=GOOD[0]: y * x, best).exposes(TARGET)
    assert "(x: float32 (2, 3)" in caught.value.message.got


SPECIAL: dict[str, dict[str, object]] = {
    "`a` and `b` hold the same numbers": {"a": GOOD, "b": GOOD.clone()},
    "`a` is None": {"a": None},
    "`a` is 1 everywhere": {"a": torch.ones(4)},
    "`a` is True everywhere": {"a": torch.ones(4, dtype=torch.bool)},
    "`a` has as many rows as `b`": {"a": GOOD, "b": torch.rand(3, 2, 5)},
    "every row of `a` has mean 0": {"a": GOOD - GOOD.mean(-1, keepdim=True)},
    "all rows of `a` have the same mean and the same variance": {"a": torch.stack([GOOD[0], GOOD[0].roll(1)])},
    "every row of `a` holds a number beyond ±100": {"a": 1000 * GOOD},
    "every row of `a` allows something": {"a": torch.eye(3).bool().roll(1, 0)},
    "`a` hides everything that comes later": {"a": torch.ones(3, 3).bool().tril(-1)},
    "no axis of `a` has size 1": {"a": torch.eye(3).bool()},
    "axes 0 and 1 of `a` have the same size": {"a": GOOD[:, :2]},
    "axis 0 of `a` has size 1": {"a": GOOD[:1]},
    "`a`, `b` and `c` hold the same numbers": {"a": GOOD, "b": GOOD.clone(), "c": GOOD.clone()},
    "`a` is only 1e-05": {"a": 1e-5},
    "`a` is only 0": {"a": 0.0},
    "axis 1 of `a` is as long as `b`": {"a": GOOD, "b": 3},
    "no number is larger than 11": {"a": GOOD},
    "all entries along axis 0 of `a` are the same": {"a": GOOD[:1].expand(3, 3).clone()},
    "all entries along axis 1 of `a` are the same": {"a": torch.eye(3, 4)[:, :1].bool().expand(3, 5).clone()},
    "`a` repeats itself along axis 1, after 3": {"a": GOOD.repeat(1, 2)},
    "`a` stays the same when its axes 0 and 1 are exchanged": {"a": GOOD[:, :2] + GOOD[:, :2].T},
    "`b` is a multiple of `a`": {"a": GOOD, "b": -3 * GOOD},
    "every row of `a` is perpendicular to every row of `b`": {
        "a": torch.tensor([[1.0, 2.0, 0.0], [3.0, 1.0, 0.0]]),
        "b": torch.tensor([[0.0, 0.0, 1.0], [0.0, 0.0, 4.0]]),
    },
    "no row of `a` allows more than one": {"a": torch.eye(3, 4).bool()},
}


@pytest.mark.parametrize("says", SPECIAL)
def test_what_is_special_about_arguments_is_told_where_it_is_so(says: str) -> None:
    assert says in told(SPECIAL[says])
    assert says not in told({"a": torch.tensor([[1.0, 300.0], [2.0, 5.0], [3.0, 4.0]])})


def test_rows_of_one_mean_and_other_variances_are_not_special() -> None:
    rows = torch.tensor([[1.0, 2.0, 3.0], [0.0, 2.0, 4.0]])
    assert not any("the same mean" in each for each in told({"a": rows}))


def told(given: dict[str, object]) -> list[str]:
    return [trait.says for trait in traits_of(given)]


@pytest.mark.parametrize("says", [says for says in SPECIAL if "None" not in says])
def test_what_is_special_can_be_changed_alone(says: str) -> None:
    given = SPECIAL[says]
    (trait,) = (trait for trait in traits_of(given) if trait.says == says)
    assert all(says not in told(changed) for changed in [*trait.changes(given)][:1])
    assert [*trait.changes(given)]


def test_what_slips_through_is_told_with_what_is_special() -> None:
    assert "; of your arguments: `x` is 3 everywhere" in said(lambda: (torch.full((2, 2), 3.0),)).message.got


def test_a_trait_that_hides_nothing_is_not_told() -> None:
    """The same axes have the same size, but the numbers alone hide that 2 + x is not 2x."""
    few = replace(TARGET, families={"what is done": ("adds", "squares")})
    with pytest.raises(CheckFailed) as caught:
        firing(lambda: (torch.full((3, 3), 2.0),)).exposes(few)
    assert caught.value.message.got.endswith("; of your arguments: `x` is 2 everywhere")


def test_a_trait_that_is_known_to_hide_mistakes_comes_first() -> None:
    known = replace(TARGET, hidden_by={"axes": "`x` is .* everywhere"})
    with pytest.raises(CheckFailed) as caught:
        firing(lambda: (torch.full((2, 2), 3.0),)).exposes(known)
    says = "`x` is 3 everywhere, which hides mistakes; 2 of 3 listed mistakes show, and 3 should"
    assert caught.value.message.headline == says
    other = replace(TARGET, hidden_by={"axes": "`x` is None"})
    with pytest.raises(CheckFailed, match="2 of 3 listed mistakes show, and 3 should"):
        firing(lambda: (torch.full((2, 2), 3.0),)).exposes(other)


def test_what_hides_no_mistake_is_not_blamed() -> None:
    """Two axes have the same size, as a rule a bad sign; but only the equal numbers hide that 2 + x is not 2x."""
    twos = lambda: (torch.full((3, 3), 2.0),)  # noqa: E731
    few = replace(TARGET, families={"what is done": ("adds", "squares")}, hidden_by={"what is done": "the same size"})
    with pytest.raises(CheckFailed) as caught:
        firing(twos).exposes(few)
    says = "`x` is 2 everywhere, which hides mistakes; 0 of 2 listed mistakes show, and 2 should"
    assert caught.value.message.headline == says


def test_where_no_change_of_one_trait_shows_more_nothing_is_blamed() -> None:
    nearly = lambda: (torch.tensor([[2.0, 2.0], [0.0, 2.0]]),)  # noqa: E731
    few = replace(TARGET, families={"what is done": ("squares",)}, hidden_by={"what is done": "the same size"})
    with pytest.raises(CheckFailed) as caught:
        firing(nearly, best=lambda: (GOOD[:, :2],)).exposes(few)
    assert caught.value.message.headline == "0 of 1 listed mistakes show, and 1 should"


def test_what_cannot_be_changed_alone_may_be_blamed_as_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WRONG, "rows", lambda x, twice=True: 2 * x if twice is None else x)
    known = replace(TARGET, hidden_by={"axes": "`twice` is None"})
    with pytest.raises(CheckFailed, match="`twice` is None, which hides mistakes; 2 of 3 listed"):
        firing(lambda: (GOOD, None)).exposes(known)


def test_no_bound_is_below_the_largest_number() -> None:
    for largest in (10.228, 0.999, 7.0, 96.1, 0.05):
        (said,) = (trait for trait in told({"a": torch.tensor([largest]).double()}) if trait.startswith("no number"))
        assert largest <= float(said.rpartition(" ")[2]) <= 1.1 * largest


def test_what_the_best_arguments_share_is_not_peculiar() -> None:
    (trait,) = peculiar({"a": GOOD[:1]}, {"a": 2 * GOOD})
    assert trait.says == "axis 0 of `a` has size 1"


@pytest.mark.parametrize("seed", [1, 2, 44])
def test_an_object_has_parameters_of_its_own_and_the_same_whatever_the_seed(seed: int) -> None:
    built = []

    class Double(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.zeros(width))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            built.append(self.weight.detach().clone())
            return x * self.weight

    target = ProbeTarget("ch02_two", "double", "x (N, M)", {"what is done": ("adds",)}, build=module(3))
    with pytest.raises(BrokenCheckError, match="has no known mistakes nothing"):
        firing(lambda: (GOOD,), Double).exposes(ProbeTarget("ch02_two", "double", "x (N, M)", {"all": ("nothing",)}))
    WRONG_CLASS = type("Adds", (Double,), {"forward": lambda self, x: x + self.weight})  # noqa: N806
    agree = firing(lambda: (GOOD,), Double, seed=seed)
    known = agree._oracle._course.__dict__
    known["known"] = (Misconception("adds", "double", WRONG_CLASS, "adds", ""),)
    agree.exposes(target)
    expected = Draw(1, "double").like(torch.zeros(3), dtype=torch.float32, device=torch.device("cpu"))
    assert all(torch.allclose(weight.float(), expected) for weight in built)
    assert built


def test_a_check_whose_own_probe_misses_is_broken() -> None:
    with pytest.raises(BrokenCheckError, match="own probe misses axes"):
        firing(lambda: (GOOD,), best=lambda: (torch.full((2, 2), 3.0),)).exposes(TARGET)
