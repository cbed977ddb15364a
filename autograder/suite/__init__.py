"""What a graded suite imports: the marker, the parts of arguments, and the fixtures' types."""

from autograder.calls.records import Part
from autograder.compare.draw import Draw
from autograder.suite.agree import Agree
from autograder.suite.building import called, module
from autograder.suite.check import exercise
from autograder.suite.facts import Ask, Fact, Facts
from autograder.suite.live_calls import Student
from autograder.suite.near import near
from autograder.suite.probes import ProbeTarget
from autograder.suite.trained import Trained

Prey = ProbeTarget
"""An older name of `ProbeTarget`."""


def part(name: str, *args: object, **kwargs: object) -> Part:
    """Return the part `name` of `reference.blocks` as an argument, built anew for each call."""
    return Part(name, args, kwargs)


__all__ = [
    "Agree",
    "Ask",
    "Draw",
    "Fact",
    "Facts",
    "Prey",
    "ProbeTarget",
    "Student",
    "Trained",
    "called",
    "exercise",
    "module",
    "near",
    "part",
]
