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


@misconception("SentimentClassifier", "sentiment-classifier-first-texts")
class FirstTexts(SentimentClassifier):
    """You keep something of the first texts of a shape, and use it for later ones.

    Two batches of one shape hold different texts. What a call needs comes in as its argument.
    """

    def forward(self, ids):
        if getattr(self, "ids", ids[:0]).shape != ids.shape:
            self.ids = ids
        return super().forward(self.ids)


@misconception("SentimentClassifier", "sentiment-classifier-encoder-undropped")
class EncoderUndropped(SentimentClassifier):
    """The encoder drops nothing in training.

    `dropout` is the rate of all dropouts, those inside the encoder included; the given `__init__` hands it on.
    """

    def __init__(self, vocab_size=20000, max_length=200, width=32, num_heads=2, hidden=32, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, dropout)
        for part in self.encoder.modules():
            if isinstance(part, torch.nn.Dropout):
                part.p = 0.0


@misconception("SentimentClassifier", "sentiment-classifier-detached-in-evaluation")
class DetachedInEvaluation(SentimentClassifier):
    """In evaluation no gradient comes back through your model (detach, .data, no_grad or set_grad_enabled).

    `eval()` switches dropout off, and nothing else. A caller that wants no gradients says so itself.
    """

    def forward(self, ids):
        logits = super().forward(ids)
        return logits if self.training else logits.detach()
