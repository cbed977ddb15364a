"""What goes wrong in `learning_rate`: the warm-up."""

import math

from reference.misconceptions import misconception


@misconception("learning_rate", "learning-rate-warmup-without-peak")
def warmup_without_peak(step, warmup, total, peak, floor):
    """Your warm-up rises to 1, not to the peak.

    Work out the last step of the warm-up for a peak of 0.001. Which argument does your line not use?

    Multiply by the peak: `peak * (step + 1) / warmup`.
    """
    if step < warmup:
        return (step + 1) / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-warmup-whole-numbers")
def warmup_in_whole_numbers(step, warmup, total, peak, floor):
    """Your warm-up divides whole numbers with `//`: the rate is 0 until its last step.

    Use `/`, which gives a fraction.
    """
    if step < warmup:
        return peak * ((step + 1) // warmup)
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-warmup-squared")
def warmup_squared(step, warmup, total, peak, floor):
    """Your warm-up is no straight line: it rises with the square of the step.

    A straight line rises by the same amount at every step. Work out yours for a warm-up of 4 steps.

    It rises evenly: `peak * (step + 1) / warmup`.
    """
    if step < warmup:
        return peak * ((step + 1) / warmup) ** 2
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-warmup-curved")
def warmup_curved(step, warmup, total, peak, floor):
    """Your warm-up rises along a cosine instead of a straight line.

    The cosine belongs to the way down only. By how much should the rate rise from one step of the warm-up to the next?

    It rises evenly: `peak * (step + 1) / warmup`.
    """
    if step < warmup:
        return peak * (1 - math.cos(math.pi * (step + 1) / warmup)) / 2
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-warmup-one-less")
def warmup_one_less(step, warmup, total, peak, floor):
    """Your warm-up begins with 0 and rises to the peak in `warmup - 1` equal parts, as `linspace` does.

    Its first step already has a share of the peak. With 4 steps, which four shares end at 1 and rise evenly from 0?

    Count from 1: `peak * (step + 1) / warmup`.
    """
    if step < warmup:
        return peak * step / max(warmup - 1, 1)
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-warmup-of-total")
def warmup_of_total(step, warmup, total, peak, floor):
    """Your warm-up divides by `total`: it does not reach the peak.

    How many steps does the warm-up have? Its last one must have the whole peak.

    It has `warmup` steps: `peak * (step + 1) / warmup`.
    """
    if step < warmup:
        return peak * (step + 1) / total
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-floor-under-the-warmup")
def floor_under_the_warmup(step, warmup, total, peak, floor):
    """Your warm-up does not go below `floor`.

    The floor belongs to the end: step s of the warm-up has `peak * (s + 1) / warmup`, however small.
    """
    if step < warmup:
        return max(floor, peak * (step + 1) / warmup)
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-one-step-above")
def warmup_too_long(step, warmup, total, peak, floor):
    """Your warm-up has one step too many: step `warmup` is above the peak.

    The warm-up ends before step `warmup`: `step < warmup`, not `<=`.
    """
    if step <= warmup:
        return peak * (step + 1) / max(warmup, 1)
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-divided-by-total-then-floor")
def divided_by_total_then_floor(step, warmup, total, peak, floor):
    """You divide by `total` instead of by the number of steps after the warm-up: the rate falls too slowly, then jumps.

    The way down begins at `warmup` and ends at `total`. How many steps long is it?
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    return floor + (peak - floor) * (1 + math.cos(math.pi * (step - warmup) / total)) / 2


@misconception("learning_rate", "learning-rate-first-step-zero", "learning-rate-rises-again")
def first_step_zero_rises_again(step, warmup, total, peak, floor):
    if step < warmup:
        return peak * step / warmup
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@misconception("learning_rate", "learning-rate-smaller-of-two")
def smaller_of_two(step, warmup, total, peak, floor):
    """You take the smaller of line and cosine, but before `warmup` the cosine is below the peak and may be the smaller.

    A cosine rises before its top as it falls after it. Which of the two curves counts during the warm-up?
    """
    done = min((step - warmup) / (total - warmup), 1.0)
    cosine = floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2
    return min(peak * (step + 1) / warmup, cosine) if warmup else cosine
