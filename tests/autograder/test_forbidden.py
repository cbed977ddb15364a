"""Forbidden ready-made functions: found in the text and while running, innocent namesakes left alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional as F

from autograder.calls import Call, Raised
from autograder.forbidden import forbidden_use
from autograder.guard import ForbiddenError, forbid
from autograder.observe import observe
from reference import blocks

NAMES = ("softmax", "Softmax")


def used(source: str) -> str | None:
    found = forbidden_use(source, "answer", NAMES)
    return found.name if found else None


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def answer(x):\n    return torch.softmax(x, -1)", "torch.softmax"),
        ("def answer(x):\n    return x.softmax(-1)", "x.softmax"),
        ("from torch.nn.functional import softmax as s\ndef answer(x):\n    return s(x, -1)", "softmax"),
        ("def helper(x):\n    return x.softmax(-1)\ndef answer(x):\n    return helper(x)", "x.softmax"),
        ("class answer:\n    def forward(self, x):\n        return nn.Softmax(-1)(x)", "nn.Softmax"),
        ("import torch.nn.functional as F\ndef answer(x):\n    return F.softmax(x, -1)", "F.softmax"),
        ("def answer(x):\n    from torch import softmax as s\n    return s(x, -1)", "softmax"),
        (
            "import torch\nclass Mine:\n    def softmax(self): ...\ndef answer(x):\n    return torch.softmax(x, -1)",
            "torch.softmax",
        ),
    ],
)
def test_a_forbidden_name_is_found_in_the_text(source: str, name: str) -> None:
    assert used(source) == name


def test_an_attribute_of_one_s_own_is_no_excuse_for_the_method_of_a_tensor() -> None:
    own = "class answer:\n    def __init__(self): self.softmax = Mine()\n"
    assert used(own + "    def forward(self, x): return x.softmax(-1)") == "x.softmax"


@pytest.mark.parametrize(
    "source",
    [
        "def softmax(x):\n    return x.exp()\ndef answer(x):\n    return softmax(x)",
        "from torch import softmax\ndef softmax(x):\n    return x\ndef answer(x):\n    return softmax(x)",
        "class answer:\n    def softmax(self, x): return x\n    def forward(self, x): return self.softmax(x)",
        "def other(x):\n    return torch.softmax(x, -1)\ndef answer(x):\n    return x",
        "def scores(x):\n    return x.softmax(-1)\ndef answer(scores):\n    return scores.exp()",
        "def scores(x):\n    return x.softmax(-1)\ndef answer(x):\n    scores = x.exp()\n    return scores",
        "class Maths:\n    def softmax(x): return x.exp()\ndef answer(x):\n    return Maths.softmax(x)",
        "class Head:\n    def softmax(self, x): ...\ndef answer(x):\n    h = Head()\n    return h.softmax(x)",
        "class answer:\n    def __init__(self): self.softmax = Mine()\n    def forward(self, x): self.softmax(x)",
        "def other(x):\n    from torch import softmax as e\ndef answer(x):\n    e = x.exp()\n    return e",
        "def answer(x):\n    '''not torch.softmax'''\n    return x",
        "def answer(x:\n",
    ],
)
def test_an_innocent_use_of_the_name_is_left_alone(source: str) -> None:
    assert used(source) is None


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.softmax(x, -1),
        lambda x: x.softmax(-1),
        lambda x: F.softmax(x, dim=-1),
        lambda x: torch.nn.Softmax(-1)(x),
        lambda x: getattr(torch, "soft" + "max")(x, -1),
        lambda x: torch.ops.aten._softmax.default(x, -1, False),
    ],
)
def test_a_forbidden_function_raises_however_it_is_reached(call) -> None:  # type: ignore[no-untyped-def]
    with forbid(NAMES), pytest.raises(ForbiddenError, match=r"(?i)softmax"):
        call(torch.ones(2, 3))


PATTERNS = ("functional.unfold", "im2col", "conv*", "Conv*", "Transformer*", "blocks.EncoderBlock")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import torch.nn.functional as F\ndef answer(x):\n    return F.unfold(x, 2)", "F.unfold"),
        ("from torch.nn import functional\ndef answer(x):\n    return functional.unfold(x, 2)", "functional.unfold"),
        ("from torch.nn.functional import unfold as u\ndef answer(x):\n    return u(x, 2)", "unfold"),
        ("from torch import nn\ndef answer(x):\n    return nn.Conv2d(3, 4, 2)(x)", "nn.Conv2d"),
        ("import torch\ndef answer(x):\n    return torch.nn.functional.unfold(x, 2)", "torch.nn.functional.unfold"),
        ("import torch\ndef answer(x):\n    return torch.conv2d(x, x)", "torch.conv2d"),
        ("from reference.blocks import EncoderBlock as E\nclass answer(E): ...", "EncoderBlock"),
        ("import reference.blocks as b\ndef answer(x):\n    return b.EncoderBlock(8, 2, 9)(x)", "b.EncoderBlock"),
        ("from torch import nn\nclass answer(nn.TransformerEncoderLayer): ...", "nn.TransformerEncoderLayer"),
        ("from reference.blocks import EncoderBlock as E\ndef answer(x):\n    return E.forward(x)", "EncoderBlock"),
    ],
)
def test_a_pattern_is_found_in_the_text(source: str, name: str) -> None:
    found = forbidden_use(source, "answer", PATTERNS)
    assert found
    assert found.name == name


@pytest.mark.parametrize(
    "source",
    [
        "def answer(x):\n    return x.unfold(2, 2, 2)",
        "import torch\ndef answer(x):\n    return torch.Tensor.unfold(x, 2, 2, 2)",
        "from torch import nn\nclass Transformer(nn.Module): ...\ndef answer(x):\n    return Transformer()(x)",
        "class EncoderBlock: ...\ndef answer(x):\n    return EncoderBlock()(x)",
        "def answer(x):\n    return x.convert() + x.conv_weight",
        "from torch import nn\ndef answer(x):\n    return nn.Transformer.generate_square_subsequent_mask(3)",
    ],
)
def test_a_pattern_leaves_namesakes_alone(source: str) -> None:
    assert forbidden_use(source, "answer", PATTERNS) is None


IMAGES = torch.ones(2, 3, 8, 8)
FORBIDDEN_CALLS = {
    "a function by its module": lambda: F.unfold(IMAGES, 2),
    "the kernel below it": lambda: torch._C._nn.im2col(IMAGES, (2, 2), (1, 1), (0, 0), (1, 1)),
    "a layer": lambda: torch.nn.Conv2d(3, 1, 2)(IMAGES),
    "a layer's forward alone": lambda: torch.nn.Conv2d(3, 1, 2).forward(IMAGES),
    "a class derived from a layer": lambda: type("Mine", (torch.nn.TransformerEncoderLayer,), {})(8, 2)(IMAGES[:, 0]),
    "the forward of a given block alone": lambda: blocks.EncoderBlock.forward(
        blocks.EncoderBlock(8, 2, 9), IMAGES[:, 0]
    ),
    "a given block": lambda: blocks.EncoderBlock(8, 2, 9)(IMAGES[:, 0]),
}
WELCOME_CALLS = {
    "a tensor's method of the same name": lambda: IMAGES.unfold(2, 2, 2),
    "another given block": lambda: blocks.MultiHeadAttention(8, 2)(*[IMAGES[:, 0]] * 3),
    "another way to the same": lambda: F.pixel_unshuffle(IMAGES, 2),
}


@pytest.mark.parametrize("run", FORBIDDEN_CALLS.values(), ids=FORBIDDEN_CALLS)
def test_a_pattern_holds_while_running(run: Callable[[], object]) -> None:
    with forbid(PATTERNS), pytest.raises(ForbiddenError):
        run()


@pytest.mark.parametrize("run", WELCOME_CALLS.values(), ids=WELCOME_CALLS)
def test_a_pattern_lets_everything_else_run(run: Callable[[], object]) -> None:
    with forbid(PATTERNS):
        run()


def test_a_given_block_that_was_kept_is_refused_too_and_whole_again_afterwards() -> None:
    kept, block = blocks.MultiHeadAttention.forward, blocks.MultiHeadAttention(8, 2)
    with forbid(("blocks.MultiHeadAttention",)), pytest.raises(ForbiddenError, match="MultiHeadAttention"):
        kept(block, *[IMAGES[:, 0]] * 3)
    assert kept(block, *[IMAGES[:, 0]] * 3)[0].shape == (2, 8, 8)


def test_the_watch_does_not_load_the_compiler_of_torch() -> None:
    code = (
        "import sys, torch\nfrom autograder.guard import forbid\n"
        "with forbid(['softmax']): torch.ones(2).exp()\nsys.exit('torch._dynamo' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_everything_else_runs_and_nothing_is_left_behind() -> None:
    x = torch.ones(2, 3)
    with forbid(NAMES):
        assert torch.exp(x).sum() > 0
    assert torch.softmax(x, -1).sum() == pytest.approx(2)


HELPED = """
from torch.nn import functional as F


def helper(x):
    return F.unfold(x, 2)


def answer(x):
    return helper(x)


def direct(x):
    return helper(x), F.unfold(x, 2)
"""


@pytest.mark.parametrize(("name", "refused"), [("answer", False), ("direct", True)])
def test_what_a_welcome_function_uses_is_its_own_affair(name: str, refused: bool) -> None:
    assert bool(forbidden_use(HELPED, name, PATTERNS, ("helper",))) is refused
    assert forbidden_use(HELPED, name, PATTERNS)
    namespace: dict[str, Any] = {}
    exec(HELPED, namespace)
    for welcome, raised in (((), True), (("helper",), refused)):
        call = Call(name, (IMAGES,), forbidden=PATTERNS, welcome=welcome)
        result = observe(namespace, call).result
        assert (isinstance(result, Raised) and result.kind == "ForbiddenError") is raised
