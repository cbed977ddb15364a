"""What the documentation as a site promises beyond its links, which `make check` holds."""

from __future__ import annotations

from autograder import suite
from docs.hooks import MISTAKES, SUITES, mistakes
from tests.promises.world import COURSE


def test_its_pages_show_every_known_mistake_with_its_nudge_and_no_cure() -> None:
    pages = mistakes(COURSE)
    for chapter in COURSE.chapters:
        known, page = COURSE.misconceptions(chapter), pages[f"{MISTAKES}/{chapter}.md"]
        after = {each.identifier: page.partition(f"{each.says} {{ #{each.identifier} }}\n")[2] for each in known}
        told = {name: text.partition("\n#")[0].strip() for name, text in after.items()}
        assert told == {each.identifier: f"{each.advice} `{each.identifier}`" for each in known}


def test_its_page_on_the_language_of_suites_names_what_a_module_of_the_same_name_hides() -> None:
    modules = {path.stem for path in (COURSE.root / "autograder" / "suite").glob("*.py")}
    hidden = modules & set(suite.__all__)
    assert [name for name in hidden if f"\n::: autograder.suite.{name}.{name}\n" not in SUITES] == []
