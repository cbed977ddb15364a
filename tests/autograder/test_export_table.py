"""A table of any platform: what is read, written and read again is the same, in every encoding and dialect."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.core import table
from autograder.platforms.export import export
from tests.autograder.graded_class import graded

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"), max_size=8)
ROWS = st.lists(st.lists(TEXTS, min_size=2, max_size=4), min_size=1, max_size=4)
FORMS = st.tuples(
    st.sampled_from([b"", *(bom for bom, _ in table.BOMS)]),
    st.sampled_from(table.DELIMITERS),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n"]),
)


@given(ROWS, FORMS)
@settings(max_examples=300, deadline=None)
def test_whatever_stands_in_a_cell_comes_through(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], form: tuple[bytes, str, Any, str]
) -> None:
    bom, delimiter, quoting, newline = form
    how = table.Dialect(bom, dict(table.BOMS).get(bom, "utf-8"), delimiter, quoting, newline)
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(table.Table(rows, how).encoded())
    found = next(each for each in table.read(path) if each.dialect.delimiter == delimiter)
    assert found.rows == rows
    assert found.dialect.bom == bom


def test_line_ends_and_a_semicolon_stay(tmp_path: Path) -> None:
    text = "Bewertung;Vollständiger Name;ID;Bestwertung;Bewertung kann geändert werden\r\n;Zoë;102;8,00;Ja\r\n"
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode("cp1252"))
    done = export(graded(tmp_path), path, None, None)
    assert done.path.read_bytes() == text.replace("\n;Zoë", "\n6;Zoë").encode("cp1252")
