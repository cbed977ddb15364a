"""Zips are read member by member and never unpacked, whatever is in them."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from pathlib import Path

import pytest

from autograder.core.submission import Problem, Submission
from autograder.course.course import Course
from autograder.intake.submissions import find_submissions, read_submission

COURSE = Course(Path(__file__).parent / "toy")
ANSWER = b"def double(x):\n    return 2 * x\n"
Member = str | zipfile.ZipInfo


def zipped(members: list[tuple[Member, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return stream.getvalue()


def hand_in(tmp_path: Path, data: bytes) -> Submission:
    (tmp_path / "alice.zip").write_bytes(data)
    return read_submission(find_submissions(tmp_path, COURSE)[0], COURSE)


def problem(submission: Submission) -> Problem:
    found = submission.chapters["ch01_toy"].problem
    assert found
    return found


def special(name: str, mode: int) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)
    member.external_attr = (mode | 0o644) << 16
    return member


def test_a_zip_is_read_like_a_folder_and_leaves_nothing_on_disk(tmp_path: Path) -> None:
    hidden = [(f"{place}/ch01_toy.py", b"x = 1") for place in ("__MACOSX", ".git", "__pycache__")]
    submission = hand_in(tmp_path, zipped([*hidden, ("my homework/ch01_toy.py", ANSWER), ("torch.py", b"")]))
    assert submission.student == "alice"
    assert submission.chapters["ch01_toy"].text.encode() == ANSWER
    assert submission.notes == ("not used, as Python or the course has files of these names: torch.py",)
    assert [path.name for path in tmp_path.iterdir()] == ["alice.zip"]


def test_a_folder_with_nothing_but_a_zip_is_that_zip(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "upload.zip").write_bytes(zipped([("ch01_toy.py", ANSWER)]))
    (entry,) = find_submissions(tmp_path, COURSE)
    assert read_submission(entry, COURSE).chapters["ch01_toy"].text.encode() == ANSWER


@pytest.mark.parametrize(
    "name", ["../ch01_toy.py", "/ch01_toy.py", "a/../../ch01_toy.py", "C:\\ch01_toy.py", "..\\ch01_toy.py"]
)
def test_names_that_lead_out_of_the_zip_are_not_read(tmp_path: Path, name: str) -> None:
    submission = hand_in(tmp_path, zipped([(name, ANSWER)]))
    assert not submission.chapters
    assert submission.notes == (f"not read, because their names lead out of the zip: {name}",)


@pytest.mark.parametrize("is_zip", [True, False])
@pytest.mark.parametrize("folders", [19, 20, 25, 400])
def test_how_deep_a_file_may_lie_is_said_where_it_lies_deeper(tmp_path: Path, folders: int, is_zip: bool) -> None:
    name = "d/" * folders + "ch01_toy.py"
    if is_zip:
        submission = hand_in(tmp_path, zipped([(name, ANSWER), ("d/" * 25, b"")]))
    else:
        (tmp_path / "alice" / name).parent.mkdir(parents=True)
        (tmp_path / "alice" / name).write_bytes(ANSWER)
        submission = read_submission(find_submissions(tmp_path, COURSE)[0], COURSE)
    if folders < 20:
        assert submission.chapters["ch01_toy"].text.encode() == ANSWER
        assert not submission.notes
    else:
        assert not submission.chapters
        (note,) = submission.notes
        assert note.startswith("not read, because they lie below more than 19 folders: d/d/d/")


def test_an_empty_folder_is_worth_no_note_however_deep(tmp_path: Path) -> None:
    (tmp_path / "alice" / ("d/" * 20)).mkdir(parents=True)
    (tmp_path / "alice" / "ch01_toy.py").write_bytes(ANSWER)
    (entry,) = find_submissions(tmp_path, COURSE)
    assert not read_submission(entry, COURSE).notes


def test_a_member_without_a_name_is_not_read(tmp_path: Path) -> None:
    data = bytearray(zipped([("x", b""), ("ch01_toy.py", ANSWER)]))
    for header, length in ((b"PK\x03\x04", 26), (b"PK\x01\x02", 28)):
        place = data.index(header) + length
        data[place : place + 4] = b"\0\0\1\0"  # no letter of name, one of what may follow the name
    submission = hand_in(tmp_path, bytes(data))
    assert submission.chapters["ch01_toy"].text.encode() == ANSWER
    assert submission.notes == ("not read, because their names lead out of the zip: one without a name",)


def test_backslashes_of_windows_are_folders(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, zipped([("homework\\ch01_toy.py", ANSWER)]))
    assert submission.chapters["ch01_toy"].origin == "homework/ch01_toy.py"


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_special_files_inside_are_not_followed(tmp_path: Path, mode: int) -> None:
    submission = hand_in(tmp_path, zipped([(special("ch01_toy.py", mode), b"/etc/passwd")]))
    assert not submission.chapters
    assert "links and special files are not read: ch01_toy.py" in submission.notes[0]


def notebook(megabytes: int) -> bytes:
    """A notebook with an answer, and an output that repeats itself."""
    code = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": ANSWER.decode()}
    line = "epoch 1 of 100000, loss 0.6931\n"
    output = {"output_type": "stream", "name": "stdout", "text": line * (megabytes * 1024**2 // len(line))}
    cells = [code | {"outputs": [output]}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def test_a_notebook_full_of_the_same_output_is_read_though_it_shrinks_to_a_two_hundredth(tmp_path: Path) -> None:
    text = notebook(18)
    data = zipped([("ch01_toy.ipynb", text)])
    assert len(data) < len(text) / 200
    found = hand_in(tmp_path, data).chapters["ch01_toy"]
    assert found.problem is None
    assert ANSWER.decode().strip() in found.text


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped([("ch01_toy.ipynb", b" " * 21 * 1024**2)])
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("nothing of it is unpacked"))
    says = "ch01_toy.ipynb is larger than 20 MiB; clear its outputs and save it again"
    assert problem(hand_in(tmp_path, data)).message == says


def test_a_member_larger_than_it_claims_is_still_capped(tmp_path: Path) -> None:
    data = zipped([("ch01_toy.py", b"x = 1\n" * 900_000)], zipfile.ZIP_STORED)
    lie = data.replace((5_400_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lie != data
    assert problem(hand_in(tmp_path, data)).message == "ch01_toy.py is larger than 2 MiB; keep only your answers in it"
    assert problem(hand_in(tmp_path, lie)).message == "ch01_toy.py is damaged inside the zip; zip it again"


def test_a_locked_member_says_so(tmp_path: Path) -> None:
    data = bytearray(zipped([("ch01_toy.py", ANSWER)]))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "locked with a password" in problem(hand_in(tmp_path, bytes(data))).message


def test_an_unusual_method_says_so(tmp_path: Path) -> None:
    data = zipped([("ch01_toy.py", ANSWER)], zipfile.ZIP_LZMA)
    assert "zip it again with ordinary settings" in problem(hand_in(tmp_path, data)).message


def test_a_damaged_member_costs_its_chapter_only_and_says_so(tmp_path: Path) -> None:
    data = zipped([("ch01_toy.py", ANSWER)], zipfile.ZIP_STORED).replace(b"2 * x", b"3 * x")
    assert problem(hand_in(tmp_path, data)).message == "ch01_toy.py is damaged inside the zip; zip it again"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"Rar!", b"PK\x05\x06" + b"\xff" * 18])
def test_a_corrupt_zip_gives_every_chapter_a_reason(tmp_path: Path, data: bytes) -> None:
    submission = hand_in(tmp_path, data)
    assert set(submission.chapters) == set(COURSE.chapters)
    assert problem(submission).status == "missing"
    assert problem(submission).message.startswith("alice.zip cannot be read as a zip file (")


def test_no_cut_or_flipped_zip_raises(tmp_path: Path) -> None:
    data = zipped([("ch01_toy.py", ANSWER), ("ch01_toy.ipynb", b"{}")])
    for position in range(0, len(data), 3):
        flipped = data[:position] + bytes([data[position] ^ 0xFF]) + data[position + 1 :]
        assert isinstance(hand_in(tmp_path, flipped), Submission)
        assert isinstance(hand_in(tmp_path, data[:position]), Submission)


def nested(depth: int) -> bytes:
    data = zipped([("ch01_toy.py", ANSWER)])
    for _ in range(depth):
        data = zipped([("inner.zip", data)])
    return data


def test_a_zip_in_a_zip_is_opened_and_said(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, nested(1))
    assert submission.chapters["ch01_toy"].text.encode() == ANSWER
    assert submission.notes == ("inner.zip, a zip in the submission, was opened",)


def test_zips_are_opened_two_deep_and_no_deeper(tmp_path: Path) -> None:
    assert hand_in(tmp_path, nested(2)).chapters["ch01_toy"].origin == "inner.zip/inner.zip/ch01_toy.py"
    deeper = hand_in(tmp_path, nested(3))
    assert not deeper.chapters
    assert deeper.notes[-1].startswith("not read, because only 10 zips of a submission are opened, 2 deep: inner.zip")


def test_of_many_zips_only_ten_are_opened(tmp_path: Path) -> None:
    inner = zipped([("x.txt", b"")])
    notes = hand_in(tmp_path, zipped([(f"{number:02}.zip", inner) for number in range(12)])).notes
    assert sum("was opened" in note for note in notes) == 10
    assert any(note.endswith("10.zip and 11.zip") for note in notes)


def test_a_damaged_zip_beside_the_chapter_costs_nothing_and_is_said(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, zipped([("ch01_toy.py", ANSWER), ("plots.zip", b"no zip")]))
    assert submission.chapters["ch01_toy"].text.encode() == ANSWER
    assert submission.notes[0].startswith("plots.zip cannot be read as a zip file")


def test_the_zips_of_a_submission_share_one_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.intake.archive.TOTAL_LIMIT", 400)
    inner = zipped([("ch01_toy.py", b"#" * 300)], zipfile.ZIP_STORED)
    assert len(inner) > 400
    assert "is one too many" in hand_in(tmp_path, zipped([("a.zip", inner)])).notes[0]


def test_of_many_files_only_the_first_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.intake.archive.COUNT_LIMIT", 3)
    members: list[tuple[Member, bytes]] = [(f"{number}.txt", b"") for number in range(3)]
    submission = hand_in(tmp_path, zipped([*members, ("ch01_toy.py", ANSWER)]))
    assert not submission.chapters
    assert submission.notes == ("only the first 3 files were looked at",)


def test_all_files_together_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.intake.archive.TOTAL_LIMIT", len(ANSWER) - 1)
    assert "is one too many" in problem(hand_in(tmp_path, zipped([("ch01_toy.py", ANSWER)]))).message
