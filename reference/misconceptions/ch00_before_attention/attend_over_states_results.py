"""What goes wrong in `attend_over_states`, continued: what comes back."""

import torch

from reference.ch00_before_attention import attend_over_states
from reference.misconceptions import misconception


@misconception("attend_over_states", "choose-order")
def choose_order(query, states, w, v):
    """You return the weights first and the context second.

    The task says which of the two comes first. The shapes tell them apart: (B, n) and (B, T).

    Return `context, weights`.
    """
    context, weights = attend_over_states(query, states, w, v)
    return weights, context


@misconception("attend_over_states", "choose-context-only")
def choose_context_only(query, states, w, v):
    """You return the context alone; the weights are asked for too.

    Return the pair: context, weights.
    """
    return attend_over_states(query, states, w, v)[0]


@misconception("attend_over_states", "choose-weights-only")
def choose_weights_only(query, states, w, v):
    """You return the weights alone; the context is asked for too.

    Return the pair: context, weights.
    """
    return attend_over_states(query, states, w, v)[1]


@misconception("attend_over_states", "choose-returns-scores")
def choose_returns_scores(query, states, w, v):
    """You return the scores as the second result, not the weights.

    Return what the states are multiplied by, after the softmax.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    return attend_over_states(query, states, w, v)[0], scores


@misconception("attend_over_states", "choose-context-axis")
def choose_context_axis(query, states, w, v):
    """Your context keeps an axis for the words: (B, 1, n).

    The words are added up, so take the axis out: `squeeze(1)`, or a sum without `keepdim=True`.
    """
    context, weights = attend_over_states(query, states, w, v)
    return context[:, None], weights


@misconception("attend_over_states", "choose-weights-column")
def choose_weights_column(query, states, w, v):
    """Your weights are a column for each text: (B, T, 1).

    Use the extra axis only to multiply; return (B, T).
    """
    context, weights = attend_over_states(query, states, w, v)
    return context, weights[..., None]


@misconception("attend_over_states", "choose-weights-row")
def choose_weights_row(query, states, w, v):
    """Your weights have an axis for queries: (B, 1, T).

    There is one query per text; return (B, T).
    """
    context, weights = attend_over_states(query, states, w, v)
    return context, weights[:, None]


@misconception("attend_over_states", "choose-squeezed")
def choose_squeezed(query, states, w, v):
    """You squeeze the results, which drops every axis of size 1.

    A batch of one and a single word are real axes; say which axis you mean, `squeeze(1)`, or leave it out.
    """
    context, weights = attend_over_states(query, states, w, v)
    return context.squeeze(), weights.squeeze()


@misconception("attend_over_states", "choose-detached-weights")
def choose_detached_weights(query, states, w, v):
    """Your weights are cut off from the query, W and v: no gradient comes back to them (detach, .data, no_grad).

    W and v learn through the weights alone; compute with the given tensors and with torch throughout.
    """
    weights = attend_over_states(query, states, w, v)[1].detach()
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-detached")
def choose_detached(query, states, w, v):
    """Your results are cut off from what they were computed from: no gradient comes back (detach, .data, no_grad).

    Compute with the given tensors themselves and with torch's operations throughout.
    """
    context, weights = attend_over_states(query, states, w, v)
    return context.detach(), weights.detach()


@misconception("attend_over_states", "choose-states-detached")
def choose_states_detached(query, states, w, v):
    """No gradient reaches the states: they are detached.

    The gradient through the states is the direct way to every word. Use them as they come.
    """
    return attend_over_states(query, states.detach(), w, v)


@misconception("attend_over_states", "choose-in-place")
def choose_in_place(query, states, w, v):
    """You change the states that you were given.

    `states *= ...` writes into the caller's tensor. Which form of the same product makes a new one?

    Leave out the `=`: `weights[..., None] * states`.
    """
    context, weights = attend_over_states(query, states, w, v)
    states *= weights[..., None]
    return context, weights


@misconception("attend_over_states", "choose-default-dtype")
def choose_default_dtype(query, states, w, v):
    """Your results are float32, whatever dtype the arguments have.

    Leave out `.float()`; any tensor you create must take its dtype and device from an argument, as
    `query.new_zeros(...)` does.
    """
    context, weights = attend_over_states(query, states, w, v)
    return context.to("cpu", torch.float32), weights.to("cpu", torch.float32)


@misconception("attend_over_states", "choose-float32-softmax")
def choose_float32_softmax(query, states, w, v):
    """Your softmax computes in float32, so that float64 weights have about seven right digits.

    Leave the dtype of the scores as it is.
    """
    hidden = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T)
    weights = torch.softmax(hidden @ v, dim=-1, dtype=torch.float32).to(states.dtype)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-zero-hidden")
def choose_zero_hidden(query, states, w, v):
    """A word whose state is all zeros, or whose score is exactly 0, gets no weight, as if it were padding.

    0 is a number like any other: a score of 0 lies above all negative ones. Does the task name a word to leave out?
    """
    n = query.shape[-1]
    scores = torch.tanh((query @ w[:, :n].T)[:, None] + states @ w[:, n:].T) @ v
    weights = torch.softmax(scores.masked_fill(scores == 0, float("-inf")), dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights
