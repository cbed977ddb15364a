"""What goes wrong in `feed_forward`."""

import torch
from torch import nn

from reference.ch06_encoder import feed_forward
from reference.misconceptions import misconception


@misconception("feed_forward", "feed-forward-no-relu")
def no_relu(x, w1, b1, w2, b2):
    """There is no ReLU between your two linear maps.

    Without it they are one linear map, no stronger than a single matrix. What does max(0, ·) enclose in the formula?

    Put `torch.relu` around x w1 + b1.
    """
    return (x @ w1 + b1) @ w2 + b2


@misconception("feed_forward", "feed-forward-transposed")
def transposed(x, w1, b1, w2, b2):
    """You multiply by the transposed matrices, as `F.linear` and `nn.Linear` do.

    Here w1 is (D, F) and w2 is (F, D), inputs first: `x @ w1` fits as it is.
    """
    return nn.functional.linear(torch.relu(nn.functional.linear(x, w1, b1)), w2, b2)


@misconception("feed_forward", "feed-forward-relu-late")
def relu_at_the_end(x, w1, b1, w2, b2):
    """Your ReLU comes at the end, after the second map, instead of between the two.

    It belongs on the hidden units; the result may be negative.
    """
    return torch.relu((x @ w1 + b1) @ w2 + b2)


@misconception("feed_forward", "feed-forward-relu-twice")
def relu_twice(x, w1, b1, w2, b2):
    """You apply the ReLU a second time, to the result.

    Only the hidden units are cut at 0; a residual stream needs steps in both directions.
    """
    return torch.relu(feed_forward(x, w1, b1, w2, b2))


@misconception("feed_forward", "feed-forward-relu-early")
def relu_on_the_input(x, w1, b1, w2, b2):
    """You apply the ReLU to x, before the first map.

    x w1 + b1 comes first; its negative entries are what is cut.
    """
    return (torch.relu(x) @ w1 + b1) @ w2 + b2


@misconception("feed_forward", "feed-forward-gelu")
def gelu(x, w1, b1, w2, b2):
    """You use GELU.

    BERT, GPT and ViT use it, and so do chapters 9 to 12; equation 2 of the paper has max(0, ·), the ReLU.
    """
    return nn.functional.gelu(x @ w1 + b1) @ w2 + b2


@misconception("feed_forward", "feed-forward-gelu-tanh")
def gelu_by_tanh(x, w1, b1, w2, b2):
    """You use GELU, approximated by tanh.

    GPT-2 does so; equation 2 of the paper has max(0, ·), the ReLU.
    """
    return nn.functional.gelu(x @ w1 + b1, approximate="tanh") @ w2 + b2


@misconception("feed_forward", "feed-forward-leaky")
def leaky_relu(x, w1, b1, w2, b2):
    """Your hidden units leak: below zero they keep a small slope (leaky ReLU).

    max(0, ·) is exactly 0 there.
    """
    return nn.functional.leaky_relu(x @ w1 + b1) @ w2 + b2


@misconception("feed_forward", "feed-forward-sigmoid")
def sigmoid(x, w1, b1, w2, b2):
    """You squash the hidden units by a sigmoid.

    The paper's activation is max(0, ·): positive units stay as they are, negative ones become 0.
    """
    return torch.sigmoid(x @ w1 + b1) @ w2 + b2


@misconception("feed_forward", "feed-forward-relu-upside-down")
def keeps_the_negative(x, w1, b1, w2, b2):
    """You keep the negative hidden units and cut the positive ones.

    max(0, h) is h where h is positive; a clamp needs `min=0`.
    """
    return (x @ w1 + b1).clamp(max=0) @ w2 + b2


@misconception("feed_forward", "feed-forward-bias-late")
def bias_after_relu(x, w1, b1, w2, b2):
    """You add b1 after the ReLU.

    The bias decides when a unit fires, so it belongs inside: max(0, x w1 + b1).
    """
    return (torch.relu(x @ w1) + b1) @ w2 + b2


@misconception("feed_forward", "feed-forward-no-b1")
def no_first_bias(x, w1, b1, w2, b2):
    """You leave out b1.

    Add it to x w1, before the ReLU.
    """
    return torch.relu(x @ w1) @ w2 + b2


@misconception("feed_forward", "feed-forward-no-b2")
def no_second_bias(x, w1, b1, w2, b2):
    """You leave out b2.

    Add it at the end, to every position.
    """
    return torch.relu(x @ w1 + b1) @ w2


@misconception("feed_forward", "feed-forward-no-biases")
def no_biases(x, w1, b1, w2, b2):
    """You leave out both biases.

    b1 is added before the ReLU, b2 at the end.
    """
    return torch.relu(x @ w1) @ w2


@misconception("feed_forward", "feed-forward-residual")
def with_residual(x, w1, b1, w2, b2):
    """You add x to the result.

    The residual connection belongs to the encoder block; return the network's output alone.
    """
    return x + feed_forward(x, w1, b1, w2, b2)


@misconception("feed_forward", "feed-forward-matrices-only")
def matrices_only(x, w1, b1, w2, b2):
    """`torch.addmm` and `torch.mm` take a single matrix, but x has a batch axis as well.

    `x @ w1` treats all axes but the last two as a batch.
    """
    return torch.addmm(b2, torch.relu(torch.addmm(b1, x, w1)), w2)


@misconception("feed_forward", "feed-forward-squeezed")
def squeezed(x, w1, b1, w2, b2):
    """You squeeze the result, which drops every axis of size 1.

    A batch of one or a sentence of one word is a real axis; leave out `squeeze()`.
    """
    return feed_forward(x, w1, b1, w2, b2).squeeze()


@misconception("feed_forward", "feed-forward-detached-hidden")
def detached_hidden(x, w1, b1, w2, b2):
    """No gradient reaches x, w1 and b1: your hidden units are cut off (detach, .data or no_grad).

    Leave them attached; the first map learns through them alone.
    """
    return torch.relu(x @ w1 + b1).detach() @ w2 + b2


@misconception("feed_forward", "feed-forward-detached")
def detached(x, w1, b1, w2, b2):
    """No gradient comes back through your result (detach, .data, no_grad or NumPy).

    Nothing could learn; compute with the arguments as they are.
    """
    return feed_forward(x, w1, b1, w2, b2).detach()


@misconception("feed_forward", "feed-forward-float")
def always_float32(x, w1, b1, w2, b2):
    """You convert to float32 on the way.

    The result has the dtype of x; leave out `.float()` and `dtype=torch.float32`.
    """
    return feed_forward(x.float(), w1.float(), b1.float(), w2.float(), b2.float())


@misconception("feed_forward", "feed-forward-device")
def zeros_on_the_default_device(x, w1, b1, w2, b2):
    """You make a tensor (zeros to compare with?) on the default device instead of that of x.

    On a GPU the two cannot be combined; use `torch.relu` or `.clamp(min=0)`, or make the zeros with
    `torch.zeros_like`.
    """
    hidden = x @ w1 + b1
    return torch.maximum(hidden, torch.zeros(hidden.shape, dtype=x.dtype)) @ w2 + b2
