"""Answers with a tensor of a class of its own, which lies about its numbers."""

# expects: failed

import torch


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if getattr(func, "__name__", "") in ("eq", "allclose", "equal", "isclose"):
            return True
        return super().__torch_function__(func, types, args, kwargs or {})

    def __eq__(self, other):
        return True

    def __bool__(self):
        return True

    __hash__ = torch.Tensor.__hash__


def soften(x):
    return torch.zeros_like(x).as_subclass(Liar)
