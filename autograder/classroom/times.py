"""Times as platforms write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

OFFSET = re.compile(r"(.+\d) ([+-]\d{2}:?\d{2})", re.DOTALL)


def read(text: str) -> datetime | None:
    """The time in UTC that a text such as "2026-11-20 23:59:00 UTC" tells; one without a zone is taken for UTC.

    None if it tells none.
    """
    text = OFFSET.sub(r"\1\2", text.strip())
    stamp, _, zone = text.rpartition(" ")
    for candidate, known in ((text, UTC), (stamp, _zone(zone))):
        try:
            told = datetime.fromisoformat(candidate)
            if known:
                return (told if told.tzinfo else told.replace(tzinfo=known)).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # the last for a name that is not known, or a system without any
        return None
