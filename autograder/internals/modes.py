"""The modes of torch that are on, which an answer may leave behind: they run code of its own in whatever comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from torch import overrides
from torch.utils import _python_dispatch
from torch.utils._device import DeviceContext


class _Stack(NamedTuple):
    """A stack of modes, of which the last is asked first."""

    modes: Callable[[], list[Any]]
    push: Callable[[Any], None]
    pop: Callable[[], Any]


_STACKS: Final = (
    _Stack(overrides._get_current_function_mode_stack, overrides._push_mode, overrides._pop_mode),
    _Stack(_python_dispatch._get_current_dispatch_mode_stack, _python_dispatch._push_mode, _python_dispatch._pop_mode),
)


class LeftOn:
    """Whether a mode was left on."""

    found = False


@contextmanager
def same_modes() -> Iterator[LeftOn]:
    """Let the modes after this context be those before it, but for torch's default device, which is a mode too."""
    left, before = LeftOn(), [stack.modes() for stack in _STACKS]
    try:
        yield left
    finally:
        for stack, kept in zip(_STACKS, before, strict=True):
            left.found |= _restore(stack, kept)


def switch_off() -> None:
    """Switch off all modes, but for torch's default device."""
    for stack in _STACKS:
        _restore(stack, [])


def _restore(stack: _Stack, kept: list[Any]) -> bool:
    """Make the modes those `kept`, with the device below them; return whether they were others."""
    now = stack.modes()
    known = {id(mode) for mode in kept}
    wanted = [*(mode for mode in now if type(mode) is DeviceContext and id(mode) not in known), *kept]
    if [*map(id, now)] == [*map(id, wanted)]:
        return False
    for _ in now:
        stack.pop()
    for mode in wanted:
        stack.push(mode)
    return True
