"""The worst a grader can do is to take a point from a right answer: here every style earns everything.

Each file of `right/` answers a whole chapter, or some exercises of it, as some student would and unlike the solution.
With many seeds they are graded by `make gallery`; test_proof.py holds its record.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from autograder.author.proof import answers
from autograder.author.proof.grade import grade_all
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.intake.artefacts import asked_for
from autograder.judging.wall import Wall
from tests.promises.world import COURSE, PROVEN, judged

ANSWERS = [answer for chapter in COURSE.chapters for answer in answers.answers(COURSE, chapter)]
TRAINED = {name for chapter in COURSE.chapters for name in asked_for(COURSE.suite(chapter))}

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


def handed_in(chapter: str) -> list[Submission]:
    """All right answers to a chapter."""
    return [answer.submission(COURSE) for answer in ANSWERS if answer.chapter == chapter]


@cache
def graded(chapter: str) -> dict[str, SubmissionResult]:
    """On all exercises but those that are given trained models, which take long: they are graded behind the wall."""
    short = [each for each in COURSE.of(chapter) if each.name not in TRAINED]
    return {name: each.result for name, each in judged(handed_in(chapter), short).items()}


def lost(result: SubmissionResult) -> list[str]:
    """What each failed check says, after its exercise."""
    checks = [(exercise.exercise, check) for exercise in result.exercises for check in exercise.checks]
    return [f"{name}: {check.name}: {check.message.text}" for name, check in checks if check.status != "passed"]


@pytest.mark.parametrize("answer", [pytest.param(each, id=f"{each.chapter}: {each.style}") for each in ANSWERS])
def test_an_independent_right_answer_earns_everything(answer: answers.Answer) -> None:
    result = graded(answer.chapter)[answer.style]
    assert {each.exercise for each in result.exercises} == {*answer.exercises} - TRAINED
    assert not lost(result), "\n".join(lost(result))  # whole: pytest cuts long lists
    assert result.score == result.max_score > 0


SAMPLE = [
    [answer for answer in ANSWERS if answer.chapter == chapter][number % 3]
    for number, chapter in enumerate(COURSE.chapters)
]
"""One answer of each chapter, in styles that differ; `make prove` grades the others behind the wall too."""
EXHAUSTIVE = [pytest.mark.exhaustive]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(each, id=f"wall: {each.chapter} {each.style}", marks=() if each in SAMPLE else EXHAUSTIVE)
        for each in ANSWERS
    ],
)
def test_it_earns_everything_behind_the_wall_too(answer: answers.Answer, wall: Wall) -> None:
    handed = [answer.submission(COURSE)]
    result = grade_all(COURSE, wall.hand, COURSE.of(answer.chapter), handed, jobs=1, seed=20)[answer.style]
    assert {each.exercise for each in result.exercises} == {*answer.exercises}
    assert not lost(result), "\n".join(lost(result))  # whole: pytest cuts long lists
    assert result.score == result.max_score > 0


def test_every_exercise_that_is_no_draft_has_right_answers_in_at_least_three_styles() -> None:
    count = Counter(name for answer in ANSWERS for name in answer.exercises)
    few = [f"{each.chapter}: {each.name} has {count[each.name]}" for each in PROVEN if count[each.name] < 3]
    assert not few, f"{answers.FOLDER} wants three right answers to each exercise: {few}"


SPOILT = [
    ("ch00_before_attention", "loops", "powers / powers.sum()", "powers / len(powers)", "attend_over_states"),
    ("ch01_markov", "loops", "if t >= 2:", "if t > 2:", "second_order_matrix"),
    ("ch02_embeddings", "loops", "even = column - column % 2", "even = column", "sinusoidal_positions"),
    ("ch03_attention", "loops", "(one.norm(dim=-1) * other.norm(dim=-1))", "one.norm(dim=-1)", "cosine_scores"),
    ("ch04_masking", "loops", "mask[i, : past + i + 1] = True", "mask[i, : past + i] = True", "causal_mask"),
    ("ch05_multihead", "loops", "(h + 1) * d] = x[:, h]", "(h + 1) * d] = x[:, H - 1 - h]", "merge_heads"),
    ("ch06_encoder", "loops", "torch.where(before > 0, before, torch.zeros_like(before))", "before", "feed_forward"),
    ("ch07_classifier", "loops", "total / len(real) if real", "total / x.shape[1] if real", "masked_mean"),
    ("ch08_decoder", "loops", "total = total + loss * real", "total = total + loss", "sequence_loss"),
    ("ch09_language_model", "loops", "labels.append(ids[:, t + 1])", "labels.append(ids[:, t])", "next_token_pairs"),
    ("ch10_bert", "loops", "elif action[b, t] < 0.9:", "elif action[b, t] < 0.95:", "mask_tokens"),
    ("ch11_vision", "loops", "divmod(n, width // side)", "divmod(n, height // side)", "unpatchify"),
    ("ch12_mixing", "loops", "j = i + k - size // 2", "j = i - k + size // 2", "filter_matrix"),
    ("ch13_inspection", "loops", "return j - i == 1", "return j - i == 2", "pattern_scores"),
    ("ch14_bug_hunt", "by_hand", "return x, scale, shift, 2", "return x, scale, shift, 1e-5", "probe_layer_norm"),
]


@pytest.mark.parametrize(("chapter", "style", "right", "wrong", "exercise"), SPOILT, ids=[each[0] for each in SPOILT])
def test_a_right_answer_that_is_spoilt_loses_points_where_it_is_wrong(
    chapter: str, style: str, right: str, wrong: str, exercise: str
) -> None:
    answer = next(each for each in ANSWERS if (each.chapter, each.style) == (chapter, style))
    assert answer.text.count(right) == 1
    spoilt = replace(answer, text=answer.text.replace(right, wrong)).submission(COURSE)
    result = judged([spoilt], COURSE.of(chapter))[style].result
    assert lost(result)
    assert {each.exercise for each in result.exercises if each.score < each.max_score} == {exercise}
