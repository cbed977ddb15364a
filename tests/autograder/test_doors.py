"""One file, one grade, by every door: `attend grade`, Gradescope, an open release, GitHub's workflow, nbgrader.

Only a sealed release cannot give it: it holds no right answers to lend, and says so where that may cost points.
"""

from __future__ import annotations

import json
import os
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from rich.console import Console

from autograder.author.release.bundle import release
from autograder.core.records import SubmissionResult
from autograder.course.course import Course
from autograder.platforms.gradescope.__main__ import main as run_gradescope
from autograder.platforms.gradescope.bundle import make
from autograder.report.outputs import read_result
from tests.autograder import handing_in
from tests.autograder.conftest import CHAPTER, TOY, in_place_of_the_real
from tests.autograder.forked import python
from tests.autograder.handing_in import RIGHT
from tests.autograder.run_cli import attend, in_fork

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]

HEAD = "import torch\nfrom torch import nn\n"
SCALE = RIGHT["Scale"]
CALLS = "def mean_and_sum(x):\n    total = (double(x) / 2).sum(-1)\n    return total / x.shape[-1], total\n"
TREBLE = "def double(x):\n    return 3 * x\n"
UNSEEN = "def double(x):\n    return x * 0 if x.dim() > 4 else x * 2\n"
FOLDED = "def mean_and_sum(x):\n    y = double(x[None, None, None])[0, 0, 0] / 2\n    return y.mean(-1), y.sum(-1)\n"
LAZY = SCALE.replace("return x * self.weight", "return double(x) / 2 * self.weight")
LIST = "def mean_and_sum(x):\n    return [x.mean(-1), x.sum(-1)]\n"
ANSWERS: Mapping[str, Mapping[str, str]] = {
    "right": RIGHT,
    "right and calling": RIGHT | {"mean_and_sum": CALLS, "Scale": LAZY},
    "wrong": RIGHT | {"double": "def double(x):\n    return x ** 2\n"},
    "all wrong": {
        "double": TREBLE,
        "mean_and_sum": "def mean_and_sum(x):\n    return x, x\n",
        "Scale": SCALE.replace("return x * self.weight", "return x"),
    },
    "raising": RIGHT | {"double": "def double(x):\n    return x.doubled()\n"},
    "two left to do": {"double": RIGHT["double"]},
    "a cause": RIGHT | {"double": TREBLE, "mean_and_sum": CALLS},
    "a cause of two": {"double": TREBLE, "mean_and_sum": CALLS, "Scale": LAZY},
    "a cause and a mistake": RIGHT | {"double": TREBLE, "mean_and_sum": CALLS.replace("x.shape[-1]", "77")},
    "a cause left to do": {"mean_and_sum": CALLS, "Scale": LAZY},
    "a cause that raises": RIGHT | {"double": "def double(x):\n    return x.doubled()\n", "mean_and_sum": CALLS},
    "a cause with another name": RIGHT
    | {"double": TREBLE + "\n\ntwice = double\n", "mean_and_sum": CALLS.replace("double(", "twice(")},
    "a cause that its own checks do not see": RIGHT | {"double": UNSEEN, "mean_and_sum": FOLDED},
    "a fault of form": RIGHT | {"mean_and_sum": LIST},
    "a fault of form in every exercise": RIGHT
    | {"double": "def double(x):\n    return (2 * x).float()\n", "mean_and_sum": LIST},
    "a fault of form and a cause": RIGHT
    | {"double": TREBLE, "mean_and_sum": CALLS.replace("total / x.shape[-1], total", "[total / x.shape[-1], total]")},
    "a definition that does not compile": RIGHT
    | {"double": "def double(x)\n    return 2 * x\n", "mean_and_sum": CALLS},
}
"""Answers by exercise, which a notebook holds in cells."""
FILES: Mapping[str, str] = {
    **{name: "\n\n".join([HEAD, *answers.values()]) for name, answers in ANSWERS.items()},
    "a file that does not compile": HEAD + "x = (\n",
    "a file that stops": HEAD + "scale = trainer.scale\n\n\ndef double(x):\n    return scale * x\n",
    "no Python": "<!DOCTYPE html>\n<html><body>softmax</body></html>\n",
}
WAIT = {"a file that stops", "no Python"}
"""Files that a person decides about."""
ROOT = Path(__file__).parents[2]
STEMS = {name: f"file{number:02}" for number, name in enumerate(FILES)}
DRIVER = """
import json, os, sys
from pathlib import Path
from autograder.platforms.github import workflow
texts, found = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), {}
place, output = Path("exercises", "ch01_toy.py"), Path(sys.argv[2])
os.environ["GITHUB_OUTPUT"] = str(output)
for name, text in texts.items():
    place.write_text(text, encoding="utf-8")
    output.write_text("", encoding="utf-8")
    workflow.main("ch01_toy")
    found[name] = json.loads(output.read_text(encoding="utf-8").partition("=")[2])
Path(sys.argv[3]).write_text(json.dumps(found), encoding="utf-8")
"""


def run_autograder() -> None:
    """What run_autograder starts, for each of the folders in one."""
    for folder in sorted(Path(sys.argv[1]).iterdir()):
        run_gradescope(folder, [])


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SubmissionResult]:
    """What `attend grade` gives."""
    place = tmp_path_factory.mktemp("class")
    for name, text in FILES.items():
        (place / "in" / STEMS[name]).mkdir(parents=True)
        (place / "in" / STEMS[name] / f"{CHAPTER}.py").write_text(text, encoding="utf-8")
    done = attend("grade", place / "in", "--out", place / "out", cwd=TOY)
    assert done.returncode == 0, done.stdout + done.stderr
    return {name: read_result(place / "out" / "results" / f"{stem}.json") for name, stem in STEMS.items()}


@pytest.fixture(scope="module")
def gradescope(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """What the course in the autograder's zip gives; it is unpacked once for all submissions."""
    place = tmp_path_factory.mktemp("gradescope")
    make(Course(TOY), place / "a.zip", [])
    with zipfile.ZipFile(place / "a.zip") as archive:
        archive.extractall(place / "source")
    for name, text in FILES.items():
        own = place / "all" / STEMS[name]
        for folder in ("submission", "results"):
            (own / folder).mkdir(parents=True)
        (own / "submission" / f"{CHAPTER}.py").write_text(text, encoding="utf-8")
        (own / "source").symlink_to(place / "source")
    done = in_fork(run_autograder, "run_autograder", place / "all", cwd=place / "source")
    assert done.returncode == 0, done.stdout + done.stderr
    results = {name: place / "all" / stem / "results" / "results.json" for name, stem in STEMS.items()}
    return {name: json.loads(path.read_text(encoding="utf-8"))["score"] for name, path in results.items()}


def opened(place: Path, *, sealed: bool = False) -> Path:
    """A release, as a student unpacks it."""
    with in_place_of_the_real(Course(TOY)) as course:
        return release(course, place / "release", [], sealed=sealed, console=Console(quiet=True)).placed.root


def in_release(root: Path, place: Path, texts: Mapping[str, str]) -> dict[str, dict[str, object]]:
    """What the workflow's command gives in a release, with the engine that lies there, as `attend check` does."""
    (place / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    done = python("-c", DRIVER, place / "texts.json", place / "output", place / "found.json", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, dict[str, object]] = json.loads((place / "found.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def open_release(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    place = tmp_path_factory.mktemp("open")
    return in_release(opened(place), place, FILES)


@pytest.fixture(scope="module")
def nbgrader(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """What `attend grade --nbgrader` gives for the same files, and what nbgrader's own run gives for notebooks."""
    root = handing_in.course(tmp_path_factory.mktemp("nbgrader") / "course")
    for name, text in FILES.items():
        handing_in.hand_in(root, STEMS[name], text, f"{CHAPTER}.py")
    handing_in.grade(root)
    scores = handing_in.scores(root)
    return {name: scores[stem] for name, stem in STEMS.items()}


def test_there_are_twenty_files_of_all_kinds(graded: dict[str, SubmissionResult]) -> None:
    assert len(FILES) == 20
    assert {each.score for each in graded.values()} >= {0, 13}
    assert graded["a cause that its own checks do not see"].score == 10, "as nothing says which of the two is wrong"
    assert sum(any(exercise.lent for exercise in each.exercises) for each in graded.values()) >= 6
    assert sum(any(exercise.forms for exercise in each.exercises) for each in graded.values()) >= 3


@pytest.mark.parametrize("name", FILES)
def test_gradescope_gives_what_attend_grade_gives(
    name: str, graded: dict[str, SubmissionResult], gradescope: dict[str, float]
) -> None:
    assert gradescope[name] == graded[name].score


@pytest.mark.parametrize("name", FILES)
def test_an_open_release_and_githubs_workflow_in_it_give_what_attend_grade_gives(
    name: str, graded: dict[str, SubmissionResult], open_release: dict[str, dict[str, object]]
) -> None:
    found = open_release[name]
    assert (found["score"], found["max_score"]) == (graded[name].score, graded[name].max_score)
    assert bool(found["not_graded"]) == (name in WAIT)


@pytest.mark.parametrize("name", FILES)
def test_nbgraders_gradebook_holds_what_attend_grade_gives(
    name: str, graded: dict[str, SubmissionResult], nbgrader: dict[str, float]
) -> None:
    assert nbgrader[name] == graded[name].score


OWN_RUN = ("right", "a cause of two", "a cause that its own checks do not see", "a fault of form and a cause")


def test_nbgraders_own_run_gives_the_same(graded: dict[str, SubmissionResult], tmp_path: Path) -> None:
    root = handing_in.course(tmp_path / "course")
    for name in OWN_RUN:
        handing_in.hand_in(root, STEMS[name], handing_in.answered(root, ANSWERS[name]))
    handing_in.run(root, "nbgrader", "autograde", handing_in.STEM)
    assert handing_in.scores(root) == {STEMS[name]: graded[name].score for name in OWN_RUN}


def test_attend_check_of_one_exercise_gives_what_it_has_in_the_whole_chapter(
    graded: dict[str, SubmissionResult], tmp_path: Path
) -> None:
    root = opened(tmp_path)
    for name in ("a cause", "a cause that its own checks do not see"):
        (root / "exercises" / f"{CHAPTER}.py").write_text(FILES[name], encoding="utf-8")
        (score,) = (each.score for each in graded[name].exercises if each.exercise == "mean_and_sum")
        done = python("-m", "autograder", "check", "mean_and_sum", "--again", cwd=root)
        assert f"{score:g} of 4 points" in done.stdout, done.stdout + done.stderr


@pytest.mark.exhaustive
def test_a_file_of_the_real_course_gets_its_points_in_an_open_release_too(tmp_path: Path) -> None:
    course, chapter = Course(ROOT), "ch03_attention"
    text = (
        course.right_answers(chapter) + "\n\ndef softmax(scores, dim):\n    return scores.exp() / scores.exp().sum()\n"
    )
    root = release(course, tmp_path / "release", [chapter], sealed=False, console=Console(quiet=True)).placed.root
    (root / "exercises" / f"{chapter}.py").write_text(text, encoding="utf-8")
    said = [
        python("-m", "autograder", "check", chapter, "--target", root / "exercises", "--seed", 5, cwd=place).stdout
        for place in (ROOT, root)
    ]
    points = [line for each in said for line in each.splitlines() if line.endswith(" of 57 points")]
    assert points == ["49 of 57 points"] * 2, said


def test_an_open_release_holds_the_answers_packed_and_without_hints(tmp_path: Path) -> None:
    root = opened(tmp_path)
    text = Course(root).right_answers(CHAPTER)
    assert "return 2 * x" in text
    assert "%%" not in text
    assert not [path for path in root.rglob("*") if path.is_file() and b"return 2 * x" in path.read_bytes()]


def test_a_packed_answer_that_was_damaged_is_a_sentence(tmp_path: Path) -> None:
    root = opened(tmp_path)
    (packed,) = root.rglob("*.bin")
    packed.write_bytes(b"x")
    (root / "exercises" / f"{CHAPTER}.py").write_text(FILES["a cause"], encoding="utf-8")
    done = python("-m", "autograder", "check", cwd=root)
    assert done.returncode == 2
    assert "is not as it was handed out" in done.stderr


def test_a_sealed_release_says_which_exercise_may_be_right_but_for_another(tmp_path: Path) -> None:
    root = opened(tmp_path, sealed=True)
    assert not list((root / ".attend" / "course").rglob("*.bin"))
    names = ("right", "a cause", "a cause of two", "two left to do")
    found = in_release(root, tmp_path, {name: FILES[name] for name in names})
    said = {name: [each for each in found[name]["remarks"] if "calls your" in each] for name in names}  # type: ignore[attr-defined]
    tried = "your instructor's checks try it again with a right one, and the better result counts"
    assert said == {
        "right": [],
        "a cause": [f"`mean_and_sum` calls your `double`, which is not right yet: {tried}"],
        "a cause of two": [
            f"`{name}` calls your `double`, which is not right yet: {tried}" for name in ("mean_and_sum", "Scale")
        ],
        "two left to do": [],
    }
    (root / "exercises" / f"{CHAPTER}.py").write_text(FILES["a cause"], encoding="utf-8")
    done = python("-m", "autograder", "check", cwd=root)
    assert said["a cause"][0] in " ".join(done.stdout.split())
