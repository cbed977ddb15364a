"""Errors that the line they come from tells more of: devices, dtypes, NumPy's functions, `-` of booleans."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import torch

from autograder.calls.records import Raised

Told = tuple[str, str]

_HERE: Final = "leave what is given where it is, and make your own tensors there: torch.zeros(3, device=x.device)"
_IN_TORCH: Final = "stay in torch, so that gradients can pass"
_TWINS: Final = {
    "absolute": "abs",
    "arange": "arange",
    "array": "tensor",
    "concatenate": "cat",
    "expand_dims": "unsqueeze",
    "max": "amax",
    "min": "amin",
    "power": "pow",
    "repeat": "repeat_interleave",
    "transpose": "permute",
}
"""The functions of torch that have another name in NumPy."""


def line_trouble(raised: Raised, *, of_object: bool) -> Told | None:
    """Return a headline and advice for an error whose cause the line shows; None for any other error.

    Args:
        of_object: whether an object of a class was called.
    """
    missing = re.search(r"has no attribute '(\w+)'", raised.message)
    if missing and f"self.{missing[1]}" in raised.source:
        advice = (
            "Is it spelt as in `__init__`? Only `__init__` runs before every call: what another method sets may be "
            "missing, or old."
        )
        return f"it uses `self.{missing[1]}`, which nothing has set before this call", advice
    for pattern, tell in _TELLING:
        if pattern.search(raised.message) and (told := tell(raised.source, of_object)):
            return told
    return None


def _no_such_device(_: str, __: bool) -> Told:
    return "it asks for a device that this machine does not have", _HERE


def _copied_from_meta(source: str, _: bool) -> Told | None:
    """Tell a copy between devices; None where the numbers themselves are wanted."""
    if re.search(r"\.(tolist|numpy)\(", source):
        return None
    if re.search(r"\.(to|cpu|cuda)\(", source):
        return "it moves a tensor to a device of its own choice, away from what is given (here on meta)", _HERE
    if re.search(r"\]\s*[-+*/]?=(?!=)|\bcopy_\(|\bout=", source):
        made = "make it on the device of what was given: torch.zeros(3, dtype=x.dtype, device=x.device)"
        return "it copies into a tensor on another device than what is given (here meta)", made
    return None


def _taken_to_numpy(source: str, _: bool) -> Told:
    found = re.search(r"\bnp\.(\w+)\(|\bnumpy\.(\w+)\(", source)
    if found is None:
        return "it makes a NumPy array of a tensor, through which no gradient can pass", f"{_IN_TORCH}: no `.numpy()`"
    name = found[1] or found[2]
    twin = _TWINS.get(name, name)
    instead = f": `torch.{twin}`" if hasattr(torch, twin) else ": use torch's functions"
    return f"it calls NumPy's `{name}` on a tensor, and no gradient can pass through NumPy", f"{_IN_TORCH}{instead}"


def _of_one_dtype(source: str, of_object: bool) -> Told:
    if made := re.search(r"\bnn\.([A-Z]\w+)\(", source):
        return _new_layer(made[1], of_object)
    if of_object:
        advice = (
            "layers are made in `__init__`; a tensor you make gets dtype and device: torch.zeros(3, dtype=x.dtype, "
        )
        return "it mixes dtypes: two tensors that meet are not of one dtype", f"{advice}device=x.device)"
    advice = "look for what you make yourself: torch.zeros(3, dtype=x.dtype, device=x.device) is like x; "
    return "it mixes dtypes: two tensors that meet are not of one dtype", f"{advice}`a.to(b.dtype)` has the dtype of b"


def _of_one_device(source: str, of_object: bool) -> Told | None:
    made = re.search(r"\bnn\.([A-Z]\w+)\(", source)
    return _new_layer(made[1], of_object) if made else None


def _new_layer(name: str, of_object: bool) -> Told:
    headline = f"it makes a new layer, `nn.{name}`, each time it is called, with parameters of its own"
    if of_object:
        return (
            headline,
            "make layers in `__init__`, and only call them in `forward`; if `__init__` is given, use its own",
        )
    return headline, "the parameters are among the arguments: compute with those"


def _minus_of_booleans(source: str, _: bool) -> Told:
    found = re.search(r"\b1(?:\.0?)?\s*-\s*(\w+)", source)
    name = found[1] if found else "x"
    advice = f"`{name}.to(y.dtype)` makes numbers of them, 1 for True; `~{name}` exchanges True and False"
    return "it takes `-` of booleans, which torch refuses", advice


def _minus_of_boolean_arrays(_: str, __: bool) -> Told:
    advice = "`x.astype(float)` makes numbers of them, 1 for True; `~x` exchanges True and False"
    return "it takes `-` of booleans, which NumPy refuses", advice


def _numpys_keyword(source: str, _: bool) -> Told | None:
    if found := re.search(r"\bnp\.(\w+)\(", source):
        twin = _TWINS.get(found[1], found[1])
        advice = f"use `torch.{twin}`, with `dim=` and `keepdim=`" if hasattr(torch, twin) else "use torch's functions"
        return f"it calls NumPy's `{found[1]}` on a tensor", advice
    return None


_TELLING: Final[tuple[tuple[re.Pattern[str], Callable[[str, bool], Told | None]], ...]] = (
    (
        re.compile(r"not compiled with (CUDA|XPU)|No CUDA GPUs|NVIDIA driver|from the '(MPS|CUDA|XPU|HIP)' backend"),
        _no_such_device,
    ),
    (re.compile("Cannot copy out of meta tensor"), _copied_from_meta),
    (re.compile(r"Can't call numpy\(\) on Tensor|can't convert \w+ device type tensor to numpy"), _taken_to_numpy),
    (
        re.compile(
            "same dtype|same datatype|expected scalar type|expected .* to have the same dtype|bias type .* same",
            re.IGNORECASE,
        ),
        _of_one_dtype,
    ),
    (re.compile("is not on the expected device|on the same device", re.IGNORECASE), _of_one_device),
    (re.compile("(Subtraction|Negation), the `-` operator, .* bool tensor"), _minus_of_booleans),
    (re.compile(r"numpy boolean (subtract|negative), the `-` operator"), _minus_of_boolean_arrays),
    (re.compile(r"unexpected keyword argument '(axis|keepdims|out)'|got \(out=NoneType, axis="), _numpys_keyword),
)
