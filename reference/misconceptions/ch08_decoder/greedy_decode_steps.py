"""Steps of greedy decoding that ask, choose, join or stop wrongly."""

import torch

from reference.ch08_decoder import greedy_decode
from reference.misconceptions import misconception


@misconception("greedy_decode", "greedy-all-positions")
def all_positions(model, source, bos_id, eos_id, max_length):
    """You take the arg-max at all positions, not at the last one alone: `[:, -1]` is missing.

    The decoder gives logits for every position, (B, T, V); the new token is what the last one predicts.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source).argmax(-1)
        texts = torch.cat([texts, token], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-all-positions-masked")
def all_positions_masked(model, source, bos_id, eos_id, max_length):
    """You mask the tokens of all positions, not those of the last one alone: `[:, -1]` is missing.

    The decoder gives logits for every position, (B, T, V); the new token is what the last one predicts.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source).argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-token-without-axis")
def token_without_axis(model, source, bos_id, eos_id, max_length):
    """You join texts (B, T) and tokens (B,), which have a different number of axes.

    Make the tokens a column first: `token[:, None]`, or `unsqueeze(1)`.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-one-truth-for-all")
def one_truth_for_all(model, source, bos_id, eos_id, max_length):
    """You ask for one truth about a whole batch (by `if`, `while`, `not` or `and`), but each row has its own.

    Keep for each row whether it has ended, and ask `ended.all()`.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        if token == eos_id:
            break
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-item")
def item(model, source, bos_id, eos_id, max_length):
    """You make one number of the new tokens (`item()` or `int()`), but there is one for each row.

    Keep the tokens a tensor (B,), and compare it as a whole: `token == eos_id`.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source)[:, -1].argmax(-1).item()
        texts = torch.cat([texts, torch.full_like(texts[:, :1], token)], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-first-row-decides")
def first_row_decides(model, source, bos_id, eos_id, max_length):
    """You stop when the first row has ended, whatever the others do.

    Rows end at different times: stop when all of them have, `ended.all()`.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended[0]:
        token = model.decode(texts, memory, source)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-all-positions-flat")
def argmax_of_batch(model, source, bos_id, eos_id, max_length):
    """Your arg-max runs along the wrong axis, the batch or the positions, not over the words.

    The words are the last axis: `argmax(-1)` of the logits (B, V).
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source)[:, -1].argmax(0)[: len(source)].masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-one-token-more")
def one_token_more(model, source, bos_id, eos_id, max_length):
    """You write `max_length` + 1 tokens where a row does not end.

    `max_length` tokens are written, bos not counted: `for _ in range(max_length)`.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length + 1 and not ended.all():
        token = model.decode(texts, memory, source)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-eos-forced")
def eos_forced(model, source, bos_id, eos_id, max_length):
    """You put `eos_id` at the end of a row that was cut off.

    Such a row has no end: it holds the `max_length` tokens that the model said.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    texts[~(texts == eos_id).any(dim=1), -1] = eos_id
    return texts


@misconception("greedy_decode", "greedy-last-column-cut")
def last_column_cut(model, source, bos_id, eos_id, max_length):
    """You cut off the last token that was written.

    Only bos, the first column, is left out: `texts[:, 1:]`.
    """
    return greedy_decode(model, source, bos_id, eos_id, max_length)[:, :-1]


@misconception("greedy_decode", "greedy-not-encoded")
def not_encoded(model, source, bos_id, eos_id, max_length):
    """You hand the source's ids to `decode` as the memory.

    The memory is (B, S, D), and ids are (B, S). Which half of the model turns one into the other?

    The memory is what `model.encode(source)` gives.
    """
    memory, texts = source, torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-decode-arguments")
def decode_arguments(model, source, bos_id, eos_id, max_length):
    """You hand the memory to `decode` before the text.

    It is `model.decode(target_in, memory, source)`.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(memory, texts, source)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-decode-without-source")
def decode_without_source(model, source, bos_id, eos_id, max_length):
    """You call `decode` without the source.

    The masks are made anew at every step: from which text does `decode` learn where the memory is padding?

    It needs the source's padding too: `model.decode(texts, memory, source)`.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-leaves-training")
def leaves_training(model, source, bos_id, eos_id, max_length):
    """You put the model into training mode at the end, whatever mode it came in.

    Do not change the mode: or remember `model.training`, and put that back.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    model.train()
    return texts


@misconception("greedy_decode", "greedy-lists")
def lists(model, source, bos_id, eos_id, max_length):
    """You return lists of tokens, not a tensor.

    Fill up shorter rows with `model.pad_id`: the answer is a tensor (B, n).
    """
    return greedy_decode(model, source, bos_id, eos_id, max_length).tolist()


@misconception("greedy_decode", "greedy-padding-ends")
def padding_ends(model, source, bos_id, eos_id, max_length):
    """You take a row for ended where the model says padding.

    Only `eos_id` ends a row. Whatever else the model says before it is a token like any other.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        token = model.decode(texts, memory, source)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id) | (token == model.pad_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-padding-forbidden")
def padding_forbidden(model, source, bos_id, eos_id, max_length):
    """You do not let the model say padding, and take the next likely token in its place.

    The most likely token is the one to write, whichever it is.
    """
    memory, texts = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    while texts.shape[1] <= max_length and not ended.all():
        logits = model.decode(texts, memory, source)[:, -1].clone()
        logits[:, model.pad_id] = -torch.inf
        token = logits.argmax(-1).masked_fill(ended, model.pad_id)
        texts = torch.cat([texts, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    return texts[:, 1:]


@misconception("greedy_decode", "greedy-softmax-over-positions")
def softmax_over_positions(model, source, bos_id, eos_id, max_length):
    """Your softmax runs over the positions, so a word is compared with itself at other places.

    The words of one position compete, along the last axis. And does the largest logit need a softmax at all?
    """
    memory, text = model.encode(source), torch.full_like(source[:, :1], bos_id)
    ended = torch.zeros_like(source[:, 0], dtype=torch.bool)
    for _ in range(max_length):
        token = model.decode(text, memory, source).softmax(1)[:, -1].argmax(-1).masked_fill(ended, model.pad_id)
        text, ended = torch.cat([text, token[:, None]], dim=1), ended | (token == eos_id)
        if ended.all():
            break
    return text[:, 1:]


@misconception("greedy_decode", "greedy-padding-columns-cut")
def padding_columns_cut(model, source, bos_id, eos_id, max_length):
    """You cut out every column that holds nothing but padding, also one that the model itself has written.

    Before its end a row may say any token, `pad_id` too. How many columns there are, the number of steps tells.
    """
    texts = greedy_decode(model, source, bos_id, eos_id, max_length)
    return texts[:, (texts != model.pad_id).any(dim=0)]
