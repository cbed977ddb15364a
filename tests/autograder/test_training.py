"""A training that is stopped goes on where it was, and the better of two models is handed in."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from rich.console import Console
from torch import nn

from autograder.calls.artefact import Artefact, read_artefact, refuse_ungradable, state_of, write_artefact
from autograder.core.errors import UsageError
from autograder.student.capstones import training_run
from autograder.student.capstones.recipe import CaptionedPlot, Figure, Recipe, TrainingPlan
from autograder.student.capstones.screen import Screen
from autograder.student.capstones.training import Training, threads_for
from autograder.student.capstones.training_run import Places

CPU = torch.device("cpu")


class Line(Recipe):
    """Learns to double a number."""

    name, title, says, exercise, pieces, label = "line", "Line", "Doubles.", "build_line", (), "error"
    plan = TrainingPlan(steps=40, rate=0.05, every=10)
    higher_is_better = False
    goals = (0.1,)

    def loss(self, model: nn.Module, random: torch.Generator, device: torch.device) -> torch.Tensor:
        x = torch.randn(8, 1, generator=random).to(device)
        return ((nn.functional.dropout(model(x), 0.1, model.training) - 2 * x) ** 2).mean()

    def score(self, model: nn.Module, device: torch.device) -> float:
        x = torch.linspace(-1, 1, 9, device=device)[:, None]
        return float((model(x) - 2 * x).abs().mean())

    def baselines(self) -> Sequence[Figure]:
        return ()

    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        return ()

    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        return ()


def training(seed: int = 1) -> Training:
    torch.manual_seed(seed)
    return Training(Line(), nn.Linear(1, 1), {}, CPU, seed)


def weights(one: Training) -> list[float]:
    return [float(value) for each in one.model.parameters() for value in each.detach().flatten()]


def test_a_training_that_was_stopped_comes_to_what_it_would_have_come_to(tmp_path: Path) -> None:
    whole = training()
    whole.run(lambda _: None)
    stopped = training()

    def stop(now: Training) -> None:
        if now.step == 17:
            raise KeyboardInterrupt

    places = Places(tmp_path, "line")
    with pytest.raises(
        training_run.Stopped, match="stopped after 17 of 40 steps, which are kept; attend train line --resume"
    ):
        training_run._run(stopped, places, _Watcher(stop))
    again = training(seed=5)
    again.resume(places.checkpoint)
    again.run(lambda _: None)
    assert (again.step, weights(again)) == (40, weights(whole))
    assert again.scores == whole.scores


class _Watcher:
    def __init__(self, stepped: Any) -> None:
        self.stepped = stepped

    def begins(self, *_: object) -> None: ...

    def compared(self, ablation: Training) -> None:
        self.stepped(ablation)


def test_who_does_not_wait_for_the_comparison_keeps_the_model() -> None:
    def stop(now: Training) -> None:
        if now.step == 3:
            raise KeyboardInterrupt

    assert training_run._compared(training(), _Watcher(stop)) is None
    assert training_run._compared(training(), _Watcher(lambda _: None)) is not None


def test_without_a_terminal_each_phase_and_each_score_has_a_line() -> None:
    screen = Console(file=io.StringIO(), width=80)
    with Screen(screen) as watcher:
        watcher.begins(Line(), [], 60)
        training().run(watcher.stepped, until=20)
        training().run(watcher.compared, until=10)
    assert isinstance(screen.file, io.StringIO)
    said = [line.partition(":")[0] for line in screen.file.getvalue().splitlines()]
    steps = ["step 10 of 40", "step 20 of 40"]
    assert said[2:] == ["60 steps to go", *steps, "and without positions, to compare", "step 10 without positions"]


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "line.checkpoint"
    training().save(path)
    other = Training(Line(), nn.Linear(2, 1), {}, CPU, 1)
    with pytest.raises(UsageError, match=r"does not fit your model .* begin anew without --resume"):
        other.resume(path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UsageError, match="begin anew without --resume"):
        training().resume(path)
    with pytest.raises(UsageError, match="there is no checkpoint"):
        training().resume(tmp_path / "none.checkpoint")


def test_of_two_models_the_better_stays(tmp_path: Path) -> None:
    places, scores = Places(tmp_path, "line"), []
    for steps in (40, 10):
        one = training()
        one.run(lambda _: None, until=steps)
        scores.append(one.scores[-1][1])
        told = training_run._keep(one, places, nn.Linear(1, 1))
    assert scores[0] < scores[1]
    assert "an earlier, better model" in told
    kept = read_artefact(places.artefact)
    assert kept is not None
    assert kept.score == scores[0]


def test_a_better_score_is_not_believed_but_measured(tmp_path: Path) -> None:
    places, one = Places(tmp_path, "line"), training()
    write_artefact(places.artefact, Artefact(nn.Linear(1, 1).state_dict(), score=0.0))  # as if it were perfect
    one.run(lambda _: None)
    assert "holds the trained model" in training_run._keep(one, places, nn.Linear(1, 1))


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (nn.Linear(1, 1).double(), "weight of your model is not float32"),
        (nn.LazyLinear(1), "weight of your model has no size yet"),
        (nn.Embedding.from_pretrained(torch.empty(9_000_000, 1, device="meta")), "an axis longer than 8,000,000"),
    ],
)
def test_a_model_that_cannot_be_handed_in_is_not_trained(model: nn.Module, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        refuse_ungradable(model)


def test_a_file_that_is_no_model_is_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / "x.safetensors").write_bytes(b"{}")
    assert read_artefact(tmp_path / "x.safetensors") is None
    with pytest.raises(ValueError, match="not a file of safetensors"):
        state_of(b"\xff" * 20)


def test_a_small_model_takes_one_thread_and_gives_the_others_back() -> None:
    usual = torch.get_num_threads()
    torch.set_num_threads(2)
    seen = []
    try:
        for width in (1, 1000):
            with threads_for(nn.Linear(width, width)):
                seen.append(torch.get_num_threads())
        assert (*seen, torch.get_num_threads()) == (1, 2, 2)
    finally:
        torch.set_num_threads(usual)
