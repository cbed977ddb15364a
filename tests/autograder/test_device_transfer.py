"""Calls on another device than the CPU: what is right there, what is not, and what is remembered of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from autograder.calls import device_transfer
from autograder.calls.device_transfer import calls_on, device_for_checks, device_named
from autograder.calls.observe import observe
from autograder.calls.records import Build, Call, Part, Raised, tensors
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.check import check
from tests.autograder.conftest import answer
from tests.autograder.exercise_doubles import agreeing, refused
from tests.autograder.test_progress import RIGHT, console, remembered, said
from tests.fake_device import NAME, device_there, each_device, fake_device, without_float64

X = torch.tensor([[1.0, -2.0], [0.5, 3.0]], dtype=torch.float64)
LINES = X.new_ones(3, 2)


class Line(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.layer = nn.Linear(width, 3)
        self.register_buffer("shift", torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x) + self.shift


def places(count: int) -> torch.Tensor:
    return torch.arange(count) * torch.ones(())


def steady(x: torch.Tensor) -> torch.Tensor:
    return torch.dropout(x, 0.5, True) + torch.zeros(x.shape[-1], dtype=x.dtype, device=x.device)


@each_device
@pytest.mark.parametrize(
    ("right", "args", "options"),
    [
        pytest.param(torch.softmax, (X, -1), {"gradients": True}, id="a function"),
        pytest.param(steady, (X,), {}, id="random numbers"),
        pytest.param(Line, (X,), {"build": (2,), "gradients": True}, id="a module"),
        pytest.param(places, (3,), {}, id="no tensor"),
        pytest.param(lambda x: {"all": [x, (x.sum().item(), "it")]}, (X,), {}, id="parts"),
        pytest.param(lambda x: x.cpu().numpy(), (X,), {}, id="an array"),
        pytest.param(lambda model, x: model.eval()(x), (Part("CausalLM", (9, 4, 4, 2, 4, 1)), X[:1].long().abs()), {}),
    ],
)
def test_a_right_answer_is_right_elsewhere(
    device: str, right: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
) -> None:
    with calls_on(device_there(device)):
        agreeing(right, right)(*args, **options)


def made_here(x: torch.Tensor) -> torch.Tensor:
    return x * torch.ones(2, dtype=x.dtype)


def left_here(x: torch.Tensor) -> torch.Tensor:
    return torch.tensor(x.tolist(), dtype=x.dtype)


WRONG = {
    made_here: "it mixes devices: a tensor it makes lies on the default device, its arguments on another \\(it raised",
    left_here: "it mixes devices: .* \\(a tensor of its answer lies on cpu instead of (lazy|cuda)\\)",
    lambda x: x.numpy() * x.new_ones(1).item(): "it raised",
}


@each_device
@pytest.mark.parametrize("wrong", WRONG, ids=["made here", "left here", "NumPy"])
def test_a_tensor_on_the_cpu_is_right_on_the_cpu_alone(device: str, wrong: Callable[..., Any]) -> None:
    agreeing(wrong, wrong)(X)
    with calls_on(device_there(device)):
        failed = refused(lambda: agreeing(torch.clone, wrong)(X), WRONG[wrong])
    assert wrong not in (made_here, left_here) or "device=x.device" in failed.message.advice


@each_device
def test_all_that_a_call_shows_comes_back(device: str) -> None:
    build = Build((2,), state={"layer.weight": LINES, "layer.bias": X.new_zeros(3), "shift": X.new_zeros(3)})
    seen: list[torch.device] = []

    class Spied(Line):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            seen.extend(each.device for each in (x, *self.state_dict().values()))
            return super().forward(x)

    with calls_on(device_there(device)):
        shown = observe({"answer": Spied}, Call("answer", (X,), build=build, cotangents=(LINES[:2] @ LINES.T,)))
    assert {each.type for each in seen} == {device}
    shown_parts = (shown.result, shown.again, shown.arguments, dict(shown.gradients or {}))
    assert {each.device.type for each in tensors(shown_parts)} == {"cpu"}
    assert len([*tensors(shown_parts)]) == 6
    assert torch.equal(shown.result, X @ LINES.T)
    assert shown.changed == ()


@each_device
def test_a_module_that_keeps_its_first_parameters_moves_as_well(device: str) -> None:
    with calls_on(device_there(device)):
        shown = observe({"answer": Line}, Call("answer", (X.float(),), build=Build((2,))))
    assert shown.result.shape == (2, 3)


@each_device
def test_what_a_call_changes_elsewhere_is_noticed(device: str) -> None:
    def doubling(x: torch.Tensor) -> torch.Tensor:
        return x.mul_(2)

    class Drifting(Line):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            result = super().forward(x)
            self.shift.add_(1)
            return result

    with calls_on(device_there(device)):
        refused(lambda: agreeing(lambda x: 2 * x, doubling)(X), "it changed its argument x")
        refused(lambda: agreeing(Line, Drifting)(X, build=(2,)), "changed shift")


@each_device
def test_what_is_forbidden_is_forbidden_elsewhere(device: str) -> None:
    with calls_on(device_there(device)):
        shown = observe({"answer": lambda x: x.softmax(-1)}, Call("answer", (X,), forbidden=("softmax",))).result
    assert isinstance(shown, Raised)
    assert shown.kind == "ForbiddenError"


def test_a_device_that_is_not_there_is_refused_and_those_that_are_named() -> None:
    assert device_named("cpu") == torch.device("cpu")
    for name in ("tpu", "distributed", ""):
        with pytest.raises(UsageError, match=f"there is no device '{name}' here; leave --device out, or choose"):
            device_named(name)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device that stands in for a GPU can be asked for by its name."""
    monkeypatch.setattr(device_transfer, "KNOWN", (NAME, "cuda"))
    monkeypatch.setattr(device_transfer, "_is_there", lambda kind: kind == NAME or torch.cuda.is_available())


@pytest.mark.usefixtures("known")
def test_the_fastest_device_that_is_there_is_chosen() -> None:
    assert device_named("auto") == device_for_checks("auto") == device_named(NAME) == fake_device()


@pytest.mark.usefixtures("known")
def test_checks_need_float64() -> None:
    fake_device()
    with without_float64():
        assert device_for_checks("auto") == torch.device("cpu")
        with pytest.raises(UsageError, match=r"the device 'lazy' has no float64, which checks compare in: .* the CPU"):
            device_for_checks(NAME)


def checked(course: Course, device: str = "cpu") -> str:
    screen = console()
    check(course, course.exercises, course.exercises_dir, None, screen, again=False, device=device)
    return said(screen)


@each_device
@pytest.mark.usefixtures("known")
def test_a_copy_is_checked_elsewhere_and_remembers_nothing_of_it(mine: Course, device: str) -> None:
    device_there(device)
    answer(mine, RIGHT.replace("return 2 * x", "return 2 * x if x.device.type in ('cpu', 'meta') else x"))
    assert "✓ double" in checked(mine)
    elsewhere = checked(mine, device)
    assert remembered(elsewhere) == []
    assert "✗ double" in elsewhere
    assert "a check on another device is not remembered" in elsewhere
    assert "✓ double" in checked(mine)
    assert remembered(checked(mine)) == ["double", "mean_and_sum", "Scale"]


def test_on_the_cpu_no_setting_of_other_devices_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.cudnn, "flags", pytest.fail)  # torch 2.9 warns of them
    with calls_on(torch.device("cpu")):
        assert torch.ones(1).device.type == "cpu"
