"""Right answers with one promise broken: each does what it says, and an exercise is asked only what it promises."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from autograder.author.proof import spoilt
from autograder.author.proof.spoilers import NOTICED, Spoiler, promises_broken, spoilers
from autograder.course.course import Course
from tests.autograder.conftest import TOY, in_place_of_the_real
from tests.autograder.test_proof import examined, rewrite


def shifted(x: torch.Tensor, by: torch.Tensor | None = None) -> torch.Tensor:
    return x if by is None else x + by


class Shift(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Linear(1, 1)

    def forward(self, x: torch.Tensor, by: torch.Tensor | None = None) -> torch.Tensor:
        return self.scale(shifted(x, by))

    def back(self, x: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
        return x - by


ONE, TWO = torch.ones(2, 1), torch.full((2, 1), 2.0)


def test_an_answer_that_is_kept_is_given_to_equal_shapes_again() -> None:
    kept = spoilt.kept_by_shape()(shifted)
    assert kept(ONE).equal(ONE)
    assert kept(TWO).equal(ONE)
    assert kept(TWO[:1]).equal(TWO[:1])


def test_answers_of_a_form_are_one_object_and_others_are_not() -> None:
    one = spoilt.one_buffer()(lambda x: (x, [*x.flatten().tolist()], 3))
    first, words, number = one(ONE.clone())
    assert number == 3
    assert one(TWO.clone())[0] is first
    assert first.equal(TWO)
    assert words == [2, 2]
    assert one(TWO[:1])[0].shape == (1, 1)
    assert first.shape == (2, 1)


def test_a_gradient_stays_in_the_argument_that_is_named() -> None:
    x, by = ONE.clone(), TWO.clone()
    assert spoilt.gradient_left("by")(shifted)(x, by).equal(x + by)
    assert by.grad is not None
    assert x.grad is None


def test_an_object_keeps_an_argument_that_is_left_out_later_and_no_other_object_does() -> None:
    made = spoilt.last_kept("by")(Shift)
    one, other = made(), made()
    other.load_state_dict(one.state_dict())
    right = one(TWO)
    assert not one(TWO, ONE).equal(right)
    assert not one(TWO).equal(right)
    assert other(TWO).equal(right)


def test_what_one_method_was_given_first_another_method_uses() -> None:
    made = spoilt.first_kept("by")(Shift)()
    made(TWO, ONE)
    assert made.back(TWO, TWO).equal(TWO - ONE)


def test_a_part_without_gradients_has_none_and_learns_again_afterwards() -> None:
    made = spoilt.frozen("scale")(Shift)()
    assert not made(ONE).requires_grad
    assert all(each.requires_grad for each in made.parameters())


@pytest.mark.parametrize("training", [True, False])
def test_it_is_wrong_in_one_mode_only(training: bool) -> None:
    made = spoilt.wrong_in(training)(Shift)()
    right = Shift.forward(made, ONE)
    for mode in (True, False):
        assert made.train(mode)(ONE).equal(right) == (mode != training)


def test_gradients_precision_single_sizes_and_ids_are_broken_one_at_a_time() -> None:
    x = ONE.clone().requires_grad_()
    assert not spoilt.without_gradient("x")(shifted)(x).requires_grad
    assert spoilt.half_lost()(shifted)(ONE.bfloat16()).dtype == torch.float32
    single = spoilt.wrong_for_one("x", 1)(shifted)
    assert not single(ONE).equal(ONE)
    assert single(ONE.T).equal(ONE.T)
    first = spoilt.wrong_for_first_zero("x")(shifted)
    assert first(torch.tensor([0, 1])).tolist() == [1, 2]
    assert first(torch.tensor([1, 0])).tolist() == [1, 0]


def test_a_class_has_spoilers_of_mode_parts_and_state_and_a_function_has_none() -> None:
    of_class, of_function = ({each.applied for each in spoilers(right)} for right in (Shift, shifted))
    assert {"wrong_in(True)", "frozen('scale')", "first_kept('x')", "last_kept('by')"} <= of_class - of_function
    assert "last_kept('x')" not in of_class
    assert Spoiler("without_gradient('by')", "has_float('by')") in [*spoilers(shifted)]


def test_each_spoiler_has_a_check_that_notices_it_and_a_place_on_the_page_for_authors() -> None:
    names = {each.applied.partition("(")[0] for right in (shifted, Shift) for each in spoilers(right)}
    assert names == {*NOTICED}
    page = (Path(__file__).parents[2] / "docs" / "authors.md").read_text(encoding="utf-8")
    assert [name for name in names if f"`{name}(" not in page] == []


def test_the_text_of_a_spoiled_chapter_defines_the_spoiled_exercise() -> None:
    with in_place_of_the_real(Course(TOY)) as toy:
        broken = {spoiler.now: spoiler.text for spoiler, _ in promises_broken(toy, toy.one("double"))}
    scope: dict[str, object] = {"__name__": "ch01_toy"}
    exec(broken["wrong_for_one('x', 0)"], scope)
    assert scope["double"](torch.ones(2)).tolist() == [2, 2]  # type: ignore[operator]
    assert scope["double"](torch.ones(1)).tolist() == [3]  # type: ignore[operator]


def test_a_promise_without_a_check_survives_unless_it_is_none(toy_copy: Course) -> None:
    rewrite(toy_copy.suite("ch01_toy"), '("B T", "1 1 1")', '("B T",)')
    tally = examined(toy_copy)
    assert {each.now for each in tally.survived} == {f"wrong_for_one('x', {axis})" for axis in range(3)}
    assert not any("ids" in name or "zero" in name for name in tally.spoiled), "x holds no ids"
    path = toy_copy.root / "tests" / "promises" / "equivalent" / "ch01_toy.toml"
    path.parent.mkdir(parents=True)
    rows = [
        f"[[equivalent]]\nexercise='double'\nwas=''\nnow=\"wrong_for_one('x', {axis})\"\nwhy='so'" for axis in (0, 1)
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    tally = examined(toy_copy)
    assert [each.now for each in tally.survived] == ["wrong_for_one('x', 2)"]
    assert tally.proof is not None
    assert tally.proof.unpromised == 2
