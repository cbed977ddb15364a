"""What goes wrong in `rnn`, continued: what is kept, and what comes back."""

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


@misconception("rnn", "rnn-with-first-state")
def rnn_with_first_state(x, h, w_x, w_h, b):
    """You return the first state h too: T + 1 states.

    Start with an empty list; only what a step has made belongs in it.
    """
    return torch.cat([h[:, None], rnn(x, h, w_x, w_h, b)], dim=1)


@misconception("rnn", "rnn-reversed")
def rnn_reversed(x, h, w_x, w_h, b):
    """Your states come back in reverse: the last word's comes first.

    Append each state at the end of the list, so that [:, t] belongs to word t.
    """
    return rnn(x, h, w_x, w_h, b).flip(1)


@misconception("rnn", "rnn-time-first")
def rnn_time_first(x, h, w_x, w_h, b):
    """Your states are (T, B, n): the axes of texts and words are swapped.

    At which place does the result (B, T, n) have its axis of words, and where does your new axis go if you do not say?

    Stack along the axis of the words: `torch.stack(states, dim=1)`. Without `dim` the new axis is the first one.
    """
    return rnn(x, h, w_x, w_h, b).transpose(0, 1)


@misconception("rnn", "rnn-time-last")
def rnn_time_last(x, h, w_x, w_h, b):
    """Your states are (B, n, T): the words are the last axis.

    Each state is (B, n). Between which of its two axes must the new one go?

    Stack along the axis in the middle: `torch.stack(states, dim=1)`.
    """
    return rnn(x, h, w_x, w_h, b).transpose(1, 2)


@misconception("rnn", "rnn-reshaped")
def rnn_reshaped(x, h, w_x, w_h, b):
    """You stack the states as (T, B, n) and reshape them to (B, T, n), which mixes the texts.

    A reshape keeps the numbers in their order in memory and only cuts the rows elsewhere. Try it on two texts of three
    words.

    Make the axis at its place, `torch.stack(states, dim=1)`, or swap the two with `transpose(0, 1)`.
    """
    states = rnn(x, h, w_x, w_h, b)
    return states.transpose(0, 1).reshape(states.shape)


@misconception("rnn", "rnn-concatenated")
def rnn_concatenated(x, h, w_x, w_h, b):
    """You join the states side by side, (B, T · n), so that the words have no axis of their own.

    T states (B, n) must become (B, T, n), which has one axis more. Does `cat` make an axis?

    `torch.cat` joins along an axis that is there; `torch.stack(states, dim=1)` makes a new one.
    """
    return rnn(x, h, w_x, w_h, b).flatten(1)


@misconception("rnn", "rnn-concatenated-texts")
def rnn_concatenated_texts(x, h, w_x, w_h, b):
    """You join the states along the axis of the texts: (T · B, n).

    In (T · B, n) texts and words share an axis. Which function gives the words a new one?

    `torch.cat` joins along an axis that is there; `torch.stack(states, dim=1)` makes a new one.
    """
    return rnn(x, h, w_x, w_h, b).transpose(0, 1).flatten(0, 1)


@misconception("rnn", "rnn-list")
def rnn_list(x, h, w_x, w_h, b):
    """You return a list of states, not a tensor.

    The task wants a single (B, T, n). What joins T tensors of shape (B, n) along an axis that they do not have yet?

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


@misconception("rnn", "rnn-squeezed")
def rnn_squeezed(x, h, w_x, w_h, b):
    """You squeeze the states, which drops every axis of size 1.

    A batch of one and a text of one word are real axes; leave out `squeeze()`.
    """
    return rnn(x, h, w_x, w_h, b).squeeze()


@misconception("rnn", "rnn-detached-steps")
def rnn_detached_steps(x, h, w_x, w_h, b):
    """You detach the state before each step, the first h included, so that no gradient goes back beyond one word.

    Hand each step the state as it is. Long texts are sometimes cut like this to save memory; here the network learns
    from all of it.
    """
    states = []
    for word in x.unbind(1):
        h = rnn_step(word, h.detach(), w_x, w_h, b)
        states.append(h)
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-detached-after-steps")
def rnn_detached_after_steps(x, h, w_x, w_h, b):
    """You detach the state after each step, so that no gradient goes back beyond one word.

    Hand each step the state as it is. Long texts are sometimes cut like this to save memory; here the network learns
    from all of it.
    """
    states = []
    for word in x.unbind(1):
        states.append(rnn_step(word, h, w_x, w_h, b))
        h = states[-1].detach()
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-start-detached")
def rnn_start_detached(x, h, w_x, w_h, b):
    """No gradient reaches the first state h: you detached it.

    Begin with h as it is: in a decoder, the first state is learned too.
    """
    return rnn(x, h.detach(), w_x, w_h, b)


@misconception("rnn", "rnn-words-detached")
def rnn_words_detached(x, h, w_x, w_h, b):
    """No gradient reaches the words: you detached them.

    Give each step the word as it is: below the network, the words' vectors are learned.
    """
    return rnn(x.detach(), h, w_x, w_h, b)


@misconception("rnn", "rnn-float32-inside")
def rnn_float32_inside(x, h, w_x, w_h, b):
    """You compute in float32 and convert the states back, so float64 states have about seven right digits.

    Leave the dtype of the arguments as it is: a buffer is made with `dtype=x.dtype`.
    """
    states, state, words = [], h.float(), x.float()
    for t in range(x.shape[1]):
        state = torch.tanh(words[:, t] @ w_x.float() + state @ w_h.float() + b.float())
        states.append(state)
    return torch.stack(states, dim=1).to(x.dtype)


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
    """Your states are float32, whatever dtype the arguments have.

    Leave out `.float()`. `torch.zeros(B, T, n)` is float32, and on the CPU, unless told otherwise: use `torch.stack`,
    or `x.new_zeros(B, T, n)`.
    """
    return rnn(x, h, w_x, w_h, b).to("cpu", torch.float32)


@misconception("rnn", "rnn-detached-now-and-then")
def rnn_detached_now_and_then(x, h, w_x, w_h, b):
    """You cut the gradient after some number of words, so that long texts teach nothing about their beginning.

    Try a text of forty words: does the first one get all of its gradient? Cutting saves memory in very long texts; here
    the network learns from all of a text.
    """
    states = []
    for t, word in enumerate(x.unbind(1)):
        kept = h.detach() if t and t % 10 == 0 else h
        h = rnn_step(word, kept, w_x, w_h, b)
        states.append(h)
    return torch.stack(states, dim=1)


@misconception("rnn", "rnn-zeros-as-padding")
def rnn_zeros_as_padding(x, h, w_x, w_h, b):
    """A word whose vector is all zeros leaves your state as it was, as if it were padding.

    It is a word like any other: what becomes of the state if x is 0 in the formula of a step?
    """
    states = []
    for t in range(x.shape[1]):
        real = (x[:, t] != 0).any(dim=-1, keepdim=True)
        h = torch.where(real, rnn_step(x[:, t], h, w_x, w_h, b), h)
        states.append(h)
    return torch.stack(states, dim=1)
