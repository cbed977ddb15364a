"""The checks of a class as JUnit XML, which CI systems show: a suite for each submission, a case for each check."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from autograder.classroom.lost_files import held
from autograder.core import files
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.core.text import plain

NAME = "junit.xml"
# What a student's message may hold and XML may not; no text escapes it.
FORBIDDEN = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
OUTCOMES = {"missing": "skipped", "grader_error": "error"}  # in JUnit's words; others are failures, if graded


def write_junit(out: Path, results: Iterable[SubmissionResult]) -> None:
    """Write junit.xml, in which each check has its exercise, its points and the mistakes that explain it as properties.

    Raises:
        UsageError: the place cannot be written to.
    """
    root = ElementTree.Element("testsuites")
    root.extend(_suite(result) for result in results)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    files.write(out / NAME, f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n')


def _suite(result: SubmissionResult) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=_text(result.student), time=f"{result.seconds:.2f}")
    waiting = {name for each in held(result.exercises) for name in each.exercises}
    suite.extend(
        _case(each, check, is_held=each.exercise in waiting) for each in result.exercises for check in each.checks
    )
    suite.set("tests", str(len(suite)))
    for count, outcome in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(count, str(len(suite.findall(f"testcase/{outcome}"))))
    return suite


def _case(exercise: ExerciseResult, check: CheckResult, *, is_held: bool) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase", classname=f"{exercise.chapter}.{exercise.exercise}", name=_text(check.sentence)
    )
    properties = ElementTree.SubElement(case, "properties")
    for name, value in (
        ("exercise", exercise.exercise),
        ("points", f"{check.points:g}"),
        ("max_points", f"{check.max_points:g}"),
        *(("misconception", name) for name in check.misconceptions),
    ):
        ElementTree.SubElement(properties, "property", name=name, value=value)
    if check.status != "passed":
        kind, says = OUTCOMES.get(check.status, "error" if is_held else "failure"), _text(check.message.headline)
        ElementTree.SubElement(case, kind, type=check.status, message=says)
    return case


def _text(text: str) -> str:
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", plain(text))
