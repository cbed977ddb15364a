"""Loops and indices: one letter, one pair, one number at a time."""

import math

import torch
from torch import nn

from reference import blocks

LETTERS = "abcdefghijklmnopqrstuvwxyz'"


def cut(text):
    found, word = [], ""
    for letter in text.lower() + " ":
        if letter in LETTERS:
            word += letter
        elif word:
            found.append(word)
            word = ""
    return found


def word_vocabulary(texts, size):
    counts = {}
    for text in texts:
        for word in cut(text):
            if word not in counts:
                counts[word] = 0
            counts[word] += 1
    result = ["<pad>", "<unk>"]
    while counts and len(result) < size:
        best = None
        for word in sorted(counts):
            if best is None or counts[word] > counts[best]:
                best = word
        result.append(best)
        del counts[best]
    return result


def encode_text(text, vocabulary):
    ids = []
    for word in cut(text):
        number = 1
        for place in range(len(vocabulary)):
            if vocabulary[place] == word:
                number = place
                break
        ids.append(number)
    return ids


def decode_ids(ids, vocabulary):
    text = ""
    for number in ids:
        if vocabulary[number] == "<pad>":
            continue
        if text:
            text += " "
        text += vocabulary[number]
    return text


def merge_pair(symbols, pair):
    result = []
    i = 0
    while i < len(symbols):
        if i + 1 < len(symbols) and symbols[i] == pair[0] and symbols[i + 1] == pair[1]:
            result.append(symbols[i] + symbols[i + 1])
            i = i + 2
        else:
            result.append(symbols[i])
            i = i + 1
    return tuple(result)


def learn_merges(words, count):
    symbols = []
    times = []
    for word in words:
        symbols.append(tuple(word))
        times.append(words[word])
    merges = []
    for _ in range(count):
        totals = {}
        for w in range(len(symbols)):
            for i in range(len(symbols[w]) - 1):
                pair = (symbols[w][i], symbols[w][i + 1])
                totals[pair] = totals.get(pair, 0) + times[w]
        best = None
        for pair in totals:
            if best is None or totals[pair] > totals[best] or (totals[pair] == totals[best] and pair < best):
                best = pair
        if best is None:
            return merges
        merges.append(best)
        for w in range(len(symbols)):
            symbols[w] = merge_pair(symbols[w], best)
    return merges


def apply_merges(word, merges):
    pieces = list(word)
    for left, right in merges:
        i = 0
        while i < len(pieces) - 1:
            if pieces[i] == left and pieces[i + 1] == right:
                pieces[i : i + 2] = [left + right]
            i += 1
    return pieces


def learning_rate(step, warmup, total, peak, floor):
    if step < warmup:
        return peak / warmup * (step + 1)
    if step < total:
        angle = math.pi * (step - warmup) / (total - warmup)
        return 0.5 * (peak - floor) * (1 + math.cos(angle)) + floor
    return floor


def clip_gradients(parameters, limit):
    with_gradient = []
    squares = 0.0
    for parameter in parameters:
        if parameter.grad is None:
            continue
        with_gradient.append(parameter)
        for number in parameter.grad.flatten().tolist():
            squares += number * number
    norm = squares**0.5
    if norm > limit:
        for parameter in with_gradient:
            parameter.grad *= limit / norm
    return norm


def small_start(model, std=0.02):
    for _, module in model.named_modules():
        if isinstance(module, nn.Linear) or isinstance(module, nn.Embedding):  # noqa: SIM101
            module.weight.data = torch.randn(module.weight.shape) * std
        if isinstance(module, nn.Linear) and module.bias is not None:
            for i in range(len(module.bias)):
                module.bias.data[i] = 0


def attended_word(weights, words):
    result = []
    for t in range(len(words)):
        best = 0
        for s in range(len(words)):
            if weights[t, s] > weights[t, best]:
                best = s
        result.append(words[best])
    return result


def build_reverse():
    sizes = {}
    for name, size in zip(("width", "num_heads", "hidden", "num_blocks"), (32, 4, 64, 1), strict=True):
        sizes[name] = size
    return blocks.Transformer(13, 13, 9, **sizes)


class OneHead(nn.Module):
    def __init__(self, width):
        super().__init__()
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(width, width))

    def forward(self, x):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        weights, heard = x.new_zeros(len(x), x.shape[1], x.shape[1]), []
        for t in range(x.shape[1]):
            scores = (k[:, : t + 1] @ q[:, t, :, None])[..., 0] / math.sqrt(q.shape[-1])
            row = torch.softmax(scores, dim=1)
            weights[:, t, : t + 1] = row
            heard.append((row[..., None] * v[:, : t + 1]).sum(1))
        return self.w_o(torch.stack(heard, dim=1)), weights


class Listener(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.attention = OneHead(width)
        self.output = nn.Linear(width, words)

    def forward(self, ids):
        x = self.table(ids)
        heard, weights = self.attention(x)
        return self.output(x + heard), weights


def build_markov(vocab_size):
    return Listener(vocab_size, 16)


class Council(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(3):
            self.members.append(blocks.SentimentClassifier(words))

    def forward(self, ids):
        if self.training:
            return self.members[int(3 * torch.rand(1))](ids)
        logits = None
        for member in self.members:
            logits = member(ids) if logits is None else logits + member(ids)
        return logits / 3


def build_sentiment(vocab_size):
    return Council(vocab_size)


def build_shakespeare(vocab_size):
    return blocks.CausalLM(vocab_size, max_length=64, width=128, num_heads=4, hidden=512, num_blocks=4)


def build_digits():
    council = Council(9)
    council.members = nn.ModuleList()
    while len(council.members) < 3:
        council.members.append(blocks.VisionTransformer(8, 4, 1, 10, 48, 4, 96, 2, dropout=0.1))
    return council
