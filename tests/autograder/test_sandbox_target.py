"""Whatever a submission does, the judge gets an answer or a status, and the next call works."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from autograder.calls.records import Absent, Build, Call, Part, Raised
from autograder.calls.side_effects import MODES_LEFT_ON
from autograder.commands.traces import descendants
from autograder.core.errors import CheckFailed, WorkerLost
from autograder.core.submission import ChapterSource, Problem, Submission
from autograder.internals.compiler import SINCE
from autograder.sandbox import doctor, launch
from autograder.sandbox import target as target_module
from autograder.sandbox.handles import GraderFaultError, Template
from autograder.sandbox.target import SandboxTarget
from tests.autograder.processes import AT_EASE, alive, soon

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system"),
]
COURSE = Path(__file__).resolve().parents[2]
CHAPTER = "ch01_probe"
GOOD = "\ndef good(x): return x + 1\n"


@pytest.fixture(scope="module")
def walled() -> Iterator[Template]:
    """A template with every wall this machine has."""
    with Template(COURSE) as template:
        yield template


Student = Callable[..., SandboxTarget]


@pytest.fixture
def student(walled: Template) -> Iterator[Student]:
    """Makes a submission whose only chapter is the given text."""
    made: list[SandboxTarget] = []

    def make(text: str, **limits: Any) -> SandboxTarget:
        chapters = {CHAPTER: ChapterSource(CHAPTER, text, f"{CHAPTER}.py")}
        made.append(SandboxTarget(walled, Submission("ada", chapters), replace(AT_EASE, **limits), name="full"))
        return made[-1]

    yield make
    for target in made:
        target.close()


def call(target: SandboxTarget, name: str = "f", *args: object) -> object:
    return target.observe(CHAPTER, Call(name, args)).result


def lost(target: SandboxTarget, name: str = "f") -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        call(target, name)
    return caught.value


def still_works(target: SandboxTarget) -> bool:
    return call(target, "good", 1) == 2


def hurried(target: SandboxTarget) -> SandboxTarget:
    """The same, with little time from now on: only for what never comes to its end."""
    target._limits = replace(target._limits, call_seconds=0.6)
    return target


def patient(target: SandboxTarget) -> SandboxTarget:
    """The same, with time enough on a busy machine as well."""
    target._limits = replace(target._limits, call_seconds=AT_EASE.call_seconds)
    return target


@pytest.mark.parametrize("path", ["data.txt", "/nowhere/data.txt", "data/train.csv"])
def test_a_file_that_is_nowhere_is_only_missing(student: Student, path: str) -> None:
    raised = call(student(f"def f(): return open({path!r})"))
    assert isinstance(raised, Raised)
    assert raised.kind == "FileNotFoundError"


def test_a_library_that_wants_a_folder_of_its_own_loads_and_cannot_write_there(student: Student) -> None:
    pytest.importorskip("matplotlib")
    text = "import matplotlib.pyplot as plt\ndef f():\n    plt.figure()\n    open('/tmp/matplotlib/x', 'w')\n"
    target = student(text + GOOD)
    assert call(target, "good", 1) == 2
    assert lost(target).status == "blocked"


COMPILER = """
import torch
import torch._dynamo
from torch._dynamo import eval_frame
from torch.nn.attention.flex_attention import create_block_mask

def f():
    torch._dynamo.reset()
    return torch.func.vmap(lambda row: row.sum())(torch.ones(2, 3)), eval_frame.__name__
"""


@pytest.mark.skipif(torch.__version__ < SINCE, reason="the compiler of torch 2.9 writes as it is loaded: no worker may")
def test_torchs_compiler_is_loaded_for_an_answer_that_asks_for_it(student: Student) -> None:
    """Loading makes a folder, which a worker must not; no template loads it, as it takes as long as torch itself."""
    sums, name = call(student(COMPILER))  # type: ignore[misc]
    assert (sums.tolist(), name) == ([3, 3], "torch._dynamo.eval_frame")


def test_a_function_and_a_class_answer_with_values_and_gradients(student: Student) -> None:
    target = student("import torch\nclass Scale(torch.nn.Linear): pass\n" + GOOD)
    x = torch.randn(2, 3, dtype=torch.float64)
    assert torch.equal(target.observe(CHAPTER, Call("good", (x,))).result, x + 1)
    state = {"weight": torch.randn(4, 3, dtype=torch.float64), "bias": torch.randn(4, dtype=torch.float64)}
    ones = torch.ones(2, 4, dtype=torch.float64)
    seen = target.observe(CHAPTER, Call("Scale", (x,), build=Build((3, 4), state=state), cotangents=(ones,)))
    assert torch.allclose(seen.result, x @ state["weight"].T + state["bias"])
    assert seen.gradients is not None
    assert set(seen.gradients) == {"argument 0", "parameter weight", "parameter bias"}  # type: ignore[arg-type]
    assert target.name == "full"


def test_a_part_reaches_the_student_and_tells_its_mode_afterwards(student: Student) -> None:
    target = student("def f(model, source):\n    model.eval()\n    return model(source, source).argmax(-1)\n")
    model = Part("ScriptedModel", (torch.tensor([[5, 6, 2]]), 9, 1, 2, 0, 8, 4))
    seen = target.observe(CHAPTER, Call("f", (model, torch.tensor([[0, 3]]))))
    assert torch.equal(seen.result, torch.tensor([[8, 8]]))
    assert seen.arguments[0]["mode"] == "evaluation"


def test_the_given_blocks_can_be_imported_and_nothing_else_of_the_reference(student: Student) -> None:
    imports = "from reference.blocks import EncoderBlock\n\ndef f(name):\n    return __import__(name).__name__\n"
    target = student(imports)
    assert call(target, "f", "reference.blocks") == "reference"
    raised = call(target, "f", "reference.ch01_markov")
    assert isinstance(raised, Raised)
    assert raised.kind == "ModuleNotFoundError"


def test_an_exception_arrives_with_line_and_source(student: Student) -> None:
    raised = call(student("def f():\n    raise ValueError('no')\n"))
    bases = ("ValueError", "Exception", "BaseException", "object")
    assert raised == Raised("ValueError", bases, "no", 2, "raise ValueError('no')")
    assert call(student(GOOD), "other") == Absent("nothing")


ENDINGS = {
    "an endless loop": ("def f():\n    while True: pass", "timeout", "f had not returned after 0.6 s"),
    "a long sleep": ("import time\ndef f(): time.sleep(1e6)", "timeout", "f had not returned after 0.6 s"),
    "a loop that catches everything": (
        "import contextlib, signal\ndef f():\n for n in range(1, 65):\n"
        "  with contextlib.suppress(Exception): signal.signal(n, signal.SIG_IGN)\n"
        " while True:\n  try:\n   while True: pass\n  except BaseException: pass",
        "timeout",
        "f had not returned after 0.6 s",
    ),
    "an exit without clean-up": ("import os\ndef f(): os._exit(0)", "crash", "exit status 0"),
    "a segmentation fault": ("import ctypes\ndef f(): ctypes.string_at(0)", "crash", "SIGSEGV"),
    "an abort": ("import os\ndef f(): os.abort()", "crash", "SIG"),
    "a list that grows": ("def f():\n    x = []\n    while True: x.append(bytes(10**7))", "memory", "0.25 GiB"),
    "a tensor too large": ("import torch\ndef f(): return torch.ones(10**10)", "memory", "0.25 GiB"),
    "a file of memory": ("import mmap\ndef f(): mmap.mmap(-1, 1 << 40)", "memory", "0.25 GiB"),
    "an array too large": ("import numpy\ndef f(): return numpy.ones(10**10)", "memory", "0.25 GiB"),
    "closing every file": ("import os\ndef f(): os.closerange(0, 100)", "crash", "ended its conversation"),
    "a huge reply": ("import torch\ndef f(): return torch.zeros(10**6)", "protocol", "MB"),
    "garbage": (
        "import os\ndef f():\n for n in range(3, 64):\n  try: os.write(n, b'x' * 4000)\n  except OSError: pass",
        "protocol",
        "cannot be read",
    ),
    "a frame nobody asked for": (
        "import os, threading\ndef other():\n for n in range(3, 64):\n"
        "  try: os.write(n, bytes(12))\n  except OSError: pass\n"
        "def f():\n thread = threading.Thread(target=other)\n thread.start()\n thread.join()",
        "protocol",
        "cannot be read",
    ),
    "a thread that exits later": (
        "import os, threading\ndef f():\n threading.Timer(0.2, os._exit, [3]).start()\n threading.Event().wait()",
        "crash",
        "exit status 3",
    ),
    "a file": ("def f(): return open('/etc/passwd', 'w')", "blocked", "the walls of grading"),
    "a download": (
        "import urllib.request\ndef f(): urllib.request.urlopen('http://127.0.0.1:1/')",
        "blocked",
        "Operation not permitted",
    ),
    "a file out of sight": ("def f(): return open('/etc/passwd').read()", "blocked", "the walls of grading"),
    "a folder out of sight": ("import os\ndef f(): return os.listdir('/root')", "blocked", "the walls of grading"),
    "a shell": ("import os\ndef f(): return os.system('true')", "blocked", "no program can be started"),
    "a program": ("import subprocess\ndef f(): subprocess.run(['/bin/true'])", "blocked", "PermissionError"),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_what_gives_no_answer_gets_its_status_and_the_next_call_works(student: Student, name: str) -> None:
    text, status, says = ENDINGS[name]
    target = student(text + "\n" + GOOD, memory_bytes=1 << 28, reply_bytes=1 << 20)
    assert still_works(target)
    failed = lost(hurried(target) if status == "timeout" else target)
    assert (failed.status, says in failed.message.text) == (status, True), failed.message.text
    assert "  try  " in failed.message.text
    assert still_works(patient(target))


MODE = """
import torch

class Mode(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, *_):
        raise RuntimeError("no")

def f(x):
    Mode().__enter__()
    return x
"""


def test_a_mode_of_torch_that_a_file_or_an_answer_leaves_on_costs_the_next_call_nothing(student: Student) -> None:
    x = torch.ones(2)
    for text in (MODE, f"{MODE}\nMode().__enter__()\n"):
        target = student(text + GOOD)
        assert torch.equal(target.observe(CHAPTER, Call("good", (x,))).result, x + 1)
        assert target.observe(CHAPTER, Call("f", (x,))).changed == (MODES_LEFT_ON,)
        assert torch.equal(target.observe(CHAPTER, Call("good", (x,))).result, x + 1)


@pytest.mark.parametrize("leave", ["import sys; sys.exit(0)", "raise SystemExit", "raise KeyboardInterrupt", "exit()"])
def test_leaving_python_politely_is_an_exception_like_any_other(student: Student, leave: str) -> None:
    target = student(f"def f():\n    {leave}\n" + GOOD)
    assert isinstance(call(target), Raised)
    assert still_works(target)


LOST = {
    "a syntax error": ("x = 1\ndef f(:\n", "syntax", "  where     line 2"),
    "a hard exit": ("import os\nos._exit(0)", "crash", "exit status 0"),
    "a loop that catches its end": (
        "import time\nwhile True:\n  try: time.sleep(60)\n  except BaseException: pass",
        "timeout",
        "still being loaded after 0.6 s",
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_a_file_that_does_not_load_says_why_and_is_not_tried_again(student: Student, name: str) -> None:
    text, status, says = LOST[name]
    hurry = {"load_seconds": 0.6} if status == "timeout" else {}
    target = student(text, **hurry)
    failed = lost(target)
    assert isinstance(failed, WorkerLost)
    assert (failed.status, says in failed.message.text) == (status, True), failed.message.text
    assert lost(target) is failed


PASSED = {
    "an error": ("y = 1 / 0", "ZeroDivisionError: division by zero"),
    "a missing module": ("import not_there as y", "No module named 'not_there'"),
    "the reference": ("import reference.ch01_markov as y", "No module named 'reference.ch01_markov'"),
    "an exit": ("import sys; y = sys.exit(0)", "SystemExit: 0"),
    "a question": ("y = input()", "EOFError"),
    "endless recursion": ("def y(): y()\ny = y()", "RecursionError"),
    "a training run": ("while True: y = 1", "still running after"),
    "a download": ("y = open('/tmp/data.csv', 'w')", "Error"),
    "a large tensor": ("import torch; y = torch.ones(10**10)", "allocate memory"),
    "an exception that cannot be printed": (
        "class E(BaseException):\n def __str__(self): raise self\n __traceback__ = property(lambda self: 1)\nraise E",
        "E",
    ),
}


@pytest.mark.parametrize("name", PASSED)
def test_what_fails_while_a_file_is_loaded_costs_only_what_needs_it(
    student: Student, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    line, says = PASSED[name]
    text = f"def before(): return 1\n{line}\ndef after(): return 2\ndef needs(): return y\n"
    if "training" in name:
        monkeypatch.setattr(target_module, "LOADING_SHARE", 1 / AT_EASE.load_seconds)  # a second for the line
    target = student(text, memory_bytes=1 << 28)
    assert (call(target, "before"), call(target, "after")) == (1, 2)
    (passed,) = target.passed_over(CHAPTER)
    number = 1 + text.split("\n").index(line.split("\n")[-1])
    assert (passed.place, says in passed.why) == (f"line {number} of {CHAPTER}.py", True), passed.why
    if "recursion" not in name and "printed" not in name:
        failed = lost(target, "needs")
        assert failed.status == {"a training run": "timeout", "a download": "blocked"}.get(name, "error")
        assert failed.message.headline.startswith(f"`needs` needs `y`, but line {number} of {CHAPTER}.py stopped: ")


def test_what_takes_long_but_not_too_long_is_waited_for(student: Student) -> None:
    assert call(student("import time\ntime.sleep(0.3)\ndef f():\n    time.sleep(0.2)\n    return 7")) == 7


def test_each_chapter_has_a_module_and_flags_of_its_own(walled: Template) -> None:
    texts = {
        "ch01_a": "import torch\ntorch.set_default_dtype(torch.float64)\nshared = 1\ndef f(): return torch.ones(1)\n"
        "def g():\n    torch.set_grad_enabled(False); torch.set_default_device('meta'); return 1",
        "ch02_b": "import sys\ndef f(): return 'ch01_a' in sys.modules",
    }
    chapters = {name: ChapterSource(name, text, f"{name}.py") for name, text in texts.items()}
    with SandboxTarget(walled, Submission("ada", chapters), AT_EASE) as target:
        for _ in range(2):
            seen = target.observe("ch01_a", Call("f")).result
            assert (seen.dtype, seen.device.type) == (torch.float32, "cpu")
            target.observe("ch01_a", Call("g"))
        assert target.observe("ch02_b", Call("f")).result is False


def test_what_was_not_handed_in_or_cannot_be_read_is_said_without_a_worker(walled: Template) -> None:
    unread = ChapterSource("ch02_b", "", "b.py", Problem("syntax", "b.py is no Python"))
    partly = ChapterSource("ch03_c", GOOD, "c.py", broken={"f": Problem("syntax", "cell 3 is no Python")})
    submission = Submission("ada", {"ch02_b": unread, "ch03_c": partly}, {"ch01_a": "no ch01_a.py"})
    with SandboxTarget(walled, submission, AT_EASE) as target:
        for chapter, says in (("ch01_a", "no ch01_a.py"), ("ch02_b", "b.py is no"), ("ch03_c", "cell 3")):
            with pytest.raises(CheckFailed, match=says):
                target.observe(chapter, Call("f"))
        assert target.observe("ch03_c", Call("good", (1,))).result == 2


def test_an_argument_that_is_no_data_is_the_graders_fault(student: Student) -> None:
    with pytest.raises(GraderFaultError, match="object"):
        call(student(GOOD), "good", object())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
def test_no_process_of_a_submission_is_left_and_a_lost_template_is_started_again(student: Student) -> None:
    target = student("import threading, time\nthreading.Thread(target=time.sleep, args=(1e6,)).start()\n" + GOOD)
    template = target._template
    before = descendants(template.started.process.pid)
    assert still_works(target)
    started = descendants(template.started.process.pid) - before
    assert len(started) == 2  # the worker and its supervisor
    target.close()
    assert soon(lambda: not any(map(alive, started)))
    assert still_works(target)
    running = descendants(template.started.process.pid)
    os.kill(template.started.process.pid, signal.SIGKILL)
    assert soon(lambda: not any(map(alive, running)))
    assert still_works(target)


def test_a_template_that_cannot_be_started_again_is_the_graders_fault(
    student: Student, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = student(GOOD)
    monkeypatch.setattr(Template, "_spawn", broken)
    monkeypatch.setattr(Template, "_restart", lambda template: None)
    with pytest.raises(GraderFaultError, match="attend doctor"):
        call(target, "good", 1)


def broken(*_: object) -> None:
    raise BrokenPipeError


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_inside_bubblewrap_the_sandbox_is_full_and_the_course_is_not_even_there(
    walled: Template, student: Student
) -> None:
    target = student("import os\ndef f(paths): return [path for path in paths if os.path.exists(path)]")
    engine, reference = launch.package_folder(), COURSE / "reference"
    other = [COURSE / name for name in launch.SECRET_FOLDERS if name != "reference"]
    secret = [*other, *reference.glob("ch*.py"), reference / "misconceptions", Path(__file__), Path.home() / ".profile"]
    assert call(target, "f", [str(path) for path in (engine, *secret)]) == [str(engine)]
    assert walled.started.outer == "bwrap"
    assert doctor.require("required", walled).name == "full"


def test_answers_of_another_text_are_kept_apart_and_can_be_replayed(student: Student) -> None:
    target, call = student("def f(x): return x"), Call("f", (1,))
    other = replace(target._submission, chapters={CHAPTER: ChapterSource(CHAPTER, "def f(x): return 7", "f.py")})

    def both(own: SandboxTarget) -> list[Any]:
        variant = own.variant(other)
        seen = [own.observe(CHAPTER, call).result, variant.observe(CHAPTER, call).result]
        variant.close()
        return seen

    assert both(target) == [1, 7]
    again = student("def f(x): return 0")
    again.replay(reversed(target.recorded))  # their order does not count
    assert both(again) == [1, 7]
    assert len({each.call for each in target.recorded}) == 2
