"""Multi-head attention with heads of their own width: scales and axes of the softmax."""

import math

import torch

from reference.ch05_multihead import WideMultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("WideMultiHeadAttention", "wide-by-d")
class WideByD(WideMultiHeadAttention):
    """Your scores are divided by d, not by its square root.

    The standard deviation of a sum of d products is √d; divide once by that.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / self.key_width
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-scaled-up")
class WideScaledUp(WideMultiHeadAttention):
    """Your scores are multiplied by √d instead of divided.

    The root takes back what summing d products adds: divide.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT * math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-scale-keys")
class WideScaleKeys(WideMultiHeadAttention):
    """Your scores are divided by the root of the number of keys.

    A score is a sum of d products; Tk has no part in it: divide by the root of `self.key_width`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(k.shape[-2])
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-hard-coded")
class WideHardCoded(WideMultiHeadAttention):
    """Your scores are divided by 8 = √64 however wide the heads are; in the paper a head has 64 columns.

    Divide by the root of `self.key_width`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / 8.0
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-scaled-weights")
class WideScaledWeights(WideMultiHeadAttention):
    """You divide the weights by √d after the softmax, so that they no longer sum to 1.

    Scale the scores, before the softmax.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        weights = weights / math.sqrt(self.key_width)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-head-axis")
class WideHeadAxis(WideMultiHeadAttention):
    """Your softmax runs over axis 1, the heads.

    Each query shares its weight out among the keys: the last axis, dim=-1. `F.softmax` without `dim` takes axis 1 here.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), 1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-batch-axis")
class WideBatchAxis(WideMultiHeadAttention):
    """Your softmax runs over the batch, the first axis.

    Each query shares its weight out among the keys: the last axis, dim=-1.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), 0).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-flattened")
class WideFlattened(WideMultiHeadAttention):
    """Your softmax runs over all queries and keys of a head at once, so that only all weights together sum to 1.

    Every query has a softmax of its own over the last axis, dim=-1.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        filled = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
        weights = torch.softmax(filled.flatten(2), -1).reshape(scores.shape).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-exponentials")
class WideExponentials(WideMultiHeadAttention):
    """Your weights are exponentials that are not divided by their sum.

    Divide every row by its sum, or leave it to `torch.softmax`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.exp(scores).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-scores-turned")
class WideScoresTurned(WideMultiHeadAttention):
    """Your scores are k qᵀ: keys in the rows, queries in the columns.

    Rows are queries, columns are keys: q kᵀ, (B, H, Tq, Tk).
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = k @ q.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-weights-turned")
class WideWeightsTurned(WideMultiHeadAttention):
    """You mix the values with the transposed weights.

    Rows are queries: multiply the values from the left by the weights as they are.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_v(value), self.num_heads)
        return self.w_o(merge_heads(weights.mT @ v)), weights


@misconception("WideMultiHeadAttention", "wide-float32")
class WideFloat32(WideMultiHeadAttention):
    """Your softmax is computed in float32, which costs float64 inputs half of their digits.

    Half precision needs that, float64 does not: compute in the dtype of the inputs.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, -1e9), -1, dtype=torch.float32).to(scores.dtype)
        weights = weights.masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights
