"""How the tests are shared out among processes."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests whose ids begin alike, up to a colon, run in one process: what they grade is graded once."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            group, colon, _ = nodeid.partition("[")[2].partition(": ")
            return group if colon else nodeid

    return Together(config, log)
