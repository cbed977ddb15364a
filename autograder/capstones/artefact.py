"""What is handed in of a trained model: its numbers, as safetensors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load, save

from autograder import files

MOST_NUMBERS = 8_000_000


@dataclass(frozen=True)
class Artefact:
    """The state of a trained model, and the score that it had when it was kept."""

    state: Mapping[str, torch.Tensor]
    score: float | None = None


def write_artefact(path: Path, artefact: Artefact) -> None:
    """Put it down in half precision, which is enough to judge by.

    Raises:
        UsageError: the place cannot be written to.
    """
    halved = {name: value.half() if value.is_floating_point() else value for name, value in artefact.state.items()}
    own = {name: value.contiguous().clone() for name, value in halved.items()}
    files.write(path, save(own, {"score": repr(artefact.score)}))


def read_artefact(path: Path) -> Artefact | None:
    """None where the file is no artefact."""
    try:
        with safe_open(path, "pt") as opened:
            said = (opened.metadata() or {}).get("score", "")
        return Artefact(state_of(path.read_bytes()), float(said))
    except (OSError, SafetensorError, ValueError):
        return None


def state_of(data: bytes) -> dict[str, torch.Tensor]:
    """The numbers of a model, floating ones in float32.

    Raises:
        ValueError: these bytes are none, or too many.
    """
    try:
        found = load(data)
    except (SafetensorError, KeyError, ValueError, RuntimeError, TypeError, AttributeError, MemoryError) as error:
        raise ValueError(f"it is no file of safetensors ({' '.join(str(error).split())[:80]})") from error
    if sum(value.numel() for value in found.values()) > MOST_NUMBERS:
        raise ValueError(f"it holds more than {MOST_NUMBERS:,} numbers")
    return {name: value.float() if value.is_floating_point() else value for name, value in found.items()}
