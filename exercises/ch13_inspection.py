# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch13` checks it.

# %% [markdown]
# # Chapter 13 · Reading heads
#
# **BERT Base has 12 layers of 12 heads. For a text of 100 tokens each head fills a table of 100 × 100 weights: 1.44
# million numbers that no one chose. Who is going to look at them all?**
#
# No one has to. People who did look saw the same few pictures again and again. Jesse Vig drew them for BERT in
# [Deconstructing BERT](https://towardsdatascience.com/deconstructing-bert-distilling-6-patterns-from-100-million-parameters-b49113672f77),
# with his tool [BertViz](https://arxiv.org/abs/1906.05714), and Subir Varma's lecture *Transformers* (2022) brought
# them to this course. Here are five, with a row for each query, a column for each key, and ■ where the weight goes:
#
# ```
#        next            previous        same word       same sentence   null
# [CLS]  · ■ · · · · ·   · · · · · · ·   ■ · · · · · ·   ■ ■ ■ ■ · · ·   ■ · · ■ · · ■
# the    · · ■ · · · ·   ■ · · · · · ·   · ■ · · ■ · ·   ■ ■ ■ ■ · · ·   ■ · · ■ · · ■
# cat    · · · ■ · · ·   · ■ · · · · ·   · · ■ · · · ·   ■ ■ ■ ■ · · ·   ■ · · ■ · · ■
# [SEP]  · · · · ■ · ·   · · ■ · · · ·   · · · ■ · · ■   ■ ■ ■ ■ · · ·   ■ · · ■ · · ■
# the    · · · · · ■ ·   · · · ■ · · ·   · ■ · · ■ · ·   · · · · ■ ■ ■   ■ · · ■ · · ■
# dog    · · · · · · ■   · · · · ■ · ·   · · · · · ■ ·   · · · · ■ ■ ■   ■ · · ■ · · ■
# [SEP]  · · · · · · ·   · · · · · ■ ·   · · · ■ · · ■   · · · · ■ ■ ■   ■ · · ■ · · ■
# ```
#
# The second one works like a recurrent network: each word learns of the one before it. The first is the same read
# backwards. This was not built in; training put it there. The last one is the strangest: words have little to do
# with `[CLS]` and `[SEP]`, and yet more than half of BERT's attention in layers 6 to 10 goes to `[SEP]` (Clark et al.
# 2019, section 3.2; before these layers `[CLS]` is the favourite, after them full stops and commas are). It looks as if
# such a head had found nothing to do. A softmax must hand out a whole 1, and there it does no harm. Hence the name,
# the *null* pattern.
#
# In this chapter you write the instruments: scores that say how much of each pattern a head has, a name for it, a
# number for how widely it looks, and a way to follow attention through all layers. None of it trains anything, and no
# ready-made function is forbidden.
#
# Letters: T tokens, Tq queries and Tk keys, H heads. In a table of weights the queries are rows and the keys are
# columns, and each row sums to 1.
#
# Any tensor you create must take its dtype and device from an argument ([conventions](../docs/conventions.md)).

# %%
"""Chapter 13: inspection: what the heads of a trained model look at."""

from collections.abc import Collection

import torch

# %% [markdown]
# ## How much of each pattern?
# A picture convinces, a number can be sorted. Here are five numbers for one head on one text: the share of its
# attention that goes to the next token, to the previous one, to the same word, to the same sentence, to special tokens.
# With them you can go through 144 heads and a thousand texts, and find the three heads that are worth a picture.
#
# For each pattern and each query: which keys belong to the pattern? Add up the weights on these, and average over the
# queries *that have such a key*. The last token has no next one, so "next" is an average over T − 1 queries: a perfect
# head scores 1, however short the text is. If no query has such a key, the score is 0.0.
#
# | pattern | key j belongs to it for query i if |
# |---|---|
# | `next` | j comes right after i |
# | `previous` | j comes right before i |
# | `same_word` | both tokens are the same string, i itself included |
# | `same_sentence` | both have the same number in `sentences`, i itself included |
# | `special` | the *key's* token is one of `special` |
#
# "Next" and "previous" go by position alone and do not stop at the end of a sentence. Special tokens are tokens like
# any other: they are queries, one `[SEP]` is the same word as another `[SEP]`, and they belong to a sentence.
#
# Shapes: weights `(T, T)` of one head; T tokens; T sentence numbers → a dict with five Python floats.
#
# Clark et al. 2019, sections 3.1 and 3.2, average attention in this way to the next, the previous and special tokens;
# Kovaleva et al. 2019 sort heads into such patterns.


# %% exercise="pattern_scores"
def pattern_scores(
    weights: torch.Tensor, tokens: list[str], sentences: list[int], special: Collection[str]
) -> dict[str, float]:
    """Measure how much of its attention a head spends on each of five patterns.

    Args:
        weights: (T, T), queries in rows, keys in columns.
        tokens: T strings, compared as they are.
        sentences: T numbers; tokens with the same number are in the same sentence.
        special: the strings that are special tokens, such as `("[CLS]", "[SEP]")`; a tuple, a list, a set or a dict
            with these keys.

    Returns:
        A dict with the keys `next`, `previous`, `same_word`, `same_sentence`, `special`. Each value is a float:
        the summed weight on such keys, averaged over the queries that have one; 0.0 if no query has one.
    """
    # TODO: pattern_scores (attend hint pattern_scores)
    raise NotImplementedError("pattern_scores")


# %% [markdown]
# ## Giving a head its name
# One word for a head will do: the first pattern in the list below whose score reaches the threshold. If none does, the
# head is `"mixed"`.
#
# | checked | pattern | the head's name |
# |---|---|---|
# | first | `next` | `"next"` |
# | | `previous` | `"previous"` |
# | | `same_word` | `"same_word"` |
# | | `special` | `"null"` |
# | last | `same_sentence` | `"same_sentence"` |
# | if none reaches it | | `"mixed"` |
#
# **Why this order, and not simply the largest?** Patterns overlap. The next word is nearly always in the same sentence,
# and so is the nearest `[SEP]`. A head that spends .6 on the next word and the rest on others of its sentence scores
# over .9 in "same sentence", and the largest score would tell you the less interesting thing. So check the narrow
# patterns first and the widest one last.
#
# A score *reaches* a threshold if it is equal to it or above it. Names are strings, exactly as in the table.


# %% exercise="name_head"
def name_head(scores: dict[str, float], threshold: float = 0.5) -> str:
    """Return the name of the pattern that describes a head best.

    Args:
        scores: what `pattern_scores` returns; the dict may list its five keys in any order.
        threshold: the value that a score must reach, that is, be equal to or above.

    Returns:
        "next", "previous", "same_word", "null" (for the score `special`) or "same_sentence", the first of these that
        reaches the threshold; "mixed" if none does. Compare the numbers as they are: a score that would only round to
        the threshold does not reach it.
    """
    # TODO: name_head (attend hint name_head)
    raise NotImplementedError("name_head")


# %% [markdown]
# ### Try it
# Are there such heads outside BERT? The two below are the heads of the first block of a small trained model (two
# blocks, two heads each, width 32), taken from the clearest of several training runs. For a thousand steps it read
# pairs of random strings of words and learned to say, at each position, which token comes before it and whether its
# own token occurs a second time. Weights are in hundredths, so rounded rows may not sum to exactly 100.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("pattern_scores", "name_head")
    tokens = "[CLS] the cat sleeps [SEP] now the cat sings [SEP]".split()
    sentences = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    left = [  # in hundredths, a row for each query
        [31, 2, 1, 20, 0, 0, 23, 15, 8, 0],  # [CLS]
        [0, 0, 0, 0, 86, 3, 0, 0, 0, 10],  # the
        [0, 96, 0, 0, 1, 1, 0, 0, 1, 1],  # cat
        [0, 0, 98, 0, 0, 0, 1, 1, 0, 0],  # sleeps
        [0, 0, 0, 100, 0, 0, 0, 0, 0, 0],  # [SEP]
        [0, 0, 0, 0, 100, 0, 0, 0, 0, 0],  # now
        [0, 0, 0, 0, 1, 99, 0, 0, 0, 0],  # the
        [0, 0, 1, 1, 0, 0, 98, 0, 0, 0],  # cat
        [4, 0, 0, 0, 1, 0, 0, 94, 0, 0],  # sings
        [3, 1, 0, 3, 1, 0, 0, 0, 86, 6],  # [SEP]
    ]
    twin = [  # in hundredths, a row for each query
        [96, 0, 0, 2, 0, 1, 0, 0, 0, 0],  # [CLS]
        [13, 5, 3, 1, 0, 0, 76, 1, 0, 0],  # the
        [0, 1, 5, 9, 2, 0, 1, 81, 0, 1],  # cat
        [27, 4, 7, 16, 23, 7, 3, 2, 0, 12],  # sleeps
        [22, 3, 2, 43, 1, 7, 8, 2, 1, 10],  # [SEP]
        [18, 1, 0, 17, 23, 28, 2, 0, 4, 7],  # now
        [6, 85, 1, 1, 0, 0, 5, 1, 0, 1],  # the
        [0, 0, 81, 3, 2, 0, 0, 7, 0, 5],  # cat
        [2, 0, 5, 8, 5, 9, 0, 6, 48, 16],  # sings
        [19, 1, 2, 4, 20, 21, 12, 14, 6, 1],  # [SEP]
    ]
    for head in (left, twin):
        scores = mine.pattern_scores(torch.tensor(head) / 100, tokens, sentences, ("[CLS]", "[SEP]"))
        print({name: round(score, 3) for name, score in scores.items()}, mine.name_head(scores))

# %% [markdown]
# It prints
# ```text
# {'next': 0.002, 'previous': 0.857, 'same_word': 0.039, 'same_sentence': 0.818, 'special': 0.245} previous
# {'next': 0.068, 'previous': 0.11, 'same_word': 0.565, 'same_sentence': 0.478, 'special': 0.332} same_word
# ```
#
# Trained heads are never as neat as pictures. In the first head, the first `the` should look at `[CLS]` but looks at
# `[SEP]`. And see what `sleeps` does in the second: it has no twin in this text, and .62 of its weight is on special
# tokens.

# %% [markdown]
# ## How many words does a head look at?
# The entropy of each query's weights tells (Clark et al. 2019, section 3.3). It is 0 if a single key gets everything,
# log Tk if all keys get the same, and between the two otherwise:
#
# $$ H_i = -\sum_j w_{ij} \log w_{ij} $$
#
# So it tells focused heads from those that average over everything, without asking *what* they look at. Its exponential
# is easy to read: a query of entropy log 3 looks as widely as if it shared its attention evenly among 3 keys. You can
# also put entropy into a loss, to make heads sharper or broader, so let gradients pass.
#
# **Two things to get right.** The logarithm is the natural one. And weights of exactly 0 are common, because every mask
# makes them. Their term is 0, since w · log w goes to 0 with w; but ask a computer for `0 * log(0)` and it says NaN.
# `torch.special.entr` and `torch.xlogy` are welcome. (The gradient at a weight of exactly 0 is not checked: the slope
# there is infinite.)
#
# Shapes: weights `(..., Tq, Tk)`, any axes in front → `(..., Tq)`.


# %% exercise="attention_entropy"
def attention_entropy(weights: torch.Tensor) -> torch.Tensor:
    """Return the entropy of each query's attention, in natural units, with 0 · log 0 = 0.

    Args:
        weights: (..., Tq, Tk), not negative; each row sums to 1.

    Returns:
        (..., Tq), with the dtype of the weights.
    """
    # TODO: attention_entropy (attend hint attention_entropy)
    raise NotImplementedError("attention_entropy")


# %% [markdown]
# ### Try it
# How many keys do the queries of the second head above look at?

# %%
if __name__ == "__main__":
    mine("attention_entropy")
    for token, keys in zip(tokens, mine.attention_entropy(torch.tensor(twin) / 100).exp().tolist(), strict=True):
        print(f"{token:8}{keys:.1f}")

# %% [markdown]
# It prints
# ```text
# [CLS]   1.2
# the     2.3
# cat     2.1
# sleeps  6.8
# [SEP]   5.3
# now     5.7
# the     1.9
# cat     2.0
# sings   5.0
# [SEP]   7.1
# ```
#
# `the` and `cat`, which occur twice, look at about two keys. `sleeps`, `now` and `sings` have no twin, and spread their
# attention over five to seven.

# %% [markdown]
# ## Through all the layers
# What a head of layer 5 looks at is no longer a word. It is a position in which four layers have already mixed words.
# So the weights of one layer tell you little about how much each *input* token contributes to each position *after the
# last layer*.
#
# Think of information as water that flows from layer to layer. Two pipes fill position i of a layer: the residual
# connection, straight from position i below, and the attention, from all positions below according to their weights.
# Assume that each gives half. If there are several heads, take the mean. Then one layer moves water by the matrix
#
# $$ A_l = \tfrac{1}{2} \cdot \text{mean over heads} + \tfrac{1}{2} \cdot \text{identity} $$
#
# and two layers in a row move it by a matrix product: to get from an input to position i, go to any position k of
# layer 1, and on from there.
#
# ```
#  layer 2    0     1     2         rollout = A₂ · A₁
#             │   ╱ │   ╱ │
#  layer 1    0     1     2         (2 ← 0): only through 1,  ½ · ½ = ¼
#             │   ╱ │   ╱ │         (2 ← 1): to the right first or last,  2 · ¼ = ½
#  input      0     1     2         (2 ← 2): straight up,  ½ · ½ = ¼
# ```
#
# The last layer is leftmost because its rows are the positions that we ask about. Swap the order and you get another
# matrix whose rows also sum to 1, so nothing will warn you.
#
# **How far to trust it.** Half and half is an assumption, values and feed-forward networks are left out, and a large
# weight on a small vector carries little. Rollout is a sketch of what *can* flow, drawn from weights alone.
#
# Shapes: a list of L weights `(H, T, T)`, first layer first → `(T, T)`: `[i, j]` is the share of input j in the final
# position i.


# %% exercise="attention_rollout"
def attention_rollout(layers: list[torch.Tensor]) -> torch.Tensor:
    """Follow attention through all layers and their residual connections (Abnar & Zuidema 2020, section 3).

    Args:
        layers: the weights of each layer for one text, each (H, T, T), first layer first; at least one.

    Returns:
        (T, T): the product of ½ · (mean over heads) + ½ · identity over the layers, the last layer leftmost; in the
        dtype of the weights, and gradients flow through it.
    """
    # TODO: attention_rollout (attend hint attention_rollout)
    raise NotImplementedError("attention_rollout")


# %% [markdown]
# ### Try it
# The picture above in numbers: each layer has one head, which looks at the previous position; position 0 looks at
# itself.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("attention_rollout")
    previous = torch.tensor([[[1.0, 0, 0], [1, 0, 0], [0, 1, 0]]])  # (1, 3, 3)
    print(mine.attention_rollout([previous, previous]))

# %% [markdown]
# It prints
# ```text
# tensor([[1.0000, 0.0000, 0.0000],
#         [0.7500, 0.2500, 0.0000],
#         [0.2500, 0.5000, 0.2500]])
# ```
#
# No weight leads from position 2 to position 0, yet a quarter of it comes from there.

# %% [markdown]
# ## See it run
# Train a model of two blocks for a few seconds, on random strings of twelve words and on the same two questions: which
# word comes before this one, and does this one occur again? Then let your instruments read its heads on a text that it
# has never seen. A head that looks everywhere equally scores .08 in "previous" and .22 in "same word" here, because
# `the` occurs four times; so a threshold of .4 is high enough for these. In "same sentence" it scores .50, so that this
# name says no more than "none of the others". The last score is "same word" once more, with the text shifted by one
# place: does the word *before* the key equal the one before the query?

# %%
if __name__ == "__main__":
    from torch import nn

    from reference.blocks import mine

    mine("EncoderBlock", "pattern_scores", "name_head", "attention_entropy", "attention_rollout")
    mine("TokenAndPositionEmbedding")
    torch.manual_seed(1)
    blocks = [mine.EncoderBlock(32, 2, 64, dropout=0.0, norm_first=True) for _ in range(2)]
    model = nn.Sequential(mine.TokenAndPositionEmbedding(12, 12, 32), *blocks, nn.Linear(32, 13))
    optimizer = torch.optim.Adam(model.parameters(), lr=8e-3)

    def losses(ids: torch.Tensor) -> list[torch.Tensor]:
        """Of both questions: which word comes before, and does this one occur again."""
        logits = model(ids)  # (B, T, 13): twelve for the word before, one for "occurs again"
        again = (ids[:, :, None] == ids[:, None]).sum(-1) > 1
        before = nn.functional.cross_entropy(logits[:, 1:, :12].flatten(0, 1), ids[:, :-1].flatten())
        return [before, nn.functional.binary_cross_entropy_with_logits(logits[..., 12], again.float())]

    for _ in range(400):
        loss = sum(losses(torch.randint(12, (32, 12))))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    layers: list[torch.Tensor] = []  # the weights of each block, (H, T, T)
    for block in blocks:
        block.attention.register_forward_hook(lambda _, __, given: layers.append(given[1][0].detach()))
    words = "the cat sees the dog . the dog sees the cat .".split()
    model(torch.tensor([[sorted(set(words)).index(word) for word in words]]))
    even = mine.pattern_scores(torch.full((12, 12), 1 / 12), words, [0] * 6 + [1] * 6, ["."])
    print(f"everywhere equally: previous {even['previous']:.2f}, same word {even['same_word']:.2f}", end="")
    print(f", same sentence {even['same_sentence']:.2f}")
    for number, weights in enumerate(layers):
        for head in weights:
            texts = words, words[:1] + words[:-1]
            here, before = (mine.pattern_scores(head, text, [0] * 6 + [1] * 6, ["."]) for text in texts)
            print(f"block {number + 1}: {mine.name_head(here, 0.4):<10}", end=f" previous {here['previous']:.2f}")
            print(f", same word {here['same_word']:.2f}, the word before {before['same_word']:.2f}", end="")
            print(f", {mine.attention_entropy(head).exp().mean():.1f} keys")
    mine.heatmap(layers[1][0], rows=words, columns=words, title="block 2, first head").show()
    mine.heatmap(mine.attention_rollout(layers), rows=words, columns=words, title="rollout").show()

    fresh = torch.randint(12, (500, 12))
    with torch.no_grad():
        whole = losses(fresh)
        print("loss on fresh strings: {:.3f} and {:.3f}".format(*whole))
        share = torch.tensor(1 - (11 / 12) ** 11)  # of words that occur again
        guess = nn.functional.binary_cross_entropy(share, share)
        print(f"always answering {share:.3f} to the second question: {guess:.3f}")
        for number, block in enumerate(blocks):
            for head in range(2):
                columns = block.attention.w_o.weight[:, 16 * head : 16 * head + 16]  # what reads this head
                kept = columns.clone()
                columns.zero_()
                more = [round(float(now - loss), 3) + 0.0 for now, loss in zip(losses(fresh), whole, strict=True)]
                print("without head {} of block {}: {:+.3f} and {:+.3f}".format(head + 1, number + 1, *more))
                columns.copy_(kept)

# %% [markdown]
# The heads of the first block are "previous" heads, with hardly more than one key each. Those of the second are called
# "same_word" or "same_sentence", and there the names mislead. Their scores for the word *before* are higher than those
# for the word itself: the first block has brought each position the word before it, and the second compares those. In
# the heatmap, look at the rows of both `cat`s and both `dog`s, which all have `the` before them. A head of a higher
# layer reads positions, not words; that is why the rollout is worth drawing. In it, words come in pairs, a word and the
# one before it: the first block made the pairs, and the second mixed some of them.
#
# **Does anything depend on it?** The cell ends by switching each head off: it clears the columns of `w_o` that read the
# head. Without the second head of block 1, the loss of the first question rises from 0.000 by 0.2 or more, while the
# other "previous" head is nearly spare. Switch off one head of block 2 or the other, and nothing changes: neat names,
# and nobody reads what they bring. The second question tells why. Its loss, about 0.67, is that of always answering
# with the share of words that occur again, so 400 steps have taught the model nothing about it. A heatmap shows where a
# head looks, a name says what that resembles, and only switching it off tells whether it matters.
#
# A name also depends on the training, and even on your processor: 400 steps enlarge small differences in rounding. Try
# other seeds: of twelve heads in the second block, over six seeds on one machine, the threshold called seven
# "same_word", four "same_sentence" and one "null".

# %% [markdown]
# ## What you have now
#
# You have instruments. Point them at any model in this course that returns its weights, `MultiHeadAttention` for one,
# and see what it has learned on its own. In chapter 14 you turn from reading what works to hunting for what does not.
#
# **Papers.** [Clark et al. 2019](https://arxiv.org/abs/1906.04341), "What Does BERT Look At?";
# [Kovaleva et al. 2019](https://arxiv.org/abs/1908.08593), "Revealing the Dark Secrets of BERT";
# [Vig 2019](https://arxiv.org/abs/1906.05714), BertViz;
# [Abnar and Zuidema 2020](https://arxiv.org/abs/2005.00928), "Quantifying Attention Flow in Transformers".
