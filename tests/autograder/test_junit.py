"""The checks of a class as JUnit XML, as CI systems read it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from autograder.core.records import Status
from autograder.report.junit import NAME, write_junit
from tests.autograder.class_of_two import Class
from tests.autograder.held_class import NOT_COMPILED, NOT_DONE, STOPS, chapter
from tests.autograder.test_analysis import handed_in
from tests.autograder.test_outputs import result


def case(out: Path) -> ElementTree.Element:
    (found,) = ElementTree.parse(out / NAME).getroot().iter("testcase")
    return found


def test_a_check_has_its_exercise_its_points_and_each_mistake_as_properties(tmp_path: Path) -> None:
    write_junit(tmp_path, [result(status="failed", message="x squared", named=("squared", "other"))])
    found = case(tmp_path)
    assert found.attrib == {"classname": "ch01_toy.double", "name": "2 · x"}
    properties = [(each.get("name"), each.get("value")) for each in found.iter("property")]
    assert properties == [
        ("exercise", "double"),
        ("points", "0"),
        ("max_points", "2"),
        ("misconception", "squared"),
        ("misconception", "other"),
    ]


@pytest.mark.parametrize(
    ("status", "kind", "count"),
    [
        ("failed", "failure", "failures"),
        ("timeout", "failure", "failures"),
        ("missing", "skipped", "skipped"),
        ("grader_error", "error", "errors"),
    ],
)
def test_what_did_not_pass_is_what_junit_calls_it(tmp_path: Path, status: Status, kind: str, count: str) -> None:
    write_junit(tmp_path, [result(status=status, message="why")])
    found = case(tmp_path).find(kind)
    assert found is not None
    assert found.attrib == {"type": status, "message": "why"}
    (suite,) = ElementTree.parse(tmp_path / NAME).getroot()
    assert (suite.get("tests"), suite.get(count)) == ("1", "1")


def test_a_check_that_passed_has_properties_only(tmp_path: Path) -> None:
    write_junit(tmp_path, [result()])
    assert [child.tag for child in case(tmp_path)] == ["properties"]


@pytest.mark.parametrize("name", ["\ud800 <&\"'>", "\x00\x0b\x1b[31m", "\ufffe\uffff", "]]>"])
def test_no_name_or_message_breaks_the_file(tmp_path: Path, name: str) -> None:
    write_junit(tmp_path, [result(name, "failed", name)])
    assert len(list(ElementTree.parse(tmp_path / NAME).getroot().iter("failure"))) == 1


def test_a_graded_class_has_a_suite_for_each_student(two: Class) -> None:
    assert {suite.get("name") for suite in ElementTree.parse(two.out / NAME).getroot()} == {"ann", "ben"}


def test_what_waits_for_a_person_is_an_error_and_no_failure(tmp_path: Path) -> None:
    held = handed_in("ada", *chapter(("error", STOPS), NOT_DONE))
    write_junit(tmp_path, [held, handed_in("ben", *chapter(("syntax", NOT_COMPILED)))])
    kinds = [case[1].tag for case in ElementTree.parse(tmp_path / NAME).getroot().iter("testcase")]
    assert kinds == ["error", "skipped", "failure"]
