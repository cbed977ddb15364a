"""The learner's own answers as pieces: what has passed is handed out and built in, all else is the given part."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from autograder.course.course import Course
from autograder.student import lesson_pieces
from autograder.student.lesson_pieces import as_text, hand_out, take_up
from autograder.student.start import start
from reference import blocks
from tests.autograder.forked import python

ROOT = Path(__file__).parents[2]
REAL = Course(ROOT)


class Handed(dict):
    """What was handed out, by name."""

    def own(self, pieces: dict[str, object]) -> None:
        self.update(pieces)


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Course]:
    """A working copy without any answer, whose suites stand in for the course's."""

    def suites() -> list[str]:
        return [name for name in sys.modules if name.startswith("test_ch")]

    kept = {name: sys.modules.pop(name) for name in suites()}
    start(REAL, tmp_path / "mine")
    yield Course(tmp_path / "mine")
    for name in suites():
        del sys.modules[name]
    sys.modules.update(kept)


def answer(copy: Course, chapter: str, was: str = "", now: str = "") -> None:
    """Put the course's answers to a chapter in place, with one change."""
    text = REAL.solution(chapter).read_text(encoding="utf-8")
    assert was in text
    (copy.exercises_dir / f"{chapter}.py").write_text(text.replace(was, now, 1) if was else text, encoding="utf-8")


def taken(copy: Course, *names: str) -> tuple[Handed, str]:
    handed = Handed()
    return handed, as_text(take_up(copy, handed, names))


def test_a_notebook_is_told_how_to_check_there(copy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(copy, "ch04_masking", "keys <= last_visible", "keys < last_visible")
    monkeypatch.chdir(copy.root)
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)
    assert hand_out(Handed(), ["causal_mask"]) == "given: causal_mask (not passed yet: attend check)"
    monkeypatch.setattr(lesson_pieces, "_shell", lambda: SimpleNamespace(user_ns={}))
    assert hand_out(Handed(), ["causal_mask"]) == "given: causal_mask (not passed yet: %check)"


def test_what_has_not_passed_is_the_given_part_and_that_is_said(copy: Course) -> None:
    answer(copy, "ch04_masking", "keys <= last_visible", "keys < last_visible")
    handed, says = taken(copy, "causal_mask", "padding_mask")
    assert handed["causal_mask"] is importlib.import_module("reference.ch04_masking").causal_mask
    assert "given: causal_mask (not passed yet: attend check)" in says
    assert handed["padding_mask"].__module__ == "ch04_masking"
    assert "yours: padding_mask" in says


def test_an_own_model_is_built_of_own_blocks_as_far_as_they_have_passed(copy: Course) -> None:
    answer(copy, "ch09_language_model")
    answer(copy, "ch06_encoder")
    handed, says = taken(copy, "CausalLM")
    model = handed["CausalLM"](20, 8, 16, 2, 32, 2)
    assert type(model.blocks[0]).__module__ == "ch06_encoder"
    assert type(model.embedding) is blocks.TokenAndPositionEmbedding
    assert says == "yours: CausalLM · inside, yours too: EncoderBlock"
    given = blocks.CausalLM(20, 8, 16, 2, 32, 2)
    given.load_state_dict(model.state_dict())
    ids = torch.randint(20, (3, 8))
    assert torch.allclose(model.eval()(ids), given.eval()(ids), atol=1e-5)


def test_an_own_block_that_takes_no_other_activation_is_not_built_in(copy: Course) -> None:
    answer(copy, "ch09_language_model")
    feed = "self.feed_forward(self.norm2(z))"
    own = "self.feed_forward[2](torch.relu(self.feed_forward[0](self.norm2(z))))"
    answer(copy, "ch06_encoder", feed, own)
    handed, says = taken(copy, "CausalLM", "EncoderBlock")
    assert "yours: CausalLM, EncoderBlock" in says
    assert type(handed["CausalLM"](20, 8, 16, 2, 32, 1).blocks[0]) is blocks.EncoderBlock
    assert type(handed["EncoderBlock"](16, 2, 32)).__module__ == "ch06_encoder"


def test_a_chapter_that_is_loaded_looks_at_nothing_and_one_that_is_run_does(copy: Course) -> None:
    answer(copy, "ch05_multihead")
    path = copy.exercises_dir / "ch05_multihead.py"
    line = '\nfrom reference.blocks import mine\nprint(type(mine("split_heads", "merge_heads")).__name__)\n'
    path.write_text(path.read_text(encoding="utf-8").partition('if __name__ == "__main__"')[0] + line, encoding="utf-8")
    run, load = ([str(path)], ["-c", "import ch05_multihead"])
    said = [python(*words, cwd=copy.exercises_dir) for words in (run, load)]
    assert said[0].stdout.splitlines()[-2:] == ["yours: split_heads, merge_heads", "Pieces"]
    assert said[1].stdout.splitlines() == ["Pieces"]


def test_a_chapter_that_cannot_be_read_costs_its_own_pieces_alone(copy: Course) -> None:
    answer(copy, "ch09_language_model")
    (copy.exercises_dir / "ch06_encoder.py").write_text("def EncoderBlock(:\n", encoding="utf-8")
    handed, says = taken(copy, "CausalLM")
    assert says == "yours: CausalLM"
    assert type(handed["CausalLM"](20, 8, 16, 2, 32, 1).blocks[0]) is blocks.EncoderBlock


def test_a_sealed_copy_hands_out_no_answer_of_the_course(copy: Course) -> None:
    shutil.copy(copy.root / "attend.toml", copy.root / "kept.toml")
    settings = copy.root / "attend.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + "\nsealed = true\n", encoding="utf-8")
    from autograder.student import lesson_pieces

    sealed = Course(copy.root)
    assert sealed.is_sealed
    assert lesson_pieces._given(sealed, REAL.one("generate")) is None
    assert lesson_pieces._given(REAL, REAL.one("generate")) is not None
