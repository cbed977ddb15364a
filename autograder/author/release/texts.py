"""The files that are written for a release: README.md, pyproject.toml and .gitignore."""

from __future__ import annotations

import re

from autograder.course.course import Course
from autograder.student.start import commands, guides

KEPT_SECTIONS = re.compile(r"build-system|project(\..+)?|tool\.hatch\.(?!.*\.hooks).+")
SEALED_NEEDS = ("msgspec>=0.19",)


def readme(course: Course, *, sealed: bool) -> str:
    """Return the README, which says how to install the release and how to begin, on Windows too."""
    first = course.chapters[0]
    typed = "\n".join(line for line in commands(course).splitlines() if not line.startswith("attend solution"))
    more = (
        "Some checks, and the answers, are with your instructor, who runs all checks on what you hand in.\n"
        if sealed
        else "This folder is for practice: `reference/` holds right answers, for the checks to compare yours with.\n"
    )
    return f"""# {course.settings.get("title", "Attend")}

This folder is all you need, with Python 3.11 or newer. Once, in this folder:

```
python -m venv .venv
.venv/bin/pip install -c constraints.txt -e .           # Windows: .venv\\Scripts\\pip install -c constraints.txt -e .
source .venv/bin/activate                               # Windows: .venv\\Scripts\\activate
```

The last line again in each new terminal. For notebooks install `-e ".[notebook]"` in the place of `-e .`

Everything in `exercises/` is yours to change, as `.py` or as notebook, whichever you prefer. Begin with
`exercises/{first}.py` and replace each `raise NotImplementedError` by your answer.

```
{typed}
```

The checks are plain pytest, so this works as well, with `-x`, `-k NAME`, `--pdb` and all the rest:

```
pytest tests/exercises
```

{more}Hand in the files of `exercises/`, as `.py` or as notebooks.
{guides(course)}"""


def project(text: str, *, sealed: bool) -> str:
    """Return `pyproject.toml` without what only the course's authors use; a wheel takes the engine as it is there."""
    sections = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    kept = [section for section in sections if KEPT_SECTIONS.fullmatch(section.partition("]")[0].strip("["))]
    made = _with_entries("".join(kept).rstrip() + "\n", "only-include", "autograder")
    return _with_entries(made, "dependencies", *SEALED_NEEDS) if sealed else made


def _with_entries(text: str, key: str, *entries: str) -> str:
    """Return the text with `entries` at the beginning of the first list that is called `key`."""
    lines = "".join(f'    "{entry}",\n' for entry in entries)
    return re.sub(rf"^{key} = \[\n", lambda found: found[0] + lines, text, count=1, flags=re.MULTILINE)


def gitignore() -> str:
    """Return `.gitignore` for students who keep their answers in git; git keeps the stubs, as the release has them."""
    places = (
        ".venv/ *.egg-info/ __pycache__/ .pytest_cache/ .ipynb_checkpoints/ .attend/* !.attend/stubs/ !.attend/course/"
    )
    return "\n".join(places.split()) + "\n"
