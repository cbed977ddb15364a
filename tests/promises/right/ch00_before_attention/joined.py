"""Joined: word and state in one vector, both matrices in one, the softmax from logsumexp, bmm for the context."""

import torch
from torch import Tensor


def rnn_step(x: Tensor, h: Tensor, w_x: Tensor, w_h: Tensor, b: Tensor) -> Tensor:
    return torch.cat((x, h), dim=-1).matmul(torch.cat((w_x, w_h))).add(b).tanh()


def rnn(x: Tensor, h: Tensor, w_x: Tensor, w_h: Tensor, b: Tensor) -> Tensor:
    states = [h]
    for word in x.unbind(dim=1):
        states.append(rnn_step(word, states[-1], w_x, w_h, b))
    return torch.stack(states[1:]).transpose(0, 1)


def influence(x: Tensor, h: Tensor, w_x: Tensor, w_h: Tensor, b: Tensor) -> Tensor:
    def ending(words: Tensor) -> Tensor:
        return rnn(words.unsqueeze(0), h.unsqueeze(0), w_x, w_h, b)[0, -1].sum()

    return torch.linalg.vector_norm(torch.func.grad(ending)(x), dim=1)


def attend_over_states(query: Tensor, states: Tensor, w: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    pairs = torch.cat((query.unsqueeze(1).repeat(1, states.size(1), 1), states), dim=2)
    scores = torch.tanh(pairs.matmul(w.t())).matmul(v.unsqueeze(1)).squeeze(2)
    weights = (scores - torch.logsumexp(scores, dim=1, keepdim=True)).exp()
    return torch.bmm(weights.unsqueeze(1), states).squeeze(1), weights
