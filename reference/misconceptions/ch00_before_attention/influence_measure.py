"""What goes wrong in `influence`, continued: how the gradient is measured, and what comes back."""

import torch

from reference.ch00_before_attention import influence, rnn
from reference.misconceptions import misconception


@misconception("influence", "influence-summed")
def influence_summed(x, h, w_x, w_h, b):
    """You add up the numbers of each gradient; positive and negative ones cancel.

    A gradient of (3, -3) has a sum of 0, yet the word matters. Which measure of a vector cannot cancel?

    Take the length of each row: `gradient.norm(dim=-1)`.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].sum(), words)
    return gradient.sum(dim=-1)


@misconception("influence", "influence-mean")
def influence_mean(x, h, w_x, w_h, b):
    """You take the mean of each gradient's numbers; positive and negative ones cancel.

    A gradient of (3, -3) has a mean of 0, but its length is not 0. Compute that length by hand.

    Take the length of each row: `gradient.norm(dim=-1)`.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].sum(), words)
    return gradient.mean(dim=-1)


@misconception("influence", "influence-absolute-sum")
def influence_absolute_sum(x, h, w_x, w_h, b):
    """You add up absolute values; the length is the root of the sum of squares.

    For a gradient of (3, 4) you get 7. How long is that arrow by Pythagoras?

    The Euclidean length of each row is `gradient.norm(dim=-1)`.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].sum(), words)
    return gradient.abs().sum(dim=-1)


@misconception("influence", "influence-absolute-mean")
def influence_absolute_mean(x, h, w_x, w_h, b):
    """You average absolute values; the length is the root of the sum of squares.

    For a gradient of (3, 4) you get 3.5. What does Pythagoras say?

    The Euclidean length of each row is `gradient.norm(dim=-1)`.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].sum(), words)
    return gradient.abs().mean(dim=-1)


@misconception("influence", "influence-largest")
def influence_largest(x, h, w_x, w_h, b):
    """You take the largest absolute number of each gradient, not its length.

    For (3, 4) you get 4, and the 3 does not count at all. How long is that arrow by Pythagoras?

    Take the root of the sum of squares: `gradient.norm(dim=-1)`.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].sum(), words)
    return gradient.abs().amax(dim=-1)


@misconception("influence", "influence-squared")
def influence_squared(x, h, w_x, w_h, b):
    """You return squared lengths: the root is missing.

    For a gradient of (3, 4) you return 25. What is its length, and what turns 25 into it?

    Take the root of each sum of squares, or `gradient.norm(dim=-1)`.
    """
    return influence(x, h, w_x, w_h, b).square()


@misconception("influence", "influence-root-mean-square")
def influence_root_mean_square(x, h, w_x, w_h, b):
    """You take the root of the *mean* of squares, which is too small by √i.

    The length of (3, 4) is 5. Where do you divide, and does Pythagoras?

    A length is the root of the *sum* of squares: `gradient.norm(dim=-1)`.
    """
    return influence(x, h, w_x, w_h, b) / x.shape[-1] ** 0.5


@misconception("influence", "influence-wrong-axis")
def influence_wrong_axis(x, h, w_x, w_h, b):
    """Your lengths run over the words, so there is one per column of x instead of one per word.

    The gradient is (T, i), and the answer (T,). Which of the two axes must disappear?

    Measure each row, over a word's own numbers: `gradient.norm(dim=-1)`.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].sum(), words)
    return gradient.norm(dim=0)


@misconception("influence", "influence-one-length")
def influence_one_length(x, h, w_x, w_h, b):
    """You take one length of the whole gradient.

    Each word has its own: say `dim=-1`.
    """
    return influence(x, h, w_x, w_h, b).norm()


@misconception("influence", "influence-gradient")
def influence_gradient(x, h, w_x, w_h, b):
    """You return the gradient itself, (T, i).

    The task wants the shape (T,). What single number says how long a word's row of i numbers is?

    Measure each row: `gradient.norm(dim=-1)`.
    """
    words = x.detach().clone().requires_grad_()
    return torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].sum(), words)[0]


@misconception("influence", "influence-tuple")
def influence_tuple(x, h, w_x, w_h, b):
    """You return the tuple that `torch.autograd.grad` gives, not what is in it.

    It has one gradient per tensor: take `[0]`, or unpack it, `(gradient,) = ...`, then measure the rows.
    """
    words = x.detach().clone().requires_grad_()
    return torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].sum(), words)


@misconception("influence", "influence-batch-axis")
def influence_batch_axis(x, h, w_x, w_h, b):
    """You return the axis of the batch too: (1, T).

    `[None]` was for `rnn` only; return (T,).
    """
    return influence(x, h, w_x, w_h, b)[None]


@misconception("influence", "influence-column")
def influence_column(x, h, w_x, w_h, b):
    """You return a column, (T, 1).

    Leave out `keepdim=True`: the answer has one axis.
    """
    return influence(x, h, w_x, w_h, b)[:, None]


@misconception("influence", "influence-list")
def influence_list(x, h, w_x, w_h, b):
    """You return a list, not a tensor.

    Return a tensor of shape (T,); `torch.stack` makes one of a list of tensors.
    """
    return list(influence(x, h, w_x, w_h, b))


@misconception("influence", "influence-numpy")
def influence_numpy(x, h, w_x, w_h, b):
    """You return Python or NumPy numbers, not a tensor.

    Leave out `.tolist()`, `.item()` and `.numpy()`.
    """
    return influence(x, h, w_x, w_h, b).tolist()


@misconception("influence", "influence-reversed")
def influence_reversed(x, h, w_x, w_h, b):
    """Your influences come back in reverse: the last word's comes first.

    Entry t belongs to word t.
    """
    return influence(x, h, w_x, w_h, b).flip(0)


@misconception("influence", "influence-normalised")
def influence_normalised(x, h, w_x, w_h, b):
    """You divide the influences by their sum.

    Return the lengths as they are: how small they are is what the chapter is about.
    """
    lengths = influence(x, h, w_x, w_h, b)
    return lengths / lengths.sum()


@misconception("influence", "influence-relative")
def influence_relative(x, h, w_x, w_h, b):
    """You divide the influences by that of the last word.

    Return the lengths as they are.
    """
    lengths = influence(x, h, w_x, w_h, b)
    return lengths / lengths[-1]


@misconception("influence", "influence-logarithm")
def influence_logarithm(x, h, w_x, w_h, b):
    """You return logarithms.

    Return the lengths as they are; the logarithm is for the picture.
    """
    return influence(x, h, w_x, w_h, b).log10()


@misconception("influence", "influence-times-word")
def influence_times_word(x, h, w_x, w_h, b):
    """You multiply the gradient by the word's vector before you measure it.

    The influence is the length of the gradient alone, whatever the word is.
    """
    words = x.detach().clone().requires_grad_()
    (gradient,) = torch.autograd.grad(rnn(words[None], h[None], w_x, w_h, b)[0, -1].sum(), words)
    return (gradient * x).norm(dim=-1)


@misconception("influence", "influence-lengths-of-states")
def influence_lengths_of_states(x, h, w_x, w_h, b):
    """You return the lengths of the states; nothing is differentiated.

    Influence is a derivative: `torch.autograd.grad` of the last state's sum with respect to the words.
    """
    return rnn(x[None], h[None], w_x, w_h, b)[0].norm(dim=-1)


@misconception("influence", "influence-in-place")
def influence_in_place(x, h, w_x, w_h, b):
    """You change a tensor that you were given.

    Work on copies: `x.clone()` is yours.
    """
    lengths = influence(x, h, w_x, w_h, b)
    x.zero_()
    return lengths


@misconception("influence", "influence-default-dtype")
def influence_default_dtype(x, h, w_x, w_h, b):
    """Your influences are float32, whatever dtype the arguments have.

    Leave out `.float()` and `torch.tensor(...)`; a copy of x has its dtype and its device.
    """
    return influence(x, h, w_x, w_h, b).to("cpu", torch.float32)


@misconception("influence", "influence-floored")
def influence_floored(x, h, w_x, w_h, b):
    """A small number under your root keeps every influence above a floor, so tiny ones come out far too large.

    Early words have influences of 1e-9 and less. What do you return for them, and for one of exactly 0?
    """
    words = x.detach().clone().requires_grad_()
    states = rnn(words[None], h[None], w_x, w_h, b)
    (gradient,) = torch.autograd.grad(states[0, -1].sum(), words)
    return (gradient.square().sum(dim=-1) + 1e-14).sqrt()


@misconception("influence", "influence-floored-higher")
def influence_floored_higher(x, h, w_x, w_h, b):
    """A small number under your root keeps every influence above a floor, so tiny ones come out far too large.

    Early words have influences of 1e-9 and less. What do you return for them, and for one of exactly 0?
    """
    words = x.detach().clone().requires_grad_()
    states = rnn(words[None], h[None], w_x, w_h, b)
    (gradient,) = torch.autograd.grad(states[0, -1].sum(), words)
    return (gradient.square().sum(dim=-1) + 1e-8).sqrt()


@misconception("influence", "influence-nudged")
def influence_nudged(x, h, w_x, w_h, b):
    """You nudge each number by 1e-3 to both sides and divide differences, which gives a few right digits only.

    A smaller step loses other digits to rounding, and in float32 nearly all of them. Ask `torch.autograd.grad` for the
    derivative itself.
    """
    steps = 1e-3 * torch.eye(x.numel(), dtype=x.dtype, device=x.device).view(-1, *x.shape)  # (T i, T, i)
    starts = h.expand(len(steps), -1)
    above, below = (rnn(words, starts, w_x, w_h, b)[:, -1].sum(dim=-1) for words in (x + steps, x - steps))
    return ((above - below) / 2e-3).view_as(x).norm(dim=-1)
