"""A nucleus that is cut in the wrong place, at the wrong time or from the wrong tokens."""

import torch

from reference.ch09_language_model import next_token_distribution
from reference.misconceptions import misconception


@misconception("next_token_distribution", "distribution-top-p-before-temperature")
def before_temperature(logits, temperature=1.0, top_k=None, top_p=None):
    """You cut the nucleus before the temperature is applied.

    Temperature changes how much probability the top tokens have together; divide by it first.
    """
    if temperature == 0:
        return next_token_distribution(logits, 0.0)
    kept = next_token_distribution(logits, 1.0, top_k, top_p) > 0
    return (logits / temperature).masked_fill(~kept, -torch.inf).softmax(-1)


@misconception("next_token_distribution", "distribution-top-p-or-top-k")
def one_or_the_other(logits, temperature=1.0, top_k=None, top_p=None):
    """Where both are given, you use only one of them.

    They work one after the other: first `top_k`, then `top_p` on what is left.
    """
    return next_token_distribution(logits, temperature, top_k, None if top_k is not None else top_p)


@misconception("next_token_distribution", "distribution-top-p-without-crossing")
def without_crossing(logits, temperature=1.0, top_k=None, top_p=None):
    """Your nucleus leaves out the token that brings the sum to p, and is empty where the first one does.

    The set must reach p: a token stays while the sum of those before it is below p.
    """
    if temperature == 0 or top_p is None:
        return next_token_distribution(logits, temperature, top_k)
    weights, places = next_token_distribution(logits, temperature, top_k).sort(dim=-1, descending=True)
    scores = weights.log().masked_fill(weights.cumsum(-1) > top_p, -torch.inf)
    return torch.zeros_like(logits).scatter(-1, places, scores.softmax(-1))


@misconception("next_token_distribution", "distribution-top-p-without-crossing-but-first")
def without_crossing_but_first(logits, temperature=1.0, top_k=None, top_p=None):
    """Your nucleus leaves out the token that brings the sum to p, unless it is the first.

    The set must reach p: a token stays while the sum of those before it is below p. The first then stays by itself.
    """
    if temperature == 0 or top_p is None:
        return next_token_distribution(logits, temperature, top_k)
    weights, places = next_token_distribution(logits, temperature, top_k).sort(dim=-1, descending=True)
    over = weights.cumsum(-1) > top_p
    over[:, 0] = False
    return torch.zeros_like(logits).scatter(-1, places, weights.log().masked_fill(over, -torch.inf).softmax(-1))


@misconception("next_token_distribution", "distribution-top-p-one-more")
def one_more(logits, temperature=1.0, top_k=None, top_p=None):
    """Your nucleus has one token too many.

    The token that brings the sum to p completes it: compare p with the sum before each token, once.
    """
    if temperature == 0 or top_p is None:
        return next_token_distribution(logits, temperature, top_k)
    weights, places = next_token_distribution(logits, temperature, top_k).sort(dim=-1, descending=True)
    before = weights.cumsum(-1) - weights
    before = torch.cat([torch.zeros_like(before[:, :1]), before[:, :-1]], dim=-1)
    scores = weights.log().masked_fill(before >= top_p, -torch.inf)
    return torch.zeros_like(logits).scatter(-1, places, scores.softmax(-1))


@misconception("next_token_distribution", "distribution-top-p-ignored")
def top_p_ignored(logits, temperature=1.0, top_k=None, top_p=None):
    """You do not use `top_p`.

    Where it is given, only the smallest set of most likely tokens that reaches it stays.
    """
    return next_token_distribution(logits, temperature, top_k)


@misconception("next_token_distribution", "distribution-top-p-threshold")
def a_threshold(logits, temperature=1.0, top_k=None, top_p=None):
    """You compare each token's own probability with p.

    p is what the tokens that stay must reach together: add them up, the most likely first (`cumsum`).
    """
    weights = next_token_distribution(logits, temperature, top_k)
    if temperature == 0 or top_p is None:
        return weights
    return weights.log().masked_fill(weights < top_p, -torch.inf).softmax(-1)


@misconception("next_token_distribution", "distribution-top-p-ascending")
def ascending(logits, temperature=1.0, top_k=None, top_p=None):
    """You add up from the least likely token on, and keep those.

    Sort in descending order: the most likely tokens make the nucleus.
    """
    if temperature == 0 or top_p is None:
        return next_token_distribution(logits, temperature, top_k)
    weights, places = next_token_distribution(logits, temperature, top_k).sort(dim=-1)
    scores = weights.log().masked_fill(weights.cumsum(-1) - weights >= top_p, -torch.inf)
    return torch.zeros_like(logits).scatter(-1, places, scores.softmax(-1))


@misconception("next_token_distribution", "distribution-top-p-mask-unsorted")
def mask_of_sorted(logits, temperature=1.0, top_k=None, top_p=None):
    """You find out in sorted order which tokens stay, and put that mask on the unsorted ones.

    Take the mask back to the tokens' own places first (`scatter`, or `gather` with the `argsort` of the places).
    """
    weights = next_token_distribution(logits, temperature, top_k)
    if temperature == 0 or top_p is None:
        return weights
    ordered = weights.sort(dim=-1, descending=True).values
    return weights.log().masked_fill(ordered.cumsum(-1) - ordered >= top_p, -torch.inf).softmax(-1)


@misconception("next_token_distribution", "distribution-top-p-sorted")
def left_sorted(logits, temperature=1.0, top_k=None, top_p=None):
    """With `top_p` you return the probabilities in sorted order.

    Column v belongs to token v: scatter them back to the places that `sort` gave you.
    """
    weights = next_token_distribution(logits, temperature, top_k, top_p)
    return weights if top_p is None or not temperature else weights.sort(dim=-1, descending=True).values


@misconception("next_token_distribution", "distribution-top-p-not-renormalised")
def not_renormalised(logits, temperature=1.0, top_k=None, top_p=None):
    """After top-p your rows sum to less than 1.

    What stays must be a distribution again: divide by its sum, or cut the logits and take the softmax once more.
    """
    weights = next_token_distribution(logits, temperature, top_k)
    return weights * (next_token_distribution(logits, temperature, top_k, top_p) > 0)


@misconception("next_token_distribution", "distribution-top-p-shared")
def shared(logits, temperature=1.0, top_k=None, top_p=None):
    """In all rows you keep as many tokens as the first row's nucleus has.

    A sure row needs few tokens to reach p, an unsure one many: each has a cut of its own.
    """
    weights = next_token_distribution(logits, temperature, top_k)
    if temperature == 0 or top_p is None:
        return weights
    size = int((next_token_distribution(logits[:1], temperature, top_k, top_p) > 0).sum())
    return next_token_distribution(logits, temperature, size)


@misconception("next_token_distribution", "distribution-top-p-unfiltered")
def of_the_unfiltered(logits, temperature=1.0, top_k=None, top_p=None):
    """With both, you add up the probabilities as they were before top-k (or cut the nucleus first, and then top-k).

    After top-k the remaining tokens sum to 1 again: cut the nucleus from that distribution.
    """
    if temperature == 0:
        return next_token_distribution(logits, 0.0)
    kept = next_token_distribution(logits, temperature, None, top_p) > 0
    kept &= next_token_distribution(logits, temperature, top_k) > 0
    return (logits / temperature).masked_fill(~kept, -torch.inf).softmax(-1)
