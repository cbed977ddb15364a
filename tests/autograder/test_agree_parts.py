"""Parts that are given to an exercise, answers that are modules, and calls in turns."""

from __future__ import annotations

import torch
from torch import nn

from autograder.compare.describe import crowd
from autograder.suite import module, part
from tests.autograder.exercise_doubles import F64, agreeing, refused


def test_a_part_is_handed_over_and_its_mode_looked_at_afterwards() -> None:
    model = part("ScriptedModel", torch.tensor([[5, 2]]), 9, 1, 2, 0, 8, 4)

    def mode(model: nn.Module) -> int:
        return int(model.pad_id)  # type: ignore[call-overload]

    def disturbing(model: nn.Module) -> int:
        return int(model.eval().pad_id)  # type: ignore[call-overload]

    agreeing(mode, mode)(model)
    failed = refused(lambda: agreeing(mode, disturbing)(model), "it left model in evaluation mode")
    assert "model=ScriptedModel(…, 9, 1, 2, 0, 8, 4)" in failed.message.text


def running_sum(x: torch.Tensor, before: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    total = x if before is None else before + x
    return total * 2, total


def in_place(x: torch.Tensor, before: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    total = x.clone() if before is None else before.add_(x)
    return total * 2, total


def in_a_box(x: torch.Tensor, before: dict[int, list[object]] | None = None) -> tuple[torch.Tensor, object]:
    """What is handed on may be anything: no data crosses between the turns."""
    total = x if before is None else before[0][0] + x
    return total * 2, {0: [total]}


ONE, TWO, THREE = (torch.tensor([value], dtype=F64) for value in (1.0, 20.0, 300.0))


def test_several_turns_hand_on_what_is_the_student_s_business() -> None:
    agreeing(running_sum, in_a_box).in_turns((ONE,), (TWO,), (THREE,), gradients=True)
    agreeing(running_sum, in_a_box).in_turns((ONE,), (TWO,), (THREE,), after=(-1, 0, 0))


def test_what_is_handed_on_twice_must_not_have_changed_meanwhile() -> None:
    agreeing(running_sum, in_place).in_turns((ONE,), (TWO,), (THREE,))
    turns = lambda: agreeing(running_sum, in_place, overwrites=in_place).in_turns(  # noqa: E731
        (ONE,), (TWO,), (THREE,), after=(-1, 0, 0)
    )
    failed = refused(turns, r"overwrites. \(result\[2\].* is 642 instead of 602")
    assert "and what call 1 gave" in failed.message.text


def test_turns_that_hand_nothing_on_are_told_so() -> None:
    failed = refused(lambda: agreeing(running_sum, lambda x, before=None: x * 2).in_turns((ONE,), (TWO,)), "a pair")
    assert failed.status == "failed"


BAG = part("BagOfWords", torch.ones(3, 2, dtype=F64), torch.eye(2, dtype=F64), torch.ones(1, 2, dtype=F64))


def freeze(model: nn.Module) -> nn.Module:
    model.requires_grad_(False)
    model.head.requires_grad_(True)
    return model


def freeze_by_name(model: nn.Module) -> nn.Module:
    for name, parameter in model.named_parameters():
        parameter.requires_grad = "head" in name
    return model


def test_a_module_as_answer_is_compared_by_what_it_knows_and_what_of_it_learns() -> None:
    agreeing(freeze, freeze)(BAG)
    failed = refused(lambda: agreeing(freeze, freeze_by_name, substring=freeze_by_name)(BAG), "substring")
    assert "multihead.weight" in failed.message.text
    refused(lambda: agreeing(freeze, lambda model: freeze(model) and None)(BAG), "returned None")


def nudge(model: nn.Module) -> float:
    model.train()
    with torch.no_grad():
        model.head.weight.add_(1)
    return 1.0


def test_a_call_may_change_a_part_as_the_reference_does_and_no_further() -> None:
    def puts_back(model: nn.Module) -> float:
        nudge(model)
        model.eval()
        return 1.0

    agreeing(nudge, nudge)(BAG)
    agreeing(nudge, puts_back)(BAG)
    refused(lambda: agreeing(nudge, lambda model: 1.0)(BAG), "leaves `model` in the wrong state: head.weight.* is 1 ")
    refused(lambda: agreeing(lambda model: 1.0, nudge)(BAG), "it left model in (training|evaluation) mode")


def test_a_part_within_a_part_is_written_in_short() -> None:
    def step(model: nn.Module, optimizer: object) -> float:
        return 1.0

    failed = refused(lambda: agreeing(step, lambda model, optimizer: 2.0)(BAG, part("sgd", BAG, 0.5)), "instead of 1")
    assert "optimizer=sgd(BagOfWords(…, …, …), 0.5)" in failed.message.text


def test_one_parameter_can_be_filled() -> None:
    agreeing(nn.Linear, nn.Linear)(torch.ones(2, 3, dtype=F64), build=module(3, 1, fill={"bias": 0.0}))


def test_turns_that_look_at_their_numbers_may_be_excused_on_meta() -> None:
    def looks(x: torch.Tensor, before: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        if not bool(torch.isfinite(x).all()):
            raise ValueError("not finite")
        return running_sum(x, before)

    turns = (ONE.to("meta"),), (TWO.to("meta"),)
    refused(lambda: agreeing(running_sum, looks).in_turns(*turns), "looks at the numbers of a tensor that has none")
    agreeing(running_sum, looks).in_turns(*turns, unless_data_is_needed=True)


def told_too_long(x):
    raise ValueError(f"{len(x)} rows do not fit into 10")


def test_a_message_names_a_number_by_itself_and_not_as_digits_of_another() -> None:
    def digits(x):
        raise ValueError(f"{100 + len(x)} and 0.5 and 210")

    rows = torch.zeros(5, dtype=F64)
    agreeing(told_too_long, told_too_long).raises(ValueError, rows, naming=("5", "10"))
    refused(
        lambda: agreeing(told_too_long, digits).raises(ValueError, rows, naming=("5", "10")), "should name 5 and 10"
    )


def test_who_claims_to_need_data_must_give_an_answer_where_there_is_data() -> None:
    def pretends(x):
        raise RuntimeError("meta tensor")

    def needs_it(x):
        return x * (2 if x.sum().item() < 1e9 else 0)

    row = torch.ones(3, dtype=F64)
    agreeing(lambda x: 2 * x, needs_it).on_meta(row, unless_data_is_needed=True)
    refused(lambda: agreeing(lambda x: 2 * x, pretends).on_meta(row, unless_data_is_needed=True), "meta tensor")


def test_a_check_may_change_its_input_afterwards_and_what_was_seen_stays() -> None:
    agree = agreeing(
        lambda x: 3 * x, lambda x: 3 * x if len(x) > 2 else x, unscaled=lambda x: x if len(x) < 3 else 3 * x
    )
    row = torch.arange(1.0, 5.0, dtype=F64)
    agree(row)
    row.resize_(2).fill_(7.0)
    assert refused(lambda: agree(row), "unscaled").misconceptions == ("unscaled",)


def test_an_object_that_is_no_data_may_be_an_argument_and_stays_as_it_was() -> None:
    agreeing(lambda x, dtype: x.to(dtype), lambda x, dtype: x.to(dtype))(torch.ones(2), F64)


def test_many_numbers_are_told_by_what_they_have_in_common_and_few_one_by_one() -> None:
    assert crowd(torch.ones(999)) == ""
    assert crowd(torch.ones(1000, dtype=torch.int64)) == ""
    half = torch.tensor([0.0, 4.0]).repeat(500)
    assert crowd(half) == "1000 numbers of mean 2 and variance 4, 50% of them 0"
    assert crowd(torch.full((1000,), 3.0)) == "1000 numbers of mean 3 and variance 0"
