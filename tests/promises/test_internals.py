"""What the engine relies on of torch's and pytest's inside is there, and does what is relied on.

A failure names the file that leans on it: look there, then at the library's release notes. Once everything passes with
newer versions, write these into `constraints.txt` and `autograder/internals/__init__.py`.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import _pytest.runner
import pytest
import torch
import torch._refs
from torch import nn
from torch.distributions import Bernoulli, Distribution
from torch.overrides import TorchFunctionMode
from torch.utils import _device, _python_dispatch

import autograder.internals
from autograder.internals import classes, kernels, library, modes, settings
from autograder.internals.forbid import ForbiddenError, forbid
from tests.autograder.forked import python

ENGINE = Path(autograder.__file__).parent
CONSTRAINTS = ENGINE.parent / "constraints.txt"
SOFTMAX = "aten::_softmax"
X = torch.tensor([[1.0, 2.0, 4.0]])


@dataclass(frozen=True)
class Reliance:
    """A private name that a file leans on, whether it behaves as that file needs it, and what is wrong otherwise."""

    file: str
    owner: Any
    name: str
    behaves: Callable[[], bool]
    otherwise: str

    def __str__(self) -> str:
        return f"{getattr(self.owner, '__name__', type(self.owner).__name__)}.{self.name}"


def trouble(each: Reliance) -> str:
    """What is wrong with a private name; "" if it is there and behaves as is relied on."""
    if not hasattr(each.owner, each.name):
        found = "is not there"
    else:
        try:
            found = "" if each.behaves() else "behaves in another way"
        except Exception as error:
            found = f"raises {type(error).__name__}: {error}"
    used = pytest if each.owner is _pytest.runner else torch
    tried = f"{used.__version__}, tried with {' and '.join(autograder.internals.TRIED[used.__name__])}"
    place = f"see autograder/internals/{each.file}: {each.otherwise}"
    return f"{each} {found} ({used.__name__} {tried}); {place}" if found else ""


def refused(kinds: type[Exception] | tuple[type[Exception], ...], action: Callable[[], object]) -> bool:
    try:
        action()
    except kinds:
        return True
    return False


def lists_operators() -> bool:
    return {SOFTMAX, "aten::softmax.int", "aten::add.Tensor"} <= {*torch._C._dispatch_get_all_op_names()}


def knows_kernels() -> bool:
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    return (
        refused(RuntimeError, lambda: has(SOFTMAX, "NoSuchKey"))
        and has(SOFTMAX, "CPU") is True
        and has(SOFTMAX, "CompositeImplicitAutograd") is False
    )


def replaces_a_kernel_for_a_while() -> bool:
    part, called = torch._C._dispatch_library("IMPL", "aten", "", "", 0), []

    def instead(*_: Any) -> torch.Tensor:
        called.append(1)
        return X

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        part.impl(SOFTMAX, "CPU", instead, False)
    within = X.softmax(-1)
    part.reset()
    return called == [1] and torch.equal(within, X) and float(X.softmax(-1).sum()) == pytest.approx(1)


def hands_out_a_kernel() -> bool:
    own = library.kernel(SOFTMAX, "CPU")
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
    return own is not None and torch.equal(own(keys, X, -1, False), X.softmax(-1))


def finds_functions_in_python() -> bool:
    found = library.functions(("softmax", "Softmax"), library.torch_modules(0))
    return {"softmax", "Softmax"} <= {*found.values()} and nn.functional.softmax in found


def runs_replaced_code() -> bool:
    def called() -> None:
        with forbid(("softmax",)):
            nn.functional.softmax(X, -1)

    return refused(ForbiddenError, called) and bool(nn.functional.softmax(X, -1).shape == X.shape)


def holds_kernels_in_python() -> bool:
    return len(kernels._in_python.__wrapped__()) > 1000


def names_operators() -> bool:
    return torch.ops.aten.add.Tensor._name == "aten::add.Tensor"


def lets_kernels_in_c_run() -> bool:
    with kernels.native_kernels():
        return torch.ones(2, 3, device="meta").add(1).shape == (2, 3) and kernels._is_native("aten::add.Tensor")


def holds_what_a_module_holds() -> bool:
    return {*map(id, HELD)} <= {*map(id, classes.held_by(NETWORK))}


def draws_first_parameters() -> bool:
    torch.manual_seed(0)
    before = torch.get_rng_state()
    with classes.without_first_parameters():
        nn.Linear(2, 3), nn.Embedding(2, 3), nn.MultiheadAttention(4, 2)
    return torch.equal(torch.get_rng_state(), before) and all(map(draws, classes.DRAWING, LAYERS))


def draws(method: tuple[type, str], layer: nn.Module) -> bool:
    before = torch.get_rng_state()
    getattr(layer, method[1])()
    return not torch.equal(torch.get_rng_state(), before)


def validates_unless_told_otherwise() -> bool:
    hollow = torch.full((2,), 0.5, device="meta")
    with classes.without_validation():
        Bernoulli(hollow)
    return (
        refused((NotImplementedError, RuntimeError), lambda: Bernoulli(hollow)) and Distribution._validate_args is True
    )


def sets_determinism() -> bool:
    torch.use_deterministic_algorithms(True)
    try:
        was_set = torch.are_deterministic_algorithms_enabled()
        settings._reset_torch()
        return was_set and not torch.are_deterministic_algorithms_enabled()
    finally:
        torch.use_deterministic_algorithms(False)


def switches_off(mode: type[Any]) -> bool:
    modes.switch_off()  # what a broken torch has left on
    with mode(), modes.same_modes() as left:
        mode().__enter__()
    return left.found and not any(stack.modes() for stack in modes._STACKS)


def switches_off_functions() -> bool:
    return switches_off(TorchFunctionMode)


def switches_off_kernels() -> bool:
    return switches_off(_python_dispatch.TorchDispatchMode)


def tells_a_default_device_from_a_mode() -> bool:
    try:
        with modes.same_modes() as left:
            torch.set_default_device("meta")
        return not left.found
    finally:
        torch.set_default_device(None)


LAYER = nn.BatchNorm1d(2)
NETWORK = nn.Sequential(LAYER)
HELD = LAYER, LAYER.weight, LAYER.running_mean
LAYERS = nn.Linear(2, 3), nn.Embedding(2, 3), nn.MultiheadAttention(4, 2)
META, REGISTERED = torch._meta_registrations, kernels._library()
CANNOT_FORBID = "answers may call forbidden functions"
STAYS_ON = "a mode that an answer leaves on breaks its worker"
SLOW_ON_META = "tensors without data are a hundred times as slow"
RELIANCES = (
    Reliance("library.py", torch._C, "_dispatch_get_all_op_names", lists_operators, CANNOT_FORBID),
    Reliance("library.py", torch._C, "_dispatch_has_kernel_for_dispatch_key", knows_kernels, CANNOT_FORBID),
    Reliance("library.py", torch.library, "get_kernel", hands_out_a_kernel, "a ban is put up anew for each call"),
    Reliance("library.py", torch, "_refs", finds_functions_in_python, CANNOT_FORBID),
    Reliance("forbid.py", torch._C, "_dispatch_library", replaces_a_kernel_for_a_while, CANNOT_FORBID),
    Reliance("forbid.py", nn.functional.softmax, "__code__", runs_replaced_code, CANNOT_FORBID),
    Reliance("kernels.py", META, "_meta_lib_dont_use_me_use_register_meta", holds_kernels_in_python, SLOW_ON_META),
    Reliance("kernels.py", META, "global_decomposition_table", holds_kernels_in_python, SLOW_ON_META),
    Reliance("kernels.py", REGISTERED, "_op_impls", holds_kernels_in_python, SLOW_ON_META),
    Reliance("kernels.py", REGISTERED, "m", lets_kernels_in_c_run, SLOW_ON_META),
    Reliance("kernels.py", torch.ops.aten.add.Tensor, "_name", names_operators, SLOW_ON_META),
    Reliance("classes.py", LAYER, "_parameters", holds_what_a_module_holds, "known mistakes share objects"),
    Reliance("classes.py", LAYER, "_buffers", holds_what_a_module_holds, "known mistakes share objects"),
    Reliance("classes.py", NETWORK, "_modules", holds_what_a_module_holds, "known mistakes share objects"),
    Reliance("classes.py", nn.Linear, "reset_parameters", draws_first_parameters, "answers with a state are slower"),
    Reliance("classes.py", nn.Embedding, "reset_parameters", draws_first_parameters, "answers with a state are slower"),
    Reliance(
        "classes.py", nn.MultiheadAttention, "_reset_parameters", draws_first_parameters, "answers with a state fail"
    ),
    Reliance("classes.py", Distribution, "_validate_args", validates_unless_told_otherwise, "no shapes of draws"),
    *(
        Reliance("modes.py", torch.overrides, name, switches_off_functions, STAYS_ON)
        for name in ("_get_current_function_mode_stack", "_push_mode", "_pop_mode")
    ),
    *(
        Reliance("modes.py", _python_dispatch, name, switches_off_kernels, STAYS_ON)
        for name in ("_get_current_dispatch_mode_stack", "_push_mode", "_pop_mode")
    ),
    Reliance("modes.py", _device, "DeviceContext", tells_a_default_device_from_a_mode, "devices are taken for modes"),
    Reliance("settings.py", torch._C, "_set_deterministic_algorithms", sets_determinism, "workers load a compiler"),
)
REMOVABLE = [each for each in RELIANCES if each.name != "__code__"]
LOADED_IN_PASSING = """
import importlib, sys
import torch
from autograder.internals.compiler import NEEDED, NEW, OLD, SINCE, uncompiled

assert not {"torch._dynamo", "torch._inductor", "sympy"} & {*sys.modules}, "torch loads its compiler at once"
found = {home: importlib.import_module(home) for home in NEEDED}
elsewhere = OLD if torch.__version__ >= SINCE else NEW + OLD
known = {(home, name) for home, names in NEEDED.items() for name in {*names} - {*elsewhere}}
lost = [f"{home}.{name}" for home, name in known if not hasattr(found[home], name)]
assert not lost, f"torch {torch.__version__} has no {lost}: see autograder/internals/compiler.py"
with uncompiled():
    assert torch.compile(abs) is abs and torch.compile(dynamic=True)(abs) is abs
"""
PRIVATE = re.compile(
    r"_pytest\b|torch(\.\w+)*\._[A-Za-z]\w*|(?!self\.)\w+\.(_parameters|_buffers|_modules|_validate_args)\b"
)


@pytest.fixture(autouse=True)
def _fresh_caches() -> Iterator[None]:
    """Look everything up anew, and leave nothing behind that was found in a broken torch."""
    cached = [each for each in (*vars(library).values(), *vars(kernels).values()) if hasattr(each, "cache_clear")]
    stay, kernels._stay_native = kernels._stay_native, False  # as another test may have left it
    if kernels._are_native:
        kernels._use_python()
    for each in cached:
        each.cache_clear()
    yield
    modes.switch_off()
    for each in cached:
        each.cache_clear()
    if stay:
        kernels.prefer_native()


def test_the_versions_that_grading_uses_were_tried() -> None:
    pinned = dict(re.findall(r"(?m)^([\w.-]+)==(\S+)", CONSTRAINTS.read_text(encoding="utf-8")))
    assert [name for name, tried in autograder.internals.TRIED.items() if pinned[name] not in tried] == []


@pytest.mark.filterwarnings("ignore:Please use the new API settings to control TF32")  # torch 2.9, of an old one
@pytest.mark.parametrize("each", RELIANCES, ids=str)
def test_a_private_name_is_there_and_behaves_as_is_relied_on(each: Reliance) -> None:
    assert trouble(each) == ""


@pytest.mark.parametrize("each", REMOVABLE, ids=str)
def test_one_that_has_gone_is_noticed_and_the_message_says_where_to_look(
    each: Reliance, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.delattr(each.owner, each.name)
        told = trouble(each)
    assert told.startswith(f"{each} is not there (")
    assert f"autograder/internals/{each.file}: {each.otherwise}" in told
    assert trouble(each) == ""


@pytest.mark.parametrize("each", [one for one in REMOVABLE if one.name != "_refs"], ids=str)
def test_one_that_does_something_else_is_noticed(each: Reliance, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        other = {} if isinstance(getattr(each.owner, each.name), dict) else lambda *_, **__: None
        patch.setattr(each.owner, each.name, other)
        assert trouble(each) != ""
    assert trouble(each) == ""


def test_what_the_stand_ins_for_the_compiler_offer_is_what_torch_looks_up() -> None:
    run = python("-c", LOADED_IN_PASSING, cwd=ENGINE.parent)
    assert run.returncode == 0, run.stderr


def private_names(text: str) -> set[str]:
    """The private names of torch and pytest in a file of the engine, but for those in its strings."""
    found = set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if PRIVATE.match(alias.name)}
        elif isinstance(node, ast.ImportFrom):
            found |= {name for alias in node.names if PRIVATE.match(name := f"{node.module}.{alias.name}")}
        elif isinstance(node, ast.Attribute) and PRIVATE.match(name := ast.unparse(node)):
            found.add(name)
    return found


def test_no_other_file_of_the_engine_uses_such_names() -> None:
    files = [each for each in ENGINE.rglob("*.py") if each.parent.name != "internals"]
    assert {str(each): found for each in files if (found := private_names(each.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize(
    "line",
    [
        *("import torch._dynamo", "import _pytest.runner", "from _pytest import runner", "from torch import _C"),
        *("from torch._ops import OpOverload", "torch._C._dispatch_library", "model._parameters"),
    ],
)
def test_one_that_does_would_be_noticed(line: str) -> None:
    assert private_names(line)
