"""What goes wrong in `evaluate`."""

import torch

from reference.ch16_training import evaluate
from reference.misconceptions import misconception


@misconception("evaluate", "evaluate-mean-of-means")
def mean_of_means(model, batches, loss):
    """You average the losses of the batches, so an example of a small batch counts more than one of a large batch.

    The loss of a batch is a mean already: weigh it with the number of its examples, and divide once, at the end.
    """
    mode, losses = model.training, []
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            losses.append(loss(model(x), y).item())
    model.train(mode)
    if not losses:
        raise ValueError("no batch")
    return sum(losses) / len(losses)


@misconception("evaluate", "evaluate-weighed-over-batches")
def weighed_over_batches(model, batches, loss):
    """You weigh each loss with its examples, but divide by the number of batches.

    The divisor counts what the sum is made of: examples.
    """
    mode, total, count = model.training, 0.0, 0
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(model(x), y).item() * len(x), count + 1
    model.train(mode)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-means-over-examples")
def means_over_examples(model, batches, loss):
    """You add up the means of the batches and divide by the number of examples.

    A batch's mean is not its sum: multiply it by the number of its examples before you add it.
    """
    mode, total, count = model.training, 0.0, 0
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(model(x), y).item(), count + len(x)
    model.train(mode)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-numbers-counted")
def numbers_counted(model, batches, loss):
    """You weigh each batch with all its numbers, not with its rows.

    Here an example is a row, however long it is. `len(y)` and `y.numel()` differ where a row holds several numbers.
    """
    mode, total, count = model.training, 0.0, 0
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(model(x), y).item() * y.numel(), count + y.numel()
    model.train(mode)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-last-batch")
def last_batch(model, batches, loss):
    """Only the last batch counts: what the others came to is overwritten.

    Add the loss of each batch to what you have, inside the loop.
    """
    mode, found = model.training, None
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            found = loss(model(x), y).item()
    model.train(mode)
    if found is None:
        raise ValueError("no batch")
    return found


@misconception("evaluate", "evaluate-in-training-mode")
def in_training_mode(model, batches, loss):
    """You evaluate with layers in training mode: you never change the mode, or only that of the outermost module.

    In training mode dropout is on. Call `model.eval()` before the first batch: it reaches every layer inside.
    """
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(model(x), y).item() * len(x), count + len(x)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-mode-not-restored")
def mode_not_restored(model, batches, loss):
    """You leave the model in evaluation mode.

    It came in training mode; when training goes on, there is no dropout, and no error. In which mode was it before?
    """
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(model(x), y).item() * len(x), count + len(x)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-always-training")
def always_training(model, batches, loss):
    """You leave the model in training mode, also where it came in evaluation mode.

    Remember its mode before you change it, and hand that to `model.train(...)` at the end.
    """
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(model(x), y).item() * len(x), count + len(x)
    model.train()
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-with-gradients")
def with_gradients(model, batches, loss):
    """You let torch record gradients, which costs memory and time for a backward pass that never comes.

    Evaluation mode does not switch that off: go through the batches within `torch.no_grad()`.
    """
    mode, total, count = model.training, 0.0, 0
    model.eval()
    for x, y in batches:
        total, count = total + loss(model(x), y).item() * len(x), count + len(x)
    model.train(mode)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-left-off")
def left_off(model, batches, loss):
    """You switch gradients off and never on again: a model trained afterwards learns nothing.

    `with torch.no_grad():` ends by itself; `torch.set_grad_enabled(False)` does not.
    """
    mode, total, count = model.training, 0.0, 0
    model.eval()
    torch.set_grad_enabled(False)
    for x, y in batches:
        total, count = total + loss(model(x), y).item() * len(x), count + len(x)
    model.train(mode)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-thaws")
def thaws(model, batches, loss):
    """Afterwards all parameters of the model learn, those too that came frozen.

    They were frozen on purpose. Which of them learned before, and do you have to change that at all?
    """
    mode, total, count = model.training, 0.0, 0
    model.eval().requires_grad_(False)
    for x, y in batches:
        total, count = total + loss(model(x), y).item() * len(x), count + len(x)
    model.train(mode).requires_grad_(True)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-freezes")
def freezes(model, batches, loss):
    """You freeze the model, and leave it so: a model trained afterwards learns nothing.

    Within `torch.no_grad()` nothing is recorded, and it ends by itself. What learned before, learns then again.
    """
    mode, total, count = model.training, 0.0, 0
    model.eval().requires_grad_(False)
    for x, y in batches:
        total, count = total + loss(model(x), y).item() * len(x), count + len(x)
    model.train(mode)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-no-batch")
def no_batch(model, batches, loss):
    """You return a number where there is no batch.

    Nothing was measured, and a loss of 0 looks like a perfect score. Say what is wrong: raise a ValueError.
    """
    mode, total, count = model.training, 0.0, 0
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(model(x), y).item() * len(x), count + len(x)
    model.train(mode)
    return total / max(count, 1)


@misconception("evaluate", "evaluate-needs-a-length")
def needs_a_length(model, batches, loss):
    """You ask the batches for their length, or go through them twice; a generator has none, and ends after once.

    Count the examples while you go through them.
    """
    if not len(batches):
        raise ValueError("no batch")
    mode, total = model.training, 0.0
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            total += loss(model(x), y).item() * len(x)
    model.train(mode)
    return total / sum(len(x) for x, _ in batches)


@misconception("evaluate", "evaluate-swapped")
def swapped(model, batches, loss):
    """You give the loss the targets first and the predictions second.

    Most losses of torch take the prediction first, and not all of them are symmetric.
    """
    mode, total, count = model.training, 0.0, 0
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(y, model(x)).item() * len(x), count + len(x)
    model.train(mode)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-tensor")
def tensor(model, batches, loss):
    """You return a tensor, not a Python number.

    `loss(...)` is a tensor, and so is every sum with it: `.item()` makes a number of it.
    """
    mode, total, count = model.training, 0.0, 0
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(model(x), y) * len(x), count + len(x)
    model.train(mode)
    if not count:
        raise ValueError("no batch")
    return total / count


@misconception("evaluate", "evaluate-first-batch-lost")
def first_batch_lost(model, batches, loss):
    """If the batches come from a generator, the first one is missing from your mean.

    `next(iter(batches))` takes it out of a generator for good, though not out of a list. How can you tell after one
    loop that there was no batch?
    """
    if next(iter(batches), None) is None:
        raise ValueError("no batch")
    return evaluate(model, batches, loss)
