"""Norms that run over the wrong axes in `MixerBlock`, and axes that `.T` reverses."""

import torch

from reference.ch12_mixing import MixerBlock
from reference.misconceptions import misconception


@misconception("MixerBlock", "mixer-first-norm-over-positions")
class FirstNormOverPositions(MixerBlock):
    """Your first norm takes its mean and variance over the positions, not over the features of each position.

    `norm1` sees one position at a time. Which axis of x holds its D features?
    """

    def forward(self, x):
        centred = x - x.mean(1, keepdim=True)
        spread = torch.sqrt(x.var(1, correction=0, keepdim=True) + self.norm1.eps)
        y = centred / spread * self.norm1.weight + self.norm1.bias
        x = x + self.token_mixing(y.transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-plain-norm-over-positions")
class PlainNormOverPositions(MixerBlock):
    """Your first norm runs over the positions and is none of the block's own: `norm1` is not used.

    The given `norm1` has a scale and a shift for each feature, and normalises the features of each position.
    """

    def forward(self, x):
        turned = x.transpose(1, 2)
        y = torch.nn.functional.layer_norm(turned, turned.shape[-1:])
        x = x + self.token_mixing(y).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-first-norm-over-both")
class FirstNormOverBoth(MixerBlock):
    """Your first norm takes one mean and one variance over positions and features together.

    Each position is normalised by itself: over how many numbers does its mean run?
    """

    def forward(self, x):
        y = torch.nn.functional.layer_norm(x, x.shape[1:]) * self.norm1.weight + self.norm1.bias
        x = x + self.token_mixing(y.transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-all-axes-reversed")
class AllAxesReversed(MixerBlock):
    """You swap the axes with `.T`, which reverses all three: the batch ends up last.

    From (B, T, D) it makes (D, T, B). Which two axes must change places, and which one must stay?

    `transpose(1, 2)`, or `.mT`, leaves the batch in front.
    """

    def forward(self, x):
        turned = self.token_mixing(self.norm1(x).permute(2, 1, 0))
        x = x + turned.permute(2, 1, 0)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-gelu-tanh")
class TanhGelus(MixerBlock):
    """Your GELU is the approximation with a tanh, not the exact one.

    `__init__` has built both networks with their GELU: call them as they are.
    """

    def forward(self, x):
        def network(layers, y):
            return layers[2](torch.nn.functional.gelu(layers[0](y), approximate="tanh"))

        x = x + network(self.token_mixing, self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + network(self.channel_mixing, self.norm2(x))


@misconception("MixerBlock", "mixer-frozen-channels")
class FrozenChannels(MixerBlock):
    """No gradient comes back through your `channel_mixing`: its result is detached, or it runs under `no_grad`.

    Both networks learn. Call them as they are, and add what they give.
    """

    def forward(self, x):
        x = x + self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(x)).detach()


@misconception("MixerBlock", "mixer-norms-without-parameters")
class NormsWithoutParameters(MixerBlock):
    """You normalise without the weights and biases of `norm1` and `norm2`, which then learn nothing.

    A new norm has scale 1 and shift 0, so only a trained block shows it. Which call uses what a norm has learned?
    """

    def forward(self, x):
        def norm(y, eps):
            return torch.nn.functional.layer_norm(y, y.shape[-1:], eps=eps)

        x = x + self.token_mixing(norm(x, self.norm1.eps).transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(norm(x, self.norm2.eps))


@misconception("MixerBlock", "mixer-square-not-turned")
class SquareNotTurned(MixerBlock):
    """Where T = D you do not swap positions and features, so `token_mixing` gets the features.

    You ask the sizes whether to swap, and equal ones tell you nothing. The order of x is always the same.
    """

    def forward(self, x):
        y = self.norm1(x)
        if y.shape[-1] == self.token_mixing[0].in_features:
            x = x + self.token_mixing(y)
        else:
            x = x + self.token_mixing(y.transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-rotated")
class Rotated(MixerBlock):
    """You swap axes by `rot90`, which also reverses one of them: `token_mixing` sees the last position first.

    A turn is not a transposition: the first one takes row 0 to the last column, the second one to column 0.
    """

    def forward(self, x):
        turned = self.token_mixing(torch.rot90(self.norm1(x), -1, dims=(1, 2)))
        x = x + torch.rot90(turned, 1, dims=(1, 2))
        return x + self.channel_mixing(self.norm2(x))
