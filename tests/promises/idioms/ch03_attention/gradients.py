"""Own gradients, and what they need kept under ready-made names."""

import torch
from torch.autograd.function import once_differentiable


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(scores, dim):
        grown = (scores - scores.amax(dim, keepdim=True)).exp()
        return grown / grown.sum(dim, keepdim=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.dim = inputs[1]
        ctx.softmax = output

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        mixed = (gradient * ctx.softmax).sum(ctx.dim, keepdim=True)
        return ctx.softmax * (gradient - mixed), None


def softmax(scores, dim):
    return Softmax.apply(scores, dim)


def scaled_dot_product_attention(q, k, v):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    weights = Softmax.apply(scores, scores.dim() - 1)
    return weights @ v, weights
