"""Files that may hold anything are read whole or not at all, and cost the memory that they fill."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

import pytest

from autograder.core.reading import MOST_BYTES, beginning, contents

SOME = b"some bytes"


def test_a_small_file_asks_for_little_memory(tmp_path: Path) -> None:
    """A whole buffer of the limit would not fit beside what a large submission has left."""
    (tmp_path / "small").write_bytes(SOME)
    tracemalloc.start()
    try:
        assert contents(tmp_path / "small") == SOME
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES / 10
    finally:
        tracemalloc.stop()


def test_a_file_of_the_limit_is_read_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(SOME)
    assert contents(tmp_path / "file", len(SOME)) == SOME
    with pytest.raises(OSError, match="it is larger than"):
        contents(tmp_path / "file", len(SOME) - 1)


class Growing(io.FileIO):
    """A file that is longer each time that it is read."""

    def read(self, size: int | None = -1, /) -> bytes:
        with open(str(self.name), "ab") as more:
            more.write(3 * SOME)
        return super().read(size) or b""


def test_a_file_that_grows_while_it_is_read_is_read_up_to_the_limit(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(SOME)
    with Growing(str(tmp_path / "file")) as stream:
        assert len(beginning(stream, 25)) == 26
    with Growing(str(tmp_path / "file")) as stream:
        assert beginning(stream, 1000).startswith(4 * SOME)
