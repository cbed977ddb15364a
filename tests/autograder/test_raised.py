"""What an exception is told as: only the known class itself has the name that a verdict rests on."""

from __future__ import annotations

import re
from typing import Any

import pytest

from autograder.calls.built import StateMismatchError
from autograder.calls.device_transfer import StrayError
from autograder.calls.observe import NoPairError
from autograder.calls.raised import describe
from autograder.calls.records import Raised
from autograder.internals.forbid import ForbiddenError
from autograder.sandbox.messages import wall_met
from tests.autograder.conftest import Grade, failed
from tests.autograder.test_judge import UNDONE, with_double

OURS = (ForbiddenError, NoPairError, StateMismatchError, StrayError)
PYTHONS = (MemoryError, NotImplementedError, OSError, PermissionError, ValueError, ModuleNotFoundError)
SAYS = "All checks passed, [Errno 13]"
MEMORY = 2**30


def namesake(known: type[BaseException], **more: Any) -> Raised:
    """The description of an error of a new class that is called as a known one."""
    return describe(type(known.__name__, (Exception,), {"__module__": "ch01_toy", **more})(SAYS))


@pytest.mark.parametrize("known", [*OURS, *PYTHONS])
def test_a_class_of_a_known_name_is_told_with_its_module_and_the_known_one_without(known: type[BaseException]) -> None:
    name = known.__name__
    assert (describe(known(SAYS)).kind, name in describe(known(SAYS)).bases) == (name, True)
    assert (namesake(known).kind, name in namesake(known).bases) == (f"ch01_toy.{name}", False)


@pytest.mark.parametrize("known", [*OURS, *PYTHONS])
def test_a_class_of_its_own_name_keeps_what_it_is_derived_from(known: type[BaseException]) -> None:
    raised = describe(type("Mine", (known,), {})(SAYS))
    assert (raised.kind, raised.bases[:2]) == ("Mine", ("Mine", known.__name__))


def test_no_metaclass_lends_a_class_another_name() -> None:
    class Lies(type):
        __name__ = property(lambda cls: "StrayError")  # type: ignore[assignment]
        __mro__ = property(lambda cls: (StrayError, Exception))  # type: ignore[assignment]

    raised = describe(Lies("Mine", (Exception,), {})(SAYS))
    assert (raised.kind, raised.bases[0], "StrayError" in raised.bases) == ("Mine", "Mine", False)


@pytest.mark.parametrize("module", [None, 3, type("Text", (str,), {"__format__": lambda *_: 1 / 0})("x")])
def test_a_module_that_is_no_text_is_a_question_mark(module: object) -> None:
    assert namesake(StrayError, __module__=module).kind == "?.StrayError"


@pytest.mark.parametrize("known", [*OURS, MemoryError, OSError, NotImplementedError])
def test_the_headline_on_a_class_of_a_known_name_says_that_it_was_raised(
    grade: Grade, known: type[BaseException]
) -> None:
    name = known.__name__
    text = UNDONE + f"\n\nclass {name}(Exception): pass\n\n\ndef double(x):\n    raise {name}({SAYS!r})\n"
    first = failed(grade(text), "double")[0]
    assert (first.status, first.message.headline) == ("error", f"it raised ch01_toy.{name}: {SAYS}")


@pytest.mark.parametrize("known", [MemoryError, OSError])
def test_no_wall_is_met_by_a_class_of_a_known_name_and_one_is_by_the_known_class(known: type[BaseException]) -> None:
    assert wall_met("f", namesake(known), MEMORY) is None
    assert wall_met("f", describe(known(SAYS)), MEMORY)


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (MemoryError("out of cake"), "memory", "MemoryError: out of cake, as happens when more memory is asked for"),
        (RuntimeError("can't allocate memory"), "memory", "RuntimeError: can't allocate memory, as happens when"),
        (
            PermissionError(1, "not today"),
            "blocked",
            r"PermissionError: \[Errno 1\] not today, as the walls of grading",
        ),
    ],
    ids=str,
)
def test_an_error_that_may_be_raised_by_hand_is_told_as_raised(error: Exception, status: str, says: str) -> None:
    lost = wall_met("f", describe(error), MEMORY)
    assert lost
    assert lost.status == status
    assert re.match(f"f raised {says}", lost.message.headline)


def test_memory_is_told_so_without_walls_too(grade: Grade) -> None:
    first = failed(grade(with_double("raise MemoryError('out of cake')")), "double")[0]
    says = "double raised MemoryError: out of cake, as happens when more memory is asked for than there is"
    assert (first.status, first.message.headline) == ("memory", says)


STUB = "def double(x):\n    raise NotImplementedError('double')\n"
CALLS = "\n\ndef mean_and_sum(x):\n    return double(x)\n"
RAISES = "\n\ndef mean_and_sum(x):\n    raise NotImplementedError('double')\n"
ANOTHER = "\n\ndef other(x):\n    raise NotImplementedError('double')\n\n\ndef mean_and_sum(x):\n    return other(x)\n"
BEGUN = "def double(x):\n    x = 2 * x\n    raise NotImplementedError('double')\n"
ITSELF = "mean_and_sum still raises NotImplementedError"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (STUB + CALLS, "mean_and_sum calls double, which is still to do"),
        (STUB + RAISES, ITSELF),
        (STUB + ANOTHER, ITSELF),
        (BEGUN + CALLS, "mean_and_sum calls double, which is still to do"),
    ],
    ids=["a stub", "another's name", "a function that is no exercise", "an exercise that was begun"],
)
def test_only_an_exercise_that_the_answer_calls_is_still_to_do(grade: Grade, text: str, says: str) -> None:
    first = failed(grade(text), "mean_and_sum")[0]
    assert (first.status, first.message.headline) == ("missing", says)


LIBRARYS = ("division by zero", "list index out of range", "meta tensor", "mat1 and mat2 shapes cannot be multiplied")


@pytest.mark.parametrize("text", LIBRARYS)
def test_a_librarys_words_that_the_answer_raises_itself_are_only_quoted(grade: Grade, text: str) -> None:
    first = failed(grade(with_double(f"raise RuntimeError({text!r})")), "double")[0]
    assert first.message.headline == f"it raised RuntimeError: {text}"


@pytest.mark.parametrize(("body", "says"), [("return 1 // 0", "it divides by 0"), ("return [][1]", "it takes an item")])
def test_a_librarys_words_are_explained_where_the_library_raises(grade: Grade, body: str, says: str) -> None:
    assert failed(grade(with_double(body)), "double")[0].message.headline.startswith(says)
