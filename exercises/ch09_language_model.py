# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch09` checks it.

# %% [markdown]
# # Chapter 9 · The language model
#
# **You have a shelf full of books and no one to label a single sentence for you. What can you teach a model with
# them, and how many exercises with answers are there in a text of a thousand words?**
#
# 999. Cover everything after a word, and the next word is the answer; the book itself is the answer key. If words
# are tokens, a text of six tokens makes five exercises, done in one pass:
#
# | it reads | the | ferry | is | late | again |
# |---|---|---|---|---|---|
# | it is asked for | ferry | is | late | again | today |
#
# A model that learns this is a *language model*. What it is good for follows from what you ask it: a question
# is a text whose next words are the answer, an article is a text whose next words may be its summary.
#
# GPT is the decoder of chapter 8 without the encoder. With no source to ask, the cross-attention goes, and what
# remains of a block is self-attention and a feed-forward network: the *encoder's* block of chapter 6, with a causal
# mask. Hence the name *decoder-only*.
#
# <details><summary>Where the lecture errs: the G of GPT</summary>
#
# Subir Varma ("Transformers", 2022), whose plan this chapter follows, spells GPT "Generalized Pre-Trained Transformer".
# The G is for *generative*: the 2018 paper is called "Improving Language Understanding by Generative Pre-Training".
#
# </details>
#
# ```text
#  ids ──> token + position ──> block ──> block ──> … ──> norm ──> · tableᵀ ──> logits of the next token
#            │                     └───────┴─ causal mask             │
#            └───────────────── one table (V, D), used twice ─────────┘
# ```
#
# This chapter builds that model, measures how surprised it is, makes it write, and then makes it write fast.
#
# Letters: B batch, T positions, D model width, H heads, d columns per head, V tokens in the vocabulary.
#
# Any tensor you create must take its dtype and device from an argument ([conventions](../docs/conventions.md)).

# %%
"""Chapter 9: a language model, how good it is, how it writes, and how it reuses what it has computed."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding

# %% [markdown]
# ## Labels for free
# Turn a batch of texts into what the model reads and what it is asked for: the label at position t is the token at
# position t + 1 (Radford et al. 2018, equation 1). The last token has nothing after it, so it is never an input; the
# first has nothing before it, so it is never a label. Inputs and labels are both one shorter than the text. In chapter
# 8 ‹bos› filled the gap in front; here the text just begins.
#
# Shapes: `(B, T)` → inputs and labels, both `(B, T - 1)`.


# %% exercise="next_token_pairs"
def next_token_pairs(ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what a language model reads, and the next token at each position.

    Args:
        ids: texts (B, T), int64, T at least 2.

    Returns:
        inputs and labels, both (B, T - 1): at position t, token t and token t + 1 of the text.
    """
    # TODO: next_token_pairs (attend hint next_token_pairs)
    raise NotImplementedError("next_token_pairs")


# %% [markdown]
# ## The model
# Embed the tokens and their positions, pass them through the blocks, normalise, and compare each position with every
# token's vector: the dot products are the logits.
#
# **The mask.** Position t reads token t and is asked for token t + 1. It may attend to itself and to everything
# before it. One boolean mask `(T, T)`, True where it may attend, serves all sentences, heads and blocks.
#
# **The last norm.** Pre-norm blocks add to x and never normalise the sum, so it grows on the way up. Chapter 6
# ended its pre-norm stack with a norm for the same reason.
#
# **One table, used twice.** The vector that stands for "ferry" on the way in is also the one that predictions are
# compared with on the way out. There is no second matrix and no bias: use `self.embedding.token.weight` itself, not a
# copy of it, so that its gradient comes from both ends. With 50,257 tokens of 768 numbers this saves 38.6 million
# parameters: without it the smallest GPT-2 would be almost a third larger.
#
# Shapes: ids `(B, T)` → logits `(B, T, V)`. No text is longer than `max_length`.
#
# One table for both ends is an idea of Press and Wolf 2017. The blocks are given, with a GELU (chapter 6): each takes
# `(x, mask)` and does everything else, dropout included.


# %% exercise="CausalLM"
class CausalLM(nn.Module):
    """A decoder-only Transformer: at each position, the logits of the token after it.

    Args:
        vocab_size: V.
        max_length: the length of the longest text that it can read.
        width, num_heads, hidden: D, the number of heads, and the width inside the feed-forward networks.
        num_blocks: how many blocks.
        dropout: rate inside the blocks; there is none on the embeddings.

    Source: Radford et al. 2018, equation 2, and 2019, section 2.3.
    """

    def __init__(
        self,
        vocab_size: int,
        max_length: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.blocks = nn.ModuleList(
            [
                EncoderBlock(width, num_heads, hidden, dropout, norm_first=True, activation="gelu")
                for _ in range(num_blocks)
            ]
        )
        self.norm = nn.LayerNorm(width)
        self.max_length = max_length

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return logits (B, T, V) for ids (B, T): at position t, those of token t + 1."""
        # TODO: CausalLM (attend hint CausalLM)
        raise NotImplementedError("CausalLM")


# %% [markdown]
# ## How surprised?
# Perplexity is e to the power of the mean cross-entropy, over all tokens that count:
#
# $$ \text{PPL} = \exp\left(-\frac{1}{N} \sum_{t} \ln p_t[\text{label}_t]\right) $$
#
# A loss of 2.3 says little. A perplexity of 10 says that at every token the model is as unsure as someone rolling a
# fair ten-sided die. Knowing nothing gives V, knowing everything gives 1.
#
# **One mean, over tokens.** Add up over the whole batch and divide once, by the number of tokens that count. A
# mean of means would let a text of three tokens weigh as much as one of three hundred, and a mean of
# perplexities is no perplexity at all. Labels equal to `ignore_id` are padding: they do not count.
#
# Shapes: logits `(B, T, V)`, labels `(B, T)` → a tensor without axes. Do not shift the labels again.
#
# Jelinek et al. 1977 introduced it for speech recognition. `functional.cross_entropy` is welcome.


# %% exercise="perplexity"
def perplexity(logits: torch.Tensor, labels: torch.Tensor, ignore_id: int = -100) -> torch.Tensor:
    """Return the number of equally likely tokens that would be as hard to guess.

    Args:
        logits: (B, T, V).
        labels: the right tokens (B, T), int64; at least one of them counts.
        ignore_id: the label of positions that do not count; it may be one of the V ids.

    Returns:
        A tensor without axes, with a gradient, and with the dtype and precision of the logits.
    """
    # TODO: perplexity (attend hint perplexity)
    raise NotImplementedError("perplexity")


# %% [markdown]
# ## Which token next?
# Turn logits into probabilities, with three knobs on the way: how bold (temperature), among how many tokens (top-k),
# among how much of the probability (top-p, the *nucleus*).
#
# If you take the most likely token every time, the text soon goes round in circles. If you draw from the plain softmax,
# you sooner or later get one of fifty thousand tokens that fit nowhere. What reads well lies in between. Four tokens,
# whose softmax is 0.4, 0.3, 0.2, 0.1:
#
# | | a | b | c | d |
# |---|---|---|---|---|
# | as they are | .40 | .30 | .20 | .10 |
# | `temperature=0.5` | .53 | .30 | .13 | .03 |
# | `temperature=0` | 1 | 0 | 0 | 0 |
# | `top_k=3` | .44 | .33 | .22 | 0 |
# | `top_p=0.6` | .57 | .43 | 0 | 0 |
# | `top_k=3, top_p=0.75` | .57 | .43 | 0 | 0 |
#
# **The order.** First divide the logits by the temperature; 0 stands for the arg-max, whatever the other knobs say.
# Then top-k: only the k most likely tokens stay, or all of them if there are no more than k. Then top-p: among those,
# whose probabilities again sum to 1, keep the smallest set of most likely tokens that together reach p. Look at the
# last row: after top-k, a and b have .44 + .33 = .78 and reach .75; before it, they would not have. The token that
# brings the sum to p still belongs, so at least one token always stays. Each row has a nucleus of its own size.
#
# Shapes: `(B, V)` → `(B, V)`. Every token keeps its place; a token that was cut has probability 0.
#
# Top-k is older (Fan et al. 2018) than the nucleus.


# %% exercise="next_token_distribution"
def next_token_distribution(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """Return probabilities of the next token, sharpened or flattened and then cut.

    Args:
        logits: (B, V).
        temperature: the divisor of the logits; 0 puts everything on the largest.
        top_k: how many tokens may stay, at least 1 and perhaps above V; None for all.
        top_p: how much probability the tokens that stay must reach, above 0 and at most 1; None for all.

    Returns:
        (B, V), like the logits, rows with sum 1; 0 where a token was cut. Of tokens that are equally likely and compete
        for the last place, any may stay, or all. You draw from these numbers, so they need no gradient.

    Source: Holtzman et al. 2020, section 3.
    """
    # TODO: next_token_distribution (attend hint next_token_distribution)
    raise NotImplementedError("next_token_distribution")


# %% [markdown]
# ## Continuing a text
# Read the text, choose a token, append it to the text, and start again: `steps` times. The caller decides how tokens
# are chosen: `choose` takes the logits of each row's next token and returns one id per row.
#
# **The window.** A model has learned `max_length` positions and no more. When the text has grown beyond that, it
# reads the *last* `max_length` tokens; anything further back is forgotten. With room for four:
#
# | text so far | it reads | it writes |
# |---|---|---|
# | the ferry | the ferry | is |
# | the ferry is late | the ferry is late | again |
# | the ferry is late again | ferry is late again | today |
#
# The result is the whole text, prompt first: nothing is cut off, only hidden from the model.
#
# Shapes: prompt `(B, T)` → `(B, T + steps)`. `model(ids)` returns logits `(B, T, V)`, and the model has `max_length`;
# `choose` takes `(B, V)` and returns `(B,)`. Call it once per step. Do not change the model's training or evaluation
# mode.
#
# In section 3 of Radford et al. 2019, GPT-2 answers and summarises just by continuing a text.


# %% exercise="generate"
def generate(
    model: nn.Module, prompt: torch.Tensor, steps: int, choose: Callable[[torch.Tensor], torch.Tensor]
) -> torch.Tensor:
    """Write `steps` tokens after each row of the prompt.

    Args:
        model: a `CausalLM`, or something that answers like one.
        prompt: ids (B, T), int64, T at least 1, perhaps longer than `model.max_length`.
        steps: how many tokens, 0 or more; no token ends a text before that.
        choose: takes logits (B, V) and returns ids (B,).

    Returns:
        ids (B, T + steps): the prompt and the new tokens.
    """
    # TODO: generate (attend hint generate)
    raise NotImplementedError("generate")


# %% [markdown]
# **Try all five.** The model learns two sentences by heart, then gets two words of each and completes them:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("next_token_pairs", "CausalLM", "perplexity", "next_token_distribution", "generate")
    torch.manual_seed(0)
    texts = ["the tea is hot so wait a while", "the ice is soft so eat it fast"]
    words = sorted({word for text in texts for word in text.split()})
    ids = torch.tensor([[words.index(word) for word in text.split()] for text in texts])  # (2, 8)
    inputs, labels = mine.next_token_pairs(ids)

    model = mine.CausalLM(len(words), max_length=8, width=16, num_heads=2, hidden=32, num_blocks=1, dropout=0.0)
    adam = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(100):
        adam.zero_grad()
        mine.perplexity(model(inputs), labels).log().backward()  # the mean cross-entropy
        adam.step()

    for row in mine.generate(model, ids[:, :2], 6, lambda logits: logits.argmax(dim=-1)):
        print(*[words[i] for i in row])
    print(f"{mine.perplexity(model(inputs), labels).item():.1f}")

# %% [markdown]
# ```text
# the tea is hot so wait a while
# the ice is soft so eat it fast
# 1.1
# ```
# After "is" and "so" a chain of word pairs, as in chapter 1, could only toss a coin; attention looks back to the tea.
# And why 1.1, not 1? After the very first "the" even a perfect model must toss that coin. One toss in seven tokens
# makes a perplexity of 2^(1/7) = 1.104: this is what the text itself leaves open, and no model gets below it.
#
# For a bolder text, let `choose` be `lambda logits: mine.next_token_distribution(logits, 1.5,
# top_p=0.9).multinomial(1)[:, 0]`.

# %% [markdown]
# ## Attention that remembers
# `generate` reads the whole text for every token. Writing a thousand tokens sends 1 + 2 + … + 1000, or half a million,
# positions through the model, and all but a thousand of them have been computed before: in a causal model a position
# never learns of what comes later, so its keys and values never change. Keep them from call to call, in a *KV cache*,
# and each token costs one position. Old *queries* have had their answers and are not needed again.
#
# **The mask.** Three positions are in the cache, two are new. The new ones see all of the past, themselves, and
# everything in between, so the triangle is at the *right* end:
#
# ```text
#               past     new
#            k0 k1 k2 │ k3 k4
#        q3   ■  ■  ■ │  ■  ·
#        q4   ■  ■  ■ │  ■  ■
# ```
#
# One by one, in chunks or all at once: the outputs must be the same.
#
# **Hands off the old cache.** Return a new one and do not change the one you were given. Two answers to the
# same prompt both start from the prompt's cache; if the first one wrote into it, the second would read its words.
#
# Shapes: q, k, v `(B, H, t, d)` of the t new positions → output `(B, H, t, d)`, and a cache. What the cache holds is up
# to you; the next call gets it back unchanged, and the first call gets `None`.
#
# The attention is scaled by √d, as ever. Shazeer 2019 counts what reading such a cache costs, and proposes the shared
# heads of chapter 5 to make it smaller. Torch's own attention (`functional.scaled_dot_product_attention`,
# `nn.MultiheadAttention` and its function) is not allowed here.
#
# In a whole model every block has a cache of its own, and the position numbers continue where the cache ends. With
# learned positions that works up to `max_length`: once the window moves, each token gets another position, and
# with it other keys.


# %% exercise="attend_with_cache"
def attend_with_cache(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, cache: Any = None) -> tuple[torch.Tensor, Any]:
    """Attend causally from new positions to the old ones and to each other.

    Args:
        q, k, v: of the new positions, (B, H, t, d).
        cache: what the call for the positions before these returned; None if there are none. It stays unchanged.

    Returns:
        The output (B, H, t, d), with gradients, for old keys and values too, and the cache for the next call, with old
        positions and new ones.

    Source: Vaswani et al. 2017, equation 1.
    """
    # TODO: attend_with_cache (attend hint attend_with_cache)
    raise NotImplementedError("attend_with_cache")


# %% [markdown]
# ## Any task is a text
# A language model can only continue a text. So let the summary be what comes after the article, join the two into one
# training text, and mark which of its tokens count in the loss. Put a special token between them, one that means
# nothing else, and ‹eos› at the end, so that the model learns to stop. To use the model, feed it an article and the
# separator, and let it write until it says ‹eos›. Translation and question answering use the same trick.
#
# **What counts.** The model should learn to write summaries, not articles. So the mask is True for the tokens it must
# produce: the summary and ‹eos›. It never has to produce the separator. Both parts may hold any ids, so go by their
# lengths.
#
# Shapes: article `(A,)`, summary `(S,)` → ids `(A + S + 2,)` int64, and a boolean mask of the same length. The mask is
# about `ids`; if you shift the labels, shift the mask with them.
#
# Liu et al. 2018, section 4.2, joined article and summary for a decoder-only model; Radford et al. 2018, section 3.3,
# did so for other tasks.


# %% exercise="summarization_example"
def summarization_example(
    article: torch.Tensor, summary: torch.Tensor, separator_id: int, eos_id: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Join an article and its summary into one text, and mark what the model must produce.

    Args:
        article, summary: ids (A,) and (S,), int64, at least one each.
        separator_id: stands between the two.
        eos_id: stands at the end.

    Returns:
        ids: (A + S + 2,), int64: article, separator, summary, eos.
        loss_mask: (A + S + 2,), bool: True at the tokens of the summary and at eos.
    """
    # TODO: summarization_example (attend hint summarization_example)
    raise NotImplementedError("summarization_example")


# %% [markdown]
# **Try it.** `next_token_pairs` shifts the labels, the mask is shifted with them, and tokens that do not count get the
# label that `perplexity` and `functional.cross_entropy` ignore:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("summarization_example", "next_token_pairs")
    words = "<sep> <eos> fog lies on the sea and ferry stays in port no today".split()
    article = torch.tensor([words.index(w) for w in "fog lies on the sea and the ferry stays in port".split()])
    summary = torch.tensor([words.index(w) for w in "no ferry today".split()])

    ids, loss_mask = mine.summarization_example(article, summary, separator_id=0, eos_id=1)
    inputs, labels = mine.next_token_pairs(ids[None])
    labels = labels.masked_fill(~loss_mask[None, 1:], -100)
    for read, asked in zip(inputs[0], labels[0], strict=True):
        if asked != -100:
            print(f"after {words[read]:6} say {words[asked]}")

# %% [markdown]
# ```text
# after <sep>  say no
# after no     say ferry
# after ferry  say today
# after today  say <eos>
# ```

# %% [markdown]
# ## See it run
# Your GPT reads plays by Shakespeare for a few seconds, character by character: one block, about 56,000 parameters, 24
# characters in view. Look at three things. The curve: it starts near ln 65 = 4.17, the cost of knowing nothing about 65
# characters. The bars: perplexity on held-out text, beside that of two models that only count. The sample: no word in
# it was ever stored as a word.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("next_token_pairs", "CausalLM", "perplexity", "next_token_distribution", "generate")
    torch.manual_seed(0)
    play = mine.data("shakespeare")
    characters = sorted(set(play))
    ids = torch.tensor([characters.index(character) for character in play[:220_000]])
    learned, held_out = ids[:200_000], ids[200_000:]
    model = mine.CausalLM(65, max_length=24, width=64, num_heads=4, hidden=256, num_blocks=1, dropout=0.0)
    adam = torch.optim.AdamW(model.parameters(), lr=5e-3)
    losses = []
    for _ in range(400):
        places = torch.randint(len(learned) - 25, (24, 1)) + torch.arange(25)  # 24 pieces of 25 characters
        inputs, labels = mine.next_token_pairs(learned[places])
        loss = mine.perplexity(model(inputs), labels).log()
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    mine.curve({"loss": losses}, title="Shakespeare, character by character").show()
    print(f"{sum(parameter.numel() for parameter in model.parameters()):,} parameters, first loss {losses[0]:.2f}")

# %%
if __name__ == "__main__":
    single = torch.bincount(learned, minlength=65) + 1.0  # how often each character occurs, then each pair of them
    pairs = torch.ones(65, 65).index_put_((learned[:-1], learned[1:]), torch.ones(1), accumulate=True)
    inputs, labels = mine.next_token_pairs(held_out.view(-1, 25))
    with torch.no_grad():
        logits = {
            "one character counted": single.log().expand(*inputs.shape, 65),
            "two characters counted": pairs.log()[inputs],
            "your model": model(inputs),
        }
    mine.bars({name: mine.perplexity(each, labels).item() for name, each in logits.items()}, title="perplexity").show()

    prompt = torch.tensor([[characters.index(character) for character in "ROMEO:"]])
    written = mine.generate(
        model, prompt, 150, lambda logits: mine.next_token_distribution(logits, 0.8, top_p=0.9).multinomial(1)[:, 0]
    )
    print("".join(characters[i] for i in written[0]))

# %% [markdown]
# Counting single characters gives a perplexity of about 28; counting pairs, the Markov chain of chapter 1, one of
# about 12. Your model should come out near 10: it sees more than one character back. What it writes looks like a play,
# with speeches, line breaks and something close to words. Chapter 15 does it in earnest, and the rest is size:
#
# | | blocks | width | heads | tokens in view | parameters |
# |---|---|---|---|---|---|
# | this one | 1 | 64 | 4 | 24 | 56 thousand |
# | GPT, 2018 | 12 | 768 | 12 | 512 | 117 million |
# | GPT-2, 2019 | 48 | 1,600 | 25 | 1,024 | 1.5 billion |
# | GPT-3, 2020 | 96 | 12,288 | 96 | 2,048 | 175 billion |
#
# The plan stays the same at every size, and so does its teacher: the labels that each text brings with it. Along
# the way came skills that were never trained for: shown a few examples in its prompt, GPT-3 translates or does
# sums, without a change to any parameter.
#
# **What the cache is worth.** Below, two untrained blocks write with your `generate`, and then with your
# `attend_with_cache` in place of their attention: each new token goes through the model alone, and meets the keys and
# values of those before it. Both must write the same. Guess first: if the text is twice as long, by how much does the
# time grow without the cache, and with it?

# %%
if __name__ == "__main__":
    from time import perf_counter

    mine("attend_with_cache", "split_heads", "merge_heads")
    model = mine.CausalLM(65, max_length=400, width=64, num_heads=4, hidden=256, num_blocks=2, dropout=0.0)
    places, table = model.embedding.position.weight, model.embedding.token.weight

    def write_with_cache(prompt: torch.Tensor, steps: int) -> torch.Tensor:
        text, new, caches = prompt, prompt, [None] * len(model.blocks)
        for _ in range(steps):
            x = table[new] + places[text.shape[1] - new.shape[1] : text.shape[1]]  # (1, t, 64): the new tokens alone
            for number, block in enumerate(model.blocks):
                layers = (block.attention.w_q, block.attention.w_k, block.attention.w_v)
                q, k, v = (mine.split_heads(layer(block.norm1(x)), 4) for layer in layers)  # (1, 4, t, 16) each
                heard, caches[number] = mine.attend_with_cache(q, k, v, caches[number])
                x = x + block.attention.w_o(mine.merge_heads(heard))
                x = x + block.feed_forward(block.norm2(x))
            new = (model.norm(x[:, -1:]) @ table.T).argmax(dim=-1)
            text = torch.cat([text, new], dim=1)
        return text

    seconds: dict[str, list[tuple[float, float]]] = {"without a cache": [], "with a cache": []}
    for steps in (40, 80, 160, 320):
        began = perf_counter()
        plain = mine.generate(model, prompt[:, :1], steps, lambda logits: logits.argmax(dim=-1))
        between = perf_counter()
        with torch.no_grad():
            quick = write_with_cache(prompt[:, :1], steps)
        for name, took in zip(seconds, (between - began, perf_counter() - between), strict=True):
            seconds[name].append((steps, took))
        print(f"{steps} tokens, {'the same' if torch.equal(plain, quick) else 'NOT the same'} with the cache")
    mine.curve(seconds, x="tokens", y="seconds").show()

# %% [markdown]
# With the cache, a text of twice the length takes about twice the time. Without it, each token costs all that came
# before: twice the length is four times as many positions, and the longer the text, the more of that shows in the time.
# No service writes without a cache.
#
# ## What you have now
# You have all parts of a GPT: the labels, the model, its measure, its choices, its loop and its memory. Trained on
# more text than a person could ever read, this is what answers when you talk to a machine. Chapter 10 turns the other
# way: it keeps the encoder, lets every position see both sides, and has to find another question to ask the book.
#
# **To read.** GPT (Radford et al. 2018) and GPT-2 (Radford et al. 2019) are on openai.com; GPT-3: [Brown et al.
# 2020](https://arxiv.org/abs/2005.14165). Choosing: [Holtzman et al. 2020](https://arxiv.org/abs/1904.09751),
# [Fan et al. 2018](https://arxiv.org/abs/1805.04833). One table: [Press and Wolf
# 2017](https://arxiv.org/abs/1608.05859). The cache: [Shazeer 2019](https://arxiv.org/abs/1911.02150). Summaries:
# [Liu et al. 2018](https://arxiv.org/abs/1801.10198). The equation: [Vaswani et al.
# 2017](https://arxiv.org/abs/1706.03762).
