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
    ### BEGIN SOLUTION
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]
    ### END SOLUTION


# %% [markdown] hints="word_vocabulary" difficulty=2 minutes=10
# 1. Count every word of every text first. By which two things do you then sort, and in which direction does each go?
# 2. A `Counter` counts. Sort its words by the pair (minus the count, the word): Python compares pairs from the left,
#    so the word decides only where the counts are equal. How many words fit beside the two special entries?
# 3. `counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))`, then
#    `words = sorted(counts, key=lambda word: (-counts[word], word))`; return the two special entries and
#    `words[: size - 2]`.

# %% [markdown] debrief="word_vocabulary"
# A vocabulary is the first decision about a model, and it is made before there is one: what is not in it cannot be read
# or said. The word2vec models kept three million entries; today's use pieces of words instead, which is where this
# section goes next.
# Read: [Maas et al. 2011](https://aclanthology.org/P11-1015/) on the reviews whose most frequent words chapter 7 uses.

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
    ### BEGIN SOLUTION
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in re.findall(r"[a-z']+", text.lower())]
    ### END SOLUTION


# %% [markdown] hints="encode_text" difficulty=1 minutes=5
# 1. Cut the text into words exactly as `word_vocabulary` did. What do you look a word up in, and what if it is not
#    there?
# 2. Make a dictionary from word to place once. Its method `get` takes a second argument: the answer for a key that is
#    missing.
# 3. `number = {word: place for place, word in enumerate(vocabulary)}`, then `number.get(word, number["<unk>"])` for
#    each word of `re.findall(r"[a-z']+", text.lower())`.

# %% [markdown] debrief="encode_text"
# Everything a model knows of a text passes through this function. Train with one vocabulary and predict with another,
# and no error is raised: the model reads other words. That is why tokenizers are saved beside the weights.
# Read: the files of any published model: `tokenizer.json` lies next to `model.safetensors`.

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
    ### BEGIN SOLUTION
    words = [vocabulary[number] for number in ids]
    return " ".join(word for word in words if word != "<pad>")
    ### END SOLUTION


# %% [markdown] hints="decode_ids" difficulty=1 minutes=5
# 1. An id is a place in a list. Which entry must not appear in the text, and which string method puts the rest
#    together?
# 2. Look every id up, leave `"<pad>"` out, and join with a space: no space comes before the first or after the last
#    word.
# 3. `" ".join(word for word in words if word != "<pad>")`, with `words = [vocabulary[number] for number in ids]`.

# %% [markdown] debrief="decode_ids"
# This is the last step of every answer a language model gives. What goes in does not come out unchanged here: capitals
# and commas are lost on the way in. Tokenizers of bytes lose nothing, which is why GPT-2 was built on one.
# Read: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.2.

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
    ### BEGIN SOLUTION
    merged, place = [], 0
    while place < len(symbols):
        taken = 2 if symbols[place : place + 2] == pair else 1
        merged.append("".join(symbols[place : place + taken]))
        place += taken
    return tuple(merged)
    ### END SOLUTION


# %% [markdown] hints="merge_pair" difficulty=2 minutes=10
# 1. Read `a a a` with a finger, and the pair is (a, a). Where does the finger go after it has found a pair?
# 2. Walk with `while` and a place of your own: two places further where the pair stands, one place further where it
#    does not. `"ab"` can be the symbols `a b` or the one symbol `ab`, so do not search in the joined word.
# 3. `taken = 2 if symbols[place : place + 2] == pair else 1`; append `"".join(symbols[place : place + taken])`, then
#    `place += taken`; at the end `tuple(merged)`.

# %% [markdown] debrief="merge_pair"
# One merge is all that a tokenizer of this kind ever does, some fifty thousand times over. From the left and without
# overlaps sounds like a detail, yet two programs that disagree on it give a model other ids for the same text.
# Read: [Sennrich et al. 2016](https://arxiv.org/abs/1508.07909), algorithm 1.

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
    ### BEGIN SOLUTION
    spelt, merges = {tuple(word): times for word, times in words.items()}, []
    for _ in range(count):
        pairs = Counter()
        for symbols, times in spelt.items():
            for pair in pairwise(symbols):
                pairs[pair] += times
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        spelt = {merge_pair(symbols, merges[-1]): times for symbols, times in spelt.items()}
    return merges
    ### END SOLUTION


# %% [markdown] hints="learn_merges" difficulty=3 minutes=20
# 1. What do you have to know of each word from round to round? What is counted anew in every round, and what is only
#    carried on?
# 2. Keep a dictionary from a word's symbols, as a tuple, to how often it occurs. A round: add that number for each
#    pair of neighbours, choose, remember, and merge in all words. Stop when there is nothing to count.
# 3. `pairs[pair] += times` for each `pair` in `zip(symbols, symbols[1:])`; the best is
#    `min(pairs, key=lambda pair: (-pairs[pair], pair))`; then
#    `spelt = {merge_pair(symbols, best): times for symbols, times in spelt.items()}`.

# %% [markdown] debrief="learn_merges"
# The algorithm was made to compress files, and found its way into translation twenty years later. It learns no meaning,
# only counts, and still cuts *reader* into *read* and *er* because that pays. GPT-2 learned 50,000 merges.
# Read: [Sennrich et al. 2016](https://arxiv.org/abs/1508.07909), section 3.2.

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
    ### BEGIN SOLUTION
    symbols = tuple(word)
    for pair in merges:
        symbols = merge_pair(symbols, pair)
    return list(symbols)
    ### END SOLUTION


# %% [markdown] hints="apply_merges" difficulty=1 minutes=5
# 1. What is the word before any merge? You already have a function that makes one merge.
# 2. Begin with the tuple of its letters and go through `merges` once, handing on the result. The answer is a list.
# 3. `symbols = tuple(word)`, then `symbols = merge_pair(symbols, pair)` for each `pair`, then `list(symbols)`.

# %% [markdown] debrief="apply_merges"
# With this a word that no one has seen is still a row of pieces, in the worst case of its letters, and `<unk>` has
# little left to do. It also explains an old riddle: a model that reads pieces does not see the letters inside them,
# and so has trouble counting them.
# Read: [Sennrich et al. 2016](https://arxiv.org/abs/1508.07909), section 4.

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
    ### BEGIN SOLUTION
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)  # the share of the way down
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2
    ### END SOLUTION


# %% [markdown] hints="learning_rate" difficulty=2 minutes=10 core=true
# 1. Three stretches: where does each begin and end? For the middle one, which number runs from 0 to 1 while the step
#    runs from `warmup` to `total`?
# 2. With that share `done`, `(1 + cos(π · done)) / 2` falls from 1 to 0. Stretch it so that it falls from `peak` to
#    `floor`. After `total`, the share must not grow any further.
# 3. `done = min((step - warmup) / (total - warmup), 1.0)`, then
#    `floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2`.

# %% [markdown] debrief="learning_rate"
# Large models spend their first few thousand steps warming up, since Adam's averages mean little before they have seen
# some gradients. The slow end is as important: half of what a training gains, it often gains while the rate falls.
# Read: [Loshchilov and Hutter 2017](https://arxiv.org/abs/1608.03983) for the cosine;
# [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), section 5.3, for another schedule with a warm-up.

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
    ### BEGIN SOLUTION
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm
    ### END SOLUTION


# %% [markdown] hints="clip_gradients" difficulty=2 minutes=15 core=true
# 1. What is the length of a vector that consists of several pieces? Which number must you know before you may change
#    the first of them?
# 2. Collect the gradients that are there. Add up all their squares and take one root at the end. Where it is above
#    the limit, multiply each gradient in place, so that `parameter.grad` itself is changed.
# 3. `gradients = [p.grad for p in parameters if p.grad is not None]`; the norm is
#    `math.sqrt(sum(g.square().sum().item() for g in gradients))`; then `g.mul_(limit / norm)` for each, if needed.

# %% [markdown] debrief="clip_gradients"
# Nearly every large language model is trained with a limit of 1. It changes nothing on a usual day; on the day of an
# odd batch it keeps one step from undoing thousands. The direction stays, only the length is cut: that is why it is the
# norm of *all* gradients together.
# Read: [Pascanu et al. 2013](https://arxiv.org/abs/1211.5063), section 3.2.

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
    ### BEGIN SOLUTION
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    ### END SOLUTION


# %% [markdown] hints="small_start" difficulty=2 minutes=10 core=true
# 1. How do you come by every layer of a model, also one that is inside a block inside a list? And how do you see what
#    kind of layer it is?
# 2. `model.modules()` goes through all of them; `isinstance` tells their kind. The functions of `nn.init` whose names
#    end in `_` change a parameter in place. A linear layer without a bias has `bias` None.
# 3. For `nn.Linear` and `nn.Embedding`: `nn.init.normal_(module.weight, std=std)`; for an `nn.Linear` with a bias
#    also `nn.init.zeros_(module.bias)`.

# %% [markdown] debrief="small_start"
# GPT and BERT both begin at N(0, 0.02). Chapter 7 showed what a table of N(0, 1) costs: with a rate of 1e-4 the noise
# is hardly touched in ten passes. One of the five models below is better off without it, a single head of attention
# whose queries and keys would both start near zero: small times small is very small.
# Read: Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training", section 4.1.

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
    ### BEGIN SOLUTION
    return [words[place] for place in weights.argmax(dim=-1).tolist()]
    ### END SOLUTION


# %% [markdown] hints="attended_word" difficulty=1 minutes=5 core=true
# 1. Row t belongs to word t. Along which axis do you look for the largest number of a row?
# 2. `argmax` along the last axis gives a place for each row, the first one where several are equal; a place in a row is
#    a place in `words`.
# 3. `[words[place] for place in weights.argmax(dim=-1).tolist()]`

# %% [markdown] debrief="attended_word"
# The simplest way to ask a head what it does, and the one that the first pictures of attention were made with. It says
# where a head looks most, not how sure it is of it: for that chapter 13 has entropies, and a warning.
# Read: [Jain and Wallace 2019](https://arxiv.org/abs/1902.10186), "Attention is not Explanation", and
# [Wiegreffe and Pinter 2019](https://arxiv.org/abs/1908.04626), "Attention is not not Explanation".

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
    ### BEGIN SOLUTION
    return mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1, dropout=0.0)
    ### END SOLUTION


# %% [markdown] hints="build_reverse" difficulty=1 minutes=10
# 1. Which class of chapter 8 reads one text and writes another? Which of its arguments are fixed by the task, and
#    which are yours to choose?
# 2. Fixed: 13 words on both sides, padding 0, no text longer than 9. Yours: width, heads, hidden, blocks; the width
#    must be even, and a multiple of the number of heads. Begin small.
# 3. `mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1, pad_id=0, dropout=0.0)`.

# %% [markdown] debrief="build_reverse"
# An encoder and a decoder are what a translator is, and this one differs from the paper's in size alone. Look at its
# page: nobody told it to look at the last digit first. Copying, reversing and sorting are the classic first tests of
# such a model, for their rules are known and a wrong mask shows at once.
# Read: [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), sections 3 and 5.

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
    ### BEGIN SOLUTION
    width = 16

    class Reader(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(vocab_size, width)
            nn.init.normal_(self.table.weight, std=0.02)
            self.attention = mine.MultiHeadAttention(width, num_heads=1)
            self.output = nn.Linear(width, vocab_size)

        def forward(self, ids):
            x = self.table(ids)  # (B, T, D)
            mask = ids.new_ones(ids.shape[1], ids.shape[1]).tril().bool()  # (T, T), where the ids are
            heard, weights = self.attention(x, x, x, mask)  # (B, T, D), (B, 1, T, T)
            return self.output(x + heard), weights[:, 0]

    return Reader()
    ### END SOLUTION


# %% [markdown] hints="build_markov" difficulty=3 minutes=25 core=true
# 1. Write a class inside the function. Which four layers does the description name, and which of them have you
#    built in an earlier chapter?
# 2. In `__init__` a table, `mine.MultiHeadAttention(width, 1)` and an output layer. In `forward` look the ids up, make
#    a causal mask, attend with the vectors as queries, keys and values, add what was heard, apply the output layer.
# 3. `heard, weights = self.attention(x, x, x, mask)` gives weights (B, 1, T, T); return
#    `self.output(x + heard), weights[:, 0]`. The mask: `torch.ones(T, T, dtype=torch.bool).tril()`, on the ids' device.

# %% [markdown] debrief="build_markov"
# You have closed the circle: the row of zeros and ones that chapter 1 wrote by hand came out of gradient descent. The
# model was never told where to look; it was asked what comes after *ran*, and looking there was the way to be right.
# Read: [Bahdanau et al. 2015](https://arxiv.org/abs/1409.0473), section 5.2, where the first such picture was shown.

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
    ### BEGIN SOLUTION
    return mine.SentimentClassifier(vocab_size, dropout=0.3)  # else as large as in chapter 7
    ### END SOLUTION


# %% [markdown] hints="build_sentiment" difficulty=1 minutes=5
# 1. Chapter 7 has the class. What do you know about the length of the texts, and what about overfitting?
# 2. `max_length=200`. With so few sentences a small model is enough; the dropout may be higher than 0.1.
# 3. `mine.SentimentClassifier(vocab_size, max_length=200, width=32, num_heads=2, hidden=32, dropout=0.3)`.

# %% [markdown] debrief="build_sentiment"
# Compare your result with its baseline. A bag of words is hard to beat on short texts and little data; the rule of
# thumb is to try attention when there are more than 1,500 times as many samples as words in a typical one. What beats
# both is a model that has read before it is asked: chapter 10.
# Read: [Maas et al. 2011](https://aclanthology.org/P11-1015/), where the reviews come from.

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
    ### BEGIN SOLUTION
    return mine.CausalLM(vocab_size, max_length=64, width=128, num_heads=4, hidden=512, num_blocks=4, dropout=0.0)
    ### END SOLUTION


# %% [markdown] hints="build_shakespeare" difficulty=1 minutes=10 core=true
# 1. Chapter 9 has the class. Which argument does the task fix? What does each of the others cost?
# 2. `max_length=64`. Width times blocks is what you pay with time; hidden is four times the width by custom.
# 3. `mine.CausalLM(vocab_size, max_length=64, width=128, num_heads=4, hidden=512, num_blocks=4, dropout=0.0)`.

# %% [markdown] debrief="build_shakespeare"
# This is GPT, two thousand times smaller than the largest GPT-2: the same blocks, the same loss, the same loop that
# writes. What changes on the way to the models you know is the amount of text and of parameters, and tokens of
# several characters. Its page names the heads by chapter 13: look for one that looks at the previous character.
# Read: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners";
# [Kaplan et al. 2020](https://arxiv.org/abs/2001.08361) on what more of everything brings.

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
    ### BEGIN SOLUTION
    return mine.VisionTransformer(
        image_size=8, patch=4, channels=1, num_classes=10, width=32, num_heads=4, hidden=64, num_blocks=2
    )
    ### END SOLUTION


# %% [markdown] hints="build_digits" difficulty=1 minutes=5
# 1. Chapter 11 has the class. Which patch sizes divide 8? What is left of a digit in a single patch?
# 2. `image_size=8, channels=1, num_classes=10`, and a patch of 4: a patch of 2 has more positions to learn. Then width,
#    heads, hidden, blocks.
# 3. `mine.VisionTransformer(8, 4, 1, 10, width=32, num_heads=4, hidden=64, num_blocks=2)`.

# %% [markdown] debrief="build_digits"
# With 1,437 pictures a Vision Transformer holds its own only because the pictures are tiny: the nearest picture that it
# learned from does as well, and the page says so. The published ones need a hundred million pictures before they pass
# convolutions, for nothing tells them that neighbouring pixels belong together. Patches of 2 do worse here: more
# positions to learn, from as few pictures.
# Read: [Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929), section 4.3 and figure 3.

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
