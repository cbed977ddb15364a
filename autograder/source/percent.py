"""The percent format: a Python file whose comments mark the cells of a notebook."""

from __future__ import annotations

FORMAT = {
    "extension": ".py",
    "format_name": "percent",
    "comment_magics": False,  # "# ls" stays a comment: a chapter is plain Python
    "notebook_metadata_filter": "-all",
    "cell_metadata_filter": "exercise,-all",
}
GENERATED = "# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:"


def short(stem: str) -> str:
    """Return the chapter's number as people type it: "ch03" for "ch03_attention"."""
    return stem.partition("_")[0]
