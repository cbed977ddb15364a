"""What goes wrong in `sentence_pair`."""

import torch

from reference.ch10_bert import sentence_pair
from reference.misconceptions import misconception


@misconception("sentence_pair", "sentence-pair-no-last-sep")
def no_last_sep(first, second, cls_id, sep_id):
    """The second `[SEP]` is missing.

    `[SEP]` closes a sentence, the second one too: `[CLS] first [SEP] second [SEP]`.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids[:-1], segments[:-1]


@misconception("sentence_pair", "sentence-pair-first-sep-in-second")
def first_sep_in_second(first, second, cls_id, sep_id):
    """You put the first `[SEP]` into segment 1.

    It closes the first sentence and belongs to it: segment 0 is `[CLS] first [SEP]`, as long as first plus 2.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    segments[len(first) + 1] = 1
    return ids, segments


@misconception("sentence_pair", "sentence-pair-last-sep-in-first")
def last_sep_in_first(first, second, cls_id, sep_id):
    """You put the last `[SEP]` into segment 0.

    It closes the second sentence and belongs to it: segment 1 is `second [SEP]`.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    segments[-1] = 0
    return ids, segments


@misconception("sentence_pair", "sentence-pair-cls-in-second")
def cls_in_second(first, second, cls_id, sep_id):
    """You put `[CLS]` into segment 1.

    It belongs to no sentence, but stands in front of the first one and has segment 0, as in figure 2 of the paper.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    segments[0] = 1
    return ids, segments


@misconception("sentence_pair", "sentence-pair-special-tokens-apart")
def special_tokens_apart(first, second, cls_id, sep_id):
    """You give the special tokens a segment of their own.

    There are only two segments: `[CLS]` and the first `[SEP]` belong to segment 0, the last `[SEP]` to segment 1.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    segments = segments + 1
    segments[0] = segments[len(first) + 1] = segments[-1] = 0
    return ids, segments


@misconception("sentence_pair", "sentence-pair-no-middle-sep")
def no_middle_sep(first, second, cls_id, sep_id):
    """The first `[SEP]` is missing: the two sentences run into each other.

    Each sentence is closed by a `[SEP]` of its own: `[CLS] first [SEP] second [SEP]`.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    kept = torch.arange(len(ids), device=ids.device) != len(first) + 1
    return ids[kept], segments[kept]


@misconception("sentence_pair", "sentence-pair-no-cls")
def no_cls(first, second, cls_id, sep_id):
    """There is no `[CLS]` in your text.

    It comes first and is what a classifier reads in the end; it has segment 0.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids[1:], segments[1:]


@misconception("sentence_pair", "sentence-pair-cls-twice")
def cls_twice(first, second, cls_id, sep_id):
    """You put a `[CLS]` in front of the second sentence, too.

    There is one for the whole text, at its beginning; only `[SEP]` comes between the sentences.
    """
    cls, sep = first.new_tensor([cls_id]), first.new_tensor([sep_id])
    left, right = torch.cat([cls, first, sep]), torch.cat([cls, second, sep])
    return torch.cat([left, right]), torch.cat([torch.zeros_like(left), torch.ones_like(right)])


@misconception("sentence_pair", "sentence-pair-special-swapped")
def special_swapped(first, second, cls_id, sep_id):
    """`[CLS]` and `[SEP]` are swapped.

    `cls_id` begins the text, `sep_id` follows each sentence.
    """
    return sentence_pair(first, second, sep_id, cls_id)


@misconception("sentence_pair", "sentence-pair-sentences-swapped")
def sentences_swapped(first, second, cls_id, sep_id):
    """You put the second sentence in front.

    The order is `[CLS] first [SEP] second [SEP]`.
    """
    return sentence_pair(second, first, cls_id, sep_id)


@misconception("sentence_pair", "sentence-pair-from-one")
def from_one(first, second, cls_id, sep_id):
    """You number the segments 1 and 2.

    They are looked up in a table with two rows, 0 and 1.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids, segments + 1


@misconception("sentence_pair", "sentence-pair-segments-swapped")
def segments_swapped(first, second, cls_id, sep_id):
    """Your segments are the wrong way round: 1 for the first sentence, 0 for the second.

    `[CLS] first [SEP]` is segment 0, `second [SEP]` is segment 1.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids, 1 - segments


@misconception("sentence_pair", "sentence-pair-one-segment")
def one_segment(first, second, cls_id, sep_id):
    """All your segments are 0.

    What comes after the first `[SEP]` is segment 1, or the model cannot tell which side a word is on.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids, torch.zeros_like(segments)


@misconception("sentence_pair", "sentence-pair-segments-of-words")
def segments_of_words(first, second, cls_id, sep_id):
    """Your segments leave out the special tokens, so there are three fewer than ids.

    Every token has a segment, special ones too: the two results are equally long.
    """
    ids, _ = sentence_pair(first, second, cls_id, sep_id)
    return ids, torch.cat([torch.zeros_like(first), torch.ones_like(second)])


@misconception("sentence_pair", "sentence-pair-batch-axis")
def batch_axis(first, second, cls_id, sep_id):
    """You add a batch axis.

    Two sentences make one text: both results have one axis, and the caller joins texts into a batch.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids[None], segments[None]


@misconception("sentence_pair", "sentence-pair-float-segments")
def float_segments(first, second, cls_id, sep_id):
    """Your segments are floating-point numbers.

    They are looked up in an embedding, which needs int64: `torch.zeros(n)` is float, `torch.zeros_like(ids)` is not.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids, segments.to(torch.get_default_dtype())


@misconception("sentence_pair", "sentence-pair-bool-segments")
def bool_segments(first, second, cls_id, sep_id):
    """Your segments are True and False.

    They are looked up in an embedding, which needs int64: 0 and 1.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids, segments.bool()


@misconception("sentence_pair", "sentence-pair-by-lists")
def by_lists(first, second, cls_id, sep_id):
    """You go through Python lists: they forget the device, and a tensor on device meta has no numbers to list.

    Join tensors: `torch.cat` of `first.new_tensor([cls_id])`, `first` and so on stays where the sentences are.
    """
    text = [cls_id, *first.tolist(), sep_id, *second.tolist(), sep_id]
    return torch.tensor(text), torch.tensor([0] * (len(first) + 2) + [1] * (len(second) + 1))


@misconception("sentence_pair", "sentence-pair-lists")
def lists(first, second, cls_id, sep_id):
    """You return lists of numbers.

    Return tensors, both int64.
    """
    ids, segments = sentence_pair(first, second, cls_id, sep_id)
    return ids.tolist(), segments.tolist()


@misconception("sentence_pair", "sentence-pair-device")
def default_device(first, second, cls_id, sep_id):
    """You make the special tokens on the default device instead of the one where the sentences lie.

    On a GPU they cannot be joined: `first.new_tensor([cls_id])`, or pass `device=first.device`.
    """
    sep = torch.tensor([sep_id])
    left, right = torch.cat([torch.tensor([cls_id]), first, sep]), torch.cat([second, sep])
    return torch.cat([left, right]), torch.cat([torch.zeros_like(left), torch.ones_like(right)])


@misconception("sentence_pair", "sentence-pair-segments-device")
def segments_on_default_device(first, second, cls_id, sep_id):
    """You make the segments on the default device instead of the one where the sentences lie.

    On a GPU the embedding cannot look them up: `torch.zeros_like(ids)`, or pass `device=first.device`.
    """
    ids, _ = sentence_pair(first, second, cls_id, sep_id)
    return ids, (torch.arange(len(ids)) > len(first) + 1).long()


@misconception("sentence_pair", "sentence-pair-looks-for-sep")
def looks_for_sep(first, second, cls_id, sep_id):
    """You look for `sep_id` to find the end of the first sentence, which may have one inside.

    You know its length: segment 0 is `len(first) + 2` places long.
    """
    ids, _ = sentence_pair(first, second, cls_id, sep_id)
    separators = (ids == sep_id).long()
    return ids, (separators.cumsum(0) - separators).clamp(max=1)
