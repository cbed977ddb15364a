"""Similar answers: copies are found however they are dressed up, and what was written independently is not."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from autograder.classroom import similar
from autograder.classroom.similar import Pair, similar_pairs
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course

ROOT = Path(__file__).parents[2]
COURSE = Course(ROOT)
CHAPTER = "ch03_attention"
ONE = Course(ROOT, only=(CHAPTER,))
each_chapter = pytest.mark.parametrize("chapter", COURSE.chapters)


@pytest.fixture(autouse=True, scope="module")
def read_once() -> Iterator[None]:
    """Several tests compare the same answers with the same code of the course."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similar, "_code", cache(similar._code))
        yield


def right(chapter: str) -> dict[str, str]:
    """Right answers that were written independently of each other, by style; the course's own among them."""
    paths = sorted((ROOT / "tests" / "promises" / "right" / chapter).glob("*.py"))
    texts = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    return texts | {"solution": COURSE.solution(chapter).read_text(encoding="utf-8")}


def pairs(submissions: Sequence[Submission], course: Course) -> list[Pair]:
    """Students who are alike."""
    return [pair for pair in similar_pairs(submissions, course) if not pair.own]


def compared(chapter: str, texts: dict[str, str]) -> list[Pair]:
    submissions = [one_chapter(name, chapter, text) for name, text in texts.items()]
    return pairs(submissions, Course(ROOT, only=(chapter,)))


def definitions(text: str) -> dict[str, str]:
    """The source of each function and class."""
    body = ast.parse(text).body
    return {node.name: ast.unparse(node) for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


class Disguise(ast.NodeTransformer):
    """Other names for what a function binds, other numbers, no docstrings."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f"my_{node.id}", node.ctx) if node.id in self.names else node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(f"my_{node.arg}")

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(node.value / 3) if isinstance(node.value, float) else node


def disguised(text: str) -> str:
    """The same code with other local names and numbers, its definitions in reverse order, and comments."""
    tree = ast.parse(text)
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    body = [Disguise(bound - defined).visit(node) for node in reversed(tree.body)]
    return "\n\n# all my own\n".join(ast.unparse(ast.fix_missing_locations(node)) for node in body)


@each_chapter
def test_independent_right_answers_are_less_alike_than_what_is_reported(
    chapter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compared(chapter, right(chapter)) == []
    monkeypatch.setattr(similar, "SHARE", 0.02)
    assert all(pair.share <= similar.INDEPENDENT for pair in compared(chapter, right(chapter)))


@each_chapter
def test_single_exercises_of_independent_answers_are_not_reported_either(chapter: str) -> None:
    parts = {style: definitions(text) for style, text in right(chapter).items()}
    for exercise in COURSE.of(chapter):
        written = {style: part[exercise.name] for style, part in parts.items() if exercise.name in part}
        assert compared(chapter, written) == []


@each_chapter
def test_a_copy_with_other_names_numbers_order_and_words_is_equal(chapter: str) -> None:
    texts = right(chapter)
    text = texts["solution"]
    (found,) = compared(chapter, {"ann": disguised(text), **texts})
    assert (set(found.students), found.share) == ({"ann", "solution"}, 1.0)
    assert found.lines >= 15


@pytest.mark.parametrize("style", [style for style in right(CHAPTER) if style != "solution"])
def test_who_takes_most_exercises_from_another_is_found_with_the_share_and_the_lines(style: str) -> None:
    texts = right(CHAPTER)
    taken, own = definitions(texts["solution"]), definitions(texts[style])
    kept = [exercise.name for exercise in COURSE.of(CHAPTER)][:3]
    mixed = "\n\n".join({**taken, **{name: own[name] for name in kept if name in own}}.values())
    (found,) = compared(CHAPTER, {"ann": disguised(mixed), "ben": texts["solution"]})
    assert found.share >= similar.SHARE
    assert found.lines >= 15


def like_ours(chapter: str, texts: dict[str, str]) -> list[Pair]:
    submissions = [one_chapter(name, chapter, text) for name, text in texts.items()]
    return [pair for pair in similar_pairs(submissions, Course(ROOT, only=(chapter,))) if pair.own]


@each_chapter
def test_independent_right_answers_share_less_than_a_third_of_the_courses_own_code(
    chapter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = right(chapter)
    del texts["solution"]
    monkeypatch.setattr(similar, "SHARE", 1 / 3)
    assert like_ours(chapter, texts) == []


@each_chapter
@pytest.mark.parametrize("folder", ["solutions", "reference"])
def test_a_lone_copy_of_the_courses_own_code_is_found_in_its_disguise(chapter: str, folder: str) -> None:
    text = (ROOT / folder / f"{chapter}.py").read_text(encoding="utf-8")
    (found,) = like_ours(chapter, {"ann": disguised(text)})
    assert (found.students, found.share, found.own) == (("ann",), 1.0, f"{folder}/{chapter}.py")


def test_a_given_part_in_an_answer_is_found_among_answers_of_ones_own() -> None:
    part = definitions((ROOT / "reference/blocks/layers.py").read_text(encoding="utf-8"))["WideMultiHeadAttention"]
    (found,) = like_ours("ch05_multihead", {"ann": right("ch05_multihead")["loops"] + "\n\n" + part})
    assert found.own == "WideMultiHeadAttention in reference/blocks/layers.py"


def test_equal_code_is_one_group_however_many_have_it() -> None:
    texts = right(CHAPTER)
    ring = {f"student {n}": texts["loops"] for n in range(30)} | {"ann": disguised(texts["loops"])}
    (found,) = compared(CHAPTER, {**ring, "ben": texts["einsum"]})
    assert found.share == 1
    assert set(found.students) == set(ring)


def test_what_many_have_tells_nothing() -> None:
    texts = right(CHAPTER)
    shared = definitions(texts["loops"])
    own = [f"def extra_{n}(x):\n    return {' + '.join(f'x.f{n}_{k}(x)' for k in range(30))}" for n in range(30)]

    def handed_in(count: int) -> dict[str, str]:
        return {f"student {n}": "\n\n".join([*shared.values(), own[n]]) for n in range(count)}

    assert len(compared(CHAPTER, handed_in(2))) == 1
    assert compared(CHAPTER, handed_in(similar.COMMON + 1)) == []


def test_what_the_course_gives_and_what_is_too_short_is_not_compared() -> None:
    stub = ONE.stub(CHAPTER).read_text(encoding="utf-8")
    short = "def dot_scores(q, k):\n    return q @ k.transpose(-2, -1)\n"
    assert compared(CHAPTER, {"ann": stub, "ben": stub}) == []
    assert compared(CHAPTER, {"ann": short, "ben": short}) == []


def test_attempts_of_one_student_are_not_compared() -> None:
    text = right(CHAPTER)["loops"]
    longer = text + "\n\ndef extra(x):\n    return x.relu().cos().sin().tan() + x.exp().log()\n"
    assert pairs([one_chapter("ann", CHAPTER, each) for each in (text, text, longer)], ONE) == []


@pytest.mark.parametrize("text", ["def (", "\0", "(" * 5000, ""], ids=["syntax", "null", "deep", "empty"])
def test_what_is_no_python_is_like_nothing(text: str) -> None:
    assert compared(CHAPTER, {"ann": text, "ben": text}) == []


def test_the_most_alike_come_first_and_a_chapter_that_is_missing_is_none() -> None:
    course = Course(ROOT, only=(CHAPTER, "ch05_multihead"))
    first, second = right(CHAPTER)["loops"], right("ch05_multihead")["loops"]
    own = f"\n\ndef extra(x):\n    return {' + '.join(f'x.f{k}(x)' for k in range(20))}"
    submissions = [
        one_chapter("ann", CHAPTER, f"{first}\nprint({list(range(20))})"),
        one_chapter("ben", CHAPTER, "\n".join(definitions(first).values()) + own),
        one_chapter("cem", "ch05_multihead", second),
        one_chapter("dee", "ch05_multihead", disguised(second)),
        Submission("eve", {}),
    ]
    found = pairs(submissions, course)
    assert [set(pair.students) for pair in found] == [{"cem", "dee"}, {"ann", "ben"}]
    assert 1 == found[0].share > found[1].share


def test_what_was_found_is_kept_for_the_same_code_and_looked_for_again_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    monkeypatch.setattr(
        similar, "similar_pairs", lambda handed_in, course: looked.append(1) or similar_pairs(handed_in, course)
    )
    text = right(CHAPTER)["loops"]
    class_ = [one_chapter("ada", CHAPTER, text), one_chapter("bob", CHAPTER, text + "# mine\n")]
    path = tmp_path / similar.NAME
    first = similar.kept_pairs(path, class_, ONE)
    assert [pair.students for pair in first] == [("ada", "bob")]
    assert (similar.kept_pairs(path, class_, ONE), len(looked)) == (first, 1)
    changed = [class_[0], one_chapter("bob", CHAPTER, "x = 1\n")]
    assert (similar.kept_pairs(path, changed, ONE), len(looked)) == ([], 2)
    path.write_text("{")
    assert (similar.kept_pairs(path, changed, ONE), len(looked)) == ([], 3)


def test_code_is_read_once_for_all_comparisons_and_chapters(monkeypatch: pytest.MonkeyPatch) -> None:
    similar._parts.cache_clear()
    code, read = similar._code, list[str]()
    monkeypatch.setattr(similar, "_code", lambda text: read.append(text) or code(text))
    chapters = (CHAPTER, "ch06_encoder")
    similar_pairs([one_chapter("ada", each, right(each)["loops"]) for each in chapters], Course(ROOT, only=chapters))
    assert len(read) == len({*read})
    read.clear()
    similar_pairs([], ONE)
    assert read == [COURSE.stub(CHAPTER).read_text(encoding="utf-8")]
