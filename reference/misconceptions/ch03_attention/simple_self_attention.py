"""What goes wrong in `simple_self_attention`."""

import torch

from reference.ch03_attention import (
    cosine_scores,
    dot_scores,
    scaled_dot_scores,
    simple_self_attention,
    softmax,
)
from reference.misconceptions import misconception


@misconception("simple_self_attention", "simple-scaled")
def simple_scaled(x):
    """You divide the scores by √D, which this plain form does not do.

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


@misconception("simple_self_attention", "simple-two-softmaxes")
def simple_two_softmaxes(x):
    """You apply the softmax twice.

    Once makes weights of scores; twice makes all weights nearly equal.
    """
    return softmax(softmax(dot_scores(x, x), -1), -1) @ x


@misconception("simple_self_attention", "simple-detached")
def simple_detached(x):
    """Your result is cut off from x: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with x as it is.
    """
    return simple_self_attention(x).detach()


@misconception("simple_self_attention", "simple-by-length")
def simple_by_length(x):
    """You divide the scores by √T, which this plain form does not do.

    Give the dot products to the softmax as they are.
    """
    return softmax(dot_scores(x, x) / x.shape[1] ** 0.5, -1) @ x


@misconception("simple_self_attention", "simple-by-width")
def simple_by_width(x):
    """You divide the scores by D, which this plain form does not do.

    Give the dot products to the softmax as they are.
    """
    return softmax(dot_scores(x, x) / x.shape[-1], -1) @ x


@misconception("simple_self_attention", "simple-cosine")
def simple_cosine(x):
    """You score with cosines, not with plain dot products.

    A cosine forgets how long the two vectors are. Which of the scores in this chapter keeps their lengths?

    Give the dot products, `x @ x.transpose(-2, -1)`, to the softmax as they are.
    """
    return softmax(cosine_scores(x, x), -1) @ x


@misconception("simple_self_attention", "simple-causal")
def simple_causal(x):
    """No position attends to later ones: you masked the future.

    Here every position mixes all of its sentence; masks come in chapter 4.
    """
    later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
    return softmax(dot_scores(x, x).masked_fill(later, float("-inf")), -1) @ x


@misconception("simple_self_attention", "simple-mean")
def simple_mean(x):
    """You divide the weighted sum by T once more.

    The weights sum to 1 already: `weights @ x` is the mean.
    """
    return simple_self_attention(x) / x.shape[1]


@misconception("simple_self_attention", "simple-uniform")
def simple_uniform(x):
    """All positions get the same plain mean: the scores play no part.

    Weigh each position by the softmax of its own scores.
    """
    return x.mean(dim=1, keepdim=True).expand_as(x)


@misconception("simple_self_attention", "simple-all-axes")
def simple_all_axes(x):
    """You reverse all axes of x, as `.T` does, the batch too, where only its last two should change places.

    From x (B, T, D) it makes (D, T, B). Each text meets only itself: which axis must stay in front?

    `x.transpose(-2, -1)`, or `x.mT`, leaves the batch where it is.
    """
    return softmax(x @ x.permute(*reversed(range(x.dim()))), -1) @ x


@misconception("simple_self_attention", "simple-both-sums")
def simple_both_sums(x):
    """The weights of your rows do not sum to 1: you divide by the roots of the row's and the column's sum.

    Graph networks do that. A softmax shares each row out by itself: divide by the row's sum alone.
    """
    scores = x @ x.mT
    powers = torch.exp(scores - scores.amax(dim=(-2, -1), keepdim=True))
    root = powers.sum(dim=-1, keepdim=True).sqrt()
    return powers / root / root.mT @ x


@misconception("simple_self_attention", "simple-zero-hidden")
def simple_zero_hidden(x):
    """A position whose score is exactly 0 gets no weight, as if it were padding.

    0 is a score like any other, below the positive and above the negative ones. Does the formula leave a position out?
    """
    scores = dot_scores(x, x)
    return softmax(scores.masked_fill(scores == 0, float("-inf")), -1) @ x
