"""The log sentences of chapter 1, and whether a head finds by itself the mask that was written by hand there."""

import random as chance
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
    TrainingPlan,
    UnreadablePromptError,
)
from reference.blocks import mine

FILLERS = ("and", "check", "find", "it", "log", "out", "the", "whether")
MASK = ("battery", "program")
"""The words that say how a sentence goes on after "ran"."""
VOCABULARY = ("<pad>", *sorted((*FILLERS, *MASK, "down", "please", "ran")))
PAD, RAN, DOWN, PLEASE = (VOCABULARY.index(word) for word in ("<pad>", "ran", "down", "please"))
BATCH, HELD_OUT = 32, 200
FIRST = tuple(f"check the {word} log and find out whether it ran".split() for word in MASK)


def sentence(random: chance.Random, told: bool = False) -> tuple[list[str], str]:
    """Words up to "ran", and the one that comes after it; if `told`, one of the mask's words is always there."""
    words = [word for word in FILLERS if random.random() > 0.3]
    random.shuffle(words)
    known = random.choice(MASK if told else (*MASK, ""))
    if known:
        words.insert(random.randrange(len(words) + 1), known)
    down = known == "battery" or (not known and random.random() < 0.5)
    return [*words, "ran"], "down" if down else "please"


def held_out() -> list[list[str]]:
    """The sentences of chapter 1 and others, each up to "ran" and with one of the mask's words."""
    random = chance.Random(1)
    return [*map(list, FIRST), *(sentence(random, told=True)[0] for _ in range(HELD_OUT - len(FIRST)))]


def after(sentences: Sequence[Sequence[str]]) -> torch.Tensor:
    """The id of the word that comes after each of the sentences of `held_out`."""
    return torch.tensor([DOWN if "battery" in words else PLEASE for words in sentences])


def ids_of(sentences: Sequence[Sequence[str]]) -> torch.Tensor:
    """(B, T), padding in front, so that "ran" is last in every row."""
    longest = max(map(len, sentences))
    rows = [[PAD] * (longest - len(words)) + [VOCABULARY.index(word) for word in words] for words in sentences]
    return torch.tensor(rows)


def looked_at(weights: torch.Tensor, ids: torch.Tensor) -> list[str]:
    """The word that "ran", the last of each row, attends to most; weights (B, T, T), ids (B, T)."""
    last = weights[:, -1].masked_fill(ids == PAD, -1.0)
    return [VOCABULARY[number] for number in ids.gather(1, last.argmax(-1, keepdim=True))[:, 0].tolist()]


def picked(weights: torch.Tensor, sentences: Sequence[Sequence[str]], ids: torch.Tensor) -> float:
    """The share of sentences in which "ran" attends most to the mask's word."""
    words = zip(looked_at(weights, ids), sentences, strict=True)
    return sum(word in MASK and word in said for word, said in words) / len(sentences)


class Markov(Prompted):
    name = "markov"
    title = "The mask of chapter 1, found by training"
    says = "One head of attention learns which of the earlier words says how a sentence goes on after “ran”."
    exercise = "build_markov"
    pieces = ("MultiHeadAttention", "attended_word")
    tools = ("learning_rate", "clip_gradients")  # one head alone, started small, finds nothing in so few steps
    plan = TrainingPlan(steps=400, rate=1e-2, every=20)
    budget = DesignBudget(parameters=10_000, seconds=30)
    label = "test sentences in which “ran” attends most to the mask's word"
    goals = (1.0,)
    prompt = " ".join(FIRST[1])
    arguments = (len(VOCABULARY),)

    def batch(self, random: torch.Generator) -> Batch:
        seed = int(torch.randint(2**31, (), generator=random))
        found = [sentence(chance.Random(seed + number)) for number in range(BATCH)]
        return ids_of([words for words, _ in found]), torch.tensor([VOCABULARY.index(word) for _, word in found])

    def held_out(self) -> Batch:
        sentences = held_out()
        return ids_of(sentences), after(sentences)

    def loss(self, output: tuple[torch.Tensor, torch.Tensor], labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(output[0][:, -1], labels)

    def score(self, model: nn.Module, device: torch.device) -> float:
        sentences = held_out()
        ids = ids_of(sentences)
        return picked(model(ids.to(device))[1].cpu(), sentences, ids)

    def baselines(self) -> Sequence[Figure]:
        sentences = held_out()
        even = sum(1 / len(words) for words in sentences) / len(sentences)
        return [Figure("looking at any word of the sentence", even, self.written(even))]

    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        ids = ids_of(FIRST)
        with torch.no_grad():
            logits, weights = model(ids.to(device))
        said = [VOCABULARY[number] for number in logits[:, -1].argmax(-1).tolist()]
        seen = looked_at(weights.cpu(), ids)
        right = ("down", "please")
        return [(f"{' '.join(words)} … (looks at “{at}”)", word, got)
                for words, at, word, got in zip(FIRST, seen, right, said, strict=True)]  # fmt: skip

    def answer(self, model: nn.Module, prompt: str, sampling: Sampling, write: Callable[[str], None]) -> None:
        words = prompt.lower().split()
        if not words or not {*words} <= {*VOCABULARY[1:]}:
            raise UnreadablePromptError(f"it reads these words: {' '.join(VOCABULARY[1:])}")
        ids = ids_of([words])
        logits, weights = model(ids)
        write(f"{VOCABULARY[int(logits[0, -1].argmax())]} (it looks at “{looked_at(weights, ids)[0]}”)")

    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        shown = []
        for words in FIRST:
            with torch.no_grad():
                weights = model(ids_of([words]).to(device))[1][0].cpu()
            most = mine.attended_word(weights, list(words))[-1]
            shown.append(CaptionedPlot(f"Who looks at whom; “ran” looks most at “{most}”.", mine.lines(weights, words)))
        return shown
