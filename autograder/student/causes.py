"""Failed checks of an exercise, by their cause."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.core.records import CheckResult, Status


@dataclass(frozen=True)
class Cause:
    """Failed checks of an exercise that have one cause."""

    checks: tuple[CheckResult, ...]

    @property
    def first(self) -> CheckResult:
        return self.checks[0]

    @property
    def title(self) -> str:
        """The sentence of a single check; of several their number, as each may ask for something that is right."""
        return self.first.sentence if len(self.checks) == 1 else f"{len(self.checks)} checks, one cause"

    @property
    def statuses(self) -> tuple[Status, ...]:
        return tuple(dict.fromkeys(check.status for check in self.checks))

    @property
    def points(self) -> float:
        return sum(check.max_points for check in self.checks)


def causes(failed: Iterable[CheckResult]) -> list[Cause]:
    """Group failed checks by cause: the first mistake that was named, or else the first line of the message."""
    found: dict[str, list[CheckResult]] = {}
    for check in failed:
        found.setdefault((*check.misconceptions, check.message.headline)[0], []).append(check)
    return [Cause(tuple(checks)) for checks in found.values()]
