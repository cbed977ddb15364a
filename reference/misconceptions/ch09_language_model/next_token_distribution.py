"""Temperature and top-k turned the wrong way, and answers of the wrong form."""

import torch

from reference.ch09_language_model import next_token_distribution
from reference.misconceptions import misconception


@misconception("next_token_distribution", "distribution-zero-ignored")
def zero_ignored(logits, temperature=1.0, top_k=None, top_p=None):
    """You treat a temperature of 0 as if there were none.

    0 stands for the arg-max: all the probability goes to the largest logit. `temperature or 1.0` takes 0 for missing.
    """
    return next_token_distribution(logits, temperature or 1.0, top_k, top_p)


@misconception("next_token_distribution", "distribution-temperature-multiplies")
def temperature_multiplies(logits, temperature=1.0, top_k=None, top_p=None):
    """You multiply by the temperature.

    A low temperature makes the model sure of itself, so it must spread the logits: divide.
    """
    return next_token_distribution(logits, 1 / temperature if temperature else 0.0, top_k, top_p)


@misconception("next_token_distribution", "distribution-temperature-ignored")
def temperature_ignored(logits, temperature=1.0, top_k=None, top_p=None):
    """The temperature has no effect: you do not use it, or you divide the probabilities by it, where it cancels.

    It comes first: `logits / temperature`, and everything else works on that. After the softmax it would cancel as soon
    as each row is made to sum to 1.
    """
    return next_token_distribution(logits, 1.0, top_k, top_p)


@misconception("next_token_distribution", "distribution-temperature-on-probabilities")
def temperature_on_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    """You divide the probabilities by the temperature; their sum is no longer 1.

    It acts on the logits, before the softmax.
    """
    if temperature == 0:
        return next_token_distribution(logits, 0.0)
    return next_token_distribution(logits, 1.0, top_k, top_p) / temperature


@misconception("next_token_distribution", "distribution-logits")
def returns_logits(logits, temperature=1.0, top_k=None, top_p=None):
    """You return the logarithms of the probabilities, as `log_softmax` gives them.

    The answer is a distribution: rows of probabilities with sum 1, 0 where a token was cut. Take `softmax`, or the
    `exp()` of what you have.
    """
    return next_token_distribution(logits, temperature, top_k, top_p).log()


@misconception("next_token_distribution", "distribution-over-batch")
def softmax_over_batch(logits, temperature=1.0, top_k=None, top_p=None):
    """Your softmax runs over the batch: the columns sum to 1, not the rows.

    The tokens are the last axis: `softmax(dim=-1)`.
    """
    if temperature == 0:
        return next_token_distribution(logits, temperature)
    scores = logits / temperature
    if top_k is not None or top_p is not None:
        kept = next_token_distribution(logits, temperature, top_k, top_p) > 0
        scores = scores.masked_fill(~kept, -torch.inf)
    return scores.softmax(0)


@misconception("next_token_distribution", "distribution-in-place")
def in_place(logits, temperature=1.0, top_k=None, top_p=None):
    """You change the caller's logits in place.

    `/=` and assignments into a slice write into the tensor you were given; make a new one.
    """
    logits /= temperature or 1.0
    return next_token_distribution(logits, 1.0 if temperature else 0.0, top_k, top_p)


@misconception("next_token_distribution", "distribution-top-k-ignored")
def top_k_ignored(logits, temperature=1.0, top_k=None, top_p=None):
    """You do not use `top_k`.

    Where it is given, only the k most likely tokens of each row stay.
    """
    return next_token_distribution(logits, temperature, None, top_p)


@misconception("next_token_distribution", "distribution-top-k-smallest")
def top_k_smallest(logits, temperature=1.0, top_k=None, top_p=None):
    """You keep the k least likely tokens.

    Sort in descending order (`descending=True`), or take `topk`, before you cut.
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, None, top_p)
    kept = logits.topk(min(top_k, logits.shape[-1]), largest=False).indices
    left = torch.full_like(logits, -torch.inf).scatter(-1, kept, logits.gather(-1, kept))
    return next_token_distribution(left, temperature, None, top_p)


@misconception("next_token_distribution", "distribution-top-k-one-more")
def top_k_one_more(logits, temperature=1.0, top_k=None, top_p=None):
    """You keep k + 1 tokens.

    In a row sorted in descending order the k most likely tokens have indices 0 to k - 1: keep `[:, :top_k]`.
    """
    return next_token_distribution(logits, temperature, None if top_k is None else top_k + 1, top_p)


@misconception("next_token_distribution", "distribution-top-k-one-less")
def top_k_one_less(logits, temperature=1.0, top_k=None, top_p=None):
    """You drop the k-th token as well: only tokens that are more likely stay.

    k tokens stay, the k-th included: `>=` its logit, not `>`.
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, None, top_p)
    edge = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
    return next_token_distribution(logits.masked_fill(logits <= edge, -torch.inf), temperature, None, top_p)


@misconception("next_token_distribution", "distribution-top-k-zeros")
def top_k_zeros(logits, temperature=1.0, top_k=None, top_p=None):
    """You set the logits of what is cut to 0, which is a logit like any other.

    e to the power of 0 is 1: set them to -inf, and the softmax makes 0 of that.
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, None, top_p)
    edge = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
    scores, places = (logits / temperature).masked_fill(logits < edge, 0.0).sort(dim=-1, descending=True)
    if top_p is not None:
        weights = scores.softmax(-1)
        scores = scores.masked_fill(weights.cumsum(-1) - weights >= top_p, -torch.inf)
    return torch.zeros_like(scores).scatter(-1, places, scores.softmax(-1))


@misconception("next_token_distribution", "distribution-top-k-not-renormalised")
def top_k_not_renormalised(logits, temperature=1.0, top_k=None, top_p=None):
    """After top-k your rows sum to less than 1.

    What stays must be a distribution again: divide by its sum, or cut the logits before the softmax.
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, None, top_p)
    weights = next_token_distribution(logits, temperature)
    kept = next_token_distribution(logits, temperature, top_k, top_p) > 0
    return weights * kept


@misconception("next_token_distribution", "distribution-top-k-shared")
def top_k_shared(logits, temperature=1.0, top_k=None, top_p=None):
    """You cut all rows at the first row's k-th logit.

    Each row has its own k most likely tokens: keep the axis when you take the threshold, `values[:, -1:]`.
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, None, top_p)
    edge = logits[0].topk(min(top_k, logits.shape[-1])).values[-1]
    return next_token_distribution(logits.masked_fill(logits < edge, -torch.inf), temperature, None, top_p)


@misconception("next_token_distribution", "distribution-top-k-columns")
def top_k_columns(logits, temperature=1.0, top_k=None, top_p=None):
    """You return only the k columns that are left.

    The answer is (B, V), every token in its place, with probability 0 where it was cut.
    """
    whole = next_token_distribution(logits, temperature, top_k, top_p)
    return whole if top_k is None or not temperature else whole.topk(min(top_k, logits.shape[-1])).values


@misconception("next_token_distribution", "distribution-top-k-above-v")
def top_k_above_v(logits, temperature=1.0, top_k=None, top_p=None):
    """You ask `topk` for more tokens than there are.

    A `top_k` above V keeps all: `min(top_k, logits.shape[-1])`.
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, None, top_p)
    edge = torch.topk(logits, top_k).values[:, -1:]
    return next_token_distribution(logits.masked_fill(logits < edge, -torch.inf), temperature, None, top_p)


@misconception("next_token_distribution", "distribution-zero-divides")
def zero_divides(logits, temperature=1.0, top_k=None, top_p=None):
    """You divide by a temperature of 0, which gives NaN.

    0 stands for the arg-max: check for 0 first, and put a 1 at the arg-max of each row.
    """
    return next_token_distribution(logits / temperature, 1.0, top_k, top_p)


@misconception("next_token_distribution", "distribution-zero-gives-ids")
def zero_gives_ids(logits, temperature=1.0, top_k=None, top_p=None):
    """For a temperature of 0 you return the ids of the most likely tokens.

    It is a distribution like any other, (B, V): 1 at that token and 0 elsewhere.
    """
    if temperature == 0:
        return logits.argmax(-1)
    return next_token_distribution(logits, temperature, top_k, top_p)


@misconception("next_token_distribution", "distribution-unstable")
def unstable(logits, temperature=1.0, top_k=None, top_p=None):
    """You take the exponential of the logits as they are, which overflows for large ones.

    Subtract each row's largest first, or use `softmax`, which does.
    """
    kept = next_token_distribution(logits, temperature, top_k, top_p)
    if temperature == 0:
        return kept
    weights = (logits / temperature).exp() * (kept > 0)
    return weights / weights.sum(-1, keepdim=True)


@misconception("next_token_distribution", "distribution-new-tensor")
def new_tensor(logits, temperature=1.0, top_k=None, top_p=None):
    """You make a new tensor on the default device, away from the one where the logits lie.

    `torch.full_like(logits, ...)` has their device and dtype, and so has the result of `masked_fill`.
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, None, top_p)
    edge = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
    left = torch.where(logits < edge, torch.full(logits.shape, -torch.inf, dtype=logits.dtype), logits)
    return next_token_distribution(left, temperature, None, top_p)


@misconception("next_token_distribution", "distribution-temperature-clamped")
def temperature_clamped(logits, temperature=1.0, top_k=None, top_p=None):
    """You take a small number such as 1e-5 for a temperature of 0, and logits that are nearly equal share.

    0 stands for the arg-max: all the probability goes to the largest logit, by however little it is the largest.
    """
    return next_token_distribution(logits, max(temperature, 1e-5), top_k, top_p)
