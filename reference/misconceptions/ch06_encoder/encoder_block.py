"""What goes wrong in `EncoderBlock`: the order of norms and sums, above all."""

from reference.ch06_encoder import EncoderBlock
from reference.misconceptions import misconception


@misconception("EncoderBlock", "encoder-block-always-post")
class AlwaysPost(EncoderBlock):
    """With `norm_first` your block is post-norm all the same.

    Do you look at `self.norm_first`, and the right way round? With it the norms act on what goes into the layers.
    """

    def forward(self, x, mask=None):
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-always-pre")
class AlwaysPre(EncoderBlock):
    """Without `norm_first` your block is pre-norm all the same.

    Do you look at `self.norm_first`, and the right way round? Without it the sums are normalised: norm1(x + ...).
    """

    def forward(self, x, mask=None):
        y = self.norm1(x)
        z = x + self.dropout1(self.attention(y, y, y, mask)[0])
        return z + self.dropout2(self.feed_forward(self.norm2(z)))


@misconception("EncoderBlock", "encoder-block-normed-residual")
class NormedResidual(EncoderBlock):
    """In pre-norm you add the layers' results to the normalised input, not to the input itself.

    The residual starts before the norm: with layers that give nothing, a pre-norm block returns x as it was.
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        y = self.norm1(x)
        z = self.norm2(y + self.dropout1(self.attention(y, y, y, mask)[0]))
        return z + self.dropout2(self.feed_forward(z))


@misconception("EncoderBlock", "encoder-block-second-residual")
class SecondResidual(EncoderBlock):
    """Your second residual starts at x again, so what the attention found is added nowhere.

    It starts at z, the result of the first half.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return x + self.dropout2(self.feed_forward(self.norm2(z)))
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(x + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-no-residuals")
class NoResiduals(EncoderBlock):
    """There is no residual connection around your feed-forward network, and perhaps none around your attention.

    Both halves have one: to what the attention gives add x, to what the feed-forward network gives add z.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = self.dropout1(self.attention(y, y, y, mask)[0])
            return self.dropout2(self.feed_forward(self.norm2(z)))
        z = self.norm1(self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-no-first-residual")
class NoFirstResidual(EncoderBlock):
    """There is no residual connection around your attention.

    Add x to what the attention gives.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = self.dropout1(self.attention(y, y, y, mask)[0])
            return z + self.dropout2(self.feed_forward(self.norm2(z)))
        z = self.norm1(self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-no-second-residual")
class NoSecondResidual(EncoderBlock):
    """There is no residual connection around your feed-forward network.

    Add z, the result of the first half, to what the network gives.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return self.dropout2(self.feed_forward(self.norm2(z)))
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-unnormed-sum")
class UnnormedSum(EncoderBlock):
    """In post-norm your feed-forward network reads norm1 of the sum, but its residual starts at the bare sum.

    z = norm1(x + ...) is both: what the network reads and what its result is added to.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            return super().forward(x, mask)
        z = x + self.dropout1(self.attention(x, x, x, mask)[0])
        return self.norm2(z + self.dropout2(self.feed_forward(self.norm1(z))))


@misconception("EncoderBlock", "encoder-block-same-norm")
class SameNorm(EncoderBlock):
    """You use norm1 twice and norm2 never.

    Each half has a norm of its own, with its own scale and shift.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return z + self.dropout2(self.feed_forward(self.norm1(z)))
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm1(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-exchanged-norms")
class ExchangedNorms(EncoderBlock):
    """You use norm2 around the attention and norm1 around the feed-forward network.

    The first half is norm1's, the second norm2's.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm2(x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return z + self.dropout2(self.feed_forward(self.norm1(z)))
        z = self.norm2(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm1(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-parallel")
class Parallel(EncoderBlock):
    """Your feed-forward network reads what the attention read, x, and not its result.

    One after the other: the network reads z, in pre-norm norm2(z).
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return z + self.dropout2(self.feed_forward(self.norm2(x)))
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(z + self.dropout2(self.feed_forward(x)))


@misconception("EncoderBlock", "encoder-block-norm-inside")
class NormInside(EncoderBlock):
    """In post-norm you normalise what a layer gives, and then add.

    The norm comes after the sum: norm1(x + ...), not x + norm1(...).
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            return super().forward(x, mask)
        z = x + self.norm1(self.dropout1(self.attention(x, x, x, mask)[0]))
        return z + self.norm2(self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-raw-keys")
class RawKeys(EncoderBlock):
    """In pre-norm only your queries are normalised; keys and values are the bare x.

    It is self-attention: norm1(x) is query, key and value.
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        z = x + self.dropout1(self.attention(self.norm1(x), x, x, mask)[0])
        return z + self.dropout2(self.feed_forward(self.norm2(z)))


@misconception("EncoderBlock", "encoder-block-norm-skipped")
class NormSkipped(EncoderBlock):
    """In pre-norm your feed-forward network reads z without a norm.

    Each layer has a norm in front of it: feed_forward(norm2(z)).
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        y = self.norm1(x)
        z = x + self.dropout1(self.attention(y, y, y, mask)[0])
        return z + self.dropout2(self.feed_forward(z))
