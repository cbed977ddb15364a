"""The oracle of chapter 16, held against torch's own optimizers and functions, and against runs by hand."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from reference import ch16_training as reference
from reference.blocks import Learner, Rates, TwiceTheTarget, endless, grouped

TIGHT = {"rtol": 0, "atol": 1e-12}
DICE = torch.Generator().manual_seed(7)


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=DICE, dtype=torch.float64)


BATCHES = [(normal(count, 3), normal(count)) for count in (5, 2, 4)]


@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_the_step_is_that_of_adamw(decay: float) -> None:
    kept = nn.Parameter(normal(4, 3))
    optimizer = torch.optim.AdamW([kept], lr=0.1, betas=(0.8, 0.95), eps=0.01, weight_decay=decay)
    p, m, v = kept.detach().clone(), torch.zeros_like(kept), torch.zeros_like(kept)
    for step in range(1, 6):
        gradient = normal(4, 3)
        kept.grad = gradient.clone()
        optimizer.step()
        p, m, v = reference.adamw_step(p, gradient, m, v, step, 0.1, 0.8, 0.95, 0.01, decay)
        torch.testing.assert_close(p, kept.detach(), **TIGHT)
    torch.testing.assert_close(m, optimizer.state[kept]["exp_avg"], **TIGHT)
    torch.testing.assert_close(v, optimizer.state[kept]["exp_avg_sq"], **TIGHT)


def test_without_correction_steps_are_as_long_as_the_lesson_says() -> None:
    length = {t: (1 - 0.9**t) / math.sqrt(1 - 0.999**t) for t in (1, 10, 100, 1000, 10_000)}
    assert [f"{length[t]:.2f}" for t in length] == ["3.16", "6.53", "3.24", "1.26", "1.00"]


def test_the_score_is_that_of_all_examples_in_one_batch() -> None:
    model = Learner(normal(3), 1.5, training=True)
    x, y = (torch.cat(parts) for parts in zip(*BATCHES, strict=True))
    score = reference.evaluate(model, iter(BATCHES), functional.mse_loss)
    assert model.training
    assert score == pytest.approx(functional.mse_loss(model.eval()(x), y).item())
    with pytest.raises(ValueError, match="no batch"):
        reference.evaluate(model, [], functional.mse_loss)


def by_hand(model: nn.Module, optimizer: torch.optim.Optimizer, rates: list[float], limit: float) -> Iterator[float]:
    """The losses of a run, each before its step."""
    for rate, (x, y) in zip(rates, endless(BATCHES), strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = TwiceTheTarget()(model.train()(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        yield loss.item()


@pytest.mark.parametrize("kind", ["SGD", "AdamW"])
def test_a_run_is_that_of_the_loop_by_hand(kind: str) -> None:
    weight, rates, held_out = normal(3), [0.05, 0.02, 0.04, 0.01, 0.03], [(normal(6, 3), normal(6))]
    model, other = Learner(weight.clone()), Learner(weight.clone())
    history = reference.fit(
        *(model, endless(BATCHES), held_out, TwiceTheTarget(), grouped(model, kind)), *(Rates(model, rates), 2.0, 5, 2)
    )
    losses = list(by_hand(other, grouped(other, kind), rates, 2.0))
    assert [record[0] for record in history] == [2, 4, 5]
    wanted = [sum(losses[:2]) / 2, sum(losses[2:4]) / 2, losses[4]]
    assert [record[1] for record in history] == pytest.approx(wanted, rel=1e-5)
    best = min(record[2] for record in history)
    assert reference.evaluate(model, held_out, TwiceTheTarget()) == pytest.approx(best)


def test_no_batch_is_taken_beyond_the_last_step() -> None:
    model, batches = Learner(normal(3)), endless(BATCHES, 4)
    settings = (BATCHES, TwiceTheTarget(), grouped(model, "SGD"), Rates(model, [0.01]), 1.0, 4, 3)
    assert len(reference.fit(model, batches, *settings)) == 2
    with pytest.raises(RuntimeError, match="batch number 5"):
        next(batches)


@pytest.mark.parametrize(
    ("history", "name"),
    [
        ([(4.0, 4.1), (3.0, math.nan)], "diverged"),
        ([(4.0, 4.1), (4.1, 4.0)], "diverged"),
        ([(4.0, 2.0), (3.0, 2.2)], "memorises"),
        ([(4.0, 2.0), (3.9, 2.05)], "stalls"),
        ([(4.0, 2.0), (3.7, 2.05)], "learns"),
        ([(4.0, 2.0)], "stalls"),
    ],
)
def test_runs_have_the_names_of_the_lesson(history: list[tuple[float, float]], name: str) -> None:
    assert reference.name_run([(number, *losses) for number, losses in enumerate(history)]) == name


def test_costs_are_those_of_the_lesson() -> None:
    gpt3 = reference.training_flops(175 * 10**9, 300 * 10**9)
    assert gpt3 == 315 * 10**21
    assert gpt3 / 4e14 / (365 * 24 * 3600) == pytest.approx(25, abs=0.1)
    assert reference.cache_bytes(32, 32, 128, 4096, 1, 2) == 2 * 2**30
    assert reference.cache_bytes(32, 8, 128, 4096, 1, 2) == 2**30 // 2


def test_the_line_is_that_of_polyfit() -> None:
    sizes, losses = [3e3, 2e5, 1e4, 7e6], [4.1, 2.5, 3.3, 2.2]
    slope, height = np.polyfit(np.log(sizes), np.log(losses), 1)
    assert reference.power_law(sizes, losses) == pytest.approx((math.exp(height), -slope))
