"""Losses of labels 0 and 1, continued: terms that are missing, turned round or padded."""

import torch
from torch.nn import functional

from reference.ch07_classifier import binary_cross_entropy
from reference.misconceptions import misconception


@misconception("binary_cross_entropy", "binary-cross-entropy-zeros-only")
def zeros_only(logits, labels):
    """Only the examples with label 0 cost anything in your loss.

    An example with label 1 costs -log σ(z): add y · log σ(z).
    """
    y = labels.to(logits.dtype)
    return -((1 - y) * functional.logsigmoid(-logits)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-all-zeros-too")
def every_example_as_a_zero_too(logits, labels):
    """You count log(1 - σ(z)) for every example, whatever its label: the factor 1 - y is missing.

    It belongs to label 0 alone: (1 - y) · log(1 - σ(z)).
    """
    y = labels.to(logits.dtype)
    return -(y * functional.logsigmoid(logits) + functional.logsigmoid(-logits)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-difference")
def difference_of_the_terms(logits, labels):
    """You subtract the term of label 0 from that of label 1 instead of adding it.

    Both are log-likelihoods: -(y · log σ(z) + (1 - y) · log(1 - σ(z))); mind the brackets behind the minus.
    """
    y = labels.to(logits.dtype)
    return -(y * functional.logsigmoid(logits) - (1 - y) * functional.logsigmoid(-logits)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-absolute")
def absolute_errors(logits, labels):
    """You take the mean distance between probability and label; there is no logarithm.

    Cross-entropy is the mean of -log of the probability that the label got.
    """
    return (torch.sigmoid(logits) - labels.to(logits.dtype)).abs().mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-half")
def half_the_loss(logits, labels):
    """Your loss is half of what it should be, as if the two terms were averaged.

    For each example the two terms are added; the mean is over the B examples.
    """
    return binary_cross_entropy(logits, labels) / 2


@misconception("binary_cross_entropy", "binary-cross-entropy-base-ten")
def base_ten(logits, labels):
    """You use the logarithm to base 10.

    The loss is measured with the natural logarithm, `torch.log` or `logsigmoid`.
    """
    return binary_cross_entropy(logits, labels) / torch.tensor(10.0, dtype=logits.dtype).log()


@misconception("binary_cross_entropy", "binary-cross-entropy-plus-1e-8")
def tiny_number_1e_8(logits, labels):
    """You add a small number (1e-8) inside the logarithm, so being surely wrong costs about 18 and no more.

    Compute from the logits: `logsigmoid` needs no such help.
    """
    y, p = labels.to(logits.dtype), torch.sigmoid(logits)
    return -(y * torch.log(p + 1e-8) + (1 - y) * torch.log(1 - p + 1e-8)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-plus-1e-9")
def tiny_number_1e_9(logits, labels):
    """You add a small number (1e-9) inside the logarithm, so being surely wrong costs about 21 and no more.

    Compute from the logits: `logsigmoid` needs no such help.
    """
    y, p = labels.to(logits.dtype), torch.sigmoid(logits)
    return -(y * torch.log(p + 1e-9) + (1 - y) * torch.log(1 - p + 1e-9)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-plus-1e-12")
def tiny_number_1e_12(logits, labels):
    """You add a small number (1e-12) inside the logarithm, so being surely wrong costs about 28 and no more.

    Compute from the logits: `logsigmoid` needs no such help.
    """
    y, p = labels.to(logits.dtype), torch.sigmoid(logits)
    return -(y * torch.log(p + 1e-12) + (1 - y) * torch.log(1 - p + 1e-12)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-hinge")
def hinge(logits, labels):
    """You take the hinge loss.

    Cross-entropy is the mean of -log of the probability that the label got.
    """
    return (1 - (2 * labels.to(logits.dtype) - 1) * logits).clamp(min=0).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-softmax")
def softmax_over_the_batch(logits, labels):
    """You take a softmax over the batch: the examples compete for one probability.

    Every logit has a probability of its own, σ(z).
    """
    y = labels.to(logits.dtype)
    return -(y * torch.log_softmax(logits, dim=0)).sum() / len(logits)


@misconception("binary_cross_entropy", "binary-cross-entropy-kink")
def kink(logits, labels):
    """Your loss is right, but not its gradient where a logit is exactly 0: there is a kink, as in `relu` or `abs`.

    At 0 the slope is σ(0) - y, half of either side. Look for a function that is smooth there, and that torch has made.
    """
    return (torch.relu(logits) - logits * labels.to(logits.dtype) + torch.log1p(torch.exp(-logits.abs()))).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-kink-of-clamp")
def kink_of_clamp(logits, labels):
    """Your loss is right, but not its gradient where a logit is exactly 0: there is a kink, as in `clamp` or `abs`.

    At 0 the slope is σ(0) - y, half of either side. Look for a function that is smooth there, and that torch has made.
    """
    y = labels.to(logits.dtype)
    return (logits.clamp(min=0) - logits * y + torch.log1p(torch.exp(-logits.abs()))).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-at-most-100")
def at_most_100(logits, labels):
    """Being surely wrong costs 100 at most: you cut the logarithms off there, as torch's loss of probabilities does.

    Where you cut log 0, the gradient is NaN, elsewhere 0: the mistake teaches nothing. Compute from the logits.
    """
    y, p = labels.to(logits.dtype), torch.sigmoid(logits)
    return -(y * torch.log(p).clamp(min=-100) + (1 - y) * torch.log(1 - p).clamp(min=-100)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-single-labels")
def single_labels(logits, labels):
    """You turn the labels into float32, so that a loss in half precision becomes one in float32.

    Which dtype do the logits have? The labels need the same.
    """
    y = labels.float()
    return -(y * torch.nn.functional.logsigmoid(logits) + (1 - y) * torch.nn.functional.logsigmoid(-logits)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-plus-1e-7")
def tiny_number_1e_7(logits, labels):
    """You add a small number (1e-7) inside the logarithm, so being surely wrong costs about 16 and no more.

    Compute from the logits: `logsigmoid` needs no such help.
    """
    y, p = labels.to(logits.dtype), torch.sigmoid(logits)
    return -(y * torch.log(p + 1e-7) + (1 - y) * torch.log(1 - p + 1e-7)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-plus-1e-10")
def tiny_number_1e_10(logits, labels):
    """You add a small number (1e-10) inside the logarithm, so being surely wrong costs about 23 and no more.

    Compute from the logits: `logsigmoid` needs no such help.
    """
    y, p = labels.to(logits.dtype), torch.sigmoid(logits)
    return -(y * torch.log(p + 1e-10) + (1 - y) * torch.log(1 - p + 1e-10)).mean()


@misconception("binary_cross_entropy", "binary-cross-entropy-doubled-logits")
def doubled_logits(logits, labels):
    """Your loss is that of 2 z: the two classes have the logits -z and z, twice as far apart as they should be.

    Only the difference of two logits counts in a softmax, and here it is z. Which logit belongs to the other class?
    """
    return functional.cross_entropy(torch.stack([-logits, logits], dim=1), labels.long())
