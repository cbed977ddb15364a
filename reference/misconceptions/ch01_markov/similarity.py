"""What goes wrong in `similarity`."""

import numpy as np

from reference.misconceptions import misconception


@misconception("similarity", "similarity-cosine")
def cosine(a, b):
    """You divided by the lengths of the rows: that is the cosine, not the dot product.

    Return the plain dot products `a @ b.T`; a long row may count for more.
    """
    lengths = np.linalg.norm(a, axis=1)[:, None] * np.linalg.norm(b, axis=1)
    return a @ b.T / lengths


@misconception("similarity", "similarity-swapped")
def swapped(a, b):
    """Your rows belong to b and your columns to a: the result is transposed.

    Put a on the left: `a @ b.T` has a row per row of a and a column per row of b.
    """
    return b @ a.T


@misconception("similarity", "similarity-scaled")
def scaled(a, b):
    """You divided the dot products by √D.

    Leave them plain here; the scale comes with scaled dot-product attention, in chapter 3.
    """
    return a @ b.T / np.sqrt(a.shape[1])


@misconception("similarity", "similarity-row-by-row")
def row_by_row(a, b):
    """You multiplied row t of a by row t of b only, entry by entry.

    Every row of a meets every row of b: the matrix product `a @ b.T` has all (T, S) pairs.
    """
    return (a * b).sum(axis=1)
