"""Two mistakes at once, where together they look like neither."""

import torch

from reference.ch00_before_attention import attend_over_states, rnn
from reference.misconceptions import misconception


@misconception("rnn_step", "step-no-tanh", "step-no-bias")
def step_bare_sum(x, h, w_x, w_h, b):
    return x @ w_x + h @ w_h


@misconception("rnn_step", "step-transposed-w-h", "step-no-bias")
def step_transposed_without_bias(x, h, w_x, w_h, b):
    return torch.tanh(x @ w_x + h @ w_h.T)


@misconception("rnn_step", "step-transposed-w-h", "step-no-tanh")
def step_transposed_without_tanh(x, h, w_x, w_h, b):
    return x @ w_x + h @ w_h.T + b


@misconception("rnn", "rnn-from-zeros", "rnn-no-bias")
def rnn_from_zeros_without_bias(x, h, w_x, w_h, b):
    return rnn(x, torch.zeros_like(h), w_x, w_h, torch.zeros_like(b))


@misconception("rnn", "rnn-from-zeros", "rnn-last-state-only")
def rnn_last_state_from_zeros(x, h, w_x, w_h, b):
    return rnn(x, torch.zeros_like(h), w_x, w_h, b)[:, -1]


@misconception("rnn", "rnn-from-zeros", "rnn-time-first")
def rnn_time_first_from_zeros(x, h, w_x, w_h, b):
    return rnn(x, torch.zeros_like(h), w_x, w_h, b).transpose(0, 1)


@misconception("rnn", "rnn-from-zeros", "rnn-transposed-w-h")
def rnn_transposed_from_zeros(x, h, w_x, w_h, b):
    return rnn(x, torch.zeros_like(h), w_x, w_h.T, b)


@misconception("influence", "influence-of-all-states", "influence-summed")
def influence_of_all_states_summed(x, h, w_x, w_h, b):
    words = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b).sum(), words)
    return gradient.sum(dim=-1)


@misconception("influence", "influence-of-mean", "influence-summed")
def influence_of_mean_summed(x, h, w_x, w_h, b):
    words = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].mean(), words)
    return gradient.sum(dim=-1)


@misconception("attend_over_states", "choose-state-first", "choose-no-tanh")
def choose_state_first_without_tanh(query, states, w, v):
    weights = torch.softmax(states @ w[:, : states.shape[-1]].T @ v, dim=-1)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-state-first", "choose-batch-axis")
def choose_state_first_over_texts(query, states, w, v):
    scores = torch.tanh(torch.cat([states, query[:, None].expand_as(states)], dim=-1) @ w.T) @ v
    weights = torch.softmax(scores, dim=0)
    return (weights[..., None] * states).sum(dim=1), weights


@misconception("attend_over_states", "choose-state-first", "choose-order")
def choose_state_first_in_order(query, states, w, v):
    n = query.shape[-1]
    context, weights = attend_over_states(query, states, torch.cat([w[:, n:], w[:, :n]], dim=1), v)
    return weights, context


@misconception("influence", "influence-of-all-states", "influence-absolute-sum")
def influence_of_all_states_absolute_sum(x, h, w_x, w_h, b):
    words = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b).sum(), words)
    return gradient.abs().sum(dim=-1)


@misconception("influence", "influence-of-all-states", "influence-squared")
def influence_of_all_states_squared(x, h, w_x, w_h, b):
    words = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b).sum(), words)
    return gradient.square().sum(dim=-1)


@misconception("influence", "influence-of-all-states", "influence-mean")
def influence_of_all_states_mean(x, h, w_x, w_h, b):
    words = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b).sum(), words)
    return gradient.mean(dim=-1)


@misconception("influence", "influence-of-mean", "influence-absolute-sum")
def influence_of_mean_absolute_sum(x, h, w_x, w_h, b):
    words = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].mean(), words)
    return gradient.abs().sum(dim=-1)
