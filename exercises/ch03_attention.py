# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch03` checks it.

# %% [markdown]
# # Chapter 3 · Attention
#
# *Check the **program** log and find out whether it **ran** ...*: in chapter 1 the word "ran" found out that
# "program", seven words back, decides what comes next, because we wrote the mask by hand. We cannot write a mask for
# every word of a language. **How can a word find out by itself which other words matter to it?**
#
# By comparing vectors. Every word asks with one vector, the *query*, and is found by another, the *key*. Where
# query and key agree the score is high; a softmax turns one word's scores into weights; the weights mix what the
# words have to say, their *values*. Every step can be differentiated, so training can find the masks.
#
# | chapter 1, counted | this chapter, computed |
# |---|---|
# | the query is the last word's one-hot vector | the query `q` is any vector of `d` numbers |
# | the keys are masks, stacked by hand: a column per word | the keys `k` are vectors, one per word |
# | the product pulls out one row of 0s and 1s | the product gives a score for every key |
# | the mask keeps a vote or drops it | the softmax gives weights from 0 to 1 that sum to 1 |
# | the votes that were kept are added | the values `v` are added, each times its weight |
#
# The whole chapter in one picture:
#
# ```
# q (..., Tq, d) ──┐
#                  ├── q kᵀ / √d ──> scores (..., Tq, Tk) ── softmax over keys ──> weights ──┐
# k (..., Tk, d) ──┘                                                                         ├──> output (..., Tq, e)
# v (..., Tk, e) ────────────────────────────────────────────────────────────────────────────┘
# ```
#
# Letters: B sentences in a batch, Tq queries, Tk keys, d numbers in a query or key, e numbers in a value, D model
# width, A hidden units. `...` stands for any number of leading axes, including none, so your code should count axes
# from the right.
#
# Any tensor you create must take its dtype and device from an argument ([conventions](../docs/conventions.md)).

# %%
"""Chapter 3, attention: scores, weights and values."""

import math

import torch
from torch import nn

# %% [markdown]
# ## Softmax
#
# Weights must not be negative, must sum to 1, and a higher score must mean a larger weight. The softmax does it:
# `exp(score)`, divided by the sum of all `exp(score)` of the same row.
#
# Computed like that it fails: `exp(1000)` is infinite, and infinity divided by infinity is not a number. What saves it
# is that only *differences* of scores count. Subtract any number from a whole row, and the resulting factor cancels in
# the fraction. Subtract the row's largest score, and no exponential exceeds 1.
#
# A score of -inf means "not this one": its weight is exactly 0. Here are the scores of four words that may not look
# ahead (chapter 4 makes such masks), and what the softmax makes of each row:
#
# | scores | weights |
# |---|---|
# | 0.7, -inf, -inf, -inf | 1, 0, 0, 0 |
# | 0.1, 0.6, -inf, -inf | 0.38, 0.62, 0, 0 |
# | 0.1, 0.3, 0.6, -inf | 0.26, 0.32, 0.43, 0 |
# | 0.1, 0.3, 0.3, 0.3 | 0.21, 0.26, 0.26, 0.26 |
#
# Torch's ready-made softmax is not allowed here, as it *is* this exercise. In every other exercise you may use it or
# your own.


# %% exercise="softmax"
def softmax(scores: torch.Tensor, dim: int) -> torch.Tensor:
    """Turn scores into weights that sum to 1 along one axis.

    softmax(s)_i = exp(s_i) / Σ_j exp(s_j), computed without overflow.

    Args:
        scores: any shape; entries may be large, and -inf where the same slice has a finite entry.
        dim: the axis along which the weights sum to 1, counted from the left (0, 1, ...) or the right (-1, -2, ...).

    Returns:
        Weights of the same shape and dtype, computed in that dtype; exactly 0 where the score is -inf.
    """
    # TODO: softmax (attend hint softmax)
    raise NotImplementedError("softmax")


# %% [markdown]
# ## Six ways to score
#
# What does it mean that a query and a key agree? Between 2014 and 2017 at least six answers were published. The slides
# of the lecture *Module 7 · Transformers* list them, as Lilian Weng's
# [Attention? Attention!](https://lilianweng.github.io/posts/2018-06-24-attention/) (2018) did before. Here `s` is one
# query, `h` one key, and you write each for all queries and all keys at once:
#
# | name | score(s, h) | learns | from |
# |---|---|---|---|
# | dot product | sᵀ h | nothing | Luong et al. 2015 |
# | scaled dot product | sᵀ h / √d | nothing | Vaswani et al. 2017 |
# | general | sᵀ W h | W | Luong et al. 2015 |
# | content-based | cos(s, h) | nothing | Graves et al. 2014 |
# | additive | vᵀ tanh(W [s; h]) | W and v | Bahdanau et al. 2015 |
# | location-based | W s, one number per key | W | Luong et al. 2015 |
#
# All six return **scores before any softmax**, one row per query and one column per key: `scores[..., i, j]` says
# how well query i and key j agree.
#
# ### The dot product
#
# The simplest one (Luong et al. 2015, in the display after eq. 7): multiply number by number, and add up. It is large
# for vectors that point the same way, 0 for perpendicular ones, negative for opposite ones. For all pairs at once it is
# one matrix product. Query and key must have the same number of entries.


# %% exercise="dot_scores"
def dot_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Score every query against every key by their dot product (Luong et al. 2015, after eq. 7, "dot").

    Args:
        q: queries (..., Tq, d).
        k: keys (..., Tk, d), with the leading axes of q.

    Returns:
        Scores (..., Tq, Tk): [..., i, j] is query i times key j. Compute in the dtype of q and k.
    """
    # TODO: dot_scores (attend hint dot_scores)
    raise NotImplementedError("dot_scores")


# %% [markdown]
# ### The scaled dot product
#
# Take queries and keys whose entries are independent, with mean 0 and variance 1. Their dot product is a sum of d
# products, each with mean 0 and variance 1, so it has variance d: at d = 64 scores of ±8 are common, at d = 512 scores
# of ±23. A softmax of such scores puts nearly all its weight on one key, and where it does, its gradient is nearly 0.
# Dividing by √d brings the variance back to 1, whatever d is (Vaswani et al. 2017, section 3.2.1).


# %% exercise="scaled_dot_scores"
def scaled_dot_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Score every query against every key by q kᵀ / √d (Vaswani et al. 2017, inside eq. 1).

    Args:
        q: queries (..., Tq, d).
        k: keys (..., Tk, d), with the leading axes of q.

    Returns:
        Scores (..., Tq, Tk), as precise as the dtype of q allows: compute in that dtype.
    """
    # TODO: scaled_dot_scores (attend hint scaled_dot_scores)
    raise NotImplementedError("scaled_dot_scores")


# %% [markdown]
# ### The general score
#
# The dot product needs query and key in the same language: the same size, the same meaning of every entry. A learned
# matrix W translates (Luong et al. 2015, in the display after eq. 7): sᵀ W h. Query and key may now have different
# sizes, and the score need no longer be symmetric: that "ran" looks for "program" does not mean that "program" looks
# for "ran". The score is also called *multiplicative*. Keep an eye on this W: at the end of the chapter it comes back
# as two.


# %% exercise="general_scores"
def general_scores(q: torch.Tensor, k: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Score every query against every key by qᵀ W k (Luong et al. 2015, after eq. 7, "general").

    Args:
        q: queries (..., Tq, Dq).
        k: keys (..., Tk, Dk), with the leading axes of q.
        w: learned matrix (Dq, Dk).

    Returns:
        Scores (..., Tq, Tk). Compute in the dtype of q, k and w.
    """
    # TODO: general_scores (attend hint general_scores)
    raise NotImplementedError("general_scores")


# %% [markdown]
# ### The cosine
#
# A long key gets large scores, high or low, from nearly every query. If only *direction* should matter, divide by both
# lengths: cos(s, h) = sᵀ h / (|s| |h|), from -1 to 1. The Neural Turing Machine looks up its memory like this (Graves
# et al. 2014, eq. 6). You need not handle vectors of length 0 here. Torch has a ready-made cosine similarity; it is not
# allowed in this exercise.


# %% exercise="cosine_scores"
def cosine_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Score every query against every key by the cosine between them (Graves et al. 2014, eq. 6).

    Args:
        q: queries (..., Tq, d), none of them zero.
        k: keys (..., Tk, d), none of them zero, with the leading axes of q.

    Returns:
        Scores (..., Tq, Tk), from -1 to 1, computed in the dtype of q and k. Lengths may differ widely, but none is
        tiny; an epsilon up to 1e-8 in the division does no harm.
    """
    # TODO: cosine_scores (attend hint cosine_scores)
    raise NotImplementedError("cosine_scores")


# %% [markdown]
# ### The additive score
#
# The first attention in translation (Bahdanau et al. 2015, appendix A.1.2) gave a recurrent network a direct line to
# every word of the source, so that one vector no longer had to hold the whole sentence. It uses a small network with
# one hidden layer: join query and key, **query first**, apply W, then tanh, then weigh the A hidden units with v. Every
# query meets every key, so the hidden layer has the shape (..., Tq, Tk, A): this is the cost that the dot product
# saves.
#
# There is no need to build all pairs first. W [s; h] is a sum of two parts, one that knows only the query and one
# that knows only the key: the first Dq columns of W belong to s, the others to h.


# %% exercise="additive_scores"
def additive_scores(q: torch.Tensor, k: torch.Tensor, w: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Score every query against every key by vᵀ tanh(W [q; k]) (Bahdanau et al. 2015, appendix A.1.2).

    Args:
        q: queries (..., Tq, Dq).
        k: keys (..., Tk, Dk), with the leading axes of q.
        w: learned matrix (A, Dq + Dk), the query's columns first.
        v: learned vector (A,).

    Returns:
        Scores (..., Tq, Tk). Compute in the dtype of q, k, w and v.
    """
    # TODO: additive_scores (attend hint additive_scores)
    raise NotImplementedError("additive_scores")


# %% [markdown]
# ### The location-based score
#
# This one never looks at the keys (Luong et al. 2015, eq. 8). The query alone says *where* to look: row j of W
# makes the score of position j. It can learn "look at the first word", and it cannot learn "look at the verb"; and
# as W has one row per position, the number of keys is fixed once and for all. In the paper a softmax follows
# immediately. Here you return what goes into it.


# %% exercise="location_scores"
def location_scores(q: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Score every position from the query alone by W q (Luong et al. 2015, eq. 8, before its softmax).

    Args:
        q: queries (..., Tq, D).
        w: learned matrix (Tk, D), one row per position.

    Returns:
        Scores (..., Tq, Tk). Compute in the dtype of q and w.
    """
    # TODO: location_scores (attend hint location_scores)
    raise NotImplementedError("location_scores")


# %% [markdown]
# ## Attention without parameters
#
# Let the words of one sentence be queries, keys and values all at once. Scores are plain dot products, unscaled;
# the softmax turns every word's scores into weights; every word becomes the weighted mean of all words:
#
# $$ w_{ij} = \frac{e^{x_i \cdot x_j}}{\sum_k e^{x_i \cdot x_k}}, \qquad z_i = \sum_j w_{ij} \, x_j $$
#
# Notice two things. The result is made of the same vectors, so nothing new comes in: each z lies *between* the x. And
# the order of the words does not matter: shuffle them, and the same results come out, shuffled.
#
# Subir Varma's lecture *Transformers* (2022) begins here as well, and makes a comparison: with a number in place of
# each vector, and weights that are learned once instead of computed for each sentence, this is a dense layer. You may
# know other ways to find what matters. Max-pooling keeps the largest number of each column; TF-IDF weighs a word by how
# often it occurs here and how rarely elsewhere. Neither asks which word wants to know. Here the same word can count a
# lot for one word and not at all for the next.


# %% exercise="simple_self_attention"
def simple_self_attention(x: torch.Tensor) -> torch.Tensor:
    """Let every position become the weighted mean of all, weighted by softmax(x xᵀ); nothing is scaled or learned.

    Args:
        x: vectors (B, T, D); the B sentences know nothing about each other.

    Returns:
        Mixed vectors (B, T, D). Compute in the dtype of x.
    """
    # TODO: simple_self_attention (attend hint simple_self_attention)
    raise NotImplementedError("simple_self_attention")


# %% [markdown]
# ## Scaled dot-product attention
#
# All of it in one line, the heart of every Transformer (Vaswani et al. 2017, eq. 1):
#
# $$ \text{Attention}(Q, K, V) = \text{softmax}\left(\frac{Q K^\top}{\sqrt{d}}\right) V $$
#
# Queries, keys and values are now three different things. The queries may come from one text and the keys and
# values from another (Tq and Tk differ), and a value may have a different size from a key: e and d. One rule ties them:
# key j and value j belong together.
#
# | a score's row | a score's column | the softmax runs over | a weight multiplies |
# |---|---|---|---|
# | one query | one key | the columns | the value with the key's number |
#
# Return the output *and* the weights: chapter 13 reads them like an X-ray.


# %% exercise="scaled_dot_product_attention"
def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Attend: softmax(q kᵀ / √d) v (Vaswani et al. 2017, eq. 1).

    Args:
        q: queries (..., Tq, d).
        k: keys (..., Tk, d), with the leading axes of q.
        v: values (..., Tk, e), with the leading axes of q.

    Returns:
        Output (..., Tq, e) and weights (..., Tq, Tk), in this order; each row of the weights sums to 1. Compute in
        the dtype of q, k and v; gradients flow through both results.
    """
    # TODO: scaled_dot_product_attention (attend hint scaled_dot_product_attention)
    raise NotImplementedError("scaled_dot_product_attention")


# %% [markdown]
# ## Self-attention that learns
#
# Where do queries, keys and values come from? From the same x, by three learned matrices: one for what a word is
# looking for (query), one for how other words find it (key), one for what it passes on (value). Remember W of the
# general score: here it is $W_q^\top W_k$, with each matrix as `nn.Linear` keeps it, split in two so that queries and
# keys can be looked at separately.
#
# The three names come from search engines. You search for *dogs on the beach*; each picture is found by its tags, its
# key, and what you get to see, the picture itself, is its value:
#
# | key: the picture's tags | score: how much of the query they match | as attention weights |
# |---|---|---|
# | beach, tree, boat | 0.5 | 0.27 |
# | beach, dog, tree | 1.0 | 0.45 |
# | dog | 0.5 | 0.27 |
#
# A search engine would show the best picture first. Attention shows all three at once, 45 % of the second and 27 % of
# each of the others, and because it never has to choose, it can be trained.
#
# `__init__` is given. An `nn.Linear` keeps its weight as (outputs, inputs), and calling the layer, `self.w_q(x)`,
# computes x Wᵀ for you.


# %% exercise="SelfAttention"
class SelfAttention(nn.Module):
    """Self-attention with one head: queries, keys and values are three linear maps of x (Vaswani et al. 2017, 3.2).

    Args:
        width: D, the size of an input vector, a query, a key and a value.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.w_q = nn.Linear(width, width, bias=False)
        self.w_k = nn.Linear(width, width, bias=False)
        self.w_v = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Mix the positions of x (B, T, D) by scaled dot-product attention; returns the output (B, T, D) alone.

        Compute in the dtype of x. There is no dropout: in training and in evaluation the layer does the same, and no
        call changes what it answers to the next one.
        """
        # TODO: SelfAttention (attend hint SelfAttention)
        raise NotImplementedError("SelfAttention")


# %% [markdown]
# ## Attention in blocks
#
# The weights are a table with an entry for each query and key. For a text of 100,000 words that is 10 billion entries,
# 20 GB in half precision, for each head. But only the output, (..., Tq, e), is passed on. Can you have it without ever
# having the table?
#
# Yes: a weighted mean needs two sums, that of the weights and that of the weighted values, and sums can be gathered
# block by block. One thing is in the way. The softmax subtracts the largest score of a row, and which one that is you
# know only at the end. So subtract the largest *so far*, m, and when a block has a larger one, m′, make up for it: all
# that was summed is too large by e^(m′ − m), the same factor for the whole row. Begin with m = −∞ and both sums 0; for
# each block, with the scores s of its keys,
#
# $$ m' = \max(m, \max_j s_j), \qquad \ell' = e^{m - m'} \ell + \sum_j e^{s_j - m'}, \qquad
#    o' = e^{m - m'} o + \sum_j e^{s_j - m'} v_j $$
#
# and at the end the output is o / ℓ. Here are two blocks of one key each, with the scores 0 and ln 3 and the values 4
# and 8. Their weights are ¼ and ¾, so the output must be 7:
#
# | after block | m | e^(m − m′) | ℓ | o | o / ℓ |
# |---|---|---|---|---|---|
# | 1 | 0 | 0 | 1 | 4 | 4 |
# | 2 | ln 3 | ⅓ | ⅓ + 1 | 4/3 + 8 | 7 |
#
# After each block, o / ℓ is the attention to the keys so far. Maximum and sum in one pass are due to Milakov and
# Gimelshein (2018); Dao et al. (2022) added the output and made *FlashAttention* of it.


# %% exercise="attention_in_blocks"
def attention_in_blocks(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, size: int) -> torch.Tensor:
    """Attend, softmax(q kᵀ / √d) v, with `size` keys at a time and without a table of all weights.

    Args:
        q: queries (..., Tq, d).
        k: keys (..., Tk, d), with the leading axes of q.
        v: values (..., Tk, e), with the leading axes of q.
        size: keys in a block, at least 1; it need not divide Tk and may exceed it.

    Returns:
        Output (..., Tq, e), the same for every `size`. Compute in the dtype of q, k and v; gradients reach all three.
        Where `size` is less than Tk, nothing computed from q has an entry for each query and key.

    Source: Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022, section 3.1.
    """
    # TODO: attention_in_blocks (attend hint attention_in_blocks)
    raise NotImplementedError("attention_in_blocks")


# %% [markdown]
# ## See it run
#
# First, attention as you would do it with a pencil: two words, *old* and *maps*, and vectors of four numbers, so that
# √d is 2. Follow one word down: two scores, the scores halved, two weights that sum to 1, and the mixture of the
# values (10, 0) and (0, 10). *old* finds *maps* more relevant than itself; *maps* cannot decide. The cell prints:
#
# ```text
#                old             maps
# q kᵀ           2.00   4.00     2.00   2.00
# / √d           1.00   2.00     1.00   1.00
# softmax        0.27   0.73     0.50   0.50
# times v        2.69   7.31     5.00   5.00
# in one call the same: True
# ```

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("dot_scores", "softmax", "scaled_dot_product_attention", "simple_self_attention")
    q = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 2.0]])  # what each of the two words is looking for
    k = torch.tensor([[1.0, 1.0, 1.0, 0.0], [2.0, 0.0, 2.0, 1.0]])  # how other words find it
    v = torch.tensor([[10.0, 0.0], [0.0, 10.0]])  # what it passes on
    scores = mine.dot_scores(q, k)  # (2, 2), a row per query
    weights = mine.softmax(scores / math.sqrt(4), dim=-1)
    steps = {"q kᵀ": scores, "/ √d": scores / math.sqrt(4), "softmax": weights, "times v": weights @ v}
    print("               old             maps")
    for name, (old, maps) in steps.items():
        print(f"{name:<11}{old[0]:8.2f}{old[1]:7.2f}  {maps[0]:7.2f}{maps[1]:7.2f}")
    output, _ = mine.scaled_dot_product_attention(q, k, v)  # the same in one call
    print("in one call the same:", torch.allclose(output, weights @ v))

# %% [markdown]
# Now a sentence, in order and shuffled, goes through the attention that has no parameters. The three numbers of each
# word are set by hand: how much it has to do with cold, with rock, with making. See how *caves* listens to *glacier*
# and, less, to *formed*, but most of all to itself: a vector's best match is a vector like it, and learned queries and
# keys are there to change that. In the second picture rows and columns have moved, and no number has changed. What
# comes out for *caves* is no longer the word from a dictionary but the word in this sentence, and it is the same both
# times. This happens in every Transformer without positions:
#
# ```text
# caves becomes [1.161, 1.64, 1.073]
# caves becomes [1.161, 1.64, 1.073]
# ```

# %%
if __name__ == "__main__":
    words = "the glacier formed caves of ice".split()
    x = torch.tensor([[0.0, 0, 0], [2, 1, 1], [0, 1, 2], [1, 2, 1], [0, 0, 0], [2, 0, 0]])  # cold, rock, making
    for order in ([0, 1, 2, 3, 4, 5], [3, 0, 5, 2, 4, 1]):
        names, vectors = [words[place] for place in order], x[order]
        weights = mine.softmax(mine.dot_scores(vectors, vectors), dim=-1)
        mine.heatmap(weights, rows=names, columns=names, title=" ".join(names)).show()
        mixed = mine.simple_self_attention(vectors[None])[0]
        print("caves becomes", [round(number, 3) for number in mixed[names.index("caves")].tolist()])

# %% [markdown]
# ## What you have now
#
# The row of 0s and 1s that you wrote by hand in chapter 1 is now computed from the words, and can be learned. Two
# things are missing. Nothing stops a word from reading the future or the padding: chapter 4 adds masks. And one set of
# weights per word is not much: chapter 5 lets several heads look at once.
#
# To read: [Bahdanau et al. 2015](https://arxiv.org/abs/1409.0473), section 3;
# [Luong et al. 2015](https://arxiv.org/abs/1508.04025), section 3.1; [Graves et al. 2014](https://arxiv.org/abs/1410.5401),
# section 3.3; [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), sections 3.2.1 and 4;
# [Milakov and Gimelshein 2018](https://arxiv.org/abs/1805.02867), section 3.
