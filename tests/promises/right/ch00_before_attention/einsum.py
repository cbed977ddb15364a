"""Einsum for every product; the Jacobian of the last state, its rows added up."""

import torch
from torch import einsum


def rnn_step(x, h, w_x, w_h, b):
    return (b + einsum("...i,in->...n", x, w_x) + einsum("...k,kn->...n", h, w_h)).tanh()


def rnn(x, h, w_x, w_h, b):
    written = einsum("bti,in->tbn", x, w_x)
    states = []
    for write in written:
        h = torch.tanh(write + einsum("bk,kn->bn", h, w_h) + b)
        states += [h]
    return torch.stack(states, 1)


def influence(x, h, w_x, w_h, b):
    def last(words):
        return rnn(words[None], h[None], w_x, w_h, b)[0, -1]

    jacobian = torch.autograd.functional.jacobian(last, x)  # (n, T, i)
    gradient = jacobian.sum(0)
    return einsum("ti,ti->t", gradient, gradient).sqrt()


def attend_over_states(query, states, w, v):
    halves = w.unflatten(1, (2, -1))  # (m, 2, n)
    hidden = torch.tanh(
        einsum("mn,bn->bm", halves[:, 0], query)[:, None, :] + einsum("mn,btn->btm", halves[:, 1], states)
    )
    weights = einsum("btm,m->bt", hidden, v).softmax(1)
    return einsum("bt,btn->bn", weights, states), weights
