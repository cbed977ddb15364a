"""A .py's answers: what is defined counts, whatever stands around it, and a note says what was left out."""

from __future__ import annotations

import pytest

from autograder.calls.loading import load
from autograder.core.submission import ChapterSource
from autograder.source.extract import Manifest
from autograder.source.module import read_module, without
from autograder.source.parsing import parse
from tests.autograder.conftest import CHAPTER, TOY

NAME = f"{CHAPTER}.py"
STUB = (TOY / "exercises" / NAME).read_text(encoding="utf-8")
MANIFEST = Manifest.of(CHAPTER, ["double", "mean_and_sum", "Scale"], STUB, ())
DOUBLE = "def double(x):\n    return 2 * x\n"


def read(text: str) -> tuple[ChapterSource, tuple[str, ...]]:
    return read_module(text, MANIFEST, NAME)


def answer(text: str) -> int:
    """What the module's `double` makes of 3; the text is our own, so it may be run here."""
    source, _ = read(text)
    assert source.problem is None
    assert not source.broken
    space: dict[str, object] = {"__name__": CHAPTER}
    load(source.text, NAME, space, lambda action: action(), KeyboardInterrupt)
    found = space["double"]
    assert callable(found)
    return int(found(3))


AROUND = {
    "nothing": "{}",
    "a plot": "import matplotlib.nothing as plt\n{}plt.plot(double(3))\nplt.show()\n",
    "a training": "{}while True:\n    double(3)\n",
    "a question": "{}print(double(int(input())))\n",
    "a test that fails": "{}assert double(2) == 5\n",
    "an exit": "{}import sys; sys.exit()\n",
    "a guard": "{}if __name__ == '__main__':\n    double(input())\n",
    "a broken line above": "x = = 3\n{}",
    "a broken line below": "{}x = = 3\n",
    "a broken function": "def other(x:\n    return x\n{}",
    "lines for IPython": "%matplotlib inline\n!pip install numpy\n{}double?\n",
    "an exported notebook": "get_ipython().run_line_magic('matplotlib', 'inline')\n{}get_ipython().system('ls')\n",
    "quotes above": '"""My answers\n\n{}',
    "quotes below": '{}x = """\n',
    "a conflict": "<<<<<<< HEAD\nS = 1\n=======\nS = 2\n>>>>>>> theirs\n{}",
    "a stub below": f"{{}}\n{STUB}",
    "a stub above": f"{STUB}\n{{}}",
    "a stub below open quotes": f'{{}}\nx = """\n\n{STUB}',
    "another definition above": "def double(x):\n    return 9\n{}",
    "another one below open quotes": '{}\nx = """An old attempt:\n\ndef double(x):\n    return 9\n',
    "an import of its name below": "{}from math import floor as double\n",
    "a result": "{}double = double(3)\n",
    "a constant": "{}double = 'done'\nprint(double)\n",
}


@pytest.mark.parametrize("name", AROUND)
def test_what_is_defined_counts_whatever_stands_around_it(name: str) -> None:
    assert answer(AROUND[name].format(DOUBLE)) == 6


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (DOUBLE + "def double(x):\n    return 9\n", 9),
        (DOUBLE + "double = lambda x: 9\n", 9),
        (DOUBLE + "if True:\n    def double(x): return 9\n", 9),
        (f"def nine(f): return lambda x: 9\n{DOUBLE}double = nine(double)\n", 9),
    ],
)
def test_of_two_answers_the_last_counts(text: str, value: int) -> None:
    assert answer(text) == value


def test_of_two_definitions_a_note_names_the_lines() -> None:
    assert read(DOUBLE * 2)[1] == (f"{NAME} defines double in lines 1 and 3; line 3 counts",)


@pytest.mark.parametrize("after", ["double = 'done'\n", "double = [1, 2]\n", "double = double(3)\n"])
def test_no_note_says_that_a_line_counts_which_does_not(after: str) -> None:
    assert not any("counts" in note for note in read(DOUBLE + after)[1])


def test_what_stands_below_open_quotes_takes_no_place_above_not_even_that_of_a_stub() -> None:
    for above in (STUB, "def double(x):\n    return 3 * x\n"):
        text = read(f'{above}\nx = """\n\n{DOUBLE}')[0].text
        assert text.startswith(above)
        assert DOUBLE not in text


def test_an_untouched_stub_is_the_stub_and_no_news() -> None:
    assert read(STUB) == (ChapterSource(CHAPTER, STUB, NAME), ())


def test_experiments_are_blank_lines_so_that_all_others_keep_their_numbers() -> None:
    uses = DOUBLE.replace("2", "math.pi")
    text = f"import math\nprint(\n    math.pi,\n)\n{uses}for x in range(3):\n    double(x)\n\nS = 2\n"
    source, notes = read(text)
    assert source.text == f"import math\n\n\n\n{uses}\n\n\n\n"
    assert notes == (f"{NAME}: no exercise needs lines 2 to 4, 7 to 8 and 10, which were not run",)


def test_one_experiment_is_one_line() -> None:
    assert read(f"{DOUBLE}print(3)\n")[1] == (f"{NAME}: no exercise needs line 3, which was not run",)


def test_what_is_silent_is_left_out_without_a_note() -> None:
    source, notes = read(f"import nowhere_at_all\n'a text'\n{DOUBLE}pass\n")
    assert "nowhere_at_all" not in source.text
    assert notes == ()


SHARED = {
    "a = 1; b = 2; c = 3": "pass; b = 2; pass",
    "b = 2; a = 1": "b = 2; pass",
    "a = 1; b = 2  # why": "pass; b = 2  # why",
    "b = 2; a = 1  # why": "b = 2; pass# why",
    "a = 'äöü€🎓'; b = 2; c = 'é'": "pass; b = 2; pass",
    "b = 'äöü€🎓'; a = 1": "b = 'äöü€🎓'; pass",
    "a = (\n'ä'); b = 2": "pass\npass; b = 2",
    "b = (\n'ä'); a = 1": "b = (\n'ä'); pass",
    "b = 2; a = (\n1)": "b = 2; pass\npass",
    "b = 2; a = (\n1); c = 3": "b = 2; pass\npass; pass",
    "a = 1; \\\nb = 2": "pass; \\\nb = 2",
    "b = 2; \\\na = 1\n": "b = 2; \\\n\n",
    "@f\n@g(\n1)\ndef a(): pass\nb = 2": "\n\n\n\nb = 2",
    "\x0ca = 1\nb = 2": "\nb = 2",
    "a = 1;\nb = 2": "pass;\nb = 2",
}


@pytest.mark.parametrize("text", SHARED)
def test_what_shares_a_line_with_an_experiment_stays_where_it_is(text: str) -> None:
    tree = parse(text)
    rest = without(text, [node for node in tree.body if "b" not in {getattr(t, "id", "") for t in targets(node)}])
    assert rest == SHARED[text]
    space: dict[str, object] = {}
    exec(rest, space)
    assert space["b"] in (2, "ä", "äöü€🎓")


def targets(node: object) -> list[object]:
    return list(getattr(node, "targets", []))


def test_a_broken_answer_costs_its_exercise_and_the_others_count() -> None:
    source, notes = read(f"def mean_and_sum(x):\n    return (x\n{DOUBLE}")
    assert list(source.broken) == ["mean_and_sum"]
    assert source.broken["mean_and_sum"].message.startswith(f"{NAME} does not compile: mean_and_sum, line 2: ")
    assert "def double" in source.text
    assert notes == ()


def test_a_good_answer_elsewhere_mends_a_broken_one_but_a_stub_does_not() -> None:
    assert not read(f"def double(x:\n    return x\n{DOUBLE}")[0].broken
    assert list(read(f"{STUB}\ndef double(x:\n    return x\n")[0].broken) == ["double"]


def test_a_broken_line_that_an_exercise_may_need_is_told_with_its_names() -> None:
    source, notes = read(f"{DOUBLE}S = (2\n\nclass Scale: pass\n")
    assert [(each.place, each.names) for each in source.passed] == [(f"line 3 of {NAME}", ("S",))]
    assert notes == tuple(map(str, source.passed))


def test_prose_is_told_by_its_lines() -> None:
    _, notes = read(f"here are my\nanswers to this\n{DOUBLE}thank you all\n")
    assert notes == (f"{NAME}: lines 1 to 2 and 5 were passed over, as Python cannot read it",)


@pytest.mark.parametrize("text", ["hello out there\n", "1 +\n", "%%bash\nls\n", "x = (\n"])
def test_a_file_in_which_nothing_is_defined_is_a_syntax_error(text: str) -> None:
    problem = read(text)[0].problem
    assert (problem is not None) is ("=" not in text)


@pytest.mark.parametrize("kind", ["```python\n{}```\n", "# Answers\n\nHere they are:\n\n```python\n{}```\n"])
def test_code_in_a_text_of_markdown_counts(kind: str) -> None:
    assert answer(kind.format(DOUBLE)) == 6


@pytest.mark.parametrize("magic", ["time", "capture", "timeit"])
def test_the_code_of_an_exported_cell_with_a_clock_is_run(magic: str) -> None:
    cell = f"get_ipython().run_cell_magic({magic!r}, '', {DOUBLE!r})\n"
    assert answer(cell) == 6
    assert answer(f"get_ipython().run_line_magic('time', 'S = 2')\n{DOUBLE.replace('2', 'S')}") == 6
