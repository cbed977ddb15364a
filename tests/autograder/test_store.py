"""The store keeps what was given to it, and gives nothing else back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from autograder.grading.store import DamagedStoreError, Store, Verdict
from autograder.records import CheckResult, ExerciseResult
from autograder.sandbox.tape import Heard, Lost
from autograder.submission import one_chapter

CHECK = CheckResult("test_it", "it is so", "values", 1, 1, "passed", "", ("one+other",))
VERDICT = Verdict((ExerciseResult.of("ch01_toy", "double", [CHECK]),), 0.25)
SAID = (Heard(b"a", b"frame"), Heard(b"b", Lost("timeout", "too slow")), Heard(b"a", b"another"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


def test_verdicts_replies_and_submissions_come_back_as_they_were(path: Path) -> None:
    submission = one_chapter("Ädä <b>", "ch01_toy", "x = '\u2028'\n")
    with closing(Store(path)) as store:
        assert (store.seed, store.verdict("k"), store.replies("s")) == (None, None, ())
        store.begin(7, ["double"], {"ada": submission})
        store.keep("k", VERDICT)
        store.hear("s", SAID)
    with closing(Store(path)) as store:
        assert (store.seed, store.exercises, store.submissions()) == (7, ("double",), {"ada": submission})
        assert store.verdict("k") == VERDICT
        assert sorted(store.replies("s"), key=lambda each: each.call) == [SAID[0], SAID[2], SAID[1]]
        assert store.verdict("other") is None


def test_equal_answers_are_kept_once_and_forgotten_with_the_last_who_gave_them(path: Path) -> None:
    with closing(Store(path)) as store:
        store.hear("s", SAID)
        store.hear("t", SAID[:1])
        (frames,) = store._one("SELECT count(*) FROM reply") or ()
        assert frames == 3
        store.forget(but=["t"])
        (frames,) = store._one("SELECT count(*) FROM reply") or ()
        assert (frames, store.replies("t"), store.replies("s")) == (1, SAID[:1], ())


def test_later_calls_are_added_to_earlier_ones(path: Path) -> None:
    with closing(Store(path)) as store:
        store.hear("s", SAID[:1])
        store.hear("s", [Heard(b"c", b"more")])
        assert set(store.replies("s")) == {SAID[0], Heard(b"c", b"more")}


def test_a_frame_that_was_changed_on_disk_is_not_given_back(path: Path) -> None:
    with closing(Store(path)) as store:
        store.hear("s", SAID[:1])
        store._base.execute("UPDATE reply SET frame = x'c403787878'")
        assert store.replies("s") == ()


def test_what_is_written_only_in_part_is_not_there(path: Path) -> None:
    with closing(Store(path)) as store:
        with pytest.raises(AttributeError):
            store.hear("s", [SAID[0], None])  # type: ignore[list-item]
        assert store.replies("s") == ()


@pytest.mark.parametrize("content", [b"no database" * 100, None])
def test_a_file_that_is_no_store_or_of_another_format_is_damaged(path: Path, content: bytes | None) -> None:
    if content is None:
        base = sqlite3.connect(path)
        base.execute("PRAGMA user_version = 99")
        base.close()
    else:
        path.write_bytes(content)
    with pytest.raises(DamagedStoreError):
        Store(path)
