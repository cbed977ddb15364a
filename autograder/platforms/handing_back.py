"""`attend return`: the feedback pages of a class in the form that its platform takes, or a table to mail them."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from markupsafe import escape

from autograder.classroom.grades import Grade
from autograder.classroom.register import RegisterRow
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import text
from autograder.core.text import counted, join_names, one_line, rounded
from autograder.grading import book
from autograder.grading.book import Book
from autograder.platforms.export import chapters_of, is_undecided, refuse_unfinished
from autograder.platforms.feedback_forms import FORMS, NEED_NONE, FeedbackForm
from autograder.report.outputs import cell, feedback_path
from autograder.report.unread import what_waits

MAIL = "mail"
COLUMNS = ("email", "name", "subject", "points", "max_points", "page")
NAMED = re.compile(r"(?<=<title>Feedback for ).*?(?=</title>)|(?<=<h1>Feedback for <bdi>).*?(?=</bdi>)", re.DOTALL)
MOST_CHAPTERS = 3  # in the subject of a mail


class FeedbackPage(NamedTuple):
    """A student's page, with the grade that it shows and the row of the submission that it is for."""

    grade: Grade
    row: RegisterRow
    path: Path
    text: str

    @property
    def is_strange(self) -> bool:
        """Whether a link or a special file lies in its place, which is not read."""
        return self.path.is_symlink() or (self.path.exists() and not self.path.is_file())


@dataclass(frozen=True)
class HandedBack:
    """What was written, sentences about it, the students whose pages it lacks, and those whose pages were held."""

    path: Path
    sentences: Sequence[str]
    left: Sequence[str]
    held: Sequence[str]
    waits: str

    def text(self) -> str:
        lines = [f"{self.path}: {self.sentences[0]}", *self.sentences[1:]]
        if self.held:
            says = f"held back, as something is undecided: {join_names(self.held)} ({len(self.held)})"
            lines.append(f"{says}; students.html says what, and --no-hold gives these pages back too")
            lines += [self.waits] if self.waits else []
        return "\n".join(lines)


class _Written(NamedTuple):
    """A file to write, sentences about it, and the students whose pages are not in it."""

    name: str
    data: bytes
    sentences: Sequence[str]
    left: Sequence[str]


def hand_back(form: FeedbackForm | None, graded: Path, out: Path | None, *, hold: bool) -> HandedBack:
    """Write the pages in the folder `graded` as a platform takes them, or the table to mail them.

    Args:
        form: how the platform takes them; None for mail.
        out: the file to write; by default, one in `graded` that is named after the platform.
        hold: whether pages with something undecided stay out.

    Raises:
        AttendError: the class came from another platform, or a file cannot be read or written.
    """
    class_ = book.read(graded)
    refuse_unfinished(graded, class_)
    if form and class_.register.form != form.name:
        came = f"came from {class_.register.platform or 'no platform'}"
        raise UsageError(f"the class in {graded} {came}, not from {form.name}; `attend return mail` is for any class")
    pages = list(_pages(graded, class_))
    strange = [page for page in pages if page.is_strange]
    failed = [page for page in pages if page not in strange and page.grade.is_failed]
    held = [page for page in pages if page not in (*strange, *failed) and hold and is_undecided(page.grade)]
    ready = [page for page in pages if page not in (*strange, *failed, *held)]
    made = _zip(form, ready, [*strange, *failed, *held]) if form else _table(ready, pages)
    path = out or graded / made.name
    before = path.exists()
    _refuse_foreign(path, out, made.data)
    is_new = files.write(path, made.data)
    replaced = [f"an earlier {path.name} with other contents was replaced"] if before and is_new else []
    again = [f"not final, as the grader failed on a part: {_names(failed)}"] if failed else []
    waits = what_waits([page.grade for page in held], graded)
    again += [_not_followed(strange)] if strange else []
    left = [*made.left, *(page.grade.student for page in (*strange, *failed))]
    return HandedBack(path, [*made.sentences, *again, *replaced], left, [page.grade.student for page in held], waits)


def form_of(platform: str) -> FeedbackForm | None:
    """Return how a platform takes pages back; None for mail.

    Raises:
        UsageError: it takes none, or is not known.
    """
    if platform in NEED_NONE:
        raise UsageError(f"{NEED_NONE[platform]}; to send the pages as well, `attend return mail`")
    if platform not in (*FORMS, MAIL):
        known = join_names([*FORMS, MAIL], len(FORMS) + 1, last="or")
        raise UsageError(f"PLATFORM is {known}, not '{one_line(platform)}'; mail is for any class")
    return FORMS.get(platform)


def _pages(graded: Path, class_: Book) -> Iterator[FeedbackPage]:
    rows = {row.stem: row for row in class_.register.rows}
    for grade in (grade for grade in class_.grades if grade.result):
        path = feedback_path(graded, grade.page)
        try:
            page = FeedbackPage(grade, rows[grade.page], path, "")
            yield page if page.is_strange else page._replace(text=text(path))
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read; run the same `attend grade` again, which writes it") from error


def _not_followed(strange: Sequence[FeedbackPage]) -> str:
    names = join_names([page.path.name for page in strange], 3)
    return f"links and special files are not read: {names}; remove them, and the same `attend grade` writes the pages"


def _refuse_foreign(path: Path, out: Path | None, data: bytes) -> None:
    if path.is_dir():
        raise UsageError(f"{path} is a folder; --out takes the name of a file")
    if out is not None and path.exists() and not files.holds(path, data):
        raise UsageError(f"{path} is there already, with other contents; remove it, or choose another name with --out")


def _zip(form: FeedbackForm, ready: Sequence[FeedbackPage], waiting: Sequence[FeedbackPage]) -> _Written:
    places = form.places([page.row for page in (*ready, *waiting)])
    if not places:
        raise UsageError(
            "the names of the download are not in the results; run the same `attend grade` again, which keeps them"
        )
    by_place: dict[str, list[FeedbackPage]] = {}
    for page in ready:
        by_place.setdefault(places.get(page.row.stem, ""), []).append(page)
    nowhere = by_place.pop("", [])
    shared = {places.get(page.row.stem, "") for page in waiting}
    joint = {place: None if place in shared else _joint(pages) for place, pages in by_place.items()}
    apart = [page for place, text in joint.items() if text is None for page in by_place[place]]
    texts = {PurePosixPath(place): (form.head + text).encode() for place, text in joint.items() if text is not None}
    pages = len(ready) - len(nowhere) - len(apart)
    sentences = [
        f"the pages of {_of_all(pages, (*ready, *waiting), 'student')}",
        form.upload,
        *_left(form, nowhere, apart),
    ]
    left = [page.grade.student for page in (*nowhere, *apart)]
    return _Written(f"{form.name.lower()}-feedback.zip", files.zipped(texts), sentences, left)


def _of_all(number: int, everybody: Sequence[FeedbackPage], noun: str) -> str:
    """Return `12 of 13 students`, or `13 students` if it is all who handed in."""
    return counted(number, noun) if number == len(everybody) else f"{number} of {counted(len(everybody), noun)}"


def _left(form: FeedbackForm, nowhere: Sequence[FeedbackPage], apart: Sequence[FeedbackPage]) -> Iterator[str]:
    """Yield sentences on the pages that the zip lacks."""
    if nowhere:
        why = f"not in it, as {form.name} takes pages only for what lies in its download under the student's own name"
        yield f"{why}: {_names(nowhere)}; send these with `attend return mail`"
    if apart:
        why = f"not in it, as {form.name} shows a page to the whole team, and those of its members differ or wait"
        yield f"{why}: {_names(apart)}; send these with `attend return mail`"


def _joint(pages: Sequence[FeedbackPage]) -> str | None:
    """Return one page for all who share a place, under all their names; None if their pages differ in anything else."""
    if len(pages) == 1:
        return pages[0].text
    together = str(escape(join_names([page.grade.student for page in pages], len(pages))))
    texts = {NAMED.sub(lambda _: together, page.text, count=2) for page in pages}
    return texts.pop() if len(texts) == 1 else None


def _table(ready: Sequence[FeedbackPage], everybody: Sequence[FeedbackPage]) -> _Written:
    """Return a table for a mail merge: a row for each student with an address and a page that is ready."""
    chapters = sorted(chapters_of([page.grade for page in ready]))
    subject = f"Feedback: {join_names(chapters, MOST_CHAPTERS)}"
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    known = [page for page in ready if page.grade.person.email]
    for grade, _, path, _ in known:
        points = (rounded(grade.score), rounded(grade.max_score))
        writer.writerow(map(cell, (grade.person.email, grade.student, subject, *points, str(path.resolve()))))
    without = [page for page in ready if not page.grade.person.email]
    says = (
        [f"no address is known of {_names(without)}; give a roster with addresses to `attend grade`"] if without else []
    )
    sentences = [f"{_of_all(len(known), everybody, 'row')} for a mail merge, with the path of each page", *says]
    data = codecs.BOM_UTF8 + stream.getvalue().encode()
    return _Written(f"{MAIL}-merge.csv", data, sentences, [page.grade.student for page in without])


def _names(pages: Sequence[FeedbackPage]) -> str:
    return join_names([page.grade.student for page in pages])
