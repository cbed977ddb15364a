"""Which seed the inputs of each submission are drawn from.

Feedback shows inputs and what is expected on them. Whoever has read it and hands in something else is graded on
other inputs; what has not changed keeps its inputs, and with them its verdicts and all that its code said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autograder.core.submission import Submission
from autograder.grading.digests import work
from autograder.grading.store import Store


def seeded(submissions: Mapping[str, Submission], seed: int | None, fresh: int, store: Store) -> dict[str, Submission]:
    """The submissions, each with its seed.

    Args:
        seed: of all of them, if one was asked for.
        fresh: of those that are not, as they are, in the store.
    """
    known = {work(each): each.seed for each in kept(store).values()} if seed is None else {}
    usual = fresh if seed is None else seed
    return {stem: replace(each, seed=known.get(work(each), usual)) for stem, each in submissions.items()}


def kept(store: Store) -> dict[str, Submission]:
    """The submissions of the last run, each with its seed; in a store of an earlier version all have the run's."""
    found = store.submissions()
    return {stem: replace(each, seed=store.seed if each.seed is None else each.seed) for stem, each in found.items()}
