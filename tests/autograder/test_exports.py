"""`attend export`: grades in the table that a platform exported, and everything else in it as it was."""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.classroom.person import NOBODY, Person
from autograder.classroom.roster import Roster
from autograder.commands.cli import app
from autograder.core.errors import UsageError
from autograder.grading import book
from autograder.platforms.export import Exported, export, undecided
from autograder.platforms.fill import comment, is_undecided, why_held
from tests.autograder.attending import attend
from tests.autograder.conftest import TOY
from tests.autograder.graded_class import FORMULA, PEOPLE, graded

GOLDEN = Path(__file__).parent / "golden"
CANVAS, MOODLE = GOLDEN / "canvas-gradebook.csv", GOLDEN / "moodle-worksheet.csv"
BLACKBOARD = GOLDEN / "blackboard-gradebook.xls"
TABLES = {"canvas": CANVAS, "moodle": MOODLE, "blackboard": BLACKBOARD}


@pytest.fixture
def grades(tmp_path: Path) -> Path:
    return graded(tmp_path)


def cells(path: Path) -> list[list[str]]:
    data = path.read_bytes()
    text = data.decode("utf-16" if data.startswith(codecs.BOM_UTF16_LE) else "utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in text else ","))


def column(path: Path, name: str, key: int) -> dict[str, str]:
    """The cells of the column whose name begins so, by those of column `key`."""
    header, *rows = cells(path)
    at = next(number for number, each in enumerate(header) if each.startswith(name))
    return {row[key]: row[at] for row in rows}


def said(done: Exported, part: str) -> str:
    """The one sentence with these words."""
    (found,) = [sentence for sentence in done.sentences if part in sentence]
    return found


def edited(tmp_path: Path, table: Path, *changes: tuple[str, str], encoding: str = "utf-8") -> Path:
    """A copy of the table with some texts replaced."""
    text = table.read_bytes().decode("utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = tmp_path / f"edited{table.suffix}"
    path.write_bytes(text.encode(encoding))
    return path


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
    monkeypatch.setattr("autograder.platforms.fill.comment", lambda _: FORMULA)
    comments = column(export(grades, MOODLE, None, None).path, "Feedback comments", 0)
    assert comments["Participant 101"] == f"'{FORMULA}"


def test_more_than_moodle_takes_is_cut_off_and_said(tmp_path: Path) -> None:
    policy = '[students."O\'Brien, Siobhán"]\npoints = 3\n'
    done = export(graded(tmp_path, policy=policy), MOODLE, None, None)
    assert column(done.path, "Grade", 0)["Participant 101"] == "10"
    assert said(done, "cut off").endswith("O'Brien, Siobhán")


@pytest.mark.parametrize(("wanted", "found"), [("Quiz on chapter 10 (4712)", "Quiz"), ("quiz", "Quiz"), ("toy", "Ch")])
def test_a_column_is_given_by_its_name_or_a_part_of_it(wanted: str, found: str, grades: Path) -> None:
    assert cells(export(grades, CANVAS, wanted, None).path)[0][-1].startswith(found)


def test_a_column_that_could_be_another_is_asked_for(grades: Path, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"'chapter' is in the name of several columns; give --column one of Chapter 1"
    ):
        export(grades, CANVAS, "chapter", None)
    with pytest.raises(UsageError, match=r"'nothing' is in the name of no column; give --column one of .*Quiz"):
        export(grades, CANVAS, "nothing", None)
    table = edited(tmp_path, CANVAS, ("Chapter 1: Toy", "Homework"))
    with pytest.raises(UsageError, match=r"no column's name fits; give --column one of Homework"):
        export(grades, table, None, None)


@pytest.mark.parametrize("name", ["Ch01 Toy", "CH01_TOY part 1", "ch 1", "Homework (ch01)", "Toy", "Chapter 1"])
def test_a_chapter_is_known_by_its_words_however_they_are_written(name: str, grades: Path, tmp_path: Path) -> None:
    table = edited(tmp_path, CANVAS, ("Chapter 1: Toy", name))
    assert f"'{name} (4711)'" in export(grades, table, None, None).sentences[0]


def test_who_handed_in_nothing_gets_what_a_person_gave(tmp_path: Path) -> None:
    done = export(graded(tmp_path, policy='[students."Doe, Jane"]\npoints = 4\n'), CANVAS, None, None)
    assert column(done.path, "Chapter 1", 0)["Doe, Jane"] == "50"


def test_a_name_on_the_roster_may_be_a_login_in_the_table(tmp_path: Path) -> None:
    done = export(graded(tmp_path, {"mueller": Person("zmueller")}, policy=""), CANVAS, None, None)
    assert done.unmatched == []
    assert column(done.path, "Chapter 1", 0)["Müller, Zoë"] == "68.75"


def test_what_an_encoding_lacks_is_written_in_letters_that_it_has(tmp_path: Path) -> None:
    policy = """[students."O'Brien, Siobhán"]\npoints = 1\nwhy = "√d ≤ 8, Zoë, 李"\n"""
    table = edited(tmp_path, MOODLE, ("\ufeff", ""), ("李莉", "Lei"), encoding="cp1252")
    done = export(graded(tmp_path, policy=policy), table, None, None)
    assert "Why: sqrt d <= 8, Zoë, ?" in done.path.read_bytes().decode("cp1252")


def test_the_number_of_a_chapter_goes_before_its_topic(grades: Path, tmp_path: Path) -> None:
    table = edited(tmp_path, CANVAS, ("Quiz on chapter 10", "Toy models"))
    assert "'Chapter 1: Toy (4711)'" in export(grades, table, None, None).sentences[0]


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


def only(tmp_path: Path, person: Person) -> dict[str, str]:
    """What of one graded student arrives in Canvas, by ID."""
    out = graded(tmp_path, {"nia": person}, "")
    written = column(export(out, CANVAS, None, None).path, "Chapter 1", 1)
    before = column(CANVAS, "Chapter 1", 1)
    return {key: value for key, value in written.items() if value != before[key]}


@pytest.mark.parametrize(
    "person",
    [
        Person(id="107"),
        Person(id="S107"),
        Person(login="GGhost"),
        Person(email="gghost"),
        Person(name="Gus Ghost"),
        Person(name="ghost, gús"),
        Person(name="someone else", id="107", login="jdoe"),
    ],
)
def test_a_student_is_found_by_number_login_email_and_name(person: Person, tmp_path: Path) -> None:
    assert only(tmp_path, person) == {"107": "100"}


def test_where_numbers_agree_nobody_with_another_number_is_found_by_name(tmp_path: Path) -> None:
    people = {"nia": Person("Gus Ghost", "666"), "obrien": PEOPLE["obrien"]}
    done = export(graded(tmp_path, people, ""), CANVAS, None, None)
    assert done.unmatched == ["Gus Ghost"]


def test_two_of_one_name_are_both_left_out(tmp_path: Path) -> None:
    people = {"nia": Person("Gus Ghost"), "obrien": Person("Ghost, Gus")}
    done = export(graded(tmp_path, people, ""), CANVAS, None, None)
    assert sorted(done.unmatched) == ["Ghost, Gus", "Gus Ghost"]


def test_a_folder_that_is_called_like_a_login_is_found(tmp_path: Path) -> None:
    table = edited(tmp_path, CANVAS, ("sobrien", "obrien"))
    assert not export(graded(tmp_path, {"obrien": NOBODY}, ""), table, None, None).unmatched


@pytest.mark.parametrize(("table", "status"), [(CANVAS, 1), (TOY / "attend.toml", 2)])
def test_the_exit_status_tells_whether_everybody_was_found(table: Path, status: int, grades: Path) -> None:
    done = attend("export", grades, table, cwd=TOY)
    assert done.returncode == status, done.stderr
    if status == 2:
        assert "Canvas: the gradebook" in done.stderr


def test_the_exit_status_is_zero_when_everybody_is_there(tmp_path: Path) -> None:
    out = graded(tmp_path, {"obrien": PEOPLE["obrien"]}, "")
    done = attend("export", out, CANVAS, "--column", "Chapter 1", cwd=TOY)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_undecided_is_held_back_and_the_student_reads_why(grades: Path) -> None:
    before = column(MOODLE, "Grade", 0)
    done = export(grades, MOODLE, None, None, hold=True)
    waiting = undecided(grades)
    assert sorted(done.held) == sorted(waiting)
    assert "Faulty, Fred" in waiting
    comments = column(done.path, "Feedback comments", 0)
    held = [row for row, text in comments.items() if text.startswith("No grade yet: ")]
    assert held
    assert "the grader failed on a part, which costs you nothing" in " ".join(comments.values())
    assert {row: column(done.path, "Grade", 0)[row] for row in held} == {row: before[row] for row in held}
    assert "held back, as something is undecided" in done.text()


def test_a_decided_grade_takes_the_place_of_the_sentence_that_it_was_held(
    grades: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class_ = book.read(grades)
    open_ = [replace(grade, open=("counts 0: a.py is a PDF",)) for grade in class_.grades]
    with monkeypatch.context() as patched:
        patched.setattr("autograder.platforms.export.book.read", lambda _: replace(class_, grades=tuple(open_)))
        first = export(grades, MOODLE, None, tmp_path / "held.csv", hold=True)
    assert len(first.held) > 1
    assert "No grade yet: a.py is a PDF." in column(first.path, "Feedback comments", 0).values()
    again = export(grades, first.path, None, tmp_path / "all.csv", hold=True)
    assert "No grade yet: a.py is a PDF." not in column(again.path, "Feedback comments", 0).values()
    usual = export(grades, MOODLE, None, tmp_path / "usual.csv", hold=True)
    assert again.path.read_bytes() == usual.path.read_bytes()


def test_a_file_that_could_not_be_read_is_held_in_the_students_words(grades: Path) -> None:
    (grade, *_) = book.read(grades).grades
    told = replace(grade, open=("counts 0: a.py and b.py may each be ch01_toy.py",))
    assert is_undecided(told)
    assert why_held(told).endswith("a.py and b.py may each be ch01_toy.py.")
    assert "late" in why_held(replace(grade, open=("late; by how much is not known",)))


@pytest.mark.parametrize(("choice", "status"), [([], 1), (["--hold"], 1), (["--no-hold"], 0)])
def test_the_exit_status_tells_whether_a_grade_was_held(choice: list[str], status: int, tmp_path: Path) -> None:
    out = graded(tmp_path, {name: PEOPLE[name] for name in ("obrien", "fred")}, "")
    done = CliRunner().invoke(app, ["export", str(out), str(CANVAS), *choice])
    assert (done.exit_code, "held back" in done.output) == (status, status == 1)
