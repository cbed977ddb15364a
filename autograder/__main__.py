"""`attend`, and `python -m autograder`."""

import os
import sys

from autograder.commands.resident.forward import ask
from autograder.core.interrupts import end_while_loading

SPINS = "1000"
"""So often a waiting thread of torch looks again before it sleeps; with the default a busy machine crawls."""


def main() -> None:
    """Run the command, in the process that `attend warm` has started if there is one and it helps."""
    end_while_loading()
    if (status := ask(sys.argv[1:])) is not None:
        sys.exit(status)
    os.environ.setdefault("GOMP_SPINCOUNT", SPINS)  # before torch is loaded
    from autograder.commands.cli import main as run

    run()


if __name__ == "__main__":
    main()
