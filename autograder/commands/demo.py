"""`attend demo`: a class of right, wrong, broken and hostile submissions, made from the course."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rich.console import Console

from autograder.author.notebooks import as_notebook
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.commands.grade_class import grade_and_show
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.records import ExerciseResult, Status
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.grading.run import GradingOptions
from autograder.intake.artefacts import FOLDER, SUFFIX, of_course
from autograder.intake.submissions import find_submissions
from autograder.report.outputs import read_result, result_path

SOME = 4  # chapters in a broken or hostile submission
HOSTILE: dict[str, tuple[tuple[Status, ...], str]] = {
    "endless-loop": (("timeout",), "while True:\n        pass"),
    "exits-at-once": (("crash",), "import os\n    os._exit(0)"),
    "says-it-passed": (("error",), "print('100 passed')\n    raise SystemExit(0)"),
    "memory-bomb": (("memory",), "return bytearray(1 << 36)"),
    "crashes": (("crash",), "import ctypes\n    ctypes.string_at(0)"),
    "reads-the-answers": (("error", "blocked"), "return __import__('reference.misconceptions')"),
    "writes-a-file": (("blocked",), "open('/tmp/for-the-next-one', 'w').write('answers')"),
    "opens-a-socket": (("blocked",), "import socket\n    return socket.create_connection(('127.0.0.1', 9)).recv(1)"),
    "patches-the-comparison": (
        ("failed",),
        "import torch, numpy\n    torch.allclose = torch.equal = numpy.allclose = lambda *a, **k: True\n    return 0",
    ),
}


@dataclass(frozen=True)
class DemoSample:
    """A made-up submission: its files, and the `statuses` that one of its exercises may get.

    The chapters in `right` have no mistake, except perhaps in that exercise.
    """

    name: str
    contents: dict[str, bytes]
    exercise: str
    statuses: tuple[Status, ...]
    right: tuple[str, ...] = ()
    misconception: str = ""
    zipped: bool = False


def demo(course: Course, directory: Path, jobs: int | None, sandbox: str, console: Console) -> int:
    """Make the class in `directory`, grade it, and report whether every sample got its expected verdict."""
    absent = [
        path
        for chapter in course.chapters
        for path in (course.solution(chapter), course.stub(chapter))
        if not path.is_file()
    ]
    if absent:
        raise UsageError(
            f"the sample class is made of the course's solutions and stubs, and {absent[0]} is missing; "
            "run this in a complete clone of the course"
        )
    samples = list(make(course))
    class_dir, out = directory / "submissions", directory / "grades"
    write(samples, class_dir)
    console.print(f"{len(samples)} sample submissions are in {class_dir}", soft_wrap=True, markup=False)
    started = time.perf_counter()
    status = grade_and_show(course, class_dir, out, GradingOptions(jobs, sandbox), console)
    console.print(f"{len(samples)} submissions in {time.perf_counter() - started:.1f} s, start-up included")
    surprises = list(_surprises(course, samples, class_dir, out)) if status == 0 else []
    for surprise in surprises:
        console.print(surprise, style="red", markup=False)
    if status == 0 and not surprises:
        console.print("every sample got the verdict it was made for", style="green")
    return 1 if surprises else status


def write(samples: list[DemoSample], folder: Path) -> None:
    """Write the samples to disk, each as a folder or zip."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; choose another folder for the sample class")
    for sample in samples:
        if sample.zipped:
            contents = {PurePosixPath(name): data for name, data in sample.contents.items()}
            files.write(folder / f"{sample.name}.zip", files.zipped(contents))
            continue
        for name, content in sample.contents.items():
            files.write(folder / sample.name / name, content)


def make(course: Course) -> Iterator[DemoSample]:
    """Yield all samples; they depend on nothing but the course."""
    right = {chapter: course.solution(chapter).read_text(encoding="utf-8") for chapter in course.chapters}
    yield from _right(course, right)
    yield from _mistaken(course, right)
    yield from _broken(course, right)
    yield from _hostile(course, right)


def _right(course: Course, right: dict[str, str]) -> Iterator[DemoSample]:
    last = course.exercises[-1].name
    models = _models(course, right)
    plain, every = _as_files(right) | models, tuple(right)
    yield DemoSample("all-right", plain, last, ("passed",), every)
    homework = {f"homework/{name}": text for name, text in plain.items()}
    yield DemoSample("all-right-zipped", homework, last, ("passed",), every, zipped=True)
    notebooks = {f"{chapter}.ipynb": as_notebook(course, chapter, text).encode() for chapter, text in right.items()}
    yield DemoSample("all-right-notebooks", notebooks | models, last, ("passed",), every)
    stray = dict.fromkeys(("torch.py", "numpy.py", "conftest.py", "pytest.ini"), b"raise SystemExit('shadowed')\n")
    yield DemoSample("all-right-with-stray-files", plain | stray, last, ("passed",), every)
    stubs = {chapter: course.stub(chapter).read_text(encoding="utf-8") for chapter in course.chapters}
    yield DemoSample("nothing-done", _as_files(stubs), last, ("missing",))
    first, *later = course.chapters
    if later:
        yield DemoSample("first-chapter-only", _as_files({**stubs, first: right[first]}), last, ("missing",), (first,))


def _mistaken(course: Course, right: dict[str, str]) -> Iterator[DemoSample]:
    """Yield two single mistakes per chapter, one as .py and one in a notebook, with the two chapters before."""
    for place, chapter in enumerate(course.chapters):
        handed_in = course.chapters[max(0, place - 2) : place + 1]
        known = course.misconceptions(chapter)
        for number, wrong in enumerate((known[len(known) // 3], known[2 * len(known) // 3])):
            source = misconception_source(course, chapter, wrong)
            text = with_wrong_answer(right[chapter], source, wrong.exercise)
            name = f"{chapter}.ipynb" if number else f"{chapter}.py"
            content = as_notebook(course, chapter, text) if number else text
            before = handed_in[:-1]
            contents = _as_files({each: right[each] for each in before}) | _models(course, before)
            contents |= {name: content.encode()}
            statuses: tuple[Status, ...] = ("failed", "error")
            title = f"mistake-{wrong.identifier}"
            yield DemoSample(title, contents, wrong.exercise, statuses, handed_in, wrong.identifier)


def _broken(course: Course, right: dict[str, str]) -> Iterator[DemoSample]:
    *before, chapter = course.chapters[:SOME]
    exercise = course.of(chapter)[-1].name
    text = right[chapter]
    lines = text.splitlines(keepends=True)
    others = _as_files({each: right[each] for each in before})
    broken = {
        "syntax-error": text.replace(f"{exercise}(", f"{exercise}((", 1).encode(),
        "half-written": "".join(lines[: len(lines) * 2 // 3]).encode() + b'    """never closed\n',
    }
    for name, content in broken.items():
        # Below what is never closed there is nothing, so the last exercise may be missing.
        yield DemoSample(name, others | {f"{chapter}.py": content}, exercise, ("syntax", "missing"), tuple(before))
    readable = {
        "wrong-file-name": {f"my_{chapter}.py": text.encode()},
        "not-utf-8": {f"{chapter}.py": f"# caf\u00e9\n{text}".encode("latin-1", "replace")},
    }
    for name, contents in readable.items():
        yield DemoSample(name, others | contents, exercise, ("passed",), tuple(before))


def _hostile(course: Course, right: dict[str, str]) -> Iterator[DemoSample]:
    handed_in = course.chapters[:SOME]
    exercise: Exercise = course.of(handed_in[-1])[0]
    for name, (statuses, body) in HOSTILE.items():
        source = f"def wrong(*args, **kwargs):\n    {body}\n"
        text = with_wrong_answer(right[exercise.chapter], source, exercise.name)
        contents = _as_files({**{each: right[each] for each in handed_in}, exercise.chapter: text})
        yield DemoSample(name, contents, exercise.name, statuses, handed_in)


def _models(course: Course, chapters: Iterable[str]) -> dict[str, bytes]:
    """Return the course's own trained models of some chapters, by the names under which they are handed in."""
    found = (each for chapter in chapters for each in of_course(course, chapter).items())
    return {f"{FOLDER}/{name}{SUFFIX}": model for name, model in found}


def _as_files(texts: dict[str, str]) -> dict[str, bytes]:
    return {f"{chapter}.py": text.encode() for chapter, text in texts.items()}


def _surprises(course: Course, samples: list[DemoSample], class_dir: Path, out: Path) -> Iterator[str]:
    results = {
        entry.student: read_result(result_path(out, entry.stem)) for entry in find_submissions(class_dir, course)
    }
    for sample in samples:
        graded = {exercise.exercise: exercise for exercise in results[sample.name].exercises}
        exercise = graded[sample.exercise]
        others = [e for e in graded.values() if e.chapter in sample.right and e.chapter != exercise.chapter]
        if not _is_as_expected(sample, exercise) or any(other.status != "passed" for other in others):
            named = ", ".join(exercise.misconceptions[:1])
            yield f"{sample.name}: {sample.exercise} got {exercise.status} {named}, expected {sample.statuses[0]}"


def _is_as_expected(sample: DemoSample, exercise: ExerciseResult) -> bool:
    if sample.misconception:
        return exercise.misconceptions[:1] == (sample.misconception,)
    return exercise.status in sample.statuses
