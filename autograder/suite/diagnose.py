"""What an error of torch's says, in plain words."""

from __future__ import annotations

import re

from autograder.calls import Data, Observation, Raised
from autograder.suite.leaves import Difference

_LIKE = "make it with the dtype and the device of what was given: torch.zeros(3, dtype=x.dtype, device=x.device)"
_BOOLEAN = "a mask is boolean: compare (`==`, `<=`), or make it with dtype=torch.bool"
_NO_DATA = re.compile("meta tensor|register_meta", re.IGNORECASE)
_TROUBLES = (
    (
        _NO_DATA,
        "it looks at the numbers of a tensor that has none (device meta), so it cannot run without data",
        "work on whole tensors: no .item(), .tolist(), x[mask] or `if` about a tensor, nor functions that use them",
    ),
    (
        re.compile("is not on the expected device|on the same device", re.IGNORECASE),
        "it mixes devices: a tensor it makes lies on the default device, its arguments on another (here meta)",
        _LIKE,
    ),
    (
        re.compile(r"torch\.return_types\."),
        "it takes the pair that `max`, `min`, `sort` or the like give along an axis for a tensor",
        "the pair is (values, indices): take its `.values`; `amax` and `amin` give the values alone",
    ),
    (
        re.compile("same dtype|expected scalar type|expected .* to have the same dtype", re.IGNORECASE),
        "it mixes dtypes: a tensor it makes is not of the dtype of its arguments",
        _LIKE,
    ),
)


def needs_data(result: Data) -> bool:
    """Whether a function looks at numbers, which meta tensors do not have."""
    return isinstance(result, Raised) and _NO_DATA.search(result.message) is not None


def trouble(got: Observation, found: Difference) -> tuple[str, str] | None:
    """What an error of torch's, or a wrong dtype, says in plain words, and what to do; None if nothing is known."""
    said = got.result.message if isinstance(got.result, Raised) else ""
    for pattern, headline, advice in _TROUBLES:
        if pattern.search(said):
            return f"{headline} ({found.headline})", advice
    if found.stage != "dtype":
        return None
    return found.headline, _BOOLEAN if "bool" in found.expected else _LIKE
