"""What a message shows of a wrong answer: what the sentence is about, said once, in numbers that can be compared."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.calls.records import Call, Observation, Opaque, Raised
from autograder.compare.compare import difference
from autograder.compare.describe import Names, number, short
from autograder.compare.difference import Words
from autograder.compare.example import written
from autograder.compare.words import words as in_words
from autograder.suite import part
from autograder.suite.near import near
from tests.autograder.exercise_doubles import F64, agreeing, refused

X = torch.arange(6, dtype=F64).reshape(2, 3)
NAN = float("nan")


def between(want: Any, have: Any) -> Words:
    found = difference(Observation(want, want), Observation(have, have))
    assert found
    return in_words(found, Names({2: "B", 3: "T"}, ("pairs", "labels")))


def line(message: str, name: str) -> str:
    (found,) = [text.split(maxsplit=1)[1] for text in message.splitlines()[1:] if text.split()[0] == name]
    return found


ONE, TWO = "… café", "… cafe\u0301"
ONE_CODE, TWO_CODES = r"caf\xe9", r"cafe\u0301"


@pytest.mark.parametrize(
    ("want", "have"),
    [
        (ONE, TWO),
        ([ONE, "x"], [TWO, "x"]),
        ([*"abcdefg", ONE], [*"abcdefg", TWO]),
        ({ONE: 1}, {TWO: 1}),
        ({ONE}, {TWO}),
        (np.array([ONE]), np.array([TWO])),
    ],
)
def test_two_texts_that_look_alike_are_told_apart_by_their_codes(want: Any, have: Any) -> None:
    for right, wrong, (a, b) in ((want, have, (ONE_CODE, TWO_CODES)), (have, want, (TWO_CODES, ONE_CODE))):
        told = between(right, wrong)
        assert (a in told.expected, b in told.got) == (True, True)
        assert "…" in told.got, "only such letters are told by their codes"
        assert "unicodedata.normalize" in told.advice


def test_the_smallest_example_tells_such_texts_apart_too() -> None:
    shown = written(Call("f", (3,), {}), [ONE], [TWO], Names())
    assert shown is not None
    assert (ONE_CODE in shown.expected, TWO_CODES in shown.got) == (True, True)


def test_texts_that_look_different_are_shown_as_they_are() -> None:
    told = between("café", "Café")
    assert (told.headline, told.advice) == ("the result is 'Café' instead of 'café'", "")


def softmax(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, -1)


def test_a_property_shows_what_was_compared_and_not_any_wrong_number() -> None:
    agree = agreeing(softmax, lambda x: softmax(x) * torch.tensor([[2.0], [1.0]], dtype=F64))
    says = "rows sum to 1"
    message = refused(
        lambda: agree.satisfies(says, lambda r: near(r.sum(-1), 1.0), X), "should be true, but is not"
    ).message.text
    assert line(message, "got") == "2 instead of 1 at [0]; 1 of 2 differs"
    assert line(message, "expected") == says


def test_where_several_comparisons_failed_the_wrong_number_is_shown_with_the_right_one() -> None:
    agree = agreeing(softmax, lambda x: 2 * softmax(x))
    either = lambda r: near(r.sum(-1), 1.0) or near(r.sum(-1), 3.0)  # noqa: E731
    message = refused(
        lambda: agree.satisfies("rows sum to 1 or 3", either, X), "should be true, but is not"
    ).message.text
    assert "instead of 0.665241; all entries differ" in line(message, "got")


def test_a_check_can_say_itself_what_an_answer_shows() -> None:
    agree = agreeing(softmax, lambda x: 2 * softmax(x))
    shows = lambda r: f"the first row sums to {r[0].sum():.4g}"  # noqa: E731
    run = lambda: agree.satisfies("rows sum to 1", lambda r: near(r.sum(-1), 1.0), X, shows=shows)  # noqa: E731
    assert line(refused(run, "should be true, but is not").message.text, "got") == "the first row sums to 2"


def test_words_that_cannot_be_found_for_an_answer_are_not_missed() -> None:
    agree = agreeing(softmax, lambda x: 2 * softmax(x))
    shows = lambda r: next(f"{number}" for number in r.flatten() if number > 5)  # noqa: E731
    run = lambda: agree.satisfies("rows sum to 1", lambda r: near(r.sum(-1), 1.0), X, shows=shows)  # noqa: E731
    assert "instead of" in line(refused(run, "should be true, but is not").message.text, "got")


@pytest.mark.parametrize(
    ("have", "says"),
    [
        ("ab", "should also have the keys 'c', 'd'"),
        ("abcde", "should not have the key 'e'"),
        ("abcx", "should have the key 'd', not the key 'x'"),
        ("abcdvwxyz", "should not have the key 'v' and 4 more"),
    ],
)
def test_of_two_dictionaries_the_keys_that_differ_are_told(have: str, says: str) -> None:
    assert between(dict.fromkeys("abcd", 1), dict.fromkeys(have, 1)).headline.endswith(says)


def test_of_a_relation_both_calls_are_shown() -> None:
    agree = agreeing(softmax, lambda x: x + x.tanh())
    run = lambda: agree.relates("both are the same", near, (X,), (X[:1],))  # noqa: E731
    called = line(refused(run, "should be true, but is not").message.text, "called")
    assert called == "answer(x=float64 (2, 3) [[0, 1, 2], [3, 4, 5]]) and answer(x=float64 (1, 3) [[0, 1, 2]])"


def test_numbers_of_a_relation_are_said_to_be_two_of_the_students_own() -> None:
    agree = agreeing(lambda x: x, lambda x: x if bool(x[0, 0] == 0) else x * torch.nan)
    run = lambda: agree.relates("they add up", lambda a, b: near(a, 2 - b), (X,), (2 - X,))  # noqa: E731
    said = line(refused(run, "should be true, but is not").message.text, "got")
    assert re.fullmatch(r"two of your own answers, compared with each other, give \d and NaN at \[.*", said)


def test_of_a_relation_without_near_it_is_said_which_call_is_wrong() -> None:
    agree = agreeing(lambda x: x, lambda x: x.clamp(min=-1))
    run = lambda: agree.relates("opposite", lambda a, b: torch.equal(a, -b), (X,), (-X,))  # noqa: E731
    assert line(refused(run, "should be true, but is not").message.text, "got").startswith(
        "in call 2 of 2, the result["
    )


def test_of_two_calls_that_read_alike_one_is_shown() -> None:
    agree = agreeing(torch.rand_like, lambda x: x)
    run = lambda: agree.relates("the second differs", lambda a, b: not near(a, b), (X,), (X,))  # noqa: E731
    assert line(refused(run, "should be true, but is not").message.text, "called").endswith("), twice")


def test_a_named_mistake_is_not_told_twice() -> None:
    def lost(x: torch.Tensor) -> torch.Tensor:
        raise ValueError("this and that. ")

    failed = refused(lambda: agreeing(softmax, lost, lost=lost)(X), "lost")
    assert failed.message.text.splitlines()[0] == "lost. (it raised ValueError)"
    assert line(failed.message.text, "got").startswith("ValueError: this and that")
    doubled = lambda x: 2 * softmax(x)  # noqa: E731
    agree = agreeing(softmax, doubled, doubled=doubled)
    failed = refused(lambda: agree.satisfies("rows sum to 1", lambda r: near(r.sum(-1), 1.0), X), "doubled")
    assert failed.message.text.splitlines()[0] == "doubled."


def sometimes(x: torch.Tensor) -> torch.Tensor:
    return x / 2 if len(x) > 2 else x


def always(x: torch.Tensor) -> torch.Tensor:
    return x / 2


def test_of_two_names_that_fit_a_failure_the_one_that_fits_the_others_comes_first() -> None:
    long, short = torch.arange(1.0, 7.0, dtype=F64), torch.tensor([1.0, 2.0], dtype=F64)
    for answer, first in ((sometimes, "sometimes"), (always, "always")):
        agree = agreeing(lambda x: 3 * x, answer, sometimes=sometimes, always=always)
        other = agree.of("another")
        refused(lambda other=other: other(short), "instead of")
        assert refused(lambda agree=agree: agree(long), first).misconceptions[0] == first


def test_no_zero_has_a_minus() -> None:
    assert number(-0.0) == "0"


def test_a_model_is_called_a_model() -> None:
    def frozen(model: nn.Module) -> nn.Module:
        return model.requires_grad_(False)

    def bare(model: nn.Module) -> list[torch.Tensor]:
        return list(frozen(model).parameters())

    def kept(model: nn.Module) -> nn.Module:
        return model

    model = part("BagOfWords", torch.ones(3, 2, dtype=F64), torch.eye(2, dtype=F64), torch.ones(1, 2, dtype=F64))
    assert "it should be a module, not a list" in refused(lambda: agreeing(frozen, bare)(model), ".").message.text
    message = refused(lambda: agreeing(frozen, kept)(model), ".").message.text
    assert (
        "what learns is embedding.weight, multihead.weight, multihead.bias, head.weight, head.bias instead of nothing"
        in message
    )
    assert "learning" not in message


class Halved(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight


class Lost(Halved):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


def test_what_a_constructor_is_given_has_names() -> None:
    message = refused(lambda: agreeing(Halved, Lost)(X, build=(3, 1)), ".").message.text
    assert line(message, "called").startswith("answer(width=3, heads=1)(x=")


def joined(*masks: torch.Tensor) -> torch.Tensor:
    return masks[0] & masks[1]


def test_arguments_without_a_name_of_their_own_have_none_and_are_counted() -> None:
    def changing(*masks: torch.Tensor) -> torch.Tensor:
        masks[1].zero_()
        return masks[0] & masks[1].logical_not()

    both = torch.tensor([True]), torch.tensor([True])
    message = refused(lambda: agreeing(joined, changing)(*both), ".").message.text
    assert line(message, "called") == "answer(bool (1,) [True], bool (1,) [True])"
    assert "it changed its argument masks[1]" in message
    assert line(message, "got") == "`masks[1]` was changed"


@pytest.mark.parametrize(
    ("value", "shown"), [(1 - 1e-9, "0.999999999"), (1 - 1e-16, "1"), (2.5, "2.5"), (1 / 3, "0.333333")]
)
def test_a_number_just_beside_a_whole_one_is_shown_as_it_is(value: float, shown: str) -> None:
    message = refused(lambda: agreeing(torch.mul, torch.add)(X, value), "instead of").message.text
    assert line(message, "called").endswith(f", {shown})")


def test_torchs_defaults_are_said_where_they_matter() -> None:
    def steps(length: int) -> torch.Tensor:
        return torch.arange(length) * torch.ones(())

    narrow = lambda length: steps(length).float()  # noqa: E731
    message = refused(lambda: agreeing(steps, narrow)(3), "float32 instead of float64").message.text
    assert line(message, "called") == "answer(length=3), with dtype float64 as torch's default"
    message = refused(lambda: agreeing(steps, lambda length: steps(length) + 1)(3), "instead of").message.text
    assert line(message, "called") == "answer(length=3)"


def test_what_meta_means_is_said() -> None:
    def fixed(x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(x.shape, dtype=x.dtype, device="cpu")

    message = refused(
        lambda: agreeing(torch.zeros_like, fixed).on_meta(X), "on device cpu instead of meta"
    ).message.text
    assert "device meta (tensors without data, in the place of a GPU's)" in line(message, "expected")
    assert "(2, 3) on meta" in line(message, "called")


def test_an_error_that_is_expected_is_compared_by_its_type() -> None:
    error = Raised("ValueError", ("ValueError", "Exception"), "no")
    assert difference(Observation(error), Observation(error)) is None


def test_lists_that_read_alike_but_for_the_last_digits_are_told_in_full() -> None:
    found = between([1, 2], [1.0000001, 2])
    assert (found.expected, found.got) == ("[1, 2]", "[1.0000001, 2]")


def test_a_long_error_is_cut_once() -> None:
    text = " ".join(f"word{number}" for number in range(100))

    def lost(x: torch.Tensor) -> torch.Tensor:
        raise RuntimeError(text)

    failed = refused(lambda: agreeing(softmax, lost)(X), "it raised")
    assert failed.message.text.splitlines()[0] == f"it raised RuntimeError: {short(text)}"


LONG = "one two three " * 30
ALIKE: dict[str, tuple[Any, Any, str, str]] = {
    "an int and a float": (22377, 22377.0, "22377", "22377.0"),
    "an int and a text": (22377, "22377", "22377", "'22377'"),
    "an int and a truth": (1, True, "1", "True"),
    "in a dict": ({"n": 22377}, {"n": 22377.0}, "22377", "22377.0"),
    "in a list": ([["a"], [3.0]], [["a"], ["3.0"]], "3", "'3.0'"),
    "two ints": (1234567, 1234568, "1234567", "1234568"),
    "late digits": ([123456], [123456.25], "[123456]", "[123456.25]"),
    "long texts": (f"{LONG}x{LONG}", f"{LONG}y{LONG}", "xone", "yone"),
    "long texts, one of which goes on": (LONG, f"{LONG}!", "three '", "three !'"),
    "long texts in a long list": (9 * [f"{LONG}x{LONG}"], 9 * [f"{LONG}y{LONG}"], "xone", "yone"),
    "many tensors": (30 * [X], 31 * [X], "(30 entries)", "(31 entries)"),
    "a name": ([1, 2], Opaque("list"), "[1, 2]", "an object of type list"),
    "texts in an array": (np.array(list("abcdefghij")), np.array(list("abcdexghij")), "'f'", "'x'"),
    "modules": ({"learning": ["w"], "w": X}, {"learning": ["w"], "w": X, "t": X}, "without `t`", "with it"),
    "other modules": ({"learning": ["w"], "w": X, "t": X}, {"learning": ["w"], "w": X}, "with `t`", "without it"),
}


@pytest.mark.parametrize("what", ALIKE)
def test_what_is_expected_and_what_came_never_read_alike(what: str) -> None:
    want, have, expected, got = ALIKE[what]
    found = between(want, have)
    assert (expected in found.expected, got in found.got) == (True, True), found
    assert found.expected != found.got
    assert "should be a list, not a list" not in found.headline


def test_torchs_defaults_are_not_said_of_arrays() -> None:
    agree = agreeing(lambda length: np.ones(length), lambda length: np.ones(length, dtype=np.float32))
    message = refused(lambda: agree(3), "float32 instead of float64").message.text
    assert line(message, "called") == "answer(length=3)"
    assert "torch" not in message


def test_a_wrong_part_of_a_result_is_told_with_what_is_right_beside_it() -> None:
    def moments(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return x.mean(-1), x.var(-1), x.amax(-1)

    def skewed(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return x.mean(-1), x.var(-1, correction=0), x.amin(-1)

    message = refused(lambda: agreeing(moments, skewed)(X), "instead of").message.text
    assert message.splitlines()[0].endswith("; result[0] is right, result[2] is not")
    wrong = refused(lambda: agreeing(moments, lambda x: tuple(part + 1 for part in moments(x)))(X), "instead of")
    assert "right" not in wrong.message.text


def test_of_many_parts_and_beside_a_named_mistake_nothing_is_said_of_what_is_right() -> None:
    def parts(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(x + number for number in range(7))

    def first_wrong(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (x.sin(), *parts(x)[1:])

    many = refused(lambda: agreeing(parts, first_wrong)(X), "instead of").message
    assert "right" not in many.headline
    few = [lambda x, whole=whole: whole(x)[:3] for whole in (parts, first_wrong)]
    assert "are right" in refused(lambda: agreeing(*few)(X), "instead of").message.headline
    named = refused(lambda: agreeing(*few, tripled=few[1])(X), "tripled").message
    assert "are right" not in named.headline


def test_a_wrong_gradient_is_told_with_what_is_right_beside_it() -> None:
    def weighted(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return x * y + z

    def cut(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return x * y.detach() + z

    def run() -> None:
        agreeing(weighted, cut)(X, X + 1, X + 2, gradients=True)

    first = refused(run, "no gradient reaches y").message.text.splitlines()[0]
    assert first.endswith("; the result is right, and so are the gradients of x and z")
