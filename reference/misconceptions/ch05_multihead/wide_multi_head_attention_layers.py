"""Multi-head attention with heads of their own width: layers that change places, and what comes out."""

import math

import torch

from reference.ch05_multihead import WideMultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("WideMultiHeadAttention", "wide-output-without-bias")
class WideOutputWithoutBias(WideMultiHeadAttention):
    """You multiply by the weight of `w_o` and leave its bias out.

    Call the layer, `self.w_o(...)`: it does both.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output - self.w_o.bias, weights


@misconception("WideMultiHeadAttention", "wide-across-heads")
class WideAcrossHeads(WideMultiHeadAttention):
    """You attend with the heads behind the positions, so that the heads of one word look at one another.

    The last two axes must be positions and columns: (B, H, T, d), as `split_heads` gives it.
    """

    def forward(self, query, key, value, mask=None):
        cut = (self.num_heads, self.key_width)
        q, k, v = (x.unflatten(-1, cut) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        weights = torch.softmax(q @ k.mT / math.sqrt(self.key_width), -1)
        return self.w_o((weights @ v).flatten(2)), weights


@misconception("WideMultiHeadAttention", "wide-batch-as-positions")
class WideBatchAsPositions(WideMultiHeadAttention):
    """You take the first axis for the positions, as torch's own layer does by default: sentences attend to one another.

    In this course the batch comes first, (B, T, D), and no sentence of a batch knows about the others.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (x.transpose(0, 1) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        q, k, v = (split_heads(x, self.num_heads) for x in (q, k, v))
        weights = torch.softmax(q @ k.mT / math.sqrt(self.key_width), -1)
        return self.w_o(merge_heads(weights @ v).transpose(0, 1)), weights


@misconception("WideMultiHeadAttention", "wide-heads-averaged")
class WideHeadsAveraged(WideMultiHeadAttention):
    """You average the heads' results, so that every head gives the same to `w_o`.

    They are put side by side: D = H·d columns, those of head 0 first.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_v(value), self.num_heads)
        mean = (weights @ v).mean(1, keepdim=True).expand(-1, self.num_heads, -1, -1)
        return self.w_o(merge_heads(mean)), weights


@misconception("WideMultiHeadAttention", "wide-pair-exchanged")
class WidePairExchanged(WideMultiHeadAttention):
    """You return the weights first and the output second.

    The order is output, weights.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask)[::-1]


@misconception("WideMultiHeadAttention", "wide-output-alone")
class WideOutputAlone(WideMultiHeadAttention):
    """You return the output alone.

    Two things are asked for: `return output, weights`.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask)[0]


@misconception("WideMultiHeadAttention", "wide-squeezed")
class WideSqueezed(WideMultiHeadAttention):
    """You drop axes of size 1.

    A batch of one, a single head or a single word is a real axis; leave out `squeeze()`.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output.squeeze(), weights.squeeze()


@misconception("WideMultiHeadAttention", "wide-no-gradient")
class WideNoGradient(WideMultiHeadAttention):
    """No gradient reaches the inputs and the layers: the results are cut off (detach, .data, no_grad or NumPy).

    Call the layers as they are and leave gradients alone; without them nothing is learned.
    """

    def forward(self, query, key, value, mask=None):
        with torch.no_grad():
            return super().forward(query, key, value, mask)


@misconception("WideMultiHeadAttention", "wide-roles")
class WideRoles(WideMultiHeadAttention):
    """Queries and keys have swapped layers: `w_k` makes your queries and `w_q` your keys.

    `w_q` belongs to `query`, `w_k` to `key`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_k(query), self.w_q(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-key-value")
class WideKeyValue(WideMultiHeadAttention):
    """Keys and values have swapped layers: `w_v` makes your keys and `w_k` your values.

    `w_k` belongs to `key`, `w_v` to `value`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_v(key), self.w_k(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-mixes-keys")
class WideMixesKeys(WideMultiHeadAttention):
    """You mix the keys; neither `w_v` nor `value` is used.

    The weights come from queries and keys; what they mix is `self.w_v(value)`.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        k = split_heads(self.w_k(key), self.num_heads)
        return self.w_o(merge_heads(weights @ k)), weights


@misconception("WideMultiHeadAttention", "wide-values-by-keys-layer")
class WideValuesByKeysLayer(WideMultiHeadAttention):
    """Your values are made by `w_k`, like the keys.

    Every role has its own layer: values are `self.w_v(value)`.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_k(value), self.num_heads)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("WideMultiHeadAttention", "wide-keys-by-query-layer")
class WideKeysByQueryLayer(WideMultiHeadAttention):
    """Your keys are made by `w_q`, like the queries.

    Every role has its own layer: keys are `self.w_k(key)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_q(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights
