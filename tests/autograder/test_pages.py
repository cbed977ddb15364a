"""The pages people read: nothing of a stranger's is markup, every status has its words, the class shows its needs."""

from __future__ import annotations

import itertools
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest

from autograder.course import Course
from autograder.grading import analysis
from autograder.grading.pages import chapter_title, feedback_page, report_page, write_feedback, write_report
from autograder.markup import BADGES
from autograder.records import CheckResult, ExerciseResult, Status, SubmissionResult

COURSE = Course(Path(__file__).parent / "toy")
TITLE = "Toy"
KNOWN = {
    "double-squared": ("You squared the numbers.", "Doubling is `2 * x`."),
    "double-inplace": ("You doubled the argument itself.", "Use <new> tensors."),
}
HOSTILE = "<script>alert(1)</script> \"' & \x1b[31mred\x1b]8;;http://evil\x07 {{ 7 * 7 }} \u202egnp"
ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt;"


def check(status: Status, message: str = "", named: tuple[str, ...] = (), sentence: str = "2 · x", worth: float = 2.0):
    return CheckResult(
        "test_x", sentence, "values", worth if status == "passed" else 0.0, worth, status, message, named
    )


def graded(student: str, *checks: CheckResult, chapter: str = "ch01_toy", notes: tuple[str, ...] = ()):
    return submission(student, ExerciseResult.of(chapter, "double", checks), notes=notes)


def submission(student: str, *exercises: ExerciseResult, notes: tuple[str, ...] = ()) -> SubmissionResult:
    score, most = sum(each.score for each in exercises), sum(each.max_score for each in exercises)
    return SubmissionResult(student, score, most, "walled", 4711, {"torch": "2.13"}, exercises, notes)


class Shape(HTMLParser):
    """Tags, attributes and text of a page."""

    VOID = frozenset({"meta", "br", "rect", "line"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)


def hostile_pages() -> list[str]:
    one = graded(
        HOSTILE, check("error", f"{HOSTILE}\n  got  {HOSTILE}", ("double-inplace",), HOSTILE), notes=(HOSTILE,)
    )
    known = {**KNOWN, "double-inplace": (HOSTILE, HOSTILE)}
    two = graded("b", check("failed", "no", ("double-inplace", "double-squared")), check("blocked", HOSTILE))
    return [
        feedback_page(one, known, HOSTILE),
        feedback_page(two, known, HOSTILE),
        report_page([one, two], known, HOSTILE, {HOSTILE: "a b/\"'"}),
    ]


@pytest.mark.parametrize("page", hostile_pages(), ids=["feedback", "other feedback", "report"])
def test_nothing_of_a_strangers_is_markup_or_control(page: str) -> None:
    assert ESCAPED in page
    assert "<script" not in page
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", page)
    assert "evil" not in page
    assert "{{ 7 * 7 }}" in page
    shape = Shape(page)
    assert not shape.open
    assert not {tag for tag, _ in shape.tags} & {"script", "img", "iframe", "object", "form", "base", "link"}
    assert not [name for _, attributes in shape.tags for name in attributes if name.startswith("on")]


@pytest.mark.parametrize("page", hostile_pages(), ids=["feedback", "other feedback", "report"])
def test_a_page_stands_alone_under_a_strict_policy(page: str) -> None:
    policies = [attributes for tag, attributes in Shape(page).tags if attributes.get("http-equiv")]
    assert [each["http-equiv"] for each in policies] == ["Content-Security-Policy"]
    assert str(policies[0]["content"]).startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    links = [str(attributes["href"]) for tag, attributes in Shape(page).tags if "href" in attributes]
    assert all(link.startswith(("#", "feedback/")) for link in links)
    assert "url(" not in page
    assert not any("src" in attributes for _, attributes in Shape(page).tags)


@pytest.mark.parametrize("page", hostile_pages(), ids=["feedback", "other feedback", "report"])
def test_a_page_can_be_heard(page: str) -> None:
    tags = Shape(page).tags
    assert ("html", {"lang": "en"}) in tags
    assert [tag for tag, _ in tags].count("h1") == 1
    assert [tag for tag, _ in tags].count("table") == [tag for tag, _ in tags].count("caption")
    assert all("scope" in attributes for tag, attributes in tags if tag == "th")
    named = {attributes["id"] for _, attributes in tags if "id" in attributes}
    wanted = [value for _, each in tags for value in str(each.get("aria-labelledby") or "").split()]
    assert set(wanted) <= named
    headings = [int(tag[1]) for tag, _ in tags if re.fullmatch("h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in itertools.pairwise(headings))


def test_every_status_has_a_symbol_and_words() -> None:
    assert set(BADGES) == set(get_args(Status))
    for status, (symbol, words, _) in BADGES.items():
        others = [
            ExerciseResult.of("ch01_toy", name, [check(each, "why")]) for name, each in (("a", status), ("b", "passed"))
        ]
        page = feedback_page(submission("alice", *others), KNOWN, TITLE)
        assert re.search(f">{re.escape(symbol)}</span> {words}</span>", page)


def test_a_failed_check_shows_its_headline_its_parts_and_the_next_step() -> None:
    message = "You squared the numbers. (values differ)\n  called    double(x (2, 3))\n  try       `2 * x`"
    page = feedback_page(graded("alice", check("passed"), check("failed", message)), KNOWN, TITLE)
    assert '<p class="headline" dir="auto">You squared the numbers. (values differ)</p>' in page
    assert '<span class="line part">called    double(x (2, 3))</span>' in page
    text = Shape(page).text
    assert "2 of 4 points (50 %)" in text
    assert "Next: attend hint double , then attend check double" in text
    assert "Inputs were drawn from seed 4711" in text
    assert "Sandbox: walled. Software: torch 2.13" in text


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
    assert "2 of 4 points so far This is no grade yet: the grader failed on some of it" in text
    assert "failure of the grader, 2 not graded yet" in text
    assert "%" not in text
    assert "dee ? 2 of 4 so far" in Shape(report_page([result], KNOWN, TITLE, {})).text


def test_an_endless_message_is_cut() -> None:
    page = feedback_page(graded("alice", check("error", "x" * 1_000_000)), KNOWN, TITLE)
    assert len(page) < 60_000
    assert "… (cut)" in page


def test_notes_about_files_are_shown() -> None:
    assert "torch.py was not read" in feedback_page(
        graded("a", check("passed"), notes=("torch.py was not read",)), {}, ""
    )


def class_of_four() -> list[SubmissionResult]:
    return [
        graded("ann", check("passed")),
        graded("ben", check("failed", "no", ("double-squared", "double-inplace"))),
        graded("cem", check("failed", "no", ("double-squared",))),
        graded("dee", check("grader_error", "a judge ended")),
    ]


def test_the_report_ranks_mistakes_with_what_to_say() -> None:
    (first,) = analysis.misconceptions(class_of_four(), KNOWN)
    assert (first.identifier, first.students) == ("double-squared", ("ben", "cem"))
    text = Shape(report_page(class_of_four(), KNOWN, TITLE, {"ann": "ann"})).text
    assert "2 students in double double-squared You squared the numbers. Doubling is 2 * x ." in text
    assert "double-inplace" not in text


def test_the_report_counts_and_draws_the_scores_with_a_text_for_the_picture() -> None:
    page = report_page(class_of_four(), KNOWN, TITLE, {})
    text = Shape(page).text
    assert "submissions 4 mean score 33 % median score 0 % not graded to the end 1" in text
    assert "2 students from 0 to 10 %; 1 student from 90 to 100 %; nobody elsewhere." in text
    assert 'role="img"' in page


def test_the_hardest_exercise_is_first_and_our_faults_do_not_make_it_harder() -> None:
    easy = ExerciseResult.of("ch01_toy", "easy", [check("passed"), check("failed")])
    hard = ExerciseResult.of("ch01_toy", "hard", [check("missing")])
    fault = ExerciseResult.of("ch01_toy", "easy", [check("grader_error")])
    found = analysis.exercises([submission("a", easy, hard), submission("b", fault)])
    assert [(each.exercise, each.mean, each.full, each.missing) for each in found] == [
        ("hard", 0, 0, 100),
        ("easy", 50, 0, 0),
    ]


def test_what_needs_a_person_comes_gravest_first_with_ours_before_theirs() -> None:
    statuses: list[Status] = ["passed", "timeout", "syntax", "failed", "crash", "blocked", "missing", "grader_error"]
    results = [graded(status, check(status, "why\nmore")) for status in statuses]
    found = analysis.incidents(results)
    assert [each.status for each in found] == ["grader_error", "blocked", "crash", "timeout", "syntax"]
    assert Shape(report_page(results, {}, TITLE, {})).text.count("why") == 5


@pytest.mark.parametrize("results", [[], [graded("ann", check("passed"))]], ids=["nobody", "one"])
def test_a_small_class_has_a_report_too(results: list[SubmissionResult]) -> None:
    text = Shape(report_page(results, KNOWN, TITLE, {})).text
    assert "every submission was graded to the end" in text
    assert "No known mistake was recognised" in text


def test_students_without_a_page_are_not_linked_and_the_others_are() -> None:
    page = report_page(class_of_four(), KNOWN, TITLE, {"ann": "ann-1"})
    assert '<a href="feedback/ann-1.html"><bdi>ann</bdi></a>' in page
    assert page.count("<bdi>ben</bdi>") == 2
    assert "ben.html" not in page


def test_pages_are_written_with_what_the_course_says_of_its_mistakes(tmp_path: Path) -> None:
    results = class_of_four()
    write_feedback(tmp_path, "ben-1", results[1], COURSE)
    write_report(tmp_path, results, COURSE, {"ben": "ben-1"})
    assert "You squared the numbers." in (tmp_path / "feedback" / "ben-1.html").read_text(encoding="utf-8")
    assert "A square multiplies each number by itself." in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_what_the_course_says_is_read_as_it_is_imported(toy: Course) -> None:
    imported = {each.identifier: (each.says, each.advice) for each in toy.misconceptions("ch01_toy")}
    assert analysis.known_misconceptions(toy) == imported


@pytest.mark.parametrize(("stem", "title"), [("ch03_attention", "3 · Attention"), ("ch11_vision_a", "11 · Vision a")])
def test_a_chapter_is_titled_by_its_number_and_topic(stem: str, title: str) -> None:
    assert chapter_title(stem) == title
