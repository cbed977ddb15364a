"""JSON of records whose texts come from strangers."""

from __future__ import annotations

import json

import msgspec


def as_json(record: object) -> bytes:
    """Return a record as JSON in UTF-8; a lone surrogate becomes "?"."""
    try:
        return msgspec.json.encode(record)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(record), ensure_ascii=False).encode("utf-8", "replace")
