"""The stand-in for torch's compiler: it is spared, and there for whoever needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
WANTED = """
with without_compiler():
    import torch._dynamo.config
    from torch._dynamo import eval_frame
    torch._dynamo.reset()
assert torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2)).tolist() == [2, 2]
"""
LOADED = """
import torch._dynamo as before
with without_compiler():
    assert sys.modules["torch._dynamo"] is before
assert sys.modules["torch._dynamo"] is before
"""


CASES = {"spared": SPARED, "stepped": STEPPED, "wanted": WANTED, "loaded before": LOADED}


@pytest.mark.parametrize("code", CASES.values(), ids=CASES)
def test_the_compiler_is_spared_unless_it_is_wanted(code: str) -> None:
    head = "import sys\nimport torch\nfrom autograder.compiler import without_compiler\n"
    run = subprocess.run([sys.executable, "-c", head + code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
