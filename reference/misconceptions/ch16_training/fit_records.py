"""What goes wrong in `fit`: the records."""

import copy
import math

import torch

from reference.ch16_training import evaluate
from reference.misconceptions import misconception


@misconception("fit", "fit-mean-since-start")
def mean_since_start(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You record the mean training loss since the start, not since the last record.

    Such a mean lags behind: it still counts the first batches, which the model of today would do better at. What do you
    forget after each record?
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
            history.append((step + 1, sum(losses) / len(losses), value))
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-last-loss")
def last_loss(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You record the loss of a single step, not the mean of all steps since the last record.

    One batch is a matter of luck. Which losses belong to this record?
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
            history.append((step + 1, losses[-1], value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-sum-of-losses")
def sum_of_losses(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You record the sum of the losses, not their mean.

    Records may be made of different numbers of steps: by how many do you divide?
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
            history.append((step + 1, sum(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-divided-by-every")
def divided_by_every(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You divide the losses of each record by `every`, but the last record may have fewer steps.

    Divide by the number of losses that you have added up.
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
            history.append((step + 1, sum(losses) / every, value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-records-one-early")
def records_one_early(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """Your records come at the wrong steps: after the first step, and then after every `every` more.

    `step % every == 0` holds for step 0 already. How many steps are done when step 3 has been taken?
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
        if step % every == 0 or step + 1 == steps:
            value = evaluate(model, held_out, loss)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-records-without-last")
def records_without_last(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """There is no record after the last step, unless `every` divides the number of steps.

    The steps since the last full record were taken as well: when is a record due, besides every `every` steps?
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
        if (step + 1) % every == 0:
            value = evaluate(model, held_out, loss)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-last-record-twice")
def last_record_twice(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """Where `every` divides the number of steps, you record the last step twice.

    Two conditions hold there, and one record is due. Ask both at once.
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
        if (step + 1) % every == 0:
            value = evaluate(model, held_out, loss)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    value = evaluate(model, held_out, loss)
    history.append((steps, sum(losses) / max(len(losses), 1), value))
    if value < best:
        best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-steps-counted-from-zero")
def steps_counted_from_zero(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You record the number of the step, counted from 0, not how many steps are done.

    After the first step one is done.
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
            history.append((step, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-records-counted")
def records_counted(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You number the records, where how many steps are done should stand.

    To draw the curve one needs to know when each point was taken: `steps=10, every=4` gives 4, 8, 10.
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
            history.append((len(history) + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-every-steps-each")
def every_steps_each(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You take `steps` for the number of records, and `every` steps for each.

    `steps` counts all steps of the run together.
    """
    history, losses, best, kept = [], [], math.inf, None
    steps = steps * every
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
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-last-losses-of-every")
def last_losses_of_every(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You always average the last `every` losses: where the last record has fewer steps, it counts older ones too.

    A step belongs to one record. Which losses must be gone when the next one begins?
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
            value, recent = evaluate(model, held_out, loss), losses[-every:]
            history.append((step + 1, sum(recent) / len(recent), value))
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history
