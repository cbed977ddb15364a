"""What goes wrong in `EncoderBlock`, continued: norms that are missing or too many, and what the layers read."""

from reference.ch06_encoder import EncoderBlock
from reference.misconceptions import misconception


@misconception("EncoderBlock", "encoder-block-no-first-norm")
class NoFirstNorm(EncoderBlock):
    """In post-norm the first norm is missing: what the attention adds is not normalised.

    Both sums are normalised: z = norm1(x + attention(x)), then norm2(z + FFN(z)).
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            return super().forward(x, mask)
        z = x + self.dropout1(self.attention(x, x, x, mask)[0])
        return self.norm2(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-no-last-norm")
class NoLastNorm(EncoderBlock):
    """In post-norm the second norm is missing: what the feed-forward network adds is not normalised.

    Both sums are normalised: z = norm1(x + attention(x)), then norm2(z + FFN(z)).
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            return super().forward(x, mask)
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return z + self.dropout2(self.feed_forward(z))


@misconception("EncoderBlock", "encoder-block-no-norms")
class NoNorms(EncoderBlock):
    """You use no norms in post-norm.

    Both sums are normalised: z = norm1(x + attention(x)), then norm2(z + FFN(z)).
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            return super().forward(x, mask)
        z = x + self.dropout1(self.attention(x, x, x, mask)[0])
        return z + self.dropout2(self.feed_forward(z))


@misconception("EncoderBlock", "encoder-block-both-orders")
class BothOrders(EncoderBlock):
    """In pre-norm you normalise the sums as well.

    With `norm_first` the norms act only on what goes into the layers; the sums stay as they are.
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        y = self.norm1(x)
        z = self.norm1(x + self.dropout1(self.attention(y, y, y, mask)[0]))
        return self.norm2(z + self.dropout2(self.feed_forward(self.norm2(z))))


@misconception("EncoderBlock", "encoder-block-raw-attention")
class RawAttention(EncoderBlock):
    """In pre-norm your attention reads x without a norm.

    What goes into a layer is normalised: attention(norm1(x)), then FFN(norm2(z)).
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        z = x + self.dropout1(self.attention(x, x, x, mask)[0])
        return z + self.dropout2(self.feed_forward(self.norm2(z)))


@misconception("EncoderBlock", "encoder-block-raw-values")
class RawValues(EncoderBlock):
    """In pre-norm only queries and keys are normalised; the values are the bare x.

    All three are the same tensor: attention(y, y, y) with y = norm1(x).
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        y = self.norm1(x)
        z = x + self.dropout1(self.attention(y, y, x, mask)[0])
        return z + self.dropout2(self.feed_forward(self.norm2(z)))


@misconception("EncoderBlock", "encoder-block-norm-of-x")
class NormOfX(EncoderBlock):
    """In pre-norm your feed-forward network reads norm2 of x, and not of z.

    It reads the result of the first half: z + FFN(norm2(z)).
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        y = self.norm1(x)
        z = x + self.dropout1(self.attention(y, y, y, mask)[0])
        return z + self.dropout2(self.feed_forward(self.norm2(x)))


@misconception("EncoderBlock", "encoder-block-third-residual")
class ThirdResidual(EncoderBlock):
    """You add x once more at the end.

    There are two residual connections: x around the attention, z around the feed-forward network.
    """

    def forward(self, x, mask=None):
        return x + super().forward(x, mask)


@misconception("EncoderBlock", "encoder-block-no-relu")
class NoRelu(EncoderBlock):
    """Your feed-forward network runs without its ReLU.

    `self.feed_forward` has all three parts: call it as a whole.
    """

    def forward(self, x, mask=None):
        first, _, second = self.feed_forward
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return z + self.dropout2(second(first(self.norm2(z))))
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(z + self.dropout2(second(first(z))))


@misconception("EncoderBlock", "encoder-block-no-network")
class NoNetwork(EncoderBlock):
    """You leave out the feed-forward network: your block ends after the attention.

    A second half follows, with norm2, dropout2 and `self.feed_forward`.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            return x + self.dropout1(self.attention(y, y, y, mask)[0])
        return self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))


@misconception("EncoderBlock", "encoder-block-network-first")
class NetworkFirst(EncoderBlock):
    """Your feed-forward network comes before the attention.

    The positions listen to each other first; then each one thinks.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            z = x + self.dropout2(self.feed_forward(self.norm2(x)))
            y = self.norm1(z)
            return z + self.dropout1(self.attention(y, y, y, mask)[0])
        z = self.norm2(x + self.dropout2(self.feed_forward(x)))
        return self.norm1(z + self.dropout1(self.attention(z, z, z, mask)[0]))


@misconception("EncoderBlock", "encoder-block-weights")
class AddsWeights(EncoderBlock):
    """You add the attention's weights to x, not its output.

    The attention returns a pair. Which part of it has the shape of x, (B, T, D)?

    It returns (output, weights): take the first, `heard, _ = self.attention(...)`.
    """

    def forward(self, x, mask=None):
        y = self.norm1(x) if self.norm_first else x
        z = x + self.dropout1(self.attention(y, y, y, mask)[1])
        return self.norm2(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-norms-what-it-adds")
class NormsWhatItAdds(EncoderBlock):
    """In pre-norm you normalise what comes out of the layers, not what goes into them.

    With `norm_first` the norm stands before the layer: what does attention read, and what is added to x?
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        z = x + self.norm1(self.dropout1(self.attention(x, x, x, mask)[0]))
        return z + self.norm2(self.dropout2(self.feed_forward(z)))
