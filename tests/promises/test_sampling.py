"""A trained model of one's own answers a prompt."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from rich.console import Console

from autograder.calls.artefact import Artefact, write_artefact
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.capstones.recipe import Sampling
from autograder.student.capstones.sampling import run, trained
from autograder.student.capstones.training_run import Wish, train
from autograder.student.start import start
from tests.promises.test_training import Quiet, suites_of_its_own
from tests.promises.world import COURSE

__all__ = ["suites_of_its_own"]
PLAIN = Sampling()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with the answers to chapter 15 and the trained models."""
    root = start(COURSE, tmp_path_factory.mktemp("sampling") / "copy").root
    shutil.copy(COURSE.solution("ch15_capstones"), root / "exercises")
    shutil.copytree(COURSE.root / "solutions" / "capstones", root / "exercises" / "capstones")
    return root


@pytest.fixture
def copy(made: Path) -> Iterator[Course]:
    models = made / "exercises" / "capstones"
    yield Course(made)
    shutil.copytree(COURSE.root / "solutions" / "capstones", models, dirs_exist_ok=True)


def answered(course: Course, name: str, prompt: str | None, sampling: Sampling = PLAIN) -> str:
    """What a terminal shows below the line that says whose the pieces are."""
    screen = Console(file=io.StringIO(), width=1000)
    run(course, name, prompt, sampling, screen)
    assert isinstance(screen.file, io.StringIO)
    whose, _, answer = screen.file.getvalue().partition("\n")
    assert "yours" in whose
    return answer.rstrip("\n")


@pytest.mark.parametrize(
    ("name", "prompt", "says"),
    [
        ("reverse", "12345", "12345\n54321"),
        ("reverse", None, "31415926\n62951413"),
        ("markov", "the battery log ran", "the battery log ran\ndown (it looks at “battery”)"),
        ("sentiment", "wonderful, brimborion", "wonderful, brimborion\npleased"),
        ("sentiment", "wonderful, brimborion", "; it does not know brimborion"),
    ],
)
def test_the_model_answers_in_words(copy: Course, name: str, prompt: str | None, says: str) -> None:
    assert says in answered(copy, name, prompt)


def test_a_language_model_goes_on_with_the_prompt_a_character_at_a_time(copy: Course) -> None:
    pieces: list[str] = []
    trained(copy, "shakes").answer("To be", Sampling(length=12, seed=1), pieces.append)
    assert [len(piece) for piece in pieces] == [1] * 12
    assert answered(copy, "shakespeare", "To be", Sampling(length=12, seed=1)) == "To be" + "".join(pieces).rstrip("\n")
    cold = [answered(copy, "shakespeare", "To be", Sampling(12, temperature=0.0)) for _ in range(2)]
    assert cold[0] == cold[1]


@pytest.mark.parametrize(
    ("name", "prompt", "sampling", "says"),
    [
        (
            "digits",
            "3",
            Sampling(),
            "digits does not answer words; reverse, french, markov",
        ),
        ("poem", "3", Sampling(), "there is no capstone 'poem'"),
        ("s", "3", Sampling(), "'s' could be sentiment or shakespeare; give one more letter"),
        ("reverse", "12a", Sampling(), "it reads one to 8 digits, such as 31415926"),
        ("reverse", "123456789", Sampling(), "it reads one to 8 digits"),
        ("reverse", "12", Sampling(length=3), "reverse gives one answer"),
        ("markov", "hello", Sampling(), "it reads these words: and battery"),
        ("sentiment", "!", Sampling(), "give it a sentence"),
        ("shakespeare", "Über", Sampling(), "it has never read Ü"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence(
    copy: Course, name: str, prompt: str, sampling: Sampling, says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        answered(copy, name, prompt, sampling)


def test_a_sentence_is_translated_by_the_model_that_was_trained_on_the_others(copy: Course) -> None:
    report, _ = train(copy, Wish("french", seed=1), Quiet())
    assert all(goal.reached for goal in report.goals)
    assert answered(copy, "french", "voici un voisin fatigué") == "voici un voisin fatigué\nhere is a tired neighbour"
    with pytest.raises(UsageError, match="it reads one to 5 of these words: chat célèbre"):
        answered(copy, "french", "bonjour")


def test_a_model_that_is_not_trained_or_has_another_form_says_how_to_train_it(copy: Course) -> None:
    path = copy.exercises_dir / "capstones" / "reverse.safetensors"
    write_artefact(path, Artefact({"other": torch.ones(2)}, 0.5))
    with pytest.raises(UsageError, match=r"another form than build_reverse builds now; .*attend train reverse"):
        trained(copy, "reverse")
    path.unlink()
    with pytest.raises(UsageError, match="reverse is not trained yet: attend train reverse"):
        trained(copy, "reverse")


@pytest.mark.parametrize(
    ("values", "says"),
    [({"length": 0}, "--length 0"), ({"temperature": -1.0}, "--temperature -1"), ({"top_p": 0.0}, "--top-p 0")],
)
def test_a_value_out_of_range_is_a_sentence(values: dict[str, float], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Sampling(**values)  # type: ignore[arg-type]
