"""Residuals of `EncoderBlock` that start at the wrong tensor."""

import torch

from reference.ch06_encoder import EncoderBlock
from reference.misconceptions import misconception


@misconception("EncoderBlock", "encoder-block-first-residual-normed")
class FirstResidualNormed(EncoderBlock):
    """In pre-norm your first residual starts at norm1 of x, not at x; the second one is right.

    Only the attention reads the normalised x. What must pass by it unchanged?
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        y = self.norm1(x)
        z = y + self.dropout1(self.attention(y, y, y, mask)[0])
        return z + self.dropout2(self.feed_forward(self.norm2(z)))


@misconception("EncoderBlock", "encoder-block-second-residual-normed")
class SecondResidualNormed(EncoderBlock):
    """In pre-norm your second residual starts at norm2 of the sum, not at the sum; the first one is right.

    Only the feed-forward network reads the normalised sum. What must pass by it unchanged?
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        y = self.norm1(x)
        y = self.norm2(x + self.dropout1(self.attention(y, y, y, mask)[0]))
        return y + self.dropout2(self.feed_forward(y))


@misconception("EncoderBlock", "encoder-block-second-residual-from-norm1")
class SecondResidualFromNorm1(EncoderBlock):
    """In pre-norm your second residual starts at norm1 of x, so what the attention found is added nowhere.

    It starts at the result of the first half. What is that called in your code?
    """

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        y = self.norm1(x)
        z = x + self.dropout1(self.attention(y, y, y, mask)[0])
        return y + self.dropout2(self.feed_forward(self.norm2(z)))


@misconception("EncoderBlock", "encoder-block-post-residual-normed")
class PostResidualNormed(EncoderBlock):
    """In post-norm your first residual starts at norm1 of x, not at x.

    There the norm comes after the sum, and once: what is added to the attention's result?
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            return super().forward(x, mask)
        z = self.norm1(self.norm1(x) + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-second-residual-from-attention")
class SecondResidualFromAttention(EncoderBlock):
    """Your second residual starts at what the attention gave, before x is added to it.

    It starts at the result of the whole first half: with the sum, and in post-norm with its norm.
    """

    def forward(self, x, mask=None):
        y = self.norm1(x) if self.norm_first else x
        found = self.dropout1(self.attention(y, y, y, mask)[0])
        if self.norm_first:
            return found + self.dropout2(self.feed_forward(self.norm2(x + found)))
        return self.norm2(found + self.dropout2(self.feed_forward(self.norm1(x + found))))


@misconception("EncoderBlock", "encoder-block-first-residual-from-attention")
class FirstResidualFromAttention(EncoderBlock):
    """You add what the attention gave to itself, not to x.

    The residual is the way around the attention: on it passes what went in.
    """

    def forward(self, x, mask=None):
        y = self.norm1(x) if self.norm_first else x
        found = self.dropout1(self.attention(y, y, y, mask)[0])
        if self.norm_first:
            z = found + found
            return z + self.dropout2(self.feed_forward(self.norm2(z)))
        z = self.norm1(found + found)
        return self.norm2(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-orders-exchanged")
class OrdersExchanged(EncoderBlock):
    """You have exchanged the two orders: with `norm_first` your block is post-norm, and without it pre-norm.

    `norm_first` says that a layer reads what its norm leaves. In which of your two branches is that so?
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
            return self.norm2(z + self.dropout2(self.feed_forward(z)))
        y = self.norm1(x)
        z = x + self.dropout1(self.attention(y, y, y, mask)[0])
        return z + self.dropout2(self.feed_forward(self.norm2(z)))


@misconception("EncoderBlock", "encoder-block-norms-of-texts")
class NormsOfTexts(EncoderBlock):
    """You take one mean and one variance of a whole text, over positions and features together.

    Then the words of a text change each other's numbers. Each position is normalised by itself, over its features.
    """

    def forward(self, x, mask=None):
        def normed(norm, y):
            return torch.nn.functional.layer_norm(y, y.shape[1:], eps=norm.eps) * norm.weight + norm.bias

        if self.norm_first:
            y = normed(self.norm1, x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return z + self.dropout2(self.feed_forward(normed(self.norm2, z)))
        z = normed(self.norm1, x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return normed(self.norm2, z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-dropout-inside")
class DropoutInside(EncoderBlock):
    """There is a second dropout inside your feed-forward network, on its hidden units.

    Some implementations have one there. Here each layer has one dropout, on what it gives, before that is added.
    """

    def forward(self, x, mask=None):
        widen, activation, narrow = self.feed_forward
        y = self.norm1(x) if self.norm_first else x
        z = x + self.dropout1(self.attention(y, y, y, mask)[0])
        if self.norm_first:
            return z + self.dropout2(narrow(self.dropout2(activation(widen(self.norm2(z))))))
        z = self.norm1(z)
        return self.norm2(z + self.dropout2(narrow(self.dropout2(activation(widen(z))))))
