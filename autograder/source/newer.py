"""Syntax of a newer Python than the one that runs: only where the same code in an older form compiles."""

from __future__ import annotations

import ast
import builtins
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autograder.source.forms import Part, edits
from autograder.source.parsing import SOURCE_LIMIT, parse
from autograder.source.templates import NewerForm, NoTemplateError, Version, templates


@dataclass(frozen=True)
class Newer:
    """The oldest Python that reads a text, and the first place that needs it, with what its line does in words."""

    version: Version
    line: int
    says: str
    column: int = 1


def newer_syntax(text: str, running: Version = sys.version_info[:2]) -> Newer | None:
    """Return the Python that a text needs which does not compile; None where it has a mistake in any Python.

    Args:
        text: a module, or some statements of one.
        running: the version of Python that cannot read it.
    """
    if len(text) > SOURCE_LIMIT:
        return None
    try:
        emptied, forms = _without_templates(text, running)
        changes = [edit for edit in edits(emptied) if edit.form.version > running]
        tree = parse(_replaced(emptied, (part for edit in changes for part in edit.parts)))
    except (NoTemplateError, tokenize.TokenError, SyntaxError, ValueError):  # the last for what is no Unicode
        return None
    if _known(tree) & {name for edit in changes for name in edit.binds}:
        return None
    found = [*_first(forms, text), *_first([edit.form for edit in changes], emptied)]
    return min(found, key=lambda newer: (*_oldest_last(newer.version), newer.line, newer.column), default=None)


def _without_templates(text: str, running: Version) -> tuple[str, list[NewerForm]]:
    """Return the text with plain strings for the f-strings and t-strings that are too new, and why they are.

    Raises:
        SyntaxError, NoTemplateError: they are not right in any Python.
    """
    too_new = [each for each in templates(text) if any(form.version > running for form in each.newer)]
    expressions = (f" ({code}\n)\n" for each in too_new for code in each.codes)
    parse("".join(["async def _():\n pass\n", *expressions]))  # there, `await` and `yield` are allowed
    plain = ((each.start, each.end, _plain(text[each.start : each.end])) for each in too_new)
    return _replaced(text, plain), [form for each in too_new for form in each.newer if form.version > running]


def _plain(template: str) -> str:
    """Return a string without fields, on as many lines, and of the same length if it is one line."""
    lines = template.count("\n")
    return '"""' + "\n" * lines + '"""' if lines else f'"{" " * (len(template) - 2)}"'


def _replaced(text: str, parts: Iterable[Part]) -> str:
    """Return the text with others in place of what stands between two places, which do not overlap."""
    pieces, at = list[str](), 0
    for start, end, instead in sorted(parts):
        pieces += [text[at:start], instead]
        at = end
    return "".join([*pieces, text[at:]])


def _first(forms: Iterable[NewerForm], text: str) -> Iterator[Newer]:
    """Yield the first of the forms that need the newest Python, if there are any."""
    if form := min(forms, key=lambda form: (*_oldest_last(form.version), form.place), default=None):
        line = text.count("\n", 0, form.place) + 1
        yield Newer(form.version, line, form.says, form.place - text.rfind("\n", 0, form.place))


def _oldest_last(version: Version) -> Version:
    return -version[0], -version[1]


def _known(tree: ast.Module) -> set[str]:
    """Return names that are no type parameters: `class Encoder[Module]` lacks parentheses, whatever the Python."""
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {*dir(builtins), *(alias.asname or alias.name for node in imports for alias in node.names)}
