"""Right answers to `fit`."""

import copy
import itertools
import math
import statistics

import numpy as np
import torch


def score(model, batches, loss):
    mode, total, count = model.training, 0.0, 0
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            total, count = total + loss(model(x), y).item() * len(x), count + len(x)
    model.train(mode)
    return total / count


# %% sliced
def fit(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    history, recent, lowest, best_state = [], [], float("inf"), None
    for done, (x, y) in enumerate(itertools.islice(batches, steps), 1):
        for group in optimizer.param_groups:
            group["lr"] = rate(done - 1)
        model.train()
        output = loss(model(x), y)
        optimizer.zero_grad(set_to_none=False)
        output.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=limit)
        optimizer.step()
        recent.append(output.detach().item())
        if done % every and done < steps:
            continue
        history.append((done, statistics.mean(recent), score(model, held_out, loss)))
        recent.clear()
        if history[-1][2] < lowest:
            lowest = history[-1][2]
            best_state = {name: value.detach().clone() for name, value in model.state_dict().items()}
    if best_state:
        model.load_state_dict(best_state)
    model.eval()
    return history


# %% zero_after
def fit(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    history, states = [], []
    total, since = 0.0, 0
    for step in range(steps):
        x, y = next(batches)
        lr = rate(step)
        for g in optimizer.param_groups:
            g["lr"] = lr
        model.train()
        value = loss(model(x), y)
        value.backward()
        grads = [p.grad for p in model.parameters() if p.grad is not None]
        norm = torch.sqrt(sum((g**2).sum() for g in grads)).item()
        if norm > limit:
            for g in grads:
                g.mul_(limit / norm)
        optimizer.step()
        optimizer.zero_grad()
        total, since = total + float(value), since + 1
        if since == every or step == steps - 1:
            history.append((step + 1, total / since, score(model, held_out, loss)))
            states.append(copy.deepcopy(model).state_dict())
            total, since = 0.0, 0
    scores = [math.inf if math.isnan(record[2]) else record[2] for record in history]
    if min(scores) < math.inf:
        model.load_state_dict(states[scores.index(min(scores))])
    return history


# %% own_class
class Run:
    """A run in progress."""

    def __init__(self, model, loss, optimizer, limit):
        self.model, self.loss, self.optimizer, self.limit = model, loss, optimizer, limit
        self.losses, self.history = [], []
        self.best = (math.inf, None)

    def step(self, batch, rate):
        [group.update({"lr": rate}) for group in self.optimizer.param_groups]
        self.model.train(True)
        self.model.zero_grad()
        loss = self.loss(self.model(batch[0]), batch[1])
        loss.backward()
        parameters = [p for group in self.optimizer.param_groups for p in group["params"]]
        torch.nn.utils.clip_grad_norm_(parameters, self.limit, foreach=False)
        self.optimizer.step()
        self.losses += [loss.item()]

    def record(self, done, held_out):
        value = score(self.model, held_out, self.loss)
        self.history.append((done, float(np.mean(self.losses)), value))
        self.losses = []
        if value < self.best[0]:
            self.best = value, copy.deepcopy(self.model)

    def finish(self):
        if self.best[1] is not None:
            with torch.no_grad():
                pairs = zip(self.model.state_dict().values(), self.best[1].state_dict().values(), strict=True)
                for own, kept in pairs:
                    own.copy_(kept)
        return self.history


def fit(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    run = Run(model, loss, optimizer, limit)
    for number, batch in zip(range(1, steps + 1), batches, strict=False):
        run.step(batch, rate(number - 1))
        if number % every == 0 or number == steps:
            run.record(number, held_out)
    return run.finish()


# %% scheduled
def fit(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    def set_rate(step):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)

    set_rate(0)
    history, losses, best, best_parameters, best_buffers = [], torch.zeros(0), None, None, None
    taken = 0
    model.train()
    while taken < steps:
        inputs, targets = next(batches)
        found = loss(model(inputs), targets)
        optimizer.zero_grad()
        found.backward()
        norm = torch.nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None])
        torch.nn.utils.clip_grads_with_norm_([p for p in model.parameters() if p.grad is not None], limit, norm)
        optimizer.step()
        taken += 1
        set_rate(taken)  # of the next step
        losses = torch.cat([losses, found.detach()[None]])
        if taken % every == 0 or taken == steps:
            model.eval()
            with torch.no_grad():
                sizes = [len(x) for x, _ in held_out]
                values = [loss(model(x), y).item() for x, y in held_out]
            model.train()
            value = sum(map(lambda size, one: size * one, sizes, values)) / sum(sizes)
            history.append((taken, losses.double().mean().item(), value))
            losses = losses[:0]
            if math.isfinite(value) and (best is None or value < best):
                best = value
                best_parameters = [p.detach().clone() for p in model.parameters()]
                best_buffers = [b.clone() for b in model.buffers()]
    if best is not None:
        for p, value in zip(model.parameters(), best_parameters, strict=True):
            p.data = value
        for b, value in zip(model.buffers(), best_buffers, strict=True):
            b.copy_(value)
    return history


# %% chunks
def fit(model, batches, held_out, loss, optimizer, rate, limit, steps, every):
    def learn(step):
        x, y = batches.__next__()
        for group in optimizer.param_groups:
            group.update(lr=rate(step))

        def closure():
            optimizer.zero_grad()
            out = loss(model.train()(x), y)
            out.backward()
            norm = torch.stack([p.grad.norm() for p in model.parameters() if p.requires_grad]).norm()
            for p in model.parameters():
                if p.requires_grad:
                    p.grad = p.grad * torch.clamp(limit / norm, max=1.0)
            return out

        return optimizer.step(closure).item()

    def stretch(start):
        stop = min(start + every, steps)
        losses = [learn(step) for step in range(start, stop)]
        return (stop, sum(losses) / len(losses), score(model, held_out, loss)), copy.deepcopy(model.state_dict())

    records, states = zip(*(stretch(start) for start in range(0, steps, every)), strict=True)
    order = sorted((r[2], i) for i, r in enumerate(records) if r[2] < float("inf"))
    if order:
        model.load_state_dict(states[order[0][1]])
    return list(records)
