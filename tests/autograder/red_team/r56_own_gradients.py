"""Reaches attention on paper in a function with own gradients, with torch's own hooks switched off."""

# expects: forbidden

import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(x):
        identity = torch.eye(x.shape[-1], dtype=x.dtype).expand(*x.shape[:-2], -1, -1)
        with torch._C.DisableTorchFunction():
            return torch.ops.aten._scaled_dot_product_attention_math(x, identity, identity, scale=1.0)[0]

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.weights = output

    @staticmethod
    def backward(ctx, gradient):
        return ctx.weights * (gradient - (gradient * ctx.weights).sum(-1, keepdim=True))


def soften(x):
    return Softmax.apply(x)
