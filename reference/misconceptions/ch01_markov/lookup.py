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
