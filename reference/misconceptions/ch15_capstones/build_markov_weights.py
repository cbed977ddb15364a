"""What goes wrong in `build_markov`: masks and weights."""

import math

import torch
from torch import nn

from reference.blocks import mine
from reference.misconceptions import misconception


@misconception("build_markov", "markov-no-mask")
def no_mask(vocab_size):
    """Your reader looks at later words: no causal mask hides them.

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


@misconception("build_markov", "markov-padding-nan")
def padding_nan(vocab_size):
    """Where padding comes in front, there is NaN or infinity in your answer.

    Padding and future are both hidden, so the first rows have no key left. Leave padding visible.
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
            scores = x @ x.mT / 4
            mask = mask & (ids != 0)[:, None, :]
            weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
            return self.output(x + weights @ x), weights

    return Reader()


@misconception("build_markov", "markov-nan")
def not_a_number(vocab_size):
    """There is NaN or infinity in your logits and weights.

    Usually a row has only scores of -inf before the softmax. Let every word see itself: `tril()`.
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
            scores = x @ x.mT / 4
            weights = scores.masked_fill(~mask.tril(-1), -math.inf).softmax(-1)
            return self.output(x + weights @ x), weights

    return Reader()


@misconception("build_markov", "markov-scores")
def scores_instead(vocab_size):
    """Your weights are no softmax over the keys: in no row do they sum to 1.

    Add up one row of what you return as weights: over its keys, the last axis, it should give 1.
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
            scores = x @ x.mT / 4
            weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
            return self.output(x + weights @ x), scores.masked_fill(~mask, 0.0)

    return Reader()


@misconception("build_markov", "markov-infinite-scores")
def infinite_scores(vocab_size):
    """There is NaN or infinity in your weights.

    Return what the softmax gives, not the masked scores before it; and no row may have only scores of -inf.
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
            scores = x @ x.mT / 4
            scores = scores.masked_fill(~mask, -math.inf)
            return self.output(x + scores.softmax(-1) @ x), scores

    return Reader()


@misconception("build_markov", "markov-mask-afterwards")
def mask_afterwards(vocab_size):
    """You set weights to 0 after the softmax, so the rows of all words but the last no longer sum to 1.

    Hide keys before the softmax, with scores of -inf; `mine.MultiHeadAttention` does so with a mask.
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
            scores = x @ x.mT / 4
            weights = scores.softmax(-1) * mask
            return self.output(x + weights @ x), weights

    return Reader()


@misconception("build_markov", "markov-hidden-logits-alone")
def weights_of_heads_averaged(vocab_size):
    """You return the weights without their axis of texts, (T, T).

    Keep the first axis, with `weights[:, 0]` and not `weights[0, 0]`: (B, T, T).
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
            return self.output(x + heard), weights[0, 0]

    return Reader()


@misconception("build_markov", "markov-one-place-too-wide")
def one_place_too_wide(vocab_size):
    """Your causal mask is one place too wide: each word also looks at the one right after it.

    Write out the mask for three words. Which is the last column that row 0 may see?
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size)

        def forward(self, ids):
            x = self.table(ids)
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril(1)
            heard, weights = self.attention(x, x, x, mask)
            return self.output(x + heard), weights[:, 0]

    return Reader()


@misconception("build_markov", "markov-mask-turned")
def mask_turned(vocab_size):
    """Your causal mask is the wrong way round: words look at later ones, and at no earlier one.

    Rows are the words that look, columns those that are looked at. On which side of the diagonal are the earlier ones?
    """

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16)
            self.attention = mine.MultiHeadAttention(16, 1)
            self.output = nn.Linear(16, vocab_size)

        def forward(self, ids):
            x = self.table(ids)
            mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).triu()
            heard, weights = self.attention(x, x, x, mask)
            return self.output(x + heard), weights[:, 0]

    return Reader()
