"""Wide heads: masks that hide the wrong thing, too little or too much."""

import math

import torch

from reference.ch05_multihead import WideMultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("WideMultiHeadAttention", "wide-mask-inverted")
class WideMaskInverted(WideMultiHeadAttention):
    """Your mask works the wrong way round: you hide what is allowed.

    True = may attend; fill where `~mask`. Torch's own multi-head layer means the opposite.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if mask is None else ~mask)


@misconception("WideMultiHeadAttention", "wide-mask-ignored")
class WideMaskIgnored(WideMultiHeadAttention):
    """Your mask has no effect.

    Is `mask` used at all? `masked_fill` and `torch.where` return a new tensor: keep it and pass it to the softmax.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value)


@misconception("WideMultiHeadAttention", "wide-mask-afterwards")
class WideMaskAfterwards(WideMultiHeadAttention):
    """You clear the forbidden weights after the softmax, so that rows no longer sum to 1.

    The forbidden keys have taken their share by then; hide their scores before the softmax.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        weights = torch.softmax(scores, -1) if mask is None else torch.softmax(scores, -1) * mask
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-dead-uniform")
class WideDeadUniform(WideMultiHeadAttention):
    """A query that may attend to nothing gets the same weight for every key.

    Where every score is the same low number, all weights are equal; clear the forbidden ones after the softmax as well.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, -1e9), -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-dead-nan")
class WideDeadNan(WideMultiHeadAttention):
    """A query that may attend to nothing gets NaN.

    Softmax of nothing but -inf is 0/0: fill with `torch.finfo(scores.dtype).min`, and clear forbidden weights after it.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, -math.inf), -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-dead-gradient")
class WideDeadGradient(WideMultiHeadAttention):
    """Where a query may attend to nothing, your results are right and the gradients are NaN: you repair them too late.

    A NaN that is repaired after the softmax comes back in the gradients, where -inf is added to the scores.
    Hide them with `masked_fill` instead: it lets no gradient through to what it has filled.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        added = scores + torch.zeros_like(scores).masked_fill(hidden, -math.inf)
        weights = torch.nan_to_num(torch.softmax(added, -1))
        return self.w_o(merge_heads(weights @ v)), weights
