"""Epochs that return something other than the mean over all examples."""

import torch

from reference.ch07_classifier import accuracy, binary_cross_entropy, train_epoch
from reference.misconceptions import misconception


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


@misconception("train_epoch", "train-epoch-tensor")
def as_tensor(model, batches, optimizer):
    """You return a tensor.

    Unless it is detached, it keeps all it was computed from in memory. Add up `loss.item()`, which is a Python number.
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

    Three examples with a mean loss of 2 have losses that sum to 6. Which of the two numbers do you add up?

    Multiply each by its number of examples first: `total += loss.item() * len(labels)`.
    """
    losses = [(train_epoch(model, [batch], optimizer), len(batch[1])) for batch in batches]
    return sum(loss for loss, _ in losses) / sum(size for _, size in losses)


@misconception("train_epoch", "train-epoch-mean-of-means")
def mean_of_means(model, batches, optimizer):
    """You take the mean of the batches' losses, in which an example of a small batch counts more.

    For a batch of 9 with a mean of 1 and a batch of 1 with a loss of 11 you get 6. What is the mean over all ten
    examples?

    Weigh each loss by its number of examples, `total += loss.item() * len(labels)`, and divide by all of them.
    """
    losses = [train_epoch(model, [batch], optimizer) for batch in batches]
    return sum(losses) / len(losses)


@misconception("train_epoch", "train-epoch-first-size")
def first_size(model, batches, optimizer):
    """You weigh every batch by the size of the first one.

    Batches may have different sizes; take `len(labels)` of each, and add these up too.
    """
    losses = [(train_epoch(model, [batch], optimizer), len(batch[1])) for batch in batches]
    return losses[0][1] * sum(loss for loss, _ in losses) / sum(size for _, size in losses)


@misconception("train_epoch", "train-epoch-weighed-by-words")
def weighed_by_words(model, batches, optimizer):
    """You weigh each batch by the length of its texts, not by its number of examples.

    Ids are (B, T). Which of the two sizes says over how many losses the mean of a batch was taken?
    """
    losses = [(train_epoch(model, [batch], optimizer), batch[0].shape[1]) for batch in batches]
    return sum(loss * size for loss, size in losses) / sum(size for _, size in losses)


@misconception("train_epoch", "train-epoch-weighed-by-ids")
def weighed_by_ids(model, batches, optimizer):
    """You weigh each batch by the number of its ids, B · T, not by its number of examples.

    A text has one label, however long it is. Over how many losses was the mean of a batch taken?
    """
    losses = [(train_epoch(model, [batch], optimizer), batch[0].numel()) for batch in batches]
    return sum(loss * size for loss, size in losses) / sum(size for _, size in losses)


@misconception("train_epoch", "train-epoch-running-average")
def running_average(model, batches, optimizer):
    """You return a running average, nine tenths of the old one and one tenth of the newest loss.

    That suits a progress bar. In the mean that is asked for, every example weighs the same, early or late.
    """
    model.train()
    average = None
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = binary_cross_entropy(model(ids), labels)
        loss.backward()
        optimizer.step()
        average = loss.item() if average is None else 0.9 * average + 0.1 * loss.item()
    return average
