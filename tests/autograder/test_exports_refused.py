"""`attend export` refuses what is no table, and writes over nothing that is not its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.core.errors import UsageError
from autograder.platforms.export import export
from tests.autograder.arriving import ADA, BEN
from tests.autograder.exported import CANVAS, MOODLE, TABLES
from tests.autograder.graded_class import graded


def test_an_unknown_table_a_damaged_one_and_none_are_a_sentence(grades: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    with pytest.raises(UsageError, match="cannot be read"):
        export(grades, table, None, None)
    for data, says in (
        (b"a,b\n1,2\n", "no header of a table that is known"),
        (b"", "no header"),
        (b'"a', "is no table"),
        (b"\x81\x8d", "no text"),
    ):
        table.write_bytes(data)
        with pytest.raises(UsageError, match=says):
            export(grades, table, None, None)


def test_a_class_that_is_not_graded_to_its_end_is_refused(grades: Path) -> None:
    (grades / "results" / "obrien.json").unlink()
    with pytest.raises(UsageError, match="is not graded to its end, without O'Brien, Siobhán: run the same"):
        export(grades, CANVAS, None, None)


def test_a_folder_is_no_place_for_a_table(grades: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--out takes the name of a file"):
        export(grades, CANVAS, None, tmp_path)


def test_the_platforms_own_file_is_never_written_over(grades: Path) -> None:
    with pytest.raises(UsageError, match="choose another file with --out"):
        export(grades, CANVAS, None, CANVAS)


def test_another_table_of_ours_is_replaced_and_that_is_said(grades: Path) -> None:
    first, same, other = (export(grades, CANVAS, name, None) for name in ("Chapter 1", "Chapter 1", "Quiz"))
    assert ["an earlier canvas.csv" in done.text() for done in (first, same, other)] == [False, False, True]


@pytest.mark.parametrize("content", ["a,b\n1,2\n", "\x81 no table", MOODLE.read_text(encoding="utf-8")])
def test_a_file_that_is_no_such_table_is_never_written_over(grades: Path, tmp_path: Path, content: str) -> None:
    other = tmp_path / "other.csv"
    other.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=r"other\.csv is there already, and is no table of Canvas"):
        export(grades, CANVAS, None, other)


@pytest.mark.parametrize("platform", TABLES)
def test_the_table_of_another_class_is_refused_and_an_earlier_one_stays(platform: str, tmp_path: Path) -> None:
    out = graded(tmp_path, policy="")
    first = export(out, TABLES[platform], "Chapter 1" if platform == "canvas" else None, None)
    before = first.path.read_bytes()
    other = tmp_path / "other"
    other.mkdir()
    graded(other, {"nia": ADA, "obrien": BEN}, "")
    (other / first.path.name).write_bytes(before)
    with pytest.raises(UsageError) as refused:
        export(other, TABLES[platform], None, None)
    assert (other / first.path.name).read_bytes() == before
    assert "none of the 2 graded students" in str(refused.value)
    for says in ("is read as", "Ada Lovelace (11, ada, ada@uni.edu)", "such as", "Give the table of this class"):
        assert says in str(refused.value)
