"""After a pass: one sentence from `attend check`, and all of it from `attend explain`."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.course.debriefs import debriefs, first_sentence, sentences
from autograder.intake.submissions import read_folder
from autograder.judging.judge import judge
from autograder.student.check import check
from autograder.student.debrief import first_words, without_docstrings
from autograder.student.explain import explain
from autograder.student.watch import _Watch
from tests.autograder.conftest import TOY, answer

RIGHT = (TOY / "solutions" / "ch01_toy.py").read_text(encoding="utf-8")
OTHER = RIGHT.replace("    return 2 * x", "    # my own way\n    return x + x")
SQUARED = RIGHT.replace("return 2 * x", "return x * x")
DOUBLE = "double: Doubling is one multiplication"


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the toy course be the one that the engine came with: a copy takes solutions from there."""
    monkeypatch.setattr(Course, "installed", classmethod(lambda cls: cls(TOY)))


def checked(course: Course, *names: str, width: int = 200) -> str:
    screen = Console(file=io.StringIO(), width=width, color_system=None, highlight=False)
    folder = course.exercises_dir if course.is_copy else course.solutions_dir
    check(course, course.select(names), folder, 1, screen, again=True)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def explained(course: Course, name: str, width: int = 80) -> str:
    screen = Console(file=io.StringIO(), width=width, color_system=None, highlight=False)
    explain(course, name, screen)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def test_a_pass_is_followed_by_the_first_sentence_of_its_debrief(mine: Course) -> None:
    said = checked(mine, "double")
    assert f"{DOUBLE}, and a matrix that doubles has twos on its diagonal. more: attend explain double\n" in said
    assert "Read:" not in said


def test_an_exercise_that_had_passed_before_is_not_talked_about_again(mine: Course) -> None:
    assert DOUBLE in checked(mine, "double")
    assert DOUBLE not in checked(mine, "double")
    answer(mine, SQUARED)
    assert DOUBLE not in checked(mine, "double")
    answer(mine, OTHER)
    assert DOUBLE in checked(mine, "double")


def test_many_passes_at_once_are_one_line_that_names_the_command(mine: Course) -> None:
    few = first_words(mine, ["double", "Scale", "mean_and_sum"])
    assert [line.partition(":")[0] for line in few] == ["double", "Scale"]
    many = first_words(mine, ["double", "Scale", "mean_and_sum", "another"])
    assert many == ["4 exercises passed; what each of them is for: attend explain NAME"]
    assert first_words(mine, ["mean_and_sum", "a", "b", "c"]) == []


def test_the_course_itself_which_remembers_no_pass_speaks_of_none(toy_copy: Course) -> None:
    assert "attend explain" not in checked(toy_copy, "double")
    assert first_words(toy_copy, ["double"]) == []


@pytest.mark.parametrize("spoilt", [None, "{", "[]"])
def test_without_its_debriefs_a_copy_checks_as_before(mine: Course, spoilt: str | None) -> None:
    path = mine.table("debriefs.json")
    path.unlink() if spoilt is None else path.write_text(spoilt, encoding="utf-8")
    assert debriefs(mine) == {}
    assert "5 of 5 points" in checked(mine, "double")


def test_a_passed_exercise_is_explained_with_both_answers(mine: Course) -> None:
    answer(mine, OTHER)
    checked(mine, "double")
    said = explained(mine, "Double ")
    assert "double is passed" in said
    assert "Read: any book on linear algebra" in " ".join(said.split())
    assert said.index("yours") < said.index("return x + x") < said.index("the course's") < said.index("return 2 * x")
    assert "# my own way" in said
    assert "Twice every number" not in said  # both say it alike


def test_where_there_is_room_the_answers_stand_side_by_side(mine: Course) -> None:
    answer(mine, OTHER)
    checked(mine, "double")
    together = [line for line in explained(mine, "double", 160).splitlines() if line.count("def double(") == 2]
    assert len(together) == 1
    assert not any(line.count("def double(") == 2 for line in explained(mine, "double", 100).splitlines())


def test_an_answer_that_changed_after_its_pass_is_called_so(mine: Course) -> None:
    checked(mine, "double")
    assert "has changed since" not in explained(mine, "double")
    answer(mine, SQUARED)
    assert "Your answer or the course has changed since it passed." in explained(mine, "double")


def test_an_exercise_without_a_debrief_shows_the_answers_alone(mine: Course) -> None:
    checked(mine, "mean_and_sum")
    assert "the course's" in explained(mine, "mean_and_sum")


def test_where_the_course_holds_no_solutions_the_words_stand_alone(mine: Course) -> None:
    checked(mine)
    (mine.root / "autograder").mkdir()  # as in a release
    said = explained(mine, "double")
    assert "Read:" in said
    assert "return" not in said
    with pytest.raises(UsageError, match="no known mistake was named"):
        explained(mine, "mean_and_sum")


def test_a_mistake_is_still_explained_by_the_exercise_that_failed(mine: Course) -> None:
    answer(mine, SQUARED)
    checked(mine, "double")
    assert "double: double-squared" in explained(mine, "double")


def test_an_old_copy_gets_its_debriefs_with_the_next_start(mine: Course) -> None:
    from autograder.student.start import start

    path = mine.table("debriefs.json")
    path.write_text(json.dumps({"double": "Old."}), encoding="utf-8")
    start(Course(mine.root.parent / "toy"), mine.root)
    assert debriefs(mine)["double"].startswith("Doubling is")


@pytest.mark.parametrize(
    ("words", "many"),
    [
        ("One. Two.", 2),
        ("Vaswani et al. 2017 divide by √d. `softmax` follows.", 2),
        ("See Ba et al. They say so, i.e. In full.", 1),
        ("Is it 0.5? Yes!\nIt is.", 3),
    ],
)
def test_sentences_end_where_a_reader_ends_them(words: str, many: int) -> None:
    assert len(sentences(words)) == many


def test_the_line_after_a_pass_shows_no_markdown() -> None:
    words = "So does *every* `2 * x * y` of **all** ([Xiao et al. 2023](https://arxiv.org/abs/1)), a * b. Two."
    assert first_sentence(words) == "So does every `2 * x * y` of all (Xiao et al. 2023), a * b."


def test_all_of_it_shows_addresses_as_they_are(mine: Course) -> None:
    path = mine.table("debriefs.json")
    path.write_text(json.dumps({"double": "Read [Ba et al. 2016](https://arxiv.org/abs/1607.06450)."}))
    checked(mine, "double")
    assert "Read Ba et al. 2016 (https://arxiv.org/abs/1607.06450)." in explained(mine, "double")


def test_a_docstring_goes_only_where_code_is_left() -> None:
    assert without_docstrings('def f(x):\n    """a\n\n    b\n    """\n\n    return x') == "def f(x):\n    return x"
    for kept in ('def f(x): "a"; return x', 'def f(x):\n    """a"""', 'def f(x):\n    """a"""; return x'):
        assert without_docstrings(kept) == kept


def test_a_file_that_does_not_compile_any_more_costs_only_ones_own_answer(mine: Course) -> None:
    checked(mine, "double")
    answer(mine, "def double(")
    said = explained(mine, "double")
    assert "Read:" in said
    assert "yours" not in said


def test_a_watched_chapter_says_once_that_it_is_done(mine: Course) -> None:
    watched, done = watching(mine, "double", "mean_and_sum", "Scale"), "done. Now you can double a number"
    assert [done in saved(watched, text) for text in (SQUARED, OTHER, RIGHT)] == [False, True, False]


def test_a_watched_answer_that_passes_is_debriefed_once(mine: Course) -> None:
    watched = watching(mine, "double")
    assert [DOUBLE in saved(watched, text) for text in (SQUARED, OTHER, RIGHT)] == [False, True, False]


def watching(course: Course, *names: str) -> _Watch:
    """A watch over exercises of a copy, in which `double` is wrong."""
    answer(course, SQUARED)
    screen = Console(file=io.StringIO(), width=200, color_system=None, highlight=False)
    return _Watch(course, course.select(names), course.exercises_dir, screen, 1)


def saved(watched: _Watch, text: str) -> str:
    """What is printed after a save."""
    answer(watched.course, text)
    read = read_folder(watched.folder, watched.course)
    watched.known["ch01_toy"] = read.chapters["ch01_toy"]
    assert isinstance(watched.console.file, io.StringIO)
    before = len(watched.console.file.getvalue())
    judge(
        watched.course, watched.exercises, watched._check("ch01_toy", read), 1, lambda _: None, on_exercise=watched.add
    )
    return watched.console.file.getvalue()[before:]
