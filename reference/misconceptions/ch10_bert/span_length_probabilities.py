"""What goes wrong in `span_length_probabilities`."""

import torch

from reference.ch10_bert import span_length_probabilities
from reference.misconceptions import misconception


@misconception("span_length_probabilities", "span-length-not-renormalised")
def not_renormalised(p=0.2, max_length=10):
    """Your probabilities sum to less than 1: the share of the longer lengths is missing.

    Add up your probabilities for a `max_length` of 1. They must sum to 1 again, and keep their ratios.

    Divide by what is left: `weights / weights.sum()`.
    """
    return torch.tensor([p * (1 - p) ** k for k in range(max_length)])


@misconception("span_length_probabilities", "span-length-rest-on-the-last")
def rest_on_the_last(p=0.2, max_length=10):
    """You put the probability of all longer lengths on the last one, as if they were shortened to it.

    Here they are thrown away, and all lengths share their probability: divide by the sum.
    """
    weights = torch.tensor([p * (1 - p) ** k for k in range(max_length)])
    weights[-1] += 1 - weights.sum()
    return weights


@misconception("span_length_probabilities", "span-length-p-swapped")
def p_swapped(p=0.2, max_length=10):
    """p and 1 - p are swapped: your spans end with probability 1 - p after every word.

    p is the chance that a span ends, so every further word costs a factor of 1 - p.
    """
    return span_length_probabilities(1 - p, max_length)


@misconception("span_length_probabilities", "span-length-from-zero")
def from_zero(p=0.2, max_length=10):
    """You have one probability too many: you begin with length 0, or go on to `max_length` + 1.

    The lengths are 1 to `max_length`. Which is the first number of your range, and which the last?
    """
    return span_length_probabilities(p, max_length + 1)


@misconception("span_length_probabilities", "span-length-zero-in-front")
def zero_in_front(p=0.2, max_length=10):
    """You put a 0 in front, for length 0, and have one number too many.

    The first number belongs to length 1: there are `max_length` of them.
    """
    return torch.cat([torch.zeros(1), span_length_probabilities(p, max_length)])


@misconception("span_length_probabilities", "span-length-one-short")
def one_short(p=0.2, max_length=10):
    """The longest length is missing: you have one probability too few.

    The lengths are 1 to `max_length`, both included. Which is the last number of your range?

    They are `range(1, max_length + 1)`.
    """
    weights = torch.tensor([p * (1 - p) ** k for k in range(max_length - 1)])
    return weights / weights.sum()


@misconception("span_length_probabilities", "span-length-exponent-plus-one")
def exponent_plus_one(p=0.2, max_length=10):
    """Your exponent is k instead of k - 1, and the probabilities do not sum to 1.

    A span of one word needs no toss of tails: its weight is p itself. Then divide by the sum.
    """
    return torch.tensor([p * (1 - p) ** k for k in range(1, max_length + 1)])


@misconception("span_length_probabilities", "span-length-no-p")
def no_p(p=0.2, max_length=10):
    """You return the powers of 1 - p, or divide by the largest weight: the first number alone is 1 already.

    Divide them by their sum; the factor p in front cancels out.
    """
    return torch.tensor([(1 - p) ** k for k in range(max_length)])


@misconception("span_length_probabilities", "span-length-softmax")
def softmax(p=0.2, max_length=10):
    """You take the softmax of the weights, so their exponentials are divided by the sum, not they themselves.

    The weights are positive already: dividing by their sum is all they need.
    """
    return torch.tensor([p * (1 - p) ** k for k in range(max_length)]).softmax(dim=0)


@misconception("span_length_probabilities", "span-length-cumulative")
def cumulative(p=0.2, max_length=10):
    """You return the chance of a length of at most k, which grows to 1.

    Return the chance of exactly k: p (1 - p)^(k - 1), divided by the sum.
    """
    return span_length_probabilities(p, max_length).cumsum(dim=0)


@misconception("span_length_probabilities", "span-length-reversed")
def backwards(p=0.2, max_length=10):
    """Your longest span is the most likely one: the order is reversed.

    The first number belongs to length 1, and every further word is one more toss.
    """
    return span_length_probabilities(p, max_length).flip(0)


@misconception("span_length_probabilities", "span-length-even")
def even(p=0.2, max_length=10):
    """You give all lengths the same probability.

    Short spans are more likely: each length has 1 - p times the probability of the one before.
    """
    return torch.full((max_length,), 1 / max_length)


@misconception("span_length_probabilities", "span-length-fixed-p")
def fixed_p(p=0.2, max_length=10):
    """You compute with 0.2, whatever `p` is.

    0.2 is SpanBERT's choice and the default of the argument; use the argument.
    """
    return span_length_probabilities(0.2, max_length)


@misconception("span_length_probabilities", "span-length-fixed-maximum")
def fixed_maximum(p=0.2, max_length=10):
    """You return ten probabilities, whatever `max_length` is.

    Ten is SpanBERT's choice and the default of the argument; use the argument.
    """
    return span_length_probabilities(p, 10)


@misconception("span_length_probabilities", "span-length-list")
def as_list(p=0.2, max_length=10):
    """You return a list of numbers.

    Return a tensor: `torch.tensor(...)` makes one.
    """
    return span_length_probabilities(p, max_length).tolist()


@misconception("span_length_probabilities", "span-length-float32")
def float32(p=0.2, max_length=10):
    """Your probabilities are always float32.

    Without a tensor argument, torch's default dtype applies. Let torch choose it, without `.float()`; what comes from
    NumPy is converted to `torch.get_default_dtype()`.
    """
    return span_length_probabilities(p, max_length).float()


@misconception("span_length_probabilities", "span-length-float64")
def float64(p=0.2, max_length=10):
    """Your probabilities are always float64, as NumPy's numbers are, whatever torch's default dtype is.

    Without a tensor argument, torch's default dtype applies: `torch.tensor(...)` of Python numbers has it.
    """
    weights = torch.tensor([p * (1 - p) ** k for k in range(max_length)], dtype=torch.float64)
    return weights / weights.sum()


@misconception("span_length_probabilities", "span-length-cpu")
def on_cpu(p=0.2, max_length=10):
    """Your tensor is on the CPU, even where torch's default device is another one.

    Without a tensor argument, the default device applies: leave out `device`, NumPy's arrays, and any tensor kept from
    an earlier call (a cache).
    """
    weights = torch.tensor([p * (1 - p) ** k for k in range(max_length)], device="cpu")
    return weights / weights.sum()


@misconception("span_length_probabilities", "span-length-linear")
def linear(p=0.2, max_length=10):
    """Your weights are p, p (1 - p), 2 p (1 - p), 3 p (1 - p) and so on: a product where a power should be.

    Every further word costs a factor of 1 - p: `(1 - p) ** (k - 1)`.
    """
    weights = torch.tensor([p * (1 - p) * k if k else p for k in range(max_length)])
    return weights / weights.sum()


@misconception("span_length_probabilities", "span-length-divided-by-length")
def divided_by_length(p=0.2, max_length=10):
    """You divide by the number of lengths, not by the sum of the weights.

    The weights 3 and 1 become 3/4 and 1/4. Which number do you divide by there?

    `weights / weights.sum()` makes them sum to 1.
    """
    return torch.tensor([p * (1 - p) ** k for k in range(max_length)]) / max_length


@misconception("span_length_probabilities", "span-length-mean")
def mean_length(p=0.2, max_length=10):
    """You return the mean length, one number.

    Return the probability of each length: (max_length,).
    """
    return (span_length_probabilities(p, max_length) * torch.arange(1, max_length + 1)).sum()


@misconception("span_length_probabilities", "span-length-column")
def column(p=0.2, max_length=10):
    """You return a matrix with one row or one column.

    One axis: (max_length,).
    """
    return span_length_probabilities(p, max_length)[None]


@misconception("span_length_probabilities", "span-length-survival")
def survival(p=0.2, max_length=10):
    """You return the chance of a length of at least k, which begins with 1.

    Return the chance of exactly k: p (1 - p)^(k - 1), divided by the sum.
    """
    return span_length_probabilities(p, max_length).flip(0).cumsum(dim=0).flip(0)


@misconception("span_length_probabilities", "span-length-drawn-twice")
def drawn_twice(p=0.2, max_length=10):
    """You draw once more where a length is too long, and then take the longest for what is too long again.

    It is drawn until it fits. So the longer lengths vanish, and what is left keeps its proportions.
    """
    weights = torch.tensor([p * (1 - p) ** k for k in range(max_length)])
    too_long = 1 - weights.sum()
    again = torch.cat([weights[:-1], weights[-1:] + too_long])
    return weights + too_long * again
