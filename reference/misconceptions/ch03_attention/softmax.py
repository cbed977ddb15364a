"""What goes wrong in `softmax`."""

import math

import torch

from reference.ch03_attention import (
    softmax,
)
from reference.misconceptions import misconception


@misconception("softmax", "softmax-max-keepdim")
def softmax_maximum_loses_its_axis(scores, dim):
    """The maximum you subtract has lost its axis: `keepdim=True` is missing there.

    Write `scores.amax(dim, keepdim=True)`: without that axis of size 1 the maxima meet the scores along another one,
    or not at all.
    """
    exponentials = (scores - scores.amax(dim)).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-sum-keepdim")
def softmax_sum_loses_its_axis(scores, dim):
    """The sum you divide by has lost its axis: `keepdim=True` is missing there.

    Write `e.sum(dim, keepdim=True)`, e the exponentials: without that axis of size 1 the sums meet them along another
    one, or not at all.
    """
    exponentials = (scores - scores.amax(dim, keepdim=True)).exp()
    return exponentials / exponentials.sum(dim)


@misconception("softmax", "softmax-no-shift")
def softmax_no_shift(scores, dim):
    """Your softmax exponentiates the scores as they are, so large ones overflow and very small ones vanish.

    Subtract each slice's maximum along `dim` first: the factor cancels, and no exponential exceeds 1.
    """
    exponentials = scores.exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-nan-hidden")
def softmax_nan_hidden(scores, dim):
    """Your softmax overflows, or divides 0 by 0, and the NaN is then replaced by a number.

    The weights of such a slice are lost; subtract its maximum before `exp` and no NaN comes up.
    """
    exponentials = scores.exp()
    return torch.nan_to_num(exponentials / exponentials.sum(dim, keepdim=True))


@misconception("softmax", "softmax-clamped")
def softmax_clamped(scores, dim):
    """Your scores are clamped against overflow, so all scores beyond the limit get the same weight.

    Subtract the maximum instead of clamping: differences between scores are all that counts, and they stay.
    """
    exponentials = scores.clamp(-50, 50).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-global-max")
def softmax_global_maximum(scores, dim):
    """You subtract the largest score of the whole tensor, not of each slice along `dim`.

    A slice far below that maximum underflows to 0/0; take `scores.amax(dim, keepdim=True)`.
    """
    exponentials = (scores - scores.max()).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-minimum")
def softmax_minimum(scores, dim):
    """You subtract the minimum of each slice, not its maximum.

    The largest exponent is what overflows, so the largest score has to become 0; the minimum may even be -inf.
    """
    exponentials = (scores - scores.amin(dim, keepdim=True)).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-last-axis")
def softmax_always_last_axis(scores, dim):
    """Your softmax runs along the last axis, whatever `dim` is.

    Hand `dim` to the maximum and to the sum.
    """
    return softmax(scores, -1)


@misconception("softmax", "softmax-whole-sum")
def softmax_whole_sum(scores, dim):
    """You divide by the sum over the whole tensor, so that only all weights together sum to 1.

    Every slice is a distribution of its own: sum along `dim` only.
    """
    exponentials = (scores - scores.max()).exp()
    return exponentials / exponentials.sum()


@misconception("softmax", "softmax-unnormalised")
def softmax_unnormalised(scores, dim):
    """You return the exponentials without dividing them by their sum.

    Divide by `e.sum(dim, keepdim=True)`, so that the weights of a slice sum to 1.
    """
    return scores.exp()


@misconception("softmax", "softmax-shifted-unnormalised")
def softmax_shifted_unnormalised(scores, dim):
    """You subtract the maximum, or divide by the largest exponential, but do not divide by the sum.

    Divide by `e.sum(dim, keepdim=True)`, so that the weights of a slice sum to 1.
    """
    return (scores - scores.amax(dim, keepdim=True)).exp()


@misconception("softmax", "softmax-no-exp")
def softmax_without_exponential(scores, dim):
    """You divide the scores themselves by their sum: the exponential is missing.

    Take `exp` of the scores, less each slice's maximum, and divide that by its sum along `dim`.
    """
    return scores / scores.sum(dim, keepdim=True)


@misconception("softmax", "softmax-log")
def softmax_logarithm(scores, dim):
    """You return the logarithms of the weights.

    Weights are numbers from 0 to 1; take exp of what you return now.
    """
    return scores - torch.logsumexp(scores, dim, keepdim=True)


@misconception("softmax", "softmax-hard")
def softmax_one_hot(scores, dim):
    """You give weight 1 to the largest score and 0 to all others.

    That is an arg-max, without a useful gradient: divide each `exp(score)` by their sum along `dim`, so that every
    finite score counts.
    """
    return (scores == scores.amax(dim, keepdim=True)).to(scores.dtype)


@misconception("softmax", "softmax-epsilon")
def softmax_epsilon(scores, dim):
    """You add a small number to the sum, so the weights no longer sum to 1.

    Divide by the sum alone: with the maximum subtracted it is at least 1 and never needs help.
    """
    exponentials = (scores - scores.amax(dim, keepdim=True)).exp()
    return exponentials / (exponentials.sum(dim, keepdim=True) + 1e-8)


@misconception("softmax", "softmax-detached")
def softmax_detached(scores, dim):
    """Your weights are cut off from the scores: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the given tensor itself and with torch's operations throughout, or nothing can be learned.
    """
    return softmax(scores.detach(), dim)


@misconception("softmax", "softmax-overwritten-exponentials")
def softmax_overwritten_exponentials(scores, dim):
    """You divide the exponentials in place, and their old values are what the gradient of `exp` needs.

    The weights come out right, but nothing can be learned: write `e / e.sum(...)` instead of `e /= e.sum(...)`.
    """
    exponentials = (scores - scores.amax(dim, keepdim=True)).exp()
    exponentials /= exponentials.sum(dim, keepdim=True)
    return exponentials


@misconception("softmax", "softmax-in-place")
def softmax_in_place(scores, dim):
    """Your softmax overwrites the scores it was given.

    `-=`, `exp_()` and their like write into the caller's tensor; make new ones with `-` and `exp()`.
    """
    scores -= scores.amax(dim, keepdim=True)
    exponentials = scores.exp_()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-float32")
def softmax_float32(scores, dim):
    """Your softmax always answers in float32.

    Leave out `.float()` and `dtype=torch.float32`: the weights have the dtype of the scores.
    """
    return softmax(scores.float(), dim)


@misconception("softmax", "softmax-base-2")
def softmax_base_2(scores, dim):
    """You raise 2 to the scores, not e.

    Use the exponential: `scores.exp()`.
    """
    return softmax(scores * math.log(2), dim)


@misconception("softmax", "softmax-sigmoid")
def softmax_sigmoid(scores, dim):
    """You apply a sigmoid to each score by itself, so the weights do not sum to 1.

    Divide the exponentials by their sum along `dim`.
    """
    return scores.sigmoid()


@misconception("softmax", "softmax-first-axis")
def softmax_first_axis(scores, dim):
    """Your softmax runs along the first axis, whatever `dim` is.

    Give `dim` to the maximum and to the sum.
    """
    return softmax(scores, 0)


@misconception("softmax", "softmax-plus-one")
def softmax_plus_one(scores, dim):
    """You add 1 to the sum, so the weights do not sum to 1.

    Divide by the sum of the exponentials itself: it is at least 1 after the shift.
    """
    weights = (scores - scores.amax(dim, keepdim=True)).exp()
    return weights / (1 + weights.sum(dim, keepdim=True))


@misconception("softmax", "softmax-mean-shift")
def softmax_mean_shift(scores, dim):
    """You subtract the mean of each slice, not its maximum.

    Subtract the largest score: only then is no exponent above 0.
    """
    weights = (scores - scores.mean(dim, keepdim=True)).exp()
    return weights / weights.sum(dim, keepdim=True)


@misconception("softmax", "softmax-sums-last-axis")
def softmax_sums_the_last_axis(scores, dim):
    """You divide by the sums along the last axis, whatever `dim` says.

    Along which axis must the weights sum to 1? Look at each line that names an axis.
    """
    weights = (scores - scores.amax(dim, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)


@misconception("softmax", "softmax-floored")
def softmax_floored(scores, dim):
    """Where a score is -inf your weight is tiny, but not 0: you keep the exponents above some bound.

    What is `exp` of -inf? With the maximum subtracted, which side of 0 is still in danger of an overflow?
    """
    exponentials = (scores - scores.amax(dim, keepdim=True)).clamp(min=-20).exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


@misconception("softmax", "softmax-infinity-filled")
def softmax_infinity_filled(scores, dim):
    """You replace -inf by a number such as -10000; where the other scores are lower still, the -inf gets the weight.

    Is there any need to replace it? Follow a row of 0.7 and -inf through the shift and through `exp`.
    """
    return softmax(scores.masked_fill(scores == -math.inf, -10000.0), dim)
