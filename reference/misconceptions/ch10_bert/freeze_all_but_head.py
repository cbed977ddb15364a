"""What goes wrong in `freeze_all_but_head`."""

import torch

from reference.ch10_bert import freeze_all_but_head
from reference.misconceptions import misconception


@misconception("freeze_all_but_head", "freeze-does-not-wake-the-head")
def head_not_woken(model):
    """You freeze all other parameters, but a head that was frozen before stays frozen.

    A head may come frozen, say along with the whole model. Which line of yours would wake it?
    """
    for name, parameter in model.named_parameters():
        if not name.startswith("head."):
            parameter.requires_grad_(False)
    return model


@misconception("freeze_all_but_head", "freeze-returns-nothing")
def returns_nothing(model):
    """You freeze the right parameters, but return nothing.

    Return the model, so that the caller can write `optimizer = Adam(freeze_all_but_head(model).head.parameters())`.
    """
    freeze_all_but_head(model)


@misconception("freeze_all_but_head", "freeze-head-too")
def head_too(model):
    """You freeze the head with all the rest, and in the end nothing learns.

    What is set last counts, and on parameters alone: set on the module `model.head`, `requires_grad` is an attribute
    without effect. What is the last thing that you do to the head's parameters?
    """
    return model.requires_grad_(False)


@misconception("freeze_all_but_head", "freeze-nothing")
def nothing(model):
    """You change nothing about what learns: what learned still learns, and what was frozen stays frozen.

    `requires_grad` counts on the model's own parameters: set on a module, or on a tensor of `state_dict()`, it has no
    effect on them. Print it for some parameter before and after your call.

    A module's method `requires_grad_`, with an underscore, sets it on all parameters inside.
    """
    for name, part in model.named_children():
        part.requires_grad = name == "head"
    return model


@misconception("freeze_all_but_head", "freeze-by-substring")
def by_substring(model):
    """Other parts learn, too: you look for "head" anywhere in the names, or you freeze the embedding only.

    `head` is the name of one attribute of the model; `multihead` and `overhead` contain it, too.

    Ask the model for that attribute, or compare the whole first part of a name.
    """
    for name, parameter in model.named_parameters():
        parameter.requires_grad_("head" in name)
    return model


@misconception("freeze_all_but_head", "freeze-inverted")
def inverted(model):
    """You freeze the head, and everything else learns.

    It is the other way round: the head is new and must learn, the rest must not.
    """
    model.requires_grad_(True)
    model.head.requires_grad_(False)
    return model


@misconception("freeze_all_but_head", "freeze-weights-only")
def weights_only(model):
    """You freeze the weights and forget the biases.

    Every parameter outside the head must be frozen, whatever its name is. What do you look for in the names?
    """
    for name, parameter in model.named_parameters():
        if name.endswith("weight"):
            parameter.requires_grad_(False)
    model.head.requires_grad_(True)
    return model


@misconception("freeze_all_but_head", "freeze-head-weight-only")
def head_weight_only(model):
    """Only the weight of the head learns, and its bias is frozen.

    All parameters of the head learn, whatever they are called and however many there are.
    """
    model.requires_grad_(False)
    model.head.weight.requires_grad_(True)
    return model


@misconception("freeze_all_but_head", "freeze-last-parameter")
def last_parameter(model):
    """Only the very last parameter of the whole model learns.

    The head has several parameters, and may have been made first. Do you ask for it by its name?
    """
    model.requires_grad_(False)
    list(model.parameters())[-1].requires_grad_(True)
    return model


@misconception("freeze_all_but_head", "freeze-copy")
def in_a_copy(model):
    """You freeze a copy, and leave the model you were given as it was.

    Change the model itself and return it.
    """
    import copy

    return freeze_all_but_head(copy.deepcopy(model))


@misconception("freeze_all_but_head", "freeze-returns-head")
def returns_head(model):
    """You return the head alone.

    Return the whole model, with everything but the head frozen.
    """
    return freeze_all_but_head(model).head


@misconception("freeze_all_but_head", "freeze-returns-parameters")
def returns_parameters(model):
    """You return the parameters that learn.

    Return the whole model; the optimizer can find what learns.
    """
    return [parameter.detach() for parameter in freeze_all_but_head(model).head.parameters()]


@misconception("freeze_all_but_head", "freeze-head-to-zero")
def head_to_zero(model):
    """You set the head to zero.

    Freezing changes no number: the head begins with what it has.
    """
    with torch.no_grad():
        for parameter in model.head.parameters():
            parameter.zero_()
    return freeze_all_but_head(model)


@misconception("freeze_all_but_head", "freeze-new-head")
def new_head(model):
    """You give the head new random numbers.

    Freezing changes no number: the head begins with what it has.
    """
    model.head.reset_parameters()
    return freeze_all_but_head(model)


@misconception("freeze_all_but_head", "freeze-to-zero")
def to_zero(model):
    """You set the other parameters to zero instead of freezing them.

    They must stay as they are: what BERT has learned is in these numbers. Set `requires_grad`, not the values.
    """
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if not name.startswith("head."):
                parameter.zero_()
    return model


@misconception("freeze_all_but_head", "freeze-training-mode")
def training_mode(model):
    """You put the model in training mode.

    Which parameters learn and which mode the model is in are two things; leave the mode alone.
    """
    return freeze_all_but_head(model).train()


@misconception("freeze_all_but_head", "freeze-by-beginning")
def by_beginning(model):
    """You look for names that begin with "head", so `headline` learns, too.

    `head` is one attribute of the model: use `model.head`, or compare with "head." and its dot.
    """
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name.startswith("head"))
    return model


@misconception("freeze_all_but_head", "freeze-any-head")
def any_head(model):
    """You look for "head" anywhere between the dots of a name, so the `head` of another part learns, too.

    `head` is an attribute of the model itself: use `model.head`, or compare the first part, `name.split(".")[0]`.
    """
    for name, parameter in model.named_parameters():
        parameter.requires_grad_("head" in name.split("."))
    return model


@misconception("freeze_all_but_head", "freeze-evaluation-mode")
def evaluation_mode(model):
    """You put the model in evaluation mode.

    Which parameters learn and which mode the model is in are two things; leave the mode alone.
    """
    return freeze_all_but_head(model).eval()
