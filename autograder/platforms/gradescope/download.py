"""Gradescope: folders `submission_123456`, and a file that says whose each is.

The file is YAML with Ruby symbols as keys, which are read as plain text: `:submitters:` with `:name:`, `:sid:` and
`:email:`, several for a group, and `:created_at:`, in UTC if it has no zone. The export holds only the submission that
is active on Gradescope; earlier ones are listed under `:history:` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import yaml  # type: ignore[import-untyped]

from autograder.classroom import times
from autograder.classroom.person import Person
from autograder.core.errors import UsageError
from autograder.core.text import join_names, one_line
from autograder.intake.archive import UnreadableError
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts
from autograder.platforms.tree import Tree

METADATA = "submission_metadata.yml"


class _Plain(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # the fast loader, if it is there
    """Reads YAML as plain data, and Ruby's types as mappings, lists and texts."""


def _bare(loader: Any, _tag: str, node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


_Plain.add_multi_constructor("!", _bare)


def claims(tree: Tree) -> set[str]:
    names = {child.name: child.is_folder for child in tree.visible() if not child.is_strange}
    if names.get(METADATA, True):
        return set()
    return {METADATA} | {name for name, is_folder in names.items() if name.startswith("submission_") and is_folder}


def read(tree: Tree, claimed: set[str]) -> Read:
    entries, folders, found = _metadata(tree), claimed - {METADATA}, list[Gathering]()
    for name in sorted(folders):
        entry = entries.get(name, {})
        people = list(_submitters(entry))
        unknown = Gathering(name, notes=[f"{METADATA} does not say whose {one_line(name)} is"])
        together = [f"handed in by {_names(people)} together"] if len(people) > 1 else []
        owners = [Gathering(_key(each), each, notes=together) for each in people] or [unknown]
        for one in owners:
            one.parts, one.submitted, one.shared = {name: ""}, _time(entry), name if people[1:] else ""
        found += owners
    return attempts(tree, found), [_missing(name, entry) for name, entry in entries.items() if name not in folders]


def _key(person: Person) -> str:
    """Return the email address, which is unique on Gradescope; a careless roster may repeat a number."""
    return person.email or "_".join(filter(None, (person.name, person.id)))


def _missing(name: str, entry: Mapping[str, Any]) -> str:
    whose = _names(list(_submitters(entry))) or "no student"
    return f"{METADATA} names {one_line(name)} of {whose}, which is not in the download"


def _names(people: Sequence[Person]) -> str:
    return join_names([each.called for each in people])


def _metadata(tree: Tree) -> Mapping[str, Mapping[str, Any]]:
    try:
        entries = yaml.load(tree.load(METADATA), _Plain)
    except (UnreadableError, yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        why = one_line(str(error))
        raise UsageError(f"{METADATA} cannot be read ({why}); export the submissions again") from error
    if not isinstance(entries, Mapping):
        raise UsageError(f"{METADATA} names no submissions; export the submissions again")
    return {str(name): entry for name, entry in entries.items() if isinstance(entry, Mapping)}


def _submitters(entry: Mapping[str, Any]) -> Iterator[Person]:
    people = entry.get(":submitters")
    for each in people if isinstance(people, list) else []:
        if isinstance(each, Mapping):
            name, number, email = (_text(each.get(key)) for key in (":name", ":sid", ":email"))
            if name or number or email:
                yield Person(name, number, email=email)


def _text(value: object) -> str:
    """Return a scalar as text; a list is ignored, as YAML aliases could make it endless."""
    return one_line(str(value), 200) if isinstance(value, str | int | float) else ""


def _time(entry: Mapping[str, Any]) -> datetime | None:
    created = entry.get(":created_at")
    if isinstance(created, datetime):
        return times.in_utc(created)
    time = times.read(created) if isinstance(created, str) else None
    return time and times.in_utc(time)


GRADESCOPE = DownloadForm("Gradescope", claims, read)
