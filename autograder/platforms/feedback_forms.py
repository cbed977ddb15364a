"""How each platform takes feedback on a class back: the names that the pages must have in the zip to upload.

- Moodle finds the participant by the number in a name, its second part at "_". A team's number gives the file to all of
  its members (moodle/moodle, `mod/assign/feedback/file/importziplib.php`).
- Canvas finds user and file by their numbers, and the file must be one of the student's current submission. It shows
  the page under that file's own name, and to the whole group where the assignment is the group's
  (instructure/canvas-lms, `infer_comment_context_from_filename` and `generate_comments_from_files` in
  `app/models/abstract_assignment.rb`).
- ILIAS wants a folder `multi_feedback...`, and in it one for each student that ends in the user's number
  (ILIAS-eLearning/ILIAS, `getMultiFeedbackFiles` in `Modules/Exercise/Assignment/class.ilExAssignment.php`).
- Sakai finds the student by the login in brackets, and takes what lies in `Feedback Attachment(s)` (sakaiproject/sakai,
  the upload of a zip in `AssignmentAction.java`).
- Brightspace takes back the folders of its download. There is no source for that, only a description:
  https://carleton.ca/brightspace/instructors/grading-assignments-and-providing-feedback/
- Blackboard has no upload of files for a class; some universities add one:
  https://digitaleducation.blogs.bristol.ac.uk/category/workflow
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from autograder.classroom.register import RegisterRow
from autograder.core.text import safe_stems
from autograder.platforms.canvas.download import FILE as CANVAS_FILE
from autograder.platforms.canvas.download import original_name
from autograder.platforms.download_form import is_chapter
from autograder.platforms.moodle.download import PART as MOODLE_PART
from autograder.platforms.moodle.download import WHO as MOODLE_WHO

PAGE = "feedback.html"
MOODLE = "{}_assignsubmission_file_"
ILIAS_TOP, SAKAI_TOP, SAKAI_FOLDER = "multi_feedback_attend", "attend", "Feedback Attachment(s)"
SAKAI = re.compile(r".+\([^()]+\)")
ILIAS = re.compile(r"[^_]*_[^_]*_.*_\d+")  # last name, first name, login, number; a team has fewer parts
BRIGHTSPACE = re.compile(r"(?P<folder>\d+-\d+ - .+? - [^-]*?\b\d{4}\b,? \d[^-]*?)(?P<flat> - .+)?", re.DOTALL)
# Canvas shows the page under the name of what the student handed in, such as ch03_attention.py.
AS_PAGE = "<!-- Your feedback is a web page: save this file as feedback.html, and open it in a browser. -->\n"

Places = Mapping[str, str]
"""The path of each page in the zip, by the stem of the submission's files; all of a team may have the same."""


class FeedbackForm(NamedTuple):
    """How one platform takes pages back.

    Args:
        name: as a register names the form of a download.
        places: returns where the pages of submissions go; those that the platform does not take are missing.
        upload: what to do with the zip.
        head: what stands before each page.
    """

    name: str
    places: Callable[[Sequence[RegisterRow]], Places]
    upload: str
    head: str = ""


def _each(place: Callable[[RegisterRow], str], rows: Sequence[RegisterRow]) -> Places:
    """Return the places of submissions that the download holds."""
    return {row.stem: path for row in rows if row.arrived and (path := place(row))}


def _moodle(rows: Sequence[RegisterRow]) -> Places:
    """Return Moodle's places; those of a group who did not upload are found by number, if the roster has Moodle's."""
    own = [row for row in rows if row.arrived and safe_stems(row.arrived[:1]) == [row.stem]]
    numbers = {row.person.id: MOODLE_WHO.fullmatch(row.arrived[0]) for row in own}
    agree = bool(own) and all(who and who["id"] == number for number, who in numbers.items())
    others = [row for row in rows if agree and not row.arrived and row.person.id.isdigit()]
    spare = {row.stem: MOODLE.format(f"{_bare(row.person.called)}_{row.person.id}") + f"/{PAGE}" for row in others}
    return {**_each(_moodle_place, rows), **spare}


def _bare(name: str) -> str:
    return re.sub(r"[_/\\]", " ", name)


def _moodle_place(row: RegisterRow) -> str:
    """Return the place named as in the download: in the student's folder, or beside the others if it has none."""
    key, *names = row.arrived
    if not MOODLE_WHO.fullmatch(key):  # the default group, which has no number
        return ""
    parts = next((part for name in names if (part := MOODLE_PART.fullmatch(name))), None)
    is_flat = parts is not None and bool(parts["original"])
    return MOODLE.format(key) + PAGE if is_flat else f"{MOODLE.format(key)}/{PAGE}"


def _canvas_place(row: RegisterRow) -> str:
    """Return the name of the student's chapter, or of another file of the student's, exactly as Canvas wrote it."""
    files = {name: file for name in row.arrived[1:] if (file := CANVAS_FILE.fullmatch(name)) and file["original"]}
    return next(
        (name for name, file in files.items() if is_chapter(original_name(file["original"])[0])), next(iter(files), "")
    )


def _brightspace_place(row: RegisterRow) -> str:
    entry = BRIGHTSPACE.fullmatch(row.arrived[-1].split("/")[0])
    if entry is None:
        return ""
    return f"{entry['folder']} - {PAGE}" if entry["flat"] else f"{entry['folder'].removesuffix('.zip')}/{PAGE}"


def _ilias_place(row: RegisterRow) -> str:
    return f"{ILIAS_TOP}/{row.arrived[0]}/{PAGE}" if ILIAS.fullmatch(row.arrived[0]) else ""


def _sakai_place(row: RegisterRow) -> str:
    key = row.arrived[0]
    return f"{SAKAI_TOP}/{key}/{SAKAI_FOLDER}/{PAGE}" if SAKAI.fullmatch(key) else ""


def _blackboard_place(row: RegisterRow) -> str:
    return f"{safe_stems(row.arrived[:1])[0]}.html"


FORMS = {
    "moodle": FeedbackForm(
        "Moodle",
        _moodle,
        "in Moodle, View all submissions, Upload multiple feedback files in a zip; the assignment needs the feedback "
        "type 'Feedback files'",
    ),
    "canvas": FeedbackForm(
        "Canvas",
        partial(_each, _canvas_place),
        "in Canvas's gradebook, in the assignment's menu, Re-Upload Submissions, which is there after a download; it "
        "shows each page under the name of the student's own file: tell students to save it as feedback.html",
        AS_PAGE,
    ),
    "brightspace": FeedbackForm(
        "Brightspace", partial(_each, _brightspace_place), "in the assignment's submissions, Add Feedback Files"
    ),
    "sakai": FeedbackForm(
        "Sakai", partial(_each, _sakai_place), "in Assignments, Grade, Upload All, with 'Feedback Attachment(s)' alone"
    ),
    "ilias": FeedbackForm(
        "ILIAS", partial(_each, _ilias_place), "in the exercise, Submissions and Grades, Multi-Feedback, Upload"
    ),
    "blackboard": FeedbackForm(
        "Blackboard",
        partial(_each, _blackboard_place),
        "Blackboard takes no files for a whole class: unpack the zip and attach LOGIN.html to each student's attempt, "
        "or send the pages, with `attend return mail`",
    ),
}
"""By the word on the command line."""

NEED_NONE = {
    "gradescope": "Gradescope shows each check by itself, where the autograder of `attend gradescope` runs",
    "nbgrader": "nbgrader writes and hands out pages of its own: `nbgrader generate_feedback` and `release_feedback`",
    "github": "GitHub shows each check in the run's page, where the workflow of `attend github` runs",
}
"""Platforms that take no pages, and what students read there instead."""
