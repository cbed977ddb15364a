"""Parts of a Transformer that are given: later chapters build on them, whatever became of the earlier ones.

They follow the conventions of the course: batch first, masks are True where a query may attend, and a
query that may attend to nothing has zero weights. They lean on torch's own functions and are written to be used,
not to be learned from; the chapters do the teaching.
"""

import torch
from torch import nn
from torch.nn import functional

__all__ = [
    "EncoderBlock",
    "MultiHeadAttention",
    "PatchEmbedding",
    "ScriptedModel",
    "TokenAndPositionEmbedding",
    "WideMultiHeadAttention",
]


class WideMultiHeadAttention(nn.Module):
    """Attention with several heads of any width, as Keras has it (Vaswani et al. 2017, section 3.2.2).

    Args:
        width: D, of queries, keys, values and the output.
        num_heads: H.
        key_width: d, the columns that each head keeps of queries, keys and values.
    """

    def __init__(self, width: int, num_heads: int, key_width: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.key_width = key_width
        self.w_q = nn.Linear(width, num_heads * key_width)
        self.w_k = nn.Linear(width, num_heads * key_width)
        self.w_v = nn.Linear(width, num_heads * key_width)
        self.w_o = nn.Linear(num_heads * key_width, width)

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Attend from query (B, Tq, D) to key and value (B, Tk, D).

        Args:
            mask: bool, True = may attend, broadcastable to (B, H, Tq, Tk).

        Returns:
            Output (B, Tq, D) and weights (B, H, Tq, Tk).
        """
        q, k, v = self._heads(self.w_q, query), self._heads(self.w_k, key), self._heads(self.w_v, value)
        weights = _weights(q, k, mask)
        mixed = torch.einsum("bhqk,bkhd->bqhd", weights, v)
        return functional.linear(mixed.flatten(2), self.w_o.weight, self.w_o.bias), weights

    def _heads(self, layer: nn.Linear, x: torch.Tensor) -> torch.Tensor:
        return torch.unflatten(layer(x), -1, (self.num_heads, self.key_width))  # (B, T, H, d)


class MultiHeadAttention(WideMultiHeadAttention):
    """The same with heads of width D / H.

    Raises:
        ValueError: H does not divide D.
    """

    def __init__(self, width: int, num_heads: int) -> None:
        if width % num_heads:
            raise ValueError(f"a width of {width} cannot be divided among {num_heads} heads")
        super().__init__(width, num_heads, width // num_heads)


def _weights(q: torch.Tensor, k: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """What torch's attention gives each key, read off by handing it the unit vectors as values."""
    q, k = q.movedim(2, 1), k.movedim(2, 1)  # (B, H, T, d)
    units = torch.eye(k.shape[2], dtype=k.dtype, device=k.device).expand(*k.shape[:2], -1, -1)
    if mask is None:
        return functional.scaled_dot_product_attention(q, k, units)
    while mask.dim() < 4:
        mask = mask[None]
    seeing = mask.any(-1, keepdim=True)
    weights = functional.scaled_dot_product_attention(q, k, units, attn_mask=mask | ~seeing)
    return torch.where(seeing, weights, torch.zeros_like(weights))


class EncoderBlock(nn.Module):
    """Self-attention and a feed-forward network, each with a residual and a layer norm (Vaswani et al. 2017, 3.1).

    Args:
        width, num_heads, hidden: D, H and F.
        dropout: on what the attention and the feed-forward network give, before it is added.
        norm_first: normalise what goes into them, instead of the sum (Xiong et al. 2020).
        activation: "relu" or "gelu".
    """

    def __init__(
        self,
        width: int,
        num_heads: int,
        hidden: int,
        dropout: float = 0.1,
        norm_first: bool = False,
        activation: str = "relu",
    ) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(width, num_heads)
        between = {"relu": nn.ReLU, "gelu": nn.GELU}[activation]()
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), between, nn.Linear(hidden, width))
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """(B, T, D) -> (B, T, D); mask as in `MultiHeadAttention`."""
        steps = (
            (self.norm1, self.dropout1, lambda y: self.attention(y, y, y, mask)[0]),
            (self.norm2, self.dropout2, self.feed_forward),
        )
        for norm, drop, part in steps:
            before, after = (norm, nn.Identity()) if self.norm_first else (nn.Identity(), norm)
            x = after(torch.add(x, drop(part(before(x)))))
        return x


class TokenAndPositionEmbedding(nn.Module):
    """A vector for each token plus one for each position, both learned.

    Args:
        vocab_size, max_length, width: V, the longest text, D.
    """

    def __init__(self, vocab_size: int, max_length: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids (B, T) -> (B, T, D)."""
        places = torch.cumsum(torch.ones_like(ids), dim=-1) - 1
        return functional.embedding(ids, self.token.weight).add(functional.embedding(places, self.position.weight))


class PatchEmbedding(nn.Module):
    """An image as a class token and a vector for each patch, with learned positions (Dosovitskiy et al. 2021, eq. 1).

    Args:
        image_size: height and width, in pixels; patch must divide it.
        patch: P.
        channels, width: C and D.
    """

    def __init__(self, image_size: int, patch: int, channels: int, width: int) -> None:
        super().__init__()
        self.patch = patch
        self.projection = nn.Linear(patch * patch * channels, width)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(torch.zeros(1, (image_size // patch) ** 2 + 1, width))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """images (B, C, H, W) -> (B, N + 1, D), the class token first."""
        side, channels = self.patch, images.shape[1]
        kernels = self.projection.weight.unflatten(1, (side, side, channels)).movedim(3, 1)
        seen = functional.conv2d(images, kernels, self.projection.bias, stride=side)  # (B, D, rows, columns)
        first = self.cls.expand(len(images), -1, -1)
        return torch.cat([first, seen.flatten(2).mT], dim=1).add(self.positions)


class ScriptedModel(nn.Module):
    """A sequence-to-sequence model whose every answer is known: row i says `script[i]`, word after word.

    It answers to `encode(source)`, `decode(target_in, memory, source)` and `model(source, target_in)`. The first
    number of a source row chooses its script. A text that strays from it, or does not begin with `bos_id`, is
    continued with `stray_id`; after its end a script goes on with `stray_id` too.

    Args:
        script: (S, L) int64; a row's first eos, if it has one, is its end.
        vocab_size: V, more than every id.
        bos_id, eos_id, pad_id, stray_id: special ids. `pad_id` and `max_length` can be read off the model.
        max_length: the longest text that it can continue.

    Raises:
        RuntimeError: on being asked to go on with texts that have all ended, or that are longer than `max_length`.
    """

    def __init__(
        self,
        script: torch.Tensor,
        vocab_size: int,
        bos_id: int,
        eos_id: int,
        pad_id: int,
        stray_id: int,
        max_length: int,
    ) -> None:
        super().__init__()
        self.register_buffer("script", script)
        self.weight = nn.Parameter(torch.ones(()))  # so that it has a device and a dtype, as models do
        self.vocab_size, self.max_length = vocab_size, max_length
        self.bos_id, self.eos_id, self.pad_id, self.stray_id = bos_id, eos_id, pad_id, stray_id

    def encode(self, source: torch.Tensor) -> torch.Tensor:
        """source (B, T) int64 -> memory (B, T, 1), which `decode` must be given."""
        return source[..., None] * self.weight.detach()

    def decode(self, target_in: torch.Tensor, memory: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        """Logits (B, T, V): at each position, of the token after it."""
        if memory.shape[:2] != source.shape or bool((memory[..., 0] != source).any()):
            raise RuntimeError("the memory is not that of this source: hand on what encode(source) gave")
        length, said = target_in.shape[1], self.script[source[:, 0]]  # (B, L)
        ends = said == self.eos_id
        ended = functional.pad(torch.cumsum(ends, dim=1) > 0, (1, length), value=True)
        true = functional.pad(said, (1, length), value=self.stray_id)
        true[:, 0], ended[:, 0] = self.bos_id, False
        faithful = torch.cumprod((target_in == true[:, :length]).long(), dim=1).bool()
        over = (faithful & ended[:, :length]).any(dim=1)  # the row has read its own end
        if length > self.max_length or bool(over.all()):
            raise RuntimeError(f"asked for token {length}, but every text has ended before it")
        coming = torch.where(faithful & ~ended[:, :length], true[:, 1 : length + 1], self.stray_id)
        return functional.one_hot(coming, self.vocab_size) * self.weight

    def forward(self, source: torch.Tensor, target_in: torch.Tensor) -> torch.Tensor:
        """Logits (B, T, V) of the tokens after those of target_in (B, T)."""
        return self.decode(target_in, self.encode(source), source)
