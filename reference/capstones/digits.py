"""Handwritten digits of 8 x 8 pixels, cut into four patches and read by a Vision Transformer."""

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn import functional

from autograder.student.capstones.data import digits, is_held_out
from autograder.student.capstones.fitting import Batch
from autograder.student.capstones.recipe import (
    CaptionedPlot,
    DesignBudget,
    Figure,
    Recipe,
    TrainingPlan,
    first_member,
    weights_of,
)
from reference.blocks import mine

BATCH, SHOWN = 64, 8
FEWEST_BLOCKS = 3
"""A curve over the depth needs as many points."""
VARIED = (0.1, 0.07, 0.1, 0.1)
"""How far a picture is varied at most: turned, in radians; stretched; moved, as shares of half of its side."""


def held_out() -> tuple[torch.Tensor, torch.Tensor]:
    """Images (360, 1, 8, 8) that nothing is learned from, and their labels (360,)."""
    images, labels = digits()
    held = is_held_out(len(images))
    return images[held], labels[held]


def varied(images: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """Images (B, 1, 8, 8), each turned, stretched and moved a little, as another hand might have written it."""
    angle, stretch, right, down = (torch.rand(4, len(images), generator=random) * 2 - 1) * torch.tensor(VARIED)[:, None]
    cos, sin = (1 + stretch) * angle.cos(), (1 + stretch) * angle.sin()
    places = torch.stack([cos, -sin, right, sin, cos, down], dim=1).view(-1, 2, 3)
    grid = functional.affine_grid(places, list(images.shape), align_corners=False)
    return functional.grid_sample(images, grid, align_corners=False)


class Digits(Recipe):
    name = "digits"
    title = "Handwritten digits"
    says = "A Vision Transformer reads a digit of 8 x 8 pixels as a sentence of four patches."
    exercise = "build_digits"
    pieces = ("VisionTransformer", "mean_attention_distance")
    plan = TrainingPlan(steps=3000, rate=3e-3, decay=0.1, every=250)
    budget = DesignBudget(parameters=250_000, seconds=60)
    positions = "embedding.positions"
    label = "held-out digits read right"
    goals = (0.93, 0.98)

    def __init__(self) -> None:
        images, labels = digits()
        learned = ~is_held_out(len(images))
        self.images, self.labels = images[learned], labels[learned]

    def batch(self, random: torch.Generator) -> Batch:
        chosen = torch.randint(len(self.images), (BATCH,), generator=random)
        return varied(self.images[chosen], random), self.labels[chosen]

    def held_out(self) -> Batch:
        return held_out()

    def loss(self, output: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(output, labels)

    def score(self, model: nn.Module, device: torch.device) -> float:
        images, labels = held_out()
        return float((model(images.to(device)).argmax(-1).cpu() == labels).double().mean())

    def baselines(self) -> Sequence[Figure]:
        images, labels = held_out()
        means = torch.stack([self.images[self.labels == digit].mean(0) for digit in range(10)])
        nearest = torch.cdist(images.flatten(1), means.flatten(1)).argmin(1)
        neighbour = self.labels[torch.cdist(images.flatten(1), self.images.flatten(1)).argmin(1)]
        found = {"the nearest of ten mean pictures": nearest, "the nearest of all pictures learned from": neighbour}
        scores = {label: float((guess == labels).double().mean()) for label, guess in found.items()}
        return [Figure(label, score, self.written(score)) for label, score in scores.items()]

    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        images, labels = held_out()
        with torch.no_grad():
            said = model(images.to(device)).argmax(-1).cpu()
        wrong = (said != labels).nonzero()[:, 0].tolist()
        chosen = [*wrong[: SHOWN // 2], *(number for number in range(SHOWN) if number not in wrong)][:SHOWN]
        return [(_drawn(images[each, 0]), str(int(labels[each])), str(int(said[each]))) for each in chosen]

    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        images = held_out()[0][:64].to(device)
        layers = weights_of(first_member(model), lambda: model(images))
        found = [weights for weights in layers if weights.shape[-1] > 1]
        if not found:
            return ()
        grid = round((found[0].shape[-1] - 1) ** 0.5)
        patch = 8 // grid
        apart = [mine.mean_attention_distance(_patches_alone(each), (grid, grid), patch) for each in found]
        bars = {f"block {block}, head {head}": float(pixels) for block, each in enumerate(apart, 1)
                for head, pixels in enumerate(each, 1)}  # fmt: skip
        depth = {"mean of the heads": [(block, float(each.mean())) for block, each in enumerate(apart, 1)]}
        heads = CaptionedPlot("How far each head looks, in pixels (chapter 11).", mine.bars(bars))
        if len(apart) < FEWEST_BLOCKS:
            return [heads]
        return [
            heads,
            CaptionedPlot("Mean attention distance over the depth.", mine.curve(depth, x="block", y="pixels")),
        ]


def _patches_alone(weights: torch.Tensor) -> torch.Tensor:
    """Weights (B, H, N, N) among the patches, without the class token; rows sum to 1 again."""
    among = weights[:, :, 1:, 1:]
    return among / among.sum(-1, keepdim=True).clamp(min=1e-9)


def _drawn(image: torch.Tensor) -> str:
    """A picture in characters, a line per row of pixels."""
    shades = " ░▒▓█"
    return "\n".join("".join(shades[int(value * 4)] * 2 for value in row) for row in image.tolist())
