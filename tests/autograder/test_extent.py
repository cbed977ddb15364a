"""Of several wrong entries it is said which part of an array holds them all, where one does."""

from __future__ import annotations

import pytest
import torch

from autograder.compare.extent import extent


def at(shape: tuple[int, ...], *wrong: tuple[int, ...]) -> torch.Tensor:
    bad = torch.zeros(shape, dtype=torch.bool)
    for index in wrong:
        bad[index] = True
    return bad


ALL = torch.ones(4, 4, dtype=torch.bool)

SAID = {
    "all of them at T=3": at((2, 5, 3), (0, 3, 1), (1, 3, 2)),
    "all of them from T=3 on": at((2, 5, 3), (0, 3, 1), (1, 4, 0), (0, 3, 2)),
    "all of them up to T=1": at((2, 5, 3), (0, 1, 1), (1, 0, 0), (0, 0, 2)),
    "all of them at axis 2=0": at((2, 5, 3), (0, 1, 0), (1, 4, 0)),
    "all of them from 2 on": at((4,), (2,), (3,)),
    "all of them below the diagonal": ALL.tril(-1),
    "all of them above the diagonal": ALL.triu(1).expand(2, 4, 4),
    "all of them on the diagonal": torch.eye(4, dtype=torch.bool),
}


@pytest.mark.parametrize("said", SAID)
def test_the_smallest_part_that_holds_all_wrong_entries_is_said(said: str) -> None:
    bad = SAID[said]
    assert extent(bad, ["B", "T", ""][: bad.dim()] if bad.dim() == 3 else [""] * bad.dim()) == said


NOTHING = {
    "one entry, which has its index": at((2, 3), (0, 1)),
    "every entry": ALL,
    "entries all over": at((4, 5), (0, 0), (3, 4), (1, 2)),
    "two ends": at((5,), (0,), (4,)),
    "a square of two": at((2, 2), (0, 1), (1, 0)),
}


@pytest.mark.parametrize("what", NOTHING)
def test_where_no_part_holds_them_nothing_is_said(what: str) -> None:
    assert extent(NOTHING[what], [""] * NOTHING[what].dim()) == ""
