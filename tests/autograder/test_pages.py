"""The pages people read: nothing of a stranger's is markup, every status has its words, the next step is named."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import get_args

import pytest

from autograder.classroom.register import Register, RegisterRow
from autograder.classroom.similar import Pair
from autograder.core.markup import BADGES
from autograder.core.message import Line, Message, still_to_do
from autograder.core.records import ExerciseResult, Status
from autograder.course.titles import Titles
from autograder.report.pages import feedback_page, report_page, students_page
from tests.autograder.paging import (
    ESCAPED,
    HOSTILE,
    KNOWN,
    TITLE,
    Shape,
    check,
    graded,
    nothing,
    students,
    submission,
)


def hostile_pages() -> list[str]:
    one = graded(
        HOSTILE,
        check("error", f"{HOSTILE}\n  expected  {HOSTILE}\n  got  a{HOSTILE}", ("double-inplace",), HOSTILE),
        notes=(HOSTILE,),
    )
    one = replace(one, stem="a b/\"'", page="a b/\"'", remarks=(HOSTILE,), open=(HOSTILE,))
    known = {**KNOWN, "double-inplace": (HOSTILE, HOSTILE)}
    two = graded("b", check("failed", "no", ("double-inplace", "double-squared")), check("blocked", HOSTILE))
    register = Register(HOSTILE, (RegisterRow(one.stem, HOSTILE),), unmatched=(HOSTILE,), problems=(HOSTILE,))
    everybody = [one, two, nothing(HOSTILE + "c")]
    return [
        feedback_page(one, known, Titles(HOSTILE)),
        feedback_page(two, known, Titles(HOSTILE)),
        report_page(everybody, known, Titles(HOSTILE)),
        students_page(everybody, register, known, Titles(HOSTILE), [Pair((HOSTILE, "b"), HOSTILE, 0.5, 3)]),
    ]


each_page = pytest.mark.parametrize("page", hostile_pages(), ids=["feedback", "other feedback", "report", "students"])


@each_page
def test_nothing_of_a_strangers_is_markup_or_control(page: str) -> None:
    assert ESCAPED in page
    assert page.count("<script") == page.count("script-src 'sha256-")  # its own at most
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", page)
    assert "evil" not in page
    assert "{{ 7 * 7 }}" in page
    shape = Shape(page)
    assert not shape.open
    assert not {tag for tag, _ in shape.tags} & {"img", "iframe", "object", "form", "base", "link"}
    assert not [name for _, attributes in shape.tags for name in attributes if name.startswith("on")]


@each_page
def test_a_page_stands_alone_under_a_strict_policy(page: str) -> None:
    policies = [attributes for tag, attributes in Shape(page).tags if attributes.get("http-equiv")]
    assert [each["http-equiv"] for each in policies] == ["Content-Security-Policy"]
    assert str(policies[0]["content"]).startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    links = [str(attributes["href"]) for tag, attributes in Shape(page).tags if "href" in attributes]
    assert all(link.startswith(("#", "feedback/")) or link == "report.html" for link in links)
    assert "url(" not in page
    assert not any("src" in attributes for _, attributes in Shape(page).tags)


@each_page
def test_a_page_can_be_heard(page: str) -> None:
    tags = Shape(page).tags
    assert ("html", {"lang": "en"}) in tags
    assert [tag for tag, _ in tags].count("h1") == 1
    assert [tag for tag, _ in tags].count("table") == [tag for tag, _ in tags].count("caption")
    assert all("scope" in attributes for tag, attributes in tags if tag == "th")
    named = {attributes["id"] for _, attributes in tags if "id" in attributes}
    wanted = [value for _, each in tags for value in str(each.get("aria-labelledby") or "").split()]
    wanted += [str(each["href"])[1:] for _, each in tags if str(each.get("href", "")).startswith("#")]
    assert set(wanted) <= named
    headings = [int(tag[1]) for tag, _ in tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(headings))


def test_every_status_has_a_symbol_and_words() -> None:
    assert set(BADGES) == set(get_args(Status))
    for status, (symbol, words, _) in BADGES.items():
        others = [
            ExerciseResult.of("ch01_toy", name, [check(each, "why")]) for name, each in (("a", status), ("b", "passed"))
        ]
        page = feedback_page(submission("alice", *others), KNOWN, TITLE)
        assert re.search(f">{re.escape(symbol)}</span> {words}</span>", page)


def test_a_damaged_notebook_is_not_said_to_be_code_that_does_not_compile() -> None:
    page = feedback_page(graded("alice", check("syntax", "a.ipynb is no readable notebook: x")), KNOWN, TITLE)
    assert "compile" not in page
    assert "cannot be read" in page


def test_a_failed_check_shows_its_headline_its_parts_and_the_next_step() -> None:
    message = "You squared the numbers. (values differ)\n  called    double(x (2, 3))\n  try       `2 * x`"
    page = feedback_page(graded("alice", check("passed"), check("failed", message)), KNOWN, TITLE)
    assert '<p class="headline" dir="auto">You squared the numbers. (values differ)</p>' in page
    text = Shape(page).text
    assert "called double(x (2, 3)) try 2 * x" in text
    assert "2 of 4 points (50 %) · 0 of 1 exercise passed" in text
    assert "Next: attend hint double , then attend check double" in text
    assert "Inputs were drawn from seed 4711" in text
    assert "Sandbox: walled. Software: torch 2.13" in text


def test_what_is_not_begun_tells_of_its_hint_once() -> None:
    def page(says: str) -> str:
        answers = ((name, check("missing", says) if name == "double" else check("passed")) for name in ("double", "x"))
        grade = submission("ann", *(ExerciseResult.of("ch01_toy", name, [each]) for name, each in answers))
        return Shape(feedback_page(grade, {}, Titles())).text

    assert page(still_to_do("double").text).count("attend hint double") == 1
    assert "Next: attend hint double" in page("there is no double; it defines Double: is that double?")


def test_a_mistake_that_the_message_does_not_tell_is_told_beside_it() -> None:
    message = "You squared the numbers. (values differ)"
    named = ("double-squared", "double-inplace")
    text = Shape(feedback_page(graded("alice", check("passed"), check("failed", message, named)), KNOWN, TITLE)).text
    assert text.count("You squared the numbers.") == 1
    assert "Another mistake that gives this answer: You doubled the argument itself. Use <new> tensors." in text


def test_a_message_that_all_checks_share_is_said_once() -> None:
    page = feedback_page(graded("alice", *[check("syntax", "does not compile: line 3")] * 4), KNOWN, TITLE)
    assert page.count("does not compile: line 3") == 1
    assert "4 checks" in page


def test_a_mistake_that_repeats_is_folded_away() -> None:
    one, two = (check("failed", f"squared ({n} differ)", ("double-squared",)) for n in (3, 4))
    page = feedback_page(graded("alice", check("passed"), one, two), {}, TITLE)
    assert page.count("The same as above") == 1
    assert "squared (4 differ)" in page
    other = check("failed", "in place", ("double-inplace",))
    assert "The same as above" not in feedback_page(graded("alice", check("passed"), one, other), {}, TITLE)


def test_a_headline_that_repeats_is_folded_away() -> None:
    checks = [check("passed"), check("failed", "wrong shape\n  a"), check("failed", "wrong shape\n  b")]
    page = feedback_page(graded("alice", *checks), KNOWN, TITLE)
    assert page.count("The same as above") == 1


def test_a_chapter_not_begun_takes_one_line_and_a_fault_of_ours_costs_nothing() -> None:
    assert "1 exercise not done yet" in feedback_page(graded("alice", check("missing", "to do")), KNOWN, TITLE)
    assert "This costs you nothing" in feedback_page(graded("alice", check("grader_error", "oh")), KNOWN, TITLE)


def test_where_the_grader_failed_no_page_shows_a_grade() -> None:
    result = graded("dee", check("passed"), check("grader_error", "a judge ended"))
    text = Shape(feedback_page(result, KNOWN, TITLE)).text
    assert "2 of 4 points so far · 0 of 1 exercise passed This is no grade yet: the grader failed on some of it" in text
    assert "failure of the grader, 2 not graded yet" in text
    assert "%" not in text
    assert "dee ? 2 of 4 so far" in Shape(students([result])).text
    assert "There are none yet." in Shape(report_page([result], KNOWN, TITLE)).text


def test_an_endless_message_is_cut() -> None:
    page = feedback_page(graded("alice", check("error", "x" * 1_000_000)), KNOWN, TITLE)
    assert len(page) < 60_000
    assert "… (cut)" in page


def test_notes_about_files_are_shown() -> None:
    assert "torch.py was not read" in feedback_page(
        graded("a", check("passed"), notes=("torch.py was not read",)), {}, Titles()
    )


def test_what_differs_between_expected_and_got_is_marked_and_nothing_else() -> None:
    said = "no\n  expected  shape (B=2, Tq=3)\n  got       shape (B=2, Tk=4)"
    page = feedback_page(graded("ann", check("passed"), check("failed", said)), {}, Titles())
    assert '<dd dir="auto">shape (B=2, <mark>Tq=3</mark>)</dd>' in page
    assert '<dd dir="auto">shape (B=2, <mark>Tk=4</mark>)</dd>' in page
    page = feedback_page(
        graded(
            "ann", check("passed"), check("failed", "no\n  expected  the rows sum to 1\n  got       the result = 3")
        ),
        {},
        Titles(),
    )
    assert "<mark>" not in page


@pytest.mark.parametrize(("wrong", "share"), [(3 / 24, "12 %"), (1.0, "100 %"), (0.5, "50 %"), (0.0, "")])
def test_how_much_is_wrong_is_drawn_where_the_message_says_it(wrong: float, share: str) -> None:
    shown = replace(check("failed"), message=Message("it raised E: 9 of 2 entries", wrong=wrong))
    page = feedback_page(graded("ann", check("passed"), shown), {}, Titles())
    assert page.count('class="bar wrong"') == bool(share)
    assert not share or f"{share} of the entries are wrong" in page


def test_a_line_that_does_not_compile_is_shown_with_its_caret() -> None:
    shown = replace(check("syntax"), message=Message("line 3: no", line=Line(3, "f(<x", 2)))
    assert "<pre>f(&lt;x\n  ^</pre>" in feedback_page(graded("ann", check("passed"), shown), {}, Titles())


def test_the_line_of_an_error_has_a_row_of_its_own() -> None:
    shown = replace(check("error"), message=Message("it raised E", line=Line(3, "return x")))
    assert "where line 3: return x" in Shape(feedback_page(graded("ann", shown), {}, Titles())).text


def test_what_the_clock_or_a_person_changed_stands_in_a_box_with_what_was_earned_before() -> None:
    late = "Handed in late: 1 day begun, so that 1 points are taken."
    grade = replace(graded("ann", check("passed"), check("failed", "no")), score=1.0, remarks=(late,))
    text = Shape(feedback_page(grade, KNOWN, TITLE)).text
    assert f"1 of 4 points (25 %) · 0 of 1 exercise passed How it was counted {late}" in text
    assert "Your answers themselves earned 2 points." in text
    assert "How it was counted" not in feedback_page(graded("ann", check("failed", "no")), KNOWN, TITLE)


def test_an_exercise_that_a_person_graded_shows_their_points_and_says_so() -> None:
    grade = replace(graded("ann", check("failed", "no")), score=1.5, exercises={"double": 1.5})
    assert "1.5 of 2 points, graded by a person" in Shape(feedback_page(grade, KNOWN, TITLE)).text
    ours = replace(graded("ann", check("grader_error", "oh")), score=1.0, exercises={"double": 1.0})
    text = Shape(feedback_page(ours, KNOWN, TITLE)).text
    assert "1 of 2 points, graded by a person" in text
    assert "This costs you nothing" not in text


def test_the_page_says_where_to_go_on_with_what_is_begun_before_what_is_not() -> None:
    one = ExerciseResult.of("ch01_toy", "one", [check("missing", "to do")])
    two = ExerciseResult.of("ch02_toy", "two", [check("failed", "it is upside down")])
    three = ExerciseResult.of("ch02_toy", "three", [check("passed")])
    assert (
        "Where to go on two : it is upside down" in Shape(feedback_page(submission("a", one, two), {}, Titles())).text
    )
    assert "Where to go on one : to do" in Shape(feedback_page(submission("a", one, three), {}, Titles())).text
    assert "Everything is right." in feedback_page(submission("a", three), {}, Titles())


def test_pages_call_a_chapter_what_its_text_is_headed_with() -> None:
    titles = Titles("Toy", {"ch01_toy": "Doubling <things>"})
    one = graded("ann", check("passed"))
    pages = [feedback_page(one, {}, titles), report_page([one], {}, titles)]
    assert all("Chapter 1 · Doubling &lt;things&gt;" in page for page in pages)


def test_of_several_failing_checks_the_first_is_open_and_the_others_are_folded() -> None:
    checks = [check("passed"), check("failed", "one"), check("failed", "two"), check("error", "three")]
    page = feedback_page(graded("ada", *checks), KNOWN, TITLE)
    assert '<p class="headline" dir="auto">one</p>' in page
    assert re.findall(r"<details>\s*<summary>(\w+)</summary>", page) == ["two", "three"]
