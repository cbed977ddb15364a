"""Writes until the disk is full."""

# expects: blocked


def soften(x):
    with open("/tmp/attend-red-team-disk", "wb") as file:
        while True:
            file.write(bytes(10**6))
