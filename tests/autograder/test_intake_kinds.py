"""Files that are something else than Python are said as what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.source import syntax_problems
from autograder.source.decoding import Decoded, decode
from autograder.source.kinds import kind_of
from autograder.source.parsing import SOURCE_LIMIT
from autograder.source.syntax_problems import explain, syntax_problem

NAME = "ch01_toy.py"
ANSWER = "def double(x):\n    return 2 * x\n"
NOTEBOOK = {
    "cells": [{"cell_type": "code", "execution_count": None, "source": [ANSWER]}],
    "metadata": {},
    "nbformat": 4,
}
PLIST = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>URL</key><string>x</string></dict></plist>'
)

WEB = "a web page, not Python; download the file itself"
LINK = "a link, not Python; hand in the file that it leads to"
SESSION = "copied from a session, not Python; delete the prompts"
MARKDOWN = "Markdown, not Python; keep only the code"
OTHERS = {
    "\n<!DOCTYPE html>\n<html lang='en'>\n<head><link href='https://github.githubassets.com'>": "the page that GitHub",
    "<!doctype html><title>Colab</title>": WEB,
    "<!-- saved from url=(0014)about:internet -->\n<HTML><body>\n": WEB,
    "From: <Saved by Blink>\nSnapshot-Content-Location: https://a.b\n": WEB,
    "MIME-Version: 1.0\nContent-Type: multipart/related\n": WEB,
    "404: Not Found": "an error page (404: Not Found), not Python",
    "{\\rtf1\\ansi\\ansicpg1252\\cocoartf2709\n\\f0\\fs24 \\cf0 import torch\\\n}": "rich text (RTF), not Python",
    "https://colab.research.google.com/drive/1aB?usp=sharing\n": LINK,
    "# my answers\nhttps://drive.google.com/file/d/1a/view\n": LINK,
    "Colab link: https://colab.research.google.com/drive/1aB\n": LINK,
    "Hi! Here is my notebook:\n\nhttps://colab.research.google.com/drive/1aB?usp=sharing\n": LINK,
    "https://github.com/ada/ch01\nhttps://github.com/ada/ch02\n": LINK,
    "[InternetShortcut]\nURL=https://github.com/ada/attend\n": LINK,
    "[Desktop Entry]\nType=Link\nURL=https://github.com/ada/attend\n": LINK,
    PLIST: LINK,
    '{"url": "https://docs.google.com/open?id=1", "doc_id": "1"}': LINK,
    ">>> def double(x):\n...     return 2 * x\n...\n>>> double(2)\n4\n": SESSION,
    "# homework\n\n>>> x = 1\n": SESSION,
    'Python 3.11.7 (main, Dec  8 2023) [GCC 12.2.0] on linux\nType "help" for more information.\n>>> x = 1\n': SESSION,
    "In [1]: def double(x):\n   ...:     return 2 * x\n": SESSION,
    "$ python ch01_toy.py\n4\n": SESSION,
    "ada@laptop:~/attend$ attend check\n": SESSION,
    "PS C:\\Users\\ada> attend check\n": SESSION,
    f"```python\n{ANSWER}```\n": MARKDOWN,
    f"Here is the function:\n\n```python\n{ANSWER}```\nIt doubles.\n": MARKDOWN,
    f"{ANSWER}```\n": MARKDOWN,
    f"~~~\n{ANSWER}~~~\n": MARKDOWN,
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9\n": "a Git LFS pointer, not Python",
    "diff --git a/ch01_toy.py b/ch01_toy.py\nindex 1..2 100644\n": "a patch, not Python",
    "--- a/ch01_toy.py\n+++ b/ch01_toy.py\n@@ -1,2 +1,2 @@\n-x\n+y\n": "a patch, not Python",
    f"From {'1a' * 20} Mon Sep 17 00:00:00 2001\nFrom: Ada\n": "a patch, not Python",
    json.dumps(NOTEBOOK): "a notebook, not Python; give its name the ending .ipynb",
    json.dumps(NOTEBOOK, indent=1): "a notebook, not Python; give its name the ending .ipynb",
    json.dumps(NOTEBOOK | {"big": "x" * SOURCE_LIMIT}): "a notebook, not Python",
    'Traceback (most recent call last):\n  File "ch01_toy.py", line 1\n': "the output of a program, not Python",
    "============ test session starts ============\nplatform linux\n": "the output of a program, not Python",
    "2026-11-20 21:26:03,123 INFO started\n": "a log, not Python",
    "\\documentclass{article}\n": "a LaTeX document, not Python",
    '<?xml version="1.0"?>\n<answers/>\n': "an XML file, not Python",
}


@pytest.mark.parametrize(("text", "says"), OTHERS.items())
def test_what_is_not_python_is_called_what_it_is(text: str, says: str) -> None:
    read = decode(text.encode(), NAME)
    assert isinstance(read, Decoded)
    problem = syntax_problem(read.text, NAME)
    assert problem
    assert problem.status == "syntax"
    assert problem.message.startswith(f"ch01_toy.py is {says}")
    assert ", not Python; " in problem.message, "which the class report counts as another kind of file"
    assert problem.line is None


def test_a_cell_is_called_what_it_is_by_its_exercise() -> None:
    error = SyntaxError("invalid syntax")
    says = explain(error, ">>> x = 1\n", "ch01_toy.ipynb", "cell of double").message
    assert says.startswith("the cell of double in ch01_toy.ipynb is copied from a session, not Python; ")


RIGHT = {
    "html in a docstring": f'"""<!DOCTYPE html>\n<html>"""\n{ANSWER}',
    "doctests": 'def double(x):\n    """Double.\n\n>>> double(2)\n4\n    """\n    return 2 * x\n',
    "a fence in a docstring": f'"""\n```python\ndouble(2)\n```\n"""\n{ANSWER}',
    "a link": f"# https://colab.research.google.com/drive/1\n{ANSWER}",
    "a dictionary": '{"cells": [1]}\n',
    "comments alone": "# nothing yet\n",
    "an annotation": "In [1]: int\n" + ANSWER,
    "signs": f"--- 1\n+++ 2\n{ANSWER}",
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_python_that_talks_of_other_files_stays_python(text: str) -> None:
    assert syntax_problem(text, NAME) is None


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_a_mistake_in_such_a_file_is_told_as_a_mistake(text: str) -> None:
    problem = syntax_problem(f"import torch\n{text}\ndef triple(x:\n    pass\n", NAME)
    assert problem
    assert problem.message.startswith("ch01_toy.py does not compile: line ")
    assert problem.line


def test_a_doctest_whose_docstring_lost_its_quotes_is_no_session() -> None:
    problem = syntax_problem("def double(x):\n    Doubles x.\n    >>> double(2)\n    '''\n    return 2 * x\n", NAME)
    assert problem
    assert problem.message.startswith("ch01_toy.py does not compile: line 4: unterminated triple-quoted string")


@pytest.mark.parametrize("folder", ["solutions", "exercises", "reference"])
def test_no_file_of_the_course_looks_like_another_kind(folder: str) -> None:
    for path in (Path(syntax_problems.__file__).parents[2] / folder).rglob("*.py"):
        assert kind_of(path.read_text(encoding="utf-8")) == ""
