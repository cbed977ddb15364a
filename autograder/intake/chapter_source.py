"""One chapter of a submission as text: from the file of its name, else from what was probably meant for it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TypeAlias

from autograder.core.errors import UsageError
from autograder.core.reading import contents
from autograder.core.submission import ChapterSource, Problem
from autograder.core.text import join_names, one_line
from autograder.course.course import Course
from autograder.intake import archive
from autograder.intake.archive import Found, UnreadableError
from autograder.intake.contents import distinct, exercises_in, is_notebook
from autograder.intake.guess_file import Guess, guess, undecided, wanted
from autograder.intake.misnamed import SUFFIXES, copies, likeness
from autograder.intake.own_modules import with_beside
from autograder.source.decoding import as_utf8, decode
from autograder.source.extract import Manifest, extract
from autograder.source.misplaced import misplaced
from autograder.source.module import read_module, read_pieces, without_experiments
from autograder.source.notebook import raw_cells, read_cells, written_files
from autograder.source.parsing import segment, syntax_tree
from autograder.source.stub import defines, is_stub_answer

ReadText: TypeAlias = Callable[[str, Manifest, str], tuple[ChapterSource, tuple[str, ...]]]


@dataclass(frozen=True)
class _ChapterModule:
    """A module, of several that make up a chapter, such as one for each exercise.

    It has its path, its stem as Python imports it, its text, and whether that compiles.
    """

    name: str
    stem: str
    text: str
    compiles: bool = True


def read_chapter(
    course: Course, chapter: str, files: Sequence[Found], pattern: str = ""
) -> tuple[ChapterSource | None, list[str], str]:
    """Return the chapter's answers, notes on what was read and what was not, and why nothing was where that is known.

    Args:
        pattern: the teacher's, of the file to read, "" for none.
    """
    chosen = wanted(chapter, pattern, files) if pattern else Guess()
    unfit = [f"policy.toml names {pattern}, which fits no file here"] if pattern and chosen == Guess() else []
    by_suffix, notes = _named(course, chapter, files)
    if chosen == Guess() and (rivals := [each for named in by_suffix for each in _rivals(named)]):
        return None, unfit, undecided(chapter, rivals)
    if chosen == Guess() and not any(by_suffix):
        chosen = guess(course, chapter, files)
    if chosen == Guess():
        return *_best_of(course, chapter, by_suffix, files, [*unfit, *notes]), ""
    notes = [*unfit, *filter(None, [chosen.says])]
    modules = [found for found in chosen.files if not is_notebook(found)]
    if len(modules) > 1:
        together, remarks = _joined(course, chapter, modules)
        return together, [*notes, *remarks], ""
    notebooks = [found for found in chosen.files if is_notebook(found)]
    return *_best_of(course, chapter, [modules, notebooks], files, notes), chosen.why


def _best_of(
    course: Course,
    chapter: str,
    by_suffix: Sequence[Sequence[Found]],
    files: Sequence[Found],
    notes: Sequence[str],
) -> tuple[ChapterSource | None, list[str]]:
    """Return the answers of the first module or of the first notebook, and notes on those that do not count."""
    said, read, exercises = list(notes), list[ChapterSource](), manifest_of(course, chapter).exercises
    for named in by_suffix:
        if named:
            one, remarks = _load(course, chapter, named[0])
            one, others = with_beside(one, named[0].path.parent, _and_written(files, named[0]), exercises)
            read.append(one)
            said += [*remarks, *others]
            said += archive.unread([named[0], *(each for each in named[1:] if each.path.stem not in one.beside)])
    if len(read) < 2:
        return (read[0] if read else None), said
    chosen, why = _better(manifest_of(course, chapter), *read)
    return chosen, [*(note for note in said if chosen.origin in note), why]


def _and_written(files: Sequence[Found], found: Found) -> list[Found]:
    """Return the files handed in, and in place of those that a notebook writes by `%%writefile` what it writes."""
    if not is_notebook(found):
        return [*files]
    data, _, _ = _bytes_of(found)
    texts = {} if isinstance(data, Problem) else written_files(data)
    written = {found.path.parent / name: text for name, text in texts.items()}
    kept = [each for each in files if each.path not in written]
    return [*kept, *(Found(path, text.encode) for path, text in written.items())]


def _joined(course: Course, chapter: str, found: Sequence[Found]) -> tuple[ChapterSource, list[str]]:
    """Return the chapter of several modules; one that does not compile takes only its own exercise with it."""
    manifest, read, notes = manifest_of(course, chapter), list[ChapterSource](), list[str]()
    for each in found:
        own, remarks = _load_module(course, chapter, each, read_pieces)
        read.append(own)
        notes += remarks
    stems = [each.path.name.split(".")[0] for each in found]
    modules = [
        _ChapterModule(own.origin, stem, own.text, own.problem is None) for stem, own in zip(stems, read, strict=True)
    ]
    name = join_names([module.name for module in modules], len(modules))
    if clashing := _conflicts(modules):
        says = f"{name} define {join_names(clashing)} differently, so they cannot be read together as {chapter}.py"
        return ChapterSource(chapter, "", name, Problem("missing", says)), [says]
    broken = {exercise: why for own in read for exercise, why in own.broken.items()}
    broken |= {stem: own.problem for stem, own in zip(stems, read, strict=True) if own.problem}
    passed = tuple(each for own in read for each in own.passed)
    text, _ = without_experiments(_one_module(modules), {*manifest.exercises, *manifest.names}, name, manifest.stub)
    return ChapterSource(chapter, text, name, broken=broken, passed=passed), notes


def _one_module(modules: Sequence[_ChapterModule]) -> str:
    """Return one module of those that compile; `__future__` comes first, imports of each other are left out."""
    stems = {module.stem for module in modules}
    futures, blocks = dict[str, None](), list[str]()
    for module in modules:
        if module.compiles:
            rest, own = _without_imports(module.text, stems)
            futures |= dict.fromkeys(own)
            blocks.append(f"# {module.name}\n{rest.rstrip()}\n")
    return "".join(f"{line}\n" for line in futures) + "\n\n".join(blocks)


def _without_imports(text: str, stems: set[str]) -> tuple[str, list[str]]:
    """Return a module without imports of `__future__` and `stems`, and the former."""
    lines, futures = text.split("\n"), list[str]()
    for node in syntax_tree(text).body:
        if not isinstance(node, ast.ImportFrom) or not _is_between(node, stems):
            continue
        first, last = node.lineno - 1, node.end_lineno or node.lineno
        own = segment(node, lines)
        if "\n".join(lines[first:last]).partition("#")[0].strip() == own:
            futures += [own] if node.module == "__future__" else []
            lines[first:last] = [""] * (last - first)
    return "\n".join(lines), futures


def _is_between(node: ast.ImportFrom, stems: set[str]) -> bool:
    if node.module == "__future__":
        return True
    is_renamed = any(alias.asname not in (None, alias.name) for alias in node.names)
    return (node.module or "").rpartition(".")[2] in stems and not is_renamed


def _conflicts(modules: Sequence[_ChapterModule]) -> list[str]:
    """Return the names that two modules define differently, so that they cannot stand in one."""
    found: dict[str, str] = {}
    clashing = dict[str, None]()
    for module in modules:
        for name, tree in _definitions(module).items():
            if found.setdefault(name, tree) != tree:
                clashing[name] = None
    return list(clashing)


def _definitions(module: _ChapterModule) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for node in syntax_tree(module.text).body if module.compiles else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = ast.dump(node)
        elif isinstance(node, ast.Assign):
            found |= {each.id: ast.dump(node.value) for each in node.targets if isinstance(each, ast.Name)}
    return found


def _named(course: Course, chapter: str, files: Sequence[Found]) -> tuple[list[list[Found]], list[str]]:
    """Return the modules and the notebooks with the chapter's name, best first; where there are none, a copy.

    After files of that very name come those that the first one keeps from being read: copies, and what has the
    chapter's name in its own and defines its exercises.
    """
    names = [chapter + suffix for suffix in SUFFIXES]
    exact = [sorted((found for found in files if found.path.name == name), key=_depth) for name in names]
    by_path = {found.path: found for found in files}
    again = [[by_path[path] for path in copies(name, by_path)] for name in names]
    if any(exact):
        spelt = [[found for found in files if found.path.name != name == found.path.name.lower()] for name in names]
        ranked = zip(names, exact, again, spelt, strict=True)
        return [
            [*first, *rest, *odd, *_like(course, name, files, (*first, *rest, *odd))] if first else []
            for name, first, rest, odd in ranked
        ], []
    second = [found[:1] for found in again]
    notes = [f"{one_line(one[0].path.name)} was read as {name}" for name, one in zip(names, second, strict=True) if one]
    return second, notes


def _like(course: Course, name: str, files: Sequence[Found], others: Sequence[Found]) -> list[Found]:
    """Return files beside `others` whose names contain that of the chapter, and which define exercises of it."""
    chapter, _, suffix = name.partition(".")
    named = [each for each in files if each not in others and each.path.suffix.lower() == f".{suffix}"]
    return [each for each in named if likeness(each.path, chapter) == 1 and chapter in exercises_in(course, each)]


def _rivals(named: Sequence[Found]) -> list[Found]:
    """Return the files of one name of which nothing tells which counts; none if they are equal.

    They are versions of one submission, or lie at the same depth.
    """
    same = [each for each in named if each.path.name == named[0].path.name]
    first = [each for each in same if each.version != same[0].version or _depth(each)[:2] == _depth(same[0])[:2]]
    return different if len(different := distinct(first)) > 1 else []


def _depth(found: Found) -> tuple[int, bool, PurePosixPath]:
    """Sort the shallowest first; at one depth the one in `exercises/`, as in a whole copy of the course."""
    return len(found.path.parts), found.path.parent.name != "exercises", found.path


def _better(manifest: Manifest, module: ChapterSource, notebook: ChapterSource) -> tuple[ChapterSource, str]:
    """Return the one of a module and a notebook that holds answers; if both do, the module."""
    if not has_answers(manifest, notebook):
        return module, ""
    if not has_answers(manifest, module):
        return notebook, ""
    wrong = module.problem or next(iter(module.broken.values()), None)
    chosen = notebook if wrong and not (notebook.problem or notebook.broken) else module
    why = f", because {wrong.message}" if wrong and chosen is notebook else ""
    return chosen, f"both {module.origin} and {notebook.origin} hold answers; {chosen.origin} counts{why}"


def has_answers(manifest: Manifest, read: ChapterSource) -> bool:
    if read.problem:
        return read.problem.status != "missing"
    return bool(read.broken) or any(
        defines(read.text, exercise) and not is_stub_answer(read.text, manifest.stub, exercise)
        for exercise in manifest.exercises
    )


def _load(course: Course, chapter: str, found: Found) -> tuple[ChapterSource, tuple[str, ...]]:
    if not is_notebook(found):
        return _load_module(course, chapter, found)
    data, name, notes = _bytes_of(found)
    if isinstance(data, Problem):
        return ChapterSource(chapter, "", name, data), ()
    cells = read_cells(data, name)
    if isinstance(cells, Problem):
        return ChapterSource(chapter, "", name, cells), ()
    try:
        manifest = manifest_of(course, chapter)
        read, remarks = extract(cells, manifest, name)
        return read, (*notes, *remarks, *_elsewhere(data, read, manifest))
    except (RecursionError, MemoryError):  # how deep is too deep differs between compiler, symtable and version
        says = f"{name} does not compile: its code is too deeply nested"
        return ChapterSource(chapter, "", name, Problem("syntax", says)), ()


def _elsewhere(data: bytes, read: ChapterSource, manifest: Manifest) -> list[str]:
    """Return notes on answers of a notebook that stand in cells which are not Python."""
    lacking = [name for name in manifest.exercises if not defines(read.text, name) and name not in read.broken]
    raw = raw_cells(data, read.origin) if lacking else []
    found = [] if isinstance(raw, Problem) else misplaced(raw, lacking)
    return [f"{read.origin}: {each.says()}" for each in found]


def _bytes_of(found: Found) -> tuple[bytes | Problem, str, tuple[str, ...]]:
    """Return a file's bytes in UTF-8 or why there are none, its name, and notes."""
    name = one_line(str(found.path), 200)
    try:
        data, says = as_utf8(found.load(), name)
    except UnreadableError as why:
        return Problem("missing", f"{name} {why}"), name, ()
    return data, name, (says,) if says else ()


def _load_module(
    course: Course, chapter: str, found: Found, read_text: ReadText = read_module
) -> tuple[ChapterSource, tuple[str, ...]]:
    data, name, notes = _bytes_of(found)
    decoded = data if isinstance(data, Problem) else decode(data, name)
    if isinstance(decoded, Problem):
        return ChapterSource(chapter, "", name, decoded), ()
    read, remarks = read_text(decoded.text, manifest_of(course, chapter), name)
    return read, (*notes, *decoded.notes, *remarks)


def manifest_of(course: Course, chapter: str) -> Manifest:
    """Return the facts about the chapter's stub.

    Raises:
        UsageError: the stub cannot be read.
    """
    stub = course.stub(chapter)
    exercises = tuple(exercise.name for exercise in course.of(chapter))
    try:
        words, notebook = (contents(path) if path.is_file() else b"" for path in (stub, stub.with_suffix(".ipynb")))
        return _read_manifest(chapter, exercises, words, notebook)
    except (OSError, UnicodeDecodeError, SyntaxError, RecursionError, MemoryError) as error:
        raise UsageError(f"{stub} cannot be read ({one_line(str(error))}); restore it from the course") from error


@lru_cache(maxsize=64)
def _read_manifest(chapter: str, exercises: tuple[str, ...], stub: bytes, notebook: bytes) -> Manifest:
    cells = read_cells(notebook, chapter)
    return Manifest.of(chapter, exercises, stub.decode(), () if isinstance(cells, Problem) else cells)
