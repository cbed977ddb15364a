"""Observing a call: what is recorded, and that the arguments given stay untouched."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.calls.observe import observe
from autograder.calls.records import Absent, Build, Call, Opaque, Part, Raised

X = torch.arange(6, dtype=torch.float64).reshape(2, 3)


class Linear(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.w = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.w(x)


def seen(function: Any, *args: Any, **options: Any) -> Any:
    return observe({"f": function}, Call("f", args, **options))


def test_what_a_student_does_to_an_argument_stays_in_his_copy() -> None:
    x = X.clone()
    record = seen(lambda x: x.zero_(), x)
    assert torch.equal(x, X)
    assert torch.equal(record.arguments[0], torch.zeros_like(X))


def test_one_object_passed_twice_stays_one_object() -> None:
    assert seen(lambda a, b: a is b, X, X).result is True
    assert seen(lambda a, b: a is b, X, X.clone()).result is False


def test_strides_of_an_argument_are_kept() -> None:
    assert seen(lambda x: x.is_contiguous(), X.T).result is False


@pytest.mark.parametrize("missing", [None, 3])
def test_a_name_that_is_no_function_is_absent(missing: Any) -> None:
    assert isinstance(seen(missing).result, Absent)


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(0), RecursionError(), GeneratorExit()])
def test_any_exception_is_recorded(error: BaseException) -> None:
    def fail() -> None:
        raise error

    result = seen(fail).result
    assert isinstance(result, Raised)
    assert result.kind == type(error).__name__


def test_an_exception_that_cannot_be_printed_is_recorded_too() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise ValueError

    def fail() -> None:
        raise Odd

    assert seen(fail).result.kind == "Odd"


def test_what_is_no_data_becomes_opaque() -> None:
    assert seen(lambda: object()).result == Opaque("object")
    assert seen(lambda: {1: 2}).result == Opaque("dict")
    assert seen(lambda: [np.float64(1.5)]).result == [1.5]


def test_a_lying_tensor_subclass_is_reduced_to_its_numbers() -> None:
    class Liar(torch.Tensor):
        def __eq__(self, other: object) -> bool:  # type: ignore[override]
            return True

    result = seen(lambda: torch.ones(2).as_subclass(Liar)).result
    assert type(result) is torch.Tensor


def test_gradients_of_arguments_and_parameters_are_recorded() -> None:
    state = {"w.weight": torch.eye(3, dtype=torch.float64) * 2}
    call = Call("f", (X,), build=Build((3,), state=state), cotangents=(torch.ones(2, 3, dtype=torch.float64),))
    record = observe({"f": Linear}, call)
    assert torch.equal(record.result, 2 * X)
    assert torch.equal(record.gradients["argument 0"], torch.full((2, 3), 2.0, dtype=torch.float64))
    assert record.gradients["parameter w.weight"].shape == (3, 3)


def test_a_detached_result_has_no_gradient_and_no_error() -> None:
    record = seen(lambda x: 2 * x.detach(), X, cotangents=(torch.ones_like(X),))
    assert record.gradients == {"argument 0": None}


def test_a_table_made_in_the_constructor_is_as_precise_as_the_state() -> None:
    class Tabled(Linear):
        def __init__(self, width: int) -> None:
            super().__init__(width)
            self.register_buffer("table", torch.ones(width) / 3, persistent=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.w(x) + self.table

    state = {"w.weight": torch.zeros(3, 3, dtype=torch.float64)}
    assert torch.equal(seen(Tabled, X, build=Build((3,), state=state)).result, torch.ones_like(X) / 3)


def test_a_call_on_tensors_without_data_is_made_once() -> None:
    calls = []

    def count(x: torch.Tensor) -> torch.Tensor:
        calls.append(x)
        return 2 * x

    assert seen(count, X.to("meta")).again.is_meta
    assert len(calls) == 1
    seen(count, X)
    assert len(calls) == 3


def test_a_sparse_gradient_is_its_numbers() -> None:
    def look_up(table: torch.Tensor) -> torch.Tensor:
        return nn.functional.embedding(torch.tensor([1, 1]), table, sparse=True)

    record = seen(look_up, X, cotangents=(torch.ones(2, 3, dtype=torch.float64),))
    assert record.gradients["argument 0"].tolist() == [[0.0] * 3, [2.0] * 3]


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"v.weight": torch.ones(3, 3)}, "`w` should be called `v`"),
        ({"v.weight": torch.ones(2, 2)}, "v.weight is missing; w.weight is not one of them"),
        ({"w.weight": torch.ones(4, 3)}, r"w.weight has shape (3, 3) instead of (4, 3)"),
    ],
)
def test_other_parameters_than_the_chapters_are_named(state: dict[str, torch.Tensor], says: str) -> None:
    result = seen(Linear, X.float(), build=Build((3,), state=state)).result
    assert result.kind == "StateMismatchError"
    assert says in result.message


def test_evaluation_and_training_mode_are_set() -> None:
    class Mode(nn.Module):
        def forward(self) -> bool:
            return self.training

    assert seen(Mode, build=Build()).result is False
    assert seen(Mode, build=Build(training=True)).result is True


def test_torch_has_the_defaults_of_the_call_only_meanwhile() -> None:
    shown = seen(lambda: torch.ones(2), dtype=torch.float64, device="meta").result
    assert (shown.dtype, shown.device.type) == (torch.float64, "meta")
    seen(lambda: 1 / 0, dtype=torch.float64)
    assert (torch.ones(1).dtype, torch.ones(1).device.type) == (torch.float32, "cpu")


def test_random_numbers_begin_at_the_seed_of_the_call_and_go_on() -> None:
    first, again, other = (seen(lambda: torch.rand(3), seed=seed) for seed in (1, 1, 2))
    assert torch.equal(first.result, again.result)
    assert not torch.equal(first.result, other.result)
    assert not torch.equal(first.result, first.again)


def test_another_method_can_be_called() -> None:
    class Two(nn.Module):
        def second(self, x: int) -> int:
            return 2 * x

    assert seen(Two, 4, build=Build(method="second")).result == 8
    assert seen(Two, 4, build=Build(method="third")).result.kind == "AttributeError"


class Careless(nn.Linear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            self.bias += 1
        self.train()
        return x


def test_what_a_call_changes_of_its_object_is_named() -> None:
    build = Build((2, 2), state={"weight": torch.eye(2), "bias": torch.ones(2)})
    assert seen(Careless, X, build=build).changed == ("bias", "its mode (training or evaluation)")
    assert seen(nn.Linear, torch.ones(1, 2), build=build).changed == ()


def test_a_buffer_of_the_students_own_is_no_wrong_parameter() -> None:
    class Buffered(Linear):
        def __init__(self, width: int) -> None:
            super().__init__(width)
            self.register_buffer("table", torch.ones(width))

    build = Build((3,), state={"w.weight": torch.eye(3, dtype=torch.float64)})
    assert torch.equal(seen(Buffered, X, build=build).result, X)


SCRIPT = Part("ScriptedModel", (torch.tensor([[5, 2]]), 9, 1, 2, 0, 8, 4))


def test_a_part_is_made_anew_for_each_call_and_once_in_it() -> None:
    shown = seen(lambda a, b: a is b and a.training and not a.eval().training, SCRIPT, SCRIPT)
    assert (shown.result, shown.again) == (True, True)


def test_mode_and_state_of_a_part_are_seen_after_the_call() -> None:
    (after,) = seen(lambda model: model.eval().pad_id, SCRIPT).arguments
    assert after["mode"] == "evaluation"
    assert torch.equal(after["script"], torch.tensor([[5, 2]]))


def test_a_part_may_be_given_by_name_and_inside_a_list() -> None:
    inner = Part("TokenAndPositionEmbedding", (4, 3, 2))
    outer = Part("EncoderBlock", (), {"width": 4, "num_heads": 2, "hidden": 3})
    shown = seen(lambda pair: [type(each).__name__ for each in pair], [inner, outer])
    assert shown.result == ["TokenAndPositionEmbedding", "EncoderBlock"]


def test_a_warning_of_an_answer_is_nobody_s_error_and_prints_nothing(recwarn: pytest.WarningsRecorder) -> None:
    def warns(x: torch.Tensor) -> torch.Tensor:
        warnings.warn("one of /the/kit/s/own/lines", UserWarning, stacklevel=1)
        return x

    assert torch.equal(seen(warns, X).result, X)  # outside of `observe` it would be an error here
    assert not recwarn.list


class Tied(nn.Module):
    """The output layer is the embedding's table."""

    def __init__(self) -> None:
        super().__init__()
        self.token = nn.Embedding(5, 3)
        self.output = nn.Linear(3, 5, bias=False)
        self.output.weight = self.token.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.output(self.token(ids))


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_parameter_that_is_tied_to_a_named_one_needs_no_name_of_its_own(device: str) -> None:
    build = Build(state={"token.weight": torch.zeros(5, 3, dtype=torch.float64, device=device)})
    ids = torch.zeros(1, 2, dtype=torch.int64, device=device)
    result = observe({"f": Tied}, Call("f", (ids,), build=build)).result
    assert isinstance(result, torch.Tensor), result
    assert (result.shape, result.device.type, result.dtype) == ((1, 2, 5), device, torch.float64)


@pytest.mark.parametrize("cotangents", [None, (torch.ones(2, 3, dtype=torch.float64),)])
@pytest.mark.parametrize("fails", [False, True])
def test_gradients_that_one_answer_switches_off_are_on_for_the_next(cotangents: Any, fails: bool) -> None:
    def careless(x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        torch.set_grad_enabled(False)
        if fails:
            raise ValueError("after that")
        return y

    seen(careless, X, cotangents=cotangents)
    assert torch.is_grad_enabled()
    assert seen(lambda x: x, X).changed == ()


def test_an_answer_is_kept_twice_only_where_it_differs() -> None:
    counter = iter(range(9))
    steady = observe({"f": lambda x: x + 1}, Call("f", (torch.ones(2),)))
    other = observe({"f": lambda x: x + next(counter)}, Call("f", (torch.ones(2),)))
    assert steady.again is steady.result
    assert torch.equal(other.again, other.result + 1)


class Half(nn.Module):
    """Only `new` learns."""

    def __init__(self) -> None:
        super().__init__()
        self.old, self.new = nn.Linear(3, 3), nn.Linear(3, 3)
        self.old.requires_grad_(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.old(x) + self.new(x)


class Thawed(Half):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.old.requires_grad_(True)
        return super().forward(x)


def half(made: type[nn.Module], **options: Any) -> Any:
    state = {name: value.double() for name, value in Half().state_dict().items()}
    return observe({"f": made}, Call("f", (X,), build=Build(state=state), **options))


def test_a_frozen_parameter_has_no_gradient_and_the_others_have() -> None:
    gradients = half(Half, cotangents=(torch.ones_like(X),)).gradients
    assert {name for name, value in gradients.items() if value is None} == {
        "parameter old.weight",
        "parameter old.bias",
    }
    assert {name for name, value in gradients.items() if value is not None} == {
        "argument 0",
        "parameter new.weight",
        "parameter new.bias",
    }


def test_what_learns_must_stay_what_it_was() -> None:
    assert half(Half).changed == ()
    assert half(Thawed).changed == ("which of its parameters learn",)


def test_what_a_call_draws_does_not_depend_on_how_the_object_was_built() -> None:
    class Dropping(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return nn.functional.dropout(x, 0.5)

    class Longer(Dropping):
        def __init__(self) -> None:
            nn.Linear(3, 3)
            super().__init__()

    call = Call("answer", (torch.ones(100),), build=Build(training=True), seed=3)
    one, other = (observe({"answer": each}, call) for each in (Dropping, Longer))
    assert torch.equal(one.result, other.result)
    assert not torch.equal(one.result, one.again)


@pytest.mark.parametrize("given", [torch.tensor([float("nan"), 1.0]), np.array([float("nan"), 1.0]), [torch.ones(2)]])
def test_only_an_argument_that_a_call_writes_to_is_changed(given: Any) -> None:
    def written(x: Any) -> None:
        (x[0] if isinstance(x, list) else x)[1] = 1 + 1e-7

    assert observe({"answer": lambda x: None}, Call("answer", (given,))).changed == ()
    assert observe({"answer": written}, Call("answer", (given,))).changed == ("argument 0",)


class Counting(nn.Linear):
    """Remembers how often it was called, beside its state."""

    calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        return super().forward(x) * self.calls


def test_an_object_is_asked_twice_so_that_what_it_remembers_shows() -> None:
    state = {"weight": torch.eye(3), "bias": torch.zeros(3)}
    found = seen(Counting, torch.ones(2, 3), build=Build((3, 3), state=state))
    assert torch.equal(found.again, 2 * found.result)


def test_parameters_that_are_loaded_are_not_drawn_first(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[nn.Linear] = []
    monkeypatch.setattr(nn.Linear, "reset_parameters", lambda layer: drawn.append(layer))
    seen(nn.Linear, torch.ones(2, 3), build=Build((3, 3), state={"weight": torch.eye(3), "bias": torch.zeros(3)}))
    assert drawn == []
    seen(nn.Linear, torch.ones(2, 3), build=Build((3, 3)))
    assert len(drawn) > 0
