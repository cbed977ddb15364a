"""Multi-head attention: columns, words and sentences that meet where they should not."""

import math

import torch

from reference.ch05_multihead import MultiHeadAttention, merge_heads, split_heads
from reference.misconceptions import misconception


@misconception("MultiHeadAttention", "mha-merge-not-exchanged")
class MergeNotExchanged(MultiHeadAttention):
    """You reshape the heads' results straight to (B, Tq, D), so that every row mixes several words.

    Let H and Tq change places first, (B, Tq, H, d), then join the last two axes: `merge_heads` does it.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_v(value), self.num_heads)
        return self.w_o((weights @ v).reshape(query.shape)), weights


@misconception("MultiHeadAttention", "mha-split-view")
class SplitView(MultiHeadAttention):
    """You reshape the projections straight to (B, H, T, d), so that a head gets some of the positions with all columns.

    Cut D into (H, d) first, then let H and T change places: `split_heads` does it.
    """

    def forward(self, query, key, value, mask=None):
        shape = (query.shape[0], self.num_heads, -1, self.key_width)
        q, k, v = (x.reshape(shape) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-reshapes-both")
class ReshapesBoth(MultiHeadAttention):
    """You reshape straight to (B, H, T, d) and straight back: shapes agree, but a head holds a piece of the text.

    A head needs its columns of every position: H and T change places both ways, as in `split_heads` and `merge_heads`.
    """

    def forward(self, query, key, value, mask=None):
        shape = (query.shape[0], self.num_heads, -1, self.key_width)
        q, k, v = (x.reshape(shape) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o((weights @ v).reshape(query.shape)), weights


@misconception("MultiHeadAttention", "mha-no-output-layer")
@misconception("WideMultiHeadAttention", "wide-no-output-layer")
class NoOutputLayer(MultiHeadAttention):
    """You return the merged heads without applying `w_o`.

    The last layer is where the heads meet: return `self.w_o(...)` of what you merged.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_v(value), self.num_heads)
        return merge_heads(weights @ v), weights


@misconception("MultiHeadAttention", "mha-output-without-bias")
@misconception("WideMultiHeadAttention", "wide-output-without-bias")
class OutputWithoutBias(MultiHeadAttention):
    """You multiply by the weight of `w_o` and leave its bias out.

    Call the layer, `self.w_o(...)`: it does both.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output - self.w_o.bias, weights


@misconception("MultiHeadAttention", "mha-self-only")
@misconception("WideMultiHeadAttention", "wide-self-only")
class SelfOnly(MultiHeadAttention):
    """You ignore key and value: queries attend to themselves.

    Keys come from `self.w_k(key)`, values from `self.w_v(value)`; only in self-attention are they the same as query.
    """

    def forward(self, query, key, value, mask=None):
        x = query
        q, k, v = (split_heads(layer(x), self.num_heads) for layer in (self.w_q, self.w_k, self.w_v))
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-value-ignored")
@misconception("WideMultiHeadAttention", "wide-value-ignored")
class ValueIgnored(MultiHeadAttention):
    """You make the values from `key` and ignore `value`.

    The three arguments may be three different tensors: values are `self.w_v(value)`.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, key, mask)


@misconception("MultiHeadAttention", "mha-interleaved")
class Interleaved(MultiHeadAttention):
    """Your heads take turns at the columns: head 0 has columns 0, H, 2H and so on, on the way in and on the way out.

    A head owns a block of d neighbouring columns: cut D into (H, d) in this order, not into (d, H).
    """

    def forward(self, query, key, value, mask=None):
        cut = (self.key_width, self.num_heads)
        layers = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, cut).permute(0, 3, 1, 2) for x in layers)
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o((weights @ v).permute(0, 2, 3, 1).flatten(2)), weights


@misconception("MultiHeadAttention", "mha-across-heads")
@misconception("WideMultiHeadAttention", "wide-across-heads")
class AcrossHeads(MultiHeadAttention):
    """You attend with the heads behind the positions, so that the heads of one word look at one another.

    The last two axes must be positions and columns: (B, H, T, d), as `split_heads` gives it.
    """

    def forward(self, query, key, value, mask=None):
        cut = (self.num_heads, self.key_width)
        q, k, v = (x.unflatten(-1, cut) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        weights = torch.softmax(q @ k.mT / math.sqrt(self.key_width), -1)
        return self.w_o((weights @ v).flatten(2)), weights


@misconception("MultiHeadAttention", "mha-batch-scrambled")
@misconception("WideMultiHeadAttention", "wide-batch-scrambled")
class BatchScrambled(MultiHeadAttention):
    """You stack the heads before the batch, (H, B), and read them as (B, H): heads of different sentences are mixed.

    What is folded as (H·B) must be unfolded as (H, B); or give the heads an axis of their own, behind the batch.
    """

    def forward(self, query, key, value, mask=None):
        shape = (query.shape[0], self.num_heads, -1, self.key_width)
        layers = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (torch.cat(x.split(self.key_width, -1)).reshape(shape) for x in layers)
        scores = q @ k.mT / math.sqrt(self.key_width)
        hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
        return self.w_o(merge_heads(weights @ v)), weights


@misconception("MultiHeadAttention", "mha-batch-as-positions")
@misconception("WideMultiHeadAttention", "wide-batch-as-positions")
class BatchAsPositions(MultiHeadAttention):
    """You take the first axis for the positions, as torch's own layer does by default: sentences attend to one another.

    In this course the batch comes first, (B, T, D), and no sentence of a batch knows about the others.
    """

    def forward(self, query, key, value, mask=None):
        q, k, v = (x.transpose(0, 1) for x in (self.w_q(query), self.w_k(key), self.w_v(value)))
        q, k, v = (split_heads(x, self.num_heads) for x in (q, k, v))
        weights = torch.softmax(q @ k.mT / math.sqrt(self.key_width), -1)
        return self.w_o(merge_heads(weights @ v).transpose(0, 1)), weights


@misconception("MultiHeadAttention", "mha-heads-averaged")
@misconception("WideMultiHeadAttention", "wide-heads-averaged")
class HeadsAveraged(MultiHeadAttention):
    """You average the heads' results, so that every head gives the same to `w_o`.

    They are put side by side: H·d columns, those of head 0 first.
    """

    def forward(self, query, key, value, mask=None):
        _, weights = super().forward(query, key, value, mask)
        v = split_heads(self.w_v(value), self.num_heads)
        mean = (weights @ v).mean(1, keepdim=True).expand(-1, self.num_heads, -1, -1)
        return self.w_o(merge_heads(mean)), weights


@misconception("MultiHeadAttention", "mha-weights-averaged")
@misconception("WideMultiHeadAttention", "wide-weights-averaged")
class WeightsAveraged(MultiHeadAttention):
    """You return the weights averaged over the heads, as torch's own layer does by default.

    Return each head's weights, (B, H, Tq, Tk): heads are there to differ.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output, weights.mean(1)


@misconception("MultiHeadAttention", "mha-pair-exchanged")
@misconception("WideMultiHeadAttention", "wide-pair-exchanged")
class PairExchanged(MultiHeadAttention):
    """You return the weights first and the output second.

    The order is output, weights.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask)[::-1]


@misconception("MultiHeadAttention", "mha-output-alone")
@misconception("WideMultiHeadAttention", "wide-output-alone")
class OutputAlone(MultiHeadAttention):
    """You return the output alone.

    Two things are asked for. What else does the task's docstring name, besides the output?

    `return output, weights`, in this order.
    """

    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask)[0]


@misconception("MultiHeadAttention", "mha-squeezed")
@misconception("WideMultiHeadAttention", "wide-squeezed")
class Squeezed(MultiHeadAttention):
    """You drop axes of size 1.

    A batch of one, a single head or a single word is a real axis; leave out `squeeze()`.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output.squeeze(), weights.squeeze()


@misconception("MultiHeadAttention", "mha-no-gradient")
@misconception("WideMultiHeadAttention", "wide-no-gradient")
class NoGradient(MultiHeadAttention):
    """No gradient reaches the inputs and the layers: the results are cut off (detach, .data, no_grad or NumPy).

    Call the layers as they are and leave gradients alone; without them nothing is learned.
    """

    def forward(self, query, key, value, mask=None):
        with torch.no_grad():
            return super().forward(query, key, value, mask)


@misconception("MultiHeadAttention", "mha-weights-detached")
@misconception("WideMultiHeadAttention", "wide-weights-detached")
class WeightsDetached(MultiHeadAttention):
    """The weights you return are detached: no gradient reaches `w_q` and `w_k` through them.

    Return them as they are; a caller that only wants to look at them can detach them.
    """

    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output, weights.detach()
