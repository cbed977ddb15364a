"""IMDB is fetched once, checked, and on from where it broke off; from a server of this machine."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from autograder.core.errors import UsageError
from autograder.student.capstones.fetch import fetched

DATA = bytes(range(256)) * 2000
SHA256 = hashlib.sha256(DATA).hexdigest()


class Server(ThreadingHTTPServer):
    """Sends `DATA` in ranges, at most `most` bytes an answer, and remembers where each began."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.most = len(DATA)
        self.begun: list[int] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/reviews"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        begun = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
        self.server.begun.append(begun)
        if begun >= len(DATA):
            self.send_error(416)
            return
        self.send_response(206)
        self.send_header("Content-Length", str(len(DATA) - begun))
        self.end_headers()
        self.wfile.write(DATA[begun : begun + self.server.most])

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as found:
        thread = threading.Thread(target=found.serve_forever, args=(0.01,))
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def test_it_is_fetched_once(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "new" / "reviews"
    for _ in range(2):
        assert fetched(path, server.address, SHA256).read_bytes() == DATA
    assert server.begun == [0]
    assert [each.name for each in path.parent.iterdir()] == ["reviews"]


def test_what_broke_off_goes_on_where_it_was(server: Server, tmp_path: Path) -> None:
    server.most = 300_000
    with pytest.raises(UsageError, match=r"it broke off after 300,000 of 512,000 bytes.*the same command goes on"):
        fetched(tmp_path / "reviews", server.address, SHA256)
    assert fetched(tmp_path / "reviews", server.address, SHA256).read_bytes() == DATA
    assert server.begun == [0, 300_000]


def test_all_that_was_there_already_is_not_sent_again(server: Server, tmp_path: Path) -> None:
    (tmp_path / "reviews.part").write_bytes(DATA)
    assert fetched(tmp_path / "reviews", server.address, SHA256).read_bytes() == DATA
    assert server.begun == [len(DATA)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system makes no links for everyone")
@pytest.mark.parametrize("is_link", [True, False])
def test_no_download_goes_on_in_a_link_or_a_pipe(server: Server, tmp_path: Path, is_link: bool) -> None:
    outside, part = tmp_path / "outside", tmp_path / "reviews.part"
    outside.write_bytes(DATA[:300_000])
    part.symlink_to(outside) if is_link else os.mkfifo(part)
    assert fetched(tmp_path / "reviews", server.address, SHA256).read_bytes() == DATA
    assert outside.read_bytes() == DATA[:300_000]
    assert server.begun == [0]


def test_something_else_is_refused_and_removed(server: Server, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not the known archive, and was removed"):
        fetched(tmp_path / "reviews", server.address, "0" * 64)
    assert not [*tmp_path.iterdir()]


def test_without_an_answer_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="could not be fetched"):
        fetched(tmp_path / "reviews", "http://127.0.0.1:1/reviews", SHA256)
