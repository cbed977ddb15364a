"""What the capstones are scored on."""

from __future__ import annotations

import pytest
import torch

from reference.capstones import shakespeare


def test_no_two_held_out_texts_of_shakespeare_share_a_character(monkeypatch: pytest.MonkeyPatch) -> None:
    text = torch.arange(111_540)  # each character has a number of its own
    monkeypatch.setattr(shakespeare, "plays", lambda: (text, text))
    told = [torch.cat([ids, after[:, None]], dim=1) for ids, after in shakespeare.held_out.__wrapped__()]
    places = torch.cat([each.flatten() for each in told])
    assert len(places) == len(places.unique())
    assert sum(map(len, told)) == 1600
