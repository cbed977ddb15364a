"""Mutants and known mistakes of the toy course are graded; what needs a decision is found and shown."""

from __future__ import annotations

import io
import tomllib
import warnings
from pathlib import Path

import pytest
from rich.console import Console

from autograder.author.proof import gallery, mutants, proof_record
from autograder.author.proof.__main__ import app, main
from autograder.author.proof.mistake_faults import faults_of_words
from autograder.author.proof.mutants import EQUIVALENTS, Equivalent, equivalents, first_name, naming
from autograder.author.proof.right_answers import FOLDER, answers
from autograder.calls.local import LocalTarget
from autograder.compare.draw import Draw
from autograder.core.errors import UsageError
from autograder.core.message import of_first_version
from autograder.core.records import CheckResult, ExerciseResult
from autograder.course.course import Course
from autograder.judging.judge import warm_up
from tests.autograder.conftest import CHAPTER, TOY, in_place_of_the_real
from tests.autograder.run_cli import in_fork

CHECK = '''@exercise("double", points=2, level="values")
def test_every_number_is_doubled(agree: Agree, draw: Draw) -> None:
    """every number of x is doubled"""
    agree(draw("B T D"))
'''
GRADIENTS = '''    """gradients flow to x"""
    agree(draw("B D"), gradients=True)


@exercise("double", points=1, level="edges")'''


def examined(course: Course, name: str = "double") -> mutants.Tally:
    warm_up()
    mutants.mutants_of.cache_clear()
    return mutants.Examination(course, lambda: LocalTarget, 1, lambda: None).exercise(course.one(name))


def told(tally: mutants.Tally) -> str:
    console = Console(file=io.StringIO(), width=120)
    mutants.show([tally], console)
    return console.file.getvalue()  # type: ignore[attr-defined]


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def list_as_equivalent(course: Course, was: str, now: str) -> None:
    path = course.root / EQUIVALENTS / f"{CHAPTER}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = f'[[equivalent]]\nexercise = "double"\nwas = "{was}"\nnow = "{now}"\nwhy = "because"\n'
    path.write_text(rows, encoding="utf-8")


@pytest.fixture(scope="module")
def tally() -> mutants.Tally:
    """What came of the mutants of `double`, with the toy course as it is."""
    with in_place_of_the_real(Course(TOY)) as toy:
        return examined(toy)


def test_the_checks_of_the_toy_course_kill_every_mutant_of_double(tally: mutants.Tally) -> None:
    assert tally.proven
    assert len(tally.killed) > 10
    assert tally.proof is not None
    assert tally.proof.left_out.answers == 3


def test_a_weakened_suite_lets_mutants_survive_and_they_are_shown(toy_copy: Course) -> None:
    suite = toy_copy.suite(CHAPTER)
    rewrite(suite, CHECK, "")
    rewrite(
        suite,
        GRADIENTS,
        GRADIENTS.replace('agree(draw("B D"), gradients=True)', 'agree.satisfies("x", lambda _: True, draw("B D"))'),
    )
    tally = examined(toy_copy)
    assert not tally.proven
    assert "3 * x" in "".join(each.now for each in tally.survived)
    assert "double survived: sharpen a check" in told(tally)
    assert "+     return 3 * x" in told(tally).replace("  3", " 3")


def test_the_progress_bar_ends_at_its_end(toy: Course) -> None:
    warm_up()
    made: list[None] = []
    mutants.Examination(toy, lambda: LocalTarget, 1, lambda: made.append(None)).exercise(toy.one("Scale"))
    assert len(made) == mutants.wrong_answers(toy, toy.one("Scale"))


def test_what_survives_is_printed_as_the_entry_that_lists_it(toy_copy: Course) -> None:
    rewrite(toy_copy.solution(CHAPTER), "    return 2 * x\n", "    one = x + 0\n    return one + x + 0\n")
    rewrite(toy_copy.suite(CHAPTER), '("B T", "1 1 1")', '("B T",)')
    tally = examined(toy_copy)
    entries = tomllib.loads("\n".join(each.entry for each in tally.survived))["equivalent"]
    assert [Equivalent(**row) for row in entries] == [
        Equivalent("double", each.was, each.now, "...", each.nth) for each in tally.survived
    ]
    assert all(each.entry in told(tally) for each in tally.survived)
    assert "where an axis of an argument has size 1. To notice it, give it an argument whose axis" in told(tally)


def test_a_survivor_that_is_listed_counts_as_equivalent(toy_copy: Course) -> None:
    rewrite(toy_copy.solution(CHAPTER), "return 2 * x", "return 2 * x + 0 * 1")
    before = [(each.was, each.now) for each in examined(toy_copy).survived]
    assert ("    return 2 * x + 0 * 1", "    return 2 * x - 0 * 1") in before
    list_as_equivalent(toy_copy, *before[0])
    after = examined(toy_copy)
    assert [(each.was, each.now) for each in after.equivalent] == before[:1]
    assert len(after.survived) == len(before) - 1


def test_a_killed_mutant_that_is_listed_is_an_error(toy_copy: Course) -> None:
    list_as_equivalent(toy_copy, "    return 2 * x", "    return x")
    tally = examined(toy_copy)
    assert not tally.proven
    assert "was killed: take it off the list" in told(tally)


def test_a_check_that_nothing_fails_is_idle(toy_copy: Course) -> None:
    idle = '@exercise("double", points=1, level="edges")\ndef test_idle() -> None:\n    """is"""\n\n\n'
    rewrite(
        toy_copy.suite(CHAPTER),
        '@exercise("mean_and_sum", points=1, level="property")',
        idle + '@exercise("mean_and_sum", points=1, level="property")',
    )
    tally = examined(toy_copy)
    assert tally.proof is not None
    assert tally.proof.idle == ("test_idle",)
    assert "nothing fails test_idle" in told(tally)


def result(*checks: tuple[str, str, tuple[str, ...]]) -> ExerciseResult:
    rows = [
        CheckResult(f"{n}", "", "values", 0, 1, status, of_first_version(text), names)
        for n, (status, text, names) in enumerate(checks)
    ]
    return ExerciseResult.of(CHAPTER, "double", rows)


@pytest.mark.parametrize(
    ("shown", "wrongly"),
    [
        ([("failed", "3, not 2", ()), ("passed", "", ())], 0),
        ([("failed", "4, not 2", ()), ("passed", "", ())], 1),
        ([("failed", "3, not 2", ()), ("failed", "no gradient", ())], 1),
    ],
)
def test_a_name_is_wrong_if_on_other_inputs_the_mistake_shows_something_else(shown: list, wrongly: int) -> None:
    graded = {"answer": result(*shown), "tripled": result(("failed", "3, not 2", ()), ("passed", "", ()))}
    names, texts, known = {"answer": "tripled", "unnamed": ""}, {"answer": "a", "unnamed": "b"}, {"tripled": "c"}
    found, told = naming(names, texts, known, lambda versions: {name: graded[name] for name in versions})
    assert found == proof_record.Named(2, 1, wrongly)
    assert [(each.answer, each.name) for each in told] == [("answer", "tripled")] * wrongly
    assert [each.check for each in told] == ["0"] * (shown[0][1] != "3, not 2") + ["1"] * (shown[1][0] == "failed")


def test_a_mutant_that_is_named_wrongly_is_shown_with_the_name_and_the_check_that_tells(toy_copy: Course) -> None:
    check, again = "test_every_number_is_doubled", mutants.TRIED_AGAIN
    only_then = Draw(again, f"{CHAPTER}/{check}")("B T D").numel()
    known = toy_copy.root / "reference" / "misconceptions" / f"{CHAPTER}.py"
    rewrite(known, "return x * x", f"return (4 if x.numel() == {only_then} else 3) * x")
    tally = examined(toy_copy)
    told_apart = [(mutant.now.strip(), *each[1:]) for mutant, each in tally.wrongly_named]
    assert told_apart == [("return 3 * x", "double-squared", check)]
    assert f"double is named double-squared, and on other inputs {check} distinguishes the two" in told(tally)
    assert "+     return 3 * x" in told(tally)


def test_the_first_failed_check_names_and_a_mistake_left_out_names_nothing() -> None:
    graded = result(("passed", "", ()), ("failed", "", ("a+b", "a", "c")), ("failed", "", ("d",)))
    assert first_name(graded) == "a+b"
    assert first_name(graded, but="a") == "c"
    assert first_name(result(("passed", "", ()))) == ""


@pytest.mark.usefixtures("warm")
def test_the_command_grades_behind_the_wall_and_keeps_what_it_proved(toy_copy: Course) -> None:
    done = in_fork(app, "proof", "mutants", "mean_and_sum", "--jobs", "1", cwd=toy_copy.root)
    assert "mean_and_sum" in done.stdout, done.stderr
    assert proof_record.read(toy_copy).exercises["mean_and_sum"].killed > 10
    assert done.returncode == 0
    assert " survived" not in done.stdout.partition("wrongly")[2]


def test_code_in_what_a_mistake_advises_draws_no_warning(toy_copy: Course) -> None:
    file = toy_copy.root / "reference" / "misconceptions" / f"{CHAPTER}.py"
    rewrite(file, "Doubling multiplies by two: `2 * x`.", "Doubling multiplies by two: `re.sub('\\\\d', x, y)`.")
    wrong = toy_copy.misconceptions(CHAPTER)[0]
    assert r"'\d'" in wrong.advice
    with warnings.catch_warnings(record=True, action="always") as seen:
        assert faults_of_words(toy_copy, CHAPTER, wrong) == []
    assert seen == []


def test_a_list_that_cannot_be_read_is_refused(toy_copy: Course) -> None:
    list_as_equivalent(toy_copy, "a", "b")
    rewrite(toy_copy.root / EQUIVALENTS / f"{CHAPTER}.toml", "why", "because")
    with pytest.raises(UsageError, match="exercise, was, now and why"):
        equivalents(toy_copy, CHAPTER)


def test_the_proof_of_an_exercise_is_kept_until_its_suite_changes(toy_copy: Course, tally: mutants.Tally) -> None:
    proof = tally.proof
    assert proof is not None
    proof_record.write(toy_copy, proof_record.ProofRecord({"double": proof}))
    double = next(each for each in toy_copy.exercises if each.name == "double")
    assert proof_record.read(toy_copy).exercises["double"] == proof
    assert proof.of == proof_record.digest(toy_copy, double)
    rewrite(toy_copy.suite(CHAPTER), 'draw("B T D")', 'draw("B D")')
    assert proof.of != proof_record.digest(toy_copy, double)


SAID = '''

@exercise("double", points=1, level="values")
def test_said(agree: Agree, draw: Draw) -> None:
    """it doubles"""
    x = draw("D")
    agree.satisfies("it doubles", lambda r: near(r, 2 * x), x, shows=lambda r: f"{r}")
    for x in ():
        if x:
            says = "one"
            keys = "B T"
            break
'''


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("You squared", "You have squared", True),
        ("return x * x", "return x * x * x", False),
        ('"it doubles"', '"twice as much"', True),
        ('f"{r}"', "first_wrong(r)", True),
        ("2 * x), x,", "2 * x),\n    x,", True),
        ("near(r, 2", "near(r, 3", False),
        ('"one"', '"two"', True),
        ('"B T"', '"BT"', False),
        ("            break", "        break", False),
    ],
)
def test_a_proof_hangs_on_what_is_done_and_not_on_what_is_said(
    toy_copy: Course, old: str, new: str, same: bool
) -> None:
    suite, (known,) = toy_copy.suite(CHAPTER), toy_copy.misconception_files(CHAPTER)
    suite.write_text(suite.read_text(encoding="utf-8") + SAID, encoding="utf-8")
    double = next(each for each in toy_copy.exercises if each.name == "double")
    before = proof_record.digest(toy_copy, double)
    rewrite(suite if old in SAID else known, old, new)
    assert (proof_record.digest(toy_copy, double) == before) is same


def test_a_damaged_record_is_refused_in_one_sentence(toy_copy: Course) -> None:
    (toy_copy.root / proof_record.PLACE).write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match="run `attend prove --mutants"):
        proof_record.read(toy_copy)


@pytest.mark.usefixtures("quick_processes")
@pytest.mark.parametrize(("answer", "lost"), [("x + x", 0), ("x + x.detach()", 2)])
def test_the_gallery_counts_lost_checks_of_right_answers(toy_copy: Course, answer: str, lost: int) -> None:
    folder = toy_copy.root / FOLDER / CHAPTER
    for path in folder.iterdir():
        path.unlink()
    solution = toy_copy.solution(CHAPTER).read_text(encoding="utf-8")
    (folder / "one.py").write_text(solution.replace("return 2 * x", f"return {answer}"), encoding="utf-8")
    for style in ("two", "three"):
        (folder / f"{style}.py").write_text(solution, encoding="utf-8")
    rounds = list(gallery.run(toy_copy, gallery.wanted(toy_copy, []), 1, 2, Console(file=io.StringIO())))
    ((name, found),) = rounds
    assert (name, found.exercises) == (CHAPTER, ("double", "mean_and_sum", "Scale"))
    assert (found.answers, found.seeds, found.gradings, found.lost) == (3, 2, 6, lost)


def test_each_cell_of_right_answers_is_one_whatever_its_name_is(toy_copy: Course) -> None:
    path = toy_copy.root / FOLDER / CHAPTER / "cells.py"
    cells = ("first, plainly", "return 2 * x"), ("then: a sum", "return x + x")
    path.write_text("".join(f"# %% {name}\ndef double(x):\n    {body}\n" for name, body in cells), encoding="utf-8")
    found = [each.style for each in answers(toy_copy, CHAPTER) if each.path == path]
    assert found == ["cells-first, plainly", "cells-then: a sum"]


def test_a_name_that_does_not_exist_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(TOY)
    monkeypatch.setattr("sys.argv", ["proof", "mutants", "dubble"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("attend: there is no chapter or exercise 'dubble'; did you mean double")
