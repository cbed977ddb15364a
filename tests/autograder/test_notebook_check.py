"""%check and the other magics in a notebook: what they judge, what they show, and what they leave alone."""

from __future__ import annotations

import json
import shutil
import sys
from html.parser import HTMLParser
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from typer.testing import CliRunner

from autograder.commands import cli
from autograder.course.course import MARKER, PRISTINE, Course
from autograder.student.notebook import cell_check
from autograder.student.notebook.history import submission
from autograder.student.pictures.lesson_picture import NAME
from autograder.student.saved_progress import Progress
from tests.autograder.conftest import CHAPTER
from tests.autograder.in_notebook import Run

RIGHT = "def double(x):\n    return 2 * x"
SQUARED = "def double(x):\n    return x * x"
NAMED = "You squared the numbers."


class Tags(HTMLParser):
    """The tags of a page, opened and closed alike, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_a_wrong_answer_gets_the_name_of_the_mistake_a_picture_and_a_nudge(run: Run) -> None:
    run(SQUARED)
    page = run("%check double").page
    tags = Tags(page)
    assert tags.open == []
    assert NAMED in tags.words
    assert "2 of 5 points" in tags.words
    assert page.count('<svg role="img" aria-label="') == 2
    assert "so no loop is needed" in tags.words
    assert not {"script", "img", "link", "iframe"} & {*tags.seen}
    assert "http" not in page


def test_a_mended_answer_passes_as_soon_as_its_cell_was_run_again(run: Run) -> None:
    run(SQUARED)
    assert "2/5" in run("%check double").text
    run(RIGHT)
    shown = run("%check double")
    assert "✓ double  5/5" in shown.text
    assert "<svg" not in shown.page
    run(SQUARED)
    assert "2/5" in run("%check double").text


def test_a_cell_may_define_and_check(run: Run) -> None:
    assert "5/5" in run(f"{RIGHT}\n%check double").text


def test_the_words_are_those_of_the_command_line(run: Run, toy_copy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Course, "is_copy", True)  # in the course itself the command line speaks to its author
    (toy_copy.root / "mine").mkdir()
    (toy_copy.root / "mine" / f"{CHAPTER}.py").write_text(SQUARED, encoding="utf-8")
    words = ["check", "double", "--seed", "3", "--target", "mine"]
    printed = CliRunner().invoke(cli.app, words, env={"COLUMNS": "80"}).output
    run(SQUARED)
    text = run("%check double --seed 3").text
    assert NAMED in text
    assert text.split() == printed.replace("`attend explain", "`%explain").split()
    assert run("%check double --seed 4").text.split() != printed.split()


def test_what_a_student_writes_is_shown_as_it_stands_and_never_runs(run: Run) -> None:
    run("def double(x):\n    raise ValueError('<script>alert(1)</script> <b> &amp; {{ 7 * 7 }}')")
    page = run("%check double").page
    tags = Tags(page)
    assert "<script>alert(1)</script> <b> &amp; {{ 7 * 7 }}" in tags.words
    assert "script" not in tags.seen
    assert "script" in Tags("<p><script>1</script></p>").seen


def test_an_error_is_told_with_its_cell(run: Run) -> None:
    run("1 + 1")
    run("def double(x):\n    return x.nothing")
    assert "where cell [2]: return x.nothing" in " ".join(run("%check double").text.split())


def test_a_stub_is_still_to_do_whatever_was_there_before(run: Run, toy_copy: Course) -> None:
    stub = json.loads(toy_copy.stub(CHAPTER).with_suffix(".ipynb").read_text(encoding="utf-8"))
    (todo,) = [cell["source"] for cell in stub["cells"] if cell["id"] == "ch01-double"]
    run("import torch")
    run(RIGHT)
    assert "5/5" in run("%check double").text
    run("".join(todo))
    shown = run("%check double")
    assert "double  0/5  still to do" in shown.text
    assert "not done yet" in Tags(shown.page).words


def test_what_was_not_run_is_said_to_be_so(run: Run) -> None:
    assert "run its cell, then check again" in run("%check double").text
    assert "no exercise is defined yet" in run("%check").printed
    run(f"{RIGHT}\ndel double")
    assert "run its cell, then check again" in run("%check double").text


def test_without_a_name_all_that_was_run_is_checked_and_with_a_chapter_all_of_it(run: Run) -> None:
    run(RIGHT)
    assert run("%check").text.split()[-4:] == "5 of 5 points".split()
    assert run("%check ch01").text.split()[-4:] == "5 of 13 points".split()


@pytest.mark.parametrize("line", ["%check dubble", "%hint dubble", "%show dubble"])
def test_a_typo_is_answered_with_the_nearest_name_and_no_traceback(run: Run, line: str) -> None:
    shown = run(line)
    assert "did you mean double?" in shown.printed
    assert "Traceback" not in shown.printed
    assert shown.raised is None


def test_hints_come_one_at_a_time_and_checking_uses_none_up(run: Run, toy_copy: Course) -> None:
    shutil.copytree(toy_copy.exercises_dir, toy_copy.root / PRISTINE)
    (toy_copy.root / MARKER).write_text('kind = "copy"\n', encoding="utf-8")
    run(SQUARED)
    run("%check double")
    assert "hint 1 of 3" in run("%hint double").text
    folded = Tags(run("%check double").page).words
    assert "A tensor can be multiplied" in folded
    assert "more: %hint double 3" in " ".join(folded.split())
    second = run("%hint double").text
    assert "hint 2 of 3" in second
    assert "more: %hint double" in second
    assert "one exercise at a time" in run("%hint").printed


def test_show_draws_both_answers(run: Run) -> None:
    run(SQUARED)
    shown = run("%show double")
    assert Tags(shown.page).open == []
    assert shown.page.count("<svg") == 2
    assert "yours" in shown.text
    assert "one exercise at a time" in run("%show").printed


def test_a_picture_of_the_lesson_is_drawn_and_its_words_are_what_a_plain_screen_shows(
    run: Run, toy_copy: Course
) -> None:
    drawn = '<figure><svg aria-label="a row of &lt;twos&gt;"></svg><figcaption style="">Twos.</figcaption></figure>'
    toy_copy.table(NAME).parent.mkdir(exist_ok=True, parents=True)
    toy_copy.table(NAME).write_text(json.dumps({"ch01_toy": {"twos": drawn}}), encoding="utf-8")
    shown = run("%picture twos")
    assert (shown.page, shown.text) == (drawn, "a row of <twos>\nTwos.")
    assert "there is no picture 'two'; there are twos" in run("%picture two").printed
    assert "one picture at a time" in run("%picture").printed


def test_prints_appear_and_an_interruption_says_where(run: Run) -> None:
    run("def double(x):\n    print('here I am')\n    raise KeyboardInterrupt")
    shown = run("%check double")
    assert "here I am" in shown.printed
    assert shown.text.startswith("stopped double in cell [1]: raise KeyboardInterrupt; exercises that are not")
    assert "stopped double in cell [1]" in Tags(shown.page).words
    assert shown.raised is None


def test_the_last_error_of_the_students_own_is_kept_for_the_debugger(run: Run) -> None:
    run("1 / 0")
    run(SQUARED)
    run("%check double")
    assert sys.last_type is ZeroDivisionError


def test_where_pages_cannot_be_made_the_words_remain(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: object) -> None:
        raise ModuleNotFoundError("jinja2", name="jinja2")

    monkeypatch.setattr(cell_check, "page", missing)
    run(SQUARED)
    shown = run("%check double")
    assert shown.page == ""
    assert NAMED in shown.text


def text_of(course: Course) -> str:
    return submission(course, CHAPTER).chapters[CHAPTER].text


def test_an_import_that_failed_is_forgotten_and_so_are_the_courses_own(run: Run, toy_copy: Course) -> None:
    run("import torhc")
    run("from autograder.course.course import Course\nimport math")
    answer = ["def double(x):", "    return x * math.ceil(2)"]
    run("\n".join(answer))
    assert text_of(toy_copy).split("\n") == ["# code cell 2", "import math", "# code cell 3", *answer, ""]


def test_of_many_runs_the_last_is_kept_and_what_was_read_in_between(run: Run, toy_copy: Course) -> None:
    run("def helper(x):\n    return 1")
    run("TABLE = helper(0)")
    run("def helper(x):\n    return 2")
    for _ in range(3):
        run("def double(x):\n    return TABLE * helper(x) * x")
    text = text_of(toy_copy)
    assert text.count("def helper") == 2
    assert text.count("def double") == 1
    assert "5/5" in run("%check double").text


def test_a_class_that_is_run_again_loses_what_was_added_to_it(run: Run, toy_copy: Course) -> None:
    made = "class Scale:\n    pass"
    run(made)
    run("Scale.forward = lambda self, x: x")
    assert "forward" in text_of(toy_copy)
    run(made)
    assert "forward" not in text_of(toy_copy)


def test_a_cell_that_does_not_compile_is_named_unless_the_kernel_has_an_answer(run: Run) -> None:
    run("def double(x:")
    assert "cell of double, line 1" in run("%check double").text
    run(RIGHT)
    assert "5/5" in run("%check double").text
    run("def double(x:")
    assert "5/5" in run("%check double").text


def test_what_was_passed_in_a_notebook_of_a_working_copy_is_remembered(run: Run, toy_copy: Course) -> None:
    shutil.copytree(toy_copy.exercises_dir, toy_copy.root / PRISTINE)
    (toy_copy.root / MARKER).write_text('kind = "copy"\n', encoding="utf-8")
    run(RIGHT)
    run("%check double")
    last = Progress.load(Course(toy_copy.root)).last
    assert {name: known.result.status for name, known in last.items()} == {"double": "passed"}


def test_what_a_notebook_has_checked_is_told_in_a_terminal_with_the_commands_of_one(run: Run, in_copy: Course) -> None:
    run("def double(x):\n    return x.sin() + 0.3")
    assert "%hint double" in run("%check double").text
    told = " ".join(CliRunner().invoke(cli.app, ["explain", "double"]).output.split())
    assert "attend hint double" in told
    assert "%" not in told


def test_a_pass_in_a_notebook_begins_its_debrief_and_explain_tells_all_of_it(run: Run, in_copy: Course) -> None:
    run(RIGHT.replace("2 * x", "x + x"))
    shown = run("%check double")
    line = "double: Doubling is one multiplication, and a matrix that doubles has twos on its diagonal."
    assert f"{line} more: %explain double" in " ".join(shown.text.split())
    assert line in Tags(shown.page).words
    told = run("%explain double")
    assert told.raised is None
    assert told.text.index("Read:") < told.text.index("return x + x") < told.text.index("return 2 * x")


def test_the_last_pass_of_a_chapter_in_a_notebook_says_what_one_can_do_now(run: Run, in_copy: Course) -> None:
    text = Course.installed().solution(CHAPTER).read_text(encoding="utf-8")
    for number, name in enumerate(("double", "mean_and_sum", "Scale"), 1):
        run(text)
        shown = run(f"%check {name}")
        for words in (shown.text, Tags(shown.page).words):
            assert ("done. Now you can double a number" in " ".join(words.split())) == (number == 3)


def test_explain_names_a_mistake_in_a_notebook_too_with_the_commands_of_one(run: Run, in_copy: Course) -> None:
    run(SQUARED)
    assert "more: %explain double-squared" in Tags(run("%check double").page).words
    told = run("%explain double").text
    assert told.startswith(f"double: double-squared\n{NAMED}")
    assert "next: %hint double, %check double" in told
    assert "one at a time: %explain NAME" in run("%explain").printed
    assert "did you mean" in run("%explain double-sqared").printed


def test_the_solution_is_shown_after_a_pass_or_where_one_insists(run: Run, in_copy: Course) -> None:
    told = run("%solution double").printed
    assert "double is not passed yet" in told
    assert "%solution double --anyway" in told
    assert run("%solution double --anyway").text.endswith("return 2 * x")
    run(RIGHT)
    run("%check double")
    assert run("%solution double").text.startswith("def double(x: torch.Tensor)")
    assert "one exercise at a time: %solution NAME" in run("%solution").printed


def test_an_exercise_is_reset_and_its_answer_is_kept(run: Run, in_copy: Course) -> None:
    module = in_copy.exercises_dir / f"{CHAPTER}.py"
    stub = module.read_text(encoding="utf-8")
    module.write_text(stub.replace('raise NotImplementedError("double")', "return x + x"), encoding="utf-8")
    told = run("%reset double").printed
    assert module.read_text(encoding="utf-8") == stub
    assert "your answer is kept in .attend/answers" in told.replace("\\", "/")
    assert "Reload Notebook from Disk" in told
    assert run("%reset double").printed.strip() == "double is as it was handed out already"


def test_without_an_exercise_reset_is_what_ipython_calls_so(run: Run, shell: InteractiveShell) -> None:
    run("mine = 1")
    run("%reset -f")
    assert "mine" not in shell.user_ns
    assert "one exercise at a time: %reset NAME" in run("%reset double Scale").printed
