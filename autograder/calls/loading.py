"""Run a chapter's file: a statement at its top level that fails costs only what needs it."""

from __future__ import annotations
import __future__

import ast
import linecache
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import CodeType
from typing import Any, Final, TypeAlias

from autograder.calls.raised import describe
from autograder.calls.records import summary
from autograder.core.errors import CheckFailed
from autograder.core.text import one_line
from autograder.source.notebook import Cell
from autograder.source.parsing import DEFINITIONS, lines_of, syntax_tree
from autograder.source.statements import IMPORTS, binds, changed_names, pieces_of

Runner: TypeAlias = Callable[[Callable[[], None]], None]
"""Calls a function, within limits of time."""

MOST: Final = 100  # statements of a file that are passed over; nothing runs after so many
WHY: Final = 300  # letters of a reason
NOWHERE: Final = 0, 0
EVALUATED_LATER: Final = __future__.annotations.compiler_flag
_UNKNOWN: Final = re.compile(r"name '(\w+)' is not defined")
_TRACEBACK: Final[Any] = vars(BaseException)["__traceback__"]
_CONTEXT: Final[Any] = vars(BaseException)["__context__"]
"""What exceptions have, whatever attributes a student's own give themselves."""


class OutOfTimeError(BaseException):
    """A statement at the top level ran too long."""


@dataclass(frozen=True)
class Unfinished:
    """A statement at the top level of a module that did not run to its end.

    Args:
        file, line: where it begins.
        names: what it binds or changes.
        why: the error, in one line.
        is_late: whether it ran too long.
    """

    file: str
    line: int
    names: tuple[str, ...]
    why: str
    is_late: bool = False


def load(
    text: str, filename: str, space: dict[str, Any], run: Runner, through: type[BaseException]
) -> list[Unfinished]:
    """Run a module's text in `space`; return the statements that failed, though each was given a second chance.

    An import of several names is tried name by name, and all that missed a name again when the name is there.
    Annotations are not evaluated.

    Args:
        text: a module that compiles.
        filename: what its lines are called in tracebacks.
        run: calls what it is given, within limits.
        through: an exception that ends the loading, such as Ctrl-C on the student's own machine.
    """
    linecache.cache[filename] = (len(text), None, lines_of(text), filename)
    loader = _Loader(filename, space, run, through)
    code = loader.compiled(text)
    error = loader.error_of(code)
    stopped = [] if error is None else loader.go_on(text, code, error)
    loader.define_again(text, code, {each.line for each in stopped})
    return stopped


@dataclass
class _Loader:
    filename: str
    space: dict[str, Any]
    run: Runner
    through: type[BaseException]

    def error_of(self, code: CodeType) -> BaseException | None:
        """Run code, and return what it raised."""
        try:
            self.run(partial(exec, code, self.space))
        except self.through:
            raise
        except BaseException as error:  # the student's, of any kind
            came_to_its_end = is_late(error) and _position(error, code) == NOWHERE  # the alarm came a moment after it
            return None if came_to_its_end else error
        return None

    def go_on(self, text: str, code: CodeType, error: BaseException | None) -> list[Unfinished]:
        """Run what follows the statement of `code` that raised `error`, as often as that happens."""
        body = syntax_tree(text).body
        changed = changed_names(pieces_of(Cell(1, "", "", text), ast.Module(body, [])))
        stopped, waiting, number = list[tuple[ast.stmt, Unfinished]](), list[tuple[ast.stmt, str]](), 0
        while error is not None and len(stopped) < MOST:
            number = _index(body, number, _position(error, code))
            node = body[number]
            for part, reason in self._again(node, error):
                if missed := _missed_name(reason):
                    waiting.append((part, missed))
                stopped.append((part, self._stopped(part, changed[number], reason)))
            number += 1
            code = self.compiled(body[number:])
            error = self.error_of(code)
        done = self._tried_again(waiting)
        return [each for part, each in stopped if id(part) not in done]

    def define_again(self, text: str, code: CodeType, failed: Collection[int]) -> None:
        """Define again what later lines have deleted or given to something that cannot be called, such as a result."""
        made = {each.co_name for each in code.co_consts if isinstance(each, CodeType)}
        lost = {name for name in made if name.isidentifier() and not callable(self.space.get(name))}
        for node in syntax_tree(text).body if lost else ():
            if isinstance(node, DEFINITIONS) and node.name in lost and node.lineno not in failed:
                self.error_of(self.compiled([node]))

    def _again(self, node: ast.stmt, error: BaseException) -> Iterator[tuple[ast.stmt, BaseException]]:
        """Yield the parts of a statement that still fail when they are tried by themselves, with their errors."""
        if is_late(error) or not (isinstance(node, IMPORTS) and len(node.names) > 1):
            yield node, error
            return
        for alias in node.names:
            part = _with_name(node, alias)
            if second := self.error_of(self.compiled([part])):
                yield part, second

    def _tried_again(self, waiting: list[tuple[ast.stmt, str]]) -> set[int]:
        """Run statements again for which the name that they missed is there by now; return the ids of those."""
        done = set[int]()
        while True:
            ready = [(node, name) for node, name in waiting if name in self.space and self._is_unmade(node)]
            if not ready:
                return done
            for each in ready:
                waiting.remove(each)
                error = self.error_of(self.compiled([each[0]]))
                if error is None:
                    done.add(id(each[0]))
                elif missed := _missed_name(error):
                    waiting.append((each[0], missed))

    def _is_unmade(self, node: ast.stmt) -> bool:
        """Return whether nothing else has given a value to the names that the statement binds."""
        made = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        names = binds(node) if isinstance(node, DEFINITIONS + IMPORTS) else made
        return names.isdisjoint(self.space)

    def _stopped(self, node: ast.stmt, changed: frozenset[str], error: BaseException) -> Unfinished:
        names = binds(node) if isinstance(node, IMPORTS) else changed
        late = is_late(error)
        if late:  # what it has half done must not be taken for done
            for name in names:
                self.space.pop(name, None)
        return Unfinished(self.filename, node.lineno, tuple(sorted(names)), _why(error), late)

    def compiled(self, source: str | list[ast.stmt]) -> CodeType:
        """Return the code of a text, or of statements."""
        made = source if isinstance(source, str) else ast.Module(source, [])
        try:
            found: CodeType = compile(made, self.filename, "exec", EVALUATED_LATER, dont_inherit=True)
        except SyntaxError:  # an annotation holds what only evaluated ones may, such as `:=`
            found = compile(made, self.filename, "exec", dont_inherit=True)
        return found


def is_late(error: BaseException) -> bool:
    return issubclass(type(error), OutOfTimeError | CheckFailed)  # `isinstance` asks the student's `__class__`


def _why(error: BaseException) -> str:
    try:
        if isinstance(error, CheckFailed):
            return one_line(error.message.headline, WHY)
        return str(error) if isinstance(error, OutOfTimeError) else one_line(summary(describe(error)), WHY)
    except BaseException:  # an exception of the student's own making may refuse to be looked at
        return type(error).__name__


def _missed_name(error: BaseException) -> str:
    """Return the name that was not there; "" for any other error."""
    found = _UNKNOWN.search(_text_of(error)) if issubclass(type(error), NameError) else None
    return found[1] if found else ""


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:
        return ""


def _position(error: BaseException, code: CodeType) -> tuple[int, int]:
    """Return the line and column in `code` that were running; (0, 0) where they are not known."""
    seen: Any = error
    while seen is not None:
        trace = _TRACEBACK.__get__(seen)
        while trace is not None:
            if trace.tb_frame.f_code is code:
                line, _, column, _ = [*code.co_positions()][trace.tb_lasti // 2]
                return line or trace.tb_lineno, column or 0
            trace = trace.tb_next
        seen = _CONTEXT.__get__(seen)
    return NOWHERE


def _index(body: Sequence[ast.stmt], first: int, position: tuple[int, int]) -> int:
    """Return the number of the statement at a position, from `first` on; the last one where there is none."""
    for number in range(first, len(body)):
        node = body[number]
        if position <= (node.end_lineno or 0, node.end_col_offset or 0):
            return number
    return len(body) - 1


def _with_name(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt:
    one = ast.Import([alias]) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, [alias], node.level)
    return ast.copy_location(one, node)
