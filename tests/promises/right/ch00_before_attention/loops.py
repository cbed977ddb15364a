"""Loops: number by number where it can be, results stacked or written into new_empty."""

import torch


def rnn_step(x, h, w_x, w_h, b):
    numbers = []
    for k in range(b.shape[0]):
        total = b[k]
        for i in range(x.shape[-1]):
            total = total + x[..., i] * w_x[i, k]
        for j in range(h.shape[-1]):
            total = total + h[..., j] * w_h[j, k]
        numbers.append(total)
    return torch.stack(numbers, dim=-1).tanh()


def rnn(x, h, w_x, w_h, b):
    batch, length, _ = x.shape
    states = x.new_empty(batch, length, h.shape[-1])
    before = h
    for t in range(length):
        before = rnn_step(x[:, t, :], before, w_x, w_h, b)
        states[:, t, :] = before
    return states


def influence(x, h, w_x, w_h, b):
    words = [word.clone().requires_grad_(True) for word in x]
    state = h
    for word in words:
        state = rnn_step(word, state, w_x, w_h, b)
    total = 0
    for number in state:
        total = total + number
    total.backward()
    lengths = x.new_zeros(len(words))
    for t, word in enumerate(words):
        lengths[t] = sum(g * g for g in word.grad) ** 0.5
    return lengths


def attend_over_states(query, states, w, v):
    contexts, all_weights = [], []
    for q, text in zip(query, states, strict=True):
        scores = torch.stack([v @ torch.tanh(w @ torch.cat([q, h])) for h in text])
        powers = torch.exp(scores - scores.max())
        weights = powers / powers.sum()
        context = 0
        for weight, h in zip(weights, text, strict=True):
            context = context + weight * h
        contexts.append(context)
        all_weights.append(weights)
    return torch.stack(contexts), torch.stack(all_weights)
