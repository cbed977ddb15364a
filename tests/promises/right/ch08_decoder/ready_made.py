"""Ready-made: torch's own attention and loss, complex waves, an output that is there from the start."""

from functools import reduce

import torch
from torch import nn, vmap
from torch.nn import functional as F

from reference.blocks import EncoderBlock, MultiHeadAttention


@torch.inference_mode()
def shift_right(targets, bos_id):
    places = torch.arange(targets.shape[1], device=targets.device)
    return vmap(lambda row: torch.where(places == 0, bos_id, row[(places - 1).clamp(min=0)]))(targets)


def attention(layer, x, seen, mask):
    if mask is not None:
        mask = mask.expand(len(x), layer.num_heads, x.shape[1], seen.shape[1]).flatten(0, 1)
        dead = ~mask.any(-1, keepdim=True)
        mask = (mask | dead).logical_not()  # here True hides
    out, _ = F.multi_head_attention_forward(
        x.transpose(0, 1),
        seen.transpose(0, 1),
        seen.transpose(0, 1),
        x.shape[-1],
        layer.num_heads,
        in_proj_weight=None,
        in_proj_bias=torch.cat([layer.w_q.bias, layer.w_k.bias, layer.w_v.bias]),
        bias_k=None,
        bias_v=None,
        add_zero_attn=False,
        dropout_p=0.0,
        out_proj_weight=torch.eye(x.shape[-1], dtype=x.dtype, device=x.device),
        out_proj_bias=None,
        attn_mask=mask,
        need_weights=False,
        use_separate_proj_weight=True,
        q_proj_weight=layer.w_q.weight,
        k_proj_weight=layer.w_k.weight,
        v_proj_weight=layer.w_v.weight,
    )
    out = out.transpose(0, 1).unflatten(-1, (layer.num_heads, -1)).transpose(1, 2)  # (B, H, T, d)
    if mask is not None:
        out = out.masked_fill(dead.unflatten(0, (-1, layer.num_heads)), 0)
    return layer.w_o(out.transpose(1, 2).flatten(2))


class DecoderBlock(nn.Module):
    def __init__(self, width, num_heads, hidden, dropout=0.1):
        super().__init__()
        self.self_attention = MultiHeadAttention(width, num_heads)
        self.cross_attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2, self.dropout3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norm1(self.dropout1(attention(self.self_attention, x, x, self_mask)) + x)
        x = self.norm2(self.dropout2(attention(self.cross_attention, x, memory, memory_mask)) + x)
        return self.norm3(self.dropout3(self.feed_forward(x)) + x)


class Decoder(nn.Module):
    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1):
        super().__init__()
        self.blocks = nn.ModuleList([DecoderBlock(width, num_heads, hidden, dropout) for _ in range(num_blocks)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return reduce(lambda y, block: block(y, memory, self_mask, memory_mask), self.blocks, x)


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
        x = embedding(ids)
        like = {"dtype": x.dtype, "device": x.device}
        pairs = (self.width + 1) // 2
        rates = torch.pow(10000, -2 * torch.arange(pairs, **like) / self.width)
        angles = torch.arange(ids.shape[1], **like).unsqueeze(1) * rates
        waves = torch.view_as_real(torch.polar(torch.ones_like(angles), angles)).flip(-1)  # (T, D / 2, 2)
        return torch.add(waves.flatten(1)[:, : self.width], x, alpha=self.width**0.5)

    def encode(self, source):
        mask = torch.ne(source, self.pad_id).unflatten(0, (-1, 1, 1))
        x = self._embed(source, self.source_embedding)
        return reduce(lambda y, block: block(y, mask), self.encoder_blocks, x)

    def decode(self, target_in, memory, source):
        real = torch.ne(target_in, self.pad_id)
        self_mask = real[:, None, None].expand(-1, 1, target_in.shape[1], -1).tril()
        memory_mask = torch.ne(source, self.pad_id)[:, None, None].expand(-1, 1, target_in.shape[1], -1)
        x = self._embed(target_in, self.target_embedding)
        return self.output(self.decoder(x, memory, self_mask=self_mask, memory_mask=memory_mask))

    def forward(self, source, target_in):
        return self.decode(target_in, self.encode(source), source)


def sequence_loss(logits, targets, pad_id, label_smoothing=0.0):
    return F.cross_entropy(logits.transpose(1, 2), targets, None, ignore_index=pad_id, label_smoothing=label_smoothing)


@torch.inference_mode()
def greedy_decode(model, source, bos_id, eos_id, max_length):
    output = torch.empty(source.shape[0], max_length + 1, dtype=torch.int64, device=source.device)
    output.fill_(model.pad_id)
    output[:, 0] = bos_id
    alive = torch.ones(source.shape[0], dtype=torch.bool, device=source.device)
    for step in range(1, max_length + 1):
        chosen = model(source, output[:, :step])[:, -1, :].topk(1).indices.squeeze(-1)
        output[alive, step] = chosen[alive]
        alive &= chosen != eos_id
        if not alive.any():
            return output[:, 1 : step + 1]
    return output[:, 1:]
