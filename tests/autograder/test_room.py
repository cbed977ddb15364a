"""What an answer may cost: bytes that are read, time for a chapter, crashes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch

from autograder.calls.records import Call, Observation, Opaque, Raised
from autograder.core.errors import CheckFailed
from autograder.core.submission import one_chapter
from autograder.sandbox.handles import Template
from autograder.sandbox.limits import Limits
from autograder.sandbox.messages import wall_met
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import TOY
from tests.autograder.processes import AT_EASE

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system"),
]
ROOM = 1 << 20
GOOD = "import time\nimport numpy as np\nimport torch\n\ndef good(x): return x + 1\n\n"


@pytest.fixture(scope="module")
def template() -> Iterator[Template]:
    with Template(TOY) as made:
        yield made


def target(template: Template, text: str, limits: Limits = AT_EASE) -> SandboxTarget:
    return SandboxTarget(template, one_chapter("ada", "ch01_toy", GOOD + text), limits)


def ask(student: SandboxTarget, *args: object, room: int | None = ROOM) -> Observation:
    return student.observe("ch01_toy", Call("f", args, room=room))


def lost(student: SandboxTarget, *args: object, room: int | None = ROOM) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        ask(student, *args, room=room)
    return caught.value


def test_of_an_answer_much_larger_than_expected_only_shape_and_type_are_read(template: Template) -> None:
    with target(template, "def f(): return torch.zeros(60_000_000, dtype=torch.uint8)") as student:
        result = ask(student).result
        assert (result.is_meta, result.shape, result.dtype) == (True, (60_000_000,), torch.uint8)
        assert student.recorded == []
        assert student.observe("ch01_toy", Call("good", (1,))).result == 2


def test_of_a_large_numpy_array_nothing_is_kept_in_memory(template: Template) -> None:
    with target(template, "def f(): return [np.zeros((9000, 900)), 1]") as student:
        (array, one) = ask(student).result
    assert (array.shape, array.dtype, array.strides, one) == ((9000, 900), np.dtype("float64"), (0, 0), 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(x): x.set_(torch.zeros(1_000_000)); return 1", "what f leaves behind is larger than 1.0 MB"),
        ("N = []\ndef f(x): N.append(x); return torch.zeros(10 ** (6 * len(N) - 6))", "leaves behind"),
        ("def f(x): return [0.5] * 300_000", "2.7 MB of values came where at most 1.0 MB are allowed"),
    ],
    ids=["argument", "second answer", "numbers"],
)
def test_what_is_too_large_beside_the_answer_is_said(template: Template, text: str, says: str) -> None:
    with target(template, text) as student:
        failed = lost(student, torch.zeros(3))
        assert (failed.status, says in failed.message.text) == ("protocol", True), failed.message.text


def test_a_text_without_end_is_told_by_its_length(template: Template) -> None:
    with target(template, "def f(): return 'a' * 50_000_000") as student:
        assert ask(student).result == Opaque("str of 50,000,000 letters")


def test_where_nothing_is_known_of_its_size_a_large_answer_is_refused(template: Template) -> None:
    with target(template, "def f(): return torch.zeros(3_000_000)") as student:
        assert "12.0 MB came where at most 8.4 MB are read" in lost(student, room=None).message.text


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory", "memory"),
        ("[enforce fail a", "memory"),  # no memory was left for the rest of the words
        ("[enforce fail at inline_container.cc:664] . unexpected pos", None),
    ],
)
def test_memory_that_is_used_up_is_told_as_that(words: str, status: str | None) -> None:
    raised = Raised("RuntimeError", ("RuntimeError", "Exception"), words, 2, "kept.append(torch.ones(1000))")
    met = wall_met("f", raised, 1 << 30)
    assert (met and met.status) == status


def test_no_check_of_a_chapter_is_tried_when_its_time_is_over(template: Template) -> None:
    with target(template, "def f(x): time.sleep(0.3); return x", replace(AT_EASE, budget_seconds=0.5)) as student:
        ask(student, 1)  # twice, as every call
        failed = lost(student, 2)
        assert failed.status == "timeout"
        assert "not tried: the 0.5 s that there are for all checks of ch01_toy were over" in failed.message.text
        assert len(student.recorded) == 1  # so that a larger budget asks again


def test_a_worker_gets_no_more_processor_time_than_its_chapter(template: Template) -> None:
    text = "import resource\ndef f(): return list(resource.getrlimit(resource.RLIMIT_CPU))"
    with target(template, text, replace(AT_EASE, budget_seconds=7)) as student:
        assert ask(student).result == [7, 12]
