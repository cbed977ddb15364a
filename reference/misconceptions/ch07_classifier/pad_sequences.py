"""Padding on the wrong side, tokens from the wrong end, and texts without any."""

import torch

from reference.ch07_classifier import pad_sequences
from reference.misconceptions import misconception


@misconception("pad_sequences", "pad-sequences-behind")
def behind(sequences, max_length, pad_id=0):
    """You put the padding after the text.

    Here, as in Keras, every row ends with its text. Write down the row for the text 7, 8 with a `max_length` of 4.

    The padding comes first: `[pad_id] * missing + tokens`.
    """
    kept = [tokens[-max_length:] for tokens in sequences]
    return torch.tensor([tokens + [pad_id] * (max_length - len(tokens)) for tokens in kept])


@misconception("pad_sequences", "pad-sequences-first-tokens")
def first_tokens(sequences, max_length, pad_id=0):
    """You keep the first `max_length` tokens of a long text.

    Where does a review usually give its verdict? The task says which end of a long text to keep.

    Keep its last tokens: `tokens[-max_length:]`.
    """
    return pad_sequences([tokens[:max_length] for tokens in sequences], max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-behind-and-first")
def behind_and_first(sequences, max_length, pad_id=0):
    """You pad at the end and cut off at the end, where both should happen in front.

    Write down the rows for 7, 8 and for 1, 2, 3, 4, 5 with a `max_length` of 4. Both must end with the last token of
    the text.

    Keep `tokens[-max_length:]`, and write the padding before it.
    """
    kept = [tokens[:max_length] for tokens in sequences]
    return torch.tensor([tokens + [pad_id] * (max_length - len(tokens)) for tokens in kept])


@misconception("pad_sequences", "pad-sequences-uncut")
def uncut(sequences, max_length, pad_id=0):
    """You do not cut long texts: their rows are too long, and rows of different lengths make no tensor.

    Every row has `max_length` tokens. What must you do to a text that has more, and at which end?

    Keep the last ones, `tokens[-max_length:]`, before you fill up.
    """
    return torch.tensor([[pad_id] * (max_length - len(tokens)) + tokens for tokens in sequences])


@misconception("pad_sequences", "pad-sequences-longest")
def longest(sequences, max_length, pad_id=0):
    """You fill up to the longest text of the batch, not to `max_length`.

    Every row has `max_length` tokens, even if no text is that long.
    """
    return pad_sequences(sequences, min(max_length, max(map(len, sequences))), pad_id)


@misconception("pad_sequences", "pad-sequences-zero")
def zero(sequences, max_length, pad_id=0):
    """You fill up with 0, whatever `pad_id` says.

    The id of padding is the tokenizer's choice; use the argument.
    """
    return pad_sequences(sequences, max_length)


@misconception("pad_sequences", "pad-sequences-negative-start")
def negative_start(sequences, max_length, pad_id=0):
    """You begin a slice at `len(tokens) - max_length`, which is negative for a short text and cuts off its beginning.

    A negative number counts from the end. Work out your slice for 2 tokens and a `max_length` of 3; how could you count
    from the end for every text?

    `tokens[-max_length:]` is right for short and for long texts.
    """
    return pad_sequences([tokens[len(tokens) - max_length :] for tokens in sequences], max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-last-lost")
def last_lost(sequences, max_length, pad_id=0):
    """You cut off the last `max_length` tokens instead of keeping them.

    On which side of the colon does your number stand? One side is where a slice begins, the other where it ends.

    `tokens[-max_length:]` begins at that place, `tokens[:-max_length]` ends there.
    """
    return pad_sequences([tokens[:-max_length] for tokens in sequences], max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-backwards")
def backwards(sequences, max_length, pad_id=0):
    """Your texts come out backwards.

    If you reverse them to pad in front, reverse the whole rows back at the end.
    """
    return pad_sequences([tokens[-max_length:][::-1] for tokens in sequences], max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-float")
def floating(sequences, max_length, pad_id=0):
    """Your ids are floating-point numbers.

    `torch.zeros` makes floats by default, and no embedding can look them up: ask for `dtype=torch.int64`.
    """
    return pad_sequences(sequences, max_length, pad_id).to(torch.get_default_dtype())


@misconception("pad_sequences", "pad-sequences-int32")
def int32(sequences, max_length, pad_id=0):
    """Your ids are int32.

    That is what Keras gives; in PyTorch ids are int64, so ask for `dtype=torch.int64`.
    """
    return pad_sequences(sequences, max_length, pad_id).to(torch.int32)


@misconception("pad_sequences", "pad-sequences-list")
def nested_list(sequences, max_length, pad_id=0):
    """You return lists.

    A model needs a tensor (B, max_length). Which dtype do ids have?

    Make one of all rows: `torch.tensor(rows, dtype=torch.int64)`.
    """
    return [[pad_id] * (max_length - len(tokens)) + tokens[-max_length:] for tokens in sequences]


@misconception("pad_sequences", "pad-sequences-minus-zero")
def minus_zero(sequences, max_length, pad_id=0):
    """You write to `row[-len(tokens):]`, which is the whole row when the text is empty: -0 is 0.

    Write to `row[max_length - len(tokens):]`, which is empty then.
    """
    padded = torch.full((len(sequences), max_length), pad_id)
    for row, tokens in zip(padded, sequences, strict=True):
        kept = torch.tensor(tokens[-max_length:], dtype=torch.int64)
        row[-len(kept) :] = kept
    return padded


@misconception("pad_sequences", "pad-sequences-empty-skipped")
def empty_skipped(sequences, max_length, pad_id=0):
    """You leave out texts that are empty, so the rows no longer match the labels.

    An empty text is a row of padding.
    """
    rows = [[pad_id] * (max_length - len(tokens)) + tokens[-max_length:] for tokens in sequences if tokens]
    return torch.tensor(rows, dtype=torch.int64).reshape(len(rows), max_length)


@misconception("pad_sequences", "pad-sequences-in-place")
def in_place(sequences, max_length, pad_id=0):
    """You write the padding into the caller's own lists.

    `insert`, `del` and `+=` change the list that you were given. What makes a new list instead?

    Add two lists: `[pad_id] * missing + tokens` is a new one.
    """
    for tokens in sequences:
        del tokens[:-max_length]
        while len(tokens) < max_length:
            tokens.insert(0, pad_id)
    return torch.tensor(sequences, dtype=torch.int64)


@misconception("pad_sequences", "pad-sequences-cpu")
def on_cpu(sequences, max_length, pad_id=0):
    """Your tensor is on the CPU, even where torch's default device is another one.

    Use `torch.tensor` without `device=`; `torch.LongTensor` and `torch.from_numpy` ignore the default device.
    """
    rows = [[pad_id] * (max_length - len(tokens)) + tokens[-max_length:] for tokens in sequences]
    return torch.tensor(rows, dtype=torch.int64, device="cpu")


@misconception("pad_sequences", "pad-sequences-long-skipped")
def long_texts_skipped(sequences, max_length, pad_id=0):
    """You leave out texts that are longer than `max_length`, so the rows no longer match the labels.

    A long text keeps its last `max_length` tokens.
    """
    return pad_sequences([tokens for tokens in sequences if len(tokens) <= max_length], max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-one-row")
def one_row_for_all(sequences, max_length, pad_id=0):
    """All your rows are the last text: they share one list, or each text is written to all of them.

    `[[pad_id] * max_length] * B` holds the same list B times; make a new one for every text.
    """
    return pad_sequences([sequences[-1]] * len(sequences), max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-sorted")
def sorted_by_length(sequences, max_length, pad_id=0):
    """You sort the texts by length, so the rows no longer match the labels.

    Leave them in the given order.
    """
    return pad_sequences(sorted(sequences, key=len), max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-one-token-fewer")
def one_token_fewer(sequences, max_length, pad_id=0):
    """Of a text with `max_length` tokens or more you keep one token too few.

    Try a text of 4 tokens with a `max_length` of 3. At which index does your slice begin, and at which should it?

    `tokens[-max_length:]` are the last `max_length` tokens.
    """
    kept = [tokens[len(tokens) - max_length + 1 :] if len(tokens) >= max_length else tokens for tokens in sequences]
    return pad_sequences(kept, max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-last-token-lost")
def last_token_lost(sequences, max_length, pad_id=0):
    """You cut off the last token of every text.

    Does a slice include the place where it ends? Try yours on a text of three tokens.

    A slice that ends at -1 leaves the last one out: `tokens[-max_length:]`.
    """
    return pad_sequences([tokens[:-1] for tokens in sequences], max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-zeros-skipped")
def zeros_skipped(sequences, max_length, pad_id=0):
    """You leave out tokens with the id 0 inside the texts.

    0 is an id like any other, and may be a word; go by positions, not by values.
    """
    return pad_sequences([[token for token in tokens if token] for tokens in sequences], max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-pads-skipped")
def pads_skipped(sequences, max_length, pad_id=0):
    """You leave out tokens of a text that equal `pad_id`.

    Inside a text they are tokens like any other; go by positions, not by values.
    """
    return pad_sequences([[token for token in tokens if token != pad_id] for tokens in sequences], max_length, pad_id)


@misconception("pad_sequences", "pad-sequences-minus-zero-in-a-list")
def minus_zero_in_a_list(sequences, max_length, pad_id=0):
    """You put the tokens into `row[-len(tokens):]`, which is the whole row when the text is empty: -0 is 0.

    A list then becomes shorter, without an error. At which place, counted from the front, does the text begin?
    """
    rows = []
    for tokens in sequences:
        row, kept = [pad_id] * max_length, tokens[-max_length:]
        row[-len(kept) :] = kept
        rows.append(row)
    return torch.tensor(rows, dtype=torch.int64)


@misconception("pad_sequences", "pad-sequences-one-list")
def one_list(sequences, max_length, pad_id=0):
    """Each of your texts writes over those before it: the rows are one and the same list, or you write to all of them.

    `[[pad_id] * max_length] * B` holds the same list B times; make a new one for every text. In a tensor,
    `rows[:, ...]` is every row.
    """
    row = [pad_id] * max_length
    for tokens in sequences:
        kept = tokens[-max_length:]
        row[max_length - len(kept) :] = kept
    return torch.tensor([row] * len(sequences), dtype=torch.int64)


@misconception("pad_sequences", "pad-sequences-through-floats")
def through_floats(sequences, max_length, pad_id=0):
    """Your ids go through floating-point numbers, where a large one loses its last digits.

    Turning them back into integers is too late. A tensor of no numbers is one of floats too, unless you name a dtype.
    """
    return pad_sequences(sequences, max_length, pad_id).float().long()
