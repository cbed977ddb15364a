"""The pytest plugin: points, exercises and targets for graded suites, verdicts as records.

`-p autograder.suite.plugin` (or a conftest) loads it. On its own it grades the exercises beside
the suites, in this process. The judge uses it to grade one submission after the other.
"""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from autograder.compare.draw import Draw
from autograder.compare.oracles import oracle_of
from autograder.core.errors import CheckFailed
from autograder.core.message import Message
from autograder.core.records import CheckResult, Status
from autograder.course.course import Course
from autograder.suite.agree import Agree
from autograder.suite.blame import name_the_slip
from autograder.suite.check import Check, Grading
from autograder.suite.facts import Facts
from autograder.suite.student import Student
from autograder.suite.trained import Trained

CURRENT = pytest.StashKey[Grading]()
RESULT = pytest.StashKey[CheckResult]()
JUDGED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("attend", "graded exercises")
    group.addoption("--target", metavar="DIR", help="folder with the chapter files (default: the course's exercises)")
    group.addoption("--seed", type=int, help="seed of the drawn inputs, to repeat a failure")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "exercise(name, points, level): a graded check of an exercise")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> None:
    """Make a suite import `reference` from its own course."""
    if not parent.config.stash.get(JUDGED, False):
        Course.find(module_path.parent).lead()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    checks = [item for item in items if Check.of(item)]
    if checks and not config.stash.get(JUDGED, False):
        config.stash[CURRENT] = _local(config, checks[0].path)


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
    grading = config.stash.get(CURRENT, None)
    return [f"attend: seed {grading.seed}"] if grading else []


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if check := Check.of(item):
        item.config.stash[CURRENT].gate(check)


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Student:
    """The student's function of this check's exercise."""
    return Student(request.config.stash[CURRENT], _check(request))


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Draw:
    """Random inputs from the grader's seed."""
    check = _check(request)
    grading = request.config.stash[CURRENT]
    return grading.oracle.draw(grading.seed, f"{check.chapter}/{check.name}")


@pytest.fixture
def agree(request: pytest.FixtureRequest, draw: Draw, student: Student) -> Agree:
    """The comparison of the student's exercise with the reference."""
    return Agree(request.config.stash[CURRENT], _check(request), draw, student)


@pytest.fixture
def trained(request: pytest.FixtureRequest, student: Student) -> Trained:
    """The model that was handed in, as something to call."""
    return Trained(request.config.stash[CURRENT], _check(request), student)


@pytest.fixture
def facts(request: pytest.FixtureRequest, student: Student) -> Facts:
    """Facts about the object that the student's exercise builds."""
    return Facts(request.config.stash[CURRENT], _check(request), student)


def _check(request: pytest.FixtureRequest) -> Check:
    check = Check.of(request.node)
    if check is None:
        raise pytest.UsageError(f"{request.node.name} uses a grading fixture but has no @exercise marker")
    return check


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport | None:
    """Keep the verdict as a record, and report a failed check by its message alone."""
    check = Check.of(item)
    if check is None or call.when == "collect":
        return None
    error = call.excinfo.value if call.excinfo else None
    if isinstance(error, CheckFailed):
        name_the_slip(item.config.stash[CURRENT], check, error)
    if error is not None or call.when == "call":
        item.stash[RESULT] = _result(check, error)
    if not isinstance(error, CheckFailed):
        return None
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


def no_verdict(check: Check) -> CheckResult:
    """Return the result of a check that has not run to its end."""
    return CheckResult(
        check.name,
        check.sentence,
        check.level,
        0,
        check.points,
        "grader_error",
        Message("the check reached no verdict"),
    )


def _result(check: Check, error: BaseException | None) -> CheckResult:
    status: Status = "passed"
    message = Message()
    causes: tuple[str, ...] = ()
    patch = None
    if isinstance(error, CheckFailed):
        status, message, causes, patch = error.status, error.message, error.misconceptions, error.patch
    elif error is not None:
        status, message = "grader_error", Message(f"the check itself failed: {type(error).__name__}: {error}")
    points = check.points if status == "passed" else 0
    return CheckResult(check.name, check.sentence, check.level, points, check.points, status, message, causes, patch)


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport | pytest.CollectReport) -> tuple[str, str, str] | None:
    missing = isinstance(report, pytest.TestReport) and ("attend", "missing") in report.user_properties
    return ("missing", "m", "MISSING") if missing else None
