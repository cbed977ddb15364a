"""Losses of the wrong form, with too few tokens, or with shares that do not sum to 1."""

import torch
from torch.nn import functional

from reference.ch08_decoder import sequence_loss
from reference.misconceptions import misconception


@misconception("sequence_loss", "sequence-loss-not-transposed")
def not_transposed(logits, targets, pad_id, label_smoothing=0.0):
    """You hand (B, T, V) to `functional.cross_entropy`, which takes the second axis for the words.

    Flatten to (B·T, V) and (B·T,), or give it `logits.transpose(1, 2)`.
    """
    return functional.cross_entropy(logits, targets, ignore_index=pad_id, label_smoothing=label_smoothing)


@misconception("sequence_loss", "sequence-loss-targets-not-flattened")
def targets_not_flattened(logits, targets, pad_id, label_smoothing=0.0):
    """You flatten the logits, but not the targets.

    Both belong together: (B·T, V) and (B·T,), that is `targets.flatten()`.
    """
    return functional.cross_entropy(logits.flatten(0, 1), targets, ignore_index=pad_id, label_smoothing=label_smoothing)


@misconception("sequence_loss", "sequence-loss-epsilon")
def epsilon(logits, targets, pad_id, label_smoothing=0.0):
    """You add 1e-9 to the probabilities inside the logarithm, so no token can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    surprise = -(torch.softmax(logits, dim=-1) + 1e-9).log()
    real = targets != pad_id
    each = (1 - label_smoothing) * surprise.gather(-1, targets[..., None])[..., 0] + label_smoothing * surprise.mean(
        dim=-1
    )
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-unstable")
def unstable(logits, targets, pad_id, label_smoothing=0.0):
    """You take the exponential of the logits as they are, which overflows for large ones.

    `log_softmax` and `logsumexp` subtract the largest first; so does `functional.cross_entropy`.
    """
    surprise = logits.exp().sum(-1, keepdim=True).log() - logits
    real = targets != pad_id
    each = (1 - label_smoothing) * surprise.gather(-1, targets[..., None])[..., 0] + label_smoothing * surprise.mean(
        dim=-1
    )
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-no-softmax")
def no_softmax(logits, targets, pad_id, label_smoothing=0.0):
    """You take the logits for log-probabilities: there is no softmax in your loss.

    `functional.nll_loss` wants `log_softmax` of the logits; `functional.cross_entropy` does both.
    """
    real = targets != pad_id
    each = (1 - label_smoothing) * -logits.gather(-1, targets[..., None])[..., 0] - label_smoothing * logits.mean(
        dim=-1
    )
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-over-positions")
def over_positions(logits, targets, pad_id, label_smoothing=0.0):
    """Your softmax runs over the positions, not over the words.

    The words are the last axis: `log_softmax(dim=-1)`.
    """
    surprise = -logits.log_softmax(dim=1)
    real = targets != pad_id
    each = (1 - label_smoothing) * surprise.gather(-1, targets[..., None])[..., 0] + label_smoothing * surprise.mean(
        dim=-1
    )
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-smoothing-no-padding-word")
def smoothing_no_padding_word(logits, targets, pad_id, label_smoothing=0.0):
    """You share ε among all words except padding.

    Here, as in `functional.cross_entropy`, ε is shared by all V words, padding among them.
    """
    surprise = -logits.log_softmax(dim=-1)
    real = targets != pad_id
    words = torch.arange(logits.shape[-1], device=logits.device) != pad_id
    each = (1 - label_smoothing) * surprise.gather(-1, targets[..., None])[..., 0]
    each = each + label_smoothing * (surprise * words).sum(dim=-1) / (logits.shape[-1] - 1)
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-smoothing-two-left-out")
def smoothing_two_left_out(logits, targets, pad_id, label_smoothing=0.0):
    """You share ε among the words other than the right one and padding, each with ε / (V - 2).

    Here, as in `functional.cross_entropy`, every one of the V words gets ε / V, the right one and padding too.
    """
    surprise = -logits.log_softmax(dim=-1)
    real = targets != pad_id
    right = surprise.gather(-1, targets[..., None])[..., 0]
    others = surprise.sum(dim=-1) - right - surprise[..., pad_id]
    each = (1 - label_smoothing) * right + label_smoothing * others / (logits.shape[-1] - 2)
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-smoothing-wrong-words-of-v")
def smoothing_wrong_words_of_v(logits, targets, pad_id, label_smoothing=0.0):
    """You give ε / V to the wrong words only: the right one gets 1 - ε, and the shares do not sum to 1.

    ε is shared by all V words: the right one gets 1 - ε + ε / V.
    """
    surprise = -logits.log_softmax(dim=-1)
    real = targets != pad_id
    right = surprise.gather(-1, targets[..., None])[..., 0]
    each = (1 - label_smoothing) * right + label_smoothing * (surprise.sum(dim=-1) - right) / logits.shape[-1]
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-smoothing-exchanged")
def smoothing_exchanged(logits, targets, pad_id, label_smoothing=0.0):
    """You have swapped ε and 1 - ε: the right word gets ε, and all words share 1 - ε.

    (1 - ε) times the loss of the right word, plus ε times the mean over all words.
    """
    return sequence_loss(logits, targets, pad_id, 1 - label_smoothing)


@misconception("sequence_loss", "sequence-loss-divided-by-batch")
def divided_by_batch(logits, targets, pad_id, label_smoothing=0.0):
    """You divide the sum by the number of sentences.

    Divide by the number of real tokens: every word weighs the same.
    """
    return sequence_loss(logits, targets, pad_id, label_smoothing) * (targets != pad_id).sum() / len(targets)


@misconception("sequence_loss", "sequence-loss-per-position")
def per_position(logits, targets, pad_id, label_smoothing=0.0):
    """You return a loss for each position, (B, T).

    Add up the losses of the real tokens and divide by their number: a tensor without axes.
    """
    return functional.cross_entropy(
        logits.transpose(1, 2), targets, ignore_index=pad_id, label_smoothing=label_smoothing, reduction="none"
    )


@misconception("sequence_loss", "sequence-loss-each-sentence")
def each_sentence(logits, targets, pad_id, label_smoothing=0.0):
    """You return a loss for each sentence, (B,).

    One mean over all real tokens of the batch: a tensor without axes.
    """
    rows = zip(logits.split(1), targets.split(1), strict=True)
    return torch.stack([sequence_loss(*row, pad_id, label_smoothing) for row in rows])


@misconception("sequence_loss", "sequence-loss-last-left-out")
def last_left_out(logits, targets, pad_id, label_smoothing=0.0):
    """You leave out the last position.

    Logits and targets belong together position by position, the last one too: nothing is cut or shifted here.
    """
    return sequence_loss(logits[:, :-1], targets[:, :-1], pad_id, label_smoothing)


@misconception("sequence_loss", "sequence-loss-first-left-out")
def first_left_out(logits, targets, pad_id, label_smoothing=0.0):
    """You leave out the first position.

    Logits and targets belong together position by position, the first one too: nothing is cut or shifted here.
    """
    return sequence_loss(logits[:, 1:], targets[:, 1:], pad_id, label_smoothing)


@misconception("sequence_loss", "sequence-loss-zero-too")
def zero_too(logits, targets, pad_id, label_smoothing=0.0):
    """You leave out targets of 0 as well, as if they were padding.

    0 is a token like any other unless `pad_id` says so: what counts is `targets != pad_id`.
    """
    return sequence_loss(logits, targets.masked_fill(targets == 0, pad_id), pad_id, label_smoothing)


@misconception("sequence_loss", "sequence-loss-padding-as-zero-loss")
def positive_targets(logits, targets, pad_id, label_smoothing=0.0):
    """You take only targets above `pad_id` for real tokens.

    Ids below it are tokens as well: `targets != pad_id`, not `targets > pad_id`.
    """
    return sequence_loss(logits, targets.masked_fill(targets < pad_id, pad_id), pad_id, label_smoothing)


@misconception("sequence_loss", "sequence-loss-nonzero-losses")
def nonzero_losses(logits, targets, pad_id, label_smoothing=0.0):
    """You divide by the number of losses that are not 0, but a token the model is sure of counts too, with a loss of 0.

    Count targets, not losses: `(targets != pad_id).sum()`.
    """
    surprise = -logits.log_softmax(dim=-1)
    each = (1 - label_smoothing) * surprise.gather(-1, targets[..., None])[..., 0] + label_smoothing * surprise.mean(
        dim=-1
    )
    each = each.masked_fill(targets == pad_id, 0.0)
    return each.sum() / (each != 0).sum()


@misconception("sequence_loss", "sequence-loss-global-max")
def global_max(logits, targets, pad_id, label_smoothing=0.0):
    """You subtract the largest logit of all, so where logits lie far below it every exponential is 0.

    Each position has a softmax of its own, and its own largest logit: `amax(-1, keepdim=True)`, or `log_softmax`.
    """
    shifted, real = logits - logits.max(), targets != pad_id
    surprise = shifted.exp().sum(-1, keepdim=True).log() - shifted
    each = (1 - label_smoothing) * surprise.gather(-1, targets[..., None])[..., 0] + label_smoothing * surprise.mean(
        dim=-1
    )
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-epsilon-12")
def epsilon_12(logits, targets, pad_id, label_smoothing=0.0):
    """You add 1e-12 to the probabilities inside the logarithm, so no token can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    surprise = -(torch.softmax(logits, dim=-1) + 1e-12).log()
    real = targets != pad_id
    each = (1 - label_smoothing) * surprise.gather(-1, targets[..., None])[..., 0] + label_smoothing * surprise.mean(
        dim=-1
    )
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-epsilon-8")
def epsilon_8(logits, targets, pad_id, label_smoothing=0.0):
    """You add 1e-8 to the probabilities inside the logarithm, so no token can be very surprising.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    surprise = -(torch.softmax(logits, dim=-1) + 1e-8).log()
    real = targets != pad_id
    each = (1 - label_smoothing) * surprise.gather(-1, targets[..., None])[..., 0] + label_smoothing * surprise.mean(
        dim=-1
    )
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-mean-probability")
def mean_probability(logits, targets, pad_id, label_smoothing=0.0):
    """You average the probabilities of the right words and take the logarithm of that mean.

    Which comes first? Each token has a loss, -log p of its own, and the mean is over these.
    """
    real = targets != pad_id
    logs = logits.log_softmax(-1)
    right = -logs.gather(-1, targets[..., None])[..., 0][real].exp().mean().log()
    return (1 - label_smoothing) * right - label_smoothing * logs.mean(-1)[real].mean()
