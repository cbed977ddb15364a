"""Losses that count the wrong label, or break where the model is sure."""

import torch
from torch.nn import functional

from reference.ch07_classifier import binary_cross_entropy
from reference.misconceptions import misconception


@misconception("binary_cross_entropy", "binary-cross-entropy-sum")
def summed(logits, labels):
    """You add up the losses of the examples without dividing by their number.

    Return the mean: batches of different sizes are then comparable.
    """
    return binary_cross_entropy(logits, labels) * len(logits)


@misconception("binary_cross_entropy", "binary-cross-entropy-each")
def each(logits, labels):
    """You return a loss for each example.

    `backward()` starts at one number: take the mean.
    """
    y = labels.to(logits.dtype)
    return functional.softplus(logits) - logits * y


@misconception("binary_cross_entropy", "binary-cross-entropy-sign")
def sign(logits, labels):
    """Your loss has the wrong sign: it is the log-likelihood, which training would make smaller.

    A loss is what should become small: the negative mean of log p.
    """
    return -binary_cross_entropy(logits, labels)


@misconception("binary_cross_entropy", "binary-cross-entropy-swapped")
def swapped(logits, labels):
    """You have the labels the wrong way round: a logit above 0 speaks for label 0 in your loss.

    log σ(z) goes with y, and log σ(-z) with 1 - y.
    """
    return binary_cross_entropy(-logits, labels)


@misconception("binary_cross_entropy", "binary-cross-entropy-sigmoid-twice")
def sigmoid_twice(logits, labels):
    """You take the sigmoid twice: once yourself, and once more in a loss that wants logits.

    `logsigmoid` and `softplus` start from the logits as they are.
    """
    return binary_cross_entropy(torch.sigmoid(logits), labels)


@misconception("binary_cross_entropy", "binary-cross-entropy-no-sigmoid")
def no_sigmoid(logits, labels):
    """You take the logits for probabilities: the sigmoid is missing.

    A logit may be any number, and its logarithm may not exist. log p is `functional.logsigmoid(logits)`.
    """
    y = labels.to(logits.dtype)
    return -(y * torch.log(logits) + (1 - y) * torch.log(1 - logits)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-ones-only")
def ones_only(logits, labels):
    """Only the examples with label 1 cost anything in your loss.

    The second half is missing, (1 - y) log σ(-z); without it, saying 1 to everything is best.
    """
    return -(labels.to(logits.dtype) * functional.logsigmoid(logits)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-signs-for-labels")
def signs_for_labels(logits, labels):
    """Your formula log(1 + exp(-y z)) is the one for labels -1 and 1; with label 0 it always costs log 2.

    Here labels are 0 and 1: put 2 y - 1 in the place of y.
    """
    return functional.softplus(-labels.to(logits.dtype) * logits).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-squares")
def squares(logits, labels):
    """You take the mean squared error of the probabilities.

    That punishes a wrong answer by 1 at most; the cross-entropy by its surprise, -log p of the true label.
    """
    return (torch.sigmoid(logits) - labels.to(logits.dtype)).square().mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-balanced")
def balanced(logits, labels):
    """You take the mean of each label's examples first and then put the two together.

    Every example counts the same: one sum over all of them, divided once.
    """
    losses = functional.softplus(logits) - logits * labels.to(logits.dtype)
    groups = [losses[labels == label].mean() for label in (0, 1) if bool((labels == label).any())]
    return torch.stack(groups).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-base-two")
def base_two(logits, labels):
    """You use the logarithm to base 2.

    The loss is in natural logarithms here, as in PyTorch: `torch.log`, not `torch.log2`.
    """
    return binary_cross_entropy(logits, labels) / torch.full_like(logits[0], 2).log()


@misconception("binary_cross_entropy", "binary-cross-entropy-bool-labels")
def bool_labels(logits, labels):
    """You compute 1 - labels in the dtype of the labels, which booleans refuse.

    Labels may have any dtype. In which one should you do the arithmetic?

    Convert them first: `y = labels.to(logits.dtype)`.
    """
    return -(labels * functional.logsigmoid(logits) + (1 - labels) * functional.logsigmoid(-logits)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-float-labels")
def float_labels(logits, labels):
    """You expect labels that are floating-point numbers already.

    Data sets have integers or booleans, and the task allows any dtype. What must happen to the labels first?

    Convert them with `labels.to(logits.dtype)`.
    """
    return functional.softplus(logits).mean() - torch.dot(logits, labels) / len(logits)


@misconception("binary_cross_entropy", "binary-cross-entropy-wrapped")
def wrapped(logits, labels):
    """You compute 2 * labels - 1 in the dtype of the labels, where an unsigned integer has no -1 and becomes 255.

    Work out 2 * 0 - 1 where no number is below 0. Which dtype should the labels have before you compute with them?

    Convert them first: `y = labels.to(logits.dtype)`.
    """
    return functional.softplus(-(2 * labels - 1) * logits).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-double")
def double(logits, labels):
    """Your loss is float64, whatever the logits are.

    Print the dtype of each part. The loss must have that of the logits; which part brings in another one?

    The labels take the dtype of the logits, `labels.to(logits.dtype)`, not the other way round.
    """
    return binary_cross_entropy(logits.double(), labels)


@misconception("binary_cross_entropy", "binary-cross-entropy-log-of-sigmoid")
def log_of_sigmoid(logits, labels):
    """You take the logarithm of a sigmoid: where the model is very sure, that is log 0 or 0 times log 0.

    The loss becomes infinite or NaN. `functional.logsigmoid` never forms the tiny probability.
    """
    y, p = labels.to(logits.dtype), torch.sigmoid(logits)
    return -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-clamped")
def clamped(logits, labels):
    """You keep the probabilities away from 0 and 1 (by 1e-7), so being surely wrong costs about 16 and no more.

    Where you clamp, the gradient is zero, and the model learns nothing from its mistake. `functional.logsigmoid` needs
    no clamp.
    """
    y, p = labels.to(logits.dtype), torch.sigmoid(logits).clamp(1e-7, 1 - 1e-7)
    return -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-overflow")
def overflow(logits, labels):
    """You compute exp(z) of a large logit, which is infinite from 710 on (in float32 from 89).

    log(1 + exp(z)) is `functional.softplus(z)`, which is z itself where z is large.
    """
    return (torch.log(1 + torch.exp(logits)) - logits * labels.to(logits.dtype)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-number")
def number(logits, labels):
    """You return a Python number, from which no gradient comes back.

    The training step calls `backward()` on the loss: return the tensor, without `.item()` or `float()`.
    """
    return binary_cross_entropy(logits, labels).item()


@misconception("binary_cross_entropy", "binary-cross-entropy-detached")
def detached(logits, labels):
    """Your loss is cut off from the logits: no gradient comes back (detach, .data, no_grad or a tensor made anew).

    Compute with the given tensor itself, with torch's operations throughout.
    """
    return binary_cross_entropy(logits.detach(), labels)


@misconception("binary_cross_entropy", "binary-cross-entropy-log-of-sigmoid", "binary-cross-entropy-bool-labels")
def log_of_sigmoid_of_bool_labels(logits, labels):
    p = torch.sigmoid(logits)
    return -(labels * torch.log(p) + (1 - labels) * torch.log(1 - p)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-clamped", "binary-cross-entropy-bool-labels")
def clamped_with_bool_labels(logits, labels):
    p = torch.sigmoid(logits).clamp(1e-7, 1 - 1e-7)
    return -(labels * torch.log(p) + (1 - labels) * torch.log(1 - p)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-balanced-nan")
def balanced_without_one(logits, labels):
    """You take the mean of each label's examples and then that of the two, which is NaN where a label does not occur.

    Every example counts the same: one sum over all of them, divided once.
    """
    losses = functional.softplus(logits) - logits * labels.to(logits.dtype)
    return (losses[labels == 1].mean() + losses[labels == 0].mean()) / 2


@misconception("binary_cross_entropy", "binary-cross-entropy-nan-gradient")
def nan_gradient(logits, labels):
    """Your loss is right, but its gradient at a very large logit is NaN: something overflows on the way.

    If you choose between two formulas with `torch.where`, the one that is not chosen overflows all the same, and its
    gradient is 0 times infinity.
    """
    signed = torch.where(labels.bool(), -logits, logits)
    return torch.where(signed > 0, signed + (1 + (-signed).exp()).log(), (1 + signed.exp()).log()).mean()
