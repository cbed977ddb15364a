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
    ### BEGIN SOLUTION
    counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return ["<pad>", "<unk>", *words[: size - 2]]
    ### END SOLUTION


# %% [markdown] hints="word_vocabulary" difficulty=2 minutes=10
# 1. First count every word of every text. By which two things do you then sort, and in which direction does each go?
# 2. A `Counter` counts. Sort its words by the pair (minus the count, the word): Python compares pairs from the left,
#    so the word decides only where the counts are equal. How many words fit beside the two special entries?
# 3. `counts = Counter(word for text in texts for word in re.findall(r"[a-z']+", text.lower()))`, then
#    `words = sorted(counts, key=lambda word: (-counts[word], word))`; return the two special entries and
#    `words[: size - 2]`.

# %% [markdown] debrief="word_vocabulary"
# A vocabulary is the first decision about a model, made before there is one: the model cannot read or say what is not
# in it. The word2vec models kept three million entries; today's use pieces of words instead, which come later in this
# chapter. Read: [Maas et al. 2011](https://aclanthology.org/P11-1015/) on the reviews whose most frequent words chapter
# 7 uses.

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
    ### BEGIN SOLUTION
    number = {word: place for place, word in enumerate(vocabulary)}
    return [number.get(word, number["<unk>"]) for word in re.findall(r"[a-z']+", text.lower())]
    ### END SOLUTION


# %% [markdown] hints="encode_text" difficulty=1 minutes=5
# 1. Cut the text into words exactly as `word_vocabulary` did. Where do you look a word up, and what do you do if it is
#    not there?
# 2. Make a dictionary from word to place once. Its method `get` takes a second argument: the answer for a missing key.
# 3. `number = {word: place for place, word in enumerate(vocabulary)}`, then `number.get(word, number["<unk>"])` for
#    each word of `re.findall(r"[a-z']+", text.lower())`.

# %% [markdown] debrief="encode_text"
# Everything a model knows of a text passes through this function. Train with one vocabulary and predict with another,
# and you get no error: the model reads other words. That is why tokenizers are saved beside the weights.
# Read: the files of any published model: `tokenizer.json` lies next to `model.safetensors`.

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
    ### BEGIN SOLUTION
    words = [vocabulary[number] for number in ids]
    return " ".join(word for word in words if word != "<pad>")
    ### END SOLUTION


# %% [markdown] hints="decode_ids" difficulty=1 minutes=5
# 1. An id is a place in a list. Which entry must not appear in the text, and which string method joins the rest?
# 2. Look up every id, leave `"<pad>"` out, and join with a space: there is no space before the first or after the last
#    word.
# 3. `" ".join(word for word in words if word != "<pad>")`, with `words = [vocabulary[number] for number in ids]`.

# %% [markdown] debrief="decode_ids"
# This is the last step of every answer a language model gives. A text does not come out unchanged here: capitals and
# commas are lost on the way in. Byte tokenizers lose nothing, which is why GPT-2 was built on one.
# Read: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.2.

# %% [markdown] picture="merges"
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
    ### BEGIN SOLUTION
    merged, place = [], 0
    while place < len(symbols):
        taken = 2 if symbols[place : place + 2] == pair else 1
        merged.append("".join(symbols[place : place + taken]))
        place += taken
    return tuple(merged)
    ### END SOLUTION


# %% [markdown] hints="merge_pair" difficulty=2 minutes=10
# 1. Read `a a a` with a finger; the pair is (a, a). Where does the finger go after it has found a pair?
# 2. Use `while` and keep track of the place yourself: go two places further after a pair, one place further otherwise.
#    `"ab"` can be the symbols `a b` or the one symbol `ab`, so do not search in the joined word.
# 3. `taken = 2 if symbols[place : place + 2] == pair else 1`; append `"".join(symbols[place : place + taken])`, then
#    `place += taken`; at the end `tuple(merged)`.

# %% [markdown] debrief="merge_pair"
# One merge is all that a tokenizer of this kind ever does, some fifty thousand times over. "From the left and without
# overlaps" sounds like a detail, yet two programs that disagree on it give a model different ids for the same text.
# Read: [Sennrich et al. 2016](https://arxiv.org/abs/1508.07909), algorithm 1.

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
# 1. What do you have to know about each word from round to round? What do you count again in every round, and what do
#    you only carry on?
# 2. Keep a dictionary from a word's symbols, as a tuple, to how often it occurs. In each round, add that number for
#    each pair of neighbours, choose a pair, remember it, and merge it in all words. Stop if there is nothing to count.
# 3. `pairs[pair] += times` for each `pair` in `zip(symbols, symbols[1:])`; the best is
#    `min(pairs, key=lambda pair: (-pairs[pair], pair))`; then
#    `spelt = {merge_pair(symbols, best): times for symbols, times in spelt.items()}`.

# %% [markdown] debrief="learn_merges"
# The algorithm was made to compress files, and found its way into translation twenty years later. It learns no meaning,
# only counts, and still cuts *reader* into *read* and *er* because that pays. GPT-2 learned 50,000 merges.
# Read: [Sennrich et al. 2016](https://arxiv.org/abs/1508.07909), section 3.2.

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
    ### BEGIN SOLUTION
    symbols = tuple(word)
    for pair in merges:
        symbols = merge_pair(symbols, pair)
    return list(symbols)
    ### END SOLUTION


# %% [markdown] hints="apply_merges" difficulty=1 minutes=5
# 1. What is the word before any merge? You already have a function that makes one merge.
# 2. Begin with the tuple of its letters and go through `merges` once, passing on the result. The answer is a list.
# 3. `symbols = tuple(word)`, then `symbols = merge_pair(symbols, pair)` for each `pair`, then `list(symbols)`.

# %% [markdown] debrief="apply_merges"
# With this a new word is still a row of pieces, in the worst case its letters, and `<unk>` has little left to do. It
# also explains an old riddle: a model that reads pieces does not see the letters inside them, and so has trouble
# counting them.
# Read: [Sennrich et al. 2016](https://arxiv.org/abs/1508.07909), section 4.

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
    ### BEGIN SOLUTION
    if step < warmup:
        return peak * (step + 1) / warmup
    done = min((step - warmup) / (total - warmup), 1.0)  # the share of the way down
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2
    ### END SOLUTION


# %% [markdown] hints="learning_rate" difficulty=2 minutes=10 core=true
# 1. There are three stretches: where does each begin and end? For the middle one, which number runs from 0 to 1 while
#    the step runs from `warmup` to `total`?
# 2. With that share `done`, `(1 + cos(π · done)) / 2` falls from 1 to 0. Stretch it so that it falls from `peak` to
#    `floor`. After `total`, the share must not grow any further.
# 3. `done = min((step - warmup) / (total - warmup), 1.0)`, then
#    `floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2`.

# %% [markdown] debrief="learning_rate"
# Large models spend their first few thousand steps warming up, because Adam's means say little before they have seen
# some gradients. The slow end counts as well: as the rate falls, the loss takes a last turn down. Read: [Loshchilov and
# Hutter 2017](https://arxiv.org/abs/1608.03983) for the cosine; [Vaswani et al.
# 2017](https://arxiv.org/abs/1706.03762), section 5.3, for another schedule with a warm-up.

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
# 2. Collect the gradients that exist. Add up all their squares and take one root at the end. If it is above the limit,
#    multiply each gradient in place, so that `parameter.grad` itself changes.
# 3. `gradients = [p.grad for p in parameters if p.grad is not None]`; the norm is
#    `math.sqrt(sum(g.square().sum().item() for g in gradients))`; then `g.mul_(limit / norm)` for each, if needed.

# %% [markdown] debrief="clip_gradients"
# Nearly every large language model is trained with a limit of 1. It usually changes nothing; on an odd batch it keeps
# one step from undoing thousands. The direction stays, only the length is cut: that is why it is the norm of *all*
# gradients together.
# Read: [Pascanu et al. 2013](https://arxiv.org/abs/1211.5063), section 3.2.

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
    ### BEGIN SOLUTION
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    ### END SOLUTION


# %% [markdown] hints="small_start" difficulty=2 minutes=10 core=true
# 1. How do you reach every layer of a model, even one inside a block inside a list? And how do you see what kind of
#    layer it is?
# 2. `model.modules()` goes through all of them; `isinstance` tells their kind. The functions of `nn.init` whose names
#    end in `_` change a parameter in place. A linear layer without a bias has `bias` None.
# 3. For `nn.Linear` and `nn.Embedding`: `nn.init.normal_(module.weight, std=std)`; for an `nn.Linear` with a bias
#    also `nn.init.zeros_(module.bias)`.

# %% [markdown] debrief="small_start"
# GPT and BERT both begin at N(0, 0.02). Chapter 7 showed what a table of N(0, 1) costs: with a rate of 1e-4 the noise
# hardly changes in ten passes. One of the five models below is better off without a small start: a single head of
# attention whose queries and keys would both start near zero, and small times small is very small.
# Read: Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training", section 4.1.

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
    ### BEGIN SOLUTION
    return [words[place] for place in weights.argmax(dim=-1).tolist()]
    ### END SOLUTION


# %% [markdown] hints="attended_word" difficulty=1 minutes=5
# 1. Row t belongs to word t. Along which axis do you look for the largest number of a row?
# 2. `argmax` along the last axis gives a place for each row, the first one if several are equal; a place in a row is
#    a place in `words`.
# 3. `[words[place] for place in weights.argmax(dim=-1).tolist()]`

# %% [markdown] debrief="attended_word"
# This is the simplest way to ask a head what it does. It says where a head looks most, not how sure it is: for that,
# chapter 13 has entropies, and a warning. Read: [Jain and Wallace 2019](https://arxiv.org/abs/1902.10186), "Attention
# is not Explanation", and [Wiegreffe and Pinter 2019](https://arxiv.org/abs/1908.04626), "Attention is not not
# Explanation".

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
    ### BEGIN SOLUTION
    return mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1, dropout=0.0)
    ### END SOLUTION


# %% [markdown] hints="build_reverse" difficulty=1 minutes=10
# 1. Which class of chapter 8 reads one text and writes another? Which of its arguments does the task fix, and which are
#    yours to choose?
# 2. Fixed: 13 words on both sides, padding 0, no text longer than 9. Yours: width, heads, hidden, blocks, dropout; the
#    width must be even, and a multiple of the number of heads. Begin with one block.
# 3. `mine.Transformer(13, 13, max_length=9, width=32, num_heads=4, hidden=64, num_blocks=1, pad_id=0, dropout=0.0)`.

# %% [markdown] debrief="build_reverse"
# A translator is an encoder and a decoder, and this one differs from the paper's only in size, and in the two details
# that chapter 8 names. Look at its page: it found out by itself that the last digit comes first. Copying, reversing and
# sorting are the classic first tests of such a model, because their rules are known and a wrong mask shows at once.
# Read: [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), sections 3 and 5.

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
            mask = ids.new_ones(ids.shape[1], ids.shape[1]).tril().bool()  # (T, T), on the device of the ids
            heard, weights = self.attention(x, x, x, mask)  # (B, T, D), (B, 1, T, T)
            return self.output(x + heard), weights[:, 0]

    return Reader()
    ### END SOLUTION


# %% [markdown] hints="build_markov" difficulty=3 minutes=25
# 1. Write a class inside the function. Which four parts does the description name, and which of them have you built in
#    an earlier chapter?
# 2. In `__init__` make a table, `mine.MultiHeadAttention(width, 1)` and an output layer. In `forward` look up the ids,
#    make a causal mask, attend with the vectors as queries, keys and values, add the result to the vectors, and apply
#    the output layer.
# 3. `heard, weights = self.attention(x, x, x, mask)` gives weights (B, 1, T, T); return
#    `self.output(x + heard), weights[:, 0]`. The mask: `torch.ones(T, T, dtype=torch.bool).tril()`, on the ids' device.

# %% [markdown] debrief="build_markov"
# You have closed the circle: the row of zeros and ones that chapter 1 wrote by hand came out of gradient descent.
# Nothing told the model where to look; it had to say what comes after *ran*, and looking there was the way to be right.
# Read: [Bahdanau et al. 2015](https://arxiv.org/abs/1409.0473), section 5.2, where the first such picture was shown.

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
    ### BEGIN SOLUTION
    return Committee(mine.SentimentClassifier(vocab_size, dropout=0.5) for _ in range(3))
    ### END SOLUTION


# %% [markdown] hints="build_sentiment" difficulty=1 minutes=5
# 1. Chapter 7 has the class. What do you know about the length of the texts, and about overfitting? A single model
#    reaches the first goal.
# 2. `max_length=200`. With so few sentences a small model is enough, and the dropout may be higher than 0.1. For the
#    second goal, make a few such models and hand them to `Committee`.
# 3. `Committee(mine.SentimentClassifier(vocab_size, dropout=0.5) for _ in range(3))`.

# %% [markdown] debrief="build_sentiment"
# A bag of words is hard to beat on short texts and little data; a pretrained model beats it with ease (chapter 10). A
# committee is steadier than any of its members, and dropout is the same idea inside one model. Read: [Srivastava et al.
# 2014](https://jmlr.org/papers/v15/srivastava14a.html), section 1; Kotzias et al. 2015, "From Group to Individual
# Labels using Deep Features", where the sentences come from; [Maas et al. 2011](https://aclanthology.org/P11-1015/),
# where IMDB's reviews come from.

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
    ### BEGIN SOLUTION
    return mine.CausalLM(vocab_size, max_length=64, width=128, num_heads=4, hidden=512, num_blocks=4, dropout=0.0)
    ### END SOLUTION


# %% [markdown] hints="build_shakespeare" difficulty=1 minutes=10 core="last"
# 1. Chapter 9 has the class. Which argument does the task fix? What does each of the others cost?
# 2. `max_length=64`. You pay for width and blocks with time; hidden is usually four times the width.
# 3. `mine.CausalLM(vocab_size, max_length=64, width=128, num_heads=4, hidden=512, num_blocks=4, dropout=0.0)`.

# %% [markdown] debrief="build_shakespeare"
# This is GPT, about a thousand times smaller than the largest GPT-2: the same blocks, the same loss, the same loop that
# writes. GPT-2 differs in the amount of text, the number of parameters, and tokens of several characters; later models
# also have other norms (chapter 6) and positions (chapter 2). Its page names the heads as in chapter 13: find one that
# looks at the previous character. Read: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners";
# [Kaplan et al. 2020](https://arxiv.org/abs/2001.08361) on the effect of more of everything.

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
    ### BEGIN SOLUTION
    sizes = {"width": 48, "num_heads": 4, "hidden": 96, "num_blocks": 2}
    return Committee(mine.VisionTransformer(8, 4, 1, 10, **sizes) for _ in range(3))
    ### END SOLUTION


# %% [markdown] hints="build_digits" difficulty=1 minutes=5
# 1. Chapter 11 has the class. Which patch sizes divide 8? What is left of a digit in a single patch?
# 2. `image_size=8, channels=1, num_classes=10`, and a patch of 4: a patch of 2 has more positions to learn. Then width,
#    heads, hidden, blocks. A single small model ends near the baseline; a `Committee` of a few ends above it.
# 3. `Committee(mine.VisionTransformer(8, 4, 1, 10, width=48, num_heads=4, hidden=96, num_blocks=2) for _ in range(3))`.

# %% [markdown] debrief="build_digits"
# With 1,437 pictures a Vision Transformer holds its own only because the pictures are tiny, and varied each time they
# are shown: without that, the label of the nearest training picture is right more often. The published ones need a
# hundred million pictures before they overtake convolutions, because nothing tells them that neighbouring pixels belong
# together. Read: [Dosovitskiy et al. 2021](https://arxiv.org/abs/2010.11929), section 4.3 and figure 3;
# [Steiner et al. 2022](https://arxiv.org/abs/2106.10270), on varied pictures in place of more pictures.

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

# %% [markdown] debrief="ch15_capstones"
# You can train five models of your own pieces, and tell by a baseline what each is worth.
