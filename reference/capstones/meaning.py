"""Meaning: a published BERT in the learner's own pieces turns sentences into vectors, and a new head reads them."""

import copy
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import nn

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents
from autograder.student.capstones.data import sentences, shakespeare
from autograder.student.capstones.fitting import Batch
from autograder.student.capstones.published import PublishedModel
from autograder.student.capstones.recipe import (
    CaptionedPlot,
    Figure,
    Prompted,
    Recipe,
    Sampling,
    TrainingPlan,
    UnreadablePromptError,
)
from reference.blocks import mine
from reference.capstones.sentiment import counting, of_sentences, verdict

ASKED = "That is a happy person"
PUBLISHED = {"That is a happy dog": 0.6946, "That is a very happy person": 0.9429, "Today is a sunny day": 0.2569}
"""How alike these sentences and `ASKED` are, as the model's authors publish it."""
SPLITS, FIFTH = 3, 5
"""In split k, every fifth sentence from number k on is held out."""
LONGEST, BATCH, LEARNED_AT_ONCE, MEASURED = 64, 64, 32, 200
NONE = -1
"""In the place of a label that a split has not."""
LEAST_WORDS, ONE_IN, NEAREST, SHOWN = 5, 4, 3, 3
WORD = r"[^\W_]+|[^\w\s]|_"


class Reader(nn.Module):
    """A published BERT, and on its sentence vectors a head that is new: ids (B, T) -> logits (B, splits)."""

    def __init__(self, bert: nn.Module, width: int, pad: int) -> None:
        super().__init__()
        self.bert = bert
        self.head = nn.Linear(width, SPLITS)
        self.pad = pad

    def vectors(self, ids: torch.Tensor) -> torch.Tensor:
        """The vector of each text, (B, D): the last block's mean over real tokens, of length 1."""
        real = ids != self.pad
        x = self.bert.embedding(ids, torch.zeros_like(ids))
        for block in self.bert.blocks:  # type: ignore[union-attr]
            x = block(x, real[:, None, None])
        return mine.sentence_vector(x, real)  # type: ignore[no-any-return]

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.head(self.vectors(ids))  # type: ignore[no-any-return]


class Tokens:
    """Texts as ids, of the pieces of a published vocabulary."""

    def __init__(self, pieces: Mapping[str, int]) -> None:
        self.pieces = pieces
        self.known: dict[str, list[int]] = {}

    def of(self, text: str) -> list[int]:
        """`[CLS]`, the pieces of the words in lower case, without accents, and `[SEP]`."""
        bare = (letter for letter in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(letter))
        found = [number for word in re.findall(WORD, "".join(bare)) for number in self._word(word)]
        return [self.pieces["[CLS]"], *found[: LONGEST - 2], self.pieces["[SEP]"]]

    def _word(self, word: str) -> list[int]:
        if word not in self.known:
            self.known[word] = [self.pieces[piece] for piece in mine.word_pieces(word, self.pieces)]
        return self.known[word]

    def batch(self, rows: Sequence[Sequence[int]], device: torch.device) -> torch.Tensor:
        """Ids (B, T), padding behind them."""
        longest = max(map(len, rows))
        return torch.tensor([[*row] + [self.pieces["[PAD]"]] * (longest - len(row)) for row in rows], device=device)


class Meaning(Prompted):
    name = "meaning"
    title = "What a sentence means"
    says = (
        "A published BERT, computed by your pieces, turns sentences into vectors, and a new head learns to read them."
    )
    exercise = "BertClassifier"
    pieces = ("word_pieces", "course_weights", "sentence_vector", "freeze_all_but_head", "binary_cross_entropy")
    tools = ("learning_rate", "clip_gradients")
    plan = TrainingPlan(steps=100, rate=0.1, warmup=5, every=10)
    label = "held-out sentences judged right by the head alone, mean of three splits"
    goals = (0.87,)
    graded = False
    pretrained = True
    prompt = "I am so tired of waiting for you"

    def __init__(self, model: PublishedModel | None = None, folder: Path | None = None) -> None:
        self.folder, self.head_alone = folder, 0.0
        self.known: dict[str, torch.Tensor] = {}
        if model is not None:
            self.model, self.found = model, model.says
            self.arguments = (*model.sizes, 2)
            self.tokens = Tokens(model.pieces)

    def built(self, build: Callable[..., nn.Module]) -> nn.Module:
        """The head of a reader that holds the published numbers and in which nothing else learns."""
        if "encoder" not in vars(self):
            bert = build(*self.arguments)
            self._fill(bert)
            self.encoder = Reader(bert, self.model.width, self.model.pieces["[PAD]"]).eval()
        self.encoder.head = nn.Linear(self.model.width, SPLITS)
        return mine.freeze_all_but_head(self.encoder).head  # type: ignore[no-any-return]

    def _fill(self, bert: nn.Module) -> None:
        """Put the published numbers into the model, and their eps into its norms."""
        try:
            state = mine.course_weights(self.model.tensors, self.model.sizes[-1])
            left = bert.load_state_dict(state, strict=False)
        except (KeyError, RuntimeError) as error:
            raise UsageError(f"the published numbers do not fit your BertClassifier: {error}") from error
        if any(not name.startswith("head.") for name in left.missing_keys) or left.unexpected_keys:
            odd = [*left.unexpected_keys, *left.missing_keys]
            raise UsageError(f"the published numbers do not fit your BertClassifier: {', '.join(odd[:3])}")
        for each in bert.modules():
            if isinstance(each, nn.LayerNorm):
                each.eps = self.model.eps

    @cached_property
    def texts(self) -> list[str]:
        return [text for _, _, text in sentences()]

    @cached_property
    def labels(self) -> torch.Tensor:
        return torch.tensor([label for _, label, _ in sentences()])

    @cached_property
    def held(self) -> torch.Tensor:
        return held_out(len(self.labels))

    @cached_property
    def lines(self) -> list[str]:
        """One in four of Shakespeare's different lines of five words or more."""
        return [line for line in dict.fromkeys(shakespeare().split("\n")) if len(line.split()) >= LEAST_WORDS][::ONE_IN]

    def vectors_of(self, texts: Sequence[str], device: torch.device) -> torch.Tensor:
        """The vector of each text, (N, D), on the CPU; texts of like length are computed together."""
        rows = [self.tokens.of(text) for text in texts]
        found = torch.zeros(len(rows), self.model.width)
        self.encoder.to(device).eval()
        with torch.no_grad():
            for chosen in alike(list(map(len, rows)), BATCH):
                ids = self.tokens.batch([rows[place] for place in chosen], device)
                found[chosen] = self.encoder.vectors(ids).cpu()
        return found

    def kept(self, name: str, texts: Sequence[str], device: torch.device) -> torch.Tensor:
        """The vectors of texts that never change: computed once, then read from the folder."""
        if name in self.known:
            return self.known[name]
        path = (
            None if self.folder is None else files.inside(self.folder, f"{name}-{self.model.sha256[:12]}.safetensors")
        )
        found = None if path is None else read(path, (len(texts), self.model.width))
        if found is None:
            found = self.vectors_of(texts, device)
            if path is not None:
                files.write(path, save({"vectors": found}))
        self.known[name] = found
        return found

    def batch(self, random: torch.Generator) -> Batch:
        return self._vectors(), self.labels[:, None].masked_fill(self.held, NONE)

    def held_out(self) -> Batch:
        return self._vectors(), self.labels[:, None].masked_fill(~self.held, NONE)

    def _vectors(self) -> torch.Tensor:
        """Of all sentences, (N, D); computed where the head is."""
        return self.kept("sentences", self.texts, self.encoder.head.weight.device)

    def loss(self, output: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """Of logits (N, splits) and labels of that form, which are `NONE` where a split has none."""
        asked = labels != NONE
        return mine.binary_cross_entropy(output[asked], labels[asked])  # type: ignore[no-any-return]

    def score(self, model: nn.Module, device: torch.device) -> float:
        return float(self._scores(model, device).mean())

    def _scores(self, model: nn.Module, device: torch.device) -> torch.Tensor:
        """The share of held-out sentences that the head judges right, (splits,)."""
        logits = model(self.kept("sentences", self.texts, device).to(device)).cpu()
        right = ((logits > 0) == (self.labels[:, None] == 1)) & self.held
        return right.sum(0).double() / self.held.sum(0)

    def baselines(self) -> Sequence[Figure]:
        known = of_sentences()
        score = sum(counting(replace(known, held=held)) for held in held_out(len(known.labels)).T) / SPLITS
        return [
            Figure("counting words (naive Bayes), mean of the same splits", score, self.written(score)),
            Figure("chapter 7's classifier, from nothing (attend train sentiment)", 0.82, "82%"),
        ]

    def sequel(self, model: nn.Module) -> tuple[Recipe, nn.Module]:
        device = next(model.parameters()).device
        with torch.no_grad():
            self.head_alone = float(self._scores(model.eval(), device)[0])
        reader = copy.deepcopy(self.encoder)
        reader.head = copy.deepcopy(model)
        return FineTuning(self), reader.requires_grad_(True)

    def comparison(self, scores: Mapping[int, float], step: int, other: float) -> Sequence[Figure]:
        better = "better than the head alone" if other > self.head_alone else "not better than the head alone"
        compared = {
            "the head alone, on the first split": self.head_alone,
            f"all of it for one pass, on the same split ({better})": other,
        }
        return [Figure(label, score, self.written(score)) for label, score in compared.items()]

    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        vectors = self.vectors_of([ASKED, *PUBLISHED], device)
        likeness = [f"{each:.4f}" for each in (vectors[1:] @ vectors[0]).tolist()]
        right = [f"{each:.4f}" if self.model.is_known else "" for each in PUBLISHED.values()]
        alike = [
            (f"how alike: {ASKED} · {other}", *pair) for other, *pair in zip(PUBLISHED, right, likeness, strict=True)
        ]
        near = self.nearest(self.prompt, device)
        return [*alike, (f"{self.prompt}\n", "", near), *self._verdicts(model, device)]

    def _verdicts(self, model: nn.Module, device: torch.device) -> Iterator[tuple[str, str, str]]:
        chosen = self.held[:, 0].nonzero()[:, 0][:: int(self.held[:, 0].sum()) // SHOWN][:SHOWN].tolist()
        vectors = self.kept("sentences", self.texts, device)[chosen].to(device)
        with torch.no_grad():
            sure = model(vectors)[:, 0].sigmoid().tolist()
        for place, each in zip(chosen, sure, strict=True):
            yield self.texts[place], "pleased" if self.labels[place] else "not pleased", verdict(each)

    def nearest(self, text: str, device: torch.device) -> str:
        """The lines of Shakespeare with the most similar vectors, and how similar they are."""
        cosines = self.kept("lines", self.lines, device) @ self.vectors_of([text], device)[0]
        best = cosines.topk(NEAREST)
        return "\n".join(
            f"  {each:.2f}  {self.lines[place]}" for each, place in zip(*map(torch.Tensor.tolist, best), strict=True)
        )

    def answer(self, model: nn.Module, prompt: str, sampling: Sampling, write: Callable[[str], None]) -> None:
        if not prompt.strip():
            raise UnreadablePromptError("give it a sentence, such as " + self.prompt)
        here = torch.device("cpu")
        sure = float(model(self.vectors_of([prompt], here))[0, 0].sigmoid())
        write(f"{self.nearest(prompt, here)}\nas a review: {verdict(sure)}")

    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        vectors = self.vectors_of([ASKED, *PUBLISHED], device)
        names = [f"{number} {text}" for number, text in enumerate([ASKED, *PUBLISHED], 1)]
        cosines = (vectors @ vectors.T).round(decimals=4)
        says = "How alike four sentences are, as the cosines of their vectors."
        return [CaptionedPlot(says, mine.heatmap(cosines, rows=names, columns=list("1234")))]


class FineTuning(Meaning):
    """The whole reader, which learns from each sentence of the first split once."""

    plan = TrainingPlan(steps=75, rate=5e-5, warmup=8, every=25, share=1.0)
    compared_as = "all of it fine-tuned"

    def __init__(self, before: Meaning) -> None:
        vars(self).update(vars(before))
        self.rows = [self.tokens.of(text) for text in self.texts]
        self.ahead: list[list[int]] = []

    def batch(self, random: torch.Generator) -> Batch:
        if not self.ahead:
            learned = (~self.held[:, 0]).nonzero()[:, 0]
            learned = learned[torch.randperm(len(learned), generator=random)].tolist()
            batches = alike([len(self.rows[place]) for place in learned], LEARNED_AT_ONCE)
            order = torch.randperm(len(batches), generator=random).tolist()
            self.ahead = [[learned[place] for place in batches[number]] for number in order]
        return self._examples(self.ahead.pop())

    def held_out(self) -> Batch:
        return self._examples(self.held[:, 0].nonzero()[:MEASURED, 0].tolist())

    def _examples(self, chosen: Sequence[int]) -> Batch:
        return self.tokens.batch([self.rows[place] for place in chosen], torch.device("cpu")), self.labels[chosen]

    def loss(self, output: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return mine.binary_cross_entropy(output[:, 0], labels)  # type: ignore[no-any-return]

    def score(self, model: nn.Module, device: torch.device) -> float:
        held = self.held[:, 0].nonzero()[:, 0].tolist()
        right = 0
        for batch in alike([len(self.rows[place]) for place in held], BATCH):
            chosen = [held[place] for place in batch]
            logits = model(self.tokens.batch([self.rows[place] for place in chosen], device))[:, 0].cpu()
            right += int(((logits > 0) == (self.labels[chosen] == 1)).sum())
        return right / len(held)


def held_out(count: int) -> torch.Tensor:
    """Which sentences each split holds out, (count, splits)."""
    return torch.arange(count)[:, None] % FIFTH == torch.arange(SPLITS)


def alike(lengths: Sequence[int], size: int) -> list[list[int]]:
    """Places in batches of `size`, each of texts of like length, so that little is padded."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    return [order[begin : begin + size] for begin in range(0, len(order), size)]


def read(path: Path, shape: tuple[int, int]) -> torch.Tensor | None:
    """The vectors of a file; None where it has none of this form."""
    try:
        found: Any = load(contents(path)).get("vectors")
    except (OSError, SafetensorError, ValueError):
        return None
    return found if found is not None and found.shape == shape and found.dtype == torch.float32 else None
