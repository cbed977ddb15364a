"""Parameters that are overlooked, or looked for by the wrong name."""

from reference.ch10_bert import freeze_all_but_head
from reference.misconceptions import misconception


@misconception("freeze_all_but_head", "freeze-children-only")
def children_only(model):
    """You go through the parts of the model only, so parameters that belong to the model itself still learn.

    `model.requires_grad_(False)` or `model.parameters()` reaches all of them, wherever they are.
    """
    for name, part in model.named_children():
        part.requires_grad_(name == "head")
    return model


@misconception("freeze_all_but_head", "freeze-by-beginning", "freeze-does-not-wake-the-head")
def by_prefix_not_woken(model):
    for name, parameter in model.named_parameters():
        if not name.startswith("head"):
            parameter.requires_grad_(False)
    return model


@misconception("freeze_all_but_head", "freeze-by-substring", "freeze-does-not-wake-the-head")
def by_substring_not_woken(model):
    for name, parameter in model.named_parameters():
        if "head" not in name:
            parameter.requires_grad_(False)
    return model


@misconception("freeze_all_but_head", "freeze-children-only", "freeze-does-not-wake-the-head")
def children_not_woken(model):
    for name, part in model.named_children():
        if name != "head":
            part.requires_grad_(False)
    return model


@misconception("freeze_all_but_head", "freeze-all-learn")
def all_learn(model):
    """Everything learns: you freeze nothing.

    Print `requires_grad` of a parameter outside the head, after your call. Which line should have made it False?
    """
    return model.requires_grad_(True)


@misconception("freeze_all_but_head", "freeze-removes-parameters")
def as_numbers(model):
    """You return the names of the parameters, or something else that is no model.

    Change the model in place and return it: `return model`.
    """
    return [name for name, _ in freeze_all_but_head(model).named_parameters()]


@misconception("freeze_all_but_head", "freeze-by-evaluation-mode")
def by_evaluation_mode(model):
    """You freeze nothing: you only change the mode of the model or its parts, which does not change what learns.

    The mode decides what dropout does. A parameter learns if its `requires_grad` is True: set that, and leave the mode.
    """
    return model.eval()


@misconception("freeze_all_but_head", "freeze-one-layer-as-head")
def one_layer_as_head(model):
    """You take the head for a single layer, with a weight and a bias of its own.

    It may be several layers, and a layer may have no bias. What reaches all parameters inside a module, whatever they
    are called?
    """
    model.requires_grad_(False)
    model.head.weight.requires_grad_(True)
    model.head.bias.requires_grad_(True)
    return model


@misconception("freeze_all_but_head", "freeze-compares-numbers")
def compares_numbers(model):
    """You compare parameters by their numbers, with `in` or `==`, and that gives one answer for each number.

    Two parameters are not the same because their numbers are. Ask by name, or with `is`, or do not ask at all: freeze
    everything first.
    """
    head = list(model.head.parameters())
    for parameter in model.parameters():
        parameter.requires_grad_(parameter in head)
    return model
