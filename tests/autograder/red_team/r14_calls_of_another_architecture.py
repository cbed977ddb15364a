"""Calls the kernel by the numbers of 32-bit programs, past a filter that knows 64-bit ones."""

# expects: crash

import ctypes
import mmap

page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"\xb8\x02\x00\x00\x00\xcd\x80\xc3")  # mov eax, 2 (fork); int 0x80; ret
place = ctypes.addressof(ctypes.c_char.from_buffer(page))


def soften(x):
    ctypes.CFUNCTYPE(ctypes.c_int)(place)()
