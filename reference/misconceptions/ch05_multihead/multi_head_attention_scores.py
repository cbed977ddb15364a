"""Multi-head attention: wrong scales and wrong softmaxes."""

import math

import torch

from reference.ch05_multihead import MultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("MultiHeadAttention", "mha-scale-width")
class ScaleWidth(MultiHeadAttention):
    """Your scores are divided by √D, the root of the model's width.

    One head's scores are sums of d products: divide by the root of `self.key_width`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(query.shape[-1])
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-unscaled")
@misconception("WideMultiHeadAttention", "wide-unscaled")
class Unscaled(MultiHeadAttention):
    """Your scores are not divided by √d.

    Divide q kᵀ by the root of `self.key_width` before the softmax.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-by-d")
@misconception("WideMultiHeadAttention", "wide-by-d")
class ByD(MultiHeadAttention):
    """Your scores are divided by d, not by its square root.

    The standard deviation of a sum of d products is √d; divide once by that.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / self.key_width
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-scaled-up")
@misconception("WideMultiHeadAttention", "wide-scaled-up")
class ScaledUp(MultiHeadAttention):
    """Your scores are multiplied by √d instead of divided.

    The root takes back what summing d products adds: divide.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT * math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-scale-keys")
@misconception("WideMultiHeadAttention", "wide-scale-keys")
class ScaleKeys(MultiHeadAttention):
    """Your scores are divided by the root of the number of keys.

    A score is a sum of d products; Tk has no part in it: divide by the root of `self.key_width`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(k.shape[-2])
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-hard-coded")
@misconception("WideMultiHeadAttention", "wide-hard-coded")
class HardCoded(MultiHeadAttention):
    """Your scores are divided by 8 = √64 however wide the heads are; in the paper a head has 64 columns.

    Divide by the root of `self.key_width`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / 8.0
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-scaled-before-projection")
@misconception("WideMultiHeadAttention", "wide-scaled-before-projection")
class ScaledBeforeProjection(MultiHeadAttention):
    """You divide `query` by √d before `w_q` is applied, so that the layer's bias is not divided.

    Divide the scores, or what `w_q` gives.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            split_heads(x, self.num_heads)
            for x in (self.w_q(query / math.sqrt(self.key_width)), self.w_k(key), self.w_v(value))
        )
        scores = q @ k.mT
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-scaled-weights")
@misconception("WideMultiHeadAttention", "wide-scaled-weights")
class ScaledWeights(MultiHeadAttention):
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


@misconception("MultiHeadAttention", "mha-query-axis")
@misconception("WideMultiHeadAttention", "wide-query-axis")
class QueryAxis(MultiHeadAttention):
    """Your softmax runs over the queries, so the columns of the weights sum to 1 and the rows do not.

    Each query shares its weight out among the keys: the last axis, dim=-1.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -2).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-head-axis")
@misconception("WideMultiHeadAttention", "wide-head-axis")
class HeadAxis(MultiHeadAttention):
    """Your softmax runs over axis 1, the heads.

    Each query shares its weight out among the keys: the last axis, dim=-1. `F.softmax` without `dim` takes axis 1 here.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), 1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-batch-axis")
@misconception("WideMultiHeadAttention", "wide-batch-axis")
class BatchAxis(MultiHeadAttention):
    """Your softmax runs over the batch, the first axis.

    Each query shares its weight out among the keys: the last axis, dim=-1.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), 0).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-flattened")
@misconception("WideMultiHeadAttention", "wide-flattened")
class Flattened(MultiHeadAttention):
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


@misconception("MultiHeadAttention", "mha-exponentials")
@misconception("WideMultiHeadAttention", "wide-exponentials")
class Exponentials(MultiHeadAttention):
    """Your weights are exponentials that are not divided by their sum.

    Divide every row by its sum, or leave it to `torch.softmax`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.exp(scores).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-scores-turned")
@misconception("WideMultiHeadAttention", "wide-scores-turned")
class ScoresTurned(MultiHeadAttention):
    """Your scores are k qᵀ: keys in the rows, queries in the columns.

    Rows are queries, columns are keys: q kᵀ, (B, H, Tq, Tk).
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = k @ q.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-weights-turned")
@misconception("WideMultiHeadAttention", "wide-weights-turned")
class WeightsTurned(MultiHeadAttention):
    """You mix the values with the transposed weights.

    Rows are queries: multiply the values from the left by the weights as they are.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_v(value), self.num_heads)
        return self.w_o(merge_heads(weights.mT @ v)), weights


@misconception("MultiHeadAttention", "mha-float32")
@misconception("WideMultiHeadAttention", "wide-float32")
class Float32(MultiHeadAttention):
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
