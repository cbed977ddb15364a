# %% [markdown]
# # Chapter 5 · Several heads
#
# **"The cat chased the mouse because it was hungry." The word *it* wants to know two things at once: who was
# hungry, and what it is doing in this sentence at all. But a softmax has only one weight of 1 to give away. How can one
# word attend to two places without giving each only half of its attention?**
#
# By having two pairs of eyes. It takes nothing new: cut the D columns of queries, keys and values into H blocks of d =
# D/H columns and let every block attend by itself, with a softmax of its own. Such a block is a *head*. Afterwards the
# H results are put side by side again, and one more layer mixes them. Three heads of four columns, D = 12:
#
# ```
#                 D columns of one projection                  (B, T, D)
#   it      [ a a a a │ b b b b │ c c c c ]
#   was     [ a a a a │ b b b b │ c c c c ]
#   hungry  [ a a a a │ b b b b │ c c c c ]
#                 │         │         │
#              head 0    head 1    head 2      split_heads     (B, H, T, d)
#              softmax   softmax   softmax     all at once     (B, H, T, T)
#                 │         │         │
#           [ a a a a │ b b b b │ c c c c ]    merge_heads     (B, T, D)
#                           w_o                mixes the heads
# ```
#
# The price is almost nothing: H products over d columns cost as much as one over D. The paper has 8 heads of 64
# columns, Llama 3 (8B) has 32 of 128, GPT-3 has 96 of 128. As no head needs another before that last layer, large
# models even compute them on different processors. And heads can stand in for each other: a trained model can lose many
# of them with hardly any effect (Michel et al. 2019).
#
# The danger lies elsewhere. Nearly every mistake in this chapter is a *reshape that runs*: the shapes are right, the
# loss falls, and numbers have been mixed that should never have met. Write the shape beside each line and ask what
# every axis counts.
#
# <details><summary>Where the lecture errs: the sizes of the first Transformer</summary>
#
# Subir Varma's *Transformers* (2022) gives the original paper a width of 768 and 10 heads, though 10 does not even
# divide 768; the paper has 512 and 8. It also calls a head's matrices N × D/H. They act on the D columns of a word, so
# they are D × D/H; N × D/H is what comes out for N words.
#
# </details>
#
# Letters: B batch, H heads, T positions (Tq queries, Tk keys), D model width, d columns per head, G key heads that
# several query heads share.
#
# Any tensor you create must take its dtype and device from an argument ([conventions](../docs/conventions.md)).

# %%
"""Chapter 5: attention with several heads, and the axes that get lost on the way."""

import math

import torch
from torch import nn

# %% [markdown] picture="heads"
# ## Cutting the columns into heads
# Give the heads an axis of their own: head h receives columns h·d to (h + 1)·d of *every* position. With the heads
# next to the batch, chapter 4's attention runs for all of them at once: it only looks at the last two axes, and these
# are then the positions and the columns of a single head.
#
# Shapes: x `(B, T, D)` → `(B, H, T, d)`. Two steps, and both are needed. D is cut into (H, d), which changes nothing in
# memory; then H and T change places. A `view` that goes straight to `(B, H, T, d)` runs as well, but it cuts the *text*
# into pieces: look at what its head 0 holds in a sentence of three words.
#
# | | head 0 gets |
# |---|---|
# | cut D, then swap H and T | the first 4 columns of *it*, of *was* and of *hungry* |
# | `view` straight to `(B, H, T, d)` | all 12 columns of *it*, as if they were three words |
#
# In the paper each head has matrices of its own (Vaswani et al. 2017, section 3.2.2). One large layer whose columns are
# cut does the same with one product.


# %% exercise="split_heads"
def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Give every head its block of columns.

    Args:
        x: (B, T, D).
        num_heads: H.

    Returns:
        (B, H, T, d) with d = D / H; head h holds the columns h·d to (h + 1)·d of x.

    Raises:
        ValueError: H does not divide D; the message names both numbers.
    """
    ### BEGIN SOLUTION
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"a width of {width} cannot be cut into {num_heads} equal heads")
    cut = x.reshape(batch, length, num_heads, width // num_heads)  # (B, T, H, d)
    return cut.transpose(1, 2)  # (B, H, T, d)
    ### END SOLUTION


# %% [markdown] hints="split_heads" difficulty=2 minutes=10 core=true
# 1. Which of the three axes is cut into two? Where are the two right after the cut, and where should they be?
# 2. First check whether H divides D, and raise a `ValueError` that names both if not. Then cut the last axis into H
#    blocks of d columns, `(B, T, H, d)`, and swap H and T. A reshape alone cannot swap axes.
# 3. `if x.shape[-1] % num_heads: raise ValueError(f"...")` with both numbers in the text; then
#    `x.reshape(B, T, num_heads, D // num_heads)` and on it `.transpose(1, 2)`.

# %% [markdown] debrief="split_heads"
# Every multi-head layer begins with this cut, and the heads never meet again until the merge. Heads cost nothing
# here: one large product for all of them, and then only a new way to read the same numbers. Because heads are
# independent, a model that is too large for one processor is cut along exactly this axis: [Shoeybi et al.
# 2019](https://arxiv.org/abs/1909.08053), section 3.

# %% [markdown]
# ## Putting them side by side again
# The next layer knows nothing about heads: it expects D numbers for every position. So on the way back each position
# gets the d columns of head 0, then those of head 1, and so on. The paper calls this "Concat" (figure 2, right).
#
# Shapes: x `(B, H, T, d)` → `(B, T, D)` with D = H·d. A reshape joins axes that are *neighbours*, in their current
# order. H and d are not neighbours yet; T is between them. If you forget that, you get a result of the right shape in
# which every row is a mixture of several words.
#
# A tensor whose axes were swapped is no longer laid out row by row, and `view` refuses to join such axes. That error
# does you a favour. `reshape` copies where it must, and so does `contiguous()` before a `view`.


# %% exercise="merge_heads"
def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Undo `split_heads`: the heads' columns side by side, at every position.

    Args:
        x: (B, H, T, d), in any layout in memory.

    Returns:
        (B, T, D) with D = H·d; the columns h·d to (h + 1)·d are those of head h.
    """
    ### BEGIN SOLUTION
    batch, num_heads, length, key_width = x.shape
    together = x.transpose(1, 2)  # (B, T, H, d)
    return together.reshape(batch, length, num_heads * key_width)  # (B, T, D)
    ### END SOLUTION


# %% [markdown] hints="merge_heads" difficulty=2 minutes=10 core=true
# 1. `split_heads` cuts and then swaps two axes. What is the first thing to do on the way back?
# 2. Bring H next to d, so that the axes are `(B, T, H, d)`, and only then join the last two. If `view` complains
#    about strides, the answer is `reshape`, not leaving out the swap.
# 3. `x.transpose(1, 2)` is `(B, T, H, d)`; reshaped to `(B, T, H * d)`, or `.flatten(2)`, it is the answer.

# %% [markdown] debrief="merge_heads"
# This is the "Concat" of the paper, and the output layer after it is where heads first hear from each other. There is a
# second way to see it: concatenating and multiplying by `w_o` is the same as giving each head its own slice of `w_o`
# and *adding* the results, so that every head writes into the same sum. Read [Elhage et al.
# 2021](https://transformer-circuits.pub/2021/framework/index.html), the section on attention heads as independent and
# additive.

# %% [markdown]
# ## Multi-head attention
# This is the layer all Transformers are made of. Three linear layers make queries, keys and values; heads attend; a
# fourth layer mixes what they found.
#
# **Why w_o?** Side by side, the heads' results are in separate columns. A matrix product over all D of them is the only
# place in the layer where what one head found can meet what another found.
#
# **Three arguments.** In *self*-attention all three are the same x. In *cross*-attention the queries come from one
# text and keys and values from another, so Tq and Tk differ (chapter 8: the decoder asks, the encoder's words answer).
# Each argument goes through the layer with its letter.
#
# **Masks** follow chapter 4: bool, True = may attend, of any shape that broadcasts to the weights `(B, H, Tq, Tk)`.
# `(B, 1, 1, Tk)` and `(Tq, Tk)` do so by themselves, so there is nothing to reshape. A query that may attend to nothing
# has zero weights in that head and passes a zero context to `w_o`; if no head sees anything, the output is `w_o`'s
# bias.
#
# **Scale.** Each head's scores are sums of d products, not of D: the root is √d. `self.key_width` holds d.
#
# Follow the shapes:
#
# | step | shape |
# |---|---|
# | query, key, value | `(B, Tq, D)`, `(B, Tk, D)`, `(B, Tk, D)` |
# | projected and split | `(B, H, Tq, d)`, `(B, H, Tk, d)`, `(B, H, Tk, d)` |
# | scores and weights | `(B, H, Tq, Tk)` |
# | context | `(B, H, Tq, d)` |
# | merged, output | `(B, Tq, D)` |
#
# Torch's own multi-head and scaled dot-product attention are this exercise and therefore not allowed, nor are the
# finished layers of `reference.blocks`. You may use `torch.softmax` and your own functions.


# %% exercise="MultiHeadAttention"
class MultiHeadAttention(nn.Module):
    """Attention with H heads of D / H columns each.

    Args:
        width: D, of queries, keys, values and the output.
        num_heads: H.

    Raises:
        ValueError: H does not divide D.

    Source: Vaswani et al. 2017, section 3.2.2.
    """

    def __init__(self, width: int, num_heads: int) -> None:
        super().__init__()
        if width % num_heads != 0:
            raise ValueError(f"{num_heads} heads of equal width do not fit into a width of {width}")
        self.num_heads = num_heads
        self.key_width = width // num_heads
        self.w_q = nn.Linear(width, width)
        self.w_k = nn.Linear(width, width)
        self.w_v = nn.Linear(width, width)
        self.w_o = nn.Linear(width, width)

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Attend from every query to the keys that the mask allows.

        Args:
            query: (B, Tq, D).
            key: (B, Tk, D).
            value: (B, Tk, D), one for each key.
            mask: bool, broadcastable to (B, H, Tq, Tk), True = may attend; None allows everything.

        Returns:
            output (B, Tq, D) and weights (B, H, Tq, Tk), computed in the dtype of the inputs; gradients flow through
            both. There is no dropout, and no call depends on an earlier one.
        """
        ### BEGIN SOLUTION
        q = split_heads(self.w_q(query), self.num_heads)  # (B, H, Tq, d)
        k = split_heads(self.w_k(key), self.num_heads)  # (B, H, Tk, d)
        v = split_heads(self.w_v(value), self.num_heads)  # (B, H, Tk, d)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.key_width)  # (B, H, Tq, Tk)
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
            weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
        context = merge_heads(weights @ v)  # (B, H, Tq, d) -> (B, Tq, D)
        return self.w_o(context), weights
        ### END SOLUTION


# %% [markdown] hints="MultiHeadAttention" difficulty=3 minutes=30 core=true
# 1. Between `split_heads` and `merge_heads` comes the masked attention of chapter 4, unchanged: it never cared how many
#    axes come before the last two. What comes before the split, and what after the merge?
# 2. Call `self.w_q` on the query, `self.w_k` on the key, `self.w_v` on the value, and split each. Scores, divided by
#    the root of `self.key_width`; fill what the mask forbids with the lowest number of the dtype; softmax over the
#    last axis; clear the forbidden weights (for queries that see nothing). Mix the values, merge, apply `self.w_o`.
#    Return output and weights.
# 3. `scores = q @ k.transpose(-2, -1) / math.sqrt(self.key_width)`;
#    `filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)`;
#    `weights = torch.softmax(filled, dim=-1).masked_fill(~mask, 0.0)`, or the plain softmax if `mask is None`;
#    `return self.w_o(merge_heads(weights @ v)), weights`.

# %% [markdown] debrief="MultiHeadAttention"
# BERT, GPT and the Vision Transformer are mostly stacks of this layer and of the feed-forward layer of chapter 6;
# chapters 8 to 11 build all of them from it. A trained model can lose more heads than you might expect: in a large
# translation model most of them can be removed, one at a time, without a measurable loss. Chapter 13 names what heads
# do; read [Michel et al. 2019](https://arxiv.org/abs/1905.10650), section 3.

# %% [markdown]
# ## Wide heads
# Heads can have any width: each keeps `key_width` columns, however large D is and whether or not H divides it. That is
# how Keras reads its `key_dim`, and the sentiment model of chapter 7 uses it: D = 32, two heads, and *each* of them
# keeps 32 columns. The heads are no longer slices of the model's width but as wide as you like, and `w_o` leads back
# from H·key_width columns to D.
#
# | | columns of one head | `w_q`, `w_k`, `w_v` | `w_o` |
# |---|---|---|---|
# | `MultiHeadAttention(32, 2)` | 16 | 32 → 32 | 32 → 32 |
# | `WideMultiHeadAttention(32, 2, key_width=32)` | 32 | 32 → 64 | 64 → 32 |
#
# Shapes: as before, with d = key_width: head h owns the columns h·d to (h + 1)·d of the H·d that a projection gives.
# Here D and H·d differ, so wherever you wrote D, ask which of the two you meant. The scale is √key_width.
#
# In the paper a head's matrices are D × d_k, and that d_k is D/H is a choice. The same things are forbidden as above;
# you may use your own `MultiHeadAttention`.


# %% exercise="WideMultiHeadAttention"
class WideMultiHeadAttention(nn.Module):
    """Attention with H heads of `key_width` columns each.

    Args:
        width: D, of queries, keys, values and the output.
        num_heads: H; it need not divide D.
        key_width: d, the columns that each head keeps of queries, keys and values.

    Source: Vaswani et al. 2017, section 3.2.2.
    """

    def __init__(self, width: int, num_heads: int, key_width: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.key_width = key_width
        self.w_q = nn.Linear(width, num_heads * key_width)
        self.w_k = nn.Linear(width, num_heads * key_width)
        self.w_v = nn.Linear(width, num_heads * key_width)
        self.w_o = nn.Linear(num_heads * key_width, width)

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Attend from every query to the keys that the mask allows.

        Args:
            query: (B, Tq, D).
            key: (B, Tk, D).
            value: (B, Tk, D), one for each key.
            mask: bool, broadcastable to (B, H, Tq, Tk), True = may attend; None allows everything.

        Returns:
            output (B, Tq, D) and weights (B, H, Tq, Tk), computed in the dtype of the inputs; gradients flow through
            both. There is no dropout, and no call depends on an earlier one.
        """
        ### BEGIN SOLUTION
        heads = (self.num_heads, self.key_width)
        q = self.w_q(query).unflatten(-1, heads)  # (B, Tq, H * d) -> (B, Tq, H, d)
        k = self.w_k(key).unflatten(-1, heads)  # (B, Tk, H, d)
        v = self.w_v(value).unflatten(-1, heads)  # (B, Tk, H, d)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(self.key_width)  # (B, H, Tq, Tk)
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
            weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
        context = torch.einsum("bhqk,bkhd->bqhd", weights, v)  # (B, Tq, H, d)
        return self.w_o(context.flatten(-2)), weights  # (B, Tq, H * d) -> (B, Tq, D)
        ### END SOLUTION


# %% [markdown] hints="WideMultiHeadAttention" difficulty=3 minutes=25
# 1. Take your `MultiHeadAttention` and follow the letter D through it. Where does it mean the model's width, and where
#    the columns of all heads together?
# 2. After the projections there are H·key_width columns, and `split_heads` cuts these just as well. Scores, mask and
#    softmax are as before, with √key_width. After merging there are H·key_width columns again, which is what `w_o`
#    takes.
# 3. If your `MultiHeadAttention` uses only `self.num_heads`, `self.key_width` and the four layers, its `forward` is
#    already the answer, line by line. If it computes a width from `query.shape[-1]`, put `self.key_width` there.

# %% [markdown] debrief="WideMultiHeadAttention"
# The sentiment model of chapter 7 uses this layer, as Keras builds it. Head width is a free choice in large models,
# too: T5 with 11 billion parameters has 128 heads of 128 columns in a model of width 1,024, sixteen times what fits
# side by side. With a width of their own, heads can be added without making all the others narrower; [Raffel et al.
# 2020](https://arxiv.org/abs/1910.10683), section 3.7, has the sizes.

# %% [markdown]
# ## Counting its parameters
# How many parameters has either layer, with or without biases? Work it out from the sizes alone. Parameters are what a
# model costs in memory, and it is worth knowing where they are before you train one. Counting is also the cheapest test
# there is: compare what you built with what it should be. With heads of width D/H, one letter drops out of the answer;
# find out which.
#
# | layer | in | out |
# |---|---|---|
# | `w_q`, `w_k`, `w_v`, each | D | H·d |
# | `w_o` | H·d | D |
#
# A linear layer has in · out weights and, if it has a bias, one number for each of its *outputs*. With the sizes of the
# paper's base model, D = 512 and H = 8, that makes 1,050,624 numbers, in each of its 18 attention layers. Without
# biases, which its formulas and many recent models leave out, it is 2,048 fewer.


# %% exercise="attention_parameters"
def attention_parameters(width: int, num_heads: int, key_width: int | None = None, bias: bool = True) -> int:
    """Count the parameters of multi-head attention.

    Args:
        width: D.
        num_heads: H.
        key_width: columns of each head; None means D / H.
        bias: whether the four layers have biases.

    Returns:
        the number of all entries of w_q, w_k, w_v and w_o, an int.

    Raises:
        ValueError: `key_width` is None and H does not divide D; the message names both numbers.
    """
    ### BEGIN SOLUTION
    if key_width is None:
        if width % num_heads:
            raise ValueError(f"a width of {width} cannot be cut into {num_heads} equal heads")
        key_width = width // num_heads
    inner = num_heads * key_width  # the columns of all heads together
    weights = 3 * width * inner + inner * width
    biases = 3 * inner + width
    return weights + biases if bias else weights
    ### END SOLUTION


# %% [markdown] hints="attention_parameters" difficulty=2 minutes=10
# 1. How many columns do all heads together keep? And which of the four layers have that many *outputs*, and which has
#    D?
# 2. Let inner = H·key_width. Three layers lead from D to inner, one from inner to D; a bias has as many entries as its
#    layer has outputs. H must divide D only where `key_width is None`, and then inner is D. Keep to whole numbers: `//`
#    gives an int, `/` does not.
# 3. `3 * (width * inner + inner) + (inner * width + width)`; without biases, drop the terms that are not products.
#    Before it, if `key_width is None`: raise if `width % num_heads`, else `key_width = width // num_heads`.

# %% [markdown] debrief="attention_parameters"
# Chapter 6 extends this count to a whole encoder, and comparing it with what you really built is the quickest test of a
# model there is. With heads of width D / H the number of heads drops out, so that one head and sixteen cost the same.
# In GPT-3 attention holds a third of all numbers, 58 of 175 billion; the rest sits almost entirely in the feed-forward
# layers ([Brown et al. 2020](https://arxiv.org/abs/2005.14165), table 2.1).

# %% [markdown]
# ## Heads that share
# Several query heads can use the same keys and values: H query heads, only G key heads. A model that writes keeps the
# keys and values of everything so far (chapter 9), for every layer and every head, and reading that store is what
# limits its speed. Ask with many heads and keep few: the store shrinks by a factor of H/G, and the answers hardly
# suffer. G = H is ordinary multi-head attention, G = 1 is called *multi-query*. Llama 3 (8B) asks with 32 heads and
# keeps 8.
#
# **Which shares which?** *Neighbours* do. With H = 6 and G = 3:
#
# | query head | 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | key and value head | 0 | 0 | 1 | 1 | 2 | 2 |
#
# Any other pairing also computes something, but it would misread trained weights.
#
# Shapes: q `(B, H, T, d)`, k and v `(B, G, T, d)`, already projected and split → `(B, H, T, d)`, not merged, and only
# the output. The mask broadcasts to the scores `(B, H, T, T)` and follows the same rules: a query that may attend to
# nothing gets zeros.
#
# Figure 2 of Ainslie et al. 2023 draws it; the case G = 1 is older (Shazeer 2019). Torch's scaled dot-product attention
# is not allowed.


# %% exercise="grouped_query_attention"
def grouped_query_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Scaled dot-product attention in which H / G consecutive query heads share a key head.

    Args:
        q: queries, (B, H, T, d).
        k: keys, (B, G, T, d); G divides H.
        v: values, (B, G, T, d).
        mask: bool, broadcastable to (B, H, T, T), True = may attend; None allows everything.

    Returns:
        (B, H, T, d), computed in the dtype of q, k and v.

    Source: Ainslie et al. 2023, section 2.2.
    """
    ### BEGIN SOLUTION
    sharing = q.shape[1] // k.shape[1]  # query heads per key head
    k = k.repeat_interleave(sharing, dim=1)  # (B, G, T, d) -> (B, H, T, d), as 0 0 1 1 2 2
    v = v.repeat_interleave(sharing, dim=1)  # (B, H, T, d)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, H, T, T)
    if mask is None:
        return torch.softmax(scores, dim=-1) @ v  # (B, H, T, d)
    weights = torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), dim=-1)
    return weights.masked_fill(~mask, 0.0) @ v  # (B, H, T, d)
    ### END SOLUTION


# %% [markdown] hints="grouped_query_attention" difficulty=3 minutes=25
# 1. If k and v had H heads, you would have written this function already. How often must each key head appear, and in
#    which order?
# 2. Each of the G heads is needed H/G times *in a row*: 0 0 1 1 2 2. Torch has two ways to repeat: one gives that, the
#    other gives 0 1 2 0 1 2. Then scores, √d, mask, softmax and values as before.
# 3. First `sharing = q.shape[1] // k.shape[1]`, because the next line changes k. `k = k.repeat_interleave(sharing,
#    dim=1)`, the same for v, then masked attention. Return `weights @ v` alone.

# %% [markdown] debrief="grouped_query_attention"
# Llama 3 (8B) and Mistral (7B) write with this layer: 32 query heads share 8 key heads, and the cache of chapter 9
# shrinks to a quarter. A finished model can even be converted: average the key heads of each group, continue training
# for a twentieth of the original training, and little is lost. Read [Ainslie et al.
# 2023](https://arxiv.org/abs/2305.13245), section 2.1.

# %% [markdown]
# ## See it run
# *The animal didn't cross the street because it was too tired*: with this sentence Google presented the Transformer in
# 2017, and both Vakanski's lecture and Jay Alammar's [The Illustrated
# Transformer](https://jalammar.github.io/illustrated-transformer/) draw its attention. Your layer gets two heads, with
# weights set by hand, so that each head is a stack of masks as in chapter 1. The first head knows what *it* stands for,
# the second what *it* is said to be; all other words look at themselves in the first and at the previous word in the
# second (*The*, which has none, looks at all alike). Training would have to find such tables; here they are given, and
# your layer does the rest.
#
# Follow the lines of *it*, a colour for each head. The last line below puts both questions into one head: it has a
# single softmax to give away, and neither *animal* nor *tired* gets even half. (If the last word were *wide*, *it*
# would be the street. To choose, *it* has to have read the last word *before* it looks for its noun, and that takes a
# second layer: chapter 6.)
#
# ```text
# first head     animal 0.80  street 0.18  tired 0.00
# second head    animal 0.00  street 0.00  tired 0.98
# both in one    animal 0.45  street 0.10  tired 0.45
# ```

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("MultiHeadAttention")
    words = "The animal didn't cross the street because it was too tired".split()
    count, (animal, street, it, tired) = len(words), [words.index(word) for word in "animal street it tired".split()]
    first = torch.eye(count)  # [query, key]: which word looks at which
    second = torch.diag(torch.ones(count - 1), -1)  # the word before
    first[it], second[it] = 0, 0
    first[it, animal], first[it, street], second[it, tired] = 1, 0.75, 1

    def attend(tables: list[torch.Tensor]) -> torch.Tensor:
        """The weights (H, T, T) of a layer whose heads score as `tables` say; words are one-hot."""
        layer = mine.MultiHeadAttention(width=count * len(tables), num_heads=len(tables))
        for projection in (layer.w_q, layer.w_k):
            nn.init.zeros_(projection.weight)
            nn.init.zeros_(projection.bias)
        with torch.no_grad():
            layer.w_k.weight[:, :count] = torch.eye(count).repeat(len(tables), 1)  # a key is the word itself
            layer.w_q.weight[:, :count] = torch.cat([20 * table.T for table in tables])
            x = torch.eye(count, count * len(tables))[None]  # (1, T, D)
            return layer(x, x, x)[1][0]

    two, one = attend([first, second]), attend([first + second])
    mine.lines(two, words, title="what each word looks at, in two heads").show()
    for name, row in (("first head", two[0, it]), ("second head", two[1, it]), ("both in one", one[0, it])):
        print(f"{name:<13}" + "".join(f"  {words[key]} {row[key]:.2f}" for key in (animal, street, tired)))

# %% [markdown]
# ## What you have now
# You have a layer that looks at several places at once and shows you where each head looked: chapter 13 reads the
# weights you return. You can cut axes and put them together without mixing words, which is half of all Transformer
# code. Chapter 6 wraps this layer into a block that can be stacked.
#
# To read: [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), section 3.2.2;
# [Michel et al. 2019](https://arxiv.org/abs/1905.10650) on heads that can go;
# [Shazeer 2019](https://arxiv.org/abs/1911.02150) and [Ainslie et al. 2023](https://arxiv.org/abs/2305.13245) on heads
# that share; [Brown et al. 2020](https://arxiv.org/abs/2005.14165), table 2.1, for the sizes of GPT-3.

# %% [markdown] debrief="ch05_multihead"
# You can split attention into heads and join them again, without mixing up words, batch or heads.
