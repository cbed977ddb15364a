"""The learner's own answers as pieces to build with: those that have passed, fitted into each other."""

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
from typing import Any, Protocol

import torch

from autograder.calls.records import PARTS
from autograder.core.records import ExerciseResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.intake.artefacts import asked_for
from autograder.intake.submissions import read_folder
from autograder.student.progress import Progress


class Pieces(Protocol):
    """What hands them out."""

    def own(self, pieces: dict[str, Any]) -> None: ...


@dataclass(frozen=True)
class Piece:
    """An exercise as a piece: `yours` if it is your answer, `why` if that has not passed; `inside` another piece."""

    exercise: Exercise
    yours: bool
    why: str = ""
    inside: bool = False


def hand_out(pieces: Pieces, names: Sequence[str]) -> str:
    """Let `pieces` hand out the own answers to `names` that have passed, and what they are built of; whose they are.

    Raises:
        UsageError: there is no such exercise.
    """
    main = None if _shell() else getattr(sys.modules["__main__"], "__file__", None)
    return as_text(take_up(Course.find(Path(main).parent if main else None), pieces, names))


def _shell() -> Any:
    """The notebook that runs, if one does."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def take_up(course: Course, pieces: Pieces, names: Sequence[str], even: Collection[str] = ()) -> list[Piece]:
    """The same; what became of each, those inside others last.

    Args:
        even: of these the own answer is taken even if some of its checks fail.

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
    return [Piece(each, each in passed, _why(course, results.get(each.name)), each not in asked) for each in wanted]


def as_text(found: Iterable[Piece]) -> str:
    """Whose the pieces are, in a line."""
    found = list(found)
    yours = [f"{each.exercise.name}{each.why and f' ({each.why})'}" for each in found if each.yours and not each.inside]
    inside = [each.exercise.name for each in found if each.yours and each.inside]
    given = dict.fromkeys(each.why for each in found if not each.yours and not each.inside)
    said = [f"yours: {', '.join(yours)}"] if yours else []
    said += [f"inside, yours too: {', '.join(inside)}"] if inside and yours else []
    for why in given:
        names = ", ".join(each.exercise.name for each in found if not (each.yours or each.inside) and each.why == why)
        said.append(f"given: {names} ({why})")
    return " · ".join(said)


def _counts(course: Course, result: ExerciseResult, even: Collection[str] = ()) -> bool:
    """Whether an answer is a piece to build with; what builds a model to be trained is one before that is trained."""
    if result.exercise in even and any(check.status == "passed" for check in result.checks):
        return True
    if result.exercise in asked_for(course.suite(result.chapter)):
        return all(check.status == "passed" for check in result.checks if check.level != "values")
    return result.status == "passed"


def _why(course: Course, result: ExerciseResult | None) -> str:
    """Why an answer is no piece to build with; "" if it is one."""
    if result is None:
        return "not in this copy"
    if _counts(course, result):
        return ""
    return "still to do" if result.status == "missing" else "not passed yet: attend check"


def _submission(course: Course, chapters: Collection[str]) -> Submission:
    """What the working copy holds; of a chapter that the running notebook answers, what was run there."""
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
    """The exercises whose given parts the chapters of `asked` build on, and so on."""
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
    """What a module imports of the given parts: each name there, and the name it gets."""
    found: list[tuple[str, str]] = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.module == PARTS:
            found += [(alias.name, alias.asname or alias.name) for alias in node.names]
    return tuple(found)


def _results(course: Course, wanted: Sequence[Exercise], submission: Submission) -> dict[str, ExerciseResult]:
    """The verdict on each: what is remembered and still holds, else a check now."""
    progress = Progress.load(course)
    checked = [each for each in wanted if each.checks]
    known = {name: still.result for name, still in progress.still(submission, checked).items()}
    todo = [each for each in checked if each.name not in known]
    fresh = _judged(course, todo, submission) if todo else []
    return {**known, **{result.exercise: result for result in fresh}}


def _judged(course: Course, todo: Sequence[Exercise], submission: Submission) -> list[ExerciseResult]:
    from autograder.student.check import load

    load()
    from autograder.calls.compiler import without_algebra, without_compiler
    from autograder.calls.local import LocalTarget
    from autograder.judging.judge import judge

    seed, results = secrets.randbits(32), list[ExerciseResult]()
    with without_compiler(), without_algebra():
        jobs = [(submission, LocalTarget(submission))]
        judge(course, todo, jobs, seed, lambda _: None, on_exercise=results.append)
    Progress.load(course).add(submission, results, seed)
    return results


def _module(submission: Submission, chapter: str) -> ModuleType:
    """A chapter of which something has passed, so that it can be loaded."""
    source = submission.chapters[chapter]
    module = ModuleType(chapter)
    module.__file__ = source.origin
    linecache.cache[source.origin] = (len(source.text), None, source.text.splitlines(keepends=True), source.origin)
    exec(compile(source.text, source.origin, "exec"), module.__dict__)
    return module


def _rewire(module: ModuleType, own: Mapping[str, Any]) -> None:
    """Let the chapter build on own pieces in the place of given parts."""
    source = "".join(linecache.getlines(str(module.__file__)))
    for name, alias in _given_parts(source):
        if name in own:
            setattr(module, alias, own[name])


def _given(course: Course, exercise: Exercise) -> Any:
    """The course's own, where it is at hand and there is no given part; None in a sealed copy, which lacks it."""
    if hasattr(import_module(PARTS), exercise.name) or course.is_sealed:
        return None
    return getattr(course.reference(exercise.chapter), exercise.name, None)


def _fitted(own: Mapping[str, Any]) -> dict[str, Any]:
    """An own encoder block that also takes what later chapters ask of one: a GELU, or heads of another width."""
    if "EncoderBlock" not in own:
        return {}
    given = vars(import_module(PARTS))

    def encoder_block(
        width: int, num_heads: int, hidden: int, dropout: float = 0.1, norm_first: bool = False, **how: Any
    ) -> Any:
        theirs = given["EncoderBlock"](width, num_heads, hidden, dropout, norm_first, **how)
        block = own["EncoderBlock"](width, num_heads, hidden, dropout, norm_first)
        if "activation" in how:
            block.feed_forward = theirs.feed_forward
        if how.get("key_width") is not None:
            wide = own.get("WideMultiHeadAttention", given["WideMultiHeadAttention"])
            block.attention = wide(width, num_heads, how["key_width"])
        return block if _alike(block, theirs, width) else theirs

    return {"EncoderBlock": encoder_block}


def _alike(block: torch.nn.Module, other: torch.nn.Module, width: int) -> bool:
    """Whether two blocks with the same parameters answer the same."""
    x = torch.linspace(-1, 1, 6 * width).view(2, 3, width)
    modes = block.training, other.training
    try:
        other.load_state_dict(block.state_dict())
        with torch.no_grad():
            return torch.allclose(block.eval()(x), other.eval()(x), atol=1e-4)
    except Exception:  # a block of another make, which has passed as its chapter asks for it
        return False
    finally:
        block.train(modes[0])
        other.train(modes[1])
