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


@misconception("rnn_step", "step-added-to-state")
def step_added_to_state(x, h, w_x, w_h, b):
    """You add the new state to the old one.

    This network replaces its state by the tanh; the old one counts only through h W_h.
    """
    return h + torch.tanh(x @ w_x + h @ w_h + b)


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

    Leave out `.float()`; any tensor you create must take its dtype and device from an argument, as `h.new_zeros(...)`
    does.
    """
    return rnn_step(x, h, w_x, w_h, b).to("cpu", torch.float32)


@misconception("rnn_step", "step-state-alone")
def step_state_alone(x, h, w_x, w_h, b):
    """Only the state is left of your sum: neither the word nor b changes the result.

    If you add with `torch.addmm`, `beta` multiplies what it adds to. What does `beta=0` leave of it?
    """
    return torch.tanh(h @ w_h)


@misconception("rnn_step", "step-flat-at-zero")
def step_flat_at_zero(x, h, w_x, w_h, b):
    """Where the sum is exactly 0, your tanh passes no gradient on; its slope there is 1.

    At 0 torch takes the slopes of |z| and of the sign of z for 0. Does your formula need either of them?
    """
    z = x @ w_x + h @ w_h + b
    return z.sign() * torch.tanh(z.abs())
