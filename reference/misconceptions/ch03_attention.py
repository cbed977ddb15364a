"""What goes wrong in chapter 3: softmax, scores, attention."""

import math

import torch

from reference.ch03_attention import (
    SelfAttention,
    additive_scores,
    cosine_scores,
    dot_scores,
    general_scores,
    location_scores,
    scaled_dot_product_attention,
    scaled_dot_scores,
    softmax,
)
from reference.misconceptions import misconception


@misconception("softmax", "softmax-max-keepdim")
def softmax_maximum_loses_its_axis(scores, dim):
    """The maximum you subtract has lost its axis: `keepdim=True` is missing there.

    Without it the maxima meet the scores along another axis, or do not fit at all; keep the axis with size 1.
    """
    exponentials = (scores - scores.amax(dim)).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-sum-keepdim")
def softmax_sum_loses_its_axis(scores, dim):
    """The sum you divide by has lost its axis: `keepdim=True` is missing there.

    Without it the sums meet the exponentials along another axis, or do not fit at all; keep the axis with size 1.
    """
    exponentials = (scores - scores.amax(dim, keepdim=True)).exp()
    return exponentials / exponentials.sum(dim)


@misconception("softmax", "softmax-no-shift")
def softmax_no_shift(scores, dim):
    """Your softmax exponentiates the scores as they are, so large ones overflow and very small ones vanish.

    Subtract each slice's maximum along `dim` first: the factor cancels, and no exponential exceeds 1.
    """
    exponentials = scores.exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-nan-hidden")
def softmax_nan_hidden(scores, dim):
    """Your softmax overflows, and the NaN is then replaced by a number.

    The weights of such a slice are lost; subtract its maximum before `exp` and no NaN comes up.
    """
    exponentials = scores.exp()
    return torch.nan_to_num(exponentials / exponentials.sum(dim, keepdim=True))


@misconception("softmax", "softmax-clamped")
def softmax_clamped(scores, dim):
    """Your scores are clamped against overflow, so all scores beyond the limit get the same weight.

    Subtract the maximum instead of clamping: differences between scores are all that counts, and they stay.
    """
    exponentials = scores.clamp(-50, 50).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-global-max")
def softmax_global_maximum(scores, dim):
    """You subtract the largest score of the whole tensor, not of each slice along `dim`.

    A slice far below that maximum underflows to 0/0; take `scores.amax(dim, keepdim=True)`.
    """
    exponentials = (scores - scores.max()).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-minimum")
def softmax_minimum(scores, dim):
    """You subtract the minimum of each slice, not its maximum.

    The largest exponent is what overflows, so the largest score has to become 0; the minimum may even be -inf.
    """
    exponentials = (scores - scores.amin(dim, keepdim=True)).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-last-axis")
def softmax_always_last_axis(scores, dim):
    """Your softmax runs along the last axis, whatever `dim` is.

    Hand `dim` to the maximum and to the sum.
    """
    return softmax(scores, -1)


@misconception("softmax", "softmax-whole-sum")
def softmax_whole_sum(scores, dim):
    """You divide by the sum over the whole tensor, so that only all weights together sum to 1.

    Every slice is a distribution of its own: sum along `dim` only.
    """
    exponentials = (scores - scores.max()).exp()
    return exponentials / exponentials.sum()


@misconception("softmax", "softmax-unnormalised")
def softmax_unnormalised(scores, dim):
    """You return the exponentials without dividing them by their sum.

    Divide by `e.sum(dim, keepdim=True)`, so that the weights of a slice sum to 1.
    """
    return scores.exp()


@misconception("softmax", "softmax-shifted-unnormalised")
def softmax_shifted_unnormalised(scores, dim):
    """You subtract the maximum and exponentiate, but do not divide by the sum.

    Divide by `e.sum(dim, keepdim=True)`, so that the weights of a slice sum to 1.
    """
    return (scores - scores.amax(dim, keepdim=True)).exp()


@misconception("softmax", "softmax-no-exp")
def softmax_without_exponential(scores, dim):
    """You divide the scores themselves by their sum: the exponential is missing.

    Scores may be negative; exp makes them positive first.
    """
    return scores / scores.sum(dim, keepdim=True)


@misconception("softmax", "softmax-log")
def softmax_logarithm(scores, dim):
    """You return the logarithms of the weights.

    Weights are numbers from 0 to 1; take exp of what you return now.
    """
    return scores - torch.logsumexp(scores, dim, keepdim=True)


@misconception("softmax", "softmax-hard")
def softmax_one_hot(scores, dim):
    """You give weight 1 to the largest score and 0 to all others.

    That is an arg-max, which has no useful gradient; a softmax gives every finite score some weight.
    """
    return (scores == scores.amax(dim, keepdim=True)).to(scores.dtype)


@misconception("softmax", "softmax-epsilon")
def softmax_epsilon(scores, dim):
    """You add a small number to the sum, so the weights no longer sum to 1.

    With the maximum subtracted the sum is at least 1 and never needs help.
    """
    exponentials = (scores - scores.amax(dim, keepdim=True)).exp()
    return exponentials / (exponentials.sum(dim, keepdim=True) + 1e-8)


@misconception("softmax", "softmax-detached")
def softmax_detached(scores, dim):
    """Your weights are cut off from the scores: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the given tensor itself and with torch's operations throughout, or nothing can be learned.
    """
    return softmax(scores.detach(), dim)


@misconception("softmax", "softmax-overwritten-exponentials")
def softmax_overwritten_exponentials(scores, dim):
    """You divide the exponentials in place, and their old values are what the gradient of `exp` needs.

    The weights come out right, but nothing can be learned: write `e / e.sum(...)` instead of `e /= e.sum(...)`.
    """
    exponentials = (scores - scores.amax(dim, keepdim=True)).exp()
    exponentials /= exponentials.sum(dim, keepdim=True)
    return exponentials


@misconception("softmax", "softmax-in-place")
def softmax_in_place(scores, dim):
    """Your softmax overwrites the scores it was given.

    `-=`, `exp_()` and their like write into the caller's tensor; make new ones with `-` and `exp()`.
    """
    scores -= scores.amax(dim, keepdim=True)
    exponentials = scores.exp_()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-float32")
def softmax_float32(scores, dim):
    """Your softmax always answers in float32.

    Leave out `.float()` and `dtype=torch.float32`: the weights have the dtype of the scores.
    """
    return softmax(scores.float(), dim)


@misconception("dot_scores", "dot-swapped")
def dot_swapped(q, k):
    """Your scores are transposed: they have keys as rows and queries as columns.

    Queries are the rows: multiply q from the left by the transposed keys.
    """
    return k @ q.transpose(-2, -1)


@misconception("dot_scores", "dot-scaled")
def dot_scaled(q, k):
    """Your scores are divided by √d, which the plain dot product is not.

    The scaled dot product is the next exercise.
    """
    return dot_scores(q, k) / math.sqrt(q.shape[-1])


@misconception("dot_scores", "dot-softmaxed")
def dot_softmaxed(q, k):
    """You return weights: the softmax is applied already.

    A score function gives the scores before any softmax.
    """
    return softmax(dot_scores(q, k), -1)


@misconception("dot_scores", "dot-pairwise")
def dot_pairwise(q, k):
    """You multiply query i with key i only, position by position.

    Every query is scored against every key: that is a matrix product, q times the transposed keys.
    """
    return (q * k).sum(-1)


@misconception("dot_scores", "dot-fixed-axes")
def dot_fixed_axes(q, k):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too: `k.transpose(-2, -1)` always turns the last two.
    """
    return q @ k.transpose(1, 2)


@misconception("dot_scores", "dot-squeezed")
def dot_squeezed(q, k):
    """You squeeze the scores, which drops every axis of size 1.

    A batch of one, a single query or a single key is a real axis; leave out `squeeze()`.
    """
    return dot_scores(q, k).squeeze()


@misconception("dot_scores", "dot-detached")
def dot_detached(q, k):
    """Your scores are cut off from q and k: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the given tensors themselves and with torch's operations throughout.
    """
    return dot_scores(q.detach(), k.detach())


@misconception("scaled_dot_scores", "scaled-unscaled")
def scaled_unscaled(q, k):
    """Your scores are not divided by √d.

    Divide by √d, d the last size of q: a sum of d products has variance d.
    """
    return dot_scores(q, k)


@misconception("scaled_dot_scores", "scaled-by-d")
def scaled_by_d(q, k):
    """Your scores are divided by d, not by its square root (dividing q and k by √d each does the same).

    The standard deviation of the scores is √d; divide once by that.
    """
    return dot_scores(q, k) / q.shape[-1]


@misconception("scaled_dot_scores", "scaled-multiplied")
def scaled_multiplied(q, k):
    """Your scores are multiplied by √d instead of divided by it.

    Long vectors make large scores; dividing by √d takes that back.
    """
    return dot_scores(q, k) * math.sqrt(q.shape[-1])


@misconception("scaled_dot_scores", "scaled-by-keys")
def scaled_by_keys(q, k):
    """Your scores are divided by the square root of the number of keys.

    What is summed up in one score are d products; Tk has no part in it. Take `q.shape[-1]`.
    """
    return dot_scores(q, k) / math.sqrt(k.shape[-2])


@misconception("scaled_dot_scores", "scaled-by-queries")
def scaled_by_queries(q, k):
    """Your scores are divided by the square root of the number of queries.

    What is summed up in one score are d products; Tq has no part in it. Take `q.shape[-1]`.
    """
    return dot_scores(q, k) / math.sqrt(q.shape[-2])


@misconception("scaled_dot_scores", "scaled-hard-coded")
def scaled_hard_coded(q, k):
    """Your scores are divided by 8 whatever d is: that is √64, the paper's head width.

    Read d off the tensor: `q.shape[-1]`.
    """
    return dot_scores(q, k) / 8.0


@misconception("scaled_dot_scores", "scaled-swapped")
def scaled_swapped(q, k):
    """Your scores are transposed: they have keys as rows and queries as columns.

    Queries are the rows: multiply q from the left by the transposed keys.
    """
    return scaled_dot_scores(k, q)


@misconception("scaled_dot_scores", "scaled-softmaxed")
def scaled_softmaxed(q, k):
    """You return weights: the softmax is applied already.

    A score function gives the scores before any softmax.
    """
    return softmax(scaled_dot_scores(q, k), -1)


@misconception("scaled_dot_scores", "scaled-in-place")
def scaled_in_place(q, k):
    """You scale the caller's queries in place.

    `q /= ...` writes into the tensor you were given; divide the scores, or make a new tensor with `q / ...`.
    """
    q /= math.sqrt(q.shape[-1])
    return dot_scores(q, k)


@misconception("scaled_dot_scores", "scaled-fixed-axes")
def scaled_fixed_axes(q, k):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too: count from the right, -2 and -1.
    """
    return q @ k.transpose(1, 2) / math.sqrt(q.shape[2])


@misconception("scaled_dot_scores", "scaled-detached")
def scaled_detached(q, k):
    """Your scores are cut off from q and k: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the given tensors themselves and with torch's operations throughout.
    """
    return scaled_dot_scores(q.detach(), k.detach())


@misconception("general_scores", "general-ignores-w")
def general_ignores_w(q, k, w):
    """Your scores are plain dot products: W is not used.

    Translate the queries first: `q @ w` has the size of a key.
    """
    return dot_scores(q, k)


@misconception("general_scores", "general-transposed-w")
def general_transposed_w(q, k, w):
    """You multiply by W transposed.

    W is (Dq, Dk): its rows belong to the query, its columns to the key. `q @ w` is all it takes.
    """
    return general_scores(q, k, w.T)


@misconception("general_scores", "general-swapped")
def general_swapped(q, k, w):
    """Your scores are transposed: they have keys as rows and queries as columns.

    Queries are the rows: start with q, end with the transposed keys.
    """
    return general_scores(q, k, w).transpose(-2, -1)


@misconception("general_scores", "general-roles")
def general_roles(q, k, w):
    """You compute k W qᵀ: queries and keys have changed their roles.

    It is q W kᵀ, and with a W that is not symmetric that is another number.
    """
    return general_scores(k, q, w)


@misconception("general_scores", "general-both")
def general_both(q, k, w):
    """You apply W to the queries and to the keys.

    W stands once between them: q W kᵀ.
    """
    return dot_scores(q @ w, k @ w)


@misconception("general_scores", "general-scaled")
def general_scaled(q, k, w):
    """Your scores are divided by a square root, which this score is not.

    W learns any scale that is needed; return q W kᵀ as it is.
    """
    return general_scores(q, k, w) / math.sqrt(k.shape[-1])


@misconception("general_scores", "general-softmaxed")
def general_softmaxed(q, k, w):
    """You return weights: the softmax is applied already.

    A score function gives the scores before any softmax.
    """
    return softmax(general_scores(q, k, w), -1)


@misconception("general_scores", "general-fixed-axes")
def general_fixed_axes(q, k, w):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too: `k.transpose(-2, -1)` always turns the last two.
    """
    return q @ w @ k.transpose(1, 2)


@misconception("general_scores", "general-detached-w")
def general_detached_w(q, k, w):
    """No gradient reaches W: it is detached, or rebuilt with `.data` or `torch.tensor`.

    W is what this score learns; use it as it comes.
    """
    return general_scores(q, k, w.detach())


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

    That is the scaled dot product. A cosine is divided by what each vector's own length is.
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

    Queries are the rows: multiply their directions from the left by the transposed directions of the keys.
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

    A longer vector has the same cosine: that is known to the gradient only if it passes through the length too.
    """
    return dot_scores(q / q.detach().norm(dim=-1, keepdim=True), k / k.detach().norm(dim=-1, keepdim=True))


@misconception("additive_scores", "additive-key-first")
def additive_key_first(q, k, w, v):
    """You put the key before the query.

    W [q; k] has the query first: the first Dq columns of W belong to q.
    """
    width = k.shape[-1]
    from_query, from_key = q @ w[:, width:].T, k @ w[:, :width].T
    return torch.tanh(from_query.unsqueeze(-2) + from_key.unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-one-half")
def additive_one_half(q, k, w, v):
    """You apply the same columns of W to queries and keys.

    The first Dq columns of W belong to the query, the others to the key.
    """
    half = w[:, : q.shape[-1]].T
    return torch.tanh((q @ half).unsqueeze(-2) + (k @ half).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-no-tanh")
def additive_no_tanh(q, k, w, v):
    """The tanh is missing between W and v.

    Without it the query adds one and the same number to all its scores, and a softmax ignores that.
    """
    width = q.shape[-1]
    return ((q @ w[:, :width].T).unsqueeze(-2) + (k @ w[:, width:].T).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-tanh-last")
def additive_tanh_last(q, k, w, v):
    """You apply tanh after v, to the finished scores.

    The tanh belongs to the hidden layer: v · tanh(W [q; k]).
    """
    width = q.shape[-1]
    return torch.tanh(((q @ w[:, :width].T).unsqueeze(-2) + (k @ w[:, width:].T).unsqueeze(-3)) @ v)


@misconception("additive_scores", "additive-two-tanhs")
def additive_two_tanhs(q, k, w, v):
    """You apply tanh to the query's part and to the key's part before adding them.

    Add first: there is one tanh, of the sum, or query and key never meet.
    """
    width = q.shape[-1]
    return (torch.tanh(q @ w[:, :width].T).unsqueeze(-2) + torch.tanh(k @ w[:, width:].T).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-no-v")
def additive_no_v(q, k, w, v):
    """You add up the hidden units without weighing them: v is not used.

    The score is the dot product of v and the hidden layer.
    """
    return additive_scores(q, k, w, torch.ones_like(v))


@misconception("additive_scores", "additive-swapped")
def additive_swapped(q, k, w, v):
    """Your scores are transposed: they have keys as rows and queries as columns.

    Give the queries the axis -3 and the keys the axis -2 of the hidden layer (..., Tq, Tk, A).
    """
    return additive_scores(q, k, w, v).transpose(-2, -1)


@misconception("additive_scores", "additive-pairwise")
def additive_pairwise(q, k, w, v):
    """You join query i with key i only, position by position.

    Every query meets every key: the hidden layer has the shape (..., Tq, Tk, A).
    """
    return torch.tanh(torch.cat([q, k], dim=-1) @ w.T) @ v


@misconception("additive_scores", "additive-softmaxed")
def additive_softmaxed(q, k, w, v):
    """You return weights: the softmax is applied already.

    A score function gives the scores before any softmax.
    """
    return softmax(additive_scores(q, k, w, v), -1)


@misconception("additive_scores", "additive-fixed-axes")
def additive_fixed_axes(q, k, w, v):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too: insert the new axes from the right, `unsqueeze(-2)` and -3.
    """
    width = q.shape[-1]
    return torch.tanh((q @ w[:, :width].T).unsqueeze(2) + (k @ w[:, width:].T).unsqueeze(1)) @ v


@misconception("additive_scores", "additive-detached")
def additive_detached(q, k, w, v):
    """No gradient reaches W and v: they are detached, or rebuilt with `.data` or `torch.tensor`.

    W and v are what this score learns; use them as they come.
    """
    return additive_scores(q, k, w.detach(), v.detach())


@misconception("location_scores", "location-softmaxed")
def location_softmaxed(q, w):
    """You return weights: the softmax is applied already.

    The papers write it into the formula; here every score function gives the scores before any softmax.
    """
    return softmax(location_scores(q, w), -1)


@misconception("location_scores", "location-untransposed")
def location_untransposed(q, w):
    """You multiply by W where W transposed is needed.

    W is (Tk, D), one row per position: `q @ w.T`. With a square W the wrong product goes unnoticed by its shape.
    """
    return q @ w


@misconception("location_scores", "location-swapped")
def location_swapped(q, w):
    """Your scores are transposed: they have positions as rows and queries as columns.

    Queries are the rows: multiply q from the left by `w.T`.
    """
    return location_scores(q, w).transpose(-2, -1)


@misconception("location_scores", "location-scaled")
def location_scaled(q, w):
    """Your scores are divided by √D, which this score is not.

    W learns any scale that is needed; return the product as it is.
    """
    return location_scores(q, w) / math.sqrt(q.shape[-1])


@misconception("location_scores", "location-detached-w")
def location_detached_w(q, w):
    """No gradient reaches W: it is detached, or rebuilt with `.data` or `torch.tensor`.

    W is what this score learns; use it as it comes.
    """
    return location_scores(q, w.detach())


@misconception("simple_self_attention", "simple-scaled")
def simple_scaled(x):
    """You scale the scores by √D, which this plain form does not do.

    Here the scores are the dot products as they are; the scaling comes with the next exercise.
    """
    return softmax(scaled_dot_scores(x, x), -1) @ x


@misconception("simple_self_attention", "simple-query-axis")
def simple_query_axis(x):
    """Your softmax runs over the queries, or your weights are transposed (with x xᵀ that is the same).

    Each query shares its weight out among the keys: dim=-1, the rows sum to 1, and `weights @ x` mixes.
    """
    return softmax(dot_scores(x, x), -2) @ x


@misconception("simple_self_attention", "simple-batch-axis")
def simple_batch_axis(x):
    """Your softmax runs over the batch (dim=0), so the sentences compete with each other.

    Each query shares its weight out among its own keys: the last axis, dim=-1.
    """
    return softmax(dot_scores(x, x), 0) @ x


@misconception("simple_self_attention", "simple-flattened")
def simple_flattened(x):
    """Your softmax runs over all scores of a sentence at once, so that only all its weights together sum to 1.

    Every query has its own softmax over the keys: the last axis, dim=-1.
    """
    return softmax(dot_scores(x, x).flatten(1), -1).view(x.shape[0], x.shape[1], x.shape[1]) @ x


@misconception("simple_self_attention", "simple-across-batch")
def simple_across_batch(x):
    """Your positions attend to the positions of other sentences too.

    Keep the batch axis: the scores are (B, T, T), not (B·T, B·T).
    """
    rows = x.reshape(-1, x.shape[-1])
    return (softmax(rows @ rows.T, -1) @ rows).reshape(x.shape)


@misconception("simple_self_attention", "simple-no-softmax")
def simple_without_softmax(x):
    """You mix with the raw scores: the softmax is missing.

    Weights must be positive and sum to 1; apply the softmax over the keys first.
    """
    return dot_scores(x, x) @ x


@misconception("simple_self_attention", "simple-unnormalised")
def simple_unnormalised(x):
    """You mix with exponentials that are not divided by their sum.

    A weighted mean needs weights that sum to 1; divide each row by its sum.
    """
    return dot_scores(x, x).exp() @ x


@misconception("simple_self_attention", "simple-unstable")
def simple_unstable(x):
    """Your softmax overflows: the scores are exponentiated as they are.

    Use your `softmax`, which subtracts each row's maximum first.
    """
    exponentials = dot_scores(x, x).exp()
    return exponentials / exponentials.sum(-1, keepdim=True) @ x


@misconception("simple_self_attention", "simple-hard")
def simple_hard(x):
    """Each position takes the one vector with the highest score, instead of a mean.

    That is an arg-max, which passes no gradient to the scores; weigh all vectors by the softmax.
    """
    return x.gather(1, dot_scores(x, x).argmax(-1, keepdim=True).expand(*x.shape))


@misconception("simple_self_attention", "simple-feature-axis")
def simple_feature_axis(x):
    """Your features attend to each other, not your positions: the weights are (B, D, D).

    Scores compare positions: x times x transposed, (B, T, D) @ (B, D, T) -> (B, T, T).
    """
    return x @ softmax(x.transpose(-2, -1) @ x, -1)


@misconception("simple_self_attention", "simple-without-self")
def simple_without_self(x):
    """No position attends to itself: you leave the diagonal out.

    The sum runs over all positions, the query's own included.
    """
    scores = dot_scores(x, x)
    itself = torch.eye(x.shape[1], dtype=torch.bool, device=x.device)
    return softmax(scores.masked_fill(itself, torch.finfo(x.dtype).min), -1) @ x


@misconception("simple_self_attention", "simple-residual")
def simple_residual(x):
    """You add x to the result.

    The residual connection comes with the encoder block; here the weighted mean is all.
    """
    return x + softmax(dot_scores(x, x), -1) @ x


@misconception("simple_self_attention", "simple-weights")
def simple_weights(x):
    """You return the weights and have not mixed anything with them.

    Multiply x by them: `weights @ x` is (B, T, D).
    """
    return softmax(dot_scores(x, x), -1)


@misconception("simple_self_attention", "simple-pair")
def simple_pair(x):
    """You return output and weights; only the output is asked for here.

    Return `weights @ x` alone.
    """
    weights = softmax(dot_scores(x, x), -1)
    return weights @ x, weights


@misconception("simple_self_attention", "simple-squeezed")
def simple_squeezed(x):
    """You squeeze the result, which drops every axis of size 1.

    A batch of one or a sentence of one word is a real axis; leave out `squeeze()`.
    """
    return (softmax(dot_scores(x, x), -1) @ x).squeeze()


@misconception("simple_self_attention", "simple-detached-weights")
def simple_detached_weights(x):
    """Your weights are cut off from x, so the gradient misses what changes the weights.

    x acts twice, through the weights and through the sum; leave out `detach`, `.data`, `no_grad` and NumPy.
    """
    return softmax(dot_scores(x, x), -1).detach() @ x


@misconception("scaled_dot_product_attention", "attention-unscaled")
def attention_unscaled(q, k, v):
    """Your scores are not divided by √d.

    Divide q kᵀ by √d, d the last size of q, before the softmax: unscaled ones saturate it.
    """
    weights = softmax(dot_scores(q, k), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-by-d")
def attention_by_d(q, k, v):
    """Your scores are divided by d, not by its square root (dividing q and k by √d each does the same).

    The standard deviation of the scores is √d; divide once by that.
    """
    weights = softmax(dot_scores(q, k) / q.shape[-1], -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-multiplied")
def attention_multiplied(q, k, v):
    """Your scores are multiplied by √d instead of divided by it.

    Long vectors make large scores; dividing by √d takes that back.
    """
    weights = softmax(dot_scores(q, k) * math.sqrt(q.shape[-1]), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-by-length")
def attention_by_length(q, k, v):
    """Your scores are divided by the square root of the number of keys.

    What is summed up in one score are d products; Tk has no part in it. Take `q.shape[-1]`.
    """
    weights = softmax(dot_scores(q, k) / math.sqrt(k.shape[-2]), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-by-value-width")
def attention_by_value_width(q, k, v):
    """Your scores are divided by the square root of the values' size.

    Values may have another size than queries and keys; d is the last size of q.
    """
    weights = softmax(dot_scores(q, k) / math.sqrt(v.shape[-1]), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-hard-coded")
def attention_hard_coded(q, k, v):
    """Your scores are divided by 8 whatever d is: that is √64, the paper's head width.

    Read d off the tensor: `q.shape[-1]`.
    """
    weights = softmax(dot_scores(q, k) / 8.0, -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-scaled-late")
def attention_scaled_late(q, k, v):
    """You divide by √d after the softmax, so the weights no longer sum to 1.

    Scale the scores first, then apply the softmax.
    """
    weights = softmax(dot_scores(q, k), -1) / math.sqrt(q.shape[-1])
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-query-axis")
def attention_query_axis(q, k, v):
    """Your softmax runs over the queries, so the columns sum to 1 and the rows do not.

    Each query shares its weight out among the keys: the last axis, dim=-1.
    """
    weights = softmax(scaled_dot_scores(q, k), -2)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-batch-axis")
def attention_batch_axis(q, k, v):
    """Your softmax runs over the first axis, which is also what torch's does to three axes if you give no dim.

    Each query shares its weight out among its own keys: the last axis, dim=-1.
    """
    weights = softmax(scaled_dot_scores(q, k), 0)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-fixed-axes")
def attention_fixed_axes(q, k, v):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too: count from the right, -2 and -1.
    """
    weights = softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[2]), 2)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-flattened")
def attention_flattened(q, k, v):
    """Your softmax runs over all queries and keys at once, so that only all weights together sum to 1.

    Every query has its own softmax over the keys: the last axis, dim=-1.
    """
    scores = scaled_dot_scores(q, k)
    weights = softmax(scores.flatten(-2), -1).reshape(scores.shape)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-swapped")
def attention_swapped(q, k, v):
    """Queries and keys have changed their roles: you compute k qᵀ.

    Rows of the scores are queries: q times the transposed keys.
    """
    weights = softmax(scaled_dot_scores(k, q), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-transposed-weights")
def attention_transposed_weights(q, k, v):
    """You mix the values with the transposed weights.

    Rows are queries: multiply the weights as they are from the left, `weights @ v`.
    """
    weights = softmax(scaled_dot_scores(q, k), -1)
    return weights.transpose(-2, -1) @ v, weights


@misconception("scaled_dot_product_attention", "attention-mixes-keys")
def attention_mixes_keys(q, k, v):
    """You mix the keys; the values are not used.

    A key only says where to look; what is found there is the value: `weights @ v`.
    """
    weights = softmax(scaled_dot_scores(q, k), -1)
    return weights @ k, weights


@misconception("scaled_dot_product_attention", "attention-keys-and-values")
def attention_keys_and_values(q, k, v):
    """Keys and values have changed their roles: you score against v and mix k.

    Scores come from q and k; the values are what is mixed.
    """
    weights = softmax(scaled_dot_scores(q, v), -1)
    return weights @ k, weights


@misconception("scaled_dot_product_attention", "attention-hard")
def attention_hard(q, k, v):
    """Each query takes the one value with the highest score, instead of a mean.

    That is an arg-max, which passes no gradient to the scores; weigh all values by the softmax.
    """
    scores = scaled_dot_scores(q, k)
    weights = (scores == scores.amax(-1, keepdim=True)).to(scores.dtype)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-unnormalised")
def attention_unnormalised(q, k, v):
    """Your weights are exponentials that are not divided by their sum.

    Divide each row by its sum, so that a query's weights sum to 1.
    """
    weights = scaled_dot_scores(q, k).exp()
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-no-softmax")
def attention_no_softmax(q, k, v):
    """You mix with the raw scores: the softmax is missing.

    Weights must be positive and sum to 1; apply the softmax over the keys first.
    """
    scores = scaled_dot_scores(q, k)
    return scores @ v, scores


@misconception("scaled_dot_product_attention", "attention-two-softmaxes")
def attention_two_softmaxes(q, k, v):
    """You apply the softmax twice.

    The second one sees numbers from 0 to 1 and makes them nearly equal; once is enough.
    """
    weights = softmax(softmax(scaled_dot_scores(q, k), -1), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-unstable")
def attention_unstable(q, k, v):
    """Your softmax overflows: the scores are exponentiated as they are.

    Use your `softmax`, which subtracts each row's maximum first.
    """
    exponentials = scaled_dot_scores(q, k).exp()
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-global-max")
def attention_global_maximum(q, k, v):
    """You subtract the largest score of all before the softmax, not each row's own.

    A query whose scores all lie far below it gets 0/0; take `scores.amax(-1, keepdim=True)`.
    """
    scores = scaled_dot_scores(q, k)
    exponentials = (scores - scores.max()).exp()
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-order")
def attention_order(q, k, v):
    """You return the weights first and the output second.

    The order is output, weights.
    """
    output, weights = scaled_dot_product_attention(q, k, v)
    return weights, output


@misconception("scaled_dot_product_attention", "attention-output-only")
def attention_output_only(q, k, v):
    """You return the output alone; the weights are asked for too.

    Return the pair: output, weights.
    """
    return scaled_dot_product_attention(q, k, v)[0]


@misconception("scaled_dot_product_attention", "attention-returns-scores")
def attention_returns_scores(q, k, v):
    """The second thing you return are the scores, before the softmax.

    The weights are asked for: what the values are multiplied by.
    """
    return scaled_dot_product_attention(q, k, v)[0], scaled_dot_scores(q, k)


@misconception("scaled_dot_product_attention", "attention-squeezed")
def attention_squeezed(q, k, v):
    """You squeeze the results, which drops every axis of size 1.

    A batch of one, a single query or a single key is a real axis; leave out `squeeze()`.
    """
    output, weights = scaled_dot_product_attention(q, k, v)
    return output.squeeze(), weights.squeeze()


@misconception("scaled_dot_product_attention", "attention-default-dtype")
def attention_default_dtype(q, k, v):
    """You collect the results in a tensor with a dtype and device of its own.

    `torch.zeros(...)` is float32 on the CPU by default; `q.new_zeros(...)` takes both from the queries.
    """
    output, weights = scaled_dot_product_attention(q, k, v)
    return output.to("cpu", torch.float32), weights.to("cpu", torch.float32)


@misconception("scaled_dot_product_attention", "attention-in-place")
def attention_in_place(q, k, v):
    """You scale the caller's queries in place.

    `q /= ...` writes into the tensor you were given; divide the scores, or make a new tensor with `q / ...`.
    """
    q /= math.sqrt(q.shape[-1])
    weights = softmax(dot_scores(q, k), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-detached-weights")
def attention_detached_weights(q, k, v):
    """Your weights are cut off from q and k: no gradient comes back to them (detach, .data, no_grad or NumPy).

    Queries and keys learn through the weights alone; compute with the given tensors and with torch throughout.
    """
    weights = softmax(scaled_dot_scores(q, k), -1).detach()
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-detached")
def attention_detached(q, k, v):
    """Your results are cut off from q, k and v: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the given tensors themselves and with torch's operations throughout.
    """
    return scaled_dot_product_attention(q.detach(), k.detach(), v.detach())


@misconception("SelfAttention", "self-attention-unscaled")
class SelfAttentionUnscaled(SelfAttention):
    """Your scores are not divided by √D.

    Divide q kᵀ by √D, the last size of the queries, before the softmax.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)), -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-by-d")
class SelfAttentionByD(SelfAttention):
    """Your scores are divided by D, not by its square root.

    The standard deviation of a sum of D products is √D; divide once by that.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)) / x.shape[-1], -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-by-length")
class SelfAttentionByLength(SelfAttention):
    """Your scores are divided by the square root of the number of positions.

    What is summed up in one score are D products; T has no part in it. Take `x.shape[-1]`.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)) / math.sqrt(x.shape[1]), -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-hard-coded")
class SelfAttentionHardCoded(SelfAttention):
    """Your scores are divided by 8 whatever the width is: that is √64, the paper's head width.

    Read the width off the tensor: `x.shape[-1]`.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)) / 8.0, -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-roles")
class SelfAttentionRoles(SelfAttention):
    """Queries and keys have changed their roles: `w_k` makes your queries and `w_q` your keys.

    `w_q` asks and `w_k` is found; exchanged, the scores are transposed.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_k(x), self.w_q(x), self.w_v(x))[0]


@misconception("SelfAttention", "self-attention-key-value")
class SelfAttentionKeyValue(SelfAttention):
    """Keys and values have changed their roles: `w_v` makes your keys and `w_k` your values.

    Scores come from `w_q(x)` and `w_k(x)`; what is mixed is `w_v(x)`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_v(x), self.w_k(x))[0]


@misconception("SelfAttention", "self-attention-one-query-key")
class SelfAttentionOneQueryKey(SelfAttention):
    """Your keys are made by `w_q`, like the queries.

    With one layer for both, attention is symmetric: keys need `w_k`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_q(x), self.w_v(x))[0]


@misconception("SelfAttention", "self-attention-mixes-keys")
class SelfAttentionMixesKeys(SelfAttention):
    """You mix the keys; `w_v` is not used.

    What is mixed are the values, `w_v(x)`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_k(x))[0]


@misconception("SelfAttention", "self-attention-mixes-input")
class SelfAttentionMixesInput(SelfAttention):
    """You mix x itself; `w_v` is not used.

    What is mixed are the values, `w_v(x)`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), x)[0]


@misconception("SelfAttention", "self-attention-unprojected")
class SelfAttentionUnprojected(SelfAttention):
    """You attend with x itself as queries, keys and values: the three layers are not used.

    Apply `w_q`, `w_k` and `w_v` to x first.
    """

    def forward(self, x):
        return scaled_dot_product_attention(x, x, x)[0]


@misconception("SelfAttention", "self-attention-untransposed")
class SelfAttentionUntransposed(SelfAttention):
    """You multiply x by the layers' weights without transposing them.

    An `nn.Linear` keeps its weight as (outputs, inputs): call the layer, or write `x @ w.weight.T`.
    """

    def forward(self, x):
        q, k, v = x @ self.w_q.weight, x @ self.w_k.weight, x @ self.w_v.weight
        return scaled_dot_product_attention(q, k, v)[0]


@misconception("SelfAttention", "self-attention-query-axis")
class SelfAttentionQueryAxis(SelfAttention):
    """Your softmax runs over the queries, so the columns sum to 1 and the rows do not.

    Each query shares its weight out among the keys: the last axis, dim=-1.
    """

    def forward(self, x):
        return softmax(scaled_dot_scores(self.w_q(x), self.w_k(x)), -2) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-batch-axis")
class SelfAttentionBatchAxis(SelfAttention):
    """Your softmax runs over the first axis, which is also what torch's does to three axes if you give no dim.

    Each query shares its weight out among its own keys: the last axis, dim=-1.
    """

    def forward(self, x):
        return softmax(scaled_dot_scores(self.w_q(x), self.w_k(x)), 0) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-transposed-weights")
class SelfAttentionTransposedWeights(SelfAttention):
    """You mix the values with the transposed weights.

    Rows are queries: multiply the weights as they are from the left.
    """

    def forward(self, x):
        return softmax(scaled_dot_scores(self.w_q(x), self.w_k(x)), -1).transpose(-2, -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-pair")
class SelfAttentionPair(SelfAttention):
    """You return output and weights; only the output is asked for here.

    Take the first part of the pair: `output, _ = ...`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))


@misconception("SelfAttention", "self-attention-residual")
class SelfAttentionResidual(SelfAttention):
    """You add x to the output.

    The residual connection comes with the encoder block; return the attention's output alone.
    """

    def forward(self, x):
        return x + scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))[0]


@misconception("SelfAttention", "self-attention-squeezed")
class SelfAttentionSqueezed(SelfAttention):
    """You squeeze the output, which drops every axis of size 1.

    A batch of one or a sentence of one word is a real axis; leave out `squeeze()`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))[0].squeeze()


@misconception("SelfAttention", "self-attention-detached-weights")
class SelfAttentionDetachedWeights(SelfAttention):
    """No gradient reaches `w_q` and `w_k`: the weights are detached.

    Queries and keys learn through the weights alone; leave them attached.
    """

    def forward(self, x):
        return softmax(scaled_dot_scores(self.w_q(x), self.w_k(x)), -1).detach() @ self.w_v(x)


@misconception("SelfAttention", "self-attention-detached")
class SelfAttentionDetached(SelfAttention):
    """No gradient reaches x and the layers: the output is cut off (detach, .data, no_grad or NumPy).

    Call the layers on x as it comes; without gradients they never learn.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))[0].detach()
