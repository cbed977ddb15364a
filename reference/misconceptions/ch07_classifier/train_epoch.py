"""Epochs in the wrong mode, or in the wrong order."""

import torch
from torch.nn import functional

from reference.ch07_classifier import binary_cross_entropy, train_epoch
from reference.misconceptions import misconception


@misconception("train_epoch", "train-epoch-no-training-mode")
def no_training_mode(model, batches, optimizer):
    """You do not put the model into training mode before the first batch.

    It may come from an evaluation, and then trains without its dropout. Which call changes the mode of the whole model?

    Call `model.train()` before the loop.
    """
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-first-batch-mode")
def first_batch_mode(model, batches, optimizer):
    """Only your first batch is in training mode.

    Something in the loop calls `model.eval()`; call `model.train()` again before the next batch, or evaluate later.
    """
    total, count = 0.0, 0
    model.train()
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
        model.eval()
    return total / count


@misconception("train_epoch", "train-epoch-no-zero-grad")
def no_zero_grad(model, batches, optimizer):
    """You do not clear the gradients between the batches, so they add up.

    `backward()` adds to the gradients that are there: call `optimizer.zero_grad()` for every batch, not once.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-nothing-learned")
def nothing_learned(model, batches, optimizer):
    """Your model learns nothing: `backward()` or `step()` is missing, or `zero_grad()` comes between them.

    The order is: zero_grad, loss, backward, step. What `backward()` found must still be there for `step()`.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-late-step")
def late_step(model, batches, optimizer):
    """You step before `backward()`: on the gradients of the batch before, while the loss still needs the old weights.

    The order is: zero_grad, loss, backward, step. `backward()` may fail if the weights have changed since the loss.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        loss = binary_cross_entropy(model(ids), labels)
        optimizer.step()
        optimizer.zero_grad()
        loss.backward()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-one-step")
def one_step(model, batches, optimizer):
    """You take one step at the end, on the gradients of all batches together.

    Every batch has a step of its own: zero_grad, backward and step belong in the loop.
    """
    model.train()
    optimizer.zero_grad()
    total, count = 0.0, 0
    for ids, labels in batches:
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        total, count = total + loss.item() * len(labels), count + len(labels)
    optimizer.step()
    return total / count


@misconception("train_epoch", "train-epoch-step-on-sum")
def step_on_sum(model, batches, optimizer):
    """You step on the sum of the losses of a batch, not on their mean.

    The larger the batch, the larger the step. Call `backward()` on the mean; only the total needs the size.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels) * len(labels)
        loss.backward()
        optimizer.step()
        total, count = total + loss.item(), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-first-batch-only")
def first_batch_only(model, batches, optimizer):
    """Only your first batch is used; perhaps the `return` is inside the loop.

    Every batch has a step of its own. What ends your loop, or keeps it from going on?

    Go through all of `batches`, without `break`, and put the `return` after the loop, on the same level as `for`.
    """
    return train_epoch(model, list(batches)[:1], optimizer)


@misconception("train_epoch", "train-epoch-after-step")
def after_step(model, batches, optimizer):
    """You measure the loss after the step, by asking the model again.

    Return the loss that the step was taken on. You already have it, and it costs nothing.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        binary_cross_entropy(model(ids), labels).backward()
        optimizer.step()
        total += binary_cross_entropy(model(ids), labels).item() * len(labels)
        count += len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-asked-twice")
def asked_twice(model, batches, optimizer):
    """The loss that you add up is not the one that `backward()` was called on: you ask the model twice for a batch.

    With dropout, two answers of the model differ. How often do you call it for one batch, and which answer was the step
    taken on?

    Keep the first loss: `loss.backward()`, and `total += loss.item() * len(labels)`.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        binary_cross_entropy(model(ids), labels).backward()
        total += binary_cross_entropy(model(ids), labels).item() * len(labels)
        optimizer.step()
        count += len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-steps-by-hand")
def steps_by_hand(model, batches, optimizer):
    """The optimizer that you were given takes no step: you change the parameters yourself, or with one of your own.

    It may have momentum, or be Adam, and takes steps of its own: `optimizer.step()`.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= optimizer.param_groups[0]["lr"] * parameter.grad
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-sigmoid-twice")
def sigmoid_twice(model, batches, optimizer):
    """You take the sigmoid of the logits before the loss, which takes it once more.

    `binary_cross_entropy` wants what the model gives, as it is.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(torch.sigmoid(model(ids)), labels)
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-float-labels")
def float_labels(model, batches, optimizer):
    """You hand labels that are integers or booleans to torch's own loss, which wants floating-point numbers.

    Convert them with `labels.to(logits.dtype)`, or use your `binary_cross_entropy`, which does it for you.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = functional.binary_cross_entropy_with_logits(model(ids), labels)
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count
