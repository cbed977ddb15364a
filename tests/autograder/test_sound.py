"""What compiles of a text that does not: a broken piece costs itself alone, and no end is found that was not meant."""

from __future__ import annotations

import ast

import pytest

from autograder.source.parsing import SOURCE_LIMIT
from autograder.source.sound import MOST_PIECES, Broken, sound

DOUBLE = "def double(x):\n    return 2 * x\n"
LAST = "class Scale:\n    pass\n"


def found(text: str) -> tuple[list[str], list[tuple[int, tuple[str, ...]]]]:
    """The names that still are defined, and the first lines and names of what does not compile."""
    rest, broken = sound(text)
    assert rest.count("\n") == text.count("\n")
    return [node.name for node in ast.parse(rest).body if hasattr(node, "name")], [(b.first, b.names) for b in broken]


BROKEN = {
    "a bracket": ("S = (2\n\n", ("S",)),
    "a bracket in a function": ("def f(x):\n    return (x\n\n", ("f",)),
    "a bracket in a head": ("def f(x:\n    return x\n\n", ("f",)),
    "no colon": ("def f(x)\n    return x\n", ("f",)),
    "no body": ("def f(x):\n\n", ("f",)),
    "a class": ("class A:\n    def f(self:\n        pass\n", ("A",)),
    "a decorator": ("@cache(\ndef f(x):\n    return x\n", ("f",)),
    "decorated over many lines": ("@cache(\n    size=1,\n)\n@other\ndef f(x)\n    return x\n", ("f",)),
    "an assignment": ("x = = 3\n", ("x",)),
    "an annotation": ("x: int = = 3\n", ("x",)),
    "an item": ("TABLE['a'] = = 3\n", ("TABLE",)),
    "a type": ("type X = = int\n", ("X",)),
    "an `async def`": ("async def f(x)\n    return x\n", ("f",)),
    "a loop": ("for x in range(3)\n    print(x)\n", ()),
    "an `else`": ("if x:\n    y = 1\nelse\n    y = 2\n", ()),
    "prose": ("this is the second part\n", ()),
    "a quote": ("x = 'never closed\n", ("x",)),
    "three quotes in a function": ('def f(x):\n    """A text.\n    return x\n', ("f",)),
    "a tab": ("def f(x):\n\tif x:\n        return x\n", ("f",)),
    "a call": ("print(3\n", ()),
    "letters": ("ä = = 'ö'\n", ("ä",)),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("blank", ["", "\n# a remark\n"])
def test_a_broken_piece_costs_itself_alone(name: str, blank: str) -> None:
    piece, names = BROKEN[name]
    assert found(f"{DOUBLE}{blank}{piece}{blank}{LAST}") == (["double", "Scale"], [(3 + blank.count("\n"), names)])


@pytest.mark.parametrize("name", BROKEN)
def test_two_broken_pieces_are_told_apart(name: str) -> None:
    piece, names = BROKEN[name]
    kept, broken = found(f"{piece}{DOUBLE}{piece}{LAST}")
    assert (kept, [each for _, each in broken]) == (["double", "Scale"], [names, names])


WHOLE = {
    "a list": "TABLE = [\n1,\n2,\n]\n",
    "a call": "print(\n'a',\n(2),\n)\n",
    "a string": "TEXT = '''\nwords at the margin\n(and brackets\n'''\n",
    "a dictionary": "TABLE = {\n'a': 1,\n'b': {\n'c': 2}}\n",
    "an `else`": "if True:\n    x = 1\nelif x:\n    x = 2\nelse:\n    x = 3\n",
    "a `try`": "try:\n    x = 1\nexcept ValueError:\n    x = 2\nfinally:\n    x = 3\n",
    "decorators": "@cache(\n    size=1,\n)\n\n@other\n# a remark\ndef f(x):\n    return x\n",
    "a comment at the margin": "def f(x):\n    y = x\n# a remark\n    return y\n",
    "a docstring at the margin": 'def f(x):\n    """A text\nwith words.\n"""\n    return x\n',
    "a form feed": "\x0c\ndef f(x):\n    return x\n",
    "a line that goes on": "x = 1 + \\\n2\n",
    "a bracket at the margin": "x = (\n1\n)\n",
    "cells": "# %% [markdown]\n# text\n# %%\nx = 1\n",
}


@pytest.mark.parametrize("name", WHOLE)
def test_what_compiles_stays_as_it_is_beside_a_broken_piece(name: str) -> None:
    text = f"{DOUBLE}{WHOLE[name]}{LAST}"
    rest, broken = sound(f"{text}x = = 3\n")
    assert rest == f"{text}\n"
    assert [each.text for each in broken] == ["x = = 3\n"]


@pytest.mark.parametrize(
    ("slipped", "line"),
    [("return y\n", 3), ("    return y\n  z = 3\n", 4), ("yield y\n", 3), ("\n\nreturn y\n", 5)],
)
def test_lines_that_slipped_out_of_a_definition_belong_to_it(slipped: str, line: int) -> None:
    rest, (broken,) = sound(f"def f(x):\n    y = x\n{slipped}{DOUBLE}")
    assert (broken.names, broken.error.lineno) == (("f",), line)
    assert "def double" in rest
    assert "y = x" not in rest


def conflict(ours: str, theirs: str, base: str = "") -> str:
    middle = f"||||||| merged\n{base}" if base else ""
    return f"<<<<<<< HEAD\n{ours}{middle}=======\n{theirs}>>>>>>> theirs\n"


def test_of_a_conflict_neither_side_counts_and_all_around_it_does() -> None:
    text = conflict("def f(x):\n    return 1\n", "def f(x):\n    return 2\nT = 3\n")
    assert found(f"{DOUBLE}{text}{LAST}") == (["double", "Scale"], [(3, ("f", "T"))])


def test_a_conflict_inside_a_definition_costs_that_definition() -> None:
    text = "def f(x):\n" + conflict("    return 1\n", "    return 2\n", "    return 0\n")
    assert found(f"{DOUBLE}{text}{LAST}") == (["double", "Scale"], [(3, ("f",))])


@pytest.mark.parametrize("sides", [("import math\n", "import cmath\n"), ("from a import b\n# why\n", "\n")])
def test_a_conflict_of_imports_keeps_them_all(sides: tuple[str, str]) -> None:
    rest, broken = sound(f"{conflict(*sides)}{DOUBLE}")
    assert broken == ()
    assert "".join(sides).strip() in rest.replace("\n\n", "\n")


def test_two_conflicts_are_two() -> None:
    one = conflict("S = 1\n", "S = 2\n")
    assert found(f"{one}{DOUBLE}{one}{LAST}") == (["double", "Scale"], [(1, ("S",)), (8, ("S",))])


def test_a_conflict_that_was_half_removed_costs_its_piece() -> None:
    assert found(f"{DOUBLE}S = 1\n=======\nS = 2\n>>>>>>> theirs\n{LAST}")[0] == ["double", "Scale"]


@pytest.mark.parametrize("quotes", ['"""', "'''"])
@pytest.mark.parametrize("start", ["", "NOTE = ", "NOTE = f"])
def test_quotes_that_are_never_closed_are_not_closed_by_those_of_a_docstring(quotes: str, start: str) -> None:
    documented = f"def double(x):\n    {quotes}Twice.{quotes}\n    return 2 * x\n"
    rest, broken = sound(f"{start}{quotes}An old attempt\n\n{documented}{LAST}")
    assert "def double" in rest
    assert "class Scale" in rest
    assert broken[0].is_endless


def test_an_end_that_stands_behind_a_definition_was_not_meant() -> None:
    kept, broken = found(f'OLD = """\n{DOUBLE}NEW = """\n{LAST}x = = 3\n')
    assert (kept, [names for _, names in broken]) == (["double", "Scale"], [("OLD",), ("NEW",), ("x",)])


def test_quotes_in_a_definition_are_not_endless() -> None:
    _, (broken,) = sound(f'def f(x):\n    """A text.\n    return x\n{DOUBLE}')
    assert not broken.is_endless


def test_the_line_of_an_error_is_that_of_the_whole_text() -> None:
    _, (broken,) = sound(f"{DOUBLE}\n\ndef f(x):\n    y = x\n    return (y\n")
    assert (broken.first, broken.error.lineno) == (5, 7)
    assert broken.padded.split("\n")[6] == "    return (y"


def test_a_future_import_below_a_broken_piece_is_no_reason_to_read_nothing() -> None:
    rest, broken = sound(f"x = = 3\nS = 2\nfrom __future__ import annotations\n{DOUBLE}")
    assert ("def double" in rest, len(broken)) == (True, 1)


@pytest.mark.parametrize(
    "text",
    ["x = = 3\n" * (MOST_PIECES + 1), "(" * (SOURCE_LIMIT + 1), "x = (\n" * 2000, "'''\n" * 3001, "@a\n" * 5000],
    ids=["many pieces", "long", "brackets", "quotes", "decorators"],
)
def test_a_hostile_text_ends_in_a_syntax_error_or_in_pieces(text: str) -> None:
    try:
        _, broken = sound(text)
    except SyntaxError:
        return
    assert all(isinstance(each, Broken) for each in broken)
