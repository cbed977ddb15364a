"""What goes wrong in `fit`: which state it leaves."""

import copy
import math

import torch

from reference.ch16_training import evaluate
from reference.misconceptions import misconception


@misconception("fit", "fit-last-instead-of-best")
def last_instead_of_best(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """The model ends as its last step left it, not as it was at its best record: nothing was kept, or not as a copy.

    `model.state_dict()` holds the model's own tensors, which the next step changes. What you keep must not change with
    them.
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
            losses = []
            if value < best:
                best, kept = value, model.state_dict()
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-best-by-training-loss")
def best_by_training_loss(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You choose the best record by its training loss.

    That one nearly always falls. Which loss says how the model does on what it has not learned from?
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
            train, losses = sum(losses) / len(losses), []
            if train < best:
                best, kept = train, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-worst")
def worst(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You keep the record with the highest held-out loss.

    A loss is the better the lower it is. Where does the lowest so far begin?
    """
    history, losses, best, kept = [], [], -math.inf, None
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
            if value > best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-last-of-equals")
def last_of_equals(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """Of records with equal held-out losses you keep the last one.

    A tie goes to the first: only a loss that is lower than the lowest replaces it.
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
            losses = []
            if value <= best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-start-counts")
def start_counts(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You count the untrained model as a record: the model may end as it began.

    Only records compete, and the first of them comes after `every` steps.
    """
    history, losses, best, kept = [], [], math.inf, None
    best, kept = evaluate(model, held_out, loss), copy.deepcopy(model.state_dict())
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


@misconception("fit", "fit-best-of-all-steps")
def best_of_all_steps(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You look for the best state after each step; only records count.

    A state between two records is in no record, so nobody could tell from the history which one was kept.
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
        value = evaluate(model, held_out, loss)
        if value < best:
            best, kept = value, copy.deepcopy(model.state_dict())
        if (step + 1) % every == 0 or step + 1 == steps:
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-stops-early")
def stops_early(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You stop as soon as the held-out loss no longer falls.

    It may fall again, and the history should show all of the run: go on to the last step, and keep the best.
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
            losses = []
            if value >= best:
                break
            best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-nan-is-best")
def nan_is_best(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """A NaN that comes first stays the best for you: nothing is ever lower than NaN.

    Every comparison with NaN is False. Begin with infinity as the lowest, or leave NaN out.
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
            if best is None or value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-all-nan")
def all_nan(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You load a state also where none was kept: if all held-out losses are NaN, this fails.

    Then no loss was ever the lowest, and the model stays as it is.
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
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    model.load_state_dict(kept)
    return history


@misconception("fit", "fit-parameters-alone")
def parameters_alone(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You put the parameters back, but not the buffers, such as the running means of batch norm.

    The model's whole state belongs to its record: `state_dict()` has both.
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
            losses = []
            if value < best:
                best, kept = value, [parameter.detach().clone() for parameter in model.parameters()]
    if kept is not None:
        with torch.no_grad():
            for parameter, value in zip(model.parameters(), kept, strict=True):
                parameter.copy_(value)
    return history


@misconception("fit", "fit-new-parameters")
def new_parameters(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You give the model new parameters in place of its own, so the optimizer no longer has the model's parameters.

    Write the numbers of the best record into the parameters that are there, as `load_state_dict` does by default.
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
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept, assign=True)
    return history
