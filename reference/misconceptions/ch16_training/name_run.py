"""What goes wrong in `name_run`: runs that diverge."""

import math

from reference.misconceptions import misconception


@misconception("name_run", "name-run-nan-unseen")
def nan_unseen(history):
    """You do not look for NaN: every comparison with NaN is False, so such a run looks like any other.

    `math.isfinite` tells, for each loss of the history.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-infinity-unseen")
def infinity_unseen(history):
    """You look for NaN alone; an infinite loss has diverged as well.

    `math.isfinite` is False for both.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if any(math.isnan(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-last-finite-alone")
def last_finite_alone(history):
    """You look for NaN and infinity in the last record alone.

    A loss that was NaN once says that the run broke down, whatever came after it: look at every record.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not math.isfinite(train[-1] + held_out[-1]) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-held-out-not-finite")
def held_out_not_looked_at(history):
    """You look for NaN and infinity among the training losses alone.

    The held-out losses may have them too.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-training-not-finite")
def training_not_looked_at(history):
    """You look for NaN and infinity among the held-out losses alone.

    The training losses may have them too.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-no-comparison")
def no_comparison(history):
    """You call a run diverged only for NaN and infinity, not where training ends higher than it began.

    Compare the last training loss with the first.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out):
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-diverged-held-out")
def diverged_by_held_out(history):
    """You compare held-out losses where training losses are asked for: first and last.

    A held-out loss that rises is a case of its own, the second one.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or held_out[-1] > held_out[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-diverged-highest")
def diverged_by_any_rise(history):
    """You call a run diverged as soon as some training loss is above the first.

    It may come down again. Only the last one counts here.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or max(train) > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-largest-loss-asked")
def largest_loss_asked(history):
    """You overlook a NaN that does not come first, as `max` does if it is to find the largest loss.

    Every comparison with NaN is False, so `max` keeps the number that it has. Ask each loss by itself.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not math.isfinite(max(train + held_out)) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-nan-not-found")
def nan_not_found(history):
    """You look for infinity, but overlook every NaN: no number is equal to it or above it, not even NaN.

    So neither `==` nor `in` finds it, nor does a comparison with infinity. `math.isfinite` is False for both.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if math.inf in train + held_out or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"
