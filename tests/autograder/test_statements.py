"""Which top-level statements an exercise depends on: all that binds or changes what it needs stays, in any form."""

from __future__ import annotations

import sys

import pytest

from autograder.source.notebook import Cell
from autograder.source.parsing import parse
from autograder.source.statements import Piece, changed_names, needed, pieces_of, standing


def pieces(text: str) -> list[Piece]:
    return pieces_of(Cell(1, "", "", text), parse(text))


def kept(text: str) -> list[str]:
    """The statements that `double` needs, without definitions."""
    found = needed(standing(pieces(text)), ["double"])
    return [piece.text for piece in found if not piece.text.startswith(("def ", "class ", "@"))]


USES = "def double(x):\n    return {} * x\n"
BINDS = {
    "an assignment": ("S = 2", "S"),
    "several names": ("R = S = 2", "S"),
    "a pair": ("(R, [*S]) = 1, 2, 3", "S[0]"),
    "an annotation": ("S: int = 2", "S"),
    "a walrus": ("print(S := 2)", "S"),
    "a walrus in a comprehension": ("print([S := n for n in (1, 2)])", "S"),
    "a loop": ("for S in (1, 2):\n    pass", "S"),
    "an unpacking loop": ("for _, S in {1: 2}.items():\n    pass", "S"),
    "a loop with a condition": ("while (S := 2) > 2:\n    pass", "S"),
    "an `else`": ("for _ in ():\n    pass\nelse:\n    S = 2", "S"),
    "a `with`": ("with open(0) as S:\n    pass", "S.fileno()"),
    "a `match`": ("match (1, 2):\n    case (_, S):\n        pass", "S"),
    "a `match` with a star": ("match (1, 2):\n    case (_, *S):\n        pass", "S[0]"),
    "a `match` of the rest": ("match {'a': 2}:\n    case {**S}:\n        pass", "S['a']"),
    "a `try`": ("try:\n    S = 1 / 0\nexcept ZeroDivisionError:\n    S = 2", "S"),
    "a `finally`": ("try:\n    pass\nfinally:\n    S = 2", "S"),
    "an `if`": ("if True:\n    S = 2\nelse:\n    S = 3", "S"),
    "an import": ("import math as S", "S.pi"),
    "an import of a part": ("import os.path", "os.path.sep"),
    "a definition in a branch": ("if True:\n    def S(): return 2", "S()"),
    "a lambda": ("S = lambda: 2", "S()"),
}


@pytest.mark.parametrize("name", BINDS)
def test_whatever_binds_a_name_that_an_exercise_needs_stays(name: str) -> None:
    statement, use = BINDS[name]
    assert kept(f"other = 1\nprint(other)\n{statement}\n{USES.format(use)}") == [statement]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="`except*` and `type` as here are read by newer Pythons")
def test_the_name_of_a_type_is_bound_too() -> None:
    assert kept("type S = int\n" + USES.format("S")) == ["type S = int"]


CHANGES = {
    "an item": ["S = {}", "S['a'] = 2"],
    "an attribute": ["import types", "S = types.SimpleNamespace()", "S.a.b = 2"],
    "an addition": ["S = []", "S += [2]"],
    "a deleted item": ["S = [1, 2]", "del S[0]"],
    "a deleted attribute": ["import types", "S = types.SimpleNamespace(a=1)", "del S.a"],
    "a method": ["S = []", "S.append(2)"],
    "a method in a loop": ["S = []", "for n in range(3):\n    S.append(n)"],
    "a method in a comprehension": ["S = []", "[S.append(n) for n in range(3)]"],
    "a method on one line with more": ["S = []", "S.append(1)", "S.append(2)"],
    "a function of a library": ["import random", "S = [1, 2]", "random.shuffle(S)"],
    "a function that ends in _": ["import torch", "S = torch.ones(2)", "torch.nn.init.zeros_(S)"],
    "`setattr`": ["import types", "S = types.SimpleNamespace()", "setattr(S, 'a', 2)"],
    "another name": ["S = []", "R = S", "R.append(2)"],
    "a name of a name": ["S = []", "R = S", "Q = (R, 3)", "Q[0].append(2)"],
    "its method, by a name": ["S = []", "add = S.append", "add(2)"],
    "the variable of a loop": ["S, R = [], []", "for each in (S, R):\n    each.append(2)"],
    "a lambda": ["S = {}", "fill = lambda: S.update(a=2)", "fill()"],
}


@pytest.mark.parametrize("name", CHANGES)
def test_whatever_changes_an_object_that_an_exercise_needs_stays(name: str) -> None:
    statements = CHANGES[name]
    assert kept("\n".join([*statements, "other = []", "other.append(1)", USES.format("S")])) == statements


FILL = "def fill(table):\n    table['a'] = 2\n"
THROUGH = {
    "a function that is given it": (FILL, ["S = {}", "fill(S)"]),
    "a function that is given it by name": (FILL, ["S = {}", "fill(table=S)"]),
    "a function that knows it": ("def fill():\n    S['a'] = 2\n", ["S = {}", "fill()"]),
    "`global`": ("def fill():\n    global S\n    S = {}\n", ["fill()"]),
    "`global` two calls away": ("def fill():\n    global S\n    S = {}\ndef main():\n    fill()\n", ["main()"]),
    "a function inside a function": (
        "def fill():\n    def inner():\n        S['a'] = 2\n    inner()\n",
        ["S = {}", "fill()"],
    ),
    "a function under another name": (FILL, ["S = {}", "put = fill", "put(S)"]),
    "a function that is handed on": ("def fill(n):\n    S[n] = n\n", ["S = {}", "list(map(fill, range(3)))"]),
    "a part of a function": (FILL, ["import functools", "S = {}", "put = functools.partial(fill, S)", "put()"]),
    "a method that is given it": (
        "class Fill:\n    def run(self, table):\n        table['a'] = 2\n",
        ["S = {}", "Fill().run(S)"],
    ),
    "a method that knows it": (
        "class Fill:\n    def run(self):\n        S['a'] = 2\n",
        ["S = {}", "filler = Fill()", "filler.run()"],
    ),
    "a class that is made": ("class Fill:\n    def __init__(self):\n        S['a'] = 2\n", ["S = {}", "Fill()"]),
    "a comprehension of calls": ("def fill(n):\n    S[n] = n\n", ["S = {}", "[fill(n) for n in range(3)]"]),
    "a thread": (
        "def fill():\n    S['a'] = 2\n",
        ["import threading", "S = {}", "threading.Thread(target=fill).start()"],
    ),
}


@pytest.mark.parametrize("name", THROUGH)
def test_a_change_through_calls_stays(name: str) -> None:
    definition, statements = THROUGH[name]
    assert kept("\n".join([definition, *statements, "print(3)", USES.format("S['a']")])) == statements


ON_CLASSES = {
    "an attribute": "Table.forward = forward",
    "`setattr`": 'setattr(Table, "forward", forward)',
    "an item of an attribute": "Table.rows['a'] = 2",
    "an addition": "Table.size += 1",
    "an object of the class": "Table.usual = Table()",
    "a loop": "for n in range(3):\n    Table.rows[n] = n",
    "a `with`": "with open(0):\n    Table.size = 2",
    "a method of the class": "Table.add(2)",
    "a function of one's own": "extend(Table)",
}


@pytest.mark.parametrize("name", ON_CLASSES)
def test_what_is_added_to_a_class_later_stays(name: str) -> None:
    text = (
        "class Table:\n    rows, size = {}, 1\n    @classmethod\n    def add(cls, n): cls.rows[n] = n\n"
        "def forward(self, x): return x\ndef extend(cls): cls.size = 2\n"
    )
    assert kept(f"{text}{ON_CLASSES[name]}\n{USES.format('Table.size')}") == [ON_CLASSES[name]]


def test_a_registry_that_decorators_fill_stays_with_all_that_they_need() -> None:
    statements = ["import functools", "LIMIT = 3", "TABLE = {}"]
    registered = (
        "def register(name, /, *, size=LIMIT):\n    def add(f):\n        TABLE[name] = f\n        return f\n"
        "    return add\n"
        "@register(\n    'two',\n    size=1,\n)\n@functools.cache\ndef two():\n    return 2\n"
    )
    assert kept("\n".join([*statements, registered, USES.format("TABLE['two']()")])) == statements


@pytest.mark.parametrize(
    "statement",
    [
        "globals()['S'] = 2",
        "globals().update({name: VALUES[name] for name in 'S'})",
        "exec('S = 2')",
        "vars()['S'] = 2",
        "import sys\nsys.modules[__name__].S = 2",
        "if '__main__' != __name__:\n    S = VALUES['S']",
        "from helpers import *",
    ],
)
def test_what_may_bind_any_name_stays_with_all_that_it_needs(statement: str) -> None:
    found = kept(f"VALUES = {{'S': 2}}\n{statement}\n{USES.format('S')}")
    assert "\n".join(found).endswith(statement)
    assert ("VALUES = {'S': 2}" in found) is ("VALUES" in statement)


EXPERIMENTS = [
    "print(double(3))",
    "out = double(3)",
    "import matplotlib.pyplot as plt; plt.plot(double(3)); plt.show()",
    "for step in range(9):\n    print(double(step))",
    "assert double(2) == 4",
    "with open('out.txt', 'w') as file:\n    file.write(str(S))",
    "if __name__ == '__main__':\n    S = 5",
    "del S",
    "train(double, S)",
    "while True:\n    show(S)",
    "x = S + 1; x += 1",
    "input('done?')",
    "def test_double():\n    assert double(2) == 4\ntest_double()",
]


@pytest.mark.parametrize("text", EXPERIMENTS)
def test_what_only_uses_an_exercise_is_an_experiment(text: str) -> None:
    found = kept(f"S = 2\ndef show(x): print(x)\ndef train(f, x): return f(x)\n{USES.format('S')}{text}\n")
    assert found == ["S = 2"]


def test_a_table_that_is_only_read_is_no_reason_to_keep_what_reads_it() -> None:
    assert kept("S = [1]\nprint(S)\nR = len(S)\nprint(max(R, 2))\n" + USES.format("S[0]")) == ["S = [1]"]


def test_a_function_of_a_local_name_changes_no_variable_of_that_name() -> None:
    text = "S = {}\ndef show(n):\n    S = []\n    S.append(n)\nshow(3)\n" + USES.format("S")
    assert kept(text) == ["S = {}"]
    assert changed_names(pieces(text))[2] == frozenset()


TAKEN = {
    "a result": "double = double(3)",
    "a pair of results": "double, other = double(3), 2",
    "a loop": "for double in range(3):\n    pass",
    "a `with`": "with open(0) as double:\n    pass",
    "an addition": "double += 1",
    "an import": "from math import floor as double",
}


@pytest.mark.parametrize("name", TAKEN)
def test_a_later_line_that_gives_the_name_to_something_else_does_not_count(name: str) -> None:
    assert kept(USES.format(2) + TAKEN[name]) == []


@pytest.mark.parametrize(
    "statement",
    [
        "double = compiled(double)",
        "double = lambda x: x + x",
        "double = other",
        "if True:\n    def double(x): return x + x",
        "try:\n    from fast import double\nexcept ImportError:\n    pass",
    ],
)
def test_a_later_line_that_decorates_or_replaces_a_definition_counts(statement: str) -> None:
    text = f"def compiled(f): return f\ndef other(x): return x\n{USES.format(2)}{statement}\n"
    assert kept(text) == [statement]


def test_statements_that_share_a_line_are_told_apart_by_bytes_not_letters() -> None:
    assert kept("a = 'äöü€🎓'; S = 'ß' * 2; print('é', S); b = a\n" + USES.format("S")) == ["S = 'ß' * 2"]
    assert kept("\x0cS = 2; R = 3\n\x0c\n" + USES.format("S")) == ["S = 2"]


def test_a_chain_of_needs_is_followed_to_its_end() -> None:
    links = [f"a{n} = a{n - 1} + 1" for n in range(1, 300)]
    assert kept("\n".join(["a0 = 1", *links, USES.format("a299")])) == ["a0 = 1", *links]


def test_a_change_is_found_through_a_hundred_calls_and_a_hundred_names() -> None:
    calls = "".join(f"def f{n}():\n    f{n - 1}()\n" for n in range(1, 100))
    assert kept(f"def f0():\n    S.append(1)\n{calls}S = []\nf99()\n" + USES.format("S")) == ["S = []", "f99()"]
    names = [f"a{n} = a{n - 1}" for n in range(1, 100)]
    statements = ["a0 = []", *names, "a99.append(2)"]
    assert kept("\n".join([*statements, USES.format("a0")])) == statements
