"""Inputs that tell little about masks."""

import torch

from reference.misconceptions import misconception


@misconception("probe_masking", "probe-masking-none")
def no_mask():
    """You give no mask.

    Nothing is hidden then, and no mistake about masks can show; give a mask that hides some keys and not others.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    return q, k, torch.arange(60.0).reshape(2, 5, 6), None


@misconception("probe_masking", "probe-masking-all-true")
def everything_allowed():
    """Your mask allows everything.

    It is as good as none; a mask exposes mistakes only if it hides something.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    return q, k, torch.arange(60.0).reshape(2, 5, 6), torch.ones(3, 5, dtype=torch.bool)


@misconception("probe_masking", "probe-masking-all-false")
def nothing_allowed():
    """Your mask allows nothing at all.

    Every answer is zero then, whatever the scores are; leave one query without keys, and let the others see some.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    return q, k, torch.arange(60.0).reshape(2, 5, 6), torch.zeros(3, 5, dtype=torch.bool)


@misconception("probe_masking", "probe-masking-causal")
def causal_only():
    """Your mask is the causal one, and no other.

    In it every query sees a key. Leave one query without any, and let some scores be too large for exp.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 4, 3)
    k = torch.cos(torch.arange(24.0)).reshape(2, 4, 3)
    return q, k, torch.arange(40.0).reshape(2, 4, 5), torch.ones(4, 4, dtype=torch.bool).tril()


@misconception("probe_masking", "probe-masking-no-dead-row")
def every_query_sees_something():
    """In your mask every query may attend to something.

    In a row that is all False, a softmax divides zero by zero; test it.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    mask = torch.tensor([[[True, True, False, True, False]], [[False, True, True, False, True]]])
    return q, k, torch.arange(60.0).reshape(2, 5, 6), mask


@misconception("probe_masking", "probe-masking-one-for-all")
def one_mask_for_all():
    """All sentences have the same mask.

    Code that takes the first one's mask for all is right by accident; let the masks of two sentences differ.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    mask = torch.tensor([[[True, True, False, True, False], [False] * 5, [False, True, True, False, True]]])
    return q, k, torch.arange(60.0).reshape(2, 5, 6), mask


@misconception("probe_masking", "probe-masking-full-size")
def as_large_as_the_scores():
    """Your mask is exactly as large as the scores.

    Masks mostly come smaller, (B, 1, 1, Tk) or (Tq, Tk), and must broadcast; give one that has to.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    mask = torch.arange(30).reshape(2, 3, 5) % 3 != 0
    mask[0, 1] = False
    return q, k, torch.arange(60.0).reshape(2, 5, 6), mask


@misconception("probe_masking", "probe-masking-equal-scores")
def equal_scores():
    """All your scores are equal.

    The mask is a good one, but equal scores hide how they are scaled; queries and keys must hold different numbers.
    """
    mask = torch.tensor([[True, True, False, True, False], [False] * 5, [False, True, True, False, True]])
    return torch.ones(2, 3, 4), torch.ones(2, 5, 4), torch.arange(60.0).reshape(2, 5, 6), mask


@misconception("probe_masking", "probe-masking-four-everywhere")
def four_everywhere():
    """Keys, columns of the queries and columns of the values are four each.

    Dividing by √4 is then right for three reasons, two of them wrong; make these sizes differ.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(32.0)).reshape(2, 4, 4)
    mask = torch.tensor([[True, True, False, True], [False] * 4, [False, True, True, False]])
    return q, k, torch.arange(32.0).reshape(2, 4, 4), mask


@misconception("probe_masking", "probe-masking-calm")
def calm():
    """Mask and sizes are good, but none of your scores is large.

    exp overflows beyond 709: multiply one query until its scores are larger than that, and leave the others alone.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    mask = torch.tensor([[True, True, False, True, False], [False] * 5, [False, True, True, False, True]])
    return q, k, torch.arange(60.0).reshape(2, 5, 6), mask


@misconception("probe_masking", "probe-masking-huge")
def huge():
    """All your scores are huge.

    Each query then picks a single key, scaled or not; give huge numbers to some queries, not to all.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4) * 1e5
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    mask = torch.tensor([[True, True, False, True, False], [False] * 5, [False, True, True, False, True]])
    return q, k, torch.arange(60.0).reshape(2, 5, 6), mask


@misconception("probe_masking", "probe-masking-numbers")
def numbers_for_a_mask():
    """Your mask is made of numbers, 0 and -1e6, to be added to the scores.

    The masks of this course are boolean, True = may attend: `numbers == 0`.
    """
    q = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    k = torch.cos(torch.arange(40.0)).reshape(2, 5, 4)
    return q, k, torch.arange(60.0).reshape(2, 5, 6), torch.ones(3, 5).triu(1) * -1e6
