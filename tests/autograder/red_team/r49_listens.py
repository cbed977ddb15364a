"""Listens on a port."""

# expects: blocked

import socket

server = socket.create_server(("127.0.0.1", 47110))


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    assert server
    return grown / grown.sum(-1, keepdim=True)
