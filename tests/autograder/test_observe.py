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
from autograder.calls.side_effects import EARLIER_ANSWER

X = torch.arange(6, dtype=torch.float64).reshape(2, 3)


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
    assert seen(lambda: {1: 2}).result == {1: 2}
    assert seen(lambda: {object(): 2}).result == Opaque("dict with a key of type object")
    assert seen(lambda: [np.float64(1.5)]).result == [1.5]


def test_a_lying_tensor_subclass_is_reduced_to_its_numbers() -> None:
    class Liar(torch.Tensor):
        def __eq__(self, other: object) -> bool:  # type: ignore[override]
            return True

    result = seen(lambda: torch.ones(2).as_subclass(Liar)).result
    assert type(result) is torch.Tensor


def test_gradients_of_arguments_and_parameters_are_recorded() -> None:
    build = Build((3, 3, False), state={"weight": torch.eye(3, dtype=torch.float64) * 2})
    record = seen(nn.Linear, X, build=build, cotangents=(torch.ones(2, 3, dtype=torch.float64),))
    assert torch.equal(record.result, 2 * X)
    assert torch.equal(record.gradients["argument 0"], torch.full((2, 3), 2.0, dtype=torch.float64))
    assert record.gradients["parameter weight"].shape == (3, 3)


def test_a_detached_result_has_no_gradient_and_no_error() -> None:
    record = seen(lambda x: 2 * x.detach(), X, cotangents=(torch.ones_like(X),))
    assert record.gradients == {"argument 0": None}


def test_a_call_on_tensors_without_data_is_made_once() -> None:
    calls = []

    def count(x: torch.Tensor) -> torch.Tensor:
        calls.append(x)
        return 2 * x

    assert seen(count, X.to("meta")).again.is_meta
    assert len(calls) == 1
    seen(count, X)
    assert len(calls) == 5  # the first, the second, and one after X held other numbers


def test_a_sparse_gradient_is_its_numbers() -> None:
    def look_up(table: torch.Tensor) -> torch.Tensor:
        return nn.functional.embedding(torch.tensor([1, 1]), table, sparse=True)

    record = seen(look_up, X, cotangents=(torch.ones(2, 3, dtype=torch.float64),))
    assert record.gradients["argument 0"].tolist() == [[0.0] * 3, [2.0] * 3]


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


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_gradients_of_a_dictionary_do_not_depend_on_the_order_of_its_keys(names: tuple[str, str]) -> None:
    function = lambda x: {name: {"a": 2 * x, "b": x[0]}[name] for name in names}  # noqa: E731
    record = seen(function, X, cotangents=(torch.ones_like(X), 3 * torch.ones_like(X[0])))
    assert torch.equal(record.gradients["argument 0"], torch.tensor([[5.0] * 3, [2.0] * 3], dtype=torch.float64))


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


@pytest.mark.parametrize("given", [torch.tensor([float("nan"), 1.0]), np.array([float("nan"), 1.0]), [torch.ones(2)]])
def test_only_an_argument_that_a_call_writes_to_is_changed(given: Any) -> None:
    def written(x: Any) -> None:
        (x[0] if isinstance(x, list) else x)[1] = 1 + 1e-7

    assert observe({"answer": lambda x: None}, Call("answer", (given,))).changed == ()
    assert observe({"answer": written}, Call("answer", (given,))).changed == ("argument 0",)


@pytest.mark.parametrize("given", [["b", "a"], [2.5, float("nan")], [1, 0], {"b": "a"}])
def test_words_and_numbers_that_a_call_writes_into_what_it_was_given_are_a_change(given: Any) -> None:
    def written(x: Any) -> None:
        x["b" if isinstance(x, dict) else 0] = "c" if "b" in x else 7

    assert seen(lambda x: None, given).changed == ()
    assert seen(written, given).changed == ("argument 0",)


def test_a_list_of_words_that_a_later_call_writes_into_is_an_earlier_answer_that_is_changed() -> None:
    kept: list[str] = []

    def into_one(words: list[str]) -> list[str]:
        kept[:] = anew(words)
        return kept

    def anew(words: list[str]) -> list[str]:
        first, second = words  # a shorter list, whose answer would be shorter too, is refused
        return [first.upper(), second.upper()]

    assert seen(into_one, ["b", "a"]).changed == (EARLIER_ANSWER,)
    assert seen(anew, ["b", "a"]).changed == ()
