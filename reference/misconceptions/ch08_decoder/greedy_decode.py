"""Texts that begin, go on or end wrongly."""

import torch

from reference.ch08_decoder import greedy_decode
from reference.misconceptions import misconception


@misconception("greedy_decode", "greedy-asks-on")
def asks_on(model, source, bos_id, eos_id, max_length):
    """You ask the model again after all rows have ended, and leave what it says out of the result.

    Each step costs a run of the decoder: check whether every row has said `eos_id` before you call the model.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    texts_in = torch.cat([torch.full_like(texts[:, :1], bos_id), texts], dim=1)
    if texts.shape[1] < max_length:
        model.decode(texts_in, model.encode(source), source)
    return texts


@misconception("greedy_decode", "greedy-never-ends")
def never_ends(model, source, bos_id, eos_id, max_length):
    """You go on to `max_length` without looking for `eos_id`.

    Remember which rows have said `eos_id`; stop when all have, and fill with `model.pad_id` what comes after it.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    for _ in range(max_length):
        token = model.decode(texts, memory, source)[:, -1].argmax(-1)
        texts = torch.cat([texts, token[:, None]], dim=1)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-first-row-stops")
def first_end_stops_all(model, source, bos_id, eos_id, max_length):
    """You stop as soon as one row says `eos_id`, and cut off all the others.

    Rows end at different times: go on until all of them have ended.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    ends = (texts == eos_id).any(dim=0).nonzero()
    return texts[:, : int(ends[0]) + 1] if len(ends) else texts


@misconception("greedy_decode", "greedy-same-step")
def all_at_the_same_step(model, source, bos_id, eos_id, max_length):
    """You stop only when all rows say `eos_id` at the same step, which rows of different lengths never do.

    One row may end at step 3 and another at step 7. At step 7, how do you still know about step 3?

    Keep for each row whether it has said `eos_id` at any step so far: `ended = ended | (token == eos_id)`.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    for _ in range(max_length):
        token = model.decode(texts, memory, source)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
        if bool((token == eos_id).all()):
            break
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-no-padding")
def no_padding(model, source, bos_id, eos_id, max_length):
    """Rows that have ended go on with whatever the model says.

    After its own `eos_id` a row holds only `model.pad_id`: overwrite the new token where a row has ended.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source)[:, -1].argmax(-1)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-filled-with-eos")
def filled_with_eos(model, source, bos_id, eos_id, max_length):
    """After the end of a row you go on writing `eos_id`.

    A row has one end; whatever comes after it is `model.pad_id`.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    return texts.masked_fill(torch.cumsum(texts == eos_id, dim=1) > 0, eos_id)


@misconception("greedy_decode", "greedy-filled-with-zero")
def filled_with_zero(model, source, bos_id, eos_id, max_length):
    """After the end of a row you write 0.

    The id of padding is the model's choice: `model.pad_id`.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    ends = (texts == eos_id).long()
    return texts.masked_fill(ends.cumsum(dim=1) - ends > 0, 0)


@misconception("greedy_decode", "greedy-without-eos")
def without_eos(model, source, bos_id, eos_id, max_length):
    """Your rows have lost their `eos_id`: you write padding in its place, and not only after it.

    The end is a word the model has said: write the token first, and only then mark its row as ended.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    return texts.masked_fill(texts == eos_id, model.pad_id)


@misconception("greedy_decode", "greedy-with-bos")
def with_bos(model, source, bos_id, eos_id, max_length):
    """You return `bos_id` too.

    Leave the first column out: `bos_id` was given to the model, not said by it.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    return torch.cat([torch.full_like(texts[:, :1], bos_id), texts], dim=1)


@misconception("greedy_decode", "greedy-bos-counts")
def bos_counts(model, source, bos_id, eos_id, max_length):
    """You stop one token too early; perhaps you count `bos_id` among the `max_length` tokens.

    `max_length` is the number of tokens to be written, and bos is not one of them.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] < max_length and not ended.all():
        token = model.decode(texts, memory, source)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-first-position")
def first_position(model, source, bos_id, eos_id, max_length):
    """You read the logits of the first position, which always speak of the first word.

    The decoder gives logits for every position. Which of them predicts the token that is not there yet?

    The new token is what the last position predicts: `logits[:, -1]`.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source)[:, 0].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-last-token-only")
def last_token_only(model, source, bos_id, eos_id, max_length):
    """You feed the model its last token only, so it does not know what it has said before.

    This decoder keeps nothing from step to step: give it `bos_id` and all tokens so far.
    """
    memory, token = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended, said = torch.zeros_like(source[:, 0], dtype=torch.bool), []
    while len(said) < max_length and not ended.all():
        token = model.decode(token, memory, source)[:, -1:].argmax(-1).masked_fill(ended[:, None], model.pad_id)
        said.append(token)
        ended = ended | (token[:, 0] == eos_id)
    return torch.cat(said, dim=1)


@misconception("greedy_decode", "greedy-no-bos")
def starts_with_padding(model, source, bos_id, eos_id, max_length):
    """You begin with something other than `bos_id`, or hand the model its arguments in the wrong order.

    The first thing the decoder reads is a column of `bos_id`, (B, 1); it is called as `model(source, texts)`.
    """
    return greedy_decode(model, source, model.pad_id, eos_id, max_length)


@misconception("greedy_decode", "greedy-full-width")
def always_full_width(model, source, bos_id, eos_id, max_length):
    """Your result always has `max_length` columns.

    The result is as wide as its longest row, eos included, and no wider.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    missing = texts.new_full((len(texts), max_length - texts.shape[1]), model.pad_id)
    return torch.cat([texts, missing], dim=1)


@misconception("greedy_decode", "greedy-one-step-more")
def one_step_more(model, source, bos_id, eos_id, max_length):
    """You take one step more after all rows have ended.

    Look at `ended` before you ask the model, or break as soon as the last row has said `eos_id`.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    ended = bool((texts == eos_id).any(dim=1).all())
    if ended and texts.shape[1] < max_length:
        texts_in = torch.cat([torch.full_like(texts[:, :1], bos_id), texts], dim=1)
        model.decode(texts_in, model.encode(source), source)
        texts = torch.cat([texts, torch.full_like(texts[:, :1], model.pad_id)], dim=1)
    return texts


@misconception("greedy_decode", "greedy-squeezed")
def squeezed(model, source, bos_id, eos_id, max_length):
    """You squeeze the result, and with a single row or a single token an axis is gone.

    The answer is (B, n), whatever B and n are; if you must squeeze, say which axis.
    """
    return greedy_decode(model, source, bos_id, eos_id, max_length).squeeze()


@misconception("greedy_decode", "greedy-leaves-eval")
def leaves_evaluation_mode(model, source, bos_id, eos_id, max_length):
    """You put the model into evaluation mode and leave it there.

    Training would silently go on without dropout; leave the mode alone.
    """
    model.eval()
    return greedy_decode(model, source, bos_id, eos_id, max_length)
