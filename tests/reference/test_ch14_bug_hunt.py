"""The oracle of chapter 14: its probes bring to light what the text promises, and the text says what the suite asks."""

from __future__ import annotations

import contextlib
import io
import math
import re
import runpy
from pathlib import Path

import pytest
import torch

from autograder.calls.records import Call, tensors
from autograder.compare.oracle import Oracle
from autograder.course.course import Course
from autograder.suite import ProbeTarget, probes
from reference import ch14_bug_hunt as reference
from tests.exercises import test_ch14_bug_hunt as suite

ROOT = Path(__file__).parents[2]
SOLUTION = ROOT / "solutions" / "ch14_bug_hunt.py"
TEXT = re.sub(r"^# ?", "", SOLUTION.read_text(encoding="utf-8"), flags=re.MULTILINE)
COURSE = Course(ROOT)
ORACLE = Oracle(COURSE)
PREY = {
    "probe_attention": suite.ATTENTION,
    "probe_masking": suite.MASKING,
    "probe_multihead": suite.MULTIHEAD,
    "probe_layer_norm": suite.LAYER_NORM,
    "probe_positions": suite.POSITIONS,
    "probe_decoder": suite.DECODER,
    "probe_patchify": suite.PATCHIFY,
}
each_probe = pytest.mark.parametrize("name", PREY)


def section(name: str) -> str:
    """The text about a probe, up to its code."""
    before, _, _ = TEXT.partition(f'exercise="{name}"')
    return before[before.rindex("\n## ") :]


def rows(name: str) -> dict[str, str]:
    """The table of families: words to what stands beside them."""
    found = dict(re.findall(r"^\| (.+?) \| (\d+(?: of \d+)?) \|$", section(name), flags=re.MULTILINE))
    assert found
    return found


def hunted(target: ProbeTarget) -> probes.ProbeGrader:
    return probes.ProbeGrader(ORACLE, target)


def fired(name: str) -> tuple[probes.ProbeGrader, Call]:
    """What the reference's probe is fired at, and the call that it makes."""
    game = hunted(PREY[name])
    call = game.call(getattr(reference, name)())
    assert isinstance(call, Call), call
    return game, call


@each_probe
def test_a_probe_brings_all_listed_mistakes_to_light(name: str) -> None:
    game, call = fired(name)
    assert game.listed(call).missed() == ""


@each_probe
def test_the_families_are_those_of_the_text(name: str) -> None:
    families = {words: str(len(found)) for words, found in PREY[name].families.items()}
    assert {words: count for words, count in rows(name).items() if words != "in no family"} == families


@each_probe
def test_as_many_mistakes_are_in_no_family_as_the_text_says(name: str) -> None:
    game, call = fired(name)
    wanted, total = map(int, rows(name)["in no family"].split(" of "))
    assert game.unlisted(call).known == {probes.UNLISTED: total}
    source = Path(suite.__file__).read_text(encoding="utf-8")
    prey = next(label for label, each in vars(suite).items() if each is PREY[name])
    (share,) = re.findall(rf"exposes\({prey}, share=([\d.]+), listed=False\)", source)
    assert wanted == math.ceil(float(share) * total)


@each_probe
def test_a_probe_does_not_depend_on_chance(name: str) -> None:
    first, second = getattr(reference, name)(), getattr(reference, name)()
    assert all(torch.equal(a, b) for a, b in zip(tensors(first), tensors(second), strict=True))
    assert {each.dtype for each in tensors(first)} <= {torch.float64, torch.bool}


def test_what_a_probe_may_hold_is_what_the_text_says() -> None:
    limits = (
        f"{probes.MOST_NUMBERS} numbers",
        f"{probes.MOST_AXES} axes",
        "-1e6 and 1e6",
        f"{probes.LARGEST_INT}. float64",
    )
    assert all(limit in TEXT for limit in limits)
    assert probes.LARGEST == 1e6


def test_the_example_prints_what_the_text_says() -> None:
    (shown,) = re.findall(r"```text\n(.*?)```", TEXT, flags=re.DOTALL)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        runpy.run_path(str(SOLUTION), run_name="__main__")
    assert said.getvalue().startswith(shown)


def test_an_input_of_ones_tells_little_and_a_probe_tells_all() -> None:
    """As in the opening: of the listed mistakes about attention ones show the lesser half, the probe every one."""
    game, call = fired("probe_attention")
    ones = game.call((torch.ones(1, 2, 2, dtype=torch.float64),) * 3)
    assert isinstance(ones, Call)
    few, all_of_them = game.listed(ones), game.listed(call)
    assert 2 * few.found < few.total == all_of_them.found
