"""`python -m tests.versions [NAMES] [WORDS]`, which `make versions` calls.

NAMES are environments, such as 3.12 or 3.11-lowest; without any, all. WORDS go to pytest, to run a part of the tests.
What is tried is the last commit. A run that was stopped goes on with the same command.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from tests import ends
from tests.versions import table
from tests.versions.environments import Environment, environments
from tests.versions.table import Row

ROOT = Path(__file__).resolve().parents[2]
HOME = (ROOT / "build" / "versions").resolve()  # it may be a link to a larger disk
TREE = HOME / "tree"
SYSTEMS = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}
CAME_TO_AN_END = (0, 1, 5)  # pytest's exit status; 5 says that no test was left to run


def main(words: list[str]) -> int:
    """Run the tests, and return 1 if any failed or an environment could not be made."""
    there = environments(HOME)
    named = {name for each in there for name in (each.name, each.python)} & {*words}
    chosen = [each for each in there if not named or named & {each.name, each.python}]
    rest = [word for word in words if word not in named]
    commit = checked_out()
    print(f"trying {commit} in {', '.join(each.name for each in chosen)}", flush=True)
    return max([tried(each, commit, rest) for each in chosen], default=1)


def checked_out() -> str:
    """Lay out the last commit in a folder of its own, so that one may go on working; return its short name."""
    if not TREE.exists():
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", ROOT, TREE], check=True)
    said = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True)
    commit = said.stdout.strip()
    subprocess.run(["git", "checkout", "--quiet", "--detach", "--force", commit], cwd=TREE, check=True)
    return commit[:8]


def tried(environment: Environment, commit: str, words: list[str]) -> int:
    """Run tests in an environment, and write down what came of them."""
    try:
        environment.make(TREE)
    except subprocess.CalledProcessError:
        print(f"{environment.name} could not be made", flush=True)
        return 1
    part = shlex.join(words)
    kept = HOME / f"{environment.name}-{commit}-{sha256(part.encode()).hexdigest()[:8]}.jsonl"
    command: list[str | Path] = [environment.own_python, "-m", "pytest", "-p", "tests.ends", "--log-ends", kept]
    command += ["-n", "logical", "-m", "not exhaustive"]
    row = Row(environment.name, SYSTEMS.get(sys.platform, sys.platform), environment.versions(), part, commit)
    print(f"{row.environment}: {row.versions}", flush=True)
    status = -1
    try:
        status = subprocess.call([*command, *environment.leniency, *words], cwd=TREE)
    finally:
        row = row.with_ends(ends.read(kept).values(), whole=status in CAME_TO_AN_END)
        table.keep(ROOT, row)
    return int(bool(row.failed) or not row.whole)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from here")
