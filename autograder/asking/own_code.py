"""A student's definition as text: its lines as they are shown, and the expressions in it that a run can look at."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from autograder.asking.question import Rows
from autograder.core.submission import ChapterSource
from autograder.source.parsing import DEFINITIONS, copied, shared_tree, syntax_tree
from autograder.source.repair.node_tree import FUNCTIONS, Definition, NodeTree, defaults, without_words

LARGEST: Final = 3000
"""A definition with more nodes is not asked about: no answer to an exercise is as long."""
LONGEST: Final = 100
"""So many characters of a line can be read at a glance."""
ASKED: Final = "asked"
"""The key under which a changed definition returns the value that it was made to show."""
CLOSED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp)
CLOSED_TOO: Final = (ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp, ast.NamedExpr)
LOOPS: Final = (ast.For, ast.While)


class Spot(NamedTuple):
    """An expression, such as a variable that a line assigns, and where a run can look at it.

    Args:
        words: its text.
        statement: the number of the statement in the definition, in the order of `ast.walk`.
        is_after: whether it has its value only after the statement.
        in_loop: whether its line may run several times.
    """

    line: int
    words: str
    value: ast.expr
    statement: int
    is_after: bool
    in_loop: bool


@dataclass(frozen=True)
class OwnCode:
    """The definition of an exercise in a student's text, and the function in it that a call runs."""

    source: ChapterSource
    exercise: str
    definition: Definition
    function: ast.FunctionDef

    @classmethod
    def of(cls, source: ChapterSource, exercise: str, method: str) -> OwnCode | None:
        """Return the code that a call of `method` ("" for a function) runs; None where it cannot be asked about."""
        try:
            body = shared_tree(source.text).body
        except (SyntaxError, RecursionError):
            return None
        found = [node for node in body if isinstance(node, DEFINITIONS) and node.name == exercise]
        if "\r" in source.text or not found or sum(1 for _ in ast.walk(found[-1])) > LARGEST:
            return None
        if _is_wrapped(found[-1], {node.name for node in body if isinstance(node, DEFINITIONS)}):
            return None
        function = _function(found[-1], method)
        is_plain = function and not any(_is_odd(each, exercise) for each in ast.walk(found[-1]))
        return cls(source, exercise, found[-1], function) if function and is_plain else None

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text without comments, which may hold the answers to questions."""
        return _without_comments(self.source.text)

    @cached_property
    def tree(self) -> NodeTree:
        return NodeTree(self.definition)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The number of each node in the tree, by its id."""
        return {id(node): number for number, node in enumerate(self.tree.nodes)}

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes that a node is part of, the innermost first."""
        number = self.numbers[id(node)]
        while number:
            number, _ = self.tree.parent(number)
            yield self.tree.nodes[number]

    @cached_property
    def local_names(self) -> frozenset[str]:
        """The parameters of the function, and what it assigns."""
        nodes = [*ast.walk(self.function)]
        made = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        return frozenset(made | {each.arg for each in nodes if isinstance(each, ast.arg)})

    @cached_property
    def mode(self) -> Rows:
        """What to say of dropout, where there may be some."""
        lines = self._text[self.definition.lineno - 1 : self.definition.end_lineno]
        is_module = isinstance(self.definition, ast.ClassDef) and "dropout" in "\n".join(lines).lower()
        return (("mode", "evaluation"),) if is_module else ()

    @cached_property
    def other_methods(self) -> frozenset[str]:
        """The methods of a class that are not shown."""
        own = {each.name for each in getattr(self.definition, "body", ()) if isinstance(each, FUNCTIONS)}
        return frozenset(own - {"__init__", self.function.name} if isinstance(self.definition, ast.ClassDef) else ())

    def number(self, line: int) -> int:
        """Return the number under which a line of the text is shown: that of its file, else from the definition on."""
        return line if self.source.origin.endswith(".py") else line - self.definition.lineno + 1

    @cached_property
    def _text(self) -> list[str]:
        return self.source.text.split("\n")

    def shown(self, line: int, most: int) -> tuple[tuple[int, str], ...]:
        """Return the numbered lines of the function, and of `__init__`; of more than `most`, those around `line`.

        A line with the number 0 stands for those that are left out.
        """
        own = every = [each for each in self._shown_lines() if self.lines[each - 1].strip()]
        if len(own) > most:
            place = min(range(len(own)), key=lambda at: abs(own[at] - line))
            first = max(0, min(place - most // 2, len(own) - most))
            own = sorted({self.function.lineno, *own[first : first + most]})
        found: list[tuple[int, str]] = []
        for before, each in zip([self._shown_lines()[0] - 1, *own], own, strict=False):
            if any(self.lines[between - 1].strip() for between in range(before + 1, each)):
                found.append((0, ""))
            found.append((self.number(each), self.lines[each - 1].rstrip()))
        return (*found, (0, "")) if own[-1] != every[-1] else tuple(found)

    def _methods(self) -> list[ast.FunctionDef]:
        """Return the function, and of a class its constructor too."""
        made = self.definition.body if isinstance(self.definition, ast.ClassDef) else []
        first = [each for each in made if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
        return [*first, self.function]

    def _shown_lines(self) -> list[int]:
        found: list[int] = []
        for each in self._methods():
            words = each.body[0] if ast.get_docstring(each, clean=False) is not None else None
            left = range(words.lineno, (words.end_lineno or words.lineno) + 1) if words else ()
            found += [line for line in range(each.lineno, (each.end_lineno or 0) + 1) if line not in left]
        return sorted({*found})

    @cached_property
    def takes_memory(self) -> bool:
        """Whether it takes memory as it is, so that a number that is never written can be any."""
        return "empty" in " ".join(self._text[self.function.lineno - 1 : self.function.end_lineno])

    def spots(self) -> Iterator[Spot]:
        """Yield what each line assigns, and the parts of its expressions that stand on one line."""
        for node, in_loop in _statements(self.function.body, in_loop=False):
            number, targets = self.numbers[id(node)], _targets(node)
            whole = node.value if isinstance(node, ast.Assign) and targets else None
            for target in targets:
                yield Spot(node.lineno, target, ast.Name(target, ast.Load()), number, True, in_loop)
            for part in _parts_of(node):
                words = self.text_of(part)
                if words and part is not whole:
                    yield Spot(part.lineno, words, part, number, False, in_loop)

    def arrivals(self, lines: Collection[int]) -> dict[int, Spot]:
        """Return for each line a spot that has a value as soon as the line runs."""
        found: dict[int, Spot] = {}
        for node, in_loop in _statements(self.function.body, in_loop=False):
            for line in lines:
                if node.lineno <= line <= (node.end_lineno or 0):  # the innermost comes last
                    found[line] = Spot(line, "", ast.Constant(True), self.numbers[id(node)], False, in_loop)
        return found

    def with_defaults(self, given: Rows) -> Rows:
        """Return what a call is given, with the defaults of what it leaves out, and the mode where that matters."""
        found = dict(given)
        for each in self._methods():
            found = {**{argument.arg: ast.unparse(value) for argument, value in defaults(each)}, **found}
        left_out = [(name, f"{text} (left out)") for name, text in found.items() if name not in dict(given)]
        return (*given, *left_out, *self.mode)

    def text_of(self, node: ast.expr) -> str:
        """Return the text of an expression on one line; "" if it is on several."""
        if node.lineno != node.end_lineno:
            return ""
        line = self.raw(node.lineno).encode("utf-8", "surrogatepass")  # offsets of ast count bytes
        return line[node.col_offset : node.end_col_offset].decode("utf-8", "surrogatepass")

    def raw(self, line: int) -> str:
        """Return a line of the text as it is."""
        return self._text[line - 1]

    def with_line(self, number: int, line: str) -> Definition | None:
        """Return the definition with another text in the place of a line; None if that is not Python."""
        first = min([self.definition.lineno, *(each.lineno for each in self.definition.decorator_list)])
        lines = self._text[first - 1 : self.definition.end_lineno]
        lines[number - first] = line
        try:
            (made,) = syntax_tree("\n".join(lines)).body
        except (SyntaxError, ValueError):
            return None
        return made if isinstance(made, DEFINITIONS) else None

    def showing(self, spot: Spot, name: str) -> str:
        """Return the definition under another name, where it returns the value of a spot as soon as it is there."""
        changed = copied(without_words(self.definition))
        nodes = [*ast.walk(changed)]
        parent, place = self.tree.parent(spot.statement)
        shown = ast.Return(ast.Dict([ast.Constant(ASKED)], [copied(spot.value)]))
        getattr(nodes[parent], place.field).insert((place.position or 0) + spot.is_after, shown)
        return under(changed, name)


def under(definition: Definition, name: str) -> str:
    """Return the code of a definition, which gets another name."""
    definition.name = name
    return ast.unparse(ast.fix_missing_locations(definition))


def _is_wrapped(definition: Definition, own: Collection[str]) -> bool:
    """Return whether a decorator of the student's own runs the definition, and may keep what another copy gave."""
    nodes = (node for each in definition.decorator_list for node in ast.walk(each))
    return any(isinstance(node, ast.Name) and node.id in own for node in nodes)


def _is_odd(node: ast.AST, exercise: str) -> bool:
    """Return whether a definition yields, or calls itself: a changed copy would call the unchanged one."""
    return isinstance(node, ast.Yield | ast.YieldFrom) or (isinstance(node, ast.Name) and node.id == exercise)


def _function(definition: Definition, method: str) -> ast.FunctionDef | None:
    if isinstance(definition, ast.FunctionDef):
        return definition
    wanted = [method] if method else ["forward", "__call__"]
    own = {each.name: each for each in getattr(definition, "body", ()) if isinstance(each, ast.FunctionDef)}
    return next((own[name] for name in wanted if name in own), None)


def _statements(body: Sequence[ast.stmt], *, in_loop: bool) -> Iterator[tuple[ast.stmt, bool]]:
    """Yield the statements of a function, and whether each is in a loop; not those of functions inside it."""
    for node in body:
        if isinstance(node, CLOSED):
            continue
        yield node, in_loop
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(node, field, [])
            yield from _statements(inner, in_loop=in_loop or (isinstance(node, LOOPS) and field == "body"))


def _targets(node: ast.stmt) -> list[str]:
    """Return the variables that a statement assigns."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AugAssign | ast.AnnAssign) else targets
    flat = [each for target in targets for each in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return [each.id for each in flat if isinstance(each, ast.Name) and each.id != "_"]


def _parts_of(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a simple statement that are evaluated whenever it runs."""
    if not isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.AnnAssign) or node.value is None:
        return
    ahead: list[ast.AST] = [node.value]
    while ahead:
        part = ahead.pop(0)
        if isinstance(part, (*CLOSED, *CLOSED_TOO)):
            continue
        if isinstance(part, ast.Call | ast.BinOp | ast.Subscript | ast.Attribute):
            yield part
        ahead += [*ast.iter_child_nodes(part)]


def _without_comments(text: str) -> list[str]:
    """Return the lines of a text without their comments; with them, where it cannot be taken apart."""
    lines = text.split("\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column].rstrip()
    except (tokenize.TokenError, SyntaxError):
        return text.split("\n")
    return lines
