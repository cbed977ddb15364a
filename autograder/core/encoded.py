"""Records that hold strangers' texts, as JSON that every file can hold."""

from __future__ import annotations

import json

import msgspec


def as_json(record: object) -> bytes:
    """A record as JSON; a lone surrogate, which no UTF-8 file can hold, becomes "?"."""
    try:
        return msgspec.json.encode(record)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(record), ensure_ascii=False).encode("utf-8", "replace")
