# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch10` checks it.

# %% [markdown]
# # Chapter 10 · BERT
#
# **"We watched the crane spread its wings." "We watched the crane lift the container." A language model reads from
# left to right. What does it know about the crane when it gets there?**
#
# In both cases the same: it has read *we watched the crane*, so the two cranes get the same vector, and the bird is a
# machine. The words that tell them apart come later. So let every position look both ways: throw out the causal
# mask, and the encoder of chapter 6 does just that. But now the task of chapter 9 is worthless. Who sees the
# next word need not predict it.
#
# BERT (Devlin et al. 2019) keeps the open view and changes the task: hide some of the words, and ask for those.
#
# ```
#   text        we     watched    the    crane    spread    its    wings
#   select     .61       .08      .93     .11      .40      .05     .77     hidden, if below .15
#   action     .50       .31      .02     .95      .66      .84     .12     and how
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
# Seven words, three of them asked for. One became `[MASK]`, one became another word by chance, one stayed as it was;
# the model is told of none of this. To fill such gaps well you must know what cranes do, and that is what we want the
# vectors to know. Nobody had to label anything: the text is its own teacher.
#
# This chapter hides words and whole spans, packs two sentences into one text, computes the losses, and ends with
# what BERT is for: a classifier on top of it. It follows Subir Varma's lecture ("Transformers", 2022), where the riddle
# is a bank: of a river, or for a check.
#
# Letters: B batch, T positions, D model width, V vocabulary, S hidden words in spans, F hidden units.
#
# **Chance comes from outside.** Whatever is drawn at random is an argument of your function. So an answer is right or
# wrong and never lucky, and you draw nothing yourself.
#
# Any dtype, any device: as chapter 2 says ([conventions](../docs/conventions.md)).

# %%
"""Chapter 10: BERT: words and spans to hide, two sentences in one text, losses, and a classifier on top."""

import itertools

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import BertEmbedding as GivenEmbedding
from reference.blocks import EncoderBlock

# %% [markdown]
# ## Hiding words
# **What.** What the model reads, and what it is asked for. A position is *chosen* if it may be hidden at all and its
# `select` is below 0.15. What happens to a chosen token depends on its `action`:
#
# | action | the model reads | share of the chosen |
# |---|---|---|
# | below 0.8 | `mask_id` | 80 % |
# | from 0.8, below 0.9 | the token of `random_ids` at that position | 10 % |
# | from 0.9 | the token itself | 10 % |
#
# The label of *every* chosen position is the true token, and -100 everywhere else. That number is what PyTorch's
# cross-entropy skips unless told otherwise.
#
# **Why not always [MASK]?** Because nobody will ever show the finished model a `[MASK]`: it would be good at texts
# with holes only. So a tenth of the chosen words stays, and the model must have a proper vector for words it
# can read. But then it could learn that every word it reads is right. So a tenth becomes nonsense, and from now on no
# word can be trusted without a look at its neighbours.
#
# `maskable` is False at `[CLS]`, `[SEP]` and padding: there is nothing to be learned from guessing those.
#
# **Shapes.** all of them `(B, T)`, both results too. The caller's `ids` are still needed: leave them as they are.
#
# **Where.** Devlin et al. 2019, section 3.1 "Task #1" and appendix A.1.


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
        maskable: (B, T), bool: False where a token must be left alone.
        select: (B, T), uniform between 0 and 1: below 0.15 a maskable token is chosen.
        action: (B, T), uniform between 0 and 1: what becomes of a chosen token.
        random_ids: (B, T), int64: what stands in for a token that becomes another one.
        mask_id: id of `[MASK]`.

    Returns:
        inputs (B, T), int64: what the model reads.
        labels (B, T), int64: the true token where one was chosen, else -100.

    Source: Devlin et al. 2019, section 3.1 and appendix A.1.
    """
    # TODO: mask_tokens (attend hint mask_tokens)
    raise NotImplementedError("mask_tokens")


# %% [markdown]
# **Try it** on the picture from above, with *tea* in all of `random_ids`:

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
# **What.** The probability of each length 1, 2, ..., `max_length` of a span, which is a run of neighbouring words.
#
# **Why spans?** Hide one word of *the Eiffel Tower in Paris*, and its neighbour gives it away. Hide *Eiffel Tower*
# and the model must know something about Paris. SpanBERT (Joshi et al. 2020) hides runs of words, mostly short
# ones, sometimes long ones.
#
# **How.** Toss a coin that shows heads with probability p until it does; the number of tosses is the length, so short
# ones are more likely. That is the geometric distribution,
#
# $$ P(\ell = k) \propto p \, (1 - p)^{k-1}, \qquad k = 1, 2, \dots, \ell_{\max} $$
#
# It has no end, and spans should. Lengths above the largest one are thrown away and drawn again: what is left
# is divided by its sum, so that every length keeps its ratio to the others. With SpanBERT's p = 0.2 and at most 10
# words the mean length is 3.8.
#
# **Shapes.** → `(max_length,)`, in torch's default dtype. The first number belongs to length 1.
#
# **Where.** Joshi et al. 2020, section 3.1.


# %% exercise="span_length_probabilities"
def span_length_probabilities(p: float = 0.2, max_length: int = 10) -> torch.Tensor:
    """Probabilities of the span lengths 1 to `max_length`: geometric, truncated, and summing to 1 again.

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
# **What.** The places that a list of spans hides. Take the spans in their order until at least `budget` · T places are
# hidden; then stop, however many spans are left.
#
# **Why whole spans?** Because a span is a unit: half of it would be an easier question. So the last one is not
# trimmed to fit, and there may be a few places more than the budget. Only the end of the text cuts a span.
#
# Here is a text of T = 12 and a budget of 0.3, which asks for 3.6 places, so for at least 4:
#
# ```
#   place              0   1   2   3   4   5   6   7   8   9  10  11     hidden
#   start 4, length 2                  ■   ■                              2
#   start 5, length 2                      ■   ■                          3     place 5 counts once
#   start 10, length 4                                         ■   ■      5     cut at the end: enough
#   start 0, length 3                                                           not used
# ```
#
# **Shapes.** ids `(T,)`, starts and lengths `(n,)` → `(T,)`, bool. If the spans are used up before the budget is
# reached, what they hide is the answer.
#
# **Where.** Joshi et al. 2020, section 3.1: a budget of 15 %, starts drawn uniformly, lengths as in the last exercise.
# What is hidden then becomes `[MASK]`, random or stays (80 : 10 : 10), in SpanBERT all words of a span alike.


# %% exercise="mask_spans"
def mask_spans(ids: torch.Tensor, starts: torch.Tensor, lengths: torch.Tensor, budget: float) -> torch.Tensor:
    """Which places the first spans hide, as many spans as the budget needs.

    Args:
        ids: the text (T,), int64; its length is what counts here.
        starts: (n,), int64: the first place of each span, from 0 to T - 1.
        lengths: (n,), int64: how many places it takes, at least 1; what would lie behind the text is cut.
        budget: share of the text to hide, above 0 and at most 1.

    Returns:
        (T,), bool: True where a place is hidden.

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
# **What.** SpanBERT asks for every hidden word twice. Once as BERT does, from the vector at its own place. And once
# from the two words just outside of the span, the one before and the one behind, together with the word's number
# within the span. Each way gives logits over the vocabulary, each has its mean cross-entropy, and the loss is the sum:
#
# $$ \mathcal{L} = \frac{1}{S} \sum_{i=1}^{S} \left( -\log p^{\text{token}}_i[x_i] \right)
#                + \frac{1}{S} \sum_{i=1}^{S} \left( -\log p^{\text{boundary}}_i[x_i] \right) $$
#
# The boundary logits are made of three vectors, put together and sent through two layers: what the encoder leaves just
# before the span, which goes from s to e, and just behind it, and one for the word's place in the span. You are given
# what comes out.
#
# $$ y_i = f\left( x_{s-1}, \; x_{e+1}, \; p_{i-s+1} \right) $$
#
# **Why.** To say from its edges what a span contains, the vectors at the edges have to know it. Afterwards *The Eiffel
# Tower* can be found, compared and classified by two vectors, its first and its last.
#
# **Shapes.** both logits `(S, V)`, targets `(S,)` → a tensor without axes. S counts the hidden words of all spans.
#
# **Where.** Joshi et al. 2020, section 3.2. `functional.cross_entropy` is welcome in this chapter.


# %% exercise="span_boundary_loss"
def span_boundary_loss(
    boundary_logits: torch.Tensor, token_logits: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """The sum of SpanBERT's two losses, each a mean over the hidden words.

    Args:
        boundary_logits: (S, V), predicted from the edges of the span.
        token_logits: (S, V), predicted at the word's own place.
        targets: (S,), int64: the true words.

    Returns:
        A tensor without axes, with a gradient.

    Source: Joshi et al. 2020, section 3.2.
    """
    # TODO: span_boundary_loss (attend hint span_boundary_loss)
    raise NotImplementedError("span_boundary_loss")


# %% [markdown]
# ## Two sentences, one text
# **What.** Two sentences as one text that BERT can read, with a number for each token that says which of them it
# belongs to.
#
# | place | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | token | [CLS] | the | kettle | boils | [SEP] | tea | now | [SEP] |
# | segment | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1 |
#
# **Why.** Many questions are about two texts: does one answer the other, follow from it, mean the same? Put them
# in one text and attention may compare any word of one with any word of the other. `[SEP]` marks where a
# sentence ends, the segments say on which side a word stands, and `[CLS]` belongs to no word, so that there is a
# place where the answer about both can be written.
#
# **Shapes.** first `(n,)`, second `(m,)` → ids and segments `(n + m + 3,)`, both int64. One text, no batch axis. Both
# lie on the device of the sentences: join tensors and do not go by way of Python lists.
#
# **Where.** Devlin et al. 2019, section 3 "Input/Output Representations" and figure 2.


# %% exercise="sentence_pair"
def sentence_pair(
    first: torch.Tensor, second: torch.Tensor, cls_id: int, sep_id: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """`[CLS] first [SEP] second [SEP]`, and which of the two each token belongs to.

    Args:
        first: ids of the first sentence (n,), int64.
        second: ids of the second sentence (m,), int64.
        cls_id, sep_id: ids of the special tokens.

    Returns:
        ids (n + m + 3,), int64.
        segments (n + m + 3,), int64: 0 for `[CLS] first [SEP]`, 1 for `second [SEP]`, whatever ids are in them.

    Source: Devlin et al. 2019, figure 2.
    """
    # TODO: sentence_pair (attend hint sentence_pair)
    raise NotImplementedError("sentence_pair")


# %% [markdown]
# **Try it**, with 101 and 102 for the special tokens:

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
# **What.** Three vectors for each place, all of them learned: one for the token, one for the position, one for
# the segment. They are added, and the sum is normalised.
#
# $$ x_t = \text{norm}\left( E^{\text{token}}[\text{id}_t] + E^{\text{position}}[t]
#          + E^{\text{segment}}[\text{segment}_t] \right) $$
#
# **Why the segments?** Attention sees no borders: without them a word only knows *where* it stands, and not on which
# side of the `[SEP]`. **Why the norm?** The blocks are post-norm, each of them hands a normalised vector to the next,
# so the first one gets one too. There is no √D here: all three tables are learned and find their own scale.
#
# **Shapes.** ids and segments `(B, T)` → `(B, T, D)`, T at most `max_length`. Positions count from 0 to T - 1 in
# every row, right through both sentences.
#
# **Where.** Devlin et al. 2019, figure 2; the norm stands in the authors' code.
#
# `__init__` is given. The finished embedding of `reference.blocks` (here `GivenEmbedding`) is for `BertClassifier`
# and not allowed in this exercise, nor is `nn.EmbeddingBag`, which it is made of.


# %% exercise="BertEmbedding"
class BertEmbedding(nn.Module):
    """Token, position and segment, added and normalised (Devlin et al. 2019, figure 2).

    Args:
        vocab_size: V.
        max_length: the longest text.
        num_segments: how many segments there are, in BERT two.
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
        """ids and segments (B, T), int64 -> (B, T, D)."""
        # TODO: BertEmbedding (attend hint BertEmbedding)
        raise NotImplementedError("BertEmbedding")


# %% [markdown]
# ## What BERT is asked
# **What.** The mean cross-entropy over the positions that have a label, those where `mask_tokens` left no -100.
#
# **Why only those?** At all others the answer stands in the input, and a model that copies would be praised for it. Of
# 100 positions about 15 teach something. This is the price of looking both ways: a left-to-right model learns
# from every position.
#
# **Shapes.** logits `(B, T, V)`, labels `(B, T)` → a tensor without axes. Every labelled position of the batch weighs
# the same. Nothing is shifted: the logits at a position are about the word at that position.
#
# **Where.** Devlin et al. 2019, section 3.1 and appendix A.1.


# %% exercise="masked_lm_loss"
def masked_lm_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy over the labelled positions.

    Args:
        logits: (B, T, V).
        labels: (B, T), int64: from 0 to V - 1, or -100 where nothing is asked; at least one is asked.

    Returns:
        A tensor without axes, with a gradient.

    Source: Devlin et al. 2019, section 3.1.
    """
    # TODO: masked_lm_loss (attend hint masked_lm_loss)
    raise NotImplementedError("masked_lm_loss")


# %% [markdown]
# ## Does it follow?
# **What.** Pairs of sentences for BERT's second task: say whether the second one really came next. Take all
# neighbours within a document, in order. Where `swap` says so, put another sentence in second place.
#
# | | first | second | label |
# |---|---|---|---|
# | as it was | the kettle boils | I make tea | True |
# | swapped | I make tea | trams are late | False |
#
# **Why.** Hidden words teach what goes together within a sentence, and whether an answer fits a question is decided
# between two. The negative examples come free, from anywhere in all documents. Half of the pairs are swapped, in the
# original. (Joshi et al. 2020 found that one can do without this task. The idea of free negatives stayed.)
#
# **How.** Number all sentences of all documents from 0 on, in order: that is what `random_pick` refers to. The last
# sentence of a document and the first of the next are no neighbours; a document of one sentence has none. If chance
# picks the very sentence that followed, the label is False all the same: it says what was *done*.
#
# **Who answers?** A layer with two outputs on the vector of `[CLS]`: the `BertClassifier` below, with `num_classes=2`.
#
# **Shapes.** With N pairs of neighbours in all documents: swap and random_pick `(N,)` → a list of N tuples, and
# labels `(N,)`, bool.
#
# **Where.** Devlin et al. 2019, section 3.1 "Task #2".


# %% exercise="next_sentence_examples"
def next_sentence_examples(
    documents: list[list[str]], swap: torch.Tensor, random_pick: torch.Tensor
) -> tuple[list[tuple[str, str]], torch.Tensor]:
    """Pairs of sentences, and whether the second was left as it was.

    Args:
        documents: sentences in their order, in a list for each document.
        swap: (N,), bool, one for each pair of neighbours: whether the second sentence is replaced.
        random_pick: (N,), int64: the number, among all sentences of all documents, of what replaces it.

    Returns:
        pairs: a list of N tuples (first, second).
        labels (N,), bool: False exactly where `swap` is True.

    Source: Devlin et al. 2019, section 3.1.
    """
    # TODO: next_sentence_examples (attend hint next_sentence_examples)
    raise NotImplementedError("next_sentence_examples")


# %% [markdown]
# **Try it.** Sentence 4 of all is *trams are late*:

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
# **What.** A classifier: embedding, encoder blocks, and of all the vectors that come out only the first, that of
# `[CLS]`. It goes through the *pooler*, a linear layer and a tanh, then through the head: a logit per class.
#
# ```
#   ids, segments ──> embedding ──> block ──> ... ──> block ──> place 0 ──> pooler, tanh ──> head ──> logits
#     (B, T)          (B, T, D)   (B, T, D)         (B, T, D)    (B, D)        (B, D)              (B, classes)
#                                     └──── mask ────┘
# ```
#
# **Why.** Pretraining costs a fortune and is done once. Then a new task needs a head, a few thousand labelled texts and
# little time: this is *fine-tuning*. `[CLS]` has no meaning of its own, so all that is in its vector has come in by
# attention, and the training decides what that is.
#
# **Shapes.** ids and segments `(B, T)`, mask broadcastable to `(B, H, T, T)` → logits `(B, classes)`. The mask is for
# padding: every block needs it.
#
# **Where.** Devlin et al. 2019, sections 3 and 4.1, appendix A.2 for GELU; the pooler stands in the authors' code.
#
# The `blocks` are post-norm with GELU, so no last norm is missing. `embedding` is a ready one, and this exercise
# does not lean on yours. `pooler` is an `nn.Linear`: the tanh is up to you.


# %% exercise="BertClassifier"
class BertClassifier(nn.Module):
    """Classify a text, or two, by what BERT leaves at `[CLS]`.

    Args:
        vocab_size, max_length, num_segments: of the embedding.
        width, num_heads, hidden, num_blocks: D, H, F and the number of blocks.
        num_classes: number of logits.
        dropout: rate inside of the blocks.

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
        """ids and segments (B, T), mask broadcastable to (B, H, T, T) or None -> logits (B, num_classes)."""
        # TODO: BertClassifier (attend hint BertClassifier)
        raise NotImplementedError("BertClassifier")


# %% [markdown]
# ## Only the head learns
# **What.** Switch off learning for all parameters of a model but those of its `head`.
#
# **Why.** With a few hundred examples there is not enough to teach millions of parameters, and enough to spoil them.
# So BERT stays as it is and only reads, and a small layer learns to read BERT. It is also the first stage of many
# fine-tunings: first a head that knows something, then the rest.
#
# **How.** A parameter learns if its `requires_grad` is True. The model is changed in place, its numbers are not. Two
# things to mind. The head may itself have been frozen before, say because someone froze the whole model: afterwards it
# must learn. And `head` is the name of one attribute: `multihead` or `overhead` are other ones.
#
# **Shapes.** a module that has a part `head` → the same module.


# %% exercise="freeze_all_but_head"
def freeze_all_but_head(model: nn.Module) -> nn.Module:
    """Leave only the parameters of `model.head` trainable.

    Args:
        model: any module with a submodule `head`; its parameters keep their values.

    Returns:
        The same model.
    """
    # TODO: freeze_all_but_head (attend hint freeze_all_but_head)
    raise NotImplementedError("freeze_all_but_head")


# %% [markdown]
# ## See it run
# Back to the two cranes. Here is a tiny world of 64 sentences: herons and cranes that eat, see, hear and feed;
# diggers and cranes that lift, drop, haul and move. Your BERT reads them with words hidden, 200 steps long. It is
# never told that there are two kinds of crane. Then look at the vectors that it gives to "crane" in eight of the
# sentences: the heatmap shows how alike they are, as cosines.

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

    def new_bert() -> nn.Module:
        """Always the same one, untrained."""
        torch.manual_seed(0)
        return mine.BertClassifier(len(words), 6, 1, width=32, num_heads=2, hidden=128, num_blocks=2, num_classes=2)

    def vectors(model: nn.Module, ids: torch.Tensor) -> torch.Tensor:
        """What the last block leaves at each place, (B, T, D)."""
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
# vectors, and no label was needed. The loss stays above 0, for whether frog or fish is eaten, no model can know.
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
# The untrained body does somewhat better than a coin, for even a random mixture of words tells a few sentences apart.
# On the pretrained body two examples are enough for all, or nearly all. The real BERT does the same with 3.3 billion
# words in place of 64 sentences: that is *transfer learning*, and it is why reading without a teacher comes first.
#
# ## What you have now
#
# A model that reads in both directions, the riddles it is raised on, and the small layer that puts it to work. What
# `[CLS]` is to a text, a class token is to a picture: chapter 11 cuts photographs into words and changes hardly
# anything else.
#
# **To read.** BERT: [Devlin et al. 2019](https://arxiv.org/abs/1810.04805). Spans: [Joshi et al.
# 2020](https://arxiv.org/abs/1907.10529). What came next: [RoBERTa](https://arxiv.org/abs/1907.11692),
# [ALBERT](https://arxiv.org/abs/1909.11942), [ELECTRA](https://arxiv.org/abs/2003.10555). GELU: [Hendrycks and Gimpel
# 2016](https://arxiv.org/abs/1606.08415).
