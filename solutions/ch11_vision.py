# %% [markdown]
# # Chapter 11 · Vision
#
# **A Transformer reads words. A photograph has none. What should it read?**
#
# The pixels, one by one? A colour photograph of 224 × 224 pixels has 50,176 of them, and attention compares every
# position with every other: 2.5 billion scores, for one head of one block. And a single pixel says about as much
# as a single letter, which is next to nothing.
#
# The Vision Transformer (Dosovitskiy et al. 2021) cuts the picture into squares of 16 × 16 pixels and calls each
# square a word. Now there are 196 words and 38,416 scores, and everything you built for text works unchanged.
# Here is the cut for a small picture, 4 pixels high and 6 wide, with patches of 2 × 2:
#
# ```
#            W = 6
#     ┌─────┬─────┬─────┐
#     │ a b │ c d │ e f │         patch 0:  a b g h
#     │ g h │ i j │ k l │         patch 1:  c d i j
# H=4 ├─────┼─────┼─────┤  ──>    patch 2:  e f k l       ──> linear layer ──> a vector per patch
#     │ m n │ o p │ q r │         patch 3:  m n s t
#     │ s t │ u v │ w x │         patch 4:  o p u v
#     └─────┴─────┴─────┘         patch 5:  q r w x
# ```
#
# Look at patch 0: a and b are neighbours in memory, and so are g and h, but between b and g are four pixels that
# belong to other patches. That gap is why a bare `reshape` cannot cut patches: it would cut the picture into
# strips. Most of this chapter is about moving axes so that what belongs together lies together.
#
# Letters: B pictures in a batch, C channels (3 for red, green, blue), H and W height and width in pixels, P side of a
# patch, N patches, D model width, F hidden units. In this chapter H is a height; the number of heads is `num_heads`.
# Pictures are `(B, C, H, W)`, channels first, as PyTorch stores them.
#
# Any tensor you create must take its dtype and device from an argument ([conventions](../docs/conventions.md)).

# %%
"""Chapter 11: vision: pictures as sequences of patches, and a Transformer that reads them."""

import math

import torch
from torch import nn

from reference.blocks import EncoderBlock
from reference.blocks import PatchEmbedding as GivenEmbedding

# %% [markdown] picture="patches"
# ## Cutting a picture
# Turn a picture into a sequence: all its patches in reading order, each flattened into one row of numbers. It is the
# only step in which the Vision Transformer knows that its input is a picture. From here on a patch is a word, and a
# picture is a sentence of N = (H / P) · (W / P) words.
#
# **Two orders to get right.** The patches come row by row, as in the picture above. Within a patch the numbers come
# row by row too, and the C channels of each pixel are side by side: the order is (P, P, C), channels *last*, although
# in the picture they are first.
#
# Shapes: images `(B, C, H, W)` → `(B, N, P·P·C)`. Both sides must be multiples of P. If they are not, raise a
# `ValueError` that says so in numbers: if a network quietly drops the edge of a photograph, the bug goes unnoticed.
#
# `F.unfold`, `F.fold` and convolutions are not allowed in `patchify`, `unpatchify` and `PatchEmbedding`, because they
# *are* the exercise. The method `Tensor.unfold` is welcome.


# %% exercise="patchify"
def patchify(images: torch.Tensor, patch: int) -> torch.Tensor:
    """Cut pictures into square patches, each flattened as (P, P, C).

    Args:
        images: (B, C, H, W), of any dtype, integers too.
        patch: P, the side of a patch in pixels.

    Returns:
        (B, N, P·P·C) with N = (H / P) · (W / P): patches row by row, numbers and dtype unchanged.

    Raises:
        ValueError: P does not divide H, or does not divide W; the message holds that side, in pixels, and P, both as
            numbers.

    Source: Dosovitskiy et al. 2021, section 3.1.
    """
    ### BEGIN SOLUTION
    batch, channels, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"a picture of {height} x {width} pixels cannot be cut into patches of {patch} x {patch}")
    rows, columns = height // patch, width // patch
    cut = images.reshape(batch, channels, rows, patch, columns, patch)  # (B, C, H/P, P, W/P, P)
    cut = cut.permute(0, 2, 4, 3, 5, 1)  # (B, H/P, W/P, P, P, C)
    return cut.reshape(batch, rows * columns, patch * patch * channels)  # (B, N, P·P·C)
    ### END SOLUTION


# %% [markdown] hints="patchify" difficulty=2 minutes=20
# 1. Give every pixel five numbers: the row and column of its patch, its row and column within the patch, its channel.
#    Where are these five hidden in the shape `(C, H, W)`, and what order must you bring them into?
# 2. A height of H pixels is H / P patches of P pixels each: split that axis in two, and the width likewise. Then
#    move the axes until they read patch row, patch column, pixel row, pixel column, channel. Only then flatten.
#    Check the remainders first.
# 3. `images.reshape(B, C, H // P, P, W // P, P)`, then `.permute(0, 2, 4, 3, 5, 1)`, then `.reshape(B, N, -1)`. Before
#    that, `if height % patch or width % patch: raise ValueError(...)` with the sizes in an f-string.

# %% [markdown] debrief="patchify"
# These are the only lines of a Vision Transformer that know about pictures. Masked autoencoders ([He et al.
# 2022](https://arxiv.org/abs/2111.06377)) begin with the same cut, hide three quarters of the patches, and learn to
# paint them. If you shuffle the pixels inside every patch in one fixed way, a model trained on that loses nothing,
# because its linear layer learns the other order just as well.

# %% [markdown]
# ## Putting it together again
# Now go back from the patches to the picture, number for number. A model that paints works in patches and must return a
# picture. It is also the best test of `patchify`: only a cut that loses nothing can be undone.
#
# Shapes: patches `(B, N, P·P·C)` → `(B, C, H, W)`. From N alone you cannot tell 2 × 6 patches from 3 × 4, so the size
# of the picture is an argument. The side of a patch is not: you can work it out.


# %% exercise="unpatchify"
def unpatchify(patches: torch.Tensor, image_size: tuple[int, int], channels: int) -> torch.Tensor:
    """Put patches together again: the inverse of `patchify`.

    Args:
        patches: (B, N, P·P·C), patches row by row, each flattened as (P, P, C); of any dtype, integers too.
        image_size: H and W, in pixels; P divides both.
        channels: C.

    Returns:
        images (B, C, H, W), numbers and dtype unchanged.
    """
    ### BEGIN SOLUTION
    height, width = image_size
    patch = math.isqrt(patches.shape[-1] // channels)
    rows, columns = height // patch, width // patch
    grid = patches.reshape(-1, rows, columns, patch, patch, channels)  # (B, H/P, W/P, P, P, C)
    grid = grid.permute(0, 5, 1, 3, 2, 4)  # (B, C, H/P, P, W/P, P)
    return grid.reshape(-1, channels, height, width)  # (B, C, H, W)
    ### END SOLUTION


# %% [markdown] hints="unpatchify" difficulty=2 minutes=15
# 1. A patch is a row of P · P · C numbers, and you know C. What is P? Then read your `patchify` from the last line to
#    the first.
# 2. Unflatten the patches to (B, patch row, patch column, pixel row, pixel column, channel). In the picture, pixel
#    rows count within patch rows and pixel columns within patch columns, so each pair must be side by side before
#    you merge it into H or W.
# 3. `patch = math.isqrt(patches.shape[-1] // channels)`, then
#    `patches.reshape(B, H // patch, W // patch, patch, patch, channels)`, `.permute(0, 5, 1, 3, 2, 4)`, and a last
#    `reshape` to (B, C, H, W).

# %% [markdown] debrief="unpatchify"
# Models that paint end with this step: a linear layer gives P · P · C numbers per patch, and then the patches become a
# picture. Masked autoencoders do so, and so does the diffusion transformer ([Peebles and Xie
# 2023](https://arxiv.org/abs/2212.09748), section 3.2, with twice the channels), on which many of today's image
# generators are built. Moving numbers costs nothing in training either: the gradient of each pixel just travels back to
# its old place.

# %% [markdown]
# ## The same thing as a convolution
# Open the code of nearly any Vision Transformer and you will find no patches. You will find a convolution whose kernel
# is P × P and whose stride is also P. Its window moves by its own width, so it visits every patch once and no pixel
# twice, and at each stop it multiplies the patch by its D filters. That is a linear layer on flattened patches, written
# differently.
#
# Turn one into the other, and you can load published weights. They come as `(D, C, P, P)`, and your linear layer needs
# one row of P · P · C numbers per output. Reshape one into the other in the wrong order and no error appears: the model
# is just as bad as a random one.
#
# Shapes: weight `(D, C, P, P)` → `(D, P·P·C)`, such that `patchify(images, P) @ matrix.T` equals what the convolution
# computes, position by position.
#
# The paper (section 3.1) calls the linear map E; the convolution is how the authors' own code writes it.


# %% exercise="linear_from_conv"
def linear_from_conv(weight: torch.Tensor) -> torch.Tensor:
    """Turn the kernel of a convolution with stride P into the matrix of a linear layer on patches.

    Args:
        weight: (D, C, P, P), as `nn.Conv2d(C, D, P, stride=P)` stores it.

    Returns:
        (D, P·P·C), as an `nn.Linear` on the rows of `patchify` stores it.
    """
    ### BEGIN SOLUTION
    return weight.permute(0, 2, 3, 1).flatten(1)  # (D, C, P, P) -> (D, P, P, C) -> (D, P·P·C)
    ### END SOLUTION


# %% [markdown] hints="linear_from_conv" difficulty=2 minutes=10
# 1. One filter is a small picture with C channels. In which order does `patchify` read such a picture?
# 2. The matrix and the patch must list their numbers in the same order, (P, P, C). Move the channels of the weight
#    after the two sides of the kernel, then flatten all axes except the first.
# 3. `weight.permute(0, 2, 3, 1)` is (D, P, P, C); `.flatten(1)` makes a row of each filter. Or: each filter is a
#    picture of exactly one patch, so `patchify(weight, P)` is (D, 1, P·P·C).

# %% [markdown] debrief="linear_from_conv"
# With this, the patch layer of a published Vision Transformer fits into yours. A convolution with stride P is a linear
# layer, only written differently, so ViT does contain one piece of a ConvNet.
# [Xiao et al. 2021](https://arxiv.org/abs/2106.14881) replace that one large convolution with a few small ones, and
# training becomes steadier and faster: the best first layer of a Transformer may be a little ConvNet.

# %% [markdown]
# ## A picture as a sentence
# The Transformer's input is a vector for each patch, one more vector in front of them, and a learned position added to
# every one of these N + 1.
#
# **Why one more?** The model has to answer one question about the whole picture, and no patch is the whole picture.
# So a *class token* goes along, like `[CLS]` in BERT: it brings no pixels, attends to everything, and is what we read
# at the end. It is **one** learned vector, the same for every picture, however many classes there are.
#
# <details><summary>Where the lecture errs: class embeddings, a smaller width, the same block</summary>
#
# Vakanski's *Lecture 19: Transformer Networks* (section 19.8) adds "class embeddings", vectors of the classes in the
# data, and calls ViT's encoder block identical to the original one. There is one class token, no vector per class; and
# the block normalises first, as the next section says. It also has the dense layer learn "lower-dimensional embeddings
# for each patch": in Base a patch of 16 · 16 · 3 = 768 numbers becomes 768 numbers, in Large 1,024.
#
# </details>
#
# **Why positions?** Attention does not know the order of its words (chapter 3), so without positions it would see a
# bag of patches and call a shuffled face a face. These positions are simply learned, one vector for each of the
# N + 1 places. The model has to find out from the data that there are rows and columns at all.
#
# **Shapes.**
#
# | | |
# |---|---|
# | images | `(B, C, H, W)` |
# | patches, projected | `(B, N, D)` |
# | with the class token in front | `(B, N + 1, D)` |
# | plus positions, class token included | `(B, N + 1, D)` |
#
# `__init__` is given. Pictures are square here, so `image_size` is one number.
#
# You will use the parts `projection`, `cls`, `positions` and `patch`; the finished embedding of `reference.blocks`
# (here `GivenEmbedding`) is for the next exercise.


# %% exercise="PatchEmbedding"
class PatchEmbedding(nn.Module):
    """A class token and a vector for each patch, with learned positions (Dosovitskiy et al. 2021, eq. 1).

    Args:
        image_size: height and width, in pixels; a multiple of `patch`.
        patch: P.
        channels: C.
        width: D.
    """

    def __init__(self, image_size: int, patch: int, channels: int, width: int) -> None:
        super().__init__()
        places = (image_size // patch) ** 2 + 1
        self.patch = patch
        self.projection = nn.Linear(patch * patch * channels, width)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(0.02 * torch.randn(1, places, width))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Turn images (B, C, H, W) into vectors (B, N + 1, D), the class token at position 0.

        Calls do not depend on each other, and B may change from one to the next.
        """
        ### BEGIN SOLUTION
        tokens = self.projection(patchify(images, self.patch))  # (B, N, D)
        first = self.cls.expand(len(images), -1, -1)  # (1, 1, D) -> (B, 1, D)
        return torch.cat([first, tokens], dim=1) + self.positions  # (B, N + 1, D)
        ### END SOLUTION


# %% [markdown] hints="PatchEmbedding" difficulty=1 minutes=10
# 1. There are N patches and N + 1 positions. What must happen before the positions are added?
# 2. Cut, project, put the class token in front, add the positions. The token is stored once, as (1, 1, D), but every
#    picture of the batch needs one: expand it to (B, 1, D).
# 3. `tokens = self.projection(patchify(images, self.patch))`, then
#    `torch.cat([self.cls.expand(len(images), -1, -1), tokens], dim=1)`, and add `self.positions`.

# %% [markdown] debrief="PatchEmbedding"
# Nothing tells the model that patches form rows and columns, yet trained positions know: the vector of a place is
# most similar to those of its own row and column (Dosovitskiy et al. 2021, figure 7, middle). For larger pictures you
# can interpolate the table (section 3.2). The class token is not the only useful extra one:
# [Darcet et al. 2024](https://arxiv.org/abs/2309.16588) add "registers", because large models otherwise turn patches
# of empty background into notepads.

# %% [markdown]
# ## The Vision Transformer
# The whole model is the embedding, encoder blocks, a last layer norm, and a linear layer that turns one vector into a
# score per class. There is nothing about pictures in it, and that is the point. A convolution is built on the knowledge
# that neighbouring pixels belong together, its *inductive bias*; this model has to learn it. So the winner depends on
# how much data there is (section 4.3 of the paper; Varma's lecture *Transformers*, 2022, retells it):
#
# | pretrained on | photographs | ahead on ImageNet |
# |---|---|---|
# | ImageNet | 1.3 million | the ConvNets (ResNets, "BiT") |
# | ImageNet-21k | 14 million | about even |
# | JFT-300M | 303 million | the Vision Transformers |
#
# And at the top it is cheaper: pretraining Huge took 2,500 TPUv3-core-days, the best ResNet 9,900.
#
# **Three more differences** from the Transformer of 2017, besides learned positions and the class token: the blocks
# normalise *before* attention and feed-forward (pre-norm), so they need a last norm after them; the activation is GELU
# (chapter 6); there is no decoder.
#
# Shapes: images `(B, C, H, W)` → embedding `(B, N + 1, D)` → each block `(B, N + 1, D)` → the class token `(B, D)` →
# logits `(B, classes)`. A logit may be any number; the softmax belongs to the loss.
#
# The `blocks` are pre-norm GELU blocks, and `embedding` is a ready-made `PatchEmbedding`, so this exercise does not
# depend on the last one.


# %% exercise="VisionTransformer"
class VisionTransformer(nn.Module):
    """Classify pictures from their patches (Dosovitskiy et al. 2021, eqs. 1 to 4).

    Args:
        image_size, patch, channels: of the pictures, which are square.
        num_classes: number of logits.
        width, num_heads, hidden, num_blocks: D, heads, F and L of the encoder.
        dropout: rate inside the blocks.
    """

    def __init__(
        self,
        image_size: int,
        patch: int,
        channels: int,
        num_classes: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.embedding = GivenEmbedding(image_size, patch, channels, width)
        self.blocks = nn.ModuleList(
            EncoderBlock(width, num_heads, hidden, dropout, norm_first=True, activation="gelu")
            for _ in range(num_blocks)
        )
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Turn images (B, C, H, W) into logits (B, num_classes), read off the class token.

        Calls do not depend on each other, and B may change from one to the next.
        """
        ### BEGIN SOLUTION
        x = self.embedding(images)  # (B, N + 1, D)
        for block in self.blocks:
            x = block(x)  # (B, N + 1, D)
        summary = self.norm(x)[:, 0]  # (B, D)
        return self.head(summary)  # (B, classes)
        ### END SOLUTION


# %% [markdown] hints="VisionTransformer" difficulty=2 minutes=20
# 1. Use the four parts in the order in which `__init__` makes them. Where in the sequence is the class token?
# 2. Embed; send the result through the blocks, each taking the output of the one before it; normalise; keep position 0
#    of every picture; apply the head. You need no mask: every patch may attend to every other.
# 3. `x = self.embedding(images)`, a loop with `x = block(x)`, then `self.head(self.norm(x)[:, 0])`.

# %% [markdown] debrief="VisionTransformer"
# You have built the eyes of most models that take pictures and text together: CLIP ([Radford et al.
# 2021](https://arxiv.org/abs/2103.00020)) trains one of these beside a text Transformer until a picture and its caption
# get similar vectors. Positions matter here: on digits of 8 × 8 pixels, a model of two blocks with patches of 2 × 2,
# trained for 20 epochs, read .956 of the held-out digits correctly, and .697 without positions. Chapter 15 trains
# yours. To make do with a million pictures, read DeiT ([Touvron et al. 2021](https://arxiv.org/abs/2012.12877)).

# %% [markdown]
# ## How large is it?
# Count the learned numbers of a `VisionTransformer`, by arithmetic. The authors trained three sizes (Dosovitskiy et
# al. 2021, table 1), and every later paper quotes them:
#
# | model | blocks | D | F | heads | P | parameters, as published |
# |---|---|---|---|---|---|---|
# | Base | 12 | 768 | 3072 | 12 | 16 | 86 million |
# | Large | 24 | 1024 | 4096 | 16 | 16 | 307 million |
# | Huge | 32 | 1280 | 5120 | 16 | 14 | 632 million |
#
# Pictures have 224 × 224 pixels and 3 channels, and there are 1000 classes. Your count should be exactly
# `sum(p.numel() for p in model.parameters())` for any model you can build, and come within one and a half per cent of
# the table. Compute it without building a model: Huge would fill two and a half gigabytes.
#
# **What counts.** The projection of patches, class token, positions; in each block four square maps of the attention,
# two layers of the feed-forward network, two norms (a scale and a shift each); the last norm; the head. Every linear
# layer has a bias. Why is the number of heads not an argument?
#
# **What the patch costs.** "ViT-L/16" means Large with patches of 16 × 16. The side of a patch hardly changes the
# number of parameters, but it sets the length of the sentence, and so the work: halve P, and there are four times as
# many patches and sixteen times as many scores.
#
# | P | patches of a picture of 224 × 224 | scores of one head |
# |---|---|---|
# | 32 | 49 | 2,401 |
# | 16 | 196 | 38,416 |
# | 14 | 256 | 65,536 |
# | 8 | 784 | 614,656 |
#
# Later models pay less for small patches: in Swin ([Liu et al. 2021](https://arxiv.org/abs/2103.14030)) a patch attends
# only to its window of 7 × 7 patches, and the windows shift from block to block.


# %% exercise="vit_parameters"
def vit_parameters(
    image_size: int, patch: int, channels: int, num_classes: int, width: int, hidden: int, num_blocks: int
) -> int:
    """Count the parameters of a `VisionTransformer`.

    Args:
        image_size, patch, channels: side of the square pictures, a multiple of P; P and C.
        num_classes, width, hidden, num_blocks: outputs of the head, D, F and L.

    Returns:
        The exact number of all weights, biases, scales, shifts, positions and entries of the class token, an int.
    """
    ### BEGIN SOLUTION
    patches = (image_size // patch) ** 2
    projection = patch * patch * channels * width + width
    sequence = width + (patches + 1) * width  # the class token, then a position for every token
    attention = 4 * (width * width + width)
    feed_forward = (width * hidden + hidden) + (hidden * width + width)
    norm = 2 * width
    block = attention + feed_forward + 2 * norm
    head = width * num_classes + num_classes
    return projection + sequence + num_blocks * block + norm + head
    ### END SOLUTION


# %% [markdown] hints="vit_parameters" difficulty=2 minutes=15
# 1. Go through `__init__` of both classes with a pencil. How many parameters does a linear layer from a numbers to b
#    numbers have?
# 2. (a + 1) · b. Add up: a projection from P · P · C to D; D for the class token; D for each of N + 1 positions; per
#    block four maps from D to D, one from D to F, one from F to D, two norms of 2 · D; then a norm and the head.
# 3. One block has `4 * (D * D + D) + (D * F + F) + (F * D + D) + 4 * D`. Everything else has
#    `(P * P * C + 1) * D + D + (N + 1) * D + 2 * D + (D + 1) * classes`. Use `//` so that N is an int.

# %% [markdown] debrief="vit_parameters"
# Nearly all of it is in the blocks: 85,054,464 of the 86,567,656 parameters of Base, about 12 · D² in each of twelve.
# Picture and patch size hardly count; they decide how much work those parameters do. The heads are missing from the
# formula because they share the D columns among them, as in chapter 5. How far the recipe scales:
# [Zhai et al. 2022](https://arxiv.org/abs/2106.04560), up to two billion parameters.

# %% [markdown]
# ## How far does a head look?
# One number per head tells: the average distance, in pixels, between a patch and the patches it attends to
# (Dosovitskiy et al. 2021, figure 7, right, and appendix D.7). It is to a head what the size of its window is to a
# convolution, except that the head has learned it. On a grid of 14 × 14 patches of 16 pixels a head that spreads its
# attention evenly scores 116 pixels; one that looks only at its own patch scores 0. In trained models both kinds occur
# side by side in the first blocks: some heads look at near neighbours, others across the whole picture from the very
# start, which no small convolution can. Further up, nearly all look far.
#
# For a query patch, take the distance to every patch, from centre to centre, weighted by the attention it gets. Then
# average over the queries and over the pictures. The class token has no place in the picture. These weights no longer
# include it, and every row sums to 1.
#
# Shapes: weights `(B, H, N, N)`, here with H for heads → `(H,)`. `[b, h, i, j]` is how much query i takes from patch j.
# The patches form a grid of rows × columns, numbered row by row as in `patchify`.


# %% exercise="mean_attention_distance"
def mean_attention_distance(weights: torch.Tensor, grid: tuple[int, int], patch: int) -> torch.Tensor:
    """Return the average distance over which each head attends (Dosovitskiy et al. 2021, figure 7).

    Args:
        weights: attention between patches (B, H, N, N), queries in rows; each row sums to 1.
        grid: rows and columns of patches; their product is N.
        patch: P, the side of a patch in pixels.

    Returns:
        (H,), in pixels, with the dtype of the weights; do not round to float32 on the way.
    """
    ### BEGIN SOLUTION
    rows, columns = grid
    row = torch.arange(rows, dtype=weights.dtype, device=weights.device).repeat_interleave(columns)  # (N,)
    column = torch.arange(columns, dtype=weights.dtype, device=weights.device).repeat(rows)  # (N,)
    down, across = row[:, None] - row, column[:, None] - column  # (N, N)
    distance = patch * (down**2 + across**2).sqrt()  # (N, N)
    per_query = (weights * distance).sum(dim=-1)  # (B, H, N)
    return per_query.mean(dim=(0, 2))  # (H,)
    ### END SOLUTION


# %% [markdown] hints="mean_attention_distance" difficulty=3 minutes=20
# 1. In which row and column of the grid is patch number 7, if there are 5 columns? Then you have two points, and you
#    know how to compute the distance between two points.
# 2. Make a table (N, N) of distances between centres; it does not depend on the weights. Multiply the weights by it,
#    sum over the keys, and take the mean over queries and pictures. Neighbouring centres are P pixels apart.
# 3. Row and column of patch k are `k // columns` and `k % columns`; `torch.hypot` of the two tables of differences,
#    times `patch`, is the table. Then `(weights * table).sum(-1).mean(dim=(0, 2))`. Make the table with the dtype and
#    the device of the weights.

# %% [markdown] debrief="mean_attention_distance"
# With this number the authors compared a head with the window of a convolution. [Raghu et al.
# 2021](https://arxiv.org/abs/2108.08810) found the other side of it: looking *near* is what needs data. Trained on
# ImageNet alone, the first blocks hardly learn it; with three hundred million pictures they do. The closing cell of
# this chapter draws the curve for a model of yours.

# %% [markdown]
# ## See it run
# Figure 7 (right) of the paper, in a few seconds: a model with three blocks learns to read handwritten digits of 8 × 8
# pixels, cut into patches of 2 × 2. Then you measure how far its heads look in digits that it has not seen. On this
# grid, a head that spreads its attention evenly scores 4.02 pixels. Look for two things: before training, all heads
# score about that; afterwards, the heads of the first block look nearer than those of the last.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("VisionTransformer", "mean_attention_distance")
    torch.manual_seed(0)
    images, labels = mine.data("digits")
    model = mine.VisionTransformer(8, 2, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=3)
    seen: dict[int, torch.Tensor] = {}  # by block, the weights (B, heads, N + 1, N + 1) of its last call
    for number, block in enumerate(model.blocks):
        block.attention.register_forward_hook(lambda _, __, given, number=number: seen.update({number: given[1]}))

    def distances() -> torch.Tensor:
        """Measure how far the heads look in the last 360 digits: (blocks, heads), in pixels."""
        with torch.no_grad():
            print(f"right: {(model(images[1437:]).argmax(-1) == labels[1437:]).double().mean():.0%}")
        patches = (seen[number][:, :, 1:, 1:] for number in sorted(seen))  # without the class token
        return torch.stack([mine.mean_attention_distance(w / w.sum(-1, keepdim=True), (4, 4), 2) for w in patches])

    even = mine.mean_attention_distance(torch.full((1, 1, 16, 16), 1 / 16), (4, 4), 2).item()
    print(f"a head that spreads its attention evenly: {even:.2f} pixels")
    before = distances()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for _ in range(300):
        pick = torch.randint(1437, (64,))
        loss = nn.functional.cross_entropy(model(images[pick]), labels[pick])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    after = distances()
    lines = {"before": before.mean(1), "mean": after.mean(1), "nearest": after.amin(1), "farthest": after.amax(1)}
    curves = {name: [(number + 1, y) for number, y in enumerate(ys.tolist())] for name, ys in lines.items()}
    mine.curve(curves, x="block", y="pixels", title="How far heads look").show()

# %% [markdown]
# After 300 steps it reads about 90 % of the digits, and its first block looks nearest, as in the paper. The curve is
# only a shadow of the paper's: with 1,437 pictures hardly any head learns to look only at near neighbours. Chapter 15
# trains your model to the end.

# %% [markdown]
# ## What you have now
#
# Words, then pieces of pictures: the encoder never noticed the difference. If it does not care what it reads, must it
# be attention that mixes the positions? Chapter 12 takes attention out and tries what else works.
#
# **Papers.** [Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929), "An Image is Worth 16x16 Words";
# [He et al. 2022](https://arxiv.org/abs/2111.06377), masked autoencoders;
# [Raghu et al. 2021](https://arxiv.org/abs/2108.08810), "Do Vision Transformers See Like Convolutional Neural
# Networks?"

# %% [markdown] debrief="ch11_vision"
# You can cut a picture into patches and classify it with the encoder that read your sentences.
