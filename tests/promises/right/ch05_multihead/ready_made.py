"""Ready-made: unfold, vmap over heads, torch.masked, index_select, parameters counted on layers that hold nothing."""

from torch import Tensor, arange, device, matmul, nn, ones, where, zeros_like
from torch.func import vmap
from torch.masked import softmax as softmax_of_allowed


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("D = %d is no multiple of H = %d" % (x.shape[-1], num_heads))  # noqa: UP031
    d = x.shape[-1] // num_heads
    return x.unfold(-1, d, d).movedim(2, 1)


def merge_heads(x):
    return nn.Flatten(start_dim=2)(x.swapaxes(1, 2))


def one_text(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor):
    """One head of one text: q (Tq, d), k and v (Tk, d), allowed (Tq, Tk)."""
    scores = nn.functional.linear(q, k).div(q.shape[-1] ** 0.5)
    weights = nn.Softmax(dim=-1)(where(allowed, scores, -1e8)) * allowed
    return weights @ v, weights


all_texts_and_heads = vmap(vmap(one_text))


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

    def forward(self, query, key, value, mask=None):
        if mask is None:
            mask = ones(query.shape[1], key.shape[1], dtype=bool, device=query.device)
        layers = {self.w_q: query, self.w_k: key, self.w_v: value}
        heads = [split_heads(layer(x), self.num_heads) for layer, x in layers.items()]
        everywhere = mask.expand(len(query), self.num_heads, query.shape[1], key.shape[1])
        context, weights = all_texts_and_heads(*heads, everywhere)
        return self.w_o(merge_heads(context)), weights


class WideMultiHeadAttention(nn.Module):
    def __init__(self, width: int, num_heads: int, key_width: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.key_width = key_width
        self.w_q = nn.Linear(width, num_heads * key_width)
        self.w_k = nn.Linear(width, num_heads * key_width)
        self.w_v = nn.Linear(width, num_heads * key_width)
        self.w_o = nn.Linear(num_heads * key_width, width)

    def forward(self, query, key, value, mask=None):
        return MultiHeadAttention.forward(self, query, key, value, mask)


def attention_parameters(width, num_heads, key_width=None, bias=True):
    with device("meta"):
        sizes = (width, num_heads) if key_width is None else (width, num_heads, key_width)
        layer = MultiHeadAttention(*sizes) if key_width is None else WideMultiHeadAttention(*sizes)
    return sum(p.numel() for name, p in layer.named_parameters() if bias or name.endswith("weight"))


def grouped_query_attention(q, k, v, mask=None):
    owners = arange(q.shape[1], device=q.device).div(q.shape[1] // k.shape[1], rounding_mode="floor")
    k, v = k.index_select(1, owners), v.index_select(1, owners)
    scores = matmul(q, k.adjoint()) * q.shape[-1] ** -0.5
    if mask is None:
        return matmul(nn.functional.softmax(scores, dim=-1), v)
    mask = mask.broadcast_to(scores.shape)
    weights = softmax_of_allowed(scores, -1, mask=mask | ~mask.any(-1, keepdim=True))
    return matmul(where(mask, weights, zeros_like(weights)), v)
