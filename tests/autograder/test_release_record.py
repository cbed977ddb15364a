"""What sealing a release stands on: a suite that is cut, a record that is written and read, calls known again."""

from __future__ import annotations

import ast
from dataclasses import replace
from types import FunctionType

import pytest
import torch

from autograder.author.release.cut import checks, without
from autograder.author.release.record import RecordingOracle
from autograder.author.release.uses import imported
from autograder.calls.records import Call, Observation, identical
from autograder.compare.recording import Reader, Writer
from autograder.compare.sealed import alike
from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.test_release import REAL

SUITE = (TOY / "tests" / "exercises" / f"test_{CHAPTER}.py").read_text(encoding="utf-8")


def test_what_is_recorded_is_read_as_it_was_and_tensors_are_kept_once() -> None:
    complex_one = torch.randn(4, 5, dtype=torch.complex128).mT.conj()
    seen = Observation((complex_one, [torch.ones(3)], {"mask": None}, 2.5), gradients={"x": torch.ones(3)})
    writer = Writer()
    numbers = [writer.seen(each) for each in (seen, replace(seen, again=seen.result), seen)]
    assert numbers == [0, 1, 0]
    reader = Reader(writer.file({}, {}))
    first, second = (reader.seen(number) for number in (0, 1))
    assert identical(first.result, seen.result)
    assert identical(first.gradients, seen.gradients)
    assert first.again is None
    assert second.again is second.result
    assert len(reader.sheet.lengths) == 2


def test_a_call_is_known_again_but_for_rounding() -> None:
    call = Call("f", (torch.ones(3, dtype=torch.float64), [1, 2.0], "text"), {"mask": None})
    args = (torch.ones(3, dtype=torch.float64) + 1e-12, [1, 2.0 + 1e-12], "text")
    assert alike(call, replace(call, args=args))
    for other in ((torch.ones(3), *args[1:]), (args[0] + 1e-3, *args[1:]), (args[0], [1, 3.0], "text"), args[:2]):
        assert not alike(call, replace(call, args=other))
    assert not alike(call, replace(call, seed=1))


@pytest.mark.parametrize("chapter", REAL.chapters)
def test_a_suite_without_some_checks_has_all_that_the_others_use_and_no_reference(chapter: str) -> None:
    text = REAL.suite(chapter).read_text(encoding="utf-8")
    dropped = [check.name for check in checks(text) if check.level == "edges" or check.uses_reference]
    cut = without(text, dropped)
    assert checks(cut) == [check for check in checks(text) if check.name not in dropped]
    own = {name for _, name in imported(ast.parse(cut)) if not name.startswith("reference.capstones")}
    assert "reference" not in {name.split(".")[0] for name in own}
    module: dict[str, object] = {}
    exec(compile(cut, chapter, "exec"), module)
    used = {name for value in module.values() if isinstance(value, FunctionType) for name in value.__code__.co_names}
    defined = {*ast_names(text)}
    assert used & defined <= module.keys()
    assert not {*dropped} & module.keys()


def ast_names(text: str) -> list[str]:
    """What a module's own statements define."""
    return [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]


def test_a_helper_goes_with_the_last_check_that_uses_it() -> None:
    text = SUITE.replace(
        '@exercise("double", points=1, level="edges")',
        "def helper(x):\n    return x\n\n\n" + '@exercise("double", points=1, level="edges")',
        1,
    )
    text = text.replace('agree(draw("B D"), gradients=True)', 'agree(helper(draw("B D")), gradients=True)', 1)
    assert "def helper" in without(text, [])
    assert "def helper" not in without(text, ["test_gradients_reach_x"])


def test_a_check_that_asks_about_what_students_answer_is_noticed(toy: Course) -> None:
    oracle = RecordingOracle(toy, 1)
    call = Call("double", (torch.ones(2),))
    oracle.draw(1, f"{CHAPTER}/test_one")
    oracle.right(CHAPTER, oracle.asked(f"{CHAPTER}/test_one", call))
    assert oracle.unfit == set()
    oracle.right(CHAPTER, replace(call, args=(torch.zeros(2),)))
    assert oracle.unfit == {f"{CHAPTER}/test_one"}
