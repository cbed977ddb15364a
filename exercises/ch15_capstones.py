# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch15` checks it.

# %% [markdown]
# # Chapter 15 · Capstones
#
# **You have written attention, blocks and whole models, and every one of them passed. None has read a sentence yet.
# What is missing between a model that is right and a model that runs?**
#
# Less than you may think, but more than nothing. A model reads numbers, and a text is not numbers. It starts at
# random, and there are good and bad ways to be random. It learns in steps, and the first steps, the last steps and
# one unlucky step in between each want their own length. Five small tools stand between the model and the run:
#
# | between the model and the run | without it |
# |---|---|
# | text to ids and back | there is nothing to read |
# | pieces of words | every rare word is `<unk>` |
# | a learning rate for each step | it diverges at the start, or never settles at the end |
# | a limit for the gradients | one bad batch undoes an hour of learning |
# | a small start | it spends that hour forgetting random numbers |
#
# And when it has run: a way to ask it what it looked at.
#
# **A baseline first.** The simplest model of a text does not read it at all. It counts: a review with two
# "wonderful" and no "boring" is a good one. This *bag of words* forgets the order, so "not good, but never boring"
# and "not boring, but never good" are the same bag, yet with few texts to learn from it is hard to beat.
#
# | a model that | knows the order of words | knows that words change each other |
# |---|---|---|
# | counts words | no | no |
# | counts pairs of neighbours | within a pair | within a pair |
# | attends, with positions | yes | yes, at any distance |
#
# A rule of thumb says when the last row pays: once you have more than 1,500 times as many texts as a text has words
# (Chollet 2021, chapter 11). The 25,000 reviews of chapter 7 have some 230 words each: there are only about a hundred
# times as many, and counting does well on them. A model with attention earns its parameters where the order matters:
# only a result that beats the counting says that the attention does something.
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
# **What.** The vocabulary is a list, and a word's id is its place in it. Two places are taken before any word comes:
# `<pad>` fills up short texts, `<unk>` stands for every word that is not in the list. Then come the words, the most
# frequent one first.
#
# **Why a limit?** About half of the distinct words of a large collection occur once. A vector that is trained on a
# single sentence has learned nothing, and costs as much as any other. So the list ends after `size` entries, the two
# special ones included.
#
# **What is a word?** Anything that `re.findall(r"[a-z']+", text.lower())` finds: letters from a to z and apostrophes.
# `"Don't stop!"` gives `don't` and `stop`; punctuation, digits and hyphens separate words.
#
# **Ties.** Words that occur equally often stand in the order of the alphabet, as `sorted` gives it. Without such a
# rule the ids would depend on the order of the texts, and a trained table would be useless with another list.
#
# The reviews of chapter 7 come with such a list as well, but their first ids mean something else. A word's id there
# is its rank plus 3:
#
# | id | the reviews of chapter 7 | your vocabulary |
# |---|---|---|
# | 0 | padding | `<pad>` |
# | 1 | a review begins | `<unk>` |
# | 2 | an unknown word | the most frequent word |
# | 3 | not used | the second |
# | 4 | the most frequent word, rank 1 | the third |
#
# A model that was trained with one table and is asked with the other raises no error. It answers about other words.


# %% exercise="word_vocabulary"
def word_vocabulary(texts: list[str], size: int) -> list[str]:
    """The two special entries and the most frequent words of all texts.

    A word is what `re.findall(r"[a-z']+", text.lower())` finds.

    Args:
        texts: any texts; one may be empty.
        size: how many entries there are at most, `"<pad>"` and `"<unk>"` included; at least 2.

    Returns:
        `"<pad>"`, `"<unk>"`, then the words, the most frequent first; of words that occur equally often the one that
        sorts first. Fewer than `size` entries where the texts have fewer words.
    """
    # TODO: word_vocabulary (attend hint word_vocabulary)
    raise NotImplementedError("word_vocabulary")


# %% [markdown]
# With the list, encoding is looking up. Every word becomes one id, and an unknown word becomes the id of `<unk>`: a
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
    """The ids of the words of a text.

    A word is what `re.findall(r"[a-z']+", text.lower())` finds.

    Args:
        text: any text; it may be empty.
        vocabulary: as `word_vocabulary` gives it; a word's id is its place.

    Returns:
        An id for each word, that of `"<unk>"` for a word that the vocabulary does not have.
    """
    # TODO: encode_text (attend hint encode_text)
    raise NotImplementedError("encode_text")


# %% [markdown]
# And back: the words with a space between them. Padding was never said, so it is left out; `<unk>` was said, and
# stays, as a reminder of what the model did not see. Capitals and punctuation are lost for good. Always read a few of
# your encoded texts this way before you train on them: it takes a minute, and it is how the mistake with the ids of
# chapter 7 is found.


# %% exercise="decode_ids"
def decode_ids(ids: list[int], vocabulary: list[str]) -> str:
    """The words of these ids, joined by single spaces.

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
# again and again make one symbol of the two that stand side by side most often. Frequent words end as one symbol,
# rare ones as a few pieces, and nothing is unknown.
#
# Take three words, `read` four times, `reader` three times and `leader` twice, and learn four merges by hand:
#
# | learnt | how often | read (4) | reader (3) | leader (2) |
# |---|---|---|---|---|
# | | | r e a d | r e a d e r | l e a d e r |
# | a d | 9 | r e ad | r e ad e r | l e ad e r |
# | e ad | 9 | r ead | r ead e r | l ead e r |
# | r ead | 7 | read | read e r | l ead e r |
# | e r | 5 | read | read er | l ead er |
#
# In the first row `e a` stands side by side nine times too; of equally frequent pairs take the one that sorts first.
# And see what came out, without any grammar: a verb, and the ending that makes a person of it. `bread`, which was
# never seen, becomes `b read`.
#
# **Where.** Sennrich, Haddow and Birch 2016, "Neural Machine Translation of Rare Words with Subword Units", section
# 3.2 and algorithm 1 (arXiv 1508.07909). They mark the end of each word with a symbol of its own, and GPT works on
# bytes; both are left out here.
#
# The first tool makes one merge in one word, from left to right, and a symbol that has been used is used up:
# `a a a` with the pair (a, a) becomes `aa a`.


# %% exercise="merge_pair"
def merge_pair(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Join the two symbols of `pair` wherever they stand side by side, in this order.

    From the left; a symbol that has been joined is not joined again.

    Args:
        symbols: a word's symbols, each of one or more letters.
        pair: the left and the right symbol.

    Returns:
        The word's symbols after that; `symbols` itself may be returned where nothing is joined.

    Source: Sennrich et al. 2016, algorithm 1, `merge_vocab`.
    """
    # TODO: merge_pair (attend hint merge_pair)
    raise NotImplementedError("merge_pair")


# %% [markdown]
# Learning is counting and merging in turns. Each occurrence of a word counts, so a pair in `read` counts four times.
# Any two neighbours are a pair: `a a a` has (a, a) twice, though only one of them can be merged. After every merge
# count again, since the neighbours have changed.


# %% exercise="learn_merges"
def learn_merges(words: dict[str, int], count: int) -> list[tuple[str, str]]:
    """The pairs that byte pair encoding learns, the first one first.

    Begin with each word as a row of letters. In every round count all pairs of neighbours within the words, overlapping
    ones too, each as often as its word occurs; the pair with the largest count is learnt and merged in all words
    (`merge_pair`). Of equally frequent pairs it is the one that sorts first.

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
# A new word is cut up by the same merges, in the order in which they were learnt. The order matters. With (a, b)
# before (b, c), `a b c` becomes `ab c`; the other way round it becomes `a bc`, and the model would see a symbol that
# it hardly met while it learned.


# %% exercise="apply_merges"
def apply_merges(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """The pieces of a word.

    Args:
        word: any word; it may be one that was never seen, or empty.
        merges: as `learn_merges` gives them; each is applied once to the whole word, the first one first.

    Returns:
        Pieces that make up the word when they are joined.

    Source: Sennrich et al. 2016, section 3.2.
    """
    # TODO: apply_merges (attend hint apply_merges)
    raise NotImplementedError("apply_merges")


# %% [markdown]
# ## How long a step?
# **What.** A learning rate for every step. It rises evenly during `warmup` steps to its `peak`, then falls along half
# a cosine to its `floor`, which it reaches at step `total` and keeps.
#
# **Why rise?** Adam divides by a running average that has seen almost nothing in the first steps: they go in nearly
# random directions, and should be short. **Why fall?** At the end the model circles around a good place, and only
# shorter steps come nearer. The cosine is flat at both ends: it stays long near the peak, and ends gently.
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
# Steps are counted from 0. So that the first step is not wasted on a rate of 0, the rise gives it one part of
# `warmup`: `peak * (step + 1) / warmup`. For a warm-up of 4 steps to a peak of 1, and 12 steps to a floor of 0:
#
# | step | 0 | 1 | 2 | 3 | 4 | 6 | 8 | 10 | 12 | 20 |
# |---|---|---|---|---|---|---|---|---|---|---|
# | rate | .25 | .5 | .75 | 1 | 1 | .854 | .5 | .146 | 0 | 0 |
#
# **Where.** The cosine: Loshchilov and Hutter 2017, "SGDR", equation 5 (arXiv 1608.03983). The warm-up: Vaswani et al.
# 2017, section 5.3.


# %% exercise="learning_rate"
def learning_rate(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    """The learning rate of a step: up in a straight line, down along half a cosine, then flat.

    Args:
        step: counted from 0.
        warmup: how many steps rise; 0 for none. Step s of them has `peak * (s + 1) / warmup`.
        total: at step `total` the rate has come down to `floor`; more than `warmup`. The half cosine begins with `peak`
            at step `warmup`.
        peak, floor: the largest rate and the last one.

    Source: Loshchilov and Hutter 2017, eq. 5; Vaswani et al. 2017, section 5.3, for the warm-up.
    """
    # TODO: learning_rate (attend hint learning_rate)
    raise NotImplementedError("learning_rate")


# %% [markdown]
# ## A limit for the gradients
# **What.** All gradients of a model, written one after the other, are one long vector. Where that vector is longer
# than `limit`, shorten it to `limit`: every gradient is multiplied by the same factor.
#
# **Why not each by itself?** Then the long ones would be shortened and the short ones not, and the step would go in
# another direction. With one factor for all, the direction stays.
#
# With two parameters whose gradients are (3, 0) and (0, 4), the norm is 5. A limit of 1 multiplies both by 1/5. A limit
# of 10 changes nothing: gradients are never made longer.
#
# **In place.** The optimizer reads `parameter.grad`, so that is where the shorter gradient must be. Some parameters
# have none: a frozen layer's `grad` is `None`. And what is returned is the norm *before*: print it while you train,
# and you will see the bad batch come.
#
# **Where.** Pascanu, Mikolov and Bengio 2013, "On the difficulty of training recurrent neural networks", algorithm 1
# (arXiv 1211.5063). They invented it for recurrent networks, and it has stayed.


# %% exercise="clip_gradients"
def clip_gradients(parameters: Iterable[nn.Parameter], limit: float) -> float:
    """Scale all gradients by one factor, so that their norm together is at most `limit`.

    Args:
        parameters: such as `model.parameters()`, which can be gone through only once; a list does as well. Their
            `grad` is changed where the norm is larger than `limit`: it is multiplied by `limit / norm`. Parameters
            whose `grad` is None are passed over.
        limit: above 0.

    Returns:
        The norm of all gradients together before they were scaled, as a Python float.

    Source: Pascanu et al. 2013, algorithm 1.
    """
    # TODO: clip_gradients (attend hint clip_gradients)
    raise NotImplementedError("clip_gradients")


# %% [markdown]
# ## A small start
# **What.** Draw every weight of the linear layers and of the embeddings from a normal distribution with mean 0 and a
# standard deviation of 0.02, and set the biases to 0. Leave everything else alone: a layer norm begins with scale 1
# and shift 0, and needs nothing.
#
# **Why?** torch starts an embedding at N(0, 1). Adam moves a number by about the learning rate in each step, so 600
# steps of 0.0001 move it by 0.06 at most: such a table stays what it was drawn as, noise. From 0.02 the same steps
# move it by three standard deviations. It also keeps the first answers modest: where the output layer is the table
# itself, as in chapter 9, a table of N(0, 1) gives logits in the tens, and the first loss is twenty times that of a
# guess.
#
# **Where.** Radford et al. 2018, section 4.1, with N(0, 0.02); Devlin et al. 2019 begin BERT in the same way.


# %% exercise="small_start"
def small_start(model: nn.Module, std: float = 0.02) -> None:
    """Draw the weights of all linear layers and embeddings anew, in place.

    Every `nn.Linear` and `nn.Embedding`, however deep in the model: its `weight` from a normal distribution with mean 0
    and standard deviation `std`. The bias of an `nn.Linear`, where it has one, becomes 0. All other layers and
    parameters, such as layer norms, stay as they are, and what learned before goes on learning.

    Source: Radford et al. 2018, section 4.1.
    """
    # TODO: small_start (attend hint small_start)
    raise NotImplementedError("small_start")


# %% [markdown]
# ## What did it look at?
# The model has run. Chapter 1 chose by hand which earlier word may vote; a trained head chooses by itself, and its
# weights say how. The shortest answer to "what did you look at?" is one word for each word: the one with the largest
# weight.
#
# | | the | battery | ran | attends most to |
# |---|---|---|---|---|
# | the | **1** | 0 | 0 | the |
# | battery | **.5** | **.5** | 0 | the, which comes first |
# | ran | .1 | **.8** | .1 | battery |


# %% exercise="attended_word"
def attended_word(weights: torch.Tensor, words: list[str]) -> list[str]:
    """For each word, the word that it attends to most.

    Args:
        weights: (T, T) of one head, a row for each query; entry [t, s] is how much word t attends to word s.
        words: the T words of the text.

    Returns:
        T words; of several with the same weight the one that comes first in the text.
    """
    # TODO: attended_word (attend hint attended_word)
    raise NotImplementedError("attended_word")


# %% [markdown]
# ## Five models of your own pieces
# **What.** From here on you build models and train them. Each of the next five functions returns a model that has
# learned nothing yet. `attend train NAME` (in a notebook `%train NAME`) builds it, trains it in seconds to minutes,
# draws what it has learned on a page of its own, `capstones/NAME.html`, and keeps the trained numbers in
# `capstones/NAME.safetensors`. Hand that file in together with this one: what is graded is how the trained model does
# on examples that nothing was learned from.
#
# **Your pieces.** `mine.Transformer` is *your* `Transformer` of chapter 8 where it has passed, built of your own
# blocks of chapters 5 and 6 where those have; where something has not passed yet, it is the course's. Training says
# whose each piece is. In grading it is always the course's, which computes the same as an answer that has passed.
#
# **The baseline.** A number says little by itself. Beside each result stands what attention has to beat: counting
# words, counting characters, the mean of all pictures, or the same model without positions.
#
# | `attend train` | it learns to | build | goals |
# |---|---|---|---|
# | `reverse` | write up to eight digits backwards | `build_reverse` | .90, .98 without a mistake |
# | `markov` | find the mask of chapter 1 | `build_markov` | every test sentence |
# | `sentiment` | tell praise from blame | `build_sentiment` | .78, .81 right |
# | `shakespeare` | write like the plays, character by character | `build_shakespeare` | loss 2.3, 2.1, honours 1.9 |
# | `digits` | read handwritten digits | `build_digits` | .93, .96 right |

# %% [markdown]
# ## Reverse a string
# **What.** The model of chapter 8 on the smallest language that needs all of it: it reads `3 1 4` and writes
# `4 1 3`. Every digit that is written has one place in the source that it comes from, so a picture of the
# cross-attention shows at a glance whether it has learned the rule: a diagonal.
#
# **Ids.** 0 is padding, 1 begins a text, 2 ends it, and the digits 0 to 9 are 3 to 12: 13 words in both languages.
# Texts have up to 8 digits, so a target with its end has up to 9 tokens.
#
# **How large?** One block of width 32 with 4 heads and 64 hidden units learns it in half a minute. Larger models
# learn it too, and longer. Switch dropout off: there is nothing to overfit to, as every example is new.


# %% exercise="build_reverse"
def build_reverse() -> nn.Module:
    """A sequence-to-sequence model for `attend train reverse`, not trained.

    Returns:
        A module that is called as `mine.Transformer` is: `model(source (B, S), target_in (B, T))` gives logits
        (B, T, 13), which padding behind a source does not change. Ids: 0 padding, 1 begin, 2 end, 3 to 12 the
        digits. `greedy_decode` of chapter 8 also needs its halves `encode` and `decode`, and `pad_id`, which is 0.
    """
    # TODO: build_reverse (attend hint build_reverse)
    raise NotImplementedError("build_reverse")


# %% [markdown]
# ## The mask of chapter 1, found by training
# **What.** In chapter 1 you were given a mask: after *ran*, listen to *battery* and *program* alone. Here you do not
# write it down. A single head of attention reads sentences such as *check the battery log and find out whether it
# ran*, with words left out and shuffled, and learns to say what comes after *ran*. Then we ask it where *ran* looks.
#
# **The model.** A vector for each word; one head of attention in which no word sees the ones after it; what it heard
# is added to the word's own vector; a linear layer makes logits of the sum. No positions: *battery* means the same
# wherever it stands. It returns the weights beside the logits, for they are what is graded.
#
# **Two details.** Id 0 is padding and stands in front of shorter sentences. It may be looked at, as it learns to be
# uninteresting; or hide it. And start the table small, as chapter 2 does, or the first hundred steps are lost.
#
# **Shapes.** ids `(B, T)` → logits `(B, T, V)` and weights `(B, T, T)`, each row with sum 1, nothing above the
# diagonal.


# %% exercise="build_markov"
def build_markov(vocab_size: int) -> nn.Module:
    """A reader with one head of causal attention and no positions, for `attend train markov`, not trained.

    Args:
        vocab_size: V.

    Returns:
        A module: `model(ids (B, T))` gives a pair, logits (B, T, V) and weights (B, T, T).
    """
    # TODO: build_markov (attend hint build_markov)
    raise NotImplementedError("build_markov")


# %% [markdown]
# ## Liked or not
# **What.** The classifier of chapter 7, on 2,400 sentences of product, film and restaurant reviews. It is a hard
# school: the sentences are short and few, and counting words does nearly as well. That is worth knowing. Attention
# earns its keep where there is much text to learn from, or where the order of words decides.
#
# **More data.** `attend train sentiment --data imdb` learns from IMDB's 25,000 long reviews instead, as the lecture
# does, where 0.8522 is the number to compare with. It fetches them first (80 MB).
#
# **Texts** are the last 200 words at most, padded in front with id 0; id 1 is an unknown word. While it learns, three
# words in ten are replaced by it: a model that cannot learn sentences by heart has to learn what words mean.


# %% exercise="build_sentiment"
def build_sentiment(vocab_size: int) -> nn.Module:
    """A classifier for `attend train sentiment`, not trained.

    Args:
        vocab_size: V.

    Returns:
        A module: `model(ids (B, T))` gives logits (B,), for T up to 200.
    """
    # TODO: build_sentiment (attend hint build_sentiment)
    raise NotImplementedError("build_sentiment")


# %% [markdown]
# ## Shakespeare
# **What.** The GPT of chapter 9, on nine tenths of Shakespeare's plays, character by character: 65 characters, texts
# of 64. What is graded is the loss on the last tenth, in nats per character. Counting pairs of characters comes to
# about 2.55; ln 65 = 4.17 is knowing nothing.
#
# **How large?** 4 blocks of width 128 with 4 heads and 512 hidden units are 0.8 million parameters, and two to three
# minutes on two cores. A larger model learns more per step and takes fewer steps per minute. No dropout: in a few
# minutes it never sees a text twice.


# %% exercise="build_shakespeare"
def build_shakespeare(vocab_size: int) -> nn.Module:
    """A language model of characters for `attend train shakespeare`, not trained.

    Args:
        vocab_size: V, the number of characters.

    Returns:
        A module that answers as `mine.CausalLM` does: `model(ids (B, T))` gives logits (B, T, V), for T up to 64, and
        has `max_length`.
    """
    # TODO: build_shakespeare (attend hint build_shakespeare)
    raise NotImplementedError("build_shakespeare")


# %% [markdown]
# ## Digits
# **What.** The Vision Transformer of chapter 11 on 1,437 handwritten digits of 8 × 8 pixels. Cut into patches of
# 4 × 4 a digit is a sentence of four words, and positions are nearly all there is to tell a 6 from a 9: the page
# shows what becomes of the model without them.
#
# **How large?** Width 32, 4 heads, 64 hidden units and 2 blocks read 96 of 100 after a few seconds.


# %% exercise="build_digits"
def build_digits() -> nn.Module:
    """A reader of handwritten digits for `attend train digits`, not trained.

    Returns:
        A module: `model(images (B, 1, 8, 8))`, numbers from 0 to 1, gives logits (B, 10).
    """
    # TODO: build_digits (attend hint build_digits)
    raise NotImplementedError("build_digits")


# %% [markdown]
# ## See it run
# The smallest of the five, from your own pieces, in a few seconds: the mask of chapter 1, found by training. The same
# with a page, samples and a file to hand in is `attend train markov`; then come `reverse`, `sentiment`, `shakespeare`
# and `digits`.

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
    for _ in range(400):
        words = dice.sample("check the log and find out whether it".split(), 5)
        subject = dice.choice(["battery", "program"])
        words.insert(dice.randrange(6), subject)
        logits, _ = model(torch.tensor([[vocab.index(word) for word in [*words, "ran"]]]))
        goal = torch.tensor([vocab.index("down" if subject == "battery" else "please")])
        loss = nn.functional.cross_entropy(logits[:, -1], goal)
        optimizer.zero_grad()
        loss.backward()
        mine.clip_gradients(list(model.parameters()), 1.0)
        optimizer.step()
        losses.append(loss.item())
    sentence = "check the program log and find out whether it ran".split()
    with torch.no_grad():
        weights = model(torch.tensor([[vocab.index(word) for word in sentence]]))[1][0]
    mine.curve({"loss": losses[::20]}, x="steps / 20", y="loss").show()
    print(f"ran looks most at {mine.attended_word(weights, sentence)[-1]}")
    mine.lines(weights, sentence, title="who looks at whom").show()

# %% [markdown]
# ## What you have now
# Models that were trained from your own functions, each with a number beside a baseline. From here the way is open:
# another text for the language model, another alphabet, your own sentences. The pieces will not change much; the
# amount of text and patience will.
