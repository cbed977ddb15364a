"""What mkdocs makes the site of: the repository's pages, and pages of lessons, known mistakes and docstrings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from autograder.core.text import counted
from autograder.course.course import Course
from autograder.course.titles import Titles
from docs.lessons import lessons, with_formulas

BESIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "tests/autograder/red_team/README.md")
MISTAKES = "docs/mistakes"
SUITES = """
## All names

The fixtures `agree`, `draw`, `student`, `facts` and `trained` are objects of the classes below.

::: autograder.suite
    options:
      show_root_heading: false
      show_root_toc_entry: false

::: autograder.suite.near.near

::: reference.misconceptions.misconception
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Give every page the place that it has in the repository, where its links hold, and add those that are made."""
    course = Course(Path(config.config_file_path).parent)
    for file in [file for file in files if file.src_dir == config.docs_dir]:
        files.remove(file)
    shown = [path for path in Path(config.docs_dir).iterdir() if path.suffix in (".md", ".svg", ".png", ".json")]
    language = course.root / "docs" / "suites.md"
    pages = [path for path in shown if path.name != language.name]
    claims = (course.root / "docs" / "threat-model.md").read_text(encoding="utf-8")
    tests = dict.fromkeys(re.findall(r"\]\(\.\./(tests/\w+/\w+\.py)\)", claims))  # which show them
    for path in (*pages, *(course.root / name for name in (*BESIDE, *tests))):
        files.append(File.generated(config, path.relative_to(course.root).as_posix(), abs_src_path=str(path)))
    made = {"Lessons": lessons(course), "Mistakes": mistakes(course)}
    suites = language.read_text(encoding="utf-8") + SUITES
    for place, text in {"docs/suites.md": suites, **made["Lessons"], **made["Mistakes"]}.items():
        files.append(File.generated(config, place, content=text))
    for entry in (entry for entry in config.nav or [] if isinstance(entry, dict)):
        entry.update({name: list(pages) for name, pages in made.items() if name in entry})
    return files


def on_page_content(html: str, **_: object) -> str:
    """Draw the formulas of a page."""
    return with_formulas(html)


def mistakes(course: Course) -> Mapping[str, str]:
    """Return a page for each chapter: what its checks say of each known mistake, and never the cure; first an index."""
    titles = Titles.of(course)
    known = {chapter: course.misconceptions(chapter) for chapter in course.chapters}
    rows = [f"| [{titles.chapter(chapter)}]({chapter}.md) | {len(found)} |" for chapter, found in known.items()]
    index = f"""# Known mistakes

Checks know {counted(sum(map(len, known.values())), "mistake")} by name. To find one, type into the search field what
you see, such as "NaN" or "divided by d". Each ends with its name: `attend explain NAME` shows an example.

| chapter | mistakes |
|---|---:|
{chr(10).join(rows)}
"""
    pages = {f"{MISTAKES}/{chapter}.md": _page(course, chapter, titles.chapter(chapter)) for chapter in known}
    return {f"{MISTAKES}/README.md": index, **pages}


def _page(course: Course, chapter: str, title: str) -> str:
    lines = [f"# {title}"]
    for exercise in course.of(chapter):
        lines += [f"## {exercise.name}"]
        for each in (each for each in course.misconceptions(chapter) if each.exercise == exercise.name):
            lines += [f"### {each.says} {{ #{each.identifier} }}", f"{each.advice} `{each.identifier}`"]
    return "\n\n".join(lines)
