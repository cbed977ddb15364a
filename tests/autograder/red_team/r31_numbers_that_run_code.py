"""Answers with numbers whose methods would run when they are compared."""

# expects: failed


class Equal(float):
    def __eq__(self, other):
        return True

    def __float__(self):
        raise SystemExit

    __hash__ = float.__hash__


def soften(x):
    return Equal(0)
