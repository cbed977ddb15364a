"""`make versions`: what it keeps, and that README, pyproject.toml and the workflows say what ran."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.internals import TRIED
from tests.autograder.forked import python
from tests.ends import Ended, read
from tests.versions import __main__ as command
from tests.versions import table
from tests.versions.environments import LOWEST, NEWEST_TORCH, PINNED, Environment, constraints
from tests.versions.table import Row

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = [each.split()[-1] for each in PROJECT["classifiers"] if re.search(r":: Python :: 3\.\d", each)]
ROW = Row("3.12-newest", "Linux", {"Python": "3.12.1", "torch": "2.14.1"}, "", "0a1b2c3d")
TESTS = """
import pytest

def test_right(): pass

def test_wrong(): assert 1 == 2

@pytest.mark.skip(reason="no CUDA")
def test_absent(): pass

@pytest.fixture
def broken():
    yield
    raise ValueError("not tidy")

def test_untidy(broken): pass
"""


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "pytest", "-p", "tests.ends", "--log-ends", folder / "ends.jsonl", *words, cwd=folder)


def ends(folder: Path) -> dict[str, tuple[str, str]]:
    return {each.test.partition("::")[2]: (each.how, each.why) for each in read(folder / "ends.jsonl").values()}


@pytest.mark.parametrize("words", [(), ("-n", "1")], ids=["one process", "several"])
def test_how_each_test_ended_is_kept_with_the_reason(tests: Path, words: tuple[str, ...]) -> None:
    run(tests, *words)
    assert ends(tests) == {
        "test_right": ("passed", ""),
        "test_wrong": ("failed", "assert 1 == 2"),
        "test_absent": ("skipped", "no CUDA"),
        "test_untidy": ("failed", "ValueError: not tidy"),
    }


def test_what_has_run_does_not_run_again_and_a_line_that_was_cut_off_does(tests: Path) -> None:
    assert "1 passed, 3 deselected" in run(tests, "-k", "right").stdout
    with (tests / "ends.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"test":"test_some.py::test_ab')
    assert "1 deselected" in run(tests).stdout
    assert len(ends(tests)) == 4


def test_what_failed_runs_again_until_it_passes_and_then_nothing_is_left_to_do(tests: Path) -> None:
    run(tests)
    again = run(tests)
    assert "1 failed, 1 passed, 2 deselected, 1 error" in again.stdout
    assert again.returncode == 1
    assert "4 deselected" in run(tests, "-k", "right or absent").stdout
    assert run(tests, "-k", "right or absent").returncode == 0


def test_a_run_is_counted_by_how_its_tests_ended() -> None:
    found = [Ended("a", "passed"), Ended("b", "skipped", "no CUDA"), Ended("c", "failed", "E   1 != 2")]
    row = ROW.with_ends([*found, Ended("d", "skipped", "no CUDA")], whole=True)
    assert (row.passed, row.skipped, row.failed) == (1, {"no CUDA": 2}, {"c": "E   1 != 2"})
    shown = table.table([row, row.with_ends(found[:1], whole=False)])
    assert "| Linux, Python 3.12.1 | 2.14.1 | `make test` | `0a1b2c3d` | 1 | 2 | 1 |" in shown
    assert "| `make test`, stopped before its end | `0a1b2c3d` | 1 | 0 | 0 |" in shown
    assert "- Skipped on 3.12-newest: 2, no CUDA" in shown
    assert "- Failed on 3.12-newest: `c`: E   1 != 2" in shown


def test_a_run_takes_the_place_of_the_same_part_only_and_the_page_keeps_the_rest(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    page = tmp_path / table.PAGE
    page.write_text(f"before\n{table.BEGIN}{table.END}after\n", encoding="utf-8")
    for commit, part in (("1111", ""), ("2222", "-k walls"), ("3333", "")):
        table.keep(tmp_path, Row(ROW.environment, "Linux", ROW.versions, part, commit))
    assert [(each.commit, each.part) for each in table.read(tmp_path)] == [("3333", ""), ("2222", "-k walls")]
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{table.BEGIN}| system")
    assert text.endswith(f"{table.END}after\n")
    assert "| part 1 | `2222` |" in text
    assert "- Part 1: `pytest -m 'not exhaustive' -k walls`" in text


def test_the_kinds_of_environments_differ_in_their_constraints() -> None:
    pinned, newest, lowest = (constraints(ROOT, kind) for kind in (PINNED, NEWEST_TORCH, LOWEST))
    assert [line.partition("==")[0] for line in pinned if line not in newest] == ["torch"]
    assert {each.replace(">=", "==") for each in PROJECT["dependencies"]} <= {*lowest}
    assert not any(">=" in line for line in lowest)


def test_an_environment_is_made_once_and_again_when_what_is_promised_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, ran = tmp_path / "tree", list[list[str]]()
    tree.mkdir()
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tree)
    made = Environment("3.11", Path("python3.11"), LOWEST, tmp_path)

    def run(command: list[Any], **_: Any) -> None:
        ran.append([*map(str, command)])
        made.own_python.parent.mkdir(parents=True, exist_ok=True)
        made.own_python.touch()

    monkeypatch.setattr("tests.versions.environments.subprocess.run", run)
    made.make(tree)
    made.make(tree)
    assert [words[1:3] for words in ran] == [["-m", "venv"], ["-m", "pip"]]
    limits = Path(ran[1][ran[1].index("-c") + 1])
    assert f"torch=={dict(each.split('>=') for each in PROJECT['dependencies'])['torch']}" in limits.read_text()
    with (tree / "pyproject.toml").open("a", encoding="utf-8") as settings:
        settings.write("# other promises\n")
    made.make(tree)
    assert [words[2] for words in ran] == ["venv", "pip", "pip"]


def test_names_choose_environments_and_other_words_go_to_pytest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = [Environment("3.11", tmp_path, PINNED, tmp_path), Environment("3.11", tmp_path, LOWEST, tmp_path)]
    there.append(Environment("3.12", tmp_path, NEWEST_TORCH, tmp_path))
    tried: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(command, "environments", lambda _: there)
    monkeypatch.setattr(command, "checked_out", lambda: "0a1b2c3d")
    monkeypatch.setattr(command, "tried", lambda each, _, words: tried.append((each.name, words)) or len(tried) == 1)
    for words in (["3.12", "3.11-lowest", "-k", "walls"], ["-k", "walls"]):
        assert command.main(words) == (words[0] == "3.12")
    assert [name for name, _ in tried] == ["3.11-lowest", "3.12-newest", "3.11-pinned", "3.11-lowest", "3.12-newest"]
    assert all(words == ["-k", "walls"] for _, words in tried)


def test_the_table_is_that_of_the_record() -> None:
    text = (ROOT / table.PAGE).read_text(encoding="utf-8")
    assert text == table.with_table(text, table.read(ROOT))


def test_the_pythons_that_are_promised_have_run() -> None:
    ran = {row.versions["Python"].rpartition(".")[0] for row in table.read(ROOT) if row.whole}
    assert ran == {*PYTHONS}
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"


def test_the_lowest_versions_that_are_promised_have_run() -> None:
    ran = [row.versions for row in table.read(ROOT) if row.environment.endswith(LOWEST)]
    promised = dict(each.split(">=") for each in PROJECT["dependencies"])
    assert [f"{versions['torch']}.".startswith(f"{promised['torch']}.") for versions in ran] == [True] * len(ran) != []


def test_the_versions_that_private_names_were_tried_with_have_run() -> None:
    pinned = dict(re.findall(r"(?m)^([\w.-]+)==(\S+)", (ROOT / "constraints.txt").read_text(encoding="utf-8")))
    for name, tried in TRIED.items():
        ran = {row.versions[name].partition("+")[0] for row in table.read(ROOT) if row.whole}
        assert ran | {pinned[name]} == {*tried}  # `make test` runs with those that are pinned


def test_the_readme_names_the_pythons_that_have_run() -> None:
    *others, last = PYTHONS
    assert f"Python {', '.join(others)} and {last}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_workflows_use_the_pythons_that_have_run() -> None:
    def asked(part: Any) -> list[str]:
        """Every version of Python that a workflow names."""
        inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        own = [each for key, each in inside if key in ("python", "python-version")]
        flat = [one for each in own for one in (each if isinstance(each, list) else [each])]
        return [*(each for each in flat if "$" not in each), *(name for _, each in inside for name in asked(each))]

    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))["jobs"]
    assert jobs["linux"]["strategy"]["matrix"]["python"] == PYTHONS
    assert {*asked(jobs)} == {*PYTHONS}
