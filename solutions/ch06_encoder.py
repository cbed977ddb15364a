# %% [markdown]
# # Chapter 6 · The encoder
#
# **Attention only ever averages: whatever a head reads, it gives back a weighted mean of vectors. Average a dozen
# times in a row and every word should end up as the same grey mush. Why does a stack of a dozen attention layers work
# anyway?**
#
# Because of what is wrapped around them. A *residual connection* adds the result of a layer to its input, so a word
# keeps what it was and only takes on something new. A *layer norm* keeps the numbers at one size, however many results
# have been added. And once all words have listened, a small *feed-forward network* lets each word think alone about
# what it heard. Attention mixes positions, the feed-forward network mixes features. The two together are an encoder
# block, and an encoder is a stack of blocks.
#
# The same parts can be put together in two orders (dropout is left out; FFN is the feed-forward network):
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
# On the left is the block of the paper and of the lecture (Aleksandar Vakanski, "Lecture 19 - Transformer Networks",
# 2025): add, then normalise. On the right is what most models since GPT-2 do: normalise what goes *into* a layer.
# Follow the lower line from x to out: on the right nothing stands in its way, on the left it runs through two norms in
# every block. That is why pre-norm stacks are easier to train when they get deep, and why they need one more norm at
# the very end.
#
# Letters: B batch, T positions, D model width, H heads, F feed-forward width, L blocks, V vocabulary.
#
# Any tensor you create must take its dtype and device from an argument ([conventions](../docs/conventions.md)).

# %%
"""Chapter 6, the encoder: layer norm, feed-forward network, dropout, and the blocks they make."""

import torch
from torch import nn

from reference.blocks import EncoderBlock as GivenBlock
from reference.blocks import MultiHeadAttention

# %% [markdown]
# ## Layer norm
# A layer norm shifts each vector to mean 0 and stretches it to variance 1. Two learned vectors, scale γ and shift β,
# then give every feature the spread and the mean that the model wants:
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
# Residual connections keep adding, so the numbers would grow from block to block. Batch norm would keep them at one
# size as well, but with the statistics of the whole batch: what a sentence means would depend on its neighbours and on
# their padding. Layer norm looks at one vector at a time and at nothing else.
#
# **Two traps.** The variance is the *biased* one, divided by D; by default `x.var(-1)` divides by D − 1. And ε goes
# *under* the root. A vector whose entries are all equal has variance 0, and only ε saves it from 0/0.
#
# <details><summary>Where the lecture errs: what is normalised, and where ε goes</summary>
#
# It adds ε "to the standard deviation", and has the norm treat "the outputs of each multi-head attention layer
# independently from the outputs of the other multi-head attention layers". Its Keras code does what the paper says: ε
# is added to the variance, and each *word's vector* is normalised by itself.
#
# </details>
#
# Shapes: x `(..., D)`, scale and shift `(D,)` → `(..., D)`. Mean and variance are `(..., 1)`: one number for each
# vector, with the axis kept so that each meets the right vector.
#
# `F.layer_norm`, `nn.LayerNorm`, and group, instance and batch norm, which do the same after a reshape, are not
# allowed here, as they *are* the exercise.


# %% exercise="layer_norm"
def layer_norm(x: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor, eps: float) -> torch.Tensor:
    """Normalise every vector along the last axis, then scale and shift its features.

    Args:
        x: (..., D), with any number of axes in front, including none.
        scale: γ, (D,).
        shift: β, (D,).
        eps: ε > 0, added to the variance under the root.

    Returns:
        Like x, with its dtype and precision. With scale 1 and shift 0 each vector has mean 0, and variance (divided by
        D) σ² / (σ² + ε), where σ² was its own. Gradients are finite, even for a vector whose entries are all equal.

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
# 2. Subtract the mean, then take the mean of the squares of what is left: that is the variance, divided by D. Keep the
#    last axis in both (`keepdim=True`), or the numbers land on the wrong vectors whenever two sizes agree. Then divide
#    by the root of variance plus eps.
# 3. `centred = x - x.mean(-1, keepdim=True)`, `variance = centred.square().mean(-1, keepdim=True)`, and then
#    `centred / torch.sqrt(variance + eps)`, times scale, plus shift.

# %% [markdown] debrief="layer_norm"
# There are two of these in each block of an encoder, three in each block of a decoder, and without them no deep
# Transformer trains well. Multiply x by 1000, or add 7 to all of its entries, and the result is the same (apart from
# ε), so after a norm neither the length of a vector nor its mean counts. Llama drops even the mean, as the end of this
# chapter shows. To read: Ba, Kiros and Hinton 2016, arXiv 1607.06450, section 5, on what such a norm cannot see.

# %% [markdown]
# ## The feed-forward network
# Two linear maps with a ReLU between them, the same for each position:
#
# $$ \text{FFN}(x) = \max(0,\; x W_1 + b_1) \, W_2 + b_2 $$
#
# Attention's weighted mean is linear in its values. The ReLU is where a block bends: a hidden unit fires or stays
# silent. The hidden layer is wide (F = 4D in the paper), so there are many units, each looking for its own pattern, and
# this is where most of a block's parameters live. Narrow, wide, narrow: image networks call this an *inverted
# bottleneck*.
#
# Later models bend more gently. BERT, GPT and the Vision Transformer put a **GELU** in the ReLU's place, and so do
# chapters 9 to 12:
#
# $$ \text{GELU}(z) = z \, \Phi(z) = \frac{z}{2} \left(1 + \text{erf}\frac{z}{\sqrt{2}}\right) $$
#
# Φ(z) is the share of a normal distribution N(0, 1) that lies below z. So a large z passes as it is, a very negative
# one becomes 0, and in between the bend is smooth: GELU(1) = 0.841, GELU(−1) = −0.159 (Hendrycks and Gimpel 2016,
# section 2).
#
# Shapes: x `(B, T, D)`, W₁ `(D, F)`, b₁ `(F,)`, W₂ `(F, D)`, b₂ `(D,)` → `(B, T, D)`. Here the matrices are used as in
# the formula, to the right of x: inputs × outputs. An `nn.Linear` keeps its weight the other way round.


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
# 1. Write the shape beside each step: from D to F and back to D. Where in the formula is max(0, ·), and what is inside
#    it?
# 2. `x @ w1` needs no transpose, and a bias of shape `(F,)` broadcasts over batch and positions. The ReLU
#    comes after the first bias; nothing comes after the second.
# 3. `hidden = torch.relu(x @ w1 + b1)`, then the same again with `w2` and `b2`, without the ReLU.

# %% [markdown] debrief="feed_forward"
# In BERT, GPT and ViT this function holds two thirds of each block's parameters, and much of what a model knows is
# stored here. You can read it as a memory: each column of W1 is a pattern to look for, each row of W2 is what to add
# when it is found. Mixture-of-experts models keep many such networks and send each word to only a few of them. To read:
# Geva et al. 2021, arXiv 2012.14913, section 3, on the patterns they found.

# %% [markdown]
# ## Dropout
# In training, every entry is set to zero with probability `rate`, each by its own roll of the dice. The entries that
# survive are divided by 1 − rate. In evaluation nothing happens at all. A network that may lose any unit at any time
# cannot let one of them do all the work.
#
# Why divide? With a rate of 0.2, four fifths of the sum survive. The next layer would get too little in training and
# too much afterwards. Divided by 0.8, the mean is right: 0.8 · (x / 0.8) + 0.2 · 0 = x. Because the correction is made
# in training (this is called *inverted* dropout), evaluation needs none.
#
# Shapes: x of any shape → the same. A rate of 1 would divide by zero, and a negative one means nothing: both raise
# `ValueError`, in evaluation too, since a mistake should show before it matters.
#
# The first Transformer used a rate of 0.1 (Vaswani et al. 2017, section 5.4). `F.dropout`, `nn.Dropout` and related
# functions are not allowed here, as they *are* the exercise.


# %% exercise="dropout"
def dropout(x: torch.Tensor, rate: float, training: bool) -> torch.Tensor:
    """Set entries to zero at random and make up for it by scaling the others (inverted dropout).

    Args:
        x: any shape, a single number without axes included.
        rate: probability that an entry is dropped, in [0, 1).
        training: False makes the function the identity.

    Returns:
        Like x: in training each entry is either 0 or x / (1 - rate), drawn independently of all others, so not even the
        number of zeros is fixed; otherwise x.

    Raises:
        ValueError: rate is outside [0, 1), in training or not; the message names it.

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

# %% [markdown] debrief="dropout"
# Your classifier of chapter 7 and your Transformer of chapter 8 use it after every sublayer, and BERT does too. The
# largest language models often do without: dropout keeps a model from learning its data by heart, and PaLM (arXiv
# 2204.02311) went through its data only once. To read: Hinton et al. 2012, arXiv 1207.0580, where the idea comes from.

# %% [markdown] picture="residuals"
# ## The encoder block
# The block is self-attention and a feed-forward network, each with a dropout, a residual connection and a norm. The
# picture at the top has everything but the dropouts: each acts on the output of the attention or of the feed-forward
# network, *before* it is added.
#
# | `norm_first` | around the attention | around the feed-forward network |
# |---|---|---|
# | False | z = norm1(x + dropout1(attention(x))) | out = norm2(z + dropout2(FFN(z))) |
# | True | z = x + dropout1(attention(norm1(x))) | out = z + dropout2(FFN(norm2(z))) |
#
# Imagine that attention and feed-forward network give nothing but zeros. A pre-norm block then passes x on unchanged,
# so a new block starts close to "do nothing" and learns what to add. That is worth trying on your own block: it shows
# at once whether your residuals start from the right tensor.
#
# Shapes: x `(B, T, D)` → `(B, T, D)`: the output has the shape of the input, so blocks can be stacked. The mask goes to
# the attention and broadcasts to `(B, H, T, T)`.
#
# **Given.** `self.attention(query, key, value, mask)` returns output and weights, as in chapter 5. Calling
# `self.feed_forward(x)`, `self.norm1(x)` or `self.dropout1(x)` does what you have just written, with
# parameters that can be learned; the dropouts know whether the model is being trained.
#
# <details><summary>Where the lecture errs: Keras's two arguments</summary>
#
# It takes the two arguments of Keras's `multi_head_attention(inputs, inputs)` for key and value. They are query and
# *value*; the key, left out, is the value again. With the same tensor twice you cannot see the difference; with two
# tensors, as in the cross-attention of chapter 8, you can. Try it below.
#
# </details>
#
# The finished block of `reference.blocks` *is* this exercise, so it is not allowed here; the next one uses it.
# `nn.TransformerEncoderLayer` and related layers are allowed in neither.


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
# 1. Begin with post-norm and one line of the picture: what does attention read, what is its result added to, and what
#    is normalised? In self-attention, what are query, key and value?
# 2. `self.attention` returns a pair; keep its first part. The second residual starts at z, the result of the
#    first, not at x. In pre-norm the norms move into the branches: add the result of a layer on normalised input to
#    the input as it was.
# 3. Post-norm: `heard, _ = self.attention(x, x, x, mask)`, `z = self.norm1(x + self.dropout1(heard))`,
#    `self.norm2(z + self.dropout2(self.feed_forward(z)))`. Pre-norm: attend with `normed = self.norm1(x)` three
#    times, `z = x + self.dropout1(heard)`, then the same around `self.feed_forward(self.norm2(z))`.

# %% [markdown] debrief="EncoderBlock"
# Twelve of these are BERT's body (chapter 10); the same block, pre-norm and with a causal mask, is GPT-2 (chapter 9),
# and on patches it is ViT (chapter 11). Two residual connections make four ways through a block, so 4^12, or 17
# million, through twelve. Most go through about half of the 24 layers, and the shorter ones carry most of the gradient:
# a deep stack acts like a crowd of shallow ones (Veit et al. 2016, arXiv 1605.06431). To read: Xiong et al. 2020, arXiv
# 2002.04745, on where the norm belongs.

# %% [markdown]
# **Try it**: `attention(a, b)` read as query and value, as Keras does, and as key and value, as the lecture does. Here
# `a` is the query too.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("MultiHeadAttention")
    torch.manual_seed(0)
    attention = mine.MultiHeadAttention(8, 2)
    a, memory = torch.randn(2, 1, 5, 8)  # (1, 5, 8) each
    for name, b in (("the same tensor twice", a), ("two tensors", memory)):
        apart = attention(a, b, b)[0] - attention(a, a, b)[0]  # (1, 5, 8)
        print(f"{name}: the two readings differ by up to {apart.abs().max():.2f}")

# %% [markdown]
# ```text
# the same tensor twice: the two readings differ by up to 0.00
# two tensors: the two readings differ by up to 0.14
# ```

# %% [markdown]
# ## The encoder
# An encoder is L blocks, one after the other. Each has parameters of its own, reads what the previous one wrote, and
# gets the same mask. In pre-norm, one last norm follows.
#
# **Why the last norm?** Nothing in a pre-norm block normalises the sums, so they grow with every block. The norm at
# the end passes on vectors of one size. A post-norm block ends with a norm anyway.
#
# **Why the mask each time?** Padding is still padding after the first block. Its vectors have gone through the same
# computation as all others and are just as loud.
#
# **A dense network of words.** The paper has L = 6. Take the attention alone, with one number in place of each word's
# vector and learned weights in place of the attention weights, and this stack is the linear part of a plain dense
# network. Here the units are whole vectors, and their weights are computed anew for each text.
#
# Shapes: x `(B, T, D)` → `(B, T, D)`.
#
# **Given.** The blocks here are ready-made ones from `reference.blocks`, so that you can go on even if your own block
# does not work yet. Feel free to use yours: the parameters have the same names.


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
# 2. Go through `self.blocks` in a loop, and give each block the result of the previous one and the mask. After the
#    loop, not in it, comes `self.norm`, but only if `self.norm_first`.
# 3. `for block in self.blocks: x = block(x, mask)`, then `return self.norm(x) if self.norm_first else x`.

# %% [markdown] debrief="Encoder"
# This is the left half of chapter 8's Transformer, and all of BERT except its tables and its head. The blocks do such
# similar work that ALBERT (arXiv 1909.11942) lets all of them share one set of parameters and loses little. To read:
# Vaswani et al. 2017, arXiv 1706.03762, section 3.1, a few lines that half of this chapter is about.

# %% [markdown]
# ## How large is it?
# Count the learned parameters of a post-norm encoder without building one. Weights *and* biases of all linear layers
# and both norms of a block count. The table of token vectors and the table of learned position vectors count if their
# sizes are given.
#
# A parameter takes 4 bytes in float32, and about four times as much while Adam trains it. Whether a model fits into
# your machine is a question for a pencil, not for an error message after ten minutes. Here are the parts of BERT's
# smaller model, with 12 blocks, D = 768 and F = 3072. Find out where each number comes from, and you have the function:
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
# The paper rounds its model to 110 million (Devlin et al. 2019, section 3); a norm after the tables, a table for the
# two sentences and a last linear layer make up the rest. Two thirds of a block are in the feed-forward network. And the
# number of heads does not appear anywhere: more heads are narrower heads.


# %% exercise="encoder_parameters"
def encoder_parameters(num_blocks: int, width: int, hidden: int, vocab_size: int = 0, max_length: int = 0) -> int:
    """Count the parameters of a post-norm encoder with biases everywhere, and of the tables in front of it.

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

# %% [markdown] debrief="encoder_parameters"
# Models are planned with this count long before they are trained. Without the small terms a block has 12 D²
# parameters, 4 for attention and 8 for the feed-forward network: GPT-3, with 96 blocks and D = 12,288, comes to 174
# billion in one line of arithmetic. To read: Kaplan et al. 2020, arXiv 2001.08361, section 2.1, where the same line
# gives the cost of training: about six operations for each parameter and token.

# %% [markdown]
# ## What today's models changed
# The block of 2017 is still recognisable in Llama 3, but hardly any part is the same:
#
# | | this chapter | Llama 3 |
# |---|---|---|
# | order | post-norm (or pre-norm) | pre-norm |
# | norm | layer norm, with γ and β | RMSNorm, with γ alone |
# | feed-forward network | ReLU, two matrices, F = 4D | SwiGLU, three matrices, F about 8D/3 or more |
# | positions | added once, at the bottom | rotary, in every attention layer (chapter 2) |
# | heads | a key head for each query head | groups of query heads share one (chapter 5) |
# | biases | everywhere | none |
#
# Positions and heads belong to the chapters named in the table. Norm and network you can write now.
#
# ## RMSNorm
# A layer norm moves a vector (its mean becomes 0) and resizes it (its variance becomes 1). Which of the two does
# training need? Zhang and Sennrich left the first out, and their models learned just as well. What remains is one
# number for each vector, the *root mean square*, to divide by:
#
# $$ y_m = \gamma_m \, \frac{x_m}{\sqrt{\frac{1}{D} \sum_i x_i^2 + \varepsilon}} $$
#
# By hand, with ε = 0.5 again: the squares of 1, 2, 3, 0 have the mean 14 / 4 = 3.5, and √(3.5 + 0.5) = 2, so the
# result is 0.5, 1, 1.5, 0. All entries are divided by the same number: a vector keeps its direction, and a 0 stays 0.
# On a vector whose mean is 0 already, RMSNorm and layer norm are the same.
#
# **The trap** is `x.std(-1)`, which looks right and subtracts the mean unasked. ε goes under the root again; here it
# saves the vector of zeros.
#
# Shapes: x `(..., D)`, scale `(D,)` → `(..., D)`. There is no shift. `F.rms_norm` and `nn.RMSNorm` are not allowed
# here, as they *are* the exercise.


# %% exercise="rms_norm"
def rms_norm(x: torch.Tensor, scale: torch.Tensor, eps: float) -> torch.Tensor:
    """Divide every vector along the last axis by its root mean square, then scale its features.

    Args:
        x: (..., D), with any number of axes in front, including none.
        scale: γ, (D,).
        eps: ε > 0, added to the mean square under the root.

    Returns:
        Like x, with its dtype and precision. With scale 1 each vector keeps its direction, and its mean square is m /
        (m + ε), where m was its own. Gradients are finite, even for a vector of zeros.

    Source: Zhang and Sennrich 2019, eq. 4, with ε.
    """
    ### BEGIN SOLUTION
    mean_square = x.square().mean(dim=-1, keepdim=True)  # (..., 1)
    return x / torch.sqrt(mean_square + eps) * scale  # (..., D)
    ### END SOLUTION


# %% [markdown] hints="rms_norm" difficulty=1 minutes=10
# 1. Read "root mean square" from right to left: that is the order in which you compute it. Which axis is the mean over?
# 2. Square x, take the mean along the last axis and keep that axis, add eps, take the root. Divide x by it; nothing is
#    subtracted anywhere. Scale comes last.
# 3. `mean_square = x.square().mean(-1, keepdim=True)`, then `x / torch.sqrt(mean_square + eps)`, times scale.

# %% [markdown] debrief="rms_norm"
# T5, Llama, Mistral and Qwen use this norm before each sublayer and once at the end, and some of them on queries and
# keys too, so that no score gets huge. In half precision they still square in float32: 300² is already too large for
# float16. Gemma stores scale − 1, so that weight decay pulls its scale to 1 instead of 0. To read: Zhang and Sennrich
# 2019, arXiv 1910.07467, section 4, on what stays the same when a vector or a weight matrix is resized.

# %% [markdown]
# ## SwiGLU
# A hidden unit of the first feed-forward network finds its pattern or stays silent. In a *gated* network each unit is a
# product: one matrix decides how far a gate opens, another what comes through it.
#
# $$ \text{SwiGLU}(x) = \left( \text{SiLU}(x W_\text{gate}) \odot x W_\text{up} \right) W_\text{down}, \qquad
#    \text{SiLU}(z) = z \, \sigma(z) $$
#
# SiLU, also called Swish, is a gentle ReLU, with the sigmoid σ in the place of GELU's Φ: SiLU(1) = 0.731,
# SiLU(−1) = −0.269. Why would one want a product? A sum of patterns can say "this or that", a product says "this, if
# that". And its gradient reaches x in two ways, one of which no squashing function dampens.
#
# Three matrices replace two, so F shrinks to two thirds: with D = 768, 3 · 768 · 2048 parameters instead of 2 · 768 ·
# 3072, which is the same number. There are no biases.
#
# Shapes: x `(..., D)`, gate and up `(D, F)` → hidden `(..., F)`; down `(F, D)` → `(..., D)`. `F.silu` is allowed.


# %% exercise="swiglu"
def swiglu(x: torch.Tensor, w_gate: torch.Tensor, w_up: torch.Tensor, w_down: torch.Tensor) -> torch.Tensor:
    """A feed-forward network whose hidden units are products: (SiLU(x w_gate) · (x w_up)) w_down, SiLU(z) = z σ(z).

    Args:
        x: (..., D), with any number of axes in front, including none.
        w_gate: (D, F).
        w_up: (D, F).
        w_down: (F, D).

    Returns:
        Like x, with its dtype and precision. It is finite for gates of any size, and so are its gradients.

    Source: Shazeer 2020, eq. 6.
    """
    ### BEGIN SOLUTION
    gate = x @ w_gate  # (..., D) @ (D, F) -> (..., F)
    hidden = gate * torch.sigmoid(gate) * (x @ w_up)  # (..., F)
    return hidden @ w_down  # (..., F) @ (F, D) -> (..., D)
    ### END SOLUTION


# %% [markdown] hints="swiglu" difficulty=1 minutes=10
# 1. Two of the matrices read x side by side; neither reads what the other wrote. Only one of the two results goes
#    through SiLU. Which one, says its name.
# 2. Compute `x @ w_gate` and `x @ w_up`, both `(..., F)`. Put SiLU on the first, multiply the two entry by entry, and
#    only then go back to D with the third matrix.
# 3. `gate = x @ w_gate`, the hidden layer is `gate * torch.sigmoid(gate)` times `(x @ w_up)`, and `w_down` comes last.

# %% [markdown] debrief="swiglu"
# This is the feed-forward network of Llama, Mistral, Qwen and PaLM; Gemma has the same with a GELU, and each expert of
# a mixture of experts is usually one of these. Shazeer tried many gates in the same Transformer, and nearly all did
# better than ReLU; for the reason he refers to "divine benevolence". To read: Shazeer 2020, arXiv 2002.05202, all of
# its few pages.

# %% [markdown]
# ## Old and new, side by side
# The norms first, on one row, with ε = 0.5. Then layer norm beside batch norm, when the first of two sentences gets
# another neighbour: how far do its numbers move? Then a picture of *one* hidden unit of each kind, with all weights 1.
# The old one is 0, then a straight line; the gated one lets a little through below 0, and grows like a square.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("layer_norm", "rms_norm", "feed_forward", "swiglu")
    row, ones, zeros = torch.tensor([1.0, 2.0, 3.0, 6.0]), torch.ones(4), torch.zeros(4)
    print("layer norm:            ", mine.layer_norm(row, ones, zeros, 0.5))
    print("RMSNorm:               ", mine.rms_norm(row, ones, 0.5))
    print("RMSNorm, mean removed:", mine.rms_norm(row - row.mean(), ones, 0.5))

    torch.manual_seed(0)
    first, second, other = torch.randn(3, 1, 5, 4)  # sentences (1, 5, 4), five words each
    norms = {
        "layer": lambda x: mine.layer_norm(x, ones, zeros, 1e-5),
        "batch": lambda x: (x - x.mean(dim=(0, 1))) / x.std(dim=(0, 1), correction=0),
    }
    for name, norm in norms.items():
        before, after = (norm(torch.cat([first, neighbour]))[0] for neighbour in (second, other))  # (5, 4) each
        most = (after - before).abs().max()
        print(f"{name} norm: the neighbour moves a number of the first sentence by up to {most:.2f}")

    z, one, zero = torch.linspace(-3, 3, 61)[None, :, None], torch.ones(1, 1), torch.zeros(1)
    units = {"ReLU": mine.feed_forward(z, one, zero, one, zero), "SwiGLU": mine.swiglu(z, one, one, one)}
    points = {
        name: list(zip(z.flatten().tolist(), unit.flatten().tolist(), strict=True)) for name, unit in units.items()
    }
    mine.curve(points, x="what comes in", y="what goes out", title="one hidden unit").show()

# %% [markdown]
# ```text
# layer norm:             tensor([-1.0000, -0.5000,  0.0000,  1.5000])
# RMSNorm:                tensor([0.2774, 0.5547, 0.8321, 1.6641])
# RMSNorm, mean removed: tensor([-1.0000, -0.5000,  0.0000,  1.5000])
# layer norm: the neighbour moves a number of the first sentence by up to 0.00
# batch norm: the neighbour moves a number of the first sentence by up to 0.71
# ```

# %% [markdown]
# ## See it run
# Back to the question at the top: do twelve layers of averaging leave grey mush? Twelve words with nothing in common
# go through twelve untrained blocks, built in four ways. The first picture shows how much of the vectors is still each
# word's *own*, from 1, nothing shared, to 0, all words the same. The second shows how large a gradient arrives at each
# block on its way down from the top (as a power of ten).

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("EncoderBlock")
    torch.manual_seed(0)
    ways = {
        "bare": lambda block, x: block.feed_forward(block.attention(x, x, x)[0]),
        "norms": lambda block, x: block.norm2(block.feed_forward(block.norm1(block.attention(x, x, x)[0]))),
        "post-norm block": lambda block, x: block(x),
        "pre-norm block": lambda block, x: block(x),
    }
    own, flow, length = {}, {}, {}
    for name, step in ways.items():
        states = [torch.randn(1, 12, 64, requires_grad=True)]
        for _ in range(12):
            block = mine.EncoderBlock(64, 4, 256, dropout=0.0, norm_first=name.startswith("pre"))
            states.append(step(block, states[-1]))
        own[name] = [((x - x.mean(dim=1, keepdim=True)).norm() / x.norm()).item() for x in states]
        gradients = torch.autograd.grad((states[-1] * torch.randn(1, 12, 64)).sum(), states)
        flow[name] = [gradient.norm().log10().item() for gradient in gradients]
        length[name] = states[-1].norm(dim=-1).mean().item()
    mine.curve(own, x="block", y="own share", title="what is left of each word").show()
    mine.curve(flow, x="block", y="log10 of the gradient", title="gradient that arrives at each block").show()
    mine.bars(length, title="length of a word's vector after twelve blocks (8 before)").show()
    for name, share in own.items():
        print(f"{name}: own share {share[2]:.2f} after two blocks, {share[-1]:.2f} after twelve")
    print(f"bare: the lowest block gets {10 ** (flow['bare'][0] - flow['bare'][-1]):.0e} of the highest one's gradient")

# %% [markdown]
# Without residual connections two blocks are enough to turn them to mush, an own share of .00, and the lowest block
# gets 10^-14 of the highest one's gradient: it learns nothing. Norms alone repair the gradients, but the words are
# still lost. In your blocks, with residual connections, the words stay apart: after twelve blocks .68 is still their
# own, or .77 with pre-norm. That attention alone loses its words this fast has been proven: [Dong et al.
# 2021](https://arxiv.org/abs/2103.03404). The bars show the price of pre-norm: its sums grow with each block, which is
# why an encoder of such blocks ends with a norm.
#
# ## What you have now
# You have the left half of the most reproduced picture in the field: words listen, add, normalise, think, add,
# normalise, and do it again. In chapter 7 one such block and an average are enough to tell whether a reviewer liked a
# film; chapter 8 puts a decoder beside it.
#
# **To read.** The block: [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762). Its parts: residual connections, [He
# et al. 2015](https://arxiv.org/abs/1512.03385); layer norm, [Ba, Kiros and Hinton
# 2016](https://arxiv.org/abs/1607.06450); dropout, [Srivastava et al.
# 2014](https://jmlr.org/papers/v15/srivastava14a.html); GELU, [Hendrycks and Gimpel
# 2016](https://arxiv.org/abs/1606.08415); pre-norm, [Xiong et al. 2020](https://arxiv.org/abs/2002.04745). BERT's
# sizes: [Devlin et al. 2019](https://arxiv.org/abs/1810.04805). Today: [RMSNorm](https://arxiv.org/abs/1910.07467),
# [SwiGLU](https://arxiv.org/abs/2002.05202), [rotary positions](https://arxiv.org/abs/2104.09864), [Llama
# 3](https://arxiv.org/abs/2407.21783).

# %% [markdown] debrief="ch06_encoder"
# You can build an encoder block, and stack blocks without losing the words or the gradients.
