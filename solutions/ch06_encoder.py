# %% [markdown]
# # Chapter 6 · The encoder
#
# **Attention only ever averages: whatever a head reads, it gives back a weighted mean of vectors. Average a
# dozen times in a row and every word should end up as the same grey mush. Why does a stack of a dozen
# attention layers work all the same?**
#
# Because of what is wrapped around them. A *residual connection* adds the result of a layer to what went in,
# so a word keeps what it was and only takes on something new. A *layer norm* keeps the numbers at one size,
# however many results have been added. And after everybody has listened, a small *feed-forward network* lets
# each word think about what it heard, alone. Attention mixes positions, the feed-forward network mixes
# features. The two together are an encoder block, and an encoder is a stack of blocks.
#
# The same parts can be put together in two orders (dropout left out, FFN is the feed-forward network):
#
# ```text
# post-norm, norm_first=False                     pre-norm, norm_first=True
#
# x ──┬── attention ──(+)── norm1 ── z            x ──┬── norm1 ── attention ──(+)── z
#     └────────────────┘                              └─────────────────────────┘
# z ──┬── FFN ────────(+)── norm2 ── out          z ──┬── norm2 ── FFN ────────(+)── out
#     └────────────────┘                              └─────────────────────────┘
# ```
#
# On the left is the block of the paper and of the lecture: add, then normalise. On the right is what most
# models since GPT-2 do: normalise what goes *into* a layer. Follow the lower line from x to out: on the right
# nothing stands in its way, on the left it runs through two norms in every block. That is why pre-norm stacks
# are the easier ones to train when they get deep, and why they need one more norm at the very end.
#
# Letters: B batch, T positions, D model width, H heads, F feed-forward width, L blocks, V vocabulary.
#
# **Any dtype, any device.** Answers work in float32 and in float64, and wherever their arguments are. So what you make
# yourself gets dtype and device from what you were given: `torch.zeros(3, dtype=x.dtype, device=x.device)`, or
# `x.new_zeros(3)`.

# %%
"""Chapter 6: the encoder: layer norm, feed-forward network, dropout, and the blocks they make."""

import torch
from torch import nn

from reference.blocks import EncoderBlock as GivenBlock
from reference.blocks import MultiHeadAttention

# %% [markdown]
# ## Layer norm
# **What.** Each vector is shifted to mean 0 and stretched to variance 1. Two learned vectors, scale γ and
# shift β, then give every feature the size and the place that the model wants:
#
# $$ \mu = \frac{1}{D} \sum_m x_m, \qquad \sigma^2 = \frac{1}{D} \sum_m (x_m - \mu)^2, \qquad
#    y_m = \gamma_m \, \frac{x_m - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta_m $$
#
# Small enough to do by hand, with ε = 0.5 so that the root is a round number:
#
# | | | | | | |
# |---|---|---|---|---|---|
# | x | 1 | 2 | 3 | 6 | μ = 12 / 4 = 3 |
# | x − μ | −2 | −1 | 0 | 3 | σ² = 14 / 4 = 3.5 |
# | (x − μ) / √(σ² + ε) | −1 | −0.5 | 0 | 1.5 | √4 = 2 |
#
# **Why.** Residual connections add and add, so the numbers would grow from block to block. Batch norm would
# keep them at one size as well, but with the statistics of the whole batch: what a sentence means would depend
# on its neighbours and on their padding. Layer norm looks at one vector at a time, at nothing else.
#
# **Two traps.** The variance is the *biased* one, divided by D and not by D − 1, which is what `x.var(-1)`
# divides by unless told otherwise. And ε stands *under* the root. A vector whose entries are all equal has
# variance 0, and only ε saves it from 0/0.
#
# **Shapes.** x `(..., D)`, scale and shift `(D,)` → `(..., D)`. Mean and variance are `(..., 1)`: one number
# for each vector, kept as an axis so that they meet the right one.
#
# **Where.** Ba, Kiros and Hinton 2016; Vaswani et al. 2017, section 3.1.
#
# `F.layer_norm`, `nn.LayerNorm`, and group, instance and batch norm, which come to the same after a reshape, are
# not allowed here, as they *are* the exercise.


# %% exercise="layer_norm"
def layer_norm(x: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor, eps: float) -> torch.Tensor:
    """Normalise every vector along the last axis, then scale and shift its features.

    Args:
        x: (..., D), with any number of axes in front, also none.
        scale: γ, (D,).
        shift: β, (D,).
        eps: ε > 0, added to the variance under the root.

    Returns:
        Like x. With scale 1 and shift 0 each vector has mean 0 and variance (divided by D) just below 1.

    Source: Ba, Kiros and Hinton 2016; used in Vaswani et al. 2017, section 3.1.
    """
    ### BEGIN SOLUTION
    centred = x - x.mean(dim=-1, keepdim=True)  # (..., D) - (..., 1) -> (..., D)
    variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)
    return centred / torch.sqrt(variance + eps) * scale + shift  # (..., D)
    ### END SOLUTION


# %% [markdown] hints="layer_norm" difficulty=2 minutes=15 core=true
# 1. Do the row 1, 2, 3, 6 by hand first. Which axis do you take the mean over, and what shape must it have so
#    that you can subtract it from x?
# 2. Subtract the mean, take the mean of the squares of what is left: that is the variance, divided by D.
#    Keep the last axis in both (`keepdim=True`), or the numbers land on the wrong vectors whenever two sizes
#    agree. Then divide by the root of variance plus eps.
# 3. `centred = x - x.mean(-1, keepdim=True)`, `variance = centred.square().mean(-1, keepdim=True)`, and then
#    `centred / torch.sqrt(variance + eps)`, times scale, plus shift.

# %% [markdown]
# ## The feed-forward network
# **What.** Two linear maps with a ReLU between them, applied to each position alone:
#
# $$ \text{FFN}(x) = \max(0,\; x W_1 + b_1) \, W_2 + b_2 $$
#
# **Why.** The weighted mean that attention takes of its values is linear in them. The ReLU is where a block
# bends: a hidden unit fires or stays silent. The hidden layer is wide (F = 4D in the paper), so there are many
# units, each looking for its own pattern, and this is where most of a block's parameters live.
#
# **Shapes.** x `(B, T, D)`, W₁ `(D, F)`, b₁ `(F,)`, W₂ `(F, D)`, b₂ `(D,)` → `(B, T, D)`. Here the matrices
# stand as they do in the formula, to the right of x: inputs × outputs. An `nn.Linear` keeps its weight the
# other way round.
#
# **Where.** Vaswani et al. 2017, section 3.3, equation 2.


# %% exercise="feed_forward"
def feed_forward(
    x: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor, w2: torch.Tensor, b2: torch.Tensor
) -> torch.Tensor:
    """Two linear maps with a ReLU between them, the same at every position.

    Args:
        x: (B, T, D).
        w1, b1: (D, F) and (F,).
        w2, b2: (F, D) and (D,).

    Returns:
        (B, T, D).

    Source: Vaswani et al. 2017, eq. 2.
    """
    ### BEGIN SOLUTION
    hidden = torch.relu(x @ w1 + b1)  # (B, T, D) @ (D, F) -> (B, T, F)
    return hidden @ w2 + b2  # (B, T, F) @ (F, D) -> (B, T, D)
    ### END SOLUTION


# %% [markdown] hints="feed_forward" difficulty=1 minutes=10 core=true
# 1. Write the shape beside each step: from D to F and back to D. Where in the formula does max(0, ·) stand,
#    and what is inside it?
# 2. `x @ w1` needs no transpose, and a bias of shape `(F,)` broadcasts over batch and positions. The ReLU
#    comes after the first bias; nothing comes after the second.
# 3. `hidden = torch.relu(x @ w1 + b1)`, then the same again with `w2` and `b2`, without the ReLU.

# %% [markdown]
# ## Dropout
# **What.** In training, every entry is set to zero with probability `rate`, each by its own throw of the dice.
# The entries that survive are divided by 1 − rate. In evaluation nothing happens at all.
#
# **Why.** A network that may lose any of its units at any time cannot let one of them do all the work.
#
# Why divide? With a rate of 0.2, four fifths of the sum survive. Whatever reads these numbers would get too
# little in training and too much afterwards. Divided by 0.8, the mean is right: 0.8 · (x / 0.8) + 0.2 · 0 = x.
# Because the mending is done in training (this is called *inverted* dropout), evaluation is left in peace.
#
# **Shapes.** x of any shape → the same. A rate of 1 would divide by zero, and a negative one means nothing:
# both raise `ValueError`, in evaluation too, for a mistake should show before it matters.
#
# **Where.** Srivastava et al. 2014; Vaswani et al. 2017, section 5.4, with a rate of 0.1.
#
# `F.dropout`, `nn.Dropout` and their kin are not allowed here, as they *are* the exercise.


# %% exercise="dropout"
def dropout(x: torch.Tensor, rate: float, training: bool) -> torch.Tensor:
    """Set entries to zero at random and make up for it by scaling the others (inverted dropout).

    Args:
        x: any shape.
        rate: probability that an entry is dropped, in [0, 1).
        training: False makes the function the identity.

    Returns:
        Like x: in training each entry is either 0 or x / (1 - rate), drawn on its own; otherwise x.

    Raises:
        ValueError: rate lies outside of [0, 1), in training or not; the message names it.

    Source: Srivastava et al. 2014; Vaswani et al. 2017, section 5.4.
    """
    ### BEGIN SOLUTION
    if not 0 <= rate < 1:
        raise ValueError(f"the dropout rate must be at least 0 and below 1, not {rate}")
    if not training:
        return x
    kept = torch.rand_like(x) >= rate  # like x: every entry has a number of its own
    return x * kept / (1 - rate)
    ### END SOLUTION


# %% [markdown] hints="dropout" difficulty=2 minutes=15 core=true
# 1. Three cases: a rate that makes no sense, evaluation, training. For the last: how do you get one random
#    yes or no for *each* entry?
# 2. `torch.rand_like(x)` gives a uniform number per entry, with the dtype and on the device of x. An entry
#    survives where its number is not below `rate`. Don't forget what the survivors are divided by.
# 3. `if not 0 <= rate < 1: raise ValueError(f"... {rate}")`, `if not training: return x`, then
#    `x * (torch.rand_like(x) >= rate) / (1 - rate)`.

# %% [markdown]
# ## The encoder block
# **What.** Self-attention and a feed-forward network, each with a dropout, a residual connection and a norm.
# The picture at the top has everything but the dropouts: each sits on what attention or feed-forward network
# gives, *before* it is added.
#
# | `norm_first` | around the attention | around the feed-forward network |
# |---|---|---|
# | False | z = norm1(x + dropout1(attention(x))) | out = norm2(z + dropout2(FFN(z))) |
# | True | z = x + dropout1(attention(norm1(x))) | out = z + dropout2(FFN(norm2(z))) |
#
# **Why.** Imagine that attention and feed-forward network give nothing but zeros. A pre-norm block then hands
# on x untouched, so a new block starts close to "do nothing" and learns what to add. That is worth trying on
# your own block: it tells at once whether you add to the right thing.
#
# **Shapes.** x `(B, T, D)` → `(B, T, D)`: what comes out is as large as what goes in, so blocks can be stacked.
# The mask goes to the attention and broadcasts to `(B, H, T, T)`.
#
# **Given.** `self.attention(query, key, value, mask)` returns output and weights, as in chapter 5. Calling
# `self.feed_forward(x)`, `self.norm1(x)` or `self.dropout1(x)` does what you have just written, with
# parameters that can be learned; the dropouts know by themselves whether the model is being trained.
#
# **Where.** Vaswani et al. 2017, section 3.1 and figure 1 (left); pre-norm: Xiong et al. 2020.
#
# The finished block of `reference.blocks` is this exercise and not allowed in it, nor are `nn.TransformerEncoderLayer`
# and its kin, here and in the next exercise.


# %% exercise="EncoderBlock"
class EncoderBlock(nn.Module):
    """Self-attention and a feed-forward network, each with dropout, residual connection and layer norm.

    Args:
        width: D.
        num_heads: H.
        hidden: F, the width of the feed-forward network's hidden layer.
        dropout: rate of both dropouts.
        norm_first: normalise what goes into a layer (pre-norm) instead of the sum that comes out (post-norm).

    Source: Vaswani et al. 2017, section 3.1; pre-norm: Xiong et al. 2020.
    """

    def __init__(self, width: int, num_heads: int, hidden: int, dropout: float = 0.1, norm_first: bool = False) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Let the positions listen to each other, then let each one think.

        Args:
            x: (B, T, D).
            mask: bool, True = may attend, broadcastable to (B, H, T, T); None allows everything.

        Returns:
            (B, T, D).
        """
        ### BEGIN SOLUTION
        if self.norm_first:
            normed = self.norm1(x)  # (B, T, D), and so is everything below
            heard, _ = self.attention(normed, normed, normed, mask)
            z = x + self.dropout1(heard)
            return z + self.dropout2(self.feed_forward(self.norm2(z)))
        heard, _ = self.attention(x, x, x, mask)
        z = self.norm1(x + self.dropout1(heard))
        return self.norm2(z + self.dropout2(self.feed_forward(z)))
        ### END SOLUTION


# %% [markdown] hints="EncoderBlock" difficulty=3 minutes=25 core=true
# 1. Begin with post-norm and one line of the picture: what does attention read, what is its result added to,
#    and what is normalised? In self-attention, who are query, key and value?
# 2. `self.attention` returns a pair; keep its first part. The second residual starts at z, the result of the
#    first, not at x. In pre-norm the norms move into the branches: what is added is the result of a layer on
#    normalised input, what it is added to stays as it was.
# 3. Post-norm: `heard, _ = self.attention(x, x, x, mask)`, `z = self.norm1(x + self.dropout1(heard))`,
#    `self.norm2(z + self.dropout2(self.feed_forward(z)))`. Pre-norm: attend with `normed = self.norm1(x)` three
#    times, `z = x + self.dropout1(heard)`, then the same around `self.feed_forward(self.norm2(z))`.

# %% [markdown]
# ## The encoder
# **What.** L blocks, one after the other. Each has parameters of its own, reads what the one before it wrote,
# and gets the same mask. In pre-norm, one last norm follows.
#
# **Why the last norm?** Nothing in a pre-norm block normalises the sums, so they grow with every block. The
# norm at the end hands on vectors of one size. A post-norm block ends with a norm anyway.
#
# **Why the mask each time?** Padding is still padding after the first block. Its vectors have been computed on
# like all others and are as loud as any.
#
# **Shapes.** x `(B, T, D)` → `(B, T, D)`.
#
# **Given.** The blocks here are ready ones from `reference.blocks`, so that you can go on even if your own
# block does not work yet. Feel free to put yours in: the parameters have the same names.
#
# **Where.** Vaswani et al. 2017, section 3.1, with L = 6; last norm: Xiong et al. 2020.


# %% exercise="Encoder"
class Encoder(nn.Module):
    """A stack of encoder blocks, with a last norm in pre-norm.

    Args:
        num_blocks: L, at least 1.
        width: D.
        num_heads: H.
        hidden: F.
        dropout: rate of all dropouts.
        norm_first: pre-norm blocks and a last norm, `self.norm`, which does not exist otherwise.

    Source: Vaswani et al. 2017, section 3.1.
    """

    def __init__(
        self,
        num_blocks: int,
        width: int,
        num_heads: int,
        hidden: int,
        dropout: float = 0.1,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            GivenBlock(width, num_heads, hidden, dropout, norm_first) for _ in range(num_blocks)
        )
        self.norm_first = norm_first
        if norm_first:
            self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Send x through all blocks.

        Args:
            x: (B, T, D).
            mask: bool, True = may attend, broadcastable to (B, H, T, T); None allows everything.

        Returns:
            (B, T, D).
        """
        ### BEGIN SOLUTION
        for block in self.blocks:
            x = block(x, mask)  # (B, T, D)
        return self.norm(x) if self.norm_first else x
        ### END SOLUTION


# %% [markdown] hints="Encoder" difficulty=2 minutes=10 core=true
# 1. What does the second block read? And is there a norm left that no block has?
# 2. Go through `self.blocks` in a loop, and give each block the result of the one before and the mask. After
#    the loop, not in it, comes `self.norm`, but only if `self.norm_first`.
# 3. `for block in self.blocks: x = block(x, mask)`, then `return self.norm(x) if self.norm_first else x`.

# %% [markdown]
# ## How large is it?
# **What.** The number of learned parameters of a post-norm encoder, without building one. Weights *and* biases
# of all linear layers and both norms of a block count. The table of token vectors and the table of learned
# position vectors count if their sizes are given.
#
# **Why.** A parameter takes 4 bytes in float32, and about four times as much while Adam trains it. Whether
# a model fits into your machine is a question for a pencil, not for an error message after ten minutes. Here
# are the parts of BERT's smaller model, with 12 blocks, D = 768 and F = 3072. Find out where each number
# comes from, and you have the function:
#
# | part | parameters |
# |---|---|
# | attention of one block | 2,362,368 |
# | feed-forward network of one block | 4,722,432 |
# | both norms of one block | 3,072 |
# | one block | 7,087,872 |
# | **12 blocks** | **85,054,464** |
# | table of 30,522 tokens | 23,440,896 |
# | table of 512 positions | 393,216 |
# | **all together** | **108,888,576** |
#
# The paper rounds its model to 110 million; a norm after the tables, a table for the two sentences and a last
# linear layer make up the rest. Two thirds of a block sit in the feed-forward network. And the number of heads
# does not appear anywhere: more heads are narrower heads.
#
# **Where.** Devlin et al. 2019, section 3, for the sizes and the 110 million.


# %% exercise="encoder_parameters"
def encoder_parameters(num_blocks: int, width: int, hidden: int, vocab_size: int = 0, max_length: int = 0) -> int:
    """Number of parameters of a post-norm encoder with biases everywhere, and of the tables in front of it.

    Args:
        num_blocks: L.
        width: D.
        hidden: F.
        vocab_size: V, the rows of the token table; 0 = no such table.
        max_length: rows of the table of learned positions; 0 = no such table.

    Returns:
        The count, as an int. A post-norm encoder has no last norm.
    """
    ### BEGIN SOLUTION
    attention = 4 * (width * width + width)  # w_q, w_k, w_v, w_o
    feed_forward = (width * hidden + hidden) + (hidden * width + width)
    norms = 2 * (width + width)  # scale and shift, twice
    tables = (vocab_size + max_length) * width
    return num_blocks * (attention + feed_forward + norms) + tables
    ### END SOLUTION


# %% [markdown] hints="encoder_parameters" difficulty=2 minutes=15
# 1. List the layers of one block and write down the shape of each weight and each bias. How many linear layers
#    does attention have? How many learned vectors does a norm have?
# 2. A linear layer from n to m features has n·m weights and m biases. Attention has four of them from D to D,
#    the feed-forward network one from D to F and one back, each norm two vectors of size D. All this L times;
#    the tables only once, each with D numbers per row.
# 3. `4 * (width * width + width)` for the attention, `width * hidden + hidden` and `hidden * width + width` for
#    the feed-forward network, `2 * 2 * width` for the norms, and `(vocab_size + max_length) * width` once.

# %% [markdown]
# ## What you have now
# The left half of the most reproduced picture of the field: words listen, add, normalise, think, add,
# normalise, and do it again. In chapter 7 one such block and an average are enough to tell whether a film was
# liked; chapter 8 puts a decoder beside it.
