"""An exercise without a proof is a draft: it builds and is graded, and every page says that it is one."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner

from autograder.author.build import build
from autograder.author.chapter import read_all
from autograder.author.coverage import coverage
from autograder.author.proof import proof_record
from autograder.author.proof.drafts import drafts
from autograder.author.proof.right_answers import FOLDER
from autograder.author.release.audit import audit
from autograder.author.release.bundle import release
from autograder.commands.cli import app
from autograder.course.course import Course
from autograder.student.map import show_map
from autograder.student.start import start
from tests.autograder.class_of_two import grade_two
from tests.autograder.conftest import CHAPTER, TOY, grade_in
from tests.autograder.editing import edit

pytestmark = pytest.mark.usefixtures("warm")

Attend = Callable[..., str]
LINE = "draft, checks not proven yet: double"


@pytest.fixture
def attend(monkeypatch: pytest.MonkeyPatch) -> Attend:
    """What a command says, as words."""

    def run(root: Path, *words: str) -> str:
        monkeypatch.chdir(root)
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        return " ".join(done.output.split())

    return run


@pytest.fixture
def course(toy_copy: Course) -> Course:
    """In which `double` is a draft."""
    unprove(toy_copy, "double")
    build(toy_copy)
    return toy_copy


def unprove(course: Course, name: str) -> None:
    proven = proof_record.read(course)
    del proven.exercises[name]
    proof_record.write(course, proven)


def told(course: Course) -> list[str]:
    return [draft.text() for draft in drafts(course)]


def test_the_toy_course_has_no_drafts() -> None:
    assert drafts(Course(TOY)) == []


def test_an_exercise_without_mutants_is_a_draft(course: Course) -> None:
    assert told(course) == ["draft: double (no proof yet: attend prove double --mutants)"]


def test_an_exercise_without_a_gallery_is_a_draft(toy_copy: Course) -> None:
    others = proof_record.Gallery(exercises=("mean_and_sum", "Scale"))
    proof_record.write(toy_copy, proof_record.ProofRecord(proof_record.read(toy_copy).exercises, {CHAPTER: others}))
    assert told(toy_copy) == ["draft: double (no proof yet: attend prove double --gallery)"]


def test_a_draft_says_how_many_right_answers_it_has_where_they_are_few(course: Course) -> None:
    (course.root / FOLDER / CHAPTER / "double.py").write_text("def double(x):\n    return x + x\n", encoding="utf-8")
    assert told(course) == ["draft: double (1 of 3 right answers, no proof yet: attend prove double --mutants)"]


def test_without_a_record_all_exercises_are_drafts_and_the_table_says_so(toy_copy: Course) -> None:
    (toy_copy.root / proof_record.PLACE).unlink()
    assert [draft.exercise for draft in drafts(toy_copy)] == [*toy_copy.exercises]
    page = coverage(toy_copy, read_all(toy_copy))
    assert "Proven: 0 of 3 exercises. Drafts: `double`, `mean_and_sum`, `Scale`." in page


def test_a_proof_that_is_out_of_date_makes_no_draft(toy_copy: Course) -> None:
    edit(toy_copy.suite(CHAPTER), 'agree(draw("B T D"))', 'agree(draw("T D"))')
    assert drafts(toy_copy) == []
    double = toy_copy.exercises[0]
    assert proof_record.read(toy_copy).exercises["double"].of != proof_record.digest(toy_copy, double)


@pytest.mark.parametrize("lacking", [{"survived": 2}, {"idle": ("test_twice",)}])
def test_a_proof_that_failed_makes_a_draft(toy_copy: Course, lacking: dict[str, Any]) -> None:
    proven = proof_record.read(toy_copy)
    proven.exercises["double"] = msgspec.structs.replace(proven.exercises["double"], **lacking)
    proof_record.write(toy_copy, proven)
    assert told(toy_copy) == ["draft: double (its proof failed: attend prove double --mutants)"]


def proven_today(course: Course) -> None:
    proven = proof_record.read(course)
    for each in course.exercises:
        proof = proven.exercises[each.name]
        proven.exercises[each.name] = msgspec.structs.replace(proof, of=proof_record.digest(course, each))
    gallery = proven.galleries[CHAPTER]
    of = proof_record.gallery_digest(course, CHAPTER, gallery.exercises)
    proof_record.write(course, proven.with_gallery(CHAPTER, msgspec.structs.replace(gallery, of=of)))


OLD = "proven before the last change"


def test_what_has_changed_since_its_proof_is_told_before_it_is_handed_out(
    attend: Attend, toy_copy: Course, tmp_path: Path
) -> None:
    proven_today(toy_copy)
    build(toy_copy)
    assert OLD not in attend(toy_copy.root, "build", "--check")
    assert OLD not in attend(toy_copy.root, "release", str(tmp_path / "before"))
    edit(toy_copy.suite(CHAPTER), 'agree(draw("B T D"))', 'agree(draw("T D"))')
    build(toy_copy)
    for said in (attend(toy_copy.root, "build", "--check"), attend(toy_copy.root, "release", str(tmp_path / "after"))):
        assert f"{OLD}: double (attend prove double --mutants)" in said
        assert f"{OLD}: {CHAPTER} (attend prove {CHAPTER} --gallery)" in said


def test_a_draft_is_graded(course: Course) -> None:
    result = grade_in(course, course.solution(CHAPTER).read_text(encoding="utf-8"))
    assert result.score == result.max_score == 13


def test_build_names_drafts_and_what_proves_them(attend: Attend, course: Course) -> None:
    line = "draft: double (no proof yet: attend prove double --mutants)"
    assert attend(course.root, "build") == f"everything is up to date {line}"
    assert line in attend(course.root, "build", "--check")


def test_the_table_of_coverage_marks_a_draft(course: Course) -> None:
    page = coverage(course, read_all(course))
    assert "Proven: 2 of 3 exercises. Drafts: `double`." in page
    assert [row.split(" | ")[0] for row in page.splitlines() if row.startswith("| `")] == [
        "| `double` (draft)",
        "| `mean_and_sum`",
        "| `Scale`",
    ]


def test_the_list_marks_a_draft_for_people_and_programs(attend: Attend, course: Course) -> None:
    assert "double 5 4 5 ●○○ draft" in attend(course.root, "list")
    rows = json.loads(attend(course.root, "list", "--json"))
    assert [row["draft"] for row in rows] == [True, False, False]


def test_the_map_of_a_working_copy_names_drafts_until_they_are_proven(course: Course, tmp_path: Path) -> None:
    for unproven in (True, False):
        said = Console(file=io.StringIO(), width=100)
        show_map(Course(start(course, tmp_path / f"copy {unproven}").root), said)
        assert (LINE in said.file.getvalue()) is unproven  # type: ignore[attr-defined]
        (course.root / proof_record.PLACE).write_bytes((TOY / proof_record.PLACE).read_bytes())
        build(course)


@pytest.mark.parametrize("sealed", [False, True])
def test_a_release_with_drafts_warns_of_them(course: Course, tmp_path: Path, sealed: bool) -> None:
    made = release(course, tmp_path / "out", [], sealed=sealed, console=Console(quiet=True))
    assert f"{LINE}; `attend build` says what is missing" in made.text()


def test_a_release_without_drafts_says_nothing_of_them(toy_copy: Course, tmp_path: Path) -> None:
    made = release(toy_copy, tmp_path / "out", [], sealed=False, console=Console(quiet=True))
    assert "draft" not in made.text().replace(str(tmp_path), "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")
def test_the_audit_of_a_release_names_drafts(course: Course, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as archive:
        archive.writestr("out/README.md", "nothing\n")
    said = audit(course, tmp_path / "out.zip", Console(quiet=True)).text()
    assert said.splitlines()[-1] == LINE


@pytest.mark.parametrize("unproven", ["", "double"])
def test_the_class_report_names_the_drafts_that_were_graded(toy_copy: Course, tmp_path: Path, unproven: str) -> None:
    if unproven:
        unprove(toy_copy, unproven)
    build(toy_copy)
    grade_two(toy_copy, tmp_path)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert ("Draft: <code>double</code>.</strong>" in page) is ("Draft:" in page) is bool(unproven)
