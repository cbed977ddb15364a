"""What goes wrong in `BertClassifier` between `[CLS]` and the logits, and in its types."""

import torch

from reference.ch10_bert import BertClassifier
from reference.misconceptions import misconception


@misconception("BertClassifier", "bert-classifier-no-tanh")
class NoTanh(BertClassifier):
    """The tanh after the pooler is missing.

    `self.pooler` is the linear layer alone. What are two linear layers in a row worth?

    Put the tanh around it: `torch.tanh(self.pooler(...))`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.pooler(x[:, 0]))


@misconception("BertClassifier", "bert-classifier-mean")
class Mean(BertClassifier):
    """You average over all positions instead of reading the first.

    BERT answers at one token, which has collected what counts; padding is not in it. At which place does it stand?

    Take the vector at `[CLS]`: `x[:, 0]`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x.mean(dim=1))))


@misconception("BertClassifier", "bert-classifier-mean-of-pooled")
class MeanOfPooled(BertClassifier):
    """You pool every position and average over them, instead of reading the first.

    The pooler does not pool: it needs a single vector per text. Which position is `[CLS]`?

    Take that vector before the pooler: `x[:, 0]`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x)).mean(dim=1))


@misconception("BertClassifier", "bert-classifier-maximum")
class Maximum(BertClassifier):
    """You take the largest number over all positions instead of reading the first.

    "Pooler" is only a name here. At which token does BERT answer, and at which place does it stand?

    BERT answers at `[CLS]`, so take `x[:, 0]`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x.amax(dim=1))))


@misconception("BertClassifier", "bert-classifier-last-position")
class LastPosition(BertClassifier):
    """You read the last position.

    Only a model that looks to the left alone reads the last position. Where does `[CLS]` stand?

    `[CLS]` is at the beginning: take `x[:, 0]`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, -1])))


@misconception("BertClassifier", "bert-classifier-first-text")
class FirstText(BertClassifier):
    """You read the first text of the batch, `x[0]`, and get logits for each of its tokens.

    x is (B, T, D). Which axis counts the texts, and which one the positions?

    Index the second axis: `x[:, 0]` is the first position of every text.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[0])))


@misconception("BertClassifier", "bert-classifier-every-position")
class EveryPosition(BertClassifier):
    """You return logits for every position, (B, T, classes).

    There is one answer per text: keep position 0, that of `[CLS]`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x)))


@misconception("BertClassifier", "bert-classifier-no-pooler")
class NoPooler(BertClassifier):
    """You go from `[CLS]` straight to the head, and the pooler is not used.

    `self.pooler` and a tanh come between them.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(x[:, 0])


@misconception("BertClassifier", "bert-classifier-only-tanh")
class OnlyTanh(BertClassifier):
    """You apply the tanh, but not the pooler in front of it.

    Between `[CLS]` and the head there are a linear layer and a tanh. Which layer of `__init__` do you never call?

    Linear layer, tanh, head: `torch.tanh(self.pooler(x[:, 0]))`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(x[:, 0]))


@misconception("BertClassifier", "bert-classifier-tanh-after-head")
class TanhAfterHead(BertClassifier):
    """Your tanh comes after the head, so no logit can leave -1 to 1.

    It belongs between pooler and head; the logits are returned as the head gives them.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return torch.tanh(self.head(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-tanh-twice")
class TanhTwice(BertClassifier):
    """You send the logits through another tanh.

    One belongs between pooler and head; what the head gives is returned as it is.
    """

    def forward(self, ids, segments, mask=None):
        return torch.tanh(super().forward(ids, segments, mask))


@misconception("BertClassifier", "bert-classifier-tanh-before-pooler")
class TanhBeforePooler(BertClassifier):
    """Your tanh comes before the pooler.

    What the head reads must lie between -1 and 1. Is that so in your order?

    The tanh is applied to what the pooler gives: `torch.tanh(self.pooler(x[:, 0]))`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.pooler(torch.tanh(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-relu")
class Relu(BertClassifier):
    """You have a ReLU where BERT has a tanh.

    The pooler of BERT ends with `torch.tanh`, and weights that were trained with it need it.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.relu(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-gelu")
class Gelu(BertClassifier):
    """You have a GELU where BERT has a tanh.

    GELU is inside the blocks; the pooler ends with `torch.tanh`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.nn.functional.gelu(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-softmax")
class Softmax(BertClassifier):
    """You return probabilities instead of logits.

    The loss takes the softmax itself and would take it twice; return what the head gives.
    """

    def forward(self, ids, segments, mask=None):
        return super().forward(ids, segments, mask).softmax(dim=-1)


@misconception("BertClassifier", "bert-classifier-log-softmax")
class LogSoftmax(BertClassifier):
    """You return logarithms of probabilities instead of logits.

    Return what the head gives; the softmax belongs to the loss.
    """

    def forward(self, ids, segments, mask=None):
        return super().forward(ids, segments, mask).log_softmax(dim=-1)


@misconception("BertClassifier", "bert-classifier-squeezed")
class Squeezed(BertClassifier):
    """You squeeze the logits, which drops the batch or the classes where there is one of them.

    An axis of size 1 is an axis; leave out `squeeze()`.
    """

    def forward(self, ids, segments, mask=None):
        return super().forward(ids, segments, mask).squeeze()


@misconception("BertClassifier", "bert-classifier-float32")
class Float32(BertClassifier):
    """Your logits are float32 whatever the model is.

    The dtype is that of the parameters; leave out `.float()`.
    """

    def forward(self, ids, segments, mask=None):
        return super().forward(ids, segments, mask).float()


@misconception("BertClassifier", "bert-classifier-frozen-encoder")
class FrozenEncoder(BertClassifier):
    """No gradient comes back to embedding and blocks: what they give is detached, or computed under `no_grad`.

    Leave out `detach` and `no_grad`: fine-tuning trains the whole model. Training the head alone is the next exercise.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, 0].detach())))
