"""What goes wrong in `learning_rate`."""

import math

from reference.misconceptions import misconception


@misconception("learning_rate", "learning-rate-first-step-zero")
def first_step_zero(step, warmup, total, peak, floor):
    """Your warm-up begins with a rate of 0: the first step is wasted.

    Step 0 is the first of `warmup` steps and already has a share of the peak. Work out the rates for a warm-up of 4
    steps.

    Its rate is `peak * (step + 1) / warmup`.
    """
    if step < warmup:
        return peak * step / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-warmup-plus-one")
def warmup_plus_one(step, warmup, total, peak, floor):
    """You divide by `warmup + 1`, so that the warm-up ends below the peak.

    The last step of the warm-up, number `warmup - 1`, has the peak: divide by `warmup`.
    """
    if step < warmup:
        return peak * (step + 1) / (warmup + 1)
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-no-warmup")
def no_warmup(step, warmup, total, peak, floor):
    """There is no warm-up in your rate: it begins with the peak.

    The first `warmup` steps rise to the peak. Treat them before the cosine.
    """
    done = min(max(step - warmup, 0) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-warmup-divides-by-zero")
def warmup_divides_by_zero(step, warmup, total, peak, floor):
    """You divide by `warmup` even if it is 0.

    Without a warm-up there is nothing to rise. Divide only where `step < warmup`.
    """
    rising = peak * (step + 1) / warmup
    done = min(max(step - warmup, 0) / (total - warmup), 1.0)
    return rising if step < warmup else floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-from-the-floor")
def from_the_floor(step, warmup, total, peak, floor):
    """Your warm-up rises from `floor` instead of from 0.

    The floor belongs to the end. Step s of the warm-up has `peak * (s + 1) / warmup`.
    """
    if step < warmup:
        return floor + (peak - floor) * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-warmup-times-cosine")
def warmup_with_the_cosine(step, warmup, total, peak, floor):
    """You multiply the warm-up by the cosine, which has then already begun at step 0.

    The two come one after the other: up in a straight line, and from step `warmup` on down the cosine.
    """
    done = min(step / total, 1.0)
    return min((step + 1) / max(warmup, 1), 1.0) * (floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2)


@misconception("learning_rate", "learning-rate-cosine-from-zero")
def cosine_from_zero(step, warmup, total, peak, floor):
    """Your cosine begins at step 0, so after the warm-up the rate does not begin with the peak.

    What share of the way down is done at step `warmup`, and what share at step `total`? Yours must be 0 and 1 there.

    The share is `(step - warmup) / (total - warmup)`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    return floor + (peak - floor) * (1 + math.cos(math.pi * min(step / total, 1.0))) / 2


@misconception("learning_rate", "learning-rate-warmup-not-taken-off")
def warmup_not_taken_off(step, warmup, total, peak, floor):
    """You divide by `total` as if it were counted from the end of the warm-up: the floor comes `warmup` steps too late.

    `total` counts the warm-up too: from `warmup` to `total` there are `total - warmup` steps.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / total, 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-one-step-ahead")
def one_step_ahead(step, warmup, total, peak, floor):
    """Your cosine is one step ahead: step `warmup` is already below the peak, and `total - 1` already at the floor.

    Put step `warmup` and step `total` into your share of the way: you must get exactly 0 and 1.

    The share is `(step - warmup) / (total - warmup)`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup + 1) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-floor-one-step-early")
def floor_one_step_early(step, warmup, total, peak, floor):
    """You divide by one step too few: your rate is at the floor one step before `total`.

    From `warmup` to `total` there are `total - warmup` steps, and `total` itself has the floor.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - 1 - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-rises-again")
def rises_again(step, warmup, total, peak, floor):
    """After `total` your rate rises again: the cosine goes on.

    From `total` on the rate is `floor`. Let the share of the way be 1 at most.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-zero-after-total")
def zero_after_total(step, warmup, total, peak, floor):
    """After `total`, and perhaps at it, your rate is 0 instead of `floor`.

    The rate stays at the floor, so that a longer run keeps learning.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step > total:
        return 0.0
    return floor + (peak - floor) * (1 + math.cos(math.pi * (step - warmup) / (total - warmup))) / 2


@misconception("learning_rate", "learning-rate-without-the-half")
def without_the_half(step, warmup, total, peak, floor):
    """The division by 2 is missing: `1 + cos` runs from 2 to 0, so the way down begins far above the peak.

    Divide `1 + math.cos(...)` by 2, and it runs from 1 to 0.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done))


@misconception("learning_rate", "learning-rate-quarter")
def quarter_of_a_turn(step, warmup, total, peak, floor):
    """You take the cosine itself over a quarter of a turn: it runs from 1 to 0, but falls steeply at its end.

    Half a turn is flat at both ends. Between which two values does its cosine run, and how do you bring them to 1 and
    0?

    Use half a turn, raised and halved: `(1 + math.cos(math.pi * done)) / 2`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * math.cos(math.pi / 2 * done)


@misconception("learning_rate", "learning-rate-minus-one")
def cosine_to_minus_one(step, warmup, total, peak, floor):
    """You use the cosine as it is, which runs from 1 to -1: the rate falls far below the floor.

    The cosine runs from 1 to -1, and you need 1 to 0. Which two operations take one to the other?

    Raise it and halve it: `(1 + math.cos(...)) / 2`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * math.cos(math.pi * done)


@misconception("learning_rate", "learning-rate-whole-turn")
def whole_turn(step, warmup, total, peak, floor):
    """Your cosine makes a whole turn: half-way the rate is at the floor, and at `total` it is at the peak again.

    Use half a cosine: `math.pi * done`, without a 2.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(2 * math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-without-pi")
def without_pi(step, warmup, total, peak, floor):
    """The π is missing: the share of the way runs to 1, and the cosine needs an angle that runs to π.

    `math.cos` counts in radians; half a turn is `math.pi`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(done)) / 2


@misconception("learning_rate", "learning-rate-floor-on-top")
def floor_on_top(step, warmup, total, peak, floor):
    """You add the floor to a cosine of the full height: the way down begins above the peak.

    It falls from `peak` to `floor`, a height of `peak - floor`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + peak * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-floor-left-out")
def floor_left_out(step, warmup, total, peak, floor):
    """Your rate falls to 0: the floor is left out.

    How far must the rate fall, from where to where? Stretch the cosine to that height, and mind where it stands.

    Let it fall from `peak` to `floor`: `floor + (peak - floor) * ...`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return peak * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-cut-at-the-floor")
def cut_at_the_floor(step, warmup, total, peak, floor):
    """Your cosine falls to 0 and is cut off at the floor, which it reaches too early, at an angle.

    The cosine itself should end at the floor. What is its height then, and what does it stand on?

    Stretch it instead of cutting it: `floor + (peak - floor) * ...`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return max(peak * (1 + math.cos(math.pi * done)) / 2, floor)


@misconception("learning_rate", "learning-rate-straight-down")
def straight_down(step, warmup, total, peak, floor):
    """Your rate falls in a straight line.

    The share of the way falls in a straight line too. Which curve begins and ends flat?

    Put the share of the way into half a cosine: `(1 + math.cos(math.pi * done)) / 2`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 - done)


@misconception("learning_rate", "learning-rate-upside-down")
def upside_down(step, warmup, total, peak, floor):
    """Your cosine rises from the floor to the peak.

    `1 - cos` grows from 0 to 2. The rate falls: `1 + cos`.
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 - math.cos(math.pi * done)) / 2
