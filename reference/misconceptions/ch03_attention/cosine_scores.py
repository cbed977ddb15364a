"""What goes wrong in `cosine_scores`."""

from reference.ch03_attention import (
    cosine_scores,
    dot_scores,
    scaled_dot_scores,
)
from reference.misconceptions import misconception


@misconception("cosine_scores", "cosine-undivided")
def cosine_undivided(q, k):
    """Your scores are plain dot products: nothing is divided by the lengths.

    Divide every query and every key by its length, `norm(dim=-1, keepdim=True)`.
    """
    return dot_scores(q, k)


@misconception("cosine_scores", "cosine-one-length")
def cosine_one_length(q, k):
    """You divide by the lengths of the queries only.

    A cosine needs both lengths; divide the keys by theirs too.
    """
    return dot_scores(q / q.norm(dim=-1, keepdim=True), k)


@misconception("cosine_scores", "cosine-key-length")
def cosine_key_length(q, k):
    """You divide by the lengths of the keys only.

    A cosine needs both lengths; divide the queries by theirs too.
    """
    return dot_scores(q, k / k.norm(dim=-1, keepdim=True))


@misconception("cosine_scores", "cosine-squared-lengths")
def cosine_squared_lengths(q, k):
    """You divide by the squared lengths: the square root is missing.

    The length is √(x · x), as `norm` gives it.
    """
    return dot_scores(q / (q * q).sum(-1, keepdim=True), k / (k * k).sum(-1, keepdim=True))


@misconception("cosine_scores", "cosine-whole-norm")
def cosine_whole_norm(q, k):
    """You divide by the length of the whole tensor, not of each vector.

    Give `norm` the last axis: `norm(dim=-1, keepdim=True)`.
    """
    return dot_scores(q / q.norm(), k / k.norm())


@misconception("cosine_scores", "cosine-positions-norm")
def cosine_positions_norm(q, k):
    """You take the lengths across positions, not of each vector.

    One vector lies along the last axis: `norm(dim=-1, keepdim=True)`.
    """
    return dot_scores(q / q.norm(dim=-2, keepdim=True), k / k.norm(dim=-2, keepdim=True))


@misconception("cosine_scores", "cosine-by-root-d")
def cosine_by_root_d(q, k):
    """Your scores are divided by √d, not by the lengths of query and key.

    That is the scaled dot product. For a cosine, divide each query and each key by its own length.
    """
    return scaled_dot_scores(q, k)


@misconception("cosine_scores", "cosine-distance")
def cosine_distance(q, k):
    """You return 1 minus the cosine, a distance.

    A score is high where query and key agree; return the cosine itself.
    """
    return 1 - cosine_scores(q, k)


@misconception("cosine_scores", "cosine-swapped")
def cosine_swapped(q, k):
    """Your scores are transposed: they have keys as rows and queries as columns.

    Queries are the rows: their directions stand on the left, the transposed directions of the keys on the right.
    """
    return cosine_scores(k, q)


@misconception("cosine_scores", "cosine-pairwise")
def cosine_pairwise(q, k):
    """You compare query i with key i only, position by position.

    Every query is scored against every key: that is a matrix product of the directions.
    """
    return (q * k).sum(-1) / (q.norm(dim=-1) * k.norm(dim=-1))


@misconception("cosine_scores", "cosine-fixed-axes")
def cosine_fixed_axes(q, k):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too: count from the right, -2 and -1.
    """
    return q / q.norm(dim=2, keepdim=True) @ (k / k.norm(dim=2, keepdim=True)).transpose(1, 2)


@misconception("cosine_scores", "cosine-in-place")
def cosine_in_place(q, k):
    """You divide the caller's vectors by their lengths in place.

    `q /= ...` writes into the tensor you were given; make a new one with `q / ...`.
    """
    q /= q.norm(dim=-1, keepdim=True)
    k /= k.norm(dim=-1, keepdim=True)
    return dot_scores(q, k)


@misconception("cosine_scores", "cosine-detached-lengths")
def cosine_detached_lengths(q, k):
    """The lengths you divide by are cut off from q and k, so the gradients are wrong.

    A longer vector has the same cosine, which the gradient learns only through the lengths: do not detach them.
    """
    return dot_scores(q / q.detach().norm(dim=-1, keepdim=True), k / k.detach().norm(dim=-1, keepdim=True))


@misconception("cosine_scores", "cosine-all-axes")
def cosine_all_axes(q, k):
    """You reverse all axes of k with `.T`, the batch too, where only its last two should change places.

    With k (B, Tk, d) you get (d, Tk, B). Which axes does the product need swapped, and which must stay?

    `k.transpose(-2, -1)`, or `k.mT`, leaves every axis in front where it is.
    """
    q = q / q.norm(dim=-1, keepdim=True)
    k = k / k.norm(dim=-1, keepdim=True)
    return q @ k.permute(*reversed(range(k.dim())))


@misconception("cosine_scores", "cosine-keys-over-keys")
def keys_over_keys(q, k):
    """You give the columns of the keys length 1, over all keys, instead of each key.

    The queries are right. A key is a row: its length is taken along the last axis, as for the queries.
    """
    return (q / q.norm(dim=-1, keepdim=True)) @ (k / k.norm(dim=-2, keepdim=True)).mT
