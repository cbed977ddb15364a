"""What the capstones are scored on."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from autograder.student.pictures.pixels import pixels
from reference.blocks import mine
from reference.capstones import digits, reverse, sentiment, shakespeare


def test_no_two_held_out_texts_of_shakespeare_share_a_character(monkeypatch: pytest.MonkeyPatch) -> None:
    text = torch.arange(111_540)  # each character has a number of its own
    monkeypatch.setattr(shakespeare, "plays", lambda: (text, text))
    told = [torch.cat([ids, after[:, None]], dim=1) for ids, after in shakespeare.held_out.__wrapped__()]
    places = torch.cat([each.flatten() for each in told])
    assert len(places) == len(places.unique())
    assert sum(map(len, told)) == 1600


class Looking(nn.Module):
    """A model whose cross-attention has these weights (9, 8), whatever it reads."""

    def __init__(self, weights: torch.Tensor) -> None:
        super().__init__()
        self.bridge = Bridge()
        self.weights = weights

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return self.bridge(target, self.weights.expand(len(source), 1, 9, 8))[0]


class Bridge(nn.Module):
    def forward(self, x: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x, weights


BACKWARDS = torch.cat([torch.eye(8).flip(1), torch.zeros(1, 8)])


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        (BACKWARDS, "8 of the 8 digits"),
        (torch.cat([BACKWARDS[:1], BACKWARDS[:8]]), "1 of the 8 digits"),  # each looks one place too far to the right
    ],
)
def test_the_picture_of_reverse_says_how_much_of_the_diagonal_it_shows(
    monkeypatch: pytest.MonkeyPatch, weights: torch.Tensor, says: str
) -> None:
    monkeypatch.setattr(mine, "_own", {"shift_right": lambda target, bos: target})
    (picture,) = reverse.Reverse().pictures(Looking(weights), torch.device("cpu"))
    assert says in picture.caption


def test_of_the_weights_of_a_sentence_only_the_strongest_of_each_word_are_drawn() -> None:
    weights = torch.tensor([[[0.2, 0.5, 0.3], [0.9, 0.1, 0.0], [0.3, 0.3, 0.4]]])
    drawn = sentiment.strongest(weights)
    assert drawn.argmax(-1).equal(weights.argmax(-1))
    assert ((drawn > 0).sum(-1) == 1).all()
    assert [round(float(each), 2) for each in drawn.amax(-1)[0]] == [0.44, 1.0, 0.3]
    even = sentiment.strongest(torch.full((2, 4, 4), 0.25))
    assert even.amax(-1).eq(1).all()


def test_a_sample_of_digits_is_a_picture_that_a_page_draws_in_pixels() -> None:
    for image in digits.held_out()[0][:3, 0]:
        assert pixels(digits._drawn(image)).startswith("<svg")
