"""Submissions that wait for a judge."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Set

from autograder.core.submission import Submission

Subject = tuple[str, ...]
"""What a submission is graded on: the `only` of it."""


class Waiting:
    """Submissions, first come, first served among those of one subject.

    A judge gets subjects that it knows, or that no other judge knows: the first submission of a chapter takes several
    times as long as a later one. When there are none, it takes from the subject with the most submissions.
    """

    def __init__(self) -> None:
        self._by_subject: dict[Subject, deque[Submission]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_subject)

    def extend(self, submissions: Iterable[Submission]) -> None:
        for each in submissions:
            self._by_subject.setdefault(each.only, deque()).append(each)

    def next(self, known: Set[Subject], known_to_others: Set[Subject]) -> Submission | None:
        """Return the next submission for a judge, of the subject with the most; None if there is none."""
        fit = [subject for subject in self._by_subject if subject in known or subject not in known_to_others]
        subject = max(fit or self._by_subject, key=self._count, default=None)
        return None if subject is None else self._taken(subject)

    def drain(self) -> Iterable[Submission]:
        """Yield all that wait; they wait no longer."""
        while self._by_subject:
            yield self._taken(next(iter(self._by_subject)))

    def _count(self, subject: Subject) -> int:
        return len(self._by_subject[subject])

    def _taken(self, subject: Subject) -> Submission:
        queue = self._by_subject[subject]
        found = queue.popleft()
        if not queue:
            del self._by_subject[subject]
        return found
