"""What goes wrong in `EncoderBlock` and `Encoder` from one call to the next, and from one mode to the other."""

from reference.ch06_encoder import EncoderBlock
from reference.misconceptions import misconception


@misconception("EncoderBlock", "encoder-block-mask-kept")
@misconception("Encoder", "encoder-mask-kept")
class MaskKept(EncoderBlock):
    """You keep the mask of an earlier call and use it again where none is given.

    Every text comes with a mask of its own, or with none. What a call needs comes in as its arguments.
    """

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        return super().forward(x, getattr(self, "mask", None))


@misconception("EncoderBlock", "encoder-block-first-mask")
@misconception("Encoder", "encoder-first-mask")
class FirstMask(EncoderBlock):
    """You keep the first mask of a shape, and use it for all later texts of that shape.

    Two texts of the same length need not be padded alike. What a call needs comes in as its arguments.
    """

    def forward(self, x, mask=None):
        if mask is None:
            return super().forward(x)
        if getattr(self, "mask", mask[..., :0]).shape != mask.shape:
            self.mask = mask
        return super().forward(x, self.mask)


@misconception("EncoderBlock", "encoder-block-mask-in-evaluation")
@misconception("Encoder", "encoder-mask-in-evaluation")
class MaskInEvaluation(EncoderBlock):
    """In training you do not use the mask.

    Padding is hidden in training just as in evaluation: hand the mask on in both.
    """

    def forward(self, x, mask=None):
        return super().forward(x, None if self.training else mask)


@misconception("EncoderBlock", "encoder-block-mask-of-three-axes")
@misconception("Encoder", "encoder-mask-of-three-axes")
class MaskOfThreeAxes(EncoderBlock):
    """You give a mask of three axes a fourth one in the middle, as if the first of its axes were the batch.

    A mask is aligned from the right: with three axes it is one mask for each head. The attention takes it as it is.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask[:, None] if mask is not None and mask.dim() == 3 else mask)


@misconception("EncoderBlock", "encoder-block-square-mask")
@misconception("Encoder", "encoder-square-mask")
class SquareMask(EncoderBlock):
    """Where there are as many texts as words, you take a mask (T, T) for one of padding, (B, T).

    Its shape cannot tell the two apart, and need not: the mask broadcasts to (B, H, T, T) as it is.
    """

    def forward(self, x, mask=None):
        if mask is not None and mask.shape == x.shape[:2]:
            mask = mask[:, None, None, :]
        return super().forward(x, mask)


@misconception("EncoderBlock", "encoder-block-detached-in-evaluation")
@misconception("Encoder", "encoder-detached-in-evaluation")
class DetachedInEvaluation(EncoderBlock):
    """In evaluation no gradient comes back through your answer (detach, .data, no_grad or set_grad_enabled).

    `eval()` switches dropout off, and nothing else. A caller that wants no gradients says so itself.
    """

    def forward(self, x, mask=None):
        result = super().forward(x, mask)
        return result if self.training else result.detach()


@misconception("EncoderBlock", "encoder-block-blind-rows-opened")
@misconception("Encoder", "encoder-blind-rows-opened")
class BlindRowsOpened(EncoderBlock):
    """Where the mask allows a query nothing, you let it see everything; its context should be zero.

    `MultiHeadAttention` copes with such rows, without NaN. Hand the mask on as it comes.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask if mask is None else mask | ~mask.any(-1, keepdim=True))
