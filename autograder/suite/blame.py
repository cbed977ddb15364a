"""A failed check whose cause the text of the answer shows: its message names that cause."""

from __future__ import annotations

from autograder.calls.records import Raised, summary
from autograder.core.errors import CheckFailed
from autograder.core.message import Line, Message
from autograder.core.submission import ChapterSource
from autograder.source.slips import Slip, slips
from autograder.suite.check import Check, Grading

TOLD = ("missing", "error", "failed")


def name_the_slip(grading: Grading, check: Check, failed: CheckFailed) -> None:
    """Let the message of a failed check name the slip in the source that explains it, if one does."""
    source = grading.submission.chapters.get(check.chapter)
    if source is None or source.problem or failed.status not in TOLD:
        return
    for slip in slips(source.text, grading.stub(check.chapter), source.origin):
        if _explains(slip, check, failed, grading.raised):
            failed.message, failed.misconceptions = _told(slip, source, failed.message), ()
            return


def _explains(slip: Slip, check: Check, failed: CheckFailed, raised: Raised | None) -> bool:
    if raised is None:
        return failed.status == "missing" and slip.missing == check.exercise
    return slip.explains(summary(raised), raised.line)


def _told(slip: Slip, source: ChapterSource, message: Message) -> Message:
    line = Line.of(slip.line, source.text.split("\n")[slip.line - 1])
    return Message(slip.says, called=message.called, expected=message.expected, got=message.got, line=line)
