"""What waits for a learner after each pass: words on what the piece is for, and a core path that fits into a day."""

from __future__ import annotations

import re

from autograder.author.chapter import read
from autograder.course.debriefs import sentences
from autograder.course.effort import efforts, is_core, minutes
from tests.promises.world import COURSE, each_chapter

SOFTMAX_LINE = re.compile(r"^ +(\d+)  def softmax\(", re.MULTILINE)


@each_chapter
def test_every_exercise_of_a_chapter_has_a_debrief_of_two_to_four_sentences(chapter: str) -> None:
    found = read(COURSE, chapter)
    missing = [name for name in found.exercises if name not in found.debriefs]
    assert not missing, f'solutions/{chapter}.py: add a cell # %% [markdown] debrief="NAME" for {", ".join(missing)}'
    lengths = {name: len(sentences(found.debriefs[name])) for name in found.exercises}
    assert {name: many for name, many in lengths.items() if not 2 <= many <= 4} == {}


@each_chapter
def test_every_chapter_ends_with_a_sentence_on_what_one_can_do_now_that_fits_into_a_line(chapter: str) -> None:
    words = read(COURSE, chapter).debriefs.get(chapter, "")
    assert words.startswith("You can "), f'solutions/{chapter}.py: add a cell # %% [markdown] debrief="{chapter}"'
    assert len(sentences(words)) == 1
    assert len(words) <= 112


def test_the_core_path_takes_seven_to_nine_hours_and_every_exercise_on_it_exists() -> None:
    known = efforts(COURSE)
    core = [exercise for exercise in COURSE.exercises if is_core(exercise, known)]
    assert {exercise.name for exercise in core} == {name for name, effort in known.items() if effort.core}
    assert 7 * 60 <= minutes(core, known) <= 9 * 60
    assert all(exercise.points for exercise in core)


def test_the_page_for_students_shows_how_long_the_course_and_its_core_path_are() -> None:
    known = efforts(COURSE)
    core = [exercise for exercise in COURSE.exercises if is_core(exercise, known)]
    page = (COURSE.root / "docs" / "students.md").read_text(encoding="utf-8")
    assert f"of {sum(exercise.points for exercise in COURSE.exercises):g} points" in page
    assert f"of {len(core)} exercises" in page
    assert f"The whole course takes about {minutes(COURSE.exercises, known) / 60:.0f} hours" in page


def test_the_page_for_students_shows_the_lines_at_which_the_files_have_their_exercises() -> None:
    page = (COURSE.root / "docs" / "students.md").read_text(encoding="utf-8")
    shown = {"rnn_step": re.search(r"ch00_before_attention\.py:(\d+)", page), "softmax": SOFTMAX_LINE.search(page)}
    for chapter, (name, line) in zip(("ch00_before_attention", "ch03_attention"), shown.items(), strict=True):
        assert line
        assert COURSE.stub(chapter).read_text(encoding="utf-8").split("\n")[int(line[1]) - 1].startswith(f"def {name}(")
