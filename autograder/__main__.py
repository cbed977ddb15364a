"""`attend`, and `python -m autograder`."""

import os
import signal
import sys

SPINS = "1000"
"""So often a waiting thread of torch looks again before it sleeps; with the default a busy machine crawls."""


def main() -> None:
    """Run the command. Ctrl-C ends it without a traceback, also while it is being loaded."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # a run in the background has Ctrl-C switched off
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ.setdefault("GOMP_SPINCOUNT", SPINS)  # before torch is loaded
    from autograder.commands.cli import main as run

    signal.signal(signal.SIGINT, before)
    try:
        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
