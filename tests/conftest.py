"""How the tests are shared out among processes."""

from __future__ import annotations

import gc
from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests of a file run in one process, in the order of the files: its fixtures are made once.

    Tests whose ids begin alike, up to a colon, are a group of their own: what they grade is graded once.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            group, colon, _ = nodeid.partition("[")[2].partition(": ")
            return group if colon else nodeid.partition("::")[0]

    config.option.loadscopereorder = False
    return Together(config, log)


def pytest_collection_finish() -> None:
    """Leave what is loaded now to itself: a test that forks would copy all that is looked through for garbage."""
    gc.collect()
    gc.freeze()
