"""The modes of torch that are on, which an answer may leave behind: they run code of its own in whatever comes next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import overrides
from torch.utils import _device, _python_dispatch


@dataclass(frozen=True)
class _Stack:
    """A stack of modes, of which the last is asked first: where torch keeps it, and what there lists and counts it."""

    home: Any
    lists: str
    counts: str

    def modes(self) -> list[Any]:
        """Return the modes. Around nearly every call there are none, which the count says at once."""
        return list(getattr(self.home, self.lists)()) if getattr(torch._C, self.counts)() else []

    def push(self, mode: Any) -> None:
        self.home._push_mode(mode)

    def pop(self) -> None:
        self.home._pop_mode()


_STACKS: Final = (
    _Stack(overrides, "_get_current_function_mode_stack", "_len_torch_function_stack"),
    _Stack(_python_dispatch, "_get_current_dispatch_mode_stack", "_len_torch_dispatch_stack"),
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
    if not now and not kept:
        return False
    known = {id(mode) for mode in kept}
    wanted = [*(mode for mode in now if type(mode) is _device.DeviceContext and id(mode) not in known), *kept]
    if [*map(id, now)] == [*map(id, wanted)]:
        return False
    for _ in now:
        stack.pop()
    for mode in wanted:
        stack.push(mode)
    return True
