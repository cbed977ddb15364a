"""Locks that a known mistake's own wrong answer opens, and nothing else that is handed out.

Two runs of one mistake differ by rounding. So a number counts as the cell of a grid that it lies in; for each, one
public bit says which of two grids, half a cell apart, has it far from a border.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
import torch

from autograder.calls import Absent, Data, Observation, Opaque, Raised, raw
from autograder.suite.compare import GRADIENT_TOLERANCE, difference
from autograder.suite.describe import Names
from autograder.suite.evidence import LENIENT, PLAIN
from autograder.suite.leaves import TOLERANCE, Stage

Numbers = npt.NDArray[np.float64]

SPARE: Final = 8
"""A cell is so many tolerances wide."""
MANY: Final = 8
"""So many numbers that the right answer does not have are not found by trying."""
SLOWNESS: Final = 2**11
"""What a guess costs where there are fewer: scrypt with so many blocks, some milliseconds."""
LOOSE: Final = 1e-2
"""The tolerance of dtypes that no other is known for."""
PARTS: Final[tuple[Stage, ...]] = ("gradients", "arguments", "again")
"""Stages that are about more than the result."""


class Lock(msgspec.Struct, frozen=True, array_like=True):
    """What opens the record of mistake number `mistake`, for one call: an answer, by its result and by `part` of it.

    `rounded` where float32's rounding is forgiven, `slow` where the answer may be guessed; `bits` choose the grids.
    """

    mistake: int
    part: str
    rounded: bool
    slow: bool
    bits: bytes
    key: bytes

    def opened(self, features: Features, salt: bytes, record: bytes) -> bytes | None:
        """The key of the mistake's `record`, if these features, of the result and of `part`, are its answer's."""
        if len(self.bits) != -(-len(features.numbers) // 8):
            return None
        bits = np.unpackbits(np.frombuffer(self.bits, np.uint8), count=len(features.numbers))
        secret = _secret(features, bits, salt, rounded=self.rounded, slow=self.slow)
        return unsealed(_bound(secret, record), self.key)


def lock(
    right: Observation, wrong: Observation, mistake: int, key: bytes, salt: bytes, record: bytes, *, single: bool
) -> Lock | None:
    """The lock for a call on which the mistake shows `wrong`; None if that is as good as right.

    Args:
        key: of the mistake's `record`.
        single: whether it is known by a rounded answer, too, as pairs are not.
    """
    rounded = difference(right, wrong, Names(), tolerance=PLAIN) if single else None
    found = rounded or difference(right, wrong, Names())
    if found is None:
        return None
    part = found.stage if found.stage in PARTS else ""
    features, other = Features.of(wrong, part), Features.of(right, part)
    halves = np.rint(_finite(2 * features.numbers / features.grid(rounded=rounded is not None))).astype(np.int64)
    bits = (halves & 1).astype(np.uint8)
    slow = np.setdiff1d(features.numbers, other.numbers).size < MANY
    secret = _secret(features, bits, salt, rounded=rounded is not None, slow=slow)
    closed = sealed(_bound(secret, record), key)
    made = Lock(mistake, part, rounded is not None, slow, np.packbits(bits).tobytes(), closed)
    return made if made.opened(other, salt, record) is None else None


@dataclass
class Features:
    """What an answer is known by: what has to be the same, and numbers on a scale where tolerances are constant."""

    words: list[bytes] = field(default_factory=list)
    _numbers: list[Numbers] = field(default_factory=list)
    _tolerances: list[Numbers] = field(default_factory=list)

    @classmethod
    def of(cls, seen: Observation, part: str) -> Features:
        """Those of the result, and of one `part` more."""
        made = cls()
        made._add(seen.result)
        if part == "gradients":
            made._add_gradients(seen.gradients)
        if part == "arguments":
            made._add(seen.arguments)
            made._add(sorted(seen.changed))
        if part == "again":
            made._add("raised" if isinstance(seen.again, Raised) else seen.again)
        return made

    @property
    def numbers(self) -> Numbers:
        return np.concatenate([np.zeros(0), *self._numbers])

    def grid(self, *, rounded: bool) -> Numbers:
        """How wide the cell of each number is."""
        tolerances = np.concatenate([np.zeros(0), *self._tolerances])
        return SPARE * np.maximum(tolerances, LENIENT if rounded else 0.0)

    def _word(self, *words: object) -> None:
        self.words.append(" ".join(map(str, words)).encode(errors="surrogatepass"))

    def _add(self, value: Data) -> None:
        if isinstance(value, bool | int | float):  # a whole number may stand where another kind is expected
            self._word("number")
            self._add_numbers(torch.tensor([_float(value)], dtype=torch.float64), TOLERANCE[torch.float64])
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
        else:
            self._word(type(value).__name__, value.tolist() if isinstance(value, np.ndarray) else value)

    def _add_tensor(self, value: torch.Tensor, tolerances: Mapping[torch.dtype, float] = TOLERANCE) -> None:
        self._word(value.dtype, [*value.shape], value.device.type)
        if value.is_meta:
            return
        if value.is_complex():
            value = torch.view_as_real(value.resolve_conj())
        if value.is_floating_point():
            self._add_numbers(value, tolerances.get(value.dtype, LOOSE))
        else:
            self.words.append(raw(value).numpy().tobytes())

    def _add_numbers(self, value: torch.Tensor, tolerance: float) -> None:
        """On this scale an error of t (1 + |x|) is one of t, wherever x lies."""
        flat = value.detach().double().flatten().numpy()
        self._numbers.append(np.sign(flat) * np.log1p(np.abs(flat)))
        self._tolerances.append(np.full(flat.shape, tolerance))

    def _add_gradients(self, gradients: Mapping[str, torch.Tensor | None] | Raised | None) -> None:
        if gradients is None or isinstance(gradients, Raised):
            self._add(gradients)
            return
        for name in sorted(gradients):
            value = gradients[name]
            self._word("gradient", name)
            if value is not None and (value.is_meta or bool((value.abs() > LENIENT).any())):  # else it counts as none
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


def _secret(features: Features, bits: npt.NDArray[np.uint8], salt: bytes, *, rounded: bool, slow: bool) -> bytes:
    cells = np.rint(features.numbers / features.grid(rounded=rounded) - bits / 2)
    found = hashlib.blake2b(salt, digest_size=32)
    for piece in (*features.words, _marked(cells).astype("<i8").tobytes()):
        found.update(len(piece).to_bytes(8, "little"))
        found.update(piece)
    return _stretched(found.digest(), salt) if slow else found.digest()


@lru_cache(maxsize=4096)
def _stretched(secret: bytes, salt: bytes) -> bytes:
    return hashlib.scrypt(secret, salt=salt, n=SLOWNESS, r=8, p=1, dklen=32)


def _bound(secret: bytes, record: bytes) -> bytes:
    """A key for this record alone: answers of several mistakes may be one."""
    return hashlib.blake2b(record[:16], key=secret, digest_size=32).digest()


def _finite(numbers: Numbers) -> Numbers:
    return np.nan_to_num(numbers, nan=0.0, posinf=0.0, neginf=0.0)


def _marked(cells: Numbers) -> Numbers:
    return np.nan_to_num(cells, nan=2.0**62, posinf=2.0**61, neginf=-(2.0**61))


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)
