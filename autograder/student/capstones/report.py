"""The result of a training, as plain records that the page, the terminal and the notebook show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from autograder.student.pictures.plots import Curve, Plot


@dataclass(frozen=True)
class Score:
    """A measured number with its label, the number as text, and which direction is better."""

    label: str
    value: float
    written: str
    better: Literal["higher", "lower"]

    def beats(self, other: Score) -> bool:
        return self.value > other.value if self.better == "higher" else self.value < other.value


@dataclass(frozen=True)
class Goal:
    """A score that earns points, and whether the model has reached it."""

    label: str
    value: float
    reached: bool


@dataclass(frozen=True)
class Part:
    """A piece of the model: the student's answer to an exercise, or the given one for a `reason`."""

    name: str
    chapter: str
    yours: bool
    reason: str


@dataclass(frozen=True)
class Sample:
    """A question and the model's answer; `expected` is "" and `right` None if no single answer is right."""

    asked: str
    expected: str
    got: str
    right: bool | None


@dataclass(frozen=True)
class Report:
    """A trained model; `says` is a sentence on what it does, `baselines` are the scores it has to beat."""

    name: str
    graded: bool
    title: str
    says: str
    score: Score
    goals: tuple[Goal, ...]
    baselines: tuple[Score, ...]
    parts: tuple[Part, ...]
    parameters: int
    seconds: float
    device: str
    steps: int
    curve: Curve
    progress: Curve | None
    samples: tuple[Sample, ...]
    pictures: tuple[tuple[str, Plot], ...]
    ablations: tuple[Score, ...]
    notes: tuple[str, ...]

    @property
    def hardest(self) -> Score | None:
        """The best of the baselines."""
        best = None
        for baseline in self.baselines:
            best = baseline if best is None or baseline.beats(best) else best
        return best

    @property
    def result(self) -> str:
        """The score in one line, with the baseline that it has to beat."""
        result = f"{self.score.label}: {self.score.written} ({self.score.better} is better)"
        if (baseline := self.hardest) is None:
            return result
        verdict = "better than" if self.score.beats(baseline) else "not yet better than"
        verdict = "as good as" if self.score.written == baseline.written else verdict
        return f"{result}; {verdict} {baseline.label} ({baseline.written})"

    @property
    def size(self) -> str:
        """The size of the model, and how long it was trained."""
        return f"{self.parameters:,} parameters, {self.steps:,} steps, {self.seconds:.0f} s on {self.device}"
