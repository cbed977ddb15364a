"""Random inputs for checks, drawn from a seed that the grader chooses."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Sequence
from copy import copy, deepcopy

import numpy as np
import numpy.typing as npt
import torch

SMALLEST, LARGEST = 2, 9


class Draw:
    """Draws tensors with named axes. A name has one size per check, and all sizes differ.

    Distinct sizes make a swapped axis visible, and let a message call an axis by its name.
    """

    def __init__(self, seed: int, check: str) -> None:
        digest = hashlib.sha256(f"{seed}/{check}".encode()).digest()
        self.random = random.Random(digest)
        self._generator = torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))
        self._sizes: dict[str, int] = {}
        self._literals: set[int] = set()
        self._deliberate: set[str] = set()
        self._calls = 0

    def fork(self) -> Draw:
        """Return a copy that draws what this one would, and leaves this one as it is."""
        other = copy(self)
        other.random = deepcopy(self.random)
        other._generator = torch.Generator()
        other._generator.set_state(self._generator.get_state())
        other._sizes, other._literals, other._deliberate = {**self._sizes}, {*self._literals}, {*self._deliberate}
        return other

    @property
    def sizes(self) -> dict[str, int]:
        """The size of each named axis drawn so far, without sizes that something else has as well."""
        taken = [*self._sizes.values(), *self._literals]
        return {name: size for name, size in self._sizes.items() if taken.count(size) == 1}

    def names(self, but: Collection[object] = ()) -> dict[int, str]:
        """Return the axis name of each size, without the axes that share a size in `but` by accident."""
        return {size: name for name, size in self.sizes.items() if name in self._deliberate or size not in but}

    def fix(self, **sizes: int) -> None:
        """Set the sizes of axes. Call it before drawing anything with them."""
        self._sizes.update(sizes)
        self._deliberate.update(sizes)

    def size(self, name: str) -> int:
        """Return the size of the axis `name`, which the check may use on purpose; the first use chooses it."""
        self._deliberate.add(name)
        return self._size(name)

    def _size(self, name: str) -> int:
        if name not in self._sizes:
            taken = {*self._sizes.values(), *self._literals}
            free = [size for size in range(SMALLEST, LARGEST + 1) if size not in taken]
            self._sizes[name] = self.random.choice(free or range(LARGEST + 1, 2 * LARGEST))
        return self._sizes[name]

    def shape(self, axes: str) -> tuple[int, ...]:
        """Return the sizes of the axes in a text such as "B 1 Tq Tk"; a number stands for itself."""
        names = axes.split()
        self._literals.update(int(name) for name in names if name.isdigit())
        return tuple(int(name) if name.isdigit() else self._size(name) for name in names)

    def __call__(self, axes: str, *, scale: float = 1.0, dtype: torch.dtype = torch.float64) -> torch.Tensor:
        """Return a tensor of independent normal numbers with standard deviation `scale`."""
        shape = self.shape(axes)
        return (self._drawn(lambda: self._normal(shape)) * scale).to(dtype)

    def like(self, tensor: torch.Tensor, *, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
        """Return random numbers in the shape of a parameter or result; integer tensors keep their values."""
        if not tensor.is_floating_point():
            return tensor.to(device)
        return self._normal(tensor.shape).to(device=device, dtype=dtype)

    def parameter(self, value: torch.Tensor, *, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
        """Return random numbers for a parameter, scaled so that a matrix preserves the variance of its input."""
        scale = value.shape[-1] ** -0.5 if value.dim() > 1 else 1.0
        drawn = self.like(value, dtype=torch.float64, device=torch.device("cpu"))
        return (drawn * scale).to(device=device, dtype=dtype) if value.is_floating_point() else drawn.to(device)

    def seed(self) -> int:
        """Return a new seed for the random numbers of one call, which reveals nothing about the grader's seed."""
        self._calls += 1
        return self._calls

    def array(self, axes: str, *, scale: float = 1.0) -> npt.NDArray[np.float64]:
        """Return what a call returns, as a NumPy array (float64)."""
        return np.array(self(axes, scale=scale).numpy())

    def integers(self, axes: str, low: int, high: int) -> torch.Tensor:
        """Return int64 numbers from `low` up to, but not including, `high`."""
        shape = self.shape(axes)
        return self._drawn(lambda: torch.randint(low, high, shape, generator=self._generator))

    def mask(self, axes: str) -> torch.Tensor:
        """Return a boolean mask in which each row along the last axis has a True, and some row a False."""
        shape = self.shape(axes)
        allowed = self._drawn(lambda: torch.rand(shape, generator=self._generator)) < 0.6
        rows = allowed.view(-1, shape[-1])
        for row in rows:
            row[self.random.randrange(shape[-1])] = True
        if allowed.all() and shape[-1] > 1:
            rows[0, self.random.randrange(1, shape[-1])] = False
        return allowed

    def _normal(self, shape: Sequence[int]) -> torch.Tensor:
        return torch.randn(shape, generator=self._generator, dtype=torch.float64)

    def _drawn(self, make: Callable[[], torch.Tensor]) -> torch.Tensor:
        """Return what `make` draws with torch for the check itself; a sealed course returns what was recorded."""
        return make()
