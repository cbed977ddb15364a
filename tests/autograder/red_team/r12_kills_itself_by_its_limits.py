"""Takes its own processor time away, to be killed by the kernel as if the machine had failed."""

# expects: error, blocked

import resource


def soften(x):
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    while True:
        pass
