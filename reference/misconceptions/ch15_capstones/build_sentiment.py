"""What goes wrong in `build_sentiment`."""

import math

import torch
from torch import nn

from reference.blocks import mine
from reference.misconceptions import misconception


@misconception("build_sentiment", "sentiment-too-short")
def too_short(vocab_size):
    """Your model reads no text of 200 words.

    Let `max_length` be 200: sentences have at most 40 words, but the reviews of IMDB up to 200.
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


@misconception("build_sentiment", "sentiment-nothing")
def nothing(vocab_size):
    """You return nothing: the `return` is missing.

    Build the model, and return it as the last line of the function.
    """
    return


@misconception("build_sentiment", "sentiment-last-axis")
def axis_left(vocab_size):
    """Your logits have an axis too many: (B, 1).

    Take the last axis off: `logits.squeeze(-1)` or `logits[:, 0]`.
    """
    model = mine.SentimentClassifier(vocab_size, max_length=200)
    model.register_forward_hook(lambda _, __, logits: logits[:, None])
    return model


@misconception("build_sentiment", "sentiment-squeezed")
def squeezed(vocab_size):
    """For a single text your answer has lost its only axis.

    `squeeze()` without an axis takes off every axis of size 1, also that of the texts. Write `squeeze(-1)`.
    """
    model = mine.SentimentClassifier(vocab_size, max_length=200)
    model.register_forward_hook(lambda _, __, logits: logits.squeeze())
    return model


@misconception("build_sentiment", "sentiment-two-classes")
def two_classes(vocab_size):
    """You return two logits for each text.

    One is enough here: above 0 means praise, below 0 blame. The last layer gives one number.
    """
    model = mine.SentimentClassifier(vocab_size, max_length=200)
    model.register_forward_hook(lambda _, __, logits: torch.stack([-logits, logits], dim=-1))
    return model


@misconception("build_sentiment", "sentiment-pair")
def more_than_logits(vocab_size):
    """You return more than the logits.

    This model gives one tensor. If an attention returns a pair, take its first half: `output, _ = attention(...)`.
    """
    model = mine.SentimentClassifier(vocab_size, max_length=200)
    model.register_forward_hook(lambda _, __, logits: (logits, logits))
    return model


@misconception("build_sentiment", "sentiment-nan")
def not_a_number(vocab_size):
    """There is NaN or infinity in your logits.

    Usually a softmax has a row in which every score is -inf: let each query see at least one key.
    """
    model = mine.SentimentClassifier(vocab_size, max_length=200)
    model.register_forward_hook(lambda _, __, logits: logits * math.nan)
    return model


@misconception("build_sentiment", "sentiment-one-for-all")
def one_for_all(vocab_size):
    """You return a single number for the whole batch.

    Average over the words of each text, axis 1, and keep the axis of the texts.
    """
    model = mine.SentimentClassifier(vocab_size, max_length=200)
    model.register_forward_hook(lambda _, __, logits: logits.mean())
    return model


@misconception("build_sentiment", "sentiment-verdicts")
def verdicts(vocab_size):
    """You return yes or no for each text instead of a logit.

    Return the numbers of the last layer as they are: training needs them, and the grader compares them with 0.
    """
    model = mine.SentimentClassifier(vocab_size, max_length=200)
    model.register_forward_hook(lambda _, __, logits: logits > 0)
    return model


@misconception("build_sentiment", "sentiment-same")
def arguments_in_another_order(vocab_size):
    """Your model gives every text the same logit.

    Are the arguments in order? They are vocab_size, max_length, width, num_heads, hidden; give them by name.
    """
    return mine.SentimentClassifier(vocab_size, 200, 2, 64)


@misconception("build_sentiment", "sentiment-class")
def class_of_sentiment(vocab_size):
    """You return the class, not a model.

    Call it with its sizes: `mine.SentimentClassifier(vocab_size, ...)`.
    """
    return mine.SentimentClassifier


@misconception("build_sentiment", "sentiment-each-word")
def logit_of_each_word(vocab_size):
    """Your model gives a logit for each word, (B, T, 1).

    Average the vectors over the words first, `x.mean(dim=1)`; then one linear layer gives a number for each text.
    """
    embedding = mine.TokenAndPositionEmbedding(vocab_size, 200, 32)
    return nn.Sequential(embedding, mine.EncoderBlock(32, 2, 32, 0.1), nn.Linear(32, 1))


@misconception("build_sentiment", "sentiment-each-word-flat")
def flat_logit_of_each_word(vocab_size):
    """Your model gives a logit for each word, (B, T).

    Average the vectors over the words first, `x.mean(dim=1)`; then one linear layer gives a number for each text.
    """
    embedding = mine.TokenAndPositionEmbedding(vocab_size, 200, 32)
    return nn.Sequential(embedding, mine.EncoderBlock(32, 2, 32, 0.1), nn.Linear(32, 1), nn.Flatten(1))


@misconception("build_sentiment", "sentiment-batch-mixed")
def batch_mixed(vocab_size):
    """Your model mixes the texts of a batch: a text alone gets other logits.

    torch's layers expect (T, B, D) unless you say `batch_first=True`; the axis of texts must stay apart.
    """

    class Judge(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 32)
            self.block = nn.TransformerEncoderLayer(32, 2, 32)
            self.output = nn.Linear(32, 1)

        def forward(self, ids):
            return self.output(self.block(self.table(ids)).mean(1)).squeeze(-1)

    return Judge()


@misconception("build_sentiment", "sentiment-vectors")
def vector_of_each_text(vocab_size):
    """You return a vector for each text, (B, 32), instead of a logit.

    A last linear layer makes one number of it: `nn.Linear(32, 1)`, and `squeeze(-1)`.
    """
    model = mine.SentimentClassifier(vocab_size, max_length=200)
    model.output = nn.Linear(100, 32)
    model.register_forward_hook(lambda _, __, flat: flat.reshape(-1, 32))
    return model


@misconception("build_sentiment", "sentiment-mean-over-texts")
def mean_over_texts(vocab_size):
    """You average over the texts, not over the words: one number for each place is left.

    The batch is axis 0, the words are axis 1: `x.mean(dim=1)`.
    """

    class Judge(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = mine.TokenAndPositionEmbedding(vocab_size, 200, 32)
            self.output = nn.Linear(32, 1)

        def forward(self, ids):
            return self.output(self.embedding(ids).mean(0)).squeeze(-1)

    return Judge()


@misconception("build_sentiment", "sentiment-sigmoid")
def with_sigmoid(vocab_size):
    """You return probabilities: the last step squashes all answers to numbers from 0 to 1.

    Leave out the `sigmoid` (or the softmax): return the numbers of the last linear layer. The loss takes the sigmoid
    itself, and the grader takes a number above 0 for praise.
    """
    model = mine.SentimentClassifier(vocab_size, max_length=200)
    model.register_forward_hook(lambda _, __, logits: logits.sigmoid())
    return model


@misconception("build_sentiment", "sentiment-sizes-swapped")
def sizes_swapped(vocab_size):
    """You swap the size of the vocabulary and the length of a text: the table of words has 200 rows only.

    The vocabulary comes first: vocab_size, max_length. Give them by name.
    """
    return mine.SentimentClassifier(200, vocab_size)
