"""Answers that are more similar than independent ones: a reason to look, never a proof.

A chapter's code becomes a sequence of tokens without comments, docstrings, annotations and imports, in which the
student's own names are all the same. Its fragments are runs of `LENGTH` tokens (Schleimer, Wilkerson and Aiken 2003).
Fragments of the chapter's stub, and those in more than `COMMON` different answers of the class, do not count.
Each chapter is compared with those of other students, and with the course's own code, as a single student may copy it.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

from autograder import __version__
from autograder.core import files
from autograder.core.encoded import as_json
from autograder.core.reading import contents, decoded
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.intake.artefacts import numbers_digest
from autograder.source.parsing import syntax_tree

NAME = "similar.json"
# The largest share between right answers written independently, and the smallest share that is reported.
# test_similar.py measures both on tests/promises/right, where single exercises of `LEAST` fragments stay below SHARE.
INDEPENDENT, SHARE = 0.1, 0.5
LENGTH, LEAST, COMMON = 12, 60, 10


@dataclass(frozen=True)
class Pair:
    """Two students, or a group of students with equal code, and how much of a chapter's code they share.

    Args:
        share: the share of the fragments of the student with fewer of them; 1 in a group.
        lines: the number of lines of the first student's code that lie in equal passages.
        own: the course's own code that they share, "" if they share each other's.
        model: the trained model that is equal bit for bit, "" if it is code that they share.
    """

    students: tuple[str, ...]
    chapter: str
    share: float
    lines: int
    own: str = ""
    model: str = ""


@dataclass(frozen=True)
class _Kept:
    """The content of a file of pairs; `made_of` is a digest of all code that was compared."""

    made_of: str
    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class _Code:
    """A student's own code in a chapter: where each fragment starts among the tokens, and the line of each token."""

    fragments: dict[int, int]
    places: list[int]

    def without(self, stub: Collection[int]) -> _Code:
        """Return the same code without the fragments of the stub."""
        return _Code({each: start for each, start in self.fragments.items() if each not in stub}, self.places)

    def lines(self, shared: Iterable[int]) -> int:
        """Return the number of lines that the `shared` fragments cover."""
        starts = (self.fragments[fragment] for fragment in shared)
        return len({line for start in starts for line in self.places[start : start + LENGTH]})


_Group = tuple[_Code, tuple[str, ...]]


def similar_pairs(submissions: Sequence[Submission], course: Course) -> list[Pair]:
    """Return the pairs of similar chapters, most similar first, then those that are like the course's own code.

    One student's submissions are not compared. The course's own code is its solution, reference and given parts, or one
    definition; each chapter counts once, with the code that most of its lines resemble.
    """
    found = [*_same_models(submissions)]
    for chapter in course.chapters:
        stub = _code(course.stub(chapter).read_text(encoding="utf-8")).fragments.keys()
        groups = _groups(submissions, chapter, stub)
        found += [*_between(groups, chapter), *_like_ours(groups, course, chapter, stub)]
    return sorted(found, key=_order)


def _same_models(submissions: Sequence[Submission]) -> Iterator[Pair]:
    """Yield students with equal trained models, which two trainings give only with the same code and seed."""
    having: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for submission in submissions:
        for named in _models(submission):
            having[named].append(submission.student)
    for (chapter, name, _), students in having.items():
        if len(set(students)) > 1:
            yield Pair(tuple(dict.fromkeys(students)), chapter, 1.0, 0, model=name)


def _models(submission: Submission) -> Iterator[tuple[str, str, str]]:
    """Yield chapter, name and digest of each trained model."""
    for chapter, source in submission.chapters.items():
        yield from ((chapter, name, numbers_digest(data).hex()) for name, data in source.artefacts.items())


def _order(pair: Pair) -> tuple[bool, float, int, str, tuple[str, ...]]:
    return pair.own != "", -pair.share, -pair.lines, pair.chapter, pair.students


def kept_pairs(path: Path, submissions: Sequence[Submission], course: Course) -> list[Pair]:
    """Return what `similar_pairs` returns, from the file `path` if the code is the same, else written there."""
    sources = [
        (each.student, chapter, source.text) for each in submissions for chapter, source in each.chapters.items()
    ]
    models = sorted((each.student, *named) for each in submissions for named in _models(each))
    made_of = [__version__, models, Path(__file__).read_text(encoding="utf-8"), course.chapters, sorted(sources)]
    made_of += [path.read_text(encoding="utf-8") for chapter in course.chapters for path in _our_files(course, chapter)]
    digest = hashlib.sha256(as_json(made_of)).hexdigest()
    with suppress(OSError, ValueError):
        known = decoded(contents(path), _Kept)
        if known.made_of == digest:
            return list(known.pairs)
    found = similar_pairs(submissions, course)
    files.write(path, as_json(_Kept(digest, tuple(found))).decode() + "\n")
    return found


def _like_ours(groups: Sequence[_Group], course: Course, chapter: str, stub: Collection[int]) -> Iterator[Pair]:
    ours = [*_ours(course, chapter, stub)] if groups else []
    count = Counter(fragment for code, _ in groups for fragment in code.fragments)
    for code, students in groups:
        rare = {fragment for fragment in code.fragments if count[fragment] <= COMMON}
        pairs = [
            Pair(students, chapter, share, code.lines(shared), name)
            for name, own in ours
            if (shared := rare & own.keys()) and (share := len(shared) / min(len(own), len(code.fragments))) >= SHARE
        ]
        yield from sorted(pairs, key=lambda pair: (-pair.lines, -pair.share))[:1]


def _ours(course: Course, chapter: str, stub: Collection[int]) -> Iterator[tuple[str, dict[int, int]]]:
    """Yield the fragments of the course's own answers and of each definition in them, if long enough to compare."""
    for path in _our_files(course, chapter):
        name = path.relative_to(course.home).as_posix()
        for definition, code in _parts(path.read_text(encoding="utf-8")):
            fragments = code.without(stub).fragments
            if len(fragments) >= LEAST:
                yield f"{definition} in {name}" if definition else name, fragments


@cache
def _parts(text: str) -> list[tuple[str, _Code]]:
    """Return a file of the course, and each of its definitions by name. Several chapters have the same given parts."""
    named = [node for node in syntax_tree(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return [("", _code(text)), *((node.name, _code(ast.unparse(node))) for node in named)]


def _our_files(course: Course, chapter: str) -> list[Path]:
    reference = course.home / "reference"
    found = (course.solution(chapter), reference / f"{chapter}.py", *sorted((reference / "blocks").glob("*.py")))
    return [path for path in found if path.is_file()]


def _between(groups: Sequence[_Group], chapter: str) -> Iterator[Pair]:
    for code, students in groups:
        if len(students) > 1:
            yield Pair(students, chapter, 1.0, code.lines(code.fragments))
    rare = _rare([code for code, _ in groups])
    for first, second in _candidates(rare):
        smaller, larger = sorted((first, second), key=lambda number: len(groups[number][0].fragments))
        shared = rare[smaller] & rare[larger]
        share = len(shared) / len(groups[smaller][0].fragments)
        students = (groups[smaller][1][0], groups[larger][1][0])
        if share >= SHARE and students[0] != students[1]:
            yield Pair(students, chapter, share, groups[smaller][0].lines(shared))


def _groups(submissions: Sequence[Submission], chapter: str, stub: Collection[int]) -> list[_Group]:
    """Return each different code that is long enough to compare, and the students who have it."""
    by_text: dict[str, list[str]] = defaultdict(list)
    for submission in submissions:
        if source := submission.chapters.get(chapter):
            by_text[source.text].append(submission.student)
    by_code: dict[frozenset[int], tuple[_Code, list[str]]] = {}
    for text, students in by_text.items():
        code = _code(text).without(stub)
        if len(code.fragments) >= LEAST:
            by_code.setdefault(frozenset(code.fragments), (code, []))[1].extend(students)
    return [(code, tuple(dict.fromkeys(students))) for code, students in by_code.values()]


def _rare(codes: Sequence[_Code]) -> list[set[int]]:
    """Return the fragments of each code that few others have."""
    count = Counter(fragment for code in codes for fragment in code.fragments)
    return [{fragment for fragment in code.fragments if 1 < count[fragment] <= COMMON} for code in codes]


def _candidates(rare: Sequence[set[int]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of codes that share enough fragments, from an index of fragments, as a class has many pairs."""
    having: dict[int, list[int]] = defaultdict(list)
    for number, fragments in enumerate(rare):
        for fragment in fragments:
            having[fragment].append(number)
    common = Counter(pair for numbers in having.values() for pair in combinations(numbers, 2))
    return (pair for pair, count in common.items() if count >= LEAST * SHARE)


def _code(text: str) -> _Code:
    words, places, fragments = list[str](), list[int](), dict[int, int]()
    try:
        body = [node for node in syntax_tree(text).body if not isinstance(node, ast.Import | ast.ImportFrom)]
    except SyntaxError:
        return _Code({}, [])
    names = frozenset(name for node in body for name in _own_names(node))
    for node in body:
        first = len(words)
        for word, line in _tokens(node, names):
            words.append(word)
            places.append(line)
        for start in range(first, len(words) - LENGTH + 1):
            fragments.setdefault(hash(tuple(words[start : start + LENGTH])), start)
    return _Code(fragments, places)


def _own_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names that the student defines; attributes and methods begin with a dot."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield f".{name}"
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name, body=body):
                yield name
                yield from (f".{each.name}" for each in body if isinstance(each, ast.FunctionDef))


def _tokens(tree: ast.AST, names: frozenset[str]) -> Iterator[tuple[str, int]]:
    """Yield the nodes of a tree in the order of the text, each with its line."""
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    while waiting:
        node, line = waiting.pop()
        line = getattr(node, "lineno", line)
        if isinstance(node, ast.expr_context) or _is_words(node):
            continue
        yield _word(node, names), line
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        waiting.extend((child, line) for child in reversed(list(ast.iter_child_nodes(node))))


def _is_words(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _word(node: ast.AST, names: frozenset[str]) -> str:
    """Return the token of a node: a name that is not the student's own as it is, anything else by its kind."""
    match node:
        case ast.Name(id=name) if name not in names:
            return name
        case ast.Attribute(attr=name) if f".{name}" not in names:
            return f".{name}"
        case ast.keyword(arg=str(name)):
            return f"{name}="
        case ast.Constant(value=value):
            return type(value).__name__
    return type(node).__name__
