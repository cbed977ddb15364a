"""Segments by value instead of by length, and parts that cannot be joined."""

import torch

from reference.ch10_bert import sentence_pair
from reference.misconceptions import misconception


@misconception("sentence_pair", "sentence-pair-counts-seps")
def counts_seps(first, second, cls_id, sep_id):
    """Your segments count the tokens equal to `sep_id`, which may stand inside a sentence too.

    You know the lengths: segment 0 is `len(first) + 2` places long, whatever ids stand there.
    """
    ids, _ = sentence_pair(first, second, cls_id, sep_id)
    separators = (ids == sep_id).long()
    return ids, separators.cumsum(0) - separators


@misconception("sentence_pair", "sentence-pair-last-sep-outside")
def from_first_sep_on(first, second, cls_id, sep_id):
    """Your segments count the tokens equal to `sep_id` up to each place, its own included.

    The first `[SEP]` belongs to segment 0: go by the lengths, `len(first) + 2` places.
    """
    ids, _ = sentence_pair(first, second, cls_id, sep_id)
    return ids, (ids == sep_id).long().cumsum(0)


@misconception("sentence_pair", "sentence-pair-last-sep-as-two")
def last_sep_as_two(first, second, cls_id, sep_id):
    """Your last `[SEP]` has segment 2.

    There are only two segments: 0 for `[CLS] first [SEP]`, 1 for `second [SEP]`.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    segments[-1] = 2
    return ids, segments


@misconception("sentence_pair", "sentence-pair-bare-numbers")
def bare_numbers(first, second, cls_id, sep_id):
    """You hand `torch.cat` bare numbers: `cls_id` and `sep_id` are ints, not tensors.

    Make tensors of one token: `first.new_tensor([cls_id])`.
    """
    _, segments = sentence_pair(first, second, cls_id, sep_id)
    return torch.cat([cls_id, first, sep_id, second, sep_id]), segments


@misconception("sentence_pair", "sentence-pair-no-axis")
def no_axis(first, second, cls_id, sep_id):
    """You join tensors without an axis: `torch.tensor(cls_id)` has none, and `torch.cat` refuses it.

    One token is a tensor of length 1: `first.new_tensor([cls_id])`, with brackets.
    """
    cls, sep = first.new_tensor(cls_id), first.new_tensor(sep_id)
    return torch.cat([cls, first, sep, second, sep]), None


@misconception("sentence_pair", "sentence-pair-segments-without-cls")
def segments_without_cls(first, second, cls_id, sep_id):
    """Your segments are one too short: segment 0 counts only one of its two special tokens.

    `[CLS]` and the first `[SEP]` both have segment 0, beside the first sentence: `len(first) + 2` zeros.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids, segments[1:]


@misconception("sentence_pair", "sentence-pair-segments-exchanged-lengths")
def lengths_exchanged(first, second, cls_id, sep_id):
    """You take the length of the second sentence for that of the first: your segments change at the wrong place.

    Segment 0 is `len(first) + 2` places long, segment 1 `len(second) + 1`.
    """
    ids, _ = sentence_pair(first, second, cls_id, sep_id)
    return ids, (torch.arange(len(ids), device=ids.device) > len(second) + 1).long()


@misconception("sentence_pair", "sentence-pair-two-middle-seps")
def two_middle_seps(first, second, cls_id, sep_id):
    """You put two `[SEP]` between the sentences.

    Other models do that. In BERT one stands there, and one at the end.
    """
    cls, sep = first.new_full((1,), cls_id), first.new_full((1,), sep_id)
    left, right = torch.cat([cls, first, sep]), torch.cat([sep, second, sep])
    return torch.cat([left, right]), torch.cat([torch.zeros_like(left), torch.ones_like(right)])


@misconception("sentence_pair", "sentence-pair-last-sep-but-one")
def last_sep_but_one(first, second, cls_id, sep_id):
    """You look from the end for the last `sep_id` but one, and the second sentence may have one inside.

    You know where the first part ends: after `len(first) + 2` places, whatever ids follow.
    """
    ids, _ = sentence_pair(first, second, cls_id, sep_id)
    border = (ids == sep_id).nonzero()[-2, 0]
    return ids, (torch.arange(len(ids)) > border).long()
