"""Packs into a wheel the part of the engine that students need; grading and writing a course take a clone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StudentsEngine(BuildHookInterface[Any]):
    """Adds the files of the engine that a release holds as well."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files, except for an editable installation: a clone is used as a whole."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from autograder.author.release.engine import engine_files

        files = engine_files(Path(self.root, "autograder"))
        build_data["force_include"] |= {str(path): path.relative_to(self.root).as_posix() for path in files}
