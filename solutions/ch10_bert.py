# %% [markdown]
# # Chapter 10 · BERT
#
# **"We watched the crane spread its wings." "We watched the crane lift the container." A language model reads from
# left to right. What does it know about the crane when it gets there?**
#
# The same in both cases: it has read *we watched the crane*, so the two cranes get the same vector, bird or machine.
# The words that tell them apart come later. So let every position look both ways: throw out the causal mask, and the
# encoder of chapter 6 does just that. But now chapter 9's task teaches nothing: a model that can see the next word does
# not have to predict it.
#
# BERT (Devlin et al. 2019) keeps the open view and changes the task: hide some of the words, and ask for those.
#
# ```
#   text        we     watched    the    crane    spread    its    wings
#   select     .61       .08      .93     .11      .40      .05     .77     hidden if below .15
#   action     .50       .31      .02     .95      .66      .84     .12     how it is hidden
#
#   model       we     [MASK]     the    crane    spread    tea    wings
#   reads        │        │        │       │        │        │       │
#            ┌────────────────────────────────────────────────────────┐
#            │        encoder: every position sees every other        │
#            └────────────────────────────────────────────────────────┘
#                         │                │                 │
#   is asked for       watched           crane              its
# ```
#
# Of seven words, the model is asked for three. One became `[MASK]`, one became a random other word, one stayed as it
# was; the model does not know which. To fill such gaps well you must know what cranes do, and that is what we want the
# vectors to know. No one had to label anything: the text is its own teacher.
#
# You will hide words and whole spans, pack two sentences into one text, compute the losses, and put a classifier on
# top. The plan is that of Subir Varma's lecture ("Transformers", 2022).
#
# Letters: B batch, T positions, D model width, V vocabulary, S hidden words in spans, F hidden units.
#
# **Chance comes from outside.** Every random number is an argument of your function; you draw none yourself. So an
# answer is right or wrong, and never lucky.
#
# Any tensor you create must take its dtype and device from an argument ([conventions](../docs/conventions.md)).

# %%
"""Chapter 10: BERT: hidden words and spans, two sentences in one text, losses, and a classifier on top."""

import itertools

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import BertEmbedding as GivenEmbedding
from reference.blocks import EncoderBlock

# %% [markdown] picture="hiding"
# ## Hiding words
# Build what the model reads, and what it is asked for. A position is *chosen* if it is maskable and its `select` is
# below 0.15. Its `action` says what happens to it:
#
# | action | the model reads | share of chosen tokens |
# |---|---|---|
# | below 0.8 | `mask_id` | 80 % |
# | from 0.8, below 0.9 | the token of `random_ids` at that position | 10 % |
# | from 0.9 | the token itself | 10 % |
#
# The label of *every* chosen position is the true token; every other label is -100, which PyTorch's cross-entropy
# skips by default.
#
# **Why not always [MASK]?** Because the finished model will never see a `[MASK]`: it would be good only at texts with
# holes. So a tenth of the chosen words stays, and the model must have a proper vector for words it can read. But then
# it could learn that every word it reads is right. So a tenth becomes nonsense, and now the model cannot trust any
# word without a look at its neighbours.
#
# `maskable` is False at `[CLS]`, `[SEP]` and padding: guessing those teaches nothing.
#
# All arguments and both results are `(B, T)`. Do not change the caller's `ids`, which are still needed.
#
# <details><summary>Where the lecture errs: which word was replaced</summary>
#
# Of its picture Varma's lecture says that "the word 'apricot' is replaced by 'the'". It is the other way round: the
# text is "thanks for all *the* fish", the model reads "all *apricot* fish" and is asked for "the".
#
# </details>


# %% exercise="mask_tokens"
def mask_tokens(
    ids: torch.Tensor,
    maskable: torch.Tensor,
    select: torch.Tensor,
    action: torch.Tensor,
    random_ids: torch.Tensor,
    mask_id: int,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Hide tokens for BERT's masked language model.

    Args:
        ids: the text (B, T), int64.
        maskable: (B, T), bool: False where a token must stay as it is.
        select: (B, T), uniform between 0 and 1: below 0.15 a maskable token is chosen; at exactly 0.15 it is not.
        action: (B, T), uniform between 0 and 1: below 0.8 a chosen token becomes `mask_id`, from 0.8 on the one in
            `random_ids`, and from 0.9 on it stays.
        random_ids: (B, T), int64: the replacement for a token that becomes another one; any id, even the same one.
        mask_id: id of `[MASK]`; any id.

    Returns:
        inputs (B, T), int64: what the model reads.
        labels (B, T), int64: the true token where one was chosen, else -100.

    Source: Devlin et al. 2019, section 3.1 and appendix A.1.
    """
    ### BEGIN SOLUTION
    chosen = maskable & (select < 0.15)  # (B, T)
    masked = chosen & (action < 0.8)
    replaced = chosen & (action >= 0.8) & (action < 0.9)
    inputs = torch.where(masked, mask_id, torch.where(replaced, random_ids, ids))  # (B, T)
    labels = ids.masked_fill(~chosen, -100)  # (B, T)
    return inputs, labels
    ### END SOLUTION


# %% [markdown] hints="mask_tokens" difficulty=2 minutes=20
# 1. Colour the seven columns of the picture: which are chosen, and which of the three things happens to each? These
#    are two questions: `select` answers only the first, `action` only the second. Which do the labels depend on?
# 2. Make three boolean tensors: chosen, chosen and masked, chosen and replaced. The labels follow from the first
#    one and the given ids alone. For the inputs use `torch.where`, which builds a new tensor.
# 3. `chosen = maskable & (select < 0.15)`, `masked = chosen & (action < 0.8)`,
#    `replaced = chosen & (action >= 0.8) & (action < 0.9)`. Labels: `ids.masked_fill(~chosen, -100)`. Inputs:
#    `torch.where(masked, mask_id, ids)`, wrapped in another `torch.where` for `replaced` and `random_ids`.

# %% [markdown] debrief="mask_tokens"
# BERT and RoBERTa learned what they know from this task, and on pictures, masked autoencoders hide three patches in
# four and ask for them. Nothing is sacred about 15 %: large models do better when 40 % is hidden (Wettig et al. 2022,
# arXiv 2202.08005). To read: Liu et al. 2019, arXiv 1907.11692, section 4.1: BERT drew its masks before training,
# RoBERTa draws new ones for each pass.

# %% [markdown]
# **Try it** on the picture above, with *tea* everywhere in `random_ids`:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("mask_tokens")
    words = ["[MASK]", "tea", "we", "watched", "the", "crane", "spread", "its", "wings"]
    ids = torch.tensor([[2, 3, 4, 5, 6, 7, 8]])
    select = torch.tensor([[0.61, 0.08, 0.93, 0.11, 0.40, 0.05, 0.77]])
    action = torch.tensor([[0.50, 0.31, 0.02, 0.95, 0.66, 0.84, 0.12]])
    inputs, labels = mine.mask_tokens(ids, ids > 0, select, action, torch.ones_like(ids), 0)
    print([words[i] for i in inputs[0]])
    print(labels[0].tolist())

# %% [markdown]
# ```text
# ['we', '[MASK]', 'the', 'crane', 'spread', 'tea', 'wings']
# [-100, 3, -100, 5, -100, 7, -100]
# ```

# %% [markdown]
# ## How long is a span?
# Hide one word of *the Eiffel Tower in Paris*, and its neighbour gives it away. Hide *Eiffel Tower* and the model must
# know something about Paris. So SpanBERT (Joshi et al. 2020) hides *spans*, runs of neighbouring words. For the length
# of one it tosses a coin until it shows heads, which it does with probability p; the number of tosses is the length, so
# short spans are more likely. That is the geometric distribution,
#
# $$ P(\ell = k) \propto p \, (1 - p)^{k-1}, \qquad k = 1, 2, \dots, \ell_{\max} $$
#
# It has no end, but spans should. SpanBERT throws away lengths above the largest one and draws again: divide the
# remaining probabilities by their sum, and every length keeps its ratio to the others.
#
# Shapes: → `(max_length,)`, in torch's default dtype. The first number belongs to length 1.


# %% exercise="span_length_probabilities"
def span_length_probabilities(p: float = 0.2, max_length: int = 10) -> torch.Tensor:
    """Return the probabilities of the span lengths 1 to `max_length`: geometric, truncated, and summing to 1 again.

    Args:
        p: probability that a span ends after a word, between 0 and 1, both excluded.
        max_length: the longest span, at least 1.

    Returns:
        (max_length,), in torch's default dtype.

    Source: Joshi et al. 2020, section 3.1.
    """
    ### BEGIN SOLUTION
    weights = torch.tensor([p * (1 - p) ** (length - 1) for length in range(1, max_length + 1)])
    return weights / weights.sum()
    ### END SOLUTION


# %% [markdown] hints="span_length_probabilities" difficulty=2 minutes=10
# 1. What is the chance of heads on the first toss? Of tails, then heads? Of tails, tails, heads? Write down all three,
#    and see what they sum to if three is the largest length.
# 2. The weight of length k is p times k - 1 factors of (1 - p). Make a tensor of these for 1 to `max_length`, and
#    divide it by its sum.
# 3. `weights = torch.tensor([p * (1 - p) ** (k - 1) for k in range(1, max_length + 1)])`, then
#    `weights / weights.sum()`.

# %% [markdown] debrief="span_length_probabilities"
# SpanBERT draws the length of each span it hides from these numbers, and T5 hides spans as well, three tokens long on
# average. The cut at ten words moves the mean from 1/p = 5 down to 3.8, because so much weight lies in the tail. To
# read: Joshi et al. 2020, arXiv 1907.10529, section 3.1 and figure 2, which shows this curve.

# %% [markdown]
# **Try it.** The line below the bars is the mean length.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("span_length_probabilities")
    probabilities = mine.span_length_probabilities()
    bars = {f"length {length}": share for length, share in enumerate(probabilities.tolist(), 1)}
    mine.bars(bars, title="how long a span is").show()
    print(round((probabilities * torch.arange(1, 11)).sum().item(), 1))

# %% [markdown]
# ```text
# 3.8
# ```

# %% [markdown]
# ## Hiding spans
# Find the places that a list of spans hides. Take the spans in order until at least `budget` · T places are hidden;
# then stop, however many spans are left. A span is a unit, and half of it would be an easier question. So do not trim
# the last one to fit; only the end of the text cuts a span.
#
# Here is a text with T = 12 and a budget of 0.3, which is 3.6 places, so at least 4 must be hidden:
#
# ```
#   place              0   1   2   3   4   5   6   7   8   9  10  11     hidden
#   start 4, length 2                  ■   ■                              2
#   start 5, length 2                      ■   ■                          3     place 5 counts once
#   start 10, length 4                                         ■   ■      5     cut at the end: enough
#   start 0, length 3                                                           not used
# ```
#
# Shapes: ids `(T,)`, starts and lengths `(n,)` → `(T,)`, bool. If the spans run out before the budget is reached,
# return what they hide.
#
# SpanBERT has a budget of 15 % and draws the starts uniformly. A hidden word then becomes `[MASK]`, becomes a random
# word or stays (80 : 10 : 10), all words of a span alike.


# %% exercise="mask_spans"
def mask_spans(ids: torch.Tensor, starts: torch.Tensor, lengths: torch.Tensor, budget: float) -> torch.Tensor:
    """Return which places the first spans hide, using as many spans as the budget needs.

    Args:
        ids: the text (T,), int64; only its length matters here.
        starts: (n,), int64: the first place of each span, from 0 to T - 1; there is at least one span.
        lengths: (n,), int64: how many places it takes, at least 1; a span is cut at the end of the text.
        budget: share of the text to hide, above 0 and at most 1.

    Returns:
        (T,), bool: True where a place is hidden. If all spans are used up before the budget is reached, that is all.

    Source: Joshi et al. 2020, section 3.1.
    """
    ### BEGIN SOLUTION
    masked = torch.zeros_like(ids, dtype=torch.bool)  # (T,)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if masked.sum() >= budget * len(ids):
            break
        masked[start : start + length] = True
    return masked
    ### END SOLUTION


# %% [markdown] hints="mask_spans" difficulty=3 minutes=25
# 1. Go through the picture with a pencil. *When* do you check whether enough is hidden: before a span or in the middle
#    of it? And what do you count: spans, lengths, or places?
# 2. Start with no place hidden. For every span, first check whether enough places are True, and stop if so; otherwise
#    set its slice to True. Places that are already True stay True, so counting the True places counts overlaps once.
#    A slice that goes beyond the end of the text stops there.
# 3. `masked = torch.zeros_like(ids, dtype=torch.bool)`; in a loop over `zip(starts.tolist(), lengths.tolist())`:
#    `if masked.sum() >= budget * len(ids): break`, then `masked[start : start + length] = True`.

# %% [markdown] debrief="mask_spans"
# T5 goes a step further: one special token stands for a whole span, and a decoder writes what is missing. Random spans
# did as well as whole names and whole phrases, or better, and those have to be found first. To read: Joshi et al. 2020,
# arXiv 1907.10529, on what they tried instead; Raffel et al. 2020, arXiv 1910.10683, section 3.3.

# %% [markdown]
# **Try it** with the spans of the picture:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("mask_spans")
    starts, lengths = torch.tensor([4, 5, 10, 0]), torch.tensor([2, 2, 4, 3])
    print(mine.mask_spans(torch.zeros(12, dtype=torch.int64), starts, lengths, 0.3).nonzero()[:, 0].tolist())

# %% [markdown]
# ```text
# [4, 5, 6, 10, 11]
# ```

# %% [markdown]
# ## What the edges know
# SpanBERT asks for every hidden word twice: once as BERT does, from the vector at its own place, and once from the two
# words just outside the span, the one before and the one after, together with the word's position in the span. Each way
# gives logits over the vocabulary and has its mean cross-entropy, and the loss is the sum, with y for the true words:
#
# $$ \mathcal{L} = \frac{1}{S} \sum_{i=1}^{S} \left( -\log p^{\text{token}}_i[y_i] \right)
#                + \frac{1}{S} \sum_{i=1}^{S} \left( -\log p^{\text{boundary}}_i[y_i] \right) $$
#
# The boundary logits come from three vectors that two layers join; you get them as an argument. For the word at place t
# of a span from s to e the three are the encoder's outputs before and after the span and a vector for the word's place
# in it, $f(h_{s-1}, h_{e+1}, q_{t-s+1})$.
#
# If the two neighbours of a span must predict what it contains, the model learns to gather in a vector what lies beside
# it. Models that look for spans need just that: they find, compare and classify *The Eiffel Tower* by two vectors, its
# first and its last.
#
# Shapes: both logits `(S, V)`, targets `(S,)` → a tensor without axes. S counts the hidden words of all spans.
#
# `functional.cross_entropy` is welcome in this chapter.


# %% exercise="span_boundary_loss"
def span_boundary_loss(
    boundary_logits: torch.Tensor, token_logits: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """Return the sum of SpanBERT's two losses, each a mean over the hidden words.

    Args:
        boundary_logits: (S, V), predicted from the words just outside the span; S is at least 1.
        token_logits: (S, V), predicted at the word's own place.
        targets: (S,), int64: the true words.

    Returns:
        A tensor without axes, with a gradient, in the dtype of the logits; do not round to float32 on the way.

    Source: Joshi et al. 2020, section 3.2.
    """
    ### BEGIN SOLUTION
    from_edges = functional.cross_entropy(boundary_logits, targets)
    in_place = functional.cross_entropy(token_logits, targets)
    return from_edges + in_place
    ### END SOLUTION


# %% [markdown] hints="span_boundary_loss" difficulty=2 minutes=15
# 1. There are two different predictions of the same S words. How would you grade one of them?
# 2. Take a mean cross-entropy of each, with the same targets, and add them. No weights, and no division by 2.
# 3. `functional.cross_entropy(boundary_logits, targets) + functional.cross_entropy(token_logits, targets)`.

# %% [markdown] debrief="span_boundary_loss"
# Answers to questions and names in a text are spans, and this loss prepares a model to find them by their two ends. The
# two predictions share only the vectors below, and a plus sign between two losses is all it takes to teach one body two
# things; BERT adds its two tasks in the same way. To read: Joshi et al. 2020, arXiv 1907.10529, section 3.2.

# %% [markdown]
# ## Two sentences, one text
# Join two sentences into one text that BERT can read, with a number for each token, its *segment*, that says which
# sentence it belongs to:
#
# | place | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | token | [CLS] | the | kettle | boils | [SEP] | tea | now | [SEP] |
# | segment | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1 |
#
# Many questions are about two texts: does one answer the other, follow from it, mean the same? Put them in one text,
# and attention can compare any word of one with any word of the other. `[SEP]` marks where a sentence ends, the
# segments say which side a word is on, and `[CLS]` stands for no word, so it is free to hold the answer about both.
#
# Shapes: first `(n,)`, second `(m,)` → ids and segments `(n + m + 3,)`, both int64. One text, no batch axis. Both are
# on the device of the sentences: join tensors and avoid Python lists.


# %% exercise="sentence_pair"
def sentence_pair(
    first: torch.Tensor, second: torch.Tensor, cls_id: int, sep_id: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return `[CLS] first [SEP] second [SEP]`, and which of the two each token belongs to.

    Args:
        first: ids of the first sentence (n,), int64; it may be empty.
        second: ids of the second sentence (m,), int64; it may be empty too.
        cls_id, sep_id: ids of the special tokens.

    Returns:
        ids (n + m + 3,), int64.
        segments (n + m + 3,), int64: 0 for `[CLS] first [SEP]`, 1 for `second [SEP]`, whatever ids they contain.

    Source: Devlin et al. 2019, figure 2.
    """
    ### BEGIN SOLUTION
    start, end = first.new_tensor([cls_id]), first.new_tensor([sep_id])  # (1,)
    left, right = torch.cat([start, first, end]), torch.cat([second, end])  # (n + 2,), (m + 1,)
    segments = torch.cat([torch.zeros_like(left), torch.ones_like(right)])
    return torch.cat([left, right]), segments
    ### END SOLUTION


# %% [markdown] hints="sentence_pair" difficulty=1 minutes=10
# 1. How many special tokens are there in the table, and to which sentence does each of them belong?
# 2. Build two pieces: the first sentence with `[CLS]` and `[SEP]` around it, the second with `[SEP]` after it. The
#    segments are zeros for the length of the first piece, and ones for the length of the second.
# 3. `first.new_tensor([sep_id])` is a piece of one token, on the right device. `left = torch.cat([cls, first, sep])`,
#    `right = torch.cat([second, sep])`; segments: `torch.cat([torch.zeros_like(left), torch.ones_like(right)])`.

# %% [markdown] debrief="sentence_pair"
# In a search engine the final decision is often made by a model that reads your question and a page in exactly this
# form. It costs a lot: finding the closest two of 10,000 sentences this way takes 50 million readings, 65 hours for
# BERT; with a vector for each sentence it takes seconds. To read: Reimers and Gurevych 2019, arXiv 1908.10084, which
# begins with that calculation.

# %% [markdown]
# **Try it**, with 101 and 102 as the special tokens:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("sentence_pair")
    ids, segments = mine.sentence_pair(torch.tensor([7, 8, 9]), torch.tensor([5, 6]), 101, 102)
    print(ids.tolist())
    print(segments.tolist())

# %% [markdown]
# ```text
# [101, 7, 8, 9, 102, 5, 6, 102]
# [0, 0, 0, 0, 0, 1, 1, 1]
# ```

# %% [markdown]
# ## What goes in
# Look up three learned vectors for each place, one for the token, one for the position and one for the segment; add
# them, and normalise the sum:
#
# $$ x_t = \text{norm}\left( E^{\text{token}}[\text{id}_t] + E^{\text{position}}[t]
#          + E^{\text{segment}}[\text{segment}_t] \right) $$
#
# Attention sees no borders: without segments a word only knows *where* it stands, not on which side of the `[SEP]`. The
# norm is in the authors' code: post-norm blocks hand normalised vectors to each other, so the first one gets one too.
# There is no √D here, as all three tables are learned and find their own scale.
#
# Shapes: ids and segments `(B, T)` → `(B, T, D)`, T at most `max_length`. Positions count from 0 to T - 1 in every row,
# right through both sentences.
#
# `__init__` is given. The finished embedding of `reference.blocks` (here `GivenEmbedding`) is for `BertClassifier`.
# It is not allowed in this exercise, nor is `nn.EmbeddingBag`, from which it is made.


# %% exercise="BertEmbedding"
class BertEmbedding(nn.Module):
    """Token, position and segment, added and normalised (Devlin et al. 2019, figure 2).

    Args:
        vocab_size: V.
        max_length: the length of the longest text.
        num_segments: how many segments there are; BERT has two.
        width: D.
    """

    def __init__(self, vocab_size: int, max_length: int, num_segments: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        self.segment = nn.Embedding(num_segments, width)
        for table in (self.token, self.position, self.segment):
            nn.init.normal_(table.weight, std=0.02)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Turn ids and segments (B, T), int64, into vectors (B, T, D), in the dtype of the tables.

        Calls do not depend on each other, and T may change from one to the next.
        """
        ### BEGIN SOLUTION
        positions = torch.arange(ids.shape[1], device=ids.device)  # (T,)
        summed = self.token(ids) + self.position(positions) + self.segment(segments)  # (B, T, D)
        return self.norm(summed)  # (B, T, D)
        ### END SOLUTION


# %% [markdown] hints="BertEmbedding" difficulty=1 minutes=10
# 1. Three tables, three sets of numbers to look up. Two of them are arguments. Where does the third come from?
# 2. The positions are 0, 1, ..., T - 1, on the device of the ids; their vectors are (T, D), and adding these to
#    (B, T, D) gives every row the same ones. First add all three, then normalise once.
# 3. `positions = torch.arange(ids.shape[1], device=ids.device)`, then
#    `self.norm(self.token(ids) + self.position(positions) + self.segment(segments))`.

# %% [markdown] debrief="BertEmbedding"
# These three tables are the bottom of BERT. The second sets its limit, because a text of 513 tokens has no vector for
# its last place, and the third has just two rows, in a model of 110 million parameters: enough to tell question from
# answer. RoBERTa does without the third. To read: Devlin et al. 2019, arXiv 1810.04805, figure 2.

# %% [markdown]
# ## What BERT is asked
# The loss is the mean cross-entropy over the positions that have a label, those where `mask_tokens` did not put -100.
# At all others the answer is in the input, and a model that copies would be rewarded for it. So of 100 positions about
# 15 teach something: this is the price of looking both ways.
#
# Shapes: logits `(B, T, V)`, labels `(B, T)` → a tensor without axes. Every labelled position of the batch weighs the
# same. Shift nothing: the logits at a position are about the word at that position.


# %% exercise="masked_lm_loss"
def masked_lm_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy over the labelled positions.

    Args:
        logits: (B, T, V).
        labels: (B, T), int64: from 0 to V - 1, or -100 where there is no label; at least one is not -100.

    Returns:
        A tensor without axes, with a gradient, in the dtype of the logits; do not round to float32 on the way.

    Source: Devlin et al. 2019, section 3.1.
    """
    ### BEGIN SOLUTION
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)  # (B·T, V), (B·T,)
    ### END SOLUTION


# %% [markdown] hints="masked_lm_loss" difficulty=1 minutes=10
# 1. How many positions have a label? The sum has that many terms, and you divide it by that number.
# 2. `functional.cross_entropy` takes (N, V) and (N,), and skips the label -100 by itself, in the sum and in the count.
# 3. `functional.cross_entropy(logits.flatten(0, 1), labels.flatten())`.

# %% [markdown] debrief="masked_lm_loss"
# With this loss BERT learns, slowly: six of seven positions teach it nothing. But those six can be put to work: ELECTRA
# replaces the hidden words with plausible wrong ones and asks of *every* word whether it is the original; small models
# then learn far more from the same computation. To read: Clark et al. 2020, arXiv 2003.10555, section 3.

# %% [markdown]
# ## Does it follow?
# BERT's second task is to say whether the second of two sentences really came next. Take all neighbours within a
# document, in order. Where `swap` is True, put another sentence in second place.
#
# | | first | second | label |
# |---|---|---|---|
# | as it was | the kettle boils | I make tea | True |
# | swapped | I make tea | trams are late | False |
#
# Hidden words teach what goes together within a sentence, but whether an answer fits a question depends on two
# sentences. The negative examples come free, from anywhere in all documents. The original swaps half of the pairs.
# (Joshi et al. 2020 found that the task is not needed. The idea of free negatives stayed.)
#
# Number all sentences of all documents from 0, in order: that is what `random_pick` refers to. The last sentence of a
# document and the first of the next are not neighbours; a document of one sentence has none. If chance picks the very
# sentence that followed, the label is still False: it says what was *done*. The `BertClassifier` below, with
# `num_classes=2`, would give the answer.
#
# Shapes: with N pairs of neighbours in all documents: swap and random_pick `(N,)` → a list of N tuples, and labels
# `(N,)`, bool.


# %% exercise="next_sentence_examples"
def next_sentence_examples(
    documents: list[list[str]], swap: torch.Tensor, random_pick: torch.Tensor
) -> tuple[list[tuple[str, str]], torch.Tensor]:
    """Return pairs of sentences, and whether the second one was left as it was.

    Args:
        documents: a list of sentences, in order, for each document.
        swap: (N,), bool, one for each pair of neighbours: whether the second sentence is replaced.
        random_pick: (N,), int64: the number, among all sentences of all documents, of the replacement.

    Returns:
        pairs: a list of N tuples (first, second).
        labels (N,), bool: False exactly where `swap` is True.

    Source: Devlin et al. 2019, section 3.1.
    """
    ### BEGIN SOLUTION
    everything = [sentence for document in documents for sentence in document]
    pairs = []
    for document in documents:
        for first, second in itertools.pairwise(document):
            number = len(pairs)
            pairs.append((first, everything[int(random_pick[number])] if swap[number] else second))
    return pairs, ~swap
    ### END SOLUTION


# %% [markdown] hints="next_sentence_examples" difficulty=2 minutes=20
# 1. Write down the neighbours of the example below by hand, before any swap. How many pairs does a document of n
#    sentences have? And what is the number of *trams are late*?
# 2. Make one flat list of all sentences, for the picks. Then loop over documents and, inside, over neighbours, with one
#    running number i for the pairs of *all* documents: it tells you which `swap[i]` and `random_pick[i]` to use.
# 3. Neighbours: `itertools.pairwise(document)`. With `i = len(pairs)`, append
#    `(first, everything[int(random_pick[i])] if swap[i] else second)`. The labels are `~swap`.

# %% [markdown] debrief="next_sentence_examples"
# The task went out of use, the trick did not: CLIP (arXiv 2103.00020) learns which caption belongs to which picture,
# and all other captions of the batch are its wrong answers, free of charge. RoBERTa left BERT's task out and did as
# well or a little better. To read: Lan et al. 2020, arXiv 1909.11942, section 3.1, who suspect that telling two
# documents apart is too easy, and ask for the *order* of two neighbours instead, which is hard.

# %% [markdown]
# **Try it.** Of all sentences, number 4 is *trams are late*:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("next_sentence_examples")
    documents = [["the kettle boils", "I make tea", "we drink it"], ["it snows", "trams are late"]]
    swap, random_pick = torch.tensor([False, True, False]), torch.tensor([0, 4, 2])
    pairs, labels = mine.next_sentence_examples(documents, swap, random_pick)
    for pair, label in zip(pairs, labels.tolist(), strict=True):
        print(pair, label)

# %% [markdown]
# ```text
# ('the kettle boils', 'I make tea') True
# ('I make tea', 'trams are late') False
# ('it snows', 'trams are late') True
# ```

# %% [markdown]
# ## BERT at work
# A classifier is the embedding, encoder blocks, and of all the vectors that come out only the first, that of `[CLS]`.
# It goes through the *pooler*, a linear layer and a tanh, then through the head: one logit per class.
#
# ```
#   ids, segments ──> embedding ──> block ──> ... ──> block ──> place 0 ──> pooler, tanh ──> head ──> logits
#     (B, T)          (B, T, D)   (B, T, D)         (B, T, D)    (B, D)        (B, D)              (B, classes)
#                                     └──── mask ────┘
# ```
#
# Pretraining costs a fortune and is done once. Then a new task needs a head, a few thousand labelled texts and little
# time: this is *fine-tuning*. `[CLS]` has no meaning of its own, so everything in its vector has come in through
# attention, and training decides what that is.
#
# Shapes: ids and segments `(B, T)`, mask broadcastable to `(B, H, T, T)` → logits `(B, classes)`. The mask is for
# padding: every block needs it.
#
# The `blocks` are post-norm with GELU (chapter 6), so you need no last norm. `embedding` is ready-made, so this
# exercise does not depend on yours. `pooler` is only an `nn.Linear`: you must add the tanh.


# %% exercise="BertClassifier"
class BertClassifier(nn.Module):
    """Classify a text, or a pair of texts, by BERT's vector at `[CLS]`.

    Args:
        vocab_size, max_length, num_segments: of the embedding.
        width, num_heads, hidden, num_blocks: D, H, F and the number of blocks.
        num_classes: number of logits.
        dropout: rate inside the blocks.

    Source: Devlin et al. 2019, sections 3 and 4.1.
    """

    def __init__(
        self,
        vocab_size: int,
        max_length: int,
        num_segments: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        num_classes: int,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.embedding = GivenEmbedding(vocab_size, max_length, num_segments, width)
        self.blocks = nn.ModuleList(
            EncoderBlock(width, num_heads, hidden, dropout, norm_first=False, activation="gelu")
            for _ in range(num_blocks)
        )
        self.pooler = nn.Linear(width, width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, ids: torch.Tensor, segments: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Turn ids and segments (B, T), with a mask broadcastable to (B, H, T, T) or None, into logits (B, classes).

        Calls do not depend on each other: without a mask nothing is hidden, whatever an earlier call hid.
        """
        ### BEGIN SOLUTION
        x = self.embedding(ids, segments)  # (B, T, D)
        for block in self.blocks:
            x = block(x, mask)  # (B, T, D)
        pooled = torch.tanh(self.pooler(x[:, 0]))  # (B, D)
        return self.head(pooled)  # (B, classes)
        ### END SOLUTION


# %% [markdown] hints="BertClassifier" difficulty=2 minutes=15
# 1. Use the four parts in the order in which `__init__` makes them, and one function that is not among them. Where does
#    it go?
# 2. Embed ids and segments; give every block the output of the one before it, and the mask; keep place 0 of each text;
#    then pooler, tanh, head. Return the logits as they are.
# 3. `x = block(x, mask)` in a loop over `self.blocks`, then `self.head(torch.tanh(self.pooler(x[:, 0])))`.

# %% [markdown] debrief="BertClassifier"
# BERT set the record in eleven tasks, each of which used to have a model of its own: all of them start from the same
# pretrained body, add a head as small as this one, and fine-tune their own copy. Only training makes `[CLS]` a summary,
# so before fine-tuning its vector is worth little, and a plain mean of all words is often better. The class token of
# chapter 11 is read in the same way. To read: Devlin et al. 2019, arXiv 1810.04805, section 4.

# %% [markdown]
# ## Only the head learns
# Switch off learning for all parameters of a model except those of its `head`.
#
# A few hundred examples are not enough to teach millions of parameters, but enough to spoil them. So BERT stays as it
# is and only reads, and a small layer learns to read BERT.
#
# A parameter learns if its `requires_grad` is True. Change the model in place, but not its numbers. Watch out for two
# things. The head itself may have been frozen before, say along with the whole model: afterwards it must learn. And
# `head` is the name of one attribute: `multihead` and `overhead` are different ones.


# %% exercise="freeze_all_but_head"
def freeze_all_but_head(model: nn.Module) -> nn.Module:
    """Leave only the parameters of `model.head` trainable.

    Args:
        model: any module with a submodule `head`; its parameters keep their values. The head may be one layer or
            many, with biases or without, and shares no parameter with the rest.

    Returns:
        The same model.
    """
    ### BEGIN SOLUTION
    model.requires_grad_(False)
    model.head.requires_grad_(True)
    return model
    ### END SOLUTION


# %% [markdown] hints="freeze_all_but_head" difficulty=1 minutes=10
# 1. What must `requires_grad` be afterwards, inside the head and outside it, whatever it was before? In which order do
#    you never have to tell the two apart?
# 2. `requires_grad` is a property of *parameters*. Setting it on a module as an attribute does nothing; modules have a
#    method whose name ends in an underscore, and it reaches all parameters inside.
# 3. `model.requires_grad_(False)`, `model.head.requires_grad_(True)`, `return model`.

# %% [markdown] debrief="freeze_all_but_head"
# Known as *linear probing*, this is also how to find out what a model knows: if a linear layer can read it off, it is
# there. On data unlike those of the training, a frozen body can beat one that was trained too, because fine-tuning
# distorts features that were good; this was found on pictures. To read: Kumar et al. 2022, arXiv 2202.10054; and Hu et
# al. 2021, arXiv 2106.09685 (LoRA), which lets a few small matrices learn in between.

# %% [markdown]
# ## A real one, in your own pieces
# A model of this course trains for minutes. Others have trained theirs for weeks and give the numbers away:
# `all-MiniLM-L6-v2` is a BERT of six blocks, trained until sentences that mean the same have similar vectors. It is
# your `BertClassifier` with other numbers in it, and `attend train meaning` loads them. It needs three more functions.
#
# The first one cuts words into *pieces*. The published model has a vector for each of 30,522 pieces, and frequent words
# are pieces themselves. A piece that continues a word begins with `##`:
#
# ```
#   o v e r f l o w i n g        over   ##flow   ##ing
#   └─────┘ └─────┘ └───┘
# ```
#
# The rule reads from left to right and takes nothing back:
#
# 1. Take the longest beginning of the word that is in the vocabulary.
# 2. Go on with the rest in the same way; from now on look for `##` and the letters.
# 3. If nothing fits somewhere, not even one letter, the word becomes `["[UNK]"]`, whatever was found before.
#
# So a long first piece may leave a rest that cannot be cut, where a shorter one would have done. That costs a rare word
# and saves a search.


# %% exercise="word_pieces"
def word_pieces(word: str, vocabulary: dict[str, int]) -> list[str]:
    """Cut a word into pieces of the vocabulary: from the left, always the longest that fits.

    Args:
        word: one word, at least one character, looked up as it is.
        vocabulary: all pieces, each with its id; those that continue a word begin with `##`, and all have letters.

    Returns:
        The pieces in their order, all but the first with `##`; `["[UNK]"]` if no piece fits at some place.

    Source: Wu et al. 2016, section 4.1; the longest first: Song et al. 2021, section 2.
    """
    ### BEGIN SOLUTION
    pieces, mark = [], ""
    while word:
        fits = [end for end in range(1, len(word) + 1) if mark + word[:end] in vocabulary]
        if not fits:
            return ["[UNK]"]
        pieces.append(mark + word[: fits[-1]])
        word, mark = word[fits[-1] :], "##"
    return pieces
    ### END SOLUTION


# %% [markdown] hints="word_pieces" difficulty=2 minutes=20
# 1. Cut *heron* by hand with the vocabulary of the cell below. Which beginnings do you try, in which order, and what
#    do you look up for the second piece?
# 2. Keep the letters that are left. Try all of them, then one less, and so on; once you have a piece, put `##` in front
#    of what you look up. What you found goes to the list, its letters go from the rest, and `##` counts as none.
# 3. In `while word`, collect each `end` with `mark + word[:end]` in the vocabulary, from 1 to `len(word)`. If there is
#    none, return `["[UNK]"]`. Append the piece of the last one, `end`; then `word, mark = word[end:], "##"`.

# %% [markdown] debrief="word_pieces"
# So BERT can read words that it has never met, and the forms of a word share a piece. GPT's pieces are found by merging
# instead (chapter 15), in the order in which the merges were learned, so the two may cut one word differently. Neither
# knows grammar: the pieces are whatever was frequent. To read: Song et al. 2021, arXiv 2012.15524, section 2, and how
# they find the pieces in one pass over the letters.

# %% [markdown]
# **Try it.** *her* is longer than *he*, so it is taken, and no piece continues with *on*:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("word_pieces")
    listed = "[UNK] over ##flow ##ing ##in ##g crane ##s he her ##ron ##r".split()
    for word in ("overflowing", "cranes", "crane", "heron"):
        print(word, mine.word_pieces(word, {piece: number for number, piece in enumerate(listed)}))

# %% [markdown]
# ```text
# overflowing ['over', '##flow', '##ing']
# cranes ['crane', '##s']
# crane ['crane']
# heron ['[UNK]']
# ```

# %% [markdown]
# ## The same numbers under other names
# The file holds each parameter under the name that it has in Hugging Face's `BertModel`. Yours have other names:
#
# | published | yours |
# |---|---|
# | `embeddings.word_embeddings.weight` | `embedding.token.weight` |
# | `embeddings.position_embeddings.weight` | `embedding.position.weight` |
# | `embeddings.token_type_embeddings.weight` | `embedding.segment.weight` |
# | `embeddings.LayerNorm` | `embedding.norm` |
# | `encoder.layer.0.attention.self.query`, `.key`, `.value` | `blocks.0.attention.w_q`, `.w_k`, `.w_v` |
# | `encoder.layer.0.attention.output.dense` | `blocks.0.attention.w_o` |
# | `encoder.layer.0.attention.output.LayerNorm` | `blocks.0.norm1` |
# | `encoder.layer.0.intermediate.dense` | `blocks.0.feed_forward.0` |
# | `encoder.layer.0.output.dense` | `blocks.0.feed_forward.2` |
# | `encoder.layer.0.output.LayerNorm` | `blocks.0.norm2` |
# | `pooler.dense` | `pooler` |
#
# From the fourth row on, each row stands for a `.weight` and a `.bias`. The other blocks have other numbers.
#
# Careful: queries and keys have one shape, and so do both norms of a block. If you swap them, everything loads and
# runs, and the vectors mean nothing. Only an answer that is known from elsewhere shows it.
#
# The file may hold more than your model has, such as a list of places or more blocks: leave it out. What it lacks must
# not go unnoticed, or a part of the model stays random. And your `head` is new: nobody has published it.


# %% exercise="course_weights"
def course_weights(published: dict[str, torch.Tensor], num_blocks: int) -> dict[str, torch.Tensor]:
    """Give a published BERT's tensors the names that they have in `BertClassifier`.

    Args:
        published: the tensors of Hugging Face's `BertModel`, by name, in any order; there may be others.
        num_blocks: the number of blocks in the classifier, at least 1; there may be more in `published`.

    Returns:
        The same tensors by the names of the classifier's parameters: all but those of its `head`, and nothing else.

    Raises:
        KeyError: a tensor is missing; it says which, by its published name.

    Source: Devlin et al. 2019, section 3; the names are those of the `transformers` library.
    """
    ### BEGIN SOLUTION
    tables = {"word_embeddings": "token", "position_embeddings": "position", "token_type_embeddings": "segment"}
    in_block = {
        "attention.self.query": "attention.w_q",
        "attention.self.key": "attention.w_k",
        "attention.self.value": "attention.w_v",
        "attention.output.dense": "attention.w_o",
        "attention.output.LayerNorm": "norm1",
        "intermediate.dense": "feed_forward.0",
        "output.dense": "feed_forward.2",
        "output.LayerNorm": "norm2",
    }
    layers = {"embedding.norm": "embeddings.LayerNorm", "pooler": "pooler.dense"}
    for k in range(num_blocks):
        layers |= {f"blocks.{k}.{own}": f"encoder.layer.{k}.{other}" for other, own in in_block.items()}
    names = {f"embedding.{own}.weight": f"embeddings.{other}.weight" for other, own in tables.items()}
    names |= {f"{own}.{part}": f"{other}.{part}" for own, other in layers.items() for part in ("weight", "bias")}
    return {own: published[other] for own, other in names.items()}
    ### END SOLUTION


# %% [markdown] hints="course_weights" difficulty=2 minutes=20
# 1. How many names does a model of six blocks need: how many outside the blocks, and how many in each? Which of the two
#    lists should you go through, so that whatever is missing is noticed?
# 2. Write the table down as dictionaries: one for the tables, which have no bias, one for the layers outside the
#    blocks, one for those of a block. Build your names from them, block by block, and look each one up in `published`.
# 3. For block k, `f"blocks.{k}.{own}.{part}"` is `published[f"encoder.layer.{k}.{other}.{part}"]`, for each pair
#    `other, own` of the block's table and each `part` of `("weight", "bias")`. `published[...]` raises the KeyError.

# %% [markdown] debrief="course_weights"
# Now you can load any BERT that is stored under these names with its pooler, whatever its size. (Older files put
# `bert.` in front, or call a norm's two parts `gamma` and `beta`.) Libraries keep hundreds of such tables, one for each
# family of models, and test them as `attend train meaning` does: by numbers that are known. To read: Wang et al. 2020,
# arXiv 2002.10957 (MiniLM), section 3, on how a large model teaches a small one like this.

# %% [markdown]
# ## One vector for a sentence
# How does a model say that two sentences mean the same? By vectors with a small angle between them. `all-MiniLM-L6-v2`
# was trained for this, on a billion pairs of texts that belong together, and it does not use `[CLS]`: the vector of a
# sentence is the *mean* of the last block's vectors at all real tokens, `[CLS]` and `[SEP]` among them, scaled to
# length 1. Then a dot product of two such vectors is their cosine.
#
# ```
#   [CLS]   a   happy   dog   [SEP]  [PAD]  [PAD]
#     │     │     │      │      │      ×      ×      hidden (T, D), of each text
#     └─────┴──── mean ──┴──────┘
#                  │
#               ÷ length  ──>  (D,), of length 1
# ```
#
# Padding must not count: whatever stands there, the sentence means the same in every batch. And a text without any
# real token has no direction: its vector is zero, and so are its gradients, never NaN.
#
# Shapes: hidden `(B, T, D)`, mask `(B, T)` → `(B, D)`.


# %% exercise="sentence_vector"
def sentence_vector(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the mean vector of each text's real tokens, scaled to length 1.

    Args:
        hidden: (B, T, D), the output of the last block; where the mask is False, any finite numbers.
        mask: (B, T), bool, True at real tokens, wherever they stand.

    Returns:
        (B, D), in the dtype of `hidden`. A text without any real token gets zeros, and no NaN in its gradients.

    Source: Reimers and Gurevych 2019, section 3.
    """
    ### BEGIN SOLUTION
    summed = (hidden * mask[..., None]).sum(dim=1)  # (B, D), in the direction of the mean
    return functional.normalize(summed, dim=-1)
    ### END SOLUTION


# %% [markdown] hints="sentence_vector" difficulty=1 minutes=10
# 1. Which axis goes away, and which entries along it must not count? What do 0 and True do to a number when they are
#    multiplied with it?
# 2. Sum the real vectors of each text, with the mask as `(B, T, 1)`, and divide by how many there are, but at least by
#    1. Then divide the vector by its own length; a length of zero needs care. Is there a function in `functional` that
#       takes care?
# 3. `(hidden * mask[..., None]).sum(dim=1)`, then `functional.normalize(..., dim=-1)`, which never divides by less than
#    10^-12. Does the number of tokens still matter before it?

# %% [markdown] debrief="sentence_vector"
# So a search engine can turn all its texts into vectors once, and each question costs one vector and one matrix
# product: the 65 hours of `sentence_pair`'s debrief become seconds. To read: Reimers and Gurevych 2019, arXiv
# 1908.10084, section 6 on mean, `[CLS]` and maximum.

# %% [markdown]
# **A real model.** With `BertClassifier` and `freeze_all_but_head`, these three are all that it takes. `attend train
# meaning` says how to get the file (83 MB). It compares your vectors with what the model's authors publish, finds the
# lines of Shakespeare that are nearest to a sentence of yours, and puts a head on top that tells whether a review is
# pleased. One number has no name in the file: the norms of this model add 10^-12 under the root, PyTorch's add 10^-5.
# The command sets it, as `eps` of each norm.

# %% [markdown]
# ## See it run
# Back to the two cranes. Here is a tiny world of 64 sentences: herons and cranes that eat, see, hear and feed;
# diggers and cranes that lift, drop, haul and move. Your BERT reads them with words hidden, for 200 steps. Nothing
# tells it that there are two kinds of crane. Then look at the vectors that it gives to "crane" in eight of the
# sentences: the heatmap shows how similar they are, as cosines.

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("mask_tokens", "masked_lm_loss", "BertClassifier")
    birds = ("crane heron", "eats sees hears feeds", "frog chick fish duck")
    tools = ("crane digger", "lifts drops hauls moves", "beam brick crate pipe")
    said = [triple for world in (birds, tools) for triple in itertools.product(*(column.split() for column in world))]
    texts = [["[CLS]", "the", who, does, "the", what] for who, does, what in said]
    words = ["[MASK]", *sorted({word for text in texts for word in text})]  # [CLS] sorts first and becomes 1
    ids = torch.tensor([[words.index(word) for word in text] for text in texts])  # (64, 6)
    cranes = ids[(ids == words.index("crane")).any(dim=1)]  # 16 birds, then 16 machines
    print(f"{len(ids)} sentences, {len(cranes)} of them about cranes")

    def new_bert() -> nn.Module:
        """Make a BERT, always the same one, untrained."""
        torch.manual_seed(0)
        return mine.BertClassifier(len(words), 6, 1, width=32, num_heads=2, hidden=128, num_blocks=2, num_classes=2)

    def vectors(model: nn.Module, ids: torch.Tensor) -> torch.Tensor:
        """Return the last block's output at each place, (B, T, D)."""
        x = model.embedding(ids, torch.zeros_like(ids))
        for block in model.blocks:
            x = block(x)
        return x


# %%
if __name__ == "__main__":
    bert, losses = new_bert(), []
    adam = torch.optim.Adam(bert.parameters(), lr=3e-3)
    for _ in range(200):
        select, action = torch.rand(2, *ids.shape)
        inputs, labels = mine.mask_tokens(ids, ids > 1, select, action, torch.randint(2, len(words), ids.shape), 0)
        loss = mine.masked_lm_loss(vectors(bert, inputs) @ bert.embedding.token.weight.T, labels)
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    mine.curve({"loss": losses}, title="hidden words").show()

    bert.eval()
    with torch.no_grad():
        crane = functional.normalize(vectors(bert, cranes[::4])[:, 2], dim=-1)  # (8, D), one for each verb
    verbs = [words[i] for i in cranes[::4, 3]]
    mine.heatmap(crane @ crane.T, rows=verbs, columns=verbs, title="how alike two cranes are").show()

# %% [markdown]
# Two blocks on the diagonal: the crane that eats is the crane that hears, and not the one that lifts. One word, two
# vectors, and no label was needed. The loss stays above 0, because no model can know whether frog or fish is eaten.
#
# Now the second half of BERT's idea. You label *two* of the 32 sentences about cranes, one bird and one machine,
# freeze the body and let the head learn from these two alone. How many of the other 30 does it get right?

# %%
if __name__ == "__main__":
    mine("freeze_all_but_head", "BertClassifier")
    machine = torch.arange(32) >= 16
    asked, nothing = [0, 16], torch.zeros_like(cranes)
    right = {"guessing": 15.0}
    for name, model in {"untrained body": new_bert(), "pretrained body": bert}.items():
        mine.freeze_all_but_head(model.eval())
        adam = torch.optim.Adam(model.head.parameters(), lr=0.01)
        for _ in range(100):
            adam.zero_grad()
            functional.cross_entropy(model(cranes[asked], nothing[asked]), machine[asked].long()).backward()
            adam.step()
        found = model(cranes, nothing).argmax(dim=1) == machine
        right[name] = found.sum().item() - found[asked].sum().item()
    mine.bars(right, title="right, of the 30 sentences without a label").show()

# %% [markdown]
# The untrained body does somewhat better than a coin, because even a random mixture of words tells a few sentences
# apart. On the pretrained body two examples are enough for all, or nearly all. (The pooler is still random in both: in
# a world of 64 sentences a random mixture of good vectors is enough, while real texts need fine-tuning.) The real BERT
# does the same with 3.3 billion words in place of 64 sentences: that is *transfer learning*, and it is why reading
# without a teacher comes first.
#
# ## What you have now
#
# You have a model that reads in both directions, the tasks it is pretrained on, and the small head that puts it to
# use. What `[CLS]` is to a text, a class token is to a picture: chapter 11 cuts photographs into words and changes
# hardly anything else.
#
# **To read.** BERT: [Devlin et al. 2019](https://arxiv.org/abs/1810.04805). Spans: [Joshi et al.
# 2020](https://arxiv.org/abs/1907.10529). What came next: [RoBERTa](https://arxiv.org/abs/1907.11692),
# [ALBERT](https://arxiv.org/abs/1909.11942), [ELECTRA](https://arxiv.org/abs/2003.10555).

# %% [markdown] debrief="ch10_bert"
# You can build BERT, set the tasks that it is pretrained on, and put a small head on it.
