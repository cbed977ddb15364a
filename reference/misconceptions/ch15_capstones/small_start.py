"""What goes wrong in `small_start`."""

import torch
from torch import nn

from reference.misconceptions import misconception


@misconception("small_start", "small-start-embeddings-forgotten")
def embeddings_forgotten(model, std=0.02):
    """You forget the embeddings: their tables stay at torch's N(0, 1).

    They need the small start most of all. Treat `nn.Embedding` as you treat `nn.Linear`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=std)
            if module.bias is not None:
                nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-linear-forgotten")
def linear_forgotten(model, std=0.02):
    """You treat the embeddings only; the linear layers stay as torch has drawn them.

    Draw the weights of every `nn.Linear` too, and set its bias to 0.
    """
    for module in model.modules():
        if isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=std)


@misconception("small_start", "small-start-biases-left")
def biases_left(model, std=0.02):
    """The biases of the linear layers stay as they were.

    torch draws them too. Set them to 0: `nn.init.zeros_(module.bias)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)


@misconception("small_start", "small-start-biases-drawn")
def biases_drawn(model, std=0.02):
    """You draw the biases as well.

    They become 0; only weights are drawn.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.normal_(module.bias, std=std)


@misconception("small_start", "small-start-no-bias")
def no_bias(model, std=0.02):
    """You assume that every linear layer has a bias.

    With `bias=False` it is None, and there is nothing to set to 0. Check `module.bias is not None`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=std)
            module.bias.data.zero_()
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=std)


@misconception("small_start", "small-start-norms-drawn")
def norms_drawn(model, std=0.02):
    """You treat every layer that has a weight, even the layer norms.

    A norm whose scale is 0.02 lets almost nothing through. Check the kind: `isinstance(module, nn.Linear)`.
    """
    for module in model.modules():
        if isinstance(getattr(module, "weight", None), nn.Parameter):
            nn.init.normal_(module.weight, std=std)
        if isinstance(getattr(module, "bias", None), nn.Parameter):
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-norms-reset")
def norms_reset(model, std=0.02):
    """You set the layer norms back to scale 1 and shift 0.

    They begin that way anyway, and a different start has a reason. Leave them alone.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
        if isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-all-biases")
def all_biases(model, std=0.02):
    """You set the shift of the layer norms to 0 as well.

    Only the biases of linear layers become 0; going by the name "bias" finds the norms' shifts too.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)


@misconception("small_start", "small-start-all-matrices")
def all_matrices(model, std=0.02):
    """You draw every parameter that has two axes, even one that belongs to no layer.

    Learned positions or a class token are not yours to change here. Go through the layers, and check their kind.
    """
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=std)
    for module in model.modules():
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-all-parameters")
def all_parameters(model, std=0.02):
    """You draw all parameters, whatever they belong to.

    Biases become 0, and layer norms stay as they are. Go through `model.modules()` and check the kind of each layer.
    """
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=std)


@misconception("small_start", "small-start-children")
def children_only(model, std=0.02):
    """You treat the outermost layers only, not those inside blocks or lists.

    `children()` goes one level deep, `modules()` through all of them.
    """
    for module in model.children():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-std-ignored")
def std_ignored(model, std=0.02):
    """You always use 0.02 and ignore the argument `std`.

    0.02 is its default. Pass `std` on.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-variance")
def as_variance(model, std=0.02):
    """You use the square of `std` as standard deviation.

    `normal_` takes the standard deviation itself, not the variance.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std**2)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-std-as-mean")
def std_as_mean(model, std=0.02):
    """You pass `std` as the mean: the standard deviation is then 1.

    The first number that `normal_` takes is the mean. Name it: `normal_(weight, std=std)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-uniform")
def uniform(model, std=0.02):
    """You draw evenly between `-std` and `std` instead of from a normal distribution.

    Such numbers have a standard deviation of 0.58 `std`. Use `nn.init.normal_`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.uniform_(module.weight, -std, std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-positive")
def positive(model, std=0.02):
    """You draw evenly between 0 and `std`, as `torch.rand` times `std` does: all weights are positive.

    `torch.randn`, with an n, is normal with mean 0.
    """
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                module.weight.copy_(torch.rand_like(module.weight) * std)
            if isinstance(module, nn.Linear) and module.bias is not None:
                module.bias.zero_()


@misconception("small_start", "small-start-scaled")
def scaled(model, std=0.02):
    """You multiply the existing weights by `std` instead of drawing new ones.

    Those of the linear layers are uniform, and already smaller than 1. Draw new numbers for all of them.
    """
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                module.weight.mul_(std)
            if isinstance(module, nn.Linear) and module.bias is not None:
                module.bias.zero_()


@misconception("small_start", "small-start-constant")
def constant(model, std=0.02):
    """You set all weights to `std` itself.

    Equal weights get equal gradients and stay equal. Draw them: `nn.init.normal_(weight, std=std)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.constant_(module.weight, std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-zeros")
def zeros(model, std=0.02):
    """You set all weights to 0.

    Then nothing gets through, and no gradient comes back. Draw them: `nn.init.normal_(weight, std=std)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.zeros_(module.weight)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-new-names")
def not_in_place(model, std=0.02):
    """Your function leaves the model as it was: no new numbers get into it.

    `weight = torch.randn(...)` only gives a name to a new tensor. Change the parameter in place: `nn.init.normal_`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            weight = module.weight
            weight = torch.randn_like(weight) * std


@misconception("small_start", "small-start-leaf-in-place")
def leaf_in_place(model, std=0.02):
    """You change a parameter in place while torch records gradients, which it refuses.

    The functions of `nn.init` are made for this; or put `with torch.no_grad():` around the loop.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            module.weight.normal_(0, std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias.zero_()


@misconception("small_start", "small-start-frozen")
def frozen(model, std=0.02):
    """Your weights no longer learn: you switched their gradients off and not on again.

    Use `torch.no_grad()` or `nn.init`, which change a parameter and leave `requires_grad` as it is.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            module.weight.requires_grad_(False).normal_(0, std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-returns-model")
def returns_model(model, std=0.02):
    """You return the model.

    It is changed in place, and the caller has it already: return nothing.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    return model


@misconception("small_start", "small-start-by-inputs")
def by_inputs(model, std=0.02):
    """You divide the deviation by the root of a layer's number of inputs.

    Other starts do that; here every layer, wide or narrow, has the deviation `std`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std / module.weight.shape[-1] ** 0.5)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
