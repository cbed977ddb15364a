"""What else goes wrong in `BertClassifier`: positions, blocks and gradients."""

import torch

from reference.ch10_bert import BertClassifier
from reference.misconceptions import misconception


@misconception("BertClassifier", "bert-classifier-sum")
class Sum(BertClassifier):
    """You add up all positions instead of reading the first.

    BERT answers at `[CLS]`: take `x[:, 0]`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x.sum(dim=1))))


@misconception("BertClassifier", "bert-classifier-second-position")
class SecondPosition(BertClassifier):
    """You read position 1, the first word.

    `[CLS]` stands in front of it, at position 0.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, min(1, x.shape[1] - 1)])))


@misconception("BertClassifier", "bert-classifier-position-kept")
class PositionKept(BertClassifier):
    """You slice the first position, `x[:, :1]`, and its axis stays in the result.

    An index drops it: `x[:, 0]` is (B, D), and the logits are (B, classes).
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, :1])))


@misconception("BertClassifier", "bert-classifier-first-feature")
class FirstFeature(BertClassifier):
    """Your pooler gets (B, T), one number for each position (such as `x[..., 0]`), not the first vector of every text.

    The positions are the second axis: `x[:, 0]`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[..., 0])))


@misconception("BertClassifier", "bert-classifier-sigmoid")
class Sigmoid(BertClassifier):
    """You have a sigmoid where BERT has a tanh.

    The pooler of BERT ends with `torch.tanh`, which runs from -1 to 1.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.sigmoid(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-pooler-twice")
class PoolerTwice(BertClassifier):
    """You apply the pooler twice.

    Count how often your result passes through the linear layer. Is one of the calls left over?

    Once is enough: `torch.tanh(self.pooler(x[:, 0]))`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(self.pooler(x[:, 0]))))


@misconception("BertClassifier", "bert-classifier-last-norm")
class LastNorm(BertClassifier):
    """You normalise once more after the blocks.

    Leave that out: post-norm blocks end with a norm already.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(torch.nn.functional.layer_norm(x[:, 0], x.shape[-1:]))))


@misconception("BertClassifier", "bert-classifier-pooled")
class Pooled(BertClassifier):
    """You return what the pooler leaves, (B, D): the head is missing.

    `self.head` turns it into a logit for each class.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return torch.tanh(self.pooler(x[:, 0]))


@misconception("BertClassifier", "bert-classifier-last-block-left-out")
class LastBlockLeftOut(BertClassifier):
    """You leave out the last block.

    Loop over all of `self.blocks`.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks[:-1]:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-reversed")
class Reversed(BertClassifier):
    """You go through the blocks from the last to the first.

    Loop over `self.blocks` as it is.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in reversed(self.blocks):
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-shared-block")
class SharedBlock(BertClassifier):
    """All entries of your `self.blocks` are the same block: there is one set of parameters.

    `[EncoderBlock(...)] * num_blocks` repeats one object; a comprehension makes new ones.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.blocks = torch.nn.ModuleList([self.blocks[0]] * len(self.blocks))


@misconception("BertClassifier", "bert-classifier-mask-on-last-only")
class MaskOnLastOnly(BertClassifier):
    """Only the last block gets the mask.

    What one block lets through, the next cannot take back: hand the mask to every block.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks[:-1]:
            x = block(x)
        return self.head(torch.tanh(self.pooler(self.blocks[-1](x, mask)[:, 0])))


@misconception("BertClassifier", "bert-classifier-dropout")
class Dropout(BertClassifier):
    """You add dropout before the head.

    Here dropout is inside the blocks only.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.nn.functional.dropout(torch.tanh(self.pooler(x[:, 0])), 0.1))


@misconception("BertClassifier", "bert-classifier-blocks-detached")
class HeadOnlyLearns(BertClassifier):
    """No gradient comes back to embedding, blocks and pooler: only the head learns.

    Fine-tuning trains the whole model: leave out `detach` and `no_grad`. Training the head alone is the next exercise.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])).detach())


@misconception("BertClassifier", "bert-classifier-embedding-tokens-only")
class TokensOnly(BertClassifier):
    """You look up the tokens alone, without positions, segments and norm.

    The embedding is a module with three tables and a norm. Do you call all of it, or one of its parts?

    `self.embedding(ids, segments)` does all of it; `self.embedding.token` is a third.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding.token(ids)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(torch.tanh(self.pooler(x[:, 0])))


@misconception("BertClassifier", "bert-classifier-tanh-before-too")
class TanhBeforeToo(BertClassifier):
    """You apply a tanh before the pooler as well as after it.

    The pooler reads the first position as the last block leaves it. Where does the one tanh belong?
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block(x, mask=mask)
        return self.head(torch.tanh(self.pooler(torch.tanh(x[:, 0]))))


@misconception("BertClassifier", "bert-classifier-cut-before-last-block")
class CutBeforeLastBlock(BertClassifier):
    """You cut the text down to `[CLS]` before the last block, where it then sees nothing but itself.

    Only its result is needed, but to get there it must read the whole text, in every block.
    """

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks[:-1]:
            x = block(x, mask)
        x = self.blocks[-1](x[:, :1], None if mask is None else mask[..., :1, :1])
        return self.head(torch.tanh(self.pooler(x[:, 0])))
