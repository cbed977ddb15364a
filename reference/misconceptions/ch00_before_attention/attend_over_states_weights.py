"""What goes wrong in `attend_over_states`, continued: the weights and the context."""

import torch

from reference.ch00_before_attention import attend_over_states
from reference.misconceptions import misconception


@misconception("attend_over_states", "choose-no-softmax")
def choose_no_softmax(query, states, w, v):
    """You weigh the states with the raw scores: the softmax is missing.

    Weights must be positive and sum to 1; apply the softmax over the words first.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    return (scores[..., None] * states).sum(dim=1), scores


@misconception("attend_over_states", "choose-sigmoid-weights")
def choose_sigmoid_weights(query, states, w, v):
    """Your weights come from a sigmoid, so they do not sum to 1.

    Use a softmax over the words: what one word gains, another one loses.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    weights = torch.sigmoid(scores)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-unnormalised")
def choose_unnormalised(query, states, w, v):
    """Your weights are exponentials that are not divided by their sum.

    Divide each text's weights by their sum, or use `torch.softmax`.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    weights = scores.exp()
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-shares-of-scores")
def choose_shares_of_scores(query, states, w, v):
    """You divide the scores by their sum, without the exponential.

    Scores may be negative, and their sum may be 0; a softmax makes weights of them.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    weights = scores / scores.sum(dim=-1, keepdim=True)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-two-softmaxes")
def choose_two_softmaxes(query, states, w, v):
    """You apply the softmax twice.

    The second one sees numbers from 0 to 1 and makes them nearly equal; once is enough.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    weights = torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-log-softmax")
def choose_log_softmax(query, states, w, v):
    """Your weights are logarithms: you used a log-softmax.

    Weights are positive and sum to 1: `torch.softmax`.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    weights = torch.log_softmax(scores, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-negative")
def choose_negative(query, states, w, v):
    """You take the softmax of the negated scores: the worst match gets the largest weight.

    The higher a score, the larger the weight.
    """
    return attend_over_states(query, states, w, -v)


@misconception("attend_over_states", "choose-hard")
def choose_hard(query, states, w, v):
    """You take the one state with the highest score, instead of a mean.

    That is an arg-max, which passes no gradient to the scores; weigh all states by the softmax.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    weights = (scores == scores.amax(-1, keepdim=True)).to(scores.dtype)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-unstable")
def choose_unstable(query, states, w, v):
    """Your softmax overflows: the scores are exponentiated as they are.

    Use `torch.softmax`, or subtract each text's largest score first.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-global-max")
def choose_global_maximum(query, states, w, v):
    """You subtract the largest score of all texts before the exponential, not each text's own.

    A text whose scores all lie far below it gets 0/0; take `scores.amax(-1, keepdim=True)`.
    """
    scores = torch.tanh(torch.cat([query[:, None].expand_as(states), states], dim=-1) @ w.T) @ v
    exponentials = (scores - scores.max()).exp()
    weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-mean")
def choose_mean(query, states, w, v):
    """Your context is the weighted *mean* over the words: the sum is divided by T once more.

    The weights sum to 1 already, so add up: `.sum(dim=1)`.
    """
    context, weights = attend_over_states(query, states, w, v)
    return context / states.shape[1], weights


@misconception("attend_over_states", "choose-unweighted")
def choose_unweighted(query, states, w, v):
    """Your context is the plain mean of the states; the weights are not used in it.

    Multiply each state by its weight before you add them up.
    """
    _, weights = attend_over_states(query, states, w, v)
    return states.mean(dim=1), weights


@misconception("attend_over_states", "choose-unweighted-sum")
def choose_unweighted_sum(query, states, w, v):
    """Your context is the plain sum of the states; the weights are not used in it.

    Multiply each state by its weight before you add them up.
    """
    _, weights = attend_over_states(query, states, w, v)
    return states.sum(dim=1), weights


@misconception("attend_over_states", "choose-last-state")
def choose_last_state(query, states, w, v):
    """Your context is the last state, as before 2015; the weights are not used in it.

    Weigh *all* states and add them up.
    """
    _, weights = attend_over_states(query, states, w, v)
    return states[:, -1], weights


@misconception("attend_over_states", "choose-not-summed")
def choose_not_summed(query, states, w, v):
    """Your context is the weighted states, (B, T, n), which are not added up.

    Sum over the words, axis 1: one vector per text.
    """
    _, weights = attend_over_states(query, states, w, v)
    return weights[..., None] * states, weights


@misconception("attend_over_states", "choose-summed-features")
def choose_summed_features(query, states, w, v):
    """You add up the numbers of each weighted state: your context is (B, T).

    Sum over the words, axis 1, not over the last axis.
    """
    _, weights = attend_over_states(query, states, w, v)
    return (weights[..., None] * states).sum(dim=-1), weights


@misconception("attend_over_states", "choose-summed-texts")
def choose_summed_texts(query, states, w, v):
    """You add the weighted states up over the texts, axis 0.

    Every text has a context of its own: sum over its words, axis 1.
    """
    _, weights = attend_over_states(query, states, w, v)
    return (weights[..., None] * states).sum(dim=0), weights


@misconception("attend_over_states", "choose-summed-all")
def choose_summed_all(query, states, w, v):
    """You add everything up to a single number.

    Sum over the words alone: `.sum(dim=1)`.
    """
    _, weights = attend_over_states(query, states, w, v)
    return (weights[..., None] * states).sum(), weights


@misconception("attend_over_states", "choose-no-axis-of-weights")
def choose_no_axis_of_weights(query, states, w, v):
    """You multiply the weights (B, T) by the states (B, T, n) as they are; the axes do not fit.

    Give the weights a last axis, `weights[..., None]`: broadcasting lines axes up from the right.
    """
    _, weights = attend_over_states(query, states, w, v)
    return (weights * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-wrong-axis-of-weights")
def choose_wrong_axis_of_weights(query, states, w, v):
    """Your weights meet the numbers of a state instead of the words: they are (B, 1, T) when you multiply.

    Give the weights a *last* axis, `weights[..., None]`, (B, T, 1).
    """
    _, weights = attend_over_states(query, states, w, v)
    return (weights[:, None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-query-added")
def choose_query_added(query, states, w, v):
    """You add the query to the context.

    The context is made of the states alone.
    """
    context, weights = attend_over_states(query, states, w, v)
    return context + query, weights


@misconception("attend_over_states", "choose-mixes-queries")
def choose_mixes_queries(query, states, w, v):
    """You weigh the query, not the states: your context is the query again.

    What is weighed and added up are the states.
    """
    _, weights = attend_over_states(query, states, w, v)
    return (weights[..., None] * query[:, None]).sum(dim=1), weights


@misconception("attend_over_states", "choose-hard-context")
def choose_hard_context(query, states, w, v):
    """Your weights are right, but your context is the one state with the largest weight.

    Every state counts, a little or much: weigh them all and add them up. No gradient passes through an arg-max.
    """
    _, weights = attend_over_states(query, states, w, v)
    best = torch.nn.functional.one_hot(weights.argmax(dim=-1), states.shape[1]).to(states.dtype)
    return torch.einsum("bt,btn->bn", best, states), weights


@misconception("attend_over_states", "choose-squeezed-scores")
def choose_squeezed_scores(query, states, w, v):
    """You squeeze the scores before the softmax, which drops every axis of size 1, even the texts' or the words'.

    For one text of nine words the scores are (1, 9, 1). Which of the two axes of size 1 do you mean?

    Name the axis, `squeeze(-1)`, or multiply by v itself: `hidden @ v` has no such axis.
    """
    queries = query[:, None].expand_as(states)
    scores = (torch.tanh(torch.cat([queries, states], dim=-1) @ w.T) @ v[:, None]).squeeze()
    weights = torch.softmax(scores, dim=-1)
    return torch.bmm(weights.unsqueeze(1), states).squeeze(1), weights


@misconception("attend_over_states", "choose-squeezed-scores-alone")
def choose_squeezed_scores_alone(query, states, w, v):
    """You squeeze the scores before the softmax, which drops every axis of size 1, even the texts' or the words'.

    For one text of nine words the scores are (1, 9, 1). Which of the two axes of size 1 do you mean?

    Name the axis, `squeeze(-1)`, or multiply by v itself: `hidden @ v` has no such axis.
    """
    queries = query[:, None].expand_as(states)
    scores = (torch.tanh(torch.cat([queries, states], dim=-1) @ w.T) @ v[:, None]).squeeze()
    weights = torch.softmax(scores, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights
