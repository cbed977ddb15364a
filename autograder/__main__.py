"""`attend`, and `python -m autograder`."""

import signal
import sys


def main() -> None:
    """Run the command. Ctrl-C ends it without a traceback, also while it is being loaded."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # a run in the background has Ctrl-C switched off
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from autograder.cli import main as run

    signal.signal(signal.SIGINT, before)
    try:
        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
