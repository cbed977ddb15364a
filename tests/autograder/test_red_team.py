"""The red team: hostile submissions, graded in one batch, each held to what stands in its first lines."""

from __future__ import annotations

import io
import os
import re
import signal
import struct
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console

from autograder.commands import red_team, traces
from autograder.commands.red_team import Aftermath, Case, Outcome
from autograder.core.errors import SandboxError, UsageError
from autograder.course.course import Course
from autograder.intake import archive
from autograder.intake.submissions import read_folder
from autograder.intake.unusual import is_on_needless
from autograder.sandbox import doctor, launch, messages
from autograder.sandbox.doctor import Act, Tier
from tests.autograder.conftest import in_place_of_the_real
from tests.autograder.fuzz_walls import WITHOUT_NAMESPACES
from tests.autograder.processes import PATIENCE
from tests.autograder.short_timeouts import with_short_timeouts
from tests.autograder.warm import cold_walls

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system"),
]
CASES = {case.name: case for case in red_team.cases()}
ENDLESS = {
    case.text: messages.slow_import if "loaded" in case.says else messages.too_slow
    for case in CASES.values()
    if case.expects == ("timeout",)
}
TABLE = (red_team.HOME / "README.md").read_text(encoding="utf-8")
ROWS = {int(row): tried for row, tried in re.findall(r"^\| (\d+) \|.*\| (.+) \|$", TABLE, re.MULTILINE)}


WALLS = ("red team", "no bubblewrap", "no namespaces")
"""Behind which walls all of them are tried: all that there are, and fewer, which is for `make prove`."""
MARKS = {walls: [pytest.mark.exhaustive] * (walls != WALLS[0]) for walls in WALLS}


@pytest.fixture(scope="module", autouse=True)
def unhurried() -> Iterator[None]:
    """What comes to its end may take its time."""
    limits = replace(red_team.LIMITS, call_seconds=PATIENCE, load_seconds=PATIENCE, budget_seconds=PATIENCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(red_team, "LIMITS", limits)
        patch.setattr(traces, "_SECONDS", PATIENCE)
        yield


@dataclass(frozen=True)
class Raid:
    """What came of a batch of cases."""

    outcomes: dict[str, Outcome]
    aftermath: list[Aftermath]


def raid(*names: str, level: str = "auto") -> Raid:
    chosen = [CASES[name] for name in names]
    outcomes: dict[str, Outcome] = {}

    def accept(outcome: Outcome) -> None:
        outcomes[outcome.case.name] = outcome

    with (
        pytest.MonkeyPatch.context() as patch,
        red_team.world(chosen) as here,
        in_place_of_the_real(here.course),
    ):
        patch.setattr(red_team, "SandboxTarget", with_short_timeouts(lambda source: ENDLESS.get(source.text)))
        return Raid(outcomes, red_team.attack(here, chosen, accept, level))


@cache
def behind(walls: str) -> Raid:
    """Every case, behind these walls."""
    with pytest.MonkeyPatch.context() as patch, cold_walls() if walls != WALLS[0] else nullcontext():
        if walls != WALLS[0]:
            patch.setattr(launch.shutil, "which", lambda _: None)
        if walls == "no namespaces":
            patch.setattr(launch, "plain_command", lambda: WITHOUT_NAMESPACES)
        try:
            return raid(*CASES)
        except SandboxError as error:
            pytest.skip(str(error))


# All of this file is for one process, as a batch would see what another one leaves for a moment.
@pytest.mark.parametrize(
    ("walls", "name"),
    [
        pytest.param(walls, name, id=f"{walls} - {name} {CASES[name].what}", marks=MARKS[walls])
        for walls in WALLS
        for name in CASES
    ],
)
def test_a_hostile_submission_comes_to_what_its_first_lines_say(walls: str, name: str) -> None:
    assert not behind(walls).outcomes[name].wrong


@pytest.mark.parametrize("walls", [pytest.param(walls, id=f"{walls} - left", marks=MARKS[walls]) for walls in WALLS])
def test_nothing_is_left_behind_and_nobody_else_was_harmed(walls: str) -> None:
    assert {each.what: each.found for each in behind(walls).aftermath if each.found} == {}


@pytest.fixture(scope="module")
def unwalled() -> Raid:
    """Some cases that do no lasting harm, with the sandbox switched off."""
    secrets = ("r42_reads_the_reference", "r48_reads_other_submissions", "r48_watches_files", "r50_leaves_a_note")
    noted = CASES["r50_leaves_a_note"]
    files_alone = noted.text.replace("FILES = (", "FILES = () and (").replace("_KERNEL = {", "_KERNEL = {} and {")
    with traces.orphans_kept(), pytest.MonkeyPatch.context() as patch:
        patch.setitem(CASES, noted.name, replace(noted, text=files_alone))
        patch.setattr(traces, "_SECONDS", 0.2)  # what is left stays until it is killed below
        found = raid(*secrets, "r11_daemon", "r21_looks_for_a_place_to_write", "r05_sleep", level="off")
        for path in traces.files():
            Path(path).unlink()
        for name in [name for each in found.aftermath for name in each.found if name.startswith("process ")]:
            with suppress(ProcessLookupError):
                os.kill(int(name.removeprefix("process ")), signal.SIGKILL)
    return found


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("r42_reads_the_reference", "loot", id="no wall, reference"),
        pytest.param("r48_reads_other_submissions", "loot", id="no wall, other submissions"),
        pytest.param("r48_watches_files", "loot", id="no wall, watching"),
        pytest.param("r50_leaves_a_note", "loot", id="no wall, notes"),
        pytest.param("r11_daemon", "it got failed", id="no wall, daemon"),
        pytest.param("r21_looks_for_a_place_to_write", "loot", id="no wall, files"),
    ],
)
def test_without_a_wall_the_attack_succeeds_and_is_noticed(unwalled: Raid, name: str, says: str) -> None:
    assert says in unwalled.outcomes[name].wrong


@pytest.mark.parametrize(
    "what", [pytest.param(word, id=f"no wall, {word} left") for word in ("process", "file", "port")]
)
def test_without_a_wall_what_is_left_behind_is_found(unwalled: Raid, what: str) -> None:
    assert [found for each in unwalled.aftermath for found in each.found if what in f"{each.what} {found}"]


@pytest.mark.parametrize("name", [pytest.param("r05_sleep", id="no wall, time")])
def test_without_a_wall_time_is_limited_all_the_same(unwalled: Raid, name: str) -> None:
    assert not unwalled.outcomes[name].wrong


def test_a_wall_with_a_hole_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    holed = Tier("partial", (Act("start a process", False, ""),))
    monkeypatch.setattr(doctor, "examine", lambda _: holed)
    with pytest.raises(SandboxError, match="only behind the full wall, and this one is partial"):
        raid("r04_endless_loop")


def test_the_doctor_shows_a_table_and_fails_on_a_surprise(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = CASES["r01_exit_in_call"]
    console = Console(file=io.StringIO(), width=120)
    with in_place_of_the_real(Course(red_team.HOME / "course")):
        for chosen, status in (([fine], 0), ([fine, replace(fine, name="r02_other", expects=("passed",))], 1)):
            monkeypatch.setattr(red_team, "cases", lambda chosen=chosen: chosen)
            try:
                assert red_team.show(console) == status, console.file.getvalue()  # type: ignore[attr-defined]
            except SandboxError as error:
                pytest.skip(str(error))
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "no surprise" in said
    assert "it got crash" in said
    assert "✓ no process is left" in said


def test_where_the_cases_are_not_there_one_sentence_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="run this in a clone"):
        red_team.cases(tmp_path)


def test_a_case_that_does_not_say_what_must_come_of_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r01_silent.py").write_text('"""Does something."""\n')
    with pytest.raises(UsageError, match="expects"):
        Case.read(tmp_path / "r01_silent.py")


def test_the_table_has_every_row_and_names_only_what_exists() -> None:
    assert list(ROWS) == list(range(1, 86))
    files = Path(__file__).parents[1].glob("*/test_*.py")
    tests = "\n".join(path.read_text(encoding="utf-8") for path in files)
    named = [name for tried in ROWS.values() for name in re.findall(r"`(\w+)`", tried)]
    assert [name for name in named if name not in CASES and f"def {name}(" not in tests] == []
    for name, case in CASES.items():
        assert f"`{name}`" in ROWS[case.row]


def test_a_zip_that_lists_a_hundred_thousand_files_is_not_opened(tmp_path: Path) -> None:
    member = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 3, 20, *[0] * 8, 1, *[0] * 6) + b"a"
    for count, refused in ((1000, False), (100_000, True)):
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count & 0xFFFF, count & 0xFFFF, count * len(member), 0, 0)
        (tmp_path / "many.zip").write_bytes(member * count + end)
        with archive.opened(tmp_path / "many.zip") as listing:
            assert ("its list of files is larger than 4 MiB" in listing.damage) is refused


def test_what_gets_past_the_watch_is_named(tmp_path: Path) -> None:
    course = Course(red_team.HOME / "course")
    names = {
        "r58_switches_the_watch_off": "autograder (the program that grades it)",
        "r58_keeps_a_kernel": "torch.library (below torch's functions)",
        "r56_ready_made": "",
    }
    for name, what in names.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "ch01_attacked.py").write_text(CASES[name].text, encoding="utf-8")
        found = "".join(filter(is_on_needless, read_folder(tmp_path / name, course).notes))
        assert bool(found) is bool(what)
        assert what in found
