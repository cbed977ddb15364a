"""What a file uses that no exercise needs: ways into the process that runs it, or code that cannot be read."""

from __future__ import annotations

import ast
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from autograder.core.text import join_names
from autograder.source.naming import DEEPEST, attribute_of, dotted_name, imported_names, renamed
from autograder.source.parsing import shared_tree

GRADER: Final = "autograder"
BY_NAME: Final[Mapping[str, tuple[str, ...]]] = {
    "the program that grades it": (GRADER,),
    "memory past Python": (
        *("ctypes", "_ctypes", "numpy.ctypeslib", "cffi", "mmap"),
        *("gc.get_objects", "gc.get_referrers", "gc.get_referents"),
    ),
    "the code around it": (
        *("sys.settrace", "sys.setprofile", "threading.settrace", "threading.setprofile", "sys.monitoring"),
        *("sys._getframe", "sys._current_frames", "inspect.currentframe", "inspect.stack", "inspect.getouterframes"),
        *("inspect.trace", "inspect.getinnerframes", "traceback.walk_stack", "traceback.walk_tb"),
    ),
    "below torch's functions": (
        *("torch.library", "torch._C", "torch._ops", "torch._library", "torch.ops.load_library"),
        "torch.utils.cpp_extension",
    ),
    "how modules are found": (
        *("sys.modules", "sys.meta_path", "sys.path_hooks", "builtins.__loader__", "runpy", "pydoc.locate"),
        *("pkgutil.resolve_name", "importlib.import_module", "importlib.machinery", "importlib.abc"),
        *("importlib.util.module_from_spec", "importlib.util.spec_from_file_location"),
    ),
    "the inside of Python": ("builtins.__builtins__",),
    "code that cannot be read": (
        *("builtins.exec", "builtins.eval", "builtins.compile", "builtins.__import__", "types.CodeType"),
        *("code.InteractiveInterpreter", "code.InteractiveConsole", "code.interact", "code.compile_command"),
        *("marshal", "base64", "binascii", "pickle.load", "pickle.loads", "pickle.Unpickler", "dill", "cloudpickle"),
    ),
}
"""Modules, and names of modules, by what they are; Python's own names count as those of `builtins`."""
BY_ATTRIBUTE: Final[Mapping[str, tuple[str, ...]]] = {
    "below torch's functions": ("get_kernel",),
    "the inside of Python": ("__subclasses__", "__globals__", "__builtins__", "__closure__", "__code__"),
    "the code around it": (
        *("f_back", "f_globals", "f_locals", "f_builtins", "tb_frame", "gi_frame", "cr_frame", "ag_frame"),
    ),
}
BUILTIN: Final = tuple(each for names in BY_NAME.values() for each in names if each.startswith("builtins."))
ENDINGS: Final = tuple(f".{each}" for names in BY_NAME.values() for each in names)
FROM_TEXT: Final = ("timeit.timeit", "timeit.repeat", "timeit.Timer")
JOINED: Final = "a name put together", "code that cannot be read"
MODULE_OF_GRADER: Final = re.compile(rf"{GRADER}(\.\w+)*")

_WORDS: Final = (
    *(each for table in (BY_NAME, BY_ATTRIBUTE) for names in table.values() for each in names),
    *(*FROM_TEXT, "types.FunctionType", "importlib.reload", "getattr", "setattr"),
)
_MAY_BE: Final = re.compile(rf"\b(?:{'|'.join({each.rpartition('.')[2] for each in _WORDS})})\b|\\[xuUN0-7]")
"""A word without which a text has nothing that is told, or an escape that may hide one."""

NEEDLESS: Final = " uses what no exercise needs, which costs no points: "


def note_on(name: str, texts: Iterable[str]) -> str:
    """Return a note on what a file, and modules beside it, use that no exercise needs; "" for nothing."""
    found = dict[str, str]()
    for text in texts:
        found |= unusual(text)
    told = [f"{what} ({why})" for what, why in found.items()]
    return f"{name}{NEEDLESS}{join_names(told)}" if told else ""


def is_on_needless(note: str) -> bool:
    """Return whether a note is one of `note_on`."""
    return NEEDLESS in note


def unusual(text: str) -> dict[str, str]:
    """Return what a module uses that no exercise needs, imports first, each with what it is.

    Imports and used names count, comments and docstrings do not. Nothing is found in a text that is not Python.
    """
    if not _MAY_BE.search(unicodedata.normalize("NFKC", text)):  # as Python reads names
        return {}
    try:
        tree = shared_tree(text)
    except SyntaxError:
        return {}
    return dict(_found(tuple(ast.walk(tree))))


def _found(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    imported = list(imported_names(nodes))
    known = _builtin(nodes) | dict(imported)
    known |= renamed(nodes, known)
    for _, name in imported:
        for home in accumulate(name.split(".")[:DEEPEST], "{}.{}".format):
            yield from _told(home)
    usual = set(_usual(nodes, known))
    for node in nodes:
        if id(node) not in usual:
            yield from _told(dotted_name(node, known))
            yield from ((name, why) for why, names in BY_ATTRIBUTE.items() for name in _asked(node) if name in names)
        if isinstance(node, ast.Call):
            yield from _told_of_call(node, known)
    if any(MODULE_OF_GRADER.fullmatch(each) for each in _strings(nodes)):
        yield from _told(GRADER)


def _builtin(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """Return Python's own names of `BUILTIN`, without those that the module uses for something else."""
    methods = {id(each) for node in nodes if isinstance(node, ast.ClassDef) for each in node.body}
    names = {each.removeprefix("builtins."): each for each in BUILTIN}
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if id(node) not in methods:
                names.pop(name, None)
            case ast.ClassDef(name=name) | ast.alias(asname=str(name)) | ast.alias(name=name):
                names.pop(name, None)
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                names.pop(name, None)
    return names


def _told(name: str) -> Iterator[tuple[str, str]]:
    """Yield the entry for a dotted name, also where another module passes it on, as in "os.sys.modules"."""
    for why, names in BY_NAME.items() if f".{name}".endswith(ENDINGS) else ():
        yield from ((each.removeprefix("builtins."), why) for each in names if f".{name}".endswith(f".{each}"))


def _told_of_call(node: ast.Call, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    name = dotted_name(node.func, known)
    called = node.func.id if isinstance(node.func, ast.Name) else ""
    match node.args:
        case [ast.Constant(value=str()) | ast.JoinedStr(), *_] if name in FROM_TEXT:
            yield name, "code that cannot be read"
        case [module, *_] if name == "importlib.reload" and dotted_name(module, known).startswith("torch"):
            yield name, "how modules are found"
        case [_, *_] if name == "types.FunctionType":
            yield name, "the inside of Python"
        case [_, made, *_] if called in ("getattr", "setattr") and _is_put_together(made):
            yield JOINED


def _is_put_together(node: ast.expr) -> bool:
    """Return whether an expression is a text made from constants, which could as well be written as one."""
    match node:
        case ast.BinOp():
            return all(isinstance(each, ast.BinOp | ast.Add | ast.Constant) for each in ast.walk(node))
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join"), args=[parts]):
            return all(not isinstance(each, ast.Name) or each.id == "reversed" for each in ast.walk(parts))
        case ast.Subscript(value=ast.Constant(), slice=ast.Slice()):
            return True
    return False


def _usual(nodes: Sequence[ast.AST], known: Mapping[str, str]) -> Iterator[int]:
    """Yield each `sys.modules` that is only asked whether it has a module, such as "google.colab"."""
    for node in nodes:
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[modules]):
                pass
            case ast.Call(ast.Attribute(modules, "get"), [ast.Constant(str(name)), *_]) if _is_of_others(name):
                pass
            case _:
                continue
        if dotted_name(modules, known).endswith("sys.modules"):
            yield id(modules)


def _is_of_others(module: str) -> bool:
    """Return whether a module is neither torch's nor Python's."""
    return module.partition(".")[0] not in ("torch", *sys.stdlib_module_names)


def _asked(node: ast.AST) -> tuple[str, ...]:
    """Return the attributes that an expression or a pattern asks another object than `self` for."""
    if isinstance(node, ast.MatchClass):
        return tuple(node.kwd_attrs)
    step = attribute_of(node)
    return () if step is None or (isinstance(step[0], ast.Name) and step[0].id == "self") else (step[1],)


def _strings(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the texts in a module that stand for something: not those that are a whole statement."""
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value
