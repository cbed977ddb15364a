"""The oracle of chapter 5: every head on its own, cut out of the layers as a block of columns."""

import torch
from torch import nn

from reference.ch04_masking import masked_softmax


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Blocks of D / H columns, stacked as a new axis: (B, T, D) -> (B, H, T, d)."""
    key_width = _key_width(x.shape[-1], num_heads)
    return torch.stack([x[..., columns] for columns in _blocks(num_heads, key_width)], dim=1)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """The heads side by side: (B, H, T, d) -> (B, T, D)."""
    return torch.cat([x[:, head] for head in range(x.shape[1])], dim=-1)


class MultiHeadAttention(nn.Module):
    """H times attention, each in its own D / H columns."""

    def __init__(self, width: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.key_width = _key_width(width, num_heads)
        self.w_q = nn.Linear(width, width)
        self.w_k = nn.Linear(width, width)
        self.w_v = nn.Linear(width, width)
        self.w_o = nn.Linear(width, width)

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Output (B, Tq, D) and weights (B, H, Tq, Tk)."""
        return _head_by_head(self, query, key, value, mask)


class WideMultiHeadAttention(nn.Module):
    """H times attention, each in its own key_width columns."""

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
        """Output (B, Tq, D) and weights (B, H, Tq, Tk)."""
        return _head_by_head(self, query, key, value, mask)


def attention_parameters(width: int, num_heads: int, key_width: int | None = None, bias: bool = True) -> int:
    """The entries of four layers without data, counted."""
    inner = num_heads * (_key_width(width, num_heads) if key_width is None else key_width)
    sizes = [(width, inner), (width, inner), (width, inner), (inner, width)]
    layers = [nn.Linear(inputs, outputs, bias=bias, device="meta") for inputs, outputs in sizes]
    return sum(parameter.numel() for layer in layers for parameter in layer.parameters())


def grouped_query_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Query head h attends to key head h · G / H, rounded down: (B, H, T, d)."""
    num_heads, num_groups = q.shape[1], k.shape[1]
    allowed = _allowed(mask, (*q.shape[:3], k.shape[2]), q.device)
    heads = []
    for head in range(num_heads):
        shared = head * num_groups // num_heads
        weights = _weights(q[:, head], k[:, shared], allowed[:, head])
        heads.append(torch.einsum("bij,bjd->bid", weights, v[:, shared]))
    return torch.stack(heads, dim=1)


def _key_width(width: int, num_heads: int) -> int:
    if width % num_heads:
        raise ValueError(f"a width of {width} cannot be divided among {num_heads} heads")
    return width // num_heads


def _blocks(num_heads: int, key_width: int) -> list[slice]:
    """The columns of each head."""
    return [slice(head * key_width, (head + 1) * key_width) for head in range(num_heads)]


def _allowed(mask: torch.Tensor | None, shape: tuple[int, ...], device: torch.device) -> torch.Tensor:
    everyone = torch.ones(shape, dtype=torch.bool, device=device)
    return everyone if mask is None else torch.logical_and(everyone, mask)


def _weights(q: torch.Tensor, k: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
    """The weights of one head, (B, Tq, Tk)."""
    scores = torch.einsum("bid,bjd->bij", q, k) * q.shape[-1] ** -0.5
    return masked_softmax(scores, allowed)


def _head_by_head(
    layers: MultiHeadAttention | WideMultiHeadAttention,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Each head goes through its own rows of w_q, w_k and w_v and adds its own share, by columns of w_o."""
    shape = (query.shape[0], layers.num_heads, query.shape[1], key.shape[1])
    allowed = _allowed(mask, shape, query.device)
    output, all_weights = layers.w_o.bias.expand(*query.shape[:2], -1), []
    for head, columns in enumerate(_blocks(layers.num_heads, layers.key_width)):
        q, k, v = (
            torch.einsum("btc,dc->btd", x, layer.weight[columns]) + layer.bias[columns]
            for x, layer in ((query, layers.w_q), (key, layers.w_k), (value, layers.w_v))
        )
        weights = _weights(q, k, allowed[:, head])
        mixed = torch.einsum("bij,bjd->bid", weights, v)
        output = output + torch.einsum("bid,cd->bic", mixed, layers.w_o.weight[:, columns])
        all_weights.append(weights)
    return output, torch.stack(all_weights, dim=1)
