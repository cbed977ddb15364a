"""What goes wrong in `mask_tokens`."""

import torch

from reference.ch10_bert import mask_tokens
from reference.misconceptions import misconception


@misconception("mask_tokens", "mask-tokens-ignores-maskable")
def ignores_maskable(ids, maskable, select, action, random_ids, mask_id):
    """You choose from all positions, even those where `maskable` is False.

    Where `maskable` is False are `[CLS]`, `[SEP]` and padding: they must stay, and have no label. Which two conditions
    make a position chosen?

    Combine them: `maskable & (select < 0.15)`.
    """
    return mask_tokens(ids, torch.ones_like(maskable), select, action, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-all-labels")
def all_labels(ids, maskable, select, action, random_ids, mask_id):
    """Your labels hold the true token at every position, so the model is also asked for words that it can read.

    Only chosen positions have a label; all others are -100, which the loss skips.
    """
    return mask_tokens(ids, maskable, select, action, random_ids, mask_id)[0], ids


@misconception("mask_tokens", "mask-tokens-changed-labels")
def changed_labels(ids, maskable, select, action, random_ids, mask_id):
    """You label only the positions where the input has changed, and forget the chosen tokens that stay as they are.

    The model is asked for these too, or the share that stays would teach nothing: labels depend on `select`, not on
    `action`.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    return inputs, labels.masked_fill(inputs == ids, -100)


@misconception("mask_tokens", "mask-tokens-labels-of-inputs")
def labels_of_inputs(ids, maskable, select, action, random_ids, mask_id):
    """Your labels are taken from the inputs after masking, so the model is asked for `[MASK]` and for random words.

    It should find the true token: take the labels from `ids`, before anything is hidden, or keep a copy.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    return inputs, torch.where(labels == -100, labels, inputs)


@misconception("mask_tokens", "mask-tokens-label-zero")
def label_zero(ids, maskable, select, action, random_ids, mask_id):
    """Where a position is not chosen, your label is 0 instead of -100.

    0 is the id of a token, and the loss would ask for it. -100 is what PyTorch's cross-entropy skips.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    return inputs, labels.masked_fill(labels == -100, 0)


@misconception("mask_tokens", "mask-tokens-label-minus-one")
def label_minus_one(ids, maskable, select, action, random_ids, mask_id):
    """Where a position is not chosen, your label is -1 instead of -100.

    By default PyTorch's cross-entropy skips -100, and it refuses -1.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    return inputs, labels.masked_fill(labels == -100, -1)


@misconception("mask_tokens", "mask-tokens-always-mask")
def always_mask(ids, maskable, select, action, random_ids, mask_id):
    """You put `mask_id` at every chosen position, whatever `action` says.

    Only actions below 0.8 do that. From there up to 0.9 a random token replaces it, and from 0.9 on the token stays.
    """
    return mask_tokens(ids, maskable, select, torch.zeros_like(action), random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-never-random")
def never_random(ids, maskable, select, action, random_ids, mask_id):
    """No chosen token becomes a random one: from 0.8 up to 0.9 the token stays as it is.

    Below 0.8 the token becomes `mask_id`, from 0.8 up to 0.9 that of `random_ids`, from 0.9 on it stays.
    """
    return mask_tokens(ids, maskable, select, action, ids, mask_id)


@misconception("mask_tokens", "mask-tokens-never-kept")
def never_kept(ids, maskable, select, action, random_ids, mask_id):
    """No chosen token stays as it is: all actions from 0.8 on put in a random one.

    Which actions change the token, and which leave it? The last tenth, from 0.9 on, must be among those that leave it.

    Random is `(action >= 0.8) & (action < 0.9)`.
    """
    return mask_tokens(ids, maskable, select, action.clamp(max=0.85), random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-swapped")
def swapped(ids, maskable, select, action, random_ids, mask_id):
    """Random and unchanged are swapped: from 0.8 up to 0.9 you keep the token, and from 0.9 on you replace it.

    From 0.8 up to 0.9 the token becomes that of `random_ids`, from 0.9 on it stays.
    """
    other = torch.where(action < 0.8, action, torch.where(action < 0.9, 0.95, 0.85))
    return mask_tokens(ids, maskable, select, other, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-nine-tenths")
def nine_tenths(ids, maskable, select, action, random_ids, mask_id):
    """You mask up to 0.9 instead of 0.8, and the tenth that should become a random token is masked as well.

    Below 0.8 comes `mask_id`; `action < 0.9` is the upper end of the random share.
    """
    return mask_tokens(ids, maskable, select, torch.where(action < 0.9, 0.0, action), random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-random-after-mask")
def random_after_mask(ids, maskable, select, action, random_ids, mask_id):
    """All actions below 0.9 put in a random token: nothing becomes `mask_id`.

    Take a chosen token with an action of 0.5. Which of your conditions hold, and which one has the last word?

    Actions below 0.8 belong to `mask_id`: random is `(action >= 0.8) & (action < 0.9)`, or it overwrites the masks.
    """
    return mask_tokens(ids, maskable, select, torch.where(action < 0.9, 0.85, action), random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-random-and-kept-first")
def tenths_first(ids, maskable, select, action, random_ids, mask_id):
    """You give the first tenths of `action` to random and unchanged, and the rest to the mask.

    The shares are right, but the order is fixed: below 0.8 mask, below 0.9 random, else unchanged.
    """
    other = torch.where(action < 0.1, 0.85, torch.where(action < 0.2, 0.95, 0.0))
    return mask_tokens(ids, maskable, select, other, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-inverted")
def inverted(ids, maskable, select, action, random_ids, mask_id):
    """You choose where `select` is 0.15 and more: 85 % of the text.

    A position is chosen where `select < 0.15`; the rest is the context that the model reads.
    """
    return mask_tokens(ids, maskable, torch.where(select < 0.15, 1.0, 0.0), action, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-one-draw")
def one_draw(ids, maskable, select, action, random_ids, mask_id):
    """You read from `select` what to do with a chosen token, and `action` is never used.

    `select` says only whether a token is chosen; what happens to it is up to `action`, from 0 to 1.
    """
    return mask_tokens(ids, maskable, select, select / 0.15, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-acts-everywhere")
def acts_everywhere(ids, maskable, select, action, random_ids, mask_id):
    """You apply `action` at every position, chosen or not.

    `action` is about chosen tokens alone. What must also hold before a token is masked or replaced?

    Combine it by `&` with `maskable & (select < 0.15)`.
    """
    inputs = torch.where(action < 0.8, mask_id, torch.where(action < 0.9, random_ids, ids))
    return inputs, mask_tokens(ids, maskable, select, action, random_ids, mask_id)[1]


@misconception("mask_tokens", "mask-tokens-in-place")
def in_place(ids, maskable, select, action, random_ids, mask_id):
    """You hide the tokens in the caller's own `ids`.

    The text is needed again, with other words hidden, in the next epoch: `ids.clone()` first, or `torch.where`.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    ids.copy_(inputs)
    return ids, labels


@misconception("mask_tokens", "mask-tokens-other-way-round")
def other_way_round(ids, maskable, select, action, random_ids, mask_id):
    """You return the labels first and the inputs second.

    Inputs first, as in `inputs, labels = mask_tokens(...)`.
    """
    return tuple(reversed(mask_tokens(ids, maskable, select, action, random_ids, mask_id)))


@misconception("mask_tokens", "mask-tokens-float-labels")
def float_labels(ids, maskable, select, action, random_ids, mask_id):
    """Your labels are floating-point numbers.

    Ids are always int64; `torch.full_like(ids, -100)` and `ids.masked_fill(...)` keep the dtype.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    return inputs, labels.float()


@misconception("mask_tokens", "mask-tokens-spares-masks")
def spares_masks(ids, maskable, select, action, random_ids, mask_id):
    """You leave alone the positions that are already `[MASK]` in the text.

    Which arguments decide what is chosen? The token itself is not among them.

    Only `maskable` and `select` decide: `maskable & (select < 0.15)`.
    """
    return mask_tokens(ids, maskable & (ids != mask_id), select, action, random_ids, mask_id)


@misconception("mask_tokens", "mask-tokens-same-word-by-chance")
def same_word_by_chance(ids, maskable, select, action, random_ids, mask_id):
    """You forget the label where the random token is the one that was already there.

    That position was still chosen: labels depend on `select`, and not on whether the input has changed.
    """
    inputs, labels = mask_tokens(ids, maskable, select, action, random_ids, mask_id)
    return inputs, labels.masked_fill((inputs == ids) & (action < 0.9), -100)
