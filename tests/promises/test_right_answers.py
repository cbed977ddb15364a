"""The worst a grader can do is to take a point from a right answer: here every style earns everything.

Each file of `right/` answers a whole chapter, or some exercises of it, as some student would and unlike the solution.
All of a chapter are graded together, and so are answers that were spoilt. `make gallery` grades the right ones with
many seeds; test_proof.py holds its record.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
import torch

from autograder.author.proof import right_answers
from autograder.author.proof.mutants import grade_all
from autograder.author.proof.promises import lost
from autograder.calls import observe
from autograder.calls.records import Call, Data
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.intake.artefacts import asked_for
from autograder.judging.wall import Wall
from tests.promises.world import COURSE, PROVEN, SEEDS, each_chapter, judged

ANSWERS = [answer for chapter in COURSE.chapters for answer in right_answers.answers(COURSE, chapter)]
TRAINED = {name for chapter in COURSE.chapters for name in asked_for(COURSE.suite(chapter))}


class Spoilt(NamedTuple):
    """A change of a right answer, and the exercise that it makes wrong."""

    style: str
    right: str
    wrong: str
    exercise: str


SPOILT = {
    "ch00_before_attention": Spoilt("loops", "powers / powers.sum()", "powers / len(powers)", "attend_over_states"),
    "ch01_markov": Spoilt("loops", "if t >= 2:", "if t > 2:", "second_order_matrix"),
    "ch02_embeddings": Spoilt("loops", "even = column - column % 2", "even = column", "sinusoidal_positions"),
    "ch03_attention": Spoilt("loops", "(one.norm(dim=-1) * other.norm(dim=-1))", "one.norm(dim=-1)", "cosine_scores"),
    "ch04_masking": Spoilt("loops", "mask[i, : past + i + 1] = True", "mask[i, : past + i] = True", "causal_mask"),
    "ch05_multihead": Spoilt("loops", "(h + 1) * d] = x[:, h]", "(h + 1) * d] = x[:, H - 1 - h]", "merge_heads"),
    "ch06_encoder": Spoilt(
        "loops", "torch.where(before > 0, before, torch.zeros_like(before))", "before", "feed_forward"
    ),
    "ch07_classifier": Spoilt("loops", "total / len(real) if real", "total / x.shape[1] if real", "masked_mean"),
    "ch08_decoder": Spoilt("loops", "total = total + loss * real", "total = total + loss", "sequence_loss"),
    "ch09_language_model": Spoilt(
        "loops", "labels.append(ids[:, t + 1])", "labels.append(ids[:, t])", "next_token_pairs"
    ),
    "ch10_bert": Spoilt("loops", "elif action[b, t] < 0.9:", "elif action[b, t] < 0.95:", "mask_tokens"),
    "ch11_vision": Spoilt("loops", "divmod(n, width // side)", "divmod(n, height // side)", "unpatchify"),
    "ch12_mixing": Spoilt("loops", "j = i + k - size // 2", "j = i - k + size // 2", "filter_matrix"),
    "ch13_inspection": Spoilt("loops", "return j - i == 1", "return j - i == 2", "pattern_scores"),
    "ch14_bug_hunt": Spoilt("by_hand", "return x, scale, shift, 2", "return x, scale, shift, 1e-5", "probe_layer_norm"),
}
"""For each chapter, a right answer of which one line is changed."""

# A warning of a student's own code, such as NumPy's about 0 / 0, costs nothing, and must not fail these tests.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def the_process_as_before() -> Iterator[None]:
    """One thread, as in the judge: small tensors only wait for a second one. And some answers set how to print."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with np.printoptions():
        yield
    torch.set_printoptions(profile="default")
    torch.set_num_threads(threads)


def solution(chapter: str) -> right_answers.RightAnswer:
    path, names = COURSE.solution(chapter), tuple(each.name for each in COURSE.of(chapter))
    return right_answers.RightAnswer(chapter, "solution", path, path.read_text(encoding="utf-8"), names)


def handed_in(chapter: str) -> Iterator[Submission]:
    """The solution, all right answers to a chapter, and one that is spoilt.

    Exercises that are given trained models take long, so they are graded behind the wall alone.
    """
    for answer in (solution(chapter), *(each for each in ANSWERS if each.chapter == chapter)):
        whole = answer.submission(COURSE)
        yield replace(whole, only=tuple(name for name in whole.only if name not in TRAINED))
        if (spoil := SPOILT.get(chapter)) and spoil.style == answer.style:
            assert answer.text.count(spoil.right) == 1
            text = answer.text.replace(spoil.right, spoil.wrong)
            yield replace(replace(answer, text=text).submission(COURSE), student="spoilt")


KEPT: list[str] = []
"""Exercises of which the reference or a right answer, one graded so far, was taken for one that keeps its answers."""


def keeps_for_an_object(target: Callable[..., Any], call: Call, answer: Data) -> bool:
    found: bool = _keeps(target, call, answer)
    KEPT.extend([call.name] * found)
    return found


_keeps = observe._keeps_for_an_object


@cache
def graded(chapter: str) -> dict[str, SubmissionResult]:
    with patch.object(observe, "_keeps_for_an_object", keeps_for_an_object):
        found = judged(handed_in(chapter), COURSE.of(chapter), named=False)
    return {name: each.result for name, each in found.items()}


@pytest.mark.parametrize("chapter", [pytest.param(each, id=f"{each}: solution") for each in COURSE.chapters])
def test_the_solution_earns_everything(chapter: str) -> None:
    result = graded(chapter)["solution"]
    assert not lost(result), "\n".join(lost(result))
    assert result.score == result.max_score > 0


@each_chapter
def test_neither_the_reference_nor_a_right_answer_keeps_an_answer_for_an_object(chapter: str) -> None:
    graded(chapter)
    assert not {*KEPT} & {each.name for each in COURSE.of(chapter)}


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", SEEDS)
@each_chapter
def test_the_solution_earns_everything_with_other_inputs(chapter: str, seed: int) -> None:
    result = judged([next(handed_in(chapter))], COURSE.of(chapter), seed)["solution"].result
    assert not lost(result), "\n".join(lost(result))


@pytest.mark.parametrize("answer", [pytest.param(each, id=f"{each.chapter}: {each.style}") for each in ANSWERS])
def test_an_independent_right_answer_earns_everything(answer: right_answers.RightAnswer) -> None:
    result = graded(answer.chapter)[answer.style]
    assert {each.exercise for each in result.exercises} == {*answer.exercises} - TRAINED
    assert not lost(result), "\n".join(lost(result))  # whole: pytest cuts long lists
    assert result.score == result.max_score > 0


SAMPLE = [
    solution(chapter)
    if asked_for(COURSE.suite(chapter))
    else [answer for answer in ANSWERS if answer.chapter == chapter][number % 3]
    for number, chapter in enumerate(COURSE.chapters)
]
"""The solution where it is given trained models, else one answer of each chapter, in styles that differ."""
OTHERS = [each for each in ANSWERS if each not in SAMPLE]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(each, id=f"wall: {each.chapter} {each.style}", marks=[pytest.mark.exhaustive] * (each in OTHERS))
        for each in [*SAMPLE, *OTHERS]
    ],
)
def test_it_earns_everything_behind_the_wall_too(answer: right_answers.RightAnswer, wall: Wall) -> None:
    handed = [answer.submission(COURSE)]
    result = grade_all(COURSE, wall.hand, COURSE.of(answer.chapter), handed, jobs=1, seed=20)[answer.style]
    assert {each.exercise for each in result.exercises} == {*answer.exercises}
    assert not lost(result), "\n".join(lost(result))  # whole: pytest cuts long lists
    assert result.score == result.max_score > 0


def test_every_exercise_that_is_no_draft_has_right_answers_in_at_least_three_styles() -> None:
    count = Counter(name for answer in ANSWERS for name in answer.exercises)
    few = [f"{each.chapter}: {each.name} has {count[each.name]}" for each in PROVEN if count[each.name] < 3]
    assert not few, f"{right_answers.FOLDER} wants three right answers to each exercise: {few}"


@pytest.mark.parametrize("chapter", [pytest.param(chapter, id=f"{chapter}: spoilt") for chapter in SPOILT])
def test_a_right_answer_that_is_spoilt_loses_points_where_it_is_wrong(chapter: str) -> None:
    result = graded(chapter)["spoilt"]
    assert {each.exercise for each in result.exercises if each.score < each.max_score} == {SPOILT[chapter].exercise}
    assert lost(result)
