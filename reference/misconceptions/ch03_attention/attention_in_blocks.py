"""What goes wrong in `attention_in_blocks`: what is kept from block to block."""

import math

import torch

from reference.ch03_attention import attention_in_blocks, scaled_dot_product_attention, scaled_dot_scores, softmax
from reference.misconceptions import misconception


@misconception("attention_in_blocks", "in-blocks-output-not-shrunk")
def output_not_shrunk(q, k, v, size):
    """You do not shrink the output of the earlier blocks when the maximum rises, only the sum of the weights.

    Both were computed with the old maximum, so both get the same factor, e^(old - new).
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        output = output + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-total-not-shrunk")
def total_not_shrunk(q, k, v, size):
    """You do not shrink the sum of the weights when the maximum rises, only the output.

    Both were computed with the old maximum, so both get the same factor, e^(old - new).
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = total + weights.sum(-1, keepdim=True)
        output = output * shrink + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-nothing-shrunk")
def nothing_shrunk(q, k, v, size):
    """You never shrink what earlier blocks gave (or you replace the maximum first, and the factor is always 1).

    What was summed before is too large by e^(new - old). Compute the factor while you still have the old maximum.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        weights = (scores - now).exp()
        total = total + weights.sum(-1, keepdim=True)
        output = output + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-grown")
def grown(q, k, v, size):
    """Your factor is upside down: earlier blocks grow by e^(new - old) where they should shrink.

    What was summed with the old, smaller maximum is too large: multiply it by e^(old - new), at most 1.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = torch.where(largest.isinf(), 0.0, (now - largest).exp()), (scores - now).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        output = output * shrink + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-block-maximum")
def block_maximum(q, k, v, size):
    """Each block subtracts its own maximum, and the sums are added as if it were the same for all.

    Keep the largest score so far, and make up for it when it rises.
    """
    total, output = q.new_zeros((*q.shape[:-1], 1)), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = scores.amax(-1, keepdim=True)
        weights = (scores - now).exp()
        total = total + weights.sum(-1, keepdim=True)
        output = output + weights @ values
    return output / total


@misconception("attention_in_blocks", "in-blocks-last-maximum")
def last_maximum(q, k, v, size):
    """You subtract the block's own maximum, even where an earlier block had a larger one.

    The maximum may only rise: take the larger of the old one and the block's. Otherwise the factor overflows.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = scores.amax(-1, keepdim=True)
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        output = output * shrink + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-first-maximum")
def first_maximum(q, k, v, size):
    """You subtract the first block's maximum in all blocks.

    A later block may have scores that are larger by thousands, and their exponentials are infinite.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.where(largest.isinf(), scores.amax(-1, keepdim=True), largest)
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        output = output * shrink + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-no-maximum")
def no_maximum(q, k, v, size):
    """You do not subtract the largest score before the exponential.

    e^1000 is infinite; subtract the largest score so far, and make up for it when it rises.
    """
    total, output = q.new_zeros((*q.shape[:-1], 1)), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        weights = scaled_dot_scores(q, keys).exp()
        total, output = total + weights.sum(-1, keepdim=True), output + weights @ values
    return output / total


@misconception("attention_in_blocks", "in-blocks-maximum-from-zero")
def maximum_from_zero(q, k, v, size):
    """Your largest score begins at 0 instead of -inf.

    Where all scores are far below 0 every exponential is 0, and 0/0 is NaN; begin with -inf.
    """
    largest = q.new_full((*q.shape[:-1], 1), 0.0)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        output = output * shrink + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-one-maximum")
def one_maximum(q, k, v, size):
    """All queries share one maximum, the largest score of the whole block.

    A query whose own scores are far below it gets 0/0. Each query has its own: `amax(dim=-1, keepdim=True)`.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax())
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        output = output * shrink + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-total-from-one")
def total_from_one(q, k, v, size):
    """Your sum of the weights does not begin at 0.

    Before the first block nothing was summed: begin with zeros, and with -inf as the largest score.
    """
    output = attention_in_blocks(q, k, v, size)
    scores = scaled_dot_scores(q, k)
    return output / (1 + torch.exp(-torch.logsumexp(scores, -1, keepdim=True)))


@misconception("attention_in_blocks", "in-blocks-not-divided")
def not_divided(q, k, v, size):
    """You do not divide by the sum of the weights at the end.

    The output so far is a sum of weighted values; it becomes a mean when it is divided by the sum of the weights.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        output = output * shrink + weights @ values
        largest = now
    return output


@misconception("attention_in_blocks", "in-blocks-divided-each-time")
def divided_each_time(q, k, v, size):
    """You divide by the sum of the weights after each block, and go on with the quotient.

    Keep the sums as they are, and divide once, after the last block.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        output = output * shrink + weights @ values
        output, largest = output / total, now
    return output


@misconception("attention_in_blocks", "in-blocks-mean-of-blocks")
def mean_of_blocks(q, k, v, size):
    """You attend to each block by itself and average the results.

    A block with larger scores must count for more: weigh by the sums of the exponentials.
    """
    parts = zip(k.split(size, -2), v.split(size, -2), strict=True)
    return torch.stack([softmax(scaled_dot_scores(q, keys), -1) @ values for keys, values in parts]).mean(0)


@misconception("attention_in_blocks", "in-blocks-sum-of-blocks")
def sum_of_blocks(q, k, v, size):
    """You attend to each block by itself and add the results, so the weights of each block sum to 1.

    All weights together sum to 1: gather the sums of the exponentials, and divide at the end.
    """
    output = 0 * (q.sum(-1, keepdim=True) + v[..., :1, :])
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        output = output + softmax(scaled_dot_scores(q, keys), -1) @ values
    return output


@misconception("attention_in_blocks", "in-blocks-last-block-only")
def last_block_only(q, k, v, size):
    """Your result is that of the last block: what earlier blocks gave is overwritten.

    Largest score, sum and output must live on from block to block; make them before the loop.
    """
    return scaled_dot_product_attention(q, k.split(size, -2)[-1], v.split(size, -2)[-1])[0]


@misconception("attention_in_blocks", "in-blocks-first-block-only")
def first_block_only(q, k, v, size):
    """You use the first block only, as when a `return` stands inside the loop.

    Every block adds to the sums; return after the last one.
    """
    return scaled_dot_product_attention(q, k[..., :size, :], v[..., :size, :])[0]


@misconception("attention_in_blocks", "in-blocks-softmax-inside")
def softmax_inside(q, k, v, size):
    """Your weights in a block are a softmax already, which divides by the sum of this block alone.

    Inside the loop there are only exponentials, e^(score - maximum); the division comes once, after the last block.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = (largest - now).exp(), softmax(scores, -1)
        total = total * shrink + weights.sum(-1, keepdim=True)
        output = output * shrink + weights @ values
        largest = now
    return output / total


@misconception("attention_in_blocks", "in-blocks-new-shrunk-too")
def new_shrunk_too(q, k, v, size):
    """You shrink what a block adds together with what was there before.

    Only the earlier sums were computed with the old maximum: shrink them first, then add.
    """
    largest = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(largest), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for keys, values in zip(k.split(size, -2), v.split(size, -2), strict=True):
        scores = scaled_dot_scores(q, keys)
        now = torch.maximum(largest, scores.amax(-1, keepdim=True))
        shrink, weights = (largest - now).exp(), (scores - now).exp()
        total = (total + weights.sum(-1, keepdim=True)) * shrink
        output = (output + weights @ values) * shrink
        largest = now
    return output / total
