"""The pages in a real browser: narrow, dark, printed, by keyboard, and without a network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from autograder.classroom.register import Register
from autograder.classroom.similar import Pair
from autograder.course.course import Course
from autograder.report.pages import write_feedback, write_report
from tests.autograder.browsing import leaves_pipes, needs_chromium
from tests.autograder.paging import COURSE, check, realistic_class
from tests.autograder.paging import graded as graded_alone

pytestmark = [needs_chromium, leaves_pipes]
NARROW, A4 = 375, 680  # pixels; the second is what margins of 15 mm leave
OPEN = "document.querySelectorAll('details').forEach(each => { each.open = true })"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
ORDER = "Array.from(document.querySelectorAll('#grades tbody tr:not([hidden])'), each => each.cells[0].innerText)"
LINES = "each => each.getBoundingClientRect().height / parseFloat(getComputedStyle(each).lineHeight)"
REACHABLE = "Array.from(document.querySelectorAll('a[href], summary, [tabindex=\"0\"], input, button'))"
SCRIPT = """() => {
  const script = document.createElement("script")
  script.textContent = "document.title = 'ran'"
  document.head.append(script)
}"""
# The smallest contrast of a text with what is painted behind it (WCAG 2.2, 1.4.3), and that text.
CONTRAST = """() => {
  const numbers = text => text.match(/[\\d.]+/g).map(Number)
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = node => {
    for (let each = node; each; each = each.parentElement) {
      const [r, g, b, a = 1] = numbers(getComputedStyle(each).backgroundColor)
      if (a === 1) return [r, g, b]
    }
    return [255, 255, 255]
  }
  let least = [21, ""]
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement
    if (!texts.currentNode.data.trim() || !node.checkVisibility()) continue
    const style = getComputedStyle(node)
    const ink = light(numbers(node.closest("svg") ? style.fill : style.color)), paper = light(behind(node))
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)
    if (ratio < least[0]) least = [ratio, texts.currentNode.data.trim()]
  }
  return least
}"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a class on two chapters of the course."""
    course, out = Course.installed(), tmp_path_factory.mktemp("graded")
    grades = realistic_class(course, ("ch03_attention", "ch04_masking"), 8)
    register = Register("canvas", (), unmatched=("x" * 90,), problems=("notes.txt belongs to no student",))
    write_report(out, grades, register, course, [Pair((grades[0].student, grades[1].student), "ch03_attention", 1, 61)])
    for grade in grades:
        write_feedback(out, grade, course)
    return out


@pytest.fixture(params=["report.html", "students.html", "feedback/Ada-1.html"])
def path(request: pytest.FixtureRequest, graded: Path) -> Path:
    return graded / str(request.param)


@pytest.fixture
def page(browser: Any, path: Path) -> Iterator[Any]:
    """One of the pages on a narrow screen, with everything unfolded."""
    page = browser.new_page(viewport={"width": NARROW, "height": 800})
    page.goto(path.as_uri())
    page.evaluate(OPEN)
    yield page
    page.close()


def test_nothing_is_wider_than_a_narrow_screen(page: Any) -> None:
    assert page.evaluate(OVERFLOW) == 0
    page.evaluate("document.querySelector('h1').style.width = '500px'")
    assert page.evaluate(OVERFLOW) > 0


def test_heads_and_names_are_not_broken_into_letters_on_a_narrow_screen(browser: Any, graded: Path) -> None:
    page = browser.new_page(viewport={"width": NARROW, "height": 800})
    page.goto((graded / "report.html").as_uri())
    assert max(page.eval_on_selector_all(".chapter h3", f"all => all.map({LINES})")) < 2
    page.goto((graded / "students.html").as_uri())
    assert page.eval_on_selector("#grades tbody th", "each => each.clientWidth") > NARROW / 4
    page.close()


@pytest.fixture
def table(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """The page with the grades of four students."""
    scores = {"Ada Lovelace": 12.5, "Zoë Müller": 12.25, "Ben O'Brien": 9, "Emma Weiß": 100}
    grades = [replace(graded_alone(name, check("passed")), score=score) for name, score in scores.items()]
    write_report(tmp_path, grades, Register("", ()), Course(COURSE.root))
    page = browser.new_page()
    page.goto((tmp_path / "students.html").as_uri())
    yield page
    page.close()


def test_a_click_on_a_column_sorts_by_its_numbers_and_a_second_click_the_other_way(table: Any) -> None:
    up = ["Ben O'Brien", "Zoë Müller", "Ada Lovelace", "Emma Weiß"]
    for column in ("Points", "Score"):
        table.get_by_role("button", name=column).click()
        assert table.evaluate(ORDER) == up
        table.get_by_role("button", name=column).click()
        assert table.evaluate(ORDER) == up[::-1]


@pytest.mark.parametrize(
    ("words", "found"),
    [("MULLER zoe", ["Zoë Müller"]), ("o'brien", ["Ben O'Brien"]), ("weiss", ["Emma Weiß"]), ("x", [])],
)
def test_the_search_leaves_the_students_whose_rows_hold_all_words(table: Any, words: str, found: list[str]) -> None:
    table.get_by_role("searchbox").fill(words)
    assert table.evaluate(ORDER) == found
    table.get_by_role("searchbox").fill("")
    assert len(table.evaluate(ORDER)) == 4


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    ratio, text = page.evaluate(CONTRAST)
    assert ratio >= 4.5, text
    page.evaluate("document.querySelector('h1').style.color = '#777777'")
    assert page.evaluate(CONTRAST)[0] < 4.5


def test_the_keyboard_reaches_every_link_and_everything_that_folds_in_the_order_of_the_page(page: Any) -> None:
    count = page.evaluate(f"{REACHABLE}.length")
    reached = []
    for _ in range(count):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(f"{REACHABLE}.indexOf(document.activeElement)"))
    assert reached == list(range(count))
    assert count > 5


def test_every_link_leads_somewhere(page: Any, path: Path) -> None:
    links = page.evaluate("Array.from(document.querySelectorAll('a'), each => each.getAttribute('href'))")
    for link in links:
        file, _, place = link.partition("#")
        assert not file or (path.parent / unquote(file)).is_file()
        assert not place or page.evaluate("place => document.getElementById(place) !== null", place)
    assert links


def test_printed_it_is_black_on_white_unfolded_and_not_cut(browser: Any, path: Path) -> None:
    page = browser.new_page(viewport={"width": A4, "height": 900}, color_scheme="dark")
    page.goto(path.as_uri())
    folded = "Array.from(document.querySelectorAll('details'), each => each.lastElementChild.checkVisibility())"
    assert not all(page.evaluate(folded))
    page.emulate_media(media="print")
    assert all(page.evaluate("() => " + folded.replace("checkVisibility()", "getBoundingClientRect().height > 5")))
    colours = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    assert page.evaluate("Math.max(0, ...Array.from(document.querySelectorAll('table'), e => e.offsetWidth))") <= A4
    assert page.evaluate(CONTRAST)[0] >= 4.5
    assert page.pdf(format="A4").startswith(b"%PDF-")
    page.close()


def test_a_printed_chapter_begins_below_what_is_before_it(browser: Any, tmp_path: Path) -> None:
    long = [check("passed", sentence=f"claim {number}") for number in range(45)]  # a page and a quarter
    write_feedback(tmp_path, graded_alone("ada", *long), Course(COURSE.root))
    page = browser.new_page()
    page.goto((tmp_path / "feedback/ada-1.html").as_uri())
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 2
    page.close()


def test_a_page_asks_for_nothing_and_runs_nothing(browser: Any, path: Path) -> None:
    page, asked, said = browser.new_page(), list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(path.as_uri())
    assert asked == [path.as_uri()]
    assert said == []
    page.evaluate(SCRIPT)
    assert page.title() != "ran"
    assert "Content Security Policy" in said[0]
    page.close()
