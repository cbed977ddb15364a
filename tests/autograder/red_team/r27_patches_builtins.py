"""Replaces the functions that every Python program leans on."""

# expects: failed, error, crash, protocol

import builtins


def soften(x):
    for name in ("all", "any", "abs", "isinstance", "len", "open", "print", "sorted", "zip"):
        setattr(builtins, name, lambda *_, **__: True)
    return 0 * x
