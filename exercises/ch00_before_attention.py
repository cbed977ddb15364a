# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch00` checks it.

# %% [markdown]
# # Chapter 0 · Before attention
#
# *"The keys that the old man with the two dogs lost on Monday **were** under the mat."* You knew that it had to be
# "were", not "was", although "keys" is twelve words back and three other nouns came in between. Until 2017 most neural
# networks for language read one word at a time, with a single vector of memory that every new word changes. **How much
# of "keys" is left in that vector when "were" is due?**
#
# This chapter is the shortest of the course, and it answers with a number. You build a *recurrent network*, measure
# how far back a word still reaches, and then build the repair of 2015, from which everything since has grown:
#
# | you write | what it does |
# |---|---|
# | `rnn_step` | mixes one word into the memory |
# | `rnn` | reads a whole text and keeps the memory after every word |
# | `influence` | measures how much each word still matters at the end |
# | `attend_over_states` | looks back at *all* memories and chooses: the first attention |
#
# Letters: B texts in a batch, T words, i numbers in a word's vector, n numbers in a state (the memory), m hidden
# units of a score. `...` stands for any number of leading axes, including none. Vectors are rows: a vector times a
# matrix is `x @ w`, and a matrix has the shape (inputs, outputs).
#
# **Any dtype, any device.** Answers work in float64, float32 and bfloat16, on every device, and compute in the dtype of
# their arguments. Any tensor you create must take its dtype and device from an argument: `x.new_zeros(3)`. Never change
# your arguments. What you return depends on them alone, not on earlier calls.
#
# ## How to read a text
# A text is a sequence of words, and its length is not known in advance. The simplest model ignores the sequence: a *bag
# of words* counts how often each word occurs and throws the order away, so that "dog bites man" and "man bites dog"
# look the same. Counting pairs of neighbours, a *bag of bigrams*, saves a little of the order. A *sequence model* keeps
# all of it.
#
# | model | knows the order? | can a word change what another one means? |
# |---|---|---|
# | bag of words | no | no |
# | bag of bigrams | between neighbours | only its neighbour |
# | recurrent network | yes | only through one state, word by word |
# | Transformer | yes, once positions are added (chapter 2) | yes, directly |
#
# Do not laugh at the bag. For *classifying* texts there is a rule of thumb: divide the number of texts to learn from by
# their mean number of words. Below about 1,500 a bag of bigrams is usually the better choice, above it a sequence model
# (Google's guide to text classification, 2018, after some 450,000 experiments; Chollet 2021, chapter 11). The 25,000
# film reviews of chapter 7 have 233 words each, on average. That makes 107, so a bag is the rival to beat there. For
# everything else, such as translation, summaries or dialogue, a bag is no use: what it forgets is what matters.

# %%
"""Chapter 0, before attention: recurrence, how far it reaches, and the first attention."""

import torch

# %% [markdown]
# ## One step of memory
# A *recurrent neural network*, RNN for short, has a memory, the **state** h, a vector of n numbers. Every word x
# changes it (Elman 1990, here with a tanh):
#
# $$ h_t = \tanh(x_t W_x + h_{t-1} W_h + b) $$
#
# $W_x$ says what the word writes into the memory, $W_h$ what becomes of the memory itself, b shifts the sum, and the
# tanh keeps every entry between -1 and 1, however long the text is. The same three are used at every word: this is
# how one network reads texts of any length.
#
# Try it with one number each: $W_x = 1$, $W_h = 0.5$ and $b = 0$. Let the words be 1, 0, 0, and begin at $h = 0$. You
# can hear the first word echo:
#
# | word | state before | state after |
# |---|---|---|
# | 1 | 0 | tanh(1 + 0) = 0.7616 |
# | 0 | 0.7616 | tanh(0 + 0.3808) = 0.3634 |
# | 0 | 0.3634 | tanh(0 + 0.1817) = 0.1797 |
#
# Torch has this step ready-made, but that *is* the exercise, so it is not allowed here.


# %% exercise="rnn_step"
def rnn_step(x: torch.Tensor, h: torch.Tensor, w_x: torch.Tensor, w_h: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Read one word: h' = tanh(x W_x + h W_h + b) (Elman 1990, with a tanh).

    Args:
        x: the word's vector (..., i).
        h: the state before it (..., n), with the leading axes of x.
        w_x: learned matrix (i, n).
        w_h: learned matrix (n, n).
        b: learned shift (n,).

    Returns:
        The state after it (..., n), computed in the dtype of x.
    """
    # TODO: rnn_step (attend hint rnn_step)
    raise NotImplementedError("rnn_step")


# %% [markdown]
# ## A whole text
# Reading is a loop: every step takes the state that the previous step left. Keep *all* the states. The last one has
# seen the whole text, and each of the others has seen the text up to its word: it is that word's vector, coloured by
# what came before.
#
# Words to the *right* do not count. A *bidirectional* RNN therefore runs a second network from right to left and joins
# the two states of each word (Schuster and Paliwal 1997); Bahdanau's encoder, at the end of this chapter, does so too.
#
# Look at the loop once more while you write it. Step 100 cannot begin before step 99 has ended. A graphics card can do
# thousands of products at once, and here it must do one after the other. "Transformers" (Subir Varma's lecture of 2022)
# names this as one of two reasons why RNNs were not good enough. The other reason is the next exercise.


# %% exercise="rnn"
def rnn(x: torch.Tensor, h: torch.Tensor, w_x: torch.Tensor, w_h: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Read whole texts, word by word, and keep the state after every word.

    Args:
        x: the words' vectors (B, T, i), T at least 1.
        h: the state before the first word (B, n).
        w_x, w_h, b: as in `rnn_step`, the same at every word.

    Returns:
        All states (B, T, n): [:, t] is the state after word t, computed in the dtype of x.
    """
    # TODO: rnn (attend hint rnn)
    raise NotImplementedError("rnn")


# %% [markdown]
# ## How far back does a word reach?
# Nudge one word's vector a little. How much does the last state move? That is a derivative, and torch computes it for
# you. The **influence** of word t is the length of the gradient of $\sum_j h_{T,j}$, the sum of the last state's n
# numbers, with respect to the vector $x_t$. In the example above the three words have the influences
# 0.0882, 0.4200 and 0.9677: the farther back, the less.
#
# The chain rule says why. From the last state the gradient goes back to word t one step at a time, and every step
# multiplies it by $W_h$ and by the slope of a tanh, which is 1 at most:
#
# $$ \frac{\partial h_T}{\partial h_t} = \prod_{k=t+1}^{T} W_h \, \mathrm{diag}(1 - h_k^2) $$
#
# These are T - t matrices, one per step; $h_k^2$ is squared entry by entry. If $W_h$ stretches no vector by more than
# 0.9, thirty steps leave at most $0.9^{30} = 0.04$ of the gradient; with 0.5 it is $10^{-9}$: the gradient
# **vanishes**. If $W_h$ lengthens vectors, it may **explode** instead: $1.1^{30} = 17$ (Pascanu et al. 2013, section
# 2). Training lives on gradients. When the model says "was" and should have said "were", a vanished gradient is a
# message that never reaches "keys", and so the model does not learn where to look.
#
# For exploding gradients there is a remedy that you will write in chapter 15: clip them to a maximum length. For
# vanishing ones there are *gated* networks, such as the LSTM (Hochreiter and Schmidhuber 1997), which add to their
# memory where the RNN multiplies. They reach farther than the hundred words or so after which a plain RNN has forgotten
# nearly everything, and they still read one word after the other.
#
# You need not differentiate by hand. `torch.autograd.grad(number, tensor)` gives a tuple with the gradient, as long as
# the number was computed from the tensor *after* `tensor.requires_grad_()`. Mark a copy, `x.clone()`, and your argument
# stays as it was. (In this exercise you may also mark x itself.) The result is a measurement, so no gradients have to
# flow through it.


# %% exercise="influence"
def influence(x: torch.Tensor, h: torch.Tensor, w_x: torch.Tensor, w_h: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Measure how much each word of one text still matters to the last state (Pascanu et al. 2013, section 2).

    Args:
        x: the words' vectors (T, i), T at least 1; no batch axis. You may call `requires_grad_()` on it, but leave
            nothing in its `.grad`.
        h: the state before the first word (n,).
        w_x, w_h, b: as in `rnn_step`.

    Returns:
        (T,): for each word the length (Euclidean norm) of the gradient of the last state's sum with respect to
        the word's vector. No gradient has to flow through the result.
    """
    # TODO: influence (attend hint influence)
    raise NotImplementedError("influence")


# %% [markdown]
# ## The bottleneck, and the way round it
# In 2014 the first neural translators were two RNNs (Sutskever et al., Cho et al.). The *encoder* reads the sentence;
# its last state, and nothing else, goes to the *decoder*, which writes the translation from it word by word. A sentence
# of five words and one of fifty go through the same n numbers, and what they say of the first words has faded, as you
# have just measured. Long sentences came out badly (Cho et al. 2014, arXiv 1409.1259), unless the network read them
# backwards (Sutskever et al.).
#
# Bahdanau, Cho and Bengio (2015) asked: why throw the other states away? **Keep every state, and let the decoder choose
# anew for every word it writes.** The decoder's own state is the *query*. A small network scores it against every
# state $h_t$ of the sentence, a softmax turns the T scores into weights, and the decoder reads the weighted sum:
#
# $$ e_t = v^\top \tanh(W \, [q; h_t]), \qquad a_t = \frac{e^{e_t}}{\sum_s e^{e_s}}, \qquad c = \sum_t a_t \, h_t $$
#
# [q; h_t] puts the state after the query, **query first**: a vector of 2n numbers. This is a *direct connection* from
# every word to where it is needed, so the gradient no longer has to pass through all the words between. On
# English-French test sentences a translator went from 17.8 to 26.8 BLEU, a score for translations (their table 1,
# models trained on sentences of up to 50 words; the second one's encoder also reads both ways), and long sentences were
# no longer worse than short ones.
#
# Nothing in it depends on RNNs: any vectors, one per word, can be attended over. The softmax is allowed here; you
# write your own in chapter 3, and this score too, for many queries at once.


# %% exercise="attend_over_states"
def attend_over_states(
    query: torch.Tensor, states: torch.Tensor, w: torch.Tensor, v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Let one query per text choose among all states: softmax of vᵀ tanh(W [q; h_t]) (Bahdanau et al. 2015, 3.1).

    Args:
        query: the decoder's query (B, n).
        states: the encoder's states (B, T, n).
        w: learned matrix (m, 2n), the query's columns first.
        v: learned vector (m,).

    Returns:
        The context (B, n), the weighted sum of the states, and the weights (B, T), in this order, both computed in the
        dtype of the arguments; the weights of each text sum to 1.
    """
    # TODO: attend_over_states (attend hint attend_over_states)
    raise NotImplementedError("attend_over_states")


# %% [markdown]
# ## See it run
# A small RNN, not trained, reads a text of 30 random words. One curve shows the influence of each word on its last
# state, the other the same measure for a reader that attends over all states at the last word. Both are drawn on a
# scale of powers of ten. Watch how far the first one falls as you go back, and whether the second one does.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("rnn", "influence", "attend_over_states")  # your own answers where they have passed, given parts where not
    torch.manual_seed(0)
    words, width, size, gain = 30, 8, 16, 0.7
    x, h, b = torch.randn(words, width), torch.zeros(size), torch.zeros(size)
    w_x, w_h = torch.randn(width, size) / width**0.5, gain * torch.randn(size, size) / size**0.5
    w, v = torch.randn(size, 2 * size) / size**0.5, torch.randn(size) / size**0.5

    reached = mine.influence(x, h, w_x, w_h, b)  # (T,)
    text = x.clone().requires_grad_()
    states = mine.rnn(text[None], h[None], w_x, w_h, b)  # (1, T, n)
    context, _ = mine.attend_over_states(states[:, -1], states, w, v)  # (1, n): the last state is the query
    attended = torch.autograd.grad(context.sum(), text)[0].norm(dim=-1)  # (T,)

    curves = {"the last state alone": reached.flip(0), "attention over all states": attended.flip(0)}  # last word first
    powers = {name: curve.log10().tolist() for name, curve in curves.items()}
    mine.curve(powers, x="words back", y="log10 of the influence", title="How far back does a word reach?").show()
    for name, curve in curves.items():
        print(f"{name}: the first word has {curve[-1] / curve[0]:.0e} times the influence of the last one")

# %% [markdown]
# The first curve falls along a nearly straight line, and on a scale of powers a straight line is a product: every step
# back costs about the same factor. At the first word 5e-09 of the last one's influence is left. The second curve has
# its ups and downs, as some words get more weight than others, but it does not fall with distance. It starts lower,
# since 30 words share weights that sum to 1.
#
# Set `gain` to 0.3 and to 1: the first curve gets steeper, then flatter, and the second one moves a little but stays
# level. Then set it to 3. Now the first one *explodes*, and it takes the second one with it: attention shortens the way
# from word to query, but the states it looks at are still those of an RNN.

# %% [markdown]
# ## The price of waiting
# Each state needs the one before it, so the loop waits T times. What would it cost without the waiting? Suppose that
# someone had told you all the states: then the products of all the words are two matrix products. Below, texts of
# growing length are read both ways, with the same numbers as the result.

# %%
if __name__ == "__main__":
    from time import perf_counter

    seconds: dict[str, list[tuple[float, float]]] = {"one after the other": [], "all at once": []}
    for length in (500, 1000, 2000, 4000):
        text = torch.randn(1, length, width)
        began = perf_counter()
        states = mine.rnn(text, h[None], w_x, w_h, b)  # (1, T, n)
        between = perf_counter()
        known = torch.cat([h[None, None], states[:, :-1]], dim=1)  # (1, T, n): the state before each word
        at_once = torch.tanh(text @ w_x + known @ w_h + b)
        for name, took in zip(seconds, (between - began, perf_counter() - between), strict=True):
            seconds[name].append((length, took))
        print(f"{length} words: {'the same' if torch.allclose(states, at_once, atol=1e-5) else 'NOT the same'} states")
    mine.curve(seconds, x="words", y="seconds", title="the same products").show()

# %% [markdown]
# The loop takes twice the time for twice the text, and hardly any of it for the products themselves: they are the line
# at the bottom. But that line cheats: an RNN has its states only when the loop has ended. Self-attention asks the
# *words*, which are all there from the start, and so it does read all at once.

# %% [markdown]
# ## What you have now
# You have the model that Transformers replaced, and the reason. In Bahdanau's translator attention still helps an
# RNN. In 2017 Vaswani et al. took the RNN away and kept the attention alone: every word is a query, and every word of
# the same text may be chosen. A model that reads text should reach far, know the order, take texts of any length, and
# use the same parameters for every word. How do the two compare?
#
# | per layer, for T words (Vaswani et al. 2017, table 1) | recurrence | self-attention |
# |---|---|---|
# | steps that have to wait for each other | T | 1 |
# | steps from a word to the farthest other one | T | 1 |
# | products to compute, at width D | about T · D² | about T² · D |
# | knows the order of the words | by itself | only if you add positions |
# | uses the same parameters for every word and takes any length | yes | yes |
#
# The first row made it possible to train on far more text; the second lets a word hear directly from any other. The
# third is the price, and the fourth is a task for chapter 2. So the Transformer replaced the RNN, for translation
# first, then for nearly everything done with language: BERT (chapter 10), GPT (chapter 9) and every large language
# model since. A. Vakanski's lecture "Transformer Networks" (*Applied Data Science with Python*, 2025), which this
# course calls *the lecture*, lists where it went from there: pictures (chapter 11) and video, proteins and DNA, time
# series, and reinforcement learning, in which a program learns to play games or to steer robots.
#
# The old way is not quite gone. In a Transformer trained on text, some heads look at nothing but the previous word, as
# if an RNN were inside (chapter 13).
#
# One question is left open: how does a word know *which* others to attend to? Chapter 1 starts at the very bottom, with
# counting, and works its way up to the answer.
#
# To read: [Pascanu et al. 2013](https://arxiv.org/abs/1211.5063) on gradients over time;
# [Sutskever et al. 2014](https://arxiv.org/abs/1409.3215) and [Cho et al. 2014](https://arxiv.org/abs/1406.1078) on
# translation by two networks; [Bahdanau et al. 2015](https://arxiv.org/abs/1409.0473) on attention;
# [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), section 4, on why attention alone.
