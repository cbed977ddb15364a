"""What `make bench` does with its numbers, on made-up ones; no test here measures time."""

from __future__ import annotations

import io
import platform
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from msgspec.structs import replace
from rich.console import Console

from autograder.core.errors import AttendError, UsageError
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.source.fingerprints import fingerprints
from benchmarks import (
    answers,
    capstones,
    cluster,
    growth,
    machine,
    memory,
    naming,
    oracles,
    parts,
    record,
    render,
    watch,
    whole_course,
)
from benchmarks.bench import Bench, Kind
from benchmarks.memory import Peaks, Process, roles
from benchmarks.record import Measurements, Part
from benchmarks.spread import Ratio, figure, ratios, spread, table
from reference.capstones import Reverse

COURSE = Course(Path(__file__).parents[2])
HERE = {"processor": "Abacus, 2 cores", "memory": "1 GiB"}


def whole_course_part() -> Part:
    series: dict[str, tuple[float, ...]] = {"floor of each student": (4.0, 6.0)}
    seconds = {way: (10.0 * place, 20.0 * place) for place, way in enumerate(whole_course.WAYS, 1)}
    for way, values in seconds.items():
        series |= {f"{way}: {kind}": values for kind in ("seconds", "core_seconds", "startup")}
        series[f"{way}: alike"] = (1.0, 0.5)
    counted = {"chapters": 14.0, "exercises": 100.0, "checks": 422.0}
    return Part(("attend grade",), counted | {"students": 2.0, "rounds": 2.0, "nbgrader students": 2.0}, series)


def cold_part() -> Part:
    series = {
        f"{way}: {kind}": (2.0, 3.0) for way in ('python -c "import torch"', "attend check ch03") for kind in KINDS
    }
    return Part(("attend check",), {"rounds": 2.0}, series)


def naming_part() -> Part:
    kinds = ("seconds", "a failed check", "named")
    series = {f"{way}: {kind}": (0.5, 0.75) for way in (naming.WITH, naming.WITHOUT) for kind in kinds}
    return Part(("make bench",), {"answers": 9.0, "rounds": 2.0}, series)


KINDS = ("seconds", "core_seconds")


def memory_part() -> Part:
    series: dict[str, tuple[float, ...]] = {}
    for jobs, total in ((1, 300.0), (8, 1000.0)):
        sizes = {f"{role}: {kind}": 50.0 * memory.MIB for role in ("judge", "worker") for kind in ("uss", "pss")}
        sizes |= {"judge: count": 8.0, "worker: count": 8.0, "total": total * memory.MIB, "unreadable": 0.0}
        series |= {f"{jobs}: {name}": (value,) for name, value in sizes.items()}
    return Part(("attend grade",), {"students": 8.0}, series)


def growth_part() -> Part:
    series = {
        f"{students}: {kind}": (float(students),)
        for students in (10, 100, 1000)
        for kind in ("seconds", "a submission", "memory")
    }
    return Part(("attend grade",), {}, series | {"startup": (3.0, 4.0)})


def answers_part() -> Part:
    series = {f"{way}: {kind}": (2.0, 3.0) for way in (answers.RIGHT, answers.WRONG) for kind in KINDS}
    return Part(("attend grade",), {"students": 2.0, "rounds": 2.0, "cores": 2.0}, series)


def cluster_part() -> Part:
    return Part(
        ("dask",), {"students": 4.0, "cores": 2.0}, {"no cluster": (8.0,), "1": (9.0,), "2": (6.0,), "4": (6.0,)}
    )


def capstones_part() -> Part:
    scores = {"reverse: score": (0.98, 1.0), "markov: score": (1.0, 1.0)}
    times = {f"{name}: {kind}": (15.0, 45.0) for name in ("reverse", "markov") for kind in KINDS}
    times |= {"reverse: at its goal": (0.0, 1.0), "reverse: above": (1.0, 1.0)}
    return Part(("attend train reverse",), {"seeds": 2.0}, scores | times)


def reference_part() -> Part:
    series = {
        f"cpu: {name}: {whose}": (0.2, 0.3) for name in ("attention", "layer norm") for whose in ("reference", "torch")
    }
    return Part(("make bench",), {"devices": 1.0}, series)


MADE_UP: dict[str, Callable[[], Part]] = {
    "course": whole_course_part,
    "answers": answers_part,
    "cold": cold_part,
    "watch": lambda: Part(
        ("attend watch",), {"saves": 2.0, "half written": 0.0}, {"ch03: one exercise changed": (0.25, 0.75)}
    ),
    "memory": memory_part,
    "growth": growth_part,
    "cluster": cluster_part,
    "naming": naming_part,
    "capstones": capstones_part,
    "reference": reference_part,
}


def measured() -> Measurements:
    return Measurements({name: replace(make(), machine=HERE) for name, make in MADE_UP.items()})


def test_a_spread_is_the_median_between_the_smallest_and_the_largest() -> None:
    assert spread([5.0, 1.0, 2.0]) == (2.0, 1.0, 5.0, 3)
    assert str(spread([5.0, 1.0, 2.0])) == "2.00 (1.00 to 5.00)"


def test_one_value_alone_has_no_spread() -> None:
    assert str(spread([0.25])) == "0.250"


def test_a_ratio_is_taken_between_neighbours_and_never_of_two_medians() -> None:
    assert ratios([10.0, 2.0, 30.0], [10.0, 1.0, 10.0]) == (2.0, 1.0, 3.0, 3)


def test_a_value_without_a_neighbour_does_not_count() -> None:
    assert ratios([4.0], [2.0, 100.0]) == (2.0, 2.0, 2.0, 1)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.00012, "1.2e-04"), (0.01234, "0.0123"), (1.5, "1.50"), (12.34, "12.3"), (1234.5, "1,234")],
)
def test_a_figure_has_three_digits_that_count(value: float, shown: str) -> None:
    assert figure(value) == shown


def test_every_row_of_a_table_has_as_many_cells_as_its_header() -> None:
    lines = table(["a", "b"], [["c", "d"]]).splitlines()
    assert lines == ["| a | b |", "| --- | ---: |", "| c | d |"]


def test_processes_are_told_apart_by_where_they_stand() -> None:
    tree = {
        1: Process(0, "attend", False),
        2: Process(1, "attend", False),
        3: Process(1, "bwrap", True),
        4: Process(3, "bwrap", True),
        5: Process(4, "python", True),
        6: Process(5, "python", True),
        7: Process(6, "python", True),
    }
    expected = ["coordinator", "judge", "wall", "wall", "template", "supervisor", "worker"]
    assert list(roles(tree, 1).values()) == expected


def test_a_peak_is_of_one_process_and_the_total_of_one_moment() -> None:
    peaks = Peaks()
    peaks.see([("worker", 5.0, 6.0), ("worker", 4.0, 7.0)])
    peaks.see([("worker", 8.0, 9.0)])
    assert (peaks.uss, peaks.pss, peaks.count) == ({"worker": 8.0}, {"worker": 9.0}, {"worker": 2})
    assert peaks.total == 13.0


def test_one_more_worker_costs_a_seventh_of_what_seven_more_cost() -> None:
    assert "**100 MiB for one more worker**" in memory.details(memory_part())


def test_a_process_that_could_not_be_read_is_confessed() -> None:
    part = memory_part()
    blind = Part(part.commands, part.sizes, dict(part.series) | {"8: unreadable": (3.0,)})
    assert "could not be read" in memory.details(blind)
    assert "could not be read" not in memory.details(part)


def test_half_a_second_from_save_to_verdict_is_a_ratio_of_one() -> None:
    [ratio] = watch.key_ratios(MADE_UP["watch"]())
    assert ratio.times == (1.0, 0.5, 1.5, 2)


def test_a_capstone_with_a_limit_is_compared_with_it_and_the_mean_of_its_scores_is_told() -> None:
    ratio, *_ = capstones.key_ratios(capstones_part())
    assert ratio.times == (1.0, 0.5, 1.5, 2)
    assert "| `reverse` | 0.990 |" in capstones.details(capstones_part())


def test_it_is_counted_how_many_trainings_reach_their_goal_and_beat_every_baseline() -> None:
    _, goals, baselines = capstones.key_ratios(capstones_part())
    assert (goals.times.median, baselines.times.median) == (0.5, 1.0)
    assert "| 1 of 2 | 2 of 2 |" in capstones.details(capstones_part())


@pytest.mark.parametrize(("score", "stands"), [(0.99, (1.0, 1.0)), (0.5, (0.0, 1.0)), (0.1, (0.0, 0.0))])
def test_a_score_is_held_against_the_last_goal_and_the_best_baseline(score: float, stands: tuple[float, float]) -> None:
    assert tuple(capstones.standing(Reverse(), score).values()) == stands
    assert capstones.standing(None, score) == {}


def test_what_is_trained_from_files_is_left_out_where_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (capstones.IMDB, capstones.WEIGHTS):
        monkeypatch.delenv(variable, raising=False)
    every = {each.name for each in capstones.chosen(COURSE)}
    assert every == {"digits", "french", "markov", "reverse", "sentiment", "shakespeare"}
    monkeypatch.setenv(capstones.WEIGHTS, "weights.whl")
    *_, last = capstones.chosen(COURSE)
    assert last[:2] == ("meaning", ("--weights", "weights.whl"))


def test_a_verdict_on_a_file_that_was_still_being_written_is_confessed() -> None:
    part = MADE_UP["watch"]()
    unlucky = Part(part.commands, dict(part.sizes) | {"half written": 3.0}, part.series)
    assert "3 times a file was checked while it was being written" in watch.details(unlucky)
    assert "being written" not in watch.details(part)


@pytest.mark.parametrize("chapter", watch.CHAPTERS)
def test_a_save_changes_the_answers_that_it_is_said_to_change(chapter: str) -> None:
    exercises = COURSE.select([chapter])
    stem, names = exercises[0].chapter, [each.name for each in exercises]
    for kind, text in watch.versions_of(COURSE, stem).items():
        saved = [one_chapter("ada", stem, text(save)).chapters[stem] for save in (0, 1)]
        one, other = (fingerprints(source, names) for source in saved)
        changed = sum(one[name] != other[name] for name in names)
        assert changed == len(names) if kind == watch.ALL else 0 < changed < len(names)


def test_attend_over_the_floor_comes_first_and_the_others_over_attend() -> None:
    first, *others = whole_course.key_ratios(whole_course_part())
    assert first.times.median == 2.0
    assert first.aim == "at most 1.5"
    assert [each.times.median for each in others] == [5 / 3, 5 / 2, 6 / 3, 6 / 2, 4 / 3, 4 / 2]


def test_a_way_that_graded_otherwise_than_the_floor_shows_it() -> None:
    assert whole_course.details(whole_course_part()).count("| 75% |") == len(whole_course.WAYS)


def test_growth_compares_the_two_largest_classes() -> None:
    [ratio] = growth.key_ratios(growth_part())
    assert (ratio.what, ratio.times.median) == ("a submission in a class of 1,000 over one in a class of 100", 10.0)


def test_more_dask_workers_are_held_against_one() -> None:
    assert [each.times.median for each in cluster.key_ratios(cluster_part())] == [1.5, 1.5, 9 / 8]


def test_the_page_says_that_nothing_was_measured_on_a_gpu_where_there_is_none() -> None:
    assert "no CUDA device" in oracles.details(reference_part())


def test_what_was_not_measured_says_so_and_how_to() -> None:
    page = render.render(Measurements(), parts.KINDS)
    assert page.count("Not measured yet.") == len(parts.KINDS)
    assert all(f"`make bench PARTS={kind.name}`" in page for kind in parts.KINDS)
    assert "## Ratios" not in page


def test_every_part_is_told_and_ratios_come_before_seconds() -> None:
    page = render.render(measured(), parts.KINDS)
    assert "Not measured" not in page
    assert page.index("Abacus, 2 cores") < page.index("## Ratios") < page.index(f"## {parts.KINDS[0].title}")
    for kind in parts.KINDS:
        part = MADE_UP[kind.name]()
        assert kind.details(part) in page
        assert all(f"| {each.what} | {each.times} | {each.aim} |" in page for each in kind.ratios(part))


def test_a_part_that_was_skipped_says_why_and_has_no_ratio() -> None:
    skipped = Measurements({"watch": Part(skipped="there is no command `attend watch` yet")})
    page = render.render(skipped, parts.KINDS)
    assert "Not measured: there is no command `attend watch` yet." in page
    assert "## Ratios" not in page


def test_the_page_is_what_its_numbers_give() -> None:
    page = (COURSE.root / render.PLACE).read_text(encoding="utf-8")
    assert page == render.render(record.read(COURSE), parts.KINDS)


def test_raw_numbers_come_back_as_they_were_written(tmp_path: Path) -> None:
    course = Course(tmp_path)
    record.write(course, measured())
    assert record.read(course) == measured()


def test_a_damaged_file_of_numbers_is_named(tmp_path: Path) -> None:
    course = Course(tmp_path)
    record.write(course, measured())
    (tmp_path / record.PLACE).write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match=r"measurements\.json is damaged"):
        record.read(course)


def test_figures_of_another_machine_stand_under_its_own_name() -> None:
    other = HERE | {"memory": "2 GiB"}
    both = Measurements(measured().parts | {"cold": replace(cold_part(), machine=other)})
    page = render.render(both, parts.KINDS)
    small, large = page.index("| memory | 2 GiB |"), page.index("| memory | 1 GiB |")
    assert large < page.index("| measured on it | The whole course, From a save") < small
    assert small < page.index("| measured on it | A cold check |")


def test_the_machine_is_named_by_what_it_has_and_not_by_its_name() -> None:
    words = " ".join(machine.describe().values())
    assert f"{machine.cores()} cores" in words
    assert "/" not in words.replace(machine.processor(), "")
    assert platform.node() not in words.split()


def test_a_graphics_processor_is_named_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert "graphics processor" not in machine.describe()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "Graphics 1000")
    assert machine.describe()["graphics processor"] == "Graphics 1000"


def test_a_command_that_fails_gives_no_figure() -> None:
    machine.accept(["attend"], 0, "")
    machine.accept(["pytest"], 1, "", may_be=(0, 1))
    with pytest.raises(AttendError, match=r"(?s)exit status 1.*it broke"):
        machine.accept(["attend"], 1, "it broke")


def test_a_part_that_is_not_there_is_named_with_those_that_are() -> None:
    assert [kind.name for kind in parts.chosen(["growth", "cold"])] == ["cold", "growth"]
    with pytest.raises(UsageError, match="no part 'speed'; there are course, cold"):
        parts.chosen(["speed"])


def kind(name: str, measure: Callable[[Bench], Part]) -> Kind:
    return Kind(name, name.title(), "About.", measure, lambda _: [Ratio("r", spread([1.0]))], lambda _: "Details.")


def test_an_interruption_loses_only_the_part_that_was_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Bench) -> Part:
        raise KeyboardInterrupt

    monkeypatch.setattr(machine, "busy_cores", lambda: 0.5)
    monkeypatch.setattr(machine, "describe", lambda: HERE)
    course, console = Course(tmp_path), Console(file=io.StringIO(), width=200)
    kinds = [kind("first", lambda _: Part(("one",))), kind("second", interrupted)]
    with pytest.raises(KeyboardInterrupt):
        parts.run(course, [], console, kinds)
    assert record.read(course) == Measurements({"first": Part(("one",), busy_before=0.5, machine=HERE)})
    assert "0.50 cores busy" in (tmp_path / render.PLACE).read_text(encoding="utf-8")
    assert "other programs keep 0.50 cores busy" in console.file.getvalue()  # type: ignore[attr-defined]


def test_a_part_that_fails_does_not_keep_the_others_from_being_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: Bench) -> Part:
        raise AttendError("no figure")

    monkeypatch.setattr(machine, "busy_cores", lambda: 0.0)
    monkeypatch.setattr(machine, "describe", lambda: HERE)
    course, console = Course(tmp_path), Console(file=io.StringIO())
    kinds = [kind("first", failing), kind("second", lambda _: Part(("two",)))]
    assert parts.run(course, [], console, kinds) is False
    assert list(record.read(course).parts) == ["second"]
    assert parts.run(course, ["second"], console, kinds) is True
