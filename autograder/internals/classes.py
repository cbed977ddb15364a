"""Private parts of torch's classes: what a module holds, how layers and distributions begin."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import torch
from torch.distributions import Distribution

DRAWING: Final = (
    (torch.nn.Linear, "reset_parameters"),
    (torch.nn.Embedding, "reset_parameters"),
    (torch.nn.MultiheadAttention, "_reset_parameters"),
)
"""The methods of layers that draw their first parameters."""


def held_by(owner: Any) -> list[Any]:
    """Return all that a module and the modules in it hold; nothing of another object."""
    if not isinstance(owner, torch.nn.Module):
        return []
    inside = (own for each in owner.modules() for own in (vars(each), each._parameters, each._buffers, each._modules))
    return [value for own in inside for value in own.values()]


def turn_into(owner: Any, kind: Any) -> None:
    """Make an object one of another class, with all that it holds."""
    owner.__class__ = kind


@contextmanager
def without_first_parameters() -> Iterator[None]:
    """Let torch's layers draw no parameters, where all of them are loaded afterwards."""
    before = [(kind, name, getattr(kind, name)) for kind, name in DRAWING]
    try:
        for kind, name in DRAWING:
            setattr(kind, name, _left_alone)
        yield
    finally:
        for kind, name, own in before:
            setattr(kind, name, own)


def _left_alone(_: torch.nn.Module) -> None:
    """Do nothing."""


@contextmanager
def without_validation() -> Iterator[None]:
    """Let distributions take their parameters unseen: they validate them by their numbers, which may be missing."""
    validates = Distribution._validate_args
    Distribution.set_default_validate_args(False)
    try:
        yield
    finally:
        Distribution.set_default_validate_args(validates)
