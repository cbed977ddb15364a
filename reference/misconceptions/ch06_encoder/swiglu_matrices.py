"""What goes wrong in `swiglu`, continued: the matrices, the order and the tensors."""

import torch

from reference.ch06_encoder import swiglu
from reference.misconceptions import misconception


@misconception("swiglu", "swiglu-transposed")
def transposed(x, w_gate, w_up, w_down):
    """You transpose the matrices (`.T` or `F.linear`).

    They are inputs × outputs here, to the right of x as in the formula; an `nn.Linear` keeps its weight transposed.
    """
    return swiglu(x, w_gate.T, w_up.T, w_down.T)


@misconception("swiglu", "swiglu-gate-transposed")
def only_the_first_transposed(x, w_gate, w_up, w_down):
    """You transpose the gate's matrix.

    All three are inputs × outputs, to the right of x as in the formula.
    """
    return swiglu(x, w_gate.T, w_up, w_down)


@misconception("swiglu", "swiglu-down-transposed")
def only_the_last_transposed(x, w_gate, w_up, w_down):
    """You transpose `w_down`.

    All three are inputs × outputs, to the right of x as in the formula.
    """
    return swiglu(x, w_gate, w_up, w_down.T)


@misconception("swiglu", "swiglu-in-a-row")
def in_a_row(x, w_gate, w_up, w_down):
    """You send the gate's result through `w_up`, one after the other.

    Gate and up stand side by side: both read x.
    """
    gate = torch.nn.functional.silu(x @ w_gate)
    return (gate * (gate @ w_up)) @ w_down


@misconception("swiglu", "swiglu-silu-on-x")
def silu_on_x(x, w_gate, w_up, w_down):
    """You put SiLU on x, before the matrix.

    First `x @ w_gate`, then SiLU of each hidden unit.
    """
    return ((torch.nn.functional.silu(x) @ w_gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-silu-at-the-end")
def silu_at_the_end(x, w_gate, w_up, w_down):
    """You put SiLU on the result instead of on the gate.

    Nothing comes after `w_down`: the bend is in the hidden layer.
    """
    return torch.nn.functional.silu(((x @ w_gate) * (x @ w_up)) @ w_down)


@misconception("swiglu", "swiglu-up-after-down")
def gate_down_first(x, w_gate, w_up, w_down):
    """You multiply by what `w_up` gives only after `w_down`, so D meets F.

    Gate and up are both (..., F): multiply them first, then go back to D.
    """
    return (torch.nn.functional.silu(x @ w_gate) @ w_down) * (x @ w_up)


@misconception("swiglu", "swiglu-residual")
def with_a_residual(x, w_gate, w_up, w_down):
    """You add x to the result.

    The residual connection is the block's business, around this network.
    """
    return x + swiglu(x, w_gate, w_up, w_down)


@misconception("swiglu", "swiglu-gate-detached")
def gate_detached(x, w_gate, w_up, w_down):
    """Your gate is cut off from the gradient (detach, .data, no_grad or .item()).

    Then `w_gate` never learns when to open; compute the gate with x and `w_gate` themselves.
    """
    gate = (x @ w_gate).detach()
    return (gate * torch.sigmoid(gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-sigmoid-detached")
def sigmoid_detached(x, w_gate, w_up, w_down):
    """Your sigmoid is cut off from the gradient (detach, .data or no_grad).

    SiLU is a product, and its gradient has a part from each factor; leave the sigmoid attached.
    """
    gate = x @ w_gate
    return (gate * torch.sigmoid(gate).detach() * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-detached")
def detached(x, w_gate, w_up, w_down):
    """No gradient comes back through your result (detach, .data, no_grad or NumPy).

    Neither the matrices nor anything before them could learn; compute with x and the matrices themselves.
    """
    return swiglu(x, w_gate, w_up, w_down).detach()


@misconception("swiglu", "swiglu-by-hand")
def overflowing(x, w_gate, w_up, w_down):
    """You compute SiLU as z · eᶻ / (1 + eᶻ), which is infinity through infinity for a large z.

    `torch.sigmoid` forms no exponential that overflows, whatever the sign of z.
    """
    gate = x @ w_gate
    return (gate * gate.exp() / (1 + gate.exp()) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-float")
def always_float32(x, w_gate, w_up, w_down):
    """You convert to float32 on the way.

    The result has the dtype of x; leave out `.float()` and `dtype=torch.float32`.
    """
    return swiglu(x.float(), w_gate.float(), w_up.float(), w_down.float())


@misconception("swiglu", "swiglu-device")
def on_the_default_device(x, w_gate, w_up, w_down):
    """You make a tensor on the default device instead of the device of x.

    On a GPU the two cannot be combined; derive everything from x, or pass `device=x.device`.
    """
    hidden = torch.zeros((*x.shape[:-1], w_up.shape[1]), dtype=x.dtype)
    hidden += torch.nn.functional.silu(x @ w_gate) * (x @ w_up)
    return hidden @ w_down


@misconception("swiglu", "swiglu-squeezed")
def squeezed(x, w_gate, w_up, w_down):
    """You squeeze the result, which drops every axis of size 1.

    An axis of size 1 is an axis like any other, whether batch, positions or features; leave out `squeeze()`.
    """
    return swiglu(x, w_gate, w_up, w_down).squeeze()


@misconception("swiglu", "swiglu-reshaped")
def reshaped(x, w_gate, w_up, w_down):
    """You turn the matrices round with `reshape` (or `view`), which is no transposition.

    It keeps the numbers in their order and only cuts the rows anew. Does your product need other matrices at all?
    """
    gate, up = (torch.nn.functional.linear(x, each.reshape(each.shape[::-1])) for each in (w_gate, w_up))
    return torch.nn.functional.linear(gate * gate.sigmoid() * up, w_down.reshape(w_down.shape[::-1]))


@misconception("swiglu", "swiglu-nan-gradient")
def nan_gradient(x, w_gate, w_up, w_down):
    """Where a gate is far below 0, your result is right and your gradient NaN: something overflows on the way.

    In 1 / (1 + exp(-z)) the exponential is infinite for z = -1000, and its slope is infinity times 0. Is there a
    sigmoid that forms no such exponential?
    """
    z = x @ w_gate
    return (z / (1 + (-z).exp()) * (x @ w_up)) @ w_down
