"""Multi-head attention: the wrong layer for a role."""

import math

import torch

from reference.ch05_multihead import MultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("MultiHeadAttention", "mha-roles")
@misconception("WideMultiHeadAttention", "wide-roles")
class Roles(MultiHeadAttention):
    """Queries and keys have swapped layers: `w_k` makes your queries and `w_q` your keys.

    `w_q` belongs to `query`, `w_k` to `key`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_k(query), self.w_q(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-key-value")
@misconception("WideMultiHeadAttention", "wide-key-value")
class KeyValue(MultiHeadAttention):
    """Keys and values have swapped layers: `w_v` makes your keys and `w_k` your values.

    `w_k` belongs to `key`, `w_v` to `value`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_v(key), self.w_k(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-mixes-keys")
@misconception("WideMultiHeadAttention", "wide-mixes-keys")
class MixesKeys(MultiHeadAttention):
    """You mix the keys; neither `w_v` nor `value` is used.

    The weights come from queries and keys; what they mix is `self.w_v(value)`.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        k = split_heads(self.w_k(key), self.num_heads)
        return self.w_o(merge_heads(weights @ k)), weights


@misconception("MultiHeadAttention", "mha-values-by-keys-layer")
@misconception("WideMultiHeadAttention", "wide-values-by-keys-layer")
class ValuesByKeysLayer(MultiHeadAttention):
    """Your values are made by `w_k`, like the keys.

    Every role has its own layer: values are `self.w_v(value)`.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_k(value), self.num_heads)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-keys-by-query-layer")
@misconception("WideMultiHeadAttention", "wide-keys-by-query-layer")
class KeysByQueryLayer(MultiHeadAttention):
    """Your keys are made by `w_q`, like the queries.

    Every role has its own layer: keys are `self.w_k(key)`.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(x, self.num_heads) for x in (self.w_q(query), self.w_q(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-untransposed")
@misconception("WideMultiHeadAttention", "wide-untransposed")
class Untransposed(MultiHeadAttention):
    """You multiply by the layers' weights without transposing them.

    An `nn.Linear` keeps its weight as (outputs, inputs): call the layer, or write `x @ w.weight.T + w.bias`.
    """

    def forward(self, query, key, value, mask=None):
        pairs = ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        q, k, v = (split_heads(x @ layer.weight + layer.bias, self.num_heads) for layer, x in pairs)
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-fused-by-heads")
@misconception("WideMultiHeadAttention", "wide-fused-by-heads")
class FusedByHeads(MultiHeadAttention):
    """You join the three layers one after the other, and cut what they give by heads first, as (H, 3, d).

    The joined columns lie as (3, H, d): all of `w_q`, all of `w_k`, all of `w_v`. With one head the two are the same.
    """

    def forward(self, query, key, value, mask=None):
        layers = (self.w_q, self.w_k, self.w_v)
        weight, bias = torch.cat([layer.weight for layer in layers]), torch.cat([layer.bias for layer in layers])
        q, k, v = (
            (x @ weight.T + bias).unflatten(-1, (self.num_heads, 3, -1))[..., number, :].transpose(1, 2)
            for number, x in enumerate((query, key, value))
        )
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-own-columns")
class OwnColumns(MultiHeadAttention):
    """Each of your heads sees only its own columns of `query`, `key` and `value`.

    A head has its own rows of the three weights, and each row goes over all D columns of the input. What must come
    first, the layers or the cut?
    """

    def forward(self, query, key, value, mask=None):
        def blocks(layer, x):
            own = layer.weight.unflatten(0, (self.num_heads, -1)).unflatten(2, (self.num_heads, -1))
            weight = torch.stack([own[head, :, head] for head in range(self.num_heads)])  # (H, d, d)
            return split_heads(x, self.num_heads) @ weight.mT + layer.bias.view(self.num_heads, 1, -1)

        q, k, v = blocks(self.w_q, query), blocks(self.w_k, key), blocks(self.w_v, value)
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-bias-per-head")
@misconception("WideMultiHeadAttention", "wide-bias-per-head")
class BiasPerHead(MultiHeadAttention):
    """You add the bias of `w_o` once for each head, H times in all.

    The heads go through `w_o` together, or each through its columns of the weight. In either case there is one bias.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output + (self.num_heads - 1) * self.w_o.bias, weights


@misconception("MultiHeadAttention", "mha-parameters-detached")
@misconception("WideMultiHeadAttention", "wide-parameters-detached")
class ParametersDetached(MultiHeadAttention):
    """No gradient reaches the four layers: you read their parameters where it is cut off, as in `state_dict()`.

    `.data` and `.detach()` cut it off too. Use the layers themselves, or `weight` and `bias` as they are in them.
    """

    def forward(self, query, key, value, mask=None):
        def apply(layer, x):
            return x @ layer.weight.detach().mT + layer.bias.detach()

        q, k, v = (
            split_heads(apply(layer, x), self.num_heads)
            for layer, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return apply(self.w_o, merge_heads(weights @ v)), weights
