"""Perplexities of the wrong form, over the wrong axis or with other labels."""

import math

import torch
from torch.nn import functional

from reference.misconceptions import misconception


@misconception("perplexity", "perplexity-not-transposed")
def not_transposed(logits, labels, ignore_id=-100):
    """You hand (B, T, V) to `functional.cross_entropy`, which takes the second axis for the tokens.

    Flatten to (B·T, V) and (B·T,), or give it `logits.transpose(1, 2)`.
    """
    return functional.cross_entropy(logits, labels, ignore_index=ignore_id).exp()


@misconception("perplexity", "perplexity-scrambled")
def scrambled(logits, labels, ignore_id=-100):
    """You reshape the logits to (B, V, T), which mixes tokens and positions.

    A `reshape` swaps no axes: use `logits.transpose(1, 2)`, or flatten to (B·T, V).
    """
    batch, length, words = logits.shape
    return functional.cross_entropy(logits.reshape(batch, words, length), labels, ignore_index=ignore_id).exp()


@misconception("perplexity", "perplexity-new-tensor")
def new_tensor(logits, labels, ignore_id=-100):
    """Your result is float32 and has no gradient, as a new tensor of a Python number is.

    Stay with tensors of the logits' dtype to the end: what is detached from them knows nothing of the logits.

    Stay with tensors: `functional.cross_entropy(...).exp()`, without `.item()`, `.detach()` or `math.exp`.
    """
    return torch.tensor(
        math.exp(functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id).item()),
        dtype=torch.float32,
    )


@misconception("perplexity", "perplexity-no-softmax")
def no_softmax(logits, labels, ignore_id=-100):
    """You take the logits for log-probabilities: there is no softmax in your loss.

    `functional.nll_loss` wants `log_softmax` of the logits; `functional.cross_entropy` does both.
    """
    return functional.nll_loss(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id).exp()


@misconception("perplexity", "perplexity-over-positions")
def over_positions(logits, labels, ignore_id=-100):
    """Your softmax runs over the positions, not over the tokens.

    The tokens are the last axis: `log_softmax(dim=-1)`.
    """
    return functional.nll_loss(logits.log_softmax(1).flatten(0, 1), labels.flatten(), ignore_index=ignore_id).exp()


@misconception("perplexity", "perplexity-each-text")
def each_text(logits, labels, ignore_id=-100):
    """You return a perplexity for each text, (B,).

    One mean over all labels of the batch: a tensor without axes.
    """
    loss = functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignore_id, reduction="none")
    return (loss.sum(1) / (labels != ignore_id).sum(1)).exp()


@misconception("perplexity", "perplexity-each-position")
def each_position(logits, labels, ignore_id=-100):
    """You return a number for each position, (B, T).

    The mean of the losses comes before the exponential: a tensor without axes.
    """
    return functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignore_id, reduction="none").exp()


@misconception("perplexity", "perplexity-divided-by-batch")
def divided_by_batch(logits, labels, ignore_id=-100):
    """You divide the sum of the losses by the number of texts.

    Divide by the number of labels that count, over the whole batch.
    """
    loss = functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id, reduction="sum")
    return (loss / len(labels)).exp()


@misconception("perplexity", "perplexity-entropy")
def entropy(logits, labels, ignore_id=-100):
    """You take the entropy of the predictions; the labels do not count.

    What matters is the probability of the right token: exp of the mean of -ln p[label].
    """
    entropy = -(logits.softmax(-1) * logits.log_softmax(-1)).sum(-1)
    return entropy[labels != ignore_id].mean().exp()


@misconception("perplexity", "perplexity-last-left-out")
def last_left_out(logits, labels, ignore_id=-100):
    """You leave out the last position.

    Logits and labels belong together position by position, the last one too.
    """
    return functional.cross_entropy(
        logits[:, :-1].flatten(0, 1), labels[:, :-1].flatten(), ignore_index=ignore_id
    ).exp()


@misconception("perplexity", "perplexity-positive-labels")
def positive_labels(logits, labels, ignore_id=-100):
    """Only labels above `ignore_id` count in your answer.

    Labels below `ignore_id` are tokens too where it is one of the V ids: what counts is `labels != ignore_id`.
    """
    labels = labels.masked_fill(labels < ignore_id, ignore_id)
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_id).exp()


@misconception("perplexity", "perplexity-epsilon-9")
def epsilon_9(logits, labels, ignore_id=-100):
    """You add 1e-9 to the probabilities inside the logarithm, so no token can be very surprising.

    It hides a probability that has become 0. `log_softmax` and `functional.cross_entropy` need no such help.
    """
    real = labels != ignore_id
    right = logits.softmax(-1).gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return (-(right[real] + 1e-9).log().mean()).exp()


@misconception("perplexity", "perplexity-epsilon-10")
def epsilon_10(logits, labels, ignore_id=-100):
    """You add 1e-10 to the probabilities inside the logarithm, so no token can be very surprising.

    It hides a probability that has become 0. `log_softmax` and `functional.cross_entropy` need no such help.
    """
    real = labels != ignore_id
    right = logits.softmax(-1).gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return (-(right[real] + 1e-10).log().mean()).exp()


@misconception("perplexity", "perplexity-epsilon-8")
def epsilon_8(logits, labels, ignore_id=-100):
    """You add 1e-8 to the probabilities inside the logarithm, so no token can be very surprising.

    It hides a probability that has become 0. `log_softmax` and `functional.cross_entropy` need no such help.
    """
    real = labels != ignore_id
    right = logits.softmax(-1).gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return (-(right[real] + 1e-8).log().mean()).exp()


@misconception("perplexity", "perplexity-single-mask")
def single_mask(logits, labels, ignore_id=-100):
    """You multiply by something in float32, perhaps the mask of labels that count: half precision becomes float32.

    Which dtype do the logits have? What they are multiplied by needs the same.
    """
    real = labels != ignore_id
    right = logits.log_softmax(-1).gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return (-(right * real.float()).sum() / real.float().sum()).exp()


@misconception("perplexity", "perplexity-product")
def product(logits, labels, ignore_id=-100):
    """You take a root of the product of all probabilities: an exponent in float32 costs digits, and for a long text
    the product is 0.

    Add up logarithms in its place. Besides, -1 divided by a tensor of integers is float32, too coarse for the root.
    """
    real = labels != ignore_id
    right = logits.softmax(-1).gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return right.masked_fill(~real, 1.0).prod() ** (-1 / real.sum())


@misconception("perplexity", "perplexity-clamped")
def clamped(logits, labels, ignore_id=-100):
    """You keep the probabilities at 1e-7 or more, so no token costs more than about 16, or gets a gradient below that.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    real = labels != ignore_id
    right = logits.softmax(-1).clamp(min=1e-7).gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return (-right[real].log().mean()).exp()
