"""What goes wrong in `build_markov`: words and logits."""

import torch
from torch import nn

from reference.blocks import mine
from reference.misconceptions import misconception


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


@misconception("build_markov", "markov-vectors")
def vectors(vocab_size):
    """You return a vector for each word instead of logits.

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


@misconception("build_markov", "markov-nothing")
def nothing(vocab_size):
    """You return nothing: the `return` is missing.

    Build the model, and return it as the last line of the function.
    """
    return


@misconception("build_markov", "markov-softmax")
def with_softmax(vocab_size):
    """Your logits are the result of a softmax: each row sums to 1.

    Return the numbers of the last linear layer as they are. Only the attention's weights sum to 1.
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
            return self.output(x + heard).softmax(-1), weights[:, 0]

    return Reader()


@misconception("build_markov", "markov-last-alone")
def last_word_alone(vocab_size):
    """You return logits for the last word only.

    Training needs the logits at every place: (B, T, V).
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
            return self.output(x + heard)[:, -1], weights[:, 0]

    return Reader()


@misconception("build_markov", "markov-positions")
def with_positions(vocab_size):
    """Your reader knows the places of the words.

    There are no positions here: a word means the same wherever it is. Leave the vectors of the table as they are.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size)
            self.places = nn.Embedding(64, 16)

        def forward(self, ids):
            x = self.table(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
            heard, weights = self.attention(x, x, x, mask)
            return self.output(x + heard), weights[:, 0]

    return Reader()


@misconception("build_markov", "markov-words-lost")
def words_lost(vocab_size):
    """Your table has fewer rows than there are ids.

    Padding is already counted in `vocab_size`: give the table that many rows.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size - 1, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size - 1)

        def forward(self, ids):
            x = self.table(ids)
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
            heard, weights = self.attention(x, x, x, mask)
            return self.output(x + heard), weights[:, 0]

    return Reader()


@misconception("build_markov", "markov-three")
def three_answers(vocab_size):
    """You return more than a pair.

    Return two things: the logits and the weights.
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
            return self.output(x + heard), weights[:, 0], heard

    return Reader()


@misconception("build_markov", "markov-one-word-more")
def one_word_more(vocab_size):
    """Your model has a word too many: one logit more than `vocab_size` at each place.

    Padding is one of the `vocab_size` words already.
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size + 1, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size + 1)

        def forward(self, ids):
            x = self.table(ids)
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
            heard, weights = self.attention(x, x, x, mask)
            return self.output(x + heard), weights[:, 0]

    return Reader()
