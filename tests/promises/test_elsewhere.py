"""Nothing of the course is tied to the CPU: each answer, reference, given part and capstone runs on another device."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from torch import nn

from autograder.author.proof.trial import Tried, with_mistake
from autograder.calls.device_transfer import calls_on
from autograder.core.submission import Submission, one_chapter
from autograder.intake.artefacts import of_course
from autograder.internals.grading_mode import grading_mode
from autograder.student.capstones.published import PublishedModel, published
from autograder.student.capstones.recipe import Recipe
from autograder.student.capstones.training import Training
from reference.blocks import layers, mine, models
from reference.capstones import CAPSTONES
from tests.fake_device import NAME, device_there, each_device
from tests.promises.made_up_bert import made_up
from tests.promises.world import COURSE, judged

LONG = (
    *("ch03_attention", "ch05_multihead", "ch06_encoder", "ch07_classifier", "ch08_decoder", "ch09_language_model"),
    *("ch10_bert", "ch11_vision", "ch12_mixing", "ch14_bug_hunt", "ch15_capstones", "shakespeare"),
)
"""What only `make prove` runs: the others are of the same kinds."""
TRAINS = "ch15_capstones"
"""Its known mistakes are not tried elsewhere: most checks of one train a model."""
WIDTH, HEADS, HIDDEN, BLOCKS, WORDS, LONGEST = 8, 2, 12, 2, 9, 5


def graded_on(device: torch.device, chapter: str, submissions: Iterable[Submission]) -> dict[str, Tried]:
    """Check submissions of a chapter against the reference, both on the device."""
    with calls_on(device), grading_mode():
        return judged(submissions, COURSE.of(chapter), named=False)


def answers(chapter: str, device: torch.device) -> None:
    """Check the chapter's solution."""
    text = COURSE.solution(chapter).read_text(encoding="utf-8")
    seen = graded_on(device, chapter, [one_chapter("solution", chapter, text, of_course(COURSE, chapter))])
    checks = [check for exercise in seen["solution"].result.exercises for check in exercise.checks]
    assert checks
    assert not [(check.name, check.message.text) for check in checks if check.status != "passed"]


def x() -> torch.Tensor:
    return torch.randn(3, LONGEST, WIDTH)


def ids() -> torch.Tensor:
    return torch.randint(1, WORDS, (3, LONGEST))


def mask() -> torch.Tensor:
    return torch.ones(LONGEST, LONGEST, dtype=torch.bool).tril()


PARTS: dict[type[nn.Module], tuple[tuple[int, ...], Callable[[], tuple[Any, ...]]]] = {
    layers.WideMultiHeadAttention: ((WIDTH, HEADS, 3), lambda: (x(), x(), x(), mask())),
    layers.MultiHeadAttention: ((WIDTH, HEADS), lambda: (x(), x(), x(), mask())),
    layers.EncoderBlock: ((WIDTH, HEADS, HIDDEN), lambda: (x(), mask())),
    layers.TokenAndPositionEmbedding: ((WORDS, LONGEST, WIDTH), lambda: (ids(),)),
    layers.BertEmbedding: ((WORDS, LONGEST, 2, WIDTH), lambda: (ids(), ids() % 2)),
    layers.PatchEmbedding: ((8, 4, 3, WIDTH), lambda: (torch.randn(2, 3, 8, 8),)),
    models.SentimentClassifier: ((WORDS, LONGEST, WIDTH, HEADS, HIDDEN), lambda: (ids(),)),
    models.CausalLM: ((WORDS, LONGEST, WIDTH, HEADS, HIDDEN, BLOCKS), lambda: (ids(),)),
    models.VisionTransformer: ((8, 4, 3, 2, WIDTH, HEADS, HIDDEN, BLOCKS), lambda: (torch.randn(2, 3, 8, 8),)),
    models.DecoderBlock: ((WIDTH, HEADS, HIDDEN), lambda: (x(), x(), mask(), mask())),
    models.Decoder: ((BLOCKS, WIDTH, HEADS, HIDDEN), lambda: (x(), x(), mask(), mask())),
    models.Transformer: ((WORDS, WORDS, LONGEST, WIDTH, HEADS, HIDDEN, BLOCKS), lambda: (ids(), ids())),
}
"""Each given part that learns, with the arguments of its constructor and of a call."""


def part(kind: type[nn.Module], device: torch.device) -> None:
    """Run a given part forward and backward on the device, in training."""
    build, inputs = PARTS[kind]
    made = kind(*build).to(device)
    shown = made(*(each.to(device) for each in inputs()))
    shown = shown[0] if isinstance(shown, tuple) else shown
    shown.square().sum().backward()
    assert {each.grad.device.type for each in made.parameters() if each.grad is not None} == {device.type}
    assert shown.device.type == device.type


def a_published_model() -> PublishedModel:
    """A small one with numbers at random."""
    with TemporaryDirectory() as folder:
        for name, data in made_up().items():
            Path(folder, name).write_bytes(data)
        return published(Path(folder))


def capstone(kind: Any, device: torch.device) -> None:
    """Train a capstone of the solutions' pieces for two steps on the device, and make all that its page shows."""
    recipe: Recipe = kind(a_published_model()) if kind.pretrained else kind()
    tools = {name: getattr(mine, name) for name in kind.tools}
    training = Training(recipe, recipe.built(getattr(mine, kind.exercise)), tools, device, 1)
    training.run(lambda _: None, until=2)
    model = training.model.eval()
    assert {each.device.type for each in model.parameters()} == {device.type}
    assert recipe.samples(model, device)
    assert recipe.pictures(model, device)


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solutions in `mine`."""
    monkeypatch.setattr(mine, "_own", {})
    for chapter in COURSE.chapters:
        own = vars(import_module(f"solutions.{chapter}"))
        mine.own({each.name: own[each.name] for each in COURSE.of(chapter)})


def run(what: Callable[..., None], each: object, name: str) -> Any:
    """A row of the table below."""
    return pytest.param(partial(what, each), id=name, marks=[pytest.mark.exhaustive] if name in LONG else [])


@each_device
@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize(
    "on",
    [
        *(run(answers, each, each) for each in COURSE.chapters),
        *(run(part, each, each.__name__) for each in PARTS),
        *(run(capstone, each, each.name) for each in CAPSTONES),
    ],
)
def test_nothing_is_tied_to_the_cpu(on: Callable[[torch.device], None], device: str) -> None:
    on(device_there(device))


UNWATCHED = {"test_no_table_of_all_weights_is_made"}
"""Checks by a `WatchedTensor`: the stand-in's tensors are of a class of their own."""

UNSEEN = {NAME: {"split-heads-own-strides"}}
"""Mistakes that show where numbers lie in memory in an odd order, which the stand-in, unlike a GPU, puts right."""


@pytest.mark.exhaustive
@each_device
@pytest.mark.parametrize("chapter", [each for each in COURSE.chapters if each != TRAINS])
def test_a_known_mistake_fails_on_another_device_all_that_it_fails_here(chapter: str, device: str) -> None:
    wrong = [with_mistake(COURSE, chapter, each) for each in COURSE.misconceptions(chapter)]
    here, there = (
        {name: failed(each) for name, each in graded_on(where, chapter, wrong).items()}
        for where in (torch.device("cpu"), device_there(device))
    )
    lost = {name: checks - there[name] - UNWATCHED for name, checks in here.items()}
    assert {name for name, checks in lost.items() if checks} == UNSEEN.get(device, set()) & {*lost}


def failed(graded: Tried) -> set[str]:
    """The checks that an answer fails."""
    checks = [check for exercise in graded.result.exercises for check in exercise.checks]
    return {check.name for check in checks if check.status != "passed"}


def test_no_given_part_that_learns_is_left_out() -> None:
    given = [each for home in (layers, models) for each in vars(home).values() if isinstance(each, type)]
    public = {each for each in given if issubclass(each, nn.Module) and each.__module__.startswith("reference.blocks")}
    assert public == {*PARTS}
