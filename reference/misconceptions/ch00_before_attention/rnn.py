"""What goes wrong in `rnn`."""

import torch

from reference.ch00_before_attention import rnn, rnn_step
from reference.misconceptions import misconception


@misconception("rnn", "rnn-last-state-repeated")
def rnn_last_state_repeated(x, h, w_x, w_h, b):
    """All your states are the last one, as when the list holds one tensor T times, which each step overwrites.

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

    Hand each step the state that the previous step left.
    """
    return torch.tanh(x @ w_x + b)


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
    """Each step reads the previous word: step t takes word t - 1, and the first step takes the last word of the text.

    Step t reads word t: `x[:, t]`. An index of -1 wraps round without an error.
    """
    return rnn(x.roll(1, dims=1), h, w_x, w_h, b)


@misconception("rnn", "rnn-word-early")
def rnn_word_early(x, h, w_x, w_h, b):
    """Each step reads the next word: step t takes word t + 1, and the last step takes the first word of the text.

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
