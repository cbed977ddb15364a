"""Make forbidden library functions raise while a student's exercise runs.

The functions themselves are replaced: kernels in torch's dispatcher, and the code of torch's Python functions. So no
other name, thread, hook, transform or compiled graph leads around them, and calls of other functions cost nothing.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from traceback import walk_stack
from types import CodeType, FunctionType, TracebackType
from typing import Any, Final

import torch

from autograder.internals.library import (
    BLOCKS,
    COMPOSITE,
    dotted,
    functions,
    is_student_file,
    kernel,
    kernels,
    torch_modules,
)
from autograder.source.forbidden import with_kin

StandIn = tuple[str, str, Callable[..., Any] | None]
"""A kernel to replace: its operator, its dispatch key, and itself, if it can be called."""


class ForbiddenError(Exception):
    """The answer calls a function that the exercise forbids."""


class Ban:
    """Stand-ins for forbidden functions. They raise while a call is watched, else they call the functions.

    Args:
        patterns: the forbidden names.
        free: the code of functions that may use them.
        stands: whether it stays up between calls.
    """

    def __init__(self, patterns: Collection[str], free: Collection[CodeType], *, stands: bool) -> None:
        self._patterns, self._free, self._stands = with_kin(tuple(patterns)), free, stands
        self._up = ExitStack()
        self._blind: list[StandIn] = []
        self._watched = False
        self.seen: ForbiddenError | None = None
        with suppress(Exception):  # a fault of ours must not cost a point
            self._put_up()

    def _put_up(self) -> None:
        self._up.enter_context(_code_replaced(self._patterns, self.instead))
        found = [(name, key, self._original(name, key)) for name, key in kernels(self._patterns)]
        lasting = {each[:2]: each for each in found if self._stands and self._is_exact(*each)}
        self._blind = [each for each in found if each[:2] not in lasting and (each[2] or not self._free)]
        self._up.enter_context(_kernels_replaced(lasting.values(), self.instead))

    def _original(self, name: str, key: str) -> Callable[..., Any] | None:
        if not (self._free or self._stands):
            return None
        return kernel(name, "CPU" if key in COMPOSITE else key)

    def _is_exact(self, name: str, key: str, original: Callable[..., Any] | None) -> bool:
        """Return whether `original` is this very kernel: composite ones can be had only where the CPU has no other."""
        return original is not None and not (key in COMPOSITE and (name, "CPU") in kernels(self._patterns))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch a call: `seen` is then the first forbidden call in it, if there was one."""
        with ExitStack() as stack, _quiet_threads():
            with suppress(Exception):
                stack.enter_context(_kernels_replaced(self._blind, self.instead))
            self._watched = True
            stack.callback(self._rest)
            yield

    def _rest(self) -> None:
        self._watched = False

    def lift(self) -> None:
        """Put the functions back in place."""
        self._up.close()

    def instead(self, name: str, original: Callable[..., Any] | None, *args: Any, **kwargs: Any) -> Any:
        """Stand in for the function `name`: raise `ForbiddenError` if a call is watched, unless it is in `free`."""
        if original is not None and not (self._watched and not self._is_theirs()):
            return original(*args, **kwargs)
        error = ForbiddenError(name).with_traceback(_student_frame())
        self.seen = self.seen or error  # the answer may catch it, or another thread may raise it
        raise error

    def _is_theirs(self) -> bool:
        """Return whether a function that may use it is running, in this thread or in another one."""
        stacks = map(walk_stack, sys._current_frames().values()) if self._free else ()
        return any(frame.f_code in self._free for stack in stacks for frame, _ in stack)


def _student_frame() -> TracebackType | None:
    """Return the student's innermost line that led here; a compiled graph would lose it."""
    own = (frame for frame, _ in walk_stack(sys._getframe()) if is_student_file(frame.f_code.co_filename))
    frame = next(own, None)
    return frame and TracebackType(None, frame, frame.f_lasti, frame.f_lineno)


@contextmanager
def _kernels_replaced(stand_ins: Iterable[StandIn], instead: Callable[..., Any]) -> Iterator[None]:
    libraries: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns that a kernel is replaced
            for name, key, original in stand_ins:
                space, _, operator = name.partition("::")
                if space not in libraries:
                    libraries[space] = torch._C._dispatch_library("IMPL", space, "", __file__, 0)
                public = dotted(name).partition(".")[2].strip("_")
                # With its keys a kernel can be called itself.
                libraries[space].impl(operator, key, partial(instead, public, original), original is not None)
        yield
    finally:
        for library in libraries.values():
            library.reset()


_instead: dict[str, Callable[..., Any]] = {}


def stand_in(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run in place of a forbidden function, whose code calls this."""
    return _instead[sys._getframe(1).f_code.co_qualname](*args, **kwargs)


def _lent(*args: Any, **kwargs: Any) -> Any:
    from autograder.internals.forbid import stand_in  # this code runs in functions of other modules

    return stand_in(args, kwargs)


@contextmanager
def _code_replaced(patterns: tuple[str, ...], instead: Callable[..., Any]) -> Iterator[None]:
    """Replace the code of functions, so that copies under other names have the new code too."""
    found = functions(patterns, torch_modules(len(sys.modules)))
    own = {each: each.__code__ for each in found}
    try:
        for function, code in own.items():
            key = f"{function.__module__}.{function.__qualname__}"
            _instead[key] = partial(instead, found[function], _copied(function))
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


@dataclass
class _Standing:
    """The ban that stands between calls, and what it is for; it may stand only where `allowed`."""

    allowed: bool = False
    ban: Ban | None = None
    key: tuple[object, ...] = ()

    def lift(self) -> None:
        if self.ban:
            self.ban.lift()
        self.ban, self.key = None, ()


_STANDING: Final = _Standing()


@contextmanager
def standing() -> Iterator[None]:
    """Within this context, what a call forbids stays replaced for the next call, until one forbids something else."""
    before, _STANDING.allowed = _STANDING.allowed, True
    try:
        yield
    finally:
        _STANDING.allowed = before
        _STANDING.lift()


@contextmanager
def forbid(names: Collection[str], free: Collection[CodeType] = ()) -> Iterator[None]:
    """Within this context, torch functions and modules called by one of `names` raise `ForbiddenError`.

    The error is raised again at the end, in case the answer caught it. Functions whose code is in `free` may use them.
    """
    if not names:
        yield
        return
    key = (*sorted(names), frozenset(free), torch_modules(len(sys.modules)))
    if key != _STANDING.key:
        _STANDING.lift()
        _STANDING.ban, _STANDING.key = Ban(names, free, stands=_STANDING.allowed), key
    ban = _STANDING.ban
    assert ban
    try:
        with ban.watching():
            yield
    except Exception:
        if ban.seen is None:
            raise
    finally:
        seen, ban.seen = ban.seen, None  # it holds the frames of the answer
        if not _STANDING.allowed:
            _STANDING.lift()
    if seen is not None:
        raise seen from None
