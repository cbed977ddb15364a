"""What goes wrong in `masked_lm_loss`."""

import torch
from torch.nn import functional

from reference.ch10_bert import masked_lm_loss
from reference.misconceptions import misconception


@misconception("masked_lm_loss", "masked-lm-divided-by-all")
def divided_by_all(logits, labels):
    """You add up the losses of the labelled positions, but divide by the number of all positions.

    Divide by the number of labels, or the loss depends on how much text stands around them.
    """
    return masked_lm_loss(logits, labels) * (labels != -100).sum() / labels.numel()


@misconception("masked_lm_loss", "masked-lm-sum")
def summed(logits, labels):
    """You add up the losses of the labelled positions without dividing by their number.

    Return the mean over the labels: batches with more and with fewer of them are then comparable.
    """
    return masked_lm_loss(logits, labels) * (labels != -100).sum()


@misconception("masked_lm_loss", "masked-lm-asks-for-zero")
def asks_for_zero(logits, labels):
    """Where there is no label your loss asks for word 0, as if -100 were a word.

    Those positions do not count at all, neither in the sum nor in the number it is divided by.
    """
    return functional.cross_entropy(logits.flatten(0, 1), labels.clamp(min=0).flatten())


@misconception("masked_lm_loss", "masked-lm-ignores-zero")
def ignores_zero(logits, labels):
    """You leave out labels of 0, which is a word like any other.

    Only -100 means that there is no label: `labels != -100`, or `labels >= 0`, and not `labels > 0`.
    """
    return masked_lm_loss(logits, labels.masked_fill(labels == 0, -100))


@misconception("masked_lm_loss", "masked-lm-ignore-index-zero")
def ignore_index_zero(logits, labels):
    """You tell the cross-entropy to skip 0, and then -100 is a label like any other, and out of range.

    Use `ignore_index=-100`, which is also the default.
    """
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=0)


@misconception("masked_lm_loss", "masked-lm-per-text")
def per_text(logits, labels):
    """You take the mean of each text first, and then the mean of the texts.

    Words of texts with few labels weigh more then. Add up all labelled positions of the batch, and divide once.
    """
    texts = zip(logits.split(1), labels.split(1), strict=True)
    return torch.stack([masked_lm_loss(*one) for one in texts]).mean()


@misconception("masked_lm_loss", "masked-lm-shifted")
def shifted(logits, labels):
    """You shift: logits at position t are compared with the label at t + 1.

    That is for a model that reads from left to right. Here logits and label of the same position belong together.
    """
    return masked_lm_loss(logits[:, :-1], labels[:, 1:])


@misconception("masked_lm_loss", "masked-lm-softmax-twice")
def softmax_twice(logits, labels):
    """You take the softmax of the logits and hand the result to a cross-entropy, which takes it once more.

    `functional.cross_entropy` wants the logits as they are.
    """
    return masked_lm_loss(logits.softmax(dim=-1), labels)


@misconception("masked_lm_loss", "masked-lm-no-softmax")
def no_softmax(logits, labels):
    """You take the logits for log-probabilities: there is no softmax in your loss.

    `functional.nll_loss` wants `log_softmax` of the logits; `functional.cross_entropy` does both.
    """
    return functional.nll_loss(logits.flatten(0, 1), labels.flatten())


@misconception("masked_lm_loss", "masked-lm-scrambled")
def scrambled(logits, labels):
    """You reshape the logits to (B, V, T), which mixes words and positions.

    The order of the numbers must follow: `logits.transpose(1, 2)`, or flatten to (B·T, V) and leave V last.
    """
    batch, length, words = logits.shape
    return functional.cross_entropy(logits.reshape(batch, words, length), labels)


@misconception("masked_lm_loss", "masked-lm-silenced-logits")
def silenced(logits, labels):
    """You set the logits of unlabelled positions to 0 but still count these positions, each with a loss of log V.

    Leave those positions out, of the sum and of the number it is divided by.
    """
    quiet = logits.masked_fill((labels == -100)[..., None], 0.0)
    return functional.cross_entropy(quiet.flatten(0, 1), labels.clamp(min=0).flatten())


@misconception("masked_lm_loss", "masked-lm-per-position")
def per_position(logits, labels):
    """You return a loss for each position.

    Return the mean over the labelled positions, a tensor without axes.
    """
    return functional.cross_entropy(logits.transpose(1, 2), labels, reduction="none")


@misconception("masked_lm_loss", "masked-lm-perplexity")
def perplexity(logits, labels):
    """You return the perplexity, the exponential of the loss.

    Return the loss itself; leave out `exp`.
    """
    return masked_lm_loss(logits, labels).exp()


@misconception("masked_lm_loss", "masked-lm-log-of-softmax")
def log_of_softmax(logits, labels):
    """You take the logarithm of a softmax: where the right word is very unlikely, that is log 0.

    `log_softmax` and `functional.cross_entropy` never form the tiny probability and stay finite.
    """
    return functional.nll_loss(logits.softmax(dim=-1).log().flatten(0, 1), labels.flatten())


@misconception("masked_lm_loss", "masked-lm-number")
def number(logits, labels):
    """You return a Python number, from which no gradient comes back.

    The training step calls `backward()` on the loss: return the tensor, without `.item()` or `float()`.
    """
    return masked_lm_loss(logits, labels).item()


@misconception("masked_lm_loss", "masked-lm-detached")
def detached(logits, labels):
    """Your loss is cut off from the logits: no gradient comes back (detach, .data, no_grad or a newly created tensor).

    Compute with the given tensor itself, by torch's operations throughout.
    """
    return masked_lm_loss(logits.detach(), labels)


@misconception("masked_lm_loss", "masked-lm-not-transposed")
def not_transposed(logits, labels):
    """You hand (B, T, V) to `functional.cross_entropy`, which takes the second axis for the words.

    Flatten to (B·T, V) and (B·T,), or give it `logits.transpose(1, 2)`.
    """
    return functional.cross_entropy(logits, labels)


@misconception("masked_lm_loss", "masked-lm-over-positions")
def over_positions(logits, labels):
    """Your softmax runs over the positions, not over the words.

    The words are the last axis: `log_softmax(dim=-1)`.
    """
    return functional.nll_loss(logits.log_softmax(1).flatten(0, 1), labels.flatten())


@misconception("masked_lm_loss", "masked-lm-divided-by-batch")
def divided_by_batch(logits, labels):
    """You divide the sum by the number of texts.

    Divide by the number of labels in the whole batch.
    """
    return masked_lm_loss(logits, labels) * (labels != -100).sum() / len(labels)


@misconception("masked_lm_loss", "masked-lm-each-text")
def each_text(logits, labels):
    """You return a loss for each text, (B,).

    One mean over all labels of the batch: a tensor without axes.
    """
    return torch.stack([masked_lm_loss(*one) for one in zip(logits.split(1), labels.split(1), strict=True)])


@misconception("masked_lm_loss", "masked-lm-wraps-round")
def last_word(logits, labels):
    """You take -100 for a word: the one that `labels % V` makes of it, counted from the end of the vocabulary.

    -100 is no label: replace it before you look anything up, and leave the position out of sum and count.
    """
    words = logits.shape[-1]
    return functional.cross_entropy(logits.flatten(0, 1), (labels % words).flatten())


@misconception("masked_lm_loss", "masked-lm-epsilon")
def epsilon(logits, labels):
    """You add 1e-9 to the probabilities inside the logarithm, so no word can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    return functional.nll_loss((logits.softmax(dim=-1) + 1e-9).log().flatten(0, 1), labels.flatten())


@misconception("masked_lm_loss", "masked-lm-unstable")
def unstable(logits, labels):
    """You take the exponential of the logits as they are, which overflows for large ones.

    `log_softmax` and `logsumexp` subtract the largest first; so does `functional.cross_entropy`.
    """
    logs = logits - logits.exp().sum(-1, keepdim=True).log()
    return functional.nll_loss(logs.flatten(0, 1), labels.flatten())


@misconception("masked_lm_loss", "masked-lm-last-left-out")
def last_left_out(logits, labels):
    """You leave out the last position.

    Every labelled position counts, the last one too: nothing is cut or shifted here.
    """
    return masked_lm_loss(logits[:, :-1], labels[:, :-1])


@misconception("masked_lm_loss", "masked-lm-epsilon-12")
def epsilon_12(logits, labels):
    """You add 1e-12 to the probabilities inside the logarithm, so no word can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    return functional.nll_loss((logits.softmax(dim=-1) + 1e-12).log().flatten(0, 1), labels.flatten())


@misconception("masked_lm_loss", "masked-lm-epsilon-8")
def epsilon_8(logits, labels):
    """You add 1e-8 to the probabilities inside the logarithm, so no word can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    return functional.nll_loss((logits.softmax(dim=-1) + 1e-8).log().flatten(0, 1), labels.flatten())


@misconception("masked_lm_loss", "masked-lm-nonzero-losses")
def nonzero_losses(logits, labels):
    """You divide by the number of losses that are not 0, but a word the model is sure of counts too, with a loss of 0.

    Count labels, not losses: `(labels != -100).sum()`.
    """
    losses = functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none")
    return losses.sum() / (losses != 0).sum()


@misconception("masked_lm_loss", "masked-lm-float32")
def float32(logits, labels):
    """Your loss is float32 whatever the logits are.

    A loss has the dtype of its logits, so that half precision stays half. Where do you name a dtype?
    """
    return masked_lm_loss(logits.float(), labels)


@misconception("masked_lm_loss", "masked-lm-clamped")
def clamped(logits, labels):
    """You keep the probabilities at 1e-7 or more, so no word costs more than about 16, or gets a gradient below that.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    return functional.nll_loss(logits.softmax(dim=-1).clamp(min=1e-7).log().flatten(0, 1), labels.flatten())


@misconception("masked_lm_loss", "masked-lm-global-max")
def global_max(logits, labels):
    """You subtract the largest logit of all, so where logits lie far below it every exponential is 0.

    Each position has a softmax of its own, and its own largest logit: `amax(-1, keepdim=True)`, or `log_softmax`.
    """
    real, shifted = labels != -100, logits - logits.max()
    right = shifted.gather(-1, labels.masked_fill(~real, 0)[..., None])[..., 0]
    return (shifted.exp().sum(-1).log() - right)[real].mean()
