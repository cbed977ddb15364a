"""What goes wrong in `similarity`."""

import numpy as np

from reference.ch01_markov import (
    similarity,
)
from reference.misconceptions import misconception


@misconception("similarity", "similarity-cosine")
def cosine(a, b):
    """You divided by the lengths of the rows: that is the cosine, not the dot product.

    What changes if you make a row of a twice as long? It may count for more here.
    """
    lengths = np.linalg.norm(a, axis=1)[:, None] * np.linalg.norm(b, axis=1)
    return a @ b.T / lengths


@misconception("similarity", "similarity-swapped")
def swapped(a, b):
    """Your rows belong to b and your columns to a: the result is transposed.

    Entry [t, s] belongs to row t of a. Whose rows become the rows of a product?
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

    Every row of a meets every row of b. How many pairs are that, and which product makes them all?
    """
    return (a * b).sum(axis=1)


@misconception("similarity", "similarity-reshaped")
def reshaped(a, b):
    """You reshaped b to (D, S) instead of transposing it, which mixes up the numbers of its rows.

    `reshape` keeps the numbers in their order and breaks them into new rows. What turns rows into columns?
    """
    return a @ b.reshape(b.shape[1], b.shape[0])


@misconception("similarity", "similarity-not-transposed")
def not_transposed(a, b):
    """You multiplied by b as it is, so that rows of a meet columns of b.

    A product takes rows of the left matrix and columns of the right one. What must become columns?
    """
    return a @ b


@misconception("similarity", "similarity-a-transposed")
def other_one_transposed(a, b):
    """You transposed a instead of b, so that columns of a meet columns of b.

    A product takes rows of the left matrix and columns of the right one. Which of the two has to be turned?
    """
    return a.T @ b


@misconception("similarity", "similarity-summed")
def summed(a, b):
    """You added up all dot products, so that one number is left.

    Keep them all: (T, S), a number for each pair of a row of a and a row of b.
    """
    return float((a @ b.T).sum())


@misconception("similarity", "similarity-distances")
def distances(a, b):
    """You took the distance of two rows, not their dot product.

    Similar rows have small distances and large products. Multiply the rows entry by entry and add up.
    """
    return np.linalg.norm(a[:, None] - b[None], axis=-1)


@misconception("similarity", "similarity-softmax")
def softmax_of_products(a, b):
    """You took the softmax of the dot products.

    Leave them as they are; the softmax comes in chapter 3.
    """
    weights = np.exp(similarity(a, b))
    return weights / weights.sum(axis=1, keepdims=True)


@misconception("similarity", "similarity-by-width")
def divided_by_the_width(a, b):
    """You divided the dot products by D: that is the mean of the products, not their sum.

    Add the D products up and leave the sum as it is.
    """
    return similarity(a, b) / a.shape[1]


@misconception("similarity", "similarity-absolute")
def without_sign(a, b):
    """You dropped the sign of the dot products.

    Leave them as they are: rows that point in opposite directions have a negative product.
    """
    return np.abs(similarity(a, b))


@misconception("similarity", "similarity-products-kept")
def products_not_added(a, b):
    """You did not add up the products of the entries: your result is (T, S, D).

    Two rows have one dot product. Which of your three axes does a matrix product add up by itself?
    """
    return a[:, None] * b[None]


@misconception("similarity", "similarity-equal-entries")
def equal_entries(a, b):
    """You compared the rows for equality instead of multiplying them.

    For one-hot rows the two agree; for other rows only the dot product says how alike they are.
    """
    return (a[:, None] == b[None]).all(axis=-1).astype(float)


@misconception("similarity", "similarity-first-normalised")
def one_side_normalised(a, b):
    """You divided the rows of a by their lengths.

    Take the rows as they are; a long row may count for more.
    """
    return similarity(a / np.linalg.norm(a, axis=1, keepdims=True), b)


@misconception("similarity", "similarity-second-normalised")
def other_side_normalised(a, b):
    """You divided the rows of b by their lengths.

    Take the rows as they are; a long row may count for more.
    """
    return similarity(a, b / np.linalg.norm(b, axis=1, keepdims=True))


@misconception("similarity", "similarity-float32")
def single_precision(a, b):
    """You computed the dot products in float32, which keeps about seven digits.

    Leave the dtype of a and b as it is.
    """
    return (a.astype(np.float32) @ b.astype(np.float32).T).astype(np.float64)


@misconception("similarity", "similarity-square")
def as_many_rows_in_b(a, b):
    """You take b to have as many rows as a: your result is (T, T).

    The two texts may differ in length. Which size should your columns have, and where do you read it off?

    The result is (T, S): `a @ b.T` has both sizes by itself.
    """
    products = np.zeros((len(a), len(a)))
    for t in range(len(a)):
        for s in range(len(a)):
            products[t, s] = a[t] @ b[s]
    return products


@misconception("similarity", "similarity-squeezed")
def squeezed(a, b):
    """You squeezed the result, which drops every axis of size 1.

    One row in a or in b is still an axis. Do you need to take an axis away at all?
    """
    return similarity(a, b).squeeze()


@misconception("similarity", "similarity-centred")
def rows_centred_first(a, b):
    """You subtract each row's mean first, as a covariance does.

    A dot product takes the rows as they are: what is that of a one-hot row with itself, and what do you get?
    """
    return similarity(a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True))


@misconception("similarity", "similarity-last-block-lost")
def last_block_lost(a, b):
    """You go through `b` in blocks and leave out a last one that is not full, unless it is the only one.

    How many blocks do 70 rows need if 32 fit into one, and which columns stay 0? A single product needs no blocks.
    """
    result = np.zeros((len(a), len(b)))
    for start in range(0, max(len(b) - 31, 1), 32):
        result[:, start : start + 32] = similarity(a, b[start : start + 32])
    return result
