"""Positions, blocks and norms of `VisionTransformer` that are misused."""

import torch

from reference.ch11_vision import VisionTransformer
from reference.misconceptions import misconception


@misconception("VisionTransformer", "vit-log-probabilities")
class LogProbabilities(VisionTransformer):
    """You return logarithms of probabilities instead of logits.

    Return what the head gives; the softmax belongs to the loss.
    """

    def forward(self, images):
        return super().forward(images).log_softmax(dim=-1)


@misconception("VisionTransformer", "vit-no-last-norm", "vit-probabilities")
class NoLastNormProbabilities(VisionTransformer):
    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(x[:, 0]).softmax(dim=-1)


@misconception("VisionTransformer", "vit-no-last-norm", "vit-mean")
class NoLastNormMean(VisionTransformer):
    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(dim=1))


@misconception("VisionTransformer", "vit-no-last-norm", "vit-last-position")
class NoLastNormLast(VisionTransformer):
    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(x[:, -1])


@misconception("VisionTransformer", "vit-mean", "vit-probabilities")
class MeanProbabilities(VisionTransformer):
    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(dim=1)).softmax(dim=-1)


@misconception("VisionTransformer", "vit-norm-twice")
class NormTwice(VisionTransformer):
    """You apply `self.norm` twice after the blocks.

    Once is enough, right before the head: see that it is not left over in the loop or in the `return`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(self.norm(x))[:, 0])


@misconception("VisionTransformer", "vit-norm-before-and-after")
class NormBeforeAndAfter(VisionTransformer):
    """You normalise the embedding too, with `self.norm`.

    `self.norm` comes once, after the last block; each block has norms of its own in front.
    """

    def forward(self, images):
        x = self.norm(self.embedding(images))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-bare-norm")
class BareNorm(VisionTransformer):
    """You normalise without the scale and shift of `self.norm`.

    Both are learned: call `self.norm` itself.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(torch.nn.functional.layer_norm(x, x.shape[-1:])[:, 0])


@misconception("VisionTransformer", "vit-sum")
class Sum(VisionTransformer):
    """You add up all positions instead of reading the class token.

    Position 0 is there to collect what the picture shows: take `x[:, 0]`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).sum(dim=1))


@misconception("VisionTransformer", "vit-maximum")
class Maximum(VisionTransformer):
    """You take the largest number over all positions instead of reading the class token.

    Position 0 is there to collect what the picture shows: take `x[:, 0]`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).amax(dim=1))


@misconception("VisionTransformer", "vit-position-kept")
class PositionKept(VisionTransformer):
    """You slice the class token, `x[:, :1]`, and its axis stays in the result.

    An index drops it: `x[:, 0]` is (B, D), and the logits are (B, classes).
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, :1])


@misconception("VisionTransformer", "vit-first-picture")
class FirstPicture(VisionTransformer):
    """You read the first picture of the batch, `x[0]`, and get logits for each of its positions.

    x is (B, N + 1, D): `x[:, 0]` is the class token of every picture.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[0])


@misconception("VisionTransformer", "vit-first-feature")
class FirstFeature(VisionTransformer):
    """Your head gets (B, N + 1), one number for each position (such as `x[..., 0]`), not the class token's vector.

    The positions are the second axis: `x[:, 0]`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[..., 0])


@misconception("VisionTransformer", "vit-last-block-left-out")
class LastBlockLeftOut(VisionTransformer):
    """You leave out the last block.

    Loop over all of `self.blocks`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks[:-1]:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-reversed")
class Reversed(VisionTransformer):
    """You go through the blocks from the last to the first.

    Loop over `self.blocks` as it is.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in reversed(self.blocks):
            x = block(x)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-shared-block")
class SharedBlock(VisionTransformer):
    """All entries of your `self.blocks` are the same block: there is one set of parameters.

    `[EncoderBlock(...)] * num_blocks` repeats one object; a comprehension makes new ones.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.blocks = torch.nn.ModuleList([self.blocks[0]] * len(self.blocks))


@misconception("VisionTransformer", "vit-post-norm")
class PostNorm(VisionTransformer):
    """Your blocks are post-norm.

    The Vision Transformer normalises before attention and feed-forward: leave `norm_first=True` as it is given.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for block in self.blocks:
            block.norm_first = False


@misconception("VisionTransformer", "vit-relu-blocks")
class ReluBlocks(VisionTransformer):
    """Your blocks have a ReLU inside.

    The Vision Transformer has a GELU there: leave `activation="gelu"` as it is given.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for block in self.blocks:
            block.feed_forward[1] = torch.nn.ReLU()


@misconception("VisionTransformer", "vit-no-head")
class NoHead(VisionTransformer):
    """You return the class token, (B, D): the head is missing.

    `self.head` turns it into a logit for each class.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)[:, 0]


@misconception("VisionTransformer", "vit-head-before-norm")
class HeadBeforeNorm(VisionTransformer):
    """You normalise the logits, not the class token, without scale and shift.

    `self.norm` stands between the blocks and the head.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return torch.nn.functional.layer_norm(self.head(x[:, 0]), (self.head.out_features,))


@misconception("VisionTransformer", "vit-no-positions")
class NoPositions(VisionTransformer):
    """You take the positions away again, or embed without them.

    Without positions the patches have no order. Is everything that the embedding returns still in what you hand to the
    blocks?

    Call `self.embedding(images)`: class token, patches and positions are all in what it returns.
    """

    def forward(self, images):
        x = self.embedding(images) - self.embedding.positions
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-blocks-detached")
class OnlyHeadLearns(VisionTransformer):
    """No gradient comes back to your blocks and embedding: only norm and head learn.

    Leave out `detach` and `no_grad`: the whole model is trained.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x.detach())[:, 0])
