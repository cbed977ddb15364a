"""Epochs with other batches or other steps."""

import torch

from reference.ch07_classifier import binary_cross_entropy, train_epoch
from reference.misconceptions import misconception


@misconception("train_epoch", "train-epoch-reversed")
def batches_reversed(model, batches, optimizer):
    """You take the batches in the opposite order.

    One step on each, in the given order: `for ids, labels in batches`.
    """
    return train_epoch(model, list(batches)[::-1], optimizer)


@misconception("train_epoch", "train-epoch-last-batch-missing")
def last_batch_missing(model, batches, optimizer):
    """You train on all batches but the last.

    The last one counts too, even if it is smaller: go through all of `batches`.
    """
    rows = list(batches)
    return train_epoch(model, rows[:-1] if len(rows) > 1 else rows, optimizer)


@misconception("train_epoch", "train-epoch-first-batch-missing")
def first_batch_missing(model, batches, optimizer):
    """You train on all batches but the first.

    Go through all of `batches`, from the first one on; `next(...)` takes one away.
    """
    rows = list(batches)
    return train_epoch(model, rows[1:] if len(rows) > 1 else rows, optimizer)


@misconception("train_epoch", "train-epoch-two-steps")
def two_steps(model, batches, optimizer):
    """You take two steps on every batch.

    One call of `optimizer.step()` for each.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-step-divided-again")
def step_on_a_share_of_the_mean(model, batches, optimizer):
    """You step on the mean loss divided by the number of examples once more, so your steps are too small.

    `binary_cross_entropy` has taken the mean already: call `backward()` on what it gives.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        (loss / len(labels)).backward()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-clipped")
def gradients_clipped(model, batches, optimizer):
    """You clip the gradients before the step.

    That is common in larger trainings, but here the steps are those of the optimizer alone.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-squares")
def mean_squared_error(model, batches, optimizer):
    """You train on the mean squared error of the probabilities.

    The loss is your `binary_cross_entropy` of the logits.
    """
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = (torch.sigmoid(model(ids)) - labels.double()).square().mean()
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-swapped-labels")
def swapped_labels(model, batches, optimizer):
    """You have the labels the wrong way round: your model learns 0 for 1 and 1 for 0.

    Follow the labels from the batch to the loss. Does anything happen to them on the way?

    The loss is `binary_cross_entropy(model(ids), labels)`, of the labels as they are.
    """
    return train_epoch(model, [(ids, 1 - labels.double()) for ids, labels in batches], optimizer)


@misconception("train_epoch", "train-epoch-one-step-on-the-mean")
def one_step_on_the_mean(model, batches, optimizer):
    """You take one step at the end of the epoch, on the mean loss of all its examples.

    How often is the model to learn in an epoch of 100 batches? Look at what stands outside the loop.

    Every batch has a step of its own: zero_grad, backward and step belong in the loop.
    """
    model.train()
    optimizer.zero_grad()
    total, count = 0.0, 0
    for ids, labels in batches:
        total = total + binary_cross_entropy(model(ids), labels) * len(labels)
        count += len(labels)
    (total / count).backward()
    optimizer.step()
    return total.item() / count


@misconception("train_epoch", "train-epoch-len-of-batches")
def length_of_batches(model, batches, optimizer):
    """You ask for the number of batches, but an iterable need not have one: a generator has no length.

    Count while you go. The mean over the examples needs the number of examples anyway.
    """
    model.train()
    total, count = 0.0, 0
    for number in range(len(batches)):
        ids, labels = batches[number]
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)
        count += len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-twice-through")
def twice_through(model, batches, optimizer):
    """You go through the batches twice, but a generator is empty after the first time.

    Do in one loop whatever a batch is needed for.
    """
    count = sum(len(labels) for _, labels in batches)
    model.train()
    total = 0.0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-first-consumed")
def first_consumed(model, batches, optimizer):
    """You take a batch before the loop (`next(iter(...))`); if `batches` is a generator, the loop no longer sees it.

    A generator gives each batch once. How often do you go through them?
    """
    next(iter(batches), None)
    model.train()
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count


@misconception("train_epoch", "train-epoch-flag-alone")
def flag_alone(model, batches, optimizer):
    """You set `model.training`, which does not reach the parts of the model: a dropout inside may stay off.

    There is a method that puts a model into training mode, together with everything in it.
    """
    model.training = True
    total, count = 0.0, 0
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(labels), count + len(labels)
    return total / count
