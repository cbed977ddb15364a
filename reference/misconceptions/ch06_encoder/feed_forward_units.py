"""What goes wrong in `feed_forward`, continued: hidden units that are no ReLU, and other products."""

import torch

from reference.misconceptions import misconception


@misconception("feed_forward", "feed-forward-tanh")
def tanh_units(x, w1, b1, w2, b2):
    """You squash the hidden units by tanh.

    Between the two maps stands a ReLU, max(0, ·).
    """
    return torch.tanh(x @ w1 + b1) @ w2 + b2


@misconception("feed_forward", "feed-forward-silu")
def silu_units(x, w1, b1, w2, b2):
    """You use SiLU (Swish).

    Later models do; here it is a ReLU, max(0, ·).
    """
    hidden = x @ w1 + b1
    return (hidden * torch.sigmoid(hidden)) @ w2 + b2


@misconception("feed_forward", "feed-forward-elu")
def elu_units(x, w1, b1, w2, b2):
    """You use ELU: below zero your hidden units follow exp(h) - 1.

    Here it is a ReLU: below zero a hidden unit says nothing.
    """
    hidden = x @ w1 + b1
    return torch.where(hidden > 0, hidden, torch.expm1(hidden)) @ w2 + b2


@misconception("feed_forward", "feed-forward-relu6")
def relu6_units(x, w1, b1, w2, b2):
    """You cut the hidden units off at 6 (ReLU6).

    A ReLU cuts off below 0 only: max(0, ·).
    """
    return (x @ w1 + b1).clamp(0, 6) @ w2 + b2


@misconception("feed_forward", "feed-forward-cut-at-one")
def units_cut_at_one(x, w1, b1, w2, b2):
    """You cut the hidden units off at 1.

    A ReLU cuts off below 0 only: `clamp(min=0)`.
    """
    return (x @ w1 + b1).clamp(0, 1) @ w2 + b2


@misconception("feed_forward", "feed-forward-softmax")
def softmax_units(x, w1, b1, w2, b2):
    """You take a softmax of the hidden units.

    Each unit is on its own: max(0, ·), which `torch.relu` computes.
    """
    return torch.softmax(x @ w1 + b1, dim=-1) @ w2 + b2


@misconception("feed_forward", "feed-forward-absolute")
def absolute_units(x, w1, b1, w2, b2):
    """You take the absolute values of the hidden units.

    A ReLU sets what is below zero to 0: max(0, ·).
    """
    return (x @ w1 + b1).abs() @ w2 + b2


@misconception("feed_forward", "feed-forward-softplus")
def softplus_units(x, w1, b1, w2, b2):
    """You use softplus, log(1 + exp(h)).

    It is smooth, a ReLU has a corner: max(0, ·).
    """
    return torch.nn.functional.softplus(x @ w1 + b1) @ w2 + b2


@misconception("feed_forward", "feed-forward-steps")
def step_units(x, w1, b1, w2, b2):
    """Your hidden units are 1 above zero and 0 below.

    A ReLU keeps the number itself where it is above zero: max(0, ·).
    """
    return (x @ w1 + b1 > 0).to(x.dtype) @ w2 + b2


@misconception("feed_forward", "feed-forward-maps-exchanged")
def maps_exchanged(x, w1, b1, w2, b2):
    """You apply the second map first and the first map second.

    First w1 and b1, (D, F), then the ReLU, then w2 and b2, (F, D).
    """
    return torch.relu(x @ w2 + b2) @ w1 + b1


@misconception("feed_forward", "feed-forward-from-the-left")
def multiplied_from_the_left(x, w1, b1, w2, b2):
    """You multiply the matrices from the left, w1 x.

    Vectors are the rows of x here: `x @ w1`.
    """
    return w2 @ torch.relu(w1 @ x + b1) + b2


@misconception("feed_forward", "feed-forward-unfelt-relu")
def relu_without_a_gradient(x, w1, b1, w2, b2):
    """Your results are right, but the gradient passes hidden units that are off, as if there were no ReLU.

    What `.data`, `detach` or `no_grad` cuts off is hidden from the gradient: `torch.relu`, `clamp(min=0)` and
    `torch.where` need none of these.
    """
    hidden = x @ w1 + b1
    off = (hidden * (hidden < 0)).detach()
    return (hidden - off) @ w2 + b2


@misconception("feed_forward", "feed-forward-norm")
def normalised_before(x, w1, b1, w2, b2):
    """You normalise x before the first map.

    The norm belongs to the block around the network; here only two maps and a ReLU are asked for.
    """
    return torch.relu(torch.nn.functional.layer_norm(x, x.shape[-1:]) @ w1 + b1) @ w2 + b2


@misconception("feed_forward", "feed-forward-reshaped")
def reshaped(x, w1, b1, w2, b2):
    """You turn the matrices round with `reshape` (or `view`), which is no transposition.

    It keeps the numbers in their order and only cuts the rows anew. Does your product need other matrices at all?
    """
    hidden = torch.nn.functional.linear(x, w1.reshape(w1.shape[::-1]), b1).relu()
    return torch.nn.functional.linear(hidden, w2.reshape(w2.shape[::-1]), b2)


@misconception("feed_forward", "feed-forward-relu-of-the-bias")
def relu_of_the_bias(x, w1, b1, w2, b2):
    """Your ReLU reads b1 alone, not x w1 + b1, so no hidden unit falls silent.

    A method or a function call comes before the sum around it: which part stands inside its brackets?
    """
    return (x @ w1 + torch.relu(b1)) @ w2 + b2
