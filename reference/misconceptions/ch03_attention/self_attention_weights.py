"""What goes wrong in `SelfAttention`, continued: roots, softmax and which layer does what."""

import math

import torch

from reference.ch03_attention import SelfAttention, dot_scores, scaled_dot_product_attention, softmax
from reference.misconceptions import misconception


@misconception("SelfAttention", "self-attention-by-half")
class SelfAttentionByHalf(SelfAttention):
    """Your scores are divided by D/2: `D ** 1 / 2` is (D ** 1) / 2.

    Put the exponent in brackets, `D ** (1 / 2)`, or write `math.sqrt(D)`.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)) / (x.shape[-1] / 2), -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-multiplied")
class SelfAttentionMultiplied(SelfAttention):
    """Your scores are multiplied by √D instead of divided by it.

    Divide: long vectors have large dot products, and the root makes up for it.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)) * x.shape[-1] ** 0.5, -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-one-query-value")
class SelfAttentionOneQueryValue(SelfAttention):
    """Queries and values have swapped roles: `w_v` makes your queries and `w_q` your values.

    Each layer has its own task: `w_q` queries, `w_k` keys, `w_v` values.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_v(x), self.w_k(x), self.w_q(x))[0]


@misconception("SelfAttention", "self-attention-one-layer")
class SelfAttentionOneLayer(SelfAttention):
    """Your queries, keys and values are all made by `w_q`.

    Each layer has its own task: `w_q` queries, `w_k` keys, `w_v` values.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_q(x), self.w_q(x))[0]


@misconception("SelfAttention", "self-attention-no-softmax")
class SelfAttentionNoSoftmax(SelfAttention):
    """You mix with the raw scores: the softmax is missing.

    Turn the scores into weights first, `softmax(scores, -1)`.
    """

    def forward(self, x):
        return dot_scores(self.w_q(x), self.w_k(x)) / x.shape[-1] ** 0.5 @ self.w_v(x)


@misconception("SelfAttention", "self-attention-two-softmaxes")
class SelfAttentionTwoSoftmaxes(SelfAttention):
    """You apply the softmax twice.

    Once makes weights of scores; twice makes all weights nearly equal.
    """

    def forward(self, x):
        _, weights = scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))
        return softmax(weights, -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-weights")
class SelfAttentionReturnsWeights(SelfAttention):
    """You return the weights; the output is asked for.

    `scaled_dot_product_attention` returns output and weights: return the first.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))[1]


@misconception("SelfAttention", "self-attention-causal")
class SelfAttentionCausal(SelfAttention):
    """No position attends to later ones: you masked the future.

    Here every position mixes all of its sentence; masks come in chapter 4.
    """

    def forward(self, x):
        later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        scores = dot_scores(self.w_q(x), self.w_k(x)) / x.shape[-1] ** 0.5
        return softmax(scores.masked_fill(later, float("-inf")), -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-input-detached")
class SelfAttentionInputDetached(SelfAttention):
    """No gradient reaches x: you detached it.

    Give x to the three layers as it is.
    """

    def forward(self, x):
        return super().forward(x.detach())


@misconception("SelfAttention", "self-attention-float32")
class SelfAttentionFloat32(SelfAttention):
    """Your output is float32, whatever dtype x has.

    Leave the dtype of x as it is.
    """

    def forward(self, x):
        return super().forward(x).float()


@misconception("SelfAttention", "self-attention-all-axes")
class SelfAttentionAllAxes(SelfAttention):
    """You reverse all axes of the keys, as `.T` does, the batch too, where only the last two should change places.

    From keys (B, T, D) it makes (D, T, B). Which axes does the product with the queries need swapped?

    `k.transpose(-2, -1)`, or `k.mT`, leaves the batch where it is.
    """

    def forward(self, x):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        return softmax(q @ k.permute(*reversed(range(k.dim()))) / math.sqrt(q.shape[-1]), -1) @ v


@misconception("SelfAttention", "self-attention-dropout")
class SelfAttentionDropout(SelfAttention):
    """In training you drop some of the weights; this layer has no dropout.

    What is in the list of its parts? A dropout in a Transformer is a layer of its own, and comes with the blocks.
    """

    def forward(self, x):
        _, weights = scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))
        return torch.nn.functional.dropout(weights, 0.1, self.training) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-causal-in-training")
class SelfAttentionCausalInTraining(SelfAttention):
    """In training no position attends to later ones: you mask the future there.

    Here every position mixes all of its sentence, in training too. Where do masks come in?
    """

    def forward(self, x):
        later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1) & self.training
        scores = dot_scores(self.w_q(x), self.w_k(x)) / x.shape[-1] ** 0.5
        return softmax(scores.masked_fill(later, float("-inf")), -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-not-transposed")
class SelfAttentionNotTransposed(SelfAttention):
    """You multiply the queries by the keys without transposing the keys.

    Write down the shapes (T, D) and (T, D). Score [i, j] must be query i times key j: what stands in column j?
    """

    def forward(self, x):
        return softmax(self.w_q(x) @ self.w_k(x) / x.shape[-1] ** 0.5, -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-reshaped")
class SelfAttentionReshaped(SelfAttention):
    """You reshape the keys to (B, D, T) instead of transposing them, which mixes up their numbers.

    A reshape only breaks the same row of numbers anew. Try it on two keys, (1, 2, 3) and (4, 5, 6): what is your first
    column?
    """

    def forward(self, x):
        k = self.w_k(x).reshape(x.shape[0], x.shape[2], x.shape[1])
        return softmax(self.w_q(x) @ k / x.shape[-1] ** 0.5, -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-product-kept")
class SelfAttentionProductKept(SelfAttention):
    """You keep something that you computed from the weights or from x, and use it after their numbers have changed.

    Weights may be loaded or trained between two calls, and a tensor stays the same object when its numbers change. Each
    call must compute from those of its own time.
    """

    def forward(self, x):
        kept = vars(self).get("kept")
        if self.training or kept is None or (kept.dtype, kept.device) != (x.dtype, x.device):
            self.kept = self.w_q.weight.mT @ self.w_k.weight / math.sqrt(x.shape[-1])
        return softmax(x @ self.kept @ x.mT, -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-clamped")
class SelfAttentionClamped(SelfAttention):
    """Your scores are clamped against overflow, so all scores beyond the limit get the same weight.

    Only the differences of a query's scores count: what may you subtract from all of them? Torch's softmax does it.
    """

    def forward(self, x):
        scores = self.w_q(x) @ self.w_k(x).mT / math.sqrt(x.shape[-1])
        return softmax(scores.clamp(-50, 50), -1) @ self.w_v(x)
