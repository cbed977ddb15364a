"""The report of a trained model: a page that needs no network, the same in a notebook, and a summary as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from autograder.student.capstones.recipe import Figure
from autograder.student.capstones.report import Goal, ModelSample, Report
from autograder.student.cell_lines import as_magics
from autograder.student.lesson_pieces import LessonPiece
from autograder.student.pictures.pixels import pixels
from autograder.student.pictures.scale import printable

WIDTH, MOST_SAMPLES, LONGEST_TEXT = 80, 4, 8  # columns; samples in a terminal, and lines of each


@dataclass(frozen=True)
class NotebookReport:
    """A report that a notebook displays, as text where it cannot show HTML."""

    report: Report

    def __repr__(self) -> str:
        return as_magics(summary(self.report, WIDTH))

    def _repr_html_(self) -> str:
        return f"<style>{STYLE}</style>{as_magics(_body(self.report))}"


def page(report: Report) -> str:
    """Return the whole HTML page."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{_text(report.title)}</title>
<style>{STYLE}body {{ margin: 0; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #14171c; }} }}</style>
</head>
<body>
{_body(report)}
</body>
</html>
"""


def summary(report: Report, width: int) -> str:
    """Return the report as text of at most `width` columns, with the curve and no other picture."""
    lines = [report.title, report.says, "", report.result, *(_goal_in_words(goal) for goal in report.goals)]
    lines += [*_listed("beside it", report.baselines), *_listed("ablation", report.ablations), report.size, ""]
    lines += [_whose(report.pieces)] if report.pieces else []
    drawn = ["\n".join(_wrapped(lines, width)), report.curve.text(width)]
    drawn += ["\n".join(_wrapped(_sample_lines(sample), width)) for sample in report.samples[:MOST_SAMPLES]]
    drawn.append("\n".join(_wrapped([*report.notes, f"what to hand in: {_handing_in(report, '')}"], width)))
    return "\n\n".join(drawn)


def _body(report: Report) -> str:
    curves = [each.svg() for each in (report.curve, report.progress) if each]
    sections = (
        ("Whose parts", _pieces(report.pieces)),
        ("How it learned", f"{''.join(curves)}<p class='soft'>{_text(report.size)}</p>"),
        ("What it says", _samples(report.samples)),
        ("What it looks at", "".join(_pictures(report))),
        ("What each idea is worth", _scores(report.ablations)),
        ("How to hand it in" if report.graded else "What to hand in", _last_section(report)),
    )
    shown = "".join(f"<section><h2>{heading}</h2>{content}</section>\n" for heading, content in sections if content)
    goals = _list((_goal(goal) for goal in report.goals), "goals")
    head = f"<h1>{_text(report.title)}</h1><p>{_text(report.says)}</p>"
    result = f'<p class="result">{_text(report.result)}</p>{goals}{_scores((report.score, *report.baselines))}'
    return f'<main class="attend-report">{head}{result}\n{shown}</main>'


def _goal(goal: Goal) -> str:
    kind = "good" if goal.kept_reaches else "idle"
    return f'<span class="badge {kind}">{goal.verdict}</span> {_text(goal.label)}'


def _pieces(pieces: Sequence[LessonPiece]) -> str:
    """Return which pieces are the student's, and which are given and why."""
    yours = [f"<code>{_text(piece.exercise.name)}</code>" for piece in pieces if piece.yours]
    given = (
        f"<code>{_text(piece.exercise.name)}</code> "
        f"<span class='soft'>{_text(piece.exercise.chapter)}{piece.why and ': '}{_text(piece.why)}</span>"
        for piece in pieces
        if not piece.yours
    )
    owned = f'<p><span class="badge good">yours</span> {", ".join(yours)}</p>' if yours else ""
    listed = _list(given)
    return owned + (f'<p><span class="badge idle">given</span></p>{listed}' if listed else "")


def _scores(scores: Sequence[Figure]) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{_text(score.label)}</th><td class='number'>{_text(score.written)}</td></tr>"
        for score in scores
    )
    return f"<table>{rows}</table>" if rows else ""


def _samples(samples: Sequence[ModelSample]) -> str:
    """Return a table of the answers, after the texts that are neither right nor wrong."""
    texts = "".join(
        f"<pre><b>{_text(sample.asked)}</b>{_text(sample.got)}</pre>" for sample in samples if not sample.expected
    )
    rows = "".join(
        f"<tr><td>{_drawn(sample.asked)}</td><td>{_text(sample.expected)}</td><td>{_mark(sample)}{_text(sample.got)}</td></tr>"
        for sample in samples
        if sample.expected
    )
    heads = "<tr><th scope='col'>asked</th><th scope='col'>right</th><th scope='col'>it says</th></tr>"
    return texts + (
        f"<div class='scroll'><table><thead>{heads}</thead><tbody>{rows}</tbody></table></div>" if rows else ""
    )


def _drawn(asked: str) -> str:
    """Return one line as it is, a picture in block characters as pixels, other lines with their spaces."""
    if drawn := pixels(asked):
        return drawn
    return f"<pre class='drawn'>{_text(asked)}</pre>" if "\n" in asked else _text(asked)


def _mark(sample: ModelSample) -> str:
    kinds = {True: ("good", "✓", "right"), False: ("bad", "✗", "wrong")}
    if sample.right is None:
        return ""
    kind, symbol, name = kinds[sample.right]
    return f'<span class="badge {kind}" role="img" aria-label="{name}">{symbol}</span> '


def _pictures(report: Report) -> Iterator[str]:
    for each in report.pictures:
        yield f"<figure>{each.plot.svg()}<figcaption>{_text(each.caption)}</figcaption></figure>"


def points(report: Report) -> str:
    """Return what to type for the points of a trained model; "" if it earns none."""
    return f"attend check {report.pieces[0].exercise.name} gives the points" if report.graded and report.pieces else ""


def _last_section(report: Report) -> str:
    shown = (_handing_in(report, "code"), _text(points(report)))
    return "".join(f"<p>{each}</p>" for each in shown if each) + _list(map(_text, report.notes))


def _handing_in(report: Report, tag: str) -> str:
    """Return which file goes where, its name in the HTML element `tag` if that is given."""
    if report.waits_for:
        return f"nothing yet: {_text(report.waits_for)} is the course's own; write yours, and train again."
    if not report.graded:
        return "nothing; this model is for you."
    name = f"capstones/{report.name}.safetensors"
    shown = f"<{tag}>{_text(name)}</{tag}>" if tag else name
    return f"{shown}, beside the file of the chapter with your answers; both belong to what you hand in."


def _list(items: Iterable[str], kind: str = "") -> str:
    shown = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul{f' class={kind!r}' if kind else ''}>{shown}</ul>" if shown else ""


def _goal_in_words(goal: Goal) -> str:
    return f"{goal.verdict}: {goal.label}"


def _listed(kind: str, scores: Sequence[Figure]) -> Iterator[str]:
    return (f"{kind}: {score.label}: {score.written}" for score in scores)


def _whose(pieces: Sequence[LessonPiece]) -> str:
    """Return a line such as "yours: CausalLM · given: generate (not passed yet)"."""
    yours = ", ".join(piece.exercise.name for piece in pieces if piece.yours)
    given = ", ".join(f"{piece.exercise.name}{piece.why and f' ({piece.why})'}" for piece in pieces if not piece.yours)
    return " · ".join(f"{whose}: {names}" for whose, names in (("yours", yours), ("given", given)) if names)


def _sample_lines(sample: ModelSample) -> list[str]:
    if not sample.expected:
        return [*(sample.asked + sample.got).splitlines()[:LONGEST_TEXT]]
    mark = {True: "✓", False: "✗", None: "·"}[sample.right]
    wanted = "" if sample.right else f" (right: {sample.expected})"
    *above, last = sample.asked.splitlines() or [""]
    return [*above, last, f"{mark} {sample.got}{wanted}"] if above else [f"{mark} {last} → {sample.got}{wanted}"]


def _wrapped(lines: Iterable[str], width: int) -> Iterator[str]:
    for line in lines:
        text = _printable(line)
        yield from [text.rstrip()] if len(text) <= width else textwrap.wrap(text, width)


def _text(text: str) -> str:
    """Return a text as HTML; a model may have written anything."""
    return escape(_printable(text))


def _printable(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


STYLE = """
.attend-report {
  --paper: #fff; --panel: #f5f6f8; --line: #d3d8de; --text: #1b1f24; --soft: #555e69;
  --good: #0f6130; --good-fill: #def3e4; --bad: #9c1024; --bad-fill: #fde9e9; --idle: #555e69; --idle-fill: #eceef1;
  box-sizing: border-box; max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.25rem 2.5rem;
  background: var(--paper); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) {
  .attend-report {
    --paper: #14171c; --panel: #1d2128; --line: #373e48; --text: #e7eaef; --soft: #a3adb9;
    --good: #8be3ab; --good-fill: #163422; --bad: #ffb1ad; --bad-fill: #451a1e; --idle: #b3bcc7; --idle-fill: #2a3039;
  }
}
.attend-report h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.5rem; }
.attend-report h2 {
  font-size: 1.2rem; line-height: 1.25; margin: 2rem 0 0.6rem; padding-top: 0.8rem; border-top: 1px solid var(--line);
}
.attend-report p { margin: 0.5rem 0; }
.attend-report .result { font-size: 1.15rem; font-weight: 600; }
.attend-report .soft, .attend-report figcaption { color: var(--soft); font-size: 0.92rem; }
.attend-report ul { margin: 0.5rem 0; padding-left: 1.25rem; }
.attend-report .goals { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.25rem; }
.attend-report .badge { padding: 0.05rem 0.5rem; border-radius: 1rem; font-size: 0.84rem; font-weight: 600; }
.attend-report .good { color: var(--good); background: var(--good-fill); }
.attend-report .bad { color: var(--bad); background: var(--bad-fill); }
.attend-report .idle { color: var(--idle); background: var(--idle-fill); }
.attend-report table { border-collapse: collapse; margin: 0.6rem 0; font-size: 0.95rem; }
.attend-report.attend-report th, .attend-report.attend-report td {
  text-align: left; vertical-align: top; font-weight: 400; padding: 0.3rem 1rem 0.3rem 0;
  border-bottom: 1px solid var(--line);
  background: none; color: inherit; white-space: pre-line;
}
.attend-report.attend-report tbody tr { background: none; }
.attend-report td + td { overflow-wrap: break-word; }
.attend-report.attend-report thead th { font-weight: 600; white-space: nowrap; }
.attend-report.attend-report .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.attend-report .scroll { overflow-x: auto; }
.attend-report code, .attend-report pre { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
.attend-report code { font-size: 0.9em; background: none; color: inherit; padding: 0; }
.attend-report pre {
  padding: 0.6rem 0.8rem; background: var(--panel); color: inherit; border-radius: 6px;
  font-size: 0.86rem; white-space: pre-wrap;
}
.attend-report pre.drawn { background: none; border: 0; padding: 0; margin: 0; white-space: pre; line-height: 1; }
.attend-report figure { margin: 1rem 0; }
.attend-report svg { display: block; max-width: 100%; height: auto; }
@media print {
  .attend-report {
    --paper: #fff; --panel: #f5f6f8; --line: #bbb; --text: #000; --soft: #444;
    --good: #0f6130; --good-fill: #fff; --bad: #9c1024; --bad-fill: #fff; --idle: #444; --idle-fill: #fff;
    max-width: none; padding: 0;
  }
  .attend-report svg rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .attend-report figure, .attend-report tr { break-inside: avoid; }
  .attend-report h2 { break-after: avoid; }
}
"""
"""The style of the page; it applies to nothing else in a notebook.

Rules for tables name the class twice, or JupyterLab's own rules for tables, which name two, would win.
"""
