"""Loops: columns, sublayers and tokens one at a time, every row of the batch written on its own."""

import math

import torch
from torch import nn

from reference.blocks import EncoderBlock, MultiHeadAttention


def shift_right(targets, bos_id):
    shifted = targets.clone()
    for t in range(targets.shape[1]):
        shifted[:, t] = bos_id if t == 0 else targets[:, t - 1]
    return shifted


class DecoderBlock(nn.Module):
    def __init__(self, width, num_heads, hidden, dropout=0.1):
        super().__init__()
        self.self_attention = MultiHeadAttention(width, num_heads)
        self.cross_attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2, self.dropout3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for number in (1, 2, 3):
            if number == 1:
                new, _ = self.self_attention(query=x, key=x, value=x, mask=self_mask)
            elif number == 2:
                new, _ = self.cross_attention(query=x, key=memory, value=memory, mask=memory_mask)
            else:
                new = x
                for layer in self.feed_forward:
                    new = layer(new)
            x = getattr(self, f"norm{number}")(x + getattr(self, f"dropout{number}")(new))
        return x


class Decoder(nn.Module):
    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1):
        super().__init__()
        self.blocks = nn.ModuleList([DecoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        i = 0
        while i < len(self.blocks):
            x = self.blocks[i](x, memory, memory_mask=memory_mask, self_mask=self_mask)
            i += 1
        return x


class Transformer(nn.Module):
    def __init__(
        self,
        source_vocab,
        target_vocab,
        max_length,
        width,
        num_heads,
        hidden,
        num_blocks,
        pad_id=0,
        dropout=0.1,
    ):
        super().__init__()
        self.source_embedding = nn.Embedding(source_vocab, width)
        self.target_embedding = nn.Embedding(target_vocab, width)
        self.encoder_blocks = nn.ModuleList(
            [EncoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)]
        )
        self.decoder = Decoder(num_blocks, width, num_heads, hidden, dropout)
        self.output = nn.Linear(width, target_vocab)
        self.pad_id, self.max_length, self.width = pad_id, max_length, width

    def _embed(self, ids, embedding):
        columns = []
        for t in range(ids.shape[1]):
            x = embedding(ids[:, t]) * self.width**0.5
            waves = []
            for i in range(self.width):
                angle = t / 10000 ** ((i - i % 2) / self.width)  # Python's floats are float64
                waves.append(math.cos(angle) if i % 2 else math.sin(angle))
            columns.append(x + torch.tensor(waves, dtype=x.dtype, device=x.device))
        return torch.stack(columns, dim=1)

    def encode(self, source):
        x = self._embed(source, self.source_embedding)
        mask = (source != self.pad_id).unsqueeze(1).unsqueeze(1)
        for block in self.encoder_blocks:
            x = block(x, mask=mask)
        return x

    def decode(self, target_in, memory, source):
        batch, length = target_in.shape
        self_mask = torch.zeros(batch, 1, length, length, dtype=torch.bool, device=target_in.device)
        for i in range(length):
            for j in range(i + 1):
                self_mask[:, 0, i, j] = target_in[:, j] != self.pad_id
        memory_mask = (source != self.pad_id).unsqueeze(1).unsqueeze(1)
        x = self._embed(target_in, self.target_embedding)
        x = self.decoder(x, memory, self_mask, memory_mask)
        return torch.stack([self.output(x[:, t]) for t in range(length)], dim=1)

    def forward(self, source, target_in):
        memory = self.encode(source)
        return self.decode(target_in, memory, source)


def sequence_loss(logits, targets, pad_id, label_smoothing=0.0):
    total, count = 0, 0
    for b in range(targets.shape[0]):
        for t in range(targets.shape[1]):
            surprise = torch.logsumexp(logits[b, t], dim=0) - logits[b, t]  # (V,)
            right = surprise.gather(0, targets[b, t].reshape(1))[0]
            loss = (1 - label_smoothing) * right + label_smoothing * surprise.mean()
            real = targets[b, t] != pad_id
            total = total + loss * real
            count = count + real.to(loss.dtype)
    return total / count


def greedy_decode(model, source, bos_id, eos_id, max_length):
    texts = []
    for row in range(len(source)):
        text = [bos_id]
        while len(text) <= max_length and (len(text) == 1 or text[-1] != eos_id):
            said = torch.tensor([text], device=source.device)
            logits = model(source[row : row + 1], said)
            text.append(int(logits[0, -1].argmax()))
        texts.append(text[1:])
    longest = max(len(text) for text in texts)
    for text in texts:
        while len(text) < longest:
            text.append(model.pad_id)
    return torch.tensor(texts, device=source.device)
