"""One change of a function, and what the changed function's answer is like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Function: TypeAlias = Callable[..., Any]
Wrap: TypeAlias = Callable[[Function, Any], Function]


@dataclass(frozen=True)
class Change:
    """One change of a function: its id, what the changed function's answer is like, what to do, and how it is made.

    `wrap` gets the function, and the object that it is a method of (None for a plain function).
    """

    identifier: str
    says: str
    advice: str
    wrap: Wrap
