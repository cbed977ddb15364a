"""Stacks that leave out a block, share one, or lose something on the way up."""

import torch

from reference.ch08_decoder import Decoder
from reference.misconceptions import misconception


@misconception("Decoder", "decoder-one-block-for-all")
class OneBlockForAll(Decoder):
    """All entries of your `self.blocks` are the same block: there is one set of parameters.

    `[DecoderBlock(...)] * num_blocks` repeats one object; a comprehension, `[DecoderBlock(...) for _ in
    range(num_blocks)]`, makes new ones.
    """

    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1):
        super().__init__(num_blocks, width, num_heads, hidden, dropout)
        self.blocks = torch.nn.ModuleList([self.blocks[0]] * num_blocks)


@misconception("Decoder", "decoder-one-less")
class OneLess(Decoder):
    """You leave out the last block.

    Loop over all of `self.blocks`: there are `num_blocks` of them.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks[:-1]:
            x = block(x, memory, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-first-left-out")
class FirstLeftOut(Decoder):
    """You leave out the first block.

    Loop over all of `self.blocks`, from `self.blocks[0]` on.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks[1:]:
            x = block(x, memory, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-not-kept")
class NotKept(Decoder):
    """You return x as it came in: what the blocks give is not kept.

    A block does not change x in place; keep what it returns, `x = block(x, ...)`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return x


@misconception("Decoder", "decoder-memory-mask-only")
class MemoryMaskOnly(Decoder):
    """You hand only `memory_mask` to the blocks: `self_mask` gets lost.

    `self_mask` is the third argument of every block; without it a position may see the words after its own.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, None, memory_mask)


@misconception("Decoder", "decoder-masks-on-later")
class MasksOnLater(Decoder):
    """Only your last block gets the masks.

    What one block lets through, the next cannot take back: hand both masks to every block.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks[:-1]:
            x = block(x, memory)
        return self.blocks[-1](x, memory, self_mask, memory_mask)


@misconception("Decoder", "decoder-input-added")
class InputAdded(Decoder):
    """You add the decoder's input to its result.

    The residuals are inside the blocks; return what the last block gives.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return x + super().forward(x, memory, self_mask, memory_mask)


@misconception("Decoder", "decoder-outputs-averaged")
class OutputsAveraged(Decoder):
    """You return the mean of all blocks' outputs.

    Only the last block's output is the answer; the others have been read by the block above.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        outputs = []
        for block in self.blocks:
            x = block(x, memory, self_mask, memory_mask)
            outputs.append(x)
        return torch.stack(outputs).mean(dim=0)


@misconception("Decoder", "decoder-parallel-averaged")
class ParallelAveraged(Decoder):
    """Each of your blocks reads the decoder's input, and you average what they give.

    A stack is no vote: what should the second block know of what the first one found?

    Each block reads what the one below it wrote: `x = block(x, ...)`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        outputs = [block(x, memory, self_mask, memory_mask) for block in self.blocks]
        return torch.stack(outputs).mean(dim=0)


@misconception("Decoder", "decoder-parallel-summed")
class ParallelSummed(Decoder):
    """Each of your blocks reads the decoder's input, and you add up what they give.

    Heads work side by side, blocks do not: what should the second block know of what the first one found?

    Each block reads what the one below it wrote: `x = block(x, ...)`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return sum(block(x, memory, self_mask, memory_mask) for block in self.blocks)


@misconception("Decoder", "decoder-x-detached")
class DecoderXDetached(Decoder):
    """Between your blocks x is cut off (detach, .data or no_grad), so only the last block learns anything.

    Hand on what a block gives, with its gradient: `x = block(x, ...)`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks:
            x = block(x.detach(), memory, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-without-memory")
class WithoutMemory(Decoder):
    """Your blocks get x in place of the memory.

    What does a decoder block read besides x? Compare the order of its arguments with yours.

    The encoder's output is the second argument: `block(x, memory, self_mask, memory_mask)`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks:
            x = block(x, x, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-memory-of-its-own")
class MemoryOfItsOwn(Decoder):
    """From the second block on, your blocks read the decoder's own output in the place of the memory.

    The memory is the encoder's, and all blocks read the same one: what changes from block to block?
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for number, block in enumerate(self.blocks):
            fits = memory_mask is None or memory_mask.shape[-1] in (1, x.shape[1])
            x = block(x, x if number else memory, self_mask, memory_mask if fits or not number else None)
        return x


@misconception("Decoder", "decoder-memory-mask-once")
class MemoryMaskOnce(Decoder):
    """Only your first block gets `memory_mask`; the others listen to the source's padding.

    Each block asks the memory, and its padding is padding every time.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for number, block in enumerate(self.blocks):
            x = block(x, memory, self_mask, None if number else memory_mask)
        return x


@misconception("Decoder", "decoder-own-rate")
class OwnRate(Decoder):
    """The dropouts of your blocks have the rate 0.1, whatever the argument says.

    The given `__init__` hands `dropout` on to each block.
    """

    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1):
        super().__init__(num_blocks, width, num_heads, hidden)


@misconception("Decoder", "decoder-outputs-stacked")
class OutputsStacked(Decoder):
    """You return the outputs of all blocks, stacked.

    Return only what the last block gives, one tensor (B, T, D).
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        outputs = []
        for block in self.blocks:
            x = block(x, memory, self_mask, memory_mask)
            outputs.append(x)
        return torch.stack(outputs)


@misconception("Decoder", "decoder-reentrant-checkpoint")
class ReentrantCheckpoint(Decoder):
    """Your checkpoints are reentrant: such a block gives its parameters no gradient unless its input needs one.

    A plain call of the block is all that is asked for; if you save memory, then with `use_reentrant=False`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks:
            if self.training:
                x = torch.utils.checkpoint.checkpoint(block, x, memory, self_mask, memory_mask, use_reentrant=True)
            else:
                x = block(x, memory, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-sorted-names")
class SortedNames(Decoder):
    """With more than ten blocks you run them in the order of their names, in which 10 comes before 2.

    Names are texts, sorted letter by letter. The list itself has the blocks in their order.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for _, block in sorted(self.blocks.named_children()):
            x = block(x, memory, self_mask, memory_mask)
        return x


@misconception("Decoder", "decoder-memory-from-block-to-block")
class MemoryFromBlockToBlock(Decoder):
    """Each of your blocks reads the decoder's input, and takes what the block before it gave for the memory.

    Which of the two changes on the way up, and which is the encoder's and stays the same?
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for block in self.blocks:
            memory = block(x, memory, self_mask, memory_mask)
        return memory
