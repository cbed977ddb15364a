"""The given layers, made of torch's own ready-made parts: to be used, not to be learned from.

These parts are forbidden where a layer is the exercise, so a copy of it earns nothing.
"""

import torch
from torch import nn
from torch.nn import functional

_BAG = nn.EmbeddingBag.from_pretrained(torch.zeros(1, 1), mode="sum")  # each call gives it a table


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
        pairs = ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        q, k, v = (layer(x).transpose(0, 1) for layer, x in pairs)  # (T, B, H * d)
        if mask is None:
            context, weights = _attention(q, k, v, self.num_heads)
            return self.w_o(context.transpose(0, 1)), weights
        mask = mask.expand(len(query), self.num_heads, len(q), len(k))
        blind = ~mask.any(-1, keepdim=True)  # (B, H, Tq, 1), queries that may attend to nothing
        context, weights = _attention(q, k, v, self.num_heads, ~(mask | blind).flatten(0, 1))
        heads = context.unflatten(-1, (self.num_heads, self.key_width)).masked_fill(blind.movedim(2, 0), 0.0)
        return self.w_o(heads.flatten(2).transpose(0, 1)), weights.masked_fill(blind, 0.0)


def _attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, num_heads: int, hidden: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """torch's attention of projected queries (Tq, B, E), keys and values (Tk, B, E), all heads side by side.

    `hidden` (B * H, Tq, Tk) is True where a query may not attend. Returns context and weights (B, H, Tq, Tk).
    """
    same = torch.eye(q.shape[-1], dtype=q.dtype, device=q.device)  # for it projects them again
    return functional.multi_head_attention_forward(
        *(q, k, v, q.shape[-1], num_heads, None, None, None, None, False, 0.0, same, None),
        attn_mask=hidden,
        use_separate_proj_weight=True,
        q_proj_weight=same,
        k_proj_weight=same,
        v_proj_weight=same,
        average_attn_weights=False,
    )


class MultiHeadAttention(WideMultiHeadAttention):
    """The same with heads of width D / H.

    Raises:
        ValueError: H does not divide D.
    """

    def __init__(self, width: int, num_heads: int) -> None:
        if width % num_heads:
            raise ValueError(f"a width of {width} cannot be divided among {num_heads} heads")
        super().__init__(width, num_heads, width // num_heads)


class AsTorchs:
    """Attention that is called as an encoder layer of torch calls its own."""

    batch_first = False  # or that layer would look for parameters that are not here

    def __init__(self, attention: WideMultiHeadAttention) -> None:
        self.attention = attention

    def __call__(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, attn_mask: torch.Tensor | None, **_: object
    ) -> tuple[torch.Tensor, torch.Tensor]:
        return self.attention(query, key, value, None if attn_mask is None else attn_mask == 0)


class EncoderBlock(nn.TransformerEncoderLayer):
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
        nn.Module.__init__(self)  # the layers have names of their own
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
        return nn.TransformerEncoderLayer.forward(self, x, None if mask is None else ~mask)

    dropout = nn.Identity()  # between the linear layers there is none
    self_attn = property(lambda self: AsTorchs(self.attention))
    linear1 = property(lambda self: self.feed_forward[0])
    activation = property(lambda self: self.feed_forward[1])
    linear2 = property(lambda self: self.feed_forward[2])


class TokenAndPositionEmbedding(nn.Module):
    """A vector for each token plus one for each position, both learned.

    Args:
        vocab_size, max_length, width: V, the longest text, D.
    """

    def __init__(self, vocab_size: int, max_length: int, width: int) -> None:
        super().__init__()
        self.token = table(vocab_size, width)
        self.position = table(max_length, width)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids (B, T) -> (B, T, D)."""
        return _looked_up(ids, self.token) + _looked_up(_places(ids), self.position)


class BertEmbedding(nn.Module):
    """A vector for each token, its position and its segment, added and normalised (Devlin et al. 2019, figure 2).

    Args:
        vocab_size, max_length, num_segments, width: V, the longest text, the number of segments, D.
    """

    def __init__(self, vocab_size: int, max_length: int, num_segments: int, width: int) -> None:
        super().__init__()
        self.token = table(vocab_size, width)
        self.position = table(max_length, width)
        self.segment = table(num_segments, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """ids and segments (B, T) -> (B, T, D)."""
        summed = _looked_up(ids, self.token) + _looked_up(_places(ids), self.position)
        return self.norm(summed + _looked_up(segments, self.segment))


def table(rows: int, width: int) -> nn.Embedding:
    """Learned vectors that start small, from N(0, 0.02), as BERT's and GPT's do."""
    table = nn.Embedding(rows, width)
    nn.init.normal_(table.weight, std=0.02)
    return table


def _looked_up(ids: torch.Tensor, table: nn.Embedding) -> torch.Tensor:
    """The rows of `table`, each as the sum of a bag of one: (..., T) -> (..., T, D)."""
    return torch.func.functional_call(_BAG, {"weight": table.weight}, ids.reshape(-1, 1)).unflatten(0, ids.shape)


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
        self.positions = nn.Parameter(0.02 * torch.randn(1, (image_size // patch) ** 2 + 1, width))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """images (B, C, H, W) -> (B, N + 1, D), the class token first."""
        side, channels = self.patch, images.shape[1]
        kernels = self.projection.weight.unflatten(1, (side, side, channels)).movedim(3, 1)
        seen = functional.conv2d(images, kernels, self.projection.bias, stride=side)  # (B, D, rows, columns)
        first = self.cls.expand(len(images), -1, -1)
        return torch.cat([first, seen.flatten(2).mT], dim=1).add(self.positions)
