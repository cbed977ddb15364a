"""Forbidden ready-made functions raise however they are reached; namesakes and everything else are left alone."""

from __future__ import annotations

import _thread
import copy
import linecache
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch
import torch._refs
from torch import nn
from torch.nn import functional as F

from autograder.calls.observe import observe
from autograder.calls.records import Call, Raised
from autograder.internals.forbid import ForbiddenError, forbid
from reference import blocks
from tests.autograder.forked import python

X = torch.tensor([[1.0, 2.0, 4.0], [0.0, 1.0, 0.5]])
SOFTMAX = ("softmax", "Softmax")
KEPT = F.softmax, torch._refs.softmax, nn.Softmax(-1).forward, torch.ops.aten._softmax.default
SCRIPT = """
def scripted(x):
    return torch.softmax(x, -1)

def forked(x):
    return torch.jit.wait(torch.jit.fork(scripted, x))
"""
COMPILED = torch.jit.CompilationUnit(SCRIPT)
with warnings.catch_warnings(action="ignore"):
    TRACED = torch.jit.trace(lambda x: x.softmax(-1), X, check_trace=False)  # which would load a quarter of torch
POOL = ThreadPoolExecutor(1)
POOL.submit(int).result()  # its thread lives already


class Own(torch.autograd.Function):
    @staticmethod
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x.softmax(-1)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None: ...


def in_thread(start: Callable[[Callable[[], None]], None]) -> None:
    """Do it in a thread that `start` starts, and wait for its end."""
    done = threading.Event()

    def run() -> None:
        try:
            X.softmax(-1)
        except ForbiddenError:
            pass
        finally:
            done.set()

    start(run)
    assert done.wait(60)


def caught() -> None:
    try:
        X.softmax(-1)
    except Exception:
        X.exp()


def with_hook() -> None:
    layer = nn.Identity()
    layer.register_forward_hook(lambda _, __, y: y.softmax(-1))
    layer(X)


def in_inference() -> None:
    with torch.inference_mode():
        X.softmax(-1)


def without_functions_of_torch() -> None:
    with torch._C.DisableTorchFunction():
        F.softmax(X, -1)


WAYS = {
    "torch's": lambda: torch.softmax(X, -1),
    "a method": lambda: X.softmax(-1),
    "a layer": lambda: nn.Softmax(-1)(X),
    "a layer's forward alone": lambda: nn.Softmax(-1).forward(X),
    "a class derived from a layer": lambda: type("Mine", (nn.Softmax,), {})(-1)(X),
    "a copied layer": lambda: copy.deepcopy(nn.Softmax(-1))(X),
    "a name put together": lambda: getattr(torch, "soft" + "max")(X, -1),
    "kept since import": lambda: KEPT[0](X, dim=-1),
    "torch's own rewriting in Python": lambda: KEPT[1](X, -1),
    "a bound method kept since import": lambda: KEPT[2](X),
    "a kernel": lambda: KEPT[3](X, -1, False),
    "another kernel": lambda: torch.ops.aten._safe_softmax(X, -1),
    "of a sparse tensor": lambda: torch.sparse.softmax(X.to_sparse(), -1),
    "in another layout": lambda: X.to_mkldnn().softmax(-1),
    "past the dispatcher's first choice": lambda: torch.ops.aten.softmax.int.decompose(X, -1),
    "within attention": lambda: F.scaled_dot_product_attention(X, X, X),
    "where it can be differentiated": lambda: X.clone().requires_grad_().softmax(-1),
    "without gradients": in_inference,
    "without the functions of torch": without_functions_of_torch,
    "vmap": lambda: torch.vmap(lambda row: row.softmax(-1))(X),
    "torch.func": lambda: torch.func.grad(lambda x: x.softmax(-1).sum())(X),
    "an autograd.Function": lambda: Own.apply(X),
    "a compiled script": lambda: COMPILED.scripted(X),
    "a script that forks": lambda: COMPILED.forked(X),
    "a trace": lambda: TRACED(X),
    "a hook": with_hook,
    "caught": caught,
    "a thread": lambda: in_thread(lambda run: threading.Thread(target=run).start()),
    "a thread without a name": lambda: in_thread(lambda run: _thread.start_new_thread(run, ())),
    "a timer": lambda: in_thread(lambda run: threading.Timer(0, run).start()),
    "a pool": lambda: in_thread(lambda run: ThreadPoolExecutor(1).submit(run)),
    "a pool that lives already": lambda: in_thread(lambda run: POOL.submit(run)),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.filterwarnings("ignore")
def test_a_forbidden_function_raises_however_it_is_reached(way: Callable[[], object]) -> None:
    way()
    with pytest.raises(ForbiddenError, match=r"(?i)softmax|attention"), forbid(SOFTMAX):
        way()


IMAGES = torch.ones(2, 3, 8, 8)
TEXTS = torch.ones(2, 3, 8)
PATTERNS = ("functional.unfold", "im2col", "conv*", "Conv*", "Transformer*", "blocks.EncoderBlock")
FORBIDDEN_CALLS = {
    "a function by its module": lambda: F.unfold(IMAGES, 2),
    "the kernel below it": lambda: torch._C._nn.im2col(IMAGES, (2, 2), (1, 1), (0, 0), (1, 1)),
    "a layer": lambda: nn.Conv2d(3, 1, 2)(IMAGES),
    "a layer that is made of others": lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 1)(TEXTS),
    "a part of a layer": lambda: nn.TransformerEncoderLayer(8, 2)._ff_block(TEXTS),
    "the forward of a given block alone": lambda: blocks.EncoderBlock.forward(blocks.EncoderBlock(8, 2, 9), TEXTS),
    "a given block": lambda: blocks.EncoderBlock(8, 2, 9)(TEXTS),
    "a given block without data": lambda: blocks.EncoderBlock(8, 2, 9).to("meta")(TEXTS.to("meta")),
}


class OwnConv1d(nn.Conv1d):
    """Its parameters are the library's, its work is its own."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight[0, 0, 0]


WELCOME_CALLS = {
    "a tensor's method of the same name": lambda: IMAGES.unfold(2, 2, 2),
    "another given block": lambda: blocks.MultiHeadAttention(8, 2)(*[TEXTS] * 3),
    "another way to the same": lambda: F.pixel_unshuffle(IMAGES, 2),
    "a layer that is never called": lambda: nn.Conv2d(3, 4, 2).weight.sum(),
    "a class derived from a layer with work of its own": lambda: OwnConv1d(3, 3, 1)(IMAGES[0]),
    "a mask": lambda: nn.Transformer.generate_square_subsequent_mask(3),
}


@pytest.mark.parametrize("run", FORBIDDEN_CALLS.values(), ids=FORBIDDEN_CALLS)
@pytest.mark.filterwarnings("ignore")
def test_a_pattern_holds_while_running(run: Callable[[], object]) -> None:
    run()
    with pytest.raises(ForbiddenError), forbid(PATTERNS):
        run()


@pytest.mark.parametrize("run", WELCOME_CALLS.values(), ids=WELCOME_CALLS)
def test_a_pattern_lets_everything_else_run(run: Callable[[], object]) -> None:
    with forbid(PATTERNS):
        run()


ATTENTION = {
    "by unit vectors": lambda q: F.scaled_dot_product_attention(q, q, q),
    "on paper": lambda q: torch.ops.aten._scaled_dot_product_attention_math(q, q, q),
    "for this processor": lambda q: torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, q, q),
    "a layer": lambda q: nn.MultiheadAttention(8, 2, batch_first=True)(q[0], q[0], q[0]),
    "its fast path": lambda q: nn.MultiheadAttention(8, 2, batch_first=True).eval()(q[0], q[0], q[0]),
    "its kernel": lambda q: torch._native_multi_head_attention(
        *(q[0], q[0], q[0], 8, 2, torch.ones(24, 8), torch.ones(24), torch.eye(8), torch.ones(8))
    ),
}


@pytest.mark.parametrize("run", ATTENTION.values(), ids=ATTENTION)
def test_attention_is_known_by_all_its_names(run: Callable[[torch.Tensor], object]) -> None:
    q = torch.ones(1, 2, 3, 8)
    with torch.no_grad():
        run(q)
        with pytest.raises(ForbiddenError), forbid(("scaled_dot_product_attention", "MultiheadAttention")):
            run(q)


@pytest.mark.parametrize("name", ["clip_grad_norm_", "clip_grads_with_norm_"])
def test_what_clips_gradients_is_refused_and_their_norm_alone_is_welcome(name: str) -> None:
    parameter = nn.Parameter(torch.ones(2))
    parameter.grad = torch.ones(2)
    patterns = ("clip_grad_norm*", "clip_grads_with_norm*")
    with forbid(patterns):
        norm = nn.utils.get_total_norm([parameter.grad])
    with pytest.raises(ForbiddenError, match="clip_grad"), forbid(patterns):
        getattr(nn.utils, name)([parameter], 1.0, norm)


def test_a_given_block_that_was_kept_is_refused_too_and_whole_again_afterwards() -> None:
    kept, block = blocks.MultiHeadAttention.forward, blocks.MultiHeadAttention(8, 2)
    with pytest.raises(ForbiddenError, match="MultiHeadAttention"), forbid(("blocks.MultiHeadAttention",)):
        kept(block, *[TEXTS] * 3)
    assert kept(block, *[TEXTS] * 3)[0].shape == (2, 3, 8)


def test_the_watch_does_not_load_the_compiler_of_torch() -> None:
    code = (
        "import sys, torch\nfrom autograder.internals.forbid import forbid\n"
        "with forbid(['softmax']): torch.ones(2).exp()\nsys.exit('torch._dynamo' in sys.modules)"
    )
    assert python("-c", code, cwd=Path.cwd()).returncode == 0


def test_nothing_is_left_behind() -> None:
    before = F.softmax.__code__, threading.Thread.run, threading.Thread.start, _thread.start_new_thread
    with forbid(SOFTMAX):
        assert torch.exp(X).sum() > 0
    with pytest.raises(ForbiddenError), forbid(SOFTMAX):
        F.softmax(X, dim=-1)
    assert before == (F.softmax.__code__, threading.Thread.run, threading.Thread.start, _thread.start_new_thread)
    x = X.clone().requires_grad_()
    (F.softmax(x, dim=-1)[:, 0].sum() + nn.Softmax(-1)(x)[:, 1].sum() + COMPILED.scripted(x)[:, 2].sum()).backward()
    assert x.grad is not None
    assert x.grad.abs().max() < 1e-6


def seen(source: str, name: str = "answer", **rules: tuple[str, ...]) -> Any:
    """What a call of `name` in a student's file comes to."""
    namespace: dict[str, Any] = {"__name__": "answers"}
    linecache.cache["answers.py"] = (len(source), None, source.splitlines(keepends=True), "answers.py")
    exec(compile(source, "answers.py", "exec"), namespace)
    return observe(namespace, Call(name, (X,), **rules)).result


LINES = {
    "plainly": "import torch\ndef answer(x):\n    return torch.softmax(x, -1)\n",
    "by a helper": "def helper(x):\n    y = x\n    return y.softmax(-1)\ndef answer(x): return helper(x)\n",
    "caught": "def answer(x):\n    try:\n        x.softmax(-1)\n    except Exception: return x\n",
    "in a thread": (
        "from concurrent.futures import ThreadPoolExecutor\n\n"
        "def work(x): return x.softmax(-1)\ndef answer(x): return ThreadPoolExecutor(1).submit(work, x).result()\n"
    ),
    "compiled": (
        "import torch\nf = torch.jit.trace(lambda x: x.softmax(-1), torch.ones(1, 3))\ndef answer(x): return f(x)\n"
    ),
}


@pytest.mark.parametrize("source", LINES.values(), ids=LINES)
@pytest.mark.filterwarnings("ignore")
def test_the_student_s_own_line_is_told(source: str) -> None:
    result = seen(source, forbidden=SOFTMAX)
    assert isinstance(result, Raised)
    assert (result.kind, result.message, result.line) == ("ForbiddenError", "softmax", 3)


HELPED = """
from torch import nn
from torch.nn import functional as F


def helper(x):
    return nn.Softmax(-1)(x) + F.gumbel_softmax(x) * 0


def answer(x):
    return helper(x)


def direct(x):
    return helper(x), F.softmax(x, -1)
"""


@pytest.mark.parametrize(("name", "refused"), [("answer", False), ("direct", True)])
def test_what_a_welcome_function_uses_is_its_own_affair(name: str, refused: bool) -> None:
    patterns = (*SOFTMAX, "gumbel_softmax")
    for welcome, raised in (((), True), (("helper",), refused)):
        result = seen(HELPED, name, forbidden=patterns, welcome=welcome)
        assert (isinstance(result, Raised) and result.kind == "ForbiddenError") is raised
        assert raised or torch.allclose(result, torch.softmax(X, -1))


def test_a_fault_of_the_watch_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.internals.forbid.kernels", lambda _: 1 / 0)
    assert torch.equal(seen("def answer(x):\n    return x.exp()\n", forbidden=SOFTMAX), X.exp())


LATE = {
    "in a tensor that computes when it is looked at": """
import torch
class Late(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            args = [torch.softmax(a.as_subclass(torch.Tensor), -1) if isinstance(a, cls) else a for a in args]
            return func(*args, **(kwargs or {}))
def answer(x):
    return (x * 1).as_subclass(Late)
""",
    "on the way back": """
import torch
class Back(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp() / x.exp().sum(-1, keepdim=True)
    @staticmethod
    def backward(ctx, g):
        y = torch.softmax(ctx.saved_tensors[0], -1)
        return y * (g - (g * y).sum(-1, keepdim=True))
def answer(x):
    return Back.apply(x)
""",
    "in a hook of the gradient": """
def answer(x):
    z = x * 1
    z.requires_grad and z.register_hook(lambda g: g.softmax(-1))
    return z.exp()
""",
}


@pytest.mark.parametrize("source", LATE.values(), ids=LATE)
def test_what_runs_after_the_answer_was_given_is_seen_too(source: str) -> None:
    module = {"__name__": "late"}
    exec(source, module)
    call = Call("answer", (X,), cotangents=(torch.ones_like(X),), forbidden=("softmax",))
    found = observe(module, call)
    kinds = [part.kind for part in (found.result, found.gradients) if isinstance(part, Raised)]
    assert kinds == ["ForbiddenError"]


def test_a_refusal_in_a_thread_prints_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", printed.append)
    with pytest.raises(ForbiddenError), forbid(["softmax"]):
        in_thread(lambda run: threading.Thread(target=run).start())
    other = threading.Thread(target=lambda: 1 / 0)
    other.start()
    other.join()
    assert len(printed) == 1
