"""Norms and residuals that are missing or in the wrong place."""

from torch.nn import functional

from reference.ch08_decoder import DecoderBlock
from reference.misconceptions import misconception


@misconception("DecoderBlock", "decoder-block-no-self-residual")
class NoSelfResidual(DecoderBlock):
    """You leave out the residual around the self-attention.

    Add x before `norm1`, as around the other two sublayers: `self.norm1(x + self.dropout1(...))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-no-last-residual")
class NoLastResidual(DecoderBlock):
    """You leave out the residual around the feed-forward network.

    Add x before `norm3`, as around the other two sublayers: `self.norm3(x + self.dropout3(...))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-no-norm1")
class NoNorm1(DecoderBlock):
    """Nothing is normalised after your self-attention: `norm1` is missing.

    Each of the three sublayers ends with a norm: `x = self.norm1(x + self.dropout1(...))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout1(self.self_attention(x, x, x, self_mask)[0])
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-no-norm2")
class NoNorm2(DecoderBlock):
    """Nothing is normalised after your cross-attention: `norm2` is missing.

    Each of the three sublayers ends with a norm: `x = self.norm2(x + self.dropout2(...))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0])
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-no-norm3")
class NoNorm3(DecoderBlock):
    """Nothing is normalised after your feed-forward network: `norm3` is missing.

    Each of the three sublayers ends with a norm: `return self.norm3(x + self.dropout3(...))`.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return x + self.dropout3(self.feed_forward(x))


@misconception("DecoderBlock", "decoder-block-no-norms")
class NoNorms(DecoderBlock):
    """Your block normalises nothing: all three norms are missing.

    Each sublayer is wrapped as `norm(x + dropout(sublayer(x)))`, with `norm1`, `norm2`, `norm3` in turn.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout1(self.self_attention(x, x, x, self_mask)[0])
        x = x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0])
        return x + self.dropout3(self.feed_forward(x))


@misconception("DecoderBlock", "decoder-block-norm2-for-norm3")
class Norm2ForNorm3(DecoderBlock):
    """You use `norm2` again after the feed-forward network, where `norm3` belongs.

    Each sublayer has a norm of its own, with its own scale and shift.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm2(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-norm1-for-norm2")
class Norm1ForNorm2(DecoderBlock):
    """You use `norm1` again after the cross-attention, where `norm2` belongs.

    Each sublayer has a norm of its own, with its own scale and shift.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm1(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-norms-exchanged")
class NormsExchanged(DecoderBlock):
    """You have exchanged `norm1` and `norm2`.

    The norms are numbered in the order of the sublayers: self-attention, cross-attention, feed-forward network.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm2(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm1(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-normed-twice")
class NormedTwice(DecoderBlock):
    """You normalise before each sublayer and after it, with the same norm.

    Post-norm normalises the sum only: `norm(x + dropout(sublayer(x)))`, and the sublayer reads x as it is.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norm1(x)
        x = self.norm1(x + self.dropout1(self.self_attention(y, y, y, self_mask)[0]))
        y = self.norm2(x)
        x = self.norm2(x + self.dropout2(self.cross_attention(y, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(self.norm3(x))))


@misconception("DecoderBlock", "decoder-block-memory-normed")
class MemoryNormed(DecoderBlock):
    """You normalise the memory with `norm2` before your cross-attention reads it.

    Keys and values are the memory as the encoder left it; `norm2` is for the sum behind the cross-attention.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        source = self.norm2(memory)
        x = self.norm2(x + self.dropout2(self.cross_attention(x, source, source, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-last-residual-from-start")
class LastResidualFromStart(DecoderBlock):
    """Around the feed-forward network you add the block's input, not what the cross-attention left.

    Carry one x through the block: the third residual is the x that goes into the feed-forward network.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        y = self.norm2(y + self.dropout2(self.cross_attention(y, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.dropout3(self.feed_forward(y)))


@misconception("DecoderBlock", "decoder-block-cross-residual-from-start")
class CrossResidualFromStart(DecoderBlock):
    """Around the cross-attention you add the block's input, not what the self-attention left.

    Carry one x through the block: the second residual is the x that asks the memory.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        y = self.norm2(x + self.dropout2(self.cross_attention(y, memory, memory, memory_mask)[0]))
        return self.norm3(y + self.dropout3(self.feed_forward(y)))


@misconception("DecoderBlock", "decoder-block-last-residual-too-early")
class LastResidualTooEarly(DecoderBlock):
    """Around the feed-forward network you add what `norm1` left, not what `norm2` left.

    The third residual is the x that goes into the feed-forward network, which `norm2` gave.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        z = self.norm2(y + self.dropout2(self.cross_attention(y, memory, memory, memory_mask)[0]))
        return self.norm3(y + self.dropout3(self.feed_forward(z)))


@misconception("DecoderBlock", "decoder-block-norms-of-texts")
class NormsOfTexts(DecoderBlock):
    """You take one mean and one variance of a whole text, over positions and features together.

    Then later words change earlier ones. Each position is normalised by itself, over its features.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        def normed(norm, y):
            return functional.layer_norm(y, y.shape[1:], eps=norm.eps) * norm.weight + norm.bias

        x = normed(self.norm1, x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = normed(self.norm2, x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return normed(self.norm3, x + self.dropout3(self.feed_forward(x)))


@misconception("DecoderBlock", "decoder-block-dropout-inside")
class DropoutInside(DecoderBlock):
    """There is a second dropout inside your feed-forward network, on its hidden units.

    Some implementations have one there. Here each sublayer has one dropout, on what it gives, before that is added.
    """

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout1(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.dropout2(self.cross_attention(x, memory, memory, memory_mask)[0]))
        widen, activation, narrow = self.feed_forward
        return self.norm3(x + self.dropout3(narrow(self.dropout3(activation(widen(x))))))
