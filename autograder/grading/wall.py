"""The wall that all judges of a run share."""

from __future__ import annotations

from typing import Self

from autograder.course import Course
from autograder.grading.judge_process import Hand
from autograder.sandbox import launch


class Wall:
    """The template that all judges share, and how far its sandbox holds. Torch is loaded while it starts.

    Args:
        level: auto, required or off.

    Raises:
        SandboxError: the wall that is asked for cannot be had.
    """

    def __init__(self, course: Course, level: str) -> None:
        started = launch.start(course.root, walled=level != "off", meanwhile=load_torch)
        from autograder.sandbox.doctor import prepare, verdict

        self._template, tier = prepare(level, course.root, started)
        self.tier: str = tier.name
        self.sentence = verdict(tier, started.reason)

    def hand(self) -> Hand:
        """What a judge makes its targets with."""
        from autograder.sandbox.target import SandboxTarget

        self._template.revive()
        return lambda submission: SandboxTarget(self._template, submission, name=self.tier)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._template.close()


def load_torch() -> None:
    """What the judges are forked with."""
    from autograder.judge import warm_up

    warm_up()
