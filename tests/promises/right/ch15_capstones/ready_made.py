"""What the standard library, NumPy and torch have: counters, iterators, partial functions, fused operations."""

import re
from collections import Counter, defaultdict
from functools import partial, reduce
from itertools import islice, pairwise

import numpy as np
import torch
from torch import nn

from reference import blocks

WORD = re.compile("[a-z']+")


def word_vocabulary(texts, size):
    counts = Counter(WORD.findall("\n".join(texts).lower()))
    alphabetical = Counter(dict(sorted(counts.items())))
    return ["<pad>", "<unk>"] + [word for word, _ in alphabetical.most_common(max(size - 2, 0))]


def encode_text(text, vocabulary):
    number = defaultdict(lambda: vocabulary.index("<unk>"), map(reversed, enumerate(vocabulary)))
    return [number[match.group()] for match in WORD.finditer(text.lower())]


def decode_ids(ids, vocabulary):
    return " ".join(filter(partial(str.__ne__, "<pad>"), map(vocabulary.__getitem__, ids)))


def merge_pair(symbols, pair):
    # a symbol is followed by a mark that no word has
    text = "\0" + "".join(symbol + "\0" for symbol in symbols)
    left, right = map(re.escape, pair)
    joined = re.sub(f"(?<=\0){left}\0{right}\0", lambda _: "".join(pair) + "\0", text)
    return tuple(joined.strip("\0").split("\0")) if symbols else ()


def learn_merges(words, count):
    def rounds():
        spelt = Counter({tuple(word): times for word, times in words.items()})
        while True:
            pairs = sum(
                (Counter({p: n * times for p, n in Counter(pairwise(s)).items()}) for s, times in spelt.items()),
                Counter(),
            )
            if not pairs:
                return
            most = max(pairs.values())
            best = min(pair for pair, times in pairs.items() if times == most)
            yield best
            spelt = Counter({merge_pair(symbols, best): times for symbols, times in spelt.items()})

    return list(islice(rounds(), count))


def apply_merges(word, merges):
    return list(reduce(merge_pair, merges, tuple(word)))


def learning_rate(step, warmup, total, peak, floor):
    if step < warmup:
        return float(np.interp(step + 1, [0, warmup], [0, peak]))
    turn = np.clip((step - warmup) / (total - warmup), 0, 1) * np.pi
    return (floor + (peak - floor) * np.cos(turn / 2) ** 2).item()


def clip_gradients(parameters, limit):
    gradients = [each.grad for each in parameters if each.grad is not None]
    norm = torch.nn.utils.get_total_norm(gradients)
    torch._foreach_mul_(gradients, torch.clamp(limit / (norm + 1e-6), max=1.0).item())
    return norm.item()


def small_start(model, std=0.02):
    def start(module):
        match module:
            case nn.Embedding():
                nn.init.trunc_normal_(module.weight, std=std, a=-9 * std, b=9 * std)
            case nn.Linear():
                nn.init.normal_(module.weight, 0.0, std)
                if module.bias is not None:
                    nn.init.constant_(module.bias, 0)

    model.apply(start)


def attended_word(weights, words):
    return np.array(words)[np.argmax(weights.numpy(), axis=1)].tolist()


def build_reverse():
    return blocks.Transformer(13, 13, 9, 32, 4, 64, num_blocks=1, dropout=0)


def build_markov(vocab_size):
    class Heard(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(vocab_size, 16, padding_idx=0)
            self.attention = nn.ModuleDict({name: nn.Linear(16, 16) for name in ("w_q", "w_k", "w_v", "w_o")})
            self.output = nn.Linear(16, vocab_size)

        def forward(self, ids):
            x = self.table(ids)
            q, k, v = (self.attention[name](x) for name in ("w_q", "w_k", "w_v"))
            hidden = nn.Transformer.generate_square_subsequent_mask(ids.shape[1], device=ids.device)
            weights = torch.baddbmm(hidden.expand(len(ids), -1, -1), q, k.mT, alpha=0.25).softmax(-1)
            return self.output(torch.add(x, self.attention["w_o"](torch.bmm(weights, v)))), weights

    return Heard()


class Mean(nn.Module):
    def __init__(self, make):
        super().__init__()
        self.members = nn.ModuleList(make() for _ in range(3))

    def forward(self, ids):
        return torch.stack([member(ids) for member in self.members]).mean(0)


def build_sentiment(vocab_size):
    return Mean(partial(blocks.SentimentClassifier, vocab_size, max_length=200, dropout=0.2))


def build_shakespeare(vocab_size):
    return blocks.CausalLM(vocab_size, 64, 128, 4, 512, 4)


def build_digits():
    return Mean(partial(blocks.VisionTransformer, 8, 4, 1, 10, 48, 4, 96, 2))
