"""Find the known mistakes of another exercise that a student's input exposes, and what about the input hides them.

Equal sizes, equal numbers or a lenient mask hide mistakes: a failure names such traits of the arguments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import torch

from autograder.calls.records import Absent, Build, Call, Data, Observation, Raised, tensors
from autograder.compare.compare import difference
from autograder.compare.describe import Names, argument_names, describe, named
from autograder.compare.difference import Stated, Words
from autograder.compare.draw import Draw
from autograder.compare.oracle import Oracle
from autograder.compare.words import words
from autograder.core.errors import BrokenCheckError
from autograder.core.text import join_names
from autograder.suite.building import Module, built
from autograder.suite.traits import Trait, peculiar

MOST_NUMBERS, MOST_AXES, LARGEST, LARGEST_INT = 4096, 6, 1e6, 64
ALLOWED = (torch.float64, torch.float32, torch.int64, torch.bool)
UNLISTED = "mistakes in no family"
WANTED = "the arguments of one call, as a tuple"

MOST_TRAITS = 4


@dataclass(frozen=True)
class ProbeTarget:
    """The target of a probe: an exercise, its arguments in words, how to build it, and the known mistakes to expose.

    They are listed by family, and `others` in no family: a catalogue that grows makes no probe worse. `hidden_by` has
    a pattern for the traits of arguments that hide mistakes of a family.
    """

    chapter: str
    exercise: str
    wants: str
    families: Mapping[str, tuple[str, ...]]
    build: Module | None = None
    others: tuple[str, ...] = ()
    hidden_by: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Bag:
    """The mistakes that one input exposes: how many of each family, and of how many."""

    exposed: Mapping[str, int] = field(default_factory=dict)
    known: Mapping[str, int] = field(default_factory=dict)

    @property
    def found(self) -> int:
        return sum(self.exposed.values())

    @property
    def total(self) -> int:
        return sum(self.known.values())

    def lacking(self, share: float, traits: Sequence[str] = (), blamed: str = "") -> Stated | None:
        """Return the failure if these are less than a `share` of all known mistakes, else None.

        Args:
            traits: what is special about the arguments.
            blamed: what of it hides mistakes.
        """
        need = math.ceil(share * self.total - 1e-9)
        if self.found >= need:
            return None
        listed = UNLISTED not in self.known
        which = f"of {self.total} listed mistakes" if listed else f"of the {self.total} {UNLISTED}"
        beside = f"{blamed}{', which hides mistakes' * listed}; " if blamed else ""
        headline = f"{beside}{self.found} {which} show, and {need} should"
        expected = f"{need} of {self.total} broken versions give another answer than the right one"
        slipped = f"; these slip through: {self.missed()}" if listed else ""
        special = f"; of your arguments: {'; '.join(traits)}" if traits else ""
        return Stated("values", Words(headline, expected, f"{self.found} of {self.total}{slipped}{special}"))

    def _missing(self) -> list[tuple[int, str]]:
        """Return how many mistakes of each family slipped through, without the families of which none did."""
        rows = [(self.known[family] - self.exposed[family], family) for family in self.known]
        return [row for row in rows if row[0]]

    def missed(self) -> str:
        """Return the mistakes that slipped through, by family, in words."""
        return "; ".join(f"{family} ({count} of {self.known[family]})" for count, family in self._missing())


class ProbeGrader:
    """Tries inputs on one exercise. Its object always has the same parameters, so no result depends on luck."""

    def __init__(self, oracle: Oracle, target: ProbeTarget) -> None:
        self._oracle, self._target = oracle, target
        self._function = oracle.function(target.chapter, target.exercise)
        self._method = "forward" if target.build else ""
        self._known = {
            wrong.identifier: wrong for wrong in oracle.mistakes(target.chapter) if wrong.exercise == target.exercise
        }
        self._own: dict[bool, Bag] = {}  # of the reference's own input, which is always the same
        strange = [
            name for names in (target.others, *target.families.values()) for name in names if name not in self._known
        ]
        if strange:
            raise BrokenCheckError(f"{target.exercise} has no known mistakes {', '.join(strange)}")

    def lacking(self, best: Observation, shot: Observation, share: float, *, listed: bool) -> Stated | None:
        """Return what is wrong with the student's input `shot`; None if it exposes a `share` of the mistakes.

        Args:
            best: the reference's own input.
            listed: whether to count the mistakes of the families, or the others.

        Raises:
            BrokenCheckError: the reference's own input is not good enough.
        """
        aim, call = self.call(best.result), self.call(shot.result, like=best.result)
        if isinstance(aim, str):
            raise BrokenCheckError(f"the reference's own probe cannot be used: {aim}")
        if isinstance(call, str):
            none = shot.result is None or isinstance(shot.result, Raised | Absent)
            if none and (error := difference(best, shot, until="outcome")):
                described = words(error, Names())
                return Stated("outcome", Words(described.headline, WANTED, described.got))
            names = argument_names(self._function, self._method)
            return Stated("outcome", Words(call, WANTED, describe(shot.result, Names(parts=names))))
        bag_of = self.listed if listed else self.unlisted
        if listed not in self._own:
            self._own[listed] = bag_of(aim)
        if self._own[listed].lacking(share):
            raise BrokenCheckError(f"the reference's own probe misses {self._own[listed].missed()}")
        bag = bag_of(call)
        if not bag.lacking(share):
            return None
        shown = self._shown_without(call, peculiar(self._named(call.args), self._named(aim.args)), listed)
        told = [says for says, families in shown.items() if families != []]
        return bag.lacking(share, told[:MOST_TRAITS], self._blamed(call, shown, listed))

    def _hidden(self, call: Call, listed: bool) -> dict[str, list[str]]:
        """Return the mistakes that a call does not expose, by family."""
        families = self._target.families if listed else {UNLISTED: self._target.others}
        return {family: [*{*names} - {*self._exposed(names, call)}] for family, names in families.items()}

    def _shown_without(self, call: Call, special: Sequence[Trait], listed: bool) -> dict[str, list[str] | None]:
        """Return for each trait the families of which a mistake shows without it; None if it cannot be left out."""
        hidden = self._hidden(call, listed)
        return {trait.says: self._without(call, trait, hidden) for trait in special}

    def _blamed(self, call: Call, shown: Mapping[str, Sequence[str] | None], listed: bool) -> str:
        """Return which traits of the arguments hide mistakes: without one of them, and all else as it is, some show.

        Where none does, it is those that hide mistakes of a family as a rule, if they cannot be changed alone.
        """
        hidden = self._hidden(call, listed)
        for family in sorted((each for each in hidden if hidden[each]), key=lambda each: -len(hidden[each])):
            pattern = self._target.hidden_by.get(family)
            usual = [says for says in shown if pattern and re.search(pattern, says)]
            for these in (usual, [*shown]):
                if found := [says for says in these if family in (shown[says] or ())]:
                    return join_names(found if these is usual else found[:1])
            if listed and (unsure := [says for says in usual if shown[says] is None]):
                return join_names(unsure)
        return ""

    def _without(self, call: Call, trait: Trait, hidden: Mapping[str, Sequence[str]]) -> list[str] | None:
        """Return the families of which a hidden mistake shows without a trait; None if the arguments must have it."""
        for given in trait.changes(self._named(call.args)):
            other = self.call(tuple(given.values()))
            if isinstance(other, Call):
                return [family for family, names in hidden.items() if self._exposed(tuple(names), other)]
        return None

    def call(self, answer: Data, like: Data = ()) -> Call | str:
        """Return the call that `answer` stands for, or a text that says why it is none, beside one `like` it."""
        if not isinstance(answer, tuple | list):
            return f"a probe returns {WANTED}"
        if trouble := _unfit(answer):
            return trouble
        call = Call(self._target.exercise, tuple(answer), build=self._build(answer), seed=1, once=True)
        right = self._oracle.right(self._target.chapter, call).result
        return self._refused(call, right, like) if isinstance(right, Raised) else call

    def _refused(self, call: Call, raised: Raised, like: Data) -> str:
        """Return why the reference refuses the arguments: its own message, but not one that a library raised."""
        own = raised.kind in ("ValueError", "TypeError") and "unpack" not in raised.message
        of_dtypes = re.search("dtype|bool|scalar type", raised.message)
        why = raised.message if own else (self._unlike if of_dtypes else self._misfit)(call.args, like)
        return f"{self._target.exercise} wants {self._target.wants}, and refuses these: {why}"

    def _unlike(self, args: Sequence[Data], like: Data) -> str:
        """Return which arguments have another dtype than those of a call that fits, in words."""
        wanted = self._named(like if isinstance(like, tuple | list) else ())
        pairs = [(name, value, wanted.get(name)) for name, value in self._named(args).items()]
        told = (
            f"`{name}` is {_dtype(value)} and should be {_dtype(other)}"
            for name, value, other in pairs
            if isinstance(value, torch.Tensor) and isinstance(other, torch.Tensor) and value.dtype != other.dtype
        )
        return " and ".join(told) or "their dtypes do not fit together"

    def _misfit(self, args: Sequence[Data], like: Data) -> str:
        """Return which sizes are not equal, and are in a call that fits."""
        known, given = (self._named(each) for each in (like if isinstance(like, tuple | list) else (), args))
        ranks = {name: len(getattr(value, "shape", ())) for name, value in known.items()}
        same = {name: value for name, value in given.items() if len(getattr(value, "shape", ())) == ranks.get(name)}
        wanted, sizes = _sizes(known), _sizes(same)
        alike = (pair for pair in combinations(wanted, 2) if wanted[pair[0]] == wanted[pair[1]] > 1)
        for one, other in (pair for pair in alike if pair[0][0] != pair[1][0]):
            a, b = sizes.get(one, 1), sizes.get(other, 1)
            if a != b and 1 not in (a, b):
                return f"`{one[0]}.shape[{one[1]}]` is {a} and `{other[0]}.shape[{other[1]}]` is {b}; make them equal"
        return "their shapes do not fit together"

    def _named(self, args: Sequence[Data]) -> dict[str, Data]:
        names = argument_names(self._function, self._method)
        return {name: value for name, value in named(names, args, {}) if name}

    def listed(self, call: Call) -> Bag:
        """Return the mistakes of the families that `call` exposes."""
        rows = {family: self._exposed(names, call) for family, names in self._target.families.items()}
        sizes = {family: len(names) for family, names in self._target.families.items()}
        return Bag({family: len(found) for family, found in rows.items()}, sizes)

    def unlisted(self, call: Call) -> Bag:
        """Return the mistakes in no family that `call` exposes."""
        found = self._exposed(self._target.others, call)
        return Bag({UNLISTED: len(found)}, {UNLISTED: len(self._target.others)})

    def _exposed(self, names: tuple[str, ...], call: Call) -> tuple[str, ...]:
        right = self._oracle.right(self._target.chapter, call)
        seen = self._oracle.wrong([self._known[name] for name in names], call)
        pairs = zip(names, seen, strict=True)
        return tuple(name for name, wrong in pairs if difference(right, wrong, until="values"))

    def _build(self, arguments: tuple[Data, ...] | list[Data]) -> Build | None:
        if self._target.build is None:
            return None
        return built(self._function, self._target.build, tuple(arguments), Draw(1, self._target.exercise))


def _unfit(arguments: tuple[Data, ...] | list[Data]) -> str:
    """Return why the arguments are refused, or "". They go to the reference, so they must do no harm there."""
    found = list(tensors(arguments))
    numbers = [value for value in arguments if isinstance(value, int | float)]
    if not all(value is None or isinstance(value, torch.Tensor | int | float) for value in arguments):
        return "arguments are tensors, numbers or None"
    if any(value.dtype not in ALLOWED or value.is_meta for value in found):
        return "tensors are of float64, float32, int64 or bool, with data"
    if sum(value.numel() for value in found) > MOST_NUMBERS or any(value.dim() > MOST_AXES for value in found):
        return f"the arguments hold at most {MOST_NUMBERS} numbers in all, with at most {MOST_AXES} axes"
    if not all(bool((value.double().abs() <= LARGEST).all()) for value in found):
        return f"numbers lie between {-LARGEST:g} and {LARGEST:g}; NaN and infinity are not allowed"
    if not all(abs(value) <= LARGEST_INT for value in numbers):
        return f"plain numbers lie between {-LARGEST_INT} and {LARGEST_INT}"
    return ""


def _dtype(value: torch.Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")


def _sizes(given: Mapping[str, Data]) -> dict[tuple[str, int], int]:
    """Return the size of each axis of named arguments, the axes counted from the end."""
    shapes = {name: tuple(value.shape) for name, value in given.items() if isinstance(value, torch.Tensor)}
    return {(name, axis): shape[axis] for name, shape in shapes.items() for axis in range(-len(shape), 0)}
