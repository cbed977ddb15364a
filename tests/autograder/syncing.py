"""A working copy of the toy course, edited as a student would and synced."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.course.course import Course
from autograder.student.sync import sync

TOY = Path(__file__).parent / "toy"
SOLUTION = (TOY / "solutions" / "ch01_toy.py").read_text(encoding="utf-8")
STUB = (TOY / "exercises" / "ch01_toy.py").read_text(encoding="utf-8")
TODO = '    # TODO: double (attend hint double)\n    raise NotImplementedError("double")'
PLOT = {"output_type": "stream", "name": "stdout", "text": ["tensor(6)\n"]}


@dataclass
class Work:
    """A working copy of the toy course."""

    course: Course

    @property
    def module(self) -> Path:
        return self.course.exercises_dir / "ch01_toy.py"

    @property
    def notebook(self) -> Path:
        return self.course.exercises_dir / "ch01_toy.ipynb"

    @property
    def kept(self) -> list[Path]:
        return sorted((self.course.root / ".attend" / "replaced").glob("*"))

    def sync(self, source: str | None = None, *, yes: bool = False, expect: int = 0) -> str:
        """What it said."""
        said = io.StringIO()
        status = sync(self.course, [], source, yes=yes, console=Console(file=said, width=200))
        assert status == expect, said.getvalue()
        return said.getvalue()

    def contents(self) -> tuple[bytes, bytes]:
        return self.module.read_bytes(), self.notebook.read_bytes()

    def answer(self, text: str) -> None:
        """Answer the first exercise in the module."""
        self.module.write_text(STUB.replace(TODO, f"    {text}"), encoding="utf-8")

    def cells(self) -> list[dict[str, Any]]:
        cells: list[dict[str, Any]] = json.loads(self.notebook.read_text(encoding="utf-8"))["cells"]
        return cells

    def cell(self, identifier: str) -> dict[str, Any]:
        return next(cell for cell in self.cells() if cell["id"] == identifier)

    def edit(self, change: Callable[[list[dict[str, Any]]], None]) -> None:
        """Change the notebook's cells, as in Jupyter."""
        content = json.loads(self.notebook.read_text(encoding="utf-8"))
        change(content["cells"])
        self.notebook.write_text(json.dumps(content), encoding="utf-8")

    def answer_cell(self, text: str) -> None:
        """Answer the first exercise in the notebook, and run it."""

        def change(cells: list[dict[str, Any]]) -> None:
            for cell in cells:
                if cell["id"] == "ch01-double":
                    source = "".join(cell["source"]).replace(TODO, f"    {text}")
                    cell |= {"source": source, "outputs": [PLOT], "execution_count": 3}

        self.edit(change)


def code(source: str, **metadata: Any) -> dict[str, Any]:
    """A cell a student adds."""
    return {
        "cell_type": "code",
        "id": f"own-{abs(hash(source)) % 10**6}",
        "metadata": metadata,
        "source": source,
        "outputs": [PLOT],
        "execution_count": 1,
    }
