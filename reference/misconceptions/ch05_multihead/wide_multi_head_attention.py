"""Wide heads: which of the two widths is meant. What goes wrong with heads of any width: multi_head_attention*.py."""

import math

import torch

from reference.ch05_multihead import WideMultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("WideMultiHeadAttention", "wide-scale-share")
class WideScaleShare(WideMultiHeadAttention):
    """Your scores are divided by √(D / H), but the heads here are `key_width` wide.

    A score is a sum of key_width products: divide by the root of `self.key_width`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(query.shape[-1] / self.num_heads)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-scale-width")
class WideScaleWidth(WideMultiHeadAttention):
    """Your scores are divided by √D, the root of the model's width.

    A score is a sum of key_width products: divide by the root of `self.key_width`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(query.shape[-1])
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-scale-all")
class WideScaleAll(WideMultiHeadAttention):
    """Your scores are divided by √(H·key_width), the columns of all heads together.

    Each head has a softmax of its own over sums of key_width products: divide by the root of `self.key_width`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.num_heads * self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-cut-by-width")
class WideCutByWidth(WideMultiHeadAttention):
    """You cut the projections into heads of D / H columns, but there are H·key_width columns.

    Each head keeps `self.key_width` of them, whatever D is.
    """

    def forward(self, query, key, value, mask=None):
        shape = (self.num_heads, query.shape[-1] // self.num_heads)
        q, k, v = (x.unflatten(-1, shape).transpose(1, 2) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-joined-to-width")
class WideJoinedToWidth(WideMultiHeadAttention):
    """You reshape the merged heads to D columns, but together they have H·key_width.

    It is `w_o` that leads from H·key_width back to D; join the last two axes, whatever they give.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_v(value), self.num_heads)
        return self.w_o((weights @ v).transpose(1, 2).reshape(query.shape)), weights


@misconception("WideMultiHeadAttention", "wide-refuses")
class WideRefuses(WideMultiHeadAttention):
    """You refuse a width that H does not divide.

    Here nothing of the width is divided: the heads have `key_width` columns each.
    """

    def forward(self, query, key, value, mask=None):
        if query.shape[-1] % self.num_heads:
            raise ValueError(f"a width of {query.shape[-1]} cannot be cut into {self.num_heads} equal heads")
        return super().forward(query, key, value, mask)


@misconception("WideMultiHeadAttention", "wide-merge-not-exchanged")
class WideMergeNotExchanged(WideMultiHeadAttention):
    """You reshape the heads' results straight to (B, Tq, H·d), so that every row mixes several words.

    Let H and Tq change places first, (B, Tq, H, d), then join the last two axes: `merge_heads` does it.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_v(value), self.num_heads)
        return self.w_o((weights @ v).reshape(*query.shape[:2], -1)), weights


@misconception("WideMultiHeadAttention", "wide-split-view")
class WideSplitView(WideMultiHeadAttention):
    """You reshape the projections straight to (B, H, T, d), so that a head gets some of the positions with all columns.

    Cut the columns into (H, d) first, then let H and T change places: `split_heads` does it.
    """

    def forward(self, query, key, value, mask=None):
        shape = (query.shape[0], self.num_heads, -1, self.key_width)
        q, k, v = (x.reshape(shape) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-reshapes-both")
class WideReshapesBoth(WideMultiHeadAttention):
    """You reshape straight to (B, H, T, d) and straight back: shapes agree, but a head holds a piece of the text.

    A head needs its columns of every position: H and T change places both ways, as in `split_heads` and `merge_heads`.
    """

    def forward(self, query, key, value, mask=None):
        shape = (query.shape[0], self.num_heads, -1, self.key_width)
        q, k, v = (x.reshape(shape) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o((weights @ v).reshape(*query.shape[:2], -1)), weights


@misconception("WideMultiHeadAttention", "wide-interleaved")
class WideInterleaved(WideMultiHeadAttention):
    """Your heads take turns at the columns: head 0 has columns 0, H, 2H and so on, on the way in and on the way out.

    A head owns a block of d neighbouring columns: cut the columns into (H, d) in this order, not into (d, H).
    """

    def forward(self, query, key, value, mask=None):
        cut = (self.key_width, self.num_heads)
        layers = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, cut).permute(0, 3, 1, 2) for x in layers)
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o((weights @ v).permute(0, 2, 3, 1).flatten(2)), weights


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
    """Your scores are divided by the root of D // H, the width of a head elsewhere.

    Here a head has `key_width` columns, whatever D and H are, and a score is a sum of that many products.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(max(query.shape[-1] // self.num_heads, 1))
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights
