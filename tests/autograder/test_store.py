"""The store keeps what was given to it, and gives nothing else back."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from autograder.core.encoded import as_json
from autograder.core.message import Message
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.core.submission import one_chapter
from autograder.grading.run import GradedClass, _with_store
from autograder.grading.store import DamagedStoreError, Store
from autograder.sandbox.tape import Lost, RecordedCall

CHECK = CheckResult("test_it", "it is so", "values", 1, 1, "passed", Message(), ("one+other",))
RESULT = SubmissionResult.of("k", [ExerciseResult.of("ch01_toy", "double", [CHECK])], notes=("odd",), seconds=0.25)
SAID = (RecordedCall(b"a", b"frame"), RecordedCall(b"b", Lost("timeout", "too slow")), RecordedCall(b"a", b"another"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


def test_results_replies_and_submissions_come_back_as_they_were(path: Path) -> None:
    submission = one_chapter("Ädä <b>", "ch01_toy", "x = '\u2028'\n")
    with closing(Store(path)) as store:
        assert (store.seed, store.result("k"), store.replies("s")) == (None, None, ())
        store.begin(7, ["double"], {"ada": submission})
        store.keep(RESULT)
        store.keep_replies("s", SAID)
    with closing(Store(path)) as store:
        assert (store.seed, store.exercises, store.submissions()) == (7, ("double",), {"ada": submission})
        assert store.result("k") == RESULT
        assert sorted(store.replies("s"), key=lambda each: each.call) == [SAID[0], SAID[2], SAID[1]]
        assert store.result("other") is None


def test_a_result_of_version_1_is_read(path: Path) -> None:
    with closing(Store(path)) as store:
        store.keep(RESULT)
        old = record(store).replace(as_json(Message()), b'"no\\n  got       2"')
        store._base.execute("UPDATE verdict SET record = ?", (old,))
        found = store.result("k")
    assert found
    assert found.exercises[0].checks[0].message == Message("no", got="2")


def test_the_record_of_a_part_holds_what_its_key_does_not_say(path: Path) -> None:
    with closing(Store(path)) as store:
        store.keep(replace(RESULT, sandbox="full", seed=7, versions={"torch": "2.13"}))
        assert list(json.loads(record(store))) == ["exercises", "seconds", "notes"]
        assert store.result("k") == RESULT


def test_a_record_without_notes_is_read(path: Path) -> None:
    with closing(Store(path)) as store:
        store.keep(RESULT)
        store._base.execute("UPDATE verdict SET record = ?", (record(store).replace(b',"notes":["odd"]', b""),))
        assert store.result("k") == replace(RESULT, notes=())


def record(store: Store) -> bytes:
    """Return the only record of a result as it is stored."""
    ((found,),) = store._all("SELECT record FROM verdict")
    assert isinstance(found, bytes)
    return found


def test_equal_answers_are_kept_once_and_forgotten_with_the_last_who_gave_them(path: Path) -> None:
    with closing(Store(path)) as store:
        store.keep_replies("s", SAID)
        store.keep_replies("t", SAID[:1])
        (frames,) = store._one("SELECT count(*) FROM reply") or ()
        assert frames == 3
        store.forget(but=["t"])
        (frames,) = store._one("SELECT count(*) FROM reply") or ()
        assert (frames, store.replies("t"), store.replies("s")) == (1, SAID[:1], ())


def test_later_calls_are_added_to_earlier_ones(path: Path) -> None:
    with closing(Store(path)) as store:
        store.keep_replies("s", SAID[:1])
        store.keep_replies("s", [RecordedCall(b"c", b"more")])
        assert set(store.replies("s")) == {SAID[0], RecordedCall(b"c", b"more")}


def test_a_frame_that_was_changed_on_disk_is_not_given_back(path: Path) -> None:
    with closing(Store(path)) as store:
        store.keep_replies("s", SAID[:1])
        store._base.execute("UPDATE reply SET frame = x'c403787878'")
        assert store.replies("s") == ()


def test_what_is_written_only_in_part_is_not_there(path: Path) -> None:
    with closing(Store(path)) as store:
        with pytest.raises(AttributeError):
            store.keep_replies("s", [SAID[0], None])  # type: ignore[list-item]
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


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE verdict",
        "ALTER TABLE verdict RENAME COLUMN record TO records",
        "UPDATE verdict SET record = 'a text'",
        "UPDATE reply SET frame = 'a text'",
        "UPDATE heard SET call = 'a text' WHERE call = x'62'",
        "UPDATE run SET seed = 'a text'",
        "UPDATE run SET exercises = 7",
        "UPDATE submission SET record = x'00'",
    ],
)
def test_a_store_whose_inside_is_damaged_says_so_when_it_is_read(path: Path, damage: str) -> None:
    with closing(Store(path)) as store:
        store.begin(7, ["double"], {"ada": one_chapter("ada", "ch01_toy", "x = 1")})
        store.keep(RESULT)
        store.keep_replies("s", SAID)
    with closing(sqlite3.connect(path)) as base, base:
        base.execute(damage)
    with pytest.raises(DamagedStoreError), closing(Store(path)) as store:
        store.submissions(), store.seed, store.exercises, store.result("k"), store.replies("s")


def test_a_store_that_proves_damaged_on_the_way_is_replaced_and_all_begins_anew(tmp_path: Path) -> None:
    said, stores = io.StringIO(), list[Store]()

    def run(store: Store) -> GradedClass:
        stores.append(store)
        if len(stores) == 1:
            store._all("SELECT 1 FROM nowhere")
        return GradedClass({}, {}, 0)

    assert _with_store(tmp_path, Console(file=said, width=200), run).status == 0
    assert len(stores) == 2
    assert "store.sqlite is damaged (no such table: nowhere), so earlier results cannot be used" in said.getvalue()


def test_a_lone_surrogate_is_kept_as_a_question_mark(path: Path) -> None:
    with closing(Store(path)) as store:
        store.begin(7, ["double"], {"ada": one_chapter("a\ud800", "ch01_toy", "x = 1")})
        assert store.submissions()["ada"].student == "a?"


def test_a_store_cut_or_overwritten_in_its_middle_is_damaged_or_whole(path: Path) -> None:
    with closing(Store(path)) as store:
        for number in range(300):
            store.keep(replace(RESULT, student=f"{number:064}"))
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole[:9000] + b"\xff" * 9000 + whole[18000:], whole[:50]):
        path.write_bytes(damaged)
        with pytest.raises(DamagedStoreError):
            read_all(path)


def read_all(path: Path) -> None:
    with closing(Store(path)) as store:
        for number in range(300):
            found = store.result(f"{number:064}")
            assert found is None or found.exercises == RESULT.exercises
        store.forget(but=[])
