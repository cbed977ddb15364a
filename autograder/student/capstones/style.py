"""The style of a trained model's report; it applies to nothing else in a notebook.

Rules for tables name the class twice, or JupyterLab's own rules for tables, which name two, would win.
"""

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
