"""`python -m autograder.judging.cluster.node FOLDER THREADS`: grades batches on one machine, with a sandbox of its own.

A dask worker starts it and talks to it in frames on standard input and output. It unpacks the course into
FOLDER, starts the template once, and grades each batch as `attend grade --jobs THREADS` would on this machine. It ends
when its input is closed, which the death of the worker does too, or when no batch comes for a while. Template, judges
and FOLDER end with it. A kill signal could not do that: a killed process cannot clean up.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
from contextlib import closing
from pathlib import Path
from typing import IO, Final

from autograder.core.errors import AttendError
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.judging.cluster.messages import (
    Batch,
    Done,
    Graded,
    Kept,
    NodeOrders,
    Ready,
    Refused,
    decode,
    encode,
    receive,
    send,
)
from autograder.judging.cluster.package import unpack
from autograder.judging.process import Orders, Replies

IDLE_SECONDS: Final = 600.0


def main() -> None:
    """Serve on standard input and output until the input is closed."""
    folder, threads = Path(sys.argv[1]), int(sys.argv[2])
    signal.signal(signal.SIGTERM, _end)
    inbox, outbox = _own_streams()
    try:
        _serve(inbox, outbox, folder, threads)
    except (EOFError, BrokenPipeError):
        pass
    except AttendError as error:
        send(outbox, encode(Refused(str(error))))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _serve(inbox: IO[bytes], outbox: IO[bytes], folder: Path, threads: int) -> None:
    orders: NodeOrders = decode(receive(inbox), NodeOrders)
    jobs = min(threads, orders.jobs or threads)
    course = unpack(orders.package, folder)
    sys.path.insert(0, str(folder))  # this course's `reference`, whatever else is installed here
    from autograder.judging.coordinator import Coordinator
    from autograder.judging.wall import Wall

    def accept(result: SubmissionResult) -> None:
        send(outbox, encode(Graded(result)))

    def keep(submission: Submission, replies: Replies) -> None:
        places = [place for place, each in enumerate(batch.submissions) if each is submission]
        send(outbox, encode(Kept(places[0], replies)))

    def look() -> None:
        if _is_closed(inbox):
            raise EOFError

    judged = Orders(course, orders.exercises, orders.seed, orders.limits, orders.replies)
    chapters = tuple(dict.fromkeys(each.chapter for each in orders.exercises))
    with Wall(course, orders.level, orders.limits, chapters=chapters) as wall:
        send(outbox, encode(Ready(wall.tier, wall.sentence)))
        with closing(Coordinator(judged, wall.hand, accept, look, keep)) as coordinator:
            while _is_wanted(inbox):
                batch: Batch = decode(receive(inbox), Batch)
                coordinator.grade_batch(batch.submissions, jobs)
                send(outbox, encode(Done()))


def _own_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Return input and output for frames alone; whatever the process prints goes to standard error."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return inbox, outbox


def _is_wanted(inbox: IO[bytes]) -> bool:
    """Wait for the next batch; return False after a long silence, as the grading side may be gone."""
    return bool(select.select([inbox], [], [], IDLE_SECONDS)[0])


def _is_closed(inbox: IO[bytes]) -> bool:
    watch = select.poll()
    watch.register(inbox, 0)  # no event is asked for; a hang-up is always reported
    return bool(watch.poll(0))


def _end(*_: object) -> None:
    sys.exit(1)


if __name__ == "__main__":
    main()
