"""Multi-head attention: masks that hide the wrong thing, too little or too much."""

import math

import torch

from reference.ch05_multihead import MultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("MultiHeadAttention", "mha-mask-inverted")
@misconception("WideMultiHeadAttention", "wide-mask-inverted")
class MaskInverted(MultiHeadAttention):
    """Your mask works the wrong way round: you hide what is allowed.

    True = may attend; fill where `~mask`. Torch's own multi-head layer means the opposite.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if mask is None else ~mask)


@misconception("MultiHeadAttention", "mha-mask-ignored")
@misconception("WideMultiHeadAttention", "wide-mask-ignored")
class MaskIgnored(MultiHeadAttention):
    """Your mask has no effect.

    Is `mask` used at all? `masked_fill` and `torch.where` return a new tensor: keep it and pass it to the softmax.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value)


@misconception("MultiHeadAttention", "mha-mask-required")
@misconception("WideMultiHeadAttention", "wide-mask-required")
class MaskRequired(MultiHeadAttention):
    """Without a mask your attention fails: `mask` may be None.

    Nothing is hidden then: take the plain softmax if `mask is None`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-mask-afterwards")
@misconception("WideMultiHeadAttention", "wide-mask-afterwards")
class MaskAfterwards(MultiHeadAttention):
    """You clear the forbidden weights after the softmax, so that rows no longer sum to 1.

    The forbidden keys have taken their share by then; hide their scores before the softmax.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        weights = torch.softmax(scores, -1) if mask is None else torch.softmax(scores, -1) * mask
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-fill-1e4")
@misconception("WideMultiHeadAttention", "wide-fill-1e4")
class Fill1e4(MultiHeadAttention):
    """You fill forbidden scores with a number like -10000; where allowed ones are lower still, the forbidden keys win.

    Fill with `torch.finfo(scores.dtype).min`, below every score; -inf would give NaN to a query that sees nothing.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        alive = ~hidden.all(-1, keepdim=True)
        weights = torch.softmax(scores.masked_fill(hidden, -1e4), -1) * alive
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-mask-product")
@misconception("WideMultiHeadAttention", "wide-mask-product")
class MaskProduct(MultiHeadAttention):
    """You set the forbidden scores to 0 (or to a tiny number such as 1e-9), but exp(0) = 1 hides nothing.

    Fill with `torch.finfo(scores.dtype).min`, far below all others, and clear the forbidden weights after the softmax.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        weights = torch.softmax(scores if mask is None else scores * mask, -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-mask-added")
@misconception("WideMultiHeadAttention", "wide-mask-added")
class MaskAdded(MultiHeadAttention):
    """You add the boolean mask to the scores, which raises the allowed ones by 1 and hides none.

    A mask that is added holds 0 and very low numbers; a boolean one says where to fill: `masked_fill(~mask, ...)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        weights = torch.softmax(scores if mask is None else scores + mask, -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-dead-uniform")
@misconception("WideMultiHeadAttention", "wide-dead-uniform")
class DeadUniform(MultiHeadAttention):
    """A query that may attend to nothing gets the same weight for every key.

    Where every score is the same low number, all weights are equal; clear the forbidden ones after the softmax as well.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, -1e9), -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-dead-nan")
@misconception("WideMultiHeadAttention", "wide-dead-nan")
class DeadNan(MultiHeadAttention):
    """A query that may attend to nothing gets NaN.

    Softmax of nothing but -inf is 0/0: fill with `torch.finfo(scores.dtype).min`, and clear forbidden weights after it.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, -math.inf), -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-dead-gradient")
@misconception("WideMultiHeadAttention", "wide-dead-gradient")
class DeadGradient(MultiHeadAttention):
    """Where a query may attend to nothing, your results are right and the gradients are NaN: you repair them too late.

    A NaN that is repaired after the softmax comes back in the gradients. Where does your first NaN come from: from -inf
    that is added to the scores, or from a division by a sum of 0?

    Hide the scores with `masked_fill(~mask, torch.finfo(scores.dtype).min)` and clear the forbidden weights after the
    softmax: then there is no NaN to repair.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        added = scores + torch.zeros_like(scores).masked_fill(hidden, -math.inf)
        weights = torch.nan_to_num(torch.softmax(added, -1))
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-dead-output")
@misconception("WideMultiHeadAttention", "wide-dead-output")
class DeadOutput(MultiHeadAttention):
    """Where a query may attend to nothing you clear the output too, and with it the bias of `w_o`.

    What is zero is the context; `w_o` is applied to it like to any other, so that its bias remains.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        seeing = (weights.sum((1, 3)) > 0)[..., None]
        return output * seeing, weights


@misconception("MultiHeadAttention", "mha-fill-ten")
@misconception("WideMultiHeadAttention", "wide-fill-ten")
class FillTen(MultiHeadAttention):
    """You fill the forbidden scores with -10, which is not low enough: they keep a little weight.

    The weight must be exactly 0: fill with `torch.finfo(scores.dtype).min`, below every score.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        alive = ~hidden.all(-1, keepdim=True)
        weights = torch.softmax(scores.masked_fill(hidden, -10.0), -1) * alive
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-renormalised")
@misconception("WideMultiHeadAttention", "wide-renormalised")
class Renormalised(MultiHeadAttention):
    """You remove the forbidden weights after the softmax and divide by what is left, which may be nothing.

    A large forbidden score leaves the allowed weights no digits at all; hide the scores first.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores, -1).masked_fill(hidden, 0.0)
        weights = weights / weights.sum(-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-mask-first-sentence")
@misconception("WideMultiHeadAttention", "wide-mask-first-sentence")
class MaskFirstSentence(MultiHeadAttention):
    """You use the mask of the first sentence for the whole batch.

    Each sentence has its own; a mask broadcasts by itself, there is nothing to index.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask[:1] if mask is not None and mask.dim() == 4 else mask)


@misconception("MultiHeadAttention", "mha-mask-first-head")
@misconception("WideMultiHeadAttention", "wide-mask-first-head")
class MaskFirstHead(MultiHeadAttention):
    """You use the mask of the first head for all heads.

    A mask may have an axis for the heads, and broadcasts by itself; there is nothing to index.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask[..., :1, :, :] if mask is not None and mask.dim() > 2 else mask)


@misconception("MultiHeadAttention", "mha-mask-unsqueezed")
@misconception("WideMultiHeadAttention", "wide-mask-unsqueezed")
class MaskUnsqueezed(MultiHeadAttention):
    """You insert an axis for the heads into a mask that has all it needs.

    A mask already broadcasts to (B, H, Tq, Tk); use it as it is.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.unsqueeze(1)
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o((weights @ v).transpose(1, 2).reshape(query.shape)), weights


@misconception("MultiHeadAttention", "mha-mask-folded")
@misconception("WideMultiHeadAttention", "wide-mask-folded")
class MaskFolded(MultiHeadAttention):
    """With heads and batch folded into one axis, you repeat the masks in a different order from the heads.

    In (B·H) a sentence's heads stand side by side, so each mask comes H times in a row: `repeat_interleave`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        batch, heads = scores.shape[:2]
        wide = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
        hidden = ~wide.transpose(0, 1).reshape(batch, heads, *scores.shape[2:])
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-mask-turned")
@misconception("WideMultiHeadAttention", "wide-mask-turned")
class MaskTurned(MultiHeadAttention):
    """Your mask lies on the axis of the queries: you transpose its last two axes.

    Its last axis counts keys, like that of the scores; use it as it is.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.mT
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-mask-overwritten")
@misconception("WideMultiHeadAttention", "wide-mask-overwritten")
class MaskOverwritten(MultiHeadAttention):
    """You invert the caller's mask in place.

    The mask is used again by the next layer; `~mask` makes a new one, `logical_not_` does not.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else mask.logical_not_()
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-mask-device")
class MaskDevice(MultiHeadAttention):
    """Where no mask is given you make one on the default device instead of that of the scores.

    On a GPU the two cannot be combined: `torch.ones_like(scores, dtype=torch.bool)` is on the device of the scores.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        allowed = torch.ones(scores.shape, dtype=torch.bool) if mask is None else mask
        lowest = torch.tensor(torch.finfo(scores.dtype).min, dtype=scores.dtype)
        weights = torch.softmax(torch.where(allowed, scores, lowest), -1) * allowed
        return self.w_o(merge_heads(weights @ v)), weights
