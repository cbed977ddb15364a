"""What sealing a release stands on: a suite that is cut, a record that is written and read, calls known again."""

from __future__ import annotations

import ast
from dataclasses import replace
from types import FunctionType

import pytest
import torch

from autograder.author.release.cut import RULES, only, using_reference
from autograder.author.release.record import Compiled, is_recordable
from autograder.author.release.uses import imported
from autograder.calls.records import Observation, identical
from autograder.compare.recording import Reader, Writer
from autograder.course.course import Course
from autograder.suite.faults import ExposesTooLittle
from autograder.suite.plan import Plan
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


@pytest.mark.parametrize("chapter", REAL.chapters)
def test_a_suite_without_some_checks_has_all_that_the_others_use_and_no_reference(chapter: str) -> None:
    text = REAL.suite(chapter).read_text(encoding="utf-8")
    every, foreign = {each.function: each.level for each in REAL.checks[chapter]}, using_reference(text)
    dropped = {name for name, level in every.items() if level == "edges" or name in foreign}
    cut = only(text, RULES | (every.keys() - dropped))
    assert {*ast_names(cut)} & every.keys() == every.keys() - dropped
    own = {name for _, name in imported(ast.parse(cut)) if not name.startswith("reference.capstones")}
    assert "reference" not in {name.split(".")[0] for name in own}
    module: dict[str, object] = {}
    exec(compile(cut, chapter, "exec"), module)
    used = {name for value in module.values() if isinstance(value, FunctionType) for name in value.__code__.co_names}
    defined = {*ast_names(text)}
    assert used & defined <= module.keys()
    assert not dropped & module.keys()


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
    every = {name for name in ast_names(text) if name.startswith("test")}
    assert "def helper" in only(text, RULES | every)
    assert "def helper" not in only(text, RULES | (every - {"test_gradients_reach_x"}))


def test_what_a_check_draws_is_recorded_once_however_often_it_is_compiled(toy: Course) -> None:
    compiled = Compiled.of(toy, CHAPTER, 1)
    once = {place: [*values] for place, values in compiled.drawn()}
    for check in compiled.plans:
        for _ in range(2):
            compiled.oracle.draw(1, check.key)("B D")
    assert any(once.values())
    assert {len(values) for _, values in compiled.drawn()} == {1}


def test_a_check_is_recordable_if_data_alone_decides(toy: Course) -> None:
    plans = Compiled.of(toy, CHAPTER, 1).plans
    assert all(map(is_recordable, plans.values()))
    plan = next(iter(plans.values()))
    (step, *_) = plan.steps
    asks_the_reference = replace(step, fault=ExposesTooLittle(lambda *_: None, step.calls[0].right))
    no_data = replace(step.calls[0], call=replace(step.calls[0].call, args=(object(),)))
    assert not is_recordable(Plan((asks_the_reference,)))
    assert not is_recordable(Plan((replace(step, calls=(no_data,)),)))
    assert not is_recordable(Plan(plan.steps, ValueError()))
