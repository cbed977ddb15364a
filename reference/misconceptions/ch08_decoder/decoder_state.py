"""Blocks and stacks that do otherwise in training, or after other calls."""

from reference.ch08_decoder import DecoderBlock
from reference.misconceptions import misconception


@misconception("DecoderBlock", "decoder-block-masks-kept")
@misconception("Decoder", "decoder-masks-kept")
class MasksKept(DecoderBlock):
    """You keep the masks of an earlier call and use them again where none are given.

    Every text comes with masks of its own, or with none. What a call needs comes in as its arguments.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if self_mask is not None:
            self.kept_self_mask = self_mask
        if memory_mask is not None:
            self.kept_memory_mask = memory_mask
        kept = getattr(self, "kept_self_mask", None), getattr(self, "kept_memory_mask", None)
        return super().forward(x, memory, *kept)


@misconception("DecoderBlock", "decoder-block-first-memory-mask")
@misconception("Decoder", "decoder-first-memory-mask")
class FirstMemoryMask(DecoderBlock):
    """You keep the first `memory_mask` of a shape, and use it for all later sources of that shape.

    Two sources of the same length need not be padded alike. What a call needs comes in as its arguments.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if memory_mask is None:
            return super().forward(x, memory, self_mask)
        if getattr(self, "mask", memory_mask[..., :0]).shape != memory_mask.shape:
            self.mask = memory_mask
        return super().forward(x, memory, self_mask, self.mask)


@misconception("DecoderBlock", "decoder-block-masks-in-evaluation")
@misconception("Decoder", "decoder-masks-in-evaluation")
class MasksInEvaluation(DecoderBlock):
    """In training you do not use the masks.

    In training the whole answer stands there to be read, so this is where hiding the future matters most.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if self.training:
            return super().forward(x, memory)
        return super().forward(x, memory, self_mask, memory_mask)


@misconception("DecoderBlock", "decoder-block-detached-in-evaluation")
@misconception("Decoder", "decoder-detached-in-evaluation")
class DetachedInEvaluation(DecoderBlock):
    """In evaluation no gradient comes back through your answer (detach, .data, no_grad or set_grad_enabled).

    `eval()` switches dropout off, and nothing else. A caller that wants no gradients says so itself.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        result = super().forward(x, memory, self_mask, memory_mask)
        return result if self.training else result.detach()


@misconception("DecoderBlock", "decoder-block-blind-rows-opened")
@misconception("Decoder", "decoder-blind-rows-opened")
class BlindRowsOpened(DecoderBlock):
    """Where a mask allows a query nothing, you let it see everything; its context should be zero.

    `MultiHeadAttention` copes with such rows, without NaN. Hand each mask on as it comes.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        opened = (each if each is None else each | ~each.any(-1, keepdim=True) for each in (self_mask, memory_mask))
        return super().forward(x, memory, *opened)
