"""Inputs that tell little about words and positions that are added."""

import torch

from reference.misconceptions import misconception


@misconception("probe_positions", "probe-positions-ones")
def ones():
    """All your words and positions are ones, and there are as many positions as words.

    All rows of the table are equal, so you cannot see which ones were taken; use numbers that differ.
    """
    return torch.ones(1, 2, 2), torch.ones(2, 2)


@misconception("probe_positions", "probe-positions-no-words")
def words_of_zeros():
    """Your words are all zeros.

    A zero stays zero, however you scale it; give the words numbers that differ.
    """
    return torch.zeros(2, 3, 5), torch.arange(35.0).reshape(7, 5)


@misconception("probe_positions", "probe-positions-no-table")
def table_of_zeros():
    """Your table is all zeros.

    You cannot see which rows are taken, or whether any are; give the table numbers that differ.
    """
    return torch.arange(1.0, 31.0).reshape(2, 3, 5), torch.zeros(7, 5)


@misconception("probe_positions", "probe-positions-equal-rows")
def equal_rows():
    """All rows of your table are equal.

    Code that takes the wrong ones is right by accident; no two rows may be equal.
    """
    return torch.arange(1.0, 31.0).reshape(2, 3, 5), torch.arange(5.0).expand(7, 5)


@misconception("probe_positions", "probe-positions-full")
def as_long_as_the_table():
    """Your text is exactly as long as the table.

    The first rows, the last rows and all rows are then the same; let the table have more rows than the text has words.
    """
    return torch.arange(1.0, 31.0).reshape(2, 3, 5), torch.arange(15.0).reshape(3, 5)


@misconception("probe_positions", "probe-positions-square")
def as_many_words_as_columns():
    """Your text has as many words as a word has numbers.

    √T is then √D; let the two differ.
    """
    return torch.arange(1.0, 33.0).reshape(2, 4, 4), torch.arange(28.0).reshape(7, 4)


@misconception("probe_positions", "probe-positions-width-one")
def width_one():
    """Your words hold a single number each.

    √1 is 1: multiplied by it, divided by it or left alone, a word stays what it is. Make D larger.
    """
    return torch.arange(1.0, 7.0).reshape(2, 3, 1), torch.arange(7.0).reshape(7, 1)


@misconception("probe_positions", "probe-positions-one-word")
def one_word():
    """You have one text of one word.

    With a single position you cannot see along which axis positions are counted; take several texts and words.
    """
    return torch.arange(1.0, 6.0).reshape(1, 1, 5), torch.arange(35.0).reshape(7, 5)


@misconception("probe_positions", "probe-positions-paper-width")
def paper_width():
    """Your words are 512 wide, like those of the paper, and the table is just as long as the text.

    Code with a hard-coded √512 is right here, and so is code that uses the whole table; take other sizes.
    """
    return torch.sin(torch.arange(1536.0)).reshape(1, 3, 512), torch.cos(torch.arange(1536.0)).reshape(3, 512)


@misconception("probe_positions", "probe-positions-too-long")
def longer_than_the_table():
    """Your text is longer than the table.

    The right version refuses that; a probe is a call that works. Give the table at least T rows.
    """
    return torch.arange(1.0, 51.0).reshape(2, 5, 5), torch.arange(15.0).reshape(3, 5)


@misconception("probe_positions", "probe-positions-no-batch")
def without_a_batch():
    """Your x has no axis for the batch.

    `add_positions` takes (B, T, D); one text is (1, T, D), and two tell more.
    """
    return torch.arange(1.0, 16.0).reshape(3, 5), torch.arange(35.0).reshape(7, 5)
