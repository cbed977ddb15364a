"""A training that is stopped goes on where it was, and the better of two models is handed in."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from rich.console import Console
from torch import nn

from autograder.calls.artefact import Artefact, read_artefact, refuse_ungradable, state_of, write_artefact
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.student.capstones import train_command, training_run
from autograder.student.capstones.fitting import Batch
from autograder.student.capstones.kept import KeptModel, Places, keep, standing
from autograder.student.capstones.recipe import CaptionedPlot, Figure, Recipe, TrainingPlan
from autograder.student.capstones.report import report_of
from autograder.student.capstones.screen import Screen
from autograder.student.capstones.training import Tools, Training, threads_for
from autograder.student.capstones.training_run import Wish
from autograder.student.lesson_pieces import LessonPiece

CPU = torch.device("cpu")


class Line(Recipe):
    """Learns to double a number."""

    name, title, says, exercise, pieces, label = "line", "Line", "Doubles.", "build_line", (), "error"
    plan = TrainingPlan(steps=40, rate=0.05, every=10)
    higher_is_better = False
    goals = (0.1,)

    def batch(self, random: torch.Generator) -> Batch:
        x = torch.randn(8, 1, generator=random)
        return x, 2 * x

    def held_out(self) -> Batch:
        x = torch.linspace(-2, 2, 5)[:, None]
        return x, 2 * x

    def loss(self, output: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return ((output - labels) ** 2).mean()

    def score(self, model: nn.Module, device: torch.device) -> float:
        x = torch.linspace(-1, 1, 9, device=device)[:, None]
        return float((model(x) - 2 * x).abs().mean())

    def baselines(self) -> Sequence[Figure]:
        return ()

    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        return ()

    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        return ()


def training(seed: int = 1, tools: Tools | None = None) -> Training:
    torch.manual_seed(seed)
    return Training(Line(), model(), tools or {}, CPU, seed)


def model() -> nn.Module:
    """Return a model that is trained with random numbers of torch's own, too."""
    return nn.Sequential(nn.Linear(1, 1), nn.Dropout(0.1))


def weights(one: Training) -> list[float]:
    return [float(value) for each in one.model.parameters() for value in each.detach().flatten()]


def test_a_training_that_was_stopped_comes_to_what_it_would_have_come_to(tmp_path: Path) -> None:
    whole = training()
    whole.run(lambda _: None)
    stopped = training()

    def stop(now: Training) -> None:
        if now.step == 17:
            raise KeyboardInterrupt

    places = Places(tmp_path, tmp_path, "line")
    says = "stopped after 17 of 40 steps, which are kept\nto go on: attend train line --resume"
    with pytest.raises(training_run.Stopped, match=says), training_run._stopped_by_ctrl_c(stopped, places):
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
        watcher.begins(training(), [], "")
        training().run(watcher.stepped, until=20)
        training().run(watcher.compared, until=10)
    assert isinstance(screen.file, io.StringIO)
    said = [line.partition(":")[0] for line in screen.file.getvalue().splitlines()]
    steps = ["step 10 of 40", "step 20 of 40"]
    assert said[2:] == ["40 steps to go", *steps, "and without positions, to compare", "step 10 without positions"]


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "line.checkpoint"
    training().save(path)
    other = Training(Line(), nn.Linear(2, 1), {}, CPU, 1)
    with pytest.raises(UsageError, match=r"does not fit your model .* begin anew without --resume"):
        other.resume(path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UsageError, match="begin anew without --resume"):
        training().resume(path)
    os.truncate(path, 1 << 40)
    with pytest.raises(UsageError, match="it is larger than 122 MiB"):
        training().resume(path)
    with pytest.raises(UsageError, match="there is no checkpoint"):
        training().resume(tmp_path / "none.checkpoint")


def test_of_two_models_the_better_stays(tmp_path: Path) -> None:
    places, scores = Places(tmp_path, tmp_path, "line"), []
    kept = list[KeptModel]()
    for steps in (40, 10):
        one = training()
        one.run(lambda _: None, until=steps)
        scores.append(one.scores[-1][1])
        kept.append(keep(one, places, model()))
    assert scores[0] < scores[1]
    assert [each.page for each in kept] == [places.page, places.last_page]
    assert f"an earlier, better model ({scores[0]:.3f}), which stays" in kept[1].says
    written = read_artefact(places.artefact)
    assert written is not None
    assert written.score == scores[0]


def test_after_a_worse_run_the_exit_status_goes_by_the_model_that_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, piece = Places(tmp_path, tmp_path, "line"), LessonPiece(Exercise("ch15", "build_line", 1, 1), yours=True)
    reached = list[tuple[bool, bool]]()
    for steps in (40, 10):
        one = training()
        one.run(lambda _: None, until=steps)
        monkeypatch.setattr(Line, "goals", Line.goals if reached else (one.scores[-1][1] + 0.01,))
        report = report_of(one, [piece], None, keep(one, places, model()))
        monkeypatch.setattr(train_command, "train", lambda *_, report=report: (report, places.page))
        assert train_command.run(cast(Course, None), Wish("line"), Console(file=io.StringIO())) == 0
        reached += [(goal.reached, goal.kept_reaches) for goal in report.goals]
    assert reached == [(True, True), (False, True)]


def test_a_better_score_is_not_believed_but_measured(tmp_path: Path) -> None:
    places, one = Places(tmp_path, tmp_path, "line"), training()
    write_artefact(places.artefact, Artefact(model().state_dict(), score=0.0))  # as if it were perfect
    one.run(lambda _: None)
    assert "line.safetensors holds the trained model; the one before had " in keep(one, places, model()).says


def test_a_model_that_ones_code_does_not_build_any_more_is_kept(tmp_path: Path) -> None:
    places, one = Places(tmp_path, tmp_path / "capstones", "line"), training()
    one.run(lambda _: None)
    wide = Artefact(nn.Linear(2, 1).state_dict(), score=0.0)
    for number in (1, 2):
        write_artefact(places.artefact, wide)
        assert keep(one, places, model()).says.endswith(f"is kept in .attend/replaced/line-{number}.safetensors")
        found = read_artefact(tmp_path / ".attend" / "replaced" / f"line-{number}.safetensors")
        assert found is not None
        assert found.state["weight"].shape == (1, 2)


def test_a_training_that_begins_anew_keeps_the_checkpoint_of_the_one_before(tmp_path: Path) -> None:
    places, one = Places(tmp_path, tmp_path, "line"), training()
    assert training_run._make_room(places, Line()) == ""
    one.run(lambda _: None, until=17)
    for number, says in ((1, "that stopped after 17 of 40 steps"), (2, "that stopped is")):
        one.save(places.checkpoint)
        if number == 2:
            places.checkpoint.write_bytes(b"cut short")
        told = training_run._make_room(places, Line())
        assert told.startswith(f"begun anew: the training {says}")
        assert told.endswith(f".attend/replaced/line-{number}.checkpoint")
    assert not places.checkpoint.exists()
    again = training(seed=5)
    again.resume(tmp_path / ".attend" / "replaced" / "line-1.checkpoint")
    assert again.step == 17


def test_a_later_training_that_was_stopped_does_not_hide_a_result(tmp_path: Path) -> None:
    places, one = Places(tmp_path, tmp_path, "line"), training()
    assert standing(places, Line()) == "not trained yet"
    one.run(lambda _: None, until=20)
    one.save(places.checkpoint)
    stopped = "stopped after 20 of 40 steps; attend train line --resume goes on"
    assert standing(places, Line()) == stopped
    one.run(lambda _: None)
    keep(one, places, model())
    result = f"held out: {one.scores[-1][1]:.3f}"
    assert standing(places, Line()) == f"{result}; a later training {stopped}"
    places.checkpoint.unlink()
    assert standing(places, Line()) == result


def test_a_training_that_is_stopped_at_its_last_score_is_scored_when_it_goes_on(tmp_path: Path) -> None:
    class Impatient(Line):
        """Is interrupted while its last score is taken."""

        def score(self, model: nn.Module, device: torch.device) -> float:
            if len(stopped.scores) == 3:
                raise KeyboardInterrupt
            return super().score(model, device)

    torch.manual_seed(1)
    stopped, places = Training(Impatient(), model(), {}, CPU, 1), Places(tmp_path, tmp_path, "line")
    says = "after 40 of 40 steps"
    with pytest.raises(training_run.Stopped, match=says), training_run._stopped_by_ctrl_c(stopped, places):
        training_run._run(stopped, places, _Watcher(lambda _: None))
    again = training(seed=5)
    again.resume(places.checkpoint)
    again.run(lambda _: None)
    assert [step for step, _ in again.scores] == [10, 20, 30, 40]


def test_the_bar_the_lines_and_the_message_count_the_same_steps(tmp_path: Path) -> None:
    one = training()
    one.run(lambda _: None, until=20)
    one.save(tmp_path / "line.checkpoint")
    with Screen(Console(file=io.StringIO(), width=60, force_terminal=True)) as watcher:
        watcher.begins(one, [], "")
        assert [(task.completed, task.total) for task in watcher._bar.tasks] == [(20, 40)]
        one.run(watcher.stepped, until=30)
        training().run(watcher.compared, until=10)
        assert [(task.completed, task.total) for task in watcher._bar.tasks] == [(30, 40), (10, 10)]
    assert standing(Places(tmp_path, tmp_path, "line"), Line()).startswith("stopped after 20 of 40 steps")


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
