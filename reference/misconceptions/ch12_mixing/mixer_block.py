"""What goes wrong in `MixerBlock`."""

from reference.ch12_mixing import MixerBlock
from reference.misconceptions import misconception


@misconception("MixerBlock", "mixer-not-turned")
class NotTurned(MixerBlock):
    """You give `token_mixing` the features: positions and features are not swapped before it.

    A linear layer works on the last axis; put the positions there, `transpose(1, 2)`, and swap them back afterwards.
    """

    def forward(self, x):
        x = x + self.token_mixing(self.norm1(x))
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-not-turned-back")
class NotTurnedBack(MixerBlock):
    """You do not swap the axes back after `token_mixing`.

    It gives (B, D, T), and x is (B, T, D): `transpose(1, 2)` once more before you add.
    """

    def forward(self, x):
        x = x + self.token_mixing(self.norm1(x).transpose(1, 2))
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-reshaped")
class Reshaped(MixerBlock):
    """You swap axes by `view` or `reshape`, which mixes numbers of different positions and features.

    A reshape cannot move an axis: take `transpose(1, 2)`.
    """

    def forward(self, x):
        batch, length, width = x.shape
        turned = self.norm1(x).reshape(batch, width, length)
        x = x + self.token_mixing(turned).reshape(batch, length, width)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-norm-along-positions")
class NormAlongPositions(MixerBlock):
    """You swap the axes before you normalise, so the norm runs along the positions.

    Both norms see the D features of a position. Which axis is the last one when your norm runs?

    Normalise before you swap: `self.norm1(x).transpose(1, 2)`.
    """

    def forward(self, x):
        x = x + self.token_mixing(self.norm1(x.transpose(1, 2))).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-one-norm")
class OneNorm(MixerBlock):
    """You use `norm1` twice.

    The second half has a norm of its own, with its own scale and shift: `norm2`.
    """

    def forward(self, x):
        x = x + self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm1(x))


@misconception("MixerBlock", "mixer-norms-exchanged")
class NormsExchanged(MixerBlock):
    """You have swapped the norms.

    `norm1` goes before `token_mixing`, `norm2` before `channel_mixing`.
    """

    def forward(self, x):
        x = x + self.token_mixing(self.norm2(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm1(x))


@misconception("MixerBlock", "mixer-no-norms")
class NoNorms(MixerBlock):
    """Neither of the norms is used.

    Each network gets its input normalised: `norm1` before `token_mixing`, `norm2` before `channel_mixing`.
    """

    def forward(self, x):
        x = x + self.token_mixing(x.transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(x)


@misconception("MixerBlock", "mixer-no-norm1")
class NoFirstNorm(MixerBlock):
    """`token_mixing` gets x as it is: `norm1` is missing.

    Each half normalises what its network reads. What does yours do in the second half, and is the first one the same?

    Normalise first, then swap the axes: `self.norm1(x).transpose(1, 2)`.
    """

    def forward(self, x):
        x = x + self.token_mixing(x.transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-no-norm2")
class NoSecondNorm(MixerBlock):
    """`channel_mixing` gets the sum as it is: `norm2` is missing.

    Normalise before the second network as before the first.
    """

    def forward(self, x):
        x = x + self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(x)


@misconception("MixerBlock", "mixer-post-norm")
class PostNorm(MixerBlock):
    """You normalise the sums, as in the Transformer of 2017 (post-norm).

    A Mixer is pre-norm: the norm stands before the network, within the branch, and the sum stays as it is.
    """

    def forward(self, x):
        x = self.norm1(x + self.token_mixing(x.transpose(1, 2)).transpose(1, 2))
        return self.norm2(x + self.channel_mixing(x))


@misconception("MixerBlock", "mixer-no-residuals")
class NoResiduals(MixerBlock):
    """Both residuals are missing.

    Add what came in to what each network gives.
    """

    def forward(self, x):
        x = self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-no-first-residual")
class NoFirstResidual(MixerBlock):
    """The residual around `token_mixing` is missing.

    Keep x: `x = x + ...` in the first half as well.
    """

    def forward(self, x):
        x = self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-no-second-residual")
class NoSecondResidual(MixerBlock):
    """You return what `channel_mixing` gives: the last residual is missing.

    Add it to the sum of the first half.
    """

    def forward(self, x):
        x = x + self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-residuals-of-normalised")
class ResidualsOfNormalised(MixerBlock):
    """Your residuals add the normalised x instead of x.

    `x = norm(x)` overwrites what you must add. Apply the norm only inside the branch.
    """

    def forward(self, x):
        x = self.norm1(x)
        x = x + self.token_mixing(x.transpose(1, 2)).transpose(1, 2)
        x = self.norm2(x)
        return x + self.channel_mixing(x)


@misconception("MixerBlock", "mixer-first-residual-normalised")
class FirstResidualNormalised(MixerBlock):
    """Your first residual adds the normalised x instead of x.

    Keep x as it came in, and add that.
    """

    def forward(self, x):
        normed = self.norm1(x)
        x = normed + self.token_mixing(normed.transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-second-residual-normalised")
class SecondResidualNormalised(MixerBlock):
    """Your second residual adds the normalised sum instead of the sum.

    The residual is the sum as it was before `norm2`. Do you still have it when you add?

    Apply `norm2` only inside the branch: `x + self.channel_mixing(self.norm2(x))`.
    """

    def forward(self, x):
        x = x + self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        normed = self.norm2(x)
        return normed + self.channel_mixing(normed)


@misconception("MixerBlock", "mixer-parallel")
class Parallel(MixerBlock):
    """Both your networks read the x that came in.

    They work one after the other: `channel_mixing` reads the sum of x and what `token_mixing` gave.
    """

    def forward(self, x):
        tokens = self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + tokens + self.channel_mixing(self.norm2(x))


@misconception("MixerBlock", "mixer-second-residual-from-input")
class SecondResidualFromInput(MixerBlock):
    """Your second residual adds the x that came in, not x plus what `token_mixing` gave.

    Add the sum of the first half: what `norm2` was given.
    """

    def forward(self, x):
        u = x + self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel_mixing(self.norm2(u))


@misconception("MixerBlock", "mixer-channels-first")
class ChannelsFirst(MixerBlock):
    """You mix features first and positions afterwards.

    As in a Transformer, positions come first: `token_mixing`, then `channel_mixing`.
    """

    def forward(self, x):
        x = x + self.channel_mixing(self.norm2(x))
        return x + self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2)


@misconception("MixerBlock", "mixer-channels-only")
class ChannelsOnly(MixerBlock):
    """What `token_mixing` gives does not reach your result, or it is never called: positions are not mixed.

    First half: x plus what `token_mixing` gives, turned back to (B, T, D). The second half goes on from that sum.
    """

    def forward(self, x):
        return x + self.channel_mixing(self.norm2(x))
