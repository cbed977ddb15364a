"""Kernels for tensors without data: those in C++ are preferred, none is lost, and shapes come out the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from autograder.calls.device_transfer import one_device
from autograder.internals.kernels import prefer_native
from tests.autograder.conftest import TOY
from tests.autograder.forked import python

HEAD = """
import sys, torch
from autograder.internals import kernels
from autograder.internals.kernels import native_kernels, prefer_native

def there():
    names = [name for name in torch._C._dispatch_get_all_op_names() if name.startswith("aten::")]
    return {name for name in names if torch._C._dispatch_has_kernel_for_dispatch_key(name, "Meta")}

def in_python():
    called = []
    sys.setprofile(lambda frame, *_: called.append(frame.f_code.co_filename))
    torch.nn.functional.linear(x, x, x[0]).exp() + x
    sys.setprofile(None)
    return sum("_decomp" in each or "_refs" in each for each in called)

x = torch.ones(3, 3, device="meta")
kept, before = there(), in_python()
"""
TOLD = """
with native_kernels():
    within, once = in_python(), there()
    with native_kernels():
        pass
    assert (in_python(), there()) == (within, once) == (0, kept)
assert in_python() > 0
assert there() == kept
with native_kernels():
    prefer_native()
after, once = in_python(), there()
with native_kernels():
    prefer_native()
assert there() == once == kept, once ^ kept
assert in_python() == 0
assert before > 0 == after, (before, after)
"""

STOPPED = """
def stopped(names):
    kernels._register = register
    register({name: names[name] for name in [*names][:100]})
    raise KeyboardInterrupt

register, kernels._register = kernels._register, stopped
try:
    with native_kernels():
        raise AssertionError
except KeyboardInterrupt:
    assert there() == kept
    assert in_python() > 0
with native_kernels():
    assert in_python() == 0
"""

OPERATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "linear": lambda x: functional.linear(x, x[:3, :], x[0, :3]),
    "layer_norm": lambda x: functional.layer_norm(x, x.shape[-1:]),
    "embedding": lambda x: functional.embedding(x.long().clamp(0, 3), x),
    "cross_entropy": lambda x: functional.cross_entropy(x, x[:, 0].long().clamp(0, 3), label_smoothing=0.1),
    "attention": lambda x: functional.scaled_dot_product_attention(x[None, None], x[None, None], x[None, None]),
    "where": lambda x: torch.where(x > 0, x, 0.0),
    "masked_fill": lambda x: x.masked_fill(x > 0, -torch.inf).softmax(-1),
    "einsum": lambda x: torch.einsum("ij,kj->ki", x, x),
    "integers": lambda x: x.long() + x.argmax(-1, keepdim=True),
    "halves": lambda x: x.to(torch.bfloat16) * x.double(),
    "variance": lambda x: x.var(-1, keepdim=True, unbiased=False) + x.std(-1, keepdim=True),
    "convolution": lambda x: functional.conv1d(x[None], x[:, :, None].repeat(1, 1, 2)[:, :4], padding=1),
    "sorted": lambda x: x.topk(2, -1).values.cumsum(-1),
    "triangle": lambda x: x.T.tril().logsumexp(-1),
    "upside down": lambda x: functional.gelu(x.flip(0).roll(1, 1)),
}


@pytest.mark.parametrize("code", [TOLD, STOPPED], ids=["told", "stopped halfway"])
def test_those_in_c_are_preferred_and_no_operator_is_without_one(code: str) -> None:
    ran = python("-c", HEAD + code, cwd=TOY)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("name", OPERATIONS)
def test_shapes_dtypes_and_strides_are_those_of_tensors_with_data(name: str) -> None:
    prefer_native()
    x = torch.arange(20.0).reshape(4, 5)
    if name in ("linear", "convolution", "triangle"):
        x = x[:, :4].contiguous()
    real, hollow = OPERATIONS[name](x), OPERATIONS[name](x.to("meta"))
    assert (hollow.shape, hollow.dtype, hollow.stride()) == (real.shape, real.dtype, real.stride())
    assert hollow.is_meta


def test_shapes_that_do_not_fit_and_tensors_of_two_devices_are_still_refused() -> None:
    prefer_native()
    x = torch.ones(3, 4, device="meta")
    with pytest.raises(RuntimeError, match="size of tensor a"):
        x + torch.ones(3, 5, device="meta")
    with pytest.raises(RuntimeError, match="mat1 and mat2"):
        functional.linear(x, torch.ones(2, 5, device="meta"))
    with pytest.raises(RuntimeError, match="same device"), one_device(x):
        x + torch.ones(3, 4)
