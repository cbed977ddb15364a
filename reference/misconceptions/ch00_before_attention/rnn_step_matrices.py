"""What goes wrong in `rnn_step`, continued: the matrices."""

import torch

from reference.misconceptions import misconception


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


@misconception("rnn_step", "step-joined-along-axis-one")
def step_joined_along_axis_one(x, h, w_x, w_h, b):
    """You join x and h along axis 1, which is the last axis only where there is exactly one leading axis.

    Count from the end: `torch.cat([x, h], dim=-1)`.
    """
    return torch.tanh(torch.cat([x, h], dim=1) @ torch.cat([w_x, w_h], dim=0) + b)


@misconception("rnn_step", "step-word-detached")
def step_word_detached(x, h, w_x, w_h, b):
    """No gradient reaches the word x: you detached it.

    Use x as it is: below the network, the words' vectors are learned.
    """
    return torch.tanh(x.detach() @ w_x + h @ w_h + b)


@misconception("rnn_step", "step-clamped")
def step_clamped(x, h, w_x, w_h, b):
    """You cut the sum off at -1 and 1 instead of applying tanh.

    Apply `torch.tanh`, which bends smoothly: where a clamp cuts off, no gradient passes.
    """
    return (x @ w_x + h @ w_h + b).clamp(-1, 1)


@misconception("rnn_step", "step-halved")
def step_halved(x, h, w_x, w_h, b):
    """You take the mean of the word's part and the state's part instead of their sum.

    Add the two products and b, and divide by nothing.
    """
    return torch.tanh((x @ w_x + h @ w_h) / 2 + b)


@misconception("rnn_step", "step-float32-inside")
def step_float32_inside(x, h, w_x, w_h, b):
    """You compute in float32 and convert the result back, so a float64 state has about seven right digits.

    Leave the dtype of the arguments as it is.
    """
    return torch.tanh(x.float() @ w_x.float() + h.float() @ w_h.float() + b.float()).to(x.dtype)


@misconception("rnn_step", "step-fixed-axes")
def step_fixed_axes(x, h, w_x, w_h, b):
    """Your step works for one batch axis only.

    There may be none, or two; `x @ w_x` takes any number of leading axes, `torch.mm` and `torch.addmm` do not.
    """
    return torch.tanh(torch.mm(x, w_x) + torch.mm(h, w_h) + b)


@misconception("rnn_step", "step-squeezed")
def step_squeezed(x, h, w_x, w_h, b):
    """You squeeze the state, which drops every axis of size 1.

    A single text and a state of one number are axes too. Does anything in the sum have an axis too many?
    """
    return torch.tanh(x @ w_x + h @ w_h + b).squeeze()


@misconception("rnn_step", "step-addmm")
def step_addmm(x, h, w_x, w_h, b):
    """Your step works for one batch axis only: `torch.addmm` multiplies matrices, of two axes each.

    There may be no batch axis, or two of them. Which product of `x` and `w_x` takes any number of leading axes?
    """
    return torch.tanh(torch.addmm(torch.addmm(b, x, w_x), h, w_h))


@misconception("rnn_step", "step-slope-of-sum")
def step_slope_of_sum(x, h, w_x, w_h, b):
    """Your states are right, their gradients are not: your backward puts the sum z into 1 - tanh(z)², without the tanh.

    The slope needs the result of the tanh, not its argument. Or leave the backward to torch, which knows it.
    """

    class Squash(torch.autograd.Function):
        @staticmethod
        def forward(ctx, z):
            ctx.save_for_backward(z)
            return torch.tanh(z)

        @staticmethod
        def backward(ctx, grad):
            (z,) = ctx.saved_tensors
            return grad * (1 - z * z)

    return Squash.apply(x @ w_x + h @ w_h + b)
