"""The names of files: misspelt ones, copies, other chapters, and attempts to meddle."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from autograder.core.text import join_names

SUFFIXES = (".py", ".ipynb")
LIBRARIES = frozenset(
    {"torch", "numpy", "einops", "pytest", "_pytest", "autograder", "reference", "rich", "typer", "msgspec"}
    | {"safetensors"}
)
CONFIGURES = frozenset(
    {"conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "sitecustomize.py", "usercustomize.py"}
)
DOCUMENTS = frozenset({".doc", ".docx", ".odt", ".rtf", ".pages", ".pdf", ".png", ".jpg", ".jpeg", ".heic", ".gif"})
"""Endings of files in which a student may have answered, and which nothing here reads."""
SIMILAR = 0.85
LONGEST = 255  # letters of a name; no file system has longer ones
# Names that browsers, file managers and platforms give a second file of the same name.
COPY = re.compile(r"(?P<stem>.+?)(?: ?\((?P<number>\d+)\)|-(?P<other>\d+)| - Copy| copy)(?P<suffix>\.\w+)")


# The notes that say what was taken as what, what was not read beside it, or that the teacher's pattern fits nothing:
# the teacher reads them too.
TAKEN = re.compile(
    r" (?:was read|were read together) as | holds no answers; if they are in |, a zip in the submission, "
    r"|policy\.toml names .*, which fits no file here| counts, .+ (?:was|were) not read$"
)


def is_taken(note: str) -> bool:
    """Return whether a note says what file was taken for a chapter though it has another name, or the policy does."""
    return bool(TAKEN.search(note))


def meddling(paths: Iterable[PurePosixPath]) -> str:
    """Return a note on files that would replace a module or configure Python or pytest; "" for none."""
    named = [str(path) for path in paths if _meddles(path)]
    if not named:
        return ""
    return f"not used, as Python or the course has files of these names: {join_names(named)}"


def _meddles(path: PurePosixPath) -> bool:
    if path.name in CONFIGURES or path.suffix == ".pth":
        return True
    module = path.parent.name if path.stem == "__init__" else path.name.split(".")[0]
    is_code = path.suffix in (".py", ".so", ".pyd", ".pyc")
    return is_code and (module in LIBRARIES or module in sys.stdlib_module_names)


def unread(paths: Iterable[PurePosixPath]) -> str:
    """Return a note on documents and pictures, which are not read; "" for none."""
    named = [str(path) for path in paths if path.suffix.lower() in DOCUMENTS]
    return f"not read: {join_names(named, 3)}" if named else ""


def absence(chapter: str, other_chapters: Sequence[str]) -> str:
    """Return the sentence for a chapter without a file, naming files of other chapters that came in its place."""
    if not other_chapters:
        return not_there(chapter)
    was = "was, which is" if len(other_chapters) == 1 else "were, which are"
    return f"{chapter}.py was not handed in, but {join_names(other_chapters, 3)} {was} of another chapter"


def not_there(chapter: str) -> str:
    """Return the sentence for a chapter of which nothing was handed in."""
    return f"neither {chapter}.py nor {chapter}.ipynb was handed in"


def lost(chapter: str) -> str:
    """Return the sentence for a chapter whose files a student's own copy lacks."""
    return f"there is no {chapter}.py; copy it back from .attend/stubs"


def copies(name: str, paths: Iterable[PurePosixPath]) -> list[PurePosixPath]:
    """The files that are `name` but for what a computer adds to a second one of that name, the highest number first."""
    named = [path for path in paths if len(path.name) <= LONGEST]
    found = {path: match for path in named if (match := COPY.fullmatch(path.name))}
    same = [path for path, match in found.items() if match["stem"] + match["suffix"] == name]
    return sorted(same, key=lambda path: (-int(found[path]["number"] or found[path]["other"] or 0), path))


def meant_for(chapter: str, paths: Sequence[PurePosixPath]) -> PurePosixPath | None:
    """The file that was probably meant for a chapter, though it has another name."""
    meant = max(paths, key=lambda path: likeness(path, chapter), default=None)
    return meant if meant is not None and likeness(meant, chapter) > 0 else None


def is_code(path: PurePosixPath) -> bool:
    """Return whether a file may hold answers: a module or notebook, even as `.py.txt`, that is no test."""
    stem = _normal(path.name)
    return stem is not None and not stem.startswith("test")


def proper_name(chapter: str, path: PurePosixPath) -> str:
    """Return the right name for such a file."""
    return f"{chapter}.ipynb" if ".ipynb" in path.name.lower() else f"{chapter}.py"


def likeness(path: PurePosixPath, chapter: str) -> float:
    """Return 0 for a file unrelated to the chapter, up to 1 for its name in another spelling."""
    stem = _normal(path.name)
    if stem is None or stem.startswith("test"):
        return 0.0
    stem = re.sub(r"^copy_of_", "", stem)
    number, topic = chapter[2:4], chapter[5:]
    if stem == chapter or chapter in stem:
        return 1.0
    numbered = re.match(r"c(?:h|hap|hapter)?_?(\d+)(?!\d)", stem)
    if numbered:
        return 0.95 if int(numbered[1]) == int(number) else 0.0
    if stem == topic:
        return 0.9
    matcher = difflib.SequenceMatcher(None, stem[:80], chapter)
    if min(matcher.real_quick_ratio(), matcher.quick_ratio()) < SIMILAR:  # of thousands of files nearly all
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= SIMILAR else 0.0


def _normal(name: str) -> str | None:
    """Return the stem in the course's spelling; None for a file that is neither a module nor a notebook."""
    if len(name) > LONGEST:
        return None
    lower = name.lower().strip().rstrip(".")
    lower = lower.removesuffix(".txt")
    suffix = next((suffix for suffix in SUFFIXES if lower.endswith(suffix)), None)
    if suffix is None:
        return None
    stem = re.sub(r"[\s\-.]+", "_", lower.removesuffix(suffix))
    return re.sub(r"_*(\(\d+\)|copy|checkpoint)$", "", stem).strip("_")
