# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch01` checks it.

# %% [markdown]
# # Chapter 1 · From counting words to attention
# *Check the program log and find out whether it ran ...* What comes next, "down" or "please"? You know at once:
# batteries run down, programs just run. But look at what told you. It was not the last word, nor the one before. It
# was a single word, seven places back. **How can a model find that word, when it does not know where to look?**
#
# This chapter answers with nothing but counting. Say we have read two sentences, once each:
#
#     check the program log and find out whether it ran please
#     check the battery log and find out whether it ran down please
#
# | model | what it looks at | what it says after "check the program ... it ran" |
# |---|---|---|
# | first order | `ran` | down .5, please .5 |
# | second order | `it ran` | down .5, please .5 |
# | eighth order | `program log and find out whether it ran` | please 1, but in a table of 13⁸, 816 million, rows |
# | second order with skips | `(program, ran)`, `(check, ran)`, `(log, ran)`, ... all vote | down 4, please 5 |
# | the same with a mask | `(program, ran)` alone votes | down 0, please 1 |
#
# The last line is attention, and you will build your way down to it, row by row. The example and its numbers are
# Brandon Rohrer's ([Transformers from Scratch](https://e2eml.school/transformers.html), 2021); the slides of the
# lecture *Module 7 · Transformers* tell it in the same order. Letters: T words in a text, V words in the vocabulary,
# D numbers in a row of a table. Everything is NumPy, float64; a text is a list of words, each of them in the
# vocabulary. A vocabulary is sorted and has two words or more. What you return depends on the arguments alone, not on
# earlier calls, and you never change an argument.

# %%
"""Chapter 1: from counting words to attention."""

import numpy as np

# %% [markdown]
# ## Words as vectors
# A matrix has no row called "program", but it has a row 9. The vocabulary gives every word its number: its place in
# sorted order. Upper case sorts before lower case, as Python's strings do, and `Ran` and `ran` are different words.


# %% exercise="vocabulary"
def vocabulary(sentences: list[list[str]]) -> list[str]:
    """The distinct words of all sentences, sorted.

    Args:
        sentences: one or more lists of words; a sentence may be empty, and a word may be any text, even "don't" or "7".
    """
    # TODO: vocabulary (attend hint vocabulary)
    raise NotImplementedError("vocabulary")


# %% [markdown]
# With V = 4, word number 2 becomes `[0, 0, 1, 0]`: its *one-hot* vector. A text of T words becomes a `(T, V)`
# matrix, a row per word. A word we have never seen has no vector, and the honest thing is to say so rather than
# hand out zeros.


# %% exercise="one_hot"
def one_hot(tokens: list[str], vocab: list[str]) -> np.ndarray:
    """A row per token: 1 in the column of its word, 0 elsewhere.

    Args:
        tokens: T words, at least one; a word may be any text, as in `vocabulary`.
        vocab: V words, sorted; column i belongs to word i.
    Returns: (T, V) float64.
    Raises:
        KeyError: a token is not in `vocab`; the message names it.
    """
    # TODO: one_hot (attend hint one_hot)
    raise NotImplementedError("one_hot")


# %% [markdown]
# ## Two products worth knowing by heart
# All of attention is made of two matrix products. Here is the first: a one-hot row times a table *pulls out a row*.
#
#     [1 0 0 0]   [.2 .9]   [.2 .9]     row 0
#     [0 0 0 1] @ [.7  0] = [.1 .4]     row 3
#     [0 0 1 0]   [.8 .3]   [.8 .3]     row 2
#                 [.1 .4]
#
# Indexing would do the same, so why multiply? Because the product still works when a row is not quite one-hot: a row
# `[.5 0 0 .5]` pulls out half of row 0 and half of row 3. An index cannot be half here and half there; attention can.


# %% exercise="lookup"
def lookup(one_hots: np.ndarray, table: np.ndarray) -> np.ndarray:
    """The rows of the table that the one-hot rows point at, by one matrix product.

    Args:
        one_hots: (T, V), a row per token. A row of shares, such as [.5 0 .2 .3], gives that mixture of rows.
        table: (V, D), a row per word.
    Returns: (T, D).
    """
    # TODO: lookup (attend hint lookup)
    raise NotImplementedError("lookup")


# %% [markdown]
# The second product *compares*. The dot product of two one-hot vectors is 1 for the same word and 0 for different
# ones; for other vectors it is large when they point the same way. Compare each row of one matrix with each row of
# another, and you have what chapter 3 calls the scores of attention: queries against keys.


# %% exercise="similarity"
def similarity(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The dot product of every row of `a` with every row of `b`.

    Args:
        a: (T, D).
        b: (S, D).
    Returns: (T, S); entry [t, s] belongs to row t of `a` and row s of `b`.
    """
    # TODO: similarity (attend hint similarity)
    raise NotImplementedError("similarity")


# %% [markdown]
# ## Counting, first order
# Now a model: the next word depends on the last one. Count which word follows which, and divide each row by its sum.
# From two sentences that end in *my directories please*, three in *my files please* and five in *my photos please*,
# the row of `my` is
#
# | | directories | files | me | my | photos | please | show |
# |---|---|---|---|---|---|---|---|
# | my | .2 | .3 | 0 | 0 | .5 | 0 | 0 |
#
# Nothing ever follows `please`; its row stays zero. And a sentence's last word is not followed by the next
# sentence's first.


# %% exercise="transition_matrix"
def transition_matrix(sentences: list[list[str]], vocab: list[str]) -> np.ndarray:
    """The shares of the words that follow each word (a first-order Markov model).

    Args:
        sentences: lists of one or more words each.
        vocab: their words and perhaps others, sorted.
    Returns: (V, V), [current, next]. A row sums to 1, or is zero where the word is never followed.
    """
    # TODO: transition_matrix (attend hint transition_matrix)
    raise NotImplementedError("transition_matrix")


# %% [markdown]
# To predict, pull out a row: the first of our two products at work.


# %% exercise="next_word"
def next_word(word: str, transitions: np.ndarray, vocab: list[str]) -> np.ndarray:
    """The shares of the words that follow `word`: its row of `transitions`, by a one-hot product.

    Returns: (V,).
    """
    # TODO: next_word (attend hint next_word)
    raise NotImplementedError("next_word")


# %% [markdown]
# ## Counting, second order
# Read *check whether the battery ran down please* four times and *check whether the program ran please* six times:
# after `ran` the first-order model says down .4, please .6. It has forgotten what ran. Two words of memory settle it:
#
# | previous, current | down | please |
# |---|---|---|
# | battery, ran | 1 | 0 |
# | program, ran | 0 | 1 |
#
# A third axis holds it, `[previous, current, next]`. A pair that ends a sentence has no next word and does not
# count.


# %% exercise="second_order_matrix"
def second_order_matrix(sentences: list[list[str]], vocab: list[str]) -> np.ndarray:
    """The shares of the words that follow each pair of neighbours (a second-order Markov model).

    Args:
        sentences, vocab: as in `transition_matrix`.
    Returns: (V, V, V), [previous, current, next]. A row (last axis) sums to 1, or is zero where the pair is never
        followed.
    """
    # TODO: second_order_matrix (attend hint second_order_matrix)
    raise NotImplementedError("second_order_matrix")


# %% [markdown]
# ## Skips: pairs at any distance
# In *check the program log and find out whether it ran*, the telling pair (program, ran) is not a pair of
# neighbours, and longer and longer memories cost 13³, 13⁴, 13⁵ rows. A cheaper idea: keep two words, but let the
# first be *anywhere* before. At each word that is followed by another, every word seen earlier in the sentence
# makes a pair with it, once. For the two log sentences:
#
# | earlier, current | down | please |
# |---|---|---|
# | battery, ran | 1 | 0 |
# | program, ran | 0 | 1 |
# | check, ran | .5 | .5 |
# | log, ran (and, find, out, whether, it, the: the same) | .5 | .5 |


# %% exercise="skip_matrix"
def skip_matrix(sentences: list[list[str]], vocab: list[str]) -> np.ndarray:
    """Of all positions with word `current` that have `earlier` before them, the share followed by `next`.

    `earlier` may come at any distance before, in the same sentence, and counts once per position, however often it
    occurs there. A sentence's last position is followed by nothing and does not count.

    Args:
        sentences, vocab: as in `transition_matrix`.
    Returns: (V, V, V), [earlier, current, next]. A row (last axis) sums to 1 or is zero.
    """
    # TODO: skip_matrix (attend hint skip_matrix)
    raise NotImplementedError("skip_matrix")


# %% [markdown]
# ## Voting
# Given a context, which pairs are there? Those of the last word with every word before it. We keep them as V zeros
# and ones, a *feature activity* per word. Such a vector is a *bag of words*: it knows which words came, but not where
# or how often.


# %% exercise="skip_features"
def skip_features(context: list[str], vocab: list[str]) -> np.ndarray:
    """1 for each word that occurs somewhere before the last word of the context, else 0.

    The last word itself is active only if it also occurs earlier.

    Args:
        context: at least one word. A single word has nothing before it, and all features are 0.
    Returns: (V,) float64.
    """
    # TODO: skip_features (attend hint skip_features)
    raise NotImplementedError("skip_features")


# %% [markdown]
# Every active pair casts its row as a vote, and the votes are added up: they are votes, not probabilities, and need
# not sum to 1. In our sentence `(program, ran)` gives please 1, and eight pairs that know nothing give .5 to each
# side. Please wins by 5 to 4. The right word, barely, in a room full of noise.


# %% exercise="vote"
def vote(context: list[str], skips: np.ndarray, vocab: list[str]) -> np.ndarray:
    """The sum of the rows `skips[earlier, last word]` over all active features of the context.

    Args:
        context: at least one word; the last one is the current word.
        skips: (V, V, V), as `skip_matrix` gives it.
    Returns: (V,), the votes for each next word.
    """
    # TODO: vote (attend hint vote)
    raise NotImplementedError("vote")


# %% [markdown]
# ## Masking: let only informed words vote
# The eight pairs that say .5 and .5 are dead weight. Cross them out: multiply the feature activities by a *mask*
# that is 1 for `battery` and `program` and 0 for the rest. Only `(program, ran)` is left, because `battery` is
# allowed but absent. Please 1, down 0.


# %% exercise="selective_vote"
def selective_vote(context: list[str], skips: np.ndarray, mask: np.ndarray, vocab: list[str]) -> np.ndarray:
    """As `vote`, after multiplying each feature activity by its entry of the mask.

    Args:
        mask: (V,), how much each earlier word's vote counts; mostly 0 and 1.
    Returns: (V,).
    """
    # TODO: selective_vote (attend hint selective_vote)
    raise NotImplementedError("selective_vote")


# %% [markdown]
# ## Attention is a matrix product
# After `ran` the words `battery` and `program` matter; after `my`, others do. So every word owns a mask, and we
# stack them, a row per current word. Which one do we need? The last word's. And pulling out a row is what we do best:
#
#     query (1, V)              keys (V, V)                    mask (1, V)
#     the last word,     @      what each word          =      what this word
#     one-hot                   pays attention to              pays attention to
#
# *Query* times *keys* says which words to listen to; the mask then weighs what the context has to offer, the
# *values*. In a Transformer these are no longer zeros and ones counted by hand, but learned numbers. The product
# stays.
#
# Look at it from the other side, too. `query @ masks` is also `similarity(query, masks.T)`: column j says which
# last words want to hear word j, so it is the *key of word j*, and the query is compared with the key of every
# word. Pulling out a row and comparing are one product, and chapter 3 reads it in this second way.
#
# <details><summary>Where the slides err: what "second order" means</summary>
#
# At their end, the slides *Module 7 · Transformers* call self-attention "a second order operation" because it
# multiplies scores and values. But they began, as this chapter does, with another meaning: a model is of second order
# because it looks at *two words*. Here these are the last word and an earlier one, in a Transformer the query's and a
# key's. What their score is multiplied with afterwards does not count.
#
# </details>


# %% exercise="mask_for"
def mask_for(context: list[str], masks: np.ndarray, vocab: list[str]) -> np.ndarray:
    """The mask of the context's last word, by one product of its one-hot vector (the query) with all masks (the keys).

    Args:
        masks: (V, V), row i is the mask to use when word i is the last one.
    Returns: (V,).
    """
    # TODO: mask_for (attend hint mask_for)
    raise NotImplementedError("mask_for")


# %% [markdown]
# ## Complete a text
# Put together what you built: find the mask, let the words vote, add the winner, and begin again with the longer
# text. With the two log sentences and a sensible mask, *check the* becomes *check the battery log and find out
# whether it ran down please*. Ten words from two, and then there are no more votes. Every language model writes like
# this, one word at a time.


# %% exercise="complete"
def complete(prompt: list[str], skips: np.ndarray, masks: np.ndarray, vocab: list[str], steps: int) -> list[str]:
    """The prompt, followed by up to `steps` words, each the winner of the masked vote on the text so far.

    A tie goes to the word that sorts first. Where every vote is zero, the text ends; a tiny vote still counts.

    Args:
        prompt: at least one word; leave it as it is.
        skips: (V, V, V), as `skip_matrix` gives it.
        masks: (V, V), a mask per last word.
        steps: the most words to add.
    """
    # TODO: complete (attend hint complete)
    raise NotImplementedError("complete")


# %% [markdown]
# ## See it run
# Your own pieces on the two log sentences. First the mask at work, in three rows: the words that came before *ran*,
# the words that *ran* listens to, and what is left of both, *program* alone. Then the votes for the next word,
# without the mask 5 to 4, with it 1 to 0. Last, two words that grow into a sentence:
#
# ```text
# check the battery log and find out whether it ran down please
# ```

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("vocabulary", "one_hot", "skip_matrix", "skip_features", "vote", "selective_vote", "mask_for", "complete")
    program = "check the program log and find out whether it ran please".split()
    battery = "check the battery log and find out whether it ran down please".split()
    vocab = mine.vocabulary([program, battery])
    skips = mine.skip_matrix([program, battery], vocab)
    masks = np.ones((len(vocab), len(vocab)))  # every word listens to all the others ...
    masks[vocab.index("ran")] = mine.one_hot(["battery", "program"], vocab).sum(axis=0)  # ... but "ran" to these two

    context = program[:-1]  # check the program ... it ran
    features, mask = mine.skip_features(context, vocab), mine.mask_for(context, masks, vocab)
    rows = ["came before", "ran listens to", "may vote"]
    seen = np.stack([features, mask, features * mask])
    mine.heatmap(seen, rows=rows, columns=vocab, title="who may vote on what follows ran").show()

    everyone, chosen = mine.vote(context, skips, vocab), mine.selective_vote(context, skips, mask, vocab)
    for title, votes in (("all words vote", everyone), ("with the mask", chosen)):
        mine.bars({word: votes[vocab.index(word)] for word in ("down", "please")}, title=title).show()
    print(" ".join(mine.complete(["check", "the"], skips, masks, vocab, steps=20)))

# %% [markdown]
# Change a line and run it again. Without the line that writes the mask of *ran* the sentence still ends well, by 5
# votes to 4. With `"check the program".split()` as a third sentence, what becomes of *check the*, and why?
#
# ## What you have now
# A model that looks back as far as it likes and listens to what matters. A good sequence model does four things: it
# knows the order of the words, reaches far back, takes texts of any length, and uses the same numbers at every place.
# Yours does the last three. It knows little about the order: which word is last, and that the others came before.
# Chapter 2 gives the order back. Most other parts of a Transformer have a forerunner here:
#
# | here, counted or written by hand | in a Transformer | chapter |
# |---|---|---|
# | a one-hot row pulls a row out of a table | an embedding | 2 |
# | a stack of masks, written by hand | queries and keys; training finds the masks | 3, 15 |
# | one mask for each word | several heads, a mask for each | 5 |
# | pairs such as (program, ran), listed | a feed-forward layer: ReLU(program + ran − 1) is 1 only for both | 6 |
# | votes, a number for each word | logits: one vector, compared with every word's row of a table | 8, 9 |
# | the winner is appended | sampling, one token at a time | 9 |
# | a token is a word | a token is a piece of a word, merged from letters that often meet | 15 |
#
# To read: [Shannon 1948](https://doi.org/10.1002/j.1538-7305.1948.tb01338.x), sections 2 and 3, where counted letters
# and words write English; [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), which this course builds.
