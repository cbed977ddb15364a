"""What goes wrong in `name_run`: the two limits, and the order of the questions."""

import math

from reference.misconceptions import misconception


@misconception("name_run", "name-run-memorises-from-first")
def memorises_from_first(history):
    """You measure the rise of the held-out loss from its first value, not from the lowest.

    A run that memorises first improves, and often ends below where it began.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * held_out[0]:
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-memorises-from-before")
def memorises_from_before(history):
    """You compare the last held-out loss with the one before it.

    A loss may rise slowly, over many records: the lowest of all is the one to compare with.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * held_out[-2:][0]:
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-memorises-by-gap")
def memorises_by_gap(history):
    """You compare the held-out loss with the training loss; here it is compared with its own lowest value.

    A gap between the two curves is usual, and no harm while both fall.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * train[-1]:
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-memorises-any-rise")
def memorises_any_rise(history):
    """You call every rise of the held-out loss memorising, however small.

    A little up and down is noise: up to 5 % above the lowest do not count.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-memorises-absolute")
def memorises_absolute(history):
    """You allow a rise of 0.05, not of 5 %.

    Losses of 0.5 and of 20 need different margins: a percentage is a factor.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > min(held_out) + 0.05:
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-memorises-half")
def memorises_half(history):
    """You allow the held-out loss to rise by half, not by 5 %.

    5 % are 0.05, so the factor is 1.05.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.5 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-stalls-absolute")
def stalls_absolute(history):
    """You ask for a fall of 0.05, not of 5 %.

    95 % of the first loss is a factor of it.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > train[0] - 0.05:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-stalls-from-highest")
def stalls_from_highest(history):
    """You compare the last training loss with the highest, not with the first.

    How far has the run come from where it began?
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * max(train):
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-stalls-lowest")
def stalls_lowest(history):
    """You ask whether the lowest training loss has fallen, not the last one.

    A loss that fell and came back has not got anywhere.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if min(train) > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-stalls-held-out")
def stalls_by_held_out(history):
    """You look at the held-out loss to see whether the run stalls.

    Whether the model learns anything at all, its training loss tells.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if held_out[-1] > 0.95 * held_out[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-stalls-by-five")
def stalls_by_five(history):
    """You call a run stalled unless the training loss has fallen to 5 % of the first.

    The rest must be less than 95 %, not less than 5 %.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.05 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-swapped")
def swapped(history):
    """You have swapped the two losses of a record.

    A record is the steps done, then the training loss, then the held-out loss.
    """
    train, held_out = [record[2] for record in history], [record[1] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-stalls-first")
def stalls_first(history):
    """You ask whether the run stalls before you ask whether it memorises.

    A run can do both, and then its held-out loss is the more urgent sign. Keep the order of the text.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    return "learns"


@misconception("name_run", "name-run-memorises-first")
def memorises_first(history):
    """You ask whether the run memorises before you ask whether its training ends higher than it began.

    A run that diverged has learned nothing by heart. Keep the order of the text.
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out):
        return "diverged"
    if held_out[-1] > 1.05 * min(held_out):
        return "memorises"
    if train[-1] > train[0]:
        return "diverged"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-rounded")
def rounded(history):
    """You round to whole per cents before you compare, so 5.4 per cent are not more than 5.

    Compare what you have computed as it is. When do you need a rounded number?
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if round(100 * held_out[-1] / min(held_out)) > 105:
        return "memorises"
    if round(100 * train[-1] / train[0]) > 95:
        return "stalls"
    return "learns"


@misconception("name_run", "name-run-rise-of-the-last")
def rise_of_the_last(history):
    """You take the rise of the held-out loss in per cent of the last loss, not of the lowest.

    From 1 to 1.052 it rises by 5.2 per cent. By what do you divide the difference?
    """
    train, held_out = [record[1] for record in history], [record[2] for record in history]
    if not all(math.isfinite(loss) for loss in train + held_out) or train[-1] > train[0]:
        return "diverged"
    if held_out[-1] - min(held_out) > 0.05 * held_out[-1]:
        return "memorises"
    if train[-1] > 0.95 * train[0]:
        return "stalls"
    return "learns"
