"""Wide: float64 inside and cast back, waves as shifted sines, one buffer of full length read by the model."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from reference.blocks import EncoderBlock, MultiHeadAttention


def shift_right(targets: Tensor, bos_id: int) -> Tensor:
    shifted = torch.empty_like(targets).fill_(bos_id)
    shifted[:, 1:].copy_(targets[:, :-1])
    return shifted


def normed(norm: nn.LayerNorm, x: Tensor) -> Tensor:
    wide = x.double()
    centred = wide - wide.mean(-1, keepdim=True)
    unit = centred * (centred.square().mean(-1, keepdim=True) + norm.eps).rsqrt()
    return torch.addcmul(norm.bias.double(), unit, norm.weight.double()).type_as(x)


class DecoderBlock(nn.Module):
    def __init__(self, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(width, num_heads)
        self.cross_attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2, self.dropout3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(
        self, x: Tensor, memory: Tensor, self_mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        steps = [
            lambda y: self.self_attention(y, y, y, mask=self_mask)[0],
            lambda y: self.cross_attention(y, memory, memory, mask=memory_mask)[0],
            self.feed_forward,
        ]
        drops, norms = [self.dropout1, self.dropout2, self.dropout3], [self.norm1, self.norm2, self.norm3]
        for step, drop, norm in zip(steps, drops, norms, strict=True):
            x = normed(norm, x + drop(step(x)))
        return x


class Decoder(nn.Module):
    def __init__(self, num_blocks: int, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([DecoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)])

    def forward(
        self, x: Tensor, memory: Tensor, self_mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        states = [x]
        for block in self.blocks.children():
            states.append(block(states[-1], memory, self_mask, memory_mask))
        return states.pop()


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

    def _embed(self, ids: Tensor, embedding: nn.Embedding) -> Tensor:
        columns = torch.arange(self.width, dtype=torch.float64, device=ids.device)
        odd = columns.remainder(2)
        places = torch.arange(ids.shape[1], dtype=torch.float64, device=ids.device)
        angles = places[:, None] * torch.pow(1e4, (odd - columns) / self.width)
        waves = torch.sin(angles + odd * torch.pi / 2)  # a cosine is a sine a quarter turn ahead
        tokens = embedding(ids)
        return (tokens.double() * self.width**0.5 + waves).to(tokens.dtype)

    def encode(self, source: Tensor) -> Tensor:
        real = source != self.pad_id
        mask = real[:, None, None, :] & torch.ones_like(real)[:, None, :, None]  # (B, 1, S, S)
        x = self._embed(source, self.source_embedding)
        for block in self.encoder_blocks:
            x = block(x, mask)
        return x

    def decode(self, target_in: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        order = torch.ones_like(target_in[0]).cumsum(0)
        hidden = (target_in == self.pad_id)[:, None, None, :] | (order > order[:, None])
        x = self._embed(target_in, self.target_embedding)
        x = self.decoder(x, memory, ~hidden, (source != self.pad_id)[:, None, None, :])
        flat = torch.addmm(self.output.bias, x.flatten(0, 1), self.output.weight.mT)
        return flat.view(*target_in.shape, -1)

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        return self.decode(target_in, self.encode(source), source)


def sequence_loss(logits: Tensor, targets: Tensor, pad_id: int, label_smoothing: float = 0.0) -> Tensor:
    surprise = -logits.double().log_softmax(dim=-1)
    right = torch.take_along_dim(surprise, targets.unsqueeze(-1), dim=-1).squeeze(-1)
    each = right + label_smoothing * (surprise.mean(dim=-1) - right)
    share = (targets != pad_id).double()
    return (each * (share / share.sum())).sum().to(logits.dtype)


@torch.no_grad()
def greedy_decode(model: nn.Module, source: Tensor, bos_id: int, eos_id: int, max_length: int) -> Tensor:
    memory = model.encode(source)
    buffer = torch.full((len(source), max_length), model.pad_id, device=source.device)  # what the model reads
    buffer[:, 0] = bos_id
    result = torch.full_like(buffer, model.pad_id)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for step in range(max_length):
        token = model.decode(buffer, memory, source)[:, step].argmax(-1)  # causal: what follows is not seen
        result[:, step] = torch.where(ended, result[:, step], token)
        ended = ended.logical_or(token == eos_id)
        if bool(ended.all()):
            return result[:, : step + 1]
        buffer[:, step + 1 : step + 2] = token[:, None]
    return result
