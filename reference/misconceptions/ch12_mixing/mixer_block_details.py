"""What goes wrong in `MixerBlock` besides its order, norms and residuals."""

import torch
from torch.nn import functional

from reference.ch12_mixing import MixerBlock
from reference.misconceptions import misconception


@misconception("MixerBlock", "mixer-no-gelu")
class NoGelu(MixerBlock):
    """Your networks lack their GELU, and two linear layers in a row are no more than one.

    Call the networks as they are, `self.token_mixing(...)`: the GELU is inside.
    """

    def forward(self, x):
        enter, _, leave = self.token_mixing
        x = x + leave(enter(self.norm1(x).transpose(1, 2))).transpose(1, 2)
        enter, _, leave = self.channel_mixing
        return x + leave(enter(self.norm2(x)))


@misconception("MixerBlock", "mixer-squeezed")
class Squeezed(MixerBlock):
    """You squeeze the result, so an axis of size 1 is gone: that of a single text, position or feature.

    An axis of size 1 is an axis; leave out `squeeze()`.
    """

    def forward(self, x):
        return super().forward(x).squeeze()


@misconception("MixerBlock", "mixer-frozen-tokens")
class FrozenTokens(MixerBlock):
    """No gradient comes back through your `token_mixing`: its result is detached, or it runs under `no_grad`.

    Both networks are learned; keep both in the graph.
    """

    def forward(self, x):
        with torch.no_grad():
            tokens = self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        x = x + tokens
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-dropout")
class Dropped(MixerBlock):
    """In training you drop some of what the networks give.

    This block has no dropout, and no rate for one. Add the networks' output as it is.
    """

    def forward(self, x):
        tokens = self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        x = x + functional.dropout(tokens, 0.1, self.training)
        return x + functional.dropout(self.channel_mixing(self.norm2(x)), 0.1, self.training)


@misconception("MixerBlock", "mixer-relu")
class Relus(MixerBlock):
    """There is a ReLU in your networks in place of the GELU.

    `__init__` has built both networks with their GELU: call them as they are.
    """

    def forward(self, x):
        def network(layers, y):
            return layers[2](layers[0](y).relu())

        x = x + network(self.token_mixing, self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + network(self.channel_mixing, self.norm2(x))


@misconception("MixerBlock", "mixer-tokens-only")
class TokensOnly(MixerBlock):
    """You return after `token_mixing`: features are not mixed.

    Which of the layers that `__init__` makes do you never call?

    The second half is missing: `u + self.channel_mixing(self.norm2(u))`.
    """

    def forward(self, x):
        return x + self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)


@misconception("MixerBlock", "mixer-extra-norm")
class ExtraNorm(MixerBlock):
    """You normalise the result once more.

    In pre-norm only what the networks read is normalised; the sum stays as it is.
    """

    def forward(self, x):
        return self.norm2(super().forward(x))


@misconception("MixerBlock", "mixer-gelu-after")
class GeluAfter(MixerBlock):
    """You send what the networks give through one more GELU.

    Each network has its only GELU in the middle. Add its output as it is.
    """

    def forward(self, x):
        gelu = functional.gelu
        x = x + gelu(self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2))
        return x + gelu(self.channel_mixing(self.norm2(x)))


@misconception("MixerBlock", "mixer-second-parallel-norm")
class SecondNormOfInput(MixerBlock):
    """`channel_mixing` reads the x that came in, and you add to its output what `token_mixing` gave, without x.

    The two halves come one after the other. What does the first one leave, and where is that needed afterwards?

    Let u be x plus what `token_mixing` gave, and return `u + self.channel_mixing(self.norm2(u))`.
    """

    def forward(self, x):
        tokens = self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return tokens + self.channel_mixing(self.norm2(x))
