"""The folders of a course, and the chapters and exercises in it. The engine knows chapters only from here."""

from __future__ import annotations

import importlib
import re
import sys
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.core.errors import UsageError, blamed
from autograder.core.reading import contents, settings, text
from autograder.core.text import join_names
from autograder.course.check_list import NAME as CHECKS
from autograder.course.check_list import ListedCheck, listed
from autograder.course.lookup import find
from autograder.course.mistakes import Mistakes, singles_and_pairs
from autograder.course.model import Exercise, Misconception
from autograder.course.sealed_facts import AGAIN, facts, unchecked
from autograder.course.undefined_names import refuse_undefined
from autograder.source.parsing import syntax_tree

MARKER = "attend.toml"
KINDS = ("course", "copy", "packed")
SOURCE = "course"
"""The setting of a working copy that says which folder has its course, where that is not the installed one."""
PRISTINE = Path(".attend", "stubs")
TABLES = Path(".attend", "course")
LENT = TABLES / "lent"
"""Where an open release holds the answers that checks lend, packed: a search through its files finds none by chance."""
PACKED = Path("reference", "course")
"""Where a wheel holds the course, beside the engine."""
STEM = re.compile(r"ch\d\d_[a-z0-9_]+")


@dataclass(frozen=True)
class Course:
    """A course, or a student's working copy of one, rooted at a folder with `attend.toml`.

    With `only` it has these chapters alone, and reads nothing of the others. Of an `inert` one no code is run.
    """

    root: Path
    only: tuple[str, ...] = ()
    inert: bool = field(default=False, kw_only=True)

    @classmethod
    def find(cls, start: Path | None = None) -> Course:
        """Return the course around `start`, else around the current folder, else the installed one.

        A clone's part for wheels is no course of its own.
        """
        for here in (start or Path(), Path()):
            for folder in (here.resolve(), *here.resolve().parents):
                found = cls(folder)
                if (folder / MARKER).is_file() and not found.is_packed:
                    return found
        return cls.installed()

    @classmethod
    def installed(cls) -> Course:
        """Return the course that the engine was installed with: the clone that holds it, else that of the wheel."""
        base = Path(__file__).resolve().parents[2]
        for root in (base, base / PACKED):
            if (root / MARKER).is_file():
                return cls(root)
        raise UsageError(
            "there is no course around this folder: go into the folder that `attend start` made, "
            "or into a clone of the course"
        )

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Return the contents of `attend.toml`: the title, and kind = "copy" in a working copy."""
        try:
            found = settings(text(self.root / MARKER))
        except (OSError, ValueError) as error:
            raise UsageError(f"{self.root / MARKER} cannot be read ({error}); restore it from the course") from error
        if found.get("kind", KINDS[0]) not in KINDS:
            kinds = join_names([f'"{kind}"' for kind in KINDS], last="or")
            raise UsageError(f"{self.root / MARKER} has an unknown kind; write kind = {kinds}")
        return found

    @property
    def is_copy(self) -> bool:
        """Return whether this is a student's working copy."""
        return bool(self.settings.get("kind") == "copy")

    @property
    def is_release(self) -> bool:
        """Return whether this is a copy with an engine of its own, which was given out without solutions."""
        return self.is_copy and (self.root / "autograder").is_dir()

    @property
    def is_packed(self) -> bool:
        """Return whether this is the course that a wheel brought, which is for reading only."""
        return bool(self.settings.get("kind") == "packed")

    @property
    def is_sealed(self) -> bool:
        """Return whether it has recorded answers in place of the reference and the known mistakes."""
        return bool(self.settings.get("sealed", False))

    @property
    def source(self) -> Course:
        """Return the course itself; of a working copy that which it was made from, else the installed one.

        Raises:
            UsageError: that course is not there any more.
        """
        if not self.is_copy:
            return self
        if SOURCE not in self.settings:
            return Course.installed()
        source = Course(Path(str(self.settings[SOURCE])))
        if not (source.root.is_absolute() and (source.root / MARKER).is_file()):
            why = f"{self.root} was made from the course {source.root}, which is not there any more"
            raise UsageError(f"{why}; put it back, or correct `{SOURCE}` in {MARKER}")
        return source

    @property
    def exercises_dir(self) -> Path:
        return self.root / "exercises"

    @property
    def suites_dir(self) -> Path:
        return self.root / "tests" / "exercises"

    @property
    def solutions_dir(self) -> Path:
        return self.root / "solutions"

    @cached_property
    def chapters(self) -> tuple[str, ...]:
        """Return the stems of all chapters with a suite, in order."""
        stems = (path.stem.removeprefix("test_") for path in self.suites_dir.glob("test_*.py"))
        return tuple(sorted(stem for stem in stems if STEM.fullmatch(stem) and (not self.only or stem in self.only)))

    def suite(self, chapter: str) -> Path:
        return self.suites_dir / f"test_{chapter}.py"

    def stub(self, chapter: str) -> Path:
        """Return the chapter as handed out; a working copy keeps it elsewhere, because exercises/ holds the answers."""
        folder = self.root / PRISTINE if self.is_copy else self.exercises_dir
        return folder / f"{chapter}.py"

    def table(self, name: str) -> Path:
        """Return a table by exercises, such as hints.json; a copy hides it, unless it is an old one."""
        hidden, shown = self.root / TABLES / name, self.exercises_dir / name
        return shown if not self.is_copy or (shown.is_file() and not hidden.is_file()) else hidden

    def solution(self, chapter: str) -> Path:
        return self.solutions_dir / f"{chapter}.py"

    def known_solution(self, chapter: str) -> Path | None:
        """Return the file with the answers to a chapter; None if the course was given out without them."""
        if self.is_release:
            return None
        path = self.source.solution(chapter)
        return path if path.is_file() else None

    def right_answers(self, chapter: str) -> str:
        """Return Python text that defines a chapter's right answers; "" if the course was given out without them.

        Raises:
            UsageError: the file that holds them cannot be read.
        """
        packed = self.root / LENT / f"{chapter}.bin"
        path = packed if packed.is_file() else self.known_solution(chapter)
        try:
            data = contents(path) if path else b""
            return (zlib.decompress(data) if path == packed else data).decode()
        except (OSError, zlib.error, UnicodeDecodeError) as error:
            raise UsageError(f"{path} is not as it was handed out ({error}); {AGAIN}") from error

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        """Return all exercises in the order of the suites; those without checks here come last in their chapter."""
        return tuple(exercise for chapter in self.chapters for exercise in self._exercises(chapter))

    @cached_property
    def checks(self) -> Mapping[str, Sequence[ListedCheck]]:
        """Return the checks of each chapter, in the order of its suite.

        Raises:
            UsageError: a suite has changed since `attend build`, and cannot be loaded; or may not be, as this is inert.
        """
        suites = {chapter: self.suite(chapter) for chapter in self.chapters}
        return listed(self.root, self.table(CHECKS), suites, self._why_not_run if self.inert else "")

    @property
    def remedy(self) -> str:
        """What brings a file back that the course gave, as an order."""
        if self.is_release:
            return AGAIN
        return "run `attend update`" if self.is_copy else "run `attend build`"

    @property
    def _why_not_run(self) -> str:
        """Return why no command but a check loads a suite that has changed, and the remedy."""
        remedy = f"`attend update` restores it in {self.root}" if self.is_copy else "`attend build` lists its checks"
        return f"has changed, and only a check may run it; {AGAIN if self.is_release else remedy}"

    def _exercises(self, chapter: str) -> list[Exercise]:
        found = _exercises(chapter, self.checks[chapter])
        if not self.is_sealed:
            return found
        return [*found, *unchecked(self.root, chapter, found)]

    def of(self, chapter: str) -> tuple[Exercise, ...]:
        return tuple(exercise for exercise in self.exercises if exercise.chapter == chapter)

    def elsewhere(self, exercises: Sequence[Exercise]) -> str:
        """Return a sentence on the checks of `exercises` that only the instructor runs; "" for none."""
        if not self.is_sealed:
            return ""
        names = {exercise.name for exercise in exercises}
        chapters = dict.fromkeys(exercise.chapter for exercise in exercises)
        apart = [each for chapter in chapters for each in facts(self.root, chapter).held_back if each.name in names]
        count, points = sum(each.checks for each in apart), sum(each.points for each in apart)
        many, worth = "" if count == 1 else "s", "" if points == 1 else "s"
        return f"your instructor runs {count} more check{many} of this, worth {points:g} point{worth}" if count else ""

    def reference(self, chapter: str) -> ModuleType:
        """Return the chapter's reference module."""
        return self._module(f"reference.{chapter}")

    def misconceptions(self, chapter: str) -> tuple[Misconception, ...]:
        """Return the chapter's known mistakes in the order of its files, those that are twins of others last."""
        return self._mistakes(chapter)[0]

    def pairs(self, chapter: str) -> tuple[Misconception, ...]:
        """Return the chapter's known pairs: two mistakes in one answer that together look like neither."""
        return self._mistakes(chapter)[1]

    @cached_property
    def _known(self) -> dict[str, Mistakes]:
        """The single mistakes and the pairs, by chapter."""
        return {}

    def _mistakes(self, chapter: str) -> Mistakes:
        if chapter not in self._known:
            if self.is_sealed:
                self._known[chapter] = facts(self.root, chapter).singles, facts(self.root, chapter).pairs
                return self._known[chapter]
            self._known[chapter] = singles_and_pairs(self._marked(chapter), chapter, partial(self.reference, chapter))
        return self._known[chapter]

    def _marked(self, chapter: str) -> list[Any]:
        """Return the functions and classes marked as misconceptions."""
        base = self.home / "reference" / "misconceptions"
        parts = [path.relative_to(base).with_suffix("").parts for path in self.misconception_files(chapter)]
        modules = [self._module(".".join(("reference", "misconceptions", *part))) for part in parts]
        marked = [(module, value) for module in modules for value in vars(module).values()]
        own = [value for module, value in marked if getattr(value, "__module__", "") == module.__name__]
        return [value for value in own if "misconceptions" in getattr(value, "__dict__", ())]

    def misconception_files(self, chapter: str) -> tuple[Path, ...]:
        """Return the files of the chapter's known mistakes: one file, or one for each exercise.

        Raises:
            UsageError: the chapter has neither.
        """
        place = self.home / "reference" / "misconceptions" / chapter
        files = [path for path in sorted(place.glob("*.py")) if path.stem != "__init__"]
        single = place.with_suffix(".py")
        if not files and not single.is_file():
            raise UsageError(f"the course has no reference/misconceptions/{chapter}.py, nor a folder {chapter} there")
        return tuple(files) if files else (single,)

    def refuse_undefined_names(self, exercises: Sequence[Exercise]) -> None:
        """Raise UsageError if a known mistake in the chapters of `exercises` uses a name that its file lacks."""
        files: list[Path] = []
        for chapter in dict.fromkeys(exercise.chapter for exercise in exercises):
            with suppress(UsageError):  # it has none
                files += self.misconception_files(chapter)
        for path in files:
            with suppress(SyntaxError, OSError, ValueError):  # which is told where the file is loaded
                refuse_undefined(syntax_tree(text(path)), path.relative_to(self.home).as_posix())

    def scenes(self) -> Mapping[str, Any]:
        """Return inputs to draw pictures of, by exercise; a course may have none."""
        known = self.home / "reference" / "scenes.py"
        return self._module("reference.scenes").SCENES if known.is_file() else {}

    def pictures(self) -> Mapping[str, Any]:
        """Return the pictures of the lessons by name; a course may have none, and a sealed copy has none."""
        known = self.home / "reference" / "pictures" / "__init__.py"
        return self._module("reference.pictures").PICTURES if known.is_file() else {}

    @property
    def home(self) -> Path:
        """Return the folder that has the reference; a working copy has none and uses that of its course."""
        if (self.root / "reference").is_dir():
            return self.root
        if self.is_copy and SOURCE in self.settings:
            return self.source.root
        return Path(str(importlib.import_module("reference").__file__)).parents[1]

    @property
    def has_capstones(self) -> bool:
        """Whether there are models to train."""
        return Path(self.home, "reference", "capstones").is_dir()

    def lead(self) -> None:
        """Make `import reference` find the reference of this course, or of that which this copy was made from.

        What was imported of another course's goes on to exist for those who hold it. Of an inert course nothing is led
        to: its folder, and that which it names, may be anybody's.
        """
        if self.inert:
            return
        folder = self._reference
        if not folder.is_dir():
            return
        place = str(folder.parent)
        if place not in sys.path:
            sys.path.insert(0, place)
        loaded = [*getattr(sys.modules.get("reference"), "__path__", ())]
        if loaded and str(folder) not in loaded and folder.resolve() not in [Path(each).resolve() for each in loaded]:
            sys.path[:] = [place, *(each for each in sys.path if each != place)]
            for name in [name for name in sys.modules if name.partition(".")[0] == "reference"]:
                del sys.modules[name]

    @cached_property
    def _reference(self) -> Path:
        """The folder of the reference: this course's, or that of the one which this copy was made from."""
        return (self.source.root if self.is_copy and SOURCE in self.settings else self.root) / "reference"

    def _module(self, name: str) -> ModuleType:
        self.lead()
        file = f"{name.replace('.', '/')}.py"
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                where, _ = blamed(error, self.home)
                raise UsageError(f"{where or file} needs {error.name}, which is not there") from error
            fix = "; `attend update` brings in what it has now" if self.is_copy and not self.is_release else ""
            raise UsageError(f"the course has no {file}{fix}") from error
        except Exception as error:  # whatever its author wrote
            where, why = blamed(error, self.home)
            raise UsageError(f"{where or file} cannot be loaded: {why}; fix it first") from error

    def select(self, names: Sequence[str]) -> tuple[Exercise, ...]:
        """Return the exercises that `names` stand for: a chapter, an exercise or an unambiguous part of its name.

        Raises:
            UsageError: a name is unknown or ambiguous; the error offers the nearest ones.
        """
        if not names:
            return self.exercises
        chosen = [exercise for name in names for exercise in find(self.chapters, self.exercises, name)]
        return tuple(exercise for exercise in self.exercises if exercise in chosen)

    def whole_chapters(self, names: Sequence[str], what: str) -> tuple[str, ...]:
        """Return the chapters that `names` stand for, all of them if there are no names.

        Args:
            what: the thing made of whole chapters, for the error.

        Raises:
            UsageError: a name stands for only a part of a chapter, or there are no chapters.
        """
        chosen = self.select(names)
        stems = tuple(dict.fromkeys(exercise.chapter for exercise in chosen))
        for stem in stems:
            if any(exercise not in chosen for exercise in self.of(stem)):
                raise UsageError(f"{what} has whole chapters; choose {stem}, all of whose exercises belong together")
        if not stems:
            raise UsageError("this course has no chapters yet; `attend new` writes one")
        return stems

    def one(self, name: str) -> Exercise:
        """Return the one exercise that `name` stands for.

        Raises:
            UsageError: it stands for no exercise, or for several.
        """
        meant = self.select([name])
        if len(meant) != 1:
            names = join_names([exercise.name for exercise in meant], last="or")
            raise UsageError(f"'{name}' has {len(meant)} exercises, this is about one; choose {names}")
        return meant[0]


def _exercises(chapter: str, checks: Sequence[ListedCheck]) -> list[Exercise]:
    points: dict[str, list[float]] = {}
    for check in checks:
        points.setdefault(check.exercise, []).append(float(check.points))
    return [Exercise(chapter, name, sum(worths), len(worths)) for name, worths in points.items()]
