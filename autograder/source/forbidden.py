"""What counts as a forbidden library function, by its dotted name."""

from __future__ import annotations

import re
from functools import lru_cache

# What does the same under another name: torch's private kernels.
KIN = {
    "softmax": ("safe_softmax", "masked_softmax", "sparse_softmax", "nested_tensor_softmax_with_shape"),
    "log_softmax": ("sparse_log_softmax",),
    "scaled_dot_product_attention": (
        *("scaled_dot_product_*attention*", "triton_scaled_dot_attention"),
        *("flash_attention_forward*", "efficient_attention_forward", "cudnn_attention_forward"),
    ),
    "MultiheadAttention": ("*multi_head_attention",),
    "TransformerEncoderLayer": ("transformer_encoder_layer_fwd",),
}


@lru_cache(maxsize=256)
def with_kin(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns, and those for what does the same."""
    kin = [name for public, names in KIN.items() if is_forbidden(public, patterns) for name in names]
    return (*patterns, *kin)


def is_forbidden(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether a dotted name is one of `patterns`.

    A pattern is what the name ends in: "softmax" any library function of that name, "functional.unfold" that of
    torch.nn.functional alone and not the method of a tensor, "conv*" all that begin so.
    """
    return _ending(patterns).search(name) is not None


@lru_cache(maxsize=256)
def _ending(patterns: tuple[str, ...]) -> re.Pattern[str]:
    written = "|".join(re.escape(pattern).replace(r"\*", "[^.]*") for pattern in patterns)
    return re.compile(rf"(?:^|\.)(?:{written})\Z")
