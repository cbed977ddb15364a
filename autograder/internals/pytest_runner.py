"""One test of pytest, run by itself as often as it is needed: pytest has no public way to do that."""

from __future__ import annotations

from _pytest.runner import runtestprotocol

__all__ = ["runtestprotocol"]
