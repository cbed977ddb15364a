"""Tensordot: the given blocks' weights in baddbmm and addmm, -1e30 where hidden, a cache that is a function."""

import torch
import torch.nn.functional as F
from torch import nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding

HIDDEN = -1e30


def next_token_pairs(ids):
    first, *between, last = ids.split(1, dim=-1)
    return torch.concat([first, *between], dim=-1), torch.concat([*between, last], dim=-1)


def linear(layer, x):
    return torch.addmm(layer.bias, x.reshape(-1, x.shape[-1]), layer.weight.T).view(*x.shape[:-1], -1)


def normalise(layer, x):
    return F.layer_norm(x, layer.normalized_shape, weight=layer.weight, bias=layer.bias, eps=layer.eps)


def causal(q, k, v):
    """q (N, t, d), k and v (N, past + t, d): the last query sees every key."""
    new, everything = q.shape[-2], k.shape[-2]
    hide = q.new_full((new, everything), HIDDEN).triu(everything - new + 1)
    return torch.softmax(torch.baddbmm(hide, q, k.mT, alpha=q.shape[-1] ** -0.5), dim=-1).bmm(v)


class CausalLM(nn.Module):
    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__()
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.blocks = nn.ModuleList(
            [
                EncoderBlock(width, num_heads, hidden, dropout, norm_first=True, activation="gelu")
                for _ in range(num_blocks)
            ]
        )
        self.norm = nn.LayerNorm(width)
        self.max_length = max_length

    def attend(self, layer, x):
        heads = [
            torch.cat(linear(part, x).tensor_split(layer.num_heads, dim=-1))  # (H·B, T, d), heads first
            for part in (layer.w_q, layer.w_k, layer.w_v)
        ]
        return linear(layer.w_o, torch.cat(causal(*heads).chunk(layer.num_heads), dim=-1))

    def forward(self, ids):
        token, position = self.embedding.token.weight, self.embedding.position.weight
        x = token.index_select(0, ids.flatten()).view(*ids.shape, -1)
        x += position[: ids.shape[1]]
        for block in self.blocks:
            x = x + block.dropout1(self.attend(block.attention, normalise(block.norm1, x)))
            up, _, down = block.feed_forward
            x = x + block.dropout2(linear(down, F.gelu(linear(up, normalise(block.norm2, x)))))
        return torch.tensordot(normalise(self.norm, x), token, dims=([2], [1]))


def perplexity(logits, labels, ignore_id=-100):
    real = labels.ne(ignore_id)
    right = logits.gather(-1, labels.where(real, 0).unsqueeze(-1)).squeeze(-1)
    surprise = logits.logsumexp(-1) - right
    return torch.tensordot(surprise, real.to(surprise), dims=2).div(real.sum()).exp()


def next_token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        temperature, top_k, top_p = 1.0, 1, None
    ordered, places = (logits / temperature).sort(dim=-1, descending=True)
    if top_k is not None:
        ordered = torch.cat([ordered[:, :top_k], torch.full_like(ordered[:, top_k:], HIDDEN)], dim=-1)
    if top_p is not None:
        better = F.pad(ordered.softmax(-1).cumsum(-1)[:, :-1], (1, 0))
        ordered = torch.where(better < top_p, ordered, HIDDEN)
    return torch.empty_like(logits).scatter_(-1, places, ordered.softmax(-1))


def generate(model, prompt, steps, choose):
    with torch.no_grad():
        columns = list(prompt.unbind(1))
        for _ in range(steps):
            window = torch.stack(columns[-model.max_length :], 1)
            columns.append(choose(model(window)[:, -1]))
    return torch.stack(columns, 1)


def attend_with_cache(q, k, v, cache=None):
    if cache is not None:
        k, v = (torch.cat(pair, dim=2) for pair in zip(cache(), (k, v), strict=True))
    output = causal(q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)).unflatten(0, q.shape[:2])
    return output, lambda: (k, v)


def summarization_example(article, summary, separator_id, eos_id):
    separator, eos = article.new_tensor([[separator_id], [eos_id]])
    parts = {separator: False, summary: True, eos: True}
    mask = [torch.full_like(part, said, dtype=torch.bool) for part, said in ((article, False), *parts.items())]
    return torch.cat([article, *parts]), torch.cat(mask)
