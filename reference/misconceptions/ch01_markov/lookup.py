"""What goes wrong in `lookup`."""

from reference.misconceptions import misconception


@misconception("lookup", "lookup-transposed")
def table_transposed(one_hots, table):
    """You multiplied by the transposed table, which pulls out columns instead of rows.

    Leave the table as it is: one-hot rows on its left, `one_hots @ table`, pull out its rows.
    """
    return one_hots @ table.T


@misconception("lookup", "lookup-table-order")
def table_order(one_hots, table):
    """You gave each row only once and in the order of the table, instead of a row per token.

    A mask of the words that occur forgets their order; the product `one_hots @ table` has a row for every token.
    """
    return table[one_hots.any(axis=0)]


@misconception("lookup", "lookup-columns")
def comes_out_transposed(one_hots, table):
    """Your result is transposed: tokens are its columns.

    Each token is a row, of the one-hot matrix and of the result alike: `one_hots @ table`, with nothing transposed.
    """
    return table.T @ one_hots.T


@misconception("lookup", "lookup-swapped")
def table_on_the_left(one_hots, table):
    """The table stands on the left of your product, where the one-hot rows belong.

    The matrix on the left makes the rows of the result, one for each of its own: `one_hots @ table`.
    """
    return table @ one_hots


@misconception("lookup", "lookup-swapped-transposed")
def transposed_table_on_the_left(one_hots, table):
    """You multiply the transposed table by the one-hot matrix, and (D, V) does not fit (T, V).

    The matrix on the left makes the rows of the result, one for each of its own: `one_hots @ table`.
    """
    return table.T @ one_hots


@misconception("lookup", "lookup-elementwise")
def entry_by_entry(one_hots, table):
    """You multiply the two matrices entry by entry.

    `*` pairs entries at the same place; row times matrix, summed over the words, is `@`.
    """
    return one_hots * table


@misconception("lookup", "lookup-one-index")
def index_of_the_whole(one_hots, table):
    """Your `argmax` has no axis, so it finds a single place in the whole matrix.

    Each row has a 1 of its own: `argmax(axis=1)`, or leave the search out with `one_hots @ table`.
    """
    return table[one_hots.argmax()]


@misconception("lookup", "lookup-index-axis")
def index_of_each_column(one_hots, table):
    """You look for the 1 of each column, not of each row.

    Tokens are rows, so search along the words: `argmax(axis=1)`; or leave the search out with `one_hots @ table`.
    """
    return table[one_hots.argmax(axis=0)]


@misconception("lookup", "lookup-as-indices")
def one_hots_as_indices(one_hots, table):
    """You index the table with the zeros and ones themselves, which picks its rows 0 and 1 again and again.

    A one-hot row is no row number: multiply, `one_hots @ table`, or find the place of its 1 with `argmax(axis=1)`.
    """
    return table[one_hots.astype(int)]
