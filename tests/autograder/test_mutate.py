"""Mutants differ by one change inside an answer, and keep their name."""

from __future__ import annotations

import ast

import pytest
from cosmic_ray.mutating import mutate_code

from autograder.author.proof.mutate import OWN, Mutant, mutants, mutate
from autograder.core.errors import AttendError

CHAPTER = '''import math


def scores(q, k, mask=None):
    """The docstring has 1 number, and q - k."""
    width = q.shape[-1] * 1
    ### BEGIN SOLUTION
    raw = q @ k.mT / math.sqrt(width)
    return clip(raw, mask)
    ### END SOLUTION


def other(x):
    ### BEGIN SOLUTION
    return x + 1
    ### END SOLUTION
'''


def changes(exercise: str = "scores") -> dict[tuple[str, str], Mutant]:
    return {(each.was.strip(), each.now.strip()): each for each in mutants(CHAPTER, exercise)}


@pytest.mark.parametrize("operator", OWN, ids=lambda operator: operator.__name__)
def test_an_operator_does_what_its_examples_say(operator) -> None:
    for example in operator.examples():
        changed = mutate_code(example.pre_mutation_code, operator(), example.occurrence)
        assert changed == example.post_mutation_code


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("raw = q @ k.mT / math.sqrt(width)", "raw = q @ k.mT * math.sqrt(width)"),
        ("raw = q @ k.mT / math.sqrt(width)", "raw = q @ k.mT"),
        ("raw = q @ k.mT / math.sqrt(width)", "raw = q @ k.mT / (width)"),
        ("raw = q @ k.mT / math.sqrt(width)", "raw = q @ k / math.sqrt(width)"),
        ("raw = q @ k.mT / math.sqrt(width)", "raw = k.mT @ q / math.sqrt(width)"),
        ("raw = q @ k.mT / math.sqrt(width)", "pass"),
        ("return clip(raw, mask)", "return clip(raw)"),
        ("return clip(raw, mask)", "return clip(mask, raw)"),
    ],
)
def test_what_goes_wrong_in_tensor_code_is_among_the_mutants(was: str, now: str) -> None:
    assert (was, now) in changes()


def test_only_what_stands_between_the_markers_is_changed() -> None:
    assert {was for was, _ in changes()} == {"raw = q @ k.mT / math.sqrt(width)", "return clip(raw, mask)"}
    assert {was for was, _ in changes("other")} == {"return x + 1"}


def test_every_mutant_is_another_program_and_stands_in_its_chapter() -> None:
    found = list(mutants(CHAPTER, "scores"))
    meanings = [ast.dump(ast.parse(each.text)) for each in [*found]]
    assert ast.dump(ast.parse(CHAPTER)) not in meanings
    assert len(set(meanings)) == len(meanings) > 20
    assert all(each.text.endswith(CHAPTER[CHAPTER.index("\n\ndef other") :]) for each in found)


def test_a_mutant_can_be_made_again_from_its_name() -> None:
    for each in mutants(CHAPTER, "scores"):
        assert mutate(CHAPTER, each.exercise, each.was, each.now, each.nth) == each.text


def test_of_two_equal_lines_the_name_says_which() -> None:
    twice = CHAPTER.replace("return x + 1", "x = x + 1\n    x = x + 1\n    return x")
    found = [each for each in mutants(twice, "other") if each.now == "    x = x - 1"]
    assert [each.nth for each in found] == [1, 2]
    assert mutate(twice, "other", "    x = x + 1", "    x = x - 1", 2) == found[1].text


def test_a_name_whose_lines_are_gone_is_refused() -> None:
    with pytest.raises(AttendError, match="no line 'return 3'"):
        mutate(CHAPTER, "other", "    return 3", "    return 4", 1)
