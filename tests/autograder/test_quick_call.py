"""Glances: of many functions the result of one call, where classes that start alike share an object."""

from __future__ import annotations

import torch
from torch import nn

from autograder.calls.quick_call import glances
from autograder.calls.records import Build, Call

X = torch.tensor([1.0, 2.0])


class Scale(nn.Module):
    """Multiplies by its weight, which the call gives."""

    made = 0

    def __init__(self) -> None:
        super().__init__()
        self._begin()
        Scale.made += 1

    def _begin(self) -> None:
        self.weight = nn.Parameter(torch.ones(()))
        self.offset = 0.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight + self.offset


class Negated(Scale):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return -super().forward(x)


class Remembering(Scale):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.offset = 5.0
        return x * self.weight


class Training(Scale):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.weight.data += 1
        return x


class Shifted(Scale):
    def _begin(self) -> None:
        super()._begin()
        self.offset = 1.0


def glanced(*classes: type[Scale]) -> list[list[float]]:
    """Return what objects of the classes with the weight 3 give."""
    build = Build(state={"weight": torch.tensor(3.0)})
    return [each.tolist() for each in glances(classes, Call("f", (X,), build=build))]


def test_classes_that_start_alike_share_an_object() -> None:
    before = Scale.made
    assert glanced(Scale, Negated, Scale) == [[3, 6], [-3, -6], [3, 6]]
    assert Scale.made == before + 1


def test_an_object_that_holds_something_else_after_a_call_is_not_shared() -> None:
    assert glanced(Remembering, Scale) == [[3, 6], [3, 6]]


def test_an_object_whose_weights_a_call_changes_is_not_shared() -> None:
    assert glanced(Training, Scale) == [[1, 2], [3, 6]]


def test_a_class_that_overrides_what_its_start_calls_gets_an_object_of_its_own() -> None:
    assert glanced(Scale, Shifted, Scale) == [[3, 6], [4, 7], [3, 6]]


def test_of_each_class_a_glance_sees_its_own_method_from_the_same_state() -> None:
    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(1))

        def run(self, x: torch.Tensor) -> torch.Tensor:
            self.count += 1
            return x + self.count

    class Doubling(Counting):
        def run(self, x: torch.Tensor) -> torch.Tensor:
            return 2 * super().run(x)

    class Failing(Counting):
        def run(self, x: torch.Tensor) -> torch.Tensor:
            super().run(x)
            raise ValueError("no")

    call = Call("f", (torch.zeros(1),), build=Build(state={"count": torch.zeros(1)}, method="run"))
    one, failed, two, three = glances([Counting, Failing, Doubling, Counting], call)
    assert (float(one), failed.kind, float(two), float(three)) == (1, "ValueError", 2, 1)


def test_what_is_built_for_a_glance_draws_from_the_calls_own_seed() -> None:
    class Noisy:
        def __init__(self) -> None:
            self.noise = torch.rand(3)

        def __call__(self) -> torch.Tensor:
            return self.noise

    call = Call("f", build=Build(), seed=5)
    first = glances([Noisy], call)[0]
    torch.rand(7)
    assert torch.equal(first, glances([Noisy], call)[0])
