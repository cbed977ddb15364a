"""Runs an instruction that no processor knows."""

# expects: crash

import ctypes
import mmap

page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"\x0f\x0b")
place = ctypes.addressof(ctypes.c_char.from_buffer(page))


def soften(x):
    ctypes.CFUNCTYPE(None)(place)()
