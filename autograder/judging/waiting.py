"""Submissions that wait for a judge."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Set
from itertools import count

from autograder.core.submission import Submission

Subject = tuple[str, ...]
"""What a submission is graded on: the `only` of it."""


class Waiting:
    """Submissions, first come, first served, but for what the judges know.

    A judge gets subjects that it knows, or that no other judge knows: the first submission of a chapter takes several
    times as long as a later one. When there are none, it takes from the subject with the most submissions.
    """

    def __init__(self) -> None:
        self._places = count()
        self._by_subject: dict[Subject, deque[tuple[int, Submission]]] = {}  # each with its place in the line

    def __len__(self) -> int:
        return sum(map(len, self._by_subject.values()))

    def extend(self, submissions: Iterable[Submission]) -> None:
        for each in submissions:
            self._by_subject.setdefault(each.only, deque()).append((next(self._places), each))

    def next(self, known: Set[Subject], known_to_others: Set[Subject]) -> Submission:
        """Return the next submission for a judge.

        Raises:
            ValueError: none waits.
        """
        fit = [subject for subject in self._by_subject if subject in known or subject not in known_to_others]
        return self._taken(min(fit, key=self._first_place) if fit else max(self._by_subject, key=self._left))

    def drain(self) -> Iterator[Submission]:
        """Yield all that wait; they wait no longer."""
        while self._by_subject:
            yield self._taken(next(iter(self._by_subject)))

    def _first_place(self, subject: Subject) -> int:
        return self._by_subject[subject][0][0]

    def _left(self, subject: Subject) -> int:
        return len(self._by_subject[subject])

    def _taken(self, subject: Subject) -> Submission:
        line = self._by_subject[subject]
        _, found = line.popleft()
        if not line:
            del self._by_subject[subject]
        return found
