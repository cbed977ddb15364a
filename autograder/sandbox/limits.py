"""What one worker may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Limits:
    """Seconds of the judge's clock, memory beyond torch's own, bytes a reply.

    `budget_seconds` are for one chapter of one submission, loading and all calls together: of the judge's clock, and
    as much of processor time for each worker.
    """

    call_seconds: float = 5.0
    load_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    reply_bytes: int = 8 << 20
    budget_seconds: float = 60.0


DEFAULT_LIMITS: Final = Limits()
