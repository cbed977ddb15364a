"""Gathered: candidates stacked and picked, bands by bucketize, a softmax of lengths, one bag of all three tables."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from reference.blocks import BertEmbedding as GivenEmbedding
from reference.blocks import EncoderBlock

HIDDEN = -1e30


def mask_tokens(ids, maskable, select, action, random_ids, mask_id):
    bands = torch.tensor([0.8, 0.9], dtype=action.dtype, device=action.device)
    fate = torch.bucketize(action, bands, right=True)  # 0 mask, 1 random, 2 as it is
    chosen = torch.where(maskable, select, 1.0) < 0.15
    fate = torch.where(chosen, fate, 2)
    candidates = torch.stack([torch.full_like(ids, mask_id), random_ids, ids])
    return candidates.gather(0, fate[None])[0], torch.where(chosen, ids, -100)


def span_length_probabilities(p=0.2, max_length=10):
    return torch.softmax(torch.arange(max_length) * math.log1p(-p), dim=0)


def mask_spans(ids, starts, lengths, budget):
    wanted, hidden = math.ceil(budget * ids.size(0) - 1e-9), torch.zeros_like(ids, dtype=torch.bool)
    for start, length in zip(starts, lengths, strict=True):
        if hidden.sum() >= wanted:
            break
        hidden.narrow(0, start, min(int(length), len(ids) - int(start))).fill_(True)
    return hidden


def log_shares(logits):
    return logits - torch.logsumexp(logits, dim=-1, keepdim=True)


def span_boundary_loss(boundary_logits, token_logits, targets):
    both = torch.stack([boundary_logits, token_logits], dim=-1)  # (S, V, 2)
    return F.cross_entropy(both, targets[:, None].expand(-1, 2), reduction="sum") / targets.numel()


def sentence_pair(first, second, cls_id, sep_id):
    cls, sep = torch.tensor([[cls_id], [sep_id]], dtype=first.dtype, device=first.device)
    halves = [torch.cat((cls, first, sep)), torch.cat((second, sep))]
    sides = [torch.full_like(half, side) for side, half in enumerate(halves)]
    return tuple(torch.cat(pair) for pair in (halves, sides))


class BertEmbedding(nn.Module):
    def __init__(self, vocab_size, max_length, num_segments, width):
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        self.segment = nn.Embedding(num_segments, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids, segments):
        """The three tables as one, and of it a bag of three rows for each place."""
        tables = [self.token.weight, self.position.weight, self.segment.weight]
        places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        rows = torch.stack([ids, places + len(tables[0]), segments + len(tables[0]) + len(tables[1])], dim=-1)
        summed = F.embedding_bag(rows.flatten(0, 1), torch.cat(tables), mode="sum").unflatten(0, ids.shape)
        variance, mean = torch.var_mean(summed, dim=-1, correction=0, keepdim=True)
        unit = (summed - mean).div_((variance + self.norm.eps).sqrt())
        return unit.mul(self.norm.weight).add_(self.norm.bias)


def masked_lm_loss(logits, labels):
    asked = labels != -100
    right = F.one_hot(labels * asked, logits.shape[-1]).bool()
    surprise = logits.logsumexp(-1) - logits.masked_fill(~right, HIDDEN).logsumexp(-1)
    return torch.tensordot(surprise, asked.to(surprise.dtype) / asked.sum(), dims=2)


def next_sentence_examples(documents, swap, random_pick):
    everything, neighbours = [], []
    for document in documents:
        everything += document
        neighbours += [(document[i], document[i + 1]) for i in range(len(document) - 1)]
    pairs = [
        (first, everything[pick] if swapped else second)
        for (first, second), swapped, pick in zip(neighbours, swap, random_pick, strict=True)
    ]
    return pairs, swap.logical_not()


class BertClassifier(nn.Module):
    def __init__(
        self,
        vocab_size,
        max_length,
        num_segments,
        width,
        num_heads,
        hidden,
        num_blocks,
        num_classes,
        dropout=0.1,
    ):
        super().__init__()
        self.embedding = GivenEmbedding(vocab_size, max_length, num_segments, width)
        self.blocks = nn.ModuleList(
            EncoderBlock(width, num_heads, hidden, dropout, norm_first=False, activation="gelu")
            for _ in range(num_blocks)
        )
        self.pooler = nn.Linear(width, width)
        self.head = nn.Linear(width, num_classes)

    @staticmethod
    def attend(layer, x, mask):
        q, k, v = (
            torch.einsum("btd,hkd->bhtk", x, part.weight.unflatten(0, (layer.num_heads, -1)))
            + part.bias.view(layer.num_heads, 1, -1)
            for part in (layer.w_q, layer.w_k, layer.w_v)
        )
        scores = torch.matmul(q, k.mT).div_(math.sqrt(layer.key_width))
        if mask is None:
            weights = log_shares(scores).exp()
        else:
            weights = log_shares(torch.where(mask, scores, HIDDEN)).exp() * mask
        mixed = torch.matmul(weights, v)  # (B, H, T, d)
        kernel = layer.w_o.weight.unflatten(1, (layer.num_heads, -1))
        return torch.tensordot(mixed, kernel, dims=([1, 3], [1, 2])) + layer.w_o.bias

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for block in self.blocks:
            x = block.norm1(block.dropout1(self.attend(block.attention, x, mask)) + x)
            up, _, down = block.feed_forward
            inner = F.linear(x, up.weight, up.bias)
            inner = inner * torch.special.ndtr(inner)  # the exact GELU
            x = block.norm2(block.dropout2(F.linear(inner, down.weight, down.bias)) + x)
        pooled = torch.addmm(self.pooler.bias, x[:, 0], self.pooler.weight.t()).tanh_()
        return torch.addmm(self.head.bias, pooled, self.head.weight.t())


@torch.no_grad()
def freeze_all_but_head(model):
    model.requires_grad_(requires_grad=False)
    model.head.requires_grad_(requires_grad=True)
    return model
