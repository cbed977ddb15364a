"""Values in a few words: what has parts is told as it is written, cut at whole items and whole words."""

from __future__ import annotations

import re
from typing import Any

import torch

from autograder.calls.records import Part
from autograder.compare.describe import Names, describe, short


def told(value: Any) -> str:
    return describe(value, Names({2: "B", 3: "T"}, ("pairs", "labels")))


def test_numbers_within_a_list_or_dict_have_as_many_digits_as_others() -> None:
    assert told({"next": 1 / 3, "previous": [0.04020029771237524]}) == "{'next': 0.333333, 'previous': [0.0402003]}"


def test_no_axis_is_named_by_a_size_that_another_axis_of_the_same_tensor_has() -> None:
    names = Names({2: "B", 3: "T"})
    assert (names.shape((2, 3, 7)), names.index((1, 0, 6), (2, 3, 7))) == ("(B=2, T=3, 7)", "[B=1, T=0, axis 2=6]")
    assert (names.shape((2, 3, 3)), names.index((1, 0, 2), (2, 3, 3))) == ("(B=2, 3, 3)", "[B=1, axis 1=0, axis 2=2]")
    assert names.index((0, 2), (3, 3)) == "[0, 2]"


def test_of_a_long_list_or_dict_whole_items_are_shown_from_both_ends() -> None:
    scores = {f"the name of head {number}": 1 / (number + 3) for number in range(20)}
    said = told(scores)
    assert len(said) <= 170
    assert said.startswith("{'the name of head 0': 0.333333, ")
    assert said.endswith(", 'the name of head 19': 0.0454545}")
    assert all(re.fullmatch(r"'the name of head \d+': 0\.\d+", each) for each in said[1:-1].split(", ") if each != "…")


def test_lists_of_tuples_of_tensors_are_told_as_they_are_built() -> None:
    batch = torch.ones(5, 6, dtype=torch.int64), torch.ones(5, dtype=torch.float64)
    assert told([batch, batch]) == "[(int64 (5, 6), float64 (5,)), (int64 (5, 6), float64 (5,))]"
    assert told([torch.ones(2), [torch.ones(2)]]) == "[float32 (B=2,) [1, 1], [float32 (B=2,)]]"
    assert told(([], {}, (1,))) == "([], {}, (1,))"


def test_of_what_a_part_is_made_of_no_tensors_are_told() -> None:
    batches = [(torch.ones(9), torch.ones(9, 4))]
    assert told(Part("streamed", (batches, torch.ones(2), [1, 2]), {"most": 5})) == "streamed(…, …, [1, 2], most=5)"


def test_a_list_of_lists_without_end_is_told_in_a_few_words() -> None:
    lists: Any = 1
    for _ in range(5):
        lists = [lists] * 40
    assert len(told(lists)) <= 170
    assert told([[*range(90)], [*range(90)]]).count("[0, 1, ") == 2


def test_no_word_is_cut() -> None:
    text = " ".join(f"word{number}" for number in range(100))
    front, back = short(text).split(" … ")
    assert text.startswith(f"{front} ")
    assert text.endswith(f" {back}")
    assert "…" in short("w" * 400)


def test_spaces_in_a_text_are_shown_as_they_are_because_they_may_be_what_is_wrong() -> None:
    assert told("one  two") == "'one  two'"
    assert short("it broke\n   here") == "it broke here"
