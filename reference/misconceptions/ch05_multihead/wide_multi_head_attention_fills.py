"""Multi-head attention with heads of their own width: fills that hide too little, and masks in the wrong place."""

import math

import torch

from reference.ch05_multihead import WideMultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("WideMultiHeadAttention", "wide-mask-required")
class WideMaskRequired(WideMultiHeadAttention):
    """Without a mask your attention fails: `mask` may be None.

    Nothing is hidden then: take the plain softmax if `mask is None`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-fill-1e4")
class WideFill1e4(WideMultiHeadAttention):
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


@misconception("WideMultiHeadAttention", "wide-mask-product")
class WideMaskProduct(WideMultiHeadAttention):
    """You set the forbidden scores to 0 (or to a tiny number such as 1e-9), but exp(0) = 1 hides nothing.

    Fill with `torch.finfo(scores.dtype).min`, far below all others, and clear the forbidden weights after the softmax.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        weights = torch.softmax(scores if mask is None else scores * mask, -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-mask-added")
class WideMaskAdded(WideMultiHeadAttention):
    """You add the boolean mask to the scores, which raises the allowed ones by 1 and hides none.

    A mask that is added holds 0 and very low numbers; a boolean one says where to fill: `masked_fill(~mask, ...)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        weights = torch.softmax(scores if mask is None else scores + mask, -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-dead-output")
class WideDeadOutput(WideMultiHeadAttention):
    """Where a query may attend to nothing you clear the output too, and with it the bias of `w_o`.

    What is zero is the context; `w_o` is applied to it like to any other, so that its bias remains.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        seeing = (weights.sum((1, 3)) > 0)[..., None]
        return output * seeing, weights


@misconception("WideMultiHeadAttention", "wide-fill-ten")
class WideFillTen(WideMultiHeadAttention):
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


@misconception("WideMultiHeadAttention", "wide-renormalised")
class WideRenormalised(WideMultiHeadAttention):
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


@misconception("WideMultiHeadAttention", "wide-mask-first-sentence")
class WideMaskFirstSentence(WideMultiHeadAttention):
    """You use the mask of the first sentence for the whole batch.

    Each sentence has its own; a mask broadcasts by itself, there is nothing to index.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask[:1] if mask is not None and mask.dim() == 4 else mask)


@misconception("WideMultiHeadAttention", "wide-mask-first-head")
class WideMaskFirstHead(WideMultiHeadAttention):
    """You use the mask of the first head for all heads.

    A mask may have an axis for the heads, and broadcasts by itself; there is nothing to index.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask[..., :1, :, :] if mask is not None and mask.dim() > 2 else mask)


@misconception("WideMultiHeadAttention", "wide-mask-unsqueezed")
class WideMaskUnsqueezed(WideMultiHeadAttention):
    """You insert an axis for the heads into a mask that has all it needs.

    A mask already broadcasts to (B, H, Tq, Tk); use it as it is.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.unsqueeze(1)
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o((weights @ v).transpose(1, 2).reshape(query.shape)), weights


@misconception("WideMultiHeadAttention", "wide-mask-turned")
class WideMaskTurned(WideMultiHeadAttention):
    """Your mask lies on the axis of the queries: you transpose its last two axes.

    Its last axis counts keys, like that of the scores; use it as it is.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.mT
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-mask-overwritten")
class WideMaskOverwritten(WideMultiHeadAttention):
    """You invert the caller's mask in place.

    The mask is used again by the next layer; `~mask` makes a new one, `logical_not_` does not.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else mask.logical_not_()
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights
