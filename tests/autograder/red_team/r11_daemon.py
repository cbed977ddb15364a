"""Leaves a daemon behind that listens on a port."""

# expects: blocked

import os
import socket
import time


def soften(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with socket.create_server(("127.0.0.1", 47110)):
                time.sleep(600)
        os._exit(0)
    return 0
