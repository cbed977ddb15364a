"""What is seen of the reference and of the known mistakes is kept, and never mistaken for something else."""

from __future__ import annotations

import torch

from autograder.calls.records import Call
from autograder.compare.oracle import Oracle, digest
from autograder.suite import part
from tests.autograder.exercise_doubles import F32, F64, Course1, agreeing, refused

X = torch.randn(3, 4, dtype=F64)


def test_random_mistakes_are_recognised_too() -> None:
    def drop(x: torch.Tensor) -> torch.Tensor:
        return torch.where(torch.rand_like(x) < 0.5, 0, 2 * x)

    def halve(x: torch.Tensor) -> torch.Tensor:
        return torch.where(torch.rand_like(x) < 0.5, 0, x)

    def holds(result: torch.Tensor) -> bool:
        return bool(((result == 0) | (result == 2 * X)).all())

    agreeing(drop, drop).satisfies("dropped or doubled", holds, X)
    agree = agreeing(drop, halve, halve=halve)
    assert refused(lambda: agree.satisfies("dropped or doubled", holds, X), "halve").misconceptions == ("halve",)


def test_the_oracle_makes_a_call_once_and_another_call_anew() -> None:
    made = []

    def count(x: torch.Tensor) -> torch.Tensor:
        made.append(1)
        return x

    oracle = Oracle(Course1(count, {}))
    for x in (X, X.clone(), X + 1):
        assert torch.equal(oracle.right("ch01_one", Call("answer", (x,))).result, x)
    assert len(made) == 2 * 4  # each call is repeated, and made once more after one with other numbers


def test_whether_a_call_is_random_is_found_out_once() -> None:
    made = []

    def noise(x: torch.Tensor) -> torch.Tensor:
        made.append(1)
        return torch.rand_like(x)

    oracle = Oracle(Course1(noise, {}))
    assert all(oracle.is_random(noise, Call("answer", (x,))) for x in (X, X.clone()))
    assert len(made) == 2
    assert not oracle.is_random(torch.exp, Call("answer", (X + 1,)))


CALLS = {
    "other numbers": Call("f", (X + 1,)),
    "another dtype": Call("f", (X.float(),)),
    "another shape": Call("f", (X.reshape(4, 3),)),
    "other strides": Call("f", (X.T.contiguous().T,)),
    "an argument by name": Call("f", (), {"x": X}),
    "another name": Call("g", (X,)),
    "one more argument": Call("f", (X, None)),
    "the same object twice": Call("f", (X, X)),
    "two equal objects": Call("f", (X, X.clone())),
    "another default": Call("f", (X,), dtype=F32),
    "a list": Call("f", ([X],)),
    "True": Call("f", (True,)),
    "1": Call("f", (1,)),
    "1.0": Call("f", (1.0,)),
    "a part": Call("f", (part("Inner", 1),)),
    "another part": Call("f", (part("Inner", 2),)),
}


def test_calls_that_differ_in_anything_are_told_apart() -> None:
    digests = {name: digest(call) for name, call in {"plain": Call("f", (X,)), **CALLS}.items()}
    assert len(set(digests.values())) == len(digests)
    assert digest(Call("f", (X.clone(),))) == digests["plain"]


def test_one_number_of_any_stride_has_bytes() -> None:
    one = torch.tensor(3.0, dtype=F64)
    assert digest(Call("f", (one.expand(1),))) != digest(Call("f", (one.expand(1) + 1,)))
