"""Recursion and pattern matching: the first of something, and then the rest."""

import math
import re
from itertools import pairwise

import torch
from torch import nn

from reference.blocks import mine


def words_in(text):
    found = re.search("[a-z']+", text)
    return [found.group(), *words_in(text[found.end() :])] if found else []


def tallied(words):
    return {word: words.count(word) for word in words}


def word_vocabulary(texts, size):
    counts = tallied([word for text in texts for word in words_in(text.lower())])

    def ranked(rest, room):
        if not rest or not room:
            return []
        most = max(rest.values())
        first = min(word for word in rest if rest[word] == most)
        return [first, *ranked({word: count for word, count in rest.items() if word != first}, room - 1)]

    return ["<pad>", "<unk>", *ranked(counts, size - 2)]


def encode_text(text, vocabulary):
    def number(word):
        try:
            return vocabulary.index(word)
        except ValueError:
            return vocabulary.index("<unk>")

    return [number(word) for word in words_in(text.lower())]


def decode_ids(ids, vocabulary):
    if not ids:
        return ""
    first, rest = ids[0], decode_ids(ids[1:], vocabulary)
    return rest if first == 0 else f"{vocabulary[first]} {rest}".rstrip(" ")


def merge_pair(symbols, pair):
    match symbols:
        case (left, right, *rest) if (left, right) == pair:
            return (left + right, *merge_pair(tuple(rest), pair))
        case (first, *rest):
            return (first, *merge_pair(tuple(rest), pair))
        case _:
            return ()


def learn_merges(words, count):
    return learnt([(tuple(word), times) for word, times in words.items()], count)


def learnt(spelt, count):
    pairs = [(pair, times) for symbols, times in spelt for pair in pairwise(symbols)]
    if not count or not pairs:
        return []
    totals = {pair: sum(times for other, times in pairs if other == pair) for pair, _ in pairs}
    best = sorted(totals.items(), key=lambda item: (-item[1], item[0]))[0][0]
    return [best, *learnt([(merge_pair(symbols, best), times) for symbols, times in spelt], count - 1)]


def apply_merges(word, merges):
    def cut(symbols, rest):
        return cut(merge_pair(symbols, rest[0]), rest[1:]) if rest else list(symbols)

    return cut(tuple(word), merges)


def learning_rate(step, warmup, total, peak, floor):
    if step > total:
        return learning_rate(total, warmup, total, peak, floor)
    if step < warmup:
        return math.fsum([peak / warmup] * (step + 1))
    return (peak + floor) / 2 + (peak - floor) / 2 * math.sin(math.pi * (0.5 - (step - warmup) / (total - warmup)))


def clip_gradients(parameters, limit):
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = math.hypot(*(gradient.norm().item() for gradient in gradients))
    for gradient in gradients:
        gradient.copy_(gradient * limit / max(norm, limit))
    return norm


def small_start(model, std=0.02):
    if isinstance(model, nn.Linear | nn.Embedding):
        torch.nn.init.normal_(model.weight, mean=0, std=std)
        if getattr(model, "bias", None) is not None:
            model.bias.data.fill_(0)
    for child in model.children():
        small_start(child, std)


def attended_word(weights, words):
    if len(weights) == 0:
        return []
    first = max(range(len(words)), key=lambda place: weights[0, place].item())
    return [words[first], *attended_word(weights[1:], words)]


def build_reverse():
    return mine.Transformer(13, 13, 9, 32, 4, 64, 1, pad_id=0)


def build_markov(vocab_size):
    model = nn.Module()
    model.table = nn.Embedding(vocab_size, 16)
    model.attention = mine.MultiHeadAttention(16, 1)
    model.output = nn.Linear(16, vocab_size)

    def forward(ids):
        x = model.table(ids)
        heard, weights = model.attention(x, x, x, torch.tril(ids.new_ones(2 * ids.shape[1:])) == 1)
        return model.output(x + heard), weights[:, 0]

    model.forward = forward
    return model


def build_sentiment(vocab_size):
    return _together(
        mine.SentimentClassifier(vocab_size=vocab_size, max_length=200, width=32, num_heads=2, hidden=32)
        for _ in range(3)
    )


def _together(members):
    model = nn.Module()
    model.members = nn.ModuleList(members)
    model.forward = lambda x: _sum(model.members, x) / len(model.members)
    return model


def _sum(members, ids):
    if len(members) == 1:
        return members[0](ids)
    return _sum(members[:-1], ids) + members[-1](ids)


def build_shakespeare(vocab_size):
    return mine.CausalLM(vocab_size, 64, 128, 4, 512, 4, dropout=0.1)


def build_digits():
    return _together(mine.VisionTransformer(image_size=8, patch=4, channels=1, num_classes=10, width=48, num_heads=4,
                                            hidden=96, num_blocks=2) for _ in range(3))  # fmt: skip
