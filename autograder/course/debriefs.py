"""What the course says of each exercise to a learner who has passed it."""

from __future__ import annotations

import json
import re

from autograder.course.course import Course

NAME = "debriefs.json"
_SENTENCE = re.compile(r"(?<=[.?!])(?<!\bal\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)\s+(?=[A-Z`\"“‹*\[])")
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\)")
_EMPHASIS = re.compile(r"(?<![\w*`])(\*{1,2})(?=\S)([^*`]+)(?<=\S)\1(?![\w*`])")


def debriefs(course: Course) -> dict[str, str]:
    """By exercise, in Markdown; nothing in a copy made before there were debriefs, or where the file is spoilt."""
    try:
        rows = json.loads((course.exercises_dir / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # they are no part of a verdict
        return {}
    return {name: str(words) for name, words in rows.items()} if isinstance(rows, dict) else {}


def first_sentence(words: str) -> str:
    """How a debrief begins, for a line of plain text: links and emphasis are left as their words."""
    return _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", sentences(words)[0]))


def sentences(words: str) -> list[str]:
    """The sentences of a debrief: "Vaswani et al. 2017" does not end one."""
    return _SENTENCE.split(" ".join(words.split()))
