"""What goes wrong in `causal_mask`."""

import math

import torch

from reference.ch04_masking import (
    causal_mask,
)
from reference.misconceptions import misconception


@misconception("causal_mask", "causal-mask-inverted")
def causal_inverted(length, past=0):
    """Your mask is inverted: it is True for the future, which must not be seen.

    True means "may attend": a query sees itself and what came before. `triu(1)` would be what to hide.
    """
    return ~causal_mask(length, past)


@misconception("causal_mask", "causal-mask-no-self")
def causal_without_itself(length, past=0):
    """In your mask a query does not see its own position.

    It may: position i predicts word i + 1, so word i is known. Compare with <=, or keep the diagonal.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril(past - 1)


@misconception("causal_mask", "causal-mask-peeks")
def causal_peeks_ahead(length, past=0):
    """Your queries see one position too many: the very word they must predict.

    Query i stands at position past + i and sees keys up to past + i, itself the last; move the diagonal left by one.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril(past + 1)


@misconception("causal_mask", "causal-mask-future")
def causal_sees_the_future(length, past=0):
    """Your triangle is flipped: a query sees itself and what comes after it, not what came before.

    Rows are queries, columns are keys; key <= query is allowed. Look for `triu`, a transpose or a >=.
    """
    return torch.ones(length, past + length, dtype=torch.bool).triu(past)


@misconception("causal_mask", "causal-mask-top-left")
def causal_aligned_top_left(length, past=0):
    """Your triangle starts in the upper left corner, as if query 0 stood at position 0.

    With `past` earlier keys, query i stands at position past + i; move the diagonal right by `past`.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril()


@misconception("causal_mask", "causal-mask-past-ignored")
def causal_without_past(length, past=0):
    """Your mask is (length, length): the `past` earlier keys have no column.

    Queries are the new positions only, keys are the old and the new ones: (length, past + length).
    """
    return torch.ones(length, length, dtype=torch.bool).tril()


@misconception("causal_mask", "causal-mask-past-on-queries")
def causal_with_past_on_the_query_axis(length, past=0):
    """You add `past` to the rows, but the earlier positions are keys, not queries.

    Their queries were answered long ago, and only their keys are kept: the shape is (length, past + length).
    """
    return torch.ones(past + length, length, dtype=torch.bool).tril()


@misconception("causal_mask", "causal-mask-past-on-both")
def causal_with_past_on_both_axes(length, past=0):
    """Your mask is square: it has a row for every earlier position too.

    Only the new positions are queries; the last `length` rows of your mask are the answer.
    """
    return torch.ones(past + length, past + length, dtype=torch.bool).tril()


@misconception("causal_mask", "causal-mask-past-hidden")
def causal_hides_the_past(length, past=0):
    """Your queries do not see the `past` earlier keys at all.

    A causal query may see everything that came before: the first `past` columns are all True.
    """
    return torch.cat([torch.zeros(length, past, dtype=torch.bool), causal_mask(length)], dim=1)


@misconception("causal_mask", "causal-mask-past-behind")
def causal_with_past_behind(length, past=0):
    """You put the columns of the `past` earlier keys behind the new ones.

    Keys stand in the order of the text: the old ones first, then the triangle of the new ones.
    """
    return torch.cat([causal_mask(length), torch.ones(length, past, dtype=torch.bool)], dim=1)


@misconception("causal_mask", "causal-mask-everything")
def causal_hides_nothing(length, past=0):
    """Your mask allows everything.

    That is right for a single new query, but with more of them the earlier ones must not see the later ones.
    """
    return torch.ones(length, past + length, dtype=torch.bool)


@misconception("causal_mask", "causal-mask-numbers")
def causal_as_numbers(length, past=0):
    """Your mask holds the numbers 1 and 0 instead of True and False.

    `~mask` and `masked_fill` need booleans: build it with `dtype=torch.bool`, or by a comparison.
    """
    return torch.ones(length, past + length).tril(past)


@misconception("causal_mask", "causal-mask-additive")
def causal_as_summand(length, past=0):
    """Your mask holds 0 and -inf: that is the additive kind, made to be added to scores.

    This course's masks are boolean, True = may attend; `additive_mask` turns one into the other.
    """
    return torch.full((length, past + length), -math.inf).triu(past + 1)


@misconception("causal_mask", "causal-mask-four-axes")
def causal_of_four_axes(length, past=0):
    """Your mask has two axes of size 1 in front that do not belong there.

    Broadcasting adds them by itself, in front; return (length, past + length).
    """
    return causal_mask(length, past)[None, None]


@misconception("causal_mask", "causal-mask-fixed-table")
def causal_from_a_fixed_table(length, past=0):
    """You cut the mask out of a table of fixed size, so a longer text does not fit.

    Build it for `length` and `past`, or let the table grow.
    """
    return torch.ones(64, 64, dtype=torch.bool).tril()[past : past + length, : past + length]


@misconception("causal_mask", "causal-mask-three-axes")
def causal_of_three_axes(length, past=0):
    """Your mask has an axis of size 1 in front that does not belong there.

    Broadcasting adds such axes by itself, in front; return (length, past + length).
    """
    return causal_mask(length, past)[None]


@misconception("causal_mask", "causal-mask-squeezed")
def causal_squeezed(length, past=0):
    """You drop axes of size 1, so the mask of a single query has no axis for its queries.

    One query is a row of its own, (1, past + 1); leave out `squeeze()`.
    """
    return causal_mask(length, past).squeeze()


@misconception("causal_mask", "causal-mask-past-without-columns")
def causal_moved_but_square(length, past=0):
    """You move the diagonal by `past`, but your mask has no columns for the `past` earlier keys.

    Queries are the new positions only, keys are the old and the new ones: (length, past + length).
    """
    return torch.ones(length, length, dtype=torch.bool).tril(past)


@misconception("causal_mask", "causal-mask-moved-left")
def causal_moved_the_wrong_way(length, past=0):
    """You move the diagonal to the left by `past` instead of to the right.

    Query i sees keys up to past + i: the triangle sits in the lower right corner, `tril(past)`.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril(-past)


@misconception("causal_mask", "causal-mask-peeks-past")
def causal_peeks_ahead_with_a_past(length, past=0):
    """With a past, your queries see one position too many: the very word they must predict.

    Query i stands at position past + i and sees keys up to past + i, itself the last.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril(past + (past > 0))


@misconception("causal_mask", "causal-mask-no-self-past")
def causal_without_itself_with_a_past(length, past=0):
    """With a past, your queries do not see their own position.

    Query i stands at position past + i and sees keys up to past + i, itself the last.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril(past - (past > 0))


@misconception("causal_mask", "causal-mask-first-row")
def causal_starts_at_one(length, past=0):
    """Your first query sees nothing at all.

    It sees its own position and all earlier keys; a loop over the queries starts at 0.
    """
    return causal_mask(length, past) & (torch.arange(length) > 0)[:, None]


@misconception("causal_mask", "causal-mask-last-row")
def causal_stops_one_short(length, past=0):
    """Your last query sees nothing at all.

    It is the newest word and sees everything; a loop over the queries runs to `length`.
    """
    return causal_mask(length, past) & (torch.arange(length) < length - 1)[:, None]


@misconception("causal_mask", "causal-mask-itself-only")
def causal_sees_itself_only(length, past=0):
    """Of the new keys your queries see only their own; the new ones before it are hidden.

    A query sees everything up to its own position: keys 0 to past + i.
    """
    return torch.cat([torch.ones(length, past, dtype=torch.bool), torch.eye(length, dtype=torch.bool)], dim=1)


@misconception("causal_mask", "causal-mask-window")
def causal_of_a_window(length, past=0):
    """Your queries lose an early key with every step: query i no longer sees keys 0 to i - 1.

    A causal query sees everything that came before, from key 0 on; only the right end of its row moves.
    """
    return torch.ones(length, past + length, dtype=torch.bool).tril(past).triu()


@misconception("causal_mask", "causal-mask-table-1024")
def causal_from_a_table_of_1024(length, past=0):
    """You cut the mask out of a table of 1024 positions, so a longer text does not fit.

    Build it for `length` and `past`, or let the table grow.
    """
    return torch.ones(1024, 1024, dtype=torch.bool).tril()[past : past + length, : past + length]


@misconception("causal_mask", "causal-mask-reshaped")
def causal_reshaped(length, past=0):
    """You make a table with keys as rows and reshape it, which only breaks the same row of entries anew.

    A reshape swaps no axes: without a past you get the mirrored triangle. Make queries the rows from the start.
    """
    keys, queries = torch.arange(past + length)[:, None], torch.arange(length)
    return (keys <= queries + past).reshape(length, past + length)


@misconception("causal_mask", "causal-mask-table-512")
def causal_from_a_table_of_512(length, past=0):
    """You cut the mask out of a table of 512 positions, so a longer text does not fit.

    Build it for `length` and `past`, or let the table grow.
    """
    return torch.ones(512, 512, dtype=torch.bool).tril()[past : past + length, : past + length]


@misconception("causal_mask", "causal-mask-table-2048")
def causal_from_a_table_of_2048(length, past=0):
    """You cut the mask out of a table of 2048 positions, so a longer text does not fit.

    Build it for `length` and `past`, or let the table grow.
    """
    return torch.ones(2048, 2048, dtype=torch.bool).tril()[past : past + length, : past + length]
