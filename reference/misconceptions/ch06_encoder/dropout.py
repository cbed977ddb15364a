"""What goes wrong in `dropout`.

Masks are drawn here as most people draw them, `torch.rand_like(x) >= rate`: then these mistakes drop what theirs drop.
"""

import torch

from reference.ch06_encoder import dropout
from reference.misconceptions import misconception


@misconception("dropout", "dropout-not-rescaled")
def not_rescaled(x, rate, training):
    """You do not rescale what is left.

    With a rate of 0.2, four fifths of the sum survive; divide by 1 - rate, so that the mean stays what it was.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) >= rate) if training else x


@misconception("dropout", "dropout-times-keep")
def scaled_down(x, rate, training):
    """You multiply by 1 - rate what you should divide by it.

    Entries are missing, so the others have to grow.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) >= rate) * (1 - rate) if training else x


@misconception("dropout", "dropout-over-rate")
def divided_by_rate(x, rate, training):
    """You divide by rate instead of 1 - rate.

    1 - rate is the share that survives; a rate of 0 would be a division by zero.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) >= rate) / rate if training else x


@misconception("dropout", "dropout-keeps-rate")
def rate_is_kept(x, rate, training):
    """You take rate for the share that is kept.

    It is the share that is dropped: keep an entry where its random number is at least rate, and divide by 1 - rate.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) < rate) / rate if training else x


@misconception("dropout", "dropout-upside-down")
def mask_upside_down(x, rate, training):
    """Your mask is inverted: an entry is kept with probability rate.

    A uniform number lies below rate with probability rate; where it does, the entry is dropped.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) < rate) / (1 - rate) if training else x


@misconception("dropout", "dropout-normal")
def normal_numbers(x, rate, training):
    """You compare normal random numbers with rate, so that the wrong share is dropped.

    `torch.randn_like` is normal; `torch.rand_like` is uniform in [0, 1), and lies below rate with probability rate.
    """
    x = dropout(x, rate, False)
    return x * (torch.randn_like(x) >= rate) / (1 - rate) if training else x


@misconception("dropout", "dropout-always")
def in_evaluation_too(x, rate, training):
    """You drop entries in evaluation too, whatever `training` says.

    A model would give another answer each time; return x when `training` is False.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) >= rate) / (1 - rate)


@misconception("dropout", "dropout-never")
def never(x, rate, training):
    """You drop nothing in training; perhaps training and evaluation are swapped.

    In training, draw a random number for each entry and set those below rate to zero; in evaluation, return x.
    """
    return dropout(x, rate, False)


@misconception("dropout", "dropout-not-inverted")
def not_inverted(x, rate, training):
    """You scale in evaluation instead of training: that is dropout as it was first published.

    Here it is inverted: divide by 1 - rate in training, and do nothing in evaluation.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) >= rate) if training else x * (1 - rate)


@misconception("dropout", "dropout-scales-in-evaluation")
def scales_always(x, rate, training):
    """You divide by 1 - rate in evaluation as well.

    Nothing is missing there, so nothing has to be made up for: return x.
    """
    x = dropout(x, rate, False) / (1 - rate)
    return x * (torch.rand_like(x) >= rate) if training else x


@misconception("dropout", "dropout-renormalised")
def renormalised(x, rate, training):
    """You divide by the share that happened to survive.

    Divide by 1 - rate: that is right on average, and no entry then depends on which others were dropped.
    """
    x = dropout(x, rate, False)
    kept = (torch.rand_like(x) >= rate).to(x.dtype)
    return x * kept / kept.mean() if training else x


@misconception("dropout", "dropout-whole-features")
def whole_features(x, rate, training):
    """You draw one mask for the last axis and use it for all vectors.

    Whole features vanish at once; draw a number for every entry: `torch.rand_like(x)`.
    """
    x = dropout(x, rate, False)
    if not training:
        return x
    return x * (torch.rand(x.shape[-1], dtype=x.dtype, device=x.device) >= rate) / (1 - rate)


@misconception("dropout", "dropout-whole-vectors")
def whole_vectors(x, rate, training):
    """You drop whole vectors: all entries along the last axis share one random number.

    Draw a number for every entry: `torch.rand_like(x)`.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x[..., :1]) >= rate) / (1 - rate) if training else x


@misconception("dropout", "dropout-one-for-the-batch")
def one_for_the_batch(x, rate, training):
    """You draw one mask and use it for every row of the batch.

    Each entry needs a number of its own; draw as many as x has: `torch.rand_like(x)`.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x[:1]) >= rate) / (1 - rate) if training else x


@misconception("dropout", "dropout-all-or-nothing")
def all_or_nothing(x, rate, training):
    """You draw one random number and drop everything or nothing.

    Draw a number for every entry: `torch.rand_like(x)`.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand(1, dtype=x.dtype, device=x.device) >= rate) / (1 - rate) if training else x


@misconception("dropout", "dropout-seeded")
def seeded(x, rate, training):
    """You set the seed inside, so the same entries are dropped every time.

    The network would only learn to do without these; leave torch's random numbers as they come, without a seed.
    """
    x = dropout(x, rate, False)
    torch.manual_seed(0)
    return x * (torch.rand_like(x) >= rate) / (1 - rate) if training else x


@misconception("dropout", "dropout-checked-in-training-only")
def checked_in_training_only(x, rate, training):
    """In evaluation you accept any rate.

    Check it first, before looking at `training`: a mistake should show before it matters.
    """
    return dropout(x, rate, True) if training else x


@misconception("dropout", "dropout-unchecked")
def unchecked(x, rate, training):
    """You accept any rate.

    Outside 0 <= rate < 1 dropping makes no sense; raise a ValueError that names it, before anything else.
    """
    return x * (torch.rand_like(x) >= rate) / (1 - rate) if training else x


@misconception("dropout", "dropout-rate-one")
def takes_one(x, rate, training):
    """You accept a rate of 1.

    Nothing would survive, and what survives is divided by 1 - 1; only 0 <= rate < 1 is allowed.
    """
    if rate == 1:
        return x * 0 / (1 - rate) if training else x
    return dropout(x, rate, training)


@misconception("dropout", "dropout-negative-rate")
def takes_negative(x, rate, training):
    """You accept a negative rate.

    There is no negative probability; only 0 <= rate < 1 is allowed.
    """
    return dropout(x, max(rate, 0.0), training)


@misconception("dropout", "dropout-refuses-zero")
def refuses_zero(x, rate, training):
    """You refuse a rate of 0.

    It is how dropout is turned off; 0 is allowed, 1 is not.
    """
    if rate == 0:
        raise ValueError(f"the rate must be above 0, not {rate}")
    return dropout(x, rate, training)


@misconception("dropout", "dropout-nameless")
def nameless_error(x, rate, training):
    """Your error does not say which rate it was given.

    Put it into the message, `f"... {rate}"`: the reader may not know where it came from.
    """
    if not 0 <= rate < 1:
        raise ValueError("the rate is out of range")
    return dropout(x, rate, training)


@misconception("dropout", "dropout-assertion")
def asserts(x, rate, training):
    """You check the rate with an assert.

    Asserts may be switched off; raise a ValueError that names the rate.
    """
    assert 0 <= rate < 1, f"rate is {rate}"
    return dropout(x, rate, training)


@misconception("dropout", "dropout-detached")
def detached(x, rate, training):
    """No gradient comes back through your result (detach, .data, no_grad or NumPy).

    Nothing before a dropout could learn; the mask needs no gradient, but x does.
    """
    return dropout(x, rate, training).detach()


@misconception("dropout", "dropout-double")
def always_float64(x, rate, training):
    """In training your result is float64, whatever x is.

    It has the dtype of x; draw the numbers with `torch.rand_like(x)`.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) >= rate).double() / (1 - rate) if training else x


@misconception("dropout", "dropout-device")
def mask_on_the_default_device(x, rate, training):
    """You make a tensor (the mask?) on the default device instead of that of x.

    On a GPU the two cannot be combined; `torch.rand_like(x)` draws on the device of x.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand(x.shape) >= rate) / (1 - rate) if training else x
