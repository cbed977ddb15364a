"""A dict with room for a few entries forgets the one that was not used for longest."""

from __future__ import annotations

from autograder.core.lru import Latest


def test_the_entry_that_was_not_used_for_longest_is_forgotten() -> None:
    known: Latest[str, int] = Latest(2)
    known |= {"a": 1, "b": 2}
    assert known["a"] == 1
    known["c"] = 3
    assert {**known} == {"a": 1, "c": 3}


def test_an_entry_that_is_set_again_is_new() -> None:
    known: Latest[str, int] = Latest(2)
    known |= {"a": 1, "b": 2, "c": 3}
    known["b"] = 4
    known["d"] = 5
    assert {**known} == {"b": 4, "d": 5}
