"""Perplexities with a wrong mean, base or count."""

import math

import torch
from torch.nn import functional

from reference.misconceptions import misconception


@misconception("perplexity", "perplexity-counts-ignored")
def divided_by_all(logits, labels, ignore_id=-100):
    """You leave the ignored labels out of the sum, but divide by the number of all positions.

    Divide by the number of labels that count, or the perplexity falls with every ignored label.
    """
    loss = functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id, reduction="sum")
    return (loss / labels.numel()).exp()


@misconception("perplexity", "perplexity-no-exponential")
def no_exponential(logits, labels, ignore_id=-100):
    """You return the mean loss itself: the exponential is missing.

    Perplexity is e to the power of the mean cross-entropy: `.exp()`.
    """
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id)


@misconception("perplexity", "perplexity-two-to-nats")
def two_to_the_nats(logits, labels, ignore_id=-100):
    """You raise 2 to a loss that is measured with the natural logarithm.

    Base and logarithm belong together: torch's losses have the base e, so it is `.exp()`.
    """
    return 2 ** functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id)


@misconception("perplexity", "perplexity-e-to-bits")
def e_to_the_bits(logits, labels, ignore_id=-100):
    """You raise e to a loss that is measured in bits.

    Base and logarithm belong together: e with `ln`, 2 with `log2`.
    """
    loss = functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id)
    return (loss / math.log(2)).exp()


@misconception("perplexity", "perplexity-mean-of-rows")
def mean_of_rows(logits, labels, ignore_id=-100):
    """You average each text first and then the texts, so a short text weighs as much as a long one.

    One mean over all labels that count: add up over the whole batch, divide once.
    """
    loss = functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignore_id, reduction="none")
    return (loss.sum(1) / (labels != ignore_id).sum(1)).mean().exp()


@misconception("perplexity", "perplexity-mean-of-perplexities")
def mean_of_perplexities(logits, labels, ignore_id=-100):
    """You average the perplexities of the texts.

    The mean belongs inside the exponential: average the losses of all labels that count, then `.exp()`.
    """
    loss = functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignore_id, reduction="none")
    return (loss.sum(1) / (labels != ignore_id).sum(1)).exp().mean()


@misconception("perplexity", "perplexity-tiny-probabilities")
def tiny_probabilities(logits, labels, ignore_id=-100):
    """You compute with probabilities before you take the logarithm, and a tiny one has become 0.

    A product of many soon becomes 0, too. Stay with logarithms from the start: `log_softmax`, `logsumexp`,
    `cross_entropy`.
    """
    real = labels != ignore_id
    right = logits.softmax(-1).gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return (-right[real].log().mean()).exp()


@misconception("perplexity", "perplexity-mean-of-exponentials")
def mean_of_exponentials(logits, labels, ignore_id=-100):
    """You take the exponential of each token's loss first, and the mean afterwards.

    One token with a tiny probability would drown all others. First the mean of the losses, then `.exp()`.
    """
    loss = functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignore_id, reduction="none")
    return loss[labels != ignore_id].exp().mean()


@misconception("perplexity", "perplexity-mean-probability")
def mean_probability(logits, labels, ignore_id=-100):
    """You average the probabilities of the right tokens and return the reciprocal of that mean.

    Average the logarithms instead: exp of the mean of -ln p.
    """
    loss = functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignore_id, reduction="none")
    return 1 / (-loss[labels != ignore_id]).exp().mean()


@misconception("perplexity", "perplexity-no-minus")
def no_minus(logits, labels, ignore_id=-100):
    """The sign of the exponent is wrong: you return 1 / perplexity, a number below 1.

    The exponent is the mean of -ln p, which is positive; `functional.cross_entropy` has that minus inside.
    """
    return (-functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id)).exp()


@misconception("perplexity", "perplexity-sum")
def summed(logits, labels, ignore_id=-100):
    """You raise e to the sum of the losses, not to their mean, so the perplexity grows with the length of the text.

    Divide by the number of labels that count before you take the exponential.
    """
    loss = functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id, reduction="sum")
    return loss.exp()


@misconception("perplexity", "perplexity-softmax-twice")
def softmax_twice(logits, labels, ignore_id=-100):
    """You apply a softmax before `functional.cross_entropy`, which applies one itself.

    Hand it the logits as they are.
    """
    return functional.cross_entropy(logits.flatten(0, 1).softmax(-1), labels.flatten(), ignore_index=ignore_id).exp()


@misconception("perplexity", "perplexity-shifts-again")
def shifts_again(logits, labels, ignore_id=-100):
    """You shift the labels, which are shifted already.

    The logits at position t are about the label at position t: `next_token_pairs` has seen to that.
    """
    logits, labels = logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()
    return functional.cross_entropy(logits, labels, ignore_index=ignore_id).exp()


@misconception("perplexity", "perplexity-ignore-id-fixed")
def always_minus_100(logits, labels, ignore_id=-100):
    """You ignore -100 whatever `ignore_id` says.

    Pass it on: `ignore_index=ignore_id`.
    """
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten()).exp()


@misconception("perplexity", "perplexity-no-exponential", "perplexity-ignore-id-fixed")
def no_exponential_and_always_minus_100(logits, labels, ignore_id=-100):
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten())


@misconception("perplexity", "perplexity-ignored-as-zero")
def ignored_as_zero(logits, labels, ignore_id=-100):
    """You turn ignored labels into token 0 and count them.

    A label that is replaced so that it can be looked up must still be left out of sum and count.
    """
    labels = labels.masked_fill(labels == ignore_id, 0)
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten()).exp()


@misconception("perplexity", "perplexity-label-zero")
def label_zero(logits, labels, ignore_id=-100):
    """You leave out label 0 as well, as if it were padding.

    0 is a token like any other unless `ignore_id` says so: what counts is `labels != ignore_id` and nothing else.
    """
    labels = labels.masked_fill(labels == 0, ignore_id)
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id).exp()


@misconception("perplexity", "perplexity-item")
def a_number(logits, labels, ignore_id=-100):
    """You return a Python number, which has no gradient.

    Leave it a tensor without axes: no `.item()`, no `float(...)`.
    """
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id).exp().item()


@misconception("perplexity", "perplexity-unstable")
def unstable(logits, labels, ignore_id=-100):
    """You take the exponential of the logits as they are, which overflows for large ones.

    `log_softmax` and `logsumexp` subtract the largest first; so does `functional.cross_entropy`.
    """
    real = labels != ignore_id
    right = logits.gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return ((logits.exp().sum(-1).log() - right) * real).sum().div(real.sum()).exp()


@misconception("perplexity", "perplexity-epsilon")
def epsilon(logits, labels, ignore_id=-100):
    """You add 1e-12 to the probabilities inside the logarithm, so no token can be very surprising.

    It hides a probability that has become 0. `log_softmax` and `functional.cross_entropy` need no such help.
    """
    real = labels != ignore_id
    right = logits.softmax(-1).gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return (-(right[real] + 1e-12).log().mean()).exp()


@misconception("perplexity", "perplexity-global-max")
def global_max(logits, labels, ignore_id=-100):
    """You subtract the largest logit of all, so where logits lie far below it every exponential is 0.

    Each position has a softmax of its own, and its own largest logit: `amax(-1, keepdim=True)`, or `logsumexp`.
    """
    real, shifted = labels != ignore_id, logits - logits.max()
    right = shifted.gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return (shifted.exp().sum(-1).log() - right)[real].mean().exp()


@misconception("perplexity", "perplexity-nonzero-losses")
def counts_nonzero_losses(logits, labels, ignore_id=-100):
    """You divide by the number of losses that are not 0, but a token the model is sure of counts too, with a loss of 0.

    Count labels, not losses: `(labels != ignore_id).sum()`.
    """
    losses = functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id, reduction="none")
    return torch.exp(losses.sum() / (losses != 0).sum())


@misconception("perplexity", "perplexity-detached")
def detached(logits, labels, ignore_id=-100):
    """You cut the answer off from the logits (detach, .data or no_grad), so no gradient gets through.

    Compute with the logits as they are.
    """
    return functional.cross_entropy(logits.detach().flatten(0, 1), labels.flatten(), ignore_index=ignore_id).exp()


@misconception("perplexity", "perplexity-float64")
def always_float64(logits, labels, ignore_id=-100):
    """You return float64, whatever the logits are.

    Computing in float64 is fine, but the answer has the dtype of the logits.
    """
    loss = functional.cross_entropy(logits.double().flatten(0, 1), labels.flatten(), ignore_index=ignore_id)
    return torch.exp(loss)
