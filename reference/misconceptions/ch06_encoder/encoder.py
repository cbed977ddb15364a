"""What goes wrong in `Encoder`."""

from reference.ch06_encoder import Encoder
from reference.misconceptions import misconception


@misconception("Encoder", "encoder-no-last-norm")
class NoLastNorm(Encoder):
    """With `norm_first` the last norm is missing.

    Nothing in a pre-norm block normalises the sums, so `self.norm` comes after the last block.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)
        return x


@misconception("Encoder", "encoder-norm-in-loop")
class NormInLoop(Encoder):
    """You apply the last norm after every block.

    It comes once, after the loop: the sums that run from block to block must stay as they are.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)
            if self.norm_first:
                x = self.norm(x)
        return x


@misconception("Encoder", "encoder-norm-before")
class NormBefore(Encoder):
    """You apply the last norm to x, before the first block.

    Each pre-norm block begins with its own; `self.norm` comes after the last block.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm(x)
        for block in self.blocks:
            x = block(x, mask)
        return x


@misconception("Encoder", "encoder-no-mask")
class NoMask(Encoder):
    """You do not hand the mask on to the blocks.

    Padding is attended to like any word. Follow `mask` from your signature: who gets it? A block of your own must use
    it too.

    Hand it on: `block(x, mask)`.
    """

    def forward(self, x, mask=None):
        return super().forward(x)


@misconception("Encoder", "encoder-first-mask-only")
class FirstMaskOnly(Encoder):
    """Only your first block gets the mask.

    Padding is still padding after it; every block needs the mask.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, mask = block(x, mask), None
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-mask-required")
class MaskRequired(Encoder):
    """Your encoder cannot do without a mask.

    It is optional: `mask=None` in the signature, and nothing done to it but handing it on.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask.bool())


@misconception("Encoder", "encoder-first-block-only")
class FirstBlockOnly(Encoder):
    """Only your first block is used; perhaps the `return` is inside the loop.

    All blocks take their turn: `for block in self.blocks`, and the `return` after the loop.
    """

    def forward(self, x, mask=None):
        x = self.blocks[0](x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-same-block")
class SameBlock(Encoder):
    """You use the first block again and again.

    Each block has parameters of its own: `for block in self.blocks`.
    """

    def forward(self, x, mask=None):
        for _ in self.blocks:
            x = self.blocks[0](x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-not-chained")
class NotChained(Encoder):
    """Only your last block counts, as if every block read the original x.

    Write down what the second block gets. A block must read what the previous one wrote.

    Give each result the name that the next block reads: `x = block(x, mask)`.
    """

    def forward(self, x, mask=None):
        y = self.blocks[-1](x, mask)
        return self.norm(y) if self.norm_first else y


@misconception("Encoder", "encoder-reversed")
class Reversed(Encoder):
    """You go through the blocks from the last to the first.

    `self.blocks` is in the order in which they act.
    """

    def forward(self, x, mask=None):
        for block in reversed(self.blocks):
            x = block(x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-last-block-missing")
class LastBlockMissing(Encoder):
    """Your last block is never used.

    Go through all of `self.blocks`; check where a range or a slice ends.
    """

    def forward(self, x, mask=None):
        for block in self.blocks[:-1]:
            x = block(x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-extra-residual")
class ExtraResidual(Encoder):
    """You add a residual connection around each block.

    Look inside `EncoderBlock`: how often does it add its input already?

    The blocks have their residuals inside: `x = block(x, mask)`.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = x + block(x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-two-blocks")
class TwoBlocks(Encoder):
    """You use two blocks, whatever their number is.

    Write a loop over `self.blocks`.
    """

    def forward(self, x, mask=None):
        x = self.blocks[1](self.blocks[0](x, mask), mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-all-results")
class AllResults(Encoder):
    """You return the results of all blocks in a list.

    Only the last one is asked for.
    """

    def forward(self, x, mask=None):
        results = []
        for block in self.blocks:
            x = block(x, mask)
            results.append(x)
        return results


@misconception("Encoder", "encoder-detached-between")
class DetachedBetween(Encoder):
    """No gradient gets past your last block: what the blocks hand on is cut off (detach, .data or torch.tensor).

    All blocks learn together; hand the tensor on as it is.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x.detach(), mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-detached")
class Detached(Encoder):
    """No gradient comes back through your encoder (detach, .data, no_grad or NumPy).

    Nothing in it could learn; hand on x and what the blocks give as they are.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask).detach()
