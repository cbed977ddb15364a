"""The one script of the pages: search and sorting in the list of students. Its digest lets a page run nothing else."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup


@lru_cache(maxsize=1)
def script() -> dict[str, str]:
    """Return the script, and its digest for the page's policy, as the page's template names them."""
    text = (Path(__file__).parent / "templates" / "students.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return {"script": Markup(text), "digest": digest}
