"""What goes wrong in `small_start`: how weights and biases are made."""

import torch
from torch import nn

from reference.misconceptions import misconception


@misconception("small_start", "small-start-replaced")
def replaced(model, std=0.02):
    """You put new parameters into the layers instead of changing the ones they have.

    An optimizer that was made before keeps the old ones, and a frozen layer learns again. Use `nn.init.normal_`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            module.weight = nn.Parameter(torch.randn_like(module.weight) * std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias = nn.Parameter(torch.zeros_like(module.bias))


@misconception("small_start", "small-start-unfrozen")
def unfrozen(model, std=0.02):
    """You switch the gradients of all weights on: a frozen layer learns again.

    `requires_grad` must not change. The functions of `nn.init` leave it alone.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            module.weight.requires_grad_(False)
            nn.init.normal_(module.weight, std=std)
            module.weight.requires_grad_(True)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-truncated")
def truncated(model, std=0.02):
    """You cut the normal distribution off at two standard deviations.

    About one number in twenty lies further out: use `nn.init.normal_`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.trunc_normal_(module.weight, std=std, a=-2 * std, b=2 * std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-truncated-at-two")
def truncated_at_two(model, std=0.02):
    """You cut the normal distribution off at -2 and 2, whatever `std` is: a large one comes out smaller.

    Those are the bounds of `trunc_normal_` if you name none. How far out does a normal distribution reach?
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.trunc_normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-xavier")
def xavier(model, std=0.02):
    """Your standard deviation depends on the size of the layer, as Xavier's and Kaiming's do.

    Here it is `std` for every layer: `nn.init.normal_(weight, std=std)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.xavier_normal_(module.weight)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-xavier-uniform")
def xavier_uniform(model, std=0.02):
    """You draw from a uniform distribution whose width depends on the size of the layer (Xavier).

    Here it is normal, with `std` for every layer: `nn.init.normal_(weight, std=std)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.xavier_uniform_(module.weight)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-kaiming")
def kaiming(model, std=0.02):
    """Your standard deviation depends on the number of inputs of the layer, as Kaiming's does.

    Here it is `std` for every layer: `nn.init.normal_(weight, std=std)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.kaiming_normal_(module.weight)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-unscaled")
def unscaled(model, std=0.02):
    """You draw from N(0, 1): `std` is not used.

    Pass it on, or multiply by it: `nn.init.normal_(weight, std=std)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-root")
def root_of_std(model, std=0.02):
    """You use the square root of `std` as standard deviation.

    `normal_` takes the standard deviation itself.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std**0.5)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-mean-too")
def mean_too(model, std=0.02):
    """Your weights have the mean `std`, not 0.

    `normal_(weight, mean, std)`: the mean is 0. Name both.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, mean=std, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-biases-one")
def biases_one(model, std=0.02):
    """You set the biases to 1.

    They become 0: `nn.init.zeros_(module.bias)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.ones_(module.bias)


@misconception("small_start", "small-start-biases-std")
def biases_std(model, std=0.02):
    """You set the biases to `std`.

    They become 0: `nn.init.zeros_(module.bias)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.constant_(module.bias, std)


@misconception("small_start", "small-start-biases-only")
def biases_only(model, std=0.02):
    """You set the biases to 0, but the weights stay as torch has drawn them.

    Draw them too, of linear layers and embeddings: `nn.init.normal_(module.weight, std=std)`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-embedding-bias")
def embedding_bias(model, std=0.02):
    """You look for a bias in embeddings, which have none.

    Only an `nn.Linear` has one, and not every one: check both.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
            if module.bias is not None:
                nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-all-matrices", "small-start-all-biases")
def all_matrices_all_biases(model, std=0.02):
    for name, parameter in model.named_parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=std)
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)


@misconception("small_start", "small-start-exact-types")
def exact_types(model, std=0.02):
    """You pass over layers whose class is derived from `nn.Linear` or `nn.Embedding`.

    Such a layer is an `nn.Linear`, too. What does `type(layer) is nn.Linear` say of it, and what could you ask instead?
    """
    for module in model.modules():
        if type(module) in (nn.Linear, nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if type(module) is nn.Linear and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-same-seed")
def same_seed(model, std=0.02):
    """You set the seed again for each layer, so all layers begin with the same numbers.

    Layers that begin alike are not independent. How often should a seed be set, and by whom?
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            torch.manual_seed(0)
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-first-row-zero")
def first_row_zero(model, std=0.02):
    """You set a row of an embedding to 0, as for padding.

    Every number of a table is drawn, also those of the row for padding, even where the layer names it: `padding_idx`.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Embedding):
            nn.init.zeros_(module.weight[0])
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@misconception("small_start", "small-start-rows-alike")
def rows_alike(model, std=0.02):
    """You draw only one row, or only one column, of each weight and fill the rest with copies of it.

    Units that begin alike stay alike, because they get the same gradients. How many numbers must you draw?
    """
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                module.weight.copy_((std * torch.randn_like(module.weight[:1])).expand_as(module.weight))
            if isinstance(module, nn.Linear) and module.bias is not None:
                module.bias.zero_()
