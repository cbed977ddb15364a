"""What goes wrong in `attention_in_blocks`, continued: which keys, the scale and the tensors."""

import math

import torch

from reference.ch03_attention import attention_in_blocks, scaled_dot_product_attention, scaled_dot_scores, softmax
from reference.misconceptions import misconception


@misconception("attention_in_blocks", "in-blocks-last-skipped")
def last_skipped(q, k, v, size):
    """You leave out the last block.

    The last block begins before Tk, wherever it ends: `range(0, Tk, size)` has all beginnings.
    """
    kept = max((k.shape[-2] - 1) // size, 1) * size
    return attention_in_blocks(q, k[..., :kept, :], v[..., :kept, :], size)


@misconception("attention_in_blocks", "in-blocks-rest-dropped")
def rest_dropped(q, k, v, size):
    """You leave out the keys of the last block where `size` does not divide their number.

    It need not: `Tk // size` counts whole blocks only, and the last one may be shorter.
    """
    whole = max(k.shape[-2] // size, 1) * size
    return attention_in_blocks(q, k[..., :whole, :], v[..., :whole, :], size)


@misconception("attention_in_blocks", "in-blocks-rest-padded")
def rest_padded(q, k, v, size):
    """You fill the last block up with keys of zeros, and these get weights as well.

    A score of 0 is a score like any other; let the last block be shorter, or give what you added scores of -inf.
    """
    missing = -k.shape[-2] % size
    k, v = (torch.nn.functional.pad(each, (0, 0, 0, missing)) for each in (k, v))
    return attention_in_blocks(q, k, v, size)


@misconception("attention_in_blocks", "in-blocks-one-key-less")
def one_key_less(q, k, v, size):
    """Each block lacks its last key.

    A slice ends before its second number: `start : start + size` has `size` keys.
    """
    kept = [j for j in range(k.shape[-2]) if j % size != size - 1]
    return attention_in_blocks(q, k[..., kept, :], v[..., kept, :], size)


@misconception("attention_in_blocks", "in-blocks-one-key-twice")
def one_key_twice(q, k, v, size):
    """Your blocks overlap: the first key of a block has been counted in the one before.

    `start : start + size` are `size` keys, and the next block begins at `start + size`.
    """
    kept = [j for start in range(0, k.shape[-2], size) for j in range(start, min(start + size + 1, k.shape[-2]))]
    return attention_in_blocks(q, k[..., kept, :], v[..., kept, :], size)


@misconception("attention_in_blocks", "in-blocks-number-of-blocks")
def number_of_blocks(q, k, v, size):
    """You take `size` for the number of blocks (`chunk`) instead of the number of keys in each.

    `torch.split` takes the keys in a block, `torch.chunk` the number of blocks.
    """
    return attention_in_blocks(q, k, v, -(-k.shape[-2] // size))


@misconception("attention_in_blocks", "in-blocks-all-at-once")
def all_at_once(q, k, v, size):
    """You make a table with an entry for each query and key: all scores at once, or those of all blocks joined.

    That is what blocks are there to avoid: compute the scores of `size` keys, use them, and let them go.
    """
    return scaled_dot_product_attention(q, k, v)[0]


@misconception("attention_in_blocks", "in-blocks-blocks-of-queries")
def blocks_of_queries(q, k, v, size):
    """You cut the queries into blocks, and each sees all keys at once.

    Then a row of weights is still as long as the text. Cut keys and values; the queries stay together.
    """
    return torch.cat([scaled_dot_product_attention(rows, k, v)[0] for rows in q.split(size, -2)], -2)


@misconception("attention_in_blocks", "in-blocks-first-axis")
def first_axis(q, k, v, size):
    """You cut keys and values along their first axis.

    That is the batch where there is one. Cut along the keys, the last axis but one: `dim=-2`.
    """
    if k.dim() == 2:
        return attention_in_blocks(q, k, v, size)
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size), v.split(size), strict=True):
        scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        total = total * (largest - now).exp() + (scores - now).exp().sum(-1, keepdim=True)
        output = output * (largest - now).exp() + (scores - now).exp() @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-second-axis")
def second_axis(q, k, v, size):
    """You cut keys and values along axis 1.

    That is the axis of the keys in (B, Tk, d) only; it is always the last but one: `dim=-2`.
    """
    if k.dim() == 3:
        return attention_in_blocks(q, k, v, size)
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, 1), v.split(size, 1), strict=True):
        scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        total = total * (largest - now).exp() + (scores - now).exp().sum(-1, keepdim=True)
        output = output * (largest - now).exp() + (scores - now).exp() @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-first-values")
def first_values(q, k, v, size):
    """Every block uses the first block's values.

    Key j and value j belong together: cut both in the same places, and go through them side by side.
    """
    places = [j % size for j in range(k.shape[-2])]
    return attention_in_blocks(q, k, v[..., places, :], size)


@misconception("attention_in_blocks", "in-blocks-unscaled")
def unscaled(q, k, v, size):
    """Your scores are not divided by √d.

    Divide each block's q kᵀ by √d, d the last size of q, before the maximum is taken.
    """
    return attention_in_blocks(q * math.sqrt(q.shape[-1]), k, v, size)


@misconception("attention_in_blocks", "in-blocks-by-d")
def by_d(q, k, v, size):
    """Your scores are divided by d, not by its square root.

    The standard deviation of the scores is √d; divide once by that.
    """
    return attention_in_blocks(q / math.sqrt(q.shape[-1]), k, v, size)


@misconception("attention_in_blocks", "in-blocks-by-size")
def by_size(q, k, v, size):
    """Your scores are divided by the square root of `size`, the keys in a block.

    One score is a sum of d products; divide by the root of `q.shape[-1]`.
    """
    return attention_in_blocks(q * math.sqrt(q.shape[-1] / size), k, v, size)


@misconception("attention_in_blocks", "in-blocks-pair")
def pair(q, k, v, size):
    """You return a pair; only the output is wanted.

    The weights cannot be returned: there is never more than a block of them.
    """
    return attention_in_blocks(q, k, v, size), size


@misconception("attention_in_blocks", "in-blocks-detached")
def detached(q, k, v, size):
    """No gradient comes back through your result (detach, .data, no_grad or NumPy).

    Compute with q, k and v themselves; only a maximum may be detached, as it cancels.
    """
    return attention_in_blocks(q, k, v, size).detach()


@misconception("attention_in_blocks", "in-blocks-earlier-detached")
def earlier_detached(q, k, v, size):
    """What is kept from block to block is cut off from the gradient (detach, .data, .item() or no_grad).

    Keys and values of all blocks learn; only the largest score may be detached, as it cancels.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = total.detach() * shrink + weights.sum(-1, keepdim=True)
        output = output.detach() * shrink + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-overwrites-q")
def overwrites_q(q, k, v, size):
    """You scale q in place, and the caller's q changes with it.

    Write `q = q / ...` instead of `q /= ...`.
    """
    q /= math.sqrt(q.shape[-1])
    return attention_in_blocks(q * math.sqrt(q.shape[-1]), k, v, size)


@misconception("attention_in_blocks", "in-blocks-float")
def always_float32(q, k, v, size):
    """Your result is computed or kept in float32, whatever dtype q, k and v have.

    It must have their dtype: leave out `.float()`, and make the sums with `q.new_zeros(...)`, which takes it from q.
    """
    return attention_in_blocks(q.float(), k.float(), v.float(), size)


@misconception("attention_in_blocks", "in-blocks-device")
def on_the_default_device(q, k, v, size):
    """You make a tensor on the default device instead of the device of q.

    On a GPU the two cannot be combined: `q.new_zeros(...)` and `torch.zeros_like(...)` take dtype and device along.
    """
    output = torch.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    return output + attention_in_blocks(q, k, v, size)


@misconception("attention_in_blocks", "in-blocks-squeezed")
def squeezed(q, k, v, size):
    """You squeeze the result, which drops every axis of size 1.

    An axis of size 1 is an axis like any other; leave out `squeeze()`, or name the axis that you mean.
    """
    return attention_in_blocks(q, k, v, size).squeeze()


@misconception("attention_in_blocks", "in-blocks-weighted-by-maximum")
def blocks_weighted_by_their_maximum(q, k, v, size):
    """You weight the blocks' results by their largest scores alone, so a block of many good keys counts too little.

    Two equal keys deserve twice the weight of one. What must a block tell about all its scores, not only the largest?
    """
    results, largest = [], []
    for start in range(0, k.shape[-2], size):
        scores = q @ k[..., start : start + size, :].mT / math.sqrt(q.shape[-1])
        results.append(torch.softmax(scores, dim=-1) @ v[..., start : start + size, :])
        largest.append(scores.amax(dim=-1, keepdim=True))
    return (torch.softmax(torch.stack(largest), dim=0) * torch.stack(results)).sum(dim=0)


@misconception("attention_in_blocks", "in-blocks-zero-hidden")
def blocks_zero_hidden(q, k, v, size):
    """A key whose score is exactly 0 gets no weight, as if it were padding.

    0 is a score like any other, below the positive and above the negative ones. Which keys are not there at all?
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, result = torch.zeros_like(largest), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for start in range(0, k.shape[-2], size):
        scores = q @ k[..., start : start + size, :].mT / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(scores == 0, torch.finfo(q.dtype).min)
        new = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))
        powers, shrink = torch.exp(scores - new), torch.exp(largest - new)
        total = total * shrink + powers.sum(dim=-1, keepdim=True)
        result = result * shrink + powers @ v[..., start : start + size, :]
        largest = new
    return result / total


@misconception("attention_in_blocks", "in-blocks-larger-mass")
def larger_mass(q, k, v, size):
    """You go on with the larger of two sums of weights (or its logarithm), not with both together.

    With two blocks it does not show, and from the third on the earlier ones weigh too little. How much should the first
    two weigh against it? Of logarithms, `logaddexp` takes both.
    """
    scores = [scaled_dot_scores(q, keys) for keys in k.split(size, -2)]
    mean, mass = None, None
    for each, values in zip(scores, v.split(size, -2), strict=True):
        other, others = softmax(each, -1) @ values, torch.logsumexp(each, -1, keepdim=True)
        share = 1.0 if mass is None else torch.sigmoid(others - mass)
        mean = other if mean is None else (1 - share) * mean + share * other
        mass = others if mass is None else torch.maximum(mass, others)
    return mean
