"""Short sentences in French, written in English: most adjectives change places with their noun."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import torch
from torch import nn
from torch.nn import functional

from autograder.student.capstones.data import french
from autograder.student.capstones.fitting import Batch
from autograder.student.capstones.recipe import (
    CaptionedPlot,
    Figure,
    Prompted,
    Sampling,
    SideBySide,
    TrainingPlan,
    UnreadablePromptError,
    weights_of,
)
from reference.blocks import mine

PAD, BOS, EOS = 0, 1, 2
LONGEST, BATCH, HELD_OUT, SHOWN = 5, 64, 40, 6
FRENCH = ("<pad>", *sorted({word for said, _ in french() for word in said.split()}))
ENGLISH = ("<pad>", "<bos>", "<eos>", *sorted({word for _, said in french() for word in said.split()}))
"""The words of both languages, by id."""


def source_ids(sentences: Sequence[str]) -> torch.Tensor:
    """French sentences as ids (N, 5), padding behind them."""
    return _ids([said.split() for said in sentences], FRENCH, LONGEST)


def target_ids(sentences: Sequence[str]) -> torch.Tensor:
    """English sentences as ids (N, 6), with `EOS` and padding behind them."""
    return _ids([[*said.split(), "<eos>"] for said in sentences], ENGLISH, LONGEST + 1)


def _ids(sentences: Sequence[Sequence[str]], words: Sequence[str], length: int) -> torch.Tensor:
    rows = [[words.index(word) for word in said] for said in sentences]
    return torch.tensor([row + [PAD] * (length - len(row)) for row in rows])


def text(ids: torch.Tensor) -> str:
    """English ids as a sentence, up to the end."""
    said = ids.tolist()
    return " ".join(ENGLISH[number] for number in said[: said.index(EOS) if EOS in said else len(said)])


@lru_cache
def pairs() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The pairs that are learned from, and those that are held out."""
    order = torch.randperm(len(french()), generator=torch.Generator().manual_seed(8)).tolist()
    return [french()[place] for place in order[HELD_OUT:]], [french()[place] for place in order[:HELD_OUT]]


def _side_by_side(chosen: Sequence[tuple[str, str]]) -> Batch:
    """The ids of both languages side by side (N, 5 + 6), the target shifted, and the target (N, 6)."""
    target = target_ids([said for _, said in chosen])
    return torch.cat([source_ids([said for said, _ in chosen]), mine.shift_right(target, BOS)], 1), target


class French(Prompted):
    name = "french"
    title = "French to English"
    says = "The Transformer of chapter 8 translates short sentences that it has never seen."
    exercise = "Transformer"
    pieces = ("Transformer", "shift_right", "sequence_loss", "greedy_decode")
    plan = TrainingPlan(steps=300, rate=3e-3, every=20)
    label = "held-out sentences translated without a mistake"
    goals = (0.9, 1.0)
    graded = False
    prompt = "je vois un chat fatigué"
    arguments = (len(FRENCH), len(ENGLISH), LONGEST + 1, 32, 2, 128, 1, 0.0)

    def batch(self, random: torch.Generator) -> Batch:
        learned = pairs()[0]
        return _side_by_side([learned[place] for place in torch.randint(len(learned), (BATCH,), generator=random)])

    def held_out(self) -> Batch:
        return _side_by_side(pairs()[1])

    def reader(self, model: nn.Module) -> nn.Module:
        return SideBySide(model, LONGEST)

    def loss(self, output: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return mine.sequence_loss(output, labels, PAD)

    def score(self, model: nn.Module, device: torch.device) -> float:
        said = self._written(model, [asked for asked, _ in pairs()[1]], device)
        return sum(got == right for got, (_, right) in zip(said, pairs()[1], strict=True)) / HELD_OUT

    def baselines(self) -> Sequence[Figure]:
        score = sum("jeune" in asked for asked, _ in pairs()[1]) / HELD_OUT
        return [Figure("a dictionary, word for word", score, self.written(score))]

    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        shown = pairs()[1][:SHOWN]
        said = self._written(model, [asked for asked, _ in shown], device)
        return [(*pair, got) for pair, got in zip(shown, said, strict=True)]

    def answer(self, model: nn.Module, prompt: str, sampling: Sampling, write: Callable[[str], None]) -> None:
        words = prompt.lower().split()
        if not 0 < len(words) <= LONGEST or not {*words} <= {*FRENCH[1:]}:
            raise UnreadablePromptError(f"it reads one to {LONGEST} of these words: {' '.join(FRENCH[1:])}")
        write(self._written(model, [" ".join(words)], torch.device("cpu"))[0])

    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        asked, right = next(pair for pair in pairs()[1] if "jeune" not in pair[0] and len(pair[0].split()) == LONGEST)
        source, target = source_ids([asked]).to(device), target_ids([right]).to(device)
        layers = weights_of(model, lambda: model(source, mine.shift_right(target, BOS)))
        across = [each for each in layers if each.shape[-2:] == (target.shape[1], source.shape[1])]
        says = "Each English word looks at the French one that it comes from: adjective and noun cross."
        rows = [*right.split(), "end"]
        return [CaptionedPlot(says, mine.heatmap(across[-1][0].mean(0), rows=rows, columns=asked.split()))] * bool(
            across
        )

    def _written(self, model: nn.Module, sentences: Sequence[str], device: torch.device) -> list[str]:
        said = mine.greedy_decode(model, source_ids(sentences).to(device), BOS, EOS, LONGEST + 1).cpu()
        return [text(functional.pad(row, (0, 1), value=EOS)) for row in said]
