"""What goes wrong in `fit`: the steps."""

import copy
import math

import torch

from reference.ch16_training import evaluate
from reference.misconceptions import misconception


@misconception("fit", "fit-no-zero-grad")
def no_zero_grad(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You do not clear the gradients between the steps, so they add up.

    `backward()` adds to the gradients that are there: forget them in every step.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
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


@misconception("fit", "fit-nothing-learned")
def nothing_learned(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """Your model learns nothing: `backward()` or `step()` is missing, or `zero_grad()` comes between them.

    What `backward()` found must still be there for `step()`.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.train()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.zero_grad()
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


@misconception("fit", "fit-training-mode-once")
def training_mode_once(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You switch training mode on only once: after the first record the model goes on in evaluation mode.

    Where does your loop come back from the held-out data, and in which mode is the model there?
    """
    history, losses, best, kept = [], [], math.inf, None
    model.train()
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(found.item())
        if (step + 1) % every == 0 or step + 1 == steps:
            value = evaluate(model, held_out, loss)
            model.eval()
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-no-training-mode")
def no_training_mode(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You never put the model into training mode.

    It may come from an evaluation, and then learns without its dropout and raises no error.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
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


@misconception("fit", "fit-outermost-mode")
def outermost_mode(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You put only the outermost module into training mode: the layers inside it may still be in evaluation mode.

    `training` is an attribute of every layer. Which method of a model tells all that it is made of?
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        model.training = True
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


@misconception("fit", "fit-asked-twice")
def asked_twice(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You ask the model twice for a batch: the loss that you record is not the one that you took the step on.

    With dropout two answers differ, and after the step the model is another one. Keep the first loss.
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
        losses.append(loss(model(x), y).item())
        if (step + 1) % every == 0 or step + 1 == steps:
            value = evaluate(model, held_out, loss)
            history.append((step + 1, sum(losses) / len(losses), value))
            losses = []
            if value < best:
                best, kept = value, copy.deepcopy(model.state_dict())
    if kept is not None:
        model.load_state_dict(kept)
    return history


@misconception("fit", "fit-rate-never")
def rate_never(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You never set the rate: the optimizer goes on with the one that it was made with.

    The rate of a step lies in `optimizer.param_groups`, in each group's "lr".
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
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


@misconception("fit", "fit-rate-after")
def rate_after(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You set the rate after the step, so each step has the rate of the one before it.

    What is the rate of the very first step? It must be there before `optimizer.step()`.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        model.train()
        optimizer.zero_grad()
        found = loss(model(x), y)
        found.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
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


@misconception("fit", "fit-rate-from-one")
def rate_from_one(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You count the steps from 1 when you ask for the rate: the first step has the rate of the second.

    `rate` counts from 0. The number of steps *done* is one more.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = rate(step + 1)
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


@misconception("fit", "fit-rate-first-group")
def rate_first_group(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You set the rate of the first group alone.

    An optimizer may have several groups of parameters, and each has a rate of its own: set them all.
    """
    history, losses, best, kept = [], [], math.inf, None
    for step in range(steps):
        x, y = next(batches)
        optimizer.param_groups[0]["lr"] = rate(step)
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


@misconception("fit", "fit-rate-multiplied")
def rate_multiplied(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    """You multiply the rate with the one that the optimizer was made with, as torch's `LambdaLR` does.

    Here `rate` gives the rate itself.
    """
    history, losses, best, kept = [], [], math.inf, None
    first = [group["lr"] for group in optimizer.param_groups]
    for step in range(steps):
        x, y = next(batches)
        for group, begun in zip(optimizer.param_groups, first, strict=True):
            group["lr"] = begun * rate(step)
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
