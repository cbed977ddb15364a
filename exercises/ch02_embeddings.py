# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch02` checks it.

# %% [markdown]
# # Chapter 2 · Words and positions as vectors
#
# **"Dog bites man" and "man bites dog" hold the same three words. Attention, which comes next in this course, compares
# vectors and mixes them, and does not care about their order. So how does a model know who was bitten?**
#
# The order has to be written into the vectors. First every word becomes a vector, a row of a table that training fills.
# Then each vector is given its position. Three ways are common, and you will write all of them:
#
# | way | what happens to the vector at position p | learned? | found in |
# |---|---|---|---|
# | sinusoidal | row p of a table of sines and cosines is added | no, computed | the first Transformer, 2017 |
# | learned | row p of a second table is added | yes | BERT, GPT-2, vision transformers |
# | rotary | its numbers are turned, pair by pair; nothing is added | no, computed | LLaMA and most models since |
#
# Behind the first and the third is one idea, a **clock with many hands**. A hand that turns a little with every word
# shows where you are, until it has gone all the way round. A second, slower one shows how often it has. The sine and
# the cosine of a hand's angle are two numbers, so D numbers hold D/2 hands. Here are the first positions of a clock
# with two of them, D = 4:
#
# | position | sin p | cos p | sin p/100 | cos p/100 |
# |---|---|---|---|---|
# | 0 | 0 | 1 | 0 | 1 |
# | 1 | 0.84147 | 0.54030 | 0.01000 | 0.99995 |
# | 2 | 0.90930 | −0.41615 | 0.02000 | 0.99980 |
# | 3 | 0.14112 | −0.98999 | 0.03000 | 0.99955 |
#
# The fast hand completes a turn every 2π ≈ 6.3 words, the slow one every 628. With 512 numbers there would be 256
# hands, the slowest of which needs more than sixty thousand words for one turn.
#
# Letters: B sentences in a batch, T positions, V words in the vocabulary, D model width, d width of a query or
# key. `...` stands for any number of leading axes, including none.
#
# **Any dtype, any device.** Answers work in float64 and float32, all except `rotary` in bfloat16 too, on every device,
# and compute in the dtype of their arguments. Any tensor you create must take its dtype and device from an argument:
# `torch.zeros(3, dtype=x.dtype, device=x.device)`, or `x.new_zeros(3)`. What you return depends on the arguments alone,
# not on earlier calls.

# %%
"""Chapter 2, embeddings: words and positions as vectors."""

import math

import torch
from torch import nn

# %% [markdown]
# ## Words become vectors
# To turn ids into vectors, look up the row of each id in a table. In chapter 1 a word was a one-hot vector, and the
# product of one-hot vectors with a table pulled out rows. That is what an embedding *is*. But with 50,000 words each
# product would multiply 49,999 zeros; an index fetches the same row at once. Nothing is lost for learning either: a
# row's gradient is the sum over all places where the word occurs, and a word that does not occur gets zero.
#
# **Near in meaning, near in space.** Words that occur in the same places get similar gradients, and so their rows
# move the same way: *cat* and *dog* end up near each other, and a dot product can tell. How many numbers does a word
# need? The first Transformer gave it 512, BERT base and the small GPT-2 768, Llama 3 (8B) 4,096, GPT-3 12,288.
#
# Shapes: ids `(..., T)` and a table `(V, D)` → `(..., T, D)`. Each id is replaced by D numbers, and the axes of the ids
# stay as they are.
#
# In figure 1 of the paper (Vaswani et al. 2017) these are the boxes "Input Embedding" and "Output Embedding".


# %% exercise="embed"
def embed(ids: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """The vector of each token: one row of the table per id.

    Args:
        ids: token ids from 0 to V - 1, (..., T), int64.
        table: one row per word of the vocabulary, (V, D).

    Returns:
        (..., T, D), of the table's dtype; equal to one-hot vectors times the table, gradient included.

    Source: Vaswani et al. 2017, section 3.4.
    """
    # TODO: embed (attend hint embed)
    raise NotImplementedError("embed")


# %% [markdown]
# **Try it** on four words of ten numbers each, forwards and backwards. What does a model that takes the mean of the
# vectors know about their order?

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("embed")
    words = ["I", "love", "Transformers", "!"]
    table = torch.randn(4, 10, generator=torch.Generator().manual_seed(0))  # before training: random
    forwards, backwards = mine.embed(torch.arange(4), table), mine.embed(torch.arange(4).flip(0), table)
    for name, text in (("forwards", forwards), ("backwards", backwards)):
        print(f"{name}: {tuple(text.shape)}, the last word is {words[(table == text[-1]).all(dim=1).int().argmax()]!r}")
    print(f"the means differ by {(forwards.mean(dim=0) - backwards.mean(dim=0)).abs().max():.2f}")

# %% [markdown]
# ```text
# forwards: (4, 10), the last word is '!'
# backwards: (4, 10), the last word is 'I'
# the means differ by 0.00
# ```

# %% [markdown]
# ## A clock for positions
# Now write the clock down as a table. Row p describes position p, and columns 2i and 2i + 1 hold hand i:
#
# $$PE_{p,\,2i} = \sin\left(p \,/\, 10000^{2i/D}\right) \qquad PE_{p,\,2i+1} = \cos\left(p \,/\, 10000^{2i/D}\right)$$
#
# A plain number 0, 1, 2, … would grow without end and drown the words. Sines and cosines stay between −1 and 1, differ
# at every position, and can be written down for a text longer than any seen in training.
#
# Watch the exponent. Both columns of a pair belong to the *same* hand, and 2i is already the number of the even column:
# 0, 2, 4, … Read it as "i runs 0, 2, 4, … and is doubled once more" and the hands slow down twice as fast, which is
# easy to miss, as the model still trains.
#
# Shapes: `(length, width)`. An odd width ends with a sine whose cosine is missing. The table comes in torch's default
# dtype, and with float64 as the default its entries should be as precise as float64 allows.
#
# <details><summary>Where the lecture errs: nothing is scaled</summary>
#
# Aleksandar Vakanski's *Lecture 19 · Transformer Networks* (2025) has the sines and cosines scaled to −1 … 1
# afterwards. Nothing is scaled: a sine has no other range.
#
# </details>


# %% exercise="sinusoidal_positions"
def sinusoidal_positions(length: int, width: int) -> torch.Tensor:
    """Positions as sines (even columns) and cosines (odd columns) of angles that grow with the position.

    Args:
        length: number of positions, from 0 to length - 1.
        width: D, numbers per position; may be odd.

    Returns:
        (length, D), in the default dtype and on the default device.

    Source: Vaswani et al. 2017, section 3.5.
    """
    # TODO: sinusoidal_positions (attend hint sinusoidal_positions)
    raise NotImplementedError("sinusoidal_positions")


# %% [markdown]
# ## Word plus position
# A word's vector and its place become one sum: scale the word vectors by √D and add to each the row of its position.
#
# **Why add and not append?** Appending would make every vector wider for a few numbers that say little. In D
# dimensions there is room for both, and the layers after this one learn to tell them apart.
#
# **Why √D?** The paper does not say. The usual reading: its word table is also the last layer's matrix, and such
# matrices begin with small entries, around 1/√D. Multiplied by √D they are around 1 and hold their own against the
# positions, whose entries lie between −1 and 1. Only the words are scaled.
#
# Shapes: x `(B, T, D)` and a table of positions `(max, D)`, computed or learned → `(B, T, D)`. Only the first T rows of
# the table count, the same ones for all sentences. A text longer than the table has no rows for its end, and that
# deserves a clear error now, not a riddle later: `ValueError`, with both sizes in the message.
#
# In figure 1 of the paper the sum is the ⊕.


# %% exercise="add_positions"
def add_positions(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """Give every word vector its position: x · √D plus the first T rows of `positions`.

    Args:
        x: word vectors, (B, T, D).
        positions: one row per position, (max, D), fixed or learned, in the dtype of x.

    Returns:
        (B, T, D), computed in the dtype of x.

    Raises:
        ValueError: T is larger than max; the message names both.

    Source: Vaswani et al. 2017, sections 3.4 and 3.5.
    """
    # TODO: add_positions (attend hint add_positions)
    raise NotImplementedError("add_positions")


# %% [markdown]
# ## Moving along the clock
# One matrix turns the row of *any* position p into the row of position p + k. That is the reason the authors gave for
# sines and cosines (Vaswani et al. 2017, section 3.5, in half a sentence after the two formulas): a model may care less
# about "word 17" than about "three words back", and with these positions "k further on" is a linear map, the same
# everywhere in the text. A layer can learn it as it learns any matrix. For two numbers:
#
# ```
#  (sin p)        (sin(p + k))
#  (cos p)  ─M→   (cos(p + k))      one hand of the clock, k steps later
# ```
#
# Every pair of columns has its own hand and its own speed, and hands do not mix. So M is zero except for one 2 × 2
# block per pair along the diagonal. Because each block only turns, M keeps lengths, and two moves in a row make one
# longer move.
#
# Shapes: `(width, width)`, for an even width. M multiplies a position, as a column, from the left,
# `M @ sinusoidal_positions(...)[p]`.


# %% exercise="shift_matrix"
def shift_matrix(offset: int, width: int) -> torch.Tensor:
    """The matrix M that moves sinusoidal positions: M @ row p = row p + offset, for every p.

    Args:
        offset: k, how many positions to move on; below 0, back.
        width: D, even.

    Returns:
        (D, D), in the default dtype and on the default device.

    Source: Vaswani et al. 2017, section 3.5.
    """
    # TODO: shift_matrix (attend hint shift_matrix)
    raise NotImplementedError("shift_matrix")


# %% [markdown]
# ## Learned positions
# Why compute what can be learned? Many models begin with two tables, one for tokens and one for positions, and add what
# they look up. The authors of the Transformer tried both and found almost no difference; BERT, GPT-2 and vision
# transformers learn their positions. The price: there are `max_length` rows and no more, and a row that no training
# text was long enough to reach stays noise. Here nothing is scaled by √D, as both tables learn their own scale.
#
# Shapes: ids `(B, T)` → `(B, T, D)`. T may be anything up to `max_length`; position t is t, whatever the word and
# whatever the sentence.
#
# The comparison is in row (E) of table 3 (Vaswani et al. 2017). Vakanski's lecture builds the same layer in Keras, for
# the classifier that you meet in chapter 7. `__init__` is given: an `nn.Embedding` keeps its table in `weight`, and
# calling it with ids looks rows up. The finished layer of this name in `reference.blocks` and `nn.EmbeddingBag`, which
# that layer is made of, are not allowed here.
#
# <details><summary>Where the lecture errs: `tf.range` counts like `arange`</summary>
#
# For its positions the lecture calls `tf.range`, "similar to NumPy's `linspace`". It is NumPy's `arange`: you give the
# step, and the limit is left out. `linspace` takes the number of points and includes the last one: for T positions from
# 0 to T, it gives steps that are a little too long.
#
# </details>


# %% exercise="TokenAndPositionEmbedding"
class TokenAndPositionEmbedding(nn.Module):
    """A learned vector for each token plus a learned vector for each position.

    Args:
        vocab_size: V, number of token ids.
        max_length: the longest text, in tokens.
        width: D.
    """

    def __init__(self, vocab_size: int, max_length: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        for table in (self.token, self.position):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Vectors (B, T, D) of the ids (B, T): row ids[b, t] of the token table plus row t of the position table.

        The same in training and in evaluation, and whatever texts the layer has read before.
        """
        # TODO: TokenAndPositionEmbedding (attend hint TokenAndPositionEmbedding)
        raise NotImplementedError("TokenAndPositionEmbedding")


# %% [markdown]
# ## Turning instead of adding
# Rotary positions add nothing. Cut a query or a key into pairs of neighbours, numbers 2i and 2i + 1, read each pair as
# an arrow in the plane, and turn it counter-clockwise by φ = position · 10000^(−2i/d):
#
# $$(a,\, b) \;\to\; (a \cos\varphi - b \sin\varphi,\;\; a \sin\varphi + b \cos\varphi)$$
#
# A sum mixes what a word says with where it stands. A turn leaves the arrows as long as they were, and it brings
# attention a bonus: turn the query at position m and the key at position n, and their dot product depends on m − n
# alone. Every score then knows how far apart two words are, and nothing about where in the text they stand. (T5 does
# the same with a learned number for each range of distances, added to the score; a turn has nothing to learn.)
#
# Shapes: x `(..., T, d)` → `(..., T, d)`, in its dtype. The positions `(T,)` are an argument, and for good reason: when
# a model writes a text word by word (chapter 9), the new word may stand at position 57 although T is 1. Use them as
# they are. The angle of a late position is a large number, and a large number in float32 has few digits left after the
# point: compute angles in the dtype of x. An odd d leaves one number without a partner: `ValueError`, with d in the
# message.
#
# Beware of a second layout in public code: GPT-NeoX and many after it pair number i with number i + d/2. It works just
# as well, but weights trained with one do not work with the other.


# %% exercise="rotary"
def rotary(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """Turn each pair (2i, 2i + 1) of x by position · 10000^(-2i/d), counter-clockwise.

    Args:
        x: queries or keys, (..., T, d).
        positions: position of each of the T vectors, (T,), int64, in any order.

    Returns:
        like x: (..., T, d), computed in the dtype of x, the angles too.

    Raises:
        ValueError: d is odd; the message names it.

    Source: Su et al. 2021, eq. 12 to 16.
    """
    # TODO: rotary (attend hint rotary)
    raise NotImplementedError("rotary")


# %% [markdown]
# ## See it run
# Four pictures. The first shows how close words come when their vectors know nothing but their neighbours: what follows
# a word and what comes before it, counted as in chapter 1. Bright squares are pairs of words that can replace each
# other: a noun for a noun, a verb for a verb. A trained table finds such groups as well, with any number of words and
# without counting.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("transition_matrix", "similarity", "sinusoidal_positions", "add_positions", "rotary")
    texts = ["the cat sleeps", "the dog sleeps", "a cat eats", "the dog eats", "a dog barks", "a cat sleeps"]
    sentences, words = [text.split() for text in texts], "a the cat dog barks eats sleeps".split()
    vocab = sorted(words)
    rows = [vocab.index(word) for word in words]
    follow = torch.as_tensor(mine.transition_matrix(sentences, vocab))[rows]  # (V, V) shares of what comes next
    before = torch.as_tensor(mine.transition_matrix([sentence[::-1] for sentence in sentences], vocab))[rows]
    vectors = torch.cat([follow, before], dim=1)  # (V, 2V)
    vectors = vectors / vectors.norm(dim=1, keepdim=True)  # each of length 1: dot products are cosines
    near = mine.similarity(vectors.numpy(), vectors.numpy())
    mine.heatmap(near, rows=words, columns=words, title="nearness of words, by their neighbours").show()

# %% [markdown]
# The second picture is the clock: a row for each position, fast hands on the left, slow ones on the right. Follow a
# column down: the first hand goes round three times, the second once, the third not even a third of the way. The third
# picture compares positions by their dot products. They fall with the distance, in ripples, and it makes no difference
# whether the first position is 0 or 1000: one line hides the other.
#
# The last picture is what attention would see: the score of one word with the same word, some distance later. Where
# positions are *added*, the two texts, one from position 0 and one from 1000, give two lines, because each word also
# meets the other's position. Where vectors are *turned*, there is one line again: only the distance counts.
#
# Two more lines show why position 40 is not simply the number 40: how alike do two words become that have nothing in
# common, once their positions are added? And for the box above, `arange` beside `linspace`.

# %%
if __name__ == "__main__":
    places = [str(position) for position in range(20)]
    hands = [name for hand in range(4) for name in (f"sin {hand}", f"cos {hand}")]
    clock = mine.sinusoidal_positions(20, 16)[:, :8]  # the four fastest of eight hands
    mine.heatmap(clock, rows=places, columns=hands, title="20 positions, four hands").show()

    torch.manual_seed(0)
    table = mine.sinusoidal_positions(1048, 64)
    word = torch.randn(48, 64)[:1].expand(48, -1)  # (T, d): the same word 48 times
    nearness, scores = {}, {}
    for start in (0, 1000):
        positions = table[start : start + 48]
        nearness[f"from position {start}"] = positions @ positions[0] / 32
        added = mine.add_positions(word[None] / 8, positions)[0]  # times √64, plus the position
        turned = mine.rotary(word, torch.arange(start, start + 48))
        scores[f"added, from {start}"] = added @ added[0] / 64
        scores[f"turned, from {start}"] = turned @ turned[0] / 64
    plain = torch.arange(48.0)[:, None].expand(-1, 64)
    for name, positions in (("the numbers 0, 1, 2, …", plain), ("the clock", table)):
        one, other = (mine.add_positions(each.expand(1, 48, -1) / 8, positions)[0] for each in torch.randn(2, 64))
        alike = torch.cosine_similarity(one, other, dim=-1)  # (T,)
        print(f"{name}: two words are alike to {alike[1]:.2f} at position 1, to {alike[40]:.2f} at position 40")
    print("arange:", torch.arange(0, 4, 1), " linspace:", torch.linspace(0, 4, 4))

    mine.curve(nearness, x="distance", y="dot product", title="positions that are near").show()
    mine.curve(scores, x="distance", y="score", title="the same word, some distance later").show()

# %% [markdown]
# ## What you have now
# Sentences have become `(B, T, D)`: a vector per word that says what the word is and where it stands. From here on
# order is in the numbers; only rotary positions wait until each layer has made its queries and keys. In chapter 3 these
# vectors begin to look at each other.
#
# To read: [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), sections 3.4 and 3.5;
# [Devlin et al. 2019](https://arxiv.org/abs/1810.04805), figure 2, for learned positions;
# [Su et al. 2021](https://arxiv.org/abs/2104.09864), section 3, for rotary ones.
