"""Up to eight digits in, the same digits out, from the last to the first: a translation whose grammar is known."""

from collections.abc import Callable, Sequence

import torch
from torch import nn
from torch.nn import functional

from autograder.student.capstones.fitting import Batch
from autograder.student.capstones.recipe import (
    CaptionedPlot,
    DesignBudget,
    Figure,
    Prompted,
    Sampling,
    SideBySide,
    TrainingPlan,
    UnreadablePromptError,
    weights_of,
)
from reference.blocks import mine

PAD, BOS, EOS, ZERO = 0, 1, 2, 3
"""Ids: padding, the beginning and end of a text, and the digit 0; the digit d is ZERO + d."""
WORDS, LONGEST = 13, 8
BATCH, HELD_OUT, SHOWN = 64, 500, 6


def examples(count: int, random: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Digits (count, 8) with padding behind them, and what they become (count, 9), with `EOS` and padding."""
    lengths = torch.randint(1, LONGEST + 1, (count, 1), generator=random)
    places = torch.arange(LONGEST)
    digits = torch.randint(ZERO, WORDS, (count, LONGEST), generator=random)
    source = digits.where(places < lengths, PAD)
    turned = digits.gather(1, (lengths - 1 - places).clamp(min=0)).where(places < lengths, PAD)
    return source, functional.pad(turned, (0, 1)).scatter(1, lengths, EOS)


def held_out() -> tuple[torch.Tensor, torch.Tensor]:
    """The examples that every model is held against."""
    return examples(HELD_OUT, torch.Generator().manual_seed(8))


def text(ids: torch.Tensor) -> str:
    """Digits as people write them, up to the end."""
    said = ids.tolist()
    return "".join(str(number - ZERO) if number >= ZERO else "·" for number in said[: _end(said)])


def _end(ids: list[int]) -> int:
    return next((place for place, number in enumerate(ids) if number in (EOS, PAD)), len(ids))


def exact(said: torch.Tensor, target: torch.Tensor) -> float:
    """The share of texts (B, T) that are right up to their end, that included."""
    wide = functional.pad(said, (0, target.shape[1] - said.shape[1]), value=PAD)
    return float(((wide == target) | (target == PAD)).all(-1).double().mean())


def _side_by_side(source: torch.Tensor, target: torch.Tensor) -> Batch:
    """The source and the shifted target side by side (B, 8 + 9), and the target (B, 9)."""
    return torch.cat([source, mine.shift_right(target, BOS)], 1), target


class Reverse(Prompted):
    name = "reverse"
    title = "Reverse a string"
    says = "A Transformer reads up to eight digits and writes them down backwards."
    exercise = "build_reverse"
    pieces = ("Transformer", "shift_right", "sequence_loss", "greedy_decode")
    plan = TrainingPlan(steps=900, rate=3e-3)
    budget = DesignBudget(parameters=100_000, seconds=30)
    label = "held-out texts reversed without a mistake"
    goals = (0.90, 0.98)
    prompt = "31415926"

    def batch(self, random: torch.Generator) -> Batch:
        return _side_by_side(*examples(BATCH, random))

    def held_out(self) -> Batch:
        return _side_by_side(*held_out())

    def reader(self, model: nn.Module) -> nn.Module:
        return SideBySide(model, LONGEST)

    def loss(self, output: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return mine.sequence_loss(output, labels, PAD)

    def score(self, model: nn.Module, device: torch.device) -> float:
        source, target = held_out()
        return exact(mine.greedy_decode(model, source.to(device), BOS, EOS, LONGEST + 1).cpu(), target)

    def baselines(self) -> Sequence[Figure]:
        source, target = held_out()
        ended = functional.pad(source, (0, 1)).scatter(1, (source != PAD).sum(1, keepdim=True), EOS)
        copied = exact(ended, target)
        return [Figure("copying the text as it is, which is right for palindromes", copied, self.written(copied))]

    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        source, target = (each[:SHOWN] for each in held_out())
        said = mine.greedy_decode(model, source.to(device), BOS, EOS, LONGEST + 1).cpu()
        return [(text(one), text(right), text(got)) for one, right, got in zip(source, target, said, strict=True)]

    def answer(self, model: nn.Module, prompt: str, sampling: Sampling, write: Callable[[str], None]) -> None:
        if not prompt.isdecimal() or not prompt.isascii() or len(prompt) > LONGEST:
            raise UnreadablePromptError(f"it reads one to {LONGEST} digits, such as {self.prompt}")
        source = torch.tensor([[int(digit) + ZERO for digit in prompt]])
        write(text(mine.greedy_decode(model, source, BOS, EOS, LONGEST + 1)[0]))

    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        source, target = (each.to(device) for each in _longest_texts())
        layers = weights_of(model, lambda: model(source, mine.shift_right(target, BOS)))
        across = [each.mean(0) for each in layers if each.shape[-2:] == (target.shape[1], source.shape[1])]
        if not across:
            return ()
        map_ = max(torch.cat(across)[:, :LONGEST], key=_on_rule)  # of (heads, 8, 8), a row for each digit written
        says = (
            f"The clearest head, over {len(source)} texts of {LONGEST} digits: {_on_rule(map_)} of the {LONGEST} digits"
            " that are written look most at the one that they come from, the diagonal from corner to corner."
        )
        places = range(1, LONGEST + 1)
        drawn = mine.heatmap(map_, rows=[f"written {n}" for n in places], columns=[f"read {n}" for n in places])
        return [CaptionedPlot(says, drawn)]


def _longest_texts() -> tuple[torch.Tensor, torch.Tensor]:
    """The held-out texts without padding, and what they become."""
    source, target = held_out()
    whole = (source != PAD).all(1)
    return source[whole], target[whole]


def _on_rule(map_: torch.Tensor) -> int:
    """How many of the digits written look most at the one that they come from; (8, 8)."""
    return int((map_.argmax(1) == torch.arange(LONGEST - 1, -1, -1)).sum())
