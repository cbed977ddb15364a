"""Sublayers, masks and dropout of one block that are missing, exchanged or misused."""

from torch.nn import functional

from reference.ch08_decoder import DecoderBlock
from reference.misconceptions import misconception


@misconception("DecoderBlock", "decoder-block-no-cross-attention")
class NoCrossAttention(DecoderBlock):
    """Your block has no cross-attention: it never reads the memory, and `norm2` is left out with it.

    Without it the target never learns what there is to translate. Which of the two texts asks in it, and which
    answers?

    The second of the three sublayers is `self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory,
    memory_mask)[0]))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-no-self-attention")
class NoSelfAttention(DecoderBlock):
    """Your block has no self-attention, and `norm1` is left out with it.

    A word must hear what has been written before it. Which sublayer of the encoder's block did that?

    The first of the three sublayers is `self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-feed-forward-second")
class FeedForwardSecond(DecoderBlock):
    """Your feed-forward network comes before the cross-attention.

    The order is self-attention, cross-attention, feed-forward network; the norms are numbered in that order.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm3(x + self.dropout3(self.feed_forward(x)))
        return self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))


@misconception("DecoderBlock", "decoder-block-feed-forward-of-first")
class FeedForwardOfFirst(DecoderBlock):
    """Your feed-forward network reads what `norm1` left, not what `norm2` left.

    It comes after the cross-attention and reads what that gave, added and normalised.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(y + self.dropout2(self.cross_attention(y, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(y)))


@misconception("DecoderBlock", "decoder-block-one-attention")
class OneAttention(DecoderBlock):
    """You use `self.self_attention` for both attentions.

    There are two, each with matrices of its own: the memory is asked by `self.cross_attention`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.self_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-attentions-exchanged")
class AttentionsExchanged(DecoderBlock):
    """You have exchanged the two attentions: `cross_attention` reads the target and `self_attention` the memory.

    Each attention has parameters of its own. Which of the two has all its tensors from the target?

    `self.self_attention(x, x, x, self_mask)` comes first, then `self.cross_attention(x, memory, memory, memory_mask)`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.cross_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.self_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-self-reads-memory")
class SelfReadsMemory(DecoderBlock):
    """Your first attention reads the memory too: its keys and values are not x.

    In the self-attention queries, keys and values are all x; the memory comes in with the cross-attention.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, memory, memory, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-pair")
class Pair(DecoderBlock):
    """You add the pair that an attention returns to x: `MultiHeadAttention` gives (output, weights).

    What does the attention of chapter 5 return? Count the parts.

    Take the first of the two: `self.self_attention(x, x, x, self_mask)[0]`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.self_attention(x, x, x, self_mask))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-pair-dropped")
class PairDropped(DecoderBlock):
    """You hand the pair that an attention returns to the dropout: `MultiHeadAttention` gives (output, weights).

    What does the attention of chapter 5 return? Count the parts.

    Take the first of the two: `self.self_attention(x, x, x, self_mask)[0]`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-weights")
class Weights(DecoderBlock):
    """You take the attention's weights for its output.

    `MultiHeadAttention` returns (output, weights): the output is the first of the two, `[0]`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[1]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-memory-as-residual")
class MemoryAsResidual(DecoderBlock):
    """Around the cross-attention you add the memory instead of x.

    The residual is what asks, x: there is one output per query, so only x has the right length.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(memory + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-masks-inverted")
class MasksInverted(DecoderBlock):
    """You invert both masks: the attentions see just what should be hidden.

    True means "may attend" in the whole course; hand the masks on as they are.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        self_mask, memory_mask = (None if mask is None else ~mask for mask in (self_mask, memory_mask))
        return super().forward(x, memory, self_mask, memory_mask)


@misconception("DecoderBlock", "decoder-block-no-masks")
class NoMasks(DecoderBlock):
    """You hand neither mask to its attention.

    `self_mask` is the fourth argument of `self.self_attention`, `memory_mask` that of `self.cross_attention`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory)


@misconception("DecoderBlock", "decoder-block-one-mask-for-both")
class OneMaskForBoth(DecoderBlock):
    """You give `memory_mask` to both attentions.

    In the self-attention the keys are the target's: what is hidden there stands in `self_mask`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask, memory_mask)


@misconception("DecoderBlock", "decoder-block-self-mask-by-default")
class SelfMaskByDefault(DecoderBlock):
    """Where there is no `memory_mask`, you use `self_mask` in the cross-attention.

    None means that the whole memory may be seen: hand each mask to its own attention and leave None as it is.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask, self_mask if memory_mask is None else memory_mask)


@misconception("DecoderBlock", "decoder-block-x-detached")
class XDetached(DecoderBlock):
    """You cut x off (detach, .data or no_grad), so no gradient reaches what is below this block.

    Compute with x itself: the blocks below and the embedding learn through it.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x.detach(), memory, self_mask, memory_mask)


@misconception("DecoderBlock", "decoder-block-squeezed")
@misconception("Decoder", "decoder-squeezed")
class Squeezed(DecoderBlock):
    """You squeeze the result, and with one sentence or one word an axis is gone.

    The answer is (B, T, D), whatever B and T are: leave out `squeeze()`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask, memory_mask).squeeze()


@misconception("DecoderBlock", "decoder-block-dropout-after-norm")
class DropoutAfterNorm(DecoderBlock):
    """Your dropout comes after the norm.

    It acts on what the sublayer gives, before x is added: `norm(x + dropout(sublayer(x)))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.dropout1(self.norm1(x + self.self_attention(x, x, x, self_mask)[0]))
        x = self.dropout2(self.norm2(x + self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.dropout3(self.norm3(x + self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-dropout-rate-fixed")
class DropoutRateFixed(DecoderBlock):
    """Your dropout has a rate of its own, whatever `dropout` says.

    `self.dropout1`, `self.dropout2` and `self.dropout3` have the rate that was asked for: call them.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + functional.dropout(self.self_attention(x, x, x, self_mask)[0], 0.1, self.training))
        x = self.norm2(
            x + functional.dropout(self.cross_attention(x, memory, memory, memory_mask)[0], 0.1, self.training)
        )
        return self.norm3(x + functional.dropout(self.feed_forward(x), 0.1, self.training))


@misconception("DecoderBlock", "decoder-block-dropout-on-input")
class DropoutOnInput(DecoderBlock):
    """Your dropout acts on what goes into a sublayer, not on what comes out.

    Each sublayer reads x as it is, and its output is thinned out: `x + self.dropout1(sublayer(x))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.dropout1(x)
        x = self.norm1(x + self.self_attention(y, y, y, self_mask)[0])
        x = self.norm2(x + self.cross_attention(self.dropout2(x), memory, memory, memory_mask)[0])
        return self.norm3(x + self.feed_forward(self.dropout3(x)))


@misconception("DecoderBlock", "decoder-block-no-relu")
class NoRelu(DecoderBlock):
    """You leave out the ReLU of the feed-forward network.

    `self.feed_forward` is the whole of it, both layers and the ReLU between them: call it.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward[2](self.feed_forward[0](x))))


@misconception("DecoderBlock", "decoder-block-self-mask-inverted")
class SelfMaskInverted(DecoderBlock):
    """You invert `self_mask`: the self-attention sees just what should be hidden.

    True means "may attend" in the whole course; hand the mask on as it is.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, None if self_mask is None else ~self_mask, memory_mask)


@misconception("DecoderBlock", "decoder-block-memory-mask-inverted")
class MemoryMaskInverted(DecoderBlock):
    """You invert `memory_mask`: the cross-attention sees just what should be hidden.

    True means "may attend" in the whole course; hand the mask on as it is.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask, None if memory_mask is None else ~memory_mask)
