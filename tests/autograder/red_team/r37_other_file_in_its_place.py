"""Puts another file in the place of its channel, which it keeps open elsewhere."""

# expects: crash
# says: ended its conversation

import contextlib
import os
import stat


def soften(x):
    pipe = os.pipe()[1]
    for number in range(3, 60):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.dup2(number, 60)
                os.dup2(pipe, number)
    return 0 * x
