"""Two mistakes in one answer, about masks and attention under them."""

import math

import torch

from reference.ch04_masking import causal_mask, masked_attention, padding_mask
from reference.misconceptions import misconception


@misconception("masked_attention", "masked-attention-unscaled", "masked-attention-inverted")
def unscaled_and_inverted(q, k, v, mask=None):
    return masked_attention(q * math.sqrt(q.shape[-1]), k, v, None if mask is None else ~mask)


@misconception("masked_attention", "masked-attention-unscaled", "masked-attention-unmasked")
def unscaled_and_unmasked(q, k, v, mask=None):
    return masked_attention(q * math.sqrt(q.shape[-1]), k, v)


@misconception("masked_attention", "masked-attention-by-d", "masked-attention-inverted")
def by_d_and_inverted(q, k, v, mask=None):
    return masked_attention(q / math.sqrt(q.shape[-1]), k, v, None if mask is None else ~mask)


@misconception("causal_mask", "causal-mask-inverted", "causal-mask-top-left")
def upside_down_from_the_corner(length, past=0):
    return ~(causal_mask(length, past).tril())


@misconception("padding_mask", "padding-mask-zero", "padding-mask-behind")
def as_many_as_are_not_zero(ids, pad_id):
    return padding_mask((ids != 0).int().sort(descending=True).values, 0)


@misconception("causal_mask", "causal-mask-inverted", "causal-mask-past-ignored")
def hides_what_came_before_without_a_past(length, past=0):
    return torch.ones(length, length, dtype=torch.bool).triu(1)


@misconception("causal_mask", "causal-mask-additive", "causal-mask-past-ignored")
def summand_without_a_past(length, past=0):
    return torch.full((length, length), -math.inf).triu(1)


@misconception("masked_softmax", "masked-softmax-inverted", "masked-softmax-dead-uniform")
def softmax_of_what_is_forbidden(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -1e9), dim=-1)


@misconception("masked_attention", "masked-attention-inverted", "masked-attention-dead-uniform")
def attention_to_what_is_forbidden(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores.masked_fill(mask, -1e9), dim=-1)
    return weights @ v, weights
