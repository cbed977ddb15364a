"""The pytest plugin: the fixtures of graded suites, whose checks it makes into plans.

`-p autograder.suite.plugin` (or a conftest) loads it. On its own it plays each plan at once, on the exercises beside
the suites, in this process. `suites.py` only takes the plans.
"""

from __future__ import annotations

import secrets
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.compare.draw import Draw
from autograder.compare.oracle import Oracle
from autograder.compare.oracles import oracle_of
from autograder.core.errors import BrokenCheckError, CheckFailed, blamed
from autograder.course.course import Course
from autograder.internals.grading_mode import grading_mode
from autograder.suite.agree import Agree
from autograder.suite.blame import name_the_slip
from autograder.suite.check import Check, Grading
from autograder.suite.facts import Facts
from autograder.suite.live_calls import Student
from autograder.suite.plan import NO_PLAN, Plan, Step
from autograder.suite.play import play
from autograder.suite.trained import Trained

GRADING = pytest.StashKey[Grading]()
PLAN = pytest.StashKey[Plan]()
STEPS = pytest.StashKey[Sequence[Step]]()
COMPILED = pytest.StashKey[bool]()


class Inputs(NamedTuple):
    """What a plan is made of besides its check."""

    oracle: Oracle
    seed: int


INPUTS = pytest.StashKey[Inputs]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("attend", "graded exercises")
    group.addoption("--target", metavar="DIR", help="folder with the chapter files (default: the course's exercises)")
    group.addoption("--seed", type=int, help="seed of the drawn inputs, to repeat a failure")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "exercise(name, points, level): a graded check of an exercise")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> None:
    """Make a suite import `reference` from its own course."""
    if not _is_compiled(parent.config):
        Course.find(module_path.parent).lead()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    checks = [item for item in items if Check.of(item)]
    if checks and not _is_compiled(config):
        grading = config.stash[GRADING] = _local(config, checks[0].path)
        config.stash[INPUTS] = Inputs(grading.oracle, grading.seed)
        torch_as_in_grading = ExitStack()
        torch_as_in_grading.enter_context(grading_mode())
        config.add_cleanup(torch_as_in_grading.close)


def _local(config: pytest.Config, suite: Path) -> Grading:
    from autograder.calls.local import LocalTarget
    from autograder.intake.submissions import read_folder

    course = Course.find(suite.parent)
    folder = Path(config.getoption("--target") or course.exercises_dir)
    submission = read_folder(folder, course)
    seed = config.getoption("--seed")
    seed = secrets.randbits(32) if seed is None else seed
    return Grading(course, submission, LocalTarget(submission), seed, oracle_of(course))


def pytest_report_header(config: pytest.Config) -> list[str]:
    grading = config.stash.get(GRADING, None)
    return [f"attend: seed {grading.seed}"] if grading else []


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    check = Check.of(item)
    if check and not _is_compiled(item.config):
        item.config.stash[GRADING].gate(check)


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Student:
    """The student's function of this check's exercise."""
    return Student(request.config.stash[GRADING], _check(request))


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Draw:
    """Random inputs from the grader's seed."""
    check = _check(request)
    oracle, seed = request.config.stash[INPUTS]
    return oracle.draw(seed, check.key)


@pytest.fixture
def agree(request: pytest.FixtureRequest, draw: Draw) -> Agree:
    """The comparison of the student's exercise with the reference."""
    steps: list[Step] = []
    request.node.stash[STEPS] = steps
    check, (oracle, seed) = _check(request), request.config.stash[INPUTS]
    return Agree(oracle, check, draw, steps.append, oracle.recorded(check.key, seed))


@pytest.fixture
def trained(request: pytest.FixtureRequest, student: Student) -> Trained:
    """The model that was handed in, as something to call."""
    return Trained(request.config.stash[GRADING], _check(request), student)


@pytest.fixture
def facts(request: pytest.FixtureRequest, student: Student) -> Facts:
    """Facts about the object that the student's exercise builds."""
    return Facts(request.config.stash[GRADING], _check(request), student)


def _check(request: pytest.FixtureRequest) -> Check:
    check = Check.of(request.node)
    if check is None:
        raise pytest.UsageError(f"{request.node.name} uses a grading fixture but has no @exercise marker")
    return check


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Let a check's function make its plan; without a judge, play it at once."""
    check, error = Check.of(pyfuncitem), None
    if check is None:
        return (yield)
    try:
        yield
    except Exception as ended:
        error = ended
        if not isinstance(ended, CheckFailed) and (where := blamed(ended, pyfuncitem.config.rootpath)[0]):
            error.add_note(f"in {where}")
    plan = pyfuncitem.stash[PLAN] = Plan((*pyfuncitem.stash.get(STEPS, ()),), error)
    if not _is_compiled(pyfuncitem.config):
        play(plan, check, pyfuncitem.config.stash[GRADING])
    return True


def _is_compiled(config: pytest.Config) -> bool:
    return config.stash.get(COMPILED, False)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport | None:
    """Report a failed check by its message alone; for a judge, an error before the check is its plan."""
    check = Check.of(item)
    error = call.excinfo.value if call.excinfo else None
    if check is None or error is None or call.when == "collect":
        return None
    if _is_compiled(item.config) and item.stash[PLAN] is NO_PLAN:
        item.stash[PLAN] = Plan((), BrokenCheckError(f"{type(error).__name__}: {error}"))
    if _is_compiled(item.config) or not isinstance(error, CheckFailed):
        return None
    name_the_slip(item.config.stash[GRADING], check, error)
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords=dict.fromkeys(item.keywords, 1),
        outcome="failed",
        longrepr=error.message.text,
        when=call.when,
        duration=call.duration,
        start=call.start,
        stop=call.stop,
        user_properties=[("attend", error.status)],
    )


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport | pytest.CollectReport) -> tuple[str, str, str] | None:
    missing = isinstance(report, pytest.TestReport) and ("attend", "missing") in report.user_properties
    return ("missing", "m", "MISSING") if missing else None
