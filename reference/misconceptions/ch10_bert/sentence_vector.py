"""What goes wrong in `sentence_vector`."""

import torch
from torch.nn import functional

from reference.ch10_bert import sentence_vector
from reference.misconceptions import misconception


@misconception("sentence_vector", "sentence-vector-padding-counts")
def padding_counts(hidden, mask):
    """The padding is part of your mean.

    Only the vectors where the mask is True count.
    """
    return sentence_vector(hidden, torch.ones_like(mask))


@misconception("sentence_vector", "sentence-vector-mask-inverted")
def mask_inverted(hidden, mask):
    """You take the mean over the padding: your mask is the wrong way round.

    True marks a real token.
    """
    return sentence_vector(hidden, ~mask)


@misconception("sentence_vector", "sentence-vector-cls")
def cls(hidden, mask):
    """You take the vector at the first place, that of `[CLS]`.

    This model was trained with the mean over all real tokens.
    """
    return functional.normalize(hidden[:, 0], dim=-1)


@misconception("sentence_vector", "sentence-vector-first-real")
def first_real(hidden, mask):
    """You take the first real token alone.

    Take the mean over all real tokens.
    """
    first = mask.int().argmax(dim=1)
    return functional.normalize(hidden[torch.arange(len(hidden), device=hidden.device), first], dim=-1)


@misconception("sentence_vector", "sentence-vector-not-scaled")
def not_scaled(hidden, mask):
    """You return the mean as it is, of whatever length.

    Divide it by its length, so that a dot product of two vectors is their cosine.
    """
    return (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


@misconception("sentence_vector", "sentence-vector-sum")
def sum_of_tokens(hidden, mask):
    """You return the sum of the real tokens, of whatever length.

    A long text gets a long vector. Divide it by its length: then the number of tokens does not matter.
    """
    return (hidden * mask[..., None]).sum(1)


@misconception("sentence_vector", "sentence-vector-tokens-scaled")
def tokens_scaled(hidden, mask):
    """You scale each token's vector to length 1, but not their mean.

    First the mean, then the length: the mean of vectors of length 1 is shorter than 1.
    """
    units = functional.normalize(hidden, dim=-1) * mask[..., None]
    return units.sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


@misconception("sentence_vector", "sentence-vector-scaled-twice")
def scaled_twice(hidden, mask):
    """You scale each token's vector to length 1 before you take the mean.

    A long vector counts more than a short one; only the mean is scaled.
    """
    return sentence_vector(functional.normalize(hidden, dim=-1), mask)


@misconception("sentence_vector", "sentence-vector-over-texts")
def over_texts(hidden, mask):
    """You scale along the texts: each column has length 1, not each vector.

    The length of a vector is taken over its D numbers, the last axis.
    """
    return functional.normalize((hidden * mask[..., None]).sum(1), dim=0)


@misconception("sentence_vector", "sentence-vector-one-length")
def one_length(hidden, mask):
    """You divide all texts by one length.

    Each text has its own: `norm` over the last axis, with that axis kept.
    """
    mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
    return mean / mean.norm().clamp(min=1e-12)


@misconception("sentence_vector", "sentence-vector-sum-of-absolutes")
def sum_of_absolutes(hidden, mask):
    """You divide by the sum of the absolute numbers.

    The length is the root of the sum of squares.
    """
    return functional.normalize((hidden * mask[..., None]).sum(1), p=1, dim=-1)


@misconception("sentence_vector", "sentence-vector-squared-length")
def squared_length(hidden, mask):
    """You divide by the square of the length.

    The length is the *root* of the sum of squares.
    """
    mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
    return mean / mean.square().sum(-1, keepdim=True).clamp(min=1e-12)


@misconception("sentence_vector", "sentence-vector-largest")
def largest(hidden, mask):
    """You take the largest number of each column, not the mean.

    Sum over the real tokens, and divide by how many there are.
    """
    top = hidden.masked_fill(~mask[..., None], -torch.inf).amax(1)
    return functional.normalize(torch.where(mask.any(1, keepdim=True), top, 0), dim=-1)


@misconception("sentence_vector", "sentence-vector-nan-if-empty")
def nan_if_empty(hidden, mask):
    """A text without any real token becomes NaN: you divide 0 by 0.

    Its vector is zero. Let no count be below 1, and no length 0.
    """
    mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    return mean / mean.norm(dim=-1, keepdim=True)


@misconception("sentence_vector", "sentence-vector-nan-gradient")
def nan_gradient(hidden, mask):
    """A text without any real token gets zeros, but NaN in its gradients.

    `torch.where` hides the NaN of a division by 0, but its gradient goes through both sides. And the root of 0 has an
    infinite slope, which no `clamp` behind it takes back. Keep 0 out of the division, and out of the root.
    """
    summed = (hidden * mask[..., None]).sum(1)
    length = summed.square().sum(-1, keepdim=True).sqrt()
    return torch.where(length > 0, summed / length, 0)


@misconception("sentence_vector", "sentence-vector-padding-to-zero")
def padding_to_zero(hidden, mask):
    """You set the padding to zero in the caller's tensor.

    Multiply by the mask, or use `masked_fill` without the underscore: both make a new tensor.
    """
    hidden[~mask] = 0
    return sentence_vector(hidden, mask)


@misconception("sentence_vector", "sentence-vector-real-ones-in-front")
def real_ones_in_front(hidden, mask):
    """You count the real tokens and take as many from the front.

    Padding may stand in front and inside as well: the mask says where.
    """
    front = torch.arange(mask.shape[1], device=mask.device) < mask.sum(1, keepdim=True)
    return sentence_vector(hidden, front)


@misconception("sentence_vector", "sentence-vector-first-mask-for-all")
def first_mask_for_all(hidden, mask):
    """You use the mask of the first text for all of them.

    Each text has its own row of the mask.
    """
    return sentence_vector(hidden, mask[:1].expand_as(mask))


@misconception("sentence_vector", "sentence-vector-axis-kept")
def axis_kept(hidden, mask):
    """Your result is (B, 1, D): the axis of the tokens is still there.

    Sum without `keepdim=True`, or drop the axis afterwards.
    """
    return sentence_vector(hidden, mask)[:, None]


@misconception("sentence_vector", "sentence-vector-mask-float32")
def mask_float32(hidden, mask):
    """Where `hidden` is in half precision, your result is float32: most likely you turn the mask into float32.

    `hidden * mask[..., None]` takes a mask of True and False as it is.
    """
    return functional.normalize((hidden * mask.float()[..., None]).sum(1), dim=-1)


@misconception("sentence_vector", "sentence-vector-tokens-kept")
def tokens_kept(hidden, mask):
    """You scale every token, and take no mean: your result is (B, T, D).

    One vector for each text: the axis of the tokens goes away.
    """
    return functional.normalize(hidden * mask[..., None], dim=-1)


@misconception("sentence_vector", "sentence-vector-over-columns")
def over_columns(hidden, mask):
    """You average over the columns, not over the tokens.

    Of `(B, T, D)`, the axis in the middle goes away.
    """
    return functional.normalize((hidden * mask[..., None]).mean(-1), dim=-1)


@misconception("sentence_vector", "sentence-vector-divided-by-count-twice")
def divided_by_count_twice(hidden, mask):
    """You divide by the number of tokens twice: once for the mean, and once more for its length.

    The length that should become 1 is that of the vector, the root of the sum of its squares, not the number of tokens.
    """
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    count = weights.sum(dim=1).clamp(min=1)
    return (hidden * weights).sum(dim=1) / count / count


@misconception("sentence_vector", "sentence-vector-padding-subtracted")
def padding_subtracted(hidden, mask):
    """You add up all tokens and subtract the padding: where its numbers are large, the real ones lose their digits.

    A sum has only so many digits, and the largest number takes the first of them. Leave the padding out from the start.
    """
    padding = hidden.masked_fill(mask.unsqueeze(-1), 0).sum(dim=1)
    total = (hidden.sum(dim=1) - padding).masked_fill(~mask.any(dim=1, keepdim=True), 0)
    length = torch.linalg.vector_norm(total, dim=-1, keepdim=True)
    return total / torch.where(length > 0, length, 1)
