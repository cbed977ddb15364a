"""Two mistakes in one answer to `softmax` or about attention."""

from reference.ch03_attention import SelfAttention, dot_scores, scaled_dot_scores, softmax
from reference.misconceptions import misconception


@misconception("softmax", "softmax-sum-keepdim", "softmax-no-shift")
def sum_loses_its_axis_without_shift(scores, dim):
    exponentials = scores.exp()
    return exponentials / exponentials.sum(dim)


@misconception("scaled_dot_product_attention", "attention-unscaled", "attention-query-axis")
def unscaled_over_queries(q, k, v):
    weights = softmax(dot_scores(q, k), -2)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-unscaled", "attention-swapped")
def unscaled_and_swapped(q, k, v):
    weights = softmax(dot_scores(k, q), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-by-d", "attention-query-axis")
def by_d_over_queries(q, k, v):
    weights = softmax(dot_scores(q, k) / q.shape[-1], -2)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-query-axis", "attention-transposed-weights")
def over_queries_and_transposed(q, k, v):
    weights = softmax(scaled_dot_scores(q, k), -2)
    return weights.transpose(-2, -1) @ v, weights


@misconception("scaled_dot_product_attention", "attention-unscaled", "attention-flattened")
def unscaled_and_flattened(q, k, v):
    scores = dot_scores(q, k)
    weights = softmax(scores.flatten(-2), -1).reshape(scores.shape)
    return weights @ v, weights


@misconception("SelfAttention", "self-attention-unscaled", "self-attention-mixes-input")
class UnscaledMixOfTheInput(SelfAttention):
    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)), -1) @ x


@misconception("SelfAttention", "self-attention-unscaled", "self-attention-mixes-keys")
class UnscaledMixOfTheKeys(SelfAttention):
    def forward(self, x):
        return softmax(dot_scores(self.w_q(x), self.w_k(x)), -1) @ self.w_k(x)
