"""Known wrong answers as submissions: the solution's text with one definition exchanged."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch

from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core.errors import AttendError
from autograder.course.course import Course
from autograder.course.model import Misconception

TOY = Course(Path(__file__).parent / "toy")
SOLUTION = TOY.solution("ch01_toy").read_text(encoding="utf-8")
MARKS = re.findall(
    r'@misconception\("(\w+)", "([\w-]+)"\)',
    (TOY.root / "reference" / "misconceptions" / "ch01_toy.py").read_text(encoding="utf-8"),
)


def run(text: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "answers"}
    exec(compile(text, "answers.py", "exec"), namespace)
    return namespace


def spliced(exercise: str, identifier: str) -> str:
    wrong = Misconception(identifier, exercise, lambda: None, "", "")
    return with_wrong_answer(SOLUTION, misconception_source(TOY, "ch01_toy", wrong), exercise)


@pytest.mark.parametrize(("exercise", "identifier"), MARKS)
def test_each_wrong_answer_takes_the_name_of_its_exercise(exercise: str, identifier: str) -> None:
    text = spliced(exercise, identifier)
    assert run(text)[exercise].__name__ == exercise
    assert "misconception" not in text
    assert "You " not in text
    assert "Your " not in text


def test_the_spliced_function_gives_the_wrong_answer_and_the_others_stay_right() -> None:
    x = torch.tensor([[1.0, 2.0, 6.0]])
    right, wrong = run(SOLUTION), run(spliced("double", "double-squared"))
    assert torch.equal(right["double"](x), 2 * x)
    assert torch.equal(wrong["double"](x), x * x)
    assert [float(part) for part in wrong["mean_and_sum"](x)] == [3.0, 9.0]
    swapped = run(spliced("mean_and_sum", "mean-swapped-pair"))
    assert [float(part) for part in swapped["mean_and_sum"](x)] == [9.0, 3.0]


def test_a_class_that_derives_from_the_right_one_keeps_its_init() -> None:
    namespace = run(spliced("Scale", "scale-ignored"))
    module = namespace["Scale"](3)
    module.weight.data.fill_(5.0)
    assert [name for name, _ in module.named_parameters()] == ["weight"]
    assert type(module).__mro__[1] is namespace["_Scale"]
    assert torch.equal(module(torch.ones(2, 3)), torch.ones(2, 3))
    assert torch.equal(namespace["_Scale"].forward(module, torch.ones(2, 3)), torch.full((2, 3), 5.0))


def test_the_text_around_the_exercise_is_kept() -> None:
    text = spliced("double", "double-squared")
    start, end = SOLUTION.index("def double"), SOLUTION.index("# %% [markdown]\n# ## Mean")
    assert text.startswith(SOLUTION[:start])
    assert text.endswith(SOLUTION[end:])
    assert text[start : text.index("\n\n\n", start)] == "def double(x: torch.Tensor) -> torch.Tensor:\n    return x * x"


RIGHT = '''
import functools


def plain(f):
    return f


# %% exercise="size"
@plain
def size(x):
    """How long it is."""
    ### BEGIN SOLUTION
    return len(x)
    ### END SOLUTION


after = size("abc")


class Base:
    pass


class Node(Base):
    def __init__(self, n):
        super(Node, self).__init__()
        self.n = n

    def value(self):
        return self.n
'''


def test_decorators_of_the_right_answer_go_with_it() -> None:
    text = with_wrong_answer(RIGHT, "def other(x):\n    return 0\n", "size")
    assert "@plain" not in text
    assert "SOLUTION" not in text
    assert run(text)["after"] == 0


def test_a_wrong_answer_may_call_the_right_one() -> None:
    text = with_wrong_answer(
        RIGHT, '@misconception("size", "size-plus")\ndef plus(x):\n    """Off."""\n    return size(x) + 1', "size"
    )
    assert run(text)["after"] == 4


def test_a_wrong_answer_that_calls_itself_calls_its_new_name() -> None:
    wrong = "def counted(x):\n    'é'; y = counted(x[1:]) if x else -2\n    return y + 2\n"
    assert run(with_wrong_answer(RIGHT, wrong, "size"))["after"] == 6


def test_a_wrong_answer_of_the_same_name_calls_itself_too() -> None:
    wrong = "def size(x):\n    return 2 + size(x[1:]) if x else 0\n"
    assert run(with_wrong_answer(RIGHT, wrong, "size"))["after"] == 6


@pytest.mark.parametrize("wrong", ["def f(size):\n    return size\n", "def f(x):\n    size = x\n    return size\n"])
def test_a_local_variable_that_is_called_like_the_exercise_is_left_alone(wrong: str) -> None:
    text = with_wrong_answer(RIGHT, wrong, "size")
    assert "_size" not in text
    assert run(text)["after"] == "abc"


def test_a_parameter_that_is_called_like_the_wrong_function_is_left_alone() -> None:
    assert run(with_wrong_answer(RIGHT, "def f(f):\n    return f * 2\n", "size"))["after"] == "abcabc"


def test_names_are_found_behind_letters_of_several_bytes() -> None:
    wrong = "def f(x):\n    return ('√é', size(x), f)[1]\n"
    assert run(with_wrong_answer(RIGHT, wrong, "size"))["after"] == 3


def test_super_with_arguments_still_finds_its_class() -> None:
    body = "return super(Half, self).value() / 2 + Node.value(self)"
    wrong = f"class Half(Node):\n    '''Half.'''\n\n    def value(self):\n        {body}\n"
    node = run(with_wrong_answer(RIGHT, wrong, "Node"))["Node"](4)
    assert node.value() == 6


def test_a_class_of_nothing_but_words_keeps_them() -> None:
    wrong = 'class Same(Node):\n    """The same."""\n'
    assert run(with_wrong_answer(RIGHT, wrong, "Node"))["Node"](4).value() == 4


def test_indented_source_is_taken_as_it_would_be_at_the_top_level() -> None:
    assert run(with_wrong_answer(RIGHT, "    def f(x):\n        return 7\n", "size"))["after"] == 7


def test_what_cannot_be_spliced_is_named() -> None:
    with pytest.raises(AttendError, match="no function or class 'width' to be replaced"):
        with_wrong_answer(RIGHT, "def f(x): ...", "width")
    with pytest.raises(AttendError, match="no function or class in the wrong answer"):
        with_wrong_answer(RIGHT, "x = 1", "size")
    with pytest.raises(AttendError, match="has no misconception 'double-lost'"):
        spliced("double", "double-lost")
