r"""Syntax of a newer Python is told from mistakes, on whatever Python these tests run."""

from __future__ import annotations

import re
import sys

import pytest

from autograder.source.newer import Newer, newer_syntax
from autograder.source.parsing import parse
from autograder.source.syntax_problems import explain, syntax_problem

NAME = "ch01_toy.py"
QUOTES = "nests quotes inside an f-string"
BACKSLASH = "has a backslash inside the braces of an f-string"
COMMENT = "has a comment inside the braces of an f-string"
BREAK = "breaks the line inside the braces of an f-string"
DEEP = "nests braces three deep in an f-string"
ALIAS = "names a type with `type`"
FUNCTION, CLASS = "gives a function type parameters", "gives a class type parameters"
DEFAULT = "gives a type parameter a default"
EXCEPT = "lists exceptions without parentheses"

# Each compiles in Python 3.13, if it needs no newer one, and fails in 3.11.
OF_3_12 = {
    'x = f"{d["a"]}"\n': Newer((3, 12), 1, QUOTES, 10),
    "x = 1\ny = f'{d['a']}'\n": Newer((3, 12), 2, QUOTES, 10),
    'print(f"{", ".join(names)}")\n': Newer((3, 12), 1, QUOTES, 10),
    'f"{\'say "hi"\'}"\n': Newer((3, 12), 1, QUOTES, 4),
    'f"{f"{f"{1}"}"}"\n': Newer((3, 12), 1, QUOTES, 4),
    'f"{x!r:{"<"}10}"\n': Newer((3, 12), 1, QUOTES, 9),
    'rf"\\{d["a"]}\\d" \'b\'\n': Newer((3, 12), 1, QUOTES, 8),
    'F"{x=} {d["a"]=!s:>5} {{}}"\n': Newer((3, 12), 1, QUOTES, 11),
    'f"\\N{DIGIT ONE} {d["a"]}"\n': Newer((3, 12), 1, QUOTES, 20),
    'x = ("a" f"b" f"{d["a"]}"\n     "c")\n': Newer((3, 12), 1, QUOTES, 20),
    'f"{(lambda x: d["a"])(1)} {x != y} {a[1:2]}"\n': Newer((3, 12), 1, QUOTES, 17),
    'async def f():\n    yield f"{await g("a")} {(yield)}"\n': Newer((3, 12), 2, QUOTES, 22),
    "def f():\n    return f\"{'\\n'.join(x)}\"\n": Newer((3, 12), 2, BACKSLASH, 16),
    'f"""{d["a"]} {"\\n"}"""\n': Newer((3, 12), 1, BACKSLASH, 16),
    'f"{a # why\n}"\n': Newer((3, 12), 1, COMMENT, 6),
    'f"""{\n    a  # why\n}"""\n': Newer((3, 12), 2, COMMENT, 8),
    "x = f'{\n    1\n}'\nz = 1\n": Newer((3, 12), 1, BREAK, 8),
    'f"{x:{y:{z}}}"\n': Newer((3, 12), 1, DEEP, 10),
    "type Sizes = tuple[int, int]\n": Newer((3, 12), 1, ALIAS, 1),
    "class A:\n    type B[T] = list[T]; x = 1\n": Newer((3, 12), 2, ALIAS, 11),
    "def f[T](x: T) -> T:\n    return x\n": Newer((3, 12), 1, FUNCTION, 6),
    "async def f[T: (int, str), *Ts, **P](x): pass\n": Newer((3, 12), 1, FUNCTION, 12),
    "x = 1\ndef f[\n    T,  # a type\n](x):\n    return x\n": Newer((3, 12), 2, FUNCTION, 6),
    "class A[T]: pass\n": Newer((3, 12), 1, CLASS, 8),
    "@d\nclass A[T: int](B):\n    def m[S](self): return f'{self.x['a']}'\n": Newer((3, 12), 2, CLASS, 8),
}
OF_3_13 = {
    "class A[T = int](B): pass\n": Newer((3, 13), 1, DEFAULT, 9),
    "type A[T: int = bool] = list[T]\n": Newer((3, 13), 1, DEFAULT, 8),
    "def f[S, *Ts = *tuple[int]](): return f'{d['a']}'\n": Newer((3, 13), 1, DEFAULT, 10),
}
OF_3_14 = {
    "try: pass\nexcept KeyError, ValueError: pass\n": Newer((3, 14), 2, EXCEPT, 8),
    "try: pass\nexcept* A, socket.error, (B if c(1, 2) else D):\n    pass\n": Newer((3, 14), 2, EXCEPT, 9),
    'x = t"{d["a"]} is {x!r}"\n': Newer((3, 14), 1, "holds a t-string", 5),
    "def f[T](x):\n    return Tr'\\d{x}' t'b'\n": Newer((3, 14), 2, "holds a t-string", 12),
    'f"{t"{x}"}"\n': Newer((3, 14), 1, "holds a t-string", 4),
}
ALL = OF_3_12 | OF_3_13 | OF_3_14


@pytest.mark.parametrize(("text", "newer"), ALL.items())
def test_newer_syntax_is_told_with_its_version_its_line_and_what_it_is(text: str, newer: Newer) -> None:
    assert newer_syntax(text, running=(3, 11)) == newer


@pytest.mark.parametrize(("text", "newer"), ALL.items())
def test_a_python_that_knows_the_form_is_told_nothing(text: str, newer: Newer) -> None:
    assert newer_syntax(text, running=newer.version) is None
    assert newer_syntax(text, running=(3, 15)) is None


@pytest.mark.parametrize(("text", "newer"), ALL.items())
def test_what_is_called_newer_compiles_from_that_version_on(text: str, newer: Newer) -> None:
    if sys.version_info >= newer.version:
        parse(text)
    else:
        with pytest.raises(SyntaxError):
            parse(text)


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("wrong", ["x = (1\n", "def g(:\n    pass\n", "x = 'a\n", "y = f'{a[1}'\n"])
def test_a_file_with_a_mistake_as_well_is_wrong_in_any_python(text: str, wrong: str) -> None:
    assert newer_syntax(text + wrong, running=(3, 11)) is None


MISTAKES = [
    'x = f"{d["a"}"\n',
    'x = f"{d["a"]"\n',
    'print(f"{f(x}")\n',
    'print(f"{x", "y")\n',
    'print(f"{x, "}")\ny = 1\n',
    'x = f"{a} {b"\ny = 2\n',
    'print(f"the word "{w}" is")\n',
    'f"{}" + f"{d["a"]}"\n',
    'f"{ }{d["a"]}"\n',
    'f"}{d["a"]}"\n',
    'f"{d["a"]!z}"\n',
    'f"{(d["a"]]}"\n',
    'f"{d["a"])in(x}"\n',
    'f"{"\\x".join(d)}"\n',
    'f"{d["a"])}"\n',
    'f"{lambda x: d["a"]}"\n',
    'f"{x = = d["a"]}"\n',
    'f"{d["a"]\\}"\n',
    'f"{x:{y:{z:{w}}}}"\n',
    'f"{*a}{d["a"]}"\n',
    'f"{d["a"]}" b"x"\n',
    'return f"{d["a"]}"\n',
    't"{x"\n',
    'x = t "abc"\n',
    "f'it's {x}'\n",
    'f"{x}"""\n',
    "class A[nn.Module]: pass\n",
    "from torch.nn import Module\nclass A[Module]: pass\n",
    "class A[object]: pass\n",
    "def f[x]:\n    pass\n",
    "def f[](x): pass\n",
    "def f(x)[T]: pass\n",
    "def f[T, T](x): pass\n",
    "def f[T = int, S](x): pass\n",
    "def f[***P](x): pass\n",
    "def f[*Ts: int](x): pass\n",
    "def f[T](x: pass\n",
    "type X\n",
    "type X = int, str\n",
    "type X = int,\n",
    "type X[T) = list[T]\n",
    "if1: type X = int\n",
    "type X = '\ud800'\n",
    "type X = Y = int\n",
    "type = \n",
    "type in = int\n",
    "print type X = int\n",
    "try: pass\nexcept ValueError, e: print(e)\n",
    "try: pass\nexcept A, B as e: pass\n",
    "try: pass\nexcept A,: pass\n",
    "except A, B: pass\n",
    "print 'hello'\n",
]


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_never_told_as_newer_syntax(text: str) -> None:
    assert newer_syntax(text, running=(3, 11)) is None


@pytest.mark.parametrize("text", ["x = 1\n", "", "f'{x[1]:>{w}} {\"a\"}'\n", "type(x)\ntype = 3\n", "x = y[T](1)\n"])
def test_what_every_python_reads_needs_none(text: str) -> None:
    assert newer_syntax(text, running=(3, 11)) is None


@pytest.mark.parametrize(
    "text",
    ['f"{' * 50_000, "f'{x:{" * 30_000, "class A[" * 30_000, "except " * 30_000, 't"{' * 60_000, "f'{x#" * 40_000],
    ids=["fields", "formats", "classes", "handlers", "t-strings", "comments"],
)
def test_hostile_texts_come_to_an_end(text: str) -> None:
    assert newer_syntax(text, running=(3, 11)) is None


def test_the_problem_names_the_python_and_waits_for_a_person() -> None:
    # No Python of today reads what is newer than all of them; the newest form stands for it.
    text = "def double(x):\n    try:\n        return 2 * x\n    except KeyError, ValueError:\n        pass\n"
    problem = syntax_problem(text, NAME)
    if sys.version_info >= (3, 14):
        assert problem is None
        return
    here = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    assert problem
    assert problem.message == (
        f"ch01_toy.py needs Python 3.14: line 4 lists exceptions without parentheses, which the {here} here cannot read"
    )
    assert re.search(r" needs Python \d\.\d+: ", problem.message)
    assert (problem.status, problem.held) == ("syntax", True)
    assert problem.line
    assert problem.line.text[problem.line.caret :] == "KeyError, ValueError:"


def test_a_cell_says_which_one_needs_the_newer_python() -> None:
    text = "try: pass\nexcept A, B: pass\n"
    problem = explain(SyntaxError("invalid syntax"), text, "ch01_toy.ipynb", "cell of double")
    if sys.version_info < (3, 14):
        assert problem.message.startswith("ch01_toy.ipynb needs Python 3.14: cell of double, line 2 lists exceptions")


def test_an_ordinary_mistake_waits_for_nobody() -> None:
    problem = syntax_problem("def double(x:\n    pass\n", NAME)
    assert problem
    assert not problem.held
