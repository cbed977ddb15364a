"""What the course says of its known mistakes, read as text, as importing them would import torch."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.course.course import Course
from autograder.source.parsing import syntax_tree

Said = tuple[str, str]
"""The sentence and the advice of a mistake."""


class KnownMistakes(Mapping[str, Said]):
    """What each known mistake says, by its id; a file is parsed when one of its mistakes is looked up."""

    def __init__(self, course: Course) -> None:
        paths = [path for chapter in course.chapters for path in course.misconception_files(chapter)]
        self._texts = {path: path.read_text(encoding="utf-8") for path in paths}
        self._parsed: dict[Path, dict[str, Said]] = {}
        self._found: dict[str, Said | None] = {}

    def __getitem__(self, identifier: str) -> Said:
        if identifier not in self._found:
            self._found[identifier] = self._search(identifier)
        if found := self._found[identifier]:
            return found
        raise KeyError(identifier)

    def __iter__(self) -> Iterator[str]:
        for path in self._texts:
            yield from self._says(path)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _search(self, identifier: str) -> Said | None:
        within = (path for path, text in self._texts.items() if identifier in text)
        return next((says[identifier] for path in within if identifier in (says := self._says(path))), None)

    def _says(self, path: Path) -> dict[str, Said]:
        if path not in self._parsed:
            self._parsed[path] = _says_in(self._texts[path])
        return self._parsed[path]


def _says_in(text: str) -> dict[str, Said]:
    return {
        str(ast.literal_eval(decorator.args[1])): _says(node)
        for node in syntax_tree(text).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "misconception"
        if len(decorator.args) == 2  # a pair has more
    }


def _says(node: ast.FunctionDef | ast.ClassDef) -> Said:
    says, _, advice = inspect.cleandoc(ast.get_docstring(node) or "").partition("\n\n")
    return " ".join(says.split()), " ".join(advice.split())
