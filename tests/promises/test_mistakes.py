"""What every known mistake promises: it loses points, and is named first, in sentences that fit a screen."""

from __future__ import annotations

import pytest

from autograder.author.proof.mistake_faults import SCREEN, faults, faults_of_words, screen_lines, slips, told
from autograder.author.splice import with_wrong_answer
from autograder.course.model import Misconception
from tests.promises.world import COURSE, each_chapter, each_of, sample, watch, wrong_answers


@each_chapter
def test_what_is_said_of_a_known_mistake_is_in_sentences_and_gives_no_line_away(chapter: str) -> None:
    found = [fault for wrong in COURSE.misconceptions(chapter) for fault in faults_of_words(COURSE, chapter, wrong)]
    assert not found, "\n\n".join(found)


@each_of(sample)
def test_a_known_mistake_is_named_first_and_told_in_sentences_that_fit_a_screen(
    chapter: str, wrong: Misconception
) -> None:
    found = faults(COURSE, wrong, wrong_answers(chapter, whole=False)[wrong.identifier])
    assert not found, "\n\n".join(found)


@pytest.mark.exhaustive
@each_of(COURSE.misconceptions)
def test_it_is_when_the_checks_after_the_one_that_names_it_are_tried_too(chapter: str, wrong: Misconception) -> None:
    found = faults(COURSE, wrong, wrong_answers(chapter, whole=True)[wrong.identifier])
    assert not found, "\n\n".join(found)


def test_a_line_that_leaves_a_model_with_other_numbers_is_told_by_its_repair() -> None:
    chapter, exercise = "ch07_classifier", COURSE.one("train_epoch")
    step = "        optimizer.step()\n"
    clipped = f"        torch.nn.utils.clip_grad_value_(model.parameters(), 0.01)\n{step}"
    text = COURSE.solution(chapter).read_text(encoding="utf-8").replace(step, clipped)
    checks = watch(chapter, {"clipped": text}, exercises=[exercise])["clipped"].result.exercises[0].checks
    said = {check.message.headline for check in checks if check.status == "failed"}
    assert all("also calls `clip_grad_value_`, which is one step too many" in each for each in said), said


def test_a_message_longer_than_a_screen_would_be_noticed() -> None:
    assert screen_lines("one\n" * SCREEN) > SCREEN
    assert screen_lines("x" * 81) == 2


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return sorted(wrods)", "NameError: name 'wrods' is not defined"),
        ("n += 1\n    return n", "UnboundLocalError: "),
        ("return np.nothing(sentences)", "AttributeError: module 'numpy' has no attribute 'nothing'"),
        ("return sentences.nothing", ""),
    ],
)
def test_a_slip_in_the_body_of_a_mistake_would_be_noticed(body: str, says: str) -> None:
    chapter = "ch01_markov"
    exercise = COURSE.of(chapter)[0]
    source = f'@misconception("{exercise.name}", "slip")\ndef slip(sentences):\n    {body}\n'
    right = COURSE.solution(chapter).read_text(encoding="utf-8")
    text = with_wrong_answer(right, source, exercise.name)
    raised = watch(chapter, {"slip": text}, exercises=[exercise])["slip"].raised
    found = [told(slip, "reference/misconceptions/x.py:7", source) for slip in slips(raised)]
    assert bool(found) == bool(says)
    assert all(each.startswith(f"reference/misconceptions/x.py:9: this mistake raises {says}") for each in found)
