"""Choose the seed of each submission's inputs.

Feedback shows inputs and the expected answers. So a changed submission is graded on new inputs. An unchanged one keeps
its inputs, and with them its verdicts and its code's replies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autograder.core.submission import Submission
from autograder.grading.digests import work
from autograder.grading.store import Store


def seeded(submissions: Mapping[str, Submission], seed: int | None, fresh: int, store: Store) -> dict[str, Submission]:
    """Return the submissions, each with its seed.

    Args:
        seed: the seed of all of them, if one was given.
        fresh: the seed of those that are new or changed since the last run.
    """
    known = {work(each): each.seed for each in kept(store).values()} if seed is None else {}
    usual = fresh if seed is None else seed
    return {stem: replace(each, seed=known.get(work(each), usual)) for stem, each in submissions.items()}


def kept(store: Store) -> dict[str, Submission]:
    """Return the submissions of the last run with their seeds, in a store of an earlier version all with the run's."""
    found = store.submissions()
    return {stem: replace(each, seed=store.seed if each.seed is None else each.seed) for stem, each in found.items()}
