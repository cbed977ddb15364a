"""Shares, labels and choices in `mask_tokens` that do not fit together."""

import torch

from reference.ch10_bert import mask_tokens
from reference.misconceptions import misconception


@misconception("mask_tokens", "mask-tokens-labels-of-masked-only")
def labels_of_masked_only(ids, maskable, select, action, random_ids, mask_id):
    """You label only the tokens that became `mask_id`.

    Every chosen token has a label: those replaced by a random one and those that stay too.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    return inputs, labels.masked_fill(action >= 0.8, -100)


@misconception("mask_tokens", "mask-tokens-labels-without-kept")
def labels_without_kept(ids, maskable, select, action, random_ids, mask_id):
    """You do not label the chosen tokens that stay as they are.

    Every chosen token has a label: labels depend on `select`, not on `action`.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    return inputs, labels.masked_fill(action >= 0.9, -100)


@misconception("mask_tokens", "mask-tokens-labels-not-maskable")
def labels_not_maskable(ids, maskable, select, action, random_ids, mask_id):
    """You label positions that are not maskable where `select` is below 0.15.

    A position is chosen if two conditions hold, for the labels too. Which one do your labels leave out?

    Use the same for both: `maskable & (select < 0.15)`.
    """
    return mask_tokens(ids, maskable, select, action, random_ids, mask_id)[0], torch.where(select < 0.15, ids, -100)


@misconception("mask_tokens", "mask-tokens-inputs-not-maskable")
def inputs_not_maskable(ids, maskable, select, action, random_ids, mask_id):
    """You hide tokens that are not maskable, though your labels leave them out.

    A position is chosen if two conditions hold, for the inputs too. Which one do your inputs leave out?

    Use the same for both: `maskable & (select < 0.15)`.
    """
    return mask_tokens(ids, torch.ones_like(maskable), select, action, random_ids, mask_id)[0], mask_tokens(
        ids, maskable, select, action, random_ids, mask_id
    )[1]


@misconception("mask_tokens", "mask-tokens-action-of-all")
def action_of_all(ids, maskable, select, action, random_ids, mask_id):
    """`select` and `action` are swapped: you choose by `action`, and `select` says what happens to a chosen token.

    `select` is compared with 0.15 alone, `action` with 0.8 and 0.9.
    """
    return mask_tokens(ids, maskable, action, select, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-random-of-mask-id")
def random_unmasked(ids, maskable, select, action, random_ids, mask_id):
    """Where a token should become a random one, you put in the text's own next token.

    The replacement is that of `random_ids` at the same position.
    """
    return mask_tokens(ids, maskable, select, action, ids.roll(-1, dims=1), mask_id)


@misconception("mask_tokens", "mask-tokens-labels-bool")
def labels_bool(ids, maskable, select, action, random_ids, mask_id):
    """You return where a token was chosen, not its true id.

    Labels are ids: the true token where one was chosen, else -100.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    return inputs, labels != -100


@misconception("mask_tokens", "mask-tokens-ten-percent")
def one_tenth(ids, maskable, select, action, random_ids, mask_id):
    """You choose where `select` is below 0.1.

    BERT chooses 15 %: `select < 0.15`.
    """
    return mask_tokens(ids, maskable, select * 1.5, action, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-twenty-percent")
def one_fifth(ids, maskable, select, action, random_ids, mask_id):
    """You choose where `select` is below 0.2.

    BERT chooses 15 %: `select < 0.15`.
    """
    return mask_tokens(ids, maskable, select * 0.75, action, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-keeps-to-95")
def keeps_to_95(ids, maskable, select, action, random_ids, mask_id):
    """Your random share ends at 0.95, not at 0.9.

    Below 0.8 comes `mask_id`, from 0.8 up to 0.9 that of `random_ids`, from 0.9 on the token stays.
    """
    return mask_tokens(
        ids,
        maskable,
        select,
        torch.where((action >= 0.9) & (action < 0.95), 0.85, action).to(action),
        random_ids,
        mask_id,
    )


@misconception("mask_tokens", "mask-tokens-select-at-the-bound")
def select_at_the_bound(ids, maskable, select, action, random_ids, mask_id):
    """You also choose where `select` is exactly 0.15.

    Chosen is what lies *below* 0.15. On which side of your comparison does 0.15 itself fall?
    """
    return mask_tokens(ids, maskable, torch.where(select == 0.15, 0.0, select), action, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-action-at-0.8")
def action_at_eight_tenths(ids, maskable, select, action, random_ids, mask_id):
    """You put in `mask_id` where `action` is exactly 0.8.

    The second share begins *at* 0.8. On which side of your comparison does 0.8 itself fall?
    """
    return mask_tokens(ids, maskable, select, torch.where(action == 0.8, 0.0, action), random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-action-at-0.9")
def action_at_nine_tenths(ids, maskable, select, action, random_ids, mask_id):
    """You put in a random token where `action` is exactly 0.9.

    From 0.9 on the token stays, and 0.9 itself belongs to that share. What does your comparison say there?
    """
    return mask_tokens(ids, maskable, select, torch.where(action == 0.9, 0.85, action), random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-actions-at-the-bounds")
def actions_at_the_bounds(ids, maskable, select, action, random_ids, mask_id):
    """At exactly 0.8 and 0.9 your `action` does what it does below them.

    Each share begins with its bound. Read your comparisons once more for 0.8 and for 0.9.
    """
    earlier = torch.where(action == 0.8, 0.0, torch.where(action == 0.9, 0.85, action))
    return mask_tokens(ids, maskable, select, earlier, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-all-bounds")
def all_bounds(ids, maskable, select, action, random_ids, mask_id):
    """At exactly 0.15, 0.8 and 0.9 you do what belongs to the numbers below them.

    A share ends before its bound. Read all of your comparisons once more for the bounds themselves.
    """
    earlier = torch.where(action == 0.8, 0.0, torch.where(action == 0.9, 0.85, action))
    return mask_tokens(ids, maskable, torch.where(select == 0.15, 0.0, select), earlier, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-no-mask-id")
def no_mask_id(ids, maskable, select, action, random_ids, mask_id):
    """You take a `mask_id` of 0 for none at all.

    `mask_id or ...` and `if mask_id` ask whether a number is 0, and 0 is an id like any other.
    """
    return mask_tokens(ids, maskable, select, action, random_ids, mask_id or 103)


@misconception("mask_tokens", "mask-tokens-mask-read-off")
def mask_read_off(ids, maskable, select, action, random_ids, mask_id):
    """A chosen token that is `mask_id` from the start never becomes a random one: you take it for masked already.

    The ids alone do not say what you have done. What does `action` say about each token?
    """
    chosen = maskable & (select < 0.15)
    inputs = torch.where(chosen & (action < 0.8), mask_id, ids)
    inputs = torch.where(chosen & (action < 0.9) & (inputs != mask_id), random_ids, inputs)
    return inputs, torch.where(chosen, ids, -100)
