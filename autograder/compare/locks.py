"""Locks on the texts of known mistakes; only the mistake's own wrong answer opens one.

Two runs of one mistake differ by rounding. So a number counts as the grid cell that it lies in. For each number, one
public bit tells which of two grids, shifted by half a cell, has it farther from a border.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
import torch

from autograder.calls.records import Absent, Data, Observation, Opaque, Raised, raw
from autograder.calls.values import in_order, written
from autograder.compare.compare import GRADIENT_TOLERANCE, LENIENT, PLAIN, TOLERANCE, difference, is_steady, tensor
from autograder.compare.difference import Stage

Numbers = npt.NDArray[np.float64]

SPARE: Final = (8, 0.08)
"""The width of a cell in tolerances; the second where the first would let the right answer open the lock."""
MANY: Final = 8
"""This many numbers that the right answer does not have cannot be guessed."""
MOST: Final = 4096
"""The most numbers of a tensor that are used, spread evenly over it."""
SLOWNESS: Final = 2**11
"""The cost of a guess where there are fewer than MANY: scrypt's n, which takes some milliseconds."""
LOOSE: Final = 1e-2
"""The tolerance of dtypes without one of their own."""
PARTS: Final[tuple[Stage, ...]] = ("gradients", "arguments", "again")
"""The stages that look at more than the result."""


class Lock(msgspec.Struct, frozen=True, array_like=True):
    """A lock on the record of mistake number `mistake`, which its answer to one call opens.

    The key is made of the answer's result and of its `part`, such as the gradients. `rounded` forgives float32's
    rounding; `slow` is for answers that could be guessed; `bits` choose the grids, whose cells are `spare` tolerances
    wide.
    """

    mistake: int
    part: str
    rounded: bool
    spare: float
    slow: bool
    bits: bytes
    key: bytes

    def opened(self, features: Features, salt: bytes, record: bytes) -> bytes | None:
        """Return the key of the mistake's `record` if these features belong to its answer, else None."""
        cells = features.cells(self.bits, self.spare, rounded=self.rounded)
        return None if cells is None else unsealed(_bound(_stretched(cells, salt, slow=self.slow), record), self.key)


def lock(
    right: Observation, wrong: Observation, mistake: int, key: bytes, salt: bytes, record: bytes, *, single: bool
) -> Lock | None:
    """Return the lock for a call on which the mistake shows `wrong`; None if that is as good as right.

    Args:
        key: of the mistake's `record`.
        single: whether the mistake is recognised in rounded answers, too; pairs are not.
    """
    found = difference(right, wrong, tolerance=PLAIN) if single else None
    rounded = found is not None
    if not (found := found or difference(right, wrong)):
        return None
    part = found.stage if found.stage in PARTS else ""
    features, other = Features.of(wrong, part), Features.of(right, part)
    slow = np.setdiff1d(features.numbers, other.numbers).size < MANY
    for spare in SPARE:
        bits = features.bits(spare, rounded=rounded)
        cells = features.cells(bits, spare, rounded=rounded)
        assert cells is not None
        closed = sealed(_bound(_stretched(cells, salt, slow=slow), record), key)
        made = Lock(mistake, part, rounded, spare, slow, bits, closed)
        if made.opened(other, salt, record) is None:
            return made
    return None


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """A fingerprint of a mistake's answer to one call; `raised` if the answer is an error.

    Bits and tags come in pairs: for an exact answer, and for a rounded one.
    """

    raised: bool
    bits: list[bytes]
    tags: list[bytes]

    @classmethod
    def of(cls, wrong: Observation) -> Mark:
        features = Features.of(wrong, *PARTS)
        bits = [features.bits(SPARE[0], rounded=rounded) for rounded in (False, True)]
        tags = [_mark(features, each, rounded=rounded) for rounded, each in zip((False, True), bits, strict=True)]
        return cls(isinstance(wrong.result, Raised), bits, tags)

    def fits(self, features: Features, *, rounded: bool) -> bool:
        """Return whether these features, of all parts, belong to this answer."""
        return _mark(features, self.bits[rounded], rounded=rounded) == self.tags[rounded]


def _mark(features: Features, bits: bytes, *, rounded: bool) -> bytes:
    return (features.cells(bits, SPARE[0], rounded=rounded) or b"")[:8]


@dataclass
class Features:
    """The features of an answer: words that must be equal, and numbers on a scale where tolerances are constant."""

    words: list[bytes] = field(default_factory=list)
    _numbers: list[Numbers] = field(default_factory=list)
    _tolerances: list[Numbers] = field(default_factory=list)

    @classmethod
    def of(cls, seen: Observation, *parts: str) -> Features:
        """Return the features of the result, and of these `parts`."""
        made = cls()
        made._add(seen.result)
        if "gradients" in parts:
            made._add_gradients(seen.gradients)
        if "arguments" in parts:
            made._add(seen.arguments)
            made._add(sorted(seen.changed))
        if "again" in parts:
            made._add("steady" if is_steady(seen) else seen.again)
        return made

    @property
    def numbers(self) -> Numbers:
        return np.concatenate([np.zeros(0), *self._numbers])

    def bits(self, spare: float, *, rounded: bool) -> bytes:
        """Return a bit for each number: the grid that has it nearer to the middle of a cell."""
        halves = np.rint(_finite(2 * self.numbers / self._grid(spare, rounded=rounded))).astype(np.int64)
        return np.packbits((halves & 1).astype(np.uint8)).tobytes()

    def cells(self, bits: bytes, spare: float, *, rounded: bool) -> bytes | None:
        """Return a digest of all words and of the cells of all numbers; None if `bits` are for another count of them.

        Args:
            spare: the width of a cell in tolerances.
            rounded: whether to forgive float32's rounding.
        """
        numbers = self.numbers
        if len(bits) != -(-len(numbers) // 8):
            return None
        shifts = np.unpackbits(np.frombuffer(bits, np.uint8), count=len(numbers)) / 2
        cells = np.rint(numbers / self._grid(spare, rounded=rounded) - shifts)
        found = hashlib.blake2b(digest_size=32)
        for piece in (*self.words, _marked(cells).astype("<i8").tobytes()):
            found.update(len(piece).to_bytes(8, "little"))
            found.update(piece)
        return found.digest()

    def _grid(self, spare: float, *, rounded: bool) -> Numbers:
        """Return the width of each number's cell."""
        tolerances = np.concatenate([np.zeros(0), *self._tolerances])
        wide: Numbers = spare * np.maximum(tolerances, LENIENT if rounded else 0.0)
        return wide

    def _word(self, *words: object) -> None:
        self.words.append(" ".join(map(str, words)).encode(errors="surrogatepass"))

    def _add(self, value: Data) -> None:
        if isinstance(value, float):
            self._word("float")
            self._add_numbers(torch.tensor([value], dtype=torch.float64), TOLERANCE[torch.float64])
        elif isinstance(value, torch.Tensor):
            self._add_tensor(value)
        elif isinstance(value, complex):
            self._word("complex")
            self._add_numbers(torch.tensor([value.real, value.imag], dtype=torch.float64), TOLERANCE[torch.float64])
        elif isinstance(value, np.ndarray) and (known := tensor(value)) is not None:
            self._word("array")
            self._add_tensor(known)
        elif isinstance(value, list | tuple):
            self._word(type(value).__name__, len(value))
            for item in value:
                self._add(item)
        elif isinstance(value, Mapping):
            for name in in_order(value):
                self._word("entry", name if isinstance(name, str) else written(name))
                self._add((value[name] == "kept") if name == "mode" else value[name])
        else:
            self._add_other(value)

    def _add_other(self, value: Data) -> None:
        if isinstance(value, Raised):
            self._word("raised", value.kind, value.message)
        elif isinstance(value, Opaque | Absent):
            self._word(value)
        elif isinstance(value, int):
            self._word(type(value).__name__, hex(value))  # Python refuses to write a huge number in decimal
        else:
            self._word(type(value).__name__, value.tolist() if isinstance(value, np.ndarray) else written(value))

    def _add_tensor(self, value: torch.Tensor, tolerances: Mapping[torch.dtype, float] = TOLERANCE) -> None:
        self._word(value.dtype, [*value.shape], value.device.type)
        if value.is_meta or value.layout is not torch.strided:
            return
        if value.is_complex():
            value = torch.view_as_real(value.resolve_conj())
        if value.is_floating_point():
            self._add_numbers(value, tolerances.get(value.dtype, LOOSE))
        else:
            self.words.append(raw(value).numpy().tobytes())

    def _add_numbers(self, value: torch.Tensor, tolerance: float) -> None:
        """Add numbers on a scale on which an error of t (1 + |x|) becomes t, whatever x is."""
        every = value.detach().flatten()
        flat = every[:: max(1, -(-len(every) // MOST))].double().numpy()
        self._numbers.append(np.sign(flat) * np.log1p(np.abs(flat)))
        self._tolerances.append(np.full(flat.shape, tolerance))

    def _add_gradients(self, gradients: Mapping[str, torch.Tensor | None] | Raised | None) -> None:
        if gradients is None or isinstance(gradients, Raised):
            self._add(gradients)
            return
        for name in sorted(gradients):
            value = gradients[name]
            self._word("gradient", name)
            if value is not None and not _counts_as_none(value):
                self._add_tensor(value, GRADIENT_TOLERANCE)


def sealed(key: bytes, plain: bytes) -> bytes:
    """Return `plain`, encrypted with `key`. Use a key for one text only."""
    stream = hashlib.shake_256(b"stream" + key).digest(len(plain))
    closed = (np.frombuffer(plain, np.uint8) ^ np.frombuffer(stream, np.uint8)).tobytes()
    return _tag(key, closed) + closed


def unsealed(key: bytes, closed: bytes) -> bytes | None:
    """Return what was sealed; None if the key is wrong."""
    tag, rest = closed[:16], closed[16:]
    return sealed(key, rest)[16:] if hmac.compare_digest(tag, _tag(key, rest)) else None


def _tag(key: bytes, closed: bytes) -> bytes:
    return hashlib.blake2b(closed, key=key, digest_size=16, person=b"tag").digest()


@lru_cache(maxsize=4096)
def _stretched(cells: bytes, salt: bytes, *, slow: bool) -> bytes:
    """Return a key made of an answer; `slow` makes each guess expensive."""
    if slow:
        return hashlib.scrypt(cells, salt=salt, n=SLOWNESS, r=8, p=1, dklen=32)
    return hashlib.blake2b(salt, key=cells, digest_size=32).digest()


def _bound(secret: bytes, record: bytes) -> bytes:
    """Return a key for this record alone: several mistakes may give the same answer."""
    return hashlib.blake2b(record[:16], key=secret, digest_size=32).digest()


def _counts_as_none(gradient: torch.Tensor) -> bool:
    """Return whether a comparison treats this gradient as missing."""
    return gradient.is_floating_point() and not gradient.is_meta and bool((gradient.abs() <= LENIENT).all())


def _finite(numbers: Numbers) -> Numbers:
    return np.nan_to_num(numbers, nan=0.0, posinf=0.0, neginf=0.0)


def _marked(cells: Numbers) -> Numbers:
    return np.nan_to_num(cells, nan=2.0**62, posinf=2.0**61, neginf=-(2.0**61))
