"""Sends an answer of its own in the form that is agreed on, before the one it gives."""

# expects: failed, protocol

import contextlib
import os

from autograder.calls.records import Observation
from autograder.sandbox.wire import Answer, encode_reply


def soften(x):
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(number, encode_reply(Answer(1, Observation(result=x))))
    return 0 * x
