"""What goes wrong in `attention_rollout`."""

import torch

from reference.ch13_inspection import attention_rollout
from reference.misconceptions import misconception


@misconception("attention_rollout", "rollout-reversed")
def reversed_order(layers):
    """You multiply the layers in the wrong order: the first one is leftmost.

    Rows are the positions after the last layer: each new layer's matrix A comes from the left, `rollout = A @ rollout`.
    """
    return attention_rollout(layers[::-1])


@misconception("attention_rollout", "rollout-without-residual")
def without_residual(layers):
    """You leave out the residual connection: no identity is added.

    Half of each position comes straight from the same position below: ½ · mean + ½ · identity.
    """
    rollout = layers[0].mean(dim=0)
    for layer in layers[1:]:
        rollout = layer.mean(dim=0) @ rollout
    return rollout


@misconception("attention_rollout", "rollout-not-halved")
def not_halved(layers):
    """You add the identity without halving, so the rows of each layer sum to 2.

    Attention and residual give half each: ½ · mean + ½ · identity.
    """
    return attention_rollout(layers) * 2 ** len(layers)


@misconception("attention_rollout", "rollout-attention-not-halved")
def attention_not_halved(layers):
    """You halve the identity but not the attention.

    Attention and residual give half each, so that rows sum to 1; put both in brackets before you halve.
    """
    size = layers[0].shape[-1]
    identity = torch.eye(size, dtype=layers[0].dtype, device=layers[0].device)
    rollout = identity
    for layer in layers:
        rollout = (layer.mean(dim=0) + 0.5 * identity) @ rollout
    return rollout


@misconception("attention_rollout", "rollout-identity-not-halved")
def identity_not_halved(layers):
    """You halve the attention but not the identity.

    Attention and residual give half each, so that rows sum to 1; put both in brackets before you halve.
    """
    size = layers[0].shape[-1]
    identity = torch.eye(size, dtype=layers[0].dtype, device=layers[0].device)
    rollout = identity
    for layer in layers:
        rollout = (0.5 * layer.mean(dim=0) + identity) @ rollout
    return rollout


@misconception("attention_rollout", "rollout-residual-once")
def residual_once(layers):
    """You count the residual connection once, after the product, instead of in every layer.

    Every layer has its own: add the identity to each matrix before you multiply.
    """
    rollout = layers[0].mean(dim=0)
    for layer in layers[1:]:
        rollout = layer.mean(dim=0) @ rollout
    return 0.5 * rollout + 0.5 * torch.eye(rollout.shape[-1], dtype=rollout.dtype, device=rollout.device)


@misconception("attention_rollout", "rollout-max-over-heads")
def max_over_heads(layers):
    """You take the maximum over the heads.

    Take the mean, which leaves the sum of each row at 1.
    """
    return attention_rollout([layer.amax(dim=0, keepdim=True) for layer in layers])


@misconception("attention_rollout", "rollout-min-over-heads")
def min_over_heads(layers):
    """You take the minimum over the heads.

    Take the mean, which leaves the sum of each row at 1.
    """
    return attention_rollout([layer.amin(dim=0, keepdim=True) for layer in layers])


@misconception("attention_rollout", "rollout-sum-over-heads")
def sum_over_heads(layers):
    """You add up the heads and do not divide by their number.

    Take the mean, which leaves the sum of each row at 1.
    """
    return attention_rollout([layer.sum(dim=0, keepdim=True) for layer in layers])


@misconception("attention_rollout", "rollout-first-head")
def first_head(layers):
    """You follow the first head only.

    All heads of a layer write into the same positions: take their mean.
    """
    return attention_rollout([layer[:1] for layer in layers])


@misconception("attention_rollout", "rollout-heads-apart")
def heads_apart(layers):
    """You follow each head through all layers and take the mean at the very end.

    What one head has mixed is read by all heads of the next layer: take the mean in every layer.
    """
    number = len(layers[0])
    return sum(attention_rollout([layer[head : head + 1] for layer in layers]) for head in range(number)) / number


@misconception("attention_rollout", "rollout-per-head")
def per_head(layers):
    """You return a matrix for each head, (H, T, T).

    Take the mean over the heads in every layer; one (T, T) is left.
    """
    heads = range(len(layers[0]))
    return torch.stack([attention_rollout([layer[head : head + 1] for layer in layers]) for head in heads])


@misconception("attention_rollout", "rollout-mean-over-queries")
def mean_over_queries(layers):
    """You average over the queries as well as over the heads, so all rows of a layer's mean are equal.

    Each layer is (H, T, T), and only the heads, axis 0, are averaged. Of a stack of all layers, (L, H, T, T), they are
    axis 1.
    """
    return attention_rollout([layer.mean(dim=1, keepdim=True).expand_as(layer) for layer in layers])


@misconception("attention_rollout", "rollout-elementwise")
def elementwise(layers):
    """You multiply entry by entry.

    A path goes from an input to any position, and on from there: that is a matrix product, `@`.
    """
    return torch.stack([attention_rollout([layer]) for layer in layers]).prod(dim=0)


@misconception("attention_rollout", "rollout-mean-over-layers")
def mean_over_layers(layers):
    """You average over the layers.

    Layers come one after the other: multiply their matrices, the last one leftmost.
    """
    return sum(attention_rollout([layer]) for layer in layers) / len(layers)


@misconception("attention_rollout", "rollout-first-layer-only")
def first_layer_only(layers):
    """You return the first layer alone.

    Check where the `return` stands, and whether the loop goes through all layers.
    """
    return attention_rollout(layers[:1])


@misconception("attention_rollout", "rollout-last-layer-only")
def last_layer_only(layers):
    """Only your last layer counts, as if each turn of the loop forgot the ones before.

    Multiply what you have by the new layer's matrix, A = ½ · mean + ½ · identity: `rollout = A @ rollout`.
    """
    return attention_rollout(layers[-1:])


@misconception("attention_rollout", "rollout-first-layer-twice")
def first_layer_twice(layers):
    """You count the first layer twice, as if you began with it and the loop went through it again.

    Begin with the identity, or let the loop begin at the second layer.
    """
    return attention_rollout([layers[0], *layers])


@misconception("attention_rollout", "rollout-first-layer-bare")
def first_layer_bare(layers):
    """You begin with the first layer's mean as it is, without its residual connection.

    The first layer has one like all others: begin with the identity and go through all layers.
    """
    rollout = layers[0].mean(dim=0)
    for layer in layers[1:]:
        rollout = 0.5 * (layer.mean(dim=0) @ rollout) + 0.5 * rollout
    return rollout


@misconception("attention_rollout", "rollout-transposed")
def transposed(layers):
    """Your rollout is transposed.

    Rows are the positions after the last layer, columns the inputs, as in the weights themselves.
    """
    return attention_rollout(layers).T


@misconception("attention_rollout", "rollout-row-of-cls")
def row_of_cls(layers):
    """You return the first position's row only.

    Return the whole matrix, (T, T): `[i, j]` is the share of input j in position i.
    """
    return attention_rollout(layers)[0]


@misconception("attention_rollout", "rollout-columns-normalised")
def columns_normalised(layers):
    """You divide by the sums of columns, so rows do not sum to 1.

    ½ · mean + ½ · identity has rows that sum to 1 as it is, and needs no dividing.
    """
    size = layers[0].shape[-1]
    identity = torch.eye(size, dtype=layers[0].dtype, device=layers[0].device)
    rollout = identity
    for layer in layers:
        moved = layer.mean(dim=0) + identity
        rollout = (moved / moved.sum(dim=0)) @ rollout
    return rollout


@misconception("attention_rollout", "rollout-multi-dot")
def multi_dot(layers):
    """You use `multi_dot`, which refuses a single layer.

    Begin with the identity and multiply in a loop; then one layer is no special case.
    """
    return torch.linalg.multi_dot([attention_rollout([layer]) for layer in reversed(layers)])


@misconception("attention_rollout", "rollout-squeezed")
def squeezed(layers):
    """You squeeze the result, which drops the axes of a single token.

    A single token gives a matrix of 1 × 1; leave out `squeeze()`.
    """
    return attention_rollout(layers).squeeze()


@misconception("attention_rollout", "rollout-float64")
def float64(layers):
    """Your result is float64 whatever the weights are.

    Make the identity with `dtype=layers[0].dtype`, and leave out `.double()`.
    """
    return attention_rollout([layer.double() for layer in layers])


@misconception("attention_rollout", "rollout-float32")
def float32(layers):
    """Your result is float32 whatever the weights are.

    Make the identity with `dtype=layers[0].dtype`, and leave out `.float()`.
    """
    return attention_rollout([layer.float() for layer in layers])


@misconception("attention_rollout", "rollout-device")
def device(layers):
    """You make a tensor (the identity?) on the default device instead of the one where the weights lie.

    On a GPU the two don't meet; pass `device=layers[0].device`.
    """
    identity = torch.eye(layers[0].shape[-1], dtype=layers[0].dtype)
    rollout = identity
    for layer in layers:
        rollout = (0.5 * layer.mean(dim=0) + 0.5 * identity) @ rollout
    return rollout


@misconception("attention_rollout", "rollout-empties-list")
def empties_list(layers):
    """You reverse the caller's list or take layers out of it.

    `reverse`, `pop` and `del` work on the caller's list; `reversed(layers)` and slices leave it alone.
    """
    rollout = attention_rollout(layers)
    layers.reverse()
    return rollout


@misconception("attention_rollout", "rollout-largest-head")
def largest_head(layers):
    """You join the heads by their largest weight, as an implementation for pictures does, instead of their mean.

    Each head counts the same: average over the heads. Then rows sum to 1 by themselves.
    """
    size = layers[0].shape[-1]
    result = identity = torch.eye(size, dtype=layers[0].dtype, device=layers[0].device)
    for weights in layers:
        mixed = (weights.amax(dim=0) + identity) / 2
        result = mixed / mixed.sum(dim=-1, keepdim=True) @ result
    return result
