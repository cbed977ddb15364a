"""A class being graded: its parts, their results, and the files written from them.

A part is one chapter of one submission. Equal parts are graded once. A submission's result joins those of its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from autograder.classroom import by_hand, policy, similar
from autograder.classroom import register as registers
from autograder.classroom.grades import Grade, grade, grades
from autograder.classroom.register import Register, RegisterRow
from autograder.core.errors import AttendError
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.core.versions import versions
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.grading.digests import Digests
from autograder.grading.store import Store
from autograder.judging.process import Replies
from autograder.report import by_hand_table
from autograder.report.by_hand_table import ClassInHand
from autograder.report.junit import write_junit
from autograder.report.outputs import drop_result, feedback_path, read_result, result_path, write_csv, write_result
from autograder.report.pages import write_feedback, write_report
from autograder.sandbox.limits import Limits

TIERS = {"required": ("full",), "off": ("off",), "auto": ("full", "partial")}
"""The tiers whose earlier results are kept, for each level of the sandbox."""


@dataclass
class Session:
    """The submissions of one run by the stem of their result files, and their results so far.

    `seed` is for submissions that are new in this run. `register` holds their owners and the policy. `tier` is the
    sandbox's, as soon as it is known.
    """

    course: Course
    out: Path
    exercises: Sequence[Exercise]
    seed: int
    limits: Limits
    store: Store
    submissions: dict[str, Submission]
    register: Register
    tier: str = ""
    results: dict[str, SubmissionResult] = field(default_factory=dict)
    _graded: dict[str, SubmissionResult] = field(default_factory=dict)
    _digests: dict[str, Digests] = field(default_factory=dict)
    _keys: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    _wanting: dict[str, list[str]] = field(default_factory=dict)

    def recall(self, tiers: Sequence[str]) -> None:
        """Take over the results of submissions whose parts were all graded before, in one of `tiers`."""
        for stem in self.submissions:
            for tier in tiers:
                if stem not in self.results and self._is_known(stem, tier):
                    self.results[stem] = self._result(stem, tier)

    def waiting(self) -> list[Submission]:
        """Return the parts still to grade, equal ones once; the `student` of each is its key."""
        found: dict[str, Submission] = {}
        for stem in self.submissions:
            if stem in self.results:
                continue
            for key, part in zip(self._keys_of(stem, self.tier), self._parts(stem), strict=True):
                if not self._part(key):
                    found.setdefault(key, replace(part, student=key))
                    self._wanting.setdefault(key, []).append(stem)
        return list(found.values())

    def begin(self) -> None:
        """Record the run in the store, and drop outdated results on disk."""
        self.store.begin(self.seed, [exercise.name for exercise in self.exercises], self.submissions)
        for stem in self.submissions:
            if stem not in self.results:
                drop_result(self.out, stem)
        same = registers.holds(self.out, self.register)
        for stem, result in self.results.items():
            self._write(stem, result, anew=not same)
        registers.write(self.out, self.register)

    def keep_replies(self, part: Submission, replies: Replies) -> None:
        """Keep the replies of a part's code."""
        self.store.keep_replies(self._of(self.tier).replies(part), replies)

    def tape(self, part: Submission) -> Replies:
        """Return the earlier replies of a part's code."""
        return self.store.replies(self._of(self.tier).replies(part))

    def accept(self, graded: SubmissionResult) -> int:
        """Keep a part's result, write the results it completes, and return how many submissions these are."""
        self._graded[graded.student] = graded
        if graded.is_final:
            self.store.keep(graded)
        complete = [stem for stem in self._wanting.pop(graded.student) if self._is_known(stem, self.tier)]
        for stem in complete:
            self.results[stem] = self._result(stem, self.tier)
            self._write(stem, self.results[stem])
        return len(complete)

    def finish(self) -> list[Grade]:
        """Write tables and pages for all finished students, and return their grades.

        Failures of the grader come first, then what waits for a person.
        """
        known = [stem for stem in self.submissions if stem in self.results]
        if self.tier and len(known) == len(self.submissions):
            parts = [self.submissions[stem].part(chapter) for stem in known for chapter in self.course.chapters]
            self.store.forget(but=[self._of(self.tier).replies(part) for part in parts])
        made = sorted(grades(self.register, self.results), key=lambda each: (not each.is_failed, each.is_final))
        for each in made:
            if each.stem and each.page != each.stem:
                write_feedback(self.out, each, self.course)
        write_csv(self.out, made)
        if any((self.out / name).exists() for name in (policy.NAME, by_hand.NAME)):  # it takes decisions
            by_hand_table.write(self.out, ClassInHand(self.register, made, self.results, self.exercises))
        write_junit(self.out, [each.result for each in made if each.result])
        chapters = tuple(dict.fromkeys(exercise.chapter for exercise in self.exercises))
        compared = [self.submissions[stem] for stem in self._handed_in_apart(known)]
        pairs = similar.kept_pairs(self.out / similar.NAME, compared, replace(self.course, only=chapters))
        write_report(self.out, made, self.register, self.course, pairs)
        return made

    @cached_property
    def _rows(self) -> dict[str, RegisterRow]:
        return {row.stem: row for row in self.register.rows}

    def _of(self, tier: str) -> Digests:
        if tier not in self._digests:
            chosen: dict[str, Sequence[str]] = {}
            for exercise in self.exercises:
                chosen[exercise.chapter] = (*chosen.get(exercise.chapter, ()), exercise.name)
            self._digests[tier] = Digests(self.course, self.limits, tier, chosen)
        return self._digests[tier]

    def _handed_in_apart(self, stems: Iterable[str]) -> Iterable[str]:
        """Return one submission for all students who handed in together, and every other submission."""
        rows = [self._rows[stem] for stem in stems]
        return {(row.shared or row.stem, row.attempt, bool(row.shared)): row.stem for row in rows}.values()

    def _parts(self, stem: str) -> list[Submission]:
        chapters = dict.fromkeys(exercise.chapter for exercise in self.exercises)
        return [self.submissions[stem].part(chapter) for chapter in chapters]

    def _keys_of(self, stem: str, tier: str) -> tuple[str, ...]:
        """Return the keys of the submission's parts."""
        if (stem, tier) not in self._keys:
            self._keys[stem, tier] = tuple(self._of(tier).verdict(part) for part in self._parts(stem))
        return self._keys[stem, tier]

    def _part(self, key: str) -> SubmissionResult | None:
        """Return the result of a part, from this run or an earlier one."""
        if key not in self._graded and (kept := self.store.result(key)):
            self._graded[key] = kept
        return self._graded.get(key)

    def _is_known(self, stem: str, tier: str) -> bool:
        return all(self._part(key) for key in self._keys_of(stem, tier))

    def _result(self, stem: str, tier: str) -> SubmissionResult:
        submission = self.submissions[stem]
        parts = [self._graded[key] for key in self._keys_of(stem, tier)]
        exercises = [exercise for part in parts for exercise in part.exercises]
        seconds = sum(part.seconds for part in parts)
        notes = [*submission.notes, *(note for part in parts for note in part.notes)]
        submission = replace(submission, notes=tuple(dict.fromkeys(notes)))
        return submission.result(exercises, sandbox=tier, seed=self.seed, versions=versions(), seconds=seconds)

    def _write(self, stem: str, result: SubmissionResult, *, anew: bool = False) -> None:
        """Write one submission's result and page, unless they are on disk already or `anew` is set."""
        try:
            same = read_result(result_path(self.out, stem)) == result
        except AttendError:
            same = False  # it is not there, or damaged
        if same and not anew and feedback_path(self.out, stem).exists():
            return
        write_feedback(self.out, grade(self._rows[stem], result, self.register.policy), self.course)
        write_result(self.out, stem, result)
