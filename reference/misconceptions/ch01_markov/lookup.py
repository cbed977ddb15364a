"""What goes wrong in `lookup`."""

import numpy as np

from reference.ch01_markov import (
    lookup,
)
from reference.misconceptions import misconception


@misconception("lookup", "lookup-transposed")
def table_transposed(one_hots, table):
    """You multiplied by the transposed table, which pulls out columns instead of rows.

    Multiply (0, 1, 0) by a table of three rows by hand, on the left of it. Do you get a row or a column?

    Leave the table as it is: one-hot rows on its left, `one_hots @ table`, pull out its rows.
    """
    return one_hots @ table.T


@misconception("lookup", "lookup-table-order")
def table_order(one_hots, table):
    """You gave each row only once and in the order of the table, instead of a row per token.

    Take a text that says a word twice. How many rows must the result have, and in which order?

    A mask of the words that occur forgets their order; the product `one_hots @ table` has a row for every token.
    """
    return table[one_hots.any(axis=0)]


@misconception("lookup", "lookup-columns")
def comes_out_transposed(one_hots, table):
    """Your result is transposed: tokens are its columns.

    Compare your shape with (T, D). Have you transposed anything on the way?

    Each token is a row, of the one-hot matrix and of the result alike: `one_hots @ table`, with nothing transposed.
    """
    return table.T @ one_hots.T


@misconception("lookup", "lookup-swapped")
def table_on_the_left(one_hots, table):
    """The table stands on the left of your product, where the one-hot rows belong.

    A product takes its rows from the matrix on the left. Should the result have T rows, or V?

    The matrix on the left makes the rows of the result: `one_hots @ table`.
    """
    return table @ one_hots


@misconception("lookup", "lookup-swapped-transposed")
def transposed_table_on_the_left(one_hots, table):
    """You multiply the transposed table by the one-hot matrix, and (D, V) does not fit (T, V).

    Write down the shapes of both matrices as they are given. In which order do their inner sizes agree without a
    transpose?

    The one-hot rows stand on the left: `one_hots @ table`.
    """
    return table.T @ one_hots


@misconception("lookup", "lookup-elementwise")
def entry_by_entry(one_hots, table):
    """You multiply the two matrices entry by entry.

    Entries of (T, V) and (V, D) have nothing to do with each other at the same place. Which product adds up over the V
    words?

    `*` pairs entries at the same place; row times matrix is `@`.
    """
    return one_hots * table


@misconception("lookup", "lookup-one-index")
def index_of_the_whole(one_hots, table):
    """Your `argmax` has no axis, so it finds a single place in the whole matrix.

    How many places of a 1 does a text of T tokens have? Better still, do you need to search at all?

    Each row has a 1 of its own: `argmax(axis=1)`, or leave the search out with `one_hots @ table`.
    """
    return table[one_hots.argmax()]


@misconception("lookup", "lookup-index-axis")
def index_of_each_column(one_hots, table):
    """You look for the 1 of each column, not of each row.

    A token is a row of (T, V). How many places must your search find, T or V?

    Search along the words, `argmax(axis=1)`; or leave the search out with `one_hots @ table`.
    """
    return table[one_hots.argmax(axis=0)]


@misconception("lookup", "lookup-as-indices")
def one_hots_as_indices(one_hots, table):
    """You index the table with the zeros and ones themselves, which picks its rows 0 and 1 again and again.

    (0, 0, 1) means row 2 of the table. What does indexing with 0, 0 and 1 give instead?

    Multiply, `one_hots @ table`, or find the place of each 1 with `argmax(axis=1)`.
    """
    return table[one_hots.astype(int)]


@misconception("lookup", "lookup-ids")
def numbers_of_the_rows(one_hots, table):
    """You returned the numbers of the rows, not the rows themselves.

    (T,) is not yet (T, D). What do the numbers of the rows stand for, and how do you get from them to the rows?

    Multiply, `one_hots @ table`, or index the table with the numbers you found.
    """
    return one_hots.argmax(axis=1)


@misconception("lookup", "lookup-first-row-only")
def first_row_only(one_hots, table):
    """You looked up the first row only.

    Every one-hot row pulls out a row of the table: return all of them, (T, D).
    """
    return lookup(one_hots, table)[:1]


@misconception("lookup", "lookup-last-row-only")
def last_row_only(one_hots, table):
    """You looked up the last row only.

    Every one-hot row pulls out a row of the table: return all of them, (T, D).
    """
    return lookup(one_hots, table)[-1:]


@misconception("lookup", "lookup-summed")
def rows_added(one_hots, table):
    """You added the rows up, so that one row is left for the whole text.

    Each token has a row of its own: (T, D).
    """
    return lookup(one_hots, table).sum(axis=0)


@misconception("lookup", "lookup-averaged")
def rows_averaged(one_hots, table):
    """You averaged the rows, so that one row is left for the whole text.

    Each token has a row of its own: (T, D).
    """
    return lookup(one_hots, table).mean(axis=0)


@misconception("lookup", "lookup-row-after")
def row_after(one_hots, table):
    """Each token gets the row after its own.

    Count rows from 0, as the places of the 1s do.
    """
    return lookup(np.roll(one_hots, 1, axis=1), table)


@misconception("lookup", "lookup-row-before")
def row_before(one_hots, table):
    """Each token gets the row before its own.

    Count rows from 0, as the places of the 1s do: subtract nothing.
    """
    return lookup(np.roll(one_hots, -1, axis=1), table)


@misconception("lookup", "lookup-reversed")
def rows_in_reverse(one_hots, table):
    """Your rows come in reverse order.

    Row t of the result belongs to row t of `one_hots`.
    """
    return lookup(one_hots, table)[::-1]


@misconception("lookup", "lookup-each-row-once")
def each_row_once(one_hots, table):
    """You gave a row only once, though its word occurs more than once.

    A row per token, in the order of the text, repeated words included.
    """
    return lookup(one_hots[sorted(np.unique(one_hots.argmax(axis=1), return_index=True)[1])], table)


@misconception("lookup", "lookup-float32")
def single_precision(one_hots, table):
    """You computed in float32, which keeps about seven digits.

    Leave the dtype of the table as it is.
    """
    return lookup(one_hots, table.astype(np.float32)).astype(np.float64)


@misconception("lookup", "lookup-extra-axis")
def extra_axis(one_hots, table):
    """You kept an axis too many: your result is (T, 1, D).

    Which of your steps keeps an axis of size 1? Print the shape after each of them.

    An index found with `keepdims=True` or by `np.argwhere` keeps its own axis; `one_hots @ table` is (T, D).
    """
    return lookup(one_hots, table)[:, None]


@misconception("lookup", "lookup-products-kept")
def products_not_added(one_hots, table):
    """You multiplied without adding up: your result is (T, V, D).

    Which axis do both matrices have? It must not be in the result (T, D).

    Sum over the words, or let the product do both: `one_hots @ table`.
    """
    return one_hots[:, :, None] * table


@misconception("lookup", "lookup-argmax")
def row_of_the_largest(one_hots, table):
    """A row of shares is not mixed: it gets the one row of the table with the largest share, as `argmax` finds it.

    A row [.5 0 0 .5] asks for half of row 0 and half of row 3. Which operation gives that, and the single rows too?

    The matrix product, `one_hots @ table`.
    """
    return table[one_hots.argmax(axis=1)]


@misconception("lookup", "lookup-nonzero")
def rows_of_all_that_is_not_zero(one_hots, table):
    """You index the table with the place of each entry that is not 0: a row of shares gives several rows.

    A row [.5 0 0 .5] asks for half of row 0 and half of row 3. Which operation gives that, and the single rows too?

    The matrix product, `one_hots @ table`.
    """
    return table[one_hots.nonzero()[1]]


@misconception("lookup", "lookup-on-off")
def whole_rows_of_all_shares(one_hots, table):
    """You add whole rows: an entry counts as on or off, however large it is.

    A row [.5 0 0 .5] asks for half of row 0 and half of row 3. Where do the halves come in?

    The matrix product, `one_hots @ table`, multiplies each row by its share.
    """
    return (one_hots > 0).astype(table.dtype) @ table


@misconception("lookup", "lookup-whole-numbers")
def whole_numbers(one_hots, table):
    """Shares below 1 count as 0 in your product, as if the one-hot rows were cast to whole numbers.

    A row may also mix several words, such as half of one and half of another. What is left of a half in your code?
    """
    return one_hots.astype(int) @ table


@misconception("lookup", "lookup-squeezed")
def squeezed(one_hots, table):
    """You squeezed the result, which drops every axis of size 1.

    A text of one word has one row, and a table may have one column. Do you need to take an axis away at all?
    """
    return lookup(one_hots, table).squeeze()


@misconception("lookup", "lookup-two-largest")
def two_largest_shares(one_hots, table):
    """You mix only the two rows with the largest shares.

    A row of the first matrix may spread over all words. Does every share of it count in your result?
    """
    kept = one_hots * (one_hots >= np.sort(one_hots, axis=1)[:, -2:-1])
    return lookup(kept, table)


@misconception("lookup", "lookup-one-buffer")
def into_one_buffer(one_hots, table, buffers={}):  # noqa: B006
    """You write every result into an array that you keep, so a second call overwrites the result of the first.

    Look up two texts, and print the first result after the second call. Whose array is it?
    """
    shape = len(one_hots), table.shape[1]
    return np.matmul(one_hots, table, out=buffers.setdefault(shape, np.empty(shape)))


@misconception("lookup", "lookup-first-decides")
def first_row_decides(one_hots, table):
    """You pull out whole rows wherever the first row is one-hot, although later ones may hold shares.

    Each row speaks for itself; the product with the table is right for both kinds.
    """
    return table[one_hots.argmax(axis=1)] if one_hots[0].max() == 1 else one_hots @ table


@misconception("lookup", "lookup-as-indices-summed")
def one_hots_as_indices_summed(one_hots, table):
    """You add up rows 0 and 1 of the table: each 0 of a one-hot row adds row 0, each 1 adds row 1.

    (0, 0, 1) means row 2 of the table, once. What does an index of zeros and ones pick? A product needs no index.
    """
    return table[one_hots.astype(int)].sum(axis=1)
