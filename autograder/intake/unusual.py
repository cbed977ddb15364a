"""What a file uses that no exercise needs: ways into the process that runs it, or code that cannot be read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from autograder.core.text import join_names
from autograder.source.parsing import shared_tree

GRADER: Final = "autograder"
BY_IMPORT: Final[Mapping[str, tuple[str, ...]]] = {
    "the program that grades it": (GRADER,),
    "memory past Python": ("ctypes", "_ctypes", "cffi", "mmap"),
    "the code around it": (
        *("sys.settrace", "sys.setprofile", "threading.settrace", "threading.setprofile", "sys.monitoring"),
        *("sys._getframe", "sys._current_frames", "inspect.currentframe", "inspect.stack", "inspect.getouterframes"),
    ),
    "below torch's functions": (
        *("torch.library", "torch._C", "torch._ops", "torch._library", "torch.ops.load_library"),
        "torch.utils.cpp_extension",
    ),
    "how modules are found": (
        *(
            "sys.modules",
            "sys.meta_path",
            "sys.path_hooks",
            "importlib.import_module",
            "importlib.util",
            "importlib.machinery",
        ),
        "importlib.abc",
    ),
    "code that cannot be read": (
        "marshal",
        "base64",
        "binascii",
        "pickle.loads",
        "dill",
        "cloudpickle",
        "types.CodeType",
    ),
}
"""Modules, and names of modules, by what they are."""
BY_ATTRIBUTE: Final[Mapping[str, tuple[str, ...]]] = {
    "below torch's functions": ("get_kernel",),
    "memory past Python": ("get_objects", "get_referrers", "get_referents"),
    "the inside of Python": ("__subclasses__", "__globals__", "__builtins__", "__closure__", "__code__"),
    "the code around it": ("f_back", "f_globals", "f_locals", "f_builtins", "tb_frame", "gi_frame"),
}
BY_CALL: Final[Mapping[str, tuple[str, ...]]] = {"code that cannot be read": ("exec", "eval", "compile", "__import__")}
JOINED: Final = "a name put together", "code that cannot be read"

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
    """Return what a module uses that no exercise needs, in the order of the text, each with what it is.

    Imports and used names count, comments and docstrings do not. Nothing is found in a text that is not Python.
    """
    try:
        tree = shared_tree(text)
    except SyntaxError:
        return {}
    return dict(_found(tree))


def _found(tree: ast.Module) -> Iterator[tuple[str, str]]:
    imported, own = dict(_imported(tree)), {getattr(node, "name", "") for node in ast.walk(tree)}
    for name in imported.values():
        yield from _told(name)
    asked = {id(each) for node in ast.walk(tree) if isinstance(node, ast.Compare) for each in node.comparators}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in asked:  # `"google.colab" in sys.modules` is usual
            yield from ((node.attr, why) for why, names in BY_ATTRIBUTE.items() if node.attr in names)
            root, _, rest = _dotted(node).partition(".")
            yield from _told(f"{imported[root]}.{rest}" if root in imported else "")
        elif isinstance(node, ast.Call):
            yield from _told_of_call(node, own)
    if any(GRADER in each for each in _strings(tree)):
        yield from _told(GRADER)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names that imports define, each with what it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name, alias.name
                if not alias.asname:
                    yield alias.name.partition(".")[0], alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _told(name: str) -> Iterator[tuple[str, str]]:
    for why, names in BY_IMPORT.items():
        yield from ((each, why) for each in names if f"{name}.".startswith(f"{each}."))


def _told_of_call(node: ast.Call, own: set[str]) -> Iterator[tuple[str, str]]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in own:
        yield from ((name, why) for why, names in BY_CALL.items() if name in names)
    if name in ("getattr", "setattr") and len(node.args) > 1 and _is_put_together(node.args[1]):
        yield JOINED


def _is_put_together(node: ast.expr) -> bool:
    """Return whether an expression is a text made from constants, which could as well be written as one."""
    if isinstance(node, ast.Constant | ast.Name | ast.Attribute | ast.JoinedStr):
        return False
    parts = [each for each in ast.walk(node) if isinstance(each, ast.Constant)]
    return bool(parts) and not any(isinstance(each, ast.Name | ast.JoinedStr) for each in ast.walk(node))


def _dotted(node: ast.expr) -> str:
    """Return "a.b.c" for such an expression; "" for others."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def _strings(tree: ast.Module) -> Iterator[str]:
    """Yield the texts in a module that stand for something: not those that are a whole statement."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value
