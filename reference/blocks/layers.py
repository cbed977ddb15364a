"""The given layers, on torch's own functions: to be used, not to be learned from."""

import torch
from torch import nn
from torch.nn import functional


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
        key_width: d, for heads of another width than D / H.
    """

    def __init__(
        self,
        width: int,
        num_heads: int,
        hidden: int,
        dropout: float = 0.1,
        norm_first: bool = False,
        activation: str = "relu",
        key_width: int | None = None,
    ) -> None:
        super().__init__()
        self.attention = (
            MultiHeadAttention(width, num_heads)
            if key_width is None
            else WideMultiHeadAttention(width, num_heads, key_width)
        )
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
        return functional.embedding(ids, self.token.weight).add(
            functional.embedding(_places(ids), self.position.weight)
        )


class BertEmbedding(nn.Module):
    """A vector for each token, its position and its segment, added and normalised (Devlin et al. 2019, figure 2).

    Args:
        vocab_size, max_length, num_segments, width: V, the longest text, the number of segments, D.
    """

    def __init__(self, vocab_size: int, max_length: int, num_segments: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        self.segment = nn.Embedding(num_segments, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """ids and segments (B, T) -> (B, T, D)."""
        pairs = ((self.token, ids), (self.position, _places(ids)), (self.segment, segments))
        summed = sum(functional.embedding(numbers, table.weight) for table, numbers in pairs)
        return functional.layer_norm(summed, summed.shape[-1:], self.norm.weight, self.norm.bias, self.norm.eps)


def _places(ids: torch.Tensor) -> torch.Tensor:
    return torch.cumsum(torch.ones_like(ids), dim=-1) - 1


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
