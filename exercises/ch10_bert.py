# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch10` checks it.

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

# %% [markdown]
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
    # TODO: mask_tokens (attend hint mask_tokens)
    raise NotImplementedError("mask_tokens")


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
    # TODO: span_length_probabilities (attend hint span_length_probabilities)
    raise NotImplementedError("span_length_probabilities")


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
    # TODO: mask_spans (attend hint mask_spans)
    raise NotImplementedError("mask_spans")


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
    # TODO: span_boundary_loss (attend hint span_boundary_loss)
    raise NotImplementedError("span_boundary_loss")


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
    # TODO: sentence_pair (attend hint sentence_pair)
    raise NotImplementedError("sentence_pair")


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
        # TODO: BertEmbedding (attend hint BertEmbedding)
        raise NotImplementedError("BertEmbedding")


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
    # TODO: masked_lm_loss (attend hint masked_lm_loss)
    raise NotImplementedError("masked_lm_loss")


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
    # TODO: next_sentence_examples (attend hint next_sentence_examples)
    raise NotImplementedError("next_sentence_examples")


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
        # TODO: BertClassifier (attend hint BertClassifier)
        raise NotImplementedError("BertClassifier")


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
    # TODO: freeze_all_but_head (attend hint freeze_all_but_head)
    raise NotImplementedError("freeze_all_but_head")


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
    # TODO: word_pieces (attend hint word_pieces)
    raise NotImplementedError("word_pieces")


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
    # TODO: course_weights (attend hint course_weights)
    raise NotImplementedError("course_weights")


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
    # TODO: sentence_vector (attend hint sentence_vector)
    raise NotImplementedError("sentence_vector")


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
