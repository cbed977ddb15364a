"""What goes wrong in `EncoderBlock` with its mask, its dropouts and what surrounds them."""

import torch
from torch import nn

from reference.ch06_encoder import EncoderBlock
from reference.misconceptions import misconception


@misconception("EncoderBlock", "encoder-block-no-mask")
class NoMask(EncoderBlock):
    """You do not hand the mask on to the attention.

    Padding would be attended to like any word. The attention takes four arguments; count yours.

    Hand the mask on as the fourth argument: `self.attention(x, x, x, mask)`.
    """

    def forward(self, x, mask=None):
        return super().forward(x)


@misconception("EncoderBlock", "encoder-block-mask-inverted")
@misconception("Encoder", "encoder-mask-inverted")
class MaskInverted(EncoderBlock):
    """Your mask is inverted: positions attend to what is hidden, and to nothing else.

    True means "may attend" here as everywhere; hand the mask on as it is.
    """

    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else ~mask)


@misconception("EncoderBlock", "encoder-block-causal")
@misconception("Encoder", "encoder-causal")
class Causal(EncoderBlock):
    """Your positions do not see what comes after them: there is a causal mask.

    An encoder reads the whole text in both directions; only a decoder hides the future.
    """

    def forward(self, x, mask=None):
        past = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
        return super().forward(x, past if mask is None else past & mask)


@misconception("EncoderBlock", "encoder-block-mask-required")
class MaskRequired(EncoderBlock):
    """Your block cannot do without a mask.

    It is optional: `mask=None` in the signature, and nothing done to it but handing it on.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask.bool())


@misconception("EncoderBlock", "encoder-block-pair")
class Pair(EncoderBlock):
    """You add to x what the attention returns, but that is a pair of output and weights.

    Attention also returns its weights, which the block does not need. Which part of the pair belongs on x?

    Keep its first part: `heard, _ = self.attention(...)`.
    """

    def forward(self, x, mask=None):
        return x + self.attention(x, x, x, mask)


@misconception("EncoderBlock", "encoder-block-no-dropout")
class NoDropout(EncoderBlock):
    """You use neither dropout1 nor dropout2.

    Each acts on what a layer gives, before it is added.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.attention(y, y, y, mask)[0]
            return z + self.feed_forward(self.norm2(z))
        z = self.norm1(x + self.attention(x, x, x, mask)[0])
        return self.norm2(z + self.feed_forward(z))


@misconception("EncoderBlock", "encoder-block-one-dropout")
class OneDropout(EncoderBlock):
    """There is no dropout on what your feed-forward network gives.

    dropout2 acts on it, before it is added.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return z + self.feed_forward(self.norm2(z))
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(z + self.feed_forward(z))


@misconception("EncoderBlock", "encoder-block-attention-undropped")
class AttentionUndropped(EncoderBlock):
    """There is no dropout on what your attention gives.

    dropout1 acts on it, before it is added.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.attention(y, y, y, mask)[0]
            return z + self.dropout2(self.feed_forward(self.norm2(z)))
        z = self.norm1(x + self.attention(x, x, x, mask)[0])
        return self.norm2(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-dropout-late")
class DropoutLate(EncoderBlock):
    """Your dropouts act on the sums and not on what is added.

    The residual is the way that is always open; drop only what a layer gives, x + dropout1(...).
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = self.dropout1(x + self.attention(y, y, y, mask)[0])
            return self.dropout2(z + self.feed_forward(self.norm2(z)))
        z = self.norm1(self.dropout1(x + self.attention(x, x, x, mask)[0]))
        return self.norm2(self.dropout2(z + self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-dropout-last")
class DropoutLast(EncoderBlock):
    """In post-norm your dropouts come last in each half, after the norm.

    They act on what a layer gives, before it is added and normalised.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            return super().forward(x, mask)
        z = self.dropout1(self.norm1(x + self.attention(x, x, x, mask)[0]))
        return self.dropout2(self.norm2(z + self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-dropout-always")
class DropoutAlways(EncoderBlock):
    """Your dropout acts in evaluation too, as `F.dropout` does by default, and an `nn.Dropout` made in `forward`.

    `self.dropout1` knows the mode by itself; with `F.dropout` pass `self.training`.
    """

    def forward(self, x, mask=None):
        rate = self.dropout1.p
        if self.norm_first:
            y = self.norm1(x)
            z = x + nn.functional.dropout(self.attention(y, y, y, mask)[0], rate)
            return z + nn.functional.dropout(self.feed_forward(self.norm2(z)), rate)
        z = self.norm1(x + nn.functional.dropout(self.attention(x, x, x, mask)[0], rate))
        return self.norm2(z + nn.functional.dropout(self.feed_forward(z), rate))


@misconception("EncoderBlock", "encoder-block-relu-after")
class ReluAfter(EncoderBlock):
    """You apply a ReLU to what the feed-forward network gives.

    It has its ReLU inside, between its layers; what is added may be negative.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return z + self.dropout2(torch.relu(self.feed_forward(self.norm2(z))))
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(z + self.dropout2(torch.relu(self.feed_forward(z))))


@misconception("EncoderBlock", "encoder-block-bare-norm")
class BareNorm(EncoderBlock):
    """Your norms have no scale and shift.

    `F.layer_norm` needs them as arguments; `self.norm1(...)` brings its own, which can be learned.
    """

    def forward(self, x, mask=None):
        width = x.shape[-1:]
        if self.norm_first:
            y = nn.functional.layer_norm(x, width)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return z + self.dropout2(self.feed_forward(nn.functional.layer_norm(z, width)))
        z = nn.functional.layer_norm(x + self.dropout1(self.attention(x, x, x, mask)[0]), width)
        return nn.functional.layer_norm(z + self.dropout2(self.feed_forward(z)), width)


@misconception("EncoderBlock", "encoder-block-time-first")
class TimeFirst(EncoderBlock):
    """Your attention runs over the batch: batch and positions are swapped before it.

    All parts here are batch first, (B, T, D); no transpose is needed.
    """

    def forward(self, x, mask=None):
        return super().forward(x.transpose(0, 1), mask).transpose(0, 1)


@misconception("EncoderBlock", "encoder-block-squeezed")
@misconception("Encoder", "encoder-squeezed")
class Squeezed(EncoderBlock):
    """You squeeze the result, which drops every axis of size 1.

    A batch of one or a sentence of one word is a real axis; leave out `squeeze()`.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask).squeeze()


@misconception("EncoderBlock", "encoder-block-overwrites")
class Overwrites(EncoderBlock):
    """You add to x in place, and the caller's x changes with it.

    Write `x = x + ...` instead of `x += ...`.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            x += self.dropout1(self.attention(y, y, y, mask)[0])
            return x + self.dropout2(self.feed_forward(self.norm2(x)))
        x += self.dropout1(self.attention(x, x, x, mask)[0])
        z = self.norm1(x)
        return self.norm2(z + self.dropout2(self.feed_forward(z)))


@misconception("EncoderBlock", "encoder-block-detached")
class Detached(EncoderBlock):
    """No gradient comes back through your block (detach, .data, no_grad or NumPy).

    Neither its parameters nor anything before it could learn; use x and what the layers give as they are.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask).detach()


@misconception("EncoderBlock", "encoder-block-detached-attention")
class DetachedAttention(EncoderBlock):
    """No gradient reaches your attention: what it gives is cut off (detach, .data or no_grad).

    Its four layers learn through that alone; add it as it is.
    """

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            z = x + self.dropout1(self.attention(y, y, y, mask)[0].detach())
            return z + self.dropout2(self.feed_forward(self.norm2(z)))
        z = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0].detach()))
        return self.norm2(z + self.dropout2(self.feed_forward(z)))
