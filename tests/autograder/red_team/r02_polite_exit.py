"""Leaves politely in the call, once in each of the ways that no `except Exception` sees."""

# expects: error

turns = [SystemExit(0), KeyboardInterrupt(), GeneratorExit()]


def soften(x):
    turns.append(turns.pop(0))
    raise turns[-1]
