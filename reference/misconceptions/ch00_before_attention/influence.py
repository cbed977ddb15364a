"""What goes wrong in `influence`: what is differentiated, and with respect to what."""

import torch

from reference.ch00_before_attention import influence, rnn
from reference.misconceptions import misconception


@misconception("influence", "influence-of-all-states")
def influence_of_all_states(x, h, w_x, w_h, b):
    """You differentiate the sum of all states, not of the last one.

    Only the end of the text counts here: take `[0, -1]` of the states before you sum.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b).sum(), words)
    return gradient.norm(dim=-1)


@misconception("influence", "influence-of-own-states")
def influence_of_own_states(x, h, w_x, w_h, b):
    """You measure how much each word moves its own state, not the last one.

    Every word is asked about the same thing, the state after the last word.
    """
    words = x.detach().clone().requires_grad_()
    states = rnn(words[None], h[None], w_x, w_h, b)[0]
    own = [torch.autograd.grad(state.sum(), words, retain_graph=True)[0][t] for t, state in enumerate(states)]
    return torch.stack(own).norm(dim=-1)


@misconception("influence", "influence-of-first-state")
def influence_of_first_state(x, h, w_x, w_h, b):
    """You differentiate the first state, which later words cannot reach.

    The last state is number -1 along the axis of the words.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, 0].sum(), words)
    return gradient.norm(dim=-1)


@misconception("influence", "influence-of-last-but-one")
def influence_of_last_but_one(x, h, w_x, w_h, b):
    """You differentiate the last state but one, which the last word cannot reach.

    The last state is number -1 along the axis of the words.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -2].sum(), words)
    return gradient.norm(dim=-1)


@misconception("influence", "influence-of-mean")
def influence_of_mean(x, h, w_x, w_h, b):
    """You differentiate the mean of the last state, not its sum: every influence is n times too small.

    Sum the last state's n numbers: `.sum()`.
    """
    return influence(x, h, w_x, w_h, b) / h.numel()


@misconception("influence", "influence-of-square")
def influence_of_square(x, h, w_x, w_h, b):
    """You differentiate the sum of the last state's squares, not the sum of its numbers.

    Sum the last state as it is.
    """
    words = x.detach().clone().requires_grad_()
    last = rnn(words[None], h[None], w_x, w_h, b)[0, -1]
    (gradient,) = torch.autograd.grad(last.square().sum(), words)
    return gradient.norm(dim=-1)


@misconception("influence", "influence-of-length")
def influence_of_length(x, h, w_x, w_h, b):
    """You differentiate the length of the last state, not the sum of its numbers.

    The length comes later, of the gradient: first sum the last state.
    """
    words = x.detach().clone().requires_grad_()
    last = rnn(words[None], h[None], w_x, w_h, b)[0, -1]
    (gradient,) = torch.autograd.grad(last.norm(), words)
    return gradient.norm(dim=-1)


@misconception("influence", "influence-of-one-entry")
def influence_of_one_entry(x, h, w_x, w_h, b):
    """You differentiate the first number of the last state only.

    Sum all n numbers of the last state.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1, 0], words)
    return gradient.norm(dim=-1)


@misconception("influence", "influence-of-each-entry")
def influence_of_each_entry(x, h, w_x, w_h, b):
    """You take the length over all n gradients, one per number of the last state (the norm of the Jacobian).

    Sum the last state first, then there is a single gradient of i numbers per word.
    """
    words = x.detach().clone()
    jacobian = torch.autograd.functional.jacobian(lambda w: rnn(w[None], h[None], w_x, w_h, b)[0, -1], words)
    return jacobian.square().sum((0, 2)).sqrt()


@misconception("influence", "influence-from-zeros")
def influence_from_zeros(x, h, w_x, w_h, b):
    """You begin with a state of zeros, not with h.

    h is the state before the first word, and the slopes of all tanhs depend on it.
    """
    return influence(x, torch.zeros_like(h), w_x, w_h, b)


@misconception("influence", "influence-on-states")
def influence_on_states(x, h, w_x, w_h, b):
    """You differentiate with respect to the states, not to the words' vectors.

    From a state to its word there is one more step: a tanh and W_x. Ask for the gradient with respect to the words.
    """
    slopes = 1 - rnn(x[None], h[None], w_x, w_h, b)[0] ** 2
    arriving, lengths = torch.ones_like(h), []
    for slope in slopes.flip(0):
        lengths.append(arriving.norm())
        arriving = w_h @ (slope * arriving)
    return torch.stack(lengths).flip(0)


@misconception("influence", "influence-without-w-x")
def influence_without_w_x(x, h, w_x, w_h, b):
    """Your gradient ends before W_x: it is taken with respect to x W_x, not to the word's vector.

    Ask for the gradient with respect to the word's own vector, (T, i).
    """
    slopes = 1 - rnn(x[None], h[None], w_x, w_h, b)[0] ** 2
    arriving, lengths = torch.ones_like(h), []
    for slope in slopes.flip(0):
        lengths.append((slope * arriving).norm())
        arriving = w_h @ (slope * arriving)
    return torch.stack(lengths).flip(0)


@misconception("influence", "influence-without-slopes")
def influence_without_slopes(x, h, w_x, w_h, b):
    """The slopes of the tanh, 1 - h², are missing: your chain rule leaves them out, or your steps have no tanh.

    Each step back multiplies by W_h *and* by the slope of that step's tanh: read the text with `rnn`, and let
    `torch.autograd.grad` do both.
    """
    arriving, lengths = torch.ones_like(h), []
    for _ in x:
        lengths.append((w_x @ arriving).norm())
        arriving = w_h @ arriving
    return torch.stack(lengths).flip(0)


@misconception("influence", "influence-transposed-w-h")
def influence_transposed_w_h(x, h, w_x, w_h, b):
    """You use W_h transposed on the way back.

    A state is a row, h W_h, so a gradient g comes back as W_h g; let `torch.autograd.grad` take care of it.
    """
    slopes = 1 - rnn(x[None], h[None], w_x, w_h, b)[0] ** 2
    arriving, lengths = torch.ones_like(h), []
    for slope in slopes.flip(0):
        lengths.append((w_x @ (slope * arriving)).norm())
        arriving = w_h.T @ (slope * arriving)
    return torch.stack(lengths).flip(0)


@misconception("influence", "influence-detached-steps")
def influence_detached_steps(x, h, w_x, w_h, b):
    """Your gradient does not go back beyond the last word: the state is detached between the steps.

    Give every step the state as it is; then earlier words have an influence too.
    """
    lengths = influence(x, h, w_x, w_h, b)
    return torch.cat([torch.zeros_like(lengths[:-1]), lengths[-1:]])


@misconception("influence", "influence-not-recorded")
def influence_not_recorded(x, h, w_x, w_h, b):
    """Torch cannot differentiate: the words you read were not marked with `requires_grad_()`, or no record was made of
    the reading (`no_grad`, `detach`).

    Copy x, call `requires_grad_()` on the copy, and read *that*: what is computed before, or with no_grad, is not
    recorded.
    """
    last = rnn(x[None], h[None], w_x, w_h, b)[0, -1]
    return torch.autograd.grad(last.sum(), x)[0].norm(dim=-1)


@misconception("influence", "influence-unused")
def influence_unused(x, h, w_x, w_h, b):
    """You differentiate with respect to a tensor from which the last state was not computed.

    Mark a copy, give it to `rnn`, and differentiate with respect to that same tensor: a second copy is another one, and
    so is a slice such as `words[t]`.
    """
    words, other = x.clone().requires_grad_(), x.clone().requires_grad_()
    last = rnn(words[None], h[None], w_x, w_h, b)[0, -1]
    return torch.autograd.grad(last.sum(), other)[0].norm(dim=-1)


@misconception("influence", "influence-not-a-number")
def influence_not_a_number(x, h, w_x, w_h, b):
    """You differentiate several numbers at once; torch wants a single one.

    Take the last state and sum it first: `torch.autograd.grad(last.sum(), words)`.
    """
    words = x.detach().clone().requires_grad_()
    last = rnn(words[None], h[None], w_x, w_h, b)[0, -1]
    return torch.autograd.grad(last, words)[0].norm(dim=-1)


@misconception("influence", "influence-no-batch")
def influence_no_batch(x, h, w_x, w_h, b):
    """You give `rnn` the words without a batch axis, so it takes a number for a word.

    It reads (B, T, i) and (B, n): hand it `words[None]` and `h[None]`, and take text 0 of the states.
    """
    words = x.detach().clone().requires_grad_()
    states = []
    state = h
    for t in range(words.shape[1]):
        state = torch.tanh(words[:, t] @ w_x + state @ w_h + b)
        states.append(state)
    last = torch.stack(states, dim=1)[-1]
    return torch.autograd.grad(last.sum(), words)[0].norm(dim=-1)


@misconception("influence", "influence-of-start")
def influence_of_start(x, h, w_x, w_h, b):
    """You measure the influence of the first state h, not of the words.

    Differentiate with respect to the words' vectors: one length per word.
    """
    start = h.clone().requires_grad_()
    last = rnn(x[None], start[None], w_x, w_h, b)[0, -1]
    return torch.autograd.grad(last.sum(), start)[0].norm(dim=-1)


@misconception("influence", "influence-gradient-left")
def influence_with_gradient_left(x, h, w_x, w_h, b):
    """You leave the gradient in the `.grad` of `x`: unless you clear it, a second call with the same text adds its own.

    Call it twice with one tensor: is the second answer twice the first? `.backward()` adds to what is there.
    """
    x.requires_grad_()
    rnn(x[None], h[None], w_x, w_h, b)[0, -1].sum().backward()
    return x.grad.norm(dim=-1)


@misconception("influence", "influence-own-slope-missing")
def influence_own_slope_missing(x, h, w_x, w_h, b):
    """You go from a word's state to the word through W_x alone: the slope 1 - h_t² of that step's tanh is missing.

    The product in the lesson begins behind state t. What lies between that state and its word? `torch.autograd.grad`
    forgets no step.
    """
    arriving, lengths = torch.ones_like(h), []
    for state in rnn(x[None], h[None], w_x, w_h, b)[0].flip(0):
        lengths.append((w_x @ arriving).norm())
        arriving = w_h @ ((1 - state**2) * arriving)
    return torch.stack(lengths).flip(0)
