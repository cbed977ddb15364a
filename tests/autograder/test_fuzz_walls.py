"""Random submissions get verdicts of their own; `python -m tests.autograder.fuzz_walls` tries any number of them."""

from __future__ import annotations

import os

import pytest

from autograder.core.errors import SandboxError
from autograder.sandbox.handles import Template
from tests.autograder.conftest import TOY
from tests.autograder.fuzz_walls import RIGHT, WALLS, behind, graded, hostile

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system"),
]
CASES = 20


@pytest.mark.parametrize(
    "walls", [pytest.param(walls, marks=[pytest.mark.exhaustive] * bool(walls != WALLS[0])) for walls in WALLS]
)
def test_no_random_submission_is_the_graders_fault_or_harms_the_next_one(walls: str) -> None:
    try:
        with behind(walls) as template:
            if not template.started.walls.seccomp:
                pytest.skip("without seccomp a submission can kill itself as the system would")
            came = graded(template, [(f"seed {seed}", hostile(seed)) for seed in range(CASES)])
    except SandboxError as error:
        pytest.skip(str(error))
    assert {each.name: each.wrong for each in came if each.wrong} == {}
    assert len(came) == 2 * CASES
    assert frozenset({"crash", "protocol"}) & frozenset().union(*(each.statuses for each in came))


def test_a_fault_that_a_submission_makes_is_noticed() -> None:
    kills_itself = f"{RIGHT}\nimport os\nclass Loaded:\n    os.kill(os.getpid(), 9)\n"
    with Template(TOY, walled=False) as template:
        came, after = graded(template, [("ada", kills_itself)])
    assert "the system killed ch01_toy.py twice" in came.wrong
    assert (after.name, after.wrong) == ("after ada", "")
