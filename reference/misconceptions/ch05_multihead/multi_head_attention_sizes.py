"""Multi-head attention: sizes, scales and products that are taken from the wrong place."""

import math

import torch

from reference.ch05_multihead import MultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("MultiHeadAttention", "mha-keys-cut-by-queries")
@misconception("WideMultiHeadAttention", "wide-keys-cut-by-queries")
class KeysCutByQueries(MultiHeadAttention):
    """You cut keys and values with the number of queries, so they fit only where both texts are equally long.

    Keys and values have a length of their own: take it from `key.shape[1]`, or leave it to `split_heads`.
    """

    def forward(self, query, key, value, mask=None):
        shape = (*query.shape[:2], self.num_heads, self.key_width)
        q, k, v = (x.reshape(shape).transpose(1, 2) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-scale-heads")
@misconception("WideMultiHeadAttention", "wide-scale-heads")
class ScaleHeads(MultiHeadAttention):
    """Your scores are divided by the root of the number of heads.

    A score is a sum of d products: divide by the root of `self.key_width`, the last size of q, not of `q.shape[1]`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.num_heads)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-scale-queries")
@misconception("WideMultiHeadAttention", "wide-scale-queries")
class ScaleQueries(MultiHeadAttention):
    """Your scores are divided by the root of the number of queries.

    A score is a sum of d products: divide by the root of `self.key_width`, the last size of q.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(q.shape[-2])
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-dead-unmasked")
@misconception("WideMultiHeadAttention", "wide-dead-unmasked")
class DeadUnmasked(MultiHeadAttention):
    """A query that may attend to nothing attends as if there were no mask.

    A softmax never gives zero weight to a whole row, whatever is added to it; clear the forbidden weights after it.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        weights = torch.softmax(scores if mask is None else scores - 1e9 * ~mask, -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-residual")
@misconception("WideMultiHeadAttention", "wide-residual")
class Residual(MultiHeadAttention):
    """You add the queries to the result.

    The residual connection comes in chapter 6, outside of the attention; here the output is what `w_o` gives.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return query + output, weights


@misconception("MultiHeadAttention", "mha-one-layer")
@misconception("WideMultiHeadAttention", "wide-one-layer")
class OneLayer(MultiHeadAttention):
    """Your queries, keys and values are all made by `w_q`.

    Each role has a layer of its own: `w_k` makes the keys, `w_v` the values.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(self.w_q(x), self.num_heads) for x in (query, key, value))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-no-layers")
class NoLayers(MultiHeadAttention):
    """You do not apply `w_q`, `w_k` and `w_v`: the heads are cut out of the inputs themselves.

    The layers turn the inputs into queries, keys and values: what a head asks for, is found by, passes on. What do you
    cut into heads, their results or the inputs?
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (query, key, value))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-returns-scores")
@misconception("WideMultiHeadAttention", "wide-returns-scores")
class ReturnsScores(MultiHeadAttention):
    """Your second result is the scores, not the weights.

    Weights are what comes out of the softmax, and what the values are multiplied by.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), scores


@misconception("MultiHeadAttention", "mha-keys-untransposed")
@misconception("WideMultiHeadAttention", "wide-keys-untransposed")
class KeysUntransposed(MultiHeadAttention):
    """You multiply the queries by the keys without transposing the keys.

    A score is the dot product of a query row and a key row. Which axes of the keys must change places for that?

    Swap the last two axes: `q @ k.transpose(-2, -1)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-wrong-axes-transposed")
@misconception("WideMultiHeadAttention", "wide-wrong-axes-transposed")
class WrongAxesTransposed(MultiHeadAttention):
    """You transpose the wrong axes of the keys: 1 and 2, heads and positions, or all four, as `.T` does.

    A score is a product over d. Which two axes of the keys must change places for that?

    Swap positions and columns, the last two axes: `k.transpose(-2, -1)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.transpose(1, 2) / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-not-merged")
@misconception("WideMultiHeadAttention", "wide-not-merged")
class NotMerged(MultiHeadAttention):
    """You apply `w_o` to each head before the heads are merged.

    `w_o` reads the columns of all heads side by side: merge first, (B, Tq, H·d), then `self.w_o(...)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(weights @ v), weights


@misconception("MultiHeadAttention", "mha-whole-root")
@misconception("WideMultiHeadAttention", "wide-whole-root")
class WholeRoot(MultiHeadAttention):
    """You divide by √d rounded to a whole number.

    `math.isqrt` and `int` drop what follows the point: √11 is 3.32, not 3.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.isqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights
