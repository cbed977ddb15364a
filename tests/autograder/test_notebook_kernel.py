"""%check in a real kernel."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER
from tests.autograder.test_notebook_check import NAMED, SQUARED, Tags


def executed(course: Course, tmp_path: Path, **sources: str) -> list[Any]:
    """The outputs of the toy notebook's cells, executed by a real kernel with these sources."""
    notebook = nbformat.read(course.stub(CHAPTER).with_suffix(".ipynb"), as_version=4)
    for cell in notebook.cells:
        cell.source = sources.get(cell.id.replace("-", "_"), cell.source)
    places = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    environment = os.environ | places | {"IPYTHONDIR": str(tmp_path / "ipython"), "OMP_NUM_THREADS": "1"}
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(course.exercises_dir)}})
    client.execute(env=environment)
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def test_a_real_kernel_shows_the_page_below_the_answer_and_writes_nothing_else(
    toy_copy: Course, tmp_path: Path
) -> None:
    own_debugger = "    assert not pdb.set_trace.__module__.startswith('_pytest')"
    again = f"import pdb\ndef double(x):\n{own_debugger}\n    return 2 * x\n%check double"
    sources = {"ch01_double": SQUARED, "ch01_mean_and_sum_check": "%check ch01", "ch01_Scale_check": again}
    outputs = executed(toy_copy, tmp_path, **sources)
    assert [output.output_type for output in outputs] == ["display_data"] * 3
    wrong, chapter, mended = (output.data for output in outputs)
    assert NAMED in Tags(wrong["text/html"]).words
    assert wrong["text/html"].count("<svg") == 2
    assert "2 of 13 points" in Tags(chapter["text/html"]).words
    assert "mean_and_sum  0/4  still to do" in chapter["text/plain"]
    assert "✓ double  5/5" in mended["text/plain"]
