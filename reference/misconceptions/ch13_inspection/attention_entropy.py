"""What goes wrong in `attention_entropy`."""

import torch

from reference.ch13_inspection import attention_entropy
from reference.misconceptions import misconception


@misconception("attention_entropy", "entropy-nan-at-zero")
def nan_at_zero(weights):
    """You compute 0 · log 0, and that is NaN.

    Masks make weights of exactly 0, and their term is 0: use `torch.xlogy`, `torch.special.entr` or a `where`.
    """
    return -(weights * weights.log()).sum(dim=-1)


@misconception("attention_entropy", "entropy-rows-emptied")
def rows_emptied(weights):
    """You replace NaN after the sum, so a query with even one weight of 0 loses its whole entropy.

    The term of a zero weight is 0, the others count: make the terms finite before you add them up.
    """
    return torch.nan_to_num(-(weights * weights.log()).sum(dim=-1))


@misconception("attention_entropy", "entropy-without-minus")
def without_minus(weights):
    """Your entropy is negative: the minus in front of the sum is missing.

    Logarithms of numbers below 1 are negative; the minus makes the entropy 0 or more.
    """
    return -attention_entropy(weights)


@misconception("attention_entropy", "entropy-in-bits")
def in_bits(weights):
    """You take the logarithm to base 2, and your entropy is in bits.

    Use the natural logarithm, `log`, as in nearly all of torch.
    """
    return -(weights * weights.where(weights > 0, 1.0).log2()).sum(dim=-1)


@misconception("attention_entropy", "entropy-log10")
def log10(weights):
    """You take the logarithm to base 10.

    Use the natural logarithm, `log`.
    """
    return -(weights * weights.where(weights > 0, 1.0).log10()).sum(dim=-1)


@misconception("attention_entropy", "entropy-over-queries")
def over_queries(weights):
    """You sum over the queries instead of the keys.

    A query's weights are a row and sum to 1: sum over the last axis.
    """
    return attention_entropy(weights.transpose(-2, -1))


@misconception("attention_entropy", "entropy-mean-over-queries")
def mean_over_queries(weights):
    """You average over the queries as well.

    Return one number per query: the result is (..., Tq).
    """
    return attention_entropy(weights).mean(dim=-1)


@misconception("attention_entropy", "entropy-mean-over-keys")
def mean_over_keys(weights):
    """You average over the keys instead of adding up, so your entropy is Tk times too small.

    Entropy is a sum: the weights in it already make it an average.
    """
    return attention_entropy(weights) / weights.shape[-1]


@misconception("attention_entropy", "entropy-of-everything")
def of_everything(weights):
    """You sum over all axes and return a single number.

    Return one number per query: sum over the last axis only.
    """
    return attention_entropy(weights).sum()


@misconception("attention_entropy", "entropy-terms")
def terms(weights):
    """You return the terms of the sum, one for each key.

    Sum them over the last axis: (..., Tq, Tk) becomes (..., Tq).
    """
    return torch.special.entr(weights)


@misconception("attention_entropy", "entropy-axis-kept")
def axis_kept(weights):
    """You keep the axis of the keys with length 1.

    The result is (..., Tq): sum without `keepdim=True`.
    """
    return attention_entropy(weights).unsqueeze(-1)


@misconception("attention_entropy", "entropy-squeezed")
def squeezed(weights):
    """You squeeze the result, which drops every axis of length 1.

    A single head or a single query keeps its axis; leave out `squeeze()`.
    """
    return attention_entropy(weights).squeeze()


@misconception("attention_entropy", "entropy-normalised")
def normalised(weights):
    """You divide by log Tk, so that evenly shared attention has entropy 1.

    Return the plain entropy: it lies between 0 and log Tk.
    """
    return attention_entropy(weights) / attention_entropy(torch.full_like(weights, 1 / weights.shape[-1]))


@misconception("attention_entropy", "entropy-exponential")
def exponential(weights):
    """You return the exponential of the entropy, the number of keys a query looks at.

    Return the entropy itself; the caller may take `exp()`.
    """
    return attention_entropy(weights).exp()


@misconception("attention_entropy", "entropy-logarithms-alone")
def logarithms_alone(weights):
    """You add up the logarithms without the weights in front of them.

    Each logarithm counts with its weight: w · log w.
    """
    return -weights.log().sum(dim=-1)


@misconception("attention_entropy", "entropy-softmax-again")
def softmax_again(weights):
    """You put the weights through a softmax once more.

    They are weights already, each row sums to 1; a second softmax makes them nearly equal.
    """
    return attention_entropy(weights.softmax(dim=-1))


@misconception("attention_entropy", "entropy-shifted")
def shifted(weights):
    """You take log(1 + w) instead of log w, as `log1p` does, and that makes every entropy negative.

    Add nothing inside the logarithm; `torch.xlogy(weights, weights)` takes care of weights of 0.
    """
    return -(weights * weights.log1p()).sum(dim=-1)


@misconception("attention_entropy", "entropy-large-epsilon")
def large_epsilon(weights):
    """You add a number to the weights inside the logarithm that is too large: it shows in the third decimal.

    1e-12 would do no harm, and `torch.xlogy` or `torch.special.entr` need nothing of the kind.
    """
    return -(weights * (weights + 1e-3).log()).sum(dim=-1)


@misconception("attention_entropy", "entropy-small-weights-dropped")
def small_weights_dropped(weights):
    """You leave out all small weights, not only those of exactly 0.

    Only a weight of exactly 0 has no logarithm: check `weights > 0`, not `weights > 1e-3`.
    """
    return -(weights * torch.where(weights > 1e-3, weights, 1.0).log()).sum(dim=-1)


@misconception("attention_entropy", "entropy-four-axes-only")
def four_axes_only(weights):
    """You unpack the shape into four axes, so other weights raise an error.

    Any axes may come in front of queries and keys; `sum(dim=-1)` does not need to know them.
    """
    batch, heads, queries, _ = weights.shape
    return attention_entropy(weights).reshape(batch, heads, queries)


@misconception("attention_entropy", "entropy-detached")
def detached(weights):
    """Your result is cut off from the weights: no gradient comes back (detach, .data, no_grad, item or NumPy).

    A loss that contains the entropy needs that gradient; compute with the given tensor throughout.
    """
    return attention_entropy(weights.detach())


@misconception("attention_entropy", "entropy-weights-detached")
def weights_detached(weights):
    """Your entropy is right, but its gradient is not: the weight in front of the logarithm gets none.

    Each weight stands in its term twice, once in the logarithm. Which of the two do you cut off, and what for?
    """
    return -torch.xlogy(weights.detach(), weights.where(weights > 0, 1.0)).sum(dim=-1)


@misconception("attention_entropy", "entropy-float64")
def float64(weights):
    """Your result is float64 whatever the weights are.

    Leave out `.double()` and tensors with a fixed dtype.
    """
    return attention_entropy(weights.double())


@misconception("attention_entropy", "entropy-float32")
def float32(weights):
    """Your result is float32 whatever the weights are.

    Leave out `.float()`, and give new tensors `dtype=weights.dtype`.
    """
    return attention_entropy(weights.float())


@misconception("attention_entropy", "entropy-device")
def device(weights):
    """You make a tensor on the default device instead of the one where the weights lie.

    On a GPU the two don't meet; pass `device=weights.device`, or build nothing at all.
    """
    return attention_entropy(weights) + torch.zeros(weights.shape[:-1], dtype=weights.dtype)


@misconception("attention_entropy", "entropy-overwrites")
def overwrites(weights):
    """You change the weights in place, and the caller's weights are gone.

    `clamp_`, `*=` and assignments to `weights[...]` work on the caller's tensor; make a new one.
    """
    entropy = attention_entropy(weights)
    weights.clamp_(min=1e-3)
    return entropy


@misconception("attention_entropy", "entropy-tiny-weights-dropped")
def tiny_weights_dropped(weights):
    """You leave out weights that are not 0 but small, such as those below 1e-5 or 1e-4.

    Only a weight of exactly 0 has no term. Five weights of 5e-6 already add 0.0003.
    """
    return attention_entropy(torch.where(weights < 1e-5, torch.zeros_like(weights), weights))


@misconception("attention_entropy", "entropy-last-key-missing")
def last_key_missing(weights):
    """You leave the last key out.

    Sum over all keys, to the end of the axis.
    """
    return attention_entropy(weights[..., :-1])


@misconception("attention_entropy", "entropy-mean-over-heads")
def mean_of_heads(weights):
    """You average over heads and texts: one number for each query, none for heads or texts.

    Keep the axes in front: (..., Tq). Only the axis of the keys goes.
    """
    entropy = attention_entropy(weights)
    return entropy.mean(dim=tuple(range(entropy.dim() - 1))) if entropy.dim() > 1 else entropy


@misconception("attention_entropy", "entropy-millionth")
def millionth_added(weights):
    """You add 1e-6 to the weights inside the logarithm, and each key takes that much from the entropy.

    It adds up over many keys, and a weight of 1 gets an entropy below 0. What should 0 · log 0 count, and which weights
    does it concern? 1e-12 would do no harm.
    """
    return -(weights * (weights + 1e-6).log()).sum(dim=-1)


@misconception("attention_entropy", "entropy-of-softmax-in-logarithm")
def softmax_in_logarithm(weights):
    """Your logarithm is of weights that went through a softmax once more, as in `cross_entropy`, which expects logits.

    They are weights already, each row sums to 1. Which numbers does the function that you call expect?
    """
    return -(weights * weights.log_softmax(dim=-1)).sum(dim=-1)


@misconception("attention_entropy", "entropy-first-two-axes")
def first_two_axes(weights):
    """Your `diagonal` runs along axes 0 and 1, which are queries and keys only where no axis stands in front of them.

    Name the last two: `dim1=-2, dim2=-1`. Or multiply and add up, and no diagonal is needed.
    """
    logs = torch.where(weights > 0, weights, torch.ones_like(weights)).log()
    return -(weights @ logs.mT).diagonal()
