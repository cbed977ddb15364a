"""A small GPT of characters on Shakespeare's plays."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import torch
from torch import nn
from torch.nn import functional

from autograder.student.capstones.data import shakespeare
from autograder.student.capstones.fitting import Batch
from autograder.student.capstones.recipe import (
    CaptionedPlot,
    DesignBudget,
    Figure,
    Prompted,
    Sampling,
    TrainingPlan,
    UnreadablePromptError,
    weights_of,
)
from reference.blocks import mine

CONTEXT, BATCH, LEARNED = 64, 12, 0.9
LENGTHS, ROWS, SCORED = range(8, CONTEXT + 1, 8), 200, 50
HEAD_LINE = "ROMEO:\nBut soft, what light through yonder window breaks?\n"


@lru_cache
def alphabet() -> str:
    """The 65 characters of the plays, sorted: a character's id is its place."""
    return "".join(sorted(set(shakespeare())))


@lru_cache
def plays() -> tuple[torch.Tensor, torch.Tensor]:
    """The ids of what is learned from, and of what is held out."""
    places = {character: number for number, character in enumerate(alphabet())}
    ids = torch.tensor([places[character] for character in shakespeare()])
    border = int(LEARNED * len(ids))
    return ids[:border], ids[border:]


@lru_cache
def held_out() -> tuple[tuple[torch.Tensor, torch.Tensor], ...]:
    """Texts (200, t) for t = 8, 16, ... 64, and the character that comes after each, (200,); no two texts overlap."""
    random, (_, text) = torch.Generator().manual_seed(64), plays()
    places = torch.randperm(len(text) // (CONTEXT + 1), generator=random) * (CONTEXT + 1)
    found = []
    for length, starts in zip(LENGTHS, places.split(ROWS), strict=False):
        windows = text[starts[:, None] + torch.arange(length + 1)]
        found.append((windows[:, :-1], windows[:, -1]))
    return tuple(found)


def decode(ids: Sequence[int]) -> str:
    return "".join(alphabet()[number] for number in ids)


def encode(text: str) -> torch.Tensor:
    return torch.tensor([alphabet().index(character) for character in text])


class Shakespeare(Prompted):
    name = "shakespeare"
    title = "Shakespeare, character by character"
    says = "A GPT that has read nine tenths of Shakespeare's plays goes on writing."
    exercise = "build_shakespeare"
    pieces = ("CausalLM", "next_token_pairs", "perplexity", "next_token_distribution", "generate", "name_head",
              "pattern_scores")  # fmt: skip
    plan = TrainingPlan(steps=1500, rate=3e-3, warmup=100, decay=0.1, every=125)
    budget = DesignBudget(parameters=2_000_000, seconds=180)
    positions = "embedding.position.weight"
    prompt, draws = HEAD_LINE, True
    label = "held-out loss per character, in nats"
    higher_is_better = False
    goals = (2.3, 2.0, 1.9)

    def __init__(self) -> None:
        self.arguments = (len(alphabet()),)

    def batch(self, random: torch.Generator) -> Batch:
        learned = plays()[0]
        starts = torch.randint(len(learned) - CONTEXT, (BATCH, 1), generator=random)
        inputs, labels = mine.next_token_pairs(learned[starts + torch.arange(CONTEXT + 1)])
        return inputs, labels

    def held_out(self) -> Batch:
        texts, after = (each[:SCORED] for each in held_out()[-1])
        inputs, labels = mine.next_token_pairs(torch.cat([texts, after[:, None]], 1))
        return inputs, labels

    def loss(self, output: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(output.flatten(0, 1), labels.flatten())

    def score(self, model: nn.Module, device: torch.device) -> float:
        said = (model(ids.to(device))[:, -1].cpu() for ids, _ in held_out())
        return loss_of(said)

    def baselines(self) -> Sequence[Figure]:
        return [
            Figure(f"counting {order} characters", value := _counted(order), self.written(value)) for order in (2, 3)
        ]

    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        random = torch.Generator().manual_seed(1)  # on the CPU, as not every device has the same

        def choose(logits: torch.Tensor) -> torch.Tensor:
            likely = mine.next_token_distribution(logits, temperature=0.8, top_k=20)
            return torch.multinomial(likely.cpu(), 1, generator=random)[:, 0].to(device)

        prompt = encode(HEAD_LINE)[None].to(device)
        text = decode(mine.generate(model, prompt, 300, choose)[0].tolist())
        return [(HEAD_LINE, "", text.removeprefix(HEAD_LINE))]

    def answer(self, model: nn.Module, prompt: str, sampling: Sampling, write: Callable[[str], None]) -> None:
        unknown = sorted({*prompt} - {*alphabet()})
        if unknown:
            raise UnreadablePromptError(
                f"it has never read {' '.join(unknown)}; it knows {''.join(alphabet()).strip()}"
            )
        random = torch.Generator().manual_seed(sampling.seed or 0)

        def choose(logits: torch.Tensor) -> torch.Tensor:
            likely = mine.next_token_distribution(logits, temperature=sampling.temperature, top_p=sampling.top_p)
            chosen = torch.multinomial(likely, 1, generator=random)[:, 0]
            write(decode(chosen.tolist()))
            return chosen

        mine.generate(model, encode(prompt or "\n")[None], sampling.length, choose)

    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        line = HEAD_LINE.splitlines()[1][:32]
        layers = weights_of(model, lambda: model(encode(line)[None].to(device)))
        named = list(_named(layers, line))
        listed = "; ".join(f"block {block}, head {head}: {name}" for block, head, name, _ in named)
        shown = (
            [CaptionedPlot(f"What chapter 13 calls the heads: {listed}.", mine.bars(_counts(named)))] if named else []
        )
        telling = [each for each in named if each[2] != "mixed"][:2] or named[:1]
        return shown + [
            CaptionedPlot(f"Block {block}, head {head}: {name}.", mine.heatmap(weights, rows=[*line], columns=[*line]))
            for block, head, name, weights in telling
        ]


def _named(layers: Sequence[torch.Tensor], line: str) -> Iterator[tuple[int, int, str, torch.Tensor]]:
    """Block, head, name by chapter 13, and weights (T, T) of each head."""
    for block, weights in enumerate(layers, 1):
        for head, map_ in enumerate(weights[0], 1):
            scores = mine.pattern_scores(map_.double(), [*line], [0] * len(line), {" "})
            apart = {name: value for name, value in scores.items() if name != "same_sentence"}
            yield block, head, mine.name_head(apart | {"same_sentence": 0.0}, 0.4), map_


def _counts(named: Sequence[tuple[int, int, str, torch.Tensor]]) -> dict[str, float]:
    names = [name for _, _, name, _ in named]
    return {name: float(names.count(name)) for name in dict.fromkeys(names)}


def loss_of(said: Iterator[torch.Tensor]) -> float:
    """The mean cross-entropy of logits (200, V), one for each length of the held-out texts."""
    pairs = zip(said, held_out(), strict=True)
    losses = [functional.cross_entropy(logits.double(), after) for logits, (_, after) in pairs]
    return float(torch.stack(losses).mean())


def _counted(order: int) -> float:
    """The loss of counts of `order` characters in a row, each seen once more than it was."""
    learned, words = plays()[0], len(alphabet())
    places = sum(
        learned[start : len(learned) - order + 1 + start] * words ** (order - 1 - start) for start in range(order)
    )
    counts = torch.bincount(places, minlength=words**order).view(-1, words).double() + 0.1
    table = (counts / counts.sum(-1, keepdim=True)).log()
    powers = words ** torch.arange(order - 2, -1, -1)
    return loss_of(table[(ids[:, 1 - order :] * powers).sum(-1)] for ids, _ in held_out())
