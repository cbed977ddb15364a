# %% [markdown]
# # Chapter 7 · The classifier
#
# **A film review of 200 words goes in, one number comes out: did they like it? The encoder of chapter 6 gives back as
# many vectors as it was given words. Somewhere, 200 vectors must become one. Which one is it?**
#
# All of them: their average. After the encoder every word has heard the whole review, so each vector knows a
# little of the verdict, and the mean collects what they know. This is the whole model, layer by layer, with
# the sizes of the lecture (Aleksandar Vakanski, "Lecture 19 - Transformer Networks", 2025), which are the defaults:
#
# | layer | output | parameters |
# |---|---|---|
# | token ids | (B, 200) | |
# | token table, 20,000 words of width 32 | (B, 200, 32) | 640,000 |
# | position table, 200 places, added | (B, 200, 32) | 6,400 |
# | encoder block: attention, 2 heads of width 32 | (B, 200, 32) | 8,416 |
# | encoder block: feed-forward network, 32 → 32 → 32 | (B, 200, 32) | 2,112 |
# | encoder block: two layer norms | (B, 200, 32) | 128 |
# | average over the positions | (B, 32) | 0 |
# | dropout | (B, 32) | 0 |
# | `hidden`: dense 32 → 100, ReLU | (B, 100) | 3,300 |
# | dropout | (B, 100) | 0 |
# | `output`: dense 100 → 1, a logit | (B,) | 101 |
# | **all together** | | **660,457** |
#
# 97 % of the model is a dictionary, and 6,400 numbers say what it means to be in a certain place; everything that
# *thinks* fits into the other 14,057. The heads are *wide*, as in chapter 5: each is as wide as the model itself.
#
# In this chapter you write everything around the encoder, from a list of ids to a training loop.
#
# Letters: B batch, T positions, D model width.
#
# Any tensor you create must take its dtype and device from an argument, or from torch's defaults where no argument is a
# tensor ([conventions](../docs/conventions.md)).

# %%
"""Chapter 7, a classifier of texts: padding, pooling, loss, model, accuracy, and an epoch of training."""

from collections.abc import Iterable

import torch
from torch import nn
from torch.nn import functional

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding

# %% [markdown]
# ## Texts of one length
# A tensor has no ragged rows, so all texts must get the same length: short ones are filled up with `pad_id` *in
# front*, and long ones keep only their *last* `max_length` tokens.
#
# **Why in front, and why the last?** Both are the defaults of Keras's function of this name, and our model should see
# the data exactly as the lecture's did. A recurrent network reads from left to right and would have forgotten a short
# text after a hundred padding tokens at its end. And reviewers tend to give their verdict at the end.
#
# | sequences, max_length = 5 | become |
# |---|---|
# | 7 3 9 | 0 0 7 3 9 |
# | 1 2 3 4 5 6 7 | 3 4 5 6 7 |
# | (nothing) | 0 0 0 0 0 |
#
# Shapes: B lists of any lengths → `(B, max_length)`, int64, on torch's default device.


# %% exercise="pad_sequences"
def pad_sequences(sequences: list[list[int]], max_length: int, pad_id: int = 0) -> torch.Tensor:
    """Texts of any lengths as one tensor: padding in front, and only the last tokens of a long text.

    Args:
        sequences: B lists of token ids, at least one; a list may be empty, and `pad_id` may be a token of a text too.
        max_length: the length of every row, at least 1.
        pad_id: what short texts are filled up with; any whole number, such as -100.

    Returns:
        (B, max_length), int64, on torch's default device. The lists themselves stay as they are.
    """
    ### BEGIN SOLUTION
    rows = []
    for tokens in sequences:
        kept = tokens[-max_length:]
        rows.append([pad_id] * (max_length - len(kept)) + kept)
    return torch.tensor(rows, dtype=torch.int64)  # (B, max_length)
    ### END SOLUTION


# %% [markdown] hints="pad_sequences" difficulty=1 minutes=10
# 1. Do one text at a time. How many of its tokens do you keep, and how many padding tokens does that leave to write?
# 2. `tokens[-max_length:]` is the end of a list, and all of it if it is short. Put a list of padding ids in front of
#    it, so that every row has `max_length` entries, and make one tensor of all rows.
# 3. `kept = tokens[-max_length:]`, then `[pad_id] * (max_length - len(kept)) + kept` is a row. At the end
#    `torch.tensor(rows, dtype=torch.int64)`.

# %% [markdown] debrief="pad_sequences"
# Every model that reads texts in batches pads them: BERT at the end; a GPT that is writing, in front, so that the next
# word comes right after the last. In common data sets up to half of all tokens can be padding, computed and thrown
# away. To read: Krell et al. 2021, arXiv 2107.02027, who pack several short texts into one row instead, with a mask
# between them.

# %% [markdown]
# **Try it** with the lecture's two sentences, "Excellent movie I loved it great cast performance" and "It was a
# terrible movie horrible script", as the numbers of their words:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("pad_sequences")
    print(mine.pad_sequences([[318, 17, 10, 444, 9, 84, 174, 236], [9, 13, 3, 391, 17, 524, 226]], 10))

# %% [markdown]
# ```text
# tensor([[  0,   0, 318,  17,  10, 444,   9,  84, 174, 236],
#         [  0,   0,   0,   9,  13,   3, 391,  17, 524, 226]])
# ```

# %% [markdown] picture="averages"
# ## The average of what is there
# The mean of each row's vectors should run over its *real* positions only, those that a mask marks:
#
# $$ \bar x_b = \frac{\sum_t m_{bt} \, x_{bt}}{\max\left(1, \sum_t m_{bt}\right)} $$
#
# Take a review of 10 words, padded to 200: 190 of the 200 vectors in the plain mean stand for nothing, so the review
# makes up a twentieth of its own summary. The masked mean averages the words alone, and the amount of padding around
# them makes no difference.
#
# **The row without a word.** Its sum is zero and its count is zero, and 0 / 0 is NaN, which spreads to every
# parameter with the first backward pass. The max(1, ·) gives it zeros. Repairing the NaN afterwards is too late: the
# numbers look right, but the gradients may still be NaN.
#
# Shapes: x `(B, T, D)`, mask `(B, T)`, True = real token → `(B, D)`.
#
# Sentence vectors are commonly computed like this (Reimers and Gurevych 2019, section 3, "MEAN-strategy").


# %% exercise="masked_mean"
def masked_mean(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean over the positions of each row that hold a real token.

    Args:
        x: (B, T, D).
        mask: bool, (B, T), True = real token.

    Returns:
        (B, D), in the dtype of x. A row without a real token gives zeros, and its gradients are finite.
    """
    ### BEGIN SOLUTION
    weights = mask.to(x.dtype)[:, :, None]  # (B, T, 1)
    count = weights.sum(dim=1).clamp(min=1)  # (B, 1)
    return (x * weights).sum(dim=1) / count  # (B, D) / (B, 1)
    ### END SOLUTION


# %% [markdown] hints="masked_mean" difficulty=2 minutes=10
# 1. A mean is a sum divided by a count. Which vectors belong in the sum, and how many are they, row by row?
# 2. As a number, True is 1 and False is 0: multiply x by the mask, which needs one more axis, `(B, T, 1)`, and sum
#    over the positions. The sum of the mask is the count; let it be at least 1.
# 3. `weights = mask.to(x.dtype)[:, :, None]`, then
#    `(x * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)`.

# %% [markdown] debrief="masked_mean"
# With this mean a model such as Sentence-BERT turns a whole text into one vector, and search engines compare texts by
# these vectors. It is attention without a question: with equal scores for all real words, softmax and weighted sum give
# the same numbers. To read: Reimers and Gurevych 2019, arXiv 1908.10084, where the mean does better than the vector of
# [CLS] (chapter 10).

# %% [markdown]
# ## What a wrong guess costs
# The model's last word is a *logit* z, any real number. The sigmoid turns it into the probability that the label is 1,
# p = σ(z) = 1 / (1 + e⁻ᶻ). The loss is minus the logarithm of the true label's probability, averaged over the batch:
#
# $$ \ell = -\left[\, y \log \sigma(z) + (1 - y) \log\left(1 - \sigma(z)\right) \right] $$
#
# Two of the lecture's answers were 0.5432 for a friendly sentence and 0.2843 for an unfriendly one. Both are on the
# right side of one half, but neither is sure, and so there is a price to pay: 0.4724, as you can see below.
#
# **Why from the logit?** Because a probability close to 1 is rounded to 1. Coded literally, the formula fails exactly
# where the model is sure of itself, and most of all where it is *wrongly* sure:
#
# | z | y | σ(z) in float64 | the formula, taken literally | the loss |
# |---|---|---|---|---|
# | 2 | 1 | 0.8808 | 0.1269 | 0.1269 |
# | 2 | 0 | 0.8808 | 2.1269 | 2.1269 |
# | 40 | 0 | 1 | inf | 40 |
# | 40 | 1 | 1 | NaN | 0.000… |
#
# Two facts help: 1 − σ(z) = σ(−z), and log σ(z) can be computed without forming σ(z).
#
# **Exactly 0.** If the last layer starts at zero, all logits of the first step are 0, and the gradient of each
# example's loss is σ(0) − y, as everywhere: ±½. A popular formula, max(z, 0) − z y + log(1 + e^(−|z|)), gives the right
# loss and the wrong gradient there: `relu` and `abs` have a kink at 0, where torch takes 0 for the slope.
#
# Shapes: logits `(B,)`, labels `(B,)` → a tensor without axes. Labels are 0 and 1 in any dtype, including integers and
# booleans: convert them to the dtype of the logits before you compute.
#
# This is the loss of logistic regression. Not allowed here, as they *are* the exercise: `F.binary_cross_entropy`,
# `F.binary_cross_entropy_with_logits`, `nn.BCELoss` and `nn.BCEWithLogitsLoss`; and `F.soft_margin_loss` and
# `F.multilabel_soft_margin_loss`, which are the same loss in another form.


# %% exercise="binary_cross_entropy"
def binary_cross_entropy(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean negative log-likelihood of labels 0 and 1, straight from the logits.

    Args:
        logits: (B,); above 0 the model tends to label 1. They may be as large as a million.
        labels: (B,), each 0 or 1, of any dtype.

    Returns:
        A tensor without axes, in the dtype of the logits, finite for all finite logits. Its gradient is
        (σ(logits) - labels) / B, even where a logit is exactly 0.
    """
    ### BEGIN SOLUTION
    y = labels.to(logits.dtype)
    right = y * functional.logsigmoid(logits) + (1 - y) * functional.logsigmoid(-logits)  # (B,)
    return -right.mean()
    ### END SOLUTION


# %% [markdown] hints="binary_cross_entropy" difficulty=2 minutes=15
# 1. For a single example only one of the two terms is left. What is the loss for label 1, and what is it for label 0?
#    Write both with σ(z) and σ(−z) alone.
# 2. `functional.logsigmoid` gives log σ(z) for any z, and log(1 − σ(z)) is the same function at −z. Convert the
#    labels to the dtype of the logits, put both into the formula, and take the mean.
# 3. `y = labels.to(logits.dtype)`, then
#    `-(y * functional.logsigmoid(logits) + (1 - y) * functional.logsigmoid(-logits)).mean()`.

# %% [markdown] debrief="binary_cross_entropy"
# Wherever a model says yes or no, this is its loss: spam, clicks, "does this sentence follow that one". Its gradient at
# a logit is just σ(z) − y, the error itself. And the model that scores a chatbot's answers learns with it too: z is the
# difference of two scores and the label says which answer people preferred. To read: Ouyang et al. 2022, arXiv
# 2203.02155, equation 1.

# %% [markdown]
# **Try it** on the lecture's two answers, from probabilities back to logits:

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("binary_cross_entropy")
    logits = torch.logit(torch.tensor([0.54321724, 0.2842807]))
    print(logits, mine.binary_cross_entropy(logits, torch.tensor([1, 0])))

# %% [markdown]
# ```text
# tensor([ 0.1733, -0.9233]) tensor(0.4724)
# ```

# %% [markdown]
# ## The model
# Here is the table at the top once more, from ids to logits:
#
# ```text
#  ids ─── embedding ── encoder ── average ── dropout1 ── hidden ──── ReLU ─── dropout2 ── output ── logits
# (B, T)   (B, T, D)   (B, T, D)   (B, D)      (B, D)    (B, 100)   (B, 100)   (B, 100)    (B, 1)     (B,)
# ```
#
# **Why average everything?** As in the lecture, *all* positions are averaged, padding too, and the encoder gets no
# mask: padding is a word like any other, with a vector of its own, and the model has to learn that it means nothing.
# You have just written the better tool. Follow the lecture here, to reproduce its 660,457 parameters and its results;
# afterwards try what changes with `masked_mean` and a mask for the encoder.
#
# **No sigmoid at the end.** The loss needs logits. For a probability, take `torch.sigmoid` of the output.
#
# **Given.** `self.embedding(ids)` adds token and position vectors (chapter 2); `self.encoder(x)` is the block of
# chapter 6 with wide heads. The dropouts know the model's mode.
#
# <details><summary>Where the lecture errs: dropout that stays on, and what is averaged</summary>
#
# It writes `training=True` into the call that builds the model, so the dropouts inside its encoder stay on when it
# predicts; here they do not. And its `GlobalAveragePooling1D` does not average "for each word": it averages over the
# words, for each *feature*.
#
# </details>
#
# Shapes: ids `(B, T)`, T at most `max_length` → logits `(B,)`. One text alone gives one logit in a tensor of shape
# `(1,)`.


# %% exercise="SentimentClassifier"
class SentimentClassifier(nn.Module):
    """One encoder block, the average of its vectors, and two dense layers: a logit for each text.

    Args:
        vocab_size: number of token ids.
        max_length: the longest text, in tokens.
        width: D, and also the width of each head.
        num_heads: number of heads.
        hidden: width inside the encoder's feed-forward network.
        dropout: rate of all dropouts, including the encoder's.
    """

    def __init__(
        self,
        vocab_size: int = 20000,
        max_length: int = 200,
        width: int = 32,
        num_heads: int = 2,
        hidden: int = 32,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.encoder = EncoderBlock(width, num_heads, hidden, dropout, key_width=width)
        self.dropout1 = nn.Dropout(dropout)
        self.hidden = nn.Linear(width, 100)
        self.dropout2 = nn.Dropout(dropout)
        self.output = nn.Linear(100, 1)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Judge every text.

        Args:
            ids: (B, T), int64; padding is averaged like any other token.

        Returns:
            Logits (B,).
        """
        ### BEGIN SOLUTION
        x = self.encoder(self.embedding(ids))  # (B, T, D)
        pooled = self.dropout1(x.mean(dim=1))  # (B, D)
        found = self.dropout2(torch.relu(self.hidden(pooled)))  # (B, 100)
        return self.output(found).squeeze(-1)  # (B, 1) -> (B,)
        ### END SOLUTION


# %% [markdown] hints="SentimentClassifier" difficulty=2 minutes=15
# 1. Follow the line from ids to logits and write the shape beside each step. Where does the axis of the positions
#    disappear, and where does the last axis of size 1?
# 2. Every layer is already an attribute, except for two steps: the mean over axis 1 and the ReLU after `self.hidden`.
#    The encoder is called without a mask. Remove the last axis and no other: with one text in the batch, a bare
#    `squeeze()` takes the batch as well.
# 3. `x = self.encoder(self.embedding(ids)).mean(dim=1)`, then
#    `x = self.dropout2(torch.relu(self.hidden(self.dropout1(x))))`, then `self.output(x).squeeze(-1)`.

# %% [markdown] debrief="SentimentClassifier"
# Chapter 15 trains this model on real reviews, and chapters 10 and 11 keep its plan (encoder, one vector, dense layer)
# but let an extra token collect the verdict. Keep only the table of words, the average and one linear layer, and you
# have fastText, which learns in seconds and is hard to beat on reviews. To read: Joulin et al. 2016, arXiv 1607.01759.

# %% [markdown]
# ## How often is it right?
# Count the share of texts that are put on the right side. A logit above 0 says 1, any other says 0.
#
# **Why 0 and not one half?** The probability is above one half exactly where the logit is above 0. Logits and
# probabilities are easily mixed up here: compare a logit with one half, and the model has to be *62 %* sure before
# anything counts as a 1.
#
# | logit | −3 | −0.2 | 0 | 0.2 | 3 |
# |---|---|---|---|---|---|
# | probability | 0.047 | 0.450 | 0.5 | 0.550 | 0.953 |
# | answer | 0 | 0 | 0 | 1 | 1 |
#
# Shapes: logits `(B,)`, labels `(B,)`, 0 and 1 in any dtype → a Python float between 0 and 1.


# %% exercise="accuracy"
def accuracy(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """Share of the logits that are on the side of their label.

    Args:
        logits: (B,); above 0, by however little, the answer is 1, otherwise 0.
        labels: (B,), each 0 or 1, of any dtype.

    Returns:
        A Python float, 1.0 if all are right.
    """
    ### BEGIN SOLUTION
    right = (logits > 0) == labels  # (B,)
    return right.double().mean().item()
    ### END SOLUTION


# %% [markdown] hints="accuracy" difficulty=1 minutes=5
# 1. Turn each logit into an answer first. Then: how do you count where two tensors agree?
# 2. `logits > 0` is True where the answer is 1, and True equals 1. Comparing it with the labels gives a tensor of
#    booleans; convert it to numbers, and its mean is the share.
# 3. `right = (logits > 0) == labels`, and `right.double().mean().item()` is a Python float.

# %% [markdown] debrief="accuracy"
# It is what people report, but no model can learn from it: it moves in steps, so its gradient is zero. It is also
# rougher than it looks: on 300 texts a true .75 comes out anywhere between .70 and .80, on the lecture's 25,000 within
# half a percent. To read: Guo et al. 2017, arXiv 1706.04599, on modern networks, which are right more often than older
# ones and yet far too sure of themselves.

# %% [markdown]
# ## An epoch
# An epoch is one pass through the training data. For every batch, in this order:
#
# | | step | what happens without it |
# |---|---|---|
# | 1 | forget the last gradients, `optimizer.zero_grad()` | they add up from batch to batch |
# | 2 | logits, and from them the loss | |
# | 3 | `loss.backward()` | there are no gradients |
# | 4 | `optimizer.step()` | nothing is learned |
#
# Before the first batch comes `model.train()`: the model may have been evaluated a moment ago, and in evaluation mode
# it trains without its dropout and raises no error.
#
# **What is returned?** The mean loss of the *examples*, each measured just before its step. The loss of a batch is
# already a mean, and the last batch is often smaller than the others. With 64 and then 8 examples, the mean of the two
# means would let each of the 8 count eight times as much as each of the 64. And return a Python number: a tensor would
# carry along a graph of all the steps, which nobody needs.
#
# The mode in which you leave the model is up to you.
#
# Each batch is a pair, ids `(B, T)` and labels `(B,)`, 0 and 1 in any dtype; `model(ids)` gives logits `(B,)`. The
# optimizer has the model's parameters already.
#
# The loss is your `binary_cross_entropy`. You may use torch's own in this exercise, but it needs labels in the dtype
# of the logits.


# %% exercise="train_epoch"
def train_epoch(
    model: nn.Module, batches: Iterable[tuple[torch.Tensor, torch.Tensor]], optimizer: torch.optim.Optimizer
) -> float:
    """Train on every batch once, in the given order, one step each.

    Args:
        model: gives logits (B,) for ids (B, T); it is put into training mode.
        batches: pairs of ids (B, T) and labels (B,), at least one pair; B may differ from batch to batch. You can go
            through them once only, as through a generator, which has no length either.
        optimizer: of the model's parameters; gradients that they have from before do not count.

    Returns:
        The mean over all examples of the losses that the steps were taken on, as a Python float.
    """
    ### BEGIN SOLUTION
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)  # a batch's mean times its size: the sum
        count += len(labels)
    return total / count
    ### END SOLUTION


# %% [markdown] hints="train_epoch" difficulty=2 minutes=20
# 1. Write the four steps of the table for one batch. What must happen once, before all of them? And what do you have
#    to remember from each batch to compute the mean over all examples at the end?
# 2. `model.train()`, then a loop: `zero_grad`, loss, `backward`, `step`. Keep two sums: the batch's loss times
#    its number of examples, and the number of examples.
# 3. In the loop `optimizer.zero_grad()`, `loss = binary_cross_entropy(model(ids), labels)`, `loss.backward()`,
#    `optimizer.step()`, `total += loss.item() * len(labels)` and `count += len(labels)`; after it
#    `return total / count`.

# %% [markdown] debrief="train_epoch"
# Every model of this course learns with these four steps; chapter 15 adds a warm-up and a limit on the gradients, and
# little else. The classic bug, a forgotten `zero_grad`, is also a tool: divide each loss by eight, let the gradients of
# eight small batches add up before one step, and you have trained on a batch that does not fit into memory. To read:
# Kingma and Ba 2014, arXiv 1412.6980, section 2.1, on how far one step of the optimizer Adam can go.

# %% [markdown]
# ## On real reviews
# The lecture trains this model on the film reviews that Maas et al. collected in 2011, half of them liked and half
# not: 25,000 to learn from, 25,000 to be judged on, Adam with a rate of 1e-4, batches of 64, ten epochs. Its log, and
# what its evaluation logs at the end:
#
# | epoch | 1 | 2 | 3 | 4 | 5 | 6 | after 10 |
# |---|---|---|---|---|---|---|---|
# | accuracy, training | .565 | .845 | .907 | .925 | .944 | .956 | |
# | accuracy, held out | .812 | .871 | .877 | .873 | .874 | .871 | **.8529** |
# | loss, held out | .466 | .307 | .297 | .312 | .326 | .349 | **.4955** |
#
# On its training reviews it gets better in every epoch; on the others the best epoch is the third. After that the
# accuracy falls a little and the loss rises a lot: the model is not wrong much more often, but *surer* when it is
# wrong. To the first two held-out reviews it says 0.0095 and 0.9999, and both are right. With a table of 640,000
# numbers it is easy to learn 25,000 reviews by heart. So keep some reviews aside, look at *their* accuracy after each
# epoch, with `model.eval()` and without gradients, and stop when it no longer improves.
#
# **Validation and test.** Those reviews are then the *validation* set: you look at them while you still decide
# something, here when to stop, and each decision makes their figure a little too good. For a figure to report, keep a
# third part, the *test* set, and look at it once, at the end (Goodfellow, Bengio and Courville 2016, section 5.3). This
# course says *held out* of both: nothing is learned from them.
#
# <details><summary>Where the lecture errs: its test set is its validation set</summary>
#
# It calls its 25,000 other reviews "validation sequences", watches them in every epoch, and then prints "Test Accuracy:
# 0.8522" for the same ones (Keras's own line, in the table, says .8529). No harm was done, since it decided nothing by
# them. Had it stopped at the best epoch and reported .877, that would have been a validation figure.
#
# </details>
#
# **Adam**, the optimizer of this log, keeps two running means for each number θ of the model, of its gradient g and of
# g², and moves the number by one divided by the root of the other (Kingma and Ba 2014, algorithm 1):
#
# $$ m \leftarrow \beta_1 m + (1 - \beta_1) \, g, \qquad v \leftarrow \beta_2 v + (1 - \beta_2) \, g^2, \qquad
#    \theta \leftarrow \theta - \eta \, \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \varepsilon} $$
#
# η is the learning rate, t counts the steps from 1, and β₁ = 0.9, β₂ = 0.999 unless you say otherwise. The divisors 1 −
# βᵗ make up for means that began at 0. In the first step they leave g / |g|: every number moves by η, against the sign
# of its gradient, however small that is. Later steps are hardly ever longer.
#
# **Does it take a Transformer?** A bag of words cannot tell "not good, but cheap" from "good, but not cheap".
# What a model can see of a text:
#
# | model | knows the order | words change each other |
# |---|---|---|
# | bag of words | no | no |
# | bag of word pairs | between neighbours | only their neighbours |
# | recurrent network (chapter 0) | yes | only through one state, word by word |
# | Transformer | through its positions | yes |
#
# Still, François Chollet's rule of thumb (*Deep Learning with Python*, 2nd edition, chapter 11) says: divide the number
# of texts by their mean length in words; below 1,500, take a bag of word pairs. Here it is 25,000 / 233 = 107. In his
# measurements the bag of pairs gets about 90 % of these reviews right, and a Transformer trained on nothing else gets
# 88 %. Chapter 10 shows how Transformers came to win.
#
# **Watch the dictionary.** In this data set a word's id is its number in the list of words *plus 3*, since the first
# ids are taken: 0 is padding, 1 begins a review, 2 is an unknown word, 3 means nothing.
#
# | word | the | and | a | of | to | is | br | in | it | i |
# |---|---|---|---|---|---|---|---|---|---|---|
# | number in the list | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |
# | id in a review | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 |
#
# <details><summary>Where the lecture errs: ids without the 3</summary>
#
# It encodes its two sentences with the numbers from the list. To the model "It was a", 9 13 3, reads "is i ‹nothing›",
# and it answers without complaint: 0.2843. A model can only be as right as the ids it is given.
#
# </details>
#
# ## See it run
# Your model learns from 1,134 short sentences about products, films and restaurants, and is judged on 300 others,
# in a few seconds. There are three runs with the same model, the same sentences and the same ten epochs. The first
# run starts its tables as torch does, at N(0, 1), and uses the lecture's rate. The second starts them at N(0, 0.02),
# as `__init__` does here. The third also takes larger steps. Guess the three curves before you look.

# %%
if __name__ == "__main__":
    import re

    from reference.blocks import mine

    mine("pad_sequences", "SentimentClassifier", "train_epoch", "accuracy")
    said = [(re.findall("[a-z']+", text.lower()), label) for _, label, text in mine.data("sentences")]
    short = [(words, label) for words, label in said if 3 <= len(words) <= 10]
    vocabulary = ["<pad>", *sorted({word for words, _ in short for word in words})]
    number = {word: i for i, word in enumerate(vocabulary)}
    ids = mine.pad_sequences([[number[word] for word in words] for words, _ in short], 10)
    labels = torch.tensor([label for _, label in short])
    order = torch.randperm(len(ids), generator=torch.Generator().manual_seed(0))
    aside, batches = order[:300], [(ids[some], labels[some]) for some in order[300:].split(32)]
    curves: dict[str, list[float]] = {}
    right: list[torch.Tensor] = []  # for each epoch of each run (300,): which sentences were judged rightly
    for spread, rate in ((1.0, 1e-4), (0.02, 1e-4), (0.02, 1e-3)):
        torch.manual_seed(0)
        model = mine.SentimentClassifier(len(vocabulary), max_length=10)
        for table in (model.embedding.token, model.embedding.position):
            nn.init.normal_(table.weight, std=spread)
        adam = torch.optim.Adam(model.parameters(), lr=rate)
        curve = curves[f"N(0, {spread:g}), Adam {rate:g}"] = []
        for _ in range(10):
            mine.train_epoch(model, batches, adam)
            model.eval()
            logits = model(ids[aside])
            curve.append(mine.accuracy(logits, labels[aside]))
            right.append((logits > 0) == labels[aside])
    mine.curve(curves, x="epoch", y="accuracy", title="300 sentences that no run has learned from").show()
    print(f"{len(order[300:])} sentences to learn from, {10 * len(batches)} steps; accuracy after the last:")
    for name, curve in curves.items():
        print(f"{name}: {curve[-1]:.2f}")

# %% [markdown]
# The first run ends at about .58, the third at about .74. Why? One step of Adam moves a number by about the learning
# rate at most. In 360 steps of 1e-4 that is 0.036: nothing in a table of N(0, 1), nearly two standard deviations in one
# of N(0, 0.02). The first model cannot unlearn the noise it started with. The lecture gets by with 1e-4, since Keras
# starts its tables between −0.05 and 0.05, and 3,910 steps reach 0.39. The same on real reviews, 4,000 to learn from
# and 1,000 held out, with a vocabulary of 20,000 words and the last 200 words of each text:
#
# | tables, Adam | accuracy, epoch by epoch |
# |---|---|
# | N(0, 1), 1e-4 | .528, and .589 after nine epochs |
# | between −0.05 and 0.05, 1e-4 | .512 .533 .618 .518 .578 .589 .695 .747 .812 .836 |
# | N(0, 0.02), 1e-3 | .557 .824 .860 .850 |
# | the same, with padding masked and `masked_mean` | .764 .854 .835 .850 |
#
# The last row shows what the better tool buys, a far better first epoch: the model no longer has to find out that
# padding means nothing. After four epochs it makes no difference.
#
# How far can you trust a figure by which you have chosen? Take half of the 300 sentences as a validation set, choose
# the best of these 30 models by it, and judge that model once more by the other half, the test set. Here is the mean
# over 1,000 ways to halve them:

# %%
if __name__ == "__main__":
    torch.manual_seed(0)
    halves = torch.rand(1000, 300).argsort(dim=1).split(150, dim=1)
    validation, test = (torch.stack(right).double()[:, half].mean(dim=-1) for half in halves)  # (30, 1000) each
    chosen = validation.argmax(dim=0)[None]  # (1, 1000): the best of 30, by the validation set
    for name, figure in (("validation", validation), ("test", test)):
        print(f"the best of {len(right)}, chosen by validation: {name} accuracy {figure.gather(0, chosen).mean():.3f}")

# %% [markdown]
# The choice made the validation figure too good. The test set had no part in the choice, and its figure is fair.
#
# And the lecture's two sentences, this time with the right ids? The third model says nearly 1 for the friendly one
# and nearly 0 for the other:

# %%
if __name__ == "__main__":
    texts = ["excellent movie i loved it great cast performance", "it was a terrible movie horrible script"]
    known = [[number[word] for word in text.split() if word in number] for text in texts]
    print([round(chance, 2) for chance in torch.sigmoid(model(mine.pad_sequences(known, 10))).tolist()])

# %% [markdown]
# The lecture's model was built with `training=True`, so the dropouts in its encoder are never switched off. Ask yours
# about the second sentence five times, with all its dropouts off and then on. These are logits:

# %%
if __name__ == "__main__":
    asked = mine.pad_sequences(known[1:], 10)
    for dropouts, learning in (("off", False), ("on", True)):
        model.train(learning)
        print(f"dropouts {dropouts}:", [round(model(asked).item(), 1) for _ in range(5)])
    model.eval()

# %% [markdown]
# With its dropouts on, the model contradicts itself: each time other numbers are missing.

# %% [markdown]
# ## What you have now
# You have a complete path from words to a verdict, and the loop that trains any model: a loss, its gradients, a step.
# From here the road forks. Chapter 8 keeps all the vectors, puts a decoder beside them and translates; chapter 10
# comes back to verdicts, with a model that has read a great deal before it is asked for one.
#
# **To read.** The reviews: [Maas et al. 2011](https://aclanthology.org/P11-1015/). The sentences of the last
# section: Kotzias et al. 2015 (UCI Machine Learning Repository, CC BY 4.0). Averages: [Lin et al.
# 2013](https://arxiv.org/abs/1312.4400), [Reimers and Gurevych 2019](https://arxiv.org/abs/1908.10084). Adam:
# [Kingma and Ba 2014](https://arxiv.org/abs/1412.6980).

# %% [markdown] debrief="ch07_classifier"
# You can train a Transformer to tell whether a reviewer liked a film, from words to loss to a step.
