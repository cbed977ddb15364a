"""Turned: axes exchanged late, queries scaled early, w_o head by head, no key bias, scores through baddbmm."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    key_width, rest = divmod(x.size(-1), num_heads)
    if rest:
        raise ValueError(f"{x.size(-1)} / {num_heads} leaves {rest}")
    return x.mT.unflatten(1, (num_heads, key_width)).mT  # a view


def merge_heads(x: Tensor) -> Tensor:
    return x.mT.flatten(1, 2).mT  # (B, H, d, T) -> (B, D, T) -> (B, T, D), not contiguous


class MultiHeadAttention(nn.Module):
    def __init__(self, width: int, num_heads: int) -> None:
        super().__init__()
        if width % num_heads != 0:
            raise ValueError(f"{num_heads} heads of equal width do not fit into a width of {width}")
        self.num_heads = num_heads
        self.key_width = width // num_heads
        self.w_q = nn.Linear(width, width)
        self.w_k = nn.Linear(width, width)
        self.w_v = nn.Linear(width, width)
        self.w_o = nn.Linear(width, width)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        q = split_heads(self.w_q(query).mul(self.key_width**-0.5), self.num_heads)
        # The key bias adds the same to all scores of a query, and a softmax does not see that.
        k = split_heads(F.linear(key, self.w_k.weight), self.num_heads)
        turned = k @ q.mT  # (B, H, Tk, Tq)
        if mask is None:
            weights = turned.softmax(dim=-2).mT
        else:
            forbidden = mask.logical_not().expand(turned.mT.shape).mT
            lowered = turned.masked_fill(forbidden, torch.finfo(turned.dtype).min / 2)
            weights = lowered.softmax(dim=-2).masked_fill(forbidden, 0).mT
        mixers = self.w_o.weight.unflatten(1, (self.num_heads, self.key_width))  # (D, H, d)
        offers = torch.einsum("bhkd,ohd->bhko", split_heads(self.w_v(value), self.num_heads), mixers)
        return (weights @ offers).sum(dim=1) + self.w_o.bias, weights


class WideMultiHeadAttention(nn.Module):
    def __init__(self, width: int, num_heads: int, key_width: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.key_width = key_width
        self.w_q = nn.Linear(width, num_heads * key_width)
        self.w_k = nn.Linear(width, num_heads * key_width)
        self.w_v = nn.Linear(width, num_heads * key_width)
        self.w_o = nn.Linear(num_heads * key_width, width)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        shape = torch.Size((query.size(0), self.num_heads, query.size(1), key.size(1)))
        q, k, v = (
            split_heads(x, self.num_heads).flatten(0, 1)  # (B * H, T, d)
            for x in (self.w_q(query), self.w_k(key), self.w_v(value))
        )
        walls, alive = q.new_zeros(()), q.new_ones(())
        if mask is not None:
            mask = mask.expand(shape).flatten(0, 1)
            alive = mask.any(dim=-1, keepdim=True)  # a dead row may see everything for now
            walls = q.new_zeros(()).expand(mask.shape).masked_fill(~mask & alive, -torch.inf)
        scores = torch.baddbmm(walls, q, k.mT, alpha=self.key_width**-0.5)
        weights = scores.softmax(dim=-1) * alive
        context = merge_heads(torch.bmm(weights, v).unflatten(0, shape[:2]))  # (B, Tq, H * d)
        output = torch.addmm(self.w_o.bias, context.flatten(0, 1), self.w_o.weight.T)
        return output.view(query.size(0), query.size(1), -1), weights.view(shape)


def attention_parameters(width: int, num_heads: int, key_width: int | None = None, bias: bool = True) -> int:
    inner = width if key_width is None else num_heads * key_width
    if inner % num_heads:
        raise ValueError(f"{width} / {num_heads} leaves {width % num_heads}")
    return (4 * width + 3 * bias) * inner + bias * width


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    batch, groups, length, _ = k.shape
    # The queries of the heads that share stand one under the other, as if they were one long text.
    asking = q.reshape(batch, groups, -1, q.size(-1)) / q.size(-1) ** 0.5  # (B, G, H / G * T, d)
    scores = asking @ k.mT
    if mask is None:
        return (scores.softmax(-1) @ v).reshape(q.shape)
    allowed = mask.expand(batch, q.size(1), length, length).reshape(scores.shape)
    scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    powers = (scores - scores.amax(-1, keepdim=True).detach()).exp() * allowed
    return (powers @ v / powers.sum(-1, keepdim=True).clamp(min=1e-30)).reshape(q.shape)
