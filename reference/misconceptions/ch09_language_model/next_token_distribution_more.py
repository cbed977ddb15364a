"""Rows that are not summed, cut or put back as they should be."""

import torch

from reference.ch09_language_model import next_token_distribution
from reference.misconceptions import misconception


@misconception("next_token_distribution", "distribution-zero-int")
def zero_int(logits, temperature=1.0, top_k=None, top_p=None):
    """For a temperature of 0 you return whole numbers (int64).

    `functional.one_hot` gives int64: turn it into the dtype of the logits, `.to(logits.dtype)`.
    """
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1])
    return next_token_distribution(logits, temperature, top_k, top_p)


@misconception("next_token_distribution", "distribution-zero-one-row")
def zero_one_row(logits, temperature=1.0, top_k=None, top_p=None):
    """For a temperature of 0 you take the arg-max of the whole batch, so not every row gets its own.

    Each row has its own largest logit: `argmax(dim=-1)`.
    """
    if temperature == 0:
        one = torch.zeros_like(logits)
        one.view(-1)[logits.argmax()] = 1.0
        return one
    return next_token_distribution(logits, temperature, top_k, top_p)


@misconception("next_token_distribution", "distribution-zero-first-row")
def zero_column(logits, temperature=1.0, top_k=None, top_p=None):
    """For a temperature of 0 you put 1 in whole columns: every row gets the arg-max of all rows.

    One 1 in each row: `scatter` along the last axis, or index rows and columns together.
    """
    if temperature == 0:
        one = torch.zeros_like(logits)
        one[:, logits.argmax(-1)] = 1.0
        return one
    return next_token_distribution(logits, temperature, top_k, top_p)


@misconception("next_token_distribution", "distribution-zero-tiny")
def zero_tiny(logits, temperature=1.0, top_k=None, top_p=None):
    """You never divide by less than 0.1: smaller temperatures, 0 included, count as 0.1.

    Check for 0 first, and put a 1 at the arg-max of each row. Every other temperature divides the logits as it is.
    """
    return next_token_distribution(logits, max(temperature, 1e-1), top_k, top_p)


@misconception("next_token_distribution", "distribution-renormalised-by-softmax")
def renormalised_by_softmax(logits, temperature=1.0, top_k=None, top_p=None):
    """You take a softmax of the probabilities that are left, to make them sum to 1.

    They are positive already: divide by their sum. A softmax takes their exponential once more.
    """
    kept = next_token_distribution(logits, temperature, top_k, top_p)
    if temperature == 0:
        return kept
    weights = next_token_distribution(logits, temperature)
    return weights.masked_fill(kept == 0, -torch.inf).softmax(-1)


@misconception("next_token_distribution", "distribution-renormalised-over-batch")
def renormalised_over_batch(logits, temperature=1.0, top_k=None, top_p=None):
    """You divide by the sum of the whole batch, not by that of each row.

    Each row is a distribution: `sum(dim=-1, keepdim=True)`.
    """
    kept = next_token_distribution(logits, temperature, top_k, top_p)
    if top_k is None and top_p is None:
        return kept
    weights = next_token_distribution(logits, temperature) * (kept > 0)
    return weights / weights.sum()


@misconception("next_token_distribution", "distribution-top-k-is-share")
def top_k_at_least(logits, temperature=1.0, top_k=None, top_p=None):
    """You keep all tokens where `top_k` is 1.

    1 is a number like any other: only the most likely token stays. Compare with None, not by truth or `> 1`.
    """
    return next_token_distribution(logits, temperature, None if top_k == 1 else top_k, top_p)


@misconception("next_token_distribution", "distribution-sorted")
def sorted_result(logits, temperature=1.0, top_k=None, top_p=None):
    """With `top_p` your probabilities are sorted: the tokens have lost their places.

    Put them back with `scatter`, or `gather` with the inverse order: column v belongs to token v.
    """
    kept = next_token_distribution(logits, temperature, top_k, top_p)
    return kept.sort(dim=-1, descending=True).values if top_p is not None else kept


@misconception("next_token_distribution", "distribution-small-fill")
def small_fill(logits, temperature=1.0, top_k=None, top_p=None):
    """You hide tokens with a logit like -1e4, which is not small where real logits are lower.

    -inf is below all of them: `masked_fill(..., -torch.inf)`.
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, None, top_p)
    edge = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
    return next_token_distribution((logits / temperature).masked_fill(logits < edge, -1e4), 1.0, None, top_p)


@misconception("next_token_distribution", "distribution-tiny-is-zero")
def tiny_is_zero(logits, temperature=1.0, top_k=None, top_p=None):
    """You take the arg-max for every small temperature, not for 0 alone.

    Logits that are as close as the temperature is small still share. Which number alone must you not divide by?
    """
    return next_token_distribution(logits, 0.0 if temperature < 0.01 else temperature, top_k, top_p)


@misconception("next_token_distribution", "distribution-gumbel")
def gumbel(logits, temperature=1.0, top_k=None, top_p=None):
    """You add random noise (`gumbel_softmax`): the same logits get other probabilities in each call.

    Nothing is drawn here. Your caller does that afterwards, with the probabilities that you return.
    """
    if temperature == 0:
        return next_token_distribution(logits, 0, top_k, top_p)
    if top_k is not None and top_k < logits.shape[-1]:
        least = logits.topk(top_k, dim=-1).values[:, -1:]
        logits = logits.masked_fill(logits < least, -torch.inf)
    probabilities = torch.nn.functional.gumbel_softmax(logits, tau=temperature, dim=-1)
    if top_p is not None:
        largest, order = probabilities.sort(dim=-1, descending=True)
        largest = largest.masked_fill(largest.cumsum(dim=-1) - largest >= top_p, 0.0)
        probabilities = torch.zeros_like(probabilities).scatter(-1, order, largest)
        probabilities = probabilities / probabilities.sum(dim=-1, keepdim=True)
    return probabilities


@misconception("next_token_distribution", "distribution-powers")
def powers_of_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    """You apply the temperature to the probabilities, and the tiny ones among them have become 0.

    By algebra it is the same, but what is 0 stays 0, and at a low temperature a whole row may be. Divide the logits,
    before the softmax.
    """
    if temperature == 0:
        return next_token_distribution(logits, temperature, top_k, top_p)
    weights = logits.softmax(-1) ** (1 / temperature)
    return next_token_distribution((weights / weights.sum(-1, keepdim=True)).log(), 1.0, top_k, top_p)
