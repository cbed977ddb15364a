"""`attend sync`: both forms of a chapter are the same work; what one says comes into the other, and nothing more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograder.course.course import Course
from autograder.intake.submissions import read_folder
from autograder.student.start import start
from tests.autograder.syncing import PLOT, SOLUTION, STUB, TODO, TOY, Work, code


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work(Course(start(Course(TOY), tmp_path / "mine").root))


def test_an_untouched_copy_needs_nothing(work: Work) -> None:
    before = work.contents()
    assert "1 of 1 chapters needed nothing" in work.sync()
    assert work.contents() == before
    assert work.kept == []


def test_an_answer_in_the_module_comes_into_the_notebook_and_nothing_else_changes(work: Work) -> None:
    before = work.cells()
    work.answer("return x + x")
    assert "ch01_toy.ipynb written from ch01_toy.py (double)" in work.sync()
    changed = [(old, new) for old, new in zip(before, work.cells(), strict=True) if old != new]
    assert [new["id"] for _, new in changed] == ["ch01-double"]
    assert "".join(changed[0][1]["source"]).endswith("    return x + x")
    assert work.kept == []  # a stub is nothing of the student's


def test_an_answer_in_the_notebook_comes_into_the_module_and_nothing_else_changes(work: Work) -> None:
    work.answer_cell("return x + x")
    notebook = work.notebook.read_bytes()
    assert "ch01_toy.py written from ch01_toy.ipynb (double)" in work.sync()
    assert work.contents() == (STUB.replace(TODO, "    return x + x").encode(), notebook)


@pytest.mark.parametrize(
    "text",
    [
        SOLUTION,
        STUB.replace(TODO, "    return 2 * x\n\n\n\n# %% Mine\nprint(double(1))\n\n# %%\n# only words\nx = 3"),
        STUB.replace("# %% exercise=", '# %% tags=["a"] exercise=').replace(
            TODO, '    return """\n# %%\n""" and 2 * x'
        ),
        STUB.replace(TODO, "    return 2 * x\n\n\n\n# %%\nimport math  # for later"),
    ],
    ids=["solution", "own cells", "own headers", "an import that nothing uses"],
)
def test_from_module_to_notebook_and_back_is_the_same_text(work: Work, text: str) -> None:
    work.module.write_text(text, encoding="utf-8")
    work.sync()
    work.edit(lambda cells: cells.insert(1, {"cell_type": "markdown", "id": "new", "metadata": {}, "source": "Mine."}))
    work.sync()
    assert "\n# Mine.\n" in work.module.read_text(encoding="utf-8")
    work.edit(lambda cells: cells.pop(1))  # type: ignore[arg-type, return-value]
    work.sync()
    assert work.module.read_text(encoding="utf-8") == text


def test_code_that_was_written_below_words_is_code_in_the_notebook_too(work: Work) -> None:
    helper = "def helper(x):\n    return x"
    work.module.write_text(
        STUB.replace("returned as a tuple.\n", f"returned as a tuple.\n\n{helper}\n"), encoding="utf-8"
    )
    work.sync()
    assert [cell["cell_type"] for cell in work.cells() if "".join(cell["source"]) == helper] == ["code"]
    work.answer_cell("return x + x")
    work.sync()
    assert f"\n{helper}\n" in work.module.read_text(encoding="utf-8")


def test_a_module_without_cells_is_one_cell_of_the_notebook(work: Work) -> None:
    work.module.write_text(
        "import torch\n\n\ndef double(x):\n    return 2 * x\n\n\nprint(double(2))\n", encoding="utf-8"
    )
    work.sync()
    assert "print(double(2))" in "".join(work.cell("ch01-double")["source"])
    assert "needed nothing" in work.sync()


def test_from_notebook_to_module_and_back_is_the_same_cells(work: Work) -> None:
    work.answer_cell("return x + x")
    work.edit(lambda cells: cells.append(code("def helper(x):\n    return x")))
    work.sync()
    before = [(cell["cell_type"], "".join(cell["source"])) for cell in work.cells()]
    work.notebook.unlink()
    work.sync()
    assert sorted((cell["cell_type"], "".join(cell["source"])) for cell in work.cells()) == sorted(before)
    assert work.cell("ch01-double")["metadata"] == {"exercise": "double"}
    work.sync()
    assert work.contents()[0].decode().count("def helper") == 1


def test_outputs_ids_and_cells_that_only_a_notebook_has_are_kept(work: Work) -> None:
    work.answer_cell("return x + x")
    work.edit(lambda cells: cells.insert(4, code("%check double", attend="tool")))
    work.edit(lambda cells: cells.insert(5, code("double(torch.ones(3))")))
    work.edit(lambda cells: cells.insert(6, {"cell_type": "raw", "id": "raw", "metadata": {}, "source": "raw"}))
    work.sync()
    before = {cell["id"]: cell for cell in work.cells()}
    text = (
        work.module.read_text(encoding="utf-8")
        .replace("x.mean", "x.mean")
        .replace(
            '    # TODO: mean_and_sum (attend hint mean_and_sum)\n    raise NotImplementedError("mean_and_sum")',
            "    return x.mean(-1), x.sum(-1)",
        )
    )
    work.module.write_text(text, encoding="utf-8")
    work.sync()
    after = {cell["id"]: cell for cell in work.cells()}
    assert list(before) == list(after)
    assert [name for name in before if before[name] != after[name]] == ["ch01-mean_and_sum"]
    assert after["ch01-double"]["outputs"] == [PLOT]


def test_the_output_of_an_answer_that_changed_goes(work: Work) -> None:
    work.answer_cell("return x + x")
    work.sync()
    work.answer("return 2 * x")
    work.sync()
    assert (work.cell("ch01-double")["outputs"], work.cell("ch01-double")["execution_count"]) == ([], None)


def test_tools_magics_and_experiments_stay_out_of_the_module(work: Work) -> None:
    tried = [
        code("%load_ext autograder", attend="tool"),
        code("%check double", attend="tool"),
        code("!pip list\n%matplotlib inline\nimport statistics\nprint(statistics.mean([double(1)]))"),
        code("import math\nHALF = math.pi / 2\ndef helper(x):\n    return HALF * x"),
        code("%%bash\nls"),
        code("losses = [double(i) for i in range(3)]"),
        code("this is no Python"),
    ]
    work.answer_cell("return FACTOR * helper(x)")
    work.edit(lambda cells: cells.insert(3, code("FACTOR = 2  # used below")))
    work.edit(lambda cells: cells.extend(tried))
    work.sync()
    text = work.module.read_text(encoding="utf-8")
    for word in (
        "load_ext",
        "pip",
        "matplotlib",
        "print(",
        "ls",
        "losses",
        "no Python",
        "statistics",
        "Check your answers",
    ):
        assert word not in text, word
    assert "\nFACTOR = 2  # used below\n" in text
    assert "\nimport math\n" in text


def test_an_answer_counts_wherever_in_the_notebook_it_was_written(work: Work) -> None:
    for attend in ({}, {"attend": "tool"}):
        work.edit(lambda cells, mark=attend: cells.insert(2, code("def double(x):\n    return x + x", **mark)))
        work.sync()
        text = work.module.read_text(encoding="utf-8")
        assert "return x + x" in text
        assert "TODO: double" not in text  # the stub would come after it
        work.edit(lambda cells: cells.pop(2))  # type: ignore[arg-type, return-value]
        work.sync(yes=True)


def test_a_test_cell_of_nbgraders_stays_where_it_is(work: Work) -> None:
    marks = {"grade": True, "solution": False, "grade_id": "check-double", "points": 5}
    work.edit(lambda cells: cells.insert(2, code("import statistics", nbgrader=marks)))
    work.answer_cell("return x + x")
    work.sync()
    assert work.module.read_text(encoding="utf-8") == STUB.replace(TODO, "    return x + x")
    work.answer("return 2 * x")
    work.sync()
    assert work.cells()[2]["metadata"] == {"nbgrader": marks}


def test_what_is_graded_is_the_same_before_and_after(work: Work) -> None:
    work.answer_cell("return FACTOR * x")
    work.edit(lambda cells: cells.insert(3, code("FACTOR = 2\nprint(FACTOR)\nraise SystemExit")))
    assert read_folder(work.course.exercises_dir, work.course).chapters["ch01_toy"].origin.endswith("ch01_toy.ipynb")
    work.sync()
    source = read_folder(work.course.exercises_dir, work.course).chapters["ch01_toy"]
    assert source.origin.endswith("ch01_toy.py")
    names: dict[str, Any] = {}
    exec(source.text, names)  # our own text
    assert names["double"](2) == 4
