"""Axes by name."""

from einops import einsum, rearrange, reduce, repeat


def softmax(scores, dim):
    rows = rearrange(scores.movedim(dim, -1), "... n -> ... n")
    grown = (rows - reduce(rows, "... n -> ... 1", "max")).exp()
    return (grown / reduce(grown, "... n -> ... 1", "sum")).movedim(-1, dim)


def cosine_scores(q, k):
    lengths = reduce(q**2, "... n d -> ... n 1", "sum").sqrt() * reduce(k**2, "... m d -> ... 1 m", "sum").sqrt()
    return einsum(q, k, "... n d, ... m d -> ... n m") / lengths


def scaled_dot_product_attention(q, k, v):
    weights = softmax(einsum(q, k, "... n d, ... m d -> ... n m") / q.shape[-1] ** 0.5, -1)
    wide = repeat(weights, "... n m -> ... n m e", e=v.shape[-1])
    return reduce(wide * rearrange(v, "... m e -> ... 1 m e"), "... n m e -> ... n e", "sum"), weights
