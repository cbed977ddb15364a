"""A training by the student's own `fit` and `adamw_step`: it comes to the same, and loses nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import nn

from autograder.core.errors import UsageError
from autograder.course.model import Exercise
from autograder.student.capstones import training_run
from autograder.student.capstones.assembly import in_one_sentence, taken_tools, used
from autograder.student.capstones.fitting import Batch, Loss, Record, StudentAdamW, evaluate, fit
from autograder.student.capstones.kept import Places
from autograder.student.capstones.screen import last_figures
from autograder.student.capstones.training import Training
from autograder.student.lesson_pieces import LessonPiece
from tests.autograder.test_training import Line, training, weights


def own_fit(
    model: nn.Module,
    batches: Iterator[Batch],
    held_out: Sequence[Batch],
    loss: Loss,
    optimizer: torch.optim.Optimizer,
    rate: Callable[[int], float],
    limit: float,
    steps: int,
    every: int,
) -> list[Record]:
    """Return the records; written as a student may: batches cut off, losses summed, the best model copied deeply."""
    history: list[Record] = []
    best, total, count = (float("inf"), deepcopy(model.state_dict())), 0.0, 0
    for step, (x, y) in enumerate(islice(batches, steps)):
        optimizer.param_groups[0].update(lr=rate(step))
        model.train()
        found = loss(model(x), y)
        model.zero_grad()
        found.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        total, count = total + found.item(), count + 1
        if (step + 1) % every == 0 or step == steps - 1:
            history.append((step + 1, total / count, evaluate(model, held_out, loss)))
            total, count = 0.0, 0
            best = min(best, (history[-1][2], deepcopy(model.state_dict())), key=lambda each: each[0])
    model.load_state_dict(best[1])
    return history


def own_step(
    p: torch.Tensor,
    g: torch.Tensor,
    m: torch.Tensor,
    v: torch.Tensor,
    step: int,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    decay: float,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the next parameter and moments."""
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
    moved = (m / (1 - beta1**step)) / ((v / (1 - beta2**step)).sqrt() + eps)
    return p * (1 - lr * decay) - lr * moved, m, v


OWN = {"fit": own_fit, "adamw_step": own_step}


@pytest.mark.parametrize("tools", [{"fit": own_fit}, {"adamw_step": own_step}, OWN])
def test_with_the_student_s_own_loop_a_training_comes_to_the_same(tools: dict[str, Any]) -> None:
    course = training()
    course.run(lambda _: None)
    own = training(tools=tools)
    own.run(lambda _: None)
    torch.testing.assert_close(weights(own), weights(course), rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(own.losses, course.losses, rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(own.scores, course.scores, rtol=1e-5, atol=1e-6)


def test_each_step_of_the_student_s_own_loop_is_seen_and_each_score_has_a_checkpoint(tmp_path: Path) -> None:
    places, one, seen = Places(tmp_path, tmp_path, "line"), training(tools=OWN), list[tuple[int, bool]]()
    there = list[bool]()

    def stepped(now: Training) -> None:
        seen.append((now.step, now.is_scored))
        there.append(places.checkpoint.exists())

    training_run._run(one, places, _Watching(stepped))
    assert seen == [(step, step % 10 == 0) for step in range(1, 41)]
    assert there == [step >= 10 for step in range(1, 41)]


class _Watching:
    def __init__(self, stepped: Callable[[Training], None]) -> None:
        self.stepped = stepped

    def begins(self, *_: object) -> None: ...

    def compared(self, ablation: Training) -> None: ...


@pytest.mark.parametrize("stop", [3, 10, 17, 39])
@pytest.mark.parametrize(("before", "after"), [(OWN, OWN), ({}, OWN), (OWN, {})], ids=["own", "then own", "then given"])
def test_a_training_that_was_stopped_goes_on_with_whatever_loop_where_it_was(
    tmp_path: Path, stop: int, before: dict[str, Any], after: dict[str, Any]
) -> None:
    whole, places = training(tools=after), Places(tmp_path, tmp_path, "line")
    whole.run(lambda _: None)
    stopped = training(tools=before)

    def interrupt(now: Training) -> None:
        if now.step == stop:
            raise KeyboardInterrupt

    with pytest.raises(training_run.Stopped), training_run._stopped_by_ctrl_c(stopped, places):
        training_run._run(stopped, places, _Watching(interrupt))
    again = training(seed=5, tools=after)
    again.resume(places.checkpoint)
    assert again.step == stop
    again.run(lambda _: None)
    slack = {"rtol": 0.0, "atol": 0.0} if before == after else {"rtol": 1e-5, "atol": 1e-6}
    torch.testing.assert_close(weights(again), weights(whole), **slack)
    torch.testing.assert_close(again.scores, whole.scores, **slack)


def test_a_training_that_was_stopped_while_its_first_record_was_made_goes_on(tmp_path: Path) -> None:
    def interrupted(*given: Any) -> list[Record]:
        own_fit(*given)
        raise KeyboardInterrupt

    stopped, places = training(tools={"fit": interrupted}), Places(tmp_path, tmp_path, "line")
    with pytest.raises(training_run.Stopped), training_run._stopped_by_ctrl_c(stopped, places):
        training_run._run(stopped, places, _Watching(lambda _: None))
    again, told = training(tools=OWN), list[str]()
    again.resume(places.checkpoint)
    assert (again.step, again.scores) == (10, [])
    again.run(lambda now: told.append(last_figures(now)))
    assert [step for step, _ in again.scores] == [10, 20, 30, 40]
    assert [step for step, _ in again.losses] == [20, 30, 40]
    assert (told[0], told[9][:5]) == ("", "loss ")


def test_a_loop_that_breaks_off_leaves_the_checkpoint_of_the_last_score(tmp_path: Path) -> None:
    def tires(*given: Any) -> list[Record]:
        if broken.step == 20:
            raise ZeroDivisionError("enough")
        return own_fit(*given)

    broken, places = training(tools={"fit": tires}), Places(tmp_path, tmp_path, "line")
    says = "the training broke off: ZeroDivisionError: enough"
    with pytest.raises(UsageError, match=says), in_one_sentence("the training", "build_line"):
        training_run._run(broken, places, _Watching(lambda _: None))
    again = training(seed=5)
    again.resume(places.checkpoint)
    assert again.step == 20


@pytest.mark.parametrize("taken", [0, 3, 11])
def test_a_loop_that_takes_another_number_of_steps_is_told(taken: int) -> None:
    def short(*given: Any) -> list[Record]:
        return own_fit(*given[:7], taken, 10)

    with pytest.raises(UsageError, match=f"fit took {taken} steps of the optimizer; it was asked for 10"):
        training(tools={"fit": short}).run(lambda _: None)


def test_the_course_s_own_loop_keeps_the_parameters_of_its_best_record() -> None:
    torch.manual_seed(1)
    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters())
    x = torch.linspace(-1, 1, 9)[:, None]
    states, losses = list[torch.Tensor](), (lambda said, label: ((said - label) ** 2).mean())

    def batches() -> Iterator[Batch]:
        while True:
            states.append(model.weight.detach().clone())
            yield x, 2 * x

    rates = [0.1, 0.1, 0.1, 5.0, 5.0]  # the last ones lead away
    history = fit(model, batches(), [(x, 2 * x), (x[:3], x[:3])], losses, optimizer, rates.__getitem__, 9.0, 5, 2)
    assert [step for step, *_ in history] == [2, 4, 5]
    assert torch.equal(model.weight, states[2])
    assert history[0][2] == pytest.approx(evaluate(model, [(x, 2 * x), (x[:3], x[:3])], losses))
    assert history[0][2] < min(history[1][2], history[2][2])


def test_the_student_s_adamw_does_what_torchs_does() -> None:
    ends = []
    for make in (
        lambda each: torch.optim.AdamW(each, lr=0.01, weight_decay=0.1),
        lambda each: StudentAdamW(each, own_step, lr=0.01, decay=0.1),
    ):
        torch.manual_seed(1)
        model = nn.Linear(3, 2)
        model.bias.requires_grad_(False)
        optimizer = make(model.parameters())
        for _ in range(5):
            optimizer.zero_grad()
            model(torch.randn(4, 3)).square().sum().backward()
            optimizer.step()
        ends.append(model.state_dict())
    torch.testing.assert_close(*ends)


@pytest.mark.parametrize(
    ("passed", "says"),
    [
        ({"fit", "adamw_step"}, "Trained by your own fit and your own adamw_step."),
        ({"fit"}, "Trained by your own fit."),
        ({"adamw_step"}, "Trained by your own adamw_step."),
        (set[str](), ""),
    ],
)
def test_the_loop_is_the_student_s_where_it_has_passed_and_the_report_says_so(passed: set[str], says: str) -> None:
    names = ("learning_rate", "clip_gradients", "fit", "adamw_step")
    pieces = [LessonPiece(Exercise("ch16", name, 1, 1), name in passed or name == "learning_rate") for name in names]
    mine = SimpleNamespace(**{name: name for name in names})
    tools = taken_tools(mine, Line, pieces)
    assert {*tools} == {"learning_rate", "clip_gradients", *passed}
    assert training(tools={name: OWN[name] for name in passed}).trained_by == says
    shown = [piece.exercise.name for piece in used(pieces)]
    assert ("clip_gradients" in shown) == ("fit" not in passed)


def test_a_course_without_these_exercises_trains_as_before() -> None:
    names = ("small_start", "learning_rate")
    pieces = [LessonPiece(Exercise("ch15", name, 1, 1), yours=True) for name in names]
    assert {*taken_tools(SimpleNamespace(small_start=0, learning_rate=0), Line, pieces)} == {*names}
