"""What goes wrong in `VisionTransformer`."""

import torch

from reference.ch11_vision import VisionTransformer
from reference.misconceptions import misconception


@misconception("VisionTransformer", "vit-mean")
class Mean(VisionTransformer):
    """You average over all positions instead of reading the class token.

    Position 0 is there to collect what the picture shows: take `x[:, 0]`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(dim=1))


@misconception("VisionTransformer", "vit-mean-of-patches")
class MeanOfPatches(VisionTransformer):
    """You average over the patches and leave the class token unread.

    Averaging can work in a model trained that way, but this one answers at position 0: take `x[:, 0]`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 1:].mean(dim=1))


@misconception("VisionTransformer", "vit-mean-before-norm")
class MeanBeforeNorm(VisionTransformer):
    """You average over all positions and normalise the mean, instead of reading the class token.

    Position 0 is there to collect what the picture shows: take `x[:, 0]`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x.mean(dim=1)))


@misconception("VisionTransformer", "vit-last-position")
class LastPosition(VisionTransformer):
    """You read the last position, which is the patch in the lower right corner.

    The class token stands at position 0: take `x[:, 0]`; the last one is what a language model reads.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, -1])


@misconception("VisionTransformer", "vit-first-patch")
class FirstPatch(VisionTransformer):
    """You read position 1, which is the first patch.

    The class token stands in front of it, at position 0.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 1])


@misconception("VisionTransformer", "vit-no-last-norm")
class NoLastNorm(VisionTransformer):
    """The last layer norm is missing.

    Pre-norm blocks hand on sums that have not been normalised; apply `self.norm` before the head (eq. 4).
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(x[:, 0])


@misconception("VisionTransformer", "vit-norm-first")
class NormFirst(VisionTransformer):
    """You normalise what goes into the blocks and not what comes out of them.

    Each block has its own norms in front; `self.norm` is the last one, between the blocks and the head.
    """

    def forward(self, images):
        x = self.norm(self.embedding(images))
        for block in self.blocks:
            x = block(x)
        return self.head(x[:, 0])


@misconception("VisionTransformer", "vit-norm-in-the-loop")
class NormInTheLoop(VisionTransformer):
    """You apply `self.norm` after every block.

    It comes once, after the last block: move it out of the loop.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = self.norm(block(x))
        return self.head(x[:, 0])


@misconception("VisionTransformer", "vit-blocks-not-chained")
class NotChained(VisionTransformer):
    """Each of your blocks reads the embedding, so only the last block counts.

    A block takes what the one before it gave: `x = block(x)`.
    """

    def forward(self, images):
        embedded = self.embedding(images)
        for block in self.blocks:
            x = block(embedded)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-one-block-repeated")
class OneBlockRepeated(VisionTransformer):
    """You use the first block again and again.

    There are `num_blocks` of them, each with weights of its own: loop over `self.blocks`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for _ in self.blocks:
            x = self.blocks[0](x)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-first-block-only")
class FirstBlockOnly(VisionTransformer):
    """Only the first block is used (a `return` inside the loop does that).

    Send x through all of them, then normalise and classify.
    """

    def forward(self, images):
        return self.head(self.norm(self.blocks[0](self.embedding(images)))[:, 0])


@misconception("VisionTransformer", "vit-no-blocks")
class NoBlocks(VisionTransformer):
    """The blocks do not count: you classify the embedding, whose class token has seen no picture.

    Keep what a block returns, `x = block(x)`; it does not change x in place.
    """

    def forward(self, images):
        return self.head(self.norm(self.embedding(images))[:, 0])


@misconception("VisionTransformer", "vit-residual")
class Residual(VisionTransformer):
    """You add x to what a block returns.

    The residuals are inside the blocks already: `x = block(x)`.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = x + block(x)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-positions-twice")
class PositionsTwice(VisionTransformer):
    """You add the positions a second time.

    `self.embedding` has done that: class token, patches and positions are all in what it returns.
    """

    def forward(self, images):
        x = self.embedding(images) + self.embedding.positions
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-cls-alone")
class ClsAlone(VisionTransformer):
    """Your class token sees only itself, and none of the patches.

    Each block reads all positions: call `block(x)`, no more. Is there a causal mask, are batch and positions swapped,
    or is the class token cut out before the blocks?
    """

    def forward(self, images):
        x = self.embedding(images)
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.norm(x)[:, 0])


@misconception("VisionTransformer", "vit-every-position")
class EveryPosition(VisionTransformer):
    """You return logits for every position, (B, N + 1, classes).

    There is one answer per picture: keep position 0, the class token.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


@misconception("VisionTransformer", "vit-probabilities")
class Probabilities(VisionTransformer):
    """You return probabilities instead of logits.

    The loss takes the softmax itself, so it would be taken twice; return what the head gives.
    """

    def forward(self, images):
        return super().forward(images).softmax(dim=-1)


@misconception("VisionTransformer", "vit-tanh")
class Tanh(VisionTransformer):
    """You send the class token through a tanh before the head, as BERT's pooler does.

    This model's head is one linear layer on the normalised class token; leave the tanh out.
    """

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(torch.tanh(self.norm(x)[:, 0]))


@misconception("VisionTransformer", "vit-squeezed")
class Squeezed(VisionTransformer):
    """You squeeze the logits, or what the head reads, which drops the batch when it holds one picture.

    An axis of size 1 is an axis: leave out `squeeze()`, and take the class token by its position.
    """

    def forward(self, images):
        return super().forward(images).squeeze()


@misconception("VisionTransformer", "vit-frozen-embedding")
class FrozenEmbedding(VisionTransformer):
    """No gradient comes back to your embedding: it is detached, or runs under `no_grad`.

    Projection, class token and positions are learned together with the blocks; keep them in the graph.
    """

    def forward(self, images):
        x = self.embedding(images).detach()
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])
