"""The wall that all judges of a run share."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Self

from autograder.course.course import Course
from autograder.judging.process import Hand
from autograder.sandbox import launch
from autograder.sandbox.limits import DEFAULT_LIMITS, Limits


class Wall:
    """The template that all judges share, and how far its sandbox holds. Torch is loaded while it starts.

    Args:
        level: auto, required or off.
        limits: what each worker may take.
        private: files and folders that are out of workers' sight, wherever they lie.

    Raises:
        SandboxError: the wall that is asked for cannot be had.
    """

    def __init__(
        self, course: Course, level: str, limits: Limits = DEFAULT_LIMITS, private: Sequence[Path] = ()
    ) -> None:
        started = launch.start(course.root, walled=level != "off", private=private, meanwhile=partial(load, course))
        from autograder.sandbox.doctor import prepare, verdict

        self._limits = limits
        self._template, tier = prepare(level, course.root, started, private)
        self.tier: str = tier.name
        self.sentence = verdict(tier, started.reason)

    def hand(self) -> Hand:
        """What a judge makes its targets with."""
        from autograder.sandbox.target import SandboxTarget

        self._template.revive()
        return lambda submission: SandboxTarget(self._template, submission, self._limits, name=self.tier)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._template.close()


def load(course: Course) -> None:
    """Load what the judges are forked with: whatever is there before they are is in memory once."""
    from autograder.judging.judge import warm_up

    warm_up()
    for chapter in course.chapters:
        course.reference(chapter)
        course.misconceptions(chapter)
    gc.collect()
    gc.freeze()  # looking for garbage would touch, and so copy, all of it
