"""What goes wrong in `attention_rollout`: the loop, and what the caller gave."""

import torch

from reference.ch13_inspection import attention_rollout
from reference.misconceptions import misconception


@misconception("attention_rollout", "rollout-list-overwritten")
def list_overwritten(layers):
    """You put your own matrices into the caller's list, in place of the weights.

    `layers[number] = ...` changes a list that is not yours. Collect the matrices in a new list.
    """
    rollout = attention_rollout(layers)
    for number, layer in enumerate(layers):
        mean = layer.mean(dim=0)
        layers[number] = (mean + torch.eye(len(mean), dtype=mean.dtype, device=mean.device)) / 2
    return rollout


@misconception("attention_rollout", "rollout-weights-overwritten")
def weights_overwritten(layers):
    """You change the weights in place, and the caller's weights are gone.

    `+=`, `mul_` and `fill_diagonal_` write into the caller's tensors. Make new ones.
    """
    rollout = attention_rollout(layers)
    for layer in layers:
        layer += torch.eye(layer.shape[-1], dtype=layer.dtype, device=layer.device)
        layer /= 2
    return rollout


@misconception("attention_rollout", "rollout-first-layer-missing")
def first_layer_missing(layers):
    """Your first layer is missing from the product.

    The loop goes through all layers; begin with the identity, or with the first layer's matrix and its residual.
    """
    return attention_rollout([torch.eye(layers[0].shape[-1]).to(layers[0])[None], *layers[1:]])


@misconception("attention_rollout", "rollout-last-layer-missing")
def last_layer_missing(layers):
    """Your last layer is missing from the product.

    A loop to `len(layers) - 1` ends one layer too early.
    """
    return attention_rollout([*layers[:-1], torch.eye(layers[0].shape[-1]).to(layers[0])[None]])


@misconception("attention_rollout", "rollout-residual-by-ones")
def ones_for_the_identity(layers):
    """You add a matrix of ones in place of the identity.

    The residual connection carries a position to itself alone: `torch.eye`, not `torch.ones`.
    """
    rollout = None
    for layer in layers:
        matrix = (layer.mean(dim=0) + torch.ones_like(layer[0])) / 2
        rollout = matrix if rollout is None else matrix @ rollout
    return rollout


@misconception("attention_rollout", "rollout-each-layer")
def each_layer(layers):
    """You return a matrix for each layer instead of their product.

    Multiply them, the last layer leftmost: one (T, T) comes out.
    """
    return torch.stack([attention_rollout([layer]) for layer in layers])


@misconception("attention_rollout", "rollout-list-of-layers")
def list_of_layers(layers):
    """You return a list with a matrix for each layer instead of their product.

    Multiply them, the last layer leftmost: one (T, T) comes out.
    """
    return [attention_rollout([layer]) for layer in layers]


@misconception("attention_rollout", "rollout-max-normalised")
def max_normalised(layers):
    """You take the maximum over the heads and divide each row by its sum, in place of the mean.

    Rows sum to 1 that way too, but a single head decides each weight. How much should each head count?
    """
    largest = [layer.amax(dim=0, keepdim=True) for layer in layers]
    return attention_rollout([weights / weights.sum(dim=-1, keepdim=True) for weights in largest])


@misconception("attention_rollout", "rollout-min-normalised")
def min_normalised(layers):
    """You take the minimum over the heads and divide each row by its sum, in place of the mean.

    Rows sum to 1 that way too, but a single head decides each weight. How much should each head count?
    """
    smallest = [layer.amin(dim=0, keepdim=True) for layer in layers]
    return attention_rollout([weights / weights.sum(dim=-1, keepdim=True) for weights in smallest])


@misconception("attention_rollout", "rollout-detached")
def rollout_detached(layers):
    """Your result is cut off from the weights: no gradient comes back (detach, .data, no_grad, item or NumPy).

    Compute with the tensors as they are, and with torch throughout.
    """
    return attention_rollout([weights.detach() for weights in layers])
