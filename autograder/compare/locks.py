"""Locks that a known mistake's own wrong answer opens, and nothing else that is handed out.

Two runs of one mistake differ by rounding. So a number counts as the cell of a grid that it lies in; for each, one
public bit says which of two grids, half a cell apart, has it far from a border.
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
from autograder.compare.compare import GRADIENT_TOLERANCE, difference
from autograder.compare.difference import Stage
from autograder.compare.leaves import LENIENT, PLAIN, TOLERANCE

Numbers = npt.NDArray[np.float64]

SPARE: Final = (8, 0.08)
"""A cell is so many tolerances wide; less only where the right answer lies in the same cells otherwise."""
MANY: Final = 8
"""So many numbers that the right answer does not have are not found by trying."""
MOST: Final = 4096
"""Of a tensor with more numbers, so many at most are looked at, spread over it."""
SLOWNESS: Final = 2**11
"""What a guess costs where there are fewer: scrypt with so many blocks, some milliseconds."""
LOOSE: Final = 1e-2
"""The tolerance of dtypes that no other is known for."""
PARTS: Final[tuple[Stage, ...]] = ("gradients", "arguments", "again")
"""Stages that are about more than the result."""


class Lock(msgspec.Struct, frozen=True, array_like=True):
    """What opens the record of mistake number `mistake`, for one call: an answer, by its result and by `part` of it.

    `rounded` where float32's rounding is forgiven, `slow` where the answer may be guessed; `bits` choose the grids,
    whose cells are `spare` tolerances wide.
    """

    mistake: int
    part: str
    rounded: bool
    spare: float
    slow: bool
    bits: bytes
    key: bytes

    def opened(self, features: Features, salt: bytes, record: bytes) -> bytes | None:
        """The key of the mistake's `record`, if these features, of the result and of `part`, are its answer's."""
        cells = features.cells(self.bits, self.spare, rounded=self.rounded)
        return None if cells is None else unsealed(_bound(_stretched(cells, salt, slow=self.slow), record), self.key)


def lock(
    right: Observation, wrong: Observation, mistake: int, key: bytes, salt: bytes, record: bytes, *, single: bool
) -> Lock | None:
    """The lock for a call on which the mistake shows `wrong`; None if that is as good as right.

    Args:
        key: of the mistake's `record`.
        single: whether it is known by a rounded answer, too, as pairs are not.
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
    """What a mistake's answer to one call is known by, to the reader of its record; or that it `raised` an error.

    Bits and tags come in pairs: for an answer as it is, and for a rounded one.
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
        """Whether these features, of all parts, are this answer's."""
        return _mark(features, self.bits[rounded], rounded=rounded) == self.tags[rounded]


def _mark(features: Features, bits: bytes, *, rounded: bool) -> bytes:
    return (features.cells(bits, SPARE[0], rounded=rounded) or b"")[:8]


@dataclass
class Features:
    """What an answer is known by: what has to be the same, and numbers on a scale where tolerances are constant."""

    words: list[bytes] = field(default_factory=list)
    _numbers: list[Numbers] = field(default_factory=list)
    _tolerances: list[Numbers] = field(default_factory=list)

    @classmethod
    def of(cls, seen: Observation, *parts: str) -> Features:
        """Those of the result, and of these `parts` more."""
        made = cls()
        made._add(seen.result)
        if "gradients" in parts:
            made._add_gradients(seen.gradients)
        if "arguments" in parts:
            made._add(seen.arguments)
            made._add(sorted(seen.changed))
        if "again" in parts:
            made._add("steady" if _steady(seen) else seen.again)
        return made

    @property
    def numbers(self) -> Numbers:
        return np.concatenate([np.zeros(0), *self._numbers])

    def bits(self, spare: float, *, rounded: bool) -> bytes:
        """For each number which of its two grids has it nearer to the middle of a cell."""
        halves = np.rint(_finite(2 * self.numbers / self._grid(spare, rounded=rounded))).astype(np.int64)
        return np.packbits((halves & 1).astype(np.uint8)).tobytes()

    def cells(self, bits: bytes, spare: float, *, rounded: bool) -> bytes | None:
        """A digest of all words, and of the cells that the numbers lie in; None if these are more or less than `bits`.

        Args:
            spare: how many tolerances a cell is wide.
            rounded: whether float32's rounding is forgiven.
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
        """How wide the cell of each number is."""
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
        elif isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            self._word("array")
            self._add_tensor(torch.from_numpy(np.array(value)))
        elif isinstance(value, list | tuple):
            self._word(type(value).__name__, len(value))
            for item in value:
                self._add(item)
        elif isinstance(value, Mapping):
            for name in sorted(value):
                self._word("entry", name)
                self._add((value[name] == "kept") if name == "mode" else value[name])
        else:
            self._add_other(value)

    def _add_other(self, value: Data) -> None:
        if isinstance(value, Raised):
            self._word("raised", value.kind, value.message)
        elif isinstance(value, Opaque | Absent):
            self._word(value)
        elif isinstance(value, int):
            self._word(type(value).__name__, hex(value))  # of a huge number Python writes no decimals
        else:
            self._word(type(value).__name__, value.tolist() if isinstance(value, np.ndarray) else value)

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
        """On this scale an error of t (1 + |x|) is one of t, wherever x lies."""
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
    """`plain`, which only `key` opens; a key is used for one text alone."""
    stream = hashlib.shake_256(b"stream" + key).digest(len(plain))
    closed = (np.frombuffer(plain, np.uint8) ^ np.frombuffer(stream, np.uint8)).tobytes()
    return _tag(key, closed) + closed


def unsealed(key: bytes, closed: bytes) -> bytes | None:
    """What was sealed; None if the key is another."""
    tag, rest = closed[:16], closed[16:]
    return sealed(key, rest)[16:] if hmac.compare_digest(tag, _tag(key, rest)) else None


def _tag(key: bytes, closed: bytes) -> bytes:
    return hashlib.blake2b(closed, key=key, digest_size=16, person=b"tag").digest()


@lru_cache(maxsize=4096)
def _stretched(cells: bytes, salt: bytes, *, slow: bool) -> bytes:
    """A key made of an answer; where it is `slow`, guesses are, too."""
    if slow:
        return hashlib.scrypt(cells, salt=salt, n=SLOWNESS, r=8, p=1, dklen=32)
    return hashlib.blake2b(salt, key=cells, digest_size=32).digest()


def _bound(secret: bytes, record: bytes) -> bytes:
    """A key for this record alone: answers of several mistakes may be one."""
    return hashlib.blake2b(record[:16], key=secret, digest_size=32).digest()


def _counts_as_none(gradient: torch.Tensor) -> bool:
    """Whether a comparison takes it for one that is missing."""
    return gradient.is_floating_point() and not gradient.is_meta and bool((gradient.abs() <= LENIENT).all())


def _steady(seen: Observation) -> bool:
    """Whether it answered twice alike."""
    first, second = Observation(seen.result), Observation(seen.again)
    return seen.again is seen.result or difference(first, second, until="values") is None


def _finite(numbers: Numbers) -> Numbers:
    return np.nan_to_num(numbers, nan=0.0, posinf=0.0, neginf=0.0)


def _marked(cells: Numbers) -> Numbers:
    return np.nan_to_num(cells, nan=2.0**62, posinf=2.0**61, neginf=-(2.0**61))
