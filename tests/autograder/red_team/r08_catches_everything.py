"""Catches whatever is thrown at it, and goes on for ever."""

# expects: timeout


def soften(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
