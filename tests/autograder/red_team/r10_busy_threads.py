"""Starts threads that compute on, to slow the others down."""

# expects: failed, timeout

import hashlib
import threading


def burn():
    hashlib.pbkdf2_hmac("sha256", b"x", b"y", 10**9)


def soften(x):
    for _ in range(16):
        threading.Thread(target=burn, daemon=True).start()
    return 0
