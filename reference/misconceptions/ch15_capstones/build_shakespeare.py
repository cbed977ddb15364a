"""What goes wrong in `build_shakespeare`."""

import math

import torch
from torch import nn

from reference.blocks import mine
from reference.misconceptions import misconception


@misconception("build_shakespeare", "shakespeare-too-short")
def too_short_a_window(vocab_size):
    """Your model reads no text of 64 characters.

    Let `max_length` be 64.
    """
    return mine.CausalLM(vocab_size, max_length=32, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_shakespeare", "shakespeare-looks-ahead")
def looks_ahead(vocab_size):
    """Your model sees the characters that it has to predict, as blocks without a causal mask do.

    Blocks need a causal mask. `mine.CausalLM` makes it; a stack of encoder blocks by itself does not.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.max_length = 64
            self.embedding = mine.TokenAndPositionEmbedding(vocab_size, 64, 32)
            self.block = mine.EncoderBlock(32, 4, 64, 0.0, norm_first=True)
            self.output = nn.Linear(32, vocab_size)

        def forward(self, ids):
            return self.output(self.block(self.embedding(ids)))

    return Reader()


@misconception("build_shakespeare", "shakespeare-last-alone")
def last_alone(vocab_size):
    """Your model gives logits only once for each text, as for its last character, and not at every place.

    It learns from every place of a text: logits (B, T, V).
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.max_length = 64
            self.model = mine.CausalLM(vocab_size, 64, 32, 4, 64, 1)

        def forward(self, ids):
            return self.model(ids)[:, -1]

    return Reader()


@misconception("build_shakespeare", "shakespeare-last-left-out")
def last_left_out(vocab_size):
    """Your model leaves out the logits of the last place, with which it writes the next character.

    Shifting the labels is the caller's work. Give logits for each place: (B, T, V).
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.max_length = 64
            self.model = mine.CausalLM(vocab_size, 64, 32, 4, 64, 1)

        def forward(self, ids):
            return self.model(ids)[:, :-1]

    return Reader()


@misconception("build_shakespeare", "shakespeare-characters-lost")
def characters_lost(vocab_size):
    """Your table has fewer rows than the alphabet has characters.

    Every character has an id of its own, from 0 to `vocab_size` - 1.
    """
    return mine.CausalLM(vocab_size - 1, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_shakespeare", "shakespeare-nothing")
def nothing(vocab_size):
    """You return nothing: the `return` is missing.

    Build the model, and return it as the last line of the function.
    """
    return


@misconception("build_shakespeare", "shakespeare-softmax")
def with_softmax(vocab_size):
    """You end with a softmax: each row of your answer sums to 1.

    Return the logits themselves. `cross_entropy` in training takes the softmax, and a second one makes it learn slowly.
    """
    model = mine.CausalLM(vocab_size, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits.softmax(-1))
    return model


@misconception("build_shakespeare", "shakespeare-pair")
def more_than_logits(vocab_size):
    """You return more than the logits.

    This model gives one tensor. If an attention returns a pair, take its first half: `output, _ = attention(...)`.
    """
    model = mine.CausalLM(vocab_size, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: (logits, logits))
    return model


@misconception("build_shakespeare", "shakespeare-nan")
def not_a_number(vocab_size):
    """There is NaN or infinity in your logits.

    Usually a softmax has a row in which every score is -inf: let each query see at least one key.
    """
    model = mine.CausalLM(vocab_size, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits * math.nan)
    return model


@misconception("build_shakespeare", "shakespeare-ids")
def characters_instead_of_logits(vocab_size):
    """You return one number for each place instead of V logits.

    Leave out the `argmax`: training needs all the logits, and `generate` chooses the character.
    """
    model = mine.CausalLM(vocab_size, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits.argmax(-1))
    return model


@misconception("build_shakespeare", "shakespeare-characters-second")
def characters_second(vocab_size):
    """Your logits are (B, V, T): the characters are in the second axis.

    The axis of the characters is the last one here: (B, T, V).
    """
    model = mine.CausalLM(vocab_size, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits.mT)
    return model


@misconception("build_shakespeare", "shakespeare-65")
def always_65(vocab_size):
    """Your model always has 65 characters and ignores `vocab_size`.

    Another text has another alphabet: pass `vocab_size` on.
    """
    return mine.CausalLM(65, max_length=64, width=128, num_heads=4, hidden=512, num_blocks=4)


@misconception("build_shakespeare", "shakespeare-no-max-length")
def no_max_length(vocab_size):
    """An argument of `mine.CausalLM` is missing: `num_blocks`, or one before it, so that the others move up.

    In order: vocab_size, max_length, width, num_heads, hidden, num_blocks. Give them by name.
    """
    return mine.CausalLM(vocab_size, 128, 4, 512, 4)


@misconception("build_shakespeare", "shakespeare-vectors")
def vectors(vocab_size):
    """You return vectors of the blocks' width, (B, T, 128), instead of logits.

    A last linear layer turns each vector into V logits. `mine.CausalLM` ends with its table.
    """
    blocks = [mine.EncoderBlock(128, 4, 512, 0.0, norm_first=True) for _ in range(4)]
    return nn.Sequential(mine.TokenAndPositionEmbedding(vocab_size, 64, 128), *blocks)


@misconception("build_shakespeare", "shakespeare-pairs")
def each_character_alone(vocab_size):
    """In your model earlier characters change nothing for the later ones.

    Attention has to run along the places: causal blocks, and for torch's layers `batch_first=True`.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.max_length = 64
            self.table, self.output = nn.Embedding(vocab_size, 32), nn.Linear(32, vocab_size)

        def forward(self, ids):
            return self.output(self.table(ids))

    return Reader()


@misconception("build_shakespeare", "shakespeare-max-length-by-name")
def max_length_left_out(vocab_size):
    """You do not say how long texts are: `max_length` is missing.

    Texts have 64 characters: `max_length=64`.
    """
    return mine.CausalLM(vocab_size, width=128, num_heads=4, hidden=512, num_blocks=4)


@misconception("build_shakespeare", "shakespeare-shifted")
def shifted_once_more(vocab_size):
    """Your model shifts the text once more: what it says at a place does not depend on the character there.

    Feed the ids as they are. In training the labels are already one place further; a character in front, which drops
    the last one, is for the decoder of a translation.
    """

    class Writer(nn.Module):
        def __init__(self):
            super().__init__()
            self.max_length = 64
            self.model = mine.CausalLM(vocab_size, 64, 32, 4, 64, 1)

        def forward(self, ids):
            return self.model(torch.cat([torch.zeros_like(ids[:, :1]), ids[:, :-1]], dim=1))

    return Writer()


@misconception("build_shakespeare", "shakespeare-rounded-up")
def rounded_up(vocab_size):
    """You round the vocabulary up to a multiple of 64, so there are logits for characters that do not exist.

    Use `vocab_size` as it is: the answer has a logit for each character, no more.
    """
    return mine.CausalLM(-(-vocab_size // 64) * 64, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_shakespeare", "shakespeare-rounded-to-eight")
def rounded_to_eight(vocab_size):
    """You round the vocabulary up to a multiple of 8, so there are logits for characters that do not exist.

    Use `vocab_size` as it is: the answer has a logit for each character, no more.
    """
    return mine.CausalLM(-(-vocab_size // 8) * 8, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_shakespeare", "shakespeare-sizes-swapped")
def sizes_swapped(vocab_size):
    """You swap the size of the alphabet and the length of a text: the table of characters has 64 rows only.

    The alphabet comes first: vocab_size, max_length. Give them by name.
    """
    return mine.CausalLM(64, vocab_size, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_shakespeare", "shakespeare-one-character-more")
def one_character_more(vocab_size):
    """Your model has a character too many: one logit more than `vocab_size` at each place.

    Texts are cut to one length here, so there is no padding that needs an id of its own.
    """
    return mine.CausalLM(vocab_size + 1, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_shakespeare", "shakespeare-no-attribute")
def no_attribute(vocab_size):
    """Your model reads texts of 64, but has no attribute `max_length` that says so.

    `generate` asks the model how much of a long text it can read. What must your model keep, besides its layers?
    """

    class Whole(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = mine.CausalLM(vocab_size, max_length=64, width=128, num_heads=4, hidden=512, num_blocks=4)

        def forward(self, ids):
            return self.inner(ids)

    return Whole()
