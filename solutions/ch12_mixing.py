# %% [markdown]
# # Chapter 12 · Mixing
#
# **Attention multiplies a text by a T × T matrix, and works hard to compute that matrix from the text. What if the
# matrix were simply given?**
#
# Seen from far enough away, an encoder block does two things. It mixes *positions*: every vector becomes a weighted sum
# of the vectors in the text. Then it mixes *features*: every vector goes, on its own, through a small network.
# Attention is one way to do the first. Here it is beside three others, for four positions; row i holds the weights that
# position i gives to positions 0 to 3:
#
# ```
#      attention            convolution, K = 3        Fourier              MLP-Mixer
#
#   .70  .10  .10  .10         b  c  .  .           1  1  1  1            a  b  c  d
#   .25  .25  .25  .25         a  b  c  .           1  0 -1  0            e  f  g  h
#   .05  .05  .80  .10         .  a  b  c           1 -1  1 -1            i  j  k  l
#   .10  .60  .10  .20         .  .  a  b           1  0 -1  0            m  n  o  p
#
#   computed from x,         learned, zero except   not learned,          learned, every
#   new for every text       for a band, the same   waves: real part      entry on its own
#                            along each diagonal    cos(2π i j / T)
# ```
#
# Only the first matrix is made from the text. (The mixer has two matrices with a GELU between them; the picture shows
# one.) What do the others save? Take a Vision Transformer (chapter 11) with T = 196 patches and D = 768 features,
# filters of K = 7, and S = 384 hidden units in the mixer:
#
# | mixing of positions | matrices | reaches | parameters | here | multiplications, about |
# |---|---|---|---|---|---|
# | attention | one per head and text | all positions | 4·D² + 4·D | 2,362,368 | 4·T·D² + 2·T²·D = 521 million |
# | convolution | one per feature | (K − 1) / 2 places | D·K | 5,376 | T·D·K = 1 million |
# | Fourier | one | all positions | none | 0 | T·D·log₂(T·D) = 3 million |
# | MLP-Mixer | two, GELU between | all positions | 2·T·S + S + T | 151,108 | 2·T·S·D = 116 million |
#
# You build every row except the first, which you have had since chapter 5. The comparison with a convolution is in
# Subir Varma's lecture *Transformers* (2022).
#
# Letters: B texts in a batch, T positions, D model width (the features, also called channels), E output features,
# K size of a filter, always odd.
#
# Any tensor you create must take its dtype and device from an argument ([conventions](../docs/conventions.md)). Answers
# work in float64 and float32 and compute in the dtype of their arguments; `pointwise_conv1d`, `filter_matrix` and
# `MixerBlock` take bfloat16 too. What you return depends on the arguments alone, not on earlier calls.

# %%
"""Chapter 12: mixing without attention: convolutions, the Fourier transform, and a network across positions."""

import torch
from torch import nn
from torch.nn import functional

# %% [markdown]
# ## A filter for each feature
# Each feature slides its own little filter along the text: a weighted sum of the number itself and its neighbours to
# the left and right. Feature 0 never meets feature 1, hence *depthwise*.
#
# $$ y_{t,d} = \sum_{k=0}^{K-1} f_{d,k} \; x_{t + k - (K-1)/2,\, d} $$
#
# Where the filter sticks out beyond an end of the text, it reads zeros, so the text keeps its length. It is position
# mixing of the cheapest kind: K numbers per feature, learned, and then the same for every text and at every place.
#
# **Which way round?** What deep-learning libraries call a convolution lays the filter on the text as it is written: its
# first number meets the left neighbour. Mathematicians flip it first, and so does `numpy.convolve`. Do not flip it.
#
# Shapes: x `(B, T, D)`, filters `(D, K)` → `(B, T, D)`. PyTorch's layer of this kind is
# `nn.Conv1d(D, D, K, padding="same", groups=D)`, which expects `(B, D, T)`.
#
# PyTorch's convolutions (`functional.conv1d`, `nn.Conv1d`, `torch.conv1d` and related functions) are not allowed here,
# nor in `separable_conv1d`. The method `Tensor.unfold` is welcome.


# %% exercise="depthwise_conv1d"
def depthwise_conv1d(x: torch.Tensor, filters: torch.Tensor) -> torch.Tensor:
    """Filter each feature along the positions, with zeros around the text.

    Args:
        x: (B, T, D).
        filters: (D, K), one row per feature, K odd; the number in the middle meets the position itself.

    Returns:
        (B, T, D), computed in the dtype of x: y[t, d] = sum over k of filters[d, k] · x[t + k - (K - 1) / 2, d].
    """
    ### BEGIN SOLUTION
    size = filters.shape[1]
    padded = functional.pad(x, (0, 0, size // 2, size // 2))  # (B, T + K - 1, D)
    windows = padded.unfold(1, size, 1)  # (B, T, D, K)
    return (windows * filters).sum(dim=-1)  # (B, T, D)
    ### END SOLUTION


# %% [markdown] hints="depthwise_conv1d" difficulty=2 minutes=15
# 1. For a filter of three numbers, write down what position 5 needs. Now write down what position 0 needs. What is
#    missing there, and what should replace it?
# 2. Put (K − 1) / 2 rows of zeros in front of the text and as many after it. Then number k of the filter meets T places
#    of the padded text, from place k on. Add up K such products.
# 3. `functional.pad(x, (0, 0, K // 2, K // 2))` pads the positions (the first pair of numbers is for the last axis).
#    Then sum `padded[:, k : k + T] * filters[:, k]` over k; or take `padded.unfold(1, K, 1)`, which is (B, T, D, K),
#    times the filters, summed over the last axis.

# %% [markdown] debrief="depthwise_conv1d"
# One number per feature and neighbour: this is how MobileNet ([Howard et al. 2017](https://arxiv.org/abs/1704.04861))
# fits into a phone, and how ConvNeXt ([Liu et al. 2022](https://arxiv.org/abs/2201.03545)), a ConvNet modelled on the
# Vision Transformer, mixes positions with filters of 7 × 7. Convolution and attention also live side by side: the
# Conformer ([Gulati et al. 2020](https://arxiv.org/abs/2005.08100)), which recognises speech, has both in every block.

# %% [markdown]
# Try it: four positions, three features and a filter for each. The first filter smooths, the second does nothing, the
# third subtracts the left neighbour from the right one.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("depthwise_conv1d")
    x = torch.tensor([[1.0], [2.0], [4.0], [8.0]]).expand(1, 4, 3)
    filters = torch.tensor([[0.25, 0.5, 0.25], [0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    print(mine.depthwise_conv1d(x, filters)[0])

# %% [markdown]
# It prints
# ```text
# tensor([[ 1.0000,  1.0000,  2.0000],
#         [ 2.2500,  2.0000,  3.0000],
#         [ 4.5000,  4.0000,  6.0000],
#         [ 5.0000,  8.0000, -4.0000]])
# ```
# The last row shows the zeros after the end: the difference is 0 − 4.

# %% [markdown]
# ## A map for each position
# In the other half, one matrix turns the D features of a position into E new ones, the same matrix for all positions.
# A convolution whose filter is one place wide (a *pointwise* or 1 × 1 convolution) does just that: it is a linear
# layer. The feed-forward network of chapter 6 is two of them with an activation between.
#
# Shapes: x `(B, T, D)`, w `(D, E)` → `(B, T, E)`. As in chapter 6, the rows of the matrix are inputs: `nn.Linear`
# stores it the other way round. Convolutions are allowed in this function, even when `separable_conv1d` calls it.


# %% exercise="pointwise_conv1d"
def pointwise_conv1d(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Send every position through the same linear map, without a bias.

    Args:
        x: (B, T, D).
        w: (D, E).

    Returns:
        (B, T, E), computed in the dtype of x: y[t, e] = sum over d of x[t, d] · w[d, e].
    """
    ### BEGIN SOLUTION
    return x @ w  # (B, T, D) and (D, E) -> (B, T, E)
    ### END SOLUTION


# %% [markdown] hints="pointwise_conv1d" difficulty=1 minutes=10
# 1. "Pointwise convolution" is a name for something that you have written in nearly every chapter. What is it?
# 2. Multiply each vector of D numbers by a matrix (D, E). Batch and positions do not change.
# 3. `x @ w`. With `functional.linear` the matrix has to be `w.T`.

# %% [markdown] debrief="pointwise_conv1d"
# Most of a Transformer's parameters and multiplications are of this plain kind: the maps to queries, keys and values,
# the output map, and both layers of the feed-forward network. None of them moves anything between positions. That is
# why a feed-forward network handles a text of any length, and why you can compute its positions in any order, or all at
# once.

# %% [markdown]
# ## First along, then across
# An ordinary convolution does both at once, with a filter for every *pair* of features: D · E · K numbers. For D = E =
# 768 and K = 7 these are 4,128,768. A depthwise convolution followed by a pointwise one needs D · K + D · E = 595,200,
# seven times fewer (Chollet 2017, section 1.2). Positions first, features afterwards: a Transformer's block follows the
# same plan.
#
# Shapes: x `(B, T, D)`, filters `(D, K)`, w `(D, E)` → `(B, T, E)`. Nothing comes between the two: no activation, no
# bias, no residual.


# %% exercise="separable_conv1d"
def separable_conv1d(x: torch.Tensor, filters: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Filter each feature along the positions, then mix the features at each position.

    Args:
        x: (B, T, D).
        filters: (D, K), K odd.
        w: (D, E).

    Returns:
        (B, T, E), computed in the dtype of x.
    """
    ### BEGIN SOLUTION
    return pointwise_conv1d(depthwise_conv1d(x, filters), w)  # (B, T, D) -> (B, T, D) -> (B, T, E)
    ### END SOLUTION


# %% [markdown] hints="separable_conv1d" difficulty=1 minutes=5
# 1. You have both halves. Which of them must come first, and what do the shapes say?
# 2. The filters belong to the D input features, so apply them before w replaces these with E others.
# 3. `pointwise_conv1d(depthwise_conv1d(x, filters), w)`.

# %% [markdown] debrief="separable_conv1d"
# Two cheap steps in place of an expensive one: the same trade as in a Transformer's block, where attention mixes
# positions and the feed-forward network mixes features. You give up a filter for every *pair* of features, and hardly
# miss it: Xception ([Chollet 2017](https://arxiv.org/abs/1610.02357)), built from such pairs of steps, beats the
# Inception network of the same size. Read its section 1, which ends where this exercise ends.

# %% [markdown]
# ## A convolution as a matrix
# Attention's weights are T × T, a filter is K numbers. Write the filter as a T × T matrix too, the second of the
# picture, and you can compare them. There are three differences. Attention's rows differ; here each row is the one
# above it, shifted by one place. Attention reaches all positions; here everything is zero outside a band. Attention has
# one matrix for all features of a head; here each feature has its own. A head that always looks at the word before its
# own *is* a convolution with the filter 1, 0, 0, except at the first word, which has none before it. You will meet such
# heads in chapter 13. In general, heads that score by relative position alone can do what a convolution does, with one
# head for each place of its filter (Cordonnier et al. 2020).
#
# Shapes: filters `(D, K)`, a length T → `(D, T, T)`. In matrix d, row i and column j hold how much position i takes
# from position j, so that `matrix[d] @ x[b, :, d]` is what `depthwise_conv1d` computes for feature d. At the ends, the
# part of the filter that sticks out is cut off, and nothing replaces it: these rows have fewer numbers.


# %% exercise="filter_matrix"
def filter_matrix(filters: torch.Tensor, length: int) -> torch.Tensor:
    """Return the depthwise convolution as mixing matrices, one per feature.

    Args:
        filters: (D, K), K odd, larger or smaller than the length.
        length: T.

    Returns:
        (D, T, T), of the filters' dtype: [d, i, j] is filters[d, j - i + (K - 1) / 2] where that number exists, and 0
        elsewhere.
    """
    ### BEGIN SOLUTION
    size = filters.shape[1]
    places = torch.arange(length, device=filters.device)
    tap = places - places[:, None] + size // 2  # (T, T): [i, j] = j - i + (K - 1) / 2
    outside = (tap < 0) | (tap >= size)
    return filters[:, tap.clamp(0, size - 1)].masked_fill(outside, 0)  # (D, T, T)
    ### END SOLUTION


# %% [markdown] hints="filter_matrix" difficulty=2 minutes=15
# 1. Look at the band in the picture at the top: b on the diagonal, c to the right of it, a to the left. Which number of
#    the filter is in row i, column j?
# 2. It depends on j − i alone: 0 is the middle of the filter. So make a table (T, T) of j − i, add (K − 1) / 2, use it
#    to index the filters, and write zeros where the index is outside the filter.
# 3. `tap = places - places[:, None] + K // 2` with `places = torch.arange(length, device=filters.device)`. Then
#    `filters[:, tap.clamp(0, K - 1)]` is (D, T, T), and `.masked_fill((tap < 0) | (tap >= K), 0)` cuts out the band.

# %% [markdown] debrief="filter_matrix"
# Now convolution and attention are the same kind of thing, a T × T matrix, and you can compare them. Cordonnier et al.
# 2020 ([On the Relationship between Self-Attention and Convolutional Layers](https://arxiv.org/abs/1911.03584))
# prove that enough heads can be any convolution, and find that trained heads do take such shapes in their first layers.
# A softmax cannot give a single head a negative weight; the values and the output map have to supply the minus sign.

# %% [markdown]
# Try it, with the first and the last of the filters above:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("filter_matrix")
    for matrix in mine.filter_matrix(torch.tensor([[0.25, 0.5, 0.25], [-1.0, 0.0, 1.0]]), 4):
        print(matrix)

# %% [markdown]
# It prints
# ```text
# tensor([[0.5000, 0.2500, 0.0000, 0.0000],
#         [0.2500, 0.5000, 0.2500, 0.0000],
#         [0.0000, 0.2500, 0.5000, 0.2500],
#         [0.0000, 0.0000, 0.2500, 0.5000]])
# tensor([[ 0.,  1.,  0.,  0.],
#         [-1.,  0.,  1.,  0.],
#         [ 0., -1.,  0.,  1.],
#         [ 0.,  0., -1.,  0.]])
# ```
# The first could nearly be a head, one that looks at its neighbourhood. The second could not: after a softmax, no
# weight is negative.

# %% [markdown] picture="mixers"
# ## A matrix that is never learned
# Replace attention with a Fourier transform: along the features, then along the positions. Both together are the
# two-dimensional discrete Fourier transform of the T × D numbers of a text. It gives complex numbers; take their real
# part, once, at the very end.
#
# $$ y_{m,n} = \text{Re} \sum_{t=0}^{T-1} \sum_{d=0}^{D-1} x_{t,d} \; e^{-2\pi i (mt/T + nd/D)} $$
#
# Every position of the result is made from all positions, and there is nothing to learn. It should be useless. But the
# feed-forward networks in between *do* learn, and in FNet (Lee-Thorp et al. 2022) this sufficed for 92 to 97 % of
# BERT's accuracy on the GLUE benchmark, with training that is 80 % faster on GPUs.
#
# The picture shows the real part of the wave. The sine part is not lost along the way: it meets the sine part of the
# features, and sine times sine is real again. So take the real part at the end, not after each step.
#
# Shapes: x `(B, T, D)` → `(B, T, D)`, real, with the dtype of x. No factor in front of the sums, and no mixing of one
# text with the next. `torch.fft` is welcome: the exercise is to know which transform to use, over which axes.


# %% exercise="fourier_mixing"
def fourier_mixing(x: torch.Tensor) -> torch.Tensor:
    """Mix by the real part of the two-dimensional Fourier transform (FNet).

    Args:
        x: (B, T, D), real.

    Returns:
        (B, T, D), real, computed in the precision of x: transformed over positions and features, not scaled.

    Source: Lee-Thorp et al. 2022, section 3.
    """
    ### BEGIN SOLUTION
    over_features = torch.fft.fft(x, dim=2)  # (B, T, D), complex
    return torch.fft.fft(over_features, dim=1).real  # (B, T, D)
    ### END SOLUTION


# %% [markdown] hints="fourier_mixing" difficulty=2 minutes=10
# 1. Which two of the three axes belong to one text? And at which point do complex numbers become real ones?
# 2. Transform along the features, then transform the result, still complex, along the positions, and only then take
#    the real part. `torch.fft` scales nothing in its forward direction unless you ask for it.
# 3. `torch.fft.fft(torch.fft.fft(x, dim=2), dim=1).real`, or in one go `torch.fft.fft2(x).real`, which takes the last
#    two axes.

# %% [markdown] debrief="fourier_mixing"
# A Transformer without a single attention weight, and it understands English nearly as well as BERT: that made
# [FNet](https://arxiv.org/abs/2105.03824) worth a paper. A Fourier transform also turns long convolutions into plain
# products, at a cost of T log T; long convolutions computed that way are the heart of
# [Hyena](https://arxiv.org/abs/2302.10866), one of the models that try to do without attention on very long texts.

# %% [markdown]
# Try it: a text that goes up and down once, and one in which nothing happens.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("fourier_mixing")
    for text in ([1.0, 0.0, -1.0, 0.0], [1.0, 1.0, 1.0, 1.0]):
        mixed = mine.fourier_mixing(torch.tensor(text)[None, :, None])
        print([round(number, 4) + 0.0 for number in mixed.flatten().tolist()])  # + 0.0 turns -0.0 into 0.0

# %% [markdown]
# It prints
# ```text
# [0.0, 2.0, 0.0, 2.0]
# [4.0, 0.0, 0.0, 0.0]
# ```
# Position 1 of the result says how much of the text is a cosine wave of one cycle (the last position says it again:
# there the wave runs backwards), position 0 how much of it stays the same. A sine wave, 0, 1, 0, −1, would give zeros:
# with a single feature it meets no other sine. A position no longer means a place in the text, and the network has to
# cope with that.

# %% [markdown]
# ## A network across positions
# Or learn the matrix itself. A block of MLP-Mixer (Tolstikhin et al. 2021, figure 1) is a Transformer block whose
# attention is replaced by a feed-forward network that runs *along the positions*: it takes the T numbers of a feature
# and gives T new ones. Then the usual feed-forward network runs along the features. Both are wrapped in the usual way,
# pre-norm with residual:
#
# $$ u = x + \text{tokens}(\text{norm}_1(x)) \qquad y = u + \text{channels}(\text{norm}_2(u)) $$
#
# It is the same machine twice, turned by 90 degrees, and trained on enough pictures it comes close to the Vision
# Transformer. The price is in the shapes: a matrix from T to S fixes T. Attention, convolutions and Fourier take a text
# of any length; this block takes only one length.
#
# **Careful with the axes.** `nn.Linear` works on the last axis, so the positions have to be there while
# `token_mixing` runs, and only then. Both *norms* see each position's D features, as everywhere in this course.
#
# Shapes: x `(B, T, D)`, T = `num_tokens` → `(B, T, D)`. `token_mixing` maps T to S to T, `channel_mixing` maps D to F
# to D, both with a GELU in between. `__init__` is given.


# %% exercise="MixerBlock"
class MixerBlock(nn.Module):
    """Mix positions, then features, each by a network of two layers (Tolstikhin et al. 2021, eq. 1).

    Args:
        num_tokens, width: T and D of every text.
        token_hidden, channel_hidden: S and F, the hidden units of the two networks.
    """

    def __init__(self, num_tokens: int, width: int, token_hidden: int, channel_hidden: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.token_mixing = nn.Sequential(
            nn.Linear(num_tokens, token_hidden), nn.GELU(), nn.Linear(token_hidden, num_tokens)
        )
        self.norm2 = nn.LayerNorm(width)
        self.channel_mixing = nn.Sequential(
            nn.Linear(width, channel_hidden), nn.GELU(), nn.Linear(channel_hidden, width)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Send x (B, T, D) through the block: (B, T, D) again, the same in training and in evaluation."""
        ### BEGIN SOLUTION
        features = self.norm1(x).transpose(1, 2)  # (B, D, T)
        x = x + self.token_mixing(features).transpose(1, 2)  # (B, T, D)
        return x + self.channel_mixing(self.norm2(x))  # (B, T, D)
        ### END SOLUTION


# %% [markdown] hints="MixerBlock" difficulty=2 minutes=15
# 1. Write the forward method of a pre-norm encoder block from memory. Only one line of it changes.
# 2. In that line, normalise first, over the features; then swap positions and features, mix, and swap them back before
#    you add. The second half starts from the sum, not from the original x.
# 3. `x = x + self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)`, then
#    `x + self.channel_mixing(self.norm2(x))`.

# %% [markdown] debrief="MixerBlock"
# An image classifier without attention, and without convolutions over neighbours, came within a few points of the best,
# and people asked what attention was for. One answer is [MetaFormer](https://arxiv.org/abs/2111.11418): with the frame
# of norms, residuals and feed-forward networks in place, even the average of the neighbours mixes well enough. The
# other answer is the shape of your `token_mixing`: it fixes T. A language model has to take texts of every length, and
# weigh each text by what it says.

# %% [markdown]
# ## See it run
# This is the picture at the top, made by your own code, for one text of eight random vectors: row i says how much
# feature 0 of position i takes from feature 0 of each position. For attention these are the weights; for the others,
# the slopes of the output, which `jacobian` finds. The mixer's second half is switched off and its residual subtracted.
# The number in the title says how much another text changes the matrix.

# %%
if __name__ == "__main__":
    from torch.autograd.functional import jacobian

    from reference.blocks import mine

    mine("scaled_dot_product_attention", "depthwise_conv1d", "fourier_mixing", "MixerBlock")
    torch.manual_seed(0)
    block = mine.MixerBlock(8, 32, 64, 64)
    for parameter in block.channel_mixing.parameters():
        nn.init.zeros_(parameter)
    filters = torch.tensor([[0.25, 0.5, 0.25]]).expand(32, 3)
    mixings = {
        "convolution": lambda x: mine.depthwise_conv1d(x, filters),
        "Fourier": lambda x: mine.fourier_mixing(x),
        "MLP-Mixer": lambda x: block(x) - x,
    }
    texts, (w_q, w_k) = torch.randn(2, 1, 8, 32), torch.randn(2, 32, 32) / 4
    matrices = {"attention": [mine.scaled_dot_product_attention(x @ w_q, x @ w_k, x)[1][0] for x in texts]}
    for name, mix in mixings.items():
        slopes = [jacobian(lambda x, mix=mix: mix(x)[0, :, 0], text) for text in texts]  # each (T, 1, T, D)
        matrices[name] = [slope[:, 0, :, 0] for slope in slopes]
    for name, (one, other) in matrices.items():
        places, change = [str(place) for place in range(8)], (one - other).abs().sum() / one.abs().sum()
        mine.heatmap(one, rows=places, columns=places, title=f"{name}: changes by {change:.0%} with the text").show()

# %% [markdown]
# The convolution is a band and the Fourier matrix is waves. Both change by 0 %: they do not know the text. Attention is
# another matrix for another text. And the mixer, whose two matrices are fixed? The GELU between them lets each hidden
# unit through or not, depending on the input, so its slope changes as well, and with it, a little, that of the norm.
# (It shows no order because it has not been trained.) What sets attention apart is that the *match* of two words
# decides, for any number of words.

# %% [markdown]
# Which one is best? Train them. Here is one small reader of digits, in which everything stays the same but the mixing:
# sixteen words of four pixels for each picture, two blocks, 150 steps. The first one does not mix at all.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("depthwise_conv1d", "fourier_mixing", "MixerBlock", "MultiHeadAttention", "patchify")
    images, labels = mine.data("digits")  # (N, 1, 8, 8) and (N,)
    words, held_out = mine.patchify(images, 2), torch.arange(len(images)) % 5 == 0  # (N, 16, 4)

    class Nothing(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.zeros_like(x)

    class Attention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.heads = mine.MultiHeadAttention(32, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.heads(x, x, x)[0]

    class Convolution(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.filters = nn.Parameter(torch.randn(32, 3) / 3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return mine.depthwise_conv1d(x, self.filters)

    class Fourier(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return mine.fourier_mixing(x)

    class Mixer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.token_mixing = mine.MixerBlock(16, 32, 64, 64).token_mixing

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.token_mixing(x.transpose(1, 2)).transpose(1, 2)

    class Reader(nn.Module):
        """x + mixing(norm(x)), then a feed-forward network, twice: the frame of GPT and of the Vision Transformer."""

        def __init__(self, mixing: type[nn.Module]) -> None:
            super().__init__()
            self.embed, self.places = nn.Linear(4, 32), nn.Parameter(torch.randn(16, 32) / 50)
            self.mixing = nn.ModuleList(nn.Sequential(nn.LayerNorm(32), mixing()) for _ in range(2))
            self.thinking = nn.ModuleList(
                nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32)) for _ in range(2)
            )
            self.head = nn.Linear(32, 10)

        def forward(self, words: torch.Tensor) -> torch.Tensor:
            x = self.embed(words) + self.places
            for mix, think in zip(self.mixing, self.thinking, strict=True):
                x = x + mix(x)
                x = x + think(x)
            return self.head(x.mean(1))

    right = {}
    for mixing in (Nothing, Attention, Convolution, Fourier, Mixer):
        torch.manual_seed(0)
        reader = Reader(mixing)
        optimizer = torch.optim.Adam(reader.parameters(), lr=3e-3)
        for _ in range(150):
            chosen = torch.randint(int((~held_out).sum()), (64,))
            loss = nn.functional.cross_entropy(reader(words[~held_out][chosen]), labels[~held_out][chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            right[mixing.__name__] = float((reader(words[held_out]).argmax(-1) == labels[held_out]).float().mean())
    mine.bars(right, title="digits read, of 360 that no model has seen").show()

# %% [markdown]
# Attention does not win. Without mixing, each patch votes alone and the reader still gets .73 right. A convolution that
# sees one neighbour on each side is as good as attention, .88 and .87, and the Mixer is best, with .95. A digit stands
# in its frame: patch 5 means the same in every picture, so one learned number for each pair of places is all it takes.
# In a sentence the word that matters stands now here, now there, and only a matrix made from the words finds it. So
# choose the mixing by what moves in your data.

# %% [markdown]
# ## What you have now
#
# You have four ways to fill a T × T matrix, in one frame: mix positions, mix features, add, normalise, repeat. Three
# have their numbers ready before the text arrives. Attention computes its matrix anew for every text, and pays for it.
# So what does it write there? Chapter 13 opens trained heads and reads.
#
# **Papers.** [Chollet 2017](https://arxiv.org/abs/1610.02357), Xception;
# [Kaiser, Gomez and Chollet 2018](https://arxiv.org/abs/1706.03059) and
# [Wu et al. 2019](https://arxiv.org/abs/1901.10430), convolutions for text;
# [Cordonnier et al. 2020](https://arxiv.org/abs/1911.03584), attention and convolution;
# [Lee-Thorp et al. 2022](https://arxiv.org/abs/2105.03824), FNet;
# [Tolstikhin et al. 2021](https://arxiv.org/abs/2105.01601), MLP-Mixer.

# %% [markdown] debrief="ch12_mixing"
# You can put a convolution, a Fourier transform or an MLP in the place of attention, and say what is lost.
