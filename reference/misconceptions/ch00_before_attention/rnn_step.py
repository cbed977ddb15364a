"""What goes wrong in `rnn_step`."""

import torch

from reference.ch00_before_attention import rnn_step
from reference.misconceptions import misconception


@misconception("rnn_step", "step-no-tanh")
def step_no_tanh(x, h, w_x, w_h, b):
    """The tanh is missing.

    Apply `torch.tanh` to the whole sum: without it the state can grow with every word, and it is only ever linear.
    """
    return x @ w_x + h @ w_h + b


@misconception("rnn_step", "step-sigmoid")
def step_sigmoid(x, h, w_x, w_h, b):
    """You apply a sigmoid instead of tanh.

    A sigmoid gives numbers from 0 to 1; the state goes from -1 to 1: `torch.tanh`.
    """
    return torch.sigmoid(x @ w_x + h @ w_h + b)


@misconception("rnn_step", "step-relu")
def step_relu(x, h, w_x, w_h, b):
    """You apply a ReLU instead of tanh.

    A ReLU has no upper bound and drops every negative number; this step uses `torch.tanh`.
    """
    return torch.relu(x @ w_x + h @ w_h + b)


@misconception("rnn_step", "step-no-bias")
def step_no_bias(x, h, w_x, w_h, b):
    """The shift b is missing from the sum.

    Add b before the tanh; it has one number for each entry of the state.
    """
    return torch.tanh(x @ w_x + h @ w_h)


@misconception("rnn_step", "step-bias-negative")
def step_bias_negative(x, h, w_x, w_h, b):
    """You subtract b instead of adding it.

    The sum inside the tanh is x W_x + h W_h + b.
    """
    return torch.tanh(x @ w_x + h @ w_h - b)


@misconception("rnn_step", "step-bias-after")
def step_bias_after(x, h, w_x, w_h, b):
    """You add b after the tanh.

    All three terms belong inside the tanh; added outside, b pushes the state beyond -1 and 1.
    """
    return torch.tanh(x @ w_x + h @ w_h) + b


@misconception("rnn_step", "step-bias-twice")
def step_bias_twice(x, h, w_x, w_h, b):
    """You add b twice, once for the word and once for the state.

    Torch's own layer has two shifts; here there is one: add b once.
    """
    return torch.tanh(x @ w_x + h @ w_h + 2 * b)


@misconception("rnn_step", "step-tanh-of-parts")
def step_tanh_of_parts(x, h, w_x, w_h, b):
    """You apply tanh to the parts of the sum and add them afterwards.

    Add first: there is one tanh, around x W_x + h W_h + b.
    """
    return torch.tanh(x @ w_x) + torch.tanh(h @ w_h + b)


@misconception("rnn_step", "step-tanh-of-word")
def step_tanh_of_word(x, h, w_x, w_h, b):
    """Your tanh is around the word's part only; the state's part is added outside.

    Close the bracket of the tanh after the whole sum, x W_x + h W_h + b.
    """
    return torch.tanh(x @ w_x + b) + h @ w_h


@misconception("rnn_step", "step-tanh-of-state")
def step_tanh_of_state(x, h, w_x, w_h, b):
    """Your tanh is around the state's part only; the word's part is added outside.

    Open the bracket of the tanh before x W_x: it goes around the whole sum.
    """
    return x @ w_x + torch.tanh(h @ w_h + b)


@misconception("rnn_step", "step-no-word")
def step_no_word(x, h, w_x, w_h, b):
    """The word x plays no part in your step.

    Add `x @ w_x` to the sum: it is what the word writes into the memory.
    """
    return torch.tanh(h @ w_h + b)


@misconception("rnn_step", "step-no-state")
def step_no_state(x, h, w_x, w_h, b):
    """The state h plays no part in your step, so it has no memory.

    Add `h @ w_h` to the sum: it is what becomes of everything read so far.
    """
    return torch.tanh(x @ w_x + b)


@misconception("rnn_step", "step-word-subtracted")
def step_word_subtracted(x, h, w_x, w_h, b):
    """You subtract the word's part instead of adding it.

    The sum inside the tanh is x W_x + h W_h + b.
    """
    return torch.tanh(h @ w_h + b - x @ w_x)


@misconception("rnn_step", "step-state-subtracted")
def step_state_subtracted(x, h, w_x, w_h, b):
    """You subtract the state's part instead of adding it.

    The sum inside the tanh is x W_x + h W_h + b.
    """
    return torch.tanh(x @ w_x - h @ w_h + b)


@misconception("rnn_step", "step-multiplied")
def step_multiplied(x, h, w_x, w_h, b):
    """You multiply the word's part by the state's part, entry by entry.

    They are added: a product would forget everything wherever either of them is 0.
    """
    return torch.tanh((x @ w_x) * (h @ w_h) + b)


@misconception("rnn_step", "step-h-not-multiplied")
def step_h_not_multiplied(x, h, w_x, w_h, b):
    """You add the state as it is, without W_h.

    The state goes through its matrix first: `h @ w_h`.
    """
    return torch.tanh(x @ w_x + h + b)


@misconception("rnn_step", "step-x-not-multiplied")
def step_x_not_multiplied(x, h, w_x, w_h, b):
    """You add the word as it is, without W_x.

    The word goes through its matrix first, which also gives it n numbers: `x @ w_x`.
    """
    return torch.tanh(x + h @ w_h + b)


@misconception("rnn_step", "step-matrix-left")
def step_matrix_left(x, h, w_x, w_h, b):
    """Your matrix stands on the left of the word, as it would for a column.

    Vectors are rows here, and a row stands on the left: `x @ w_x`.
    """
    return torch.tanh(w_x @ x + h @ w_h + b)


@misconception("rnn_step", "step-state-matrix-left")
def step_state_matrix_left(x, h, w_x, w_h, b):
    """Your matrix stands on the left of the state, as it would for a column.

    Vectors are rows here, and a row stands on the left: `h @ w_h`.
    """
    return torch.tanh(x @ w_x + w_h @ h + b)


@misconception("rnn_step", "step-added-to-state")
def step_added_to_state(x, h, w_x, w_h, b):
    """You add the new state to the old one.

    This network replaces its state by the tanh; the old one counts only through h W_h.
    """
    return h + torch.tanh(x @ w_x + h @ w_h + b)


@misconception("rnn_step", "step-transposed-w-h")
def step_transposed_w_h(x, h, w_x, w_h, b):
    """You use W_h transposed (or W_h times h as a column).

    Vectors are rows here and stand on the left: `h @ w_h`. As W_h is square, the wrong way round raises no error.
    """
    return torch.tanh(x @ w_x + h @ w_h.T + b)


@misconception("rnn_step", "step-transposed-w-x")
def step_transposed_w_x(x, h, w_x, w_h, b):
    """You use W_x transposed (or W_x times x as a column).

    Vectors are rows here and stand on the left: `x @ w_x`, with W_x of shape (i, n).
    """
    return torch.tanh(x @ w_x.T + h @ w_h + b)


@misconception("rnn_step", "step-transposed-both")
def step_transposed_both(x, h, w_x, w_h, b):
    """You use both matrices transposed, as `nn.Linear` keeps its weight.

    Here a matrix has the shape (inputs, outputs), and vectors are rows: `x @ w_x + h @ w_h`.
    """
    return torch.tanh(x @ w_x.T + h @ w_h.T + b)


@misconception("rnn_step", "step-matrices-swapped")
def step_matrices_swapped(x, h, w_x, w_h, b):
    """The matrices have swapped roles: the word goes through W_h and the state through W_x.

    W_x, of shape (i, n), is for the word; W_h, of shape (n, n), is for the state.
    """
    return torch.tanh(x @ w_h + h @ w_x + b)


@misconception("rnn_step", "step-one-matrix")
def step_one_matrix(x, h, w_x, w_h, b):
    """The word and the state both go through W_x.

    The state has a matrix of its own: `h @ w_h`.
    """
    return torch.tanh(x @ w_x + h @ w_x + b)


@misconception("rnn_step", "step-state-matrix-twice")
def step_state_matrix_twice(x, h, w_x, w_h, b):
    """The word and the state both go through W_h.

    The word has a matrix of its own: `x @ w_x`.
    """
    return torch.tanh(x @ w_h + h @ w_h + b)


@misconception("rnn_step", "step-word-twice")
def step_word_twice(x, h, w_x, w_h, b):
    """The word stands where the state should: it goes through both matrices.

    W_h multiplies the state: `h @ w_h`.
    """
    return torch.tanh(x @ w_x + x @ w_h + b)


@misconception("rnn_step", "step-state-twice")
def step_state_twice(x, h, w_x, w_h, b):
    """The state stands where the word should: it goes through both matrices.

    W_x multiplies the word: `x @ w_x`.
    """
    return torch.tanh(h @ w_x + h @ w_h + b)


@misconception("rnn_step", "step-fixed-axes")
def step_fixed_axes(x, h, w_x, w_h, b):
    """Your step works for one batch axis only.

    There may be none, or two; `x @ w_x` takes any number of leading axes, `torch.mm` and `torch.addmm` do not.
    """
    return torch.tanh(torch.mm(x, w_x) + torch.mm(h, w_h) + b)


@misconception("rnn_step", "step-overflow")
def step_overflow(x, h, w_x, w_h, b):
    """Your tanh is built from exponentials, which overflow for large numbers and leave NaN.

    Use `torch.tanh`, which is safe: exp(1000) is infinite, and infinity divided by infinity is not a number.
    """
    power = torch.exp(2 * (x @ w_x + h @ w_h + b))
    return (power - 1) / (power + 1)


@misconception("rnn_step", "step-in-place")
def step_in_place(x, h, w_x, w_h, b):
    """You write the new state into the tensor h that you were given.

    `h += ...`, `h.copy_(...)` and `h[:] = ...` change the caller's tensor; return a new one.
    """
    h[...] = torch.tanh(x @ w_x + h @ w_h + b)
    return h


@misconception("rnn_step", "step-detached")
def step_detached(x, h, w_x, w_h, b):
    """Your state is cut off from what it was computed from: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the given tensors themselves and with torch's operations throughout.
    """
    return rnn_step(x, h, w_x, w_h, b).detach()


@misconception("rnn_step", "step-state-detached")
def step_state_detached(x, h, w_x, w_h, b):
    """You detach the state, so that no gradient goes back to earlier words.

    Use h as it comes: the gradient through it is how the network learns from what it read before.
    """
    return rnn_step(x, h.detach(), w_x, w_h, b)


@misconception("rnn_step", "step-default-dtype")
def step_default_dtype(x, h, w_x, w_h, b):
    """Your state is float32, whatever dtype the arguments have.

    Leave out `.float()`; what you create yourself takes its dtype from an argument, as in `h.new_zeros(...)`.
    """
    return rnn_step(x, h, w_x, w_h, b).to("cpu", torch.float32)
