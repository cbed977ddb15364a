"""Files that are something else than Python, known by their text."""

from __future__ import annotations

import re

HEAD = 4096
GITHUB = "the page that GitHub shows around a file, not Python; open the file there, press Raw, and save that"
PAGE = "a web page, not Python; download the file itself, not the page that shows it"
LINK = "a link, not Python; hand in the file that it leads to (in Colab: File › Download)"
NOTEBOOK = "a notebook, not Python; give its name the ending .ipynb"
SESSION = "copied from a session, not Python; delete the prompts (such as >>> and ...) and what was printed"
LFS = "a Git LFS pointer, not Python; run `git lfs pull` and hand in the file that it brings"
PATCH = "a patch, not Python; hand in the whole file"
MARKDOWN = "Markdown, not Python; keep only the code, without the lines that start with ```"
# How such a file begins, after blank lines and comments. None of these beginnings is Python.
BEGINNINGS = {
    r"(?:<!--(?s:.*?)-->\s*)?<(?:!doctype html|html|head|body|title|div|script)\b": PAGE,
    r"(?:MIME-Version: |From: <Saved by )": PAGE,
    r"404: Not Found": "an error page (404: Not Found), not Python; download the file again",
    r"\{\\rtf": "rich text (RTF), not Python; in TextEdit choose Format › Make Plain Text, and save it again",
    r"\[(?:InternetShortcut|Desktop Entry)\]": LINK,
    r"<\?xml\b(?=(?s:.*)<key>URL</key>)": LINK,
    r"(?:(?:[\w -]{1,30}:\s*)?https?://\S+\s*){1,5}\Z": LINK,
    r"<\?xml\b": "an XML file, not Python; hand in the file with your code",
    r"version https://git-lfs\.github\.com/": LFS,
    r"(?:diff --git |Index: .*\n=+\n|--- .*\n\+\+\+ |From [0-9a-f]{40} )": PATCH,
    r"(?:Traceback \(most recent call last\):|={5,} test session starts =)": (
        "the output of a program, not Python; hand in the file with your code"
    ),
    r"\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d": "a log, not Python; hand in the file with your code",
    r"(?:>>>\s|In \[\d+\]: |Python \d\.\d+\.\d+.* on \w+\n|\$ \w|PS [A-Z]:\\|\w+@[\w.-]+:\S*[$%] )": SESSION,
    r"\\documentclass\b": "a LaTeX document, not Python; hand in the file with your code",
}
LINK_ALONE = re.compile(r"^\s*<?https?://\S+\s*$", re.MULTILINE)
CODE = re.compile(r"^\s*(?:def|class|import|from|return)\b|^\s*[\w.]+\s*=", re.MULTILINE)
KINDS = [(re.compile(start, re.IGNORECASE), says) for start, says in BEGINNINGS.items()]
COMMENTS = re.compile(r"(?:\s*#[^\n]*\n)*\s*")
LINKS_IN_JSON = re.compile(r'\{[^{}]*"(?:url|doc_id)"\s*:')
# A fence is no Python outside a string. Before the first triple quote, none lies inside one.
FENCE = re.compile(r"\"\"\"|'''|^(?P<fence>```|~~~)", re.MULTILINE)


def kind_of(text: str) -> str:
    """Return what a text that does not compile is, and what to do, as the end of a sentence; "" if it is code."""
    start = COMMENTS.match(text[:HEAD])
    head = text[start.end() if start else 0 :][:HEAD]
    found = kind_of_json(text) or next((says for pattern, says in KINDS if pattern.match(head)), "")
    if found == PAGE and "github" in head.lower():
        return GITHUB
    if not found and LINK_ALONE.search(head) and not CODE.search(text):
        found = LINK
    fence = FENCE.search(text)
    return found or (MARKDOWN if fence and fence["fence"] else "")


def kind_of_json(text: str) -> str:
    """Return the same for JSON that is no code, though it may compile, as a dictionary."""
    if not text.lstrip().startswith("{"):
        return ""
    if '"nbformat"' in text and ('"cells"' in text or '"worksheets"' in text):
        return NOTEBOOK
    return LINK if LINKS_IN_JSON.match(text[:HEAD].lstrip()) else ""
