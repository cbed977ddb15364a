"""The numbers of a trained model, handed in as safetensors."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load, save
from torch import nn

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents

MOST_NUMBERS, MOST_TENSORS, MOST_AXES = 8_000_000, 2_000, 8
DTYPES = {
    *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.float8_e4m3fn),
    *(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
}


@dataclass(frozen=True)
class Artefact:
    """The state of a trained model, and its score when it was saved."""

    state: Mapping[str, torch.Tensor]
    score: float | None = None


def refuse_ungradable(model: nn.Module) -> None:
    """Refuse a model before it is trained in vain.

    Raises:
        UsageError: its state could not be handed in.
    """
    parameters = dict(model.named_parameters())
    lazy = [name for name, value in parameters.items() if isinstance(value, nn.UninitializedParameter)]
    wide = [name for name, value in parameters.items() if not lazy and value.dtype != torch.float32]
    other = [name for name, value in model.state_dict().items() if not isinstance(value, torch.Tensor)]
    for names, what in ((lazy, "has no size yet"), (wide, "is not float32"), (other, "is not a tensor")):
        if names:
            raise UsageError(f"{names[0]} of your model {what}, so it cannot be trained and handed in here")
    if trouble := _trouble(model.state_dict()):
        raise UsageError(f"your model cannot be handed in: it holds {trouble}")


def write_artefact(path: Path, artefact: Artefact) -> None:
    """Write the artefact in half precision, which is enough for grading.

    Raises:
        UsageError: `path` cannot be written.
    """
    halved = {name: value.half() if value.is_floating_point() else value for name, value in artefact.state.items()}
    own = {name: value.contiguous().clone() for name, value in halved.items()}
    files.write(path, save(own, {"score": repr(artefact.score)}))


def read_artefact(path: Path) -> Artefact | None:
    """Read an artefact; None where the file is not one."""
    try:
        with safe_open(path, "pt") as opened:
            score = (opened.metadata() or {}).get("score", "")
        return Artefact(state_of(contents(path)), float(score))
    except (OSError, SafetensorError, ValueError):
        return None


def state_of(data: bytes) -> dict[str, torch.Tensor]:
    """Return the state of a model, with floating-point numbers in float32.

    Raises:
        ValueError: the bytes are not safetensors, or hold too much.
    """
    try:
        found = load(data)
    except (SafetensorError, KeyError, ValueError, RuntimeError, TypeError, AttributeError, MemoryError) as error:
        raise ValueError(f"it is not a file of safetensors ({' '.join(str(error).split())[:80]})") from error
    if trouble := _trouble(found):
        raise ValueError(f"it holds {trouble}")
    return {name: value.float() if value.is_floating_point() else value for name, value in sorted(found.items())}


def score_of(data: bytes) -> float | None:
    """Return the score that a file of safetensors names; None if it names none."""
    try:
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        score = float(header["__metadata__"]["score"])
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError):
        return None
    return score if math.isfinite(score) else None


def _trouble(state: Mapping[str, torch.Tensor]) -> str:
    """Return why no model of the course has such a state; "" if one may."""
    if not state:
        return "no numbers"
    if len(state) > MOST_TENSORS or any(value.dim() > MOST_AXES for value in state.values()):
        return f"more than {MOST_TENSORS:,} tensors, or one of more than {MOST_AXES} axes"
    if max(max(value.shape, default=1) for value in state.values()) > MOST_NUMBERS:
        return f"an axis longer than {MOST_NUMBERS:,}"
    if sum(value.numel() for value in state.values()) > MOST_NUMBERS:
        return f"more than {MOST_NUMBERS:,} numbers"
    foreign = {str(value.dtype) for value in state.values() if value.dtype not in DTYPES}
    return f"numbers of a kind that no model here has: {', '.join(sorted(foreign))}" if foreign else ""
