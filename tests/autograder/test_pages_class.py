"""The pages about a class: one that names no student, one that names all of them."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.classroom.grades import Grade
from autograder.classroom.register import Register, RegisterRow
from autograder.classroom.similar import Pair
from autograder.core.markup import BADGES
from autograder.core.records import ExerciseResult, Status
from autograder.intake.unusual import note_on
from autograder.report.pages import report_page, write_feedback, write_report
from tests.autograder.paging import (
    COURSE,
    KNOWN,
    TITLE,
    Shape,
    check,
    class_of_four,
    graded,
    nothing,
    students,
    submission,
)


def test_the_report_ranks_mistakes_with_what_to_say() -> None:
    text = Shape(report_page(class_of_four(), KNOWN, TITLE)).text
    assert "2 students of 3 in double (67 %) You squared the numbers. Doubling is 2 * x ." in text
    assert "double-inplace" not in text


def test_the_table_of_exercises_tells_the_commonest_mistake_in_words_in_no_catalogue_too() -> None:
    few = graded("ann", check("failed", "Your numbers are right, but few. (it is 3 instead of 4)", ("few-digits",)))
    text = Shape(report_page([few], KNOWN, TITLE)).text
    assert "double 0 % 1 1 0 – Your numbers are right, but few." in text
    assert "few-digits" not in text
    assert "instead of 4" not in text


def test_the_report_counts_and_draws_the_scores_with_a_text_for_the_picture() -> None:
    page = report_page([*class_of_four(), nothing("eve")], KNOWN, TITLE)
    text = Shape(page).text
    assert "students graded 4 mean score 33 % median score 0 % not graded to the end 1 handed in nothing 1" in text
    assert "2 students from 0 to 10 %; 1 student from 90 to 100 %; none elsewhere." in text
    assert 'role="img"' in page


def test_the_report_names_nobody_and_the_other_page_everybody() -> None:
    names = ("ann", "ben", "cem", "dee", "eve")
    grades = [*class_of_four(), nothing("eve")]
    report, other = report_page(grades, KNOWN, TITLE), students(grades)
    for name in names:
        assert not re.search(rf"\b{name}\b", report)
        assert f"<bdi>{name}</bdi>" in other
    assert "feedback/" not in report
    assert "a judge ended" in other
    assert "a judge ended" not in report  # a message may quote someone's code


def test_the_report_says_what_to_look_at() -> None:
    grades = [graded("a", check("failed", "no")), *(graded(name, check("crash", "it ended")) for name in "bc")]
    text = Shape(report_page([*grades, graded("d", check("missing", "to do"))], KNOWN, TITLE)).text
    assert "double : 1 student, 33 % of those who tried" in text
    assert "ends its process 2 students" in text
    assert "Nothing: every wrong answer has a named mistake" in report_page(
        [graded("a", check("passed"))], KNOWN, TITLE
    )


def test_the_report_flags_an_exercise_at_which_those_fail_who_do_well_elsewhere() -> None:
    def grade(number: int, *statuses: Status) -> Grade:
        exercises = [
            ExerciseResult.of("ch01_toy", name, [check(each, "no")]) for name, each in zip("xyz", statuses, strict=True)
        ]
        return submission(str(number), *exercises)

    right, wrong = "passed", "failed"
    contrary = [grade(n, wrong, right, right) if n % 2 else grade(n, right, wrong, wrong) for n in range(12)]
    text = Shape(report_page(contrary, {}, TITLE)).text
    assert "Students who did well elsewhere fail here. Look at the exercise, or at its checks: x (−1.00)" in text
    assert "do well elsewhere" not in Shape(report_page(contrary[:9], {}, TITLE)).text  # too few to tell
    ordinary = [grade(n, right, right, right) if n % 2 else grade(n, wrong, wrong, wrong) for n in range(12)]
    assert "did well elsewhere" not in Shape(report_page(ordinary, {}, TITLE)).text


def test_a_correlation_says_over_how_many_where_fewer_tried_another_exercise() -> None:
    def grade(number: int, *statuses: Status) -> Grade:
        checks = zip("xy", statuses, strict=True)
        return submission(str(number), *(ExerciseResult.of("ch01_toy", name, [check(each)]) for name, each in checks))

    both = [grade(n, "passed", "passed") if n % 2 else grade(n, "failed", "failed") for n in range(12)]
    text = Shape(report_page([*both, grade(12, "passed", "missing")], {}, TITLE)).text
    assert "x 54 % 13 6 0 +1.00 of 12 –" in text
    assert "y 50 % 12 6 1 +1.00 –" in text


def test_what_befell_many_is_said_once_gravest_first() -> None:
    statuses: list[Status] = ["passed", "timeout", "memory", "failed", "crash", "blocked", "missing", "grader_error"]
    text = Shape(students([graded(status, check(status, "why\nmore")) for status in statuses * 2])).text
    assert text.count("why") == 5
    found = re.findall(f"({'|'.join(words for _, words, _ in BADGES.values())}) why", text)
    assert found == [BADGES[name][1] for name in ("grader_error", "blocked", "crash", "timeout", "memory")]
    assert "crash (double) , crash (double)" in text


def test_what_could_not_be_read_is_listed_apart_and_named_only_to_the_instructor() -> None:
    says = "ann_draft.py does not compile: line 3: invalid syntax"
    broken = submission("ann", *(ExerciseResult.of("ch01_toy", name, [check("syntax", says)]) for name in "xyz"))
    right = submission("ben", *(ExerciseResult.of("ch01_toy", name, [check("passed")]) for name in "xyz"))
    report, other = report_page([broken, right], KNOWN, TITLE), Shape(students([broken, right])).text
    text = Shape(report).text
    assert "1 file: it does not compile" in text
    assert "ann" not in re.findall(r"[a-z]+", report)
    assert f"however many exercises they hold. ann (1 · Toy) : {says}" in other
    assert "Counted in no table of the class report" in other
    assert "Neither passed nor failed" not in other
    assert "students graded 2 mean score 100 % median score 100 % could not be read 1" in text
    assert "over 1 of 2 students, those whose work could be read" in text
    assert "which 1 of 2 students tried" in text
    assert "mean 100 % of what 1 student tried" in text


def test_what_waits_for_a_decision_is_said_once_with_all_its_students() -> None:
    late = "late; by how much is not known"
    grades = [replace(graded(f"Doe, {n:02}", check("passed")), open=(late,)) for n in range(25)]
    empty = replace(graded("ann", check("passed")), open=("no grade yet: a.py is empty", late))
    text = Shape(students([*grades, empty])).text
    everybody = " ; ".join([*(f"Doe, {n:02}" for n in range(25)), "ann"])
    assert f"attend regrade . {everybody} : {late} ann : no grade yet: a.py is empty" in text


def test_points_given_for_what_could_not_be_read_count_in_the_mean() -> None:
    given = replace(graded("ann", check("syntax", "a.py does not compile: line 3")), score=1.0)
    assert "students graded 2 mean score 75 %" in Shape(students([given, graded("ben", check("passed"))])).text


def test_a_chapter_that_nobody_tried_has_no_mean() -> None:
    text = Shape(report_page([graded("a", check("missing", "to do"))], KNOWN, TITLE)).text
    assert "Chapter 1 · Toy not tried yet" in text
    assert "double – 0 0 1 – –" in text


def test_what_waits_for_a_person_stands_first() -> None:
    grade = replace(class_of_four()[1], open=("late; by how much is not known",))
    register = Register("", (), unmatched=("who is eve",), problems=("a.txt is nobody's",))
    text = Shape(students([grade], register)).text
    assert "attend regrade . ben : late; by how much is not known" in text
    assert "About the files who is eve a.txt is nobody's" in text
    assert "Nothing: every submission on this page was graded to the end" in students([graded("ann", check("passed"))])


def test_who_is_stuck_where_is_said_by_mistake() -> None:
    text = Shape(students([*class_of_four(), graded("eve", check("failed", "no"))])).text
    assert (
        "double You squared the numbers. 2 students: ben , cem For a reason that has no name yet. 1 student: eve"
        in text
    )


def test_grades_are_shown_with_their_remarks_and_attempts() -> None:
    late = replace(graded("ann", check("passed")), score=1.0, remarks=("Handed in late.",))
    register = Register("", (RegisterRow("ann-1", "ann", attempt=3, attempts=3),))
    text = Shape(students([late, nothing("eve")], register)).text
    assert "ann 50 % 1 of 2 Attempt 3 of 3. Handed in late. eve – – Handed in nothing." in text


def test_what_a_person_gave_the_absent_is_shown_too() -> None:
    given = replace(nothing("eve"), score=1.0, remarks=("1 point added by a person.",))
    text = Shape(students([graded("ann", check("passed")), given], Register("", ()))).text
    assert "eve 50 % 1 of 2 Handed in nothing. 1 point added by a person." in text


def test_similar_answers_are_a_reason_to_look_and_no_proof() -> None:
    grades = class_of_four()
    page = students(grades, pairs=[Pair(("ann", "ben"), "ch01_toy", 1.0, 40), Pair(("ann", "cem"), "ch01_toy", 0.5, 9)])
    assert "A reason to look at the code, never a proof" in page
    assert "ann , ben 1 · Toy 100 % 40 ann , cem 1 · Toy 50 % 9" in Shape(page).text
    assert "No two chapters are more alike" in students(grades, pairs=[])
    assert "alike" not in Shape(students(grades)).text  # nobody looked, and nothing is claimed


def test_a_copy_of_the_courses_own_code_is_something_to_look_at_and_no_penalty() -> None:
    alone = Pair(("ann",), "ch01_toy", 0.9, 40, "reference/ch01_toy.py")
    page = students([graded("ann", check("passed"))], pairs=[alone])
    assert "Nothing: every submission" not in page
    assert "A reason to look, never a proof, and it costs no points" in page
    assert "ann : 1 · Toy, 90 % like reference/ch01_toy.py, 40 lines" in Shape(page).text
    assert "No two chapters are more alike" in page


def test_a_large_class_has_pages_that_open() -> None:
    grades = [graded(f"student {n}", check("failed", "no", ("double-squared",))) for n in range(1000)]
    pairs = [Pair((f"student {n}", "student 0"), "ch01_toy", 0.9, 40) for n in range(1, 200)]
    assert len(report_page(grades, KNOWN, TITLE)) < 30_000
    page = students(grades, pairs=pairs)
    assert "and 980 more" in page
    assert "And 159 more." in page
    assert len(page) < 600_000


@pytest.mark.parametrize("grades", [[], [graded("ann", check("passed"))], [nothing("eve")]], ids=["0", "1", "absent"])
def test_a_small_class_has_pages_too(grades: list[Grade]) -> None:
    text = Shape(report_page(grades, KNOWN, TITLE)).text
    assert "No known mistake was recognised" in text
    assert "Nothing: every wrong answer has a named mistake" in text
    assert "No student: none has tried an exercise and not passed it" in students(grades)


def test_students_without_a_page_are_not_linked_and_the_others_are(tmp_path: Path) -> None:
    page = students([*class_of_four(), nothing("eve")])
    assert '<a href="feedback/ann-1.html"><bdi>ann</bdi></a>' in page
    assert "eve.html" not in page
    write_feedback(tmp_path, nothing("eve"), COURSE)
    assert not list(tmp_path.iterdir())


def test_pages_are_written_with_what_the_course_says_of_its_mistakes(tmp_path: Path) -> None:
    grades = class_of_four()
    write_feedback(tmp_path, grades[1], COURSE)
    write_report(tmp_path, grades, Register("", ()), COURSE)
    assert "You squared the numbers." in (tmp_path / "feedback" / "ben-1.html").read_text(encoding="utf-8")
    assert "A square multiplies each number by itself." in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<bdi>ben</bdi>" in (tmp_path / "students.html").read_text(encoding="utf-8")


def test_the_students_page_says_what_was_taken_as_what() -> None:
    notes = ("a.py was read as ch01_toy.py", "a.py: prints were left out")
    text = Shape(students([graded("ada", check("passed"), notes=notes), graded("ben", check("passed"))])).text
    assert "1 student whose files had other names, or not that of policy.toml: what was read as what ada : a.py" in text
    assert "prints" not in text


def test_the_students_page_says_whose_files_use_what_no_exercise_needs() -> None:
    notes = ("a.py: prints were left out", note_on("a.py", ["import ctypes"]))
    text = Shape(students([graded("ada", check("passed"), notes=notes), graded("ben", check("passed"))])).text
    assert "1 student whose files use what no exercise needs: a reason to look, never a proof ada : a.py uses" in text
    assert "ctypes (memory past Python)" in text
    assert "prints" not in text
    assert "no exercise needs" not in Shape(students([graded("ben", check("passed"))])).text


def test_each_student_is_one_line_that_works_without_the_script() -> None:
    grades = [*(graded(f"student {number}", check("passed")) for number in range(500)), nothing("eve")]
    page = students(grades)
    table = page[page.index('<table id="grades">') : page.index("</table>", page.index('<table id="grades">'))]
    assert table.count("<tr>") == 502
    assert "<p>" not in table
    assert "<input" not in page  # the script adds it, so that no page shows a search that cannot search
    assert len(page) < 500 * 600


def test_the_only_script_that_the_students_page_may_run_is_its_own() -> None:
    page = students([graded("ada", check("passed"))])
    (script,) = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'; base-uri" in page
    assert "http" not in script
    assert "script-src" not in report_page([graded("ada", check("passed"))], KNOWN, TITLE)
