"""Make forbidden library functions raise while a student's exercise runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from torch import nn
from torch._ops import OpOverload
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.forbidden import is_forbidden

BLOCKS = "reference.blocks"


class ForbiddenError(Exception):
    """The exercise's answer was left to a ready-made function."""


@lru_cache(maxsize=4096)
def _is_refused(name: str, patterns: tuple[str, ...]) -> bool:
    home, _, last = name.rpartition(".")
    return is_forbidden(f"{home}.{last.strip('_')}", patterns)


class _Names:
    """The names that are forbidden meanwhile."""

    def __init__(self, patterns: Collection[str], free: Collection[CodeType]) -> None:
        self._patterns = tuple(patterns)
        self._free = free

    def refuse(self, name: str) -> None:
        """Raises `ForbiddenError` if `name`, dotted, is forbidden; leading underscores count for nothing."""
        if _is_refused(name, self._patterns) and not self._is_theirs():
            raise ForbiddenError(name.rpartition(".")[2].strip("_"))

    def _is_theirs(self) -> bool:
        """Whether a function that may use it is on the way here."""
        frame = sys._getframe() if self._free else None
        while frame is not None:
            if frame.f_code in self._free:
                return True
            frame = frame.f_back
        return False

    def refuse_module(self, module: nn.Module, _inputs: object) -> None:
        """The same for the ready-made classes that `module` is of; a hook for what is about to run forward."""
        for kind in type(module).__mro__:
            if kind.__module__.startswith("torch.nn."):
                self.refuse(f"{kind.__module__}.{kind.__name__}")


class _Watch(TorchFunctionMode):
    """Sees every call of torch's own functions, under whatever name it was imported."""

    def __init__(self, names: _Names) -> None:
        super().__init__()
        self._names = names

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Collection[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        self._names.refuse(f"{getattr(func, '__module__', '')}.{getattr(func, '__name__', '')}")
        return func(*args, **(kwargs or {}))


class _DeepWatch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees the kernels below them, however they were reached (torch.ops, private names)."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here; otherwise the first call would import torch's compiler, for a second."""
        return False

    def __init__(self, names: _Names) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._names = names

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: Collection[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        self._names.refuse(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def _refuse_part(self: nn.Module, *_: object, **__: object) -> None:
    from autograder.guard import ForbiddenError  # this code is lent to functions of another module

    raise ForbiddenError(f"blocks.{type(self).__name__}")


@contextmanager
def _without(part: str) -> Iterator[None]:
    """The `forward` of the given block `part` raises, also where somebody has kept it under another name."""
    kind = getattr(sys.modules.get(BLOCKS), part, None)
    if kind is None:
        yield
        return
    function = kind.forward
    code, function.__code__ = function.__code__, _refuse_part.__code__
    try:
        yield
    finally:
        function.__code__ = code


def codes_of(target: Callable[..., Any], names: Iterable[str]) -> frozenset[CodeType]:
    """The code of the functions called `names` in the file that `target` is of."""
    known = getattr(target, "__globals__", {})
    return frozenset(known[name].__code__ for name in names if isinstance(known.get(name), FunctionType))


@contextmanager
def forbid(names: Collection[str], free: Collection[CodeType] = ()) -> Iterator[None]:
    """Within this context, torch functions and modules called by one of `names` raise `ForbiddenError`.

    Functions whose code is in `free` may use them.
    """
    if not names:
        yield
        return
    watched = _Names(names, free)
    functions = [name for name in names if name.rpartition(".")[2][:1].islower()]
    hook = register_module_forward_pre_hook(watched.refuse_module)
    try:
        with ExitStack() as stack:
            for name in names:
                if name.startswith("blocks."):
                    stack.enter_context(_without(name.removeprefix("blocks.")))
            if functions:  # classes are seen by the hook, and the watches cost as much as what they watch
                stack.enter_context(_DeepWatch(watched))
                stack.enter_context(_Watch(watched))
            yield
    finally:
        hook.remove()
