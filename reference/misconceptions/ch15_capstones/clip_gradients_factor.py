"""What goes wrong in `clip_gradients`: the factor, the norm and what is returned."""

import math

from reference.misconceptions import misconception


@misconception("clip_gradients", "clip-gradients-zero-division")
def zero_division(parameters, limit):
    """You divide by the norm even if it is 0.

    Then there is nothing to shorten: divide only if the norm is larger than the limit.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    factor = min(1.0, limit / norm)
    for gradient in gradients:
        gradient.mul_(factor)
    return norm


@misconception("clip_gradients", "clip-gradients-inverse-factor")
def inverse_factor(parameters, limit):
    """Your factor is `norm / limit`: long gradients become longer.

    The factor is `limit / norm`, below 1 where the norm is above the limit.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(norm / limit)
    return norm


@misconception("clip_gradients", "clip-gradients-by-the-limit")
def by_the_limit(parameters, limit):
    """You multiply by the limit, without dividing by the norm.

    The factor is `limit / norm`.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit)
    return norm


@misconception("clip_gradients", "clip-gradients-square-in-the-factor")
def square_in_the_factor(parameters, limit):
    """You divide by the square of the norm.

    The factor is `limit / norm`.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm**2)
    return norm


@misconception("clip_gradients", "clip-gradients-first-only")
def first_only(parameters, limit):
    """You scale the first gradient only.

    All gradients are multiplied by the same factor.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        gradients[0].mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-set-to-zero")
def set_to_zero(parameters, limit):
    """You set gradients to 0 where the norm is above the limit.

    The step keeps its direction: multiply by `limit / norm`.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.zero_()
    return norm


@misconception("clip_gradients", "clip-gradients-subtracted")
def subtracted(parameters, limit):
    """You subtract from the gradients instead of multiplying them.

    Only one factor for all keeps the direction: `gradient.mul_(limit / norm)`.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.sub_(norm - limit)
    return norm


@misconception("clip_gradients", "clip-gradients-nothing-returned")
def nothing_returned(parameters, limit):
    """You return nothing.

    Return the norm before clipping, as a float.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return


@misconception("clip_gradients", "clip-gradients-factor-returned")
def factor_returned(parameters, limit):
    """You return the factor, not the norm.

    Return the norm before clipping: it tells how bad the batch was.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return min(1.0, limit / max(norm, 1e-12))


@misconception("clip_gradients", "clip-gradients-square-returned")
def square_returned(parameters, limit):
    """You return the square of the norm.

    Return its root: the norm itself.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm**2


@misconception("clip_gradients", "clip-gradients-average-norm")
def average_norm(parameters, limit):
    """You take the average of the gradients' norms as the norm of all.

    Add up all squares, and take one root at the end.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = sum(gradient.norm().item() for gradient in gradients) / len(gradients)
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-last-norm")
def last_norm(parameters, limit):
    """You take the norm of the last gradient as the norm of all.

    A loop that overwrites its result keeps the last one: add up the squares of all.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = gradients[-1].norm().item()
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-plain-sum")
def plain_sum(parameters, limit):
    """You add up the gradients themselves, without squares.

    Negative numbers cancel positive ones: the norm is the root of the sum of squares.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = abs(sum(gradient.sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-rounded")
def rounded(parameters, limit):
    """You round the norm.

    Return it as it is.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return round(norm, 2)


@misconception("clip_gradients", "clip-gradients-entries-norm-after")
def entries_norm_after(parameters, limit):
    """You clip every single number at the limit, as `clamp` does, and return the norm of what is left.

    Clipping changes the direction of the step that way: all gradients need one factor. Return the norm from before.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    for gradient in gradients:
        gradient.clamp_(-limit, limit)
    return math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))


@misconception("clip_gradients", "clip-gradients-new-tensors")
def new_tensors(parameters, limit):
    """You put new tensors in the place of the gradients, or new numbers into them through `.data`, in other memory.

    The numbers are right, but what held a gradient before, such as a bucket of gradients from several machines, still
    has the long one. Which operations change a tensor in place?
    """
    learning = [parameter for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(parameter.grad.square().sum().item() for parameter in learning))
    if norm > limit:
        for parameter in learning:
            parameter.grad = parameter.grad * (limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-norm-so-far")
def norm_so_far(parameters, limit):
    """You scale each gradient by the norm of those up to it, so each gets a factor of its own.

    The joint norm is known only when all squares are added up. Which gradients have you seen when you scale the first?
    """
    squares = 0.0
    for parameter in parameters:
        if parameter.grad is not None:
            squares += parameter.grad.square().sum().item()
            if math.sqrt(squares) > limit:
                parameter.grad.mul_(limit / math.sqrt(squares))
    return math.sqrt(squares)
