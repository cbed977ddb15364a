"""Learning rates that start over, because a step is counted modulo something."""

import math

from reference.misconceptions import misconception


@misconception("learning_rate", "learning-rate-cosine-starts-over")
def cosine_starts_over(step, warmup, total, peak, floor):
    """From `total` on your cosine starts over with the peak: you count its steps modulo its length.

    There is one way down, and after it the rate stays where it is. Which rate is that?
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = (step - warmup) % (total - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-all-starts-over")
def all_starts_over(step, warmup, total, peak, floor):
    """From `total` on your rate starts over with the warm-up: you count the steps modulo `total`.

    There is one warm-up and one way down. Which rate is left after them?
    """
    step %= total
    if step < warmup:
        return peak * (step + 1) / warmup
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-modulo-warmup")
def modulo_warmup(step, warmup, total, peak, floor):
    """On the way down you count the steps modulo `warmup`, so the cosine starts over every `warmup` steps.

    The way down has its own steps, counted from the end of the warm-up. How many lie behind you at `step`?
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = step % warmup / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-no-brackets-below")
def no_brackets_below(step, warmup, total, peak, floor):
    """Brackets are missing in your share of the way: you divide by `total` and subtract `warmup` afterwards.

    Division comes before subtraction. Which difference is the length of the way down?
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / total - warmup
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-no-brackets-above")
def no_brackets_above(step, warmup, total, peak, floor):
    """Brackets are missing in your share of the way: you divide `warmup` alone and subtract it from the step.

    Division comes before subtraction. How many steps of the way down lie behind you?
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = step - warmup / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-no-brackets-at-all")
def no_brackets_at_all(step, warmup, total, peak, floor):
    """Brackets are missing in your share of the way: only `warmup / total` is divided.

    Division comes before subtraction. The share is one difference over another.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = step - warmup / total - warmup
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2
