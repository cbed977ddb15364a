"""What goes wrong in `cosine_scores`, continued: the lengths, and what becomes of the cosines."""

import math

import torch

from reference.ch03_attention import cosine_scores, dot_scores, softmax
from reference.misconceptions import misconception


@misconception("cosine_scores", "cosine-keys-column")
def cosine_keys_column(q, k):
    """You divide score [i, j] by the length of key i, where it should be the length of key j.

    The keys' lengths belong to the columns, (..., 1, Tk): transpose them, or divide the keys before the product.
    """
    return dot_scores(q, k) / (q.norm(dim=-1, keepdim=True) * k.norm(dim=-1, keepdim=True))


@misconception("cosine_scores", "cosine-queries-row")
def cosine_queries_row(q, k):
    """You divide score [i, j] by the length of query j, where it should be the length of query i.

    The queries' lengths belong to the rows, (..., Tq, 1): keep their axis with `keepdim=True`.
    """
    return dot_scores(q, k) / (q.norm(dim=-1).unsqueeze(-2) * k.norm(dim=-1).unsqueeze(-2))


@misconception("cosine_scores", "cosine-axis-1")
def cosine_axis_1(q, k):
    """You divide by the lengths along axis 1, which is the vectors' own axis only without leading axes.

    Give the axis, `dim=-1`: `nn.functional.normalize` takes axis 1 if you do not.
    """
    return dot_scores(torch.nn.functional.normalize(q), torch.nn.functional.normalize(k))


@misconception("cosine_scores", "cosine-small-number")
def cosine_small_number(q, k):
    """You add 1e-5 to the lengths, so all cosines come out a little too close to 0.

    No vector is zero here: divide by the length itself.
    """
    return dot_scores(q / (q.norm(dim=-1, keepdim=True) + 1e-5), k / (k.norm(dim=-1, keepdim=True) + 1e-5))


@misconception("cosine_scores", "cosine-small-number-6")
def cosine_smaller_number(q, k):
    """You add 1e-6 to the lengths, so all cosines come out a little too close to 0.

    No vector is zero here: divide by the length itself.
    """
    return dot_scores(q / (q.norm(dim=-1, keepdim=True) + 1e-6), k / (k.norm(dim=-1, keepdim=True) + 1e-6))


@misconception("cosine_scores", "cosine-sums")
def cosine_sums(q, k):
    """You divide by the sums of absolute values, not by the lengths.

    The length is the root of the sum of squares: `x.norm(dim=-1, keepdim=True)`.
    """
    return dot_scores(q / q.abs().sum(dim=-1, keepdim=True), k / k.abs().sum(dim=-1, keepdim=True))


@misconception("cosine_scores", "cosine-largest")
def cosine_largest(q, k):
    """You divide each vector by its largest absolute number, not by its length.

    The length is the root of the sum of squares: `x.norm(dim=-1, keepdim=True)`.
    """
    return dot_scores(q / q.abs().amax(dim=-1, keepdim=True), k / k.abs().amax(dim=-1, keepdim=True))


@misconception("cosine_scores", "cosine-centred")
def cosine_centred(q, k):
    """You subtract each vector's mean first: that is the correlation, not the cosine.

    Divide the vectors by their lengths as they are.
    """
    return cosine_scores(q - q.mean(dim=-1, keepdim=True), k - k.mean(dim=-1, keepdim=True))


@misconception("cosine_scores", "cosine-scaled")
def cosine_scaled(q, k):
    """You divide the cosines by √d, too.

    The lengths are all that a cosine is divided by.
    """
    return cosine_scores(q, k) / math.sqrt(q.shape[-1])


@misconception("cosine_scores", "cosine-softmaxed")
def cosine_softmaxed(q, k):
    """You return weights: the softmax is applied already.

    Return the scores; they become weights in attention.
    """
    return softmax(cosine_scores(q, k), -1)


@misconception("cosine_scores", "cosine-absolute")
def cosine_absolute(q, k):
    """You drop the sign of the cosines.

    Vectors that point in opposite directions have a cosine of -1.
    """
    return cosine_scores(q, k).abs()


@misconception("cosine_scores", "cosine-root-of-product")
def cosine_root_of_product(q, k):
    """You divide by the root of the product of the lengths.

    Divide by the product itself, |query i| |key j|: its root is taken inside each length already.
    """
    lengths = q.norm(dim=-1, keepdim=True) * k.norm(dim=-1, keepdim=True).transpose(-2, -1)
    return dot_scores(q, k) / lengths.sqrt()


@misconception("cosine_scores", "cosine-sum-of-lengths")
def cosine_sum_of_lengths(q, k):
    """You divide by the sum of the two lengths, not by their product.

    Multiply them: |query i| |key j|.
    """
    return dot_scores(q, k) / (q.norm(dim=-1, keepdim=True) + k.norm(dim=-1, keepdim=True).transpose(-2, -1))


@misconception("cosine_scores", "cosine-squeezed")
def cosine_squeezed(q, k):
    """You squeeze the scores, which drops every axis of size 1.

    A single query or key keeps its axis: (..., Tq, Tk).
    """
    return cosine_scores(q, k).squeeze()


@misconception("cosine_scores", "cosine-detached")
def cosine_detached(q, k):
    """Your scores are cut off from q and k: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the tensors as they are.
    """
    return cosine_scores(q, k).detach()


@misconception("cosine_scores", "cosine-over-sizes")
def cosine_over_sizes(q, k):
    """You divide by how many numbers the vectors have, not by how long they are.

    |s| is the Euclidean length, the root of the sum of squares; d is only the number of entries.
    """
    return torch.einsum("...qd,...kd->...qk", q, k) / q.shape[-1] ** 2


@misconception("cosine_scores", "cosine-shortest-length")
def cosine_shortest_length(q, k):
    """You never divide by a length below 1, so the scores of short vectors are too close to 0.

    A vector of length 0.1 points somewhere, too, and none is zero here. What would its cosine with itself be?
    """
    lengths = [x.norm(dim=-1, keepdim=True).clamp(min=1.0) for x in (q, k)]
    return dot_scores(q / lengths[0], k / lengths[1])


@misconception("cosine_scores", "cosine-tensordot")
def cosine_tensordot(q, k):
    """You score the queries of each sentence against the keys of all sentences: your result is (B, Tq, B, Tk).

    `torch.tensordot` and NumPy's `inner` pair every leading axis of q with every one of k. Which axes must stay
    together?

    A matrix product keeps the leading axes side by side: `q @ k.transpose(-2, -1)`.
    """
    q = q / q.norm(dim=-1, keepdim=True)
    k = k / k.norm(dim=-1, keepdim=True)
    return torch.tensordot(q, k, dims=([-1], [-1]))


@misconception("cosine_scores", "cosine-by-angle")
def cosine_by_the_angle(q, k):
    """You go through the angle: where query and key are parallel, the gradient is NaN, as acos is vertical there.

    The cosine is there before you ask for its angle. Return that.
    """
    lengths = q.norm(dim=-1).unsqueeze(-1) * k.norm(dim=-1).unsqueeze(-2)
    return torch.cos(torch.acos((q @ k.mT / lengths).clamp(-1, 1)))


@misconception("cosine_scores", "cosine-bmm")
def cosine_by_bmm(q, k):
    """You use `torch.bmm`, which takes three axes, neither more nor fewer.

    There may be no batch axis, or one for heads too. Which product takes any number of leading axes?
    """
    return torch.bmm(q / q.norm(dim=-1, keepdim=True), (k / k.norm(dim=-1, keepdim=True)).mT)


@misconception("cosine_scores", "cosine-product-overflows")
def cosine_product_overflows(q, k):
    """You multiply the squared lengths before you take the root, and where vectors are long the product overflows.

    In float32 infinity begins at about 10³⁸. Which order of root and product keeps the numbers small?
    """
    squares = q.square().sum(-1).unsqueeze(-1) * k.square().sum(-1).unsqueeze(-2)
    return (q @ k.mT) / squares.sqrt()
