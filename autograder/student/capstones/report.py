"""What a finished training came to: plain records, from which the page, the terminal and the notebook are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from autograder.student.pictures.plots import Curve, Plot


@dataclass(frozen=True)
class Score:
    """What was measured: its number, that number as people read it, and which way is better."""

    label: str
    value: float
    written: str
    better: Literal["higher", "lower"]

    def beats(self, other: Score) -> bool:
        return self.value > other.value if self.better == "higher" else self.value < other.value


@dataclass(frozen=True)
class Goal:
    """A score worth points, and whether the model has it."""

    label: str
    value: float
    reached: bool


@dataclass(frozen=True)
class Part:
    """A piece of the model: the learner's own answer to an exercise, or for a `reason` the given one."""

    name: str
    chapter: str
    yours: bool
    reason: str


@dataclass(frozen=True)
class Sample:
    """What the model was asked and said; `expected` is "" and `right` None where no single answer is right."""

    asked: str
    expected: str
    got: str
    right: bool | None


@dataclass(frozen=True)
class Report:
    """A trained model: `says` in one sentence what it does; `baselines` are what attention has to beat."""

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
        told = f"{self.score.label}: {self.score.written} ({self.score.better} is better)"
        if (baseline := self.hardest) is None:
            return told
        verdict = "better than" if self.score.beats(baseline) else "not yet better than"
        verdict = "as good as" if self.score.written == baseline.written else verdict
        return f"{told}; {verdict} {baseline.label} ({baseline.written})"

    @property
    def size(self) -> str:
        """How large the model is and how long it learned."""
        return f"{self.parameters:,} parameters, {self.steps:,} steps, {self.seconds:.0f} s on {self.device}"
