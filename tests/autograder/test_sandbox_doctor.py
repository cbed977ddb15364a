"""The doctor tries what is forbidden, and says what this machine's sandbox lets through."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.calls.records import Call
from autograder.core.errors import CheckFailed, SandboxError, UsageError
from autograder.core.submission import ChapterSource, Submission
from autograder.sandbox import doctor, launch, probe
from autograder.sandbox.doctor import Act, Tier
from autograder.sandbox.handles import Template
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import TOY
from tests.autograder.processes import AT_EASE
from tests.autograder.run_cli import attend
from tests.autograder.warm import cold

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system"),
]
COURSE = Path(__file__).resolve().parents[2]
SEE_FILES = "see sizes and times of files of the system or of people"  # which bubblewrap alone refuses
STUB = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'
PARTIAL = Tier("partial", (Act("open a TCP connection", False, ""), Act("start a process", True, "")))


@pytest.fixture(scope="module")
def bare() -> Iterator[Template]:
    """A template of a machine without bubblewrap."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch.shutil, "which", lambda _: None)
        template = Template(COURSE)
    with template:
        yield template


@pytest.fixture(scope="module")
def off() -> Iterator[Template]:
    with Template(TOY, walled=False) as template:
        yield template


@pytest.fixture(scope="module")
def inside(bare: Template) -> dict[str, Act]:
    return {act.name: act for act in doctor.examine(bare).acts}


@pytest.fixture(scope="module")
def outside() -> dict[str, str]:
    """The same acts by an ordinary process."""
    code = (
        "import json, sys; from autograder.sandbox import probe; print(json.dumps(probe.attempt(json.load(sys.stdin))))"
    )
    with doctor.decoys(COURSE, os.getpid()) as wanted:
        command = [sys.executable, "-c", code]
        said = subprocess.run(command, input=json.dumps(wanted), capture_output=True, text=True, check=True, cwd=COURSE)
    return dict(json.loads(said.stdout))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has walls")
@pytest.mark.parametrize("act", probe.ACTS)
def test_a_forbidden_act_is_refused_within_and_goes_through_without(
    inside: dict[str, Act], outside: dict[str, str], act: str
) -> None:
    assert inside[act].refused == (act != SEE_FILES), inside[act].detail
    if act != "make namespaces of its own":  # some machines grant that to nobody
        assert outside[act].startswith("done"), outside[act]


def test_the_threat_model_says_how_many_acts_are_tried() -> None:
    text = (COURSE / "docs" / "threat-model.md").read_text(encoding="utf-8")
    assert set(re.findall(r"(\d+) (?:forbidden )?acts", text)) == {str(len(probe.ACTS))}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has walls")
def test_reading_moves_a_time_of_access_only_where_there_is_no_bubblewrap(bare: Template, place: Path) -> None:
    if os.statvfs(place).f_flag & (os.ST_RDONLY | os.ST_NOATIME):
        pytest.skip("this file system keeps no times of access")
    submission = Submission("eve", {"ch01_a": ChapterSource("ch01_a", READS, "a.py")})
    file, moved = place / "roster.csv", []
    for template in (Template(TOY), bare):
        with SandboxTarget(template, submission, AT_EASE) as target:
            os.utime(file, (0, 1))
            assert target.observe("ch01_a", Call("f", (str(file),))).result
            moved.append((template.started.outer, file.stat().st_atime > 0))
    assert moved in ([("bwrap", False), ("none", True)], [("none", True)] * 2)


UNWALLED = """
import os, time
def f(): return sorted(os.environ)
def g(): time.sleep(1e6)
def h(): return open("/etc/passwd").read()
"""


def test_without_walls_there_are_still_limits_and_no_secrets_in_the_environment(off: Template) -> None:
    submission = Submission("ada", {"ch01_a": ChapterSource("ch01_a", UNWALLED, "a.py")})
    with SandboxTarget(off, submission, AT_EASE) as target:
        assert target.observe("ch01_a", Call("f")).result == sorted(launch.ENVIRONMENT)
        assert "root" in target.observe("ch01_a", Call("h")).result
    with (
        SandboxTarget(off, submission, replace(AT_EASE, call_seconds=0.5)) as hurried,
        pytest.raises(CheckFailed, match=r"had not returned after 0\.5 s"),
    ):
        hurried.observe("ch01_a", Call("g"))
    assert (off.started.outer, doctor.require("off", off).name) == ("none", "off")


def test_less_than_required_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch, bare: Template) -> None:
    monkeypatch.setattr(doctor, "examine", lambda _: PARTIAL)
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(SandboxError, match=r"open a TCP connection\. Install .*apt install bubblewrap"):
        doctor.require("required", bare)
    assert doctor.require("auto", bare) is PARTIAL


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has walls")
def test_without_bubblewrap_a_worker_sees_which_files_there_are_and_the_tier_says_so(bare: Template) -> None:
    tier = doctor.examine(bare)
    assert (tier.name, tier.open) == ("partial", (SEE_FILES,))
    assert f"a submission could {SEE_FILES}. " in doctor.verdict(tier, "")
    with pytest.raises(SandboxError, match="bwrap is not installed"):
        doctor.require("required", bare)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has walls")
def test_a_bubblewrap_that_only_runs_its_command_is_not_the_full_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bwrap").write_text(STUB)
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda _: str(tmp_path / "bwrap"))
    with Template(COURSE, started=cold(COURSE)) as template:
        tier = doctor.examine(template)
        assert (template.started.outer, tier.name, SEE_FILES in tier.open) == ("bwrap", "partial", True)
        with pytest.raises(SandboxError, match="bubblewrap is there and puts up no wall"):
            doctor.require("required", template)


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_with_bubblewrap_every_act_is_refused() -> None:
    with Template(TOY) as template:
        if template.started.outer != "bwrap":
            pytest.skip("bubblewrap may make no namespaces here")
        tier = doctor.examine(template)
        assert (tier.name, tier.open) == ("full", ())


def test_the_verdict_names_what_is_open_and_why() -> None:
    assert "open a TCP connection" in doctor.verdict(PARTIAL, "bwrap is not installed")
    assert "bwrap is not installed" in doctor.verdict(PARTIAL, "bwrap is not installed")


def test_the_advice_is_to_install_where_bubblewrap_is_missing_or_works(monkeypatch: pytest.MonkeyPatch) -> None:
    for program, reason, is_in_vain in (
        (None, "bwrap is not installed", False),
        ("/usr/bin/bwrap", "", False),
        ("/usr/bin/bwrap", "bwrap ended with exit status 1", True),
    ):
        monkeypatch.setattr("shutil.which", lambda _, found=program: found)
        assert ("bubblewrap is there" in doctor.verdict(PARTIAL, reason)) == is_in_vain
        assert ("apt install" in doctor.verdict(PARTIAL, reason)) != is_in_vain


def test_an_unknown_level_and_a_system_without_fork_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="auto, required, off"):
        doctor.prepare("on", COURSE)
    monkeypatch.delattr(os, "fork")
    with pytest.raises(SandboxError, match="WSL"):
        doctor.prepare("auto", COURSE)
    assert doctor.findings(COURSE)[-1].ok is False


def test_a_bubblewrap_that_fails_is_named_and_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(launch.shutil, "which", lambda _: str(program))
    with Template(COURSE) as template:
        started = template.started
        assert started.outer == "none"
        assert "bwrap ended with exit status 1: bwrap: No permissions" in started.reason
        assert "bubblewrap is there" in doctor.verdict(PARTIAL, started.reason)
        template.spawn(2**28, 10).kill()


def test_a_secret_folder_within_a_visible_one_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("reference", "torch"):
        (tmp_path / "site" / name).mkdir(parents=True)
    (tmp_path / "site" / "reference" / "blocks").mkdir()
    monkeypatch.setattr(launch, "visible", lambda: (tmp_path / "site",))
    hidden = launch.secrets(tmp_path / "site")
    setup = launch.setup_for(tmp_path / "site", hidden, walled=True)
    assert str(tmp_path / "site" / "torch") in setup.readable
    assert str(tmp_path / "site" / "reference" / "blocks") in setup.readable
    assert not {str(tmp_path / "site"), str(tmp_path / "site" / "reference")} & set(setup.readable)
    assert setup.listable == (str(tmp_path / "site"),)
    command = launch.bubblewrap("bwrap", hidden, setup)
    hidden = command.index("--tmpfs", command.index("--chdir"))
    assert command[hidden + 1] == str(tmp_path / "site" / "reference")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder of someone's that lies among what Python needs."""
    folder = Path(sys.prefix, "lib", f"class-{os.getpid()}")
    if not os.access(folder.parent, os.W_OK):
        pytest.skip("Python is installed where this user may not write")
    (folder / "ben").mkdir(parents=True)
    (folder / "ben" / "ch01_a.py").write_text("ANSWER = 42\n")
    (folder / "roster.csv").write_text("ben\n")
    yield folder
    shutil.rmtree(folder)


READS = """
def f(path):
    try:
        return bool(open(path).read())
    except OSError as error:
        return False
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has walls")
@pytest.mark.parametrize(("wall", "course"), [("bwrap", TOY), ("none", COURSE)])  # each has a template that is warm
def test_a_class_that_lies_where_python_is_installed_is_out_of_sight(
    place: Path, wall: str, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wall == "none":
        monkeypatch.setattr(launch.shutil, "which", lambda _: None)
    submission = Submission("eve", {"ch01_a": ChapterSource("ch01_a", READS, "a.py")})
    other = Path(sys.prefix, "lib64", place.name)  # often the same folder under another name
    files = [place / "ben" / "ch01_a.py", place / "roster.csv", *([other / "roster.csv"] if other.exists() else [])]
    seen = []
    for private in ([], [place / "ben", place / "roster.csv"]):
        with Template(course, private=private) as template, SandboxTarget(template, submission, AT_EASE) as target:
            assert template.started.outer == wall
            seen.append([target.observe("ch01_a", Call("f", (str(file),))).result for file in files])
    assert seen == [[True] * len(files), [False] * len(files)]


def test_the_tier_stands_in_every_result_and_page_and_a_lower_one_than_required_grades_nothing(
    tmp_path: Path, off: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    shutil.copy(TOY / "solutions" / "ch01_toy.py", tmp_path / "class" / "ada")
    monkeypatch.setattr(doctor, "examine", lambda _: PARTIAL)
    runs = {}
    for level in ("off", "required"):
        given = ("--out", tmp_path / level, "--sandbox", level, "--layout", "{name}")
        done = attend("grade", tmp_path / "class", *given, cwd=TOY)
        runs[level] = done.returncode, done.stderr
    assert off.started.outer == "none"
    assert runs["off"][0] == 0, runs
    assert json.loads((tmp_path / "off" / "results" / "ada.json").read_text())["sandbox"] == "off"
    for page in ("report.html", "feedback/ada.html"):
        assert "Sandbox: off." in (tmp_path / "off" / page).read_text(encoding="utf-8")
    assert runs["required"][0] == 2
    assert "the full sandbox was asked for" in runs["required"][1]
    assert not list((tmp_path / "required").rglob("*.json"))
