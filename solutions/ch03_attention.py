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
    ### BEGIN SOLUTION
    shifted = scores - scores.amax(dim, keepdim=True)  # the largest is 0 now
    exponentials = shifted.exp()
    return exponentials / exponentials.sum(dim, keepdim=True)
    ### END SOLUTION


# %% [markdown] hints="softmax" difficulty=1 minutes=10 core=true
# 1. Try a row of scores near 1000, then two rows, one of them 1000 higher. What is the largest number that you hand to
#    `exp`?
# 2. Subtract each slice's own maximum along `dim`, exponentiate, divide by the sum along `dim`. Both the maximum and
#    the sum must keep their axis (with size 1), or they broadcast along the wrong one.
# 3. `scores.amax(dim, keepdim=True)` is what to subtract; then `e / e.sum(dim, keepdim=True)` with e the
#    exponentials.

# %% [markdown] debrief="softmax"
# Every weight of every attention head comes out of this function, and so does every probability at the end of a
# language model (chapter 9). What it cannot do is give nothing: apart from rounding, no finite score gives a weight of
# exactly 0, so a head that wants to look nowhere has to look somewhere, and real models park that weight on the first
# word. Read [Xiao et al. 2024](https://arxiv.org/abs/2309.17453), section 3.1, on these attention sinks.

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
    ### BEGIN SOLUTION
    return q @ k.transpose(-2, -1)  # (..., Tq, d) @ (..., d, Tk) -> (..., Tq, Tk)
    ### END SOLUTION


# %% [markdown] hints="dot_scores" difficulty=1 minutes=5 core=true
# 1. Write down the shapes: (Tq, d) and (Tk, d) must become (Tq, Tk). Which axis must disappear?
# 2. A matrix product sums over the last axis of the left side and the second-to-last of the right side. So transpose
#    the keys, but only their last two axes.
# 3. `k.transpose(-2, -1)` has shape (..., d, Tk). Multiply the queries by it with `@`.

# %% [markdown] debrief="dot_scores"
# One matrix product scores every query against every key, and matrix products are what graphics processors are made
# for: that is why this plain score beat all the others. Its cost is the T² in every discussion of long texts: at
# 100,000 words, ten billion scores for each head. FlashAttention never writes the whole table down: [Dao et al.
# 2022](https://arxiv.org/abs/2205.14135), section 3.1.

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
    ### BEGIN SOLUTION
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., Tq, Tk)
    ### END SOLUTION


# %% [markdown] hints="scaled_dot_scores" difficulty=1 minutes=5 core=true
# 1. Which size decides how many products are added up in one score?
# 2. It is d, the size of the last axis of q. Divide by its square root; a Python number will do: it fits every dtype
#    and every device.
# 3. Your dot products, divided by `math.sqrt(q.shape[-1])`.

# %% [markdown] debrief="scaled_dot_scores"
# The division by √d has been in every Transformer since 2017, once per head, with d the width of the head and not of
# the model (chapter 5). Nothing breaks loudly without it: the model trains, only worse, because a saturated softmax has
# hardly any gradient. Read footnote 4 of [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762): it is the whole
# argument in three lines.

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
    ### BEGIN SOLUTION
    return q @ w @ k.transpose(-2, -1)  # (..., Tq, Dq) @ (Dq, Dk) @ (..., Dk, Tk)
    ### END SOLUTION


# %% [markdown] hints="general_scores" difficulty=1 minutes=5
# 1. Line up the shapes (Tq, Dq), (Dq, Dk) and (Tk, Dk). Which one has to be transposed, and which must not be?
# 2. First let W translate the queries into vectors as long as a key; the rest is the dot product again.
# 3. `q @ w` has shape (..., Tq, Dk). Multiply it by the transposed keys.

# %% [markdown] debrief="general_scores"
# Up to the √d, this is the score of every attention head; chapter 5 has dozens of them. There W is the product of two
# matrices, one for queries and one for keys, and so has a low rank: a head of width 64 in a model of width 512 can
# compare words in 64 directions only, and that turns out to be enough. Read [Luong et al.
# 2015](https://arxiv.org/abs/1508.04025), section 3.1, and table 4 for which score won when.

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
    ### BEGIN SOLUTION
    directions_q = q / q.norm(dim=-1, keepdim=True)  # (..., Tq, d), every row of length 1
    directions_k = k / k.norm(dim=-1, keepdim=True)  # (..., Tk, d)
    return directions_q @ directions_k.transpose(-2, -1)  # (..., Tq, Tk)
    ### END SOLUTION


# %% [markdown] hints="cosine_scores" difficulty=2 minutes=10
# 1. What is the dot product of two vectors of length 1?
# 2. Give every query and every key length 1, each row by itself, in new tensors; then take the dot products.
# 3. `q / q.norm(dim=-1, keepdim=True)`, the same with k, and the product of the first with the transposed second.

# %% [markdown] debrief="cosine_scores"
# Cosines compare by direction alone, and the idea is back in large models: where scores grow until training breaks,
# queries and keys are normalised first. The Vision Transformer with 22 billion parameters normalises both with a
# layer norm for that reason. Read [Dehghani et al. 2023](https://arxiv.org/abs/2302.05442), section 2, and the
# Neural Turing Machine, [Graves et al. 2014](https://arxiv.org/abs/1410.5401), section 3.3.1.

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
    ### BEGIN SOLUTION
    width = q.shape[-1]
    from_query = q @ w[:, :width].T  # (..., Tq, A)
    from_key = k @ w[:, width:].T  # (..., Tk, A)
    hidden = torch.tanh(from_query.unsqueeze(-2) + from_key.unsqueeze(-3))  # (..., Tq, Tk, A)
    return hidden @ v  # (..., Tq, Tk)
    ### END SOLUTION


# %% [markdown] hints="additive_scores" difficulty=2 minutes=15
# 1. Which part of W [q; k] depends on the query only, and which on the key only?
# 2. Apply the first Dq columns of W to all queries and the other columns to all keys. Add every query's result to
#    every key's by broadcasting (..., Tq, 1, A) against (..., 1, Tk, A); tanh comes after the sum.
# 3. With a = `q @ w[:, :Dq].T` and b = `k @ w[:, Dq:].T`: `torch.tanh(a.unsqueeze(-2) + b.unsqueeze(-3)) @ v`.

# %% [markdown] debrief="additive_scores"
# With this score a recurrent network learned to align the words of two languages, without ever being taught what an
# alignment is. In chapter 0 it looks back over the states of a recurrent network, the setting it was invented for. For
# wide keys it beats a dot product that is not scaled, and it lost all the same, because of its price: A tanhs for every
# pair of words. Read [Bahdanau et al. 2015](https://arxiv.org/abs/1409.0473), figure 3.

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
    ### BEGIN SOLUTION
    return q @ w.T  # (..., Tq, D) @ (D, Tk)
    ### END SOLUTION


# %% [markdown] hints="location_scores" difficulty=1 minutes=5
# 1. What would the scores be if the rows of W were the keys?
# 2. Row j of W times the query is the score of position j: one matrix product, with W transposed so that the Ds meet.
# 3. The queries times `w.T`, and nothing after it.

# %% [markdown] debrief="location_scores"
# Attention that never looks at a key sounds useless, and yet heads of trained models often end up there: "look at the
# previous word" needs a position, not a meaning. Chapter 13 names such heads. Chapter 12 goes all the way: a Mixer has
# fixed weights between positions and no queries at all. Read [Tay et al. 2020](https://arxiv.org/abs/2005.00743) on
# attention without comparing, section 3.

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
    ### BEGIN SOLUTION
    scores = x @ x.transpose(-2, -1)  # (B, T, D) @ (B, D, T) -> (B, T, T)
    weights = softmax(scores, dim=-1)  # each row sums to 1
    return weights @ x  # (B, T, D)
    ### END SOLUTION


# %% [markdown] hints="simple_self_attention" difficulty=2 minutes=10 core=true
# 1. You have already written two of the parts: scores and softmax. What is left is a weighted mean of the rows of x.
# 2. Scores (B, T, T) have queries as rows and keys as columns, and a query's weights must sum to 1 over the keys:
#    the last axis. A matrix product of weights and x then adds up the rows of x.
# 3. `softmax(dot_scores(x, x), dim=-1) @ x`.

# %% [markdown] debrief="simple_self_attention"
# Without a single parameter each word has become a mixture of words that resemble it; that is the whole mechanism, and
# everything else in a Transformer prepares its input or digests its output. But it can only average: the result never
# leaves the space between the inputs. If you stack nothing else, the words soon grow alike unless their scores are very
# large, which is one reason why chapter 6 adds residuals and a feed-forward layer: [Dong et al.
# 2021](https://arxiv.org/abs/2103.03404), section 2.

# %% [markdown] picture="flow"
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
    ### BEGIN SOLUTION
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores, dim=-1)  # (..., Tq, Tk)
    return weights @ v, weights  # (..., Tq, e), (..., Tq, Tk)
    ### END SOLUTION


# %% [markdown] hints="scaled_dot_product_attention" difficulty=2 minutes=15 core=true
# 1. Four steps, of which you have three: score, scale, softmax, mix. Write the shape beside every line.
# 2. The scores are scaled by √d *before* the softmax; the softmax runs over the keys, the last axis; the weights
#    then multiply the values from the left.
# 3. `weights = softmax(scaled_dot_scores(q, k), dim=-1)`, and return the pair of `weights @ v` and `weights`.

# %% [markdown] debrief="scaled_dot_product_attention"
# This is equation 1 of the paper, and torch's fused function of the same name computes it in most of today's models.
# Chapter 4 adds a mask, chapter 5 runs it once per head, chapter 8 feeds it from two texts; the lines that you wrote
# stay. You keep the weights; fast versions throw them away, and chapter 13 shows what they miss. Read [Vaswani et al.
# 2017](https://arxiv.org/abs/1706.03762), section 3.2.1.

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
        ### BEGIN SOLUTION
        output, _ = scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))
        return output  # (B, T, D)
        ### END SOLUTION


# %% [markdown] hints="SelfAttention" difficulty=2 minutes=15 core=true
# 1. Three layers for three roles. Which layers feed the softmax, and which one makes what is mixed?
# 2. Call `self.w_q`, `self.w_k` and `self.w_v` on x, attend with the results in this order, and keep only the
#    output.
# 3. `scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))` gives a pair; return its first part.

# %% [markdown] debrief="SelfAttention"
# Three matrices without biases: LLaMA makes queries, keys and values in just this way, with more heads. No part of the
# model is ever shown what to look at: the three matrices learn it from the final loss alone. Chapter 5 cuts their
# results into heads and adds a fourth matrix; for pictures of the steps read Jay Alammar's [The Illustrated
# Transformer](https://jalammar.github.io/illustrated-transformer/).

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
    ### BEGIN SOLUTION
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)  # (..., Tq, 1)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, dim=-2), v.split(size, dim=-2), strict=True):
        scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., Tq, size)
        now = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))
        shrink, weights = torch.exp(largest - now), torch.exp(scores - now)
        total = total * shrink + weights.sum(dim=-1, keepdim=True)
        output = output * shrink + weights @ values  # (..., Tq, e)
        largest = now
    return output / total
    ### END SOLUTION


# %% [markdown] hints="attention_in_blocks" difficulty=3 minutes=25
# 1. Write the loop for sums without any maximum first: ℓ and o grow by what each block adds, and o / ℓ comes at the
#    end. Which three things must outlive a block once the maximum joins them?
# 2. Per query, keep the largest score so far, the sum and the output; `k.split(size, dim=-2)` gives the blocks, the
#    last one shorter if need be. In each block find the new maximum first, then shrink *both* sums by e^(old − new),
#    then add, and remember the new maximum last.
# 3. `now = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))`, `shrink = torch.exp(largest - now)` and
#    `weights = torch.exp(scores - now)`. Then `total = total * shrink + weights.sum(dim=-1, keepdim=True)`, and the
#    output the same way with `weights @ values`.

# %% [markdown] debrief="attention_in_blocks"
# FlashAttention does this with blocks of queries too, so small that they stay in the fast memory on the chip itself,
# and most of today's models are trained with it: texts of 100,000 tokens would not fit otherwise. Its second half is
# the way back: your loop still keeps each block's weights for the gradient, FlashAttention computes them again. Blocks
# that lie on different GPUs can be joined by the same rule, which is called ring attention. Read [Dao et al.
# 2022](https://arxiv.org/abs/2205.14135), section 3.1.

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

# %% [markdown] debrief="ch03_attention"
# You can let every word of a sentence look at every other, and say why the scores are divided by √d.
