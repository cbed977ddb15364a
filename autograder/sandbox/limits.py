"""The limits of one worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Limits:
    """Seconds on the judge's clock, memory beyond torch's own, bytes of a reply.

    `budget_seconds` are for one chapter of one submission, loading and all calls together; each worker may also use as
    many seconds of processor time.
    """

    call_seconds: float = 5.0
    load_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    reply_bytes: int = 8 << 20
    budget_seconds: float = 60.0


DEFAULT_LIMITS: Final = Limits()
