"""Make forbidden library functions raise while a student's exercise runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from torch._ops import OpOverload
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode


class ForbiddenError(Exception):
    """The exercise's answer was left to a ready-made function."""


class _Watch(TorchFunctionMode):
    """Sees every call of torch's own functions, under whatever name it was imported."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self._names = names

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Collection[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        _refuse(getattr(func, "__name__", ""), self._names)
        return func(*args, **(kwargs or {}))


class _DeepWatch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees the kernels below them, however they were reached (torch.ops, private names)."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._names = names

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: Collection[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        _refuse(func.overloadpacket.__name__, self._names)
        return func(*args, **(kwargs or {}))


def _refuse(name: str, names: frozenset[str]) -> None:
    if name.strip("_") in names:
        raise ForbiddenError(name)


@contextmanager
def forbid(names: Collection[str]) -> Iterator[None]:
    """Within this context, torch functions whose last name is in `names` raise `ForbiddenError`."""
    if not names:
        yield
        return
    watched = frozenset(names)
    with _DeepWatch(watched), _Watch(watched):
        yield
