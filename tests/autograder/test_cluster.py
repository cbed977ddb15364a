"""Several machines at work, as several dask workers of one: nothing is lost when one of them is, and nothing stays."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from autograder.commands.traces import descendants
from autograder.core.errors import AttendError
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.judging.cluster import connection, messages
from autograder.judging.cluster.connection import Cluster
from autograder.judging.cluster.package import pack, unpack
from autograder.judging.cluster.pool import Pool
from autograder.judging.cluster.software import difference, software
from autograder.judging.coordinator import Coordinator
from autograder.judging.process import Orders
from autograder.judging.wall import Wall
from tests.autograder.conftest import CHAPTER, TOY, in_place_of_the_real
from tests.autograder.processes import AT_EASE, ENDLESS_WHERE_MARKED, PATIENCE, alive, mark, soon

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
WRONG = RIGHT + "\n\ndef double(x):\n    return x ** 2\n"
BROKEN = "def double(x:\n"
SURROGATE = RIGHT + "\n\ndef double(x):\n    raise ValueError('\\ud800')\n"
ENDLESS = RIGHT + "\n\nclass Loaded:\n    import time\n    time.sleep(1e6)\n"

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(sys.platform != "linux", reason="nodes grade on Linux"),
]


def handed_in(*texts: str) -> list[Submission]:
    return [one_chapter(f"s{number}", CHAPTER, text) for number, text in enumerate(texts)]


@dataclass
class Machines:
    """A scheduler and workers, each a process of its own."""

    address: str
    workers: list[psutil.Popen]

    def nodes(self) -> list[psutil.Process]:
        return [node for worker in self.workers for node in worker.children()]


@contextmanager
def machines(folder: Path, count: int, **environment: str) -> Iterator[Machines]:
    """A scheduler and `count` workers with a thread each, whose temporary files lie in `folder`."""
    place = os.environ | {"TMPDIR": str(folder)} | environment
    told, options = folder / "scheduler.json", ["--host", "127.0.0.1", "--no-dashboard"]
    module = "distributed.cli.dask_scheduler"
    with ExitStack() as stack:
        stack.enter_context(_process(place, module, *options, "--port", "0", "--scheduler-file", str(told)))
        assert soon(lambda: told.exists() and told.read_text(encoding="utf-8").endswith("}"))
        address = json.loads(told.read_text(encoding="utf-8"))["address"]
        options += ["--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
        module = "distributed.cli.dask_worker"
        started = [_process(place, module, address, *options) for _ in range(count)]
        workers = [stack.enter_context(each) for each in started]
        there = Machines(address, workers)
        assert soon(lambda: _has_registered(there))
        yield there


@contextmanager
def _process(place: dict[str, str], module: str, *args: str) -> Iterator[psutil.Popen]:
    with (Path(place["TMPDIR"]) / f"{module}.log").open("ab") as log:
        process = psutil.Popen([sys.executable, "-m", module, *args], stdout=log, stderr=log, env=place)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def orders(course: Course, *, replies: bool = False) -> Orders:
    return Orders(course, course.exercises, seed=1, limits=AT_EASE, replies=replies)


def grade_on(
    cluster: Cluster, submissions: list[Submission], on_tick: Callable[[], None] = lambda: None
) -> dict[str, SubmissionResult]:
    """Results by student, without the seconds; none may come twice, and none be missing."""
    results: list[SubmissionResult] = []
    faults: list[tuple[Submission, str]] = []
    Pool(cluster, results.append, lambda *fault: faults.append(fault), on_tick).grade(submissions)
    assert faults == []
    assert sorted(result.student for result in results) == sorted(each.student for each in submissions)
    return {result.student: replace(result, seconds=0) for result in results}


def grade_here(course: Course, submissions: list[Submission]) -> dict[str, SubmissionResult]:
    results: list[SubmissionResult] = []
    with Wall(course, "auto") as wall:
        Coordinator(orders(course), wall.hand, results.append, lambda: None).grade(submissions, 1)
    return {result.student: replace(result, seconds=0) for result in results}


@pytest.fixture(scope="module", autouse=True)
def unhurried() -> Iterator[None]:
    """On a busy machine, a node may take its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "CONNECT_SECONDS", PATIENCE)
        patch.setattr(connection, "START_SECONDS", PATIENCE)
        patch.setattr(connection, "STOP_SECONDS", PATIENCE)
        yield


@pytest.fixture(scope="module")
def course() -> Iterator[Course]:
    with in_place_of_the_real(Course(TOY)) as toy:
        yield toy


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """For tests that leave both machines as they are."""
    with machines(tmp_path_factory.mktemp("machines"), 2) as there:
        yield there


@pytest.fixture(scope="module")
def cluster(course: Course, two: Machines) -> Iterator[Cluster]:
    with Cluster(two.address, orders(course, replies=True), "auto") as ready:
        yield ready
    assert soon(lambda: not two.nodes())


def _has_registered(there: Machines) -> bool:
    with _client(there.address) as client:
        return len(client.nthreads()) == len(there.workers)


def _client(address: str) -> Any:
    from distributed import Client

    return Client(address, timeout=PATIENCE, set_as_default=False)


def test_two_machines_grade_everything_once_and_as_one_would(course: Course, cluster: Cluster) -> None:
    submissions = handed_in(*[RIGHT, WRONG, BROKEN, SURROGATE] * 3)
    found = grade_on(cluster, submissions)
    assert found == grade_here(course, submissions)
    assert len({result.score for result in found.values()}) > 1
    assert cluster.sentence.startswith("2 nodes with 2 judges")


def test_what_the_code_said_comes_along_before_each_result(cluster: Cluster) -> None:
    seen: list[object] = []
    pool = Pool(cluster, lambda result: seen.append(result.student), pytest.fail, lambda: None)
    pool.keep = lambda submission, replies: seen.append((submission.student, len(replies)))
    pool.grade(handed_in(RIGHT))
    (student, replies), result = seen  # type: ignore[misc]
    assert student == result == "s0"
    assert replies > 0


def test_the_judges_of_a_machine_stay_for_its_next_batch(two: Machines, cluster: Cluster) -> None:
    def inside() -> set[int]:
        return {each.pid for node in two.nodes() for each in node.children()}

    grade_on(cluster, handed_in(*[RIGHT] * 6))
    before = inside()
    assert len(before) == 4, "a template and a judge on each machine"
    grade_on(cluster, handed_in(*[WRONG] * 6))
    assert inside() == before


class Amidst:
    """Calls `act`, once, when every node of `busy` has begun to run code of its batch."""

    def __init__(self, busy: list[psutil.Process], act: Callable[[], None]) -> None:
        self._before = {node: descendants(node.pid) for node in busy}
        self._act, self._done = act, False

    def __call__(self) -> None:
        if not self._done and all(map(self._has_begun, self._before)):
            self._done = True
            self._act()

    def _has_begun(self, node: psutil.Process) -> bool:
        return len(descendants(node.pid) - self._before[node]) >= 3  # a judge, a worker and its supervisor


def test_a_machine_that_is_killed_amidst_a_batch_costs_nothing_and_leaves_nothing(
    course: Course, tmp_path: Path
) -> None:
    with machines(tmp_path, 2) as there:
        doomed, _ = there.workers
        mark(doomed.pid)
        killed: set[int] = set()

        def kill() -> None:
            killed.update({doomed.pid} | descendants(doomed.pid))
            doomed.kill()

        with Cluster(there.address, orders(course), "auto") as cluster:
            assert len(set(tmp_path.glob("attend-node-*"))) == 2
            found = grade_on(cluster, handed_in(*[RIGHT + ENDLESS_WHERE_MARKED] * 12), Amidst(doomed.children(), kill))
            assert killed
            assert {result.score for result in found.values()} == {13}
            assert soon(lambda: not any(map(alive, killed)))
            assert len(set(tmp_path.glob("attend-node-*"))) == 1


def test_an_interruption_waits_for_no_answer_and_ends_the_nodes(course: Course, two: Machines) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    graded: list[SubmissionResult] = []
    with Cluster(two.address, orders(course), "auto") as cluster:
        pool = Pool(cluster, graded.append, pytest.fail, Amidst(two.nodes(), interrupt))
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            pool.grade(handed_in(ENDLESS, ENDLESS))
    assert graded == []
    assert time.monotonic() - begun < PATIENCE  # to grade one takes longer
    assert soon(lambda: not two.nodes())


def test_a_machine_without_the_sandbox_that_is_required_is_named(course: Course, tmp_path: Path) -> None:
    with machines(tmp_path, 1, PATH=str(tmp_path)) as there:  # its node finds no bwrap
        with pytest.raises(AttendError, match=r"cannot be used. tcp://.*bwrap is not installed"):
            Cluster(there.address, orders(course), "required")
        assert soon(lambda: not there.nodes())
        assert list(tmp_path.glob("attend-node-*")) == []


def test_a_machine_with_other_software_is_refused_and_both_versions_are_named(
    course: Course, two: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = {**software(), "torch": "0.4.1"}
    monkeypatch.setattr(connection, "software", lambda: other)
    with pytest.raises(AttendError, match=rf"it has torch {software()['torch'][:3]}.*grading side torch 0\.4\.1"):
        Cluster(two.address, orders(course), "auto")
    assert two.nodes() == []


def test_equal_software_differs_in_nothing() -> None:
    assert difference(software(), dict(software())) == ""
    assert "numpy missing" in difference({"numpy": "2.0"}, {})


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tls://127.0.0.1:1", "nonsense://here:1"])
def test_an_address_where_nobody_listens_is_a_sentence_once_the_time_is_over(
    course: Course, address: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 1.0)
    begun = time.monotonic()
    with pytest.raises(AttendError, match=f"no scheduler answers at {address}.*`dask scheduler`"):
        Cluster(address, orders(course), "auto")
    assert time.monotonic() - begun < PATIENCE
    assert capfd.readouterr() == ("", "")


def test_a_package_is_equal_for_equal_files_and_lays_out_the_same_course(toy_copy: Course, tmp_path: Path) -> None:
    package = pack(toy_copy)
    assert package == pack(Course(TOY))
    there = unpack(package, tmp_path / "there")
    assert there.exercises == toy_copy.exercises
    assert there.right_answers(CHAPTER) == toy_copy.right_answers(CHAPTER) != ""
    toy_copy.suite(CHAPTER).write_text("# changed", encoding="utf-8")
    assert pack(toy_copy) != package


def test_what_a_reference_reads_travels_with_it(toy_copy: Course, tmp_path: Path) -> None:
    data = toy_copy.root / "reference" / "data" / "words.txt.gz"
    for path in (data, data.parent / ".hidden", data.parent / "__pycache__" / "words.pyc"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"some words")
    there = unpack(pack(toy_copy), tmp_path / "there").root / "reference"
    assert [path.name for path in there.rglob("*") if path.parent.name in ("data", "__pycache__")] == [data.name]
    assert (there / "data" / data.name).read_bytes() == b"some words"


def test_any_text_of_a_student_survives_the_journey() -> None:
    batch = messages.Batch(tuple(handed_in("\ud800 \x00 \N{SNOWMAN}")))
    assert messages.decode(messages.encode(batch), messages.Batch) == batch
