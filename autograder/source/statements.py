"""The statements at the top level of a module: what each binds or changes, and what it needs.

A statement on which no exercise depends is an experiment, such as a plot, a test or a training, and is not run.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from autograder.source.notebook import Cell
from autograder.source.parsing import DEFINITIONS, segment

IMPORTS = (ast.Import, ast.ImportFrom)
LAMBDAS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
AT_ONCE = frozenset({"listcomp", "setcomp", "dictcomp", "genexpr"})
"""What `symtable` calls the scopes of comprehensions."""
FIXED = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp)
ANYTHING = frozenset({"globals", "locals", "vars", "exec", "eval", "__import__", "__name__"})
"""Names by which code can bind names that its text does not show; `sys.modules` is another way."""
DYNAMIC = re.compile(r"\b(?:globals|vars|locals|exec)\s*\(|\bsys\s*\.\s*modules\b")
CHANGING = frozenset({"setattr", "delattr", "update_wrapper"})
"""Functions that change their first argument, whatever it is."""
IN_PLACE = frozenset({"shuffle", "heapify", "heappush", "heappop", "insort", "fill_diagonal", "copyto", "put"})
MOST_FOLLOWED = 200  # names to which one statement leads; a chapter has fewer functions
BUILTINS = frozenset(vars(builtins))


@dataclass(frozen=True)
class Effects:
    """What running some code may do to the names of its module.

    Args:
        changes: names that it changes.
        touches: names that it may change, if they are variables: objects whose methods it calls, and arguments.
        gives: what it calls, by name, with the names of the object and of arguments.
        calls: names of functions, classes and methods that it calls, or hands on to others.
        is_dynamic: whether it may bind any name.
    """

    changes: frozenset[str] = frozenset()
    touches: frozenset[str] = frozenset()
    gives: frozenset[tuple[str, str]] = frozenset()
    calls: frozenset[str] = frozenset()
    is_dynamic: bool = False


@dataclass(frozen=True)
class Piece:
    """One top-level statement of a cell, or of a module, which counts as one cell."""

    cell: Cell
    node: ast.stmt
    text: str

    @cached_property
    def binds(self) -> frozenset[str]:
        """The names that it binds, or changes by an assignment."""
        return frozenset(binds(self.node))

    @cached_property
    def now(self) -> frozenset[str]:
        """The global names that it reads when it runs."""
        return self._needs[0]

    @cached_property
    def later(self) -> frozenset[str]:
        """The global names that functions in it read when they are called."""
        return self._needs[1]

    @cached_property
    def runs(self) -> Effects:
        """What happens when it runs, besides `binds`."""
        idle = isinstance(self.node, IMPORTS) or is_guard(self.node)
        return Effects() if idle else effects(_run(self.node))

    @cached_property
    def called(self) -> Effects:
        """What happens when something that it defines, or gives a name, is called."""
        found, names = effects(ast.walk(self.node)), self.now | self.later
        if not isinstance(self.node, DEFINITIONS):
            return replace(found, calls=found.calls | names)
        gives = frozenset(each for each in found.gives if each[1] in names)  # others are local
        return replace(found, changes=found.changes & names, touches=found.touches & names, gives=gives)

    @cached_property
    def _needs(self) -> tuple[frozenset[str], frozenset[str]]:
        if isinstance(self.node, IMPORTS) or is_guard(self.node):
            return frozenset(), frozenset()
        now, later = set[str](), set[str]()
        todo = [symtable.symtable(self.text, "<statement>", "exec")]
        while todo:
            table = todo.pop()
            todo.extend(table.get_children())
            if table.get_type() == "module":
                now |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}
            else:
                found = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
                (now if table.get_type() == "class" or table.get_name() in AT_ONCE else later).update(found)
        return frozenset(now), frozenset(later)


def pieces_of(cell: Cell, tree: ast.Module) -> list[Piece]:
    """Return the top-level statements of a cell."""
    lines = cell.source.split("\n")
    return [Piece(cell, node, segment(node, lines)) for node in tree.body]


def is_guard(node: ast.stmt) -> bool:
    """Return whether a statement runs only when the file is started: `if __name__ == "__main__":`."""
    return isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) == "__name__ == '__main__'"


def is_silent(node: ast.stmt) -> bool:
    """Return whether leaving a statement out is not worth a note."""
    return isinstance(node, (ast.Pass, *IMPORTS)) or is_text(node)


def is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a text, such as a docstring, or another constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def brings_anything(node: ast.stmt) -> bool:
    """Return whether an import brings unnamed names (`*`) or a rule for the whole module."""
    return isinstance(node, ast.ImportFrom) and (node.module == "__future__" or node.names[0].name == "*")


def binds(node: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds, or changes by an assignment to a part of them."""
    if isinstance(node, DEFINITIONS):
        return {node.name}
    if is_guard(node) or isinstance(node, ast.Delete):
        return set()
    return {name for inner in _run(node) for name in bound_by(inner)}


def bound_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself binds, or changes by an assignment to a part of them."""
    if isinstance(node, DEFINITIONS):
        yield node.name
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).split(".")[0]
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
        yield from _root(node)
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes that run with a top-level statement in its own scope: of a function only the head."""
    todo = [node]
    while todo:
        each = todo.pop()
        yield each
        if isinstance(each, LAMBDAS):
            heads = [*each.args.defaults, *(default for default in each.args.kw_defaults if default)]
            todo += heads if isinstance(each, ast.Lambda) else [*heads, *each.decorator_list]
        elif isinstance(each, ast.ClassDef):
            todo += [*each.bases, *(keyword.value for keyword in each.keywords), *each.decorator_list]
            todo += [part for inner in each.body for part in _calls_of_body(inner)]
        elif isinstance(each, COMPREHENSIONS):
            todo += [part for part in ast.walk(each) if isinstance(part, ast.Call | ast.NamedExpr)]
        else:
            todo += ast.iter_child_nodes(each)


def _calls_of_body(node: ast.stmt) -> Iterator[ast.AST]:
    """Yield the calls in a class body, whose names are the class's own."""
    if not isinstance(node, LAMBDAS):
        yield from (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _root(node: ast.expr) -> Iterator[str]:
    """Yield `a` for `a`, `a.b` and `a[i]`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def effects(nodes: Iterable[ast.AST]) -> Effects:
    """Return what code made of these nodes may do."""
    changes, touches, gives, calls, is_dynamic = set[str](), set[str](), set[tuple[str, str]](), set[str](), False
    for node in nodes:
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = [root for each in (node.func, *_arguments(node)) for root in _root(each)]
            (changes if name in CHANGING else touches).update(_touched(node, name))
            gives |= {(name, each) for each in given}
            calls |= {name, *given}
        elif isinstance(node, DEFINITIONS):
            calls |= {name for part in _applied(node) for name in _root(part)}
        elif isinstance(node, ast.Global):
            changes |= set(node.names)
        elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changes |= set(_root(node))
        is_dynamic |= _is_dynamic(node)
    return Effects(frozenset(changes), frozenset(touches), frozenset(gives), frozenset(calls), is_dynamic)


def _arguments(call: ast.Call) -> list[ast.expr]:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return [each.value if isinstance(each, ast.Starred) else each for each in given]


def _applied(node: ast.stmt) -> list[ast.expr]:
    """Return the decorators of a definition and the bases of a class, which run code of theirs."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases]
    return node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []


def _touched(call: ast.Call, name: str) -> Iterator[str]:
    """Yield the names of what a call of `name` may change: its object, and arguments."""
    if isinstance(call.func, ast.Attribute) and name not in CHANGING:
        yield from _root(call.func.value)
    is_own = isinstance(call.func, ast.Name) and name not in BUILTINS
    if is_own or name in CHANGING | IN_PLACE or name.endswith("_"):
        yield from (root for given in call.args[: 1 if name in CHANGING else None] for root in _root(given))


def _is_dynamic(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "modules" and isinstance(node.value, ast.Name) and node.value.id == "sys"
    return isinstance(node, ast.Name) and node.id in ANYTHING


def standing(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without later ones that give a defined name to something else, as a demonstration may.

    These are imports, loops and results of calls of the name itself (`softmax = softmax(x)`); what decorates or
    replaces a definition (`softmax = jit(softmax)`) stays.
    """
    defined, kept = set[str](), list[Piece]()
    for piece in pieces:
        if isinstance(piece.node, DEFINITIONS):
            defined.add(piece.node.name)
        elif not _named(piece.node).isdisjoint(defined) and _takes_the_name(piece.node, defined):
            continue
        kept.append(piece)
    return kept


def _takes_the_name(node: ast.stmt, defined: Collection[str]) -> bool:
    if isinstance(node, IMPORTS):
        return {name for each in node.names for name in bound_by(each)} <= {*defined}
    if isinstance(node, ast.Assign):
        return calls_one_of(node.value, _named(node) & {*defined})
    taken = isinstance(node, ast.For | ast.While | ast.With | ast.AugAssign)
    return taken and not any(isinstance(each, DEFINITIONS) for each in ast.walk(node))


def _named(node: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds: `Scale.table = x` changes `Scale`, and binds no name."""
    parts = (ast.Attribute, ast.Subscript)
    return {name for inner in _run(node) if not isinstance(inner, parts) for name in bound_by(inner)}


def calls_one_of(value: ast.expr, names: Collection[str]) -> bool:
    """Return whether an expression calls one of the names."""
    calls = [each.func for each in ast.walk(value) if isinstance(each, ast.Call)]
    return any(isinstance(func, ast.Name) and func.id in names for func in calls)


def binds_anything(text: str) -> bool:
    """Return whether a module may bind names that its text does not show."""
    return DYNAMIC.search(text) is not None


def needed(pieces: Sequence[Piece], roots: Iterable[str]) -> list[Piece]:
    """Return definitions, and whatever binds or changes, or may change, what `roots` depend on, directly or not.

    All else is an experiment (`out = train(model)`), which may be slow or fail. Other imports serve these, such as a
    plotting library that the grader lacks.
    """
    module = _Module(pieces)
    changed = {id(piece): module.changed(piece) | module.suspected(piece) for piece in pieces}
    always = [piece for piece in pieces if _is_kept(piece.node) or module.is_dynamic(piece)]
    binders: dict[str, list[Piece]] = {}
    for piece in pieces:
        for name in changed[id(piece)]:
            binders.setdefault(name, []).append(piece)
    wanted: set[str] = set()
    todo = [*roots, *(name for piece in always for name in piece.now)]
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            todo.extend(need for piece in binders.get(name, ()) for need in piece.now | piece.later)
    kept = {id(piece) for piece in always}
    return [piece for piece in pieces if id(piece) in kept or not wanted.isdisjoint(changed[id(piece)])]


def changed_names(pieces: Sequence[Piece]) -> list[frozenset[str]]:
    """Return for each piece the names that it binds or changes, through any number of calls."""
    module = _Module(pieces)
    return [module.changed(piece) for piece in pieces]


def _is_kept(node: ast.stmt) -> bool:
    return isinstance(node, DEFINITIONS) or brings_anything(node)


class _Module:
    """What the pieces of one module do to its names, through any number of calls.

    Args:
        pieces: all of them.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._known: dict[int, list[Effects]] = {}  # by the id of a piece
        self._own: dict[str, list[Piece]] = {}  # what a call of a name may run
        self._holds: dict[str, set[str]] = {}  # what a variable may be, or hold
        fixed = {name for piece in pieces if _is_fixed(piece.node) for name in piece.binds}
        for piece in pieces:
            for name in _callable(piece):
                self._own.setdefault(name, []).append(piece)
            if not isinstance(piece.node, DEFINITIONS + IMPORTS):
                for name in piece.binds:
                    self._holds.setdefault(name, set()).update((piece.now | piece.later) - {name})
                fixed -= set() if _is_fixed(piece.node) else piece.binds
        self._variables = self._holds.keys() - fixed
        self._objects = self._variables | {piece.node.name for piece in pieces if isinstance(piece.node, ast.ClassDef)}

    def changed(self, piece: Piece) -> frozenset[str]:
        """Return what a piece binds or changes."""
        return piece.binds.union(*(each.changes | (each.touches & self._variables) for each in self._done(piece)))

    def suspected(self, piece: Piece) -> frozenset[str]:
        """Return what a piece may change besides: what own functions and methods are given, under other names too."""
        done = self._done(piece)
        given = {name for each in done for called, name in each.gives if called in self._own} & self._objects
        todo = given.union(*(each.changes | (each.touches & self._variables) for each in done))
        return frozenset(_followed(todo, lambda name: self._holds.get(name, set()) & self._objects))

    def is_dynamic(self, piece: Piece) -> bool:
        """Return whether a piece may bind any name."""
        return not is_guard(piece.node) and any(each.is_dynamic for each in self._done(piece))

    def _done(self, piece: Piece) -> list[Effects]:
        """Return what a piece does itself, and what the functions do that it calls, directly or not."""
        if id(piece) not in self._known:
            names = _followed(piece.runs.calls & self._own.keys(), self._calls)
            self._known[id(piece)] = [piece.runs, *(own.called for name in names for own in self._own[name])]
        return self._known[id(piece)]

    def _calls(self, name: str) -> set[str]:
        return {called for own in self._own[name] for called in own.called.calls} & self._own.keys()


def _followed(first: Iterable[str], more: Callable[[str], Iterable[str]]) -> list[str]:
    """Return these names and those that they lead to, the nearest first; of very many no more than a limit."""
    found = dict.fromkeys(sorted(first))
    todo = [*found]
    for name in todo:  # which grows
        if len(todo) >= MOST_FOLLOWED:
            break
        further = [each for each in sorted(more(name)) if each not in found]
        found.update(dict.fromkeys(further))
        todo += further
    return todo


def _callable(piece: Piece) -> Iterator[str]:
    """Yield the names by which what a piece defines may be called: a class by its methods, too."""
    if isinstance(piece.node, ast.ClassDef):
        yield from (node.name for node in piece.node.body if isinstance(node, LAMBDAS[:2]))
    yield from () if isinstance(piece.node, IMPORTS) else piece.binds


def _is_fixed(node: ast.stmt) -> bool:
    """Return whether a statement gives names a value that nothing can change, such as a number."""
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    return value is not None and all(isinstance(each, FIXED) for each in ast.walk(value) if isinstance(each, ast.expr))
