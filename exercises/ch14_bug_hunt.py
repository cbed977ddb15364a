# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch14` checks it.

# %% [markdown]
# # Chapter 14 · Bug hunt
#
# **A colleague's attention passes all its tests, and the model built on it learns badly. Which input would have
# revealed the mistake?**
#
# Here are four ways to break attention, and two inputs to try them on: the colleague's, which is all ones, and another
# of the same shape. A cell below runs them and prints how far the broken answer is from the right one, first on ones,
# then on the other input:
#
# ```text
# not divided by √d         0.00  0.67
# always divided by 8       0.00  3.54
# q and k swapped           0.00  3.73
# keys mixed, not values    0.00  5.44
# ```
#
# Four mistakes, and on ones every answer is right to the last digit. A test is worth what its input can show.
# So far in this course you wrote the code and the suites chose the inputs. Now it is the other way round: the
# code is given, right and broken, and **you write the input**.
#
# **Where mistakes hide.** A mistake is invisible wherever the input makes two different things equal:
#
# | in the input | what it hides |
# |---|---|
# | one number everywhere | anything swapped, transposed or read from the wrong position |
# | zeros, and ones | factors: 0 · 3 = 0, and 1 = 1² = √1 |
# | two sizes that are equal | one axis mistaken for another |
# | an axis of size 1 | an operation along the wrong axis, or past its end |
# | the usual number of axes | axes counted from the wrong end |
# | one tensor in several roles | one role mistaken for another |
# | the value that everyone uses | the same value, hard-coded |
# | an argument that does nothing, such as a mask that allows everything | that it is ignored |
# | all numbers tiny, or all huge | what happens to those in between |
#
# A good probe breaks all of these ties at once. Testers call the method *mutation testing*: a set of tests is as
# good as the share of broken programs that it tells from the right one (DeMillo, Lipton and Sayward 1978, "Hints
# on test data selection").

# %% [markdown]
# ## How a probe is judged
# Each probe returns a tuple: the arguments of *one* call of a part of this course. The grader makes that call on
# the right part and on every broken version it knows, which are the mistakes of the earlier chapters. A version is
# exposed if its answer differs: in a number (by more than about 1e-9, or 1e-4 in float32), in a shape, in a dtype,
# or because it raises an error. The right part has to accept the arguments. A mistake that shows only in gradients, on
# a GPU or in a changed argument is out of reach for a single call, and does not count.
#
# Each probe comes with a table of families and the number of mistakes in each. You get points for exposing a part of
# these mistakes, more for all of them, and the last ones for mistakes *in no family*: some are relatives of the others,
# some are of another kind, and only a few of those may slip through. If a check fails, it says which families
# slipped through, never which input would catch them.
#
# **What a probe may contain.** Tensors, plain numbers and None. Tensors are float64, float32, int64 or bool, with at
# most 4096 numbers in all and at most 6 axes; every number lies between -1e6 and 1e6, so there is no infinity and no
# NaN. Plain numbers lie between -64 and 64. float64 is best, because it shows more digits; in the grader a tensor is
# float64 if you name no dtype. Write 1.0 instead of 1: whole numbers make int64, which most parts refuse. Use random
# numbers or numbers by hand, as you like. Nothing is forbidden.
#
# Letters: B batch, H heads, T positions (Tq of queries, Tk of keys), d width of queries and keys, e of values, D model
# width.

# %%
"""Chapter 14: inputs that expose broken implementations."""

import math

import torch

# %%
if __name__ == "__main__":
    from torch.nn import functional

    attention = functional.scaled_dot_product_attention
    broken = {
        "not divided by √d": lambda q, k, v: attention(q, k, v, scale=1.0),
        "always divided by 8": lambda q, k, v: attention(q, k, v, scale=1 / 8),
        "q and k swapped": lambda q, k, v: attention(k, q, v),
        "keys mixed, not values": lambda q, k, _: attention(q, k, k),
    }
    ones = (torch.ones(1, 2, 2),) * 3
    other = torch.tensor([[[[1.0, 2.0], [0.0, -1.0]]], [[[3.0, 1.0], [1.0, 0.0]]], [[[5.0, 7.0], [2.0, -4.0]]]])
    for name, wrong in broken.items():
        gaps = [(wrong(*each) - attention(*each)).abs().max().item() for each in (ones, other)]
        print(f"{name:<24}" + "".join(f"{gap:6.2f}" for gap in gaps))

# %% [markdown]
# Here is a helper, if you want it: numbers that look random and are the same each time.


# %%
def numbers(seed: int, *shape: int) -> torch.Tensor:
    """Return normal numbers in this shape, float64; another `seed` gives others."""
    random = torch.Generator().manual_seed(seed)
    drawn = torch.randn(shape, generator=random, dtype=torch.float64, device="cpu")
    return drawn.to(torch.get_default_device())


# %% [markdown]
# ## Attention
# Write an input for `scaled_dot_product_attention(q, k, v)` of chapter 3, which returns the output and the weights.
#
# | family | mistakes |
# |---|---|
# | how the scores are scaled | 6 |
# | along which axis the softmax runs | 2 |
# | which tensor plays which role | 3 |
# | what replaces the softmax | 3 |
# | scores too large for exp | 1 |
# | axes counted from the left | 1 |
# | what is returned | 2 |
# | in no family | 6 of 8 |
#
# Two of these families seem to exclude each other: with huge scores a softmax picks one key, scaled or not, and with
# small ones nothing overflows. But an input has many rows.
#
# Shapes: q `(..., Tq, d)`, k `(..., Tk, d)`, v `(..., Tk, e)`. The dots stand for any axes, the same in all three.


# %% exercise="probe_attention"
def probe_attention() -> tuple[torch.Tensor, ...]:
    """Return arguments for one call of scaled dot-product attention that expose as many broken versions as possible.

    Returns:
        q (..., Tq, d), k (..., Tk, d), v (..., Tk, e).
    """
    # TODO: probe_attention (attend hint probe_attention)
    raise NotImplementedError("probe_attention")


# %% [markdown]
# ## Masks
# Write an input for `masked_attention(q, k, v, mask)` of chapter 4: a boolean mask, True = may attend, that broadcasts
# to the scores. A query that may attend to nothing gets zero weights and a zero output.
#
# | family | mistakes |
# |---|---|
# | what the mask does to a score | 5 |
# | queries that may attend to nothing | 4 |
# | masks that must broadcast, and differ | 2 |
# | how the scores are scaled | 5 |
# | along which axis the softmax runs | 2 |
# | what replaces the softmax | 3 |
# | scores too large for exp | 1 |
# | what is mixed, and what is returned | 2 |
# | in no family | 9 of 12 |
#
# A mask that all sentences share looks the same whichever sentence it comes from; a mask as large as the scores never
# needs to broadcast. And if a low number hides a key instead of -inf, an allowed score may be lower still.
#
# Shapes: q, k and v as before, the mask broadcastable to `(..., Tq, Tk)`.


# %% exercise="probe_masking"
def probe_masking() -> tuple[torch.Tensor, ...]:
    """Return arguments for one call of masked attention that expose as many broken versions as possible.

    Returns:
        q (..., Tq, d), k (..., Tk, d), v (..., Tk, e), and a boolean mask that broadcasts to (..., Tq, Tk).
    """
    # TODO: probe_masking (attend hint probe_masking)
    raise NotImplementedError("probe_masking")


# %% [markdown]
# ## Several heads
# Write an input for `MultiHeadAttention(12, 3)` of chapter 5, width 12 and 3 heads. The grader builds the object, with
# random parameters, weights and biases alike; your arguments go to the object: `(query, key, value, mask)`.
#
# | family | mistakes |
# |---|---|
# | how heads are cut and joined | 6 |
# | which layer gets which argument | 8 |
# | what the mask hides | 6 |
# | which sentence and which head a mask belongs to | 2 |
# | queries that may attend to nothing | 2 |
# | how the scores are scaled | 5 |
# | scores and softmax | 5 |
# | what is returned | 1 |
# | in no family | 14 of 18 |
#
# Cutting and joining heads is moving numbers, and a number in the wrong place shows only if the others differ from it.
# Three sizes are fixed: D is 12, and there are 3 heads, each 4 wide. Keep that in mind when you choose yours.
#
# Shapes: query `(B, Tq, 12)`, key and value `(B, Tk, 12)`, the mask None or broadcastable to `(B, 3, Tq, Tk)`.


# %% exercise="probe_multihead"
def probe_multihead() -> tuple[torch.Tensor | None, ...]:
    """Return arguments for one call of multi-head attention that expose as many broken versions as possible.

    Returns:
        query (B, Tq, 12), key and value (B, Tk, 12), and a boolean mask that broadcasts to (B, 3, Tq, Tk), or None.
    """
    # TODO: probe_multihead (attend hint probe_multihead)
    raise NotImplementedError("probe_multihead")


# %% [markdown]
# ## Layer norm
# Write an input for `layer_norm(x, scale, shift, eps)` of chapter 6, which normalises the last axis of x.
#
# | family | mistakes |
# |---|---|
# | where eps is, and how large it is | 4 |
# | what the variance is | 3 |
# | whether the mean is subtracted | 2 |
# | which numbers are normalised together | 4 |
# | axes counted from the left | 1 |
# | scale and shift | 3 |
# | in no family | 8 of 9 |
#
# A fresh layer norm has a scale of ones and a shift of zeros, and many tests use data with mean 0 and variance 1. It is
# also the one kind of data that a broken norm can leave unchanged.
#
# Shapes: x `(..., D)`, scale and shift `(D,)`, eps a plain number. The dots stand for any number of axes.


# %% exercise="probe_layer_norm"
def probe_layer_norm() -> tuple[torch.Tensor | float, ...]:
    """Return arguments for one call of layer norm that expose as many broken versions as possible.

    Returns:
        x (..., D), scale (D,), shift (D,), eps.
    """
    # TODO: probe_layer_norm (attend hint probe_layer_norm)
    raise NotImplementedError("probe_layer_norm")


# %% [markdown]
# ## Words and positions
# Write an input for `add_positions(x, positions)` of chapter 2: x times √D, plus the first T rows of the table.
#
# | family | mistakes |
# |---|---|
# | how the words are scaled | 3 |
# | which rows of the table are taken | 3 |
# | along which axis positions are counted | 1 |
# | how words and positions come together | 2 |
# | in no family | 4 of 5 |
#
# The part is a single line, and there are fourteen wrong versions of it. A text longer than the table must be refused;
# that is a good test, but not a probe: a probe is a call that works.
#
# Shapes: x `(B, T, D)`, positions `(max, D)` with max at least T.


# %% exercise="probe_positions"
def probe_positions() -> tuple[torch.Tensor, ...]:
    """Return arguments for one call of `add_positions` that expose as many broken versions as possible.

    Returns:
        x (B, T, D), positions (max, D).
    """
    # TODO: probe_positions (attend hint probe_positions)
    raise NotImplementedError("probe_positions")


# %% [markdown]
# ## A decoder block
# Write an input for `DecoderBlock(8, 2, 11, 0.0)` of chapter 8: width 8, 2 heads, 11 hidden units, no dropout. The
# grader builds the object, with random parameters; your arguments go to the object:
# `(x, memory, self_mask, memory_mask)`.
#
# | family | mistakes |
# |---|---|
# | which mask goes where | 3 |
# | what asks what in the cross-attention | 3 |
# | the order of the sublayers | 2 |
# | residuals and norms | 2 |
# | in no family | 7 of 7 |
#
# With random parameters a wrong residual or an extra norm shows on nearly any input. A mistake with masks does not:
# each mask must hide something, and in the wrong place it must either not fit or give a wrong answer. One of the
# mistakes in no family is a block that hides *more* than its masks say.
#
# Shapes: x `(B, T, 8)`, memory `(B, S, 8)`; `self_mask` None or broadcastable to `(B, 2, T, T)`, `memory_mask` None or
# broadcastable to `(B, 2, T, S)`.


# %% exercise="probe_decoder"
def probe_decoder() -> tuple[torch.Tensor | None, ...]:
    """Return arguments for one call of a decoder block that expose as many broken versions as possible.

    Returns:
        x (B, T, 8), memory (B, S, 8), self_mask (broadcastable to (B, 2, T, T), or None) and memory_mask
        (broadcastable to (B, 2, T, S), or None).
    """
    # TODO: probe_decoder (attend hint probe_decoder)
    raise NotImplementedError("probe_decoder")


# %% [markdown]
# ## Patches
# Write an input for `patchify(images, patch)` of chapter 11: `(B, C, H, W)` to `(B, N, P·P·C)`, patches row by row,
# each flattened as (P, P, C).
#
# | family | mistakes |
# |---|---|
# | where a picture is cut | 2 |
# | rows and columns | 3 |
# | where the channels go | 1 |
# | the axes of the result | 3 |
# | in no family | 3 of 4 |
#
# Cutting computes nothing: every number of the picture comes back, in another place. So the probe has to tell every
# place from every other. `patchify` must refuse sides that P does not divide, so they make no probe.
#
# Shapes: images `(B, C, H, W)`, patch a whole number that divides H and W.


# %% exercise="probe_patchify"
def probe_patchify() -> tuple[torch.Tensor | int, ...]:
    """Return arguments for one call of `patchify` that expose as many broken versions as possible.

    Returns:
        images (B, C, H, W), patch.
    """
    # TODO: probe_patchify (attend hint probe_patchify)
    raise NotImplementedError("probe_patchify")


# %% [markdown]
# ## See it run
# Break your own functions from four chapters on purpose, in nine small ways, and try three inputs on each: ones; what
# many tests use (random numbers, every size 4, one channel, a fresh norm, a table just long enough); and your probe.
# A filled field means that the broken answer differs, so the input exposes the mistake.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("scaled_dot_product_attention", "add_positions", "layer_norm", "patchify")
    mine("probe_attention", "probe_positions", "probe_layer_norm", "probe_patchify")
    attend, add, norm, cut = mine.scaled_dot_product_attention, mine.add_positions, mine.layer_norm, mine.patchify
    fresh, square, picture = (torch.ones(4), torch.zeros(4), 1e-5), numbers(1, 3, 1, 4, 4), numbers(2, 1, 1, 4, 4)
    parts = {  # the right function, then its three inputs
        "attention": (lambda *qkv: attend(*qkv)[0], torch.ones(3, 1, 4, 4), square, mine.probe_attention()),
        "positions": (add, (torch.ones(1, 4, 4), torch.ones(4, 4)), (square[0], square[1, 0]), mine.probe_positions()),
        "norm": (norm, (torch.ones(1, 4, 4), *fresh), (square[0].float(), *fresh), mine.probe_layer_norm()),
        "patches": (cut, (torch.ones(1, 1, 4, 4), 2), (picture, 2), mine.probe_patchify()),
    }
    bugs = {
        "attention: not divided by √d": lambda q, k, v: attend(q * q.shape[-1] ** 0.5, k, v)[0],
        "attention: softmax over queries": lambda q, k, v: attend(k, q, q)[1].mT @ v,
        "attention: exp overflows": lambda q, k, v: (w := (q @ k.mT / q.shape[-1] ** 0.5).exp()) / w.sum(-1, True) @ v,
        "positions: the last rows": lambda x, table: add(x, table[-x.shape[1] :]),
        "positions: √T instead of √D": lambda x, table: add(x * (x.shape[1] / x.shape[2]) ** 0.5, table),
        "norm: eps hard-coded": lambda x, scale, shift, _: norm(x, scale, shift, 1e-5),
        "norm: no shift": lambda x, scale, shift, eps: norm(x, scale, 0 * shift, eps),
        "patches: channels reversed": lambda images, patch: cut(images.flip(1), patch),
        "patches: columns first": lambda images, patch: cut(images.mT, patch),
    }
    told = []
    for bug, wrong in bugs.items():
        right, *inputs = parts[bug.partition(":")[0]]
        told.append([float(not torch.allclose(right(*each), wrong(*each))) for each in inputs])
    mine.heatmap(told, rows=list(bugs), columns=["ones", "usual", "probe"], title="Which input exposes it?").show()

# %% [markdown]
# Ones expose nothing at all. The usual input exposes three of the nine, and misses a hard-coded eps, a forgotten shift
# and an overflow. A probe with full points should expose all nine. Where yours leaves a field empty, ask which two
# things it makes equal.

# %% [markdown]
# ## What stays
# You have just written seven good tests. Next time you doubt your own code, test it the same way, in this order: all
# sizes different, all numbers different, every argument at work, one unusual row. Then break the code on purpose, in
# one place, and see whether the test notices. If it does not, mistrust the test first.
#
# **Papers.** [DeMillo, Lipton and Sayward 1978](https://doi.org/10.1109/C-M.1978.218136), on mutation testing; for the
# parts, [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762),
# [Ba, Kiros and Hinton 2016](https://arxiv.org/abs/1607.06450) and
# [Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929).
