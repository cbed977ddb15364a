"""Wide: float64 inside, results that are not contiguous, caches laid out otherwise, masks with all their axes."""

import torch
from torch import nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def next_token_pairs(ids):
    columns = ids.t()
    return columns[:-1].t(), columns[1:].t()


class CausalLM(nn.Module):
    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.blocks = nn.ModuleList(
            [
                EncoderBlock(width, num_heads, hidden, dropout, norm_first=True, activation="gelu")
                for _ in range(num_blocks)
            ]
        )
        self.norm = nn.LayerNorm(width)
        self.max_length = max_length

    def forward(self, ids):
        batch, length = ids.shape
        mask = torch.ones(length, length, device=ids.device).cumsum(1)
        mask = (mask <= mask.t()).expand(batch, self.num_heads, length, length)
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask)
        wide = torch.tensordot(
            self.embedding.token.weight.double(), self.norm(x).double(), dims=([1], [2])
        )  # (V, B, T)
        return wide.movedim(0, 2).to(x.dtype)


def perplexity(logits, labels, ignore_id=-100):
    real = labels != ignore_id
    chances = logits.double().log_softmax(-1)[real]  # (N, V)
    return chances[torch.arange(len(chances)), labels[real]].mean().neg().exp().to(logits.dtype)


def next_token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    answers = []
    for row in logits.double().unbind():
        order = row.neg().argsort()
        scores = row.gather(0, order) / (temperature or 1.0)
        weights = (scores - scores[0]).exp()
        if temperature == 0:
            weights = torch.eye(len(row), dtype=row.dtype)[0]
        weights = weights[:top_k] / weights[:top_k].sum()
        if top_p is not None:
            weights = weights[: 1 + int((weights.cumsum(0)[:-1] < top_p).sum())]
            weights = weights / weights.sum()
        answers.append(torch.zeros_like(row).index_put((order[: len(weights)],), weights))
    return torch.stack(answers, dim=1).T.to(logits.dtype)


def generate(model, prompt, steps, choose):
    start = prompt.shape[1]
    text = torch.empty(start + steps, len(prompt), dtype=prompt.dtype)  # positions first
    text[:start] = prompt.T
    for end in range(start, start + steps):
        text[end] = choose(model(text[max(0, end - model.max_length) : end].T)[:, -1].clone())
    return text.T


def attend_with_cache(q, k, v, cache=None):
    """The cache is one tensor (past, B, H, 2, d) in float64."""
    new = torch.stack([k, v], dim=3).permute(2, 0, 1, 3, 4).double()
    cache = new if cache is None else torch.cat([cache, new])
    keys, values = cache.unbind(3)
    past = len(cache) - q.shape[2]
    scores = torch.einsum("bhqd,kbhd->qbhk", q.double(), keys) / q.shape[-1] ** 0.5
    outputs = []
    for i, row in enumerate(scores):
        seen = row[..., : past + i + 1].softmax(-1)
        outputs.append(torch.einsum("bhk,kbhd->bhd", seen, values[: past + i + 1]))
    return torch.stack(outputs).permute(1, 2, 0, 3).to(q.dtype), cache


def summarization_example(article, summary, separator_id, eos_id):
    ids = torch.empty(len(article) + len(summary) + 2, dtype=article.dtype, device=article.device)
    given, said = ids.split([len(article) + 1, len(summary) + 1])
    given[:-1], given[-1] = article, separator_id
    said[:-1], said[-1] = summary, eos_id
    counts = torch.ones_like(ids).cumsum(0) > len(given)
    return ids, counts
