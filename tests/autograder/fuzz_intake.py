"""Spoiled files of a submission, read as a class is: `python -m tests.autograder.fuzz_intake --seconds 600`.

Each is a Python file, a notebook or a zip of both, of which bytes, parts or values were changed at random. It must be
read into a submission, without an exception and without a control character in what people are told.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import tempfile
import time
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from itertools import count, islice
from pathlib import Path
from typing import Any

from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.intake.submissions import read_folder
from tests.autograder.conftest import TOY

CHAPTER = "ch01_toy"
PLAIN = b"import math\n\n\ndef double(x):\n    return 2 * x\n\n\ndef half(x):\n    return x / 2\n"
CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# Toy\n"]},
    {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 1, "source": PLAIN.decode()},
]
NOTEBOOK = {"cells": CELLS, "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}
TOKENS = (
    *(b'"""', b"'''", b"\x00", b"\r", b"\x1b[2J", b"\xff\xfe", b"\xef\xbb\xbf", b"# -*- coding: utf-7 -*-\n", b"\\"),
    *(b"(" * 300, b"[" * 5000, b"-" * 3000, b"def " * 50, b"PK\x03\x04", b"PK\x05\x06", b"\xed\xa0\x80", b"\xf0\x9f"),
    *(
        b"%%writefile x.py\n",
        b"!rm x\n",
        b"type T = int\n",
        b"1e999999",
        b"9" * 6000,
        b'{"cells": ',
        b"<html>",
        b"{\\rtf1",
    ),
)
VALUES = (None, True, -1, 1e308, "", "\ud800", [], {}, [[[[[]]]]], {"source": {}}, "code", ["a", 1], "x" * 100_000)
NAMES = (
    f"{CHAPTER}.py",
    f"{CHAPTER}.ipynb",
    f"{CHAPTER} (1).py",
    "ch01.zip",
    "CH01_TOY.PY",
    "answer.txt",
    "ch01_toy.html",
)
WORST_SECONDS = 20.0


def spoiled(seed: int) -> tuple[str, bytes]:
    """A name, and what the file of that name holds."""
    chance = random.Random(seed)
    name, data = chance.choice(NAMES), chance.choice((_text, _notebook, _zip))(chance)
    for _ in range(chance.choice((0, 1, 1, 2, 5, 20))):
        data = _changed(data, chance)
    return name, data


def _text(_: random.Random) -> bytes:
    return PLAIN


def _notebook(chance: random.Random) -> bytes:
    made: Any = json.loads(json.dumps(NOTEBOOK))
    for _ in range(chance.randrange(4)):
        place = made
        while isinstance(place, dict | list) and place:
            key = chance.choice([*place]) if isinstance(place, dict) else chance.randrange(len(place))
            if chance.random() < 0.4 or not isinstance(place[key], dict | list) or not place[key]:
                place[key] = deepcopy(chance.choice(VALUES))
                break
            place = place[key]
    return json.dumps(made).encode("utf-8", "surrogatepass")


def _zip(chance: random.Random) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name in chance.sample((*NAMES, "../up.py", "/abs.py", "a/b/c.py", "con.py", "x\\y.py", "é\u202e.py"), 3):
            archive.writestr(name, chance.choice((_text, _notebook))(chance))
    return file.getvalue()


def _changed(data: bytes, chance: random.Random) -> bytes:
    start, size = chance.randrange(len(data) + 1), chance.choice((1, 1, 4, 40, 400))
    before, part, after = data[:start], data[start : start + size], data[start + size :]
    ways = {
        "flip": lambda: before + bytes(each ^ chance.randrange(256) for each in part) + after,
        "leave out": lambda: before + after,
        "again": lambda: before + part * chance.choice((2, 50)) + after,
        "token": lambda: before + chance.choice(TOKENS) + part + after,
        "cut": lambda: before,
        "encode": lambda: data.decode("utf-8", "replace").encode(chance.choice(("utf-16", "cp1252", "gbk")), "replace"),
    }
    return chance.choice([*ways.values()])()


def wrong(name: str, data: bytes, course: Course, folder: Path) -> str:
    """What is wrong with how a file is read; "" if nothing is."""
    path = folder / name
    path.write_bytes(data)
    began = time.process_time()
    try:
        found = read_folder(folder, course)
    except Exception as error:  # the fault that is looked for
        return f"{type(error).__name__}: {error}"
    finally:
        path.unlink()
    if time.process_time() - began > WORST_SECONDS:
        return "it takes too long"
    return next((f"a control character is told: {each!r}" for each in _told(found) if _steers(each)), "")


def _told(found: Submission) -> list[str]:
    problems = [source.problem.message for source in found.chapters.values() if source.problem]
    return [*found.notes, *found.absent.values(), *map(str, problems)]


def _steers(text: str) -> bool:
    return any(unicodedata.category(each) in ("Cc", "Cs") and each != "\n" for each in text)


def main(words: Sequence[str] | None = None) -> int:
    """Fuzz for so long, print what is found, and return 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--cases", type=int, default=None)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    ends, course, tally = time.monotonic() + options.seconds, Course(TOY), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in islice(count(options.seed), options.cases):
            if time.monotonic() > ends:
                break
            name, data = spoiled(seed)
            trouble = wrong(name, data, course, Path(folder))
            tally["wrong" if trouble else "read"] += 1
            if trouble:
                print(f"seed {seed}, {name}: {trouble}"[:400], flush=True)
    print(f"{tally['wrong']} found among {tally.total()}")
    return 1 if tally["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
