"""Whatever a reference returns is graded, or refused with a sentence; no answer is an error of the grader."""

from __future__ import annotations

from collections import Counter, namedtuple
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.calls.observe import observe
from autograder.calls.records import Call, Observation
from autograder.core.errors import BrokenCheckError, CheckFailed
from autograder.sandbox.wire import Answer, Ask, decode_request, encode_reply, encode_request, read_reply
from autograder.suite import near
from tests.autograder.crossing import parts
from tests.autograder.exercise_doubles import Here, Judging, agreeing

Point = namedtuple("Point", "x y")


@dataclass
class Place:
    x: float


class Walled(Here):
    """The answer, whose calls and answers cross the wire."""

    def observe(self, chapter: str, call: Call) -> Observation:
        asked = decode_request(*parts(encode_request(Ask(1, call))))
        assert isinstance(asked, Ask)
        reply = read_reply(encode_reply(Answer(1, observe({"answer": self.answer}, asked.call))))
        assert isinstance(reply, Answer)
        return reply.observation


def judging(right: Any, answer: Any, *, walled: bool = True) -> Judging:
    """A comparison of the values that two exercises return."""
    made = agreeing(lambda x: deepcopy(right), lambda x: deepcopy(answer), wrong=lambda x: deepcopy(answer))
    if walled:
        made.grading.target = Walled(lambda x: deepcopy(answer))
    return made


def passes(right: Any, answer: Any) -> bool:
    """Whether an answer passes, on the student's machine and behind the wall alike."""
    seen = set()
    for walled in (False, True):
        try:
            judging(right, answer, walled=walled)(1.0)
            seen.add("passed")
        except CheckFailed as failed:
            seen.add(failed.status)
    assert seen in ({"passed"}, {"failed"})
    return seen == {"passed"}


BIG = 3**400
RIGHT: dict[str, Any] = {
    "a NumPy float": np.float64(0.1),
    "a narrow NumPy float": np.float32(0.1),
    "a NumPy int": np.int64(3),
    "a NumPy truth": np.bool_(True),
    "a long double": np.longdouble(0.5),
    "an array without axes": np.array(2.5),
    "an array of complex numbers": np.array([1 + 2j]),
    "an array of unsigned numbers": np.array([2**63 + 1], dtype=np.uint64),
    "an array of texts": np.array(["a", "bcd"]),
    "a big int": BIG,
    "a complex number": 1 + 2j,
    "a decimal": Decimal("1.10"),
    "a decimal that is no number": Decimal("NaN"),
    "a fraction": Fraction(1, 3),
    "a set": {"a", "b"},
    "a set of tuples of NumPy ints": {(np.int64(1), "a")},
    "a frozenset": frozenset({1, 2}),
    "a named tuple": Point(1, np.float64(2)),
    "a text": "a",
    "bytes": b"ab",
    "nothing": None,
    "a counter of tuples": Counter({("a", "b"): 2}),
    "a complex tensor": torch.tensor([1 + 2j]),
    "all of them nested": {1: [{2.5}, (Decimal(1), {"a": [np.float64(1), None, b"x"]})]},
}
WRONG: dict[str, Any] = {
    "a NumPy float": 0.2,
    "a narrow NumPy float": 0.2,
    "a NumPy int": 4,
    "a NumPy truth": False,
    "a long double": 0.75,
    "an array without axes": np.array(2.0),
    "an array of complex numbers": np.array([1 + 3j]),
    "an array of unsigned numbers": np.array([2**63 + 2], dtype=np.uint64),
    "an array of texts": np.array(["a", "bce"]),
    "a big int": BIG + 1,
    "a complex number": 1 - 2j,
    "a decimal": Decimal("1.1") + Decimal("1e-17"),
    "a decimal that is no number": Decimal(0),
    "a fraction": Fraction(1, 4),
    "a set": {"a", "c"},
    "a set of tuples of NumPy ints": {(1, "b")},
    "a frozenset": frozenset({1, 3}),
    "a named tuple": Point(1, 3),
    "a text": "b",
    "bytes": b"ac",
    "nothing": 0,
    "a counter of tuples": {("a", "b"): 3},
    "a complex tensor": torch.tensor([1 - 2j]),
    "all of them nested": {1: [{2.25}, (Decimal(1), {"a": [np.float64(1), None, b"x"]})]},
}


@pytest.mark.parametrize("kind", RIGHT)
def test_a_right_value_of_any_kind_passes_and_a_wrong_one_fails(kind: str) -> None:
    assert passes(RIGHT[kind], RIGHT[kind])
    assert not passes(RIGHT[kind], WRONG[kind])


@pytest.mark.parametrize(
    ("right", "answer"),
    [
        (np.float64(0.1), 0.1),
        (0.1, np.float64(0.1)),
        (np.array(0.1), np.float64(0.1)),
        (np.array(0.1), 0.1),
        (np.array(3), np.int64(3)),
        (np.float32(0.1), np.float32(0.1) + np.float32(1e-7)),
        (np.float32(0.1), 0.1),
        (0.5, np.float32(0.5)),
        (1 + 0j, 1.0),
        (Point(1, 2), (1, 2)),
        ({0.1 + 0.2}, {0.3}),
        (np.array(["a"]), np.array(["a"], dtype="<U9")),
        (np.array([1 + 1e-15j]), np.array([1.0 + 0j])),
        (Decimal(1) / 3 * 3, Decimal(1)),
        (Counter("aab"), {"a": 2, "b": 1}),
    ],
)
def test_an_answer_in_a_form_that_is_as_good_passes(right: Any, answer: Any) -> None:
    assert passes(right, answer)


@pytest.mark.parametrize(
    ("right", "answer"),
    [
        (0.5, np.array(0.5)),
        (np.array(3), 2.5),
        (1.0, 1 + 0j),
        ({1}, frozenset({1})),
        ([1], {1}),
        ("a", b"a"),
        (1, True),
        (Fraction(1), 1),
        (Decimal(1), 1),
        (Decimal(1), 1.0),
        (frozenset({1}), {1}),
        ([1], (1,)),
        ([[1]], [(1,)]),
        ({0.1 + 0.2: 1}, {0.3: 1}),
        (np.array([1.0, 2.0]), np.ma.array([1.0, 2.0], mask=[0, 1])),
    ],
)
def test_an_answer_in_another_form_fails(right: Any, answer: Any) -> None:
    assert not passes(right, answer)


def square(x: float) -> float:
    return x * x


REFUSED: dict[str, Callable[[], Any]] = {
    "Place": lambda: Place(1.0),
    "generator": lambda: (x for x in "ab"),
    "range": lambda: range(3),
    "function": lambda: square,
    "datetime64": lambda: np.datetime64("2020-01-01"),
    "ndarray of object": lambda: np.array([1, None]),
    "str of 100,001 letters": lambda: "a" * 100_001,
    "MaskedArray": lambda: np.ma.array([1.0, 2.0], mask=[0, 1]),
    "int of more than 12288 bits": lambda: 2**20_000,
    "list nested too deep": lambda: [[[[[[[[[1]]]]]]]]],
    "set with a member of type Place": lambda: {type("Place", (), {})()},
    "10,001 of them members": lambda: [{*range(5000)}, {*range(5001)}],
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_no_answer_can_be_compared_with_is_refused_when_the_check_is_made(kind: str) -> None:
    with pytest.raises(BrokenCheckError, match=f"the reference returned .*{kind}.* return numbers, texts"):
        agreeing(lambda x: [REFUSED[kind]()], lambda x: 1)(1.0)


@pytest.mark.parametrize(
    "argument", [Place(1.0), range(3), object(), np.array([1, None]), {1: object()}, np.ma.array([1, 2], mask=[0, 1])]
)
def test_an_argument_that_cannot_be_sent_is_refused_when_the_check_is_made(argument: Any) -> None:
    with pytest.raises(
        BrokenCheckError, match=r"no call can be given a value of type .*; give it plain data, or let `part"
    ):
        agreeing(lambda x: 1, lambda x: 1)(argument)


@pytest.mark.parametrize("argument", [np.float64(2), {1: (2, {3})}, b"a", 2**90, Decimal(1), {"a"}, np.array(["a"])])
def test_an_argument_of_any_kind_arrives(argument: Any) -> None:
    made = agreeing(lambda x: [x], lambda x: [x])
    made.grading.target = Walled(lambda x: [x])
    made(argument)


def test_an_answer_that_changes_a_set_it_was_given_is_told_so() -> None:
    with pytest.raises(CheckFailed, match="it changed its argument x"):
        agreeing(lambda x: 1, lambda x: x.add(9) or 1)({1})


KEYS = (
    st.integers() | st.text(max_size=3) | st.floats(allow_nan=False) | st.none() | st.booleans() | st.binary(max_size=3)
)
NUMBERS = (
    st.integers(-(2**80), 2**80)
    | st.floats()
    | st.complex_numbers()
    | st.decimals(allow_nan=True).filter(lambda each: not each.is_snan())
    | st.fractions()
    | st.sampled_from([10**400, np.float32(0.1), np.float64(0.5), np.int8(3), np.bool_(1), np.longdouble(1), -0.0])
)
ARRAYS = st.builds(
    lambda dtype, shape: np.arange(int(np.prod(shape))).reshape(shape).astype(dtype),
    st.sampled_from(["f8", "f4", "f2", ">f8", "i8", "i1", "u8", "u2", "?", "c16", "c8", "U", "g", "O", "M8[s]"]),
    st.lists(st.integers(0, 3), max_size=3),
)
TENSORS = ARRAYS.filter(lambda each: each.dtype.name in ("float64", "float32", "int64", "bool", "complex128")).map(
    lambda each: torch.from_numpy(each.astype(each.dtype.name))
)
ODD = st.sampled_from([range(2), Place(1.0), Point(1, 2.5), Ellipsis, int, square, {1}.__iter__, bytearray(b"a")])
LEAVES = KEYS | NUMBERS | ARRAYS | TENSORS | ODD | st.sets(KEYS, max_size=3) | st.frozensets(KEYS, max_size=3)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS | st.tuples(KEYS, KEYS), inner, max_size=3)
    ),
    max_leaves=6,
)
MANY = settings(max_examples=300, deadline=None, database=None, suppress_health_check=[*HealthCheck])


@MANY
@example([], complex(1.3e308, 1.3e308))
@example(np.array(0, np.float16), 65520)
@given(VALUES, VALUES)
def test_no_pair_of_values_is_an_error_of_the_grader(right: Any, answer: Any) -> None:
    with suppress(BrokenCheckError):  # some are refused
        passes(right, answer)


@MANY
@given(VALUES)
def test_the_right_value_passes_whatever_it_is(right: Any) -> None:
    with suppress(BrokenCheckError):
        assert passes(right, right)


@MANY
@given(VALUES)
def test_no_answer_makes_a_property_fail_as_an_error_of_the_grader(answer: Any) -> None:
    holds = lambda result: sum(result) == 3 and near(result, [1, 2])  # noqa: E731
    with suppress(CheckFailed):
        judging([1, 2], answer).satisfies("they sum to 3", holds, 1.0)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.array([0.1, 0.2]), [0.1, 0.2]),
        (0.3, 0.1 + 0.2),
        (np.float64(0.3), 0.3),
        ([1, 2], np.array([1, 2])),
        (torch.tensor([1.0]), np.array([1.0])),
        (3, torch.tensor(3)),
        ({"a": np.array([1.0])}, {"a": [1.0]}),
        (np.array([1j]), 1j),
    ],
)
def test_near_compares_numbers_of_any_kind(a: Any, b: Any) -> None:
    assert near(a, b)
    assert not near(a, {"a": 2.5} if isinstance(b, dict) else 2.5)


def test_near_rounds_no_number_to_another() -> None:
    assert not near(torch.tensor([2]), 2.5)
    assert not near([2], 2.5)


def test_near_says_that_a_text_has_no_numbers() -> None:
    with pytest.raises(TypeError, match=r"near compares numbers, and a .* like .* has none"):
        near("a", 1)


class Column:
    """A series of pandas, as far as answers are read; `numbered` if its rows have no names."""

    __module__ = "pandas"

    def __init__(self, values: list[Any], index: Any = None) -> None:
        self.values = values
        self.index = index or type("RangeIndex", (), {"start": 0, "step": 1})()

    def to_numpy(self) -> np.ndarray:
        return np.array(self.values, dtype=object if isinstance(self.values[0], str) else None)


class Index(Column):
    __module__ = "pandas"

    def __init__(self, values: list[Any]) -> None:
        self.values = values


class Frame(Column):
    __module__ = "pandas"

    def __init__(self, columns: dict[str, list[Any]], index: Any = None) -> None:
        super().__init__([], index)
        self.columns, self.shape, self.iloc = [*columns], (2, len(columns)), self
        self.data = columns

    def __getitem__(self, place: tuple[slice, int]) -> Column:
        return Column(self.data[self.columns[place[1]]])


def test_frames_of_pandas_are_compared_by_their_columns_and_index() -> None:
    frame = Frame({"a": [1, 2], "word": ["x", "y"]})
    assert passes(frame, Frame({"word": ["x", "y"], "a": [1, 2]}))
    assert not passes(frame, Frame({"a": [1, 2], "word": ["x", "z"]}))
    assert not passes(frame, Frame({"a": [1, 2], "word": ["x", "y"]}, Index([1, 2])))
    assert passes(Column([0.1 + 0.2], Index(["x"])), Column([0.3], Index(["x"])))
    assert not passes(Column([1, 2], Index(["x", "y"])), Column([2, 1], Index(["y", "x"])))
