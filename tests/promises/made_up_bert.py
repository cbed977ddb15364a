"""A small BERT with numbers at random, in the files in which a real one is published."""

from __future__ import annotations

import json

import torch
from safetensors.torch import save

from autograder.student.capstones.published import FILES

D, HIDDEN, BLOCKS, PLACES = 24, 48, 2, 64
LETTERS = "abcdefghijklmnopqrstuvwxyz'.,"
ENDINGS = ("good", "great", "love", "best", "nice", "bad", "worst", "not", "poor", "waste")
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *LETTERS, *(f"##{each}" for each in LETTERS), *ENDINGS]
SIZES: dict[str, object] = {
    "vocab_size": len(WORDS),
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": D,
    "num_attention_heads": 4,
    "intermediate_size": HIDDEN,
    "num_hidden_layers": BLOCKS,
    "max_position_embeddings": PLACES,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
}
IN_BLOCK = {
    **dict.fromkeys((f"attention.{name}" for name in ("self.query", "self.key", "self.value", "output.dense")), (D, D)),
    **dict.fromkeys(("attention.output.LayerNorm", "output.LayerNorm"), (D,)),
    **{"intermediate.dense": (HIDDEN, D), "output.dense": (D, HIDDEN)},
}


def made_up() -> dict[str, bytes]:
    """Return the three files by name."""
    layers = {f"encoder.layer.{k}.{name}": shape for k in range(BLOCKS) for name, shape in IN_BLOCK.items()}
    layers |= {"embeddings.LayerNorm": (D,), "pooler.dense": (D, D)}
    torch.manual_seed(0)
    found = {f"{name}.weight": torch.randn(shape) / shape[-1] ** 0.5 for name, shape in layers.items()}
    found |= {f"{name}.weight": torch.ones(D) for name, shape in layers.items() if len(shape) == 1}
    found |= {f"{name}.bias": torch.zeros(shape[0]) for name, shape in layers.items()}
    tables = {"word": len(WORDS), "position": PLACES, "token_type": 2}
    found |= {f"embeddings.{name}_embeddings.weight": torch.randn(rows, D) for name, rows in tables.items()}
    found["embeddings.position_ids"] = torch.arange(PLACES)[None]
    return dict(zip(FILES, (save(found), "\n".join(WORDS).encode(), json.dumps(SIZES).encode()), strict=True))
