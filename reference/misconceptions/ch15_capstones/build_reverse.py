"""What goes wrong in `build_reverse`."""

import math

from torch import nn

from reference.blocks import mine
from reference.misconceptions import misconception


@misconception("build_reverse", "reverse-ten-words")
def ten_words():
    """You give the model fewer words than there are ids.

    Besides the ten digits there are padding, begin and end: 13 words in the source and in the target.
    """
    return mine.Transformer(10, 10, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1, dropout=0.0)


@misconception("build_reverse", "reverse-no-room-for-the-end")
def logits_without_digits():
    """Your model reads 13 words but can write only 10.

    Padding, begin and end are words of the target too: 13 of them.
    """
    model = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1, dropout=0.0)
    model.output = nn.Linear(32, 10)
    return model


@misconception("build_reverse", "reverse-padding-read")
def padding_read():
    """Your model reads the padding after a source, so its answer depends on how much padding there is.

    Padding has the id 0 here. `mine.Transformer` leaves it out with `pad_id=0`; a model of your own needs a mask.
    """
    return mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1, pad_id=1)


@misconception("build_reverse", "reverse-class")
def class_of_reverse():
    """You return the class, not a model.

    Call it with its sizes: `mine.Transformer(13, 13, ...)`.
    """
    return mine.Transformer


@misconception("build_reverse", "reverse-language-model")
def language_model():
    """You build a model that reads one text; this task has a source and a target.

    Reversing is a translation: take the model of chapter 8, which has an encoder and a decoder.
    """
    return mine.CausalLM(13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_reverse", "reverse-nothing")
def nothing():
    """You return nothing: the `return` is missing.

    Build the model, and return it as the last line of the function.
    """
    return


@misconception("build_reverse", "reverse-softmax")
def with_softmax():
    """You end with a softmax: each row of your answer sums to 1.

    Return the logits themselves. `cross_entropy` in training takes the softmax, and a second one makes it learn slowly.
    """
    model = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits.softmax(-1))
    return model


@misconception("build_reverse", "reverse-pair")
def more_than_logits():
    """You return more than the logits.

    This model gives one tensor. If an attention returns a pair, take its first half: `output, _ = attention(...)`.
    """
    model = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: (logits, logits))
    return model


@misconception("build_reverse", "reverse-nan")
def not_a_number():
    """There is NaN or infinity in your logits.

    Usually a softmax has a row in which every score is -inf: let each query see at least one key.
    """
    model = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits * math.nan)
    return model


@misconception("build_reverse", "reverse-ids")
def words_instead_of_logits():
    """You return one number for each place instead of 13 logits.

    Leave out the `argmax`: training needs all the logits, and `greedy_decode` chooses the word.
    """
    model = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits.argmax(-1))
    return model


@misconception("build_reverse", "reverse-last-alone")
def last_place_alone():
    """You return logits only once for each text, as for its last place, and not at every place.

    Training compares every place of the target with the next word: return (B, T, 13).
    """
    model = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits[:, -1])
    return model


@misconception("build_reverse", "reverse-words-second")
def words_second():
    """Your logits are (B, 13, T): the words are in the second axis.

    The axis of the words is the last one here: (B, T, 13).
    """
    model = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits.mT)
    return model


@misconception("build_reverse", "reverse-batch-second")
def batch_second():
    """Your logits are (T, B, 13): the batch is in the second axis.

    The batch comes first: (B, T, 13). torch's layers keep it there with `batch_first=True`.
    """
    model = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)
    model.register_forward_hook(lambda _, __, logits: logits.transpose(0, 1))
    return model


@misconception("build_reverse", "reverse-no-max-length")
def no_max_length():
    """An argument of `mine.Transformer` is missing: `num_blocks`, or one before it, so that the others move up.

    In order: source_vocab, target_vocab, max_length, width, num_heads, hidden, num_blocks. Give them by name.
    """
    return mine.Transformer(13, 13, 32, 4, 64, 1)


@misconception("build_reverse", "reverse-source-places")
def source_places():
    """Your logits are for the places of the source, not of the target.

    The decoder reads the target and asks the source: the answer is as long as `target_in`.
    """

    class Reverser(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = mine.Transformer(13, 13, 9, 32, 4, 64, 1)

        def forward(self, source, target_in):
            return self.model(target_in, source)

    return Reverser()


@misconception("build_reverse", "reverse-source-ignored")
def source_ignored():
    """Your model gives the same logits for another source.

    Does the decoder's cross-attention ask what the encoder made of the source, and does the encoder know its order?
    """

    class Writer(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = mine.CausalLM(13, 9, 32, 4, 64, 1)

        def forward(self, source, target_in):
            return self.model(target_in)

    return Writer()


@misconception("build_reverse", "reverse-looks-ahead")
def looks_ahead():
    """Your decoder sees the later words of the target, as one without a causal mask does.

    In training it would copy the answer. `nn.Transformer` needs a causal `tgt_mask`; `mine.Transformer` makes its own.
    """

    class Reverser(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = mine.Transformer(13, 13, 9, 32, 4, 64, 1)

        def forward(self, source, target_in):
            logits = self.model(source, target_in)
            return logits + logits.mean(1, keepdim=True)

    return Reverser()


@misconception("build_reverse", "reverse-batch-not-first")
def batch_not_first():
    """You build `nn.Transformer` without `batch_first=True`: it takes places for texts.

    Its tensors are (T, B, D) unless you say so; source and target have different lengths, so it refuses them.
    """

    class Reverser(nn.Module):
        def __init__(self):
            super().__init__()
            self.source, self.target = nn.Embedding(13, 32), nn.Embedding(13, 32)
            self.model = nn.Transformer(32, 4, 1, 1, 64)
            self.output = nn.Linear(32, 13)

        def forward(self, source, target_in):
            return self.output(self.model(self.source(source), self.target(target_in)))

    return Reverser()


@misconception("build_reverse", "reverse-fourteen-words")
def fourteen_words():
    """Your model has a word too many: 14 logits at each place.

    Padding, begin, end and ten digits are 13 words.
    """
    return mine.Transformer(14, 14, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_reverse", "reverse-max-length-by-name")
def max_length_left_out():
    """You do not say how long texts are: `max_length` is missing.

    A target with its end has up to 9 tokens: `max_length=9`.
    """
    return mine.Transformer(13, 13, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_reverse", "reverse-source-flipped")
def source_flipped():
    """Your encoder reads the source turned round, while the mask still hides padding where it was before.

    Leave out the `flip` in `encode`: the model learns to reverse by itself. A source that is turned round has its
    padding in front, and the cross-attention hides digits instead.
    """

    class Reversed(mine.Transformer):
        def encode(self, source):
            return super().encode(source.flip(1))

    return Reversed(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1, pad_id=0, dropout=0.0)


@misconception("build_reverse", "reverse-source-turned-first")
def source_turned_first():
    """You turn the source round before the model reads it, and its padding comes in front.

    Leave out the `flip`: the model learns to reverse by itself. With padding in front, each digit has another position.
    """

    class Reversed(mine.Transformer):
        def forward(self, source, target_in):
            return super().forward(source.flip(1), target_in)

    return Reversed(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1, pad_id=0, dropout=0.0)


@misconception("build_reverse", "reverse-whole-call-only")
def whole_call_only():
    """Your model answers the whole call, but not `encode(source)`: the method is missing, or raises an error.

    `greedy_decode` asks for the halves: a source is encoded once, and decoded word after word. Which methods must your
    class have, besides `forward`, and with which arguments?
    """

    class Whole(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)

        def forward(self, source, target_in):
            return self.inner(source, target_in)

    return Whole()


@misconception("build_reverse", "reverse-no-pad-id")
def no_pad_id():
    """Your model has no attribute `pad_id`.

    `greedy_decode` fills up texts that end early, and asks the model with which id. What is padding here?
    """

    class Halves(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1)

        def encode(self, source):
            return self.inner.encode(source)

        def decode(self, target_in, memory, source):
            return self.inner.decode(target_in, memory, source)

        def forward(self, source, target_in):
            return self.decode(target_in, self.encode(source), source)

    return Halves()
