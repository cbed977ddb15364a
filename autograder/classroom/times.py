"""Times as platforms write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

OFFSET = re.compile(r"(.+\d) ([+-]\d{2}:?\d{2})", re.DOTALL)
MOODLE = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M")  # in English, and in the zone of whoever exported


def read(text: str) -> datetime | None:
    """The time that a text such as "2026-11-20 23:59:00 UTC" tells, in UTC; without a zone if it names none.

    None if it tells none.
    """
    for told in _readings(OFFSET.sub(r"\1\2", text.strip())):
        try:
            return told.astimezone(UTC) if told.tzinfo else told
        except OverflowError:
            continue
    return None


def in_utc(moment: datetime) -> datetime:
    """A moment whose zone is UTC if it names none."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _readings(text: str) -> Iterator[datetime]:
    stamp, _, zone = text.rpartition(" ")
    with suppress(ValueError):
        yield datetime.fromisoformat(text)
    if known := _zone(zone):
        with suppress(ValueError):
            told = datetime.fromisoformat(stamp)
            yield told if told.tzinfo else told.replace(tzinfo=known)
    for form in MOODLE:
        with suppress(ValueError):
            yield datetime.strptime(text, form)


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # the last for a name that is not known, or a system without any
        return None
