"""When two answers are the same, and what copies of a call share."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from autograder.calls.records import Build, Call, Part, duplicate, identical, to_meta

ANSWERS = [
    torch.ones(2),
    torch.ones(2, dtype=torch.float64),
    torch.ones(2, device="meta"),
    np.ones(2),
    np.ones(2, dtype=np.float32),
    [1, 2],
    (1, 2),
    {"a": 1, "b": 2},
    {"b": 2, "a": 1},
    True,
    1,
    1.0,
    "1",
    None,
]


@pytest.mark.parametrize("first", range(len(ANSWERS)))
def test_answers_of_different_kinds_are_never_taken_for_the_same(first: int) -> None:
    found = [identical(ANSWERS[first], other) for other in ANSWERS]
    known = isinstance(ANSWERS[first], torch.Tensor) and ANSWERS[first].is_meta  # without numbers nobody can tell
    assert found == [number == first and not known for number in range(len(ANSWERS))]


def test_a_nan_is_not_taken_for_the_same_as_another() -> None:
    assert not identical([torch.tensor([1.0, float("nan")])], [torch.tensor([1.0, float("nan")])])
    assert identical([torch.tensor([1.0, 2.0])], [torch.tensor([1.0, 2.0])])
    assert not identical([torch.tensor([1.0, 2.0])], [torch.tensor([1.0, 2.5])])


def test_equal_strings_of_a_copied_call_are_several_objects_as_they_are_behind_the_wall() -> None:
    word = "word"
    (one, other), kwargs = (twin := duplicate(Call("f", ([word, word],), {"last": word}))).args[0], twin.kwargs
    assert one == other == kwargs["last"] == word
    assert len({id(each) for each in (word, one, other, kwargs["last"])}) == 4


def test_a_copied_call_shares_nothing_and_one_object_passed_twice_stays_one() -> None:
    x, part = torch.ones(2), Part("Inner", ([torch.ones(3)],))
    call = Call("f", (x, [x, part]), {"again": part}, Build(state={"w": x}), cotangents=(x, None))
    copy = duplicate(call)
    assert copy.build is not None
    assert copy.cotangents is not None
    assert identical([copy.args[0], *copy.cotangents], [x, x, None])
    assert x is not copy.args[0] is copy.args[1][0] is copy.build.state["w"] is copy.cotangents[0]
    assert part is not copy.args[1][1] is copy.kwargs["again"]
    assert part.args[0][0] is not copy.kwargs["again"].args[0][0]


def test_without_numbers_one_tensor_passed_twice_stays_one() -> None:
    x = torch.ones(2)
    first, (second, third) = to_meta((x, [x, 3]))
    assert first is second
    assert first.is_meta
    assert third == 3
