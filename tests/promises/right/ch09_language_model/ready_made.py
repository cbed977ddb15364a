"""Ready-made: torch's own loss, top-k, cumulative sums and encoder layers, and everything that saves a line."""

import functools

import torch
import torch.nn.functional as F
from torch import nn

from reference.blocks import EncoderBlock, TokenAndPositionEmbedding


def next_token_pairs(ids):
    return ids.narrow(1, 0, ids.size(1) - 1), ids.narrow(1, 1, ids.size(1) - 1)


def layer(block):
    """One of the given blocks as torch's own."""
    attention, (first, _, last) = block.attention, block.feed_forward
    made = nn.TransformerEncoderLayer(
        first.in_features,
        attention.num_heads,
        first.out_features,
        dropout=block.dropout1.p,
        activation="gelu",
        batch_first=True,
        norm_first=True,
        device="meta",
    )
    inside = (attention.w_q, attention.w_k, attention.w_v)
    state = {
        "self_attn.in_proj_weight": torch.cat([part.weight for part in inside]),
        "self_attn.in_proj_bias": torch.cat([part.bias for part in inside]),
    }
    for name, part in (
        ("self_attn.out_proj", attention.w_o),
        ("linear1", first),
        ("linear2", last),
        ("norm1", block.norm1),
        ("norm2", block.norm2),
    ):
        state |= {f"{name}.weight": part.weight, f"{name}.bias": part.bias}
    return made.train(block.training), state


class CausalLM(nn.Module):
    def __init__(self, vocab_size, max_length, width, num_heads, hidden, num_blocks, dropout=0.1):
        super().__init__()
        make = functools.partial(EncoderBlock, width, num_heads, hidden, dropout, norm_first=True, activation="gelu")
        self.embedding = TokenAndPositionEmbedding(vocab_size, max_length, width)
        self.blocks = nn.ModuleList(make() for _ in range(num_blocks))
        self.norm = nn.LayerNorm(width)
        self.max_length = max_length

    def forward(self, ids):
        x = self.embedding(ids)
        hidden = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).triu(1)
        for block in self.blocks:
            made, state = layer(block)
            x = torch.func.functional_call(made, state, (x,), {"src_mask": hidden})
        return F.linear(self.norm(x), self.embedding.token.weight)


def perplexity(logits, labels, ignore_id=-100):
    return F.nll_loss(logits.log_softmax(-1).movedim(-1, 1), labels, ignore_index=ignore_id).exp()


@torch.inference_mode()
def next_token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).type_as(logits)
    logits = logits / temperature
    if top_k is not None:
        threshold = torch.topk(logits, min(top_k, logits.size(-1)))[0][..., -1, None]
        logits = torch.where(logits < threshold, -float("inf"), logits)
    if top_p is not None:
        ordered, places = torch.sort(logits, descending=True)
        remove = F.softmax(ordered, -1).cumsum(-1) >= top_p
        remove[..., 1:] = remove[..., :-1].clone()
        remove[..., 0] = False
        logits = logits.masked_fill(remove.scatter(1, places, remove), -float("inf"))
    return F.softmax(logits, dim=-1)


@torch.inference_mode()
def generate(model, prompt, steps, choose):
    def add(text, _):
        return F.pad(text, (0, 1)).index_copy(
            1,
            torch.tensor([text.shape[1]]),
            choose(model(text[:, -model.max_length :])[:, -1, :]).unsqueeze(-1),
        )

    return functools.reduce(add, range(steps), prompt)


def attend_with_cache(q, k, v, cache=None):
    past = 0
    if cache:
        past = cache["length"]
        k, v = torch.cat((cache["k"], k), -2), torch.cat((cache["v"], v), -2)
    hide = torch.full((q.size(-2), k.size(-2)), float("-inf"), dtype=q.dtype, device=q.device).triu(past + 1)
    weights = F.softmax(torch.baddbmm(hide, q.flatten(0, 1), k.flatten(0, 1).mT, alpha=q.size(-1) ** -0.5), -1)
    return torch.bmm(weights, v.flatten(0, 1)).view_as(q), {"k": k, "v": v, "length": k.size(-2)}


def summarization_example(article, summary, separator_id, eos_id):
    ids = torch.cat([F.pad(article, (0, 1), value=separator_id), F.pad(summary, (0, 1), value=eos_id)])
    return ids, F.pad(torch.ones_like(summary, dtype=torch.bool), (len(article) + 1, 1), value=True).where(
        torch.arange(len(ids), device=ids.device) > len(article), False
    )
