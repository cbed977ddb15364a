"""Classes of the student's own: a tokenizer, a symbol in a chain, a schedule, a start."""

import math
import re
from collections import Counter
from dataclasses import dataclass

import torch
from torch import nn

from reference import blocks


class Tokenizer:
    def __init__(self, entries):
        self.entries = entries
        self.numbers = {entry: number for number, entry in enumerate(entries)}

    @staticmethod
    def words(text):
        return re.sub(r"[^a-z']+", " ", text.lower()).split()

    def number(self, word):
        return self.numbers[word] if word in self.numbers else self.numbers["<unk>"]


@dataclass(order=True, frozen=True)
class Ranked:
    rarity: int
    word: str


def word_vocabulary(texts, size):
    counts = Counter()
    for text in texts:
        counts.update(Tokenizer.words(text))
    ranked = sorted(Ranked(-count, word) for word, count in counts.items())
    return (["<pad>", "<unk>"] + [each.word for each in ranked])[:size]


def encode_text(text, vocabulary):
    tokenizer = Tokenizer(vocabulary)
    return [tokenizer.number(word) for word in tokenizer.words(text)]


def decode_ids(ids, vocabulary):
    entries = Tokenizer(vocabulary).entries
    return " ".join([entries[i] for i in ids if i != 0])


class Chain:
    """Symbols as a linked list."""

    def __init__(self, symbol, after=None):
        self.symbol, self.after = symbol, after

    @classmethod
    def of(cls, symbols):
        chain = None
        for symbol in reversed(symbols):
            chain = cls(symbol, chain)
        return chain

    def merge(self, pair):
        link = self
        while link is not None:
            if link.after is not None and (link.symbol, link.after.symbol) == pair:
                link.symbol, link.after = link.symbol + link.after.symbol, link.after.after
            link = link.after

    def __iter__(self):
        link = self
        while link is not None:
            yield link.symbol
            link = link.after


def merge_pair(symbols, pair):
    if not symbols:
        return symbols
    chain = Chain.of(symbols)
    chain.merge(pair)
    return tuple(chain)


class Corpus:
    def __init__(self, words):
        self.chains = [(Chain.of(word), times) for word, times in words.items()]

    def best(self):
        pairs = {}
        for chain, times in self.chains:
            symbols = list(chain)
            for place in range(1, len(symbols)):
                pairs.setdefault((symbols[place - 1], symbols[place]), []).append(times)
        ranked = sorted(pairs, key=lambda pair: (-sum(pairs[pair]), pair))
        return ranked[0] if ranked else None

    def merge(self, pair):
        for chain, _ in self.chains:
            chain.merge(pair)


def learn_merges(words, count):
    corpus, merges = Corpus(words), []
    while len(merges) < count and (best := corpus.best()) is not None:
        corpus.merge(best)
        merges.append(best)
    return merges


def apply_merges(word, merges):
    if word == "":
        return []
    chain = Chain.of(word)
    for pair in merges:
        chain.merge(pair)
    return [*chain]


class Schedule:
    def __init__(self, warmup, total, peak, floor):
        self.warmup, self.total, self.peak, self.floor = warmup, total, peak, floor

    def __call__(self, step):
        if step < self.warmup:
            return self.peak * ((step + 1) / self.warmup)
        if step >= self.total:
            return self.floor
        progress = (step - self.warmup) / (self.total - self.warmup)
        coefficient = 0.5 * (1.0 + math.cos(math.pi * progress))
        return self.floor + coefficient * (self.peak - self.floor)


def learning_rate(step, warmup, total, peak, floor):
    return Schedule(warmup, total, peak, floor)(step)


@torch.no_grad()
def clip_gradients(parameters, limit):
    learning = list(filter(lambda parameter: parameter.grad is not None, parameters))
    norm = nn.utils.parameters_to_vector(parameter.grad for parameter in learning).norm(2)
    if norm > limit:
        for parameter in learning:
            parameter.grad *= limit / norm
    return float(norm)


class SmallStart:
    def __init__(self, std):
        self.std = std

    @torch.no_grad()
    def __call__(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            module.weight.normal_(mean=0.0, std=self.std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias.zero_()


def small_start(model, std=0.02):
    model.apply(SmallStart(std))


def attended_word(weights, words):
    return [words[i] for i in weights.max(-1).indices]


class Reversing(blocks.Transformer):
    def __init__(self):
        super().__init__(13, 13, 9, 32, 4, 64, 1)


def build_reverse():
    return Reversing()


class Reader(nn.Module):
    def __init__(self, words, width=16):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.attention = blocks.WideMultiHeadAttention(width, 1, width)
        self.output = nn.Linear(width, words)

    def forward(self, ids):
        x = self.table(ids)
        places = torch.arange(ids.shape[-1], device=ids.device)
        heard, weights = self.attention(x, x, x, places[None, :] <= places[:, None])
        return self.output(heard + x), weights.squeeze(1)


def build_markov(vocab_size):
    return Reader(vocab_size)


class Pleased(nn.Module):
    """Three opinions, always heard together."""

    def __init__(self, words):
        super().__init__()
        self.members = nn.ModuleList([blocks.SentimentClassifier(words, 200, 32, 2, 32, 0.5) for _ in range(3)])

    def forward(self, ids):
        first, second, third = (member(ids) for member in self.members)
        return (first + second + third) / 3


def build_sentiment(vocab_size):
    return Pleased(vocab_size)


class Writer(nn.Module):
    """The pieces of the model by hand, under its names."""

    def __init__(self, characters):
        super().__init__()
        self.max_length = 64
        self.embedding = blocks.TokenAndPositionEmbedding(characters, 64, 128)
        self.blocks = nn.ModuleList(
            blocks.EncoderBlock(128, 4, 512, 0.0, norm_first=True, activation="gelu") for _ in range(4)
        )
        self.norm = nn.LayerNorm(128)

    def forward(self, ids):
        x, mask = self.embedding(ids), torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device)
        for block in self.blocks:
            x = block(x, mask.tril())
        return nn.functional.linear(self.norm(x), self.embedding.token.weight)


def build_shakespeare(vocab_size):
    return Writer(vocab_size)


class Looker(nn.Module):
    def __init__(self):
        super().__init__()
        self.members = nn.ModuleList([Eye(), Eye(), Eye()])

    def forward(self, images):
        return torch.stack([eye(images) for eye in self.members], dim=-1).mean(-1)


class Eye(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = blocks.PatchEmbedding(8, 4, 1, 48)
        self.blocks = nn.ModuleList(
            [blocks.EncoderBlock(48, 4, 96, 0.0, norm_first=True, activation="gelu") for _ in range(2)]
        )
        self.norm, self.head = nn.LayerNorm(48), nn.Linear(48, 10)

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x[:, 0]))


def build_digits():
    return Looker()
