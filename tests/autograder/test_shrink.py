"""A failing call shrinks to a small one that is like it, and the call itself stays as it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch

from autograder.calls.records import Build, Call, Part, duplicate
from autograder.compare.example import shrunk
from autograder.compare.oracle import digest
from autograder.compare.sketch import near, sketch

Still = Callable[[Call], bool]


def always(_: Call) -> bool:
    return True


def of(*args: Any, build: Build | None = None) -> Call:
    return Call("f", args, {}, build)


def small(call: Call, still: Still = always, tries: int = 100, parity: Sequence[str] = ()) -> Call:
    """The smallest call, with a look at what must not change."""
    before, kept = digest(call), duplicate(call)
    found = shrunk(call, still, tries, parity)
    assert digest(call) == before == digest(kept)  # the student gets the same call afterwards
    return found


X = torch.linspace(-7.3, 9.1, 35).reshape(5, 7)


def test_sizes_become_small_and_numbers_whole() -> None:
    (x,) = small(of(X)).args
    assert x.shape == (1, 1)
    assert x.item() == 0


def test_a_call_shrinks_no_further_than_its_answer_is_wrong() -> None:
    (x,) = small(of(X), lambda call: call.args[0].shape[1] > 2 and bool((call.args[0] > 1).any())).args
    assert x.shape[1] == 3
    assert bool((x > 1).any())
    assert torch.equal(x, x.round())


def test_where_nothing_smaller_is_wrong_the_call_stays() -> None:
    call = of(X)
    assert shrunk(call, lambda _: False, 100) == call
    assert shrunk(call, always, 0) == call


def test_axes_of_one_size_shrink_together_and_numbers_of_that_size_with_them() -> None:
    def fits(call: Call) -> bool:
        x, y, width = call.args
        return x.shape[1] == y.shape[0] == width

    x, y, width = small(of(X, X.T.contiguous(), 7), fits).args
    assert (x.shape[1], y.shape[0], width) == (1, 1, 1)


def test_multiples_of_a_size_stay_multiples() -> None:
    given = of(torch.ones(2, 12), torch.ones(4))
    x, y = small(given, lambda call: call.args[0].shape[1] == 3 * len(call.args[1])).args
    assert (x.shape[1], len(y)) == (3, 1)


FACTS: dict[str, tuple[torch.Tensor, Callable[[torch.Tensor], bool]]] = {
    "rows of sum 1": (X.softmax(-1), lambda x: torch.allclose(x.sum(-1), torch.ones(len(x)))),
    "positive": (X.exp(), lambda x: bool((x > 0).all())),
    "not negative": (X.relu(), lambda x: bool((x >= 0).all())),
    "at most 1": (X.sigmoid(), lambda x: bool((x <= 1).all())),
    "ascending": (X.sort(-1).values, lambda x: bool((x.diff() >= 0).all())),
    "whole": (X.round(), lambda x: torch.equal(x, x.round())),
    "a True in each row": (X.mean(-1, keepdim=True) < X, lambda x: bool(x.any(-1).all())),
    "a row without a True": (X > 3, lambda x: not bool(x.any(-1).all())),
}


@pytest.mark.parametrize("name", FACTS)
def test_what_was_true_of_an_argument_stays_true(name: str) -> None:
    value, holds = FACTS[name]
    assert holds(value)
    asked = []
    (found,) = small(of(value), lambda call: not asked.append(call.args[0])).args  # type: ignore[func-returns-value]
    assert all(map(holds, asked))
    assert found.numel() < value.numel()


def sizes(*arrays: torch.Tensor) -> list[int]:
    return [size for each in arrays for size in each.shape]


def test_what_relates_sizes_and_numbers_stays_true() -> None:
    asked = tried(of(torch.ones(3, 12), 4, torch.ones(9, 6)))
    for x, heads, y in asked:
        assert x.shape[1] % heads == 0, "4 heads divide 12 columns"
        assert x.shape[0] <= y.shape[1], "3 is at most 6"
        assert y.shape[1] <= x.shape[1], "6 is at most 12"
    assert len(asked) > 3


@pytest.mark.parametrize("parity", [(), ("odd",)])
def tried(call: Call, *, parity: Sequence[str] = (), wrong: bool = True) -> list[tuple[Any, ...]]:
    """The arguments of all calls that are tried, where each or none of them is wrong."""
    asked: list[tuple[Any, ...]] = []

    def still(each: Call) -> bool:
        asked.append(each.args)
        return wrong

    small(call, still, parity=parity)
    return asked


@pytest.mark.parametrize("parity", [(), ("odd",)])
def test_an_odd_size_stays_odd_where_the_docstring_speaks_of_odd_sizes(parity: Sequence[str]) -> None:
    widths = {x.shape[1] for (x,) in tried(of(torch.ones(2, 5)), parity=parity, wrong=False)}
    assert widths == ({1, 3, 5} if parity else {1, 2, 3, 5})
    (x, width) = small(of(torch.ones(2, 5), 4), parity=("odd", "even")).args
    assert (x.shape[1] % 2, width) == (1, 4)


def test_rows_and_columns_of_a_grid_shrink_with_their_product() -> None:
    asked = tried(of(torch.ones(2, 6, 6), (2, 3)))
    assert all(math.prod(grid) == x.shape[1] for x, grid in asked)
    assert asked[-1][1] == (1, 1)


def test_ids_stay_below_the_size_of_the_table() -> None:
    ids, table = torch.tensor([[0, 4, 3]]), torch.ones(2, 3, 7)
    asked = tried(of(ids, table))
    assert asked
    assert all(int(ids.max()) < table.shape[-1] for ids, table in asked)


TEXTS = [["d", "a", "b"], ["c", "a"], ["a", "b"]]
VOCABULARY = ["a", "b", "c", "d"]


def test_a_vocabulary_loses_words_with_the_texts_and_the_arrays_that_go_with_it() -> None:
    table = np.arange(8.0).reshape(4, 2)
    asked: list[Any] = []

    def seen(call: Call) -> bool:
        asked.append(call.args)
        return "c" in call.args[1]

    texts, words, rows = small(of(TEXTS, VOCABULARY, table), seen).args
    for tried_texts, tried_words, tried_rows in asked:
        assert {word for text in tried_texts for word in text} <= {*tried_words}
        assert tried_words == sorted(tried_words)
        assert len(tried_words) == len(tried_rows)
        assert all(tried_texts)
    assert (texts, words) == ([["c"]], ["c"])
    assert rows.shape[0] == 1


def test_a_word_that_is_an_argument_stays_in_the_vocabulary() -> None:
    asked = tried(of("d", VOCABULARY, np.eye(4)))
    assert asked
    assert all(word in words and len(words) == len(rows) for word, words, rows in asked)


def test_a_long_text_loses_words_wherever_they_are() -> None:
    text = [*"abababcababab"]
    (found, _) = small(of(text, ["a", "b", "c"]), lambda call: "c" in call.args[0] and "a" in call.args[0]).args
    assert len(found) <= 3
    (counts,) = small(of({"a": 2, "bb": 3, "cc": 1}), lambda call: "bb" in call.args[0]).args
    assert counts == {"bb": 3}


def test_lists_as_long_as_an_axis_shrink_with_it() -> None:
    asked = tried(of(torch.ones(5, 5), [*"vwxyz"], [0, 0, 1, 1, 1]))
    assert asked
    assert all(len(x) == len(words) == len(numbers) for x, words, numbers in asked)


def test_the_parameters_of_an_object_shrink_too_and_lists_lose_items() -> None:
    call = of(X, ["a", "b", "c", "d"], build=Build((7,), {"bias": True}, {"weight": X[0].clone()}))
    found = small(call, lambda each: each.build is not None and each.build.args[0] == len(each.build.state["weight"]))
    assert found.build
    assert found.build.args == (1,)
    assert found.build.kwargs == {"bias": True}
    assert found.args[1] == ["a"]


def test_what_is_tried_is_never_more_than_allowed() -> None:
    asked: list[Call] = []
    shrunk(of(X), lambda call: bool(asked.append(call)), 5)
    assert len(asked) == 5


ODD: dict[str, Any] = {
    "NaN": torch.tensor([1.25, math.nan, math.inf]),
    "complex": torch.ones(3, 2, dtype=torch.complex64),
    "empty": torch.zeros(0, 3),
    "no axes": torch.tensor(0.25),
    "whole": torch.arange(12).reshape(3, 4),
    "bytes": torch.arange(4, dtype=torch.uint8),
    "array": np.linspace(0, 1, 6).reshape(2, 3),
    "texts": np.array(["a", "bc"]),
    "lists": [[1, 2], [3]],
    "tensors": [torch.ones(3), torch.ones(2)],
    "None": None,
    "text": "abc",
    "part": Part("Inner", (3,)),
    "dict": {"a": torch.ones(3)},
    "frozen": torch.ones(3, requires_grad=True),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.filterwarnings("error")
def test_any_argument_can_be_tried(name: str) -> None:
    asked: list[Call] = []
    small(of(ODD[name], torch.ones(3)), lambda call: not asked.append(call))  # type: ignore[func-returns-value]
    assert len(asked) < 20  # it ends by itself, and not at the limit


def test_equal_answers_have_one_sketch_and_others_have_another() -> None:
    value = (X, [X > 0, 2.5], {"a": np.arange(3)}, "text", None, 7)
    rounded = (X + 1e-9, [X > 0, 2.5 + 1e-9], {"a": np.arange(3)}, "text", None, 7)
    assert near(sketch(value), sketch(rounded))
    for other in (X + 1e-3, X.flip(0), X.double(), X.T, X[:, :6], X.numpy(), X.to("meta"), X + 0j, None):
        assert not near(sketch(X), sketch(other))
    assert not near(sketch(2.5), sketch(2.6))
    assert near(sketch(2.0), sketch(2))  # an int may stand where a float is expected


@pytest.mark.filterwarnings("error")
def test_a_sketch_is_made_of_any_answer() -> None:
    holes = torch.tensor([math.nan, math.inf, -math.inf])
    for odd in (*ODD.values(), holes, np.ones(2, dtype=np.longdouble), np.ones(2, dtype=">f8"), 2**70, math.nan):
        assert near(sketch(odd), sketch(odd))
