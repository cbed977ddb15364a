"""What goes wrong in `add_positions`."""

import math

import torch

from reference.ch02_embeddings import add_positions
from reference.misconceptions import misconception


@misconception("add_positions", "add-positions-unscaled")
def words_are_not_scaled(x, positions):
    """You add the positions, but do not scale the words by √D.

    Multiply x by `math.sqrt(x.shape[-1])` first; the positions are added as they are.
    """
    return add_positions(x / math.sqrt(x.shape[-1]), positions)


@misconception("add_positions", "add-positions-sum-scaled")
def sum_is_scaled(x, positions):
    """You scale the sum, and with it the positions.

    Only the words are multiplied by √D: first scale x, then add.
    """
    return add_positions(x, positions * math.sqrt(x.shape[-1]))


@misconception("add_positions", "add-positions-divided")
def words_are_divided(x, positions):
    """You divide the words by √D.

    Multiply: the words must become larger. Dividing by √d is what attention does to its scores.
    """
    return add_positions(x / x.shape[-1], positions)


@misconception("add_positions", "add-positions-no-root")
def words_times_width(x, positions):
    """You scale the words by D, not by its root.

    Take `math.sqrt(x.shape[-1])`.
    """
    return add_positions(x * math.sqrt(x.shape[-1]), positions)


@misconception("add_positions", "add-positions-length-scaled")
def words_times_root_of_length(x, positions):
    """You scale the words by √T: you took the root of the wrong axis.

    D is the last axis of x, `x.shape[-1]`; T is the one before it.
    """
    return add_positions(x * math.sqrt(x.shape[1] / x.shape[-1]), positions)


@misconception("add_positions", "add-positions-fixed-width")
def width_is_that_of_the_paper(x, positions):
    """You scale the words by √512, the width of the paper's model.

    D is the last axis of what you are given: `x.shape[-1]`.
    """
    return add_positions(x * math.sqrt(512 / x.shape[-1]), positions)


@misconception("add_positions", "add-positions-whole-table")
def whole_table_is_added(x, positions):
    """You add the whole table, which fits only a text as long as the table.

    Take its first T rows, `positions[:x.shape[1]]`.
    """
    if x.shape[1] > positions.shape[0]:
        raise ValueError(f"{x.shape[1]} positions are asked for, the table has {positions.shape[0]}")
    return x * math.sqrt(x.shape[-1]) + positions


@misconception("add_positions", "add-positions-single-row")
def one_row_for_all(x, positions):
    """You add a single row to all positions: `positions[T]` instead of `positions[:T]`.

    The colon makes the difference between row number T and the rows up to T.
    """
    if x.shape[1] > positions.shape[0]:
        raise ValueError(f"{x.shape[1]} positions are asked for, the table has {positions.shape[0]}")
    return x * math.sqrt(x.shape[-1]) + positions[x.shape[1]]


@misconception("add_positions", "add-positions-batch-axis")
def one_row_for_each_sentence(x, positions):
    """You count along the batch: each sentence gets one row for all its words.

    Positions are the second axis of x (B, T, D); all sentences share the rows `positions[:T]`.
    """
    if x.shape[1] > positions.shape[0]:
        raise ValueError(f"{x.shape[1]} positions are asked for, the table has {positions.shape[0]}")
    return x * math.sqrt(x.shape[-1]) + positions[: x.shape[0], None]


@misconception("add_positions", "add-positions-last-rows")
def last_rows_of_the_table(x, positions):
    """You take the last T rows of the table.

    A text begins at position 0: `positions[:T]`, not `positions[-T:]`.
    """
    return add_positions(x, torch.cat([positions[-x.shape[1] :], positions[: -x.shape[1]]]))


@misconception("add_positions", "add-positions-from-one")
def positions_begin_at_one(x, positions):
    """You begin at the table's second row.

    Position 0 is the first row: `positions[:T]`.
    """
    if x.shape[1] > positions.shape[0]:
        raise ValueError(f"{x.shape[1]} positions are asked for, the table has {positions.shape[0]}")
    return x * math.sqrt(x.shape[-1]) + positions[1 : x.shape[1] + 1]


@misconception("add_positions", "add-positions-concatenated")
def positions_are_appended(x, positions):
    """You append the positions to the words, which makes the vectors twice as wide.

    They are added, number by number, and D stays D.
    """
    rows = positions[: x.shape[1]].expand(x.shape)
    return torch.cat([x * math.sqrt(x.shape[-1]), rows], dim=-1)


@misconception("add_positions", "add-positions-multiplied")
def positions_are_multiplied(x, positions):
    """You multiply the words by the positions.

    Add them: a 0 in the table would wipe out that number of the word.
    """
    if x.shape[1] > positions.shape[0]:
        raise ValueError(f"{x.shape[1]} positions are asked for, the table has {positions.shape[0]}")
    return x * math.sqrt(x.shape[-1]) * positions[: x.shape[1]]


@misconception("add_positions", "add-positions-too-long")
def too_long_is_not_noticed(x, positions):
    """You do not check for a text longer than the table: torch complains, or silently repeats a table of one row.

    Compare T with the number of rows first, and raise a `ValueError` that names both.
    """
    return x * math.sqrt(x.shape[-1]) + positions[: x.shape[1]]


@misconception("add_positions", "add-positions-assert")
def too_long_is_asserted(x, positions):
    """For a text longer than the table you raise an AssertionError.

    Write `if ...: raise ValueError(...)`; asserts are for your own mistakes, and can be switched off.
    """
    assert x.shape[1] <= positions.shape[0]
    return add_positions(x, positions)


@misconception("add_positions", "add-positions-cut")
def too_long_is_cut(x, positions):
    """You cut a text that is longer than the table.

    Words would be lost silently; raise a `ValueError` that names both sizes.
    """
    return add_positions(x[:, : positions.shape[0]], positions)


@misconception("add_positions", "add-positions-modulo")
def too_long_begins_anew(x, positions):
    """Where the table ends you begin again at its first row.

    Two places would look the same; raise a `ValueError` that names both sizes.
    """
    rows = torch.arange(x.shape[1], device=x.device) % positions.shape[0]
    return add_positions(x, positions[rows])


@misconception("add_positions", "add-positions-silent-error")
def error_names_nothing(x, positions):
    """Your `ValueError` does not name the sizes.

    Put both into the message, the length of the text and the rows of the table: that is what the reader has to change.
    """
    if x.shape[1] > positions.shape[0]:
        raise ValueError("the text is too long")
    return add_positions(x, positions)


@misconception("add_positions", "add-positions-refuses-full")
def refuses_a_text_as_long_as_the_table(x, positions):
    """You refuse a text that is exactly as long as the table.

    T rows are enough for T words: raise for `>`, not for `>=`.
    """
    if x.shape[1] >= positions.shape[0]:
        raise ValueError(f"{x.shape[1]} positions are asked for, the table has {positions.shape[0]}")
    return add_positions(x, positions)


@misconception("add_positions", "add-positions-in-place")
def changes_x(x, positions):
    """You change x in place, with `*=`, `+=`, an assignment to `x[...]` or a method that ends in an underscore.

    The caller still needs it; write `x * ... + ...`, which makes a new tensor.
    """
    result = add_positions(x, positions)
    x.copy_(result)
    return result


@misconception("add_positions", "add-positions-squeezed")
def squeezes(x, positions):
    """You squeeze the result, which drops every axis of size 1.

    A batch of one or a sentence of one word is a real axis; leave out `squeeze()`.
    """
    return add_positions(x, positions).squeeze()


@misconception("add_positions", "add-positions-float32")
def root_and_result_in_float32(x, positions):
    """Your result is float32, whatever x is.

    Leave out `.float()` and `dtype=torch.float32`; the sum then keeps the dtype of x.
    """
    return add_positions(x, positions).float()


@misconception("add_positions", "add-positions-float64")
def result_in_float64(x, positions):
    """Your result is float64, whatever x is.

    A Python number such as `math.sqrt(D)` does not change the dtype of a tensor; leave out the conversion.
    """
    return add_positions(x, positions).double()


@misconception("add_positions", "add-positions-frozen")
def positions_are_detached(x, positions):
    """No gradient reaches the positions: you detached them.

    That does no harm to computed ones, but a table may be learned as well; add it as it is.
    """
    return add_positions(x, positions.detach())


@misconception("add_positions", "add-positions-detached")
def detached(x, positions):
    """No gradient reaches x or the positions: the result is cut off (detach, .data, no_grad or NumPy).

    Compute with x and positions as they are; without gradients no word is ever learned.
    """
    return add_positions(x, positions).detach()


@misconception("add_positions", "add-positions-other-scaled")
def positions_scaled(x, positions):
    """You scale the positions by √D instead of the words.

    Scale x, and add the rows of the table as they are.
    """
    return add_positions(x / x.shape[-1] ** 0.5, positions * x.shape[-1] ** 0.5)


@misconception("add_positions", "add-positions-subtracted")
def positions_subtracted(x, positions):
    """You subtract the positions from the words.

    Add the first T rows of the table to x · √D.
    """
    return add_positions(x, -positions)


@misconception("add_positions", "add-positions-reversed")
def last_row_first(x, positions):
    """You add the first T rows in reverse order.

    Word t gets row t: `positions[:T]`.
    """
    return add_positions(x, positions[: x.shape[1]].flip(0))
