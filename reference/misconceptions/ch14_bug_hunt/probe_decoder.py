"""Inputs that tell little about a decoder block."""

import torch

from reference.misconceptions import misconception


@misconception("probe_decoder", "probe-decoder-ones")
def ones():
    """Words and memory are all ones, and there are no masks.

    Among equal words it does not matter which ones a query looks at; give numbers that differ, and masks that hide some
    words.
    """
    return torch.ones(1, 2, 8), torch.ones(1, 2, 8), None, None


@misconception("probe_decoder", "probe-decoder-no-masks")
def no_masks():
    """You give no masks.

    Then a forgotten mask, or one given to the wrong attention, does not show; give both.
    """
    return torch.sin(torch.arange(48.0)).reshape(2, 3, 8), torch.cos(torch.arange(80.0)).reshape(2, 5, 8), None, None


@misconception("probe_decoder", "probe-decoder-all-true")
def everything_allowed():
    """Your masks allow everything.

    They are as good as none; a mask exposes mistakes only if it hides something.
    """
    x, memory = torch.sin(torch.arange(48.0)).reshape(2, 3, 8), torch.cos(torch.arange(80.0)).reshape(2, 5, 8)
    return x, memory, torch.ones(3, 3, dtype=torch.bool), torch.ones(3, 5, dtype=torch.bool)


@misconception("probe_decoder", "probe-decoder-no-memory-mask")
def no_memory_mask():
    """There is a mask for the target, but none for the memory.

    Code that forgets `memory_mask` is then right; hide a part of the memory.
    """
    x, memory = torch.sin(torch.arange(48.0)).reshape(2, 3, 8), torch.cos(torch.arange(80.0)).reshape(2, 5, 8)
    return x, memory, torch.ones(3, 3, dtype=torch.bool).tril(), None


@misconception("probe_decoder", "probe-decoder-no-self-mask")
def no_self_mask():
    """There is a mask for the memory, but none for the target.

    Code that forgets `self_mask` is then right; hide a part of the target.
    """
    x, memory = torch.sin(torch.arange(48.0)).reshape(2, 3, 8), torch.cos(torch.arange(80.0)).reshape(2, 5, 8)
    return x, memory, None, torch.tensor([[[[True, False, True, True, False]]], [[[True, True, False, True, True]]]])


@misconception("probe_decoder", "probe-decoder-one-mask")
def one_mask_for_both():
    """Both attentions have the same mask.

    Swapping two equal masks changes nothing; give each its own, and the memory another length than the target.
    """
    past = torch.ones(4, 4, dtype=torch.bool).tril()
    return torch.sin(torch.arange(64.0)).reshape(2, 4, 8), torch.cos(torch.arange(64.0)).reshape(2, 4, 8), past, past


@misconception("probe_decoder", "probe-decoder-causal")
def causal():
    """Masks and sizes are good, but `self_mask` is the causal triangle and nothing else.

    A block that makes a triangle of its own hides the same; let some query see a later position.
    """
    x, memory = torch.sin(torch.arange(48.0)).reshape(2, 3, 8), torch.cos(torch.arange(80.0)).reshape(2, 5, 8)
    seen = torch.tensor([[[[True, False, True, True, False]]], [[[True, True, False, True, True]]]])
    return x, memory, torch.ones(3, 3, dtype=torch.bool).tril(), seen


@misconception("probe_decoder", "probe-decoder-equal-memory")
def equal_memory():
    """All words of your memory are equal.

    Hidden or not, an average of equal words is the same word; all words of the memory must differ.
    """
    x = torch.sin(torch.arange(48.0)).reshape(2, 3, 8)
    seen = torch.tensor([[[[True, False, True, True, False]]], [[[True, True, False, True, True]]]])
    return x, torch.ones(2, 5, 8), torch.ones(3, 3, dtype=torch.bool).tril(), seen


@misconception("probe_decoder", "probe-decoder-one-word")
def one_word():
    """Your target is one word long.

    It can only look at itself, so `self_mask` has nothing to hide; take several words.
    """
    x, memory = torch.sin(torch.arange(16.0)).reshape(2, 1, 8), torch.cos(torch.arange(80.0)).reshape(2, 5, 8)
    seen = torch.tensor([[[[True, False, True, True, False]]], [[[True, True, False, True, True]]]])
    return x, memory, torch.ones(1, 1, dtype=torch.bool), seen


@misconception("probe_decoder", "probe-decoder-mask-of-the-target")
def mask_of_the_target():
    """Your `memory_mask` is as long as the target.

    A mask belongs to the keys, and those of the cross-attention are the memory's: its last axis is S long.
    """
    x, memory = torch.sin(torch.arange(48.0)).reshape(2, 3, 8), torch.cos(torch.arange(80.0)).reshape(2, 5, 8)
    past = torch.ones(3, 3, dtype=torch.bool).tril()
    return x, memory, past, past


@misconception("probe_decoder", "probe-decoder-no-memory")
def no_memory():
    """You give no memory.

    Half of a decoder block is its question to the source: `return x, memory, self_mask, memory_mask`.
    """
    return (torch.sin(torch.arange(48.0)).reshape(2, 3, 8),)
