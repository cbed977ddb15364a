"""What goes wrong in `rnn`."""

import torch

from reference.ch00_before_attention import rnn, rnn_step
from reference.misconceptions import misconception


@misconception("rnn", "rnn-last-state-only")
def rnn_last_state_only(x, h, w_x, w_h, b):
    """You return the last state alone.

    Keep every state in a list and stack them: (B, T, n), one state per word.
    """
    return rnn(x, h, w_x, w_h, b)[:, -1]


@misconception("rnn", "rnn-last-state-kept")
def rnn_last_state_kept(x, h, w_x, w_h, b):
    """You return the last state with an axis for one word, not all states.

    Append the state to the list inside the loop, after every word, so that T states are stacked.
    """
    return rnn(x, h, w_x, w_h, b)[:, -1:]


@misconception("rnn", "rnn-last-state-repeated")
def rnn_last_state_repeated(x, h, w_x, w_h, b):
    """All your states are the last one (the list holds T times the same tensor, written over).

    Make a new tensor at every step, and keep that.
    """
    return rnn(x, h, w_x, w_h, b)[:, -1:].expand(-1, x.shape[1], -1)


@misconception("rnn", "rnn-not-carried")
def rnn_not_carried(x, h, w_x, w_h, b):
    """Your state is not carried on: every step begins at the first h again.

    Let each step's result be the h of the next one: `h = rnn_step(x[:, t], h, ...)`.
    """
    return torch.stack([rnn_step(word, h, w_x, w_h, b) for word in x.unbind(1)], dim=1)


@misconception("rnn", "rnn-from-zeros")
def rnn_from_zeros(x, h, w_x, w_h, b):
    """You begin with a state of zeros, not with h.

    h is the state before the first word: give it to the first step.
    """
    return rnn(x, torch.zeros_like(h), w_x, w_h, b)


@misconception("rnn", "rnn-from-ones")
def rnn_from_ones(x, h, w_x, w_h, b):
    """You begin with a state of ones, not with h.

    h is the state before the first word: give it to the first step.
    """
    return rnn(x, torch.ones_like(h), w_x, w_h, b)


@misconception("rnn", "rnn-states-before")
def rnn_states_before(x, h, w_x, w_h, b):
    """Your states are one word late: [:, t] is the state before word t, and the last one is missing.

    Take the step first, then append its result.
    """
    return torch.cat([h[:, None], rnn(x, h, w_x, w_h, b)[:, :-1]], dim=1)


@misconception("rnn", "rnn-no-step")
def rnn_no_step(x, h, w_x, w_h, b):
    """Your state never changes: all states are the first h.

    Give each step's result the name h again: `h = rnn_step(x[:, t], h, ...)`.
    """
    return torch.stack([h] * x.shape[1], dim=1)


@misconception("rnn", "rnn-nothing-kept")
def rnn_nothing_kept(x, h, w_x, w_h, b):
    """Your list of states is empty when you stack it.

    Append the new state inside the loop: `states.append(h)`.
    """
    return torch.stack([], dim=1)


@misconception("rnn", "rnn-whole-text")
def rnn_whole_text(x, h, w_x, w_h, b):
    """You give each step the whole text, not one word of it.

    Step t reads word t: `x[:, t]`, of shape (B, i).
    """
    states = []
    for _ in range(x.shape[1]):
        h = torch.tanh(x @ w_x + h @ w_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-words-alone")
def rnn_words_alone(x, h, w_x, w_h, b):
    """Your network has no memory: its states depend on one word each, and on no h at all.

    Hand each step the state that the step before has left.
    """
    return torch.tanh(x @ w_x + b)


@misconception("rnn", "rnn-with-first-state")
def rnn_with_first_state(x, h, w_x, w_h, b):
    """You return the first state h too: T + 1 states.

    Start with an empty list; only what a step has made belongs into it.
    """
    return torch.cat([h[:, None], rnn(x, h, w_x, w_h, b)], dim=1)


@misconception("rnn", "rnn-last-word-missing")
def rnn_last_word_missing(x, h, w_x, w_h, b):
    """Your loop ends before the last word.

    Read all T words: `for t in range(x.shape[1])`.
    """
    return rnn(x[:, :-1], h, w_x, w_h, b)


@misconception("rnn", "rnn-first-word-missing")
def rnn_first_word_missing(x, h, w_x, w_h, b):
    """Your loop begins at the second word.

    Word 0 is read too: its step takes the given h.
    """
    return rnn(x[:, 1:], h, w_x, w_h, b)


@misconception("rnn", "rnn-word-late")
def rnn_word_late(x, h, w_x, w_h, b):
    """You read each time the word before: step t takes word t - 1, and the first step the last word of the text.

    Step t reads word t: `x[:, t]`. An index of -1 wraps round without an error.
    """
    return rnn(x.roll(1, dims=1), h, w_x, w_h, b)


@misconception("rnn", "rnn-word-early")
def rnn_word_early(x, h, w_x, w_h, b):
    """You read each time the word after: step t takes word t + 1.

    Step t reads word t: `x[:, t]`.
    """
    return rnn(x.roll(-1, dims=1), h, w_x, w_h, b)


@misconception("rnn", "rnn-one-word")
def rnn_one_word(x, h, w_x, w_h, b):
    """Every step reads the first word again.

    Index the words with the loop's variable: `x[:, t]`.
    """
    return rnn(x[:, :1].expand_as(x), h, w_x, w_h, b)


@misconception("rnn", "rnn-last-word-each-time")
def rnn_last_word_each_time(x, h, w_x, w_h, b):
    """Every step reads the last word.

    Index the words with the loop's variable: `x[:, t]`.
    """
    return rnn(x[:, -1:].expand_as(x), h, w_x, w_h, b)


@misconception("rnn", "rnn-backwards")
def rnn_backwards(x, h, w_x, w_h, b):
    """You read the text from its last word to its first.

    Read from left to right: t runs from 0 to T - 1.
    """
    return rnn(x.flip(1), h, w_x, w_h, b).flip(1)


@misconception("rnn", "rnn-reversed")
def rnn_reversed(x, h, w_x, w_h, b):
    """Your states come back in reverse: the last word's first.

    Append each state at the end of the list, so that [:, t] belongs to word t.
    """
    return rnn(x, h, w_x, w_h, b).flip(1)


@misconception("rnn", "rnn-time-first")
def rnn_time_first(x, h, w_x, w_h, b):
    """Your states are (T, B, n): the axes of texts and words are swapped.

    Stack along the axis of the words, `torch.stack(states, dim=1)`; without `dim` the new axis is the first one.
    """
    return rnn(x, h, w_x, w_h, b).transpose(0, 1)


@misconception("rnn", "rnn-time-last")
def rnn_time_last(x, h, w_x, w_h, b):
    """Your states are (B, n, T): the words are the last axis.

    Stack along the axis in the middle: `torch.stack(states, dim=1)`.
    """
    return rnn(x, h, w_x, w_h, b).transpose(1, 2)


@misconception("rnn", "rnn-reshaped")
def rnn_reshaped(x, h, w_x, w_h, b):
    """You stack the states as (T, B, n) and reshape them to (B, T, n), which mixes the texts.

    A reshape does not swap axes: use `torch.stack(states, dim=1)`, or `transpose(0, 1)`.
    """
    states = rnn(x, h, w_x, w_h, b)
    return states.transpose(0, 1).reshape(states.shape)


@misconception("rnn", "rnn-concatenated")
def rnn_concatenated(x, h, w_x, w_h, b):
    """You join the states with `cat`, so that the words have no axis of their own.

    `torch.cat` joins along an axis that is there; `torch.stack(states, dim=1)` makes a new one.
    """
    return rnn(x, h, w_x, w_h, b).flatten(1)


@misconception("rnn", "rnn-concatenated-texts")
def rnn_concatenated_texts(x, h, w_x, w_h, b):
    """You join the states along the axis of the texts: (T · B, n).

    `torch.cat` joins along an axis that is there; `torch.stack(states, dim=1)` makes a new one.
    """
    return rnn(x, h, w_x, w_h, b).transpose(0, 1).flatten(0, 1)


@misconception("rnn", "rnn-list")
def rnn_list(x, h, w_x, w_h, b):
    """You return a list of states, not a tensor.

    Make one tensor of the list: `torch.stack(states, dim=1)`.
    """
    return list(rnn(x, h, w_x, w_h, b).unbind(1))


@misconception("rnn", "rnn-states-and-last")
def rnn_states_and_last(x, h, w_x, w_h, b):
    """You return a pair, all states and the last one, as torch's own layer does.

    Return all states alone; the last one is `[:, -1]` of them.
    """
    states = rnn(x, h, w_x, w_h, b)
    return states, states[:, -1]


@misconception("rnn", "rnn-axis-of-texts")
def rnn_axis_of_texts(x, h, w_x, w_h, b):
    """Your loop goes over the texts, not over the words: you index axis 0.

    The words are axis 1: `for t in range(x.shape[1])`, and `x[:, t]`.
    """
    states = []
    for word in x:
        h = torch.tanh(word @ w_x + h @ w_h + b)
        states.append(h)
    return torch.stack(states, dim=0)


@misconception("rnn", "rnn-loop-over-batch-size")
def rnn_loop_over_batch_size(x, h, w_x, w_h, b):
    """Your loop counts the texts, not the words: it makes B steps.

    There is one step per word: `x.shape[1]` of them.
    """
    states = []
    for t in range(x.shape[0]):
        h = torch.tanh(x[:, t] @ w_x + h @ w_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-loop-over-features")
def rnn_loop_over_features(x, h, w_x, w_h, b):
    """Your loop counts the numbers of a word, not the words: it makes i steps.

    There is one step per word: `x.shape[1]` of them.
    """
    states = []
    for t in range(x.shape[2]):
        h = torch.tanh(x[:, t] @ w_x + h @ w_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-no-tanh")
def rnn_no_tanh(x, h, w_x, w_h, b):
    """The tanh is missing from your steps.

    Take each step with your `rnn_step`.
    """
    states = []
    for word in x.unbind(1):
        h = word @ w_x + h @ w_h + b
        states.append(h)
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-tanh-late")
def rnn_tanh_late(x, h, w_x, w_h, b):
    """You carry the state on without its tanh, and apply the tanh to what you return only.

    The tanh belongs to every step: the next word is given the state after it.
    """
    states = []
    for word in x.unbind(1):
        h = word @ w_x + h @ w_h + b
        states.append(torch.tanh(h))
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-no-bias")
def rnn_no_bias(x, h, w_x, w_h, b):
    """The shift b is missing from your steps.

    Give b to every step.
    """
    return rnn(x, h, w_x, w_h, torch.zeros_like(b))


@misconception("rnn", "rnn-transposed-w-h")
def rnn_transposed_w_h(x, h, w_x, w_h, b):
    """You use W_h transposed (or W_h times h as a column).

    Vectors are rows here and stand on the left: `h @ w_h`. As W_h is square, the wrong way round raises no error.
    """
    return rnn(x, h, w_x, w_h.T, b)


@misconception("rnn", "rnn-matrices-swapped")
def rnn_matrices_swapped(x, h, w_x, w_h, b):
    """The word goes through W_h and the state through W_x: you swapped the matrices, or word and state.

    The order is `rnn_step(word, state, w_x, w_h, b)`.
    """
    states = []
    for word in x.unbind(1):
        h = torch.tanh(word @ w_h + h @ w_x + b)
        states.append(h)
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-residual")
def rnn_residual(x, h, w_x, w_h, b):
    """You add each new state to the old one.

    This network replaces its state; the old one counts only through h W_h.
    """
    states = []
    for word in x.unbind(1):
        h = h + torch.tanh(word @ w_x + h @ w_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-squeezed")
def rnn_squeezed(x, h, w_x, w_h, b):
    """You squeeze the states, which drops every axis of size 1.

    A batch of one and a text of one word are real axes; leave out `squeeze()`.
    """
    return rnn(x, h, w_x, w_h, b).squeeze()


@misconception("rnn", "rnn-detached-steps")
def rnn_detached_steps(x, h, w_x, w_h, b):
    """You detach the state between two steps, so that no gradient goes back beyond one word.

    Hand each step the state as it is. Some cut long texts like this to save memory; here all of it is learnt from.
    """
    states = []
    for word in x.unbind(1):
        h = rnn_step(word, h.detach(), w_x, w_h, b)
        states.append(h)
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-detached")
def rnn_detached(x, h, w_x, w_h, b):
    """Your states are cut off from what they were computed from (detach, .data, no_grad, NumPy, `torch.tensor(list)`).

    Compute with the given tensors and with torch throughout, and join the states with `torch.stack`.
    """
    return rnn(x, h, w_x, w_h, b).detach()


@misconception("rnn", "rnn-in-place")
def rnn_in_place(x, h, w_x, w_h, b):
    """You write the states into the tensor h that you were given.

    `h.copy_(...)` and `h[:] = ...` change the caller's tensor; `h = rnn_step(...)` gives the name to a new one.
    """
    states = []
    for t in range(x.shape[1]):
        h[...] = torch.tanh(x[:, t] @ w_x + h @ w_h + b)
        states.append(h.clone())
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-default-dtype")
def rnn_default_dtype(x, h, w_x, w_h, b):
    """Your states are float32 on the CPU, whatever the arguments are.

    What `torch.zeros(B, T, n)` makes is; use `torch.stack`, or `x.new_zeros(B, T, n)`.
    """
    return rnn(x, h, w_x, w_h, b).to("cpu", torch.float32)
