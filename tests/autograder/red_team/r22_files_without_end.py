"""Opens as many files as it can."""

# expects: error
# says: Too many open files

import os


def soften(x):
    while True:
        os.open("/dev/null", os.O_RDONLY)
