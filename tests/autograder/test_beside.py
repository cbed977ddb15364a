"""A student's own modules: those that a chapter imports are read with it, and mean what they mean at home."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.calls.local import LocalTarget
from autograder.calls.records import Call
from autograder.core.errors import CheckFailed
from autograder.core.submission import Submission
from autograder.intake.own_modules import MOST
from autograder.source.parsing import SOURCE_LIMIT
from tests.autograder.conftest import CHAPTER
from tests.autograder.test_intake import hand_in

FILE = f"{CHAPTER}.py"
USES = "def double(x):\n    return S * x\n"
S = "S = 2\n"


def cells(*sources: str) -> str:
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in sources]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made})


@pytest.fixture(autouse=True)
def no_module_is_left() -> Iterator[None]:
    before = {*sys.modules}
    yield
    assert not {name for name in {*sys.modules} - before if name.partition(".")[0] in ("helpers", "utils", "handed_in")}


def double(submission: Submission, x: int = 3) -> object:
    """What the answer gives, in this process."""
    target = LocalTarget(submission)
    try:
        return target.observe(CHAPTER, Call("double", (x,))).result
    finally:
        target.close()


def chapter(text: str = f"from helpers import S\n{USES}") -> dict[str, str | bytes]:
    return {FILE: text}


IMPORTS = {
    "by name": (f"from helpers import S\n{USES}", {"helpers.py": S}),
    "by another name": (f"from helpers import S as T\n{USES.replace('S', 'T')}", {"helpers.py": S}),
    "as a module": ("import helpers\ndef double(x):\n    return helpers.S * x\n", {"helpers.py": S}),
    "as another module": ("import helpers as h\ndef double(x):\n    return h.S * x\n", {"helpers.py": S}),
    "everything": (f"from helpers import *\n{USES}", {"helpers.py": S}),
    "inside a function": ("def double(x):\n    from helpers import S\n    return S * x\n", {"helpers.py": S}),
    "in a `try`": (f"try:\n    from helpers import S\nexcept ImportError:\n    S = 9\n{USES}", {"helpers.py": S}),
    "relative": (f"from .helpers import S\n{USES}", {"helpers.py": S}),
    "relative, as a module": ("from . import helpers\ndef double(x):\n    return helpers.S * x\n", {"helpers.py": S}),
    "from a sub-folder that is on the path": (f"from helpers import S\n{USES}", {"lib/helpers.py": S}),
    "from a folder": (f"from utils.helpers import S\n{USES}", {"utils/helpers.py": S}),
    "from a package": (f"from utils.helpers import S\n{USES}", {"utils/__init__.py": "", "utils/helpers.py": S}),
    "a module of a package": (
        "import utils.helpers\ndef double(x):\n    return utils.helpers.S * x\n",
        {"utils/__init__.py": "", "utils/helpers.py": S},
    ),
    "from the package itself": (f"from utils import S\n{USES}", {"utils/__init__.py": S}),
    "by way of the package": (
        f"from utils import S\n{USES}",
        {"utils/__init__.py": "from .helpers import S\n", "utils/helpers.py": S},
    ),
    "everything, by way of the package": (
        f"from utils import *\n{USES}",
        {"utils/__init__.py": "from .helpers import *\n", "utils/helpers.py": S},
    ),
    "relative, in a package": (
        f"from utils.a import S\n{USES}",
        {"utils/a.py": "from .helpers import S\n", "utils/helpers.py": S},
    ),
    "relative, as a module of a package": (
        f"from utils.a import S\n{USES}",
        {"utils/a.py": "from . import helpers\nS = helpers.S\n", "utils/helpers.py": S},
    ),
    "relative, from the package above": (
        f"from utils.deep.a import S\n{USES}",
        {"utils/deep/a.py": "from ..helpers import S\n", "utils/helpers.py": S},
    ),
    "helpers that import helpers": (
        f"from helpers import S\n{USES}",
        {"helpers.py": "from more import R\nS = R\n", "more.py": "from utils import *\n", "utils.py": "R = 2\n"},
    ),
    "helpers that import each other": (
        "from helpers import twice\ndef double(x):\n    return twice(x)\n",
        {
            "helpers.py": "import more\nS = 2\ndef twice(x): return more.twice(x)\n",
            "more.py": "import helpers\ndef twice(x): return helpers.S * x\n",
        },
    ),
    "helpers that import the chapter": (
        "def base(x):\n    return 2 * x\nfrom helpers import double\n",
        {"helpers.py": f"from {CHAPTER} import base\ndef double(x): return base(x)\n"},
    ),
    "a notebook": (f"from helpers import S\n{USES}", {"helpers.ipynb": cells("%matplotlib inline\nS = 2")}),
    "a file before a notebook": (
        f"from helpers import S\n{USES}",
        {"helpers.py": S, "helpers.ipynb": cells("S = 9")},
    ),
    "one in another encoding": (
        f"from helpers import S\n{USES}",
        {"helpers.py": "# -*- coding: latin-1 -*-\nT = 'ä'\nS = 2\n".encode("latin-1")},
    ),
    "the answer itself": ("from helpers import *\n", {"helpers.py": "def double(x): return 2 * x\n"}),
    "the answer itself, by an assignment": (
        "from helpers import *\n",
        {"helpers.py": "from functools import partial\nfrom operator import mul\ndouble = partial(mul, 2)\n"},
    ),
    "a module that makes names": (
        f"from helpers import S\n{USES}",
        {"helpers.py": "def __getattr__(name):\n    if name == 'S': return 2\n    raise AttributeError(name)\n"},
    ),
    "names that `__all__` lists": (
        "from helpers import *\ndef double(x):\n    return _twice(x)\n",
        {"helpers.py": "__all__ = ['_twice']\ndef _twice(x): return 2 * x\n"},
    ),
    "a data class": (
        "from helpers import P\ndef double(x):\n    return P(x).x * 2\n",
        {"helpers.py": "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n"},
    ),
}


@pytest.mark.parametrize("way", IMPORTS)
def test_a_module_of_ones_own_is_imported(tmp_path: Path, way: str) -> None:
    text, files = IMPORTS[way]
    submission = hand_in(tmp_path, {FILE: text, **files})
    assert double(submission) == 6
    assert submission.chapters[CHAPTER].passed == ()
    assert not any("passed over" in note or "empty" in note for note in submission.notes)


NOTEBOOKS = {
    "written by a cell": {f"{CHAPTER}.ipynb": cells("%%writefile helpers.py\nS = 2", "from helpers import S", USES)},
    "written by a cell, and handed in": {
        f"{CHAPTER}.ipynb": cells("%%writefile helpers.py\nS = 2", "from helpers import S", USES),
        "helpers.py": "S = 9\n",
    },
    "written in parts": {
        f"{CHAPTER}.ipynb": cells(
            "%%writefile ./helpers.py\nS = 9", "%%writefile -a helpers.py\nS = 2", "import helpers"
        ).replace("import helpers", "from helpers import S\\n" + USES.replace("\n", "\\n"))
    },
    "run": {f"{CHAPTER}.ipynb": cells("%run helpers.py", USES), "helpers.py": S},
    "run from a folder": {f"{CHAPTER}.ipynb": cells("%run ./lib/helpers.py", USES), "lib/helpers.py": S},
    "a notebook that is run": {f"{CHAPTER}.ipynb": cells("%run helpers.ipynb", USES), "helpers.ipynb": cells(S)},
    "run, as exported": {FILE: f"get_ipython().run_line_magic('run', 'helpers.py')\n{USES}", "helpers.py": S},
}


@pytest.mark.parametrize("way", NOTEBOOKS)
def test_a_module_that_a_notebook_writes_or_runs_is_read_with_it(tmp_path: Path, way: str) -> None:
    assert double(hand_in(tmp_path, dict(NOTEBOOKS[way]))) == 6


def test_what_was_read_is_named_and_what_nobody_imports_is_not_read(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, {**chapter(), "helpers.py": S, "plots.py": "1 +\n"})
    assert submission.notes == (f"helpers.py was read with {FILE}",)
    assert submission.chapters[CHAPTER].beside == {"helpers": S}


def test_of_several_the_one_beside_the_chapter_is_meant(tmp_path: Path) -> None:
    files = {f"hw/{FILE}": chapter()[FILE], "hw/helpers.py": S, "helpers.py": "S = 9\n", "hw/old/helpers.py": "S = 8\n"}
    assert double(hand_in(tmp_path, files)) == 6


def test_of_two_that_may_be_meant_none_is_guessed(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, {**chapter(), "a/helpers.py": S, "b/helpers.py": "S = 9\n"})
    assert submission.notes == ("a/helpers.py and b/helpers.py may each be helpers, so none of them was read",)
    with pytest.raises(CheckFailed, match="No module named 'helpers'"):
        double(submission)


@pytest.mark.parametrize("name", ["math", "torch", "random", "json", "reference", "autograder", "handed_in"])
def test_libraries_keep_their_meaning(tmp_path: Path, name: str) -> None:
    submission = hand_in(tmp_path, {FILE: f"import {name}\ndef double(x): return 2 * x\n", f"{name}.py": "1 / 0\n"})
    assert submission.chapters[CHAPTER].beside == {}
    assert double(submission) == 6


def test_a_file_of_the_chapters_name_is_no_helper(tmp_path: Path) -> None:
    text = f"import {CHAPTER}\ndef double(x): return 2 * x\n"
    submission = hand_in(tmp_path, {FILE: text, f"old/{FILE}": "def double(x): return 9\n"})
    assert submission.chapters[CHAPTER].beside == {}
    assert double(submission) == 6


def test_experiments_of_a_helper_are_not_run_and_named(tmp_path: Path) -> None:
    text = "S = 2\nimport plots_that_are_nowhere as plt\nplt.show(S)\nraise SystemExit\n"
    submission = hand_in(tmp_path, {**chapter(), "helpers.py": text})
    assert double(submission) == 6
    assert submission.notes[1] == "helpers.py: no exercise needs lines 3 to 4, which were not run"


def test_a_helper_is_not_the_program_that_was_started(tmp_path: Path) -> None:
    files = {**chapter(), "helpers.py": "S = 2\nif __name__ == '__main__':\n    S = 9\n"}
    assert double(hand_in(tmp_path, files)) == 6


FAILING = {
    "an error": ("S = 1 / 0\nT = 2\n", "line 1 of helpers.py stopped: ZeroDivisionError: division by zero"),
    "a missing file": ("T = 2\nS = open('nowhere')\n", "line 2 of helpers.py stopped: FileNotFoundError"),
    "a syntax error": ("T = 2\nS = (2\n\n", "line 2 of helpers.py stopped: it does not compile"),
    "an exit": ("T = 2\nS = exit()\n", "line 2 of helpers.py stopped: SystemExit"),
    "an import": ("T = 2\nfrom nowhere import S\n", "line 2 of helpers.py stopped: ModuleNotFoundError"),
}
WAYS = {
    "by name": f"from helpers import S, T\n{USES}",
    "everything": f"from helpers import *\n{USES}",
    "as a module": "import helpers\nfrom helpers import T\ndef double(x):\n    return helpers.S * x\n",
    "as another module": "import helpers as h\nT = h.T\ndef double(x):\n    return h.S * x\n",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", FAILING)
def test_what_fails_in_a_helper_costs_only_what_needs_it_and_is_told_with_its_line(
    tmp_path: Path, fault: str, way: str
) -> None:
    helper, says = FAILING[fault]
    text = WAYS[way] + "def mean_and_sum(x):\n    return T * x\n"
    target = LocalTarget(hand_in(tmp_path, {FILE: text, "helpers.py": helper}))
    assert target.observe(CHAPTER, Call("mean_and_sum", (3,))).result == 6
    with pytest.raises(CheckFailed) as caught:
        target.observe(CHAPTER, Call("double", (3,)))
    target.close()
    assert caught.value.message.headline.startswith(f"`double` needs `S`, but {says}")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\0\1\2", "helpers.py is damaged"),
        (b"", "helpers.py is empty"),
        (b"%PDF-1.7", "helpers.py is a PDF"),
        (b"here is my text", "helpers.py does not compile: line 1"),
    ],
)
def test_a_helper_that_is_no_python_is_told_and_costs_only_what_needs_it(
    tmp_path: Path, data: bytes, says: str
) -> None:
    text = f"from helpers import S\n{USES}def mean_and_sum(x):\n    return x\n"
    submission = hand_in(tmp_path, {FILE: text, "helpers.py": data})
    assert any(note.startswith(says) for note in submission.notes)
    target = LocalTarget(submission)
    assert target.observe(CHAPTER, Call("mean_and_sum", (3,))).result == 3
    with pytest.raises(CheckFailed, match="`double` needs `S`"):
        target.observe(CHAPTER, Call("double", (3,)))
    target.close()


def test_names_that_cannot_be_imported_yet_are_told(tmp_path: Path) -> None:
    files = {"helpers.py": "from more import f\nS = 2\n", "more.py": "from helpers import S\ndef f(): return S\n"}
    text = "from helpers import f\ndef double(x):\n    return f() * x\n"
    with pytest.raises(CheckFailed, match=r"`double` needs `S`, but line 1 of more\.py stopped: ImportError: cannot"):
        double(hand_in(tmp_path, {FILE: text, **files}))


def test_no_more_files_are_read_than_a_limit_and_a_note_says_which(tmp_path: Path) -> None:
    names = [f"h{number:02}" for number in range(MOST + 2)]
    text = (
        "".join(f"import {name}\n" for name in names)
        + f"def double(x): return x * {names[0]}.S or ({', '.join(names)})\n"
    )
    submission = hand_in(tmp_path, {FILE: text, **{f"{name}.py": S for name in names}})
    assert len(submission.chapters[CHAPTER].beside) == MOST
    assert sum("was not read: only" in note for note in submission.notes) == 2
    assert double(submission) == 6


def test_together_they_are_no_larger_than_a_limit(tmp_path: Path) -> None:
    large = "# and so on\n" * (SOURCE_LIMIT // 20)  # six tenths of it
    text = "import a, b\ndef double(x): return x * a.S or b.S\n"
    submission = hand_in(tmp_path, {FILE: text, "a.py": S + large, "b.py": S + large})
    assert [*submission.chapters[CHAPTER].beside] == ["a"]
    assert sum("b.py was not read: only" in note for note in submission.notes) == 1
    assert double(submission) == 6


def test_a_new_copy_of_a_helper_is_not_the_one_before(tmp_path: Path) -> None:
    assert double(hand_in(tmp_path / "a", {**chapter(), "helpers.py": S})) == 6
    assert double(hand_in(tmp_path / "b", {**chapter(), "helpers.py": "S = 3\n"})) == 9
