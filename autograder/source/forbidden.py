"""Forbidden library functions, by their dotted names."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

ATTENTION = (
    *("scaled_dot_product_*attention*", "triton_scaled_dot_attention"),
    *("flash_attention_forward*", "efficient_attention_forward", "cudnn_attention_forward"),
    *("flex_attention*", "math_attention", "ops.attention", "onnx.Attention", "_impl.attention_*"),
)
# Functions of torch that do the same under other names, or all but a line of it.
KIN = {
    "softmax": (
        *("safe_softmax", "masked_softmax", "sparse_softmax", "nested_tensor_softmax_with_shape"),
        *("SoftmaxTransform", *ATTENTION),
    ),
    "log_softmax": ("sparse_log_softmax",),
    "scaled_dot_product_attention": ATTENTION,
    "MultiheadAttention": ("*multi_head_attention",),
    "TransformerEncoderLayer": ("transformer_encoder_layer_fwd",),
    "cosine_similarity": ("cosine_embedding_loss", "CosineEmbeddingLoss"),
    "rotary_embedding": ("_impl.rotary_embedding*",),
    "layer_norm": ("*rms_norm", "RMSNorm", "*batch_norm*", "_refs.normalize"),
    "binary_cross_entropy": (
        *("*soft_margin_loss", "*SoftMarginLoss", "Binomial", "kl_bernoulli_bernoulli", "kl_binomial_binomial"),
    ),
    "rnn_tanh": ("rnn_cell*", "one_layer_rnn*"),
    "conv1d": ("*convolution*", "*qconv*", "thnn_conv*"),
}


@lru_cache(maxsize=256)
def with_kin(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns, and patterns for functions that do the same."""
    kin = [name for public, names in KIN.items() if is_forbidden(public, patterns) for name in names]
    return (*patterns, *kin)


def is_forbidden(name: str, patterns: tuple[str, ...]) -> bool:
    """Return whether a dotted name is one of `patterns`.

    A pattern matches the end of a name: "softmax" any library function of that name, "functional.unfold" only that of
    torch.nn.functional and not the method of a tensor, "conv*" all names that begin so.
    """
    return _ending(patterns).search(name) is not None


def forbidden_among(names: Mapping[str, Sequence[str]], patterns: tuple[str, ...]) -> list[str]:
    """Return those of the dotted names that are forbidden: `is_forbidden` for thousands at once.

    Args:
        names: by their last parts, as from `by_last_part`.
    """
    found: set[str] = set()
    for pattern in patterns:
        last = pattern.rpartition(".")[2]
        matching = fnmatch.filter(names, last) if "*" in last else [last]
        found.update(name for each in matching for name in names.get(each, ()) if is_forbidden(name, (pattern,)))
    return sorted(found)


def by_last_part(names: Iterable[str]) -> dict[str, list[str]]:
    """Return dotted names by what stands after the last dot."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.rpartition(".")[2], []).append(name)
    return found


@lru_cache(maxsize=256)
def _ending(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:^|\.)(?:{_written(patterns)})\Z")


def _written(patterns: tuple[str, ...]) -> str:
    return "|".join(re.escape(pattern).replace(r"\*", r"[^.\n]*") for pattern in patterns)
