"""`attend export`: grades in the table that a platform exported, and everything else in it as it was."""

from __future__ import annotations

import codecs
import csv
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from autograder.classroom.roster import Roster
from autograder.core.text import rounded
from autograder.grading import book
from autograder.platforms.export import comment, export
from autograder.report.outputs import write_result
from tests.autograder.exported import (
    BLACKBOARD,
    BRIGHTSPACE,
    CANVAS,
    GOLDEN,
    MOODLE,
    OLAT,
    SAKAI,
    TABLES,
    cells,
    column,
    edited,
    said,
)
from tests.autograder.graded_class import FORMULA, PEOPLE, exercise, graded, result


@pytest.mark.parametrize("platform", TABLES)
def test_the_table_goes_back_as_the_golden_file_says(platform: str, grades: Path) -> None:
    table = TABLES[platform]
    done = export(grades, table, None, None)
    assert done.path == grades / f"{platform}{table.suffix}"
    assert done.path.read_bytes() == (GOLDEN / f"{platform}-filled{table.suffix}").read_bytes()


@pytest.mark.parametrize("platform", TABLES)
def test_the_same_command_again_gives_the_same_file(platform: str, grades: Path) -> None:
    first = export(grades, TABLES[platform], None, None)
    data = first.path.read_bytes()
    assert (export(grades, TABLES[platform], None, None), first.path.read_bytes()) == (first, data)


@pytest.mark.parametrize("platform", TABLES)
def test_a_table_that_was_filled_before_changes_no_more(platform: str, grades: Path) -> None:
    first = export(grades, TABLES[platform], None, None).path
    again = export(grades, first, None, grades / f"again{first.suffix}")
    assert again.path.read_bytes() == first.read_bytes()
    assert "in place of" not in again.text()


@pytest.mark.parametrize(
    ("platform", "name", "key", "most"),
    [("canvas", "Chapter 1", 1, 100), ("moodle", "Grade", 0, 10), ("blackboard", "Toy", 2, 8)],
)
def test_what_is_read_back_are_the_grades(platform: str, name: str, key: int, most: float, grades: Path) -> None:
    written = column(export(grades, TABLES[platform], None, None).path, name, key)
    for grade in book.read(grades).grades:
        own = {0: f"Participant {grade.person.id}", 1: grade.person.id, 2: grade.person.login}[key]
        if grade.result and grade.is_final and own in written and (platform, own) != ("moodle", "Participant 103"):
            assert float(written[own].replace(",", ".")) == grade.score * most / grade.max_score


@pytest.mark.parametrize("platform", ["moodle", "blackboard"])
def test_every_other_cell_is_what_it_was(platform: str, grades: Path) -> None:
    before, after = cells(TABLES[platform]), cells(export(grades, TABLES[platform], None, None).path)
    ours = [n for n, name in enumerate(before[0]) if name in ("Grade", "Feedback comments") or name.startswith("Toy")]
    assert ours
    for old, new in zip(before, after, strict=True):
        assert [each for n, each in enumerate(old) if n not in ours] == [
            each for n, each in enumerate(new) if n not in ours
        ]


def test_canvas_gets_who_it_is_about_and_our_column_and_nothing_that_could_overwrite_another(grades: Path) -> None:
    header, *rows = cells(export(grades, CANVAS, None, None).path)
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Chapter 1: Toy (4711)"]
    assert [row[:5] for row in rows] == [row[:5] for row in cells(CANVAS)[1:]]
    assert rows[1][-1] == "100.00", "the row of points possible stays"


def test_encoding_delimiter_and_quotes_are_those_of_the_platform(grades: Path) -> None:
    data = export(grades, BLACKBOARD, None, None).path.read_bytes()
    assert data.startswith(codecs.BOM_UTF16_LE)
    assert data.decode("utf-16").startswith('"Last Name"\t"First Name"\t')
    assert export(grades, MOODLE, None, None).path.read_bytes().startswith(codecs.BOM_UTF8)


def test_blackboards_other_form_keeps_its_commas_and_its_name(grades: Path, tmp_path: Path) -> None:
    table = tmp_path / "gc_export.csv"
    text = BLACKBOARD.read_bytes().decode("utf-16").replace("\t", ",")
    table.write_bytes(codecs.BOM_UTF8 + text.encode())
    done = export(grades, table, None, None)
    assert done.path == grades / "blackboard.csv"
    assert cells(done.path) == cells(GOLDEN / "blackboard-filled.xls")


# Headers and values of the worksheet in Moodle's language packs, lang/*/assign.php and assignfeedback_comments.php,
# where mod/assign/gradingtable.php takes them from.
MOODLES = {
    "German": (
        *("ID", "Vollständiger Name", "E-Mail-Adresse", "Bewertung", "Bestwertung", "Bewertung kann geändert werden"),
        *("Feedback als Kommentar", "Teilnehmer/in", "Nein"),
    ),
    "French": (
        *("Identifiant", "Nom complet", "Adresse de courriel", "Note", "Note maximale", "La note peut être modifiée"),
        *("Feedback par commentaires", "Participant", "Non"),
    ),
    "Spanish": (
        *("Identificador", "Nombre completo", "Dirección de correo", "Calificación", "Calificación máxima"),
        *("La calificación puede ser cambiada", "Comentarios de retroalimentación", "Participante", "No"),
    ),
}
ENGLISH = (
    *("Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Grade can be changed"),
    *("Feedback comments", "Participant ", "No"),
)


@pytest.mark.parametrize("language", MOODLES)
def test_a_worksheet_of_moodle_is_filled_in_other_languages_too(language: str, grades: Path, tmp_path: Path) -> None:
    wanted = cells(GOLDEN / "moodle-filled.csv")
    own = dict(zip(ENGLISH, MOODLES[language], strict=True))
    renamed = [[own.get(cell, cell).replace("Participant ", own["Participant "]) for cell in row] for row in wanted]
    table = tmp_path / "worksheet.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [own.get(cell, cell).replace("Participant ", own["Participant "]) for cell in row] for row in cells(MOODLE)
        )
    assert cells(export(grades, table, None, None).path) == renamed
    assert {"101", "106"} <= {person.id for person in Roster.read(table).people}


def test_a_decimal_comma_stays_a_comma(grades: Path) -> None:
    assert column(export(grades, MOODLE, None, None).path, "Grade", 0)["Participant 102"] == "7,5"


def test_it_says_how_many_were_replaced_and_that_it_scales(grades: Path) -> None:
    done = export(grades, CANVAS, None, None)
    assert "4 grades in 'Chapter 1: Toy (4711)', 1 of them in place of another grade" in done.text()
    assert said(done, "scaled") == "scaled from 8 points to the 100 of the table"
    assert "scaled" not in export(grades, BLACKBOARD, None, None).text()


def test_what_is_not_final_or_was_not_handed_in_is_left_and_said(grades: Path) -> None:
    done = export(grades, CANVAS, None, None)
    written = column(done.path, "Chapter 1", 1)
    assert (written["105"], written["106"]) == ("12.00", "")
    assert said(done, "not final").endswith("Faulty, Fred")
    assert said(done, "nothing was handed in").endswith("Doe, Jane")


def test_both_sides_without_a_partner_are_named(grades: Path) -> None:
    done = export(grades, CANVAS, None, None)
    assert done.unmatched == ["Newcomer, Nia"]
    assert said(done, "no grade for") == "no grade for 1 row: Ghost, Gus"
    assert "Student, Test" not in done.text()


def test_excused_and_unassigned_students_stay_so(grades: Path, tmp_path: Path) -> None:
    table = edited(tmp_path, CANVAS, ("Section 2,,100.00", "Section 2,,EX"), ("late,55.00", "late,N/A"))
    done = export(grades, table, None, None)
    written = column(done.path, "Chapter 1", 1)
    assert (written["103"], written["102"]) == ("EX", "N/A")
    assert said(done, "excused").endswith(FORMULA)


def test_a_closed_row_of_moodle_is_left_and_said(grades: Path) -> None:
    done = export(grades, MOODLE, None, None)
    assert column(done.path, "Grade", 0)["Participant 103"] == ""
    assert FORMULA in said(done, "closed")


def test_a_teachers_own_comment_is_kept_and_an_older_one_of_ours_is_replaced(grades: Path) -> None:
    done = export(grades, MOODLE, None, None)
    comments = column(done.path, "Feedback comments", 0)
    assert comments["Participant 104"] == "Come and see me,\nplease."
    assert said(done, "kept").endswith('Li, "Lily", 李莉')
    assert comments["Participant 102"].startswith("6 of 8 points. ch01_toy: 5.5 of 8.")


def test_a_comment_names_the_mistake_and_the_remarks_on_one_line(grades: Path) -> None:
    zoe = next(grade for grade in book.read(grades).grades if grade.stem == "mueller")
    assert comment(zoe) == (
        "6 of 8 points. ch01_toy: 5.5 of 8. double: your double is x squared instead of 2 · x. "
        '0.5 points added by a person. Why: =for asking; well, "twice"'
    )


def test_no_cell_of_ours_is_a_formula_in_a_spreadsheet(grades: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.platforms.export.comment", lambda _: FORMULA)
    comments = column(export(grades, MOODLE, None, None).path, "Feedback comments", 0)
    assert comments["Participant 101"] == f"'{FORMULA}"


def test_more_than_moodle_takes_is_cut_off_and_said(tmp_path: Path) -> None:
    policy = '[students."O\'Brien, Siobhán"]\npoints = 3\n'
    done = export(graded(tmp_path, policy=policy), MOODLE, None, None)
    assert column(done.path, "Grade", 0)["Participant 101"] == "10"
    assert said(done, "cut off").endswith("O'Brien, Siobhán")


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (BRIGHTSPACE, "Brightspace cuts them off, unless the item allows more (Can Exceed)"),
        (CANVAS, "Canvas takes them as they are"),
        (BLACKBOARD, "Blackboard takes them as they are"),
        (OLAT, "look after the import whether the platform keeps them"),
        (SAKAI, "look after the import whether the platform keeps them"),
    ],
)
def test_more_than_there_is_to_get_is_said_with_what_the_platform_does(table: Path, says: str, tmp_path: Path) -> None:
    done = export(graded(tmp_path, policy='[students."O\'Brien, Siobhán"]\npoints = 3\n'), table, None, None)
    above = "points above the highest grade are written for"
    assert said(done, above) == f"{above} O'Brien, Siobhán; {says}"


@pytest.mark.parametrize(("points", "most", "to"), [("35.1", "48", "20"), ("5.35", "10", "0.5"), ("2.01", "4", "2")])
def test_a_grade_is_scaled_in_decimal_and_halves_go_up(points: str, most: str, to: str, tmp_path: Path) -> None:
    folder = graded(tmp_path, {"obrien": PEOPLE["obrien"]}, "")
    write_result(folder, "obrien", result("O'Brien, Siobhán", exercise("double", float(points), float(most))))
    file = edited(tmp_path, BRIGHTSPACE, ("MaxPoints:20", f"MaxPoints:{to}"))
    done = export(folder, file, None, None)
    exact = Decimal(points) * Decimal(to) / Decimal(most)
    expected = exact.quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert Decimal(column(done.path, "Chapter 1", 1)["#sobrien"]) == expected


@pytest.mark.parametrize(("number", "text"), [(0.125, "0.13"), (0.285, "0.29"), (14.625, "14.63"), (-0.125, "-0.13")])
def test_points_are_shown_as_a_person_rounds_them(number: float, text: str) -> None:
    assert rounded(number) == text
