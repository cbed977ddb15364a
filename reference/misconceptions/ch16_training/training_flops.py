"""What goes wrong in `training_flops`."""

import numpy as np

from reference.misconceptions import misconception


@misconception("training_flops", "training-flops-forward-alone")
def forward_alone(parameters, tokens):
    """You count the way forward alone.

    The way back costs twice as much: one product for the gradient of the input, one for that of the matrix.
    """
    return 2 * parameters * tokens


@misconception("training_flops", "training-flops-one-product-back")
def one_product_back(parameters, tokens):
    """You count 4 operations for each parameter and token: one of three products is missing, forward or back.

    In how many products is a matrix used forward, and in how many on the way back? Each takes 2 operations.
    """
    return 4 * parameters * tokens


@misconception("training_flops", "training-flops-no-additions")
def no_additions(parameters, tokens):
    """You count multiplications alone; each of them comes with an addition.

    Forward that makes two operations for each parameter and token.
    """
    return 3 * parameters * tokens


@misconception("training_flops", "training-flops-forward-again")
def forward_again(parameters, tokens):
    """You count the way forward twice, as if nothing of it were kept for the way back.

    That is how one trains where memory is short; here each product is made once.
    """
    return 8 * parameters * tokens


@misconception("training_flops", "training-flops-one-operation")
def one_operation(parameters, tokens):
    """You count one operation for each parameter and token.

    A multiplication and an addition forward, and two such pairs on the way back.
    """
    return parameters * tokens


@misconception("training_flops", "training-flops-float")
def as_float(parameters, tokens):
    """You compute in floating point, which is not exact for counts as large as these.

    `int(...)` at the end does not bring lost digits back. Python's whole numbers have no largest one: multiply these.
    """
    return 6.0 * parameters * tokens


@misconception("training_flops", "training-flops-overflow")
def overflow(parameters, tokens):
    """Your product does not fit into 64 bits, and wraps around.

    NumPy and torch count up to about 9 · 10^18. Python's own whole numbers have no largest one.
    """
    with np.errstate(all="ignore"):
        return int(np.int64(6) * np.int64(parameters) * np.int64(tokens))


@misconception("training_flops", "training-flops-decimal")
def decimal(parameters, tokens):
    """Your product keeps its first digits and loses the others, as that of a `Decimal` does after 28.

    It is nearer than a float, and still rounded. Python's own whole numbers have no largest one.
    """
    from decimal import Decimal

    return int(Decimal(6) * parameters * tokens)


@misconception("training_flops", "training-flops-way-back-once")
def way_back_once(parameters, tokens):
    """You count the way back once for each parameter, not for each token.

    A gradient goes back from every token, through the same matrices as on its way forward.
    """
    return 2 * parameters * tokens + 4 * parameters


@misconception("training_flops", "training-flops-digits-joined")
def digits_joined(parameters, tokens):
    """You join two counts with `|`, which counts a binary digit that both have only once.

    `1 | 2` is 3, but `3 | 6` is 7. Which operator adds whatever the digits are?
    """
    return 2 * parameters * tokens | 4 * parameters * tokens


@misconception("training_flops", "training-flops-forward-once")
def forward_once(parameters, tokens):
    """You count the way forward once for each parameter, not for each token.

    Every token goes forward through all matrices. If you add the two ways before you multiply, are there parentheses
    around the sum?
    """
    return 2 * parameters + 4 * parameters * tokens
