"""Make forbidden library functions raise while a student's exercise runs.

The functions themselves are replaced: kernels in torch's dispatcher, and the code of torch's Python functions. So no
other name, thread, hook, transform or compiled graph leads around them, and calls of other functions cost nothing.
"""

from __future__ import annotations

import inspect
import sys
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from traceback import walk_stack
from types import CodeType, FunctionType, TracebackType
from typing import Any

import torch
from torch import nn

from autograder.source.forbidden import by_last_part, forbidden_among, with_kin

BLOCKS = "reference.blocks"
WRITTEN_IN_PYTHON = (
    *("torch.functional", "torch.nn.functional", "torch._refs", "torch._refs.nn.functional", "torch._refs.special"),
    *("torch._decomp.decompositions", "torch.masked._ops", "torch.nn.utils.clip_grad"),
)
COMPUTING = ("forward", "_block")  # endings of the methods of layers that compute
COMPOSITE = (
    *("CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor"),
    *("CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"),
)
KEYS = (
    *(*COMPOSITE, "CPU", "Meta", "NestedTensorCPU", "SparseCPU", "SparseCsrCPU", "QuantizedCPU", "MkldnnCPU"),
    *("CUDA", "MPS", "XPU"),  # for `attend check --device`
    *("FuncTorchBatched", "FuncTorchBatchedDecomposition", "FuncTorchVmapMode", "FuncTorchDynamicLayerFrontMode"),
)


class ForbiddenError(Exception):
    """The answer calls a function that the exercise forbids."""


def _public(name: str) -> str:
    """Return a dotted name without leading and trailing underscores of its last part, which count for nothing."""
    home, _, last = name.rpartition(".")
    return f"{home}.{last.strip('_')}"


class _Watch:
    """The forbidden names of one call, and the first forbidden call that was seen."""

    def __init__(self, patterns: Collection[str], free: Collection[CodeType]) -> None:
        self.patterns = with_kin(tuple(patterns))
        self.free = free
        self.seen: ForbiddenError | None = None

    def instead(self, name: str, original: Callable[..., Any] | None, *args: Any, **kwargs: Any) -> Any:
        """Stand in for the function `name`: raise `ForbiddenError` unless a function in `free` is running."""
        if original is not None and self._is_theirs():
            return original(*args, **kwargs)
        error = ForbiddenError(name).with_traceback(_student_frame())
        self.seen = self.seen or error  # the answer may catch it, or another thread may raise it
        raise error

    def _is_theirs(self) -> bool:
        """Return whether a function that may use it is running, in this thread or in another one."""
        stacks = map(walk_stack, sys._current_frames().values())
        return any(frame.f_code in self.free for stack in stacks for frame, _ in stack)


def is_student_file(filename: str) -> bool:
    """Return whether it is a student's file: their names are relative, all others are absolute or no files."""
    return not Path(filename).is_absolute() and filename[:1] != "<"


def _student_frame() -> TracebackType | None:
    """Return the student's innermost line that led here; a compiled graph would lose it."""
    own = (frame for frame, _ in walk_stack(sys._getframe()) if is_student_file(frame.f_code.co_filename))
    frame = next(own, None)
    return frame and TracebackType(None, frame, frame.f_lasti, frame.f_lineno)


@lru_cache(maxsize=64)
def _kernels(patterns: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return each forbidden operator with each dispatch key that it has a kernel for."""
    operators, known = _operators(), _operators_by_last_part()
    names = [name for public in forbidden_among(known, patterns) for name in operators[public]]
    return tuple((name, key) for name in names for key in _keys_of(name))


def prepare() -> None:
    """Look up in advance what is the same for every ban: it takes a moment, and processes forked later have it."""
    _written_in_python(_modules_of_torch(len(sys.modules)))
    _operators_by_last_part()
    for names in _operators().values():
        for name in names:
            _keys_of(name)


@lru_cache(maxsize=1)
def _operators() -> dict[str, list[str]]:
    """Return torch's operators by their public dotted names."""
    found: dict[str, list[str]] = {}
    for name in torch._C._dispatch_get_all_op_names():
        found.setdefault(_public(_dotted(name)), []).append(name)
    return found


@lru_cache(maxsize=1)
def _operators_by_last_part() -> dict[str, list[str]]:
    return by_last_part(_operators())


def _dotted(operator: str) -> str:
    """Return "aten._softmax" for "aten::_softmax.out"."""
    space, _, rest = operator.partition("::")
    return f"{space}.{rest.partition('.')[0]}"


@cache
def _keys_of(operator: str) -> tuple[str, ...]:
    """Return the dispatch keys that an operator has a kernel for."""
    return tuple(key for key in KEYS if _has_kernel(operator, key))


def _has_kernel(operator: str, key: str) -> bool:
    try:
        return torch._C._dispatch_has_kernel_for_dispatch_key(operator, key)
    except RuntimeError:  # another torch may not know the key
        return False


@contextmanager
def _kernels_replaced(watch: _Watch) -> Iterator[None]:
    libraries: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns that a kernel is replaced
            for name, key in _kernels(watch.patterns):
                space, _, operator = name.partition("::")
                if space not in libraries:
                    libraries[space] = torch._C._dispatch_library("IMPL", space, "", __file__, 0)
                _replace_kernel(libraries[space], operator, name, key, watch)
        yield
    finally:
        for library in libraries.values():
            library.reset()


def _replace_kernel(library: Any, operator: str, name: str, key: str, watch: _Watch) -> None:
    public = _dotted(name).partition(".")[2].strip("_")
    if not watch.free:
        library.impl(operator, key, partial(watch.instead, public, None))
    elif original := _kernel(name, "CPU" if key in COMPOSITE else key):
        library.impl(operator, key, partial(watch.instead, public, original), True)


def _kernel(operator: str, key: str) -> Callable[..., Any] | None:
    """Return the kernel itself; None if this version of torch does not provide it."""
    try:
        return torch.library.get_kernel(operator, key).call_boxed
    except (AttributeError, RuntimeError, ValueError):  # none before torch 2.9, and for some layouts
        return None


@lru_cache(maxsize=64)
def _functions(patterns: tuple[str, ...], _modules: int) -> dict[FunctionType, str]:
    """Return each forbidden function that is written in Python, with its public name.

    Args:
        _modules: the number of torch's modules, a key of the cache: a new module may bring more functions.
    """
    known, by_last = _written_in_python(_modules)
    named = [*_blocks(patterns)]
    for public in forbidden_among(by_last, patterns):
        named += known[public]
    return {each: name for each, name in named if _is_of_the_library(each)}


@lru_cache(maxsize=4)
def _modules_of_torch(_modules: int) -> int:
    """Return how many modules are torch's, or of the given parts; `_modules` is the number of all, for the cache."""
    return sum(name.startswith(("torch", BLOCKS)) for name in sys.modules)


@lru_cache(maxsize=4)
def _written_in_python(_modules: int) -> tuple[dict[str, list[tuple[Any, str]]], dict[str, list[str]]]:
    """Return torch's functions by their public dotted names, each with the name to show, and these by last part."""
    found: dict[str, list[tuple[Any, str]]] = {}
    homes: list[Any] = [sys.modules[name] for name in WRITTEN_IN_PYTHON if name in sys.modules]
    for home in (*homes, torch.Tensor):
        for name, value in vars(home).items():
            if callable(value):
                shown = inspect.unwrap(value), name.strip("_")
                found.setdefault(_public(f"{home.__name__}.{name}"), []).append(shown)
    for kind in _layers(nn.Module):
        own = [(method, kind.__name__) for name, method in vars(kind).items() if name.endswith(COMPUTING)]
        found.setdefault(_public(f"{kind.__module__}.{kind.__name__}"), []).extend(own)
    return found, by_last_part(found)


def _is_of_the_library(value: object) -> bool:
    """Return whether it is a function whose code can be replaced, and not one a student put into the library."""
    if not isinstance(value, FunctionType) or value.__closure__:
        return False
    return not is_student_file(value.__code__.co_filename)


def _blocks(patterns: tuple[str, ...]) -> Iterator[tuple[Any, str]]:
    """Yield the forward methods of the given parts "blocks.Name" among `patterns`."""
    for name in patterns:
        home, _, part = name.partition(".")
        if home == "blocks" and (block := getattr(sys.modules.get(BLOCKS), part, None)):
            yield block.forward, name


def _layers(kind: type[nn.Module]) -> Iterator[type[nn.Module]]:
    """Yield the classes that torch derives from `kind`."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("torch."):
            yield each
        yield from _layers(each)


_instead: dict[str, Callable[..., Any]] = {}


def stand_in(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run in place of a forbidden function, whose code calls this."""
    return _instead[sys._getframe(1).f_code.co_qualname](*args, **kwargs)


def _lent(*args: Any, **kwargs: Any) -> Any:
    from autograder.calls.forbid import stand_in  # this code runs in functions of other modules

    return stand_in(args, kwargs)


@contextmanager
def _code_replaced(watch: _Watch) -> Iterator[None]:
    """Replace the code of functions, so that copies under other names have the new code too."""
    found = _functions(watch.patterns, _modules_of_torch(len(sys.modules)))
    own = {each: each.__code__ for each in found}
    try:
        for function, code in own.items():
            key = f"{function.__module__}.{function.__qualname__}"
            _instead[key] = partial(watch.instead, found[function], _copied(function) if watch.free else None)
            function.__code__ = _lent.__code__.replace(co_name=code.co_name, co_qualname=key)
        yield
    finally:
        for function, code in own.items():
            function.__code__ = code
        _instead.clear()


def _copied(function: FunctionType) -> FunctionType:
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def codes_of(target: Callable[..., Any], names: Iterable[str]) -> frozenset[CodeType]:
    """Return the code of the functions `names` in the file of `target`, and of given parts: "blocks.Name"."""
    known = getattr(target, "__globals__", {})
    found = (_part(name) if name.startswith("blocks.") else known.get(name) for name in names)
    return frozenset(each.__code__ for each in found if isinstance(each, FunctionType))


def _part(name: str) -> object:
    """Return the forward method of the given part "blocks.Name", if it is loaded."""
    return getattr(getattr(sys.modules.get(BLOCKS), name.removeprefix("blocks."), None), "forward", None)


@contextmanager
def _quiet_threads() -> Iterator[None]:
    """Print no traceback for a refusal in a thread: the verdict reports it."""
    before = threading.excepthook

    def hook(ended: threading.ExceptHookArgs) -> None:
        if not isinstance(ended.exc_value, ForbiddenError):
            before(ended)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before


@contextmanager
def forbid(names: Collection[str], free: Collection[CodeType] = ()) -> Iterator[None]:
    """Within this context, torch functions and modules called by one of `names` raise `ForbiddenError`.

    The error is raised again at the end, in case the answer caught it. Functions whose code is in `free` may use them.
    """
    if not names:
        yield
        return
    watch = _Watch(names, free)
    try:
        with ExitStack() as stack, _quiet_threads():
            with suppress(Exception):  # a fault of ours must not cost a point
                stack.enter_context(_code_replaced(watch))
                stack.enter_context(_kernels_replaced(watch))
            yield
    except Exception:
        if watch.seen is None:
            raise
    if watch.seen is not None:
        raise watch.seen from None
