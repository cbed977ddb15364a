"""Functional: weights taken out of the modules, attention by einsum, ended rows leave the batch."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from reference.blocks import EncoderBlock, MultiHeadAttention


def shift_right(targets: Tensor, bos_id: int) -> Tensor:
    return F.pad(targets, (1, -1), value=bos_id)


def attend(layer: MultiHeadAttention, x: Tensor, seen: Tensor, mask: Tensor | None) -> Tensor:
    heads = layer.num_heads
    q = F.linear(x, layer.w_q.weight, layer.w_q.bias).unflatten(-1, (heads, -1)) * layer.key_width**-0.5
    k = F.linear(seen, layer.w_k.weight, layer.w_k.bias).unflatten(-1, (heads, -1))
    v = F.linear(seen, layer.w_v.weight, layer.w_v.bias).unflatten(-1, (heads, -1))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k)
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    weights = torch.where(mask, scores, torch.finfo(scores.dtype).min).softmax(-1) * mask
    return F.linear(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2), layer.w_o.weight, layer.w_o.bias)


def normalise(norm: nn.LayerNorm, x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], norm.weight, norm.bias, norm.eps)


class DecoderBlock(nn.Module):
    def __init__(self, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(width, num_heads)
        self.cross_attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2, self.dropout3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x: Tensor, memory: Tensor, self_mask=None, memory_mask=None) -> Tensor:
        first, _, second = self.feed_forward
        heard = F.dropout(attend(self.self_attention, x, x, self_mask), self.dropout1.p, self.training)
        x = normalise(self.norm1, x + heard)
        read = F.dropout(attend(self.cross_attention, x, memory, memory_mask), self.dropout2.p, self.training)
        x = normalise(self.norm2, x + read)
        inner = F.relu(F.linear(x, first.weight, first.bias))
        thought = F.dropout(F.linear(inner, second.weight, second.bias), self.dropout3.p, self.training)
        return normalise(self.norm3, x + thought)


class Decoder(nn.Module):
    def __init__(self, num_blocks: int, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([DecoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)])

    def forward(self, x: Tensor, memory: Tensor, self_mask=None, memory_mask=None) -> Tensor:
        return run(list(self.blocks), x, memory, self_mask, memory_mask)


def run(blocks: list[nn.Module], x: Tensor, *rest: Tensor | None) -> Tensor:
    return run(blocks[1:], blocks[0].forward(x, *rest), *rest) if blocks else x


def waves(length: int, like: Tensor) -> Tensor:
    width = like.shape[-1]
    kind = {"dtype": like.dtype, "device": like.device}
    rates = torch.exp(torch.arange(0, width, 2, **kind) * (-math.log(10000) / width))
    angles = torch.outer(torch.arange(length, **kind), rates)
    table = like.new_zeros(length, width)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)[:, : width // 2]
    return table


class Transformer(nn.Module):
    def __init__(
        self,
        source_vocab: int,
        target_vocab: int,
        max_length: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        pad_id: int = 0,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.source_embedding = nn.Embedding(source_vocab, width)
        self.target_embedding = nn.Embedding(target_vocab, width)
        self.encoder_blocks = nn.ModuleList(
            [EncoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)]
        )
        self.decoder = Decoder(num_blocks, width, num_heads, hidden, dropout)
        self.output = nn.Linear(width, target_vocab)
        self.pad_id, self.max_length, self.width = pad_id, max_length, width

    def encode(self, source: Tensor) -> Tensor:
        weight = self.source_embedding.weight
        x = torch.add(waves(source.shape[1], weight), F.embedding(source, weight), alpha=self.width**0.5)
        return run(list(self.encoder_blocks), x, source.ne(self.pad_id)[:, None, None])

    def decode(self, target_in: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        weight = self.target_embedding.weight
        x = F.embedding(target_in, weight * self.width**0.5) + waves(target_in.shape[1], weight)
        places = torch.arange(target_in.shape[1], device=target_in.device)
        self_mask = torch.logical_and(target_in.ne(self.pad_id)[:, None, None], places[:, None] >= places)
        x = run(list(self.decoder.blocks), x, memory, self_mask, source.ne(self.pad_id)[:, None, None])
        return F.linear(x, self.output.weight, self.output.bias)

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        return self.decode(target_in, self.encode(source), source)


def sequence_loss(logits: Tensor, targets: Tensor, pad_id: int, label_smoothing: float = 0.0) -> Tensor:
    goal = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    goal = torch.lerp(goal, torch.full_like(goal, 1 / logits.shape[-1]), label_smoothing)
    real = targets.ne(pad_id).to(logits.dtype)
    return -torch.einsum("bt,btv,btv->", real, goal, logits.log_softmax(-1)) / real.sum()


@torch.no_grad()
def greedy_decode(model: nn.Module, source: Tensor, bos_id: int, eos_id: int, max_length: int) -> Tensor:
    rows = torch.arange(len(source), device=source.device)  # those that are still being written
    texts, memory = source.new_full((len(source), 1), bos_id), model.encode(source)
    done = {}
    for _ in range(max_length):
        following = model.decode(texts, memory, source)[:, -1].max(dim=-1).indices
        texts = torch.hstack([texts, following[:, None]])
        ended = following == eos_id
        done |= dict(zip(rows[ended].tolist(), texts[ended], strict=True))
        rows, texts, memory, source = (each[~ended] for each in (rows, texts, memory, source))
        if len(rows) == 0:
            break
    done |= dict(zip(rows.tolist(), texts, strict=True))
    ordered = [done[row][1:] for row in sorted(done)]
    return nn.utils.rnn.pad_sequence(ordered, batch_first=True, padding_value=model.pad_id)
