"""Softmaxes that divide the scores by the maximum, which should be subtracted."""

import torch

from reference.ch03_attention import softmax
from reference.misconceptions import misconception


@misconception("softmax", "softmax-divided-by-max")
def softmax_divided_by_the_maximum(scores, dim):
    """You divide the scores by their maximum instead of subtracting it.

    Add the same number to all scores of a slice: the weights must stay as they are. Do their ratios?
    """
    return softmax(scores / scores.amax(dim, keepdim=True), dim)


@misconception("softmax", "softmax-divided-by-global-max")
def softmax_divided_by_the_largest_of_all(scores, dim):
    """You divide the scores by the largest of the whole tensor; no score is divided in a softmax.

    Take the maximum of each slice along `dim`, and subtract it: that leaves the differences between scores as they are.
    """
    return softmax(scores / scores.max(), dim)


@misconception("softmax", "softmax-divided-by-largest-size")
def softmax_divided_by_the_largest_size(scores, dim):
    """You divide the scores by the largest absolute value of their slice, so that all lie between -1 and 1.

    A softmax depends on how far the scores are apart, and the division changes that. What can you subtract instead?
    """
    return softmax(scores / scores.abs().amax(dim, keepdim=True), dim)


@misconception("softmax", "softmax-zero-as-last")
def softmax_zero_as_last(scores, dim):
    """Where `dim` is 0 your softmax runs along the last axis: 0 counts as false.

    What is `0 or -1` in Python? An axis is a number, not a yes or no: use `dim` as it is.
    """
    return softmax(scores, dim or -1)


@misconception("softmax", "softmax-diagonal-gradient")
def softmax_diagonal_gradient(scores, dim):
    """Your weights are right, their gradients are not: your backward has y (1 - y) alone, as for a sigmoid.

    A score changes all weights of its slice, because they share one sum. Torch finds all of these terms by itself.
    """

    class Weights(torch.autograd.Function):
        @staticmethod
        def forward(ctx, scores, dim):
            weights = softmax(scores, dim)
            ctx.save_for_backward(weights)
            return weights

        @staticmethod
        def backward(ctx, grad):
            (weights,) = ctx.saved_tensors
            return grad * weights * (1 - weights), None

    return Weights.apply(scores, dim)


@misconception("softmax", "softmax-running-sum")
def softmax_of_running_sums(scores, dim):
    """You divide each exponential by the sum up to its own place, not by the sum of its whole slice.

    `cumsum` and `logcumsumexp` give running sums, of which only the last is the whole. How many different numbers may
    there be to divide by, in one slice?
    """
    powers = (scores - scores.amax(dim, keepdim=True)).exp()
    return powers / powers.cumsum(dim)
