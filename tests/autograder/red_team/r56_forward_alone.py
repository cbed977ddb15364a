"""Calls a layer's forward past the hooks of the layer."""

# expects: forbidden
# says: return layer.forward(x)

import torch

layer = torch.nn.Softmax(dim=-1)


def soften(x):
    return layer.forward(x)
