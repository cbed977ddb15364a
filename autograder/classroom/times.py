"""Read times as platforms write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

OFFSET = re.compile(r"(.+\d) ([+-]\d{2}:?\d{2})", re.DOTALL)
MOODLE = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M")  # in English, and in the zone of the person who exported


def read(text: str) -> datetime | None:
    """Return the time in a text such as "2026-11-20 23:59:00 UTC", in UTC; None if there is none.

    A time without a zone stays without one.
    """
    for time in _readings(OFFSET.sub(r"\1\2", text.strip())):
        try:
            return time.astimezone(UTC) if time.tzinfo else time
        except OverflowError:
            continue
    return None


def in_utc(moment: datetime) -> datetime:
    """Return a moment in its zone, or in UTC if it has none."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _readings(text: str) -> Iterator[datetime]:
    stamp, _, zone = text.rpartition(" ")
    with suppress(ValueError):
        yield datetime.fromisoformat(text)
    if known := _zone(zone):
        with suppress(ValueError):
            time = datetime.fromisoformat(stamp)
            yield time if time.tzinfo else time.replace(tzinfo=known)
    for form in MOODLE:
        with suppress(ValueError):
            yield datetime.strptime(text, form)


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # the last for an unknown name, or a system without time zones
        return None
