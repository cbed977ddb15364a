"""What `attend build` makes of a chapter's source."""

import json
import re
import shutil
from pathlib import Path

import jupytext
import nbformat
import pytest

from autograder.author.build import build, left_over, stale
from autograder.author.chapter import LessonCell
from autograder.author.notebooks import as_module, as_notebook, as_notebook_text
from autograder.author.proof import proof_record
from autograder.core import figures
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.notebook.magics import MAGICS
from tests.autograder.editing import edit, toy_in

TOY = Path(__file__).parent / "toy"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return toy_in(tmp_path)


def ids(course: Course) -> list[str]:
    notebook = json.loads(course.stub("ch01_toy").with_suffix(".ipynb").read_text(encoding="utf-8"))
    return [cell["id"] for cell in notebook["cells"]]


def test_the_toy_course_is_built() -> None:
    assert stale(Course(TOY)) == []


def test_a_second_build_writes_nothing(course: Course) -> None:
    shutil.rmtree(course.exercises_dir)
    assert [path.name for path in build(course)] == [
        "ch01_toy.py",
        "ch01_toy.ipynb",
        "hints.json",
        "debriefs.json",
        "effort.json",
        "checks.json",
        "README.md",
    ]
    before = {path: path.stat().st_mtime_ns for path in course.exercises_dir.iterdir()}
    assert build(course) == []
    assert {path: path.stat().st_mtime_ns for path in course.exercises_dir.iterdir()} == before


def test_two_builds_give_the_same_bytes(course: Course) -> None:
    before = {path.name: path.read_bytes() for path in course.exercises_dir.iterdir()}
    shutil.rmtree(course.exercises_dir)
    build(course)
    assert {path.name: path.read_bytes() for path in course.exercises_dir.iterdir()} == before


def test_generated_files_end_in_one_newline_and_have_no_carriage_return(course: Course) -> None:
    for path in course.exercises_dir.iterdir():
        data = path.read_bytes()
        assert data.endswith(b"\n")
        assert not data.endswith(b"\n\n")
        assert b"\r" not in data


def test_no_answer_no_hint_and_no_debrief_is_in_the_stub_or_the_notebook(course: Course) -> None:
    source = course.solution("ch01_toy").read_text(encoding="utf-8")
    for suffix in (".py", ".ipynb"):
        text = course.stub("ch01_toy").with_suffix(suffix).read_text(encoding="utf-8")
        secrets = ["SOLUTION", "return 2 * x", "x.shape[-1]", "x * self.weight", "so no loop is needed", "hints="]
        for secret in (*secrets, "debrief=", "twos on its diagonal"):
            assert secret not in text
            assert secret in source


def test_an_answer_becomes_a_todo_that_raises_with_the_name(course: Course) -> None:
    text = course.stub("ch01_toy").read_text(encoding="utf-8")
    assert '    # TODO: double (attend hint double)\n    raise NotImplementedError("double")\n' in text
    assert '        # TODO: Scale (attend hint Scale)\n        raise NotImplementedError("Scale")\n' in text
    namespace: dict[str, object] = {}
    exec(compile(text, "stub", "exec"), namespace)
    with pytest.raises(NotImplementedError, match=r"^double$"):
        namespace["double"](1)  # type: ignore[operator]


def test_the_stub_says_where_to_work_and_stays_a_module_with_a_docstring(course: Course) -> None:
    text = course.stub("ch01_toy").read_text(encoding="utf-8")
    assert "attend start" in text.splitlines()[0]
    assert compile(text, "stub", "exec").co_consts[0].startswith("Chapter 1: ")


def test_the_stub_opens_as_cells_that_know_their_exercise(course: Course) -> None:
    cells = jupytext.reads(course.stub("ch01_toy").read_text(encoding="utf-8"), fmt="py:percent").cells
    assert [cell.metadata["exercise"] for cell in cells if "exercise" in cell.metadata] == [
        "double",
        "mean_and_sum",
        "Scale",
    ]


def test_the_notebook_is_valid_and_ends_with_how_to_check(course: Course) -> None:
    notebook = nbformat.read(course.stub("ch01_toy").with_suffix(".ipynb"), as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    assert "attend check ch01" in notebook.cells[-1].source
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)


@pytest.mark.parametrize("trains", [False, True])
def test_the_end_of_a_notebook_lists_every_magic(trains: bool) -> None:
    end = nbformat.reads(as_notebook_text("ch01_toy", [], trains=trains), as_version=4).cells[-1].source
    assert "attend check ch01" in end
    of_models = {"train", "sample"}
    listed = set(re.findall(r"^\| `%(\w+)", end, re.MULTILINE))
    assert listed == {each.__name__ for each in MAGICS} - (set() if trains else of_models)


def test_exercise_cells_have_the_id_and_metadata_of_their_exercise(course: Course) -> None:
    notebook = nbformat.read(course.stub("ch01_toy").with_suffix(".ipynb"), as_version=4)
    named = {cell.id: dict(cell.metadata) for cell in notebook.cells if "exercise" in cell.metadata}
    assert named == {f"ch01-{name}": {"exercise": name} for name in ("double", "mean_and_sum", "Scale")}


def test_a_cell_below_each_exercise_checks_it_and_the_first_cell_of_code_makes_that_possible(course: Course) -> None:
    notebook = nbformat.read(course.stub("ch01_toy").with_suffix(".ipynb"), as_version=4)
    tools = {cell.id: cell.source for cell in notebook.cells if cell.metadata.get("attend") == "tool"}
    assert tools == {
        "ch01-load": "%load_ext autograder",
        "ch01-double-check": "%check double",
        "ch01-mean_and_sum-check": "%check mean_and_sum",
        "ch01-Scale-check": "%check Scale",
    }
    code = [cell.id for cell in notebook.cells if cell.cell_type == "code"]
    assert code[0] == "ch01-load"
    assert all(code[code.index(name) + 1] == f"{name}-check" for name in ("ch01-double", "ch01-Scale"))
    assert "%" not in course.stub("ch01_toy").read_text(encoding="utf-8").replace("# %%", "")


def test_a_picture_has_a_cell_below_its_prose_that_draws_it_once_the_magics_are_there() -> None:
    prose = LessonCell("markdown", "# One", stub="# One", picture="twos"), LessonCell("markdown", "Two", stub="Two")
    cells = [*prose, LessonCell("code", "x = 2", stub="x = 2")]
    notebook = nbformat.reads(as_notebook_text("ch01_toy", cells), as_version=4)
    assert [cell.source for cell in notebook.cells][:-1] == [
        *("# One", "%load_ext autograder", "%picture twos", "Two", "x = 2")
    ]
    assert "twos" not in as_module("ch01_toy", cells)


def test_a_cell_added_after_one_exercise_changes_no_other_id(course: Course) -> None:
    before = ids(course)
    edit(
        course.solution("ch01_toy"),
        "# %% [markdown]\n# ## Mean",
        "# %% [markdown]\n# A word more.\n\n# %% [markdown]\n# ## Mean",
    )
    build(course)
    assert set(ids(course)) - set(before) == {"ch01-double-after-2"}
    assert set(before) <= set(ids(course))


def test_hints_are_three_each_and_keep_their_code(course: Course) -> None:
    hints = json.loads((course.exercises_dir / "hints.json").read_text(encoding="utf-8"))
    assert list(hints) == ["Scale", "double", "mean_and_sum"]
    assert {len(items) for items in hints.values()} == {3}
    assert hints["mean_and_sum"][1] == "The mean is the sum divided by the size of the axis."
    assert "\n```python\nreturn total / x.shape[-1], total\n```" in hints["mean_and_sum"][2]


def test_debriefs_go_to_a_file_of_their_own_unwrapped(course: Course) -> None:
    said = json.loads((course.exercises_dir / "debriefs.json").read_text(encoding="utf-8"))
    assert list(said) == ["Scale", "ch01_toy", "double"]
    assert said["double"] == (
        "Doubling is one multiplication, and a matrix that doubles has twos on its diagonal. "
        "Read: any book on linear algebra, chapter 1."
    )


def test_a_debrief_left_in_a_students_module_is_no_cell_of_the_notebook(course: Course) -> None:
    text = course.solution("ch01_toy").read_text(encoding="utf-8")
    assert "twos on its diagonal" not in as_notebook(course, "ch01_toy", text)


def test_the_readme_lists_each_chapter_with_its_exercises_and_points(course: Course) -> None:
    text = (course.exercises_dir / "README.md").read_text(encoding="utf-8")
    assert (
        "| [Chapter 1 · Toy](ch01_toy.py) ([notebook](ch01_toy.ipynb)) | `double`, `mean_and_sum`, `Scale` | 13 |"
        in text
    )
    assert "attend start" in text
    assert "attend check ch01" in text


@pytest.mark.parametrize(
    "name", ["ch01_toy.py", "ch01_toy.ipynb", "hints.json", "debriefs.json", "effort.json", "README.md"]
)
def test_a_file_that_is_missing_or_differs_is_stale_until_it_is_built(course: Course, name: str) -> None:
    path = course.exercises_dir / name
    path.write_bytes(path.read_bytes() + b" ")
    assert stale(course) == [(path, "differs from what its source gives")]
    path.unlink()
    assert stale(course) == [(path, "is missing")]
    assert build(course) == [path]
    assert stale(course) == []


def test_files_of_a_chapter_that_is_gone_are_named(course: Course) -> None:
    for name in ("ch09_gone.py", "ch09_gone.ipynb", "chores.txt"):
        (course.exercises_dir / name).write_text("")
    assert [(path.name, reason) for path, reason in stale(course)] == [
        ("ch09_gone.ipynb", "belongs to no chapter: delete it"),
        ("ch09_gone.py", "belongs to no chapter: delete it"),
    ]


def test_what_authors_wrote_of_a_chapter_that_is_gone_is_named_too(course: Course) -> None:
    places = [
        "reference/ch09_gone.py",
        "reference/misconceptions/ch08_gone/double.py",
        "reference/misconceptions/ch09_gone.py",
        "tests/promises/right/ch09_gone/loops.py",
        "tests/promises/equivalent/ch09_gone.toml",
        "tests/promises/right/ch01_toy/loops.py",
        "reference/chores.py",
    ]
    for place in places:
        (course.root / place).parent.mkdir(parents=True, exist_ok=True)
        (course.root / place).write_text("", encoding="utf-8")
    (course.root / "reference" / "misconceptions" / "ch09_old").mkdir()  # with no more than Python's own cache
    assert [path.relative_to(course.root).as_posix() for path, _ in left_over(course)] == [
        "reference/ch09_gone.py",
        "reference/misconceptions/ch08_gone",
        "reference/misconceptions/ch09_gone.py",
        "tests/promises/right/ch09_gone",
        "tests/promises/equivalent/ch09_gone.toml",
    ]


def test_what_was_proven_of_exercises_that_are_gone_is_named_until_something_is_proven_again(course: Course) -> None:
    known = proof_record.ProofRecord(
        {"halve": proof_record.Proof(), "double": proof_record.Proof()},
        {"ch01_toy": proof_record.Gallery(), "ch09_gone": proof_record.Gallery()},
    )
    figures.write(course.root / proof_record.PLACE, known)
    gone = "speaks of halve and ch09_gone, which the course has no more"
    why = f"{gone}: the next `attend prove --mutants` leaves that out"
    assert left_over(course) == [(course.root / proof_record.PLACE, why)]
    proof_record.write(course, proof_record.read(course))
    assert left_over(course) == []


def test_a_comment_that_looks_like_a_shell_command_stays_a_comment(course: Course) -> None:
    edit(
        course.solution("ch01_toy"),
        "import torch\n",
        "# ls of axes, %time and !more\n# !pip is no magic here\nimport torch\n",
    )
    build(course)
    assert "# ls of axes, %time and !more\n# !pip is no magic here\n" in course.stub("ch01_toy").read_text(
        encoding="utf-8"
    )


def test_nothing_is_built_in_a_working_copy(course: Course) -> None:
    (course.root / "attend.toml").write_text('kind = "copy"\n')
    with pytest.raises(UsageError, match="working copy"):
        build(Course(course.root))


def test_a_filled_in_module_becomes_a_notebook_with_the_ids_of_the_stub(course: Course) -> None:
    filled = (
        course.stub("ch01_toy")
        .read_text(encoding="utf-8")
        .replace('raise NotImplementedError("double")', "return x + x")
    )
    notebook = nbformat.reads(as_notebook(course, "ch01_toy", filled), as_version=4)
    assert [cell.id for cell in notebook.cells] == ids(course)
    [double] = [cell for cell in notebook.cells if cell.metadata.get("exercise") == "double"]
    assert double.source.endswith("return x + x")


def test_a_solution_becomes_a_notebook_with_the_same_ids_and_without_hints(course: Course) -> None:
    text = as_notebook(course, "ch01_toy", course.solution("ch01_toy").read_text(encoding="utf-8"))
    assert [cell["id"] for cell in json.loads(text)["cells"]] == ids(course)
    assert "so no loop is needed" not in text


def test_the_stub_keeps_the_blank_lines_of_its_source(course: Course) -> None:
    for blank in ("\n", "\n\n", "\n\n\n"):
        source = course.solution("ch01_toy")
        text = source.read_text(encoding="utf-8")
        head, rest = text.split("from torch import nn\n")
        source.write_text(head + "from torch import nn\n" + blank + rest.lstrip("\n"), encoding="utf-8")
        build(course)
        stub = course.stub("ch01_toy").read_text(encoding="utf-8")
        assert "from torch import nn\n" + blank + "# %% [markdown]\n# ## Doubling" in stub
