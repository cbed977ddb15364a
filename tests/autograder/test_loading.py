"""A module is run statement by statement: what fails costs only what needs it, and what can be saved is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from autograder.calls.loading import MOST, OutOfTimeError, Unfinished, load

NAME = "ch01_toy.py"


class _NothingError(BaseException):
    """Ends no loading."""


def loaded(
    text: str, run: Callable[[Callable[[], None]], None] | None = None
) -> tuple[dict[str, Any], list[Unfinished]]:
    space: dict[str, Any] = {"__name__": "ch01_toy"}
    return space, load(text, NAME, space, run or (lambda action: action()), _NothingError)


def stopped(text: str) -> list[tuple[int, tuple[str, ...], str]]:
    return [(each.line, each.names, each.why) for each in loaded(text)[1]]


ZERO = "ZeroDivisionError: division by zero"
FAILS = {
    "an expression": ("1 / 0", ()),
    "an assignment": ("y = 1 / 0", ("y",)),
    "a pair": ("y, (z, *w) = 1 / 0", ("w", "y", "z")),
    "several lines": ("y = [\n    1,\n    1 / 0,\n]", ("y",)),
    "a loop": ("for y in range(2):\n    z = 1 / y", ("y", "z")),
    "a condition": ("if 1 / 0:\n    y = 1\nelse:\n    z = 2", ("y", "z")),
    "a `with`": ("import contextlib\nwith contextlib.nullcontext():\n    y = 1 / 0", ("y",)),
    "a `try`": ("try:\n    y = 1 / 0\nfinally:\n    z = 1", ("y", "z")),
    "a `match`": ("match 1 / 0:\n    case y:\n        pass", ("y",)),
    "a decorator": ("@(lambda f: 1 / 0)\n@staticmethod\ndef y(): pass", ("y",)),
    "a decorator of a class": ("@(\n    lambda f: 1 / 0\n)\nclass y:\n    pass", ("y",)),
    "a default": ("def y(x=1 / 0): pass", ("y",)),
    "a base": ("class y(1 / 0): pass", ("y",)),
    "a class body": ("class y:\n    def f(self): pass\n    z = 1 / 0", ("y",)),
    "a function that is called": ("def f():\n    return 1 / 0\ny = f()", ("y",)),
    "a change": ("t = {}\nt['a'] = 1 / 0", ("t",)),
}


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_named_and_all_around_it_runs(name: str) -> None:
    text, names = FAILS[name]
    space, found = loaded(f"before = 1\n{text}\nafter = 2\ndef last(): return before + after\n")
    assert [(each.names, each.why, each.is_late) for each in found] == [(names, ZERO, False)]
    assert space["last"]() == 3


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("a = 1; y = 1 / 0; b = 2", ("y",)),
        ("a = int('äöü€🎓' > ''); y = 1 / 0; b = 2", ("y",)),
        ("y = 1 / 0; a = 1; b = 2", ("y",)),
        ("a = 1; b = 2; y = 1 / 0", ("y",)),
        ("a = 1; 1 / 0; b = 2", ()),
        ("a = int('é' > ''); y = [\n'ü', 1 / 0]; b = 2", ("y",)),
    ],
)
def test_of_statements_on_one_line_only_the_one_that_fails_is_passed_over(line: str, names: tuple[str, ...]) -> None:
    space, found = loaded(f"{line}\nlast = 3\n")
    assert [(each.line, each.names) for each in found] == [(1, names)]
    assert (space["a"], space["b"], space["last"]) == (1, 2, 3)
    assert "y" not in space


def test_of_two_that_fail_on_one_line_the_other_stays_named_when_one_is_saved() -> None:
    text = "x = later(); y = 1 / 0\ndef later(): return 2\n"
    assert loaded(text)[0]["x"] == 2
    assert stopped(text) == [(1, ("y",), ZERO)]


@pytest.mark.parametrize("blank", ["\n", "\n\x0c\n", '"""A text\nof lines.\n"""\n', "# é\n"])
def test_a_line_is_counted_as_an_editor_does(blank: str) -> None:
    text = f"{blank}{blank}y = 1 / 0\n"
    assert [line for line, _, _ in stopped(text)] == [text.split("\n").index("y = 1 / 0") + 1]


LEAVES = [
    "raise SystemExit",
    "raise KeyboardInterrupt",
    "import sys; sys.exit('done')",
    "raise GeneratorExit",
    "exit(3)",
]


@pytest.mark.parametrize("leave", LEAVES)
def test_leaving_is_no_end_of_the_file(leave: str) -> None:
    space, found = loaded(f"{leave}\nafter = 2\n")
    assert space["after"] == 2
    assert len(found) == 1


def test_what_is_to_end_the_loading_ends_it() -> None:
    with pytest.raises(KeyboardInterrupt):
        load("raise KeyboardInterrupt\n", NAME, {}, lambda action: action(), KeyboardInterrupt)


ODD = {
    "its text": "def __str__(self): raise self",
    "its text, with an exit": "def __str__(self): raise SystemExit",
    "its traceback": "__traceback__ = property(lambda self: 1 / 0)",
    "its context": "__context__ = property(lambda self: self)",
    "its class": "__class__ = property(lambda self: 1 / 0)",
    "its attributes": "def __getattribute__(self, name): raise SystemExit",
    "its name": "__name__ = property(lambda self: 1 / 0)",
}


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("base", ["Exception", "NameError", "BaseException"])
def test_an_exception_that_refuses_to_be_looked_at_is_passed_over_too(what: str, base: str) -> None:
    space, (found,) = loaded(f"class E({base}):\n    {ODD[what]}\nbefore = 1; raise E('x'); after = 2\nlast = 3\n")
    assert (found.line, found.why.partition(":")[0]) == (3, "E")
    assert (space["before"], space["after"], space["last"]) == (1, 2, 3)


SAVED = {
    "a class before its base": "class A(B):\n    pass\nclass B:\n    x = 2\nresult = A.x\n",
    "a base before its import": "class A(B):\n    pass\nclass B(kept.S):\n    x = 2\nimport types as kept_\n"
    "class kept:\n    S = kept_.SimpleNamespace\nresult = A.x\n",
    "a decorator below": "@twice\ndef result(): return 1\ndef twice(f): return lambda: 2 * f()\n",
    "a method before its class": "A.x = 2\nclass A: pass\n",
    "a table before its function": "result = made()\ndef made(): return 2\n",
    "a default before its value": "def result(x=S): return x\nS = 2\n",
    "a call that registers": "register(f)\ndef f(): return 2\nTABLE = []\ndef register(f): TABLE.append(f)\n",
}


@pytest.mark.parametrize("name", SAVED)
def test_what_stands_too_far_up_is_run_again_when_what_it_needs_is_there(name: str) -> None:
    space, found = loaded(SAVED[name].replace("result = A.x", "def result(): return A.x"))
    assert found == []
    value = space.get("result", space.get("A"))
    value = space["TABLE"][0] if "TABLE" in space else value
    assert (value() if callable(value) and not hasattr(value, "x") else getattr(value, "x", value)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "S = later()\nS = 2\ndef later(): return 9\n",
        "S: int = later()\nS = 2\ndef later(): return 9\n",
        "for S in later():\n    pass\nS = 2\ndef later(): return [9]\n",
        "class S(Later): pass\nS = 2\nclass Later: pass\n",
        "from math import nothing_there as S\nS = 2\n",
        "S, R = later()\nS = 2\ndef later(): return 9, 9\n",
    ],
)
def test_what_is_run_again_never_overwrites_a_later_value(text: str) -> None:
    space, found = loaded(text)
    assert space["S"] == 2
    assert [each.line for each in found] == [1]


def test_what_fails_again_keeps_its_first_reason() -> None:
    ((line, names, why),) = stopped("S = later()\ndef later(): return 1 / 0\n")
    assert (line, names) == (1, ("S",))
    assert why.startswith("NameError: name 'later' is not defined")


def test_two_that_wait_for_each_other_are_both_passed_over() -> None:
    assert [names for _, names, _ in stopped("A = B\nB = A\n")] == [("A",), ("B",)]


def test_an_import_of_several_names_is_tried_name_by_name() -> None:
    space, found = loaded("from math import pi, nothing, floor as f\nimport os, nowhere_at_all, sys as s\n")
    assert (space["f"](space["pi"]), space["os"].sep, space["s"].maxsize > 0) == (3, "/", True)
    assert [(each.line, each.names) for each in found] == [(1, ("nothing",)), (2, ("nowhere_at_all",))]
    assert found[0].why.startswith("ImportError: cannot import name 'nothing' from 'math'")


@pytest.mark.parametrize(
    "text",
    [
        "def double(x: Tensorr, *rest: 1 / 0) -> Nowhere: return 2 * x\n",
        "class A:\n    size: Nowhere\n    def double(self, x: Self_) -> Nowhere: return 2 * x\ndouble = A().double\n",
        "S: Nowhere = 2\ndef double(x): return S * x\n",
        pytest.param(
            "S: (n := 3) = 2\ndef double(x): return S * x\n",
            marks=pytest.mark.skipif(sys.version_info >= (3, 14), reason="no longer Python"),
        ),
    ],
)
def test_annotations_are_not_evaluated(text: str) -> None:
    space, found = loaded(text)
    assert (space["double"](3), found) == (6, [])


LOST = {
    "`del`": "del double",
    "a result": "double = 3",
    "an exception": "try:\n    1 / 0\nexcept ZeroDivisionError as double:\n    pass",
    "a loop": "for double in range(3):\n    pass",
    "`None`": "double = None",
    "the file's end": "globals().pop('double')",
}


@pytest.mark.parametrize("name", LOST)
def test_a_definition_that_later_lines_overwrote_is_there_at_the_end(name: str) -> None:
    space, found = loaded(f"S = 2\ndef double(x): return S * x\n{LOST[name]}\n")
    assert (space["double"](3), found) == (6, [])


def test_a_class_given_up_for_an_object_that_can_be_called_stays_one() -> None:
    space, _ = loaded("class A:\n    def __call__(self): return 2\nA = A()\n")
    assert space["A"]() == 2


def tick() -> None:
    raise OutOfTimeError("still running after 1 s")


HALF_DONE = {
    "a loop": "TABLE = {}\nfor n in range(9):\n    TABLE[n] = n\n    if n == 3: tick()\n",
    "a function that is given it": "TABLE = {}\ndef fill(t):\n    t[0] = 0\n    tick()\nfill(TABLE)\n",
    "a function that knows it": "TABLE = {}\ndef fill():\n    TABLE[0] = 0\n    tick()\nfill()\n",
    "a method": "TABLE = {}\nclass Fill:\n    def run(self):\n        TABLE[0] = 0\n        tick()\nFill().run()\n",
    "`while`": "TABLE = []\nwhile True:\n    TABLE.append(1)\n    tick()\n",
}


@pytest.mark.parametrize("name", HALF_DONE)
def test_what_was_cut_short_by_time_leaves_no_half_filled_table(name: str) -> None:
    text = f"SIZE = 2\nOTHER = []\n{HALF_DONE[name]}def double(x): return TABLE\nafter = SIZE\n"
    space: dict[str, Any] = {"tick": tick}
    (found,) = load(text, NAME, space, lambda action: action(), _NothingError)
    assert (found.is_late, found.why, "TABLE" in found.names) == (True, "still running after 1 s", True)
    assert "TABLE" not in space
    assert (space["after"], space["OTHER"], callable(space["double"])) == (2, [], True)


def test_what_fails_otherwise_leaves_what_it_has_done() -> None:
    space, _ = loaded("TABLE = {}\nfor n in (2, 1, 0):\n    TABLE[n] = 1 / n\n")
    assert space["TABLE"] == {2: 0.5, 1: 1.0}


def test_a_number_that_a_slow_function_is_given_stays() -> None:
    space: dict[str, Any] = {"tick": tick}
    load("SIZE = 2\ndef train(n): tick()\nout = train(SIZE)\n", NAME, space, lambda action: action(), _NothingError)
    assert space["SIZE"] == 2


def test_after_very_many_failures_definitions_still_count() -> None:
    many = "".join(f"x{n} = 1 / 0\n" for n in range(MOST + 50))
    space, found = loaded(f"{many}def double(x): return 2 * x\n")
    assert (len(found), space["double"](3)) == (MOST, 6)


def test_an_alarm_that_comes_a_moment_after_the_end_costs_nothing() -> None:
    def late(action: Callable[[], None]) -> None:
        action()
        raise OutOfTimeError("still running")

    space, found = loaded("ONE = 1\ndef result(): return ONE\n", late)
    assert (found, space["result"]()) == ([], 1)
