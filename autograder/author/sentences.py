"""What an exercise's docstring promises, sentence by sentence, and the checks that hold an answer to each.

`tests/promises/sentences/chNN_name.toml` has a table for each exercise: each sentence with its checks. The checks under
`conventions` hold what docs/conventions.md promises for every exercise.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from autograder.author.parsed import Definition
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.source.parsing import DEFINITIONS, shared_tree

FOLDER = Path("tests", "promises", "sentences")
CONVENTIONS = "conventions"
_SECTION = re.compile(r"(Args|Returns|Raises|Yields|Attributes):$")
_ITEM = re.compile(r"(\*{0,2}[\w.]+(?:, \*{0,2}[\w.]+)*|`[^`]+`): ")
_SHORT = ("al", "eq", "fig", "sec", "vs", "e.g", "i.e", "cf", "approx")  # a full stop behind these ends no sentence
_END = re.compile(r"(?<=[.!?])" + "".join(rf"(?<!\b{re.escape(each)}\.)" for each in _SHORT) + r"\s+(?=[A-Z0-9`(])")
_NO_PROMISE = ("Source:", "Sources:")

Checks: TypeAlias = dict[str, list[str]]
"""The names of the checks that hold each sentence of an exercise."""


def sentences_of(source: str, name: str) -> list[str]:
    """Return the sentences of the docstrings of an exercise, in their order; for a class, those of its methods too.

    Args:
        source: the text of the chapter.
        name: the exercise.
    """
    named = [each for each in shared_tree(source).body if isinstance(each, DEFINITIONS) and each.name == name]
    return list(dict.fromkeys(each for node in named for part in _parts(node) for each in _sentences(part)))


def _parts(node: Definition | ast.AsyncFunctionDef) -> Iterator[str]:
    """Yield the docstrings of a definition and of its methods."""
    methods = [each for each in node.body if isinstance(each, DEFINITIONS)] if isinstance(node, ast.ClassDef) else []
    for each in (node, *methods):
        yield ast.get_docstring(each) or ""


def _sentences(docstring: str) -> Iterator[str]:
    for paragraph in _paragraphs(docstring):
        text = " ".join(paragraph.split())
        if not text.startswith(_NO_PROMISE):
            yield from (each for each in _END.split(text) if each)


def _paragraphs(docstring: str) -> Iterator[str]:
    """Yield the paragraphs of a docstring; each argument, result and error is one."""
    block: list[str] = []
    in_section = False
    for line in [*docstring.split("\n"), ""]:
        heading = _SECTION.match(line.strip())
        new_item = in_section and line.startswith("    ") and not line.startswith("     ") and _ITEM.match(line.strip())
        if not line.strip() or heading or new_item:
            yield "\n".join(block)
            block = []
        in_section = bool(heading) or (in_section and (not line.strip() or line.startswith(" ")))
        block += [] if heading or not line.strip() else [line]


def held(course: Course, chapter: str) -> dict[str, Checks]:
    """Return what is written of the chapter's exercises.

    Raises:
        UsageError: the file cannot be read.
    """
    path = course.root / FOLDER / f"{chapter}.toml"
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({error}); `attend build` writes its frame") from error


def brought_up_to_date(course: Course, chapter: str) -> str:
    """Return the text of a chapter's file: every sentence, with the checks that are known, and [] for new ones."""
    source, known = course.solution(chapter).read_text(encoding="utf-8"), held(course, chapter)
    tables = [_table(each, sentences_of(source, each.name), known.get(each.name, {})) for each in course.of(chapter)]
    head = f"# What {chapter} promises, and the checks that hold an answer to it. `attend build` keeps the sentences.\n"
    return "\n".join([head, *tables])


def _table(exercise: Exercise, sentences: Sequence[str], known: Mapping[str, Sequence[str]]) -> str:
    rows = {sentence: known.get(sentence, []) for sentence in sentences}
    rows[CONVENTIONS] = known.get(CONVENTIONS, [])
    lines = [f"{_key(sentence)} = {json.dumps(list(checks))}" for sentence, checks in rows.items()]
    return "\n".join([f"[{exercise.name}]", *lines, ""])


def _key(sentence: str) -> str:
    return sentence if sentence == CONVENTIONS else json.dumps(sentence, ensure_ascii=False)
