"""What came of the tests, as a record in `docs/versions.json` and as a table in CONTRIBUTING.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from tests.ends import Ended

RECORD, PAGE = Path("docs", "versions.json"), Path("CONTRIBUTING.md")
BEGIN, END = "<!-- `make versions` writes from here -->\n", "<!-- to here -->\n"
ALL = "`make test`"


class Row(msgspec.Struct, frozen=True):
    """One run of the tests, or of a part of them.

    Args:
        environment: its name.
        system: what it ran on.
        versions: of Python, torch and others.
        part: the arguments that chose the tests; "" for all that `make test` runs.
        commit: what was tried.
        passed: how many tests.
        skipped: how many, by reason.
        failed: the tests, with the first line of what is wrong.
        whole: whether the run came to its end.
    """

    environment: str
    system: str
    versions: dict[str, str]
    part: str
    commit: str
    passed: int = 0
    skipped: dict[str, int] = {}
    failed: dict[str, str] = {}
    whole: bool = True

    def with_ends(self, ends: Iterable[Ended], *, whole: bool) -> Row:
        """Return it with how its tests ended."""
        found = [*ends]
        skipped = Counter(each.why for each in found if each.how == "skipped")
        return msgspec.structs.replace(
            self,
            passed=sum(each.how == "passed" for each in found),
            skipped=dict(sorted(skipped.items(), key=lambda item: (-item[1], item[0]))),
            failed={each.test: each.why for each in found if each.how == "failed"},
            whole=whole,
        )


def read(root: Path) -> list[Row]:
    path = root / RECORD
    return msgspec.json.decode(path.read_bytes(), type=list[Row]) if path.exists() else []


def keep(root: Path, row: Row) -> None:
    """Put a run in the place of an earlier one of the same part in the same environment, and write the table."""
    others = [each for each in read(root) if (each.environment, each.part) != (row.environment, row.part)]
    rows = sorted([*others, row], key=_place)
    (root / RECORD).write_bytes(msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n")
    page = root / PAGE
    page.write_text(with_table(page.read_text("utf-8"), rows), "utf-8")


def _place(row: Row) -> tuple[list[int], str, str]:
    return [*map(int, re.findall(r"\d+", row.versions["Python"]))], row.environment, row.part


def with_table(page: str, rows: Iterable[Row]) -> str:
    """Return a page with the table of these runs in its place."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}{table([*rows])}\n{END}{rest.partition(END)[2]}"


def table(rows: list[Row]) -> str:
    """Return the table, and below it which parts ran, why tests were skipped, and which failed."""
    lines = ["| system, Python | torch, numpy, pytest | what ran | commit | passed | skipped | failed |"]
    lines.append("|---|---|---|---|---:|---:|---:|")
    parts = {part: f"part {number}" for number, part in enumerate(sorted({row.part for row in rows} - {""}), 1)}
    for row in rows:
        versions = ", ".join(version for name, version in row.versions.items() if name != "Python")
        lowest = "the lowest: " if row.environment.endswith("-lowest") else ""
        what = parts.get(row.part, ALL) + ", stopped before its end" * (not row.whole)
        counts = f"{row.passed:,} | {sum(row.skipped.values())} | {len(row.failed)}"
        place = f"{row.system}, Python {row.versions['Python']}"
        lines.append(f"| {place} | {lowest}{versions} | {what} | `{row.commit}` | {counts} |")
    notes = [f"{name.capitalize()}: `pytest -m 'not exhaustive' {part}`" for part, name in parts.items()]
    notes += [f"Skipped on {row.environment}: {_reasons(row)}" for row in rows if row.skipped]
    notes += [f"Failed on {row.environment}: `{test}`: {why}" for row in rows for test, why in row.failed.items()]
    return "\n".join(lines + [""] * bool(notes) + [f"- {note}" for note in notes])


def _reasons(row: Row) -> str:
    return "; ".join(f"{count}, {why}" for why, count in row.skipped.items())
