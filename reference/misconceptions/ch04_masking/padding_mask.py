"""What goes wrong in `padding_mask`."""

import math

import torch

from reference.misconceptions import misconception


@misconception("padding_mask", "padding-mask-inverted")
def padding_inverted(ids, pad_id):
    """Your mask is inverted: it is True for padding and False for words.

    True means "may attend" everywhere in this course, so True belongs where the id is not `pad_id`.
    """
    return (ids == pad_id)[:, None, None, :]


@misconception("padding_mask", "padding-mask-query-axis")
def padding_on_the_query_axis(ids, pad_id):
    """Your mask is on the axis of the queries: its shape is (B, 1, T, 1).

    It would silence the padded queries and let all others attend to padding; keys are the last axis, (B, 1, 1, T).
    """
    return (ids != pad_id)[:, None, :, None]


@misconception("padding_mask", "padding-mask-two-axes")
def padding_of_two_axes(ids, pad_id):
    """Your mask is right, but has only the axes (B, T).

    Against scores (B, H, Tq, Tk) its B would be taken for the queries; insert axes of size 1 for heads and queries.
    """
    return ids != pad_id


@misconception("padding_mask", "padding-mask-three-axes")
def padding_of_three_axes(ids, pad_id):
    """Your mask has three axes, (B, 1, T), and one is missing.

    Against scores (B, H, Tq, Tk) its B would be taken for the heads; heads and queries need an axis of size 1 each.
    """
    return (ids != pad_id)[:, None, :]


@misconception("padding_mask", "padding-mask-both-axes")
def padding_on_both_axes(ids, pad_id):
    """Your mask forbids padded queries as well as padded keys, and has the shape (B, 1, T, T).

    Hiding padding as a key is enough; rows of padded queries would be empty for nothing.
    """
    real = ids != pad_id
    return real[:, None, :, None] & real[:, None, None, :]


@misconception("padding_mask", "padding-mask-one-for-all")
def padding_of_the_first_sentence(ids, pad_id):
    """You use the padding of the first sentence for the whole batch.

    Every row of ids has its own length; compare all of ids with `pad_id`, not `ids[0]`.
    """
    return (ids[0] != pad_id).expand(ids.shape[0], 1, 1, ids.shape[1])


@misconception("padding_mask", "padding-mask-zero")
def padding_is_always_zero(ids, pad_id):
    """You take 0 for the padding, whatever `pad_id` says.

    The filler id is a choice of the tokenizer; compare with the argument `pad_id`.
    """
    return (ids != 0)[:, None, None, :]


@misconception("padding_mask", "padding-mask-larger")
def padding_is_the_smallest_id(ids, pad_id):
    """You keep only ids that are larger than `pad_id`.

    That works while padding is 0; words may have smaller ids than the filler, so ask `!=`.
    """
    return (ids > pad_id)[:, None, None, :]


@misconception("padding_mask", "padding-mask-behind")
def padding_always_stands_behind(ids, pad_id):
    """You count the words of a row and allow that many positions from the left.

    Padding may stand in front or in between (chapter 7 pads in front); mark each token by its own id.
    """
    lengths = (ids != pad_id).sum(dim=1, keepdim=True)
    return (torch.arange(ids.shape[1], device=ids.device) < lengths)[:, None, None, :]


@misconception("padding_mask", "padding-mask-numbers")
def padding_as_numbers(ids, pad_id):
    """Your mask holds the numbers 1 and 0 instead of True and False.

    `~mask` and `masked_fill` need booleans, and that is what a comparison gives; leave out the conversion.
    """
    return (ids != pad_id)[:, None, None, :].to(torch.get_default_dtype())


@misconception("padding_mask", "padding-mask-additive")
def padding_as_summand(ids, pad_id):
    """Your mask holds 0 and -inf: that is the additive kind, made to be added to scores.

    This course's masks are boolean, True = may attend; `additive_mask` turns one into the other.
    """
    return torch.zeros(ids.shape, device=ids.device).masked_fill(ids == pad_id, -math.inf)[:, None, None, :]


@misconception("padding_mask", "padding-mask-overwrites")
def padding_overwrites_ids(ids, pad_id):
    """You write into the ids you were given while making the mask.

    The caller still needs them; a comparison makes a new tensor and leaves ids alone.
    """
    ids.sub_(pad_id)
    return ids.bool()[:, None, None, :]


@misconception("padding_mask", "padding-mask-device")
def padding_on_the_default_device(ids, pad_id):
    """You build the mask on the default device instead of the device of the ids.

    On a GPU the two cannot be combined; derive the mask from ids, or pass `device=ids.device`.
    """
    real = torch.zeros(ids.shape, dtype=torch.bool)
    real[ids != pad_id] = True
    return real[:, None, None, :]


@misconception("padding_mask", "padding-mask-axes-in-front")
def padding_with_the_new_axes_in_front(ids, pad_id):
    """You put both axes of size 1 in front: the shape is (1, 1, B, T).

    Against scores (B, H, Tq, Tk) your B would be taken for the queries; the batch stays first, (B, 1, 1, T).
    """
    return (ids != pad_id)[None, None]


@misconception("padding_mask", "padding-mask-axes-behind")
def padding_with_the_new_axes_behind(ids, pad_id):
    """You put both axes of size 1 behind: the shape is (B, T, 1, 1).

    Against scores (B, H, Tq, Tk) your T would be taken for the heads; keys are the last axis, (B, 1, 1, T).
    """
    return (ids != pad_id)[:, :, None, None]


@misconception("padding_mask", "padding-mask-expanded")
def padding_with_a_row_for_every_query(ids, pad_id):
    """Your mask has a row for every query: the shape is (B, 1, T, T).

    All queries share one row, which broadcasting repeats; return (B, 1, 1, T).
    """
    return (ids != pad_id)[:, None, None, :].repeat(1, 1, ids.shape[1], 1)


@misconception("padding_mask", "padding-mask-until-first")
def padding_hides_all_that_follows(ids, pad_id):
    """After the first padding token of a row you hide everything, words too.

    Padding may stand in front or in between (chapter 7 pads in front); mark each token by its own id.
    """
    return ((ids == pad_id).cumsum(1) == 0)[:, None, None, :]


@misconception("padding_mask", "padding-mask-only-in-front")
def padding_hidden_only_in_front(ids, pad_id):
    """You hide padding only in front of the first word of a row.

    It may stand behind the words or between them as well; mark each token by its own id.
    """
    return ((ids != pad_id).cumsum(1) > 0)[:, None, None, :]


@misconception("padding_mask", "padding-mask-only-behind")
def padding_hidden_only_behind(ids, pad_id):
    """You hide padding only behind the last word of a row.

    It may stand in front of the words or between them as well; mark each token by its own id.
    """
    return ((ids != pad_id).flip(1).cumsum(1) > 0).flip(1)[:, None, None, :]


@misconception("padding_mask", "padding-mask-smaller")
def padding_is_the_largest_id(ids, pad_id):
    """You keep only ids that are smaller than `pad_id`.

    That works while padding has the largest id of all; words may have larger ids than the filler, so ask `!=`.
    """
    return (ids < pad_id)[:, None, None, :]


@misconception("padding_mask", "padding-mask-not-between")
def padding_mask_not_between(ids, pad_id):
    """You hide padding in front of the words and behind them, but not between them.

    Padding may stand anywhere. Mark each token by its own id: its neighbours need not be asked.
    """
    real = (ids != pad_id).long()
    begun, not_over = real.cummax(dim=-1).values, real.flip(-1).cummax(dim=-1).values.flip(-1)
    return (begun * not_over).bool()[:, None, None]


@misconception("padding_mask", "padding-mask-byte")
def padding_mask_byte(ids, pad_id):
    """You take the difference to `pad_id` as a byte, so an id that is 256 away from it, or 512, is hidden as well.

    A byte counts to 255 and then begins at 0 again. Ask whether the ids are equal, without a detour.
    """
    return (ids - pad_id).byte().bool()[:, None, None]


@misconception("padding_mask", "padding-mask-short")
def padding_mask_short(ids, pad_id):
    """You take the ids as 16-bit numbers, so an id that is 65536 away from `pad_id` is hidden as well.

    Vocabularies have more words than 16 bits can count. Ask whether the ids are equal, without a conversion.
    """
    return (ids - pad_id).short().bool()[:, None, None]


@misconception("padding_mask", "padding-mask-all-padding-seen")
def padding_mask_all_padding_seen(ids, pad_id):
    """In a sentence of nothing but padding you allow every position.

    What comes of such a row is up to the softmax. The mask is True at real tokens, and here there are none.
    """
    kept = ids != pad_id
    return (kept | ~kept.any(dim=-1, keepdim=True))[:, None, None]


@misconception("padding_mask", "padding-mask-close")
def padding_mask_close(ids, pad_id):
    """You compare the ids with a tolerance, so where `pad_id` is large, ids close to it are hidden as well.

    `isclose` allows a hundred-thousandth of the number, which is more than 1 from 100000 on. Ids are whole numbers:
    compare them as they are.
    """
    return ~torch.isclose(ids, torch.full_like(ids, pad_id))[:, None, None]


@misconception("padding_mask", "padding-mask-float32")
def padding_mask_float32(ids, pad_id):
    """You compare the ids as float32, which has not every whole number above 2²⁴: an id next to `pad_id` is hidden too.

    int64 has them all: compare the ids as they are.
    """
    return (ids.to(torch.float32) != float(pad_id))[:, None, None]
