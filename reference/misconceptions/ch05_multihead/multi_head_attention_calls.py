"""Multi-head attention: what a layer keeps of earlier calls, and what it does in training only."""

import torch

from reference.ch05_multihead import MultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("MultiHeadAttention", "mha-mask-kept")
@misconception("WideMultiHeadAttention", "wide-mask-kept")
class MaskKept(MultiHeadAttention):
    """You keep the last mask and use it for texts that come without one.

    The next text may be another. Which of your lines writes into `self`, and what must be forgotten after a call?
    """

    def forward(self, query, key, value, mask=None):
        self.kept = getattr(self, "kept", None) if mask is None else mask
        return super().forward(query, key, value, self.kept)


@misconception("MultiHeadAttention", "mha-first-mask-kept")
@misconception("WideMultiHeadAttention", "wide-first-mask-kept")
class FirstMaskKept(MultiHeadAttention):
    """You keep the first mask and use it for later texts of the same length.

    Two texts of one length may have their padding at different places. Which of your lines writes into `self`?
    """

    def forward(self, query, key, value, mask=None):
        self.kept = getattr(self, "kept", {})
        shape = None if mask is None else (mask.shape, mask.device)
        return super().forward(query, key, value, self.kept.setdefault(shape, mask))


@misconception("MultiHeadAttention", "mha-dropout")
@misconception("WideMultiHeadAttention", "wide-dropout")
class DropsWeights(MultiHeadAttention):
    """In training you drop some of the weights; this layer has no dropout.

    What is in the list of its parts? A dropout in a Transformer is a layer of its own, and comes with the blocks.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        weights = torch.nn.functional.dropout(weights, 0.1, self.training)
        return self.w_o(merge_heads(weights @ split_heads(self.w_v(value), self.num_heads))), weights


@misconception("MultiHeadAttention", "mha-causal-in-training")
@misconception("WideMultiHeadAttention", "wide-causal-in-training")
class CausalInTraining(MultiHeadAttention):
    """In training you hide what comes after a query, whatever the mask says.

    The mask alone says what is hidden, in training too, and None allows everything.
    """

    def forward(self, query, key, value, mask=None):
        past = torch.ones(query.shape[1], key.shape[1], dtype=torch.bool, device=query.device).tril()
        if self.training:
            mask = past if mask is None else mask & past
        return super().forward(query, key, value, mask)


@misconception("MultiHeadAttention", "mha-unmasked-in-training")
@misconception("WideMultiHeadAttention", "wide-unmasked-in-training")
class UnmaskedInTraining(MultiHeadAttention):
    """In training your mask has no effect.

    What a query must not see it must not see in training either. Which branch of your code never reads the mask?
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if self.training else mask)


@misconception("MultiHeadAttention", "mha-keys-of-the-queries")
@misconception("WideMultiHeadAttention", "wide-keys-of-the-queries")
class KeysOfTheQueries(MultiHeadAttention):
    """You make the keys from `query` and ignore `key`.

    The three arguments may be three different tensors. Which of them does each of your three layers read?
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, query, value, mask)


@misconception("MultiHeadAttention", "mha-weights-kept")
@misconception("WideMultiHeadAttention", "wide-weights-kept")
class WeightsKept(MultiHeadAttention):
    """You keep something that you computed from the weights or the inputs, and use it after their numbers have changed.

    Weights may be loaded or trained between two calls, and a tensor stays the same object when its numbers change. Each
    call must compute from those of its own time.
    """

    def forward(self, query, key, value, mask=None):
        kept = vars(self).get("kept")
        if self.training or kept is None or (kept.dtype, kept.device) != (query.dtype, query.device):
            self.kept = torch.cat([layer.weight for layer in (self.w_q, self.w_k, self.w_v)])
        texts, layers = (query, key, value), (self.w_q, self.w_k, self.w_v)
        q, k, v = (
            split_heads(x @ weight.mT + layer.bias, self.num_heads)
            for x, weight, layer in zip(texts, self.kept.chunk(3), layers, strict=True)
        )
        scores = q @ k.mT / self.key_width**0.5
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights
