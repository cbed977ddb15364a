"""Answers from small steps, and leaves the gradient to what is forbidden."""

# expects: forbidden
# earns: 0.75

import torch


class Back(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        grown = (x - x.amax(-1, keepdim=True)).exp()
        return grown / grown.sum(-1, keepdim=True)

    @staticmethod
    def backward(ctx, g):
        y = torch.softmax(ctx.saved_tensors[0], -1)
        return y * (g - (g * y).sum(-1, keepdim=True))


def soften(x):
    return Back.apply(x)
