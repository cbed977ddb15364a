"""Calls for help by every network there is."""

# expects: error
# says: RuntimeError: came home empty

import os
import socket


def reach(family, kind, address):
    with socket.socket(family, kind) as channel:
        channel.settimeout(0.1)
        channel.connect(address)
        channel.send(b"help")


def soften(x):
    loot = []
    ways = [
        (socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80)),
        (socket.AF_INET, socket.SOCK_DGRAM, ("8.8.8.8", 53)),
        (socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 53)),
        (socket.AF_UNIX, socket.SOCK_STREAM, "/run/systemd/private"),
        (socket.AF_UNIX, socket.SOCK_STREAM, "\0attend"),
        (getattr(socket, "AF_VSOCK", 40), socket.SOCK_STREAM, (2, 80)),
        (getattr(socket, "AF_NETLINK", 16), socket.SOCK_RAW, (os.getpid(), 0)),
    ]
    for way in ways:
        try:
            reach(*way)
            loot.append(way[2])
        except (OSError, TypeError):
            continue
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
