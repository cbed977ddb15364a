"""Parameters with other names than the chapter's: what is told of them, in few words and only where it is sure."""

from __future__ import annotations

import pytest
from torch import nn

from autograder.calls.built import mismatch


def shapes(**parts: nn.Module) -> dict[str, tuple[int, ...]]:
    """What a module with these parts has; two underscores are a dot."""
    return {
        f"{name.replace('__', '.')}.{inner}": tuple(value.shape)
        for name, part in parts.items()
        for inner, value in part.state_dict().items()
    }


def between(wanted: dict[str, tuple[int, ...]], own: dict[str, tuple[int, ...]]) -> str:
    return mismatch(wanted, own, own)


NORM, SMALL, LARGE = nn.LayerNorm(4), nn.Linear(4, 4), nn.Linear(4, 8)
NETWORK = nn.Sequential(LARGE, nn.ReLU(), nn.Linear(8, 4))


def test_parts_that_are_alike_but_for_their_names_are_said_by_both() -> None:
    wanted = shapes(attention__w_q=SMALL, attention__w_k=SMALL, feed_forward=NETWORK, norm=NORM)
    own = shapes(attn__w_q=SMALL, attn__w_k=SMALL, ffn=NETWORK, norm=NORM)
    assert between(wanted, own) == "`attn` should be called `attention`, and `ffn` `feed_forward`"


def test_a_name_is_said_from_where_it_differs() -> None:
    wanted = shapes(attention__w_q=SMALL, attention__w_o=LARGE)
    assert between(wanted, shapes(attention__query=SMALL, attention__w_o=LARGE)) == (
        "`attention.query` should be called `attention.w_q`"
    )
    assert between({"scale": (4,)}, {"gamma": (4,)}) == "`gamma` should be called `scale`"


def test_of_several_that_look_alike_it_is_left_open_which_is_which() -> None:
    found = between(shapes(w_q=SMALL, w_k=SMALL), shapes(one=SMALL, two=SMALL))
    assert found == "instead of `one` and `two` there should be `w_q` and `w_k`"


def test_what_is_called_otherwise_in_every_block_is_said_once() -> None:
    wanted = shapes(blocks__0__norm=NORM, blocks__1__norm=NORM)
    assert between(wanted, shapes(blocks__0__ln=NORM, blocks__1__ln=NORM)) == (
        "`blocks.*.ln` should be called `blocks.*.norm`"
    )
    one = shapes(blocks__0__norm=NORM, blocks__1__ln=NORM)
    assert between(wanted, one) == "`blocks.1.ln` should be called `blocks.1.norm`"


@pytest.mark.parametrize(
    ("wanted", "own"),
    [
        (shapes(net__0=LARGE, net__2=SMALL), shapes(net__0=LARGE, net__1=SMALL)),  # a number is no name
        (shapes(net=LARGE), shapes(other=SMALL)),  # other shapes
        (shapes(inner__net=SMALL), shapes(outer__inside__net=SMALL)),  # another place
        (shapes(w_q=SMALL, w_k=SMALL), shapes(one=SMALL)),  # which of the two it is, nobody knows
    ],
)
def test_where_it_is_not_sure_nothing_is_said_of_other_names(
    wanted: dict[str, tuple[int, ...]], own: dict[str, tuple[int, ...]]
) -> None:
    found = between(wanted, own)
    assert "missing" in found
    assert "one of them" in found
    assert "should be" not in found


def test_what_is_missing_or_too_much_is_said_by_submodule() -> None:
    found = between(shapes(norm=NORM, net=NETWORK), shapes(norm=NORM, extra=LARGE))
    assert found == "net.* is missing; extra.* is not one of them"
    assert between(shapes(net=SMALL), {"net.weight": (4, 4)}) == "net.bias is missing"


def test_of_many_a_few_are_said_and_the_others_counted() -> None:
    many = {f"blocks.{number}.{name}": (2,) for number in range(7) for name in ("scale", "shift")}
    found = between({"head": (3,), **many}, {})
    assert found == "head and blocks.* are missing"
    found = between({f"part{number}": (number,) for number in range(7)}, {})
    assert found == "part0, part1, part2, part3 and 3 more are missing"


def test_another_shape_is_said_beside_other_names() -> None:
    found = between({"w": (4, 3), "v": (2,)}, {"w": (3, 3), "u": (2,)})
    assert found == "`u` should be called `v`; w has shape (3, 3) instead of (4, 3)"


def test_parameters_as_they_should_be_are_no_trouble() -> None:
    assert between(shapes(net=NETWORK), shapes(net=NETWORK)) == ""
    assert mismatch(shapes(net=SMALL), {**shapes(net=SMALL), "table": (3,)}, shapes(net=SMALL)) == ""
