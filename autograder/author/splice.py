"""Replace a right answer by a known wrong one, as if a student had written it."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping, Sequence
from functools import lru_cache

from autograder.author.parsed import Definition, mistake_marks, words_of
from autograder.core.errors import AttendError
from autograder.course.course import Course
from autograder.course.model import Misconception
from autograder.source.parsing import shared_tree, syntax_tree


def misconception_source(course: Course, chapter: str, misconception: Misconception) -> str:
    """Return the source of a misconception in reference/misconceptions/, with its decorator and docstring.

    A twin has the source of the mistake that it is a twin of, with its own exercise in place of that mistake's.

    Raises:
        AttendError: the chapter has no misconception with that id.
    """
    for path in course.misconception_files(chapter):
        if source := _by_identifier(path.read_text(encoding="utf-8")).get(misconception.identifier):
            return source
    raise AttendError(f"{chapter} has no misconception '{misconception.identifier}'; correct the id")


def with_wrong_answer(solution_text: str, wrong_source: str, exercise: str) -> str:
    """Return the solution's text with the definition of `exercise` replaced by a wrong one.

    Args:
        solution_text: a chapter's source, or a student's module.
        wrong_source: the source of one function or class. It takes the exercise's name, and loses its decorators and
            its docstring, which names the mistake.
        exercise: the name to replace.

    Returns:
        The text of a module. If the wrong answer uses the right one (a class that derives from it, a function that
        calls it), the right one stays in front of it as `_exercise`.

    Raises:
        AttendError: one of the two texts has no definition to work with.
    """
    right = _definition(solution_text, exercise)
    wrong_source = _bare(textwrap.dedent(wrong_source))
    wrong = _definition(wrong_source)
    private = f"_{exercise}"
    names = {wrong.name: exercise} if _uses(wrong, wrong.name) else {}
    answer = ""
    if wrong.name != exercise and _uses(wrong, exercise):
        names[exercise] = private
        answer = _renamed(solution_text, right, private, {exercise: private}) + "\n\n\n"
    answer += _renamed(wrong_source, wrong, exercise, names)
    lines = solution_text.split("\n")
    first, last = definition_lines(solution_text, exercise)
    lines[first:last] = answer.split("\n")
    text = "\n".join(lines)
    shared_tree(text)
    return text


def definition_lines(source: str, name: str) -> tuple[int, int]:
    """Return a definition's first line (from 0), its decorators included, and the line after its last.

    Raises:
        AttendError: there is no such definition.
    """
    node = _definition(source, name)
    return _first_line(node) - 1, _last_line(node, source.split("\n"))


def _definition(source: str, name: str | None = None) -> Definition:
    """Return the last top-level definition of `name`, as Python would use it; of any name if None."""
    found = [node for node in _definitions(source) if name in {None, node.name}]
    if not found:
        what = f"'{name}' to be replaced" if name else "in the wrong answer"
        raise AttendError(f"there is no function or class {what}; define one at the top level")
    return found[-1]


@lru_cache(maxsize=64)
def _definitions(source: str) -> Sequence[Definition]:
    """Return the top-level definitions; cached, as each mistake of a chapter needs the same text."""
    return [node for node in syntax_tree(source).body if isinstance(node, Definition)]


@lru_cache(maxsize=64)
def _by_identifier(source: str) -> Mapping[str, str]:
    """Return the source of each misconception in a file, by its id; both ids, joined by "+", for a pair."""
    each = ((node, mark) for node in _definitions(source) for mark in mistake_marks(node))
    return {"+".join(words_of(mark)[1:]): _marked_once(source, node, mark) for node, mark in each}


def _marked_once(source: str, node: Definition, mark: ast.Call) -> str:
    """Return the source of a misconception as that which `mark` makes of it, without its other marks."""
    first, others = mistake_marks(node)[0], [each for each in mistake_marks(node) if each is not mark]
    (written_for, *_), (exercise, *_) = words_of(first), words_of(mark)
    dropped = {line for other in others for line in range(other.lineno, (other.end_lineno or other.lineno) + 1)}
    lines = _renamed(source, node, node.name, {written_for: exercise}).split("\n")
    return "\n".join(line for number, line in enumerate(lines, _first_line(node)) if number not in dropped)


def _first_line(node: Definition) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _last_line(node: Definition, lines: Sequence[str]) -> int:
    """Return the definition's last line; indented comments below its last statement belong to it."""
    last = node.end_lineno or node.lineno
    for number, line in enumerate(lines[last:], last + 1):
        if line[:1] not in {"", " ", "\t"}:
            break
        last = number if line.strip() else last
    return last


def _uses(node: Definition, name: str) -> bool:
    """Return whether `node` uses `name` from outside: it reads the name and binds it nowhere."""
    names = [inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id == name]
    own = any(isinstance(inner, ast.arg) and inner.arg == name for inner in ast.walk(node))
    return bool(names) and not own and all(isinstance(inner.ctx, ast.Load) for inner in names)


def _renamed(source: str, node: Definition, name: str, inner: Mapping[str, str]) -> str:
    """Return the source of `node` renamed to `name`, with the names in `inner` replaced inside it."""
    used = [word for word in ast.walk(node) if isinstance(word, ast.Name) and word.id in inner]
    edits = [(word.lineno, word.col_offset, word.id, inner[word.id]) for word in used]
    edits.append((node.lineno, _column_of_name(node), node.name, name))
    lines = source.encode("utf-8").split(b"\n")  # ast counts columns in bytes
    for line, column, old, new in sorted(edits, reverse=True):  # from the back, so that positions stay valid
        text = lines[line - 1]
        lines[line - 1] = text[:column] + new.encode() + text[column + len(old.encode()) :]
    exchanged = b"\n".join(lines).decode("utf-8").split("\n")
    return "\n".join(exchanged[_first_line(node) - 1 : _last_line(node, exchanged)])


def _bare(source: str) -> str:
    """Return the definition in `source` without its decorators, and without its docstring if that leaves a body."""
    node = _definition(source)
    lines = source.split("\n")
    kept = lines[node.lineno - 1 : node.end_lineno]
    words, *body = node.body
    end = words.end_lineno or words.lineno
    if ast.get_docstring(node) is not None and body and body[0].lineno > end:
        while not lines[end].strip():
            end += 1
        del kept[words.lineno - node.lineno : end - node.lineno + 1]
    return "\n".join(kept) + "\n"


def _column_of_name(node: Definition) -> int:
    return node.col_offset + len("class " if isinstance(node, ast.ClassDef) else "def ")
