"""Classifiers with other units, and with something left over at the end."""

import torch

from reference.ch07_classifier import SentimentClassifier
from reference.misconceptions import misconception


@misconception("SentimentClassifier", "sentiment-classifier-sigmoid-units")
class SigmoidUnits(SentimentClassifier):
    """Your hidden layer has a sigmoid, not a ReLU.

    The lecture's model has a ReLU there; and the logit at the end has no sigmoid either.
    """

    def forward(self, ids):
        pooled = self.dropout1(self.encoder(self.embedding(ids)).mean(dim=1))
        return self.output(self.dropout2(torch.sigmoid(self.hidden(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-log-probability")
class LogProbability(SentimentClassifier):
    """You return logarithms of probabilities.

    The loss wants logits: return what `self.output` gives.
    """

    def forward(self, ids):
        return torch.nn.functional.logsigmoid(super().forward(ids))


@misconception("SentimentClassifier", "sentiment-classifier-softmax")
class Softmax(SentimentClassifier):
    """You take a softmax at the end, over one logit or over the texts of the batch.

    Return the logits themselves; the loss, or a sigmoid, makes a probability of each.
    """

    def forward(self, ids):
        return torch.softmax(super().forward(ids), dim=0)


@misconception("SentimentClassifier", "sentiment-classifier-residual")
class Residual(SentimentClassifier):
    """You add the embedding to what the encoder gives.

    The residual connections are inside the encoder's block; average what it gives.
    """

    def forward(self, ids):
        x = self.embedding(ids)
        pooled = self.dropout1((x + self.encoder(x)).mean(dim=1))
        return self.output(self.dropout2(torch.relu(self.hidden(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-no-hidden")
class NoHidden(SentimentClassifier):
    """You leave out the hidden layer: `self.output` reads the average, which has D numbers instead of 100.

    Between them come `self.hidden`, the ReLU and `self.dropout2`.
    """

    def forward(self, ids):
        pooled = self.dropout1(self.encoder(self.embedding(ids)).mean(dim=1))
        return self.output(self.dropout2(pooled)).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-pairs")
class Pairs(SentimentClassifier):
    """You take what the encoder returns apart into two, but it is a single tensor.

    Only the attention returns a pair; a block returns (B, T, D).
    """

    def forward(self, ids):
        x, _ = self.encoder(self.embedding(ids))
        pooled = self.dropout1(x.mean(dim=1))
        return self.output(self.dropout2(torch.relu(self.hidden(pooled)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-position-outputs")
class PositionOutputs(SentimentClassifier):
    """You return a logit for every position: there is no average.

    Average the encoder's vectors over the positions, `mean(dim=1)`, before the hidden layer.
    """

    def forward(self, ids):
        x = self.dropout1(self.encoder(self.embedding(ids)))
        return self.output(self.dropout2(torch.relu(self.hidden(x)))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-leaky")
class Leaky(SentimentClassifier):
    """Your hidden units leak: below zero they keep a small slope (leaky ReLU).

    A ReLU says nothing below zero: `torch.relu`.
    """

    def forward(self, ids):
        pooled = self.dropout1(self.encoder(self.embedding(ids)).mean(dim=1))
        hidden = self.hidden(pooled)
        return self.output(self.dropout2(torch.maximum(hidden, 0.01 * hidden))).squeeze(-1)
