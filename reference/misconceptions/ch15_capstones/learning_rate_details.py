"""What goes wrong in `learning_rate`: the way down."""

import math

from reference.misconceptions import misconception


@misconception("learning_rate", "learning-rate-whole-turn-then-floor")
def whole_turn_then_floor(step, warmup, total, peak, floor):
    """Your cosine makes a whole turn: half-way the rate is at the floor, and before `total` it is back near the peak.

    Use half a cosine: `math.pi * done`, without a 2.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(2 * math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-peak-at-the-end")
def peak_at_the_end(step, warmup, total, peak, floor):
    """From `total` on your rate is the peak.

    It is the floor there: `if step >= total: return floor`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return peak
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-quarter-cut")
def quarter_cut(step, warmup, total, peak, floor):
    """You take a quarter of a cosine that falls to 0, and cut it off at the floor.

    Two things differ from the task: how far the cosine turns, and the rate at which it ends. Draw both curves.

    The way down is half a cosine: `floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return max(floor, peak * math.cos(math.pi * done / 2))


@misconception("learning_rate", "learning-rate-sum-of-ends")
def sum_of_ends(step, warmup, total, peak, floor):
    """Your cosine has a height of `peak + floor`: the rate does not begin with the peak.

    It falls from `peak` to `floor`, a height of `peak - floor`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak + floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-floor-not-added")
def floor_not_added(step, warmup, total, peak, floor):
    """Your cosine ends at 0: it has the right height, but the floor is not added.

    The curve has the right form but lies too low. By how much, at step `warmup` and at step `total`?

    Put it on the floor: `floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-inverse-root")
def inverse_root(step, warmup, total, peak, floor):
    """Your rate falls with one over the root of the step.

    That is the schedule of Vaswani et al. 2017. Here the way down is half a cosine.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    return max(floor, peak * (warmup / (step + 1)) ** 0.5)


@misconception("learning_rate", "learning-rate-exponential")
def exponential(step, warmup, total, peak, floor):
    """Your rate falls exponentially, by the same factor at each step.

    The way down is half a cosine, flat at both ends.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return peak * (floor / peak) ** done if floor else peak * (1 - done)


@misconception("learning_rate", "learning-rate-brackets")
def brackets(step, warmup, total, peak, floor):
    """Brackets are missing: only the cosine is divided by 2, and only 1 is multiplied by the height.

    Division binds more tightly than addition. Work out your formula for a cosine of 1 and of -1: you should get peak
    and floor.

    The way down is half a cosine: `floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * 1 + math.cos(math.pi * done) / 2


@misconception("learning_rate", "learning-rate-half-the-cosine")
def half_the_cosine(step, warmup, total, peak, floor):
    """Brackets are missing: `1 + cos / 2` runs from 1.5 to 0.5. Divide the sum by 2.

    It should run from 1 to 0. What does Python divide first?

    The way down is half a cosine: `floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done) / 2)


@misconception("learning_rate", "learning-rate-one-step-more")
def one_step_more(step, warmup, total, peak, floor):
    """You count one step too many on the way down: at `warmup` the rate is already below the peak.

    Put step `warmup` into your share of the way. Which share has the peak?

    Step `warmup` has the share 0: `(step - warmup) / (total - warmup)`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup + 1) / (total - warmup + 1)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-sine")
def a_sine(step, warmup, total, peak, floor):
    """You use a sine where the cosine belongs.

    At the beginning of the way down the angle is 0 and the rate is `peak`. Which of the two functions is largest at 0?

    The way down is half a cosine: `floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.sin(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-degrees")
def in_degrees(step, warmup, total, peak, floor):
    """You give the cosine degrees: `math.cos` counts in radians.

    Half a turn is `math.pi`, not 180.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(180 * done)) / 2


@misconception("learning_rate", "learning-rate-straight-to-zero")
def straight_to_zero(step, warmup, total, peak, floor):
    """Your rate falls in a straight line towards 0, and may be cut off at the floor.

    The task asks for half a cosine that reaches the floor at `total` and no earlier. What is your rate half-way?

    The way down is half a cosine: `floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return max(floor, peak * (1 - done))


@misconception("learning_rate", "learning-rate-rounded")
def rounded(step, warmup, total, peak, floor):
    """You round the rate.

    Return it as it is: near the end rates are small, and a rounded one is 0.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return round(floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2, 4)


@misconception("learning_rate", "learning-rate-floor-as-share")
def floor_as_share(step, warmup, total, peak, floor):
    """You take `floor` as a share of the peak: your rate ends at `peak * floor`.

    It is a rate itself, the last one. From which height does the cosine fall, and how far?
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min(1.0, (step - warmup) / (total - warmup))
    return peak * (floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * done)))
