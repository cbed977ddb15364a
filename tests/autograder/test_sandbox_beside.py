"""Behind the wall, too, a line that fails costs only what needs it, and a student's own modules are imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.calls.loading import Unfinished
from autograder.calls.records import Call
from autograder.core.errors import CheckFailed, WorkerLost
from autograder.core.submission import Submission
from autograder.sandbox import target as home
from autograder.sandbox import worker
from autograder.sandbox.frames import PREFIX, lengths
from autograder.sandbox.handles import SandboxLostError, Template
from autograder.sandbox.limits import Limits
from autograder.sandbox.target import SandboxTarget
from autograder.sandbox.wire import Load, Loaded, Request, encode_request, question, read_reply
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.processes import PATIENCE
from tests.autograder.test_beside import IMPORTS, NOTEBOOKS
from tests.autograder.test_intake import hand_in

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system"),
]
FILE = f"{CHAPTER}.py"
GOOD = "def good(x): return x + 1\n"
Files = dict[str, str | bytes]


@pytest.fixture(scope="module")
def walled() -> Iterator[Template]:
    with Template(TOY) as template:
        yield template


Student = Callable[..., SandboxTarget]


@pytest.fixture
def student(walled: Template, tmp_path: Path) -> Iterator[Student]:
    """Hands in files, which are read as grading reads them."""
    made: list[SandboxTarget] = []

    def make(files: str | Files, **limits: Any) -> SandboxTarget:
        given: Files = {FILE: files} if isinstance(files, str) else files
        submission = hand_in(tmp_path / str(len(made)), given)
        made.append(SandboxTarget(walled, submission, Limits(**limits), name="full"))
        return made[-1]

    yield make
    for target in made:
        target.close()


def call(target: SandboxTarget, name: str = "double", x: int = 3) -> object:
    return target.observe(CHAPTER, Call(name, (x,))).result


def lost(target: SandboxTarget, name: str = "double") -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        call(target, name)
    return caught.value


@pytest.mark.parametrize("way", [*IMPORTS, *NOTEBOOKS])
def test_a_module_of_ones_own_is_imported(student: Student, way: str) -> None:
    files: Files = {FILE: IMPORTS[way][0], **IMPORTS[way][1]} if way in IMPORTS else {**NOTEBOOKS[way]}
    assert call(student(files)) == 6


LEAVES = ["raise KeyboardInterrupt", "raise SystemExit", "import sys; sys.exit(3)", "exit()", "raise BaseException"]


@pytest.mark.parametrize("leave", LEAVES)
@pytest.mark.parametrize("file", [FILE, "helpers.py"])
def test_leaving_python_politely_costs_only_what_needs_the_line(student: Student, leave: str, file: str) -> None:
    stops = f"for SCALE in [2]:\n    {leave}\n    SCALE += 1\nELSE = 4\n"
    uses = f"def double(x): return SCALE * ELSE * x\n{GOOD}"
    target = student({FILE: stops + uses} if file == FILE else {FILE: f"from helpers import *\n{uses}", file: stops})
    assert (call(target), call(target, "good")) == (24, 4)
    assert [each.place for each in target.passed_over(CHAPTER)] == [f"line 1 of {file}"]


def test_what_fails_in_a_helper_is_told_with_its_line(student: Student) -> None:
    text = f"from helpers import S, T\n{GOOD}def double(x): return S * x\ndef other(x): return T * x\n"
    target = student({FILE: text, "helpers.py": "T = 2\nS = open('/nowhere/x.npy')\n"})
    assert (call(target, "good"), call(target, "other")) == (4, 6)
    assert lost(target).message.headline.startswith(
        "`double` needs `S`, but line 2 of helpers.py stopped: FileNotFound"
    )


TABLES = {
    "a loop": "n = 0\nwhile True:\n    TABLE[n % 9] = n\n    n += 1\n",
    "a function": "def fill():\n    while True: TABLE[0] = 1\nfill()\n",
    "a function that is given it": "def fill(t):\n    while True: t[0] = 1\nfill(TABLE)\n",
}


@pytest.mark.parametrize("what", TABLES)
def test_a_half_filled_table_is_not_used(student: Student, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "LOADING_SHARE", 0.3 / PATIENCE)
    uses = "def double(x): return len(TABLE)\ndef mean_and_sum(x): return SIZE * x\n"
    text = f"TABLE = {{}}\nSIZE = 2\n{TABLES[what]}{uses}"
    target = student(text, load_seconds=PATIENCE)
    assert call(target, "mean_and_sum") == 6
    found = lost(target)
    assert (found.status, found.message.headline.startswith("`double` needs `TABLE`, but line ")) == ("timeout", True)
    assert "still running after" in found.message.headline


def test_a_static_piece_that_an_exercise_needs_is_the_cause(student: Student) -> None:
    target = student(f"SCALE = (2\n\ndef double(x): return SCALE * x\n{GOOD}")
    assert call(target, "good") == 4
    says = f"`double` needs `SCALE`, but line 1 of {FILE} stopped: it does not compile: '(' was never closed"
    assert lost(target).message.headline == says


def refuse(*_: object) -> bytes:
    raise SandboxLostError("code was run")


def test_recorded_answers_give_the_same_messages_and_notes_and_run_nothing(
    student: Student, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"from helpers import *\nglobals()[1 / 0]\ndef double(x): return SCALE * x\n{GOOD}"
    first = student({FILE: text, "helpers.py": "SCALE = nowhere\n"})
    told, said = (lost(first).message, call(first, "good")), first.passed_over(CHAPTER)
    assert len(said) == 2
    second = SandboxTarget(first._template, first._submission)
    second.replay(first.recorded)
    monkeypatch.setattr(SandboxTarget, "_ask", refuse)
    assert (lost(second).message, call(second, "good")) == told
    assert second.passed_over(CHAPTER) == said
    assert [each.call for each in second.recorded] == [each.call for each in sorted_like(first, second)]


def sorted_like(first: SandboxTarget, second: SandboxTarget) -> list[Any]:
    """The first one's records in the order of the second's."""
    order = [each.call for each in second.recorded]
    return sorted(first.recorded, key=lambda each: order.index(each.call))


def test_notes_can_be_had_from_a_tape_before_any_call(student: Student) -> None:
    first = student(f"for _ in globals():\n    raise ValueError\n{GOOD}")
    assert call(first, "good") == 4
    second = SandboxTarget(first._template, first._submission)
    second.replay(first.recorded)
    assert second.passed_over(CHAPTER) == first.passed_over(CHAPTER) != ()


def test_a_file_that_loads_whole_leaves_nothing_on_the_tape(student: Student) -> None:
    target = student(GOOD)
    assert call(target, "good") == 4
    assert len(target.recorded) == 1


def test_another_text_has_notes_of_its_own(student: Student) -> None:
    target = student(f"for _ in globals():\n    raise ValueError\n{GOOD}")
    assert call(target, "good") == 4
    other = target.variant(Submission("ada", {CHAPTER: student(GOOD)._submission.chapters[CHAPTER]}))
    assert (call(other, "good"), other.passed_over(CHAPTER)) == (4, ())
    other.close()


def test_a_worker_that_claims_anything_is_shown_as_plain_text() -> None:
    claimed = Loaded.but_for([Unfinished("a\x1b[2Jb", 1, ("x" * 10_000,), "y" * 100_000)] * 1000)
    (first, *rest) = claimed.statements()
    assert (first.file, len(rest) < 100, len(first.why) <= 300, len(first.names[0]) < 10_000) == (
        "ab",
        True,
        True,
        True,
    )


def answered(request: Request | bytes, namespace: dict[str, Any]) -> Any:
    """What a worker replies, in this process."""
    frame = request if isinstance(request, bytes) else encode_request(request)
    head, body = lengths(frame[: PREFIX.size])
    start = PREFIX.size + head
    return read_reply(worker.replied(frame[PREFIX.size : start], frame[start : start + body], namespace))


def test_a_module_that_only_a_call_imports_has_the_time_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [*sys.argv])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(sys, "modules", sys.modules)
    ran: list[str] = []

    def within(_: float) -> Callable[[Callable[[], None]], None]:
        def run(action: Callable[[], None]) -> None:
            ran.append("limited")
            action()

        return run

    monkeypatch.setattr(worker, "_within", within)
    namespace: dict[str, Any] = {}
    text = "def double(x):\n    import helpers\n    return helpers.S * x\n"
    assert answered(Load(CHAPTER, text, {"helpers": "S = 2\n"}), namespace) == Loaded()
    reply = answered(question(Call("double", (3,))).frame, namespace)
    assert (reply.observation.result, ran) == (6, ["limited"])
    sys.modules.pop("helpers")
    sys.modules.pop(CHAPTER)


def test_a_file_that_ends_its_process_is_still_lost_as_a_whole(student: Student) -> None:
    target = student(f"import os\nfor _ in globals():\n    os._exit(0)\n{GOOD}", load_seconds=PATIENCE)
    assert isinstance(lost(target, "good"), WorkerLost)
    assert lost(target, "good").status == "crash"
