"""Messages about code that gave no usable answer: what happened, then what to do."""

from __future__ import annotations

import os
import re
import shutil
import signal

from autograder.calls.passed_over import REFUSED
from autograder.calls.records import Raised, is_absent, stops_when_loaded, summary
from autograder.core.errors import WorkerLost
from autograder.core.message import Line, Message
from autograder.sandbox.frames import size
from autograder.sandbox.handles import Ending

_NOT_FOUND = re.compile(r"\[Errno 2\] [^:]*: '(?P<path>[^'\0]{1,4096})'")
_TOO_MUCH = ("can't allocate memory", "Cannot allocate memory", "not enough memory", "bad_alloc")
_CUT_OFF = "[enforce fail a"
"""What is left of torch's own words, `[enforce fail at alloc_cpu.cpp ...`, where no memory was left for them either."""
_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS", "SIGTRAP")
_LOOK_FOR_SIZE = "look for an array larger than the shapes of the exercise, or a list that never stops growing"
_LOOK_FOR_LOOP = "look for a loop that never ends, or one that a library does in a single call"


def too_slow(what: str, seconds: float) -> WorkerLost:
    """Return the verdict on a call that did not return in time."""
    return WorkerLost("timeout", Message(f"{what} had not returned after {seconds:g} s", advice=_LOOK_FOR_LOOP))


def slow_import(file: str, seconds: float) -> WorkerLost:
    """Return the verdict on a file that did not load in time."""
    advice = 'put training, plots, downloads and examples into functions, or under `if __name__ == "__main__":`'
    return WorkerLost("timeout", Message(f"{file} was still being loaded after {seconds:g} s", advice=advice))


def ended(what: str, ending: Ending) -> WorkerLost:
    """Return the verdict on a process that ended before it answered."""
    if ending.kind == "signalled":
        return _signalled(what, ending.code)
    if ending.kind == "stopped":
        why = "an error or a signal reached it between two calls, or it closed a file that it had not opened"
        advice = "end threads and timers before you return, and close only what you have opened"
        headline = f"{what} ended its conversation with the grader: {why}"
        return WorkerLost("crash", Message(headline, advice=advice))
    happened = f"{what} ended the whole Python process by itself with exit status {ending.code}"
    return WorkerLost("crash", Message(happened, advice="return a value, or raise an exception"))


def unreadable(what: str, reason: str) -> WorkerLost:
    """Return the verdict on a reply that breaks the protocol, or is too large."""
    advice = "return tensors, numbers, strings, lists, tuples or dicts of the size the exercise asks for"
    return WorkerLost("protocol", Message(f"the answer of {what} cannot be read", got=reason, advice=advice))


def too_large(what: str, came: int, room: int, *, expected: bool) -> WorkerLost | None:
    """Return the verdict on an answer too large to read; None where its shapes and types show what is wrong.

    Args:
        came: the bytes of the answer itself.
        room: the bytes allowed for everything that the call shows.
        expected: whether the right shapes and types are known.
    """
    if came <= room:
        headline = f"what {what} leaves behind is larger than {size(room)}"
        advice = "change no argument and no parameter, and give the same answer when called twice"
        return WorkerLost("protocol", Message(headline, advice=advice))
    return None if expected else unreadable(what, f"{size(came)} came where at most {size(room)} are read")


def budget_spent(chapter: str, seconds: float) -> WorkerLost:
    """Return the verdict on a check for which the chapter has no time left."""
    headline = f"not tried: the {seconds:g} s that there are for all checks of {chapter} were over before this one"
    advice = "look at the first check that took long, and at what runs when the file is loaded"
    return WorkerLost("timeout", Message(headline, advice=advice))


def not_loaded(file: str, raised: Raised, *, compiled: bool) -> WorkerLost:
    """Return the verdict on a file that raised while it was loaded."""
    if not compiled:
        headline = f"{file} is not valid Python: {summary(raised)}"
        return WorkerLost("syntax", Message(headline, advice="correct this line first", line=_line(raised)))
    advice = "make the file run from top to bottom without an error; until then nothing in it can be checked"
    if is_absent(raised):
        advice = "leave this import out: here there is what the course needs, and nothing else"
    return WorkerLost("error", stops_when_loaded(file, raised, advice))


def wall_met(what: str, raised: Raised, memory_bytes: int) -> WorkerLost | None:
    """Return the verdict on an error such as the walls raise; None for any other."""
    too_much = raised.message == _CUT_OFF or any(words in raised.message for words in _TOO_MUCH)
    if "MemoryError" in raised.bases or too_much:
        more = f"as happens when more memory is asked for than the {memory_bytes / 2**30:g} GiB there are"
        headline = f"{what} raised {summary(raised)}, {more}"
        return WorkerLost("memory", Message(headline, advice=_LOOK_FOR_SIZE, line=_line(raised)))
    if "OSError" in raised.bases and (REFUSED.search(raised.message) or _is_out_of_sight(raised.message)):
        why = "as the walls of grading do for a file, the network or another process"
        headline = f"{what} raised {summary(raised)}, {why}"
        advice = "work with the arguments alone; grading has nothing else"
        return WorkerLost("blocked", Message(headline, advice=advice, line=_line(raised)))
    return None


def _is_out_of_sight(text: str) -> bool:
    """Return whether the missing file or program exists outside of the wall."""
    missing = _NOT_FOUND.search(text)
    if missing is None:
        return False
    path = missing["path"]
    return os.path.lexists(path) if os.path.isabs(path) else shutil.which(path) is not None


def _signalled(what: str, number: int) -> WorkerLost:
    if number == getattr(signal, "SIGXCPU", None):
        headline = f"{what} used up the processor time of a whole chapter"
        return WorkerLost("timeout", Message(headline, advice=_LOOK_FOR_LOOP))
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    if name not in _CRASHES:
        headline = f"{what} ended the whole Python process by {name}"
        return WorkerLost("crash", Message(headline, advice="send yourself no signal, and set no timer"))
    name = "SIGSEGV or abort" if name == "SIGSEGV" else name  # the first process of a namespace aborts with SIGSEGV
    advice = "look for a recursion that never ends, memory touched with ctypes, or a call of `abort`"
    return WorkerLost("crash", Message(f"{what} made the Python process crash ({name})", advice=advice))


def _line(raised: Raised) -> Line | None:
    return Line.of(raised.line, raised.source)
