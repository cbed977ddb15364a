# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch15` checks it.

# %% [markdown]
# # Chapter 15 · Capstones
#
# **You have written attention, blocks and whole models, and some of them have learned for a few seconds at the end of a
# chapter. What is missing between a model that is right and one that you train in earnest?**
#
# Less than you may think. A model reads numbers, and a text is not numbers. It starts at random, and there are good and
# bad ways to be random. It learns in steps, and the first steps, the last steps and one unlucky step in between each
# need their own length. Five small tools stand between the model and the run:
#
# | between the model and the run | without it |
# |---|---|
# | text to ids and back | there is nothing to read |
# | pieces of words | every rare word is `<unk>` |
# | a learning rate for each step | it diverges at the start, or never settles at the end |
# | a limit for the gradients | one bad batch undoes an hour of learning |
# | a small start | it spends that hour forgetting random numbers |
#
# And after the run, you need a way to ask the model what it looked at.
#
# **A baseline first.** The simplest model of a text only counts its words, and with few texts to learn from it is hard
# to beat. Attention pays off once you have more than 1,500 times as many texts as a text has words (Chollet 2021,
# chapter 11); the reviews of chapter 7 are 107 times as many. So put a baseline beside each model: only a result that
# beats counting shows that the attention does something.
#
# Letters: T words in a text, V words in the vocabulary. Texts are Python strings, ids are lists of `int`.

# %%
"""Chapter 15: what stands between a model and a run, and five models that run."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import torch
from torch import nn

from reference.blocks import mine

# %% [markdown]
# ## From text to ids
# A vocabulary is a list, and a word's id is its place in it. Two places are taken from the start: `<pad>` fills up
# short texts, `<unk>` stands for every word that is not in the list. Then come the words, the most frequent one first.
#
# **Why a limit?** About half of the distinct words of a large collection occur once. A vector that is trained on a
# single sentence has learned nothing, and costs as much as any other. So the list ends after `size` entries, the two
# special ones included.
#
# **What is a word?** Anything that `re.findall(r"[a-z']+", text.lower())` finds: letters from a to z and apostrophes.
# `"Don't stop!"` gives `don't` and `stop`; punctuation, digits and hyphens separate words.
#
# **Ties.** Words that occur equally often are in alphabetical order, as `sorted` gives it. Without such a rule the ids
# would depend on the order of the texts, and a trained table would be useless with another list.
#
# The reviews of chapter 7 also come with such a list, but their first ids mean something else. There, a word's id is
# its rank plus 3:
#
# | id | the reviews of chapter 7 | your vocabulary |
# |---|---|---|
# | 0 | padding | `<pad>` |
# | 1 | a review begins | `<unk>` |
# | 2 | an unknown word | the most frequent word |
# | 3 | not used | the second |
# | 4 | the most frequent word, rank 1 | the third |
#
# A model that is trained with one table and used with the other raises no error. It answers about other words.


# %% exercise="word_vocabulary"
def word_vocabulary(texts: list[str], size: int) -> list[str]:
    """Return the two special entries and the most frequent words of all texts.

    A word is what `re.findall(r"[a-z']+", text.lower())` finds.

    Args:
        texts: any texts; some may be empty.
        size: the largest number of entries, `"<pad>"` and `"<unk>"` included; at least 2.

    Returns:
        `"<pad>"`, `"<unk>"`, then the words, the most frequent first; words that occur equally often in sorted order.
        There are fewer than `size` entries if the texts have fewer words.
    """
    # TODO: word_vocabulary (attend hint word_vocabulary)
    raise NotImplementedError("word_vocabulary")


# %% [markdown]
# With the list, encoding is a lookup. Every word becomes one id, and an unknown word becomes the id of `<unk>`: a
# text must not lose a word, or "not a masterpiece" turns into "not a".
#
# With `["<pad>", "<unk>", "a", "not", "film"]`:
#
# | text | Not | a | masterpiece! |
# |---|---|---|---|
# | word | not | a | masterpiece |
# | id | 3 | 2 | 1 |


# %% exercise="encode_text"
def encode_text(text: str, vocabulary: list[str]) -> list[int]:
    """Return the ids of the words of a text.

    A word is what `re.findall(r"[a-z']+", text.lower())` finds.

    Args:
        text: any text; it may be empty.
        vocabulary: as `word_vocabulary` gives it; a word's id is its place.

    Returns:
        An id for each word; for a word that is not in the vocabulary, the id of `"<unk>"`.
    """
    # TODO: encode_text (attend hint encode_text)
    raise NotImplementedError("encode_text")


# %% [markdown]
# And back: the words with a space between them. Padding was never said, so leave it out; `<unk>` was said, and
# stays, as a reminder of what the model did not see. Capitals and punctuation are lost for good. Always read a few of
# your encoded texts this way before you train on them: it takes a minute, and it reveals the mistake with the ids of
# chapter 7.


# %% exercise="decode_ids"
def decode_ids(ids: list[int], vocabulary: list[str]) -> str:
    """Return the words of these ids, joined by single spaces.

    Args:
        ids: places in the vocabulary; there may be none.
        vocabulary: as `word_vocabulary` gives it.

    Returns:
        The text without `"<pad>"`; an unknown word is `"<unk>"`.
    """
    # TODO: decode_ids (attend hint decode_ids)
    raise NotImplementedError("decode_ids")


# %% [markdown]
# ## Pieces of words
# However long the list is, some word is not in it. Single letters never run out, but a text of letters is about five
# times as long, and attention costs the square of that. *Byte pair encoding* finds the middle: begin with letters, and
# again and again merge the two symbols that most often occur side by side. Frequent words end up as one symbol,
# rare ones as a few pieces, and nothing is unknown.
#
# Take three words, `read` four times, `reader` three times and `leader` twice, and learn four merges by hand:
#
# | learned | count | read (4) | reader (3) | leader (2) |
# |---|---|---|---|---|
# | | | r e a d | r e a d e r | l e a d e r |
# | a d | 9 | r e ad | r e ad e r | l e ad e r |
# | e ad | 9 | r ead | r ead e r | l ead e r |
# | r ead | 7 | read | read e r | l ead e r |
# | e r | 5 | read | read er | l ead er |
#
# In the first round `e a` also occurs nine times; of equally frequent pairs take the one that sorts first. And see what
# came out, without any grammar: a verb, and the ending that turns it into a person. `bread`, which it has never seen,
# becomes `b read`.
#
# Sennrich, Haddow and Birch 2016 also mark the end of each word with a symbol of its own, and GPT-2 works on bytes;
# this chapter leaves out both. The first tool applies one merge to one word, from left to right, and uses each symbol
# only once: `a a a` with the pair (a, a) becomes `aa a`.


# %% exercise="merge_pair"
def merge_pair(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Join the two symbols of `pair` wherever they are side by side, in this order.

    Go from left to right; a symbol that has just been joined is not joined again.

    Args:
        symbols: a word's symbols, each of one or more letters.
        pair: the left and the right symbol.

    Returns:
        The word's symbols after that; this may be `symbols` itself if nothing is joined.

    Source: Sennrich et al. 2016, algorithm 1, `merge_vocab`.
    """
    # TODO: merge_pair (attend hint merge_pair)
    raise NotImplementedError("merge_pair")


# %% [markdown]
# Learning is counting and merging in turn. Each occurrence of a word counts, so a pair in `read` counts four times.
# Any two neighbours are a pair: `a a a` has (a, a) twice, although only one of them can be merged. After every merge
# count again, because the neighbours have changed.


# %% exercise="learn_merges"
def learn_merges(words: dict[str, int], count: int) -> list[tuple[str, str]]:
    """Return the pairs that byte pair encoding learns, the first one first.

    Begin with each word as a row of letters. In every round count all pairs of neighbours within the words, overlapping
    ones too, each as often as its word occurs. Learn the pair with the largest count and merge it in all words
    (`merge_pair`). Of equally frequent pairs take the one that sorts first.

    Args:
        words: each word and how often it occurs, at least once.
        count: how many pairs to learn.

    Returns:
        `count` pairs, or fewer: learning ends when no word has two symbols left.

    Source: Sennrich et al. 2016, section 3.2 and algorithm 1, without the mark for a word's end.
    """
    # TODO: learn_merges (attend hint learn_merges)
    raise NotImplementedError("learn_merges")


# %% [markdown]
# The same merges cut up a new word, in the order in which they were learned. The order matters. With (a, b) before (b,
# c), `a b c` becomes `ab c`; the other way round it becomes `a bc`, and the model would see a symbol that it hardly met
# in training.


# %% exercise="apply_merges"
def apply_merges(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Cut a word into pieces.

    Args:
        word: any word; it may be new, or empty.
        merges: as `learn_merges` gives them; apply each once to the whole word, the first one first.

    Returns:
        Pieces that make up the word when they are joined.

    Source: Sennrich et al. 2016, section 3.2.
    """
    # TODO: apply_merges (attend hint apply_merges)
    raise NotImplementedError("apply_merges")


# %% [markdown]
# ## How long a step?
# Every step has a learning rate of its own. It rises evenly during `warmup` steps to its `peak`, then falls along half
# a cosine to its `floor`, which it reaches at step `total` and keeps.
#
# **Why rise?** Adam's first step moves every number by the whole rate, against the sign of one batch's gradient
# (chapter 7), whether that gradient is clear or noise. Until its means have seen more batches, steps should be short.
# **Why fall?** At the end the model circles around a good place, and only shorter steps get closer. The cosine is flat
# at both ends: it stays near the peak for long, and ends gently.
#
# ```text
#  peak  ┤     ●●●●
#        │   ●      ●●
#        │  ●         ●●
#        │ ●            ●●
#  floor ┤●               ●●●●●●●●
#        └┬────┬───────────┬──────> step
#         0   warmup      total
# ```
#
# Count steps from 0. So that the first step is not wasted on a rate of 0, step `step` of the warm-up has the rate
# `peak * (step + 1) / warmup`. For a warm-up of 4 steps to a peak of 1, and 12 steps to a floor of 0:
#
# | step | 0 | 1 | 2 | 3 | 4 | 6 | 8 | 10 | 12 | 20 |
# |---|---|---|---|---|---|---|---|---|---|---|
# | rate | .25 | .5 | .75 | 1 | 1 | .854 | .5 | .146 | 0 | 0 |


# %% exercise="learning_rate"
def learning_rate(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    """Return the learning rate of a step: up in a straight line, down along half a cosine, then flat.

    Args:
        step: counted from 0.
        warmup: the number of steps with a rising rate; 0 for none. Step s of them has `peak * (s + 1) / warmup`.
        total: the step at which the rate reaches `floor`; more than `warmup`. The half cosine begins with `peak` at
            step `warmup`.
        peak, floor: the largest rate and the last one.

    Source: Loshchilov and Hutter 2017, eq. 5; Vaswani et al. 2017, section 5.3, for the warm-up.
    """
    # TODO: learning_rate (attend hint learning_rate)
    raise NotImplementedError("learning_rate")


# %% [markdown]
# ## A limit for the gradients
# Written one after the other, all gradients of a model are one long vector. If that vector is longer than `limit`,
# shorten it to `limit`: multiply every gradient by the same factor.
#
# **Why not each by itself?** Then the long ones would become shorter and the short ones would not, and the step would
# go in another direction. With one factor for all, the direction stays the same.
#
# With two parameters whose gradients are (3, 0) and (0, 4), the norm is 5. A limit of 1 multiplies both by 1/5. A limit
# of 10 changes nothing: gradients are never made longer.
#
# **In place.** The optimizer reads `parameter.grad`, so that is where the shorter gradient must be. Some parameters
# have none: a frozen layer's `grad` is `None`. And return the norm *before* clipping: print it while you train, and you
# will see the bad batch come.
#
# Pascanu, Mikolov and Bengio 2013 invented it for recurrent networks, and it has stayed.


# %% exercise="clip_gradients"
def clip_gradients(parameters: Iterable[nn.Parameter], limit: float) -> float:
    """Scale all gradients by one factor, so that their joint norm is at most `limit`.

    Args:
        parameters: such as `model.parameters()`, which you can iterate over only once; it may also be a list. If the
            norm is larger than `limit`, each `grad` is multiplied in place by `limit / norm`: it stays the same tensor,
            as others may hold it. Parameters whose `grad` is None are skipped, and no others. A millionth added to the
            norm, as torch does, does no harm.
        limit: above 0.

    Returns:
        The norm of all gradients together before they are scaled, as a Python float.

    Source: Pascanu et al. 2013, algorithm 1.
    """
    # TODO: clip_gradients (attend hint clip_gradients)
    raise NotImplementedError("clip_gradients")


# %% [markdown]
# ## A small start
# Draw every weight of the linear layers and of the embeddings from a normal distribution with mean 0 and a standard
# deviation of 0.02, and set the biases to 0. Leave everything else alone: a layer norm begins with scale 1 and shift 0,
# and needs nothing.
#
# **Why?** torch starts an embedding at N(0, 1). Adam moves a number by about the learning rate in each step, so 600
# steps of 0.0001 move it by at most 0.06: such a table remains the noise that was drawn. From 0.02 the same steps can
# move it by three standard deviations. A small start also keeps the first answers modest. If the output layer is the
# table itself, as in chapter 9, a table of N(0, 1) gives logits in the tens, and at width 128 the first loss is nearly
# twenty times that of a guess.


# %% exercise="small_start"
def small_start(model: nn.Module, std: float = 0.02) -> None:
    """Draw new weights for all linear layers and embeddings, in place.

    For every `nn.Linear` and `nn.Embedding`, their subclasses included, however deep in the model, draw every number
    of `weight` by itself from a normal distribution with mean 0 and standard deviation `std`. The bias of an
    `nn.Linear`, if it has one, becomes 0. All other layers and parameters, such as layer norms, stay as they are, and
    `requires_grad` does not change.

    Source: Radford et al. 2018, section 4.1.
    """
    # TODO: small_start (attend hint small_start)
    raise NotImplementedError("small_start")


# %% [markdown]
# ## What did it look at?
# The model has run. In chapter 1 you chose by hand which earlier word may vote; a trained head chooses by itself, and
# its weights say how. The shortest answer to "what did you look at?" is one word for each word: the one with the
# largest weight.
#
# | | the | battery | ran | attends most to |
# |---|---|---|---|---|
# | the | **1** | 0 | 0 | the |
# | battery | **.5** | **.5** | 0 | the, which comes first |
# | ran | .1 | **.8** | .1 | battery |


# %% exercise="attended_word"
def attended_word(weights: torch.Tensor, words: list[str]) -> list[str]:
    """Return, for each word, the word that it attends to most.

    Args:
        weights: (T, T) of one head, a row for each query; entry [t, s] is how much word t attends to word s.
        words: the T words of the text.

    Returns:
        T words; if several have the same weight, the one that comes first in the text.
    """
    # TODO: attended_word (attend hint attended_word)
    raise NotImplementedError("attended_word")


# %% [markdown]
# ## Five models from your own pieces
# From here on you build models and train them. Each of the last five functions returns a model that has learned
# nothing yet. `attend train NAME` (in a notebook `%train NAME`) builds it, trains it in seconds to minutes, draws what
# it has learned on a page of its own, `capstones/NAME.html`, and saves the trained numbers in
# `capstones/NAME.safetensors`. Hand that file in together with this one: your grade depends on how the trained model
# does on examples that it has not learned from.
#
# **Your pieces.** `mine.Transformer` is *your* `Transformer` of chapter 8 if it has passed, built from your own blocks
# of chapters 5 and 6 if those have; a piece that has not passed yet is the course's. The loop that trains it is your
# own `fit` of chapter 16, once that has passed. Training says whose each piece is. In grading it is always the
# course's, which computes the same as an answer that has passed.
#
# **The baseline.** A number says little by itself. Beside each result is what attention has to beat: counting words,
# counting characters, the nearest of all pictures, or the same model without positions. Full points need more than the
# best of them.
#
# **The design is yours.** The text fixes what goes in and what comes out. You choose widths, heads, blocks, dropout,
# and what stands around the given classes, within a budget: so many parameters, which are graded, and so many seconds
# of training on two idle cores, which are not. How many steps a training takes, and from which batches, is given.
#
# | `attend train` | it learns to | goals | best baseline | parameters | seconds |
# |---|---|---|---|---|---|
# | `reverse` | write up to eight digits backwards | .90, .98 without a mistake | .146, copying | 100,000 | 30 |
# | `markov` | find the mask of chapter 1 | every test sentence | .134, any word | 10,000 | 30 |
# | `sentiment` | tell praise from blame | .78, .83 right | .828, counting words | 1,000,000 | 60 |
# | `shakespeare` | write like the plays | loss 2.3, 2.0, honours 1.9 | 2.078, counting triples | 2,000,000 | 180 |
# | `digits` | read handwritten digits | .93, .98 right | .978, the nearest picture | 250,000 | 60 |
#
# **How to find a design.** Begin with the smallest that could do it, train it, and look at its page. If the training
# loss is still high, the model wants more width, or another block. If it is low and the held-out score is poor, the
# model learns by heart: try more dropout, or a smaller one. Change one thing at a time, and train twice before you
# believe a difference of one in a hundred: another seed alone moves a score that far.

# %% [markdown]
# ## Reverse a string
# This is the model of chapter 8 on the smallest language that needs all of it: it reads `3 1 4` and writes `4 1 3`.
# Every digit that it writes comes from one place in the source. So the page counts how often each head of the
# cross-attention looks there most, and draws the best one: the rule is a diagonal.
#
# **Ids.** 0 is padding, 1 begins a text, 2 ends it, and the digits 0 to 9 are 3 to 12: 13 words in both languages.
# Texts have up to 8 digits, so a target with its end has up to 9 tokens.
#
# **The design.** Every example is new, so there is nothing to overfit to. How many heads does a rule need that looks at
# one place at a time? And how many blocks?


# %% exercise="build_reverse"
def build_reverse() -> nn.Module:
    """Build a sequence-to-sequence model for `attend train reverse`, untrained.

    Returns:
        A module with the call of `mine.Transformer`: `model(source (B, S), target_in (B, T))` gives logits
        (B, T, 13), which padding after a source does not change. Ids: 0 padding, 1 begin, 2 end, 3 to 12 the
        digits. `greedy_decode` of chapter 8 also needs the halves of that call, `encode(source)` and
        `decode(target_in, memory, source)`, and the attribute `pad_id`, which is 0. At most 100,000 parameters.
    """
    # TODO: build_reverse (attend hint build_reverse)
    raise NotImplementedError("build_reverse")


# %% [markdown]
# ## The mask of chapter 1, found by training
# In chapter 1 you wrote a mask by hand: after *ran*, listen only to *battery* and *program*. Now a single head of
# attention reads sentences such as *check the battery log and find out whether it ran*, with words left out and
# shuffled, and learns to say what comes after *ran*. Then we ask it where *ran* looks.
#
# **The model.** A vector for each word, as wide as you like; one head of attention in which no word sees the ones after
# it; a sum of the word's own vector and what the head gives; a linear layer that turns the sum into logits. No
# positions: *battery* means the same wherever it is. The model returns the weights beside the logits, because both are
# graded: *ran* must look most at the mask's word in every test sentence, and the word after it must be right in 95 % of
# them.
#
# **Two details.** Id 0 is padding and comes in front of shorter sentences. You may leave it visible, because the model
# learns to ignore it, or hide it. And start the table small, as chapter 2 does, but only the table (see `small_start`),
# or the first hundred steps are lost.
#
# Shapes: ids `(B, T)` → logits `(B, T, V)` and weights `(B, T, T)`, each row with sum 1 (or 0, where you hide padding
# and nothing else is left to see), nothing above the diagonal.


# %% exercise="build_markov"
def build_markov(vocab_size: int) -> nn.Module:
    """Build a reader with one head of causal attention and no positions, for `attend train markov`, untrained.

    Args:
        vocab_size: V.

    Returns:
        A module of at most 10,000 parameters: `model(ids (B, T))` gives a pair, logits (B, T, V) and weights (B, T, T).
    """
    # TODO: build_markov (attend hint build_markov)
    raise NotImplementedError("build_markov")


# %% [markdown]
# ## Liked or not
# The classifier of chapter 7 learns from 2,400 sentences of product, film and restaurant reviews. It is a hard task:
# the sentences are short and few, and counting words (naive Bayes) judges 82.8 % of the others correctly. With full
# points you have beaten it.
#
# **The design.** In 900 steps of 64 sentences, a single classifier of chapter 7 sees each one two dozen times, learns
# them by heart, and ends below counting. Which mistakes it makes depends on its first random numbers. Several that make
# different mistakes are steadier together than each of them alone, as long as they learn apart: if all of them answered
# every batch together, they would become one large model. So in a `Committee`, a member drawn at random learns from
# each batch, and when the committee is asked, the mean of all logits answers (Breiman 1996, "Bagging Predictors").
#
# How many members, and how large? Each of them sees only its share of the batches.
#
# **More data.** `attend train sentiment --data imdb` learns from IMDB's 25,000 long reviews instead, as the lecture
# does, where 0.8522 is the number to compare with. It fetches them first (80 MB).
#
# **Texts** are the last 40 words of a sentence, or the last 200 of an IMDB review, padded in front with id 0; id 1 is
# an unknown word. In training it replaces three words in ten: a model that cannot learn sentences by heart has to learn
# what words mean.


# %%
class Committee(nn.Module):
    """Models that learn each by itself and answer together."""

    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, x):
        if self.training:
            return self.members[int(torch.randint(len(self.members), ()))](x)
        return torch.stack([member(x) for member in self.members]).mean(dim=0)


# %% exercise="build_sentiment"
def build_sentiment(vocab_size: int) -> nn.Module:
    """Build a classifier for `attend train sentiment`, untrained.

    Args:
        vocab_size: V.

    Returns:
        A module: `model(ids (B, T))` gives logits (B,), for T up to 200. With the 4,000 words of the sentences it has
        at most 1,000,000 parameters.
    """
    # TODO: build_sentiment (attend hint build_sentiment)
    raise NotImplementedError("build_sentiment")


# %% [markdown]
# ## Shakespeare
# The GPT of chapter 9 reads nine tenths of 1.1 million characters of Shakespeare's plays, one by one: 65 different
# characters, texts of 64. Your grade depends on the loss on the last tenth, in nats per character. ln 65 = 4.17 is
# knowing nothing; counting pairs of characters gives 2.55, counting triples 2.078. With full points you have beaten
# both.
#
# **The design.** It takes 1,500 steps of 12 texts, about one pass over the plays: it hardly sees a text twice, so what
# does dropout do for it? A larger model learns more per step, and takes longer: the seconds are the budget here.


# %% exercise="build_shakespeare"
def build_shakespeare(vocab_size: int) -> nn.Module:
    """Build a language model of characters for `attend train shakespeare`, untrained.

    Args:
        vocab_size: V, the number of characters.

    Returns:
        A module that answers like `mine.CausalLM`: `model(ids (B, T))` gives logits (B, T, V), for T up to 64, and the
        module has the attribute `max_length`, the longest T that it reads. It has at most 2,000,000 parameters.
    """
    # TODO: build_shakespeare (attend hint build_shakespeare)
    raise NotImplementedError("build_shakespeare")


# %% [markdown]
# ## Digits
# The Vision Transformer of chapter 11 learns from 1,437 handwritten digits of 8 × 8 pixels. Cut into patches of 4 × 4,
# a digit is a sentence of four words, and only positions say which quarter of the picture a word shows. The page has
# the model without positions beside yours: a quarter of a digit gives away a lot. With patches of 2 × 2 the difference
# is much larger (chapter 11).
#
# **The baseline** is hard to beat: the label of the nearest training picture is right in 97.8 % of the cases. With full
# points you have beaten it.
#
# **More pictures.** 1,437 are few for a model that knows nothing of space. So training never shows the same picture
# twice: it turns each by up to 6 degrees, stretches it by up to 7 %, and moves it by less than half a pixel. A digit
# stays the same digit, and the model has to learn that.
#
# **The design.** Which patches fit into 8 × 8? What does a second block see that the first one does not? And what made
# the sentences steadier works here too.


# %% exercise="build_digits"
def build_digits() -> nn.Module:
    """Build a reader of handwritten digits for `attend train digits`, untrained.

    Returns:
        A module of at most 250,000 parameters: `model(images (B, 1, 8, 8))`, numbers from 0 to 1, gives logits
        (B, 10).
    """
    # TODO: build_digits (attend hint build_digits)
    raise NotImplementedError("build_digits")


# %% [markdown]
# ## See it run
# The smallest of the five, from your own pieces, in a few seconds: the mask of chapter 1, found by training. For the
# same with a page, samples and a file to hand in, run `attend train markov`; then come `reverse`, `sentiment`,
# `shakespeare` and `digits`.

# %%
if __name__ == "__main__":
    import random

    mine("build_markov", "clip_gradients", "attended_word")
    vocab = ["<pad>", *sorted("and battery check down find it log out please program ran the whether".split())]
    torch.manual_seed(1)
    dice = random.Random(1)
    model = mine.build_markov(len(vocab))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(200):
        sentences, goals = [], []
        for _ in range(32):
            words = dice.sample("check the log and find out whether it".split(), 5)
            subject = dice.choice(["battery", "program"])
            words.insert(dice.randrange(6), subject)
            sentences.append([vocab.index(word) for word in [*words, "ran"]])
            goals.append(vocab.index("down" if subject == "battery" else "please"))
        logits, _ = model(torch.tensor(sentences))
        loss = nn.functional.cross_entropy(logits[:, -1], torch.tensor(goals))
        optimizer.zero_grad()
        loss.backward()
        mine.clip_gradients(list(model.parameters()), 1.0)
        optimizer.step()
        losses.append(loss.item())
    sentence = "check the program log and find out whether it ran".split()
    with torch.no_grad():
        weights = model(torch.tensor([[vocab.index(word) for word in sentence]]))[1][0]
    mine.curve({"loss": losses[::10]}, x="steps / 10", y="loss").show()
    print(f"ran looks most at {mine.attended_word(weights, sentence)[-1]}: {weights[-1].max():.2f} of its weight")
    mine.lines(weights, sentence, title="what each word looks at").show()

# %% [markdown]
# *ran* gives about .99 of its weight to *program*, and no one told it to. The batches matter: with 32 sentences a step,
# 18 of 20 seeds end like this, and two stay near .35; with one sentence a step and twice as many steps it is 6 of 12
# seeds. The gradient of one sentence alone is a noisy guide.
#
# ## What you have now
# You have models trained from your own functions, each with a number beside a baseline. From here the way is open:
# another text for the language model, another alphabet, your own sentences. The pieces will not change much; the
# amount of text and patience will.
