"""Liked or not: sentences of reviews, read by the classifier of chapter 7."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from autograder.student.capstones.data import encoded_sentences, is_held_out, sentences, vocabulary
from autograder.student.capstones.fitting import Batch
from autograder.student.capstones.imdb import reviews
from autograder.student.capstones.recipe import (
    CaptionedPlot,
    DesignBudget,
    Figure,
    Prompted,
    Sampling,
    TrainingPlan,
    UnreadablePromptError,
    first_member,
    weights_of,
)
from reference.blocks import mine

PAD, UNKNOWN = 0, 1
LONGEST, SHORT, BATCH, REPLACED = 200, 40, 64, 0.3
SHOWN, SCORED = 6, 200
LEAST_STEPS = 80
WORD = r"[a-z']+"


@dataclass(frozen=True)
class Texts:
    """Texts with their labels: ids (N, T), padding in front, labels (N,), and which of them are held out, (N,)."""

    texts: Sequence[str]
    words: Sequence[str]
    ids: torch.Tensor
    labels: torch.Tensor
    held: torch.Tensor


def of_sentences() -> Texts:
    """The last 40 words of each sentence that comes with the course; 4,000 words, from those that are learned from."""
    rows = sentences()
    ids, labels = encoded_sentences(), torch.tensor([label for _, label, _ in rows])
    return Texts([text for _, _, text in rows], vocabulary(), padded(ids, SHORT), labels, is_held_out(len(rows)))


def of_reviews(place: Path) -> Texts:
    """IMDB's reviews, with the 20,000 commonest words of those that are learned from; the last 200 words of each."""
    texts, labels, held = reviews(place)
    words = mine.word_vocabulary([text for text, out in zip(texts, held.tolist(), strict=True) if not out], 20_000)
    ids = [mine.encode_text(text, words) for text in texts]
    return Texts(texts, words, padded(ids, min(LONGEST, max(map(len, ids)))), labels, held)


def padded(rows: Sequence[Sequence[int]], longest: int) -> torch.Tensor:
    """The last ids of each text, padding in front: (N, longest)."""
    return torch.tensor([[PAD] * (longest - len(row)) + [*row][-longest:] for row in rows])


def held_out() -> tuple[torch.Tensor, torch.Tensor]:
    """Ids (600, T) of sentences that nothing is learned from, and their labels (600,)."""
    texts = of_sentences()
    return texts.ids[texts.held], texts.labels[texts.held]


class Sentiment(Prompted):
    name = "sentiment"
    title = "Liked or not"
    says = "The classifier of chapter 7 reads a sentence of a review and says whether its author was pleased."
    exercise = "build_sentiment"
    pieces = ("SentimentClassifier", "binary_cross_entropy", "accuracy", "word_vocabulary", "encode_text",
              "decode_ids", "attended_word")  # fmt: skip
    plan = TrainingPlan(steps=900, rate=3e-3, every=60)
    budget = DesignBudget(parameters=1_000_000, seconds=60)
    positions = "embedding.position.weight"
    label = "held-out texts judged right"
    goals = (0.78, 0.83)
    prompt = "a slow start, but what an ending"

    def __init__(self, place: Path | None = None) -> None:
        self.place = place
        texts = of_sentences() if place is None else of_reviews(place)
        self.texts = texts
        self.arguments = (len(texts.words),)
        self.learned = (~texts.held).nonzero()[:, 0]
        if place is not None:
            self.name, self.goals, self.graded = "sentiment-imdb", (0.85,), False
            self.budget = DesignBudget(parameters=5_000_000, seconds=120)
            steps = max(LEAST_STEPS, 6 * -(-len(self.learned) // BATCH))
            self.plan = TrainingPlan(steps=steps, rate=5e-3, warmup=30, every=steps // 8)

    @property
    def words(self) -> str:
        return "sentiment" if self.place is None else f"sentiment --data {self.place}"

    def batch(self, random: torch.Generator) -> Batch:
        chosen = self.learned[torch.randint(len(self.learned), (BATCH,), generator=random)]
        ids = self.texts.ids[chosen]
        replaced = (torch.rand(ids.shape, generator=random) < REPLACED) & (ids != PAD)
        return ids.masked_fill(replaced, UNKNOWN), self.texts.labels[chosen]

    def held_out(self) -> Batch:
        chosen = self.texts.held.nonzero()[:, 0]
        chosen = chosen[:: max(1, len(chosen) // SCORED)]
        return self.texts.ids[chosen], self.texts.labels[chosen]

    def loss(self, output: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return mine.binary_cross_entropy(output, labels)

    def score(self, model: nn.Module, device: torch.device) -> float:
        ids, labels = self.texts.ids[self.texts.held], self.texts.labels[self.texts.held]
        logits = torch.cat([model(batch.to(device)).cpu() for batch in ids.split(500)])
        return float(((logits > 0).long() == labels).double().mean())

    def baselines(self) -> Sequence[Figure]:
        score = counting(self.texts)
        known = [Figure("counting words (naive Bayes)", score, self.written(score))]
        lecture = Figure("the lecture's model in Keras, on all of IMDB", 0.8522, "85.2%")
        return known if self.graded else [*known, lecture]

    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        chosen = self.texts.held.nonzero()[:: max(1, int(self.texts.held.sum()) // SHOWN), 0][:SHOWN]
        with torch.no_grad():
            sure = model(self.texts.ids[chosen].to(device)).sigmoid().cpu().tolist()
        right = ["pleased" if label else "not pleased" for label in self.texts.labels[chosen].tolist()]
        said = [verdict(each) for each in sure]
        return [(self.texts.texts[number][-300:], *pair)
                for number, *pair in zip(chosen.tolist(), right, said, strict=True)]  # fmt: skip

    def answer(self, model: nn.Module, prompt: str, sampling: Sampling, write: Callable[[str], None]) -> None:
        ids = mine.encode_text(prompt, self.texts.words)
        if not ids:
            raise UnreadablePromptError("give it a sentence, such as " + self.prompt)
        sure = float(model(padded([ids], SHORT)).sigmoid())
        unknown = [word for word in dict.fromkeys(re.findall(WORD, prompt.lower())) if word not in self.texts.words]
        write(verdict(sure) + (f"; it does not know {', '.join(unknown)}" if unknown else ""))

    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        lengths = (self.texts.ids[self.texts.held] != PAD).sum(1)
        chosen = self.texts.ids[self.texts.held][(lengths - 10).abs().argmin()][None]
        layers = weights_of(first_member(model), lambda: model(chosen.to(device)))
        if not layers:
            return ()
        first = int((chosen != PAD).int().argmax())
        words = [self.texts.words[number] for number in chosen[0, first:].tolist()]
        weights = layers[0][0][:, first:, first:]
        most = weights.amax(-1)
        says = (
            f"The word that each word looks at most, a colour for each head: with {most.min():.0%} of its attention "
            f"(faintest) to {most.max():.0%}."
        )
        return [CaptionedPlot(says, mine.lines(strongest(weights), words))]


def strongest(weights: torch.Tensor) -> torch.Tensor:
    """Of weights (H, T, T) the largest of each row, from 0.3 for the faintest of them to 1; the others are 0."""
    most, places = weights.max(-1, keepdim=True)
    low, high = most.min(), most.max()
    shares = 0.3 + 0.7 * (most - low) / (high - low) if high > low else torch.ones_like(most)
    return torch.zeros_like(weights).scatter(-1, places, shares)


def verdict(pleased: float) -> str:
    """What a probability says, in words."""
    return f"{'pleased' if pleased > 0.5 else 'not pleased'} ({max(pleased, 1 - pleased):.2f})"


def counting(texts: Texts) -> float:
    """The held-out accuracy of naive Bayes: every word votes by how much oftener it stands in liked texts."""
    words = [row[row > UNKNOWN].unique() for row in texts.ids]
    liked, other = (_texts_with(words, ~texts.held & (texts.labels == label), len(texts.words)) for label in (1, 0))
    votes = (liked / liked.sum()).log() - (other / other.sum()).log()
    right = [(votes[words[place]].sum() > 0) == (texts.labels[place] == 1) for place in texts.held.nonzero()[:, 0]]
    return float(torch.stack(right).double().mean())


def _texts_with(words: Sequence[torch.Tensor], chosen: torch.Tensor, size: int) -> torch.Tensor:
    """How many of the chosen texts each word stands in, and one more (size,)."""
    found = torch.cat([words[place] for place in chosen.nonzero()[:, 0]])
    return torch.bincount(found, minlength=size).double() + 1
