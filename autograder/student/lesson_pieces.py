"""The student's answers that have passed, as pieces to build with, fitted into each other."""

from __future__ import annotations

import ast
import linecache
import secrets
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from autograder.calls.records import PARTS
from autograder.core.records import ExerciseResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.intake.artefacts import asked_for
from autograder.intake.submissions import read_folder
from autograder.source.parsing import lines_of, syntax_tree
from autograder.student.cell_lines import as_magics
from autograder.student.mine import Pieces
from autograder.student.saved_progress import Progress


@dataclass(frozen=True)
class LessonPiece:
    """An exercise as a piece: `yours` if it is the student's, `why` if not; `inside` if only other pieces use it."""

    exercise: Exercise
    yours: bool
    why: str = ""
    inside: bool = False


def hand_out(pieces: Pieces, names: Sequence[str]) -> str:
    """Let `pieces` hand out passed answers to `names` and the answers they build on; return whose each is.

    Raises:
        UsageError: there is no such exercise.
    """
    main = None if _shell() else getattr(sys.modules["__main__"], "__file__", None)
    said = as_text(take_up(Course.find(Path(main).parent if main else None), pieces, names))
    return as_magics(said) if _shell() else said


def _shell() -> Any:
    """Return the running notebook's shell, if there is one."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def take_up(course: Course, pieces: Pieces, names: Sequence[str], even: Collection[str] = ()) -> list[LessonPiece]:
    """Let `pieces` hand out the student's answers; return all pieces, those inside others last.

    Args:
        even: exercises whose answer is taken even if some of its checks fail.

    Raises:
        UsageError: there is no such exercise.
    """
    asked = [course.one(name) for name in names]
    submission = _submission(course, {exercise.chapter for exercise in asked})
    wanted = [*asked, *_built_on(course, asked, submission)]
    results = _results(course, wanted, submission)
    passed = [each for each in wanted if (result := results.get(each.name)) and _counts(course, result, even)]
    modules = {chapter: _module(submission, chapter) for chapter in dict.fromkeys(each.chapter for each in passed)}
    own = {each.name: getattr(modules[each.chapter], each.name) for each in passed}
    fitted = {**own, **_fitted(own)}
    for module in modules.values():
        _rewire(module, fitted)
    given = {each.name: value for each in wanted if each not in passed and (value := _given(course, each))}
    pieces.own({**given, **fitted})
    return [
        LessonPiece(each, each in passed, _why(course, results.get(each.name)), each not in asked) for each in wanted
    ]


def as_text(found: Iterable[LessonPiece]) -> str:
    """Return a line that says whose the pieces are."""
    found = list(found)
    yours = [f"{each.exercise.name}{each.why and f' ({each.why})'}" for each in found if each.yours and not each.inside]
    inside = [each.exercise.name for each in found if each.yours and each.inside]
    given = dict.fromkeys(each.why for each in found if not each.yours and not each.inside)
    groups = [f"yours: {', '.join(yours)}"] if yours else []
    groups += [f"inside, yours too: {', '.join(inside)}"] if inside and yours else []
    for why in given:
        names = ", ".join(each.exercise.name for each in found if not (each.yours or each.inside) and each.why == why)
        groups.append(f"given: {names} ({why})")
    return " · ".join(groups)


def have_passed(course: Course, names: Iterable[str]) -> bool:
    """Return whether this copy has all exercises of these names, and their last checks passed and still hold."""
    wanted = set(names)
    asked = [exercise for exercise in course.exercises if exercise.name in wanted]
    submission = _submission(course, {exercise.chapter for exercise in asked})
    known = Progress.load(course).still(submission, asked)
    return {name for name, each in known.items() if _counts(course, each.result)} == wanted


def _counts(course: Course, result: ExerciseResult, even: Collection[str] = ()) -> bool:
    """Return whether an answer may be built with; one that builds a model to train may be untrained still."""
    if result.exercise in even and any(check.status == "passed" for check in result.checks):
        return True
    if result.exercise in asked_for(course.suite(result.chapter)):
        return all(check.status == "passed" for check in result.checks if check.level != "values")
    return result.status == "passed" and not result.lent  # a model would call the wrong ones


def _why(course: Course, result: ExerciseResult | None) -> str:
    """Return why an answer may not be built with; "" if it may."""
    if result is None:
        return "not in this copy"
    if _counts(course, result):
        return ""
    return "still to do" if result.status == "missing" else "not passed yet: attend check"


def _submission(course: Course, chapters: Collection[str]) -> Submission:
    """Read the working copy; for a chapter that the running notebook answers, read the cells that were run."""
    saved = read_folder(course.exercises_dir, course)
    shell = _shell()
    if shell is None:
        return saved
    history = import_module("autograder.student.notebook.history")
    live = {
        chapter: history.submission(course, chapter).chapters[chapter]
        for chapter in chapters
        if any(exercise.name in shell.user_ns for exercise in course.of(chapter))
    }
    return Submission(saved.student, {**saved.chapters, **live}, saved.absent)


def _built_on(course: Course, asked: Sequence[Exercise], submission: Submission) -> list[Exercise]:
    """Return the exercises that the chapters of `asked` build on, directly or through others."""
    known = {exercise.name: exercise for exercise in course.exercises}
    found: dict[str, Exercise] = {}
    ahead = list(asked)
    while ahead:
        source = submission.chapters.get(ahead.pop().chapter)
        if source is None or source.problem:
            continue
        names = {known[name].name for name, _ in _given_parts(source.text) if name in known}
        new = [known[name] for name in sorted(names - found.keys() - {each.name for each in asked})]
        found.update({each.name: each for each in new})
        ahead += new
    return list(found.values())


@lru_cache(maxsize=64)
def _given_parts(text: str) -> tuple[tuple[str, str], ...]:
    """Return the given parts that a module imports: each name, and the name it is imported as."""
    found: list[tuple[str, str]] = []
    for node in syntax_tree(text).body:
        if isinstance(node, ast.ImportFrom) and node.module == PARTS:
            found += [(alias.name, alias.asname or alias.name) for alias in node.names]
    return tuple(found)


def _results(course: Course, wanted: Sequence[Exercise], submission: Submission) -> dict[str, ExerciseResult]:
    """Return the verdict on each exercise, remembered if it still holds, else from a check now."""
    progress = Progress.load(course)
    checked = [each for each in wanted if each.checks]
    known = {name: still.result for name, still in progress.still(submission, checked).items()}
    todo = [each for each in checked if each.name not in known]
    fresh = _judged(course, todo, submission) if todo else []
    return {**known, **{result.exercise: result for result in fresh}}


def _judged(course: Course, todo: Sequence[Exercise], submission: Submission) -> list[ExerciseResult]:
    from autograder.student.check import judge_here

    seed, results = secrets.randbits(32), list[ExerciseResult]()
    judge_here(course, todo, submission, seed, results.append)
    Progress.load(course).add(submission, results, seed)
    return results


def _module(submission: Submission, chapter: str) -> ModuleType:
    """Load a chapter; an exercise of it has passed, so it can be loaded."""
    source = submission.chapters[chapter]
    module = ModuleType(chapter)
    module.__file__ = source.origin
    linecache.cache[source.origin] = (len(source.text), None, lines_of(source.text), source.origin)
    exec(compile(source.text, source.origin, "exec"), module.__dict__)
    return module


def _rewire(module: ModuleType, own: Mapping[str, Any]) -> None:
    """Put the student's pieces in place of the given parts that a chapter imports."""
    source = "".join(linecache.getlines(str(module.__file__)))
    for name, alias in _given_parts(source):
        if name in own:
            setattr(module, alias, own[name])


def _given(course: Course, exercise: Exercise) -> Any:
    """Return the course's answer where no given part exists; None in a sealed copy, which lacks it."""
    if hasattr(import_module(PARTS), exercise.name) or course.is_sealed:
        return None
    return getattr(course.reference(exercise.chapter), exercise.name, None)


def _fitted(own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the student's encoder block, extended with what later chapters need: a GELU, or heads of another width."""
    if "EncoderBlock" not in own:
        return {}
    given = vars(import_module(PARTS))

    def encoder_block(
        width: int, num_heads: int, hidden: int, dropout: float = 0.1, norm_first: bool = False, **options: Any
    ) -> Any:
        theirs = given["EncoderBlock"](width, num_heads, hidden, dropout, norm_first, **options)
        block = own["EncoderBlock"](width, num_heads, hidden, dropout, norm_first)
        if "activation" in options:
            block.feed_forward = theirs.feed_forward
        if options.get("key_width") is not None:
            wide = own.get("WideMultiHeadAttention", given["WideMultiHeadAttention"])
            block.attention = wide(width, num_heads, options["key_width"])
        return block if _return_the_same(block, theirs, width) else theirs

    return {"EncoderBlock": encoder_block}


def _return_the_same(block: torch.nn.Module, other: torch.nn.Module, width: int) -> bool:
    """Return whether two blocks with the same parameters return the same."""
    x = torch.linspace(-1, 1, 6 * width).view(2, 3, width)
    modes = block.training, other.training
    try:
        other.load_state_dict(block.state_dict())
        with torch.no_grad():
            return torch.allclose(block.eval()(x), other.eval()(x), atol=1e-4)
    except Exception:  # a block built otherwise, which is right for its own chapter
        return False
    finally:
        block.train(modes[0])
        other.train(modes[1])
