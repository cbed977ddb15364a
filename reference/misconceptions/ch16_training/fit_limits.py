"""What goes wrong in `fit`: the limit of the gradients, and whose step it is."""

import copy
import math

import torch

from reference.ch16_training import evaluate
from reference.misconceptions import misconception


@misconception("fit", "fit-no-limit")
def no_limit(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You do not limit the gradients: `limit` is not used, or only where there are no gradients yet or no step follows.

    There is one moment for it in each step: they have just been computed, and the optimizer has not used them.
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


@misconception("fit", "fit-limit-each")
def limit_each(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You limit the norm of each parameter's gradient, or of each group's, by itself, not the joint norm.

    Then the long ones become shorter and the others do not, and the step goes in another direction. Chapter 15 limits
    all gradients by one factor.
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
        for parameter in model.parameters():
            torch.nn.utils.clip_grad_norm_([parameter], limit)
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


@misconception("fit", "fit-limit-values")
def limit_values(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You cut off single numbers of the gradients at the limit, as `clip_grad_value_` does.

    The limit is for the joint norm: all gradients are scaled by one factor.
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
        torch.nn.utils.clip_grad_value_(model.parameters(), limit)
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


@misconception("fit", "fit-limit-always")
def limit_always(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You scale the gradients to the limit in every step, so short ones become longer.

    A limit is a bound from above: where the norm is smaller, nothing changes.
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
        norm = torch.nn.utils.get_total_norm([each.grad for each in model.parameters() if each.grad is not None])
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad.mul_(limit / norm)
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


@misconception("fit", "fit-limit-frozen")
def limit_frozen(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """Your limit fails where a parameter is frozen: its gradient is None.

    `torch.nn.utils.clip_grad_norm_` passes over these; by hand, leave out what has no gradient.
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
        norm = torch.nn.utils.get_total_norm([each.grad for each in model.parameters()])
        for parameter in model.parameters():
            parameter.grad.mul_(min(1.0, limit / float(norm)))
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


@misconception("fit", "fit-steps-by-hand")
def steps_by_hand(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You change the parameters yourself; the optimizer that you were given takes no step.

    It may have momentum, or be AdamW, and takes steps of its own.
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
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.grad is not None:
                    parameter -= rate(step) * parameter.grad
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


@misconception("fit", "fit-same-batch")
def same_batch(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You learn from the first batch again and again.

    `batches` gives another pair for each step: take it inside the loop.
    """
    history, losses, best, kept = [], [], math.inf, None
    x, y = next(batches)
    for step in range(steps):
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
