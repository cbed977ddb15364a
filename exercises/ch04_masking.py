# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch04` checks it.

# %% [markdown]
# # Chapter 4 · Masking
#
# **A model has to predict the fourth word of a sentence, but the whole sentence, fourth word included, sits in one
# tensor. How do you stop it from cheating?**
#
# You could give it three words, then four, then five: one forward pass per word. A Transformer does better. It scores
# every query against every key at once and then crosses out the pairs that are not allowed. The table of allowed pairs
# is the *mask*. In this course a mask is boolean and always means the same thing: **True = may attend.**
#
# Nearly every model has two reasons to cross pairs out. A batch holds sentences of different lengths, so the short ones
# are filled up with padding, which no word should attend to. And a model that generates text may look back but never
# ahead. Here both apply at once, for a sentence of four words in a batch of width six (■ = may attend):
#
# | query ↓, key → | Ann | reads | old | maps | ‹pad› | ‹pad› |
# |---|---|---|---|---|---|---|
# | **Ann**   | ■ |   |   |   |   |   |
# | **reads** | ■ | ■ |   |   |   |   |
# | **old**   | ■ | ■ | ■ |   |   |   |
# | **maps**  | ■ | ■ | ■ | ■ |   |   |
# | **‹pad›** | ■ | ■ | ■ | ■ |   |   |
# | **‹pad›** | ■ | ■ | ■ | ■ |   |   |
#
# Look along a row to see what one query may read. The triangle is the causal mask, the two empty columns on
# the right are the padding mask, and the two are joined by a logical *and*. The padded queries keep their rows: what
# they compute is thrown away later, so it does no harm.
#
# Now put the padding in front instead, as chapter 7 will. The first query is then padding, looks back, and
# finds nothing but itself, which is not allowed. Its row is empty, a **dead row**, and softmax of nothing
# is 0/0. Our rule: a query that may attend to nothing gets zero weights, a zero context and finite
# gradients. Look at these rows twice: without such a rule they become NaN, and one NaN spreads through the
# whole model in a single backward pass.

# %% [markdown]
# Letters: B batch, H heads, T positions (Tq queries, Tk keys), d width of a query and of a key, e width of
# a value.
#
# Any tensor you create must take its dtype and device from an argument, or from torch's defaults where no argument is a
# tensor ([conventions](../docs/conventions.md)).

# %%
"""Chapter 4, masking: which query may see which key, and what the softmax makes of it."""

import math

import torch

# %% [markdown]
# ## A mask for padding
# The first mask hides every padding token as a *key*. Sentences in a batch are made equally long with a filler id. It
# has an embedding like any other token, so it has a key and a value, and without a mask every word would attend to it:
# the meaning of a sentence would depend on how long its neighbours in the batch are.
#
# Shapes: ids `(B, T)` → `(B, 1, 1, T)`. The two axes of size 1 stand for the heads and the queries: against scores
# `(B, H, Tq, Tk)` they broadcast, so all heads and all queries of a sentence share its mask. The T at the end is the
# axis of the *keys*.
#
# The paper avoids most padding by batching sentences of about the same length (Vaswani et al. 2017, section 5.1); what
# remains has to be hidden, and a mask over the keys is the usual way.


# %% exercise="padding_mask"
def padding_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    """The mask that hides padding from every query: True at real tokens.

    Args:
        ids: token ids, (B, T), int64. Padding may come before, after or between the words.
        pad_id: the id that fills up short rows; it need not be 0.

    Returns:
        (B, 1, 1, T), bool, True = may attend; ready to broadcast against scores (B, H, Tq, T).
    """
    # TODO: padding_mask (attend hint padding_mask)
    raise NotImplementedError("padding_mask")


# %% [markdown]
# ## A mask that hides the future
# The second mask is the triangle: a query may read its own position and everything before it. It lets a whole sentence
# be trained on in one pass. Position i predicts word i + 1, and since it sees nothing after itself, each position is a
# fair exam. Without the triangle the loss falls beautifully, but the model has only learned to copy.
#
# Shapes: `(length, past + length)`. While text is being generated, the keys of earlier steps are kept (chapter 9 builds
# that cache) and only the new positions become queries. There are then `past` more keys than queries, all of them
# *before* the new ones, so every query may see them. Three new words after two old ones, `causal_mask(3, past=2)`:
#
# | query ↓, key → | old 0 | old 1 | new 0 | new 1 | new 2 |
# |---|---|---|---|---|---|
# | **new 0** | ■ | ■ | ■ |   |   |
# | **new 1** | ■ | ■ | ■ | ■ |   |
# | **new 2** | ■ | ■ | ■ | ■ | ■ |
#
# The triangle sits in the lower *right* corner. The last query is the newest word, and it sees everything.


# %% exercise="causal_mask"
def causal_mask(length: int, past: int = 0) -> torch.Tensor:
    """The mask that hides the future: no query sees a later key.

    Args:
        length: number of queries, that is of new positions, at least 1.
        past: number of keys that come before the first query (0 without a cache).

    Returns:
        (length, past + length), bool, on the default device, True = may attend: query i sees keys 0 to past + i.

    Source: Vaswani et al. 2017, section 3.2.3.
    """
    # TODO: causal_mask (attend hint causal_mask)
    raise NotImplementedError("causal_mask")


# %% [markdown]
# ## Masks together
# Several masks become one: a pair is allowed only if *every* mask allows it. A decoder needs the padding mask and the
# causal mask at once; a model without padding has only one of them, or none. Attention should not have to care, so "no
# mask" is written `None` and is simply skipped.
#
# The masks broadcast against each other: `(B, 1, 1, T)` and `(T, T)` make `(B, 1, T, T)`, a triangle for each sentence.
# Two small masks stand for a much larger table, the one at the top of this chapter. The paper leaves this step to the
# reader.


# %% exercise="combine_masks"
def combine_masks(*masks: torch.Tensor | None) -> torch.Tensor | None:
    """One mask that allows what all of `masks` allow.

    Args:
        masks: any number of bool masks whose shapes broadcast together; None means "no mask" and is skipped.

    Returns:
        a bool mask of the broadcast shape, or None when there is no mask left.
    """
    # TODO: combine_masks (attend hint combine_masks)
    raise NotImplementedError("combine_masks")


# %% [markdown]
# ## The same mask, to be added
# There is another convention: instead of True and False, a number to be *added* to each score. 0 changes nothing, −∞
# removes the pair, since e^(−∞) is exactly 0. Formulas and half of all libraries write masks this way, and the two
# conventions do not mix: read as "True = may attend", the number 0 is False, so an additive mask says the exact
# opposite of what it means. Know which one you have.
#
# | | may attend | may not |
# |---|---|---|
# | boolean, ours | True | False |
# | additive | 0 | −∞ |
#
# The result has the shape of the mask and the dtype you are asked for, so that adding it does not change the dtype of
# the scores, and it is on the device of the mask.
#
# The paper speaks of it too: inputs of the softmax that belong to illegal connections are set to −∞ (Vaswani et al.
# 2017, section 3.2.3).


# %% exercise="additive_mask"
def additive_mask(mask: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """A boolean mask as numbers to add to the scores.

    Args:
        mask: bool, any shape, True = may attend.
        dtype: floating dtype of the result, for instance `torch.float32` or `torch.float16`.

    Returns:
        same shape and device as `mask`, of that dtype: 0 where allowed, -inf where not.

    Source: Vaswani et al. 2017, section 3.2.3.
    """
    # TODO: additive_mask (attend hint additive_mask)
    raise NotImplementedError("additive_mask")


# %% [markdown]
# ## Softmax of what is allowed
# Now the softmax along the keys has to run as if the forbidden keys were not there.
#
# **Why before the softmax and not after?** Set weights to zero afterwards and the row no longer sums to 1: the
# forbidden keys have already taken their share of it. Forbidden keys with masked *scores* get no share at all. Here are
# four scores per query under a causal mask, and what becomes of them:
#
# | scores | | | | → | weights | | | |
# |---|---|---|---|---|---|---|---|---|
# | 0.7 | −∞  | −∞  | −∞  | → | 1    | 0    | 0    | 0 |
# | 0.1 | 0.6 | −∞  | −∞  | → | 0.38 | 0.62 | 0    | 0 |
# | 0.1 | 0.3 | 0.6 | −∞  | → | 0.26 | 0.32 | 0.43 | 0 |
# | 0.1 | 0.3 | 0.3 | 0.3 | → | 0.21 | 0.26 | 0.26 | 0.26 |
#
# <details><summary>Where the slides err: truncated weights, and a mask that is divided</summary>
#
# The scores are those of the slides *Module 7 · Transformers*, where .37 and .31 stand for .38 and .32: the slide
# truncates 0.3775 and 0.3156 instead of rounding them. It also adds the mask before it divides by √d, softmax((q kᵀ +
# M) / √d). With −∞ that is the same; with a finite fill the division would weaken the mask.
#
# </details>
#
# **Two traps.** A fill that is only "rather negative" does not hide a key: filled with −10 it keeps a little weight,
# and where allowed scores are near −1e6, a fill of −1e4 even wins. And in a dead row there is nothing to normalise. The
# softmax of nothing but −∞ is NaN, the softmax of one finite fill repeated is uniform, and both are wrong: such a row
# must be all zeros. So must its gradients, and these need special care, because NaN · 0 is still NaN on the way back.
#
# Shapes: scores `(..., Tq, Tk)`, a mask that broadcasts to them: `(B, 1, 1, Tk)`, `(Tq, Tk)`, `(B, H, Tq, Tk)`. The
# result has the shape of the scores.
#
# In figure 2 (left) of Vaswani et al. 2017 these are the boxes "Mask (opt.)" and "SoftMax". You may use
# `torch.softmax`.


# %% exercise="masked_softmax"
def masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Softmax over the last axis among the allowed entries.

    Args:
        scores: (..., Tq, Tk), of any size up to 1e6, masked ones included.
        mask: bool, broadcastable to scores, True = may attend.

    Returns:
        weights like scores, computed in their dtype: exactly 0 where not allowed, every row summing to 1; a row without
        any allowed entry is all 0, and the gradients that go back through it are 0 as well.

    Source: Vaswani et al. 2017, section 3.2.3.
    """
    # TODO: masked_softmax (attend hint masked_softmax)
    raise NotImplementedError("masked_softmax")


# %% [markdown]
# ## Attention with a mask
# Scaled dot-product attention with some pairs crossed out is the layer that every model from here on is made of. It
# puts the pieces together, softmax(q kᵀ / √d + M) v. Because forbidden weights are exactly zero, you may write any
# finite number into the value of a forbidden key, even a million, and the output does not move. That is how your answer
# is tested, and how you should test your own models: *change what must not be seen, and check that nothing changes.*
#
# Shapes: q `(..., Tq, d)`, k `(..., Tk, d)`, v `(..., Tk, e)` → output `(..., Tq, e)` and weights `(..., Tq, Tk)`. The
# dots are B, or B and H. Without a mask every pair is allowed.


# %% exercise="masked_attention"
def masked_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Scaled dot-product attention over the allowed keys.

    Args:
        q: queries, (..., Tq, d).
        k: keys, (..., Tk, d).
        v: values, (..., Tk, e).
        mask: bool, broadcastable to (..., Tq, Tk), True = may attend; None allows everything.

    Returns:
        output (..., Tq, e) and weights (..., Tq, Tk), computed in the dtype of q, k and v; gradients flow through
        both. A query that may attend to nothing has zero weights and a zero output.

    Source: Vaswani et al. 2017, eq. 1 and section 3.2.3.
    """
    # TODO: masked_attention (attend hint masked_attention)
    raise NotImplementedError("masked_attention")


# %% [markdown]
# ## A price for distance
# A mask says yes or no. Could it also say *less*? Attention does not know how far away a key is, so chapter 2 added
# positions to the word vectors. ALiBi, *attention with linear biases*, needs no position vectors: it adds to each score
# a price that grows with the distance between query and key. With a slope of ½, four words get
#
# | query ↓, key → | Ann | reads | old | maps |
# |---|---|---|---|---|
# | **Ann**   | 0 | −∞ | −∞ | −∞ |
# | **reads** | −0.5 | 0 | −∞ | −∞ |
# | **old**   | −1 | −0.5 | 0 | −∞ |
# | **maps**  | −1.5 | −1 | −0.5 | 0 |
#
# Half of this table is the causal mask, in the additive form that you know. The other half says "the nearer, the
# better", and every head says it in its own voice: the first of eight heads has the slope ½ and hardly hears the
# words before the last few, the eighth has 1/256 and hears them all. The slopes are not learned:
#
# $$ b_{hij} = -m_h \, (i - j) \;\text{ for } j \le i, \qquad m_h = 2^{-8h/H}, \quad h = 1 \dots H $$
#
# Why would one want this? A table of learned positions has a last row, and a text has no last word. A price can be
# computed for any distance, so a model that was trained on short texts can read long ones.
#
# Shapes: → `(H, T, T)`, a table for each head, which broadcasts to scores `(B, H, T, T)`. It comes in torch's default
# dtype.


# %% exercise="alibi"
def alibi(num_heads: int, length: int) -> torch.Tensor:
    """What ALiBi adds to causal scores: each head asks a price for distance, at a rate of its own.

    Args:
        num_heads: H, a power of two.
        length: T, the number of queries and of keys.

    Returns:
        (H, T, T), in the default dtype and on the default device. Head h, counted from 1 to H, has
        -2^(-8 h / H) · (i - j) at query i and key j ≤ i, and -inf at every later key.

    Source: Press et al. 2022, section 3.
    """
    # TODO: alibi (attend hint alibi)
    raise NotImplementedError("alibi")


# %% [markdown]
# ## See it run
# First the weights of the table above, as a picture: to the right of the diagonal everything is exactly 0. Then the
# same sentence with its padding in front, under both masks at once. The two rows of the padding are empty, and the
# attention passes the test of the section on it: the last word becomes a million, and no other output moves. The third
# line compares two ways to apply a mask: added as −∞ it turns both dead rows into NaN. Finally a price instead of a
# mask: with all scores 0, the last of six words keeps .41 of its attention for itself in ALiBi's first head of eight,
# and .17 in the eighth, practically a sixth.
#
# ```text
# weight on the future: 0.0
# the first five stay as they were: True
# NaN with the additive mask: 12, with masked_softmax: 0
# head 1: .41 for the word itself, head 8: .17
# ```

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("padding_mask", "causal_mask", "combine_masks", "additive_mask", "masked_softmax", "masked_attention", "alibi")
    words = "Ann reads old maps".split()
    scores = torch.tensor([[0.7, 0.1, 0.1, 0.1], [0.1, 0.6, 0.2, 0.1], [0.1, 0.3, 0.6, 0.1], [0.1, 0.3, 0.3, 0.3]])
    weights = mine.masked_softmax(scores, mine.causal_mask(4))
    mine.heatmap(weights, rows=words, columns=words, title="no weight on the future").show()
    print("weight on the future:", weights.triu(diagonal=1).sum().item())

    torch.manual_seed(0)
    words, ids = ["‹pad›", "‹pad›", *words], torch.tensor([[0, 0, 5, 8, 7, 6]])
    mask = mine.combine_masks(mine.padding_mask(ids, pad_id=0), mine.causal_mask(6))  # (1, 1, 6, 6)
    x = torch.randn(1, 1, 6, 8)  # (B, H, T, d): one sentence, one head
    output, weights = mine.masked_attention(x, x, x, mask)
    mine.heatmap(weights[0, 0], rows=words, columns=words, title="padding in front, and no future").show()

    loud = x.clone()
    loud[:, :, -1] = 1e6  # the key and the value of "maps"
    changed, _ = mine.masked_attention(x, loud, loud, mask)
    print("the first five stay as they were:", torch.allclose(changed[:, :, :5], output[:, :, :5]))
    added = torch.softmax(x @ x.transpose(-2, -1) + mine.additive_mask(mask, x.dtype), dim=-1)
    print(f"NaN with the additive mask: {int(added.isnan().sum())}, with masked_softmax: {int(weights.isnan().sum())}")

    near = torch.softmax(mine.alibi(8, 6), dim=-1)  # (8, 6, 6)
    mine.heatmap(near[0], rows=words, columns=words, title="the steepest of eight heads, all scores 0").show()
    first, last = (f"{near[head, -1, -1].item():.2f}".lstrip("0") for head in (0, 7))
    print(f"head 1: {first} for the word itself, head 8: {last}")

# %% [markdown]
# ## What you have now
# You have two masks that say which query may see which key, one rule to join them, a softmax that stays well-defined
# even when every key is forbidden, and a table of prices for distance. In chapter 5 every head gets the same mask
# through the axis of size 1; in chapter 8 the decoder uses both at once.
#
# To read: [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), section 3.2.3 and figure 2;
# [Press et al. 2022](https://arxiv.org/abs/2108.12409), section 3.
