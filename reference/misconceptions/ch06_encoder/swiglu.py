"""What goes wrong in `swiglu`."""

import torch

from reference.ch06_encoder import swiglu
from reference.misconceptions import misconception


@misconception("swiglu", "swiglu-sigmoid")
def sigmoid_gate(x, w_gate, w_up, w_down):
    """Your gate is a sigmoid, σ(z): that is a GLU.

    SiLU is z · σ(z): the gate's own number times its sigmoid.
    """
    return (torch.sigmoid(x @ w_gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-no-silu")
def no_silu(x, w_gate, w_up, w_down):
    """You multiply gate and up as they are, without SiLU.

    The gate goes through SiLU(z) = z · σ(z) before it is multiplied.
    """
    return ((x @ w_gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-relu")
def relu_gate(x, w_gate, w_up, w_down):
    """Your gate is a ReLU: that is a ReGLU.

    SiLU is smooth, and lets a little through below 0: z · σ(z).
    """
    return (torch.relu(x @ w_gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-gelu")
def gelu_gate(x, w_gate, w_up, w_down):
    """Your gate is a GELU: that is a GEGLU.

    The two look alike; SiLU multiplies z by the sigmoid of z instead of Φ(z).
    """
    return (torch.nn.functional.gelu(x @ w_gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-gelu-tanh")
def tanh_gelu_gate(x, w_gate, w_up, w_down):
    """Your gate is a GELU in its tanh approximation.

    The two look alike; SiLU multiplies z by the sigmoid of z.
    """
    return (torch.nn.functional.gelu(x @ w_gate, approximate="tanh") * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-quick-gelu")
def quick_gelu_gate(x, w_gate, w_up, w_down):
    """You multiply the gate by 1.702 inside the sigmoid: that approximates a GELU.

    SiLU(z) is z times the sigmoid of z itself.
    """
    gate = x @ w_gate
    return (gate * torch.sigmoid(1.702 * gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-tanh")
def tanh_gate(x, w_gate, w_up, w_down):
    """Your gate is a tanh.

    SiLU(z) is z times the sigmoid of z.
    """
    return (torch.tanh(x @ w_gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-hard")
def hard_gate(x, w_gate, w_up, w_down):
    """Your gate is a hardswish, SiLU's imitation in straight lines.

    SiLU(z) is z times the sigmoid of z, with its exponential.
    """
    return (torch.nn.functional.hardswish(x @ w_gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-softmax")
def softmax_gate(x, w_gate, w_up, w_down):
    """Your gate is a softmax over the hidden units, so that they compete.

    Each gate opens by itself: SiLU(z) = z · σ(z), entry by entry.
    """
    return (torch.softmax(x @ w_gate, -1) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-negative-sigmoid")
def negative_sigmoid(x, w_gate, w_up, w_down):
    """Your sigmoid has the wrong sign: it closes where the gate should open.

    The sigmoid of z is 1 / (1 + e^-z), near 1 for a large z.
    """
    gate = x @ w_gate
    return (gate * torch.sigmoid(-gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-gate-once-more")
def cubic(x, w_gate, w_up, w_down):
    """You multiply the SiLU by its z once more.

    SiLU(z) is z · σ(z), one z: `F.silu` includes it, and only a bare sigmoid needs it beside it.
    """
    gate = x @ w_gate
    return (gate * gate * torch.sigmoid(gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-swapped")
def swapped(x, w_gate, w_up, w_down):
    """You put SiLU on what comes from `w_up`, and none on the gate.

    The two matrices have the same shape, so nothing else notices: SiLU belongs to `x @ w_gate`.
    """
    return swiglu(x, w_up, w_gate, w_down)


@misconception("swiglu", "swiglu-both")
def silu_on_both(x, w_gate, w_up, w_down):
    """You put SiLU on both, the gate and what it lets through.

    What comes from `w_up` stays as it is: linear in x.
    """
    return (torch.nn.functional.silu(x @ w_gate) * torch.nn.functional.silu(x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-of-the-product")
def silu_of_the_product(x, w_gate, w_up, w_down):
    """You put SiLU on the product of gate and up.

    SiLU comes first, and on the gate alone; then multiply.
    """
    return torch.nn.functional.silu((x @ w_gate) * (x @ w_up)) @ w_down


@misconception("swiglu", "swiglu-added")
def added(x, w_gate, w_up, w_down):
    """You add gate and up instead of multiplying them.

    A gate multiplies: where it is closed, nothing may come through.
    """
    return (torch.nn.functional.silu(x @ w_gate) + x @ w_up) @ w_down


@misconception("swiglu", "swiglu-no-up")
def no_up(x, w_gate, w_up, w_down):
    """You leave `w_up` out: the gate opens, and nothing else comes through it.

    Multiply the gate, entry by entry, by `x @ w_up`.
    """
    return torch.nn.functional.silu(x @ w_gate) @ w_down


@misconception("swiglu", "swiglu-gate-twice")
def gate_twice(x, w_gate, w_up, w_down):
    """You use `w_gate` for both, the gate and what it lets through.

    What is let through comes from a matrix of its own, `w_up`.
    """
    return swiglu(x, w_gate, w_gate, w_down)


@misconception("swiglu", "swiglu-up-twice")
def up_twice(x, w_gate, w_up, w_down):
    """You use `w_up` for both, the gate and what it lets through.

    The gate has a matrix of its own, `w_gate`.
    """
    return swiglu(x, w_up, w_up, w_down)
