"""A notebook's answers, read as text: which cells count, what is kept, what is left out and named."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder.core.message import Line
from autograder.core.submission import ChapterSource, Problem, Submission
from autograder.course.course import Course
from autograder.intake.submissions import find_submissions, read_submission

COURSE = Course(Path(__file__).parent / "toy")
STUB = COURSE.stub("ch01_toy").with_suffix(".ipynb")
DOUBLE = "def double(x):\n    return 2 * x"


def cell(source: Any, identifier: str | None = None, **more: Any) -> dict[str, Any]:
    named = {"id": identifier} if identifier else {}
    return {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": source,
        **named,
        **more,
    }


def stub_cells() -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(STUB.read_text(encoding="utf-8"))["cells"]
    return cells


def solved(identifier: str, source: str) -> list[dict[str, Any]]:
    """The stub's cells with one filled in."""
    return [{**each, "source": source} if each["id"] == identifier else each for each in stub_cells()]


def read_bytes(tmp_path: Path, data: bytes) -> Submission:
    (tmp_path / "alice").mkdir(exist_ok=True)
    (tmp_path / "alice" / "ch01_toy.ipynb").write_bytes(data)
    return read_submission(find_submissions(tmp_path, COURSE)[0], COURSE)


def read(tmp_path: Path, cells: list[Any], **more: Any) -> Submission:
    return read_bytes(tmp_path, json.dumps({"nbformat": 4, "nbformat_minor": 5, "cells": cells, **more}).encode())


def chapter(submission: Submission) -> ChapterSource:
    return submission.chapters["ch01_toy"]


def run(submission: Submission) -> dict[str, Any]:
    """What the extracted module defines; the text is our own, so it may be run here."""
    names: dict[str, Any] = {}
    exec(chapter(submission).text, names)
    return names


def test_an_untouched_notebook_is_the_stub_and_no_news(tmp_path: Path) -> None:
    submission = read_bytes(tmp_path, STUB.read_bytes())
    assert chapter(submission).problem is None
    assert submission.notes == ()
    with pytest.raises(NotImplementedError):
        run(submission)["double"](1)


def test_a_filled_cell_counts_and_pieces_name_their_cell(tmp_path: Path) -> None:
    submission = read(tmp_path, solved("ch01-double", DOUBLE))
    assert run(submission)["double"](2) == 4
    assert f"# code cell 3\n{DOUBLE}\n" in chapter(submission).text


@pytest.mark.parametrize("source", [DOUBLE, DOUBLE.splitlines(keepends=True), DOUBLE.replace("\n", "\r\n")])
def test_sloppy_notebooks_are_read_without_ids_outputs_or_version(tmp_path: Path, source: Any) -> None:
    cells = [None, 3, {"cell_type": "code"}, {"cell_type": "raw", "source": "!"}, cell(source, metadata=None, id=7)]
    submission = read_bytes(tmp_path, json.dumps({"cells": cells, "metadata": {"kernelspec": {"name": "R"}}}).encode())
    assert run(submission)["double"](2) == 4


def test_prints_loops_and_training_are_left_out_and_named_once(tmp_path: Path) -> None:
    tried = [
        "print(double(1))",
        "for i in range(9):\n    double(i)",
        "losses = train(double)",
        "with open('x'):\n    pass",
    ]
    submission = read(tmp_path, [*solved("ch01-double", DOUBLE), *map(cell, tried)])
    assert run(submission)["double"](2) == 4
    assert "train" not in chapter(submission).text
    assert submission.notes == (
        "ch01_toy.ipynb: only definitions are graded; prints, loops and experiments were left out "
        "(code cells 9, 10, 11 and 12)",
    )


def test_what_an_exercise_needs_is_kept_through_every_step(tmp_path: Path) -> None:
    cells = [
        cell("from __future__ import annotations"),
        cell("try:\n    from math import nothing\nexcept ImportError:\n    nothing = 0"),
        cell("BASE = 1; STEP = BASE\nscratch = undefined_name"),
        cell("table = {}\ntable['two'] = STEP + BASE + nothing"),
        cell("def helper(x, factor=table['two']): return factor * x"),
        cell("def double(x): return helper(x)", "ch01-double"),
        cell("from __future__ import generator_stop\nclass Scale:\n    pass"),
        cell("def forward(self, x):\n    return x\nScale.forward = forward"),
    ]
    submission = read(tmp_path, cells)
    names = run(submission)
    assert names["double"](4) == 8
    assert names["Scale"]().forward(3) == 3
    assert "scratch" not in names


def test_an_import_that_only_experiments_need_is_none_of_gradings_affair(tmp_path: Path) -> None:
    plot = "import nowhere.plots as plots\nimport elsewhere\ndef draw(x):\n    plots.show(x)"
    used = "import math\ndef double(x):\n    return math.ceil(2) * x"
    read_in = read(tmp_path, [*solved("ch01-double", used), cell(plot), cell("draw(1)")])
    assert run(read_in)["double"](3) == 6  # and so nothing of nowhere was imported
    assert "import math" in chapter(read_in).text
    assert "nowhere" not in chapter(read_in).text
    assert "elsewhere" not in chapter(read_in).text


def test_decorators_and_strings_over_many_lines_survive_as_they_are(tmp_path: Path) -> None:
    kept = '@functools.cache\ndef double(x):\n    """é\n  % not a magic\n    """\n    # twice\n    return 2 * x\n'
    assert kept in chapter(read(tmp_path, [cell(f"import functools\n{kept}")])).text


def test_magics_are_dropped_and_named(tmp_path: Path) -> None:
    cells = [
        cell("%matplotlib inline\n!pip install torch\nimport math\nmath.sqrt?\nfiles = !ls"),
        cell("%%bash\nrm -rf /"),
        cell(f"%%time\n{DOUBLE}", "ch01-double"),
    ]
    submission = read(tmp_path, cells)
    assert run(submission)["double"](2) == 4
    assert "rm -rf" not in chapter(submission).text
    assert submission.notes == ("ch01_toy.ipynb: lines for IPython (%, ! or ?) were left out (code cells 1, 2 and 3)",)


def test_the_courses_own_magics_are_no_news_and_others_in_their_cell_are(tmp_path: Path) -> None:
    own = [
        cell(f"{DOUBLE}\n%check double --seed 3"),
        cell("%hint double 2\n%explain double\n%show double"),
        cell("%load_ext autograder"),
    ]
    submission = read(tmp_path, own)
    assert run(submission)["double"](2) == 4
    assert submission.notes == ()
    assert read(tmp_path, [*own, cell("%check double\n%pip list")]).notes == (
        "ch01_toy.ipynb: lines for IPython (%, ! or ?) were left out (code cell 4)",
    )


def test_a_broken_cell_costs_its_own_exercise_only(tmp_path: Path) -> None:
    broken = read(tmp_path, [*solved("ch01-double", "def double(x):\n    return (2 * x"), cell("1 +")])
    assert chapter(broken).problem is None
    assert chapter(broken).broken == {
        "double": Problem(
            "syntax",
            "ch01_toy.ipynb does not compile: cell of double, line 2: '(' was never closed",
            Line(2, "return (2 * x", 7),
        )
    }
    assert "class Scale" in chapter(broken).text
    assert broken.notes == ("ch01_toy.ipynb: cells that are not Python were left out (code cell 9)",)


def test_a_broken_cell_is_known_by_its_id_its_metadata_or_its_words(tmp_path: Path) -> None:
    for each in (
        cell("x = (", "ch01-double"),
        cell("x = (", metadata={"exercise": "double"}),
        cell("def double(x) return 2 * x"),
    ):
        assert set(chapter(read(tmp_path, [each])).broken) == {"double"}


def test_a_later_good_copy_mends_a_broken_cell(tmp_path: Path) -> None:
    submission = read(tmp_path, [*solved("ch01-double", "def double(x"), cell(DOUBLE)])
    assert not chapter(submission).broken
    assert run(submission)["double"](2) == 4


def test_of_duplicates_the_exercises_own_cell_counts_if_it_was_changed(tmp_path: Path) -> None:
    submission = read(tmp_path, [*solved("ch01-double", DOUBLE), cell("def double(x):\n    return 3 * x")])
    assert run(submission)["double"](2) == 4
    assert submission.notes == ("ch01_toy.ipynb: double is in code cells 3 and 9; cell 3 counts",)


def test_else_the_last_changed_one_counts_wherever_the_stub_stands(tmp_path: Path) -> None:
    changed = [cell("def double(x):\n    return 3 * x"), cell(DOUBLE)]
    assert run(read(tmp_path, [*changed, *stub_cells()]))["double"](2) == 4


def test_a_definition_by_assignment_is_one(tmp_path: Path) -> None:
    assert run(read(tmp_path, [*stub_cells(), cell("double = lambda x: 2 * x")]))["double"](2) == 4


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"cells": [', "line 1 column"),
        (b"[" * 100_000, "its JSON is too deeply nested"),
        (b"\xff\xfe{", "it is not UTF-8 text"),
        (b"[]", "it has no cells"),
        (b'{"worksheets": []}', "it has no cells"),
        (b'{"cells": {}}', "it has no cells"),
        (b'{\n<<<<<<< HEAD\n"cells": []}', "line 2 holds a merge conflict"),
        (b'{"cells": ' + b"9" * 5000 + b"}", "it holds a broken number"),
    ],
)
def test_a_malformed_notebook_says_what_to_do(tmp_path: Path, data: bytes, says: str) -> None:
    problem = chapter(read_bytes(tmp_path, data)).problem
    assert problem
    assert problem.status == "syntax"
    assert says in problem.message
    assert problem.message.endswith("save it there again, else restore it from a copy")


def test_an_empty_notebook_file_is_missing(tmp_path: Path) -> None:
    assert chapter(read_bytes(tmp_path, b"\n")).problem == Problem("missing", "ch01_toy.ipynb is empty")


def test_hostile_notebooks_end_in_a_sentence(tmp_path: Path) -> None:
    long = read(tmp_path, [cell("x = 1\n" * 60_000)])
    assert "more than 256 KiB of code" in chapter(long).problem.message  # type: ignore[union-attr]
    brackets = read_bytes(tmp_path, b'{"cells": [' + b"[]," * 1_000_001 + b"0]}")
    assert "too large to read" in chapter(brackets).problem.message  # type: ignore[union-attr]
    deep = read(tmp_path, [cell("double = a" + ".b" * 50_000, "ch01-double"), cell("x = '\ud800'")])
    assert "too deeply nested" in chapter(deep).broken["double"].message


@pytest.mark.parametrize("depth", range(60, 1000, 47))
def test_code_at_the_edge_of_what_the_compiler_can_nest_never_raises(tmp_path: Path, depth: int) -> None:
    nested = "double = a" + ".b" * depth * 4
    assert isinstance(read(tmp_path, [cell(nested, "ch01-double"), cell("f = lambda: double")]), Submission)


def test_code_that_is_too_deep_for_a_later_step_is_the_students_syntax_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("autograder.intake.chapter_source.extract", too_deep)
    problem = chapter(read(tmp_path, [cell(DOUBLE)])).problem
    assert problem == Problem("syntax", "ch01_toy.ipynb does not compile: its code is too deeply nested")


def test_a_huge_output_is_refused_with_the_remedy(tmp_path: Path) -> None:
    submission = read(tmp_path, [cell(DOUBLE, outputs=["x" * (20 * 1024 * 1024)])])
    problem = chapter(submission).problem
    assert problem
    assert problem.message == "ch01_toy.ipynb is larger than 20 MiB; clear its outputs and save it again"


def test_a_broken_part_of_a_cell_costs_itself_alone(tmp_path: Path) -> None:
    both = f"{DOUBLE}\n\ndef mean_and_sum(x:\n    return x\n\nSCALE = = 3"
    submission = read(tmp_path, [*stub_cells(), cell("import math"), cell(both)])
    assert run(submission)["double"](2) == 4
    assert set(chapter(submission).broken) == {"mean_and_sum"}
    assert [(each.place, each.names) for each in chapter(submission).passed] == [("code cell 10, line 7", ("SCALE",))]


def test_of_a_cell_with_quotes_that_are_never_closed_nothing_counts(tmp_path: Path) -> None:
    submission = read(
        tmp_path, [*solved("ch01-double", DOUBLE), cell(f'"""An old attempt\n{DOUBLE.replace("2", "9")}')]
    )
    assert run(submission)["double"](2) == 4


STEPS = {
    "a table filled by a method": ("T = {}", "class Fill:\n    def run(self, t): t['a'] = 2", "Fill().run(T)"),
    "a table under another name": ("T = {}", "table = T", "table['a'] = 2"),
    "a loop": ("T = {}", "for name in 'ab':\n    T[name] = 2"),
    "a call of `map`": ("T = {}", "def fill(name): T[name] = 2", "list(map(fill, 'ab'))"),
    "a clock": ("%%time\nT = {'a': 2}",),
    "a clock for a line": ("%time T = {'a': 2}",),
    "a clock inside": ("T = {}\nfor name in 'ab':\n    %time T[name] = 2",),
    "a semicolon": ("'é'; T = {'a': 2}; print(T)",),
    "prompts": (">>> T = {\n...     'a': 2}",),
    "prompts of IPython": ("In [3]: T = {\n   ...:     'a': 2}",),
}


@pytest.mark.parametrize("way", STEPS)
def test_what_an_exercise_needs_is_kept_in_whatever_way_it_is_made(tmp_path: Path, way: str) -> None:
    steps = [*map(cell, STEPS[way]), cell("print(1)"), cell("def double(x):\n    return T['a'] * x")]
    assert run(read(tmp_path, steps))["double"](2) == 4


@pytest.mark.parametrize(
    "after", ["double = double(3)", "from math import floor as double", "for double in []:\n    0"]
)
def test_a_demonstration_that_takes_the_name_of_an_answer_does_not_count(tmp_path: Path, after: str) -> None:
    assert run(read(tmp_path, [*solved("ch01-double", DOUBLE), cell(after)]))["double"](2) == 4


@pytest.mark.parametrize("sheets", [1, 2])
def test_a_notebook_of_the_old_format_is_read(tmp_path: Path, sheets: int) -> None:
    cells = [
        cell(None, input="S = 2"),
        cell(None, input=["def double(x):\n", "    return S * x"]),
        {"cell_type": "heading"},
    ]
    parts = [{"cells": cells}] if sheets == 1 else [{"cells": cells[:1]}, {"cells": cells[1:]}, {"cells": 3}, None]
    data = json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": parts}).encode()
    assert run(read_bytes(tmp_path, data))["double"](2) == 4


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python can read it")
def test_newer_syntax_of_what_an_answer_needs_is_told_as_such(tmp_path: Path) -> None:
    needed = "def scale(x):\n    try:\n        return x\n    except ValueError, TypeError:\n        return 0\n\nONE = 1"
    submission = read(tmp_path, [*solved("ch01-double", DOUBLE), cell(needed)])
    (passed,) = chapter(submission).passed
    assert passed.names == ("scale",)
    assert passed.why.startswith("it needs Python 3.14: ")
