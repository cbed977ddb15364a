"""Own classes: a constructor of one's own, a tied layer, a stored triangle, a cache with methods, small helpers."""

import torch
from torch import nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


class Text:
    def __init__(self, ids):
        self.ids = ids

    @property
    def read(self):
        return self.ids[..., :-1].contiguous()

    @property
    def asked(self):
        return self.ids[..., 1:].contiguous()

    def window(self, longest):
        return self.ids[:, max(0, self.ids.size(1) - longest) :]

    def add(self, column):
        self.ids = torch.column_stack((self.ids, column))


def next_token_pairs(ids):
    text = Text(ids)
    return [text.read, text.asked][0], text.asked


class Block(EncoderBlock):
    def __init__(self, width, num_heads, hidden, dropout):
        super().__init__(width, num_heads, hidden, dropout, norm_first=True, activation="gelu")

    def forward(self, x, mask=None):
        y = self.norm1(x)
        x = x + self.dropout1(self.attention(y, y, y, mask)[0])
        return x + self.dropout2(self.feed_forward(self.norm2(x)))


class CausalLM(nn.Module):
    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__()
        self.max_length = max_length
        self.register_buffer("past", torch.tril(torch.ones(max_length, max_length, dtype=torch.bool)))
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.blocks = nn.ModuleList([])
        for _ in range(num_blocks):
            self.blocks.append(Block(width, num_heads, hidden, dropout))
        self.norm = nn.LayerNorm(width)
        self.output = nn.Linear(width, vocab_size, bias=False)
        self.output.weight = self.embedding.token.weight

    def forward(self, ids):
        size = ids.size(-1)
        places = torch.arange(size, device=ids.device)
        x = self.embedding.token(ids) + self.embedding.position(places)
        for block in self.blocks:
            x = block(x, self.past[:size, :size])
        return self.output(self.norm(x))


class Perplexity(nn.Module):
    def __init__(self, ignore_id):
        super().__init__()
        self.loss = nn.CrossEntropyLoss(ignore_index=ignore_id, reduction="sum")
        self.ignore_id = ignore_id

    def forward(self, logits, labels):
        bits = self.loss(logits.reshape(-1, logits.size(-1)), labels.reshape(-1)) / torch.log(logits.new_tensor(2.0))
        return 2 ** (bits / (labels != self.ignore_id).sum())


def perplexity(logits, labels, ignore_id=-100):
    return Perplexity(ignore_id)(logits, labels)


class Knobs:
    def __init__(self, temperature, top_k, top_p):
        self.temperature, self.top_k, self.top_p = temperature, top_k, top_p

    def turn(self, logits):
        if not self.temperature:
            return (logits == logits.max(dim=-1, keepdim=True).values).to(logits.dtype)
        weights = torch.softmax(logits / self.temperature, -1)
        ranks = weights.argsort(-1, descending=True).argsort(-1)
        if self.top_k is not None:
            weights = self.share(weights * (ranks < self.top_k))
        if self.top_p is not None:
            ordered = torch.zeros_like(weights).scatter(-1, ranks, weights)
            reached = ordered.cumsum(-1).sub(ordered).gather(-1, ranks)
            weights = self.share(weights * (reached < self.top_p))
        return weights

    @staticmethod
    def share(weights):
        return weights / weights.sum(dim=-1, keepdim=True)


def next_token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    return Knobs(temperature, top_k, top_p).turn(logits)


def generate(model, prompt, steps, choose):
    was_training = model.training
    model.eval()
    text = Text(prompt)
    with torch.no_grad():
        while steps:
            text.add(choose(model(text.window(model.max_length))[:, -1]))
            steps -= 1
    model.train(was_training)
    return text.ids


class Cache:
    def __init__(self, keys=(), values=()):
        self.keys, self.values = keys, values

    def with_more(self, k, v):
        return Cache((*self.keys, k), (*self.values, v))

    def joined(self):
        return torch.cat(self.keys, dim=2), torch.cat(self.values, dim=2)


def attend_with_cache(q, k, v, cache=None):
    cache = (cache or Cache()).with_more(k, v)
    keys, values = cache.joined()
    places = torch.arange(keys.size(2), device=q.device)
    future = places > places[-q.size(2) :, None]
    scores = torch.matmul(q, keys.transpose(2, 3)) * q.size(3) ** -0.5
    scores = scores - scores.amax(dim=-1, keepdim=True).detach()
    scores = torch.where(future, torch.full_like(scores, float("-inf")), scores)
    return torch.matmul(torch.softmax(scores, dim=-1), values), cache


def summarization_example(article, summary, separator_id, eos_id):
    given, said = [*article.tolist(), separator_id], [*summary.tolist(), eos_id]
    counts = [False] * len(given) + [True] * len(said)
    return torch.tensor(given + said, device=article.device), torch.tensor(counts, device=article.device)
