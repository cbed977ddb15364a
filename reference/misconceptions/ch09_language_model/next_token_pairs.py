"""Labels that are not the next token."""

import torch

from reference.misconceptions import misconception


@misconception("next_token_pairs", "next-token-not-shifted")
def not_shifted(ids):
    """Your labels are the inputs themselves: every position is asked for the token it has just read.

    A model learns that in a minute, and it is worth nothing. Which token must be the label at position t?

    The label at position t is token t + 1: `ids[:, 1:]`.
    """
    return ids[:, :-1], ids[:, :-1]


@misconception("next_token_pairs", "next-token-swapped")
def swapped(ids):
    """You have inputs and labels the wrong way round, so the model learns to say the token that came before.

    Which two tokens of the text 5, 6, 7 should the model read, and which two should it say?

    It reads all tokens except the last and is asked for all except the first: `ids[:, :-1], ids[:, 1:]`.
    """
    return ids[:, 1:], ids[:, :-1]


@misconception("next_token_pairs", "next-token-rolled")
def rolled(ids):
    """You roll the text around: its first token has become the label of its last.

    Nothing comes after the last token. Leave it out of the inputs; both halves are one shorter than the text.
    """
    return ids, ids.roll(-1, dims=1)


@misconception("next_token_pairs", "next-token-shifted-twice")
def shifted_twice(ids):
    """You have shifted twice: your labels are the tokens after the next one.

    In the text 5, 6, 7 the label of 5 must be 6. Where do you move on twice?

    One step is enough: inputs `ids[:, :-1]`, labels `ids[:, 1:]`.
    """
    return ids[:, :-2], ids[:, 2:]


@misconception("next_token_pairs", "next-token-padded")
def padded(ids):
    """You keep the last token as an input and give it the label -100.

    Both halves are `(B, T - 1)`: the last token has no next one and is not read.
    """
    return ids, torch.cat([ids[:, 1:], torch.full_like(ids[:, :1], -100)], dim=1)


@misconception("next_token_pairs", "next-token-all-read")
def all_read(ids):
    """Your inputs are the whole text, one token more than there are labels.

    Inputs and labels both have T - 1 tokens. Which token of the text has no next one?

    The last token is not read: inputs are `ids[:, :-1]`.
    """
    return ids, ids[:, 1:]


@misconception("next_token_pairs", "next-token-rows")
def between_rows(ids):
    """You cut along the batch: texts are left out instead of tokens.

    `ids` is (B, T): the first axis counts texts, the second positions. How does a slice leave the first axis whole?

    Cut along the second axis: `ids[:, :-1]`, not `ids[:-1]`.
    """
    return ids[:-1], ids[1:]


@misconception("next_token_pairs", "next-token-across-rows")
def across_rows(ids):
    """You have joined the texts into one, so the last token of each is asked for the first token of the next.

    The rows of a batch are different texts: shift within each of them, along axis 1.
    """
    flat = ids.flatten()
    return flat[:-1][None], flat[1:][None]


@misconception("next_token_pairs", "next-token-squeezed")
def squeezed(ids):
    """You squeeze the result, and where there is one text or one pair an axis is gone.

    Both halves are (B, T - 1), whatever B and T are.
    """
    return ids[:, :-1].squeeze(), ids[:, 1:].squeeze()


@misconception("next_token_pairs", "next-token-new-tensors")
def new_tensors(ids):
    """You make new tensors on the default device, away from the one where the ids lie.

    Cut the pieces out of `ids`; they then stay where they are.
    """
    inputs, labels = torch.zeros(ids[:, 1:].shape, dtype=ids.dtype), torch.zeros(ids[:, 1:].shape, dtype=ids.dtype)
    inputs[:], labels[:] = ids[:, :-1], ids[:, 1:]
    return inputs, labels


@misconception("next_token_pairs", "next-token-stacked")
def stacked(ids):
    """You return one tensor with both halves, not a pair.

    The caller unpacks two tensors. How does a Python function return two things?

    Return two tensors: `return ids[:, :-1], ids[:, 1:]`.
    """
    return torch.stack([ids[:, :-1], ids[:, 1:]])


@misconception("next_token_pairs", "next-token-pairs")
def as_pairs(ids):
    """You return the pairs of neighbours, (B, T - 1, 2).

    Inputs and labels are two tensors, both (B, T - 1). Which half of each pair belongs to which?

    Cut the text twice: `ids[:, :-1], ids[:, 1:]`.
    """
    return ids.unfold(1, 2, 1)


@misconception("next_token_pairs", "next-token-last-label-only")
def last_label_only(ids):
    """Your label is the last token alone.

    Every position has a label, the token after it: `ids[:, 1:]`.
    """
    return ids[:, :-1], ids[:, -1:]


@misconception("next_token_pairs", "next-token-last-label-flat")
def last_label_flat(ids):
    """Your label is the last token alone, and its axis is gone.

    Every position has a label, the token after it: `ids[:, 1:]`.
    """
    return ids[:, :-1], ids[:, -1]


@misconception("next_token_pairs", "next-token-first-axis")
def last_axis_lost(ids):
    """Your index takes one token where a slice takes all but one: `ids[:, -1]` for `ids[:, :-1]`, `ids[:, 1]` for
    `ids[:, 1:]`.

    With the colon a slice runs up to there, or from there on.
    """
    return ids[:, -1], ids[:, 1]


@misconception("next_token_pairs", "next-token-zero-behind")
def zero_behind(ids):
    """You keep the last token as an input and give it the label 0.

    Both halves are `(B, T - 1)`: the last token has no next one and is not read.
    """
    return ids, torch.cat([ids[:, 1:], torch.zeros_like(ids[:, :1])], dim=1)


@misconception("next_token_pairs", "next-token-in-place")
def in_place(ids):
    """You shift the caller's ids in place.

    Cut two slices: `ids[:, :-1]` and `ids[:, 1:]` change nothing.
    """
    inputs = ids[:, :-1].clone()
    ids[:, :-1] = ids[:, 1:].clone()
    return inputs, ids[:, :-1]


@misconception("next_token_pairs", "next-token-halves")
def halves(ids):
    """You cut the text in two halves.

    Both parts are nearly the whole text, shifted by one: `ids[:, :-1]` and `ids[:, 1:]`.
    """
    half = ids.shape[1] // 2
    return ids[:, :half], ids[:, half:]


@misconception("next_token_pairs", "next-token-prefixes")
def prefixes(ids):
    """You make every beginning of a text a padded example of its own, with one label.

    A row trains all its positions at once: the label at position t is the token after it. Which two cuts of (B, T) give
    that?

    Inputs are all tokens except the last, labels all except the first, both (B, T - 1).
    """
    rows, length = ids.shape
    inputs = ids.new_zeros(rows, length - 1, length - 1)
    for t in range(1, length):
        inputs[:, t - 1, length - 1 - t :] = ids[:, :t]
    return inputs.flatten(0, 1), ids[:, 1:].flatten()


@misconception("next_token_pairs", "next-token-prefixes-behind")
def prefixes_behind(ids):
    """You make every beginning of a text an example of its own, filled up behind, with one label.

    A row trains all its positions at once: the label at position t is the token after it. Which two cuts of (B, T) give
    that?

    Inputs are all tokens except the last, labels all except the first, both (B, T - 1).
    """
    length = ids.shape[1]
    inputs = ids[:, None, :-1] * torch.ones(length - 1, length - 1, dtype=ids.dtype, device=ids.device).tril()
    return inputs.flatten(0, 1), ids[:, 1:].flatten()


@misconception("next_token_pairs", "next-token-zeros-ignored")
def zeros_ignored(ids):
    """You give the label -100 to tokens with the id 0, as if they were padding.

    Here 0 is an id like any other; nothing is said of padding.
    """
    return ids[:, :-1], ids[:, 1:].masked_fill(ids[:, 1:] == 0, -100)


@misconception("next_token_pairs", "next-token-one-long-text")
def one_long_text(ids):
    """From the second text on, your inputs begin with tokens of a text before: the batch is cut up as one long text.

    Each row is a text of its own. Along which axis do you leave out one token?
    """
    rows, columns = len(ids), ids.shape[1] - 1
    stream = ids.flatten()
    inputs, labels = stream[: rows * columns], stream[1 : rows * columns + 1]
    return inputs.reshape(rows, columns), labels.reshape(rows, columns)
