"""A plugin of pytest that writes down how each test ended, and leaves out those that have run and did not fail.

`pytest -p tests.ends --log-ends FILE`: an interrupted run of the same command goes on where it was.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

ORDER = ("passed", "skipped", "failed")
"""How a test may end; a later one counts more, such as a failure after the test has passed."""


class Ended(msgspec.Struct, frozen=True):
    """How a test ended.

    Args:
        test: its id.
        how: one of `ORDER`.
        why: of a skipped test, the reason; of a failed one, the first line of what is wrong.
    """

    test: str
    how: str
    why: str = ""


def read(path: Path) -> dict[str, Ended]:
    """Return the ends by test; a line that was cut off is none."""
    found: dict[str, Ended] = {}
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            each = msgspec.json.decode(line, type=Ended)
        except msgspec.DecodeError:
            continue
        before = found.get(each.test)
        if before is None or ORDER.index(each.how) >= ORDER.index(before.how):
            found[each.test] = each
    return found


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--log-ends", type=Path, help="the file in which the ends of tests are kept")


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--log-ends")
    if path:
        config.pluginmanager.register(_Log(path, writes=not hasattr(config, "workerinput")))


class _Log:
    """Keeps the ends of tests in a file; the processes that run a part of them write nothing."""

    def __init__(self, path: Path, *, writes: bool) -> None:
        self._path, self._writes = path, writes
        self._done = frozenset(each.test for each in read(path).values() if each.how != "failed")
        self._waiting: list[Ended] = []

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        done = [item for item in items if item.nodeid in self._done]
        if done:
            config.hook.pytest_deselected(items=done)
            items[:] = [item for item in items if item.nodeid not in self._done]

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Call it no fault that no test was left to run."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self._done:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a test down once it has been torn down, as it may fail until then."""
        if report.when == "call" or report.outcome != "passed":
            self._waiting.append(Ended(report.nodeid, report.outcome, _why(report)))
        if report.when == "teardown" and self._writes:
            own = [each for each in self._waiting if each.test == report.nodeid]
            self._waiting = [each for each in self._waiting if each.test != report.nodeid]
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(b"".join(b"\n" + msgspec.json.encode(each) for each in own))  # the last line may be cut off
                file.flush()
                os.fsync(file.fileno())


def _why(report: pytest.TestReport) -> str:
    if report.outcome == "skipped" and isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else report.longreprtext).strip().splitlines()
    return lines[0] if report.failed and lines else ""
