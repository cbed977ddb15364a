"""Ways to rename: replaced texts, patterns, a model of one's own, pairs of names, a match."""

import re
from itertools import product

import torch
from torch import nn

from reference.blocks import BertEmbedding as GivenEmbedding
from reference.blocks import EncoderBlock

LAYERS = {
    "attention.self.query": "attention.w_q",
    "attention.self.key": "attention.w_k",
    "attention.self.value": "attention.w_v",
    "attention.output.dense": "attention.w_o",
    "attention.output.LayerNorm": "norm1",
    "intermediate.dense": "feed_forward.0",
    "output.dense": "feed_forward.2",
    "output.LayerNorm": "norm2",
}
SINGLE = {
    "embedding.token.weight": "embeddings.word_embeddings.weight",
    "embedding.position.weight": "embeddings.position_embeddings.weight",
    "embedding.segment.weight": "embeddings.token_type_embeddings.weight",
    "embedding.norm.weight": "embeddings.LayerNorm.weight",
    "embedding.norm.bias": "embeddings.LayerNorm.bias",
    "pooler.weight": "pooler.dense.weight",
    "pooler.bias": "pooler.dense.bias",
}


# %% one loop inside the other
def course_weights(published, num_blocks):
    state = {}
    for ours, theirs in SINGLE.items():
        state[ours] = published[theirs]
    for k in range(num_blocks):
        for theirs, ours in LAYERS.items():
            state[f"blocks.{k}.{ours}.weight"] = published[f"encoder.layer.{k}.{theirs}.weight"]
            state[f"blocks.{k}.{ours}.bias"] = published[f"encoder.layer.{k}.{theirs}.bias"]
    return state


# %% from the file, and then what is missing
def course_weights(published: dict[str, torch.Tensor], num_blocks: int) -> dict[str, torch.Tensor]:
    single = {theirs: ours for ours, theirs in SINGLE.items()}
    state, seen = {}, set()
    for name, tensor in published.items():
        found = re.fullmatch(r"encoder\.layer\.(\d+)\.(.+)\.(weight|bias)", name)
        if name in single:
            state[single[name]] = tensor
            seen.add(name)
        elif found and found[2] in LAYERS and int(found[1]) < num_blocks:
            state[f"blocks.{found[1]}.{LAYERS[found[2]]}.{found[3]}"] = tensor
            seen.add(name)
    wanted = {*single} | {
        f"encoder.layer.{k}.{layer}.{part}" for k, layer, part in product(range(num_blocks), LAYERS, ("weight", "bias"))
    }
    for name in sorted(wanted - seen):
        raise KeyError(f"the file has no {name}")
    return state


# %% replaced texts
def course_weights(published, num_blocks):
    with torch.device("meta"):
        model = nn.Module()
        model.embedding = GivenEmbedding(2, 2, 2, 2)
        model.blocks = nn.ModuleList(EncoderBlock(2, 1, 2, activation="gelu") for _ in range(num_blocks))
        model.pooler = nn.Linear(2, 2)
    steps = [
        ("embedding.norm", "embeddings.LayerNorm"),
        ("embedding.token", "embeddings.word_embeddings"),
        ("embedding.position", "embeddings.position_embeddings"),
        ("embedding.segment", "embeddings.token_type_embeddings"),
        ("blocks.", "encoder.layer."),
        ("attention.w_q", "attention.self.query"),
        ("attention.w_k", "attention.self.key"),
        ("attention.w_v", "attention.self.value"),
        ("attention.w_o", "attention.output.dense"),
        ("norm1", "attention.output.LayerNorm"),
        ("norm2", "output.LayerNorm"),
        ("feed_forward.0", "intermediate.dense"),
        ("feed_forward.2", "output.dense"),
        ("pooler.", "pooler.dense."),
    ]
    found = {}
    for name, _ in model.named_parameters():
        theirs = name
        for ours, other in steps:
            theirs = theirs.replace(ours, other)
        found[name] = published[theirs]
    return found


# %% what a part of a name means
def course_weights(published, num_blocks):
    def renamed(name):
        match name.split("."):
            case ["embeddings", "LayerNorm", part]:
                return f"embedding.norm.{part}"
            case ["embeddings", "word_embeddings" | "position_embeddings" | "token_type_embeddings" as table, part]:
                short = {"word": "token", "position": "position", "token_type": "segment"}
                return f"embedding.{short[table.removesuffix('_embeddings')]}.{part}"
            case ["encoder", "layer", number, "attention", "self", which, part] if int(number) < num_blocks:
                return f"blocks.{number}.attention.w_{which[0]}.{part}"
            case ["encoder", "layer", number, "attention", "output", "dense", part] if int(number) < num_blocks:
                return f"blocks.{number}.attention.w_o.{part}"
            case ["encoder", "layer", number, "attention", "output", _, part] if int(number) < num_blocks:
                return f"blocks.{number}.norm1.{part}"
            case ["encoder", "layer", number, "output", "LayerNorm", part] if int(number) < num_blocks:
                return f"blocks.{number}.norm2.{part}"
            case ["encoder", "layer", number, "intermediate" | "output" as which, "dense", part] if (
                int(number) < num_blocks
            ):
                return f"blocks.{number}.feed_forward.{2 if which == 'output' else 0}.{part}"
            case ["pooler", "dense", part]:
                return f"pooler.{part}"
        return None

    needed = [*SINGLE.values()]
    needed += [f"encoder.layer.{k}.{a}.{b}" for k in range(num_blocks) for a in LAYERS for b in ("weight", "bias")]
    return {renamed(name): published[name] for name in needed}


# %% two lists side by side
def course_weights(published, num_blocks):
    ours = [*SINGLE]
    theirs = [*SINGLE.values()]
    for k in reversed(range(num_blocks)):
        for part in ("bias", "weight"):
            ours += [f"blocks.{k}.{name}.{part}" for name in LAYERS.values()]
            theirs += [f"encoder.layer.{k}.{name}.{part}" for name in LAYERS]
    return dict(zip(ours, map(published.__getitem__, theirs), strict=True))
