"""Epochs in the wrong mode, in the wrong order, or with another mean."""

import torch
from torch.nn import functional

from reference.ch07_classifier import accuracy, binary_cross_entropy, train_epoch
from reference.misconceptions import misconception


@misconception("train_epoch", "train-epoch-no-training-mode")
def no_training_mode(model, batches, optimizer):
    """You do not put the model into training mode before the first batch.

    It may come from an evaluation, and then trains without its dropout: call `model.train()` first.
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
    """Your model learns nothing: `backward()` or `step()` is missing, or `zero_grad()` stands between them.

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
    """You step before `backward()`: each step is taken on the gradients of the batch before.

    The order is: zero_grad, loss, backward, step.
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

    The larger the batch, the longer the step. Call `backward()` on the mean; only the total needs the size.
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
    """You return from within the loop, after the first batch.

    The `return` belongs behind the loop, on the same level as `for`.
    """
    return train_epoch(model, list(batches)[:1], optimizer)


@misconception("train_epoch", "train-epoch-last-loss")
def last_loss(model, batches, optimizer):
    """You return the loss of the last batch.

    Add up the losses as they come, each times its number of examples, and divide by the number of all.
    """
    model.train()
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
    return loss.item()


@misconception("train_epoch", "train-epoch-after-step")
def after_step(model, batches, optimizer):
    """You measure the loss after the step, by asking the model again.

    The loss that the step was taken on is wanted. It is there already and costs nothing.
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


@misconception("train_epoch", "train-epoch-tensor")
def as_tensor(model, batches, optimizer):
    """You return a tensor.

    It keeps everything alive that it was computed from. Add up `loss.item()`, which is a Python number.
    """
    return torch.tensor(train_epoch(model, batches, optimizer), dtype=torch.float64)


@misconception("train_epoch", "train-epoch-list")
def as_list(model, batches, optimizer):
    """You return the losses of all batches in a list.

    One number is asked for: their mean over the examples.
    """
    return [train_epoch(model, [batch], optimizer) for batch in batches]


@misconception("train_epoch", "train-epoch-accuracy")
def share_of_right(model, batches, optimizer):
    """You return the accuracy, not the loss.

    The mean of the losses is asked for; it moves long before any answer changes.
    """
    right, count = 0.0, 0
    for ids, labels in batches:
        model.train()
        right += accuracy(model(ids), labels) * len(labels)
        train_epoch(model, [(ids, labels)], optimizer)
        count += len(labels)
    return right / count


@misconception("train_epoch", "train-epoch-total")
def undivided(model, batches, optimizer):
    """You return the sum over all examples, not their mean.

    Divide by the number of examples: epochs over more data are then comparable with those over less.
    """
    batches = list(batches)
    return train_epoch(model, batches, optimizer) * sum(len(labels) for _, labels in batches)


@misconception("train_epoch", "train-epoch-sum-of-batches")
def sum_of_batches(model, batches, optimizer):
    """You add up the losses of the batches and divide by nothing.

    The loss of a batch is a mean. Multiply it by the number of examples, add up, and divide by the number of all.
    """
    return sum(train_epoch(model, [batch], optimizer) for batch in batches)


@misconception("train_epoch", "train-epoch-divided-twice")
def divided_twice(model, batches, optimizer):
    """You add up the losses of the batches, which are means already, and divide by the number of examples.

    Multiply each by its number of examples first: `total += loss.item() * len(labels)`.
    """
    losses = [(train_epoch(model, [batch], optimizer), len(batch[1])) for batch in batches]
    return sum(loss for loss, _ in losses) / sum(size for _, size in losses)


@misconception("train_epoch", "train-epoch-mean-of-means")
def mean_of_means(model, batches, optimizer):
    """You take the mean of the batches' losses, in which an example of a small batch counts more.

    Weigh each loss with its number of examples: `total += loss.item() * len(labels)`, and divide by all of them.
    """
    losses = [train_epoch(model, [batch], optimizer) for batch in batches]
    return sum(losses) / len(losses)


@misconception("train_epoch", "train-epoch-first-size")
def first_size(model, batches, optimizer):
    """You weigh every batch with the size of the first one, or of the last.

    Batches may have different sizes; take `len(labels)` anew for each, and add these up too.
    """
    losses = [(train_epoch(model, [batch], optimizer), len(batch[1])) for batch in batches]
    return losses[0][1] * sum(loss for loss, _ in losses) / sum(size for _, size in losses)


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
