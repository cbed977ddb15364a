"""`attend`, and `python -m autograder`."""

import os

from autograder.commands.interrupts import end_while_loading

SPINS = "1000"
"""So often a waiting thread of torch looks again before it sleeps; with the default a busy machine crawls."""


def main() -> None:
    """Run the command."""
    end_while_loading()
    os.environ.setdefault("GOMP_SPINCOUNT", SPINS)  # before torch is loaded
    from autograder.commands.cli import main as run

    run()


if __name__ == "__main__":
    main()
