"""The suites of a course, collected by pytest, which makes the plan of a check when it is first needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from autograder.compare.oracle import Oracle
from autograder.compare.oracles import oracle_of
from autograder.core.errors import UsageError, blamed
from autograder.course.check_list import ListedCheck
from autograder.course.course import Course
from autograder.internals.forbid import standing
from autograder.internals.grading_mode import grading_mode
from autograder.suite import plugin
from autograder.suite.check import Check, Grading
from autograder.suite.plan import NO_PLAN, Plan
from autograder.suite.plugin import COMPILED, GRADING, INPUTS, PLAN, Inputs

SETTINGS = Path(__file__).parent / "suites.ini"
# Plugins of pytest that print or look for something. Its debugger would replace Python's, and needs its terminal.
# The last two also collect garbage five times at the end, which takes a second.
UNWANTED = (
    *("terminal", "cacheprovider", "logging", "faulthandler", "warnings", "debugging"),
    *("unraisableexception", "threadexception"),
)

HEEDED = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")
"""What pytest heeds of the environment."""


@dataclass
class Suites:
    """The checks of some chapters and their plans.

    Args:
        items: the collected tests, by check.
        oracle: gives the right answers.
        usual: the seed whose plans are kept; of others only those of the latest are.
    """

    items: dict[Check, pytest.Function]
    oracle: Oracle
    usual: int
    _plans: dict[int, dict[Check, Plan]] = field(default_factory=dict)

    @property
    def checks(self) -> Sequence[Check]:
        """All checks, in the order of the suites."""
        return [*self.items]

    def plan(self, check: Check, seed: int, grading: Grading | None = None) -> Plan:
        """Return what a check asks with this seed.

        Args:
            grading: the submission that a live check asks; without one its plan is an error.
        """
        plans = self._of(seed)
        if check not in plans or check.is_live:
            plans[check] = self._made(self.items[check], seed, grading)
        return plans[check]

    def _of(self, seed: int) -> dict[Check, Plan]:
        if seed not in self._plans:
            self._plans = {self.usual: self._plans.get(self.usual, {}), seed: {}}
        return self._plans[seed]

    def _made(self, item: pytest.Function, seed: int, grading: Grading | None) -> Plan:
        item.config.stash[INPUTS] = Inputs(self.oracle, seed)
        if grading:
            item.config.stash[GRADING] = grading
        item.stash[PLAN] = NO_PLAN
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return item.stash[PLAN]


def checks_in(root: Path, suites: Mapping[str, Path]) -> dict[str, list[ListedCheck]]:
    """Return the checks that pytest collects from the suite of each chapter; nothing is written.

    Raises:
        UsageError: the suites cannot be loaded.
    """
    found: dict[str, list[ListedCheck]] = {stem: [] for stem in suites}

    def list_them(collected: Suites) -> None:
        for check, item in collected.items.items():
            line = item.function.__code__.co_firstlineno
            listed = ListedCheck(check.function, line, check.exercise, float(check.points), check.level)
            found[check.chapter].append(listed)

    course, writes = Course(root), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        with_suites(course, [*suites.values()], oracle_of(course), 0, list_them)
    finally:
        sys.dont_write_bytecode = writes
    return found


def with_suites(
    course: Course, suites: Sequence[Path], oracle: Oracle, seed: int, use: Callable[[Suites], object]
) -> None:
    """Collect suites of a course, and call `use` with them, inside pytest.

    Raises:
        UsageError: the suites cannot be collected.
        BaseException: whatever `use` raises.
    """
    session = _Session(course, oracle, seed, use)
    options = ["-c", str(SETTINGS), "--rootdir", str(course.root), "--noconftest", "--capture=no"]
    course.lead()
    with grading_mode(), standing(), _loaded_anew(suites):
        run_pytest([*map(str, suites), *options, *(f"-pno:{name}" for name in UNWANTED)], plugin, session)
    if session.raised:
        raise session.raised
    if not session.collected:
        raise UsageError(f"the suites of this course cannot be loaded: {session.trouble}")


@contextmanager
def _loaded_anew(suites: Sequence[Path]) -> Iterator[None]:
    """Load suites whatever was loaded under their names before, from another course or an earlier text."""
    path = [*sys.path]
    kept = {each.stem: sys.modules.pop(each.stem) for each in suites if each.stem in sys.modules}
    try:
        yield
    finally:
        sys.path[:] = path
        for each in suites:
            sys.modules.pop(each.stem, None)
        sys.modules.update(kept)


def run_pytest(words: Sequence[str], *plugins: object) -> None:
    """Run pytest with these words and plugins alone: what else is installed, or set in the environment, has no part."""
    kept = {name: os.environ.pop(name) for name in HEEDED if name in os.environ}
    try:
        pytest.main(["--disable-plugin-autoload", *words], plugins=plugins)
    finally:
        os.environ.update(kept)


@dataclass(eq=False)  # pytest looks plugins up by their hash
class _Session:
    """A pytest plugin that hands out the collected checks instead of running them."""

    course: Course
    oracle: Oracle
    seed: int
    use: Callable[[Suites], object]
    collected: bool = False
    trouble: str = "no checks were found"
    raised: BaseException | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[COMPILED] = True

    def pytest_exception_interact(self, call: pytest.CallInfo[object], report: object) -> None:
        if isinstance(report, pytest.CollectReport) and call.excinfo:
            error = call.excinfo.value
            where, text = blamed(error.__cause__ or error, self.course.root)
            self.trouble = f"{where}: {text}; fix it first" if where else f"{text}; fix it first"

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Keep an interruption that comes while the suites are loaded."""
        if type(excinfo.value) is KeyboardInterrupt:  # pytest has subclasses for reasons of its own
            self.raised = excinfo.value

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed or not session.items:
            return True
        self.collected = True
        try:
            tests = [item for item in session.items if isinstance(item, pytest.Function)]
            items = {check: item for item in tests if (check := Check.of(item))}
            self.use(Suites(items, self.oracle, self.seed))
        except BaseException as error:  # pytest would only print it
            self.raised = error
        return True
