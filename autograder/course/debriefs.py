"""The debrief of each exercise, for learners who have passed it."""

from __future__ import annotations

import re

from autograder.core.reading import contents, decoded
from autograder.core.text import plain
from autograder.course.course import Course

NAME = "debriefs.json"
_SENTENCE = re.compile(r"(?<=[.?!])(?<!\bal\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)\s+(?=[A-Z`\"“‹*\[])")
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\)")
_EMPHASIS = re.compile(r"(?<![\w*`])(\*{1,2})(?=\S)([^*`]+)(?<=\S)\1(?![\w*`])")


def debriefs(course: Course) -> dict[str, str]:
    """Return the debriefs by exercise, in Markdown; none where the file is missing or damaged."""
    try:
        found = decoded(contents(course.table(NAME)), dict[str, str])
    except (OSError, ValueError):  # no verdict depends on them
        return {}
    return {name: plain(words) for name, words in found.items()}


def first_sentence(words: str) -> str:
    """Return the first sentence of a debrief as plain text, without links and emphasis."""
    return _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", sentences(words)[0]))


def sentences(words: str) -> list[str]:
    """Return the sentences of a debrief; "et al." does not end one."""
    return _SENTENCE.split(" ".join(words.split()))
