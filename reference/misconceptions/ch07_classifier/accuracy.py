"""Answers read off at the wrong place, and shares of something else."""

import torch

from reference.ch07_classifier import accuracy
from reference.misconceptions import misconception


@misconception("accuracy", "accuracy-half")
def above_half(logits, labels):
    """You compare the logits with 0.5.

    That is the threshold of a probability; a logit says 1 where it is above 0.
    """
    return accuracy(logits - 0.5, labels)


@misconception("accuracy", "accuracy-rounded-logits")
def rounded_logits(logits, labels):
    """You round the logits and take the rounded numbers for the answers.

    A logit of 3 says 1 as well, though it is not 1. The answer is whether it is above 0: `logits > 0`.
    """
    return (logits.round() == labels).double().mean().item()


@misconception("accuracy", "accuracy-tensor")
def as_tensor(logits, labels):
    """You return a tensor.

    `.item()` or `float(...)` turns it into a Python number.
    """
    return ((logits > 0) == labels).double().mean()


@misconception("accuracy", "accuracy-percent")
def percent(logits, labels):
    """You return the accuracy in percent.

    Where all answers are right, the accuracy is 1.0, not 100: leave out the factor 100.
    """
    return 100 * accuracy(logits, labels)


@misconception("accuracy", "accuracy-count")
def count(logits, labels):
    """You return how many are right, not their share.

    Divide by the number of labels.
    """
    return accuracy(logits, labels) * len(labels)


@misconception("accuracy", "accuracy-errors")
def errors(logits, labels):
    """You return the share of the wrong answers.

    Try one logit of 5 with the label 1. That answer is right, so what must your comparison give?

    Right is where `(logits > 0) == labels`.
    """
    return 1 - accuracy(logits, labels)


@misconception("accuracy", "accuracy-positives")
def positives(logits, labels):
    """You count only the examples with label 1 that are recognised, and divide by all.

    A 0 that is called 0 is right as well.
    """
    return ((logits > 0) & labels.bool()).double().mean().item()


@misconception("accuracy", "accuracy-precision")
def precision(logits, labels):
    """You divide by the number of examples that the model calls 1: that is the precision.

    The accuracy is over all examples: right ones of either label, divided by the number of labels.
    """
    answers = logits > 0
    return ((answers & labels.bool()).sum() / answers.sum().clamp(min=1)).item()


@misconception("accuracy", "accuracy-recall")
def recall(logits, labels):
    """You divide by the number of examples with label 1: that is the recall.

    The accuracy is over all examples: right ones of either label, divided by the number of labels.
    """
    truth = labels.bool()
    return (((logits > 0) & truth).sum() / truth.sum().clamp(min=1)).item()


@misconception("accuracy", "accuracy-share-of-ones")
def share_of_ones(logits, labels):
    """You return how often the model says 1, and never look at the labels.

    Compare the answers with the labels first, then take the share of those that agree.
    """
    return (logits > 0).double().mean().item()


@misconception("accuracy", "accuracy-decimals")
def decimals(logits, labels):
    """You round the accuracy.

    Rounding is for printing; return the number as it is.
    """
    return round(accuracy(logits, labels), 2)


@misconception("accuracy", "accuracy-zero-is-one")
def zero_is_one(logits, labels):
    """You take a logit of exactly 0 for a 1.

    Here a 1 needs a logit above 0: `logits > 0`, not `>=`.
    """
    return accuracy(torch.where(logits == 0, 1.0, logits), labels)


@misconception("accuracy", "accuracy-sign")
def sign(logits, labels):
    """You compare signs, and a logit of exactly 0 has none: it counts as wrong, whatever the label.

    What is the sign of 0? The task says on which side such a logit counts: only "above 0" is a 1.

    A logit of 0 stands for label 0 here: `(logits > 0) == labels`.
    """
    return (torch.sign(logits) == 2 * labels - 1).double().mean().item()


@misconception("accuracy", "accuracy-sigmoid-above-zero")
def sigmoid_above_zero(logits, labels):
    """All your answers are 1; perhaps you compare probabilities with 0, which they always exceed.

    A logit above 0, or a probability above 0.5, says 1.
    """
    return labels.double().mean().item()


@misconception("accuracy", "accuracy-always-zero")
def always_zero(logits, labels):
    """All your answers are 0.

    `argmax` over an axis of size 1 is always 0, and a probability is never above 1; a logit above 0 says 1.
    """
    return 1 - labels.double().mean().item()


@misconception("accuracy", "accuracy-bare-logits")
def bare_logits(logits, labels):
    """You compare the logits themselves with the labels.

    A logit is no answer yet: `logits > 0` is.
    """
    return (logits == labels).double().mean().item()


@misconception("accuracy", "accuracy-whole-number")
def whole_number(logits, labels):
    """Your result knows only 1 and 0: it is 0 as soon as one answer is wrong.

    `torch.equal` and `.all()` ask whether everything is right, and `//` rounds down. You want the share that is right.
    """
    return float(accuracy(logits, labels) == 1)


@misconception("accuracy", "accuracy-balanced")
def balanced(logits, labels):
    """You take the share of each label's examples first and then put the two together.

    Every example counts the same: the share of all of them.
    """
    right, ones = (logits > 0) == labels.bool(), labels.bool()
    return sum(right[side].double().mean().item() for side in (ones, ~ones)) / 2


@misconception("accuracy", "accuracy-one-less")
def one_less(logits, labels):
    """You divide by one less than the number of examples.

    A share of B examples is divided by B.
    """
    return accuracy(logits, labels) * len(labels) / max(len(labels) - 1, 1)


@misconception("accuracy", "accuracy-one")
def threshold_of_one(logits, labels):
    """You compare the logits with 1.

    A logit above 0 says 1: σ(0) is one half.
    """
    return ((logits > 1) == labels).double().mean().item()


@misconception("accuracy", "accuracy-mean-probability")
def mean_probability(logits, labels):
    """You return the mean probability of the right label: how sure the model is, not how often it is right.

    Turn each logit into a verdict first, 0 or 1, and count how many agree with the labels.
    """
    chances = torch.sigmoid(logits)
    return torch.where(labels.bool(), chances, 1 - chances).mean().item()


@misconception("accuracy", "accuracy-single-probability")
def single_probability(logits, labels):
    """A logit just above 0 does not count as a 1: your probability, in float32, is rounded to one half.

    Why turn a logit into a probability, if only its side matters? Just above 0 the answer is 1.
    """
    return ((torch.sigmoid(logits.float()) > 0.5) == labels).double().mean().item()


@misconception("accuracy", "accuracy-four-decimals")
def four_decimals(logits, labels):
    """You round the accuracy to four decimals.

    Rounding belongs where a number is printed; return it as it is.
    """
    return round(accuracy(logits, labels), 4)
