"""Reaches softmax through ready-made attention."""

# expects: forbidden

import torch


def soften(x):
    identity = torch.eye(x.shape[-1], dtype=x.dtype).expand(*x.shape[:-2], -1, -1)
    return torch._C._nn.scaled_dot_product_attention(x, identity, identity, scale=1.0)
