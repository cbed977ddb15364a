"""The given models: what chapter 15 trains in the place of those of the learner's that have not passed yet.

Their parameters bear the names that the chapters' models give them. In the chapter whose exercise one of them is, it
is forbidden, and so are torch's stacks that it is run by: a copy of it earns nothing.
"""

import math
from functools import lru_cache
from types import SimpleNamespace

import torch
from torch import nn

from reference.blocks.layers import (
    AsTorchs,
    EncoderBlock,
    MultiHeadAttention,
    PatchEmbedding,
    TokenAndPositionEmbedding,
    table,
)


class _Turn:
    """A block with its masks, called as torch's stack calls its layers."""

    self_attn = SimpleNamespace(batch_first=True)

    def __init__(self, block: nn.Module, masks: tuple[torch.Tensor | None, ...]) -> None:
        self.block, self.masks = block, masks

    def __call__(self, x: torch.Tensor, memory: torch.Tensor | None, **_: object) -> torch.Tensor:
        return self.block(x, *self.masks) if memory is None else self.block(x, memory, *self.masks)


def _stacked(
    blocks: nn.ModuleList, x: torch.Tensor, *masks: torch.Tensor | None, memory: torch.Tensor | None = None
) -> torch.Tensor:
    """x (B, T, D) after all `blocks`, each of which is given the same memory and masks."""
    turns = SimpleNamespace(layers=[_Turn(block, masks) for block in blocks], norm=None)
    return nn.TransformerDecoder.forward(turns, x, memory)


def _earlier(ids: torch.Tensor) -> torch.Tensor:
    """The causal mask (T, T) for ids (B, T)."""
    return nn.Transformer.generate_square_subsequent_mask(ids.shape[1], device=ids.device) == 0


class SentimentClassifier(nn.Module):
    """One encoder block, the mean of its vectors, two dense layers. Args: as chapter 7's."""

    def __init__(
        self,
        vocab_size: int = 20000,
        max_length: int = 200,
        width: int = 32,
        num_heads: int = 2,
        hidden: int = 32,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.encoder = EncoderBlock(width, num_heads, hidden, dropout, key_width=width)
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)
        self.hidden, self.output = nn.Linear(width, 100), nn.Linear(100, 1)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids (B, T) -> logits (B,)."""
        seen = _stacked(nn.ModuleList([self.encoder]), self.embedding(ids), None)
        return nn.Sequential(self.dropout1, self.hidden, nn.ReLU(), self.dropout2, self.output, nn.Flatten(0))(
            nn.functional.adaptive_avg_pool1d(seen.mT, 1).flatten(1)
        )


class CausalLM(nn.Module):
    """Pre-norm blocks under a causal mask, one table for both ends. Args: as chapter 9's."""

    def __init__(
        self,
        vocab_size: int,
        max_length: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.blocks = _encoders(num_blocks, width, num_heads, hidden, dropout)
        self.norm = nn.LayerNorm(width)
        self.max_length = max_length

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids (B, T) -> logits (B, T, V)."""
        seen = _stacked(self.blocks, self.embedding(ids), _earlier(ids))
        return nn.functional.linear(self.norm(seen), self.embedding.token.weight)


class VisionTransformer(nn.Module):
    """Pre-norm blocks over patches, read at the class token. Args: as chapter 11's."""

    def __init__(
        self,
        image_size: int,
        patch: int,
        channels: int,
        num_classes: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.embedding = PatchEmbedding(image_size, patch, channels, width)
        self.blocks = _encoders(num_blocks, width, num_heads, hidden, dropout)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """images (B, C, H, W) -> logits (B, classes)."""
        seen = _stacked(self.blocks, self.embedding(images), None)
        return nn.Sequential(self.norm, self.head)(seen.select(1, 0))


def _encoders(num_blocks: int, width: int, num_heads: int, hidden: int, dropout: float) -> nn.ModuleList:
    """Pre-norm blocks with a GELU."""
    return nn.ModuleList(
        EncoderBlock(width, num_heads, hidden, dropout, norm_first=True, activation="gelu") for _ in range(num_blocks)
    )


class DecoderBlock(nn.TransformerDecoderLayer):
    """Self-attention, cross-attention, feed-forward network, post-norm. Args: as chapter 8's."""

    def __init__(self, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        nn.Module.__init__(self)  # the layers have names of their own
        self.self_attention = MultiHeadAttention(width, num_heads)
        self.cross_attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2, self.dropout3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)
        self.norm_first = False

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        self_mask: torch.Tensor | None = None,
        memory_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """x (B, T, D), memory (B, S, D) -> (B, T, D); masks as in `MultiHeadAttention`."""
        hidden = [None if mask is None else ~mask for mask in (self_mask, memory_mask)]
        return nn.TransformerDecoderLayer.forward(self, x, memory, *hidden)

    dropout = nn.Identity()  # between the linear layers there is none
    self_attn = property(lambda self: AsTorchs(self.self_attention))
    multihead_attn = property(lambda self: AsTorchs(self.cross_attention))
    linear1 = property(lambda self: self.feed_forward[0])
    activation = property(lambda self: self.feed_forward[1])
    linear2 = property(lambda self: self.feed_forward[2])


class Decoder(nn.Module):
    """Decoder blocks in a row. Args: as chapter 8's."""

    def __init__(self, num_blocks: int, width: int, num_heads: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(DecoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks))

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        self_mask: torch.Tensor | None = None,
        memory_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """x (B, T, D), memory (B, S, D) -> (B, T, D)."""
        return _stacked(self.blocks, x, self_mask, memory_mask, memory=memory)


class Transformer(nn.Module):
    """Encoder and decoder, sinusoidal positions. Args: as chapter 8's."""

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
        self.source_embedding, self.target_embedding = table(source_vocab, width), table(target_vocab, width)
        self.encoder_blocks = nn.ModuleList(EncoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks))
        self.decoder = Decoder(num_blocks, width, num_heads, hidden, dropout)
        self.output = nn.Linear(width, target_vocab)
        self.pad_id, self.max_length, self.width = pad_id, max_length, width

    def encode(self, source: torch.Tensor) -> torch.Tensor:
        """source (B, S) -> memory (B, S, D)."""
        return _stacked(self.encoder_blocks, self._embed(source, self.source_embedding), self._real(source))

    def decode(self, target_in: torch.Tensor, memory: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        """Logits (B, T, V) of the tokens after those of target_in (B, T)."""
        masks = _earlier(target_in) & self._real(target_in), self._real(source)
        return self.output(self.decoder(self._embed(target_in, self.target_embedding), memory, *masks))

    def forward(self, source: torch.Tensor, target_in: torch.Tensor) -> torch.Tensor:
        """Logits (B, T, V) of the tokens after those of target_in (B, T)."""
        return self.decode(target_in, self.encode(source), source)

    def _embed(self, ids: torch.Tensor, vectors: nn.Embedding) -> torch.Tensor:
        return vectors(ids).mul(math.sqrt(self.width)).add(_waves(ids.shape[1], self.width).to(vectors.weight))

    def _real(self, ids: torch.Tensor) -> torch.Tensor:
        """Where there is no padding, (B, 1, 1, T)."""
        return (ids != self.pad_id)[:, None, None, :]


@lru_cache(maxsize=256)
def _waves(length: int, width: int) -> torch.Tensor:
    """Sines and cosines (length, width), each position's the one before it, turned by a matrix."""
    speeds = torch.logspace(0, -4 * (1 - 2 / width), width // 2, dtype=torch.float64)
    pairs = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64)
    turn = torch.linalg.matrix_exp(torch.block_diag(*(speed * pairs for speed in speeds)))  # by one position
    rows = [torch.tensor([0.0, 1.0], dtype=torch.float64).repeat(width // 2)]
    for _ in range(length - 1):
        rows.append(turn @ rows[-1])
    return torch.stack(rows)
