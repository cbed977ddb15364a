"""What goes wrong in `fit`: what is recorded of the losses, and when batches are taken."""

import copy
import math

import torch

from reference.ch16_training import evaluate
from reference.misconceptions import misconception


@misconception("fit", "fit-record-swapped")
def record_swapped(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You record the held-out loss before the training loss.

    The order is: steps done, training loss, held-out loss.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(found.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            value = evaluate(model, held_out, loss)
            history.append((step + 1, value, sum(losses) / len(losses)))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-record-lists")
def record_lists(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """Your records are lists, not tuples.

    A record is a tuple of plain Python numbers: round brackets, and `.item()` for what torch computed.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(found.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            value = evaluate(model, held_out, loss)
            history.append([step + 1, sum(losses) / len(losses), value])
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-weighed-by-size")
def weighed_by_size(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You weigh the training losses with the sizes of their batches; here each step counts the same.

    `evaluate` weighs, since it is about examples. The training curve is about steps.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses += [found.item()] * len(x)
        if (step + 1) % every == 0 or step + 1 == steps:
            value = evaluate(model, held_out, loss)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-held-out-in-training")
def held_out_in_training(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You measure the held-out loss in training mode.

    Dropout is on there, and batch norm learns from what it should only be judged on. `evaluate` takes care of both.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(found.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            with torch.no_grad():
                value = sum(loss(model(x), y).item() * len(x) for x, y in held_out) / sum(len(x) for x, _ in held_out)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-held-out-means")
def held_out_means(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """Your held-out loss is a mean of the batches' means, so examples of small batches count more.

    `evaluate` weighs each batch with its size.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(found.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            value = sum(evaluate(model, [pair], loss) for pair in held_out) / len(held_out)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-held-out-first")
def held_out_first(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You judge the model by the first held-out batch alone.

    `held_out` is a list of batches, and all of them count.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(found.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            value = evaluate(model, held_out[:1], loss)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-one-batch-too-many")
def one_batch_too_many(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You take one batch too many.

    `zip(batches, range(steps))` and `enumerate(batches)` with a `break` take a batch before they see that the steps are
    done. Another order, `itertools.islice` or `next` takes none.
    """
    history, losses, best, kept = [], [], math.inf, None
    for (x, y), step in zip(batches, range(steps), strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(found.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            value = evaluate(model, held_out, loss)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-infinity-is-best")
def infinity_is_best(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You keep a record with an infinite held-out loss as the best, if no other is lower.

    Infinity is lower than nothing. If no held-out loss is finite, the model stays as the last step left it: which value
    should the first record have to beat?
    """
    history, losses, best, kept = [], [], None, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(found.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            value = evaluate(model, held_out, loss)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if not math.isnan(value) and (best is None or value < best):
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history
