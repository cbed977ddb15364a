"""Blocks that are stacked wrongly."""

import torch
from torch.nn import functional

from reference.ch08_decoder import Decoder
from reference.misconceptions import misconception


@misconception("Decoder", "decoder-no-masks")
class NoMasks(Decoder):
    """You do not hand the masks to the blocks.

    A mask that stays outside hides nothing: every block takes x, memory, self_mask and memory_mask.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory)


@misconception("Decoder", "decoder-self-mask-only")
class SelfMaskOnly(Decoder):
    """You hand only the first mask to the blocks: `memory_mask` gets lost.

    `memory_mask` is the fourth argument of every block; without it the target listens to the source's padding.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask)


@misconception("Decoder", "decoder-masks-swapped")
class MasksSwapped(Decoder):
    """You hand the two masks to the blocks in the wrong order.

    `self_mask` comes before `memory_mask`, or give them by name.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask, self_mask)


@misconception("Decoder", "decoder-masks-once")
class MasksOnce(Decoder):
    """Only your first block gets the masks.

    What is hidden must stay hidden on the way up, or the second block sees the answers: hand both masks to every block.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for index, block in enumerate(self.blocks):
            x = block(x, memory, self_mask, memory_mask) if index == 0 else block(x, memory)
        return x


@misconception("Decoder", "decoder-own-triangle")
class OwnTriangle(Decoder):
    """You make a causal mask of your own inside the decoder.

    Which positions may be seen is the caller's choice and comes in as `self_mask`; None means all of them.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        past = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
        return super().forward(x, memory, past if self_mask is None else self_mask & past, memory_mask)


@misconception("Decoder", "decoder-memory-replaced")
class MemoryReplaced(Decoder):
    """From the second block on, yours use the output of the block below as the memory.

    The memory is the encoder's and the same for every block; only x changes on the way up.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks:
            x = memory = block(x, memory, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-not-chained")
class NotChained(Decoder):
    """Only your last block has a say, and it reads the decoder's input, not what the block below it wrote.

    Each block reads what the one below it wrote: `x = block(x, ...)`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks:
            result = block(x, memory, self_mask, memory_mask)
        return result


@misconception("Decoder", "decoder-one-block")
class OneBlock(Decoder):
    """You call the first block again and again instead of each block once.

    The blocks have parameters of their own: loop over `self.blocks`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for _ in self.blocks:
            x = self.blocks[0](x, memory, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-first-block-only")
class FirstBlockOnly(Decoder):
    """Only your first block is used; perhaps the `return` stands inside the loop.

    Return after the last block.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return self.blocks[0](x, memory, self_mask, memory_mask)


@misconception("Decoder", "decoder-reversed")
class Reversed(Decoder):
    """You go through the blocks from the last to the first.

    Loop over `self.blocks` as it is: x enters at `self.blocks[0]`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in reversed(self.blocks):
            x = block(x, memory, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-residual-around-blocks")
class ResidualAroundBlocks(Decoder):
    """You add what goes into a block to what comes out of it.

    The residuals are inside the blocks already: `x = block(x, ...)`, nothing is added.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks:
            x = x + block(x, memory, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-last-norm")
class LastNorm(Decoder):
    """You normalise once more at the end.

    Leave that out: a post-norm block ends with a norm already, and a last one belongs to pre-norm stacks.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return functional.layer_norm(super().forward(x, memory, self_mask, memory_mask), x.shape[-1:])


@misconception("Decoder", "decoder-all-outputs")
class AllOutputs(Decoder):
    """You return the outputs of all blocks.

    Return only what the last block gives, one tensor (B, T, D).
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        outputs = []
        for block in self.blocks:
            x = block(x, memory, self_mask, memory_mask)
            outputs.append(x)
        return outputs


@misconception("Decoder", "decoder-self-mask-once")
class SelfMaskOnce(Decoder):
    """Only your first block gets `self_mask`; the others see what it hides.

    What is hidden must stay hidden on the way up, or the second block sees the answers: hand the mask to every block.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for index, block in enumerate(self.blocks):
            x = block(x, memory, self_mask if index == 0 else None, memory_mask)
        return x
