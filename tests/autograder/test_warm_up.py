"""What a template has warmed up, its workers find loaded, and nothing of the warm-up itself."""

from __future__ import annotations

import os

import pytest
import torch

from autograder.calls.records import Call, Raised
from autograder.core.submission import ChapterSource, Submission
from autograder.sandbox import template
from autograder.sandbox.handles import Template
from autograder.sandbox.target import SandboxTarget
from autograder.sandbox.wire import Answer, Reply, read_reply
from tests.autograder.conftest import TOY
from tests.autograder.processes import AT_EASE

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")
CHAPTER = """
import linecache
import sys
import torch
from torch.utils.checkpoint import checkpoint

BEFORE = {*sys.modules}


def fresh(x):
    x.softmax(-1).sum().backward() if x.requires_grad else x.softmax(-1)
    return sorted({*sys.modules} - BEFORE)


def left():
    known = [*sys.modules, *linecache.cache]
    return [each for each in known if "warm_up" in each and "autograder" not in each]


def again(x):
    return checkpoint(torch.sin, x, use_reentrant=False)
"""


@needs_fork
@pytest.mark.usefixtures("warm")
def test_a_workers_first_call_loads_nothing_and_meets_no_trace_of_others() -> None:
    submission = Submission("ada", {"ch01_one": ChapterSource("ch01_one", CHAPTER, "ch01_one.py")})
    with Template(TOY) as started, SandboxTarget(started, submission, AT_EASE) as target:
        assert target.observe("ch01_one", Call("fresh", (torch.ones(2, 3),), forbidden=("tanh",))).result == []
        assert target.observe("ch01_one", Call("left")).result == []
        assert isinstance(target.observe("ch01_one", Call("again", (torch.ones(2, 3),))).result, torch.Tensor)


def test_every_call_of_the_warm_up_is_answered_and_the_wrong_ones_alone_raise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replies: list[Reply] = []
    replied = template.worker.replied

    def heard(*frame: object) -> bytes:
        told = replied(*frame)  # type: ignore[arg-type]
        replies.append(read_reply(told))
        return told

    monkeypatch.setattr(template.worker, "replied", heard)
    monkeypatch.setattr("autograder.internals.settings.reset", lambda: None)  # this process is not a worker
    template.answer_calls()
    results = [each.observation.result for each in replies if isinstance(each, Answer)]
    assert [type(each).__name__ for each in results].count("Absent") == 1
    assert [each.kind for each in results if isinstance(each, Raised)] == ["IndexError"]
    assert len(results) == 8
