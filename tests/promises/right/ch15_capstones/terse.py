"""As short as it goes: one expression for each, new tensors in place of old ones, results that share what was given."""

import re
from collections import Counter
from itertools import pairwise
from math import cos, pi

import torch
from torch import nn

from reference.blocks import mine


def word_vocabulary(texts, size):
    c = Counter(re.findall("[a-z']+", " ".join(texts).lower()))
    return ["<pad>", "<unk>", *sorted(sorted(c), key=c.get, reverse=True)][:size]


def encode_text(text, vocabulary):
    return [vocabulary.index(w) if w in vocabulary else 1 for w in re.findall("[a-z']+", text.lower())]


def decode_ids(ids, vocabulary):
    return " ".join(vocabulary[i] for i in ids if i)


def merge_pair(symbols, pair):
    for i in range(len(symbols) - 1):
        if symbols[i : i + 2] == pair:
            return (*symbols[:i], "".join(pair), *merge_pair(symbols[i + 2 :], pair))
    return symbols


def learn_merges(words, count):
    spelt, merges = {w: tuple(w) for w in words}, []
    for _ in range(count):
        pairs = Counter(p for w, s in spelt.items() for p in pairwise(s) for _ in range(words[w]))
        if pairs:
            merges.append(max(sorted(pairs), key=pairs.get))
            spelt = {w: merge_pair(s, merges[-1]) for w, s in spelt.items()}
    return merges


def apply_merges(word, merges):
    return [*merge_pair(tuple(apply_merges(word, merges[:-1])), merges[-1])] if merges else [*word]


def learning_rate(step, warmup, total, peak, floor):
    if step < warmup:
        return (step + 1) * peak / warmup
    return floor + (peak - floor) * (cos(pi * min(1, (step - warmup) / (total - warmup))) + 1) / 2


def clip_gradients(parameters, limit):
    ps = [p for p in parameters if p.grad is not None]
    norm = sum((p.grad**2).sum() for p in ps).sqrt().item()
    for p in ps:
        p.grad /= max(1, norm / limit)
    return norm


def small_start(model, std=0.02):
    for m in model.modules():
        if isinstance(m, (nn.Linear, nn.Embedding)):
            m.weight.data = torch.empty_like(m.weight).normal_(0, std)
        if isinstance(m, nn.Linear) and m.bias is not None:
            m.bias.data = torch.zeros_like(m.bias)


def attended_word(weights, words):
    return [words[row.argmax()] for row in weights]


build_reverse = lambda: mine.Transformer(13, 13, 9, 32, 4, 64, 1)  # noqa: E731
build_shakespeare = lambda vocab_size: mine.CausalLM(vocab_size, 64, 128, 4, 512, 4)  # noqa: E731


class All(nn.Module):
    def __init__(self, *members):
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, x):
        return sum(m(x) for m in self.members) / 3


build_sentiment = lambda vocab_size: All(*(mine.SentimentClassifier(vocab_size) for _ in "abc"))  # noqa: E731
build_digits = lambda: All(*(mine.VisionTransformer(8, 4, 1, 10, 48, 4, 96, 2) for _ in "abc"))  # noqa: E731


def build_markov(vocab_size):
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.output = nn.Embedding(vocab_size, 16), nn.Linear(16, vocab_size)
            self.attention = mine.MultiHeadAttention(16, 1)

        def forward(self, ids):
            x = self.table(ids)
            y, w = self.attention(x, x, x, torch.ones(ids.shape[1], ids.shape[1], device=ids.device).tril() > 0)
            return self.output(x + y), w[:, 0]

    return M()
