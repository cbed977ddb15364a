"""Inputs that tell little about several heads."""

import torch

from reference.misconceptions import misconception


@misconception("probe_multihead", "probe-multihead-ones")
def ones():
    """Your words are all equal, and there is no mask.

    The average of equal words is the same whatever the weights are; give numbers that differ, and a mask.
    """
    x = torch.ones(1, 2, 12)
    return x, x, x, None


@misconception("probe_multihead", "probe-multihead-self")
def self_attention():
    """Query, key and value are one and the same tensor.

    Code that confuses them is right by accident; in cross-attention all three may differ, and so may Tq and Tk.
    """
    x = torch.sin(torch.arange(96.0)).reshape(2, 4, 12)
    return x, x, x, torch.ones(4, 4, dtype=torch.bool).tril()


@misconception("probe_multihead", "probe-multihead-key-is-value")
def key_is_value():
    """Key and value are one and the same tensor.

    Code that makes values from the keys is right by accident; the two arguments may differ, so let them.
    """
    memory = torch.cos(torch.arange(120.0)).reshape(2, 5, 12)
    mask = torch.arange(90).reshape(2, 3, 3, 5) % 4 != 0
    mask[0, :, 1] = False
    return torch.sin(torch.arange(72.0)).reshape(2, 3, 12), memory, memory, mask


@misconception("probe_multihead", "probe-multihead-no-mask")
def no_mask():
    """You give no mask.

    Many mistakes with several heads give a mask to the wrong sentence or head; let each sentence and head have its own.
    """
    query, key = torch.sin(torch.arange(72.0)).reshape(2, 3, 12), torch.cos(torch.arange(120.0)).reshape(2, 5, 12)
    return query, key, torch.sin(torch.arange(120.0) * 2).reshape(2, 5, 12), None


@misconception("probe_multihead", "probe-multihead-mask-for-all")
def mask_for_all():
    """All sentences and all heads share one mask, (Tq, Tk).

    You cannot see which mask is used; give every sentence and every head its own, (B, H, Tq, Tk).
    """
    query, key = torch.sin(torch.arange(72.0)).reshape(2, 3, 12), torch.cos(torch.arange(120.0)).reshape(2, 5, 12)
    mask = torch.tensor([[True, True, False, True, False], [False] * 5, [False, True, True, False, True]])
    return query, key, torch.sin(torch.arange(120.0) * 2).reshape(2, 5, 12), mask


@misconception("probe_multihead", "probe-multihead-mask-without-heads")
def mask_without_heads():
    """Your mask is the same for all heads of a sentence, (B, 1, Tq, Tk).

    Code that takes the first head's mask for all is right by accident; give each head its own, (B, H, Tq, Tk).
    """
    query, key = torch.sin(torch.arange(72.0)).reshape(2, 3, 12), torch.cos(torch.arange(120.0)).reshape(2, 5, 12)
    mask = torch.arange(30).reshape(2, 1, 3, 5) % 4 != 0
    mask[0, :, 1] = False
    return query, key, torch.sin(torch.arange(120.0) * 2).reshape(2, 5, 12), mask


@misconception("probe_multihead", "probe-multihead-no-dead-row")
def every_query_sees_something():
    """In your masks every query may attend to something.

    In a row that is all False, a softmax divides zero by zero; test it.
    """
    query, key = torch.sin(torch.arange(72.0)).reshape(2, 3, 12), torch.cos(torch.arange(120.0)).reshape(2, 5, 12)
    mask = torch.arange(90).reshape(2, 3, 3, 5) % 4 != 0
    return query, key, torch.sin(torch.arange(120.0) * 2).reshape(2, 5, 12), mask


@misconception("probe_multihead", "probe-multihead-batch-of-one")
def batch_of_one():
    """There is only one sentence.

    What mixes the sentences of a batch, or their masks, has nothing to mix; two are enough to see it.
    """
    query, key = torch.sin(torch.arange(36.0)).reshape(1, 3, 12), torch.cos(torch.arange(60.0)).reshape(1, 5, 12)
    mask = torch.arange(45).reshape(1, 3, 3, 5) % 4 != 0
    mask[:, :, 1] = False
    return query, key, torch.sin(torch.arange(60.0) * 2).reshape(1, 5, 12), mask


@misconception("probe_multihead", "probe-multihead-four-keys")
def four_keys():
    """You have four keys, and a head is four wide.

    Dividing by √Tk is then dividing by √d; take another number of keys.
    """
    query, key = torch.sin(torch.arange(72.0)).reshape(2, 3, 12), torch.cos(torch.arange(96.0)).reshape(2, 4, 12)
    mask = torch.arange(72).reshape(2, 3, 3, 4) % 5 != 0
    mask[0, :, 1] = False
    return query, key, torch.sin(torch.arange(96.0) * 2).reshape(2, 4, 12), mask


@misconception("probe_multihead", "probe-multihead-one-word")
def one_word():
    """There is only one word to look at.

    Its weight is 1 in every head, whatever the score; give a query something to choose from.
    """
    query, key = torch.sin(torch.arange(72.0)).reshape(2, 3, 12), torch.cos(torch.arange(24.0)).reshape(2, 1, 12)
    return query, key, torch.sin(torch.arange(24.0) * 2).reshape(2, 1, 12), torch.ones(3, 1, dtype=torch.bool)


@misconception("probe_multihead", "probe-multihead-split-already")
def split_already():
    """Your arguments are cut into heads already, (B, H, T, d).

    The layer takes whole words, (B, T, 12), and cuts them itself: that is part of the test.
    """
    query, key = torch.sin(torch.arange(72.0)).reshape(2, 3, 3, 4), torch.cos(torch.arange(120.0)).reshape(2, 3, 5, 4)
    return query, key, torch.sin(torch.arange(120.0) * 2).reshape(2, 3, 5, 4), None


@misconception("probe_multihead", "probe-multihead-one-argument")
def one_argument():
    """You give one argument, but the call takes query, key and value.

    Even where all three are the same tensor the call names each of them. What else does it take?

    Return all four: `return query, key, value, mask`.
    """
    return (torch.sin(torch.arange(72.0)).reshape(2, 3, 12),)
