"""How the tests are shared out among processes, and which of them `make quick` leaves out."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import Any

import pytest

# What `make quick` leaves out: files whose tests start processes, sandboxes or browsers, or grade real chapters.
SLOW = """
    answers ask audit bench_class browser by_hand_class capstone_page cluster commands compiler coordinator course
    decided doors downloads downloads_names drafts effort endings entry export_table exports_found first_screen
    forbidden forms fuzz_walls github gradescope grading groups hostile_answers hostile_class hostile_files
    import_order intake_bounded lab lesson_pieces light_install losses losses_command nbgrader_class nbgrader_course
    nbgrader_grade nbgrader_hidden nbgrader_notebooks nbgrader_points new_course notebook_check notebook_kernel
    odd_files other_systems own_course_page pages_browser plans plugin progress proof question_sheets received
    red_team red_team_notes regrade release release_locks release_sealed room sandbox_beside sandbox_doctor
    sandbox_single_walls sandbox_target seeds signature similar spelling start starting trained training versions
    warm watch wheel wire_hostile
"""
QUICK_LEAVES_OUT = {f"test_{name}.py" for name in SLOW.split()}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out the files that are listed in tests/conftest.py")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.getoption("--quick") and collection_path.name in QUICK_LEAVES_OUT else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests of a file run in one process, in the order of the files: its fixtures are made once.

    Tests whose ids begin alike, up to a colon, are a group of their own: what they grade is graded once.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            group = re.search(r"\[([\w ]+): ", nodeid)
            return group[1] if group else nodeid.partition("::")[0]

    config.option.loadscopereorder = False
    return Together(config, log)


def pytest_collection_finish() -> None:
    """Leave what is loaded now to itself: a test that forks would copy all that is looked through for garbage."""
    gc.collect()
    gc.freeze()
