# %% [markdown] picture="probes"
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
    ### BEGIN SOLUTION
    q, k, v = numbers(1, 2, 3, 4, 5), numbers(2, 2, 3, 6, 5), numbers(3, 2, 3, 6, 7)
    q[:, :, 0] *= 1e5  # one query of each head is long, the others are not
    return q, k, v
    ### END SOLUTION


# %% [markdown] hints="probe_attention" difficulty=2 minutes=15
# 1. Write down the sizes first: how many are there, and which of them may be equal without hiding anything?
# 2. Take four axes, all sizes different, three tensors of different numbers around -2 to 2. That leaves the scores that
#    are too large for exp: not all scores have to be.
# 3. q `(2, 3, 4, 5)`, k `(2, 3, 6, 5)`, v `(2, 3, 6, 7)` from `numbers` with three seeds, then one query of each
#    head made very long: `q[:, :, 0] *= 1e5`.

# %% [markdown] debrief="probe_attention"
# One call now does the work of a whole test file: it contains ordinary rows and an extreme one, and no two sizes agree.
# Fast attention, which computes the softmax piece by piece ([Dao et al. 2022](https://arxiv.org/abs/2205.14135),
# FlashAttention), is tested the same way, against the plain formula. You chose it against simple mistakes. That inputs
# which expose all of these expose most of the complicated ones too is called the *coupling effect* (DeMillo et al.
# 1978).

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
    ### BEGIN SOLUTION
    q, k, v = numbers(4, 2, 3, 4, 5), numbers(5, 2, 3, 6, 5), numbers(6, 2, 3, 6, 7)
    q[:, :, 0] *= 1e5
    mask = numbers(7, 2, 1, 4, 6) > 0  # one per sentence, for all heads
    mask[:, :, 0] = torch.tensor([True, False, True, False, True, False])  # a long query has to choose
    mask[1, :, 2] = False  # and one query sees nothing
    return q, k, v, mask
    ### END SOLUTION


# %% [markdown] hints="probe_masking" difficulty=3 minutes=25
# 1. Begin with your last probe. Which mask would change the answer if it were ignored, inverted, turned into numbers,
#    or taken from the wrong sentence?
# 2. Give every sentence its own mask, with an axis of size 1 where the heads are, and make one row of it False
#    everywhere. The long query should see some keys, and not see others.
# 3. With four axes and B = 2: `mask = numbers(7, 2, 1, 4, 6) > 0`, then `mask[1, :, 2] = False`, and
#    `q[:, :, 0] *= 1e5` as before. Make sure that row 0 of the mask contains both True and False.

# %% [markdown] debrief="probe_masking"
# A wrong mask is the friendliest bug there is: nothing crashes, and when the future leaks, the loss even gets better,
# until the model has to write by itself. So never judge a mask by the loss. In a whole model, change one token and
# check that no earlier output moves; tests that state such a property and draw their own inputs go back to QuickCheck
# ([Claessen and Hughes 2000](https://doi.org/10.1145/351240.351266)).

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
    ### BEGIN SOLUTION
    query, key, value = numbers(8, 2, 5, 12), numbers(9, 2, 7, 12), numbers(10, 2, 7, 12)
    mask = numbers(11, 2, 3, 5, 7) > 0  # one per sentence and head
    mask[:, :, :, 0] = True
    mask[1, 0, 2] = False  # in one head a query sees nothing
    mask[0, :, 3] = False  # and another one, in every head
    return query, key, value, mask
    ### END SOLUTION


# %% [markdown] hints="probe_multihead" difficulty=3 minutes=25
# 1. There are more ways to take a wrong mask here than before: that of another sentence, and that of another head.
# 2. Use cross-attention with B = 2, Tq and Tk different, and neither of them 3 or 4; key and value are two tensors. The
#    mask has all four axes at full size, no two heads have the same one, and one of its rows is False everywhere.
# 3. `numbers(8, 2, 5, 12)`, `numbers(9, 2, 7, 12)`, `numbers(10, 2, 7, 12)` and `mask = numbers(11, 2, 3, 5, 7) > 0`;
#    then `mask[1, 0, 2] = False`, or better a query that sees nothing in any head: `mask[0, :, 3] = False`.

# %% [markdown] debrief="probe_multihead"
# Most of what you caught here are reshapes that run. The same happens when weights move from one library to another,
# with heads packed in another order: shapes fit, and the model talks nonsense. People who port models therefore do what
# you did: they send one fixed input through both and compare every number, before they generate a single sentence.

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
    ### BEGIN SOLUTION
    x = 2 * numbers(12, 2, 3, 4, 5) + 3  # four axes, and no row with mean 0 and variance 1
    x[0, 1, 2] = 7.0  # a row without any variance
    return x, numbers(13, 5), numbers(14, 5), 0.1
    ### END SOLUTION


# %% [markdown] hints="probe_layer_norm" difficulty=2 minutes=15
# 1. Go through the four arguments: what is the most ordinary value of each? Choose a different one.
# 2. Take rows whose mean is not 0, with four axes of different sizes; random scale and shift; an eps large enough to
#    show beside the variance. Add a row of equal numbers: there only eps is left under the root.
# 3. `x = 2 * numbers(12, 2, 3, 4, 5) + 3`, one row of it constant, `numbers(13, 5)`, `numbers(14, 5)`, and 0.1.

# %% [markdown] debrief="probe_layer_norm"
# On rows of mean 0, layer norm and RMSNorm ([Zhang and Sennrich 2019](https://arxiv.org/abs/1910.07467)), which today's
# language models use in its place, give the same numbers: a test on standard normal data with many columns hardly tells
# one from the other. And eps is no detail. BERT was trained with 1e-12, PyTorch's default is 1e-5; a port that misses
# this is right nearly everywhere, and wrong where a row is nearly constant.

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
    ### BEGIN SOLUTION
    return numbers(15, 2, 3, 5), numbers(16, 8, 5)  # two texts of three words; the table has room for eight
    ### END SOLUTION


# %% [markdown] hints="probe_positions" difficulty=2 minutes=15
# 1. There are four sizes: B, T, D and the rows of the table. Which two of them might a broken version confuse?
# 2. Take four different sizes, none of them 1, and a table with more rows than the text has words. Make all numbers
#    differ, in both tensors.
# 3. `numbers(15, 2, 3, 5)` and `numbers(16, 8, 5)`.

# %% [markdown] debrief="probe_positions"
# Positions that are off by one or two do not crash either, because tables tend to have rows to spare. RoBERTa's has 514
# rows for texts of 512 tokens, because its first position is number 2; a port that starts at 0 still runs, only a
# little worse. Where positions are rotations instead of sums, as in chapter 2's rotary
# ([Su et al. 2021](https://arxiv.org/abs/2104.09864)), a shift by a constant is no mistake at all: only distances
# count.

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
    ### BEGIN SOLUTION
    self_mask = numbers(17, 2, 1, 4, 4) > 0  # no triangle: some queries look ahead
    self_mask[:, :, 0, 3] = True
    memory_mask = torch.tensor([[1, 1, 0, 1, 1, 0], [0, 1, 1, 1, 0, 1]], dtype=torch.bool)[:, None, None]
    return numbers(18, 2, 4, 8), numbers(19, 2, 6, 8), self_mask, memory_mask
    ### END SOLUTION


# %% [markdown] hints="probe_decoder" difficulty=3 minutes=25
# 1. Which mask does a decoder usually get? How would you notice a block that has this mask built in?
# 2. Make T and S differ, so that a mask in the wrong place does not fit. Both masks hide something, and `self_mask`
#    lets some position see a later one.
# 3. x `(2, 4, 8)`, memory `(2, 6, 8)`, `self_mask = numbers(17, 2, 1, 4, 4) > 0` with at least one True above the
#    diagonal and one False below it, and a `memory_mask` `(2, 1, 1, 6)` with two different rows.

# %% [markdown] debrief="probe_decoder"
# The most natural input, a causal mask, is the worst probe here: a block that has the triangle built in agrees with it
# everywhere. You need a mask that no translation model would use. Your probe fits any encoder–decoder of this design,
# from translation in 2017 to speech recognition with Whisper ([Radford et al. 2022](https://arxiv.org/abs/2212.04356)),
# where the memory comes from sound and the decoder is still this block, with the norms moved to the front.

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
    ### BEGIN SOLUTION
    shape = (2, 3, 8, 10)  # four rows of five patches
    return torch.arange(math.prod(shape), dtype=torch.float64).reshape(shape), 2
    ### END SOLUTION


# %% [markdown] hints="probe_patchify" difficulty=2 minutes=15
# 1. Which pixels may be equal without hiding anything? And which of H / P, W / P, P and C?
# 2. Use every number once, as `torch.arange` gives them; more than one channel; several rows and several columns of
#    patches, but not equally many.
# 3. `torch.arange(2 * 3 * 8 * 10, dtype=torch.float64).reshape(2, 3, 8, 10)`, and 2.

# %% [markdown] debrief="probe_patchify"
# A trick to keep: fill an input with its own indices, and the output is a map that says where every number came from.
# It works for every function that only moves numbers, such as `split_heads`, `merge_heads` and `shift_right`, and it
# turns "the shapes are right" into "the places are right". Only gradients tell as much: the gradient of one output with
# respect to the input is 1 at the place that it came from.

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

# %% [markdown] debrief="ch14_bug_hunt"
# You can write tests that find a bug in a Transformer that still runs, and say which inputs expose it.
