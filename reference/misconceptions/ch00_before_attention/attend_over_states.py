"""What goes wrong in `attend_over_states`: the scores, and which axes and tensors meet."""

import torch

from reference.ch00_before_attention import attend_over_states
from reference.misconceptions import misconception


@misconception("attend_over_states", "choose-state-first")
def choose_state_first(query, states, w, v):
    """You put the state first: the first n columns of your W meet the state, not the query.

    W [q; h] has the query first: the first n columns of W belong to the query.
    """
    n = query.shape[-1]
    return attend_over_states(query, states, torch.cat([w[:, n:], w[:, :n]], dim=1), v)


@misconception("attend_over_states", "choose-one-half")
def choose_one_half(query, states, w, v):
    """You apply the same columns of W to query and states.

    The first n columns of W belong to the query, the others to the state.
    """
    n = query.shape[-1]
    return attend_over_states(query, states, torch.cat([w[:, :n], w[:, :n]], dim=1), v)


@misconception("attend_over_states", "choose-other-half")
def choose_other_half(query, states, w, v):
    """You apply the last n columns of W to query and states.

    The first n columns of W belong to the query, the others to the state.
    """
    n = query.shape[-1]
    return attend_over_states(query, states, torch.cat([w[:, n:], w[:, n:]], dim=1), v)


@misconception("attend_over_states", "choose-states-only")
def choose_states_only(query, states, w, v):
    """Your query changes no weight: it is left out of the scores, or meets the states only after the tanh.

    Join the query to each state, apply W, then one tanh: the softmax cancels what you add to every score after it.
    """
    n = query.shape[-1]
    return attend_over_states(query, states, torch.cat([torch.zeros_like(w[:, :n]), w[:, n:]], dim=1), v)


@misconception("attend_over_states", "choose-query-only")
def choose_query_only(query, states, w, v):
    """Every word gets the same weight: your scores do not depend on the word's own state.

    Join each state to the query before W, [q; h], so that the scores differ.
    """
    n = query.shape[-1]
    return attend_over_states(query, states, torch.cat([w[:, :n], torch.zeros_like(w[:, n:])], dim=1), v)


@misconception("attend_over_states", "choose-state-twice")
def choose_state_twice(query, states, w, v):
    """You join each state to itself; the query is left out.

    Join the query to each state: [q; h], query first.
    """
    scores = torch.tanh(torch.cat([states, states], dim=-1) @ w.T) @ v
    weights = torch.softmax(scores, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-no-tanh")
def choose_no_tanh(query, states, w, v):
    """The tanh is missing between W and v.

    Without it the query adds the same number to every score, and the softmax cancels that: the query chooses nothing.
    """
    queries = query[:, None].expand_as(states)
    weights = torch.softmax(torch.cat([queries, states], dim=-1) @ w.T @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-tanh-last")
def choose_tanh_last(query, states, w, v):
    """You apply tanh after v, to the finished scores.

    The tanh belongs to the hidden units: v · tanh(W [q; h]).
    """
    queries = query[:, None].expand_as(states)
    weights = torch.softmax(torch.tanh(torch.cat([queries, states], dim=-1) @ w.T @ v), dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-tanh-first")
def choose_tanh_first(query, states, w, v):
    """You apply tanh to query and state before W.

    W comes first: v · tanh(W [q; h]).
    """
    queries = query[:, None].expand_as(states)
    weights = torch.softmax(torch.tanh(torch.cat([queries, states], dim=-1)) @ w.T @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-relu")
def choose_relu(query, states, w, v):
    """You apply a ReLU instead of tanh.

    The hidden units are tanh(W [q; h]).
    """
    queries = query[:, None].expand_as(states)
    weights = torch.softmax(torch.relu(torch.cat([queries, states], dim=-1) @ w.T) @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-sigmoid")
def choose_sigmoid(query, states, w, v):
    """You apply a sigmoid instead of tanh.

    The hidden units are tanh(W [q; h]).
    """
    queries = query[:, None].expand_as(states)
    weights = torch.softmax(torch.sigmoid(torch.cat([queries, states], dim=-1) @ w.T) @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-no-v")
def choose_no_v(query, states, w, v):
    """You add up the hidden units without weighing them: v is not used.

    A score is the dot product of v and the hidden units.
    """
    return attend_over_states(query, states, w, torch.ones_like(v))


@misconception("attend_over_states", "choose-transposed-w")
def choose_transposed_w(query, states, w, v):
    """You use W the wrong way round.

    W is (m, 2n) and your rows are (..., 2n). Which axis of W must meet the 2n, and which remains?

    W stands on the right of a row transposed: `pairs @ w.T`.
    """
    queries = query[:, None].expand_as(states)
    weights = torch.softmax(torch.tanh(torch.cat([queries, states], dim=-1) @ w) @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-dot")
def choose_dot(query, states, w, v):
    """Your scores are dot products of query and state; W and v are not used.

    That score came later, and chapter 3 has it. Here it is v · tanh(W [q; h]).
    """
    weights = torch.softmax(torch.einsum("bn,btn->bt", query, states), dim=-1)
    return torch.einsum("bt,btn->bn", weights, states), weights


@misconception("attend_over_states", "choose-scaled")
def choose_scaled(query, states, w, v):
    """You divide the scores by a root of a size, √n.

    That belongs to the scaled dot product; the additive score is not scaled.
    """
    queries = query[:, None].expand_as(states)
    scores = torch.tanh(torch.cat([queries, states], dim=-1) @ w.T) @ v
    weights = torch.softmax(scores / query.shape[-1] ** 0.5, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-no-axis")
def choose_no_axis(query, states, w, v):
    """You join the query (B, n) to the states (B, T, n) as it is; their numbers of axes differ.

    Write both shapes one under the other. Which axis does the query lack, and at which place?

    Give the query an axis for the words and repeat it: `query[:, None].expand_as(states)`.
    """
    pairs = torch.cat([query, states], dim=-1)
    weights = torch.softmax(torch.tanh(pairs @ w.T) @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-not-repeated")
def choose_not_repeated(query, states, w, v):
    """You give the query an axis for the words but do not repeat it: (B, 1, n) cannot be joined to (B, T, n).

    Adding broadcasts; does `torch.cat`? Along every axis but the joined one, the sizes must be equal.

    Repeat the query for every word: `query[:, None].expand_as(states)`.
    """
    pairs = torch.cat([query[:, None], states], dim=-1)
    weights = torch.softmax(torch.tanh(pairs @ w.T) @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-tiled")
def choose_tiled(query, states, w, v):
    """You repeat the whole batch of queries T times and reshape, so that words meet the queries of other texts.

    A reshape only cuts the numbers into other rows. Write down whose query stands where for two texts of three words.

    Give the query an axis for the words first, `query[:, None]`, and expand that: (B, 1, n) to (B, T, n).
    """
    queries = query.repeat(states.shape[1], 1).reshape(states.shape)
    weights = torch.softmax(torch.tanh(torch.cat([queries, states], dim=-1) @ w.T) @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-expanded-at-once")
def choose_expanded_at_once(query, states, w, v):
    """You expand the query (B, n) to (B, T, n) without an axis for the words.

    Broadcasting lines axes up from the right. Write (B, n) under (B, T, n) that way: which axis does B meet?

    Make the axis for the words first: `query[:, None].expand_as(states)`.
    """
    pairs = torch.cat([query.expand_as(states), states], dim=-1)
    weights = torch.softmax(torch.tanh(pairs @ w.T) @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-word-axis")
def choose_word_axis(query, states, w, v):
    """You join query and states along the axis of the words, as if the query were one more word.

    W expects 2n numbers for each word. Which axis must become twice as long?

    Join them on the last axis: `torch.cat([queries, states], dim=-1)`.
    """
    pairs = torch.cat([query[:, None].expand_as(states), states], dim=1)
    weights = torch.softmax(torch.tanh(pairs @ w.T) @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-first-query")
def choose_first_query(query, states, w, v):
    """Every text is asked with the first text's query.

    Take a batch of two texts with different queries. Whose query does the second text need, and where do you drop it?

    Keep the axis of the texts and add one for the words: `query[:, None]`, (B, 1, n).
    """
    return attend_over_states(query[:1].expand_as(query), states, w, v)


@misconception("attend_over_states", "choose-flattened")
def choose_flattened(query, states, w, v):
    """Your softmax runs over all words of all texts, so that only all weights together sum to 1.

    Every text has its own softmax over its words: the last axis, dim=-1.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    weights = torch.softmax(scores.flatten(), dim=0).view_as(scores)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-batch-axis")
def choose_batch_axis(query, states, w, v):
    """Your softmax runs over the texts, not over the words.

    The weights of one text sum to 1 over its words: the last axis, dim=-1.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    weights = torch.softmax(scores, dim=0)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-axis-of-one")
def choose_axis_of_one(query, states, w, v):
    """Your softmax runs over an axis of size 1, so that every weight is 1.

    With v as a column the scores are (B, T, 1), and the words are axis 1: squeeze the last axis, or say dim=1.
    """
    weights = torch.ones_like(states[..., 0]) * (v.sum() * 0 + 1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-w-reshaped")
def choose_w_reshaped(query, states, w, v):
    """You cut W by a reshape, which reads it row by row: where m > 1, both parts mix query's and state's columns.

    Write a W of two rows and four columns and reshape it to (2, 2, 2). Which numbers does a row of the first part hold?

    The first n columns of W belong to the query, the others to the state: slice the last axis.
    """
    for_query, for_states = w.reshape(2, -1, query.shape[-1])
    hidden = torch.tanh((query @ for_query.T)[:, None] + states @ for_states.T)
    weights = torch.softmax(hidden @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights
