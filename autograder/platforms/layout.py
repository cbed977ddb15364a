"""`attend grade --layout`: the teacher's pattern of the paths in a download, such as `{name}_{id}/{file}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath
from typing import NamedTuple

from autograder.classroom.person import Attempt, Download, Person
from autograder.classroom.times import in_name, in_utc
from autograder.core.errors import UsageError
from autograder.core.text import counted, join_names, one_line
from autograder.intake.archive import is_zip
from autograder.platforms.class_folder import examples
from autograder.platforms.tree import Child, Tree, assembled

FORM = "layout"
"""The form of a download that was read by a pattern."""
FILE = "file"
FIELDS: Mapping[str, str] = {
    **dict.fromkeys(("name", "first", "last", "group", FILE), r".+"),
    "id": r"[^\s_]*\d[^\s_]*",
    "login": r"[^\s@]+",
    "email": r"[^\s@]+@[^\s@]+",
    "time": r".*\d.*",
    "attempt": r"\d+",
    "*": r".*",
}
CHAPTER = r"(?i:ch\d\d).*"  # what {file} is rather than anything else
TELLING = ("name", "id", "login", "email")
FIELD = re.compile(r"\{([^{}]*)\}")
Fields = Mapping[str, str]


class Hit(NamedTuple):
    """Something that a pattern fits: its fields, its path in the download, and its path in the submission."""

    fields: Fields
    path: str
    place: str

    @property
    def key(self) -> str:
        return "_".join(self.fields[field] for field in TELLING if field in self.fields)

    @property
    def order(self) -> tuple[int, datetime | None]:
        """The number and the time of the attempt."""
        return int(self.fields.get("attempt", 0)), in_name(self.fields.get("time", ""))

    @property
    def version(self) -> str:
        """What has the same one is one upload: the folder of files, or the folder or zip itself."""
        return self.path.rpartition("/")[0] if FILE in self.fields else self.path


class Twofold(NamedTuple):
    """A path that a step of a pattern fits in several ways."""

    path: str
    step: str
    ways: Sequence[Fields]

    @property
    def says(self) -> str:
        found = " or ".join(", ".join(map(one_line, way.values())) for way in self.ways)
        return f"'{one_line(self.path, 200)}' fits {self.step} in several ways ({found})"


@dataclass(frozen=True)
class LayoutStep:
    """One part of a pattern, between two "/": its text, and its fields in order."""

    text: str

    @property
    def fields(self) -> list[str]:
        return FIELD.findall(self.text)

    @property
    def is_of_files(self) -> bool:
        """Whether it fits files: it has the field for one, or ends as a file's name does."""
        return FILE in self.fields or bool(PurePosixPath(FIELD.sub("", self.text)).suffix)

    def match(self, name: str) -> list[Fields]:
        """Return the fields of a name: none if it does not fit, two if it fits in several ways."""
        for file in (CHAPTER, FIELDS[FILE]):
            ways = [way for lazily in ("?", "") if (way := self._match(name, file, lazily)) is not None]
            if ways:
                return ways[:1] if ways[0] == ways[-1] else ways
        return []

    def _match(self, name: str, file: str, lazily: str) -> Fields | None:
        """Return the fields with the first ones as short (lazily "?") or as long ("") as they can be."""
        form, end = "", 0
        for field in FIELD.finditer(self.text):
            inside = re.sub(r"([+*])", rf"\1{lazily}", file if field[1] == FILE else FIELDS[field[1]])
            form += f"{re.escape(self.text[end : field.start()])}({inside})"
            end = field.end()
        found = re.fullmatch(form + re.escape(self.text[end:]), name, re.DOTALL)
        return _named(dict(zip(self.fields, found.groups(), strict=True))) if found else None


def _named(fields: dict[str, str]) -> Fields:
    """Return the fields without those that do not matter, and one name of a first and a last one."""
    own = {field: value.strip() for field, value in fields.items() if field != "*"}
    names = [own.pop(field) for field in ("first", "last") if field in own]
    return {**own, "name": " ".join(names)} if names else own


def steps(pattern: str) -> list[LayoutStep]:
    """Return the steps of a pattern; a last one that is nothing but {file} is left out, as it fits everything.

    Raises:
        UsageError: the pattern has a lone brace, unknown fields, one twice, or none that says who a student is.
    """
    _refuse_lone_brace(pattern)
    fields = [field for field in FIELD.findall(pattern) if field != "*"]
    if unknown := [field for field in fields if field not in FIELDS]:
        known = " ".join(f"{{{field}}}" for field in FIELDS)
        raise UsageError(f"--layout has no field {{{one_line(unknown[0])}}}; it has {known}")
    if twice := [field for field in FIELDS if fields.count(field) > 1]:
        raise UsageError(f"--layout has {{{twice[0]}}} twice; write {{*}} for what does not matter")
    if not {*TELLING, "first", "last"} & set(fields):
        raise UsageError(
            "--layout must say whose a submission is: by {name}, {first} and {last}, {id}, {login} or {email}"
        )
    found = [LayoutStep(text) for text in pattern.strip("/").split("/")]
    return found[:-1] if found[-1].text == f"{{{FILE}}}" else found


def _refuse_lone_brace(pattern: str) -> None:
    left = FIELD.sub(lambda field: " " * len(field[0]), pattern)
    if found := re.search(r"[{}]", left):
        at, other = found.start(), "}" if found[0] == "{" else "{"
        where = f"at '{one_line(pattern[at : at + 20])}'" if other == "}" else f"after '{one_line(pattern[:at][-20:])}'"
        raise UsageError(
            f"--layout has a {found[0]} without its {other}, {where}; write a field as in {{name}}/{{file}}"
        )


def read(tree: Tree, pattern: str) -> Download:
    """Read a download by a pattern of the paths in it.

    Raises:
        UsageError: the pattern is wrong, or fits nothing.
    """
    walked = list(_walk(tree, steps(pattern), {}, ""))
    hits = [each for each in walked if isinstance(each, Hit)]
    if not hits and (twofold := [each for each in walked if isinstance(each, Twofold)]):
        raise UsageError(f"{twofold[0].says}; write down what stands between the fields, or use {{*}}")
    if not hits:
        raise UsageError(
            f"--layout {one_line(pattern)} fits nothing in {tree.shown}, which holds {join_names(examples(tree))}; "
            "write such a path with fields in place of what differs, as in {name}_{id}/{file}"
        )
    by_key: dict[str, list[Hit]] = {}
    for hit in hits:
        by_key.setdefault(hit.key, []).append(hit)
    found = [attempt for _, own in sorted(by_key.items()) for attempt in _attempts(tree, own)]
    return Download(FORM, tuple(found), (*tree.problems, *_said(pattern, hits, walked)))


def fits(tree: Tree, pattern: str) -> bool:
    """Return whether a pattern fits most of what lies in a folder, in one way."""
    try:
        found = list(_walk(tree, steps(pattern), {}, ""))
    except UsageError:
        return False
    return 2 * sum(isinstance(each, Hit) for each in found) > len(found)


def _said(pattern: str, hits: Sequence[Hit], walked: Sequence[Hit | Twofold | str]) -> Iterator[str]:
    students, left = len({hit.key for hit in hits}), [each for each in walked if isinstance(each, str)]
    first = f"such as {one_line(hits[0].path, 200)} of {one_line(hits[0].key)}"
    yield f"--layout {one_line(pattern)} fits {counted(len(hits), 'path')} of {counted(students, 'student')}, {first}"
    if left:
        yield f"left out, because --layout does not fit: {join_names(left)}"
    for each in walked:
        if isinstance(each, Twofold):
            yield f"left out, because {each.says}"
    if undated := [hit for hit in hits if hit.fields.get("time") and hit.order[1] is None]:
        yield f"not read as a time: {join_names(dict.fromkeys(hit.fields['time'] for hit in undated), 3)}"


def _walk(tree: Tree, left: Sequence[LayoutStep], fields: Fields, above: str) -> Iterator[Hit | Twofold | str]:
    """Yield what the rest of a pattern fits in a folder, and the paths of what it does not fit."""
    for child in tree.visible():
        path = f"{above}{child.name}"
        ways = [] if child.is_strange else left[0].match(_compared(child, left[0]))
        if len(ways) > 1:
            yield Twofold(path, left[0].text, ways)
            continue
        if not ways or not (child.is_folder or len(left) == 1):
            yield path
            continue
        (mine,) = ways
        name = " ".join(each["name"] for each in (fields, mine) if "name" in each)
        both = {**fields, **mine, **({"name": name} if name else {})}
        if len(left) > 1:
            yield from _walk(tree.below(child.name), left[1:], both, f"{path}/")
        elif child.is_folder or is_zip(PurePosixPath(child.name)) or left[0].is_of_files:
            yield Hit(both, path, mine.get(FILE, "" if child.is_folder else child.name))
        else:
            yield path


def _compared(child: Child, step: LayoutStep) -> str:
    """Return the name to compare with a step: that of a zip without its ending, unless the step has one."""
    is_whole = child.is_folder or step.is_of_files or not is_zip(PurePosixPath(child.name))
    return child.name if is_whole else PurePosixPath(child.name).stem


def _attempts(tree: Tree, hits: Sequence[Hit]) -> list[Attempt]:
    """Return the attempts of one student in their order; where nothing tells it, one of several versions."""
    by_order: dict[tuple[int, datetime | None], list[Hit]] = {}
    for hit in hits:
        by_order.setdefault(hit.order, []).append(hit)
    are_numbered = len({number for number, _ in by_order}) == len(by_order)
    are_timed = len({time for _, time in by_order if time}) == len(by_order)
    if not are_numbered and not are_timed:
        return [_attempt(tree, hits)]
    in_order = sorted(by_order, key=lambda each: each[0] if are_numbered else in_utc(each[1] or datetime.min))
    return [_attempt(tree, by_order[each]) for each in in_order]


def _attempt(tree: Tree, hits: Sequence[Hit]) -> Attempt:
    fields, uploads = hits[0].fields, {(hit.version, hit.order) for hit in hits}
    parts = [
        tree.part(hit.path, hit.place)
        if len(uploads) == 1
        else tree.part(hit.path, f"{hit.path}/{hit.place}".rstrip("/"), hit.path)
        for hit in hits
    ]
    person = Person(*(fields.get(field, "") for field in TELLING))
    notes = (f"handed in for group {one_line(fields['group'])}",) if "group" in fields else ()
    _, time = hits[0].order
    submitted = time if len({hit.order for hit in hits}) == 1 else None
    return Attempt(hits[0].key, partial(assembled, parts), person, submitted, None, notes)
