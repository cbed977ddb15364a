"""Cuts that are made for the whole batch at once: a mask, ids or a threshold that belong to one row."""

import torch

from reference.ch09_language_model import next_token_distribution
from reference.misconceptions import misconception


@misconception("next_token_distribution", "distribution-top-k-of-the-batch")
def top_k_of_the_batch(logits, temperature=1.0, top_k=None, top_p=None):
    """You keep the k largest logits of the whole batch, so a row may lose all its tokens, and then it is NaN.

    Each row keeps k tokens of its own: along which axis must `topk` look?
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, top_k, top_p)
    least = logits.flatten().topk(min(top_k, logits.numel())).values[-1]
    return next_token_distribution(logits.masked_fill(logits < least, -torch.inf), temperature, None, top_p)


@misconception("next_token_distribution", "distribution-top-k-of-any-row")
def top_k_of_any_row(logits, temperature=1.0, top_k=None, top_p=None):
    """You keep a token in every row as soon as it is among the k of one row.

    Indexed without the row, a list of ids speaks of whole columns. Each row keeps its own k tokens.
    """
    if temperature == 0 or top_k is None:
        return next_token_distribution(logits, temperature, top_k, top_p)
    best = logits.topk(min(top_k, logits.shape[-1])).indices
    hidden = torch.ones(logits.shape[-1], dtype=torch.bool, device=logits.device)
    hidden[best.flatten()] = False
    return next_token_distribution(logits.masked_fill(hidden, -torch.inf), temperature, None, top_p)


@misconception("next_token_distribution", "distribution-top-p-of-any-row")
def top_p_of_any_row(logits, temperature=1.0, top_k=None, top_p=None):
    """You cut a token in every row as soon as one row's nucleus leaves it out.

    Indexed without the row, a list of ids speaks of whole columns. What one row cuts, another may need.
    """
    weights = next_token_distribution(logits, temperature, top_k)
    if temperature == 0 or top_p is None:
        return weights
    ordered, places = weights.sort(-1, descending=True)
    kept = weights.clone()
    kept[:, places[ordered.cumsum(-1) - ordered >= top_p]] = 0
    return kept / kept.sum(-1, keepdim=True)


@misconception("next_token_distribution", "distribution-top-p-flat-ids")
def ids_used_in_a_flat_tensor(logits, temperature=1.0, top_k=None, top_p=None):
    """You flatten the batch and use each row's ids in it, so all cuts of your nucleus fall into the first row.

    In the flat tensor, the numbers of row b begin at b · V. A `scatter` along the last axis keeps the rows apart.
    """
    weights = next_token_distribution(logits, temperature, top_k)
    if temperature == 0 or top_p is None:
        return weights
    ordered, places = weights.sort(-1, descending=True)
    kept = weights.flatten().clone()
    kept[places[ordered.cumsum(-1) - ordered >= top_p]] = 0
    kept = kept.view_as(weights)
    return kept / kept.sum(-1, keepdim=True)


@misconception("next_token_distribution", "distribution-top-p-of-the-batch")
def one_nucleus_for_the_batch(logits, temperature=1.0, top_k=None, top_p=None):
    """You sort and add up the probabilities of the whole batch, so all rows share one nucleus.

    Each row sums to 1 and has a nucleus of its own: along which axis must you sort and add up?
    """
    weights = next_token_distribution(logits, temperature, top_k)
    if temperature == 0 or top_p is None:
        return weights
    ordered, places = weights.flatten().sort(descending=True)
    kept = ordered * (ordered.cumsum(-1) - ordered < top_p)
    kept = torch.zeros_like(ordered).scatter(-1, places, kept).view_as(weights)
    return kept / kept.sum(-1, keepdim=True)


@misconception("next_token_distribution", "distribution-top-p-gathered")
def gathered_instead_of_scattered(logits, temperature=1.0, top_k=None, top_p=None):
    """You bring the nucleus back from sorted order with `gather`, which applies the order again and does not undo it.

    `order[i]` says where the i-th largest token came from. So which of `gather` and `scatter` sends it back there?
    """
    if temperature == 0 or top_p is None:
        return next_token_distribution(logits, temperature, top_k)
    chances = next_token_distribution(logits, temperature, top_k)
    ordered, order = chances.sort(dim=-1, descending=True)
    stays = (ordered.cumsum(-1) - ordered < top_p).gather(-1, order)
    kept = chances.masked_fill(~stays, 0.0)
    return kept / kept.sum(-1, keepdim=True)


@misconception("next_token_distribution", "distribution-top-k-ties-cut")
def top_k_ties_cut(logits, temperature=1.0, top_k=None, top_p=None):
    """Where tokens tie for the last of the k places, you cut them all, and fewer than k stay.

    Count the tokens that are *more* likely: a token and its equals are no reason for it to go.
    """
    if top_k is not None and temperature != 0:
        rank = (logits[:, None, :] >= logits[:, :, None]).sum(-1)  # itself and its equals included
        logits = logits.masked_fill(rank > min(top_k, logits.shape[-1]), -torch.inf)
    return next_token_distribution(logits, temperature, None, top_p)


@misconception("next_token_distribution", "distribution-top-p-ties-cut")
def top_p_ties_cut(logits, temperature=1.0, top_k=None, top_p=None):
    """Where tokens tie for the last place in the nucleus, you cut them all, and those that stay do not reach p.

    Add up the tokens that are *more* likely: a token's equals are no reason for it to go.
    """
    if top_p is None or temperature == 0:
        return next_token_distribution(logits, temperature, top_k, top_p)
    weights = next_token_distribution(logits, temperature, top_k)
    reached = weights[:, None, :] >= weights[:, :, None]
    before = (reached * weights[:, None, :]).sum(-1) - weights
    weights = weights * (before < top_p)
    return weights / weights.sum(-1, keepdim=True)
