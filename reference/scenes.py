"""Inputs worth looking at: for each exercise that has one, a small scene and the names of its axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

WORDS = "the cat sat on the mat".split()
MORE = "a dog ran to my house".split()
SHORT = torch.tensor([[4, 9, 2, 7, 5, 3], [8, 2, 6, 0, 0, 0]])


@dataclass(frozen=True)
class Scene:
    """What an exercise is given for a picture, and how its answer is to be seen.

    Args:
        make: the arguments; made anew each time.
        rows, columns: what the last two axes of the answer are: a name, or a name and a label for each place.
        part: which member of a tuple is shown.
        build: what a class is constructed with, before it is called.
        view: turns the answer into what is shown, if it is not shown as it is.
    """

    make: Callable[[], tuple[Any, ...]]
    rows: tuple[str, Sequence[str]]
    columns: tuple[str, Sequence[str]]
    part: int | None = None
    build: tuple[Any, ...] | None = None
    view: Callable[[torch.Tensor], torch.Tensor] | None = None


def _normal(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(7), dtype=torch.float64)


def _disc(side: int) -> torch.Tensor:
    """A picture (1, 1, side, side + side / 2) of a bright disc left of the middle."""
    row, column = torch.meshgrid(torch.arange(side), torch.arange(side + side // 2), indexing="ij")
    return (-((row - side / 2 + 0.5) ** 2 + (column - side / 2 + 0.5) ** 2) / side).exp().double()[None, None]


def _put_back(patches: torch.Tensor) -> torch.Tensor:
    """Patches (1, 6, 16) of `_disc(8)` as a picture (8, 12) again."""
    return patches.unflatten(2, (4, 4)).unflatten(1, (2, 3))[0].transpose(1, 2).reshape(8, 12)


def _padded() -> torch.Tensor:
    """One sentence's mask (1, 6, 6): causal, and the last word is padding."""
    return torch.ones(6, 6, dtype=torch.bool).tril()[None] & (torch.arange(6) < 5)


def _recurrent(inputs: int, width: int) -> tuple[torch.Tensor, ...]:
    """W_x, W_h and b of a small recurrent network that forgets."""
    return _normal(inputs, width) * 0.4, _normal(width, width) * 0.25, _normal(width) * 0.1


QUERIES, KEYS = ("query", WORDS), ("key", WORDS)
OTHERS = ("key", MORE)
SCORES = {"rows": QUERIES, "columns": OTHERS}
NUMBERED = ("", ())
SPECIAL = ["[CLS]", "[SEP]"]

SCENES = {
    "rnn": Scene(lambda: (_normal(1, 6, 5), _normal(1, 4), *_recurrent(5, 4)), ("word", WORDS), ("state", ())),
    "influence": Scene(lambda: (_normal(6, 5), _normal(4), *_recurrent(5, 4)), NUMBERED, ("word", WORDS)),
    "attend_over_states": Scene(
        lambda: (_normal(2, 4), _normal(2, 6, 4), _normal(5, 8), _normal(5) * 2), ("text", ()), ("word", WORDS), part=1
    ),
    "one_hot": Scene(lambda: (WORDS, sorted(set(WORDS))), ("word", WORDS), ("vocabulary", sorted(set(WORDS)))),
    "transition_matrix": Scene(
        lambda: ([WORDS, "the dog sat on the cat".split()], sorted({*WORDS, "dog"})),
        ("word", sorted({*WORDS, "dog"})),
        ("next word", sorted({*WORDS, "dog"})),
    ),
    "sinusoidal_positions": Scene(lambda: (16, 16), ("position", ()), ("column", ())),
    "add_positions": Scene(lambda: (_normal(1, 6, 4), _normal(9, 4)), ("word", WORDS), ("column", ())),
    "shift_matrix": Scene(lambda: (3, 8), NUMBERED, NUMBERED),
    "rotary": Scene(lambda: (_normal(6, 8), torch.arange(6)), ("position", ()), ("column", ())),
    "softmax": Scene(lambda: (_normal(6, 6) * 2, -1), QUERIES, KEYS),
    "dot_scores": Scene(lambda: (_normal(6, 4), _normal(12, 4)[6:]), **SCORES),
    "scaled_dot_scores": Scene(lambda: (_normal(6, 4), _normal(12, 4)[6:]), **SCORES),
    "cosine_scores": Scene(lambda: (_normal(6, 4), _normal(12, 4)[6:]), **SCORES),
    "scaled_dot_product_attention": Scene(
        lambda: (_normal(1, 6, 4) * 2, _normal(2, 6, 4)[1:], _normal(3, 6, 4)[2:]), **SCORES, part=1
    ),
    "attention_in_blocks": Scene(
        lambda: (_normal(1, 6, 4) * 2, _normal(2, 6, 4)[1:], _normal(3, 6, 4)[2:], 4), QUERIES, ("column", ())
    ),
    "padding_mask": Scene(lambda: (SHORT, 0), ("", ()), ("key", ())),
    "causal_mask": Scene(lambda: (6, 2), ("query", ()), ("key", ())),
    "combine_masks": Scene(lambda: (_padded(), torch.arange(6) < 4), QUERIES, KEYS),
    "additive_mask": Scene(lambda: (_padded(), torch.float64), QUERIES, KEYS),
    "masked_softmax": Scene(lambda: (_normal(1, 6, 6), _padded()), QUERIES, KEYS),
    "masked_attention": Scene(
        lambda: (_normal(1, 6, 4), _normal(2, 6, 4)[1:], _normal(3, 6, 4)[2:], _padded()), QUERIES, KEYS, part=1
    ),
    "alibi": Scene(lambda: (4, 6), QUERIES, KEYS),
    "MultiHeadAttention": Scene(
        lambda: (_normal(1, 6, 16) * 2,) * 3 + (_padded()[:, None],), QUERIES, KEYS, part=1, build=(16, 2)
    ),
    "layer_norm": Scene(
        lambda: (_normal(6, 8) * 3 + 1, torch.ones(8).double(), torch.zeros(8).double(), 1e-5),
        ("word", WORDS),
        ("column", ()),
    ),
    "rms_norm": Scene(lambda: (_normal(6, 8) * 3 + 1, torch.ones(8).double(), 1e-5), ("word", WORDS), ("column", ())),
    "swiglu": Scene(
        lambda: (_normal(6, 8), _normal(8, 5), _normal(9, 5)[1:], _normal(5, 8)), ("word", WORDS), ("column", ())
    ),
    "patchify": Scene(lambda: (_disc(8), 4), ("pixel row", ()), ("pixel column", ()), view=_put_back),
    "unpatchify": Scene(lambda: (_normal(1, 6, 16), (8, 12), 1), ("pixel row", ()), ("pixel column", ())),
    "filter_matrix": Scene(
        lambda: (torch.tensor([[0.25, 0.5, 0.25]]).double(), 8), ("position", ()), ("mixes position", ())
    ),
    "fourier_mixing": Scene(lambda: (_normal(1, 6, 8),), ("position", ()), ("column", ())),
    "attention_entropy": Scene(lambda: ((_normal(2, 6, 6) * 2).softmax(-1),), ("head", ()), QUERIES),
    "next_token_distribution": Scene(
        lambda: (_normal(3, 6) * 2, 1.0, 4, 0.9), ("context", ()), ("next word", "the cat sat on mat .".split())
    ),
    "mask_spans": Scene(
        lambda: (torch.arange(12), torch.tensor([4, 5, 10, 0]), torch.tensor([2, 2, 4, 3]), 0.3),
        NUMBERED,
        ("place", ()),
    ),
    "pattern_scores": Scene(
        lambda: (
            (_normal(6, 6) * 2).softmax(-1),
            ["[CLS]", "a", "cat", "[SEP]", "a", "dog"],
            [0] * 4 + [1] * 2,
            SPECIAL,
        ),
        ("head", ["one"]),
        ("on such keys", "next previous same_word same_sentence special".split()),
    ),
    "attention_rollout": Scene(
        lambda: ([(_normal(2, 6, 6) * 3).softmax(-1), (_normal(2, 6, 6).mT * 3).softmax(-1)],), QUERIES, KEYS
    ),
}
