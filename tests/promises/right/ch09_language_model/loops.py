"""Loops: tokens, rows and queries one at a time; a cache that is a list of positions."""

import math

import torch
from torch import nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def next_token_pairs(ids):
    inputs, labels = [], []
    for t in range(ids.shape[1] - 1):
        inputs.append(ids[:, t])
        labels.append(ids[:, t + 1])
    return torch.stack(inputs, dim=1), torch.stack(labels, dim=1)


class CausalLM(nn.Module):
    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__()
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
        length = ids.shape[1]
        mask = torch.zeros(1, 1, length, length, dtype=torch.bool, device=ids.device)
        for i in range(length):
            for j in range(length):
                if j <= i:
                    mask[0, 0, i, j] = True
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, mask=mask)
        logits = []
        for t in range(length):
            state = self.norm(x[:, t])
            logits.append(state @ self.embedding.token.weight.t())
        return torch.stack(logits, dim=1)


def perplexity(logits, labels, ignore_id=-100):
    total, count = 0.0, 0
    for b in range(labels.shape[0]):
        for t in range(labels.shape[1]):
            right = int(labels[b, t])
            if right == ignore_id:
                continue
            total = total + torch.logsumexp(logits[b, t], dim=0) - logits[b, t, right]
            count += 1
    return torch.exp(total / count)


def next_token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    size = logits.shape[1]
    rows = []
    for row in logits:
        if temperature == 0:
            one = torch.zeros_like(row)
            one[row.argmax()] = 1
            rows.append(one)
            continue
        p = torch.softmax(row / temperature, dim=0)
        order = p.argsort(descending=True)
        keep = size if top_k is None else min(top_k, size)
        p = p.clone()
        for rank in range(keep, size):
            p[order[rank]] = 0
        p = p / p.sum()
        if top_p is not None:
            total, keep = 0.0, 0
            while keep < size and total < top_p:
                total += float(p[order[keep]])
                keep += 1
            p[order[keep:]] = 0
            p = p / p.sum()
        rows.append(p)
    return torch.stack(rows)


def generate(model, prompt, steps, choose):
    text = prompt.clone()
    for _ in range(steps):
        seen = text
        while seen.shape[1] > model.max_length:
            seen = seen[:, 1:]
        logits = model(seen)
        last = logits[:, logits.shape[1] - 1, :]
        token = choose(last)
        text = torch.hstack([text, token.reshape(-1, 1)])
    return text


def attend_with_cache(q, k, v, cache=None):
    seen = list(cache) if cache else []
    outputs = []
    for i in range(q.shape[2]):
        seen.append((k[:, :, i], v[:, :, i]))
        scores = []
        for key, _ in seen:
            scores.append((q[:, :, i] * key).sum(-1) / math.sqrt(q.shape[-1]))
        weights = torch.stack(scores, dim=-1).softmax(dim=-1)
        output = 0
        for j in range(len(seen)):
            output = output + weights[:, :, j, None] * seen[j][1]
        outputs.append(output)
    return torch.stack(outputs, dim=2), seen


def summarization_example(article, summary, separator_id, eos_id):
    length = len(article) + len(summary) + 2
    ids = torch.zeros(length, dtype=torch.int64, device=article.device)
    loss_mask = torch.zeros(length, dtype=torch.bool, device=article.device)
    for i in range(len(article)):
        ids[i] = article[i]
    ids[len(article)] = separator_id
    for i in range(len(summary)):
        ids[len(article) + 1 + i] = summary[i]
        loss_mask[len(article) + 1 + i] = True
    ids[length - 1] = eos_id
    loss_mask[length - 1] = True
    return ids, loss_mask
