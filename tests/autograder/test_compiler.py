"""The stand-in for torch's compiler: it is spared, and there for an answer that needs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch

from autograder.calls.records import Call
from autograder.core.submission import ChapterSource, Submission
from autograder.internals.compiler import SINCE
from autograder.sandbox.handles import Template
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import TOY
from tests.autograder.forked import python
from tests.autograder.processes import AT_EASE

pytestmark = pytest.mark.usefixtures("warm")

SPARED = """
with without_compiler():
    x = torch.ones(2, 3, device="meta")
    y = torch.nn.functional.layer_norm(torch.nn.Linear(3, 4, device="meta")(x), (4,)).softmax(-1) + 1
assert y.shape == (2, 4)
assert "torch._dynamo" not in sys.modules
assert torch.ones(1, device="meta").add(1).shape == (1,)
assert "torch._dynamo" not in sys.modules, "what was left out once stays left out"
torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1).zero_grad()
"""
STEPPED = """
with without_compiler():
    weight = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([weight], lr=0.5)
    weight.sum().backward()
    optimizer.step()
assert weight.tolist() == [0.5]
assert "torch._dynamo" not in sys.modules
"""
WEIGHED = """
with without_compiler(), without_algebra():
    x = torch.ones(2, 3, requires_grad=True)
    (gradient,) = torch.autograd.grad([2 * x], [x], [torch.full((2, 3), 5.0)])
    on_meta = torch.ones(2, 3, device="meta")
    assert torch.where(on_meta > 0, on_meta.logsumexp(-1, keepdim=True), 0.0).shape == (2, 3)
    try:
        torch.autograd.grad([2 * x], [x], [torch.ones(3, 2)])
        sys.exit("shapes that differ should not pass")
    except RuntimeError as error:
        assert "Mismatch in shape" in str(error)
assert gradient.tolist() == [[10.0] * 3] * 2
assert "sympy" not in sys.modules
"""
ALGEBRA = """
with without_compiler(), without_algebra():
    from sympy import Symbol
    from torch.fx.experimental.symbolic_shapes import ShapeEnv
assert str(Symbol("d") + 1) == "d + 1"
assert ShapeEnv.__module__ == "torch.fx.experimental.symbolic_shapes"
"""
SET = """
with without_compiler(), without_algebra():
    torch.use_deterministic_algorithms(True)
    assert torch.are_deterministic_algorithms_enabled()
    x = torch.ones(3)
    assert torch.func.grad(lambda y: (y * y).sum())(x).tolist() == [2] * 3
assert not {"torch._dynamo", "torch._inductor", "torch._inductor.config", "sympy"} & {*sys.modules}
"""
INNER = """
with without_compiler(), without_algebra():
    from torch._dynamo.utils import counters
    import torch._inductor.config as config
    assert config.max_autotune is False
assert sys.modules["torch._dynamo.utils"].counters is counters
assert torch._dynamo.utils is sys.modules["torch._dynamo.utils"]
assert type(sys.modules["torch._inductor.config"]).__name__ != "_StandIn"
"""
WANTED = """
with without_compiler():
    import torch._dynamo.config
    from torch._dynamo import eval_frame
    torch._dynamo.reset()
assert torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2)).tolist() == [2, 2]
"""
OLDER = """
with without_algebra():
    from torch.fx.experimental.symbolic_shapes import has_hint, size_hint
    assert has_hint(3) and size_hint(3) == 3
assert "sympy" not in sys.modules
"""
LOADED = """
before = sys.modules["torch._dynamo"] = type(sys)("torch._dynamo")
with without_compiler():
    assert sys.modules["torch._dynamo"] is before
assert sys.modules["torch._dynamo"] is before
"""


CASES = {
    **{"spared": SPARED, "stepped": STEPPED, "weighed": WEIGHED},
    **{"set": SET, "inner": INNER, "wanted": WANTED, "algebra": ALGEBRA, "older torch": OLDER, "loaded before": LOADED},
}


OF_NEW_TORCH = pytest.mark.skipif(
    torch.__version__ < SINCE, reason=f"before torch {SINCE} gradients are compared with sympy, which only takes time"
)


@pytest.mark.parametrize(
    "code", [pytest.param(code, id=name, marks=[OF_NEW_TORCH] * (name == "weighed")) for name, code in CASES.items()]
)
def test_the_compiler_is_spared_unless_it_is_wanted(code: str) -> None:
    head = "import sys\nimport torch\nfrom autograder.internals.compiler import without_algebra, without_compiler\n"
    run = python("-c", head + code, cwd=Path.cwd())
    assert run.returncode == 0, run.stderr


COMPILED = """
import torch

@torch.compile
def once(x):
    return 2 * x

@torch.compile(dynamic=True)
def twice(x):
    return once(once(x))

linear = torch.compile(torch.nn.Identity())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")
def test_a_submission_that_asks_for_compilation_runs_uncompiled() -> None:
    submission = Submission("ada", {"ch01_one": ChapterSource("ch01_one", COMPILED, "ch01_one.py")})
    with Template(TOY) as template, SandboxTarget(template, submission, AT_EASE) as target:
        seen = target.observe("ch01_one", Call("twice", (torch.ones(2),)))
    assert torch.equal(seen.result, torch.full((2,), 4.0))
