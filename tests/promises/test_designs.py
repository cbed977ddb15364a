"""The models of chapter 15 are the student's designs: any is accepted within its budget, which the lesson names."""

from __future__ import annotations

from importlib import import_module

import pytest
import torch
from safetensors.torch import save

from autograder.author.chapter import read
from autograder.core.records import CheckResult
from autograder.core.submission import one_chapter
from autograder.student.capstones.recipe import Recipe
from reference.capstones import CAPSTONES, Digits, Sentiment
from tests.promises.world import COURSE, judged

CHAPTER = "ch15_capstones"
GRADED = [kind for kind in CAPSTONES if kind.graded]
HEAD = "import torch\nfrom torch import nn\n\nfrom reference.blocks import mine\n\n\n"
READER = """class Reader(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.attention = mine.MultiHeadAttention(width, 1)
        self.norm = nn.LayerNorm(width)
        self.output = nn.Linear(width, words)

    def forward(self, ids):
        x = self.table(ids)
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        heard, weights = self.attention(x, x, x, mask)
        return self.output(self.norm(x + heard)), weights[:, 0]


"""
JUDGE = """class Judge(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.embedding = mine.TokenAndPositionEmbedding(words, 256, 48)
        self.blocks = nn.ModuleList(mine.EncoderBlock(48, 3, 96, 0.2, norm_first=True) for _ in range(2))
        self.output = nn.Linear(96, 1)

    def forward(self, ids):
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x)
        return self.output(torch.cat([x.mean(1), x.amax(1)], -1)).squeeze(-1)


"""
DESIGNS = {
    "reverse, one block": "build_reverse = lambda: mine.Transformer(13, 13, 9, 32, 4, 64, 1, dropout=0.0)",
    "reverse, two blocks": "build_reverse = lambda: mine.Transformer(13, 13, 20, 40, 2, 100, 2)",
    "markov, wide": f"{READER}build_markov = lambda vocab_size: Reader(vocab_size, 24)",
    "markov, narrow": f"{READER}build_markov = lambda vocab_size: Reader(vocab_size, 6)",
    "sentiment, one": "build_sentiment = lambda vocab_size: mine.SentimentClassifier(vocab_size, dropout=0.3)",
    "sentiment, wide": "build_sentiment = lambda vocab_size: mine.SentimentClassifier(vocab_size, 200, 64, 4, 64)",
    "sentiment, own class": f"{JUDGE}build_sentiment = lambda vocab_size: Judge(vocab_size)",
    "shakespeare, four blocks": "build_shakespeare = lambda vocab_size: mine.CausalLM(vocab_size, 64, 128, 4, 512, 4)",
    "shakespeare, long": "build_shakespeare = lambda vocab_size: mine.CausalLM(vocab_size, 100, 96, 6, 200, 3)",
    "digits, two blocks": "build_digits = lambda: mine.VisionTransformer(8, 4, 1, 10, 32, 4, 64, 2)",
    "digits, small patches": "build_digits = lambda: mine.VisionTransformer(8, 2, 1, 10, 64, 8, 128, 2, 0.1)",
}


def checks(text: str, artefacts: dict[str, bytes] | None = None) -> dict[str, CheckResult]:
    """Grade the exercise that a text answers; return its checks by name."""
    name = next(each.name for each in COURSE.of(CHAPTER) if f"{each.name} = " in text or f"def {each.name}" in text)
    made = one_chapter("design", CHAPTER, HEAD + text, artefacts or {})
    (result,) = judged([made], [COURSE.one(name)], named=False)["design"].result.exercises
    return {check.name: check for check in result.checks}


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_a_design_within_the_budget_passes_all_checks_of_its_form(design: str) -> None:
    found = checks(design)
    lost = [f"{each.name}: {each.message.text}" for each in found.values() if each.level != "values"]
    assert [each for each in found.values() if each.level != "values" and each.status != "passed"] == [], lost


def test_a_trained_model_above_its_budget_is_told_so() -> None:
    wide = "def build_digits():\n    return mine.VisionTransformer(8, 4, 1, 10, 128, 4, 256, 2)\n"
    torch.manual_seed(1)
    blocks = import_module("reference.blocks")
    state = blocks.VisionTransformer(8, 4, 1, 10, 128, 4, 256, 2).state_dict()
    goals = [each for each in checks(wide, {"digits": save(state)}).values() if each.level == "values"]
    assert [each.status for each in goals] == ["failed", "failed"]
    for each in goals:
        assert "a model of at most 250,000 parameters" in each.message.text
        assert "269,450" in each.message.text


@pytest.mark.parametrize("kind", GRADED, ids=lambda kind: kind.name)
def test_the_lesson_names_goal_baseline_and_budget_as_the_page_does(kind: type[Recipe]) -> None:
    recipe = kind()
    assert recipe.budget is not None
    lesson = "\n".join(cell.text for cell in read(COURSE, CHAPTER).cells)
    (row,) = [line for line in lesson.splitlines() if line.lstrip("# ").startswith(f"| `{recipe.name}` |")]
    best = (max if recipe.higher_is_better else min)(each.value for each in recipe.baselines())
    told = f"{best:.3f}".lstrip("0")
    assert told in row
    assert row.rstrip(" |").endswith(f"{recipe.budget.parameters:,} | {recipe.budget.seconds}")
    goals = ["every test sentence"] if recipe.goals == (1.0,) else [f"{goal:g}".lstrip("0") for goal in recipe.goals]
    assert all(goal.rstrip("0") in row for goal in goals)


@pytest.mark.parametrize("kind", GRADED, ids=lambda kind: kind.name)
def test_full_points_need_more_than_every_baseline(kind: type[Recipe]) -> None:
    recipe = kind()
    assert all(recipe.is_better(recipe.goals[-1], each.value) for each in recipe.baselines())


def test_without_positions_every_member_of_a_committee_is() -> None:
    model = torch.nn.ModuleDict({"a": torch.nn.Embedding(3, 2), "b": torch.nn.Embedding(3, 2)})
    members = torch.nn.ModuleList(torch.nn.ModuleDict({"embedding": torch.nn.ModuleDict({"position": each})})
                                  for each in model.values())  # fmt: skip
    assert Sentiment().without_positions(members)
    assert [float(each.abs().sum()) for each in members.parameters()] == [0, 0]
    assert not Digits().without_positions(members)
