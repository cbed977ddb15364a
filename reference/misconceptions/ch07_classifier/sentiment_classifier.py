"""Classifiers that pool something else."""

import torch

from reference.ch07_classifier import SentimentClassifier
from reference.misconceptions import misconception


@misconception("SentimentClassifier", "sentiment-classifier-masked-pooling")
class MaskedPooling(SentimentClassifier):
    """You leave the padding out of the average.

    That is the better habit, but this is the lecture's model, which averages over all positions.
    """

    def forward(self, ids):
        real = (ids != 0).to(self.output.weight.dtype)[..., None]
        pooled = (self.encoder(self.embedding(ids)) * real).sum(1) / real.sum(1).clamp(min=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-masked-encoder")
class MaskedEncoder(SentimentClassifier):
    """You give the encoder a mask that hides the padding.

    In the lecture's model padding is a word like any other: call `self.encoder` without a mask.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids), (ids != 0)[:, None, None]).mean(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-both-masked")
class BothMasked(SentimentClassifier):
    """You hide the padding from the encoder and leave it out of the average.

    Both make sense, but the lecture's model does neither: no mask, and the average over all positions.
    """

    def forward(self, ids):
        real = (ids != 0).to(self.output.weight.dtype)[..., None]
        read = self.encoder(self.embedding(ids), (ids != 0)[:, None, None])
        pooled = (read * real).sum(1) / real.sum(1).clamp(min=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-first-position")
class FirstPosition(SentimentClassifier):
    """You read the verdict off the first position, as BERT does.

    There is no class token here, and the first position is often padding: take the mean over all of them.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids))[:, 0]
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-last-position")
class LastPosition(SentimentClassifier):
    """You read the verdict off the last position, as one would from a recurrent network.

    Here every position has seen the whole text: take the mean over all of them.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids))[:, -1]
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-max-pooling")
class MaxPooling(SentimentClassifier):
    """You take the largest number of each feature over the positions (max pooling).

    The model averages: `x.mean(dim=1)`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).amax(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-sum-pooling")
class SumPooling(SentimentClassifier):
    """You add up the positions without dividing by their number.

    The model averages: `x.mean(dim=1)`.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).sum(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-whole-batch")
class WholeBatch(SentimentClassifier):
    """You average over the texts of the batch instead of the positions.

    x is (B, T, D), so the positions are dim 1; over dim 0, every text gets a share of its neighbours' verdicts.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=0)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-features")
class Features(SentimentClassifier):
    """You average over the features instead of the positions.

    x is (B, T, D) and (B, D) is wanted: the axis that goes is dim 1.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids)).mean(dim=-1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-late-average")
class LateAverage(SentimentClassifier):
    """You send every position through the hidden layer and average afterwards.

    With a ReLU in between that is not the same: first the average, then `self.hidden`.
    """

    def forward(self, ids):
        x = self.dropout1(self.encoder(self.embedding(ids)))
        found = self.dropout2(torch.relu(self.hidden(x)))
        return self.output(found.mean(dim=1)).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-no-encoder")
class NoEncoder(SentimentClassifier):
    """You leave out the encoder: the average is that of the embeddings.

    Without it no word has heard from any other. `self.encoder` comes between embedding and average.
    """

    def forward(self, ids):
        pooled = self.embedding(ids).mean(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-early-average")
class EarlyAverage(SentimentClassifier):
    """You average the embeddings, and the encoder gets a single vector per text to read.

    Attention needs the words one by one: first the encoder, then the average over what it gives.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding(ids).mean(dim=1, keepdim=True))[:, 0]
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-encoder-twice")
class EncoderTwice(SentimentClassifier):
    """You send the text through the encoder twice.

    The lecture's model has one block, which is used once.
    """

    def forward(self, ids):
        pooled = self.encoder(self.encoder(self.embedding(ids))).mean(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-no-positions")
class NoPositions(SentimentClassifier):
    """You look up the tokens alone, without the vectors of their positions.

    Attention and average do not know about order. Call `self.embedding(ids)`, which adds both.
    """

    def forward(self, ids):
        pooled = self.encoder(self.embedding.token(ids)).mean(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-scaled")
class Scaled(SentimentClassifier):
    """You multiply the embedding by √D.

    That goes with fixed sine positions (chapter 8); learned positions are added without a factor.
    """

    def forward(self, ids):
        x = self.embedding(ids) * self.hidden.in_features**0.5
        pooled = self.encoder(x).mean(dim=1)
        return self.output(self.dropout2(torch.relu(self.hidden(self.dropout1(pooled))))).squeeze(-1)


@misconception("SentimentClassifier", "sentiment-classifier-own-defaults")
class OwnDefaults(SentimentClassifier):
    """Your `__init__` has different defaults from the given one, so that your model has a different size.

    Leave it as it is: a table of 20,000 words, 200 positions, a width of 32, which makes 660,457 parameters.
    """

    def __init__(self, vocab_size=1000, max_length=200, width=32, num_heads=2, hidden=32, dropout=0.1):
        super().__init__(vocab_size, max_length, width, num_heads, hidden, dropout)
