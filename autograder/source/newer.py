"""Syntax of a newer Python than the one that runs: only where the same code in an older form compiles."""

from __future__ import annotations

import ast
import builtins
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from keyword import iskeyword, kwlist

from autograder.source.parsing import SOURCE_LIMIT, parse, syntax_tree
from autograder.source.templates import NewerForm, NoTemplateError, Version, templates

SKIPPED = (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)
CLOSING = {")": "(", "]": "[", "}": "{"}
UNPACKED = re.compile(r"=\s*\*")
Replacement = tuple[int, int, str]
"""A text to put between two places."""


@dataclass(frozen=True)
class Newer:
    """The oldest Python that reads a text, and the first place that needs it, with what its line does in words."""

    version: Version
    line: int
    says: str
    column: int = 1


@dataclass(frozen=True)
class _Edit:
    """A form, what puts it into an older one (texts to replace those between two places), and what it binds."""

    form: NewerForm
    parts: tuple[Replacement, ...]
    binds: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Parameters:
    """The names of type parameters, where the first default stands, and the edit that drops all of them."""

    names: frozenset[str]
    default: int | None
    drop: Replacement


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
        changes = [edit for edit in _edits(emptied) if edit.form.version > running]
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


def _replaced(text: str, parts: Iterable[Replacement]) -> str:
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


def _edits(text: str) -> Iterator[_Edit]:
    """Yield an edit for each statement in a newer form.

    Raises:
        tokenize.TokenError, SyntaxError: the text has no tokens of Python.
    """
    code = _Code(text)
    for index, word in enumerate(code.words):
        if word in ("def", "class"):
            yield from code.generic(index)
        elif word == "type":
            yield from code.alias(index)
        elif word == "except":
            yield from code.handler(index)


class _Code:
    """A text as tokens."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        self._tokens = [token for token in tokens if token.type not in SKIPPED]
        self.words = [token.string for token in self._tokens]
        self._closing = self._brackets()

    def _brackets(self) -> dict[int, int]:
        """Return the index of the bracket that closes each one.

        Raises:
            SyntaxError: a bracket closes none of its kind.
        """
        closing, opened = dict[int, int](), list[int]()
        for index, word in enumerate(self.words):
            if word in CLOSING.values():
                opened.append(index)
            elif word in CLOSING:
                if not opened or self.words[opened[-1]] != CLOSING[word]:
                    raise SyntaxError("a bracket closes another one")
                closing[opened.pop()] = index
        return closing

    def _start(self, index: int) -> int:
        row, column = self._tokens[index].start
        return self._starts[row - 1] + column

    def _end(self, index: int) -> int:
        row, column = self._tokens[index].end
        return self._starts[row - 1] + column

    def _is_name(self, index: int) -> bool:
        return self.words[index].isidentifier() and not iskeyword(self.words[index])

    def generic(self, index: int) -> Iterator[_Edit]:
        """Yield the edit for `def f[T](...)` and `class A[T]`."""
        kind = self.words[index]
        follow = ("(",) if kind == "def" else ("(", ":")
        if self.words[index + 2 : index + 3] == ["["] and self._is_name(index + 1):
            what = "a function" if kind == "def" else "a class"
            yield from self._with_parameters(index + 2, follow, f"gives {what} type parameters", ())

    def alias(self, index: int) -> Iterator[_Edit]:
        """Yield the edit for `type X = ...` and `type X[T] = ...`, which becomes `pass; X = _(_=..., __=0)`."""
        begins = index == 0 or self._tokens[index - 1].type == tokenize.NEWLINE or self.words[index - 1] in (";", ":")
        equals = self._closing.get(index + 2, index + 1) + 1
        if not begins or not self._is_name(index + 1) or self.words[equals : equals + 1] != ["="]:
            return
        says = "names a type with `type`"
        last = self._end(self._before(equals, (";",)))
        parts = (
            (self._start(index), self._start(index + 1), "pass; "),
            (self._end(equals), self._end(equals), " _(_="),
            (last, last, ", __=0)"),
        )
        if equals == index + 2:
            yield _Edit(NewerForm((3, 12), self._start(index), says), parts)
        elif self.words[index + 2] == "[":
            yield from self._with_parameters(index + 2, ("=",), says, parts)

    def _before(self, index: int, stops: tuple[str, ...]) -> int:
        """Return the last index on this line before one of the signs `stops` that is in no brackets."""
        while self.words[index] not in stops and self._tokens[index].type != tokenize.NEWLINE:
            index = self._closing.get(index, index) + 1
        return index - 1

    def _with_parameters(
        self, opening: int, follow: tuple[str, ...], says: str, parts: tuple[Replacement, ...]
    ) -> Iterator[_Edit]:
        """Yield the edit for a statement with type parameters, before one of the signs `follow`."""
        closing = self._closing.get(opening)
        if closing is None or self.words[closing + 1] not in follow:
            return
        if found := self._parameters(opening, closing):
            form = NewerForm((3, 12), self._start(opening), says)
            if found.default is not None:
                form = NewerForm((3, 13), found.default, "gives a type parameter a default")
            yield _Edit(form, (*parts, found.drop), found.names)

    def _parameters(self, opening: int, closing: int) -> _Parameters | None:
        """Return the type parameters between two brackets; None if something else stands there."""
        names, default = set[str](), None
        for first, last in self._between_commas(opening + 1, closing):
            found = _parameter(self._text[self._start(first) : self._end(last)])
            if found is None or found.args[0].arg in names or (default is not None and not found.defaults):
                return None
            names.add(found.args[0].arg)
            default = self._start(first) if found.defaults and default is None else default
        lines = self._text.count("\n", self._start(opening), self._end(closing))
        drop = self._start(opening), self._end(closing), "\\\n" * lines
        return _Parameters(frozenset(names), default, drop) if names else None

    def _between_commas(self, index: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield the first and the last index of what stands between commas that are in no brackets."""
        first = index
        while index < stop:
            if self.words[index] == ",":
                yield first, index - 1
                first = index + 1
            index = self._closing.get(index, index) + 1
        if first < stop:
            yield first, stop - 1

    def handler(self, index: int) -> Iterator[_Edit]:
        """Yield the edit for `except A, B:`; `except A, name:` is Python 2."""
        first = index + 1 + (self.words[index + 1] == "*")
        last = self._before(first, (":", *kwlist))
        listed = list(self._between_commas(first, last + 1))
        if self.words[last + 1] == ":" and len(listed) > 1 and not any(self._is_variable(*each) for each in listed):
            start, end = self._start(first), self._end(last)
            form = NewerForm((3, 14), start, "lists exceptions without parentheses")
            yield _Edit(form, ((start, start, "("), (end, end, ")")))

    def _is_variable(self, first: int, last: int) -> bool:
        return first >= last and not self.words[first][:1].isupper()


def _parameter(code: str) -> ast.arguments | None:
    """Return a type parameter, such as `T: int = bool` or `*Ts`, as the parameter of a function."""
    bare = code.removeprefix("*").removeprefix("*")
    if code[:2] != "**" and code != bare:
        bare = UNPACKED.sub("=", bare)
    try:
        node = syntax_tree(f"def _(\n{bare}\n): pass").body[0]
    except SyntaxError:
        return None
    found = node.args if isinstance(node, ast.FunctionDef) else None
    if found is None or len(found.args) != 1 or found.posonlyargs or found.kwonlyargs or found.vararg or found.kwarg:
        return None
    return None if bare != code and found.args[0].annotation else found
