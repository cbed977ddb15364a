"""What goes wrong in `SelfAttention`."""

import math

import torch

from reference.ch03_attention import (
    SelfAttention,
    dot_scores,
    scaled_dot_product_attention,
    scaled_dot_scores,
    softmax,
)
from reference.misconceptions import misconception


@misconception("SelfAttention", "self-attention-unscaled")
class SelfAttentionUnscaled(SelfAttention):
    """Your scores are not divided by √D.

    Divide q kᵀ by √D, the last size of the queries, before the softmax.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)), -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-by-d")
class SelfAttentionByD(SelfAttention):
    """Your scores are divided by D, not by its square root.

    The standard deviation of a sum of D products is √D; divide once by that.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)) / x.shape[-1], -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-by-length")
class SelfAttentionByLength(SelfAttention):
    """Your scores are divided by the square root of the number of positions.

    One score is a sum of D products; T has no part in it. Divide by the root of `x.shape[-1]`.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)) / math.sqrt(x.shape[1]), -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-hard-coded")
class SelfAttentionHardCoded(SelfAttention):
    """Your scores are divided by 8 whatever the width is: that is √64, the paper's head width.

    Read the width off the tensor: `x.shape[-1]`.
    """

    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)) / 8.0, -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-roles")
class SelfAttentionRoles(SelfAttention):
    """Queries and keys have swapped roles: `w_k` makes your queries and `w_q` your keys.

    `w_q(x)` asks and `w_k(x)` is found: queries first, then keys; if you swap them, the scores are transposed.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_k(x), self.w_q(x), self.w_v(x))[0]


@misconception("SelfAttention", "self-attention-key-value")
class SelfAttentionKeyValue(SelfAttention):
    """Keys and values have swapped roles: `w_v` makes your keys and `w_k` your values.

    Scores come from `w_q(x)` and `w_k(x)`; what is mixed is `w_v(x)`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_v(x), self.w_k(x))[0]


@misconception("SelfAttention", "self-attention-one-query-key")
class SelfAttentionOneQueryKey(SelfAttention):
    """Your keys are made by `w_q`, like the queries.

    Keys need `w_k`: with one layer for both, score [i, j] always equals score [j, i].
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_q(x), self.w_v(x))[0]


@misconception("SelfAttention", "self-attention-mixes-keys")
class SelfAttentionMixesKeys(SelfAttention):
    """You mix the keys; `w_v` is not used.

    Mix the values, `w_v(x)`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_k(x))[0]


@misconception("SelfAttention", "self-attention-mixes-input")
class SelfAttentionMixesInput(SelfAttention):
    """You mix x itself; `w_v` is not used.

    Mix the values, `w_v(x)`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), x)[0]


@misconception("SelfAttention", "self-attention-unprojected")
class SelfAttentionUnprojected(SelfAttention):
    """You attend with x itself as queries, keys and values: the three layers are not used.

    Apply `w_q`, `w_k` and `w_v` to x first.
    """

    def forward(self, x):
        return scaled_dot_product_attention(x, x, x)[0]


@misconception("SelfAttention", "self-attention-untransposed")
class SelfAttentionUntransposed(SelfAttention):
    """You multiply x by the layers' weights without transposing them.

    An `nn.Linear` keeps its weight as (outputs, inputs): call the layer, or write `x @ w.weight.T`.
    """

    def forward(self, x):
        q, k, v = x @ self.w_q.weight, x @ self.w_k.weight, x @ self.w_v.weight
        return scaled_dot_product_attention(q, k, v)[0]


@misconception("SelfAttention", "self-attention-query-axis")
class SelfAttentionQueryAxis(SelfAttention):
    """Your softmax runs over the queries, so the columns sum to 1 and the rows do not.

    Each query shares its weight out among the keys: the last axis, dim=-1.
    """

    def forward(self, x):
        return softmax(scaled_dot_scores(self.w_q(x), self.w_k(x)), -2) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-batch-axis")
class SelfAttentionBatchAxis(SelfAttention):
    """Your softmax runs over the first axis, not over the keys.

    Each query shares its weight out among its own keys: the last axis. Say dim=-1, as `functional.softmax` takes the
    first of three axes if you give no `dim`.
    """

    def forward(self, x):
        return softmax(scaled_dot_scores(self.w_q(x), self.w_k(x)), 0) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-transposed-weights")
class SelfAttentionTransposedWeights(SelfAttention):
    """You mix the values with the transposed weights.

    Row i of the weights belongs to query i: keep them on the left, untransposed, `weights @ self.w_v(x)`.
    """

    def forward(self, x):
        return softmax(scaled_dot_scores(self.w_q(x), self.w_k(x)), -1).transpose(-2, -1) @ self.w_v(x)


@misconception("SelfAttention", "self-attention-pair")
class SelfAttentionPair(SelfAttention):
    """You return output and weights; only the output is asked for here.

    Take the first part of the pair: `output, _ = ...`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))


@misconception("SelfAttention", "self-attention-residual")
class SelfAttentionResidual(SelfAttention):
    """You add x to the output.

    The residual connection comes with the encoder block; return the attention's output alone.
    """

    def forward(self, x):
        return x + scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))[0]


@misconception("SelfAttention", "self-attention-squeezed")
class SelfAttentionSqueezed(SelfAttention):
    """You squeeze the output, which drops every axis of size 1.

    A batch of one or a sentence of one word is a real axis; leave out `squeeze()`.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))[0].squeeze()


@misconception("SelfAttention", "self-attention-detached-weights")
class SelfAttentionDetachedWeights(SelfAttention):
    """No gradient reaches `w_q` and `w_k`: the weights are detached.

    Queries and keys learn through the weights alone; leave them attached.
    """

    def forward(self, x):
        return softmax(scaled_dot_scores(self.w_q(x), self.w_k(x)), -1).detach() @ self.w_v(x)


@misconception("SelfAttention", "self-attention-detached")
class SelfAttentionDetached(SelfAttention):
    """No gradient reaches x and the layers: the output is cut off (detach, .data, no_grad or NumPy).

    Call the layers on x as it is; without gradients they never learn.
    """

    def forward(self, x):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x))[0].detach()


@misconception("SelfAttention", "self-attention-projections-interleaved")
class ProjectionsInterleaved(SelfAttention):
    """You put the three projections side by side, and cut the result as if their columns took turns: (D, 3).

    Side by side, the first D columns are all of the queries. Which of the two axes comes first when you cut 3D, 3 or D?
    """

    def forward(self, x):
        joined = torch.cat([self.w_q(x), self.w_k(x), self.w_v(x)], dim=-1)
        return scaled_dot_product_attention(*joined.reshape(*x.shape, 3).unbind(-1))[0]
