"""Multi-head attention with heads of their own width: sizes, scales and products from the wrong place."""

import math

import torch

from reference.ch05_multihead import WideMultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("WideMultiHeadAttention", "wide-keys-cut-by-queries")
class WideKeysCutByQueries(WideMultiHeadAttention):
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


@misconception("WideMultiHeadAttention", "wide-scale-heads")
class WideScaleHeads(WideMultiHeadAttention):
    """Your scores are divided by the root of the number of heads.

    A score is a sum of d products: divide by the root of `self.key_width`, the last size of q, not of `q.shape[1]`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.num_heads)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-scale-queries")
class WideScaleQueries(WideMultiHeadAttention):
    """Your scores are divided by the root of the number of queries.

    A score is a sum of d products: divide by the root of `self.key_width`, the last size of q.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(q.shape[-2])
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-dead-unmasked")
class WideDeadUnmasked(WideMultiHeadAttention):
    """A query that may attend to nothing attends as if there were no mask.

    A softmax never gives zero weight to a whole row, whatever is added to it; clear the forbidden weights after it.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        weights = torch.softmax(scores if mask is None else scores - 1e9 * ~mask, -1)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-residual")
class WideResidual(WideMultiHeadAttention):
    """You add the queries to the result.

    The residual connection comes in chapter 6, outside of the attention; here the output is what `w_o` gives.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return query + output, weights


@misconception("WideMultiHeadAttention", "wide-one-layer")
class WideOneLayer(WideMultiHeadAttention):
    """Your queries, keys and values are all made by `w_q`.

    Each role has a layer of its own: `w_k` makes the keys, `w_v` the values.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(self.w_q(x), self.num_heads) for x in (query, key, value))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-returns-scores")
class WideReturnsScores(WideMultiHeadAttention):
    """Your second result is the scores, not the weights.

    Weights are what comes out of the softmax, and what the values are multiplied by.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), scores


@misconception("WideMultiHeadAttention", "wide-keys-untransposed")
class WideKeysUntransposed(WideMultiHeadAttention):
    """You multiply the queries by the keys without transposing the keys.

    A score is the dot product of a query row and a key row: `q @ k.transpose(-2, -1)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-wrong-axes-transposed")
class WideWrongAxesTransposed(WideMultiHeadAttention):
    """You transpose the wrong axes of the keys: 1 and 2, heads and positions, or all four, as `.T` does.

    Swap positions and columns, the last two axes: `k.transpose(-2, -1)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.transpose(1, 2) / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-not-merged")
class WideNotMerged(WideMultiHeadAttention):
    """You apply `w_o` to each head before the heads are merged.

    `w_o` reads the columns of all heads side by side: merge first, (B, Tq, H·d), then `self.w_o(...)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(weights @ v), weights


@misconception("WideMultiHeadAttention", "wide-cut-by-width-and-rest")
class WideCutByWidthAndRest(WideMultiHeadAttention):
    """You cut the projections into heads of D / H columns and leave the number of positions to -1.

    There are H·key_width columns: each head keeps `self.key_width` of them, whatever D is.
    """

    def forward(self, query, key, value, mask=None):
        shape = (query.shape[0], -1, self.num_heads, query.shape[-1] // self.num_heads)
        q, k, v = (x.view(shape).transpose(1, 2) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-cut-by-width-by-hand")
class WideCutByWidthByHand(WideMultiHeadAttention):
    """You reshape the projections to heads of D / H columns, but there are H·key_width columns.

    Each head keeps `self.key_width` of them, whatever D is.
    """

    def forward(self, query, key, value, mask=None):
        columns = query.shape[-1] // self.num_heads
        q, k, v = (
            x.reshape(*x.shape[:2], self.num_heads, columns).transpose(1, 2)
            for x in (self.w_q(query), self.w_k(key), self.w_v(value))
        )
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-key-width-shared")
class KeyWidthShared(WideMultiHeadAttention):
    """You share `key_width` columns among all heads, but each head has that many of its own.

    Three heads of 4 columns need 12. How many columns must a projection give in all?

    `w_q`, `w_k` and `w_v` give num_heads · key_width columns, and `w_o` reads as many.
    """

    def __init__(self, width, num_heads, key_width):
        super().__init__(width, num_heads, key_width)
        self.w_q, self.w_k, self.w_v = (torch.nn.Linear(width, key_width) for _ in range(3))
        self.w_o = torch.nn.Linear(key_width, width)


@misconception("WideMultiHeadAttention", "wide-scale-share-of-width")
class WideScaleShareOfWidth(WideMultiHeadAttention):
    """Your scores are divided by the root of D / H, the width of a head elsewhere.

    Here a head has `key_width` columns, whatever D and H are, and a score is a sum of so many products.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(max(query.shape[-1] // self.num_heads, 1))
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights
