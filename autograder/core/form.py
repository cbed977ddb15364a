"""Faults of form: what can be wrong with an answer whose numbers are right."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Form: TypeAlias = Literal["argument", "list", "tuple", "dtype", "float32", "gradient", "answer", "kept"]

WORDS: Final[dict[str, str]] = {
    "argument": "the argument that it changes",
    "list": "the list in place of a tuple",
    "tuple": "the tuple in place of a list",
    "dtype": "the dtype",
    "float32": "float32",
    "gradient": "the gradient that it leaves",
    "answer": "the earlier answer that it overwrites",
    "kept": "the answer that it keeps for an object whose numbers change",
}


def in_words(form: str) -> str:
    """Return what an answer with this fault is right but for."""
    return WORDS.get(form, form)
