"""Softmaxes that divide the scores by the maximum, which should be subtracted."""

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
