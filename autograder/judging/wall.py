"""The wall that all judges of a run share."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Self

from autograder.course.course import Course
from autograder.judging.process import Hand
from autograder.sandbox.launch import Loading
from autograder.sandbox.limits import DEFAULT_LIMITS, Limits


class Wall:
    """The template that all judges share, and the tier of its sandbox. Torch loads while it starts.

    Args:
        level: auto, required or off.
        limits: what each worker may use.
        private: files and folders that workers must not see, wherever they lie.
        chapters: those that are graded; all chapters, if none is given.
        loading: the template's process, if it was begun already.

    Raises:
        SandboxError: this machine cannot give the wall that was asked for.
    """

    def __init__(
        self,
        course: Course,
        level: str,
        limits: Limits = DEFAULT_LIMITS,
        private: Sequence[Path] = (),
        chapters: Collection[str] = (),
        loading: Loading | None = None,
    ) -> None:
        loading = loading or Loading(course.root, walled=level != "off", private=private)
        try:
            load(course, chapters or course.chapters)
            started = loading.template()
        except BaseException:
            loading.end()
            raise
        from autograder.sandbox.doctor import prepare, verdict

        self._limits = limits
        self._template, tier = prepare(level, course.root, started, private)
        self.tier: str = tier.name
        self.sentence = verdict(tier, started.reason)

    def hand(self) -> Hand:
        """Return the function that makes a judge's targets."""
        from autograder.sandbox.target import SandboxTarget

        self._template.revive()
        return lambda submission: SandboxTarget(self._template, submission, self._limits, name=self.tier)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._template.close()


def load(course: Course, chapters: Iterable[str]) -> None:
    """Load what all judges of `chapters` need before they are forked, so that it is in memory once."""
    from autograder.judging.judge import warm_up

    warm_up()
    for chapter in chapters:
        course.reference(chapter)
        course.misconceptions(chapter)
    gc.collect()
    gc.freeze()  # garbage collection would touch all of it, and so copy it
