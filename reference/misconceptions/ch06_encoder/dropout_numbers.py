"""What goes wrong in `dropout`, continued: what becomes of the entries that stay, and of the gradients."""

import torch

from reference.ch06_encoder import dropout
from reference.misconceptions import misconception


@misconception("dropout", "dropout-times-one-plus-rate")
def times_one_plus_rate(x, rate, training):
    """You multiply what is left by 1 + rate.

    Of all entries 1 - rate are left, so divide by that: 1 / (1 - 0.2) is 1.25, not 1.2.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) >= rate) * (1 + rate) if training else x


@misconception("dropout", "dropout-root")
def over_the_root(x, rate, training):
    """You divide what is left by the root of 1 - rate.

    The mean must stay, not the variance: divide by 1 - rate itself.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand_like(x) >= rate) / (1 - rate) ** 0.5 if training else x


@misconception("dropout", "dropout-straight-through")
def gradient_of_everything(x, rate, training):
    """Entries that were dropped have a gradient all the same.

    The result must be x times mask / (1 - rate), so that the gradient is the same product: 0 where x was dropped.
    """
    return x + (dropout(x, rate, training) - x).detach()


@misconception("dropout", "dropout-squeezed")
def squeezed(x, rate, training):
    """You squeeze the result, which drops every axis of size 1.

    The result has the shape of x; leave out `squeeze()`.
    """
    return dropout(x, rate, training).squeeze()


@misconception("dropout", "dropout-overwrites")
def writes_into_x(x, rate, training):
    """You write into the caller's x.

    The caller may still need x. Do you assign to a part of x, or call a function with an underscore at its end?

    Make a new tensor: `x * kept / (1 - rate)`.
    """
    result = dropout(x, rate, training)
    return x.copy_(result) if training else result


@misconception("dropout", "dropout-type-error")
def raises_a_type_error(x, rate, training):
    """You raise a TypeError for an impossible rate.

    The type is right, the value is not: raise a ValueError that names the rate.
    """
    if not 0 <= rate < 1:
        raise TypeError(rate)
    return dropout(x, rate, training)


@misconception("dropout", "dropout-one-number-per-feature")
def one_number_per_feature(x, rate, training):
    """You draw one random number for each feature, and all vectors share it.

    A unit is not switched off for the whole batch: how many numbers must be drawn, if every entry decides for itself?

    Draw as many as x has: `torch.rand_like(x)`.
    """
    x = dropout(x, rate, False)
    return x * (torch.rand(x.shape[-1:], device=x.device) >= rate) / (1 - rate) if training else x


@misconception("dropout", "dropout-exact-share")
def exact_share(x, rate, training):
    """You drop the same number of entries each time: exactly the share `rate`.

    Each entry has a roll of the dice of its own, so the number of zeros is a matter of chance too.
    """
    x = dropout(x, rate, False)
    if not training:
        return x
    kept = torch.ones_like(x).flatten()
    kept[torch.randperm(x.numel(), device=x.device)[: int(rate * x.numel())]] = 0
    return x * kept.view_as(x) / (1 - rate)


@misconception("dropout", "dropout-opposite-halves")
def opposite_halves(x, rate, training):
    """You draw numbers for half of the entries only; the others are decided by the same numbers.

    With a rate of 0.5, its partner is dropped where an entry is kept. Each entry needs a random number of its own.
    """
    x = dropout(x, rate, False)
    if not training:
        return x
    drawn = torch.rand_like(x).flatten()
    half = len(drawn) // 2
    drawn[len(drawn) - half :] = 1 - drawn[:half]
    return x * (drawn.view_as(x) >= rate) / (1 - rate)


@misconception("dropout", "dropout-detached-in-training")
def detached_in_training(x, rate, training):
    """In training no gradient comes back through your result (detach, .data, no_grad or NumPy).

    Training is just when gradients are needed; only the random numbers have none. Use x as it is.
    """
    x = dropout(x, rate, False)
    return x.detach() * (torch.rand_like(x) >= rate) / (1 - rate) if training else x


@misconception("dropout", "dropout-one-axis-at-least")
def one_axis_at_least(x, rate, training):
    """You go through x row by row, but a tensor without axes has no rows.

    x may have any shape. `torch.rand_like` takes it from x, whatever it is.
    """
    x = dropout(x, rate, False)
    rows = [row * (torch.rand_like(row) >= rate) / (1 - rate) if training else row for row in x]
    return torch.stack(rows)


@misconception("dropout", "dropout-mirrored-draws")
def mirrored_draws(x, rate, training):
    """You draw random numbers for half of the entries only; the other half gets 1 minus the same numbers.

    So each entry decides about a partner, however evenly the numbers are spread. Each needs a random number of its own.
    """
    x = dropout(x, rate, False)
    if not training:
        return x
    drawn = torch.rand((x.numel() + 1) // 2, device=x.device)
    drawn = torch.cat([drawn, 1 - drawn])[: x.numel()].view(x.shape)
    return torch.where(drawn >= rate, x / (1 - rate), torch.zeros_like(x))
