"""Inputs that tell little about attention."""

import torch

from reference.misconceptions import misconception


@misconception("probe_attention", "probe-attention-ones")
def ones():
    """Your queries, keys and values are all ones.

    Scores and weights are all equal then, and an average of ones is one, whatever you swap; let numbers differ.
    """
    x = torch.ones(1, 2, 2)
    return x, x, x


@misconception("probe_attention", "probe-attention-zeros")
def zeros():
    """Your queries, keys and values are all zeros.

    A score of zero is zero however it is scaled, and an average of zeros is zero; use numbers that all differ.
    """
    return torch.zeros(2, 3, 4), torch.zeros(2, 5, 4), torch.zeros(2, 5, 6)


@misconception("probe_attention", "probe-attention-one-tensor")
def one_tensor():
    """Your queries, keys and values are one and the same tensor.

    Code that confuses two of the three is right by accident; give each role its own numbers and its own sizes.
    """
    x = torch.arange(24.0).reshape(2, 3, 4) / 10
    return x, x, x


@misconception("probe_attention", "probe-attention-square")
def square():
    """All your sizes are equal: as many sentences as queries, keys and columns.

    √Tk and √d are then the same number, and an axis too far to the left still fits; let all sizes differ.
    """
    q = torch.sin(torch.arange(27.0)).reshape(3, 3, 3)
    return q, torch.cos(q * 7), torch.sin(q * 9)


@misconception("probe_attention", "probe-attention-keys-as-width")
def as_many_keys_as_columns():
    """You have as many keys as a query has numbers.

    Dividing by √Tk is then dividing by √d; let Tk and d differ.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(32.0)).reshape(2, 4, 4)
    return q, k, torch.arange(40.0).reshape(2, 4, 5)


@misconception("probe_attention", "probe-attention-width-one")
def width_one():
    """Your queries and keys hold a single number each.

    √1 is 1: you cannot see whether scores are divided by √d, by d or not at all. Make d larger, unlike other sizes.
    """
    q = torch.sin(torch.arange(6.0)).reshape(2, 3, 1)
    k = torch.cos(torch.arange(10.0)).reshape(2, 5, 1)
    return q, k, torch.arange(20.0).reshape(2, 5, 2)


@misconception("probe_attention", "probe-attention-width-64")
def width_of_the_paper():
    """Your queries are 64 wide, like those of the paper.

    √64 is 8, so code with a hard-coded 8 is right here; take a width that no one would hard-code.
    """
    q = torch.sin(torch.arange(384.0)).reshape(2, 3, 64)
    k = torch.cos(torch.arange(640.0)).reshape(2, 5, 64)
    return q, k, torch.arange(20.0).reshape(2, 5, 2)


@misconception("probe_attention", "probe-attention-one-key")
def one_key():
    """There is only one key.

    Its weight is 1 whatever the score, so the scale does not matter. Give a query several keys to choose from.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    return q, torch.cos(torch.arange(8.0)).reshape(2, 1, 4), torch.arange(10.0).reshape(2, 1, 5)


@misconception("probe_attention", "probe-attention-equal-keys")
def equal_keys():
    """All your keys are equal.

    So are the scores of a query and its weights, whatever happens to them; keys must differ.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    return q, torch.ones(2, 5, 4), torch.arange(60.0).reshape(2, 5, 6)


@misconception("probe_attention", "probe-attention-tiny")
def tiny():
    """Your numbers are so small that all scores are nearly zero.

    The softmax of tiny scores is nearly the same everywhere; scores from about -3 to 3 tell more.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4) * 1e-6
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4) * 1e-6
    return q, k, torch.arange(60.0).reshape(2, 5, 6)


@misconception("probe_attention", "probe-attention-huge")
def huge():
    """All your scores are huge.

    Every query then takes one value and nothing else, scaled or not; give huge numbers to some queries, not to all.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4) * 1e5
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    return q, k, torch.arange(60.0).reshape(2, 5, 6)


@misconception("probe_attention", "probe-attention-three-axes")
def calm_numbers_on_three_axes():
    """Your numbers are good, but there are three axes as in every example, and no score is large.

    Attention must work for (B, H, T, d) as well, and exp overflows beyond 709: test both.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    return q, k, torch.arange(60.0).reshape(2, 5, 6)


@misconception("probe_attention", "probe-attention-queries-only")
def queries_only():
    """You return one tensor, but the call takes three arguments.

    What you return becomes the arguments of a call of attention. How many are they, and in which order?

    Return a tuple as you would write it in a call: `return q, k, v`.
    """
    return torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
