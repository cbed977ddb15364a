"""Errors of torch and NumPy, wrong dtypes and wrong devices in plain words, each with advice that is sure to help."""

from __future__ import annotations

import re

import numpy as np
import torch

from autograder.calls.records import Call, Data, Observation, Raised, tensors
from autograder.compare.describe import Names
from autograder.compare.difference import Difference, Stated, Words
from autograder.compare.line_errors import line_trouble
from autograder.compare.size_errors import size_trouble

RETURN = {
    ("tensor", "array"): "return a tensor: compute with torch's functions, not with NumPy's",
    ("tensor", "list"): "return a tensor: torch.stack or torch.cat makes one of tensors, torch.tensor one of numbers",
    ("array", "tensor"): "return a NumPy array: compute with NumPy's functions, not with torch's",
    ("array", "list"): "return a NumPy array: np.array makes one of a list",
}
"""Advice where the first kind is expected and the second returned."""

ANEW: tuple[tuple[type, str], ...] = (
    (
        torch.Tensor,
        "make new tensors (`x - m`, `masked_fill`, `where`, `x.clone()`) instead of `-=`, `x[...] =` or "
        "a method ending in `_`",
    ),
    (np.ndarray, "make new arrays (`x - m`, `np.where`, `x.copy()`) instead of `-=`, `x[...] =` or `x.sort()`"),
    (list, "make new lists (`[*x, 1]`, `sorted(x)`) instead of `x.append(1)`, `x.sort()`, `x.pop()` or `x[...] =`"),
    (dict, "make a new dict (`{**x, key: 1}`) instead of `x[key] =` or `x.pop(key)`"),
)
"""Advice instead of changing an argument, by its kind."""

_LIKE = "make it with the dtype and the device of what was given: torch.zeros(3, dtype=x.dtype, device=x.device)"
_THERE = "make it on the device of what was given: torch.zeros(3, device=x.device)"
_LIKE_PARAMETERS = "give it the dtype of the parameters: p = next(self.parameters()), torch.zeros(3, dtype=p.dtype)"
_DEFAULT_DTYPE = "no argument is a tensor, so take torch's default: dtype=torch.get_default_dtype()"
_DEFAULT_DEVICE = "no argument is a tensor, so take torch's default device: no device=, and no torch.from_numpy"
_BOOLEAN = "True and False are wanted: compare (`==`, `<=`), or make it with dtype=torch.bool"
_NO_DATA = re.compile("meta tensor|register_meta", re.IGNORECASE)
_DEVICES = re.compile(r"is not on the expected device|on the same device|lies on \w+ instead of", re.IGNORECASE)
_TROUBLES = (
    (
        _NO_DATA,
        "it looks at the numbers of a tensor that has none (device meta), so it cannot run without data",
        "work on whole tensors: no .item(), .tolist(), x[mask] or `if` about a tensor, nor functions that use them",
    ),
    (
        re.compile(r"torch\.return_types\."),
        "it takes the pair that `max`, `min`, `sort` or the like give along an axis for a tensor",
        "the pair is (values, indices): take its `.values`; `amax` and `amin` give the values alone",
    ),
    (
        re.compile(
            r"must be Tensor, not tuple|argument \d+, but got tuple|operand type\(s\) for \S+: '(Tensor' and 'tuple'|"
            r"tuple' and 'Tensor')|concatenate tuple \(not \"Tensor\"\)"
        ),
        "it uses a tuple where a tensor is wanted",
        "a pair such as (output, weights) is taken apart first: `output, weights = ...`",
    ),
    (
        re.compile(r"before Module\.__init__\(\) call|has no attribute '_(modules|parameters|backward_hooks)'"),
        "`super().__init__()` is missing, or comes too late",
        "let `super().__init__()` be the first line of `__init__`",
    ),
    (
        re.compile(r"batch[12] must be a 3D tensor"),
        "its `bmm` gets a tensor that has not three axes",
        "has a `squeeze()` without an axis dropped one of size 1? `@` takes any number of leading axes",
    ),
    (
        re.compile("view size is not compatible with input tensor's size and stride"),
        "its `view` gets a tensor whose numbers do not lie in that order in memory",
        "`reshape` takes any tensor; but is the order right? after a transpose the axes must stand as you name them",
    ),
    (
        re.compile(r"(leaf Variable that requires grad|view of a leaf).*in-place"),
        "it changes a parameter in place while gradients are recorded",
        "make a new tensor, or write under `torch.no_grad()` where a parameter is to be set",
    ),
    (
        re.compile("does not require grad and does not have a grad_fn"),
        "it takes the gradient of something that no parameter led to",
        "was it detached, made anew from numbers, or computed under `no_grad`?",
    ),
    (
        re.compile(
            r"(elements? tensors can|elements? cannot|size-1 arrays can|0-dimensional arrays can) be converted to "
        ),
        "it makes one plain number of several",
        "`.item()` and `float()` take a single number: sum, average or index first; to make one tensor of several, "
        "take `torch.stack` instead of `torch.tensor`",
    ),
    (
        re.compile("Boolean value of Tensor with more than one"),
        "it asks one yes or no of several numbers",
        "`.all()` or `.any()` makes one of many; `torch.where` and masks decide for each number by itself; "
        "of an argument that may be None, ask `is not None`",
    ),
    (
        re.compile("truth value of an array with more than one"),
        "it asks one yes or no of several numbers",
        "`.all()` or `.any()` makes one of many; `np.where` and masks decide for each number by itself",
    ),
    (
        re.compile("division by zero|modulo by zero"),
        "it divides by 0",
        "think of the empty input, and of items that never occur: what should the result be there?",
    ),
    (
        re.compile(r"(list|string|tuple) index out of range|pop from (an )?empty"),
        "it takes an item that is not there",
        "think of the shortest input; the last index is one less than the length",
    ),
    (
        re.compile(r"expect(s|ed) a non-empty (TensorList|list)"),
        "it joins an empty list of tensors",
        "think of the empty input: which shape should the result have then?",
    ),
    (
        re.compile("need at least one array to"),
        "it joins an empty list of arrays",
        "think of the empty input: which shape should the result have then?",
    ),
    (
        re.compile(r"^\[(Errno|WinError) \d+\] .*: b?['\"]"),
        "it opens a file, and where answers are graded there is none of yours",
        "an answer works with its arguments alone",
    ),
)


def needs_data(result: Data) -> bool:
    """Return whether a function failed because it looks at numbers, which meta tensors do not have."""
    return isinstance(result, Raised) and _NO_DATA.search(result.message) is not None


def trouble(
    call: Call, got: Observation, found: Difference | Stated, described: Words, names: Names
) -> tuple[str, str] | None:
    """Return a headline and advice for an error, or for a wrong dtype or device; None if there are none for it."""
    if isinstance(got.result, Raised):
        raised = isinstance(found, Difference) and found.rule == "raised"
        shown = f"it raised {got.result.kind}" if raised else described.headline
        return _of_error(call, got.result, shown, names)
    if isinstance(got.gradients, Raised) and isinstance(found, Difference) and found.rule == "no gradients":
        return _of_error(call, got.gradients, f"asking for gradients raised {got.gradients.kind}", names)
    if found.stage != "dtype" or described.advice:
        return None
    return described.headline, _of_dtype(call, described.expected)


def _of_error(call: Call, raised: Raised, shown: str, names: Names) -> tuple[str, str] | None:
    """Return a headline and advice for an error of a library; the message shows its own words below them."""
    if raised.is_own:
        return None
    told = line_trouble(raised, of_object=call.build is not None)
    for pattern, headline, advice in (*_TROUBLES, (_DEVICES, *_of_devices(call))):
        if not told and pattern.search(raised.message):
            told = headline, advice
    told = told or size_trouble(raised.message, names)
    return (f"{told[0]} ({shown})", told[1]) if told else None


def _of_devices(call: Call) -> tuple[str, str]:
    if call.bare:
        headline, advice = "it mixes devices: a tensor it makes is not on torch's default device", _DEFAULT_DEVICE
    else:
        headline = "it mixes devices: a tensor it makes lies on the default device, its arguments on another"
        advice = _THERE
    on_meta = call.device == "meta" or any(each.is_meta for each in tensors((call.args, call.kwargs)))
    return headline + " (here meta)" * on_meta, advice


def _of_dtype(call: Call, wanted: str) -> str:
    """Return how to get the wanted dtype or device, from an argument if one has it."""
    if wanted.startswith("device"):
        return _DEFAULT_DEVICE if call.bare else _THERE
    if wanted == "bool":
        return _BOOLEAN
    if wanted == "int64":
        where = "" if call.bare else ", device=x.device"
        return f"these are whole numbers: torch.zeros(3, dtype=torch.int64{where})"
    given, parameters = (
        {str(tensor.dtype) for tensor in tensors(values)}
        for values in ((call.args, call.kwargs), call.build.state if call.build else ())
    )
    for known, advice in ((given, _LIKE), (parameters, _LIKE_PARAMETERS), ({str(call.dtype)}, _DEFAULT_DTYPE)):
        if f"torch.{wanted}" in known:
            return advice
    return f"make it with dtype=torch.{wanted}"
