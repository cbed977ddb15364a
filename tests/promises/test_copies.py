"""What a student's own copy promises: it knows the mistakes, though it holds neither reference nor solutions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from autograder.student.start import start
from tests.promises.world import COURSE

WRONG = """import torch


def causal_mask(length, past=0):
    return torch.ones(length, past + length).tril(past) == 0
"""


def test_a_mistake_is_named_in_a_copy_that_has_no_reference(tmp_path: Path) -> None:
    copy = tmp_path / "mine"
    start(COURSE, copy)
    assert not (copy / "reference").exists()
    (copy / "exercises" / "ch04_masking.py").write_text(WRONG, encoding="utf-8")
    command = [sys.executable, "-m", "autograder", "check", "causal_mask"]
    run = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    known = next(each for each in COURSE.misconceptions("ch04_masking") if each.identifier == "causal-mask-inverted")
    assert known.says.split(":")[0] in " ".join(run.stdout.split()), run.stdout
    assert "grader_error" not in run.stdout


def test_every_file_that_a_lesson_or_a_page_links_to_is_in_the_copy(tmp_path: Path) -> None:
    start(COURSE, tmp_path / "mine")
    lessons, pages = [*(tmp_path / "mine" / "exercises").glob("*.py")], [*(tmp_path / "mine").rglob("*.md")]
    texts = {path: path.read_text("utf-8") for path in pages}
    texts |= {path: "\n".join(re.findall("^# .*", path.read_text("utf-8"), re.MULTILINE)) for path in lessons}
    links = [(path, link) for path in texts for link in re.findall(r"\]\(((?!http|#)[^)#\s]+)", texts[path])]
    assert len(links) >= len(lessons) // 2
    assert {path.name for path, _ in links} >= {"README.md", "students.md", "jupyter.md"}
    assert [(path.name, link) for path, link in links if not (path.parent / link).is_file()] == []
