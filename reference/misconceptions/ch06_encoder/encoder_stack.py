"""What goes wrong in `Encoder`, continued: the last norm, and sums around the blocks."""

import torch

from reference.ch06_encoder import Encoder
from reference.misconceptions import misconception


@misconception("Encoder", "encoder-norm-always")
class NormAlways(Encoder):
    """You apply the last norm even if there is none: without `norm_first`, `self.norm` does not exist.

    Only a pre-norm encoder ends with a norm: ask `self.norm_first` first.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)
        if not self.norm_first:
            raise AttributeError("'Encoder' object has no attribute 'norm'")
        return self.norm(x)


@misconception("Encoder", "encoder-bare-norm")
class BareNorm(Encoder):
    """Your last norm has no scale and shift.

    `self.norm` learns both: call it, rather than the function.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)
        return torch.nn.functional.layer_norm(x, x.shape[-1:]) if self.norm_first else x


@misconception("Encoder", "encoder-first-block-missing")
class FirstBlockMissing(Encoder):
    """Your first block is never used.

    Go through all of `self.blocks`, from number 0 on.
    """

    def forward(self, x, mask=None):
        for block in self.blocks[1:]:
            x = block(x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-one-residual")
class OneResidual(Encoder):
    """You add x to what the last block gives.

    The residual connections are inside the blocks; the encoder adds nothing.
    """

    def forward(self, x, mask=None):
        last = x
        for block in self.blocks:
            last = block(last, mask)
        return self.norm(x + last) if self.norm_first else x + last


@misconception("Encoder", "encoder-pairs")
class Pairs(Encoder):
    """You take what a block returns apart into two, but it is a single tensor.

    Only the attention returns a pair. What does the docstring of `EncoderBlock.forward` say that it returns?

    A block returns (B, T, D): `x = block(x, mask)`.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-norm-twice")
class NormTwice(Encoder):
    """You apply the last norm twice.

    Once is enough: after the last block, return `self.norm(x)`.
    """

    def forward(self, x, mask=None):
        x = super().forward(x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-sum")
class SumOfBlocks(Encoder):
    """You add up the results of all blocks.

    Only the last block's result counts; it has read those of the others.
    """

    def forward(self, x, mask=None):
        total = 0
        for block in self.blocks:
            x = block(x, mask)
            total = total + x
        return self.norm(total) if self.norm_first else total


@misconception("Encoder", "encoder-parallel-averaged")
class ParallelAveraged(Encoder):
    """Each of your blocks reads the encoder's input, and you average what they give.

    A stack is no vote: what should the second block know of what the first one found?
    """

    def forward(self, x, mask=None):
        mean = torch.stack([block(x, mask) for block in self.blocks]).mean(dim=0)
        return self.norm(mean) if self.norm_first else mean


@misconception("Encoder", "encoder-late-masks-only")
class LateMasksOnly(Encoder):
    """Your first block does not get the mask.

    What it mixes in from hidden positions stays in; give each block the mask.
    """

    def forward(self, x, mask=None):
        for number, block in enumerate(self.blocks):
            x = block(x, mask if number else None)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-last-mask-only")
class LastMaskOnly(Encoder):
    """Only your last block gets the mask.

    Give each block the mask.
    """

    def forward(self, x, mask=None):
        for block in self.blocks[:-1]:
            x = block(x)
        x = self.blocks[-1](x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-own-rate")
class OwnRate(Encoder):
    """The dropouts of your blocks have the rate 0.1, whatever the argument says.

    The given `__init__` hands `dropout` on to each block.
    """

    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1, norm_first=False):
        super().__init__(num_blocks, width, num_heads, hidden, norm_first=norm_first)


@misconception("Encoder", "encoder-results-stacked")
class ResultsStacked(Encoder):
    """You return the results of all blocks, stacked.

    Only the last one is asked for, with the shape of x.
    """

    def forward(self, x, mask=None):
        results = []
        for block in self.blocks:
            x = block(x, mask)
            results.append(self.norm(x) if self.norm_first else x)
        return torch.stack(results)


@misconception("Encoder", "encoder-reentrant-checkpoint")
class ReentrantCheckpoint(Encoder):
    """Your checkpoints are reentrant: such a block gives its parameters no gradient unless its input needs one.

    A plain call of the block is all that is asked for; if you save memory, then with `use_reentrant=False`.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            if self.training:
                x = torch.utils.checkpoint.checkpoint(block, x, mask, use_reentrant=True)
            else:
                x = block(x, mask)
        return self.norm(x) if self.norm_first else x


@misconception("Encoder", "encoder-last-norm-of-texts")
class LastNormOfTexts(Encoder):
    """Your last norm takes one mean and one variance of a whole text, over positions and features together.

    Then the words of a text change each other's numbers. Each position is normalised by itself, over its features.
    """

    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)
        if not self.norm_first:
            return x
        unit = torch.nn.functional.layer_norm(x, x.shape[1:], eps=self.norm.eps)
        return unit * self.norm.weight + self.norm.bias
