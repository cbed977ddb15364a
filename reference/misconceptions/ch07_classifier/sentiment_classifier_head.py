"""Classifiers whose last layers do something else."""

import torch
from torch.nn import functional

from reference.ch07_classifier import SentimentClassifier
from reference.misconceptions import misconception


@misconception("SentimentClassifier", "sentiment-classifier-probability")
class Probability(SentimentClassifier):
    """You take the sigmoid at the end and return probabilities.

    The loss of this chapter wants logits, and would take the sigmoid once more: return what `self.output` gives.
    """

    def forward(self, ids):
        return torch.sigmoid(super().forward(ids))


@misconception("SentimentClassifier", "sentiment-classifier-no-relu")
class NoRelu(SentimentClassifier):
    """You leave out the ReLU after the hidden layer.

    Two linear layers in a row are one linear map. What stands between them in the lecture's model?

    Put it around the hidden layer: `torch.relu(self.hidden(...))`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        return self.output(self.dropout2(self.hidden(self.dropout1(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-relu-on-average")
class ReluOnAverage(SentimentClassifier):
    """Your ReLU comes before the hidden layer.

    Does the ReLU act on what the hidden layer reads, or on what it gives?

    It belongs on what the hidden layer gives: `torch.relu(self.hidden(...))`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        return self.output(self.dropout2(self.hidden(torch.relu(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-relu-at-end")
class ReluAtEnd(SentimentClassifier):
    """A ReLU comes last, so no logit is below 0 and no probability below one half.

    The ReLU belongs to the hidden layer alone; `self.output` comes last.
    """

    def forward(self, ids):
        return torch.relu(super().forward(ids))


@misconception("SentimentClassifier", "sentiment-classifier-gelu")
class Gelu(SentimentClassifier):
    """Your hidden layer has a GELU, not a ReLU.

    The lecture's dense layer has the ReLU: `torch.relu(self.hidden(...))`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        return self.output(self.dropout2(functional.gelu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-tanh")
class Tanh(SentimentClassifier):
    """Your hidden layer has a tanh, not a ReLU.

    The lecture's dense layer has the ReLU: `torch.relu(self.hidden(...))`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        return self.output(self.dropout2(torch.tanh(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-column")
class Column(SentimentClassifier):
    """Your logits have the shape (B, 1).

    Against labels of shape (B,) that broadcasts to (B, B) without a word. Remove the last axis: `.squeeze(-1)`.
    """

    def forward(self, ids):
        return super().forward(ids)[:, None]


@misconception("SentimentClassifier", "sentiment-classifier-squeeze")
class Squeeze(SentimentClassifier):
    """You call `squeeze()` without saying which axis, and one text alone loses the batch's axis too.

    Say which: `.squeeze(-1)`, or take `[:, 0]`.
    """

    def forward(self, ids):
        return super().forward(ids).squeeze()


@misconception("SentimentClassifier", "sentiment-classifier-no-dropout1")
class NoDropout1(SentimentClassifier):
    """You leave out `dropout1`, which belongs on the average.

    Which dense layer reads the average? In training it must not get all of its features.

    Put it before the hidden layer: `self.hidden(self.dropout1(pooled))`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-no-dropout2")
class NoDropout2(SentimentClassifier):
    """You leave out `dropout2`, which belongs on the hidden units.

    What does the output layer read? In training it must not get all of these units.

    Put it before the output layer: `self.output(self.dropout2(...))`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        return self.output(torch.relu(self.hidden(self.dropout1(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-own-rate")
class OwnRate(SentimentClassifier):
    """Your dropouts have the rate 0.1 whatever the argument says: the number is fixed in `forward` or in `__init__`.

    Follow the argument `dropout` from the signature. Does it reach both dropouts, and does `forward` call those?

    Leave `nn.Dropout(dropout)` in `__init__` as it is given, and call `self.dropout1` and `self.dropout2` in `forward`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        kept = functional.dropout(pooled, 0.1, self.training)
        found = functional.dropout(torch.relu(self.hidden(kept)), 0.1, self.training)
        return self.output(found).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-own-rate1")
class OwnFirstRate(SentimentClassifier):
    """Your first dropout has the rate 0.1 whatever the argument says: the number is fixed in `forward` or in
    `__init__`.

    Follow the argument `dropout` from the signature. Does it reach the first dropout, and does `forward` call that one?

    Leave `nn.Dropout(dropout)` in `__init__` as it is given, and call `self.dropout1` in `forward`.
    """

    def forward(self, ids):
        pooled = functional.dropout(self.encoder(self.embedding(ids)).mean(dim=1), 0.1, self.training)
        return self.output(self.dropout2(torch.relu(self.hidden(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-dropout1-unscaled")
class UnscaledDropout1(SentimentClassifier):
    """Your first dropout sets features to zero and leaves the others as they are.

    What is kept is divided by 1 - rate, so that the average has the same size in training and in evaluation:
    `self.dropout1` does both.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        pooled = self.dropout1(pooled) * (1 - self.dropout1.p if self.training else 1)
        return self.output(self.dropout2(torch.relu(self.hidden(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-dropout1-whole-rows")
class WholeRows(SentimentClassifier):
    """Your first dropout drops the whole average of a text, or none of it.

    `functional.dropout1d` and the like drop whole rows. Each feature is dropped on its own: `self.dropout1(pooled)`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        pooled = functional.dropout1d(pooled, self.dropout1.p, self.training)
        return self.output(self.dropout2(torch.relu(self.hidden(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-dropout1-twice")
class Dropout1Twice(SentimentClassifier):
    """The average goes through a dropout twice, so only a quarter of it is left at a rate of one half.

    One dropout on the average, one on the hidden units.
    """

    def forward(self, ids):
        pooled = self.dropout1(self.dropout1(self.encoder(self.embedding(ids)).mean(dim=1)))
        return self.output(self.dropout2(torch.relu(self.hidden(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-dropout-before-average")
class DropoutBeforeAverage(SentimentClassifier):
    """Your first dropout acts on every position, before the average.

    The average of 200 positions evens out what was dropped. Which of the two steps should come first?

    Average first: `self.dropout1(x.mean(dim=1))`.
    """

    def forward(self, ids):
        pooled = self.dropout1(self.encoder(self.embedding(ids))).mean(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-dropout-at-end")
class DropoutAtEnd(SentimentClassifier):
    """Your second dropout acts on the logits.

    Whole verdicts are lost then. What else is there to drop from between the hidden layer and the output layer?

    It belongs on the hidden units: `self.output(self.dropout2(...))`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        return self.dropout2(self.output(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-both-on-average")
class BothOnAverage(SentimentClassifier):
    """Both your dropouts act on the average, and none on the hidden units.

    There are two dense layers and two dropouts. What does each dense layer read?

    One comes before each: `self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled)))))`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=1)
        return self.output(torch.relu(self.hidden(self.dropout2(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-dropout-always")
class DropoutAlways(SentimentClassifier):
    """Your dropout acts in evaluation as well.

    `functional.dropout` drops by default; call `self.dropout1` and `self.dropout2`, which know the mode.
    """

    def forward(self, ids):
        rate = self.dropout1.p
        pooled = functional.dropout(self.encoder(self.embedding(ids)).mean(dim=1), rate)
        found = functional.dropout(torch.relu(self.hidden(pooled)), rate)
        return self.output(found).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-encoder-frozen")
class EncoderFrozen(SentimentClassifier):
    """No gradient gets through to encoder and embedding (detach, .data or no_grad).

    The whole model is trained together: use what the encoder gives as it is.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).detach().mean(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)
