"""What goes wrong in `clip_gradients`."""

import math

import torch

from reference.misconceptions import misconception


@misconception("clip_gradients", "clip-gradients-each-by-itself")
def each_by_itself(parameters, limit):
    """You clip every gradient by its own norm: long ones become shorter, short ones do not.

    The step would go in another direction. One norm of all gradients together, and one factor for all of them.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norms = [gradient.norm().item() for gradient in gradients]
    for gradient, norm in zip(gradients, norms, strict=True):
        if norm > limit:
            gradient.mul_(limit / norm)
    return math.sqrt(sum(norm**2 for norm in norms))


@misconception("clip_gradients", "clip-gradients-entries")
def entries(parameters, limit):
    """You clip every single number at the limit, as `clamp` does.

    That changes the direction of the step. Multiply all gradients by one factor instead.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    for gradient in gradients:
        gradient.clamp_(-limit, limit)
    return norm


@misconception("clip_gradients", "clip-gradients-norm-after")
def norm_after(parameters, limit):
    """You return the norm after clipping, which is never above the limit.

    The norm before tells how bad the batch was. Compute it first, and return that.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return min(norm, limit)


@misconception("clip_gradients", "clip-gradients-lengthened")
def lengthened(parameters, limit):
    """You always scale, so small gradients become longer.

    The limit is a limit, not a target. Scale only where the norm is larger, or by a factor of 1 at most.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    for gradient in gradients:
        gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-small-ones-only")
def small_ones_only(parameters, limit):
    """You compare the wrong way round: small gradients become longer, and long ones stay.

    Scale where the norm is *larger* than the limit.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm < limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-copies")
def copies(parameters, limit):
    """The parameters' gradients stay as they were: you scale copies of them, or nothing at all.

    `gradient = gradient * factor` gives a name to a new tensor. Change it in place: `gradient.mul_(factor)`.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        gradients = [gradient * (limit / norm) for gradient in gradients]
    return norm


@misconception("clip_gradients", "clip-gradients-none")
def none_not_passed_over(parameters, limit):
    """You assume that every parameter has a gradient.

    A frozen layer's `grad` is None. Take only those that have one: `if parameter.grad is not None`.
    """
    gradients = [parameter.grad for parameter in parameters]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-two-passes")
def two_passes(parameters, limit):
    """You go through `parameters` twice, but you can iterate over `model.parameters()` only once.

    The second loop finds nothing, and nothing is clipped, without an error. Make a list first.
    """
    norm = math.sqrt(sum(each.grad.square().sum().item() for each in parameters if each.grad is not None))
    if norm > limit:
        for parameter in parameters:
            if parameter.grad is not None:
                parameter.grad.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-sum-of-norms")
def sum_of_norms(parameters, limit):
    """You add up the norms of the gradients.

    The lengths of pieces at right angles do not add up. Add up the squares, and take one root at the end.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = sum(gradient.norm().item() for gradient in gradients)
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-largest-norm")
def largest_norm(parameters, limit):
    """You take the largest of the gradients' norms as the norm of all.

    The norm of all is longer than each of them: add up all squares, and take one root at the end.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = max(gradient.norm().item() for gradient in gradients)
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-no-root")
def no_root(parameters, limit):
    """The root is missing: you take the sum of the squares as the norm.

    The norm is the square root of that sum.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = sum(gradient.square().sum().item() for gradient in gradients)
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-mean-square")
def mean_square(parameters, limit):
    """You take the mean of the squares instead of their sum.

    A model with many parameters would never be clipped. Add up all squares, and take the root.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    numbers = torch.cat([gradient.flatten() for gradient in gradients])
    norm = numbers.square().mean().sqrt().item()
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-largest-number")
def largest_number(parameters, limit):
    """You take the largest number of all gradients as their norm.

    The norm is the length of the whole vector: the root of the sum of all squares.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = max(gradient.abs().max().item() for gradient in gradients)
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-absolute-values")
def absolute_values(parameters, limit):
    """You add up absolute values instead of squares.

    The length of a vector is the root of the sum of its squares.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = sum(gradient.abs().sum().item() for gradient in gradients)
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-of-the-values")
def of_the_values(parameters, limit):
    """You take the norm of the parameters' values, not of their gradients.

    The step is too long, and the step is the gradient: `parameter.grad`.
    """
    learning = [parameter for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(parameter.detach().square().sum().item() for parameter in learning))
    if norm > limit:
        for parameter in learning:
            parameter.grad.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-values-scaled")
def values_scaled(parameters, limit):
    """You scale the parameters themselves, not their gradients.

    The model would forget what it has learned. Multiply `parameter.grad`.
    """
    learning = [parameter for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(parameter.grad.square().sum().item() for parameter in learning))
    if norm > limit:
        for parameter in learning:
            parameter.detach().mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-to-norm-one")
def limit_not_in_the_factor(parameters, limit):
    """You divide by the norm alone: clipped gradients have the norm 1, whatever the limit is.

    The factor is `limit / norm`.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.div_(norm)
    return norm


@misconception("clip_gradients", "clip-gradients-tensor")
def a_tensor(parameters, limit):
    """You return a tensor instead of a Python float.

    `.item()` makes a float of it; a tensor in your log would keep memory for every step.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = torch.cat([gradient.flatten() for gradient in gradients]).norm()
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm


@misconception("clip_gradients", "clip-gradients-first-consumed")
def first_consumed(parameters, limit):
    """You take the first parameter before your loop, as `next(iter(...))` or `any(...)` does, and the loop misses it.

    A generator gives each parameter once. How often do you go through them?
    """
    next(iter(parameters), None)
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    for gradient in gradients if norm > limit else ():
        gradient.mul_(limit / norm)
    return norm
