"""A single number as a tensor that was made elsewhere, and own layers with ready-made names."""

import torch

LEAST, NOTHING = torch.tensor(-1e9), torch.tensor(0.0)


class MultiheadAttention:
    def scaled_dot_product_attention(self, q, k, v, mask):
        scores = q @ k.mT / torch.tensor(q.shape[-1]).sqrt()
        if mask is None:
            mask = scores.new_ones((), dtype=torch.bool)
        weights = scores.masked_fill(~mask, LEAST).softmax(-1).masked_fill(~mask, NOTHING)
        return weights @ v, weights


def masked_attention(q, k, v, mask=None):
    attention = MultiheadAttention()
    attention.multi_head_attention_forward = attention.scaled_dot_product_attention
    return attention.multi_head_attention_forward(q, k, v, mask)
