"""Answers that no copy can be made of as it stands, and modes of torch that are left on, are told as what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.calls.as_data import SHRUNK
from autograder.calls.observe import observe
from autograder.calls.records import Build, Call, Observation, Opaque
from autograder.calls.side_effects import MODES_LEFT_ON
from autograder.compare.compare import difference
from autograder.compare.describe import Names
from autograder.compare.words import words
from autograder.internals.modes import same_modes
from autograder.sandbox.frames import PREFIX
from autograder.sandbox.wire import Answer, Ask, encode_reply, encode_request, read_reply
from autograder.sandbox.worker import replied

X = torch.ones(2, 3, dtype=torch.float64)


def seen(function: Callable[..., Any], **options: Any) -> Observation:
    return observe({"f": function}, Call("f", (X,), cotangents=(X,), **options))


def headline(got: Observation) -> str:
    """What is told of an answer where one more than X is expected."""
    found = difference(Observation(X + 1, X + 1, (X,), {"argument 0": X}), got)
    return words(found, Names(arguments=("x",))).headline if found else ""


def across(got: Observation) -> Observation:
    reply = read_reply(encode_reply(Answer(1, got)))
    assert isinstance(reply, Answer)
    return reply.observation


def nested(x: torch.Tensor) -> torch.Tensor:
    return torch.nested.nested_tensor([x, x])


def jagged(x: torch.Tensor) -> torch.Tensor:
    return torch.nested.nested_tensor([x, x], layout=torch.jagged)


def shrunk(x: torch.Tensor) -> torch.Tensor:
    made = x + 1
    made.untyped_storage().resize_(8)
    return made


class Unreadable(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise RuntimeError("no")


ODD: dict[str, Callable[[torch.Tensor], Any]] = {
    "nested tensor": nested,
    "nested tensor, as jagged": jagged,
    "sparse coo tensor": lambda x: (x + 1).to_sparse(),
    "sparse csr tensor": lambda x: (x + 1).to_sparse_csr(),
    "sparse bsr tensor": lambda x: torch.eye(4).to_sparse_bsr((2, 2)),
    "mkldnn tensor": lambda x: (x + 1).detach().float().to_mkldnn(),
    "tensor without a shape": lambda x: nn.UninitializedParameter(),
    SHRUNK: shrunk,
    "tensor of 40 axes": lambda x: x.reshape([1] * 38 + [2, 3]),
    f"tensor with an axis of size {2**62}": lambda x: torch.empty(0, 2**62),
}


@pytest.mark.parametrize("kind", ODD)
def test_a_tensor_that_is_not_ordinary_is_told_by_its_kind(kind: str) -> None:
    got = across(seen(ODD[kind]))
    assert headline(got) == f"it should be an ordinary tensor, not a {kind.partition(', as')[0]}"


@pytest.mark.parametrize("answer", [torch.Tensor.clone, torch.Tensor.t, lambda x: x.expand(4, 2, 3)])
def test_an_ordinary_tensor_is_read_as_ever(answer: Callable[[torch.Tensor], torch.Tensor]) -> None:
    result = across(seen(answer)).result
    assert isinstance(result, torch.Tensor)
    assert torch.equal(result, answer(X))


def test_an_array_with_an_axis_too_long_is_told_so() -> None:
    array = np.broadcast_to(np.zeros((0, 1), dtype=np.int8), (0, 2**41))
    assert across(Observation(array)).result == Opaque(f"ndarray with an axis of size {2**41}")
    assert across(Observation(array[:, : 2**40])).result.shape == (0, 2**40)  # type: ignore[union-attr]


def test_a_tensor_that_refuses_to_be_copied_is_no_error_of_the_answer() -> None:
    result = seen(lambda x: torch.Tensor._make_subclass(Unreadable, x)).result
    assert result == Opaque("Unreadable that cannot be copied")


def resize(x: torch.Tensor) -> torch.Tensor:
    made = x + 1
    x.untyped_storage().resize_(0)
    return made


def test_an_argument_without_its_memory_is_told_as_resized() -> None:
    assert headline(seen(resize)) == "it resized the memory of its argument x"
    assert headline(seen(lambda x: x + 1)) == ""


class Functions(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise RuntimeError("no")


class Kernels(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise RuntimeError("no")


MODES = pytest.mark.parametrize("mode", [Functions, Kernels])


@pytest.fixture(autouse=True)
def nothing_left_on() -> Iterator[None]:
    """Notice a mode that a test leaves on."""
    with same_modes() as left:
        yield
    assert not left.found


@MODES
def test_a_mode_that_is_left_on_is_told_and_does_nothing_afterwards(mode: type[Any]) -> None:
    def leave_on(x: torch.Tensor) -> torch.Tensor:
        made = x + 1
        mode().__enter__()
        return made

    got = across(seen(leave_on))
    assert got.changed == (MODES_LEFT_ON,)
    assert headline(got) == "the call changed which modes of torch are on"
    assert torch.equal(X + 1, 2 * X)


@MODES
def test_a_mode_that_is_switched_off_again_is_as_good_as_none(mode: type[Any]) -> None:
    def use(x: torch.Tensor) -> torch.Tensor:
        with mode():
            pass
        return x + 1

    assert headline(seen(use)) == ""


@MODES
def test_a_mode_that_an_object_or_an_error_leaves_on_is_switched_off(mode: type[Any]) -> None:
    class Made(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            mode().__enter__()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + 1

    def fail(x: torch.Tensor) -> None:
        mode().__enter__()
        raise ValueError("mine")

    assert headline(seen(Made, build=Build())) == ""
    assert headline(seen(fail)) == "it raised ValueError: mine"


@MODES
def test_a_mode_that_was_on_before_stays_on_and_one_above_a_default_device_is_found(mode: type[Any]) -> None:
    with mode():
        with same_modes() as left:
            pass
        assert not left.found
        with pytest.raises(RuntimeError, match="no"):
            torch.ones(1)
    with same_modes() as left:
        torch.set_default_device("meta")
        mode().__enter__()
    assert (left.found, torch.ones(1).is_meta) == (True, True)
    torch.set_default_device(None)
    assert not torch.ones(1).is_meta


def test_a_default_device_counts_as_no_mode() -> None:
    with same_modes() as left:
        torch.set_default_device("meta")
    assert (left.found, torch.ones(1).is_meta) == (False, True)
    torch.set_default_device(None)


@MODES
def test_a_mode_that_a_file_leaves_on_ends_before_the_next_question_is_read(
    mode: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.chdir", lambda _: None)
    frame = encode_request(Ask(1, Call("f", (X,))))
    header, _ = PREFIX.unpack(frame[: PREFIX.size])
    parts = frame[PREFIX.size : PREFIX.size + header], frame[PREFIX.size + header :]
    mode().__enter__()
    reply = read_reply(replied(*parts, {"f": lambda x: x + 1}))
    assert isinstance(reply, Answer)
    assert torch.equal(reply.observation.result, X + 1)  # type: ignore[arg-type]
