"""The words for each kind of difference, as `golden/words.txt` has them.

If new words are better: `python -m tests.autograder.test_golden_words` writes the file again; read its diff.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import torch

from autograder.calls.records import Absent, Observation, Raised
from autograder.compare.compare import difference
from autograder.compare.describe import Names
from autograder.compare.difference import Difference, Rule
from autograder.compare.words import words

GOLDEN = Path(__file__).parent / "golden" / "words.txt"
NAMES = Names({2: "B", 3: "T"}, ("output", "weights"), ("q", "k", "model"))
X = torch.arange(6, dtype=torch.float64).reshape(2, 3)
NAN, TEXT = float("nan"), [f"w{number}" for number in range(20)]
ERROR = Raised("ValueError", ("ValueError",), "sizes 2 and 3")
STATE = {"learning": ["weight"], "weight": X, "mode": "kept"}


def with_number(row: int, column: int, number: float) -> torch.Tensor:
    changed = X.clone()
    changed[row, column] = number
    return changed


def seen(result: Any, **more: Any) -> Observation:
    return Observation(**{"result": result, "again": result, **more})


ANSWERS: dict[str, tuple[Any, Any]] = {
    "there is no function": (X, Absent("a Tensor")),
    "an error is missing": (ERROR, X),
    "another error came": (ERROR, Raised("TypeError", ("TypeError",), "no")),
    "parameters do not fit": (X, Raised("StateMismatchError", ("StateMismatchError",), "it has no weight")),
    "an error came": (X, ERROR),
    "nothing came": (X, None),
    "a list for a tensor": (X, X.tolist()),
    "an array for a tensor": (X, X.numpy()),
    "a part of another kind": ((["s"], [True]), (("s",), [True])),
    "a part too few": ((X, X), (X,)),
    "other keys": ({"a": 1.0, "b": 2.0}, {"a": 1.0, "c": 2.0}),
    "another shape of a part": ((X, X), (X, X.T)),
    "another dtype": (X, X.float()),
    "another dtype of an array": (np.eye(3), np.eye(3).astype(int)),
    "another device": (X, X.to("meta")),
    "one NaN": (X, with_number(1, 0, NAN)),
    "all NaN": (X, X * NAN),
    "a number that is NaN": (1.0, NAN),
    "one wrong entry": ((X, X), (X, with_number(1, 2, 100.0))),
    "wrong entries, of which the farthest is shown": (X, X + X.square()),
    "wrong ids, of which the first is shown": (torch.tensor([1, 2, 3, 4]), torch.tensor([1, 3, 2, 999])),
    "axes of one size, which have no names": (torch.zeros(3, 3), torch.eye(3)),
    "a wrong number": (1.0, 2.0),
    "numbers that differ late": (0.39522903110822083, 0.39522906640549194),
    "a wrong text": ("a", "b"),
    "a long list with a wrong item": (TEXT, [*TEXT[:12], "other", *TEXT[13:]]),
    "a long list that ends early": (TEXT, TEXT[:18]),
}
OBSERVED: dict[str, tuple[Observation, Observation]] = {
    "a tensor that the gradient needs is overwritten": (
        seen(X, gradients={"argument 0": X}),
        seen(X, gradients=Raised("RuntimeError", ("RuntimeError",), "modified by an inplace operation")),
    ),
    "an error on the way back": (seen(X, gradients={"argument 0": X}), seen(X, gradients=ERROR)),
    "no gradient for an argument": (seen(X, gradients={"argument 0": X}), seen(X, gradients={"argument 0": None})),
    "a wrong gradient": (seen(X, gradients={"argument 1": X}), seen(X, gradients={"argument 1": 2 * X})),
    "a wrong gradient of a parameter": (seen(X, gradients={"weight": X}), seen(X, gradients={"weight": 2 * X})),
    "a changed argument": (seen(X, arguments=(X, X)), seen(X, arguments=(X, X + 1))),
    "a changed list": (seen(X, arguments=([1, 2],)), seen(X, arguments=([2, 1],))),
    "a mode that was not put back": (
        seen(X, arguments=(X, X, STATE)),
        seen(X, arguments=(X, X, {**STATE, "mode": "training"})),
    ),
    "a model that was trained wrongly": (
        seen(X, arguments=(X, X, STATE)),
        seen(X, arguments=(X, X, {**STATE, "weight": X + 1})),
    ),
    "a changed object": (seen(X), seen(X, changed=("self.calls",))),
    "another answer to the second call": (seen(X), seen(X, again=X + 1)),
    "a second answer that should differ otherwise": (seen(X, again=X + 1), seen(X, again=X + 2)),
}


def found() -> Iterator[tuple[str, Difference]]:
    examples = {name: (seen(want), seen(have)) for name, (want, have) in ANSWERS.items()} | OBSERVED
    for name, (expected, got) in examples.items():
        found = difference(expected, got)
        assert found, name
        yield name, found


def written() -> str:
    blocks = []
    for name, each in found():
        said = words(each, NAMES)
        rows = ("expected", said.expected), ("got", said.got), ("try", said.advice)
        share = [f"  wrong     {said.wrong:.0%} of the entries"] if said.wrong else []
        below = [f"  {label:<9} {text}" for label, text in rows if text]
        blocks.append("\n".join([f"# {name}", said.headline, *below, *share]))
    return "\n\n".join(blocks) + "\n"


def test_each_kind_of_difference_has_the_words_of_the_golden_file() -> None:
    assert written() == GOLDEN.read_text(encoding="utf-8")


def test_there_is_an_example_of_each_kind() -> None:
    assert {each.rule for _, each in found()} == {*get_args(Rule)}


if __name__ == "__main__":
    GOLDEN.write_text(written(), encoding="utf-8")
