"""Losses that count what is no token, or miss what is one."""

import torch
from torch.nn import functional

from reference.ch08_decoder import sequence_loss
from reference.misconceptions import misconception


@misconception("sequence_loss", "sequence-loss-padding-counts")
def padding_counts(logits, targets, pad_id, label_smoothing=0.0):
    """You count padding like any other token.

    The model is then rewarded for saying padding. `functional.cross_entropy` leaves it out with `ignore_index=pad_id`.
    """
    return functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=label_smoothing)


@misconception("sequence_loss", "sequence-loss-divided-by-all")
def divided_by_all(logits, targets, pad_id, label_smoothing=0.0):
    """You leave the padding out of the sum, but divide by the number of all positions.

    Divide by the number of real tokens, or the loss shrinks with every padding token that is added.
    """
    real = targets != pad_id
    return sequence_loss(logits, targets, pad_id, label_smoothing) * real.sum() / real.numel()


@misconception("sequence_loss", "sequence-loss-sum")
def summed(logits, targets, pad_id, label_smoothing=0.0):
    """You add up the losses of the tokens without dividing by their number.

    Return the mean over real tokens: batches of different sizes are then comparable.
    """
    return sequence_loss(logits, targets, pad_id, label_smoothing) * (targets != pad_id).sum()


@misconception("sequence_loss", "sequence-loss-per-sentence")
def per_sentence(logits, targets, pad_id, label_smoothing=0.0):
    """You take the mean of each sentence first, and then the mean of the sentences.

    That gives words in short sentences more weight. Add up all real tokens of the batch, and divide once.
    """
    rows = [
        sequence_loss(row[None], ids[None], pad_id, label_smoothing) for row, ids in zip(logits, targets, strict=True)
    ]
    return torch.stack(rows).mean()


@misconception("sequence_loss", "sequence-loss-shifted-again")
def shifted_again(logits, targets, pad_id, label_smoothing=0.0):
    """You shift once more: logits at position t are compared with the token at t + 1.

    The decoder's input was shifted already, so logits and targets at the same position belong together.
    """
    return sequence_loss(logits[:, :-1], targets[:, 1:], pad_id, label_smoothing)


@misconception("sequence_loss", "sequence-loss-softmax-twice")
def softmax_twice(logits, targets, pad_id, label_smoothing=0.0):
    """You take the softmax of the logits and hand the result to a cross-entropy, which takes it once more.

    `functional.cross_entropy` wants the logits as they are.
    """
    return sequence_loss(torch.softmax(logits, dim=-1), targets, pad_id, label_smoothing)


@misconception("sequence_loss", "sequence-loss-no-smoothing")
def no_smoothing(logits, targets, pad_id, label_smoothing=0.0):
    """You do not use `label_smoothing`.

    Hand it on to `functional.cross_entropy`, or take (1 - ε) times your loss plus ε times the mean of -log p over all
    V words.
    """
    return sequence_loss(logits, targets, pad_id)


@misconception("sequence_loss", "sequence-loss-smoothing-others")
def smoothing_others(logits, targets, pad_id, label_smoothing=0.0):
    """You share ε among the V - 1 wrong words only, and leave the right one with 1 - ε.

    Here, as in `functional.cross_entropy`, ε is shared by all V words, so the right one gets 1 - ε + ε / V.
    """
    words = logits.shape[-1]
    return sequence_loss(logits, targets, pad_id, label_smoothing * words / (words - 1))


@misconception("sequence_loss", "sequence-loss-smoothing-added")
def smoothing_added(logits, targets, pad_id, label_smoothing=0.0):
    """You add the smoothing on top: the right word keeps its full share of 1.

    What all words get is taken from the right one: (1 - ε) times its loss, plus ε times the mean over all words.
    """
    plain, smooth = (sequence_loss(logits, targets, pad_id, share) for share in (0.0, 1.0))
    return plain + label_smoothing * smooth


@misconception("sequence_loss", "sequence-loss-smoothing-sum")
def smoothing_sum(logits, targets, pad_id, label_smoothing=0.0):
    """Every word gets ε in your smoothing, where it should get ε / V.

    The shares of all words must sum to 1: take the mean of -log p over the vocabulary, not its sum.
    """
    plain, smooth = (sequence_loss(logits, targets, pad_id, share) for share in (0.0, 1.0))
    return (1 - label_smoothing) * plain + label_smoothing * logits.shape[-1] * smooth


@misconception("sequence_loss", "sequence-loss-smoothing-on-padding")
def smoothing_on_padding(logits, targets, pad_id, label_smoothing=0.0):
    """The smoothed part of your loss counts padding, though the rest leaves it out.

    There is no token to predict: leave padded positions out of both parts.
    """
    plain = sequence_loss(logits, targets, pad_id)
    smooth = -torch.log_softmax(logits, dim=-1).mean()
    return (1 - label_smoothing) * plain + label_smoothing * smooth


@misconception("sequence_loss", "sequence-loss-zero-is-padding")
def zero_is_padding(logits, targets, pad_id, label_smoothing=0.0):
    """You take 0 for the padding, whatever `pad_id` says.

    The id of padding is the tokenizer's choice; use the argument.
    """
    return sequence_loss(logits, targets, 0, label_smoothing)


@misconception("sequence_loss", "sequence-loss-scrambled")
def scrambled(logits, targets, pad_id, label_smoothing=0.0):
    """You reshape the logits to (B, V, T), which mixes words and positions.

    A `reshape` swaps no axes: use `logits.transpose(1, 2)`, or flatten to (B·T, V) and leave V last.
    """
    batch, length, words = logits.shape
    return functional.cross_entropy(
        logits.reshape(batch, words, length), targets, ignore_index=pad_id, label_smoothing=label_smoothing
    )


@misconception("sequence_loss", "sequence-loss-log-of-softmax")
def log_of_softmax(logits, targets, pad_id, label_smoothing=0.0):
    """You take the logarithm of a softmax: where the right word is very unlikely, that is log 0.

    `log_softmax` and `functional.cross_entropy` never form the tiny probability and stay finite.
    """
    surprise = -torch.softmax(logits, dim=-1).log()
    real = targets != pad_id
    each = (1 - label_smoothing) * surprise.gather(-1, targets[..., None])[..., 0]
    if label_smoothing:
        each = each + label_smoothing * surprise.mean(dim=-1)
    return each.masked_fill(~real, 0.0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-number")
def number(logits, targets, pad_id, label_smoothing=0.0):
    """You return a Python number, from which no gradient comes back.

    The training step calls `backward()` on the loss: return the tensor, without `.item()` or `float()`.
    """
    return sequence_loss(logits, targets, pad_id, label_smoothing).item()


@misconception("sequence_loss", "sequence-loss-detached")
def detached(logits, targets, pad_id, label_smoothing=0.0):
    """Your loss is cut off from the logits: no gradient comes back (detach, .data, no_grad or a newly created tensor).

    Compute with the given tensor itself, by torch's operations throughout.
    """
    return sequence_loss(logits.detach(), targets, pad_id, label_smoothing)


@misconception("sequence_loss", "sequence-loss-epsilon-10")
def epsilon_10(logits, targets, pad_id, label_smoothing=0.0):
    """You add 1e-10 to the probabilities inside the logarithm, so no token can be very surprising.

    `log_softmax` needs no such help: it computes the logarithm without forming the probability.
    """
    surprise = -(logits.softmax(-1) + 1e-10).log()
    right = surprise.gather(-1, targets[..., None])[..., 0]
    each = (1 - label_smoothing) * right + label_smoothing * surprise.mean(-1)
    real = targets != pad_id
    return each.masked_fill(~real, 0).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-single-mask")
def single_mask(logits, targets, pad_id, label_smoothing=0.0):
    """You multiply by something in float32, perhaps the mask of real tokens: half precision becomes float32.

    Which dtype do the logits have? What they are multiplied by needs the same.
    """
    surprise = -logits.log_softmax(-1)
    right = surprise.gather(-1, targets[..., None])[..., 0]
    each = (1 - label_smoothing) * right + label_smoothing * surprise.mean(-1)
    real = (targets != pad_id).float()
    return (each * real).sum() / real.sum()


@misconception("sequence_loss", "sequence-loss-clamped")
def clamped(logits, targets, pad_id, label_smoothing=0.0):
    """You keep the probabilities at 1e-12 or more, so no token costs more than about 28, or gets a gradient below that.

    `log_softmax` and `functional.cross_entropy` need no such help: they never form the tiny probability.
    """
    surprise = -torch.softmax(logits, dim=-1).clamp(min=1e-12).log()
    right, real = surprise.gather(-1, targets[..., None])[..., 0], targets != pad_id
    each = (1 - label_smoothing) * right + label_smoothing * surprise.mean(dim=-1)
    return each.masked_fill(~real, 0.0).sum() / real.sum()
