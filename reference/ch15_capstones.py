"""The oracle of chapter 15: grouped words, symbols read one by one, a cosine as a turn, gradients as one row."""

import random
import re
from collections.abc import Iterable
from itertools import groupby

import torch
from torch import nn

from reference import blocks

SPECIAL = ["<pad>", "<unk>"]


def words_of(text: str) -> list[str]:
    """What stands between all that is neither a letter from a to z nor an apostrophe."""
    return [word for word in re.split("[^a-z']", text.lower()) if word]


def word_vocabulary(texts: list[str], size: int) -> list[str]:
    """Runs of equal words in sorted order, then sorted by length: the sort is stable, so ties stay sorted."""
    runs = [(word, len(list(run))) for word, run in groupby(sorted(words_of(" ".join(texts))))]
    runs.sort(key=lambda pair: pair[1], reverse=True)
    return (SPECIAL + [word for word, _ in runs])[:size]


def encode_text(text: str, vocabulary: list[str]) -> list[int]:
    """Each word is searched for in the list."""
    return [vocabulary.index(word if word in vocabulary else SPECIAL[1]) for word in words_of(text)]


def decode_ids(ids: list[int], vocabulary: list[str]) -> str:
    """A word and a space for each id, and the last space taken off."""
    said = ""
    for number in ids:
        said += "" if vocabulary[number] == SPECIAL[0] else vocabulary[number] + " "
    return said[:-1]


def merge_pair(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Symbol by symbol; `free` tells whether the last one of the result was there before, and so may be joined."""
    merged: list[str] = []
    free = False
    for symbol in symbols:
        if free and (merged[-1], symbol) == pair:
            merged[-1] += symbol
            free = False
        else:
            merged.append(symbol)
            free = True
    return tuple(merged)


def learn_merges(words: dict[str, int], count: int) -> list[tuple[str, str]]:
    """All pairs of a round in a sorted list, each as often as it occurs; the longest run wins, the first of equals."""
    spelt = [(tuple(word), times) for word, times in words.items()]
    merges: list[tuple[str, str]] = []
    for _ in range(count):
        pairs = sorted(
            (symbols[i], symbols[i + 1])
            for symbols, times in spelt
            for i in range(len(symbols) - 1)
            for _ in range(times)
        )
        if not pairs:
            return merges
        best = max(((len(list(run)), -number), pair) for number, (pair, run) in enumerate(groupby(pairs)))[1]
        merges.append(best)
        spelt = [(merge_pair(symbols, best), times) for symbols, times in spelt]
    return merges


def apply_merges(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Recursion: the first merge, then the others on what it leaves."""

    def cut(symbols: tuple[str, ...], number: int) -> tuple[str, ...]:
        return symbols if number == len(merges) else cut(merge_pair(symbols, merges[number]), number + 1)

    return [*cut(tuple(word), 0)]


def learning_rate(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    """The half cosine as the real part of a turn by half a circle, between the middle and its two ends."""
    if step in range(warmup):
        return peak / warmup * (step + 1)
    if step >= total:
        return float(floor)
    turn = (-1 + 0j) ** ((step - warmup) / (total - warmup))
    return (peak + floor) / 2 + turn.real * (peak - floor) / 2


def clip_gradients(parameters: Iterable[nn.Parameter], limit: float) -> float:
    """All gradients laid end to end; what is longer than the limit is put back shortened, piece by piece."""
    learning = [parameter for parameter in parameters if parameter.grad is not None]
    if not learning:
        return 0.0
    whole = torch.cat([parameter.grad.reshape(-1) for parameter in learning])
    norm = float(torch.linalg.vector_norm(whole))
    if norm > limit:
        sizes = [parameter.numel() for parameter in learning]
        for parameter, piece in zip(learning, torch.split(whole * (limit / norm), sizes), strict=True):
            parameter.grad.copy_(piece.view_as(parameter))
    return norm


def small_start(model: nn.Module, std: float = 0.02) -> None:
    """Layer by layer on its way down, with numbers that are drawn apart and copied in."""
    for child in model.children():
        small_start(child, std)
    with torch.no_grad():
        if isinstance(model, nn.Linear | nn.Embedding):
            model.weight.copy_(torch.randn_like(model.weight) * std)
        if isinstance(model, nn.Linear) and model.bias is not None:
            model.bias.mul_(0)


def attended_word(weights: torch.Tensor, words: list[str]) -> list[str]:
    """The first place of each row that no other of the row exceeds."""
    return [words[row.index(max(row))] for row in weights.tolist()]


def build_reverse() -> nn.Module:
    """The given Transformer, small."""
    return blocks.Transformer(13, 13, 9, 32, 4, 64, 1, 0, 0.0)


class _Reader(nn.Module):
    """One head between two tables: the second is asked with the sum of what is there and what was heard."""

    def __init__(self, vocab_size: int) -> None:
        super().__init__()
        self.table = blocks.layers.table(vocab_size, 16)
        self.attention = blocks.WideMultiHeadAttention(16, 1, 16)
        self.output = nn.Linear(16, vocab_size)

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """ids (B, T) -> logits (B, T, V), weights (B, T, T)."""
        places = torch.arange(ids.shape[1], device=ids.device)
        heard, weights = self.attention(*[self.table(ids)] * 3, mask=places[:, None] >= places)
        return self.output(self.table(ids) + heard), weights.squeeze(1)


def build_markov(vocab_size: int) -> nn.Module:
    """A reader without positions."""
    return _Reader(vocab_size)


class _Voters(nn.Module):
    """One voter at a time learns; together they answer with the centre of their logits' sum."""

    def __init__(self, voters: Iterable[nn.Module]) -> None:
        super().__init__()
        self.members = nn.ModuleList(voters)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """What each voter reads -> the logits of one."""
        heard = random.sample([*self.members], 1) if self.training else self.members
        return sum(voter(x) for voter in heard).div(len(heard))


def build_sentiment(vocab_size: int) -> nn.Module:
    """Three of the given classifiers."""
    return _Voters(blocks.SentimentClassifier(vocab_size, 200, dropout=0.5) for _ in range(3))


def build_shakespeare(vocab_size: int) -> nn.Module:
    """The given language model."""
    return blocks.CausalLM(vocab_size, 64, 128, 4, 512, 4, 0.0)


def build_digits() -> nn.Module:
    """Three of the given Vision Transformers, each on four patches."""
    return _Voters(blocks.VisionTransformer(8, 4, 1, 10, 48, 4, 96, 2) for _ in range(3))
