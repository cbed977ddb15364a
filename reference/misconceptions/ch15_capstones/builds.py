"""What goes wrong in the five models that are built."""

import torch
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
    """Your model reads the padding after a source as if it were digits.

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


@misconception("build_markov", "markov-no-mask")
def no_mask(vocab_size):
    """Your reader looks at later words: it has no causal mask, or one the wrong way round.

    Pass `torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()` to the attention: row t is True up to t.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size)

        def forward(self, ids):
            x = self.table(ids)
            heard, weights = self.attention(x, x, x)
            return self.output(x + heard), weights[:, 0]

    return Reader()


@misconception("build_markov", "markov-not-itself")
def not_itself(vocab_size):
    """Your mask hides each word from itself, so the first word has nothing to look at.

    A word may look at itself and at everything before it: `tril()`, not `tril(-1)`.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size)

        def forward(self, ids):
            x = self.table(ids)
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril(-1)
            heard, weights = self.attention(x, x, x, mask)
            return self.output(x + heard), weights[:, 0]

    return Reader()


@misconception("build_markov", "markov-axis-of-heads")
def axis_of_heads(vocab_size):
    """You return the weights with their axis for heads, (B, 1, T, T).

    There is one head: return `weights[:, 0]`, which is (B, T, T).
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size)

        def forward(self, ids):
            x = self.table(ids)
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
            heard, weights = self.attention(x, x, x, mask)
            return self.output(x + heard), weights

    return Reader()


@misconception("build_markov", "markov-logits-alone")
def logits_alone(vocab_size):
    """You return the logits alone.

    The weights are graded here: return a pair, logits and weights.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size)

        def forward(self, ids):
            x = self.table(ids)
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
            heard, _ = self.attention(x, x, x, mask)
            return self.output(x + heard)

    return Reader()


@misconception("build_markov", "markov-weights-first")
def weights_first(vocab_size):
    """You return the weights first.

    The logits come first, then the weights.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size)

        def forward(self, ids):
            x = self.table(ids)
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
            heard, weights = self.attention(x, x, x, mask)
            return weights[:, 0], self.output(x + heard)

    return Reader()


@misconception("build_markov", "markov-vectors")
def vectors(vocab_size):
    """You return what the attention gives, a vector for each word, instead of logits.

    A last linear layer turns each vector, with what it heard added, into a logit for each word of the vocabulary.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size)

        def forward(self, ids):
            x = self.table(ids)
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
            heard, weights = self.attention(x, x, x, mask)
            return x + heard, weights[:, 0]

    return Reader()


@misconception("build_sentiment", "sentiment-too-short")
def too_short(vocab_size):
    """Your model reads no text of 200 words.

    Let `max_length` be 200: texts are cut to their last 200 words, not shorter.
    """
    return mine.SentimentClassifier(vocab_size, max_length=64, dropout=0.3)


@misconception("build_sentiment", "sentiment-words-lost")
def words_lost(vocab_size):
    """Your table has fewer rows than the vocabulary has words.

    Padding and the unknown word are already counted: `vocab_size` rows, neither more nor less.
    """
    return mine.SentimentClassifier(vocab_size - 2, max_length=200, dropout=0.3)


@misconception("build_sentiment", "sentiment-language-model")
def sentiment_of_each_word(vocab_size):
    """Your model gives logits for each word, not one for each text.

    Take the classifier of chapter 7, which averages over the words: `mine.SentimentClassifier`.
    """
    return mine.CausalLM(vocab_size, max_length=200, width=32, num_heads=2, hidden=32, num_blocks=1)


@misconception("build_shakespeare", "shakespeare-too-short")
def too_short_a_window(vocab_size):
    """Your model reads no text of 64 characters.

    Let `max_length` be 64.
    """
    return mine.CausalLM(vocab_size, max_length=32, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_shakespeare", "shakespeare-looks-ahead")
def looks_ahead(vocab_size):
    """Your model sees the characters that it has to predict.

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
    """Your model gives logits only for the last character.

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


@misconception("build_shakespeare", "shakespeare-characters-lost")
def characters_lost(vocab_size):
    """Your table has fewer rows than the alphabet has characters.

    Every character has an id of its own, from 0 to `vocab_size` - 1.
    """
    return mine.CausalLM(vocab_size - 1, max_length=64, width=32, num_heads=4, hidden=64, num_blocks=1)


@misconception("build_digits", "digits-nine")
def nine_classes():
    """Your model knows nine digits, not ten.

    0 is a digit too: `num_classes=10`.
    """
    return mine.VisionTransformer(8, 4, 1, 9, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-in-colour")
def in_colour():
    """Your model expects pictures with three channels.

    These are grey: `channels=1`.
    """
    return mine.VisionTransformer(8, 4, 3, 10, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-too-large")
def too_large():
    """Your model expects larger pictures than these.

    They have 8 × 8 pixels: `image_size=8`.
    """
    return mine.VisionTransformer(28, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)


@misconception("build_digits", "digits-without-places")
def without_places():
    """Your model does not know where a patch was.

    A bag of patches is no picture. `mine.VisionTransformer` adds a learned position to each patch: leave it there.
    """
    model = mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)
    nn.init.zeros_(model.embedding.positions)
    return model
