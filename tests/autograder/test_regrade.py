"""`attend regrade`: what a change of the course would change, told before it is written, without running code again."""

from __future__ import annotations

import ast
import io
import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from autograder.classroom import register
from autograder.commands.grade_class import grade_and_show
from autograder.core.errors import UsageError
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.grading.digests import ENGINE, Digests, names
from autograder.grading.regrade import regrade
from autograder.grading.run import GradingOptions
from autograder.grading.store import Store
from autograder.report.outputs import STORE as NAME
from autograder.sandbox.limits import Limits
from tests.autograder.class_of_two import RIGHT, Class
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.forked import python

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]


def test_nothing_changes_where_nothing_has_changed(two: Class) -> None:
    before = two.results()
    assert "nothing would change for 2 students" in two.regrade(yes=True)
    assert (two.status, two.results()) == (0, before)


@pytest.mark.usefixtures("no_code")
def test_a_change_of_points_is_shown_then_written_and_runs_no_code(two: Class) -> None:
    before = two.results()
    two.change("points=2", "points=4")
    said = two.regrade()
    assert "ann double 5/5 becomes 7/7" in said
    assert "ben double 2/5 becomes 2/7" in said
    assert "2 of 2 students would change nothing is written; the same command with --yes writes it" in said
    assert two.results() == before
    assert two.regrade(yes=True).endswith(" written ")
    after = two.results()
    assert (two.status, after["ann"].score, after["ben"].max_score) == (0, 19, 19)
    assert "19" in (two.out / "grades.csv").read_text(encoding="utf-8")
    assert "nothing would change" in two.regrade()


@pytest.mark.usefixtures("no_code")
def test_a_wider_tolerance_lets_a_wrong_answer_pass_and_runs_no_code(two: Class) -> None:
    two.change('agree(draw("B T D"))\n\n\n@exercise("double", points=1, level="edges")\ndef test_grad', "PLACE")
    two.change(
        "PLACE", 'agree(draw("B T D"), tolerance=1e6)\n\n\n@exercise("double", points=1, level="edges")\ndef test_grad'
    )
    assert "ben double 2/5 becomes 4/5" in two.regrade(yes=True)
    assert two.results()["ben"].score == 12


@pytest.mark.parametrize("runs", [False, True])
def test_only_a_call_that_was_never_made_runs_code(two: Class, request: pytest.FixtureRequest, runs: bool) -> None:
    if not runs:
        request.getfixturevalue("no_code")
    one = (
        '@exercise("double", points=3, level="edges")\ndef test_one(agree: Agree, draw: Draw) -> None:\n    """one"""\n'
    )
    two.change(
        '@exercise("mean_and_sum", points=1, level="property")',
        one + '    agree(draw("B"))\n\n\n@exercise("mean_and_sum", points=1, level="property")',
    )
    said = two.regrade()
    assert ("ann double 5/5 becomes 8/8" in said) is runs
    assert ("code was run" in said) is not runs


def test_a_folder_without_a_graded_class_is_refused(toy_copy: Course, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no results of `attend grade`"):
        regrade(toy_copy, tmp_path, GradingOptions(1), yes=False, console=Console())


@pytest.mark.usefixtures("no_code")
@pytest.mark.parametrize("stem", ["zoe", "../../zoe"])
@pytest.mark.parametrize("is_registered", [True, False])
def test_submissions_of_another_class_are_refused(two: Class, stem: str, is_registered: bool) -> None:
    with closing(Store(two.out / NAME)) as store:
        store._base.execute("UPDATE submission SET stem = ? WHERE stem = 'ann'", (stem,))
    if not is_registered:
        (two.out / register.NAME).unlink()
    if is_registered or "/" in stem:
        with pytest.raises(UsageError, match=r"holds another class than class\.json; use `attend grade`"):
            two.regrade(yes=True)
    else:
        assert "nothing would change" not in two.regrade(yes=True)


def test_what_somebody_said_who_has_handed_in_anew_is_forgotten(two: Class) -> None:
    def said() -> int:
        with closing(Store(two.out / NAME)) as store:
            return len(store._all("SELECT DISTINCT source FROM heard"))

    assert said() == 2
    (two.out.parent / "in" / "ben" / f"{CHAPTER}.py").write_text(RIGHT + "# anew\n", encoding="utf-8")
    grade_and_show(two.course, two.out.parent / "in", two.out, GradingOptions(1, seed=7), Console(file=io.StringIO()))
    assert said() == 2


def test_data_that_a_reference_reads_decides_a_verdict_and_no_reply(toy_copy: Course) -> None:
    part = replace(one_chapter("ada", CHAPTER, RIGHT), only=(CHAPTER,))
    data = toy_copy.root / "reference" / "data" / "words.txt.gz"
    data.parent.mkdir()
    verdicts, replies = set[str](), set[str]()
    for words in (b"some", b"other", b"other"):
        data.write_bytes(words)
        found = Digests(toy_copy, Limits(), "full", {CHAPTER: ("double",)})
        verdicts.add(found.verdict(part))
        replies.add(found.replies(part))
    assert (len(verdicts), len(replies)) == (2, 1)


def test_another_solution_decides_a_verdict_as_it_is_lent_and_no_reply(toy_copy: Course) -> None:
    part = replace(one_chapter("ada", CHAPTER, RIGHT), only=(CHAPTER,))
    found = []
    for text in (RIGHT, RIGHT.replace("2 * x", "x * 2")):
        toy_copy.solution(CHAPTER).write_text(text, encoding="utf-8")
        digests = Digests(toy_copy, Limits(), "full", {CHAPTER: ("double",)})
        found.append((digests.verdict(part), digests.replies(part)))
    assert found[0][0] != found[1][0]
    assert found[0][1] == found[1][1]


CODE = """
import sys
from autograder.course.course import Course
from autograder.grading import digests
from autograder.judging.judge import judge
from autograder.sandbox.handles import Template
from autograder.sandbox.target import SandboxTarget
from autograder.core.submission import one_chapter

course = Course.find()
(chapter,) = course.chapters
submission = one_chapter("ada", chapter, course.solution(chapter).read_text(encoding="utf-8"))
with Template(course.root) as template, SandboxTarget(template, submission) as target:
    judge(course, course.exercises, [(submission, target)], 1, lambda result: print(result.score))
names = [name for name in sys.modules if name.partition(".")[0] == "autograder" and name != "autograder"]
loaded = {str(sys.modules[name].__file__) for name in names if not name.startswith("autograder.grading")}
known = {str(path) for start in digests.JUDGES for path in digests._needed(start)}
print(sorted(loaded - known))
"""


def test_all_of_the_engine_that_a_judge_loads_is_part_of_what_decides_a_verdict() -> None:
    score, missing = python("-c", CODE, cwd=TOY).stdout.splitlines()
    assert score.startswith("13")
    assert missing == "[]"


def imported(text: str) -> set[str]:
    """What Python's own parser finds."""
    found = set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.update((str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)))
    return {name for name in found if name.partition(".")[0] == ENGINE.name}


def test_every_import_of_the_engine_is_found_without_parsing() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in ENGINE.rglob("*.py")}
    assert {
        path: imported(text) - {*names(text)} for path, text in texts.items() if imported(text) - {*names(text)}
    } == {}
    assert sum(len(imported(text)) for text in texts.values()) > 1000
