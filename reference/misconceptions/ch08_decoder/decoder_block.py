"""One block whose sublayers are wired wrongly."""

import torch
from torch.nn import functional

from reference.ch08_decoder import DecoderBlock
from reference.misconceptions import misconception


@misconception("DecoderBlock", "decoder-block-cross-self")
class CrossSelf(DecoderBlock):
    """Your cross-attention never looks at the memory: its keys and values come from the target.

    That is a second self-attention. Who asks in the cross-attention, and who answers?

    Queries are x, keys and values the memory: `self.cross_attention(x, memory, memory, memory_mask)`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, x, x, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-cross-roles")
class CrossRoles(DecoderBlock):
    """Your cross-attention takes its queries from the memory, and keys and values from the target.

    The target asks and the source answers: queries from x, keys and values from `memory`; then the lengths fit too.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(memory, x, x, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-cross-values")
class CrossValues(DecoderBlock):
    """Your cross-attention takes its keys from the memory, but its values from the target.

    A key and its value belong to the same word: both are `memory`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, x, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-no-self-mask")
class NoSelfMask(DecoderBlock):
    """You do not hand `self_mask` to the self-attention, so every position sees its own answer.

    The causal mask comes in as `self_mask`: it is the fourth argument of `self.self_attention`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, None, memory_mask)


@misconception("DecoderBlock", "decoder-block-no-memory-mask")
class NoMemoryMask(DecoderBlock):
    """You do not hand `memory_mask` to the cross-attention, so the target listens to the source's padding.

    Hand `memory_mask` on as the fourth argument of `self.cross_attention`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask, None)


@misconception("DecoderBlock", "decoder-block-masks-swapped")
class MasksSwapped(DecoderBlock):
    """You give each attention the mask of the other.

    A mask belongs to the keys: `self_mask` where they come from x, `memory_mask` where they come from the memory.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask, self_mask)


@misconception("DecoderBlock", "decoder-block-self-mask-twice")
class SelfMaskTwice(DecoderBlock):
    """You use `self_mask` in the cross-attention as well.

    There the keys are the source's, which may be read to its end; only its padding is hidden, by `memory_mask`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask, self_mask)


@misconception("DecoderBlock", "decoder-block-own-triangle")
class OwnTriangle(DecoderBlock):
    """You make a causal mask of your own inside the block.

    Which positions may be seen is the caller's choice and comes in as `self_mask`; None means all of them.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        past = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
        return super().forward(x, memory, past if self_mask is None else self_mask & past, memory_mask)


@misconception("DecoderBlock", "decoder-block-pre-norm")
class PreNorm(DecoderBlock):
    """Your layer norms stand before the sublayers (pre-norm).

    Here, as in the paper, it is the sum that is normalised: `norm(x + dropout(sublayer(x)))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norm1(x)
        x = x + self.dropout1(self.self_attention(y, y, y, self_mask)[0])
        x = x + self.dropout2(self.cross_attention(self.norm2(x), memory, memory, memory_mask)[0])
        return x + self.dropout3(self.feed_forward(self.norm3(x)))


@misconception("DecoderBlock", "decoder-block-norm-inside")
class NormInside(DecoderBlock):
    """You normalise what a sublayer gives and add x afterwards.

    The residual belongs inside the norm: `norm(x + dropout(sublayer(x)))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.norm1(self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = x + self.norm2(self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return x + self.norm3(self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-dropout-on-sum")
class DropoutOnSum(DecoderBlock):
    """Your dropout acts on the sum, residual included.

    x must get through unharmed: apply dropout to what the sublayer gives, then add x.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(self.dropout1(x + self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(self.dropout2(x + self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(self.dropout3(x + self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-no-residual")
class NoResidual(DecoderBlock):
    """You leave out the residuals: x itself is not added to what the sublayers give.

    Each sublayer computes a change to x; add it to x before the norm.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-no-cross-residual")
class NoCrossResidual(DecoderBlock):
    """You leave out the residual around the cross-attention.

    What the self-attention found then counts only as a question to the memory: add x before `norm2`, as around the
    other two sublayers.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-one-norm")
class OneNorm(DecoderBlock):
    """You use the same layer norm three times.

    Each sublayer has one of its own, with its own scale and shift: `norm1`, `norm2`, `norm3`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm1(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm1(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-first-residual")
class FirstResidual(DecoderBlock):
    """You add the block's input again around the later sublayers, instead of what the sublayer before them left.

    Carry one x through the block: every residual is around its own sublayer.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        y = self.norm2(x + self.dropout2(self.cross_attention(y, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(y)))


@misconception("DecoderBlock", "decoder-block-parallel")
class Parallel(DecoderBlock):
    """Your cross-attention asks with the block's input, not with what the self-attention made of it.

    The question to the source depends on the sentence so far: its queries are the x after `norm1`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        y = self.norm2(y + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(y + self.dropout3(self.feed_forward(y)))


@misconception("DecoderBlock", "decoder-block-cross-first")
class CrossFirst(DecoderBlock):
    """Your cross-attention comes before the self-attention.

    First what has been written, then the source, then the feed-forward network: figure 1 is read from the bottom up.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.cross_attention(x, memory, memory, memory_mask)[0]))
        x = self.norm2(x + self.dropout2(self.self_attention(x, x, x, self_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-no-feed-forward")
class NoFeedForward(DecoderBlock):
    """Your block ends after the cross-attention: feed-forward network and `norm3` are missing.

    Count the sublayers in the paper's figure of the decoder. Which of the layers that `__init__` makes do you never
    call?

    The third sublayer has its residual and norm like the others: `self.norm3(x + self.dropout3(self.feed_forward(x)))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        return self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))


@misconception("DecoderBlock", "decoder-block-no-dropout")
class NoDropout(DecoderBlock):
    """You leave out the dropout.

    In training it acts on each sublayer's output: `x + self.dropout1(...)`, and so on, each with its own.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.self_attention(x, x, x, self_mask)[0])
        x = self.norm2(x + self.cross_attention(x, memory, memory, memory_mask)[0])
        return self.norm3(x + self.feed_forward(x))


@misconception("DecoderBlock", "decoder-block-dropout-always")
class DropoutAlways(DecoderBlock):
    """You apply dropout in evaluation mode too.

    `functional.dropout` assumes training by default; `self.dropout1` and the other two follow the module's mode.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        rate = self.dropout1.p
        x = self.norm1(x + functional.dropout(self.self_attention(x, x, x, self_mask)[0], rate))
        x = self.norm2(x + functional.dropout(self.cross_attention(x, memory, memory, memory_mask)[0], rate))
        return self.norm3(x + functional.dropout(self.feed_forward(x), rate))


@misconception("DecoderBlock", "decoder-block-memory-detached")
@misconception("Decoder", "decoder-memory-detached")
class MemoryDetached(DecoderBlock):
    """You cut the memory off (detach, .data or no_grad), so no gradient reaches the encoder.

    Encoder and decoder are trained together: use `memory` as it is.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory.detach(), self_mask, memory_mask)


@misconception("DecoderBlock", "decoder-block-in-place")
class InPlace(DecoderBlock):
    """You add to the caller's x in place.

    `x += ...` writes into the tensor you were given; write `x = x + ...`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x += self.dropout1(self.self_attention(x, x, x, self_mask)[0])
        x = self.norm1(x)
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))
