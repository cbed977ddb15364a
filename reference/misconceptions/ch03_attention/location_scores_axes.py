"""What goes wrong in `location_scores`, continued: rows of W, axes, and what is done to the scores."""

import torch

from reference.ch03_attention import location_scores
from reference.misconceptions import misconception


@misconception("location_scores", "location-first-rows")
def location_first_rows(q, w):
    """You use only as many rows of W as there are queries.

    W has a row for each position that is scored, Tk of them, however many queries there are: use all of W.
    """
    return location_scores(q, w[: q.shape[-2]])


@misconception("location_scores", "location-einsum")
def location_einsum(q, w):
    """Your einsum names exactly one leading axis, so it fails without one and with two.

    There may be no batch axis, or one for heads too. How does einsum write any number of axes?

    Write `...` for the leading axes: `torch.einsum("...qd,kd->...qk", q, w)`.
    """
    return torch.einsum("bqd,kd->bqk", q, w)


@misconception("location_scores", "location-squeezed")
def location_squeezed(q, w):
    """You squeeze the scores, which drops every axis of size 1.

    A single query keeps its axis: (..., Tq, Tk).
    """
    return location_scores(q, w).squeeze()


@misconception("location_scores", "location-detached")
def location_detached(q, w):
    """Your scores are cut off from q and W: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the tensors as they are.
    """
    return location_scores(q, w).detach()


@misconception("location_scores", "location-float32")
def location_float32(q, w):
    """You compute in float32, so float64 scores have about seven right digits.

    Leave the dtype of q and W as it is.
    """
    return location_scores(q.float(), w.float()).to(q.dtype)


@misconception("location_scores", "location-reshaped")
def location_reshaped(q, w):
    """You reshape W to (D, Tk) instead of transposing it, which mixes up its rows.

    A reshape only breaks the same row of numbers anew. Try it on two rows, (1, 2, 3) and (4, 5, 6): what is your first
    column?

    `w.T` swaps the axes; `reshape` and `view` do not.
    """
    return q @ w.reshape(w.shape[1], w.shape[0])


@misconception("location_scores", "location-tanh")
def location_tanh(q, w):
    """You apply tanh to the scores.

    Return the products as they are: W q.
    """
    return torch.tanh(location_scores(q, w))


@misconception("location_scores", "location-mean")
def location_mean(q, w):
    """You score with the mean of all queries, so that every query gets the same scores.

    Each query has scores of its own: (..., Tq, Tk).
    """
    return location_scores(q.mean(dim=-2, keepdim=True).expand_as(q), w)


@misconception("location_scores", "location-last-query")
def location_last_query(q, w):
    """You score the last query only.

    Each query has scores of its own: (..., Tq, Tk).
    """
    return location_scores(q[..., -1, :], w)


@misconception("location_scores", "location-by-width")
def location_by_width(q, w):
    """You divide the scores by D.

    Return the products as they are: W q.
    """
    return location_scores(q, w) / q.shape[-1]


@misconception("location_scores", "location-normalised")
def location_normalised(q, w):
    """You divide the queries by their lengths, so that a longer query gets no higher scores.

    Return the products as they are: W q.
    """
    return location_scores(q / q.norm(dim=-1, keepdim=True), w)


@misconception("location_scores", "location-distance-subtracted")
def location_distance_subtracted(q, w):
    """You subtract from each score how far query and position are apart.

    A position's row of W is all that is known of the place: is a distance in the formula?
    """
    places = [torch.arange(length, dtype=q.dtype, device=q.device) for length in (q.shape[-2], w.shape[0])]
    return location_scores(q, w) - (places[0][:, None] - places[1]).abs()


@misconception("location_scores", "location-distance-added")
def location_distance_added(q, w):
    """You add to each score how far query and position are apart.

    A position's row of W is all that is known of the place: is a distance in the formula?
    """
    places = [torch.arange(length, dtype=q.dtype, device=q.device) for length in (q.shape[-2], w.shape[0])]
    return location_scores(q, w) + (places[0][:, None] - places[1]).abs()


@misconception("location_scores", "location-reversed-axes")
def location_reversed_axes(q, w):
    """You put all axes in reverse, as `.T` does, so that leading axes come out behind the queries'.

    Scores that are stacked in front have the axis of the positions first, and only that one must go to the end.
    """
    stacked = torch.stack([q @ row for row in w])
    return stacked.permute(*range(stacked.dim() - 1, -1, -1))
