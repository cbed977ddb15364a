"""Read times as platforms write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

OFFSET = re.compile(r"(.+\d) ([+-]\d{2}:?\d{2})", re.DOTALL)
DIGITS = re.compile(r"(\d{4})\D?(\d\d)\D?(\d\d)\D{0,2}(\d\d)\D?(\d\d)(?:\D?(\d\d))?")
# The minutes are always the last two digits: "926 PM" is 9:26 PM, and "117 AM" is 1:17 AM.
SPELT = re.compile(
    r"(?:(?P<month>[a-z]+)\.? (?P<day>\d{1,2}),?|(?P<first>\d{1,2})\.?(?: de)? (?P<last>[a-z]+)\.?,?(?: de)?)"
    r" (?P<year>\d{4}),? (?P<hour>\d{1,2})[:.h]?(?P<minute>\d\d)(?: ?(?P<half>[ap])\.? ?m\.?)?"
)
MONTHS = (
    *(("jan", "ene"), ("feb", "fev"), ("mar",), ("apr", "avr", "abr"), ("may", "mai"), ("jun", "juin")),
    *(("jul", "juil"), ("aug", "aou", "ago"), ("sep",), ("oct", "okt"), ("nov",), ("dec", "dez", "dic")),
)
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


def in_name(text: str) -> datetime | None:
    """Return the time in a part of a file's name, such as "Nov 20, 2026 926 PM" or "20261120-235900"; else None.

    Months may be in English, German, French or Spanish. A time without a zone stays without one.
    """
    if digits := DIGITS.fullmatch(text.strip()):
        with suppress(ValueError):
            year, month, day, hour, minute, second = map(int, digits.groups("0"))
            return datetime(year, month, day, hour, minute, second)
    return _spelt(text) or read(text)


def _spelt(text: str) -> datetime | None:
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    parts = SPELT.fullmatch(" ".join(bare.casefold().split()))
    if not parts:
        return None
    named = parts["month"] or parts["last"]
    month = next((number for number, names in enumerate(MONTHS, start=1) if named.startswith(names)), 0)
    hour = int(parts["hour"])
    if half := parts["half"]:
        hour = hour % 12 + (12 if half == "p" else 0)
    with suppress(ValueError):
        return datetime(int(parts["year"]), month, int(parts["day"] or parts["first"]), hour, int(parts["minute"]))
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
